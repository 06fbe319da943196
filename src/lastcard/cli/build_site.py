"""Write a site for any web host, on which the game is played without a server."""

from __future__ import annotations

import argparse
from pathlib import Path

EXAMPLES = ("lastcard build-site --out public",)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument(
        "--out", type=Path, required=True, metavar="DIR", help="a new or empty folder, or one with such a site"
    )


def run(args: argparse.Namespace) -> int:
    """Write the site, and print how to view it."""
    from lastcard.bundle.site import write_site

    version = write_site(args.out)
    print(f"{args.out}: version {version}")
    print(f"to look at it here: python3 -m http.server --directory {args.out}")
    return 0
