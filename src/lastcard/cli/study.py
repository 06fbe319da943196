"""Answer a question about the games by many rounds between bots."""

from __future__ import annotations

import argparse
import sys
import textwrap
from pathlib import Path
from typing import TYPE_CHECKING, Final

from lastcard.cli.arguments import add_shared, join_cluster
from lastcard.cli.command import INTERRUPTED, interrupt_on_signals
from lastcard.errors import UsageError, suggest

if TYPE_CHECKING:
    from lastcard.arena.studies.design import Study

EXAMPLES = (
    "lastcard study list",
    "lastcard study seats --rounds 9000",
    "lastcard study lever cards --out studies",
    "lastcard study all --out docs/studies --overwrite",
)
_WIDTH_CHARS: Final = 80


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument(
        "studies",
        nargs="*",
        default=["list"],
        metavar="NAME",
        help="studies by name; all for every one; list, or no name, shows them",
    )
    add_shared(parser, "--rounds", help="how many rounds for each part of the design (default: those of the study)")
    add_shared(parser, "--seed", default="studies", help="the same seed gives the same result (default %(default)s)")
    add_shared(parser, "--workers")
    add_shared(parser, "--cluster")
    add_shared(parser, "--kernel")
    add_shared(
        parser,
        "--out",
        metavar="DIR",
        help="write a page, figures and tables to this folder (needs lastcard[studies]); an interrupted study goes on"
        " with the same command",
    )
    add_shared(parser, "--overwrite")


def run(args: argparse.Namespace) -> int:
    """Run studies; print their answers, and write their files."""
    from lastcard.arena.studies.all_studies import STUDIES
    from lastcard.arena.studies.study_files import check_folder

    if args.studies == ["list"]:
        for study in STUDIES.values():
            print(f"{study.name:15} {study.question}")
        return 0
    names = list(STUDIES) if args.studies == ["all"] else args.studies
    for name in names:
        if name not in STUDIES:
            raise UsageError(f"there is no study {name!r}; there are {', '.join(STUDIES)}{suggest(name, STUDIES)}")
    if args.out is not None:
        for name in names:
            check_folder(args.out, STUDIES[name], overwrite=args.overwrite)
    interrupt_on_signals()
    for name in names:
        try:
            _run_study(STUDIES[name], args)
        except KeyboardInterrupt:
            stored = " has what was played, and the same command goes on" if args.out else ""
            sys.stderr.write(f"\nlastcard: stopped{f'; {args.out}' if stored else ''}{stored}\n")
            return INTERRUPTED
    return 0


def _run_study(study: Study, args: argparse.Namespace) -> None:
    """Run a study, print its answer, and write its files."""
    from lastcard.arena.studies.running import run_study
    from lastcard.arena.studies.study_files import write_study
    from lastcard.cli.progress_bar import open_progress

    resume: Path | None = None if args.out is None else args.out / f"{study.name}.jsonl"
    with open_progress() as update, join_cluster(args) as (workers, executor):
        sums = run_study(
            study,
            args.rounds,
            args.seed,
            workers=workers,
            executor=executor,
            resume=resume,
            progress=lambda done, of: update(study.title, done, of),
        )
    findings = study.conclude(sums)
    rounds = study.rounds if args.rounds is None else args.rounds
    print(f"{study.title}: {study.question}", *(textwrap.fill(text, _WIDTH_CHARS) for text in
          (findings.answer, *findings.paragraphs)), sep="\n\n", end="\n\n")  # fmt: skip
    if resume is not None:
        more = "" if args.seed == "studies" else f" --seed {args.seed}"
        more += "" if args.rounds is None else f" --rounds {rounds}"
        write_study(args.out, study, findings, f"lastcard study {study.name}{more} --out DIR", rounds)
        resume.unlink()
