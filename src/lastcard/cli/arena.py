"""Measure how strong bots are: every deal is played in every seating, on all cores."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

from lastcard.cli.arguments import OWN_BOTS, add_shared, join_cluster
from lastcard.cli.command import FAILED, INTERRUPTED, interrupt_on_signals
from lastcard.errors import check_different_files

if TYPE_CHECKING:
    from lastcard.arena.comparison import Verdict
    from lastcard.cli.progress_bar import ProgressUpdate

EXAMPLES = (
    "lastcard arena --bots sharp,random",
    "lastcard arena --rules all-wild --players 4 --bots sharp,random,random,random --rounds 5000 --seed 1",
    "lastcard arena --bots sharp,casual --until 95%",
    "lastcard arena --bots master,expert --reduce-variance --until 95% --margin 3 --budget 2h",
    "lastcard arena --bots sharp,casual --behavior level --resume deals.jsonl --out result.parquet",
    "lastcard arena --bots master,expert --rounds 5000 --cluster auto",
    "lastcard arena --check deals.jsonl",
)
_BEHAVIORS: Final = ("attentive", "level")
_SECONDS_PER: Final = {"s": 1, "m": 60, "h": 3600}


def read_percentage(text: str) -> float:
    """Return a percentage, such as ``95%``, as a part of one; raise an ArgumentTypeError for any other text."""
    try:
        return float(text.strip().removesuffix("%")) / 100
    except ValueError:
        raise argparse.ArgumentTypeError(f"a percentage is written as in 95%, not {text!r}") from None


def read_duration(text: str) -> float:
    """Return a time such as ``90s``, ``10m`` or ``2h`` in seconds; raise an ArgumentTypeError for any other text."""
    try:
        return float(text.strip()[:-1]) * _SECONDS_PER[text.strip()[-1:]]
    except (ValueError, KeyError):
        raise argparse.ArgumentTypeError(f"a time is written as in 90s, 10m or 2h, not {text!r}") from None


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    add_shared(parser, "--rules")
    add_shared(parser, "--players", default=2)
    add_shared(
        parser,
        "--bots",
        default="sharp,random",
        help=f"{OWN_BOTS}; repeated until every seat has one (default %(default)s)",
    )
    add_shared(
        parser,
        "--rounds",
        help="how many deals; each is played once for every seating (default 1000, with --until as many as needed)",
    )
    parser.add_argument(
        "--until",
        type=read_percentage,
        metavar="P%",
        help="stop when it is as certain as this whether the first bot is stronger than the others, as in 95%%",
    )
    parser.add_argument(
        "--margin",
        type=float,
        default=2.0,
        metavar="POINTS",
        help="with --until: stop too when the share is certainly this near to an equal one (default %(default)s)",
    )
    parser.add_argument(
        "--budget", type=read_duration, metavar="TIME", help="with --until: stop after 90s, 10m or 2h in any case"
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
        help="show the shares without the luck of draws too: narrower intervals for a little more time a deal, if bots "
        "search",
    )
    add_shared(parser, "--workers")
    add_shared(parser, "--cluster")
    add_shared(parser, "--kernel")
    add_shared(parser, "--json")
    add_shared(parser, "--out", help="write the result to FILE.json, or every round to FILE.parquet")
    add_shared(parser, "--overwrite")
    add_shared(parser, "--resume", help="keep every deal in FILE, and go on from those that it already has")
    parser.add_argument(
        "--check",
        type=Path,
        metavar="FILE",
        help="play 20 deals (or --rounds) of the FILE of a --resume again, chosen at random, and compare their bytes",
    )


def run(args: argparse.Namespace) -> int:
    """Play an arena, print the results and save them."""
    from lastcard.analysis.luck import measure_luck
    from lastcard.arena.arena import run_arena
    from lastcard.arena.comparison import StoppingRule
    from lastcard.arena.deals import Plan
    from lastcard.arena.manifest import make_manifest
    from lastcard.arena.results import check_output, print_arena, to_json, write_result
    from lastcard.bots.base import ATTENTIVE
    from lastcard.cli.progress_bar import open_progress

    interrupt_on_signals()
    if args.check is not None:
        return _check(args)
    if args.out is not None:
        if args.resume is not None:
            check_different_files(args.out, args.resume, "the result needs another file than the deals of --resume")
        check_output(args.out, overwrite=args.overwrite)
    until = None if args.until is None else StoppingRule(args.until, args.margin, args.budget)
    behavior = ATTENTIVE if args.behavior == "attentive" else None
    luck = measure_luck if args.reduce_variance else None
    if luck and Plan.make(args.rules, args.players, args.bots, behavior=behavior).compiled_kinds():
        sys.stderr.write("lastcard: these bots play in compiled code: more deals cost less than measuring luck\n")
        luck = None
    with open_progress() as update, join_cluster(args) as (workers, executor):
        progress = _Progress(update, args.rounds)
        try:
            result = run_arena(
                args.rules,
                args.players,
                args.bots,
                args.rounds,
                args.seed,
                until=until,
                behavior=behavior,
                luck=luck,
                workers=workers,
                executor=executor,
                resume=args.resume,
                progress=progress,
            )
        except KeyboardInterrupt:
            result = None
    if result is None:
        sys.stderr.write(f"\nlastcard: stopped after {progress.text()}; {_resume_advice(args.resume)}\n")
        return INTERRUPTED
    try:
        if args.json:
            sys.stdout.write(to_json(result, manifest=make_manifest()))
        else:
            print_arena(result)
    finally:  # even if printing fails, as at a closed pipe: the results took hours
        if args.out is not None:
            write_result(args.out, result)
    return 0


def _check(args: argparse.Namespace) -> int:
    """Play some deals of a file again; return 1 if any is different."""
    from lastcard.analysis.luck import measure_luck
    from lastcard.arena.deal_check import DEFAULT_SAMPLE, check_deals
    from lastcard.cli.progress_bar import open_counter

    sample = DEFAULT_SAMPLE if args.rounds is None else args.rounds
    with open_counter("Deals", sample) as count, join_cluster(args) as (workers, executor):
        found = check_deals(args.check, sample, luck=measure_luck, workers=workers, executor=executor, progress=count)
    print(f"{args.check}: played {len(found.played)} of {found.deals} deals again, {len(found.different)} differ")
    if found.different:
        print(f"different: {', '.join(map(str, found.different))}")
    return FAILED if found.different else 0


class _Progress:
    """Counts deals, and shows the interval of the first bot's share while it shrinks."""

    def __init__(self, update: ProgressUpdate, rounds: int | None) -> None:
        self._update, self._rounds = update, rounds
        self._deals = 0
        self._verdict: Verdict | None = None

    def __call__(self, verdict: Verdict | None) -> None:
        self._deals += 1
        self._verdict = verdict
        now = "" if verdict is None else f"{verdict.name} {verdict.share.interval_text(100)} %"
        self._update("Deals", self._deals, self._rounds, now)

    def text(self) -> str:
        """The deals, and the interval reached so far."""
        from lastcard.arena.results import format_verdict

        of = "" if self._rounds is None else f" of {self._rounds}"
        return f"{self._deals}{of} deals" + (f"; {format_verdict(self._verdict)}" if self._verdict else "")


def _resume_advice(resume: Path | None) -> str:
    if resume is None:
        return "with --resume FILE they would have been kept"
    return f"{resume} keeps them, and the same command goes on"
