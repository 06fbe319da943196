"""Measure how strong bots are: every deal is played in every seating, on all cores."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Final

from lastcard.cli.arguments import add_shared
from lastcard.cli.command import INTERRUPTED, interrupt_on_signals
from lastcard.errors import check_different_files

EXAMPLES = (
    "lastcard arena --bots sharp,random",
    "lastcard arena --rules all-wild --players 4 --bots sharp,random,random,random --rounds 5000 --seed 1",
    "lastcard arena --bots master,expert --rounds 200 --reduce-variance",
    "lastcard arena --bots sharp,casual --behavior level --resume deals.jsonl --out result.parquet",
)
_BEHAVIORS: Final = ("attentive", "level")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
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
        "--behavior",
        choices=_BEHAVIORS,
        default=_BEHAVIORS[0],
        help="attentive: no bot forgets a call or misses a catch (default); level: each level behaves as at the table",
    )
    parser.add_argument(
        "--reduce-variance",
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
    """Play an arena, print the results and save them."""
    from lastcard.analysis.luck import measure_luck
    from lastcard.arena.arena import run_arena
    from lastcard.arena.results import check_output, print_arena, to_json, write_result
    from lastcard.bots.base import ATTENTIVE
    from lastcard.cli.progress_bar import open_counter

    interrupt_on_signals()
    if args.out is not None:
        if args.resume is not None:
            check_different_files(args.out, args.resume, "the result needs another file than the deals of --resume")
        check_output(args.out, overwrite=args.overwrite)
    with open_counter("Deals", args.rounds) as count:
        try:
            result = run_arena(
                args.rules,
                args.players,
                args.bots,
                args.rounds,
                args.seed,
                behavior=ATTENTIVE if args.behavior == "attentive" else None,
                luck=measure_luck if args.reduce_variance else None,
                workers=args.workers,
                resume=args.resume,
                progress=count,
            )
        except KeyboardInterrupt:
            result = None
    if result is None:
        advice = _resume_advice(args.resume)
        sys.stderr.write(f"\nlastcard: stopped after {count.done} of {args.rounds} deals; {advice}\n")
        return INTERRUPTED
    try:
        if args.json:
            sys.stdout.write(to_json(result))
        else:
            print_arena(result)
    finally:  # even if printing fails, as at a closed pipe: the results took hours
        if args.out is not None:
            write_result(args.out, result)
    return 0


def _resume_advice(resume: Path | None) -> str:
    if resume is None:
        return "with --resume FILE they would have been kept"
    return f"{resume} keeps them, and the same command goes on"
