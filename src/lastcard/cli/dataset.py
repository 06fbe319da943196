"""Write the decisions of bots as a data set for learning: Parquet files with a data card (needs the extra lab)."""

from __future__ import annotations

import argparse
import re
import sys
from typing import Final

from lastcard.cli.arguments import RULES, add_shared, join_cluster
from lastcard.cli.command import INTERRUPTED, interrupt_on_signals

_LICENSE: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9.+-]*")

EXAMPLES = (
    "lastcard dataset classic --bots expert,sharp --rounds 5000 --out decisions",
    "lastcard dataset all-wild --players 4 --rounds 200 --chances --seed 1 --out decisions",
)


def read_license(text: str) -> str:
    """Return an SPDX id; raise an ArgumentTypeError for a text that cannot be one."""
    if not _LICENSE.fullmatch(text):
        raise argparse.ArgumentTypeError(f"a license is named by its SPDX id, as in CC-BY-4.0, not {text!r}")
    return text


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument("rules", metavar="RULES", help=RULES.partition("; ")[0])
    add_shared(parser, "--players", default=2)
    add_shared(
        parser,
        "--bots",
        default="sharp",
        help="levels or kinds of bots, repeated until every seat has one (default %(default)s)",
    )
    add_shared(parser, "--rounds", default=1000)
    add_shared(
        parser, "--seed", help="the same seed gives the same bytes (default: that in the folder, or a fresh one)"
    )
    parser.add_argument(
        "--chances",
        action="store_true",
        help="add every seat's chance to win, and the chance lost by each choice: forty times as long",
    )
    parser.add_argument(
        "--license",
        type=read_license,
        default="CC0-1.0",
        metavar="ID",
        help="SPDX id of the license for the data card (default %(default)s)",
    )
    add_shared(parser, "--workers")
    add_shared(parser, "--cluster")
    add_shared(parser, "--kernel")
    add_shared(
        parser, "--out", required=True, metavar="DIR", help="folder for the files; a data set that was stopped goes on"
    )


def run(args: argparse.Namespace) -> int:
    """Write a data set, and print its size."""
    from lastcard.arena.deals import Plan
    from lastcard.cli.progress_bar import open_counter
    from lastcard.training.data_card import make_card
    from lastcard.training.dataset_files import Dataset, check_folder, find_seed, write_dataset

    interrupt_on_signals()
    check_folder(args.out)
    seed = find_seed(args.out) if args.seed is None else args.seed
    dataset = Dataset(Plan.make(args.rules, args.players, args.bots, seed), args.rounds, args.chances)
    with open_counter("Rounds", dataset.rounds) as count, join_cluster(args) as (workers, executor):
        try:
            size = write_dataset(
                dataset,
                args.out,
                lambda size: make_card(dataset, size, args.license),
                workers=workers,
                executor=executor,
                progress=count,
            )
        except KeyboardInterrupt:
            sys.stderr.write(
                f"\nlastcard: stopped after {count.done} of {dataset.rounds} rounds; the same command goes on\n"
            )
            return INTERRUPTED
    for name, rows in size.rows.items():
        print(f"{args.out / name}.parquet: rows: {rows}, rounds: {size.rounds[name]}")
    print(f"{args.out / 'README.md'}: what they mean")
    return 0
