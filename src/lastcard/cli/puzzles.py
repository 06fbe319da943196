"""Solve puzzles in the terminal, or find new ones in matches of bots or people."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence, Set
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from lastcard.cli.arguments import add_shared, from_arguments, read_language
from lastcard.cli.command import INTERRUPTED, interrupt_on_signals
from lastcard.cli.server_settings import resolve_settings
from lastcard.errors import UsageError, wrap_os_errors

if TYPE_CHECKING:
    from lastcard.arena.puzzle_search import PuzzleTask
    from lastcard.formats.puzzles import Puzzle

EXAMPLES = (
    "lastcard puzzles",
    "lastcard puzzles play --game all-wild --theme swap --language es",
    "lastcard puzzles make --game classic --count 20 --seed 5000 --out puzzles.txt",
    "lastcard puzzles make --game classic --from matches --out puzzles.txt",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    commands = parser.add_subparsers(dest="part", metavar="PART")
    play = commands.add_parser("play", help="solve puzzles (default)")
    play.add_argument("--game", metavar="GAME", help="all-wild, classic or wild-jackpot (default: all)")
    play.add_argument("--theme", metavar="THEME", help="hold, challenge, swap, colors, lever or uno (default: all)")
    play.add_argument("--daily", action="store_true", help="solve the puzzle of the day, the same for everybody")
    add_shared(play, "--language")
    make = commands.add_parser("make", help="find puzzles in matches of bots or people, and add them to a file")
    make.add_argument("--game", required=True, metavar="GAME", help="all-wild, classic or wild-jackpot")
    make.add_argument("--count", type=int, default=10, metavar="N", help="how many to add (default %(default)s)")
    seed_help = "number of the first round (default: the one after the last round of that game in the file)"
    make.add_argument("--seed", type=int, metavar="S", help=seed_help)
    from_help = "a folder of records, or the database of a server with --puzzles on: search its matches, not bots'"
    make.add_argument("--from", dest="source", metavar="FOLDER|URL", help=from_help)
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
    from lastcard.arena.puzzle_search import search_puzzles, search_rounds
    from lastcard.cli.progress_bar import open_counter
    from lastcard.formats.puzzles import read_puzzles, write_puzzles
    from lastcard.game.text_files import check_writable

    check_writable(args.out, overwrite=True)
    known = read_puzzles(args.out) if args.out.exists() else []
    first = 0 if args.source else _first_seed(args, known)
    searched = f"in {args.source}" if args.source else f"from round {first} on"
    found, status = [], 0
    with open_counter("Puzzles", args.count) as count:
        if args.source:
            tasks = _list_tasks(args, {str(puzzle.seed) for puzzle in known})
            search = search_rounds(tasks, args.count, args.workers, count)
        else:
            search = search_puzzles(args.game, args.count, first, args.workers, count)
        try:
            for puzzle in search:
                found.append(puzzle)
        except KeyboardInterrupt:
            status = INTERRUPTED
    if found:
        with wrap_os_errors(args.out, "cannot be written"):
            write_puzzles(args.out, [*known, *found])
    if status:
        sys.stderr.write("\n")
    print(f"{args.out}: {len(found)} of {args.count} puzzles added, {searched}")
    return status


def _first_seed(args: argparse.Namespace, known: Sequence[Puzzle]) -> int:
    """Returns the seed of the first round of bots; a UsageError if the file has later ones."""
    seeds = [puzzle.seed for puzzle in known if puzzle.game == args.game and isinstance(puzzle.seed, int)]
    if args.seed is None:
        return max(seeds, default=-1) + 1
    if any(seed >= args.seed for seed in seeds):
        raise UsageError(f"{args.out}: has puzzles of later rounds already; leave out --seed to go on after them")
    return int(args.seed)


def _list_tasks(args: argparse.Namespace, known: Set[str]) -> list[PuzzleTask]:
    """Returns the rounds of people's matches of which the file has no puzzle yet.

    Raises:
        UsageError: for ``--seed``, an unknown game, or the database of a server that does not allow it.
    """
    from lastcard.arena.puzzle_search import list_match_tasks
    from lastcard.formats.record_files import read_record
    from lastcard.game.rulesets import GAMES
    from lastcard.server.export import read_finished

    if args.seed is not None or args.game not in GAMES:
        raise UsageError(f"with --from leave out --seed; the games are {', '.join(GAMES)}")
    if "://" not in args.source:
        paths = sorted(Path(args.source).glob("*.toml"))
        if not paths:
            raise UsageError(f"{args.source}: is no folder with records (*.toml)")
        tasks = list_match_tasks(args.game, map(read_record, paths))
    elif resolve_settings(argparse.Namespace(config=None, database_url=args.source)).get("puzzles") != "on":
        raise UsageError(
            "this server does not allow it: people may know that puzzles are made of their matches,"
            ' by --puzzles on of lastcard serve, LASTCARD_PUZZLES=on or puzzles = "on" in its settings file'
        )
    else:
        tasks = list_match_tasks(args.game, read_finished(args.source))
    new = [task for task in tasks if task.seed not in known]
    return [replace(task, number=number) for number, task in enumerate(new)]
