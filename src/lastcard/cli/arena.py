"""Measure how strong bots are: every deal is played in every seating, on all cores."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Final

from lastcard.cli.arguments import add_shared
from lastcard.cli.command import INTERRUPTED, end_well
from lastcard.errors import check_apart

EXAMPLES = (
    "lastcard arena --bots sharp,random",
    "lastcard arena --rules all-wild --players 4 --bots sharp,random,random,random --rounds 5000 --seed 1",
    "lastcard arena --bots master,expert --rounds 200 --adjust",
    "lastcard arena --bots sharp,casual --manners own --resume deals.jsonl --out result.parquet",
)
_MANNERS: Final = ("attentive", "own")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Say what the command takes."""
    add_shared(parser, "--rules")
    add_shared(parser, "--players", default=2)
    add_shared(
        parser,
        "--bots",
        default="sharp,random",
        help="levels or kinds of bots, repeated until every seat has one (default %(default)s)",
    )
    add_shared(
        parser,
        "--rounds",
        default=1000,
        help="how many deals; each is played once for every seating (default %(default)s)",
    )
    add_shared(parser, "--seed", help="the same seed gives the same result (default: that of --resume, or a fresh one)")
    parser.add_argument(
        "--manners",
        choices=_MANNERS,
        default=_MANNERS[0],
        help="attentive: no bot forgets a call or misses a catch (default); own: each level behaves as at the table",
    )
    parser.add_argument(
        "--adjust",
        action="store_true",
        help="show the shares without the luck of draws too: narrower intervals for a little more time a deal",
    )
    add_shared(parser, "--workers")
    add_shared(parser, "--kernel")
    add_shared(parser, "--json")
    add_shared(parser, "--out", help="write the result to FILE.json, or every round to FILE.parquet")
    add_shared(parser, "--overwrite")
    add_shared(parser, "--resume", help="keep every deal in FILE, and go on from those that it already has")


def run(args: argparse.Namespace) -> int:
    """Play an arena, show what came of it and write it."""
    from lastcard.analysis.luck import measure_luck
    from lastcard.arena.arena import arena
    from lastcard.arena.board import as_json, check_out, print_arena, write_result
    from lastcard.bots.base import ATTENTIVE
    from lastcard.cli.bar import open_count

    end_well()
    if args.out is not None:
        if args.resume is not None:
            check_apart(args.out, args.resume, "the result needs another file than the deals of --resume")
        check_out(args.out, overwrite=args.overwrite)
    with open_count("Deals", args.rounds) as count:
        try:
            result = arena(
                args.rules,
                args.players,
                args.bots,
                args.rounds,
                args.seed,
                manners=ATTENTIVE if args.manners == "attentive" else None,
                luck=measure_luck if args.adjust else None,
                workers=args.workers,
                resume=args.resume,
                progress=count,
            )
        except KeyboardInterrupt:
            result = None
    if result is None:
        way_on = _way_on(args.resume)
        sys.stderr.write(f"\nlastcard: stopped after {count.done} of {args.rounds} deals; {way_on}\n")
        return INTERRUPTED
    try:
        if args.json:
            sys.stdout.write(as_json(result))
        else:
            print_arena(result)
    finally:  # whether it could be shown or not: what took hours would be lost with the reader of a pipe
        if args.out is not None:
            write_result(args.out, result)
    return 0


def _way_on(resume: Path | None) -> str:
    """What to do after an interruption."""
    if resume is None:
        return "with --resume FILE they would have been kept"
    return f"{resume} keeps them, and the same command goes on"
