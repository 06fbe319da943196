"""Open tables to play at in the browser, for everybody in the house."""

from __future__ import annotations

import argparse
from pathlib import Path

from lastcard.cli.arguments import add_shared, ordered

EXAMPLES = (
    "lastcard serve",
    "lastcard serve --port 8080 --no-open",
    "lastcard serve --host 127.0.0.1 --public-url https://cards.example --database-url postgresql://cards@db/cards",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Say what the command takes."""
    add = parser.add_argument
    add("--host", default="0.0.0.0", help="address to listen at (default: all of this computer)")
    add("--port", type=int, default=8020, metavar="N", help="port to listen at (default 8020)")
    add_shared(
        parser,
        "--database-url",
        help="sqlite:///FILE or postgresql://USER@HOST/DATABASE (default: a file in the data folder)",
    )
    add("--redis-url", metavar="URL", help="redis://HOST:PORT, where several servers share a PostgreSQL database")
    add("--metrics", metavar="HOST:PORT", help="where Prometheus gets figures (default: /metrics, for callers nearby)")
    add("--allow-host", action="append", default=[], metavar="NAME", help="one more name people find the server by")
    add("--trusted-proxies", metavar="LIST", help="addresses and networks whose proxies say where calls come from")
    add("--shared-addresses", metavar="LIST", help="addresses and networks that many guests share, as a school's")
    add("--spectators", type=int, default=50, metavar="N", help="persons who may watch a table (default 50)")
    add("--public-url", metavar="URL", help="what the world calls the server, behind a proxy for HTTPS")
    add("--keep-matches", metavar="DAYS", help="delete matches so long after their end, as in 90d (default: never)")
    add(
        "--chat",
        choices=("on", "off", "never"),
        help="whether new tables begin with chat (default: on, and off with --public-url); never: none has any",
    )
    add(
        "--admin-token-file",
        type=Path,
        metavar="FILE",
        help="a file with the token for the page /admin (default: LASTCARD_ADMIN_TOKEN, else there is no page)",
    )
    add(
        "--open",
        dest="open_browser",
        action=argparse.BooleanOptionalAction,
        help="open the browser, or do not (default: where there is a screen)",
    )
    add_shared(parser, "--kernel")
    add_shared(parser, "--language")


def run(args: argparse.Namespace) -> int:
    """Serve until a signal says stop."""
    from lastcard.server.start import ServerOptions, serve

    return serve(ordered(ServerOptions, args))
