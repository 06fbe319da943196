"""Let a program of your own play, in any language (docs/bot-protocol.md)."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, TextIO

from lastcard.cli.arguments import add_shared
from lastcard.cli.command import end_well
from lastcard.errors import UsageError, check_apart, named
from lastcard.game.files import check_new

EXAMPLES = (
    "lastcard bot python3 examples/bots/greedy.py",
    "lastcard bot --rules all-wild --players 2 --rounds 500 --seed 1 node examples/bots/counter.js",
)
_OF_ROUNDS: Final = {"rules": "classic", "players": 4, "against": ("heuristic",), "rounds": 100, "seed": None}
"""What can be said of rounds against our bots, with the defaults."""
TOKEN: Final = "LASTCARD_TOKEN"
"""The environment variable for a token that is not to be seen on the command line."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Say what the command takes."""
    add = parser.add_argument
    add_shared(parser, "--rules", default=None, help="ruleset, as for simulate (default classic)")
    add_shared(parser, "--players", help="how many seats: 2 to 10 (default 4)")
    against = "our bots in the other seats, by name, repeated until all are taken (default heuristic)"
    add_shared(parser, "--bots", alias="--against", default=None, help=against)
    add_shared(parser, "--rounds", help="how many rounds (default 100)")
    add_shared(parser, "--seed", help="the same seed deals the same cards")
    add("--time-limit", type=seconds, default=2.0, metavar="SECONDS", help="time for each answer (default 2)")
    add_shared(parser, "--log", help="write every line to (>) and from (<) the program into FILE")
    add_shared(parser, "--overwrite")
    add_shared(parser, "--kernel")
    add_shared(parser, "--json")
    add("--table", metavar="URL", help="play at this table of a server instead, as http://192.168.1.5:8020/t/K7WQ2M")
    add("--token", help=f"token of the seat at that table (default: ${TOKEN})")
    add("program", nargs=argparse.REMAINDER, metavar="COMMAND", help="the program and its arguments")


def run(args: argparse.Namespace) -> int:
    """Let a program play, and print what came of it."""
    end_well()
    command = tuple(args.program[args.program[:1] == ["--"] :])
    if not command:
        raise UsageError("no program to play; name one, such as: lastcard bot python3 examples/bots/greedy.py")
    if args.log is not None:
        for word in filter(os.path.isfile, command):
            check_apart(args.log, Path(word), "the log needs another file than the program")
        check_new(args.log, overwrite=args.overwrite)
    _check_options(args)
    if args.table is not None:
        _visit_table(args, command)
    else:
        _visit_bots(args, command)
    return 0


def _check_options(args: argparse.Namespace) -> None:
    """Refuse options that the place of the match makes idle, and fill in what is not said.

    Raises:
        UsageError: names them.
    """
    if args.table is not None:
        idle = [name for name in ("json", "kernel", *_OF_ROUNDS) if getattr(args, name) not in (None, False)]
        why = "the table of the server decides that, and no rounds are counted"
    else:
        idle = ["token"] if args.token is not None else []
        why = "only --table needs it"
    if idle:
        raise UsageError(f"leave out {', '.join(f'--{name}' for name in sorted(idle))}: {why}")
    for name, usual in _OF_ROUNDS.items():
        if getattr(args, name) is None:
            setattr(args, name, usual)


def _visit_bots(args: argparse.Namespace, command: tuple[str, ...]) -> None:
    """Let a program play rounds against our bots."""
    from lastcard.arena.board import as_json, print_simulation
    from lastcard.arena.playing import Plan, fill_seats
    from lastcard.arena.tally import tally_rounds
    from lastcard.bots.external import ExternalBot
    from lastcard.bots.registry import make_bots
    from lastcard.cli.bar import open_count
    from lastcard.game.rulesets import ruleset
    from lastcard.game.seeds import parse_seed
    from lastcard.match.setup import check_players

    rules, seed = ruleset(args.rules), parse_seed(args.seed)
    check_players(rules, args.players)
    others = fill_seats(args.against, args.players - 1)
    bots = make_bots(others, seed)
    with (
        open_count("Rounds", args.rounds) as count,
        _open_log(args.log) as log,
        ExternalBot(command, seconds=args.time_limit, note=_note, log=log) as guest,
    ):
        if guest.name in others:
            raise UsageError(f"one of our bots is called {guest.name}; the program needs a name of its own")
        plan = Plan(rules, (guest.name, *others), seed, None)
        result = tally_rounds(plan, args.rounds, count, [guest, *bots])
    if args.json:
        sys.stdout.write(as_json(result, faults=dict(guest.faults)))
        return
    print_simulation(result)
    counted = ", ".join(f"{count} {kind}" for kind, count in guest.faults.items()) or "none"
    sys.stdout.write(f"Faults of {guest.name}: {counted}\n")


def _visit_table(args: argparse.Namespace, command: tuple[str, ...]) -> None:
    """Let a program play at a table of a server, until its seat is taken away."""
    import asyncio

    from lastcard.server.client import visit_table

    token = args.token or os.environ.get(TOKEN)
    if not token:
        raise UsageError(f"a seat at a table needs its token: --token TOKEN, or ${TOKEN}; the host of the table has it")
    with _open_log(args.log) as log:
        asyncio.run(visit_table(command, args.table, token, seconds=args.time_limit, note=_note, log=log))


@contextmanager
def _open_log(path: Path | None) -> Iterator[TextIO | None]:
    """A file for all lines to and from a program, where one is wanted."""
    if path is None:
        yield None
        return
    from lastcard.bots.external_process import LOG_FAILED

    with named(path, LOG_FAILED):
        log = path.open("w", encoding="utf-8", buffering=1)
    try:
        yield log
    finally:
        with named(path, LOG_FAILED):  # what it has not taken is tried once more
            log.close()


def _note(text: str) -> None:
    """Tell the person at the terminal."""
    sys.stderr.write(f"lastcard bot: {text}\n")


def seconds(text: str) -> float:
    """A time limit; argparse names this function where it is no number."""
    from lastcard.bots.external import LEAST_SECONDS, MOST_SECONDS

    limit = float(text)
    if not LEAST_SECONDS <= limit <= MOST_SECONDS:
        raise argparse.ArgumentTypeError(f"a time limit is {LEAST_SECONDS} to {MOST_SECONDS} seconds")
    return limit
