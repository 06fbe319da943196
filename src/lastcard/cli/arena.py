"""``lastcard arena``: its arguments, and what becomes of them. Imports wait until they are needed, as in ``cli.py``."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from lastcard.lab.arena import Arena

_INTERRUPTED: Final = 130
_MANNERS: Final = ("attentive", "own")


def add_parsers(add_command: Callable[..., argparse.ArgumentParser], commands: object) -> None:
    """Add the command to the command line."""
    parser = add_command(
        commands,
        "arena",
        run_arena,
        "measure how strong bots are: every deal is played in every seating, on all cores",
        "lastcard arena --bots sharp,random",
        "lastcard arena --rules all-wild --players 4 --bots sharp,random,random,random --rounds 5000 --seed 1",
        "lastcard arena --bots sharp,casual --manners own --resume deals.jsonl --out result.parquet",
    )
    add = parser.add_argument
    add("--rules", default="classic", metavar="NAME", help="ruleset, as for simulate (default classic)")
    add("--players", type=int, default=2, metavar="N", help="how many seats: 2 to 10 (default 2)")
    add(
        "--bots",
        default="sharp,random",
        metavar="NAME[,NAME…]",
        help="levels or kinds of bots, repeated until every seat has one (default sharp,random)",
    )
    add(
        "--rounds",
        type=int,
        default=1000,
        metavar="N",
        help="how many deals; each is played once for every seating (default 1000)",
    )
    add("--seed", metavar="S", help="the same seed gives the same result (default: that of --resume, or a fresh one)")
    add(
        "--manners",
        choices=_MANNERS,
        default=_MANNERS[0],
        help="attentive: no bot forgets a call or misses a catch (default); own: each level behaves as at the table",
    )
    add("--workers", type=int, metavar="N", help="how many processes (default: one on every core)")
    add("--json", action="store_true", help="print the result as JSON")
    add("--out", type=Path, metavar="FILE", help="write the result to FILE.json, or every round to FILE.parquet")
    add("--resume", type=Path, metavar="FILE", help="keep every deal there, and go on with those it has")


def run_arena(args: argparse.Namespace) -> int:
    """Play an arena, show what came of it and write it.

    Returns:
        The exit status: 0, or 130 where it was interrupted.

    Raises:
        UsageError, RulesError: for what makes no sense; before anything is played, where that can be known.
    """
    from lastcard.errors import UsageError
    from lastcard.lab.board import print_arena
    from lastcard.lab.export import as_json, check_out, write_result
    from lastcard.lab.report import with_bar

    if args.out is not None:
        check_out(args.out)
        if args.resume is not None and args.out.resolve() == args.resume.resolve():
            raise UsageError(f"{args.out}: the result needs another file than the deals of --resume")
    played = 0

    def run(progress: Callable[[], None]) -> Arena:
        def count() -> None:
            nonlocal played
            played += 1
            progress()

        return _play(args, count)

    try:
        result = with_bar(args.rounds, run, "Deals")
    except KeyboardInterrupt:
        sys.stderr.write(f"\nlastcard: stopped after {played} of {args.rounds} deals; {_way_on(args.resume)}\n")
        return _INTERRUPTED
    if args.json:
        sys.stdout.write(as_json(result))
    else:
        print_arena(result)
    if args.out is not None:
        write_result(args.out, result)
    return 0


def _play(args: argparse.Namespace, progress: Callable[[], None]) -> Arena:
    from lastcard.bots.base import ATTENTIVE
    from lastcard.lab.arena import arena

    return arena(
        args.rules,
        args.players,
        [name.strip() for name in args.bots.split(",")],
        args.rounds,
        args.seed,
        manners=ATTENTIVE if args.manners == "attentive" else None,
        workers=args.workers,
        resume=args.resume,
        progress=progress,
    )


def _way_on(resume: Path | None) -> str:
    """What to do after an interruption."""
    if resume is None:
        return "with --resume FILE they would have been kept"
    return f"{resume} keeps them, and the same command goes on"
