"""Solve puzzles in the terminal, or find new ones in matches of bots (docs/puzzles.md)."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from lastcard.cli.arguments import add_shared, from_arguments, read_language
from lastcard.cli.command import INTERRUPTED, interrupt_on_signals
from lastcard.errors import UsageError, wrap_os_errors

EXAMPLES = (
    "lastcard puzzles",
    "lastcard puzzles play --game all-wild --theme swap --language es",
    "lastcard puzzles make --game classic --count 20 --seed 5000 --out puzzles.txt",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    commands = parser.add_subparsers(dest="part", metavar="PART")
    play = commands.add_parser("play", help="solve puzzles (default)")
    play.add_argument("--game", metavar="GAME", help="all-wild, classic or wild-jackpot (default: all)")
    play.add_argument("--theme", metavar="THEME", help="hold, challenge, swap, colors, lever or uno (default: all)")
    play.add_argument("--daily", action="store_true", help="solve the puzzle of the day, the same for everybody")
    add_shared(play, "--language")
    make = commands.add_parser("make", help="find puzzles in matches of bots, and add them to a file")
    make.add_argument("--game", required=True, metavar="GAME", help="all-wild, classic or wild-jackpot")
    make.add_argument("--count", type=int, default=10, metavar="N", help="how many to add (default %(default)s)")
    seed_help = "number of the first round (default: the one after the last round of that game in the file)"
    make.add_argument("--seed", type=int, metavar="S", help=seed_help)
    add_shared(make, "--workers")
    add_shared(make, "--kernel")
    make.add_argument("--out", type=Path, required=True, metavar="FILE", help="file of puzzles, which may have some")


def run(args: argparse.Namespace) -> int:
    """Run the chosen part of the command."""
    interrupt_on_signals()
    return _make(args) if args.part == "make" else _play(args)


def _play(args: argparse.Namespace) -> int:
    """Ask puzzles; without the part ``play`` there are no options."""
    from lastcard.terminal.line_io import open_terminal
    from lastcard.terminal.puzzle_client import PuzzleChoice, solve_puzzles

    choice = PuzzleChoice(language=read_language("")) if args.part is None else from_arguments(PuzzleChoice, args)
    solve_puzzles(choice, open_terminal())
    return 0


def _make(args: argparse.Namespace) -> int:
    """Find puzzles, and add them to the file, also after Ctrl-C."""
    from lastcard.arena.puzzle_search import search_puzzles
    from lastcard.cli.progress_bar import open_counter
    from lastcard.formats.puzzles import read_puzzles, write_puzzles
    from lastcard.game.text_files import check_writable

    check_writable(args.out, overwrite=True)
    known = read_puzzles(args.out) if args.out.exists() else []
    first = args.seed
    if first is None:
        first = max((puzzle.seed + 1 for puzzle in known if puzzle.game == args.game), default=0)
    elif any(puzzle.game == args.game and puzzle.seed >= first for puzzle in known):
        raise UsageError(f"{args.out}: has puzzles of later rounds already; leave out --seed to go on after them")
    found, status = [], 0
    with open_counter("Puzzles", args.count) as count:
        try:
            for puzzle in search_puzzles(args.game, args.count, first, args.workers, count):
                found.append(puzzle)
        except KeyboardInterrupt:
            status = INTERRUPTED
    if found:
        with wrap_os_errors(args.out, "cannot be written"):
            write_puzzles(args.out, [*known, *found])
    if status:
        sys.stderr.write("\n")
    print(f"{args.out}: {len(found)} of {args.count} puzzles added, from round {first} on")
    return status
