"""Let a program of your own play, in any language: it gets and sends lines of JSON."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, TextIO

from lastcard.cli.arguments import add_shared
from lastcard.cli.command import interrupt_on_signals
from lastcard.errors import UsageError, check_different_files, wrap_os_errors
from lastcard.game.text_files import check_writable

EXAMPLES = (
    "lastcard bot python3 examples/bots/greedy.py",
    "lastcard bot --rules all-wild --players 2 --rounds 500 --seed 1 node examples/bots/counter.js",
)
_ROUND_DEFAULTS: Final = {"rules": "classic", "players": 4, "against": ("heuristic",), "rounds": 100, "seed": None}
"""Defaults of the options for rounds against our bots."""
TOKEN: Final = "LASTCARD_TOKEN"
"""The environment variable for a token that must not appear on the command line."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    add = parser.add_argument
    add_shared(parser, "--rules", default=None, help="ruleset, as for simulate (default classic)")
    add_shared(parser, "--players", help="how many seats: 2 to 10 (default 4)")
    against = "bots in the other seats, as for simulate, repeated until all are taken (default heuristic)"
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
    """Let a program play, and print the results."""
    interrupt_on_signals()
    command = tuple(args.program[args.program[:1] == ["--"] :])
    if not command:
        raise UsageError("no program to play; name one, such as: lastcard bot python3 examples/bots/greedy.py")
    if args.log is not None:
        for word in filter(os.path.isfile, command):
            check_different_files(args.log, Path(word), "the log needs another file than the program")
        check_writable(args.log, overwrite=args.overwrite)
    _check_options(args)
    if args.table is not None:
        _play_at_table(args, command)
    else:
        _play_against_bots(args, command)
    return 0


def _check_options(args: argparse.Namespace) -> None:
    """Refuse options that do not fit the kind of match with a UsageError that names them, and fill in defaults."""
    if args.table is not None:
        idle = [name for name in ("json", "kernel", *_ROUND_DEFAULTS) if getattr(args, name) not in (None, False)]
        why = "the table of the server decides that, and no rounds are counted"
    else:
        idle = ["token"] if args.token is not None else []
        why = "only --table needs it"
    if idle:
        raise UsageError(f"leave out {', '.join(f'--{name}' for name in sorted(idle))}: {why}")
    for name, usual in _ROUND_DEFAULTS.items():
        if getattr(args, name) is None:
            setattr(args, name, usual)


def _play_against_bots(args: argparse.Namespace, command: tuple[str, ...]) -> None:
    from lastcard.arena.deals import Plan
    from lastcard.arena.results import print_simulation, to_json
    from lastcard.arena.tally import tally_rounds
    from lastcard.bots.external import ExternalBot
    from lastcard.bots.own_bots import name_source
    from lastcard.bots.registry import fill_seats, make_bots
    from lastcard.cli.progress_bar import open_counter
    from lastcard.game.rulesets import ruleset
    from lastcard.game.seeds import parse_seed
    from lastcard.match.setup import check_players

    rules, seed = ruleset(args.rules), parse_seed(args.seed)
    check_players(rules, args.players)
    seated = fill_seats(args.against, args.players - 1)
    others, bots = tuple(map(name_source, seated)), make_bots(seated, seed)
    with (
        open_counter("Rounds", args.rounds) as count,
        _open_log(args.log) as log,
        ExternalBot(command, seconds=args.time_limit, on_fault=_print_note, log=log) as guest,
    ):
        if guest.name in others:
            raise UsageError(f"one of our bots is called {guest.name}; the program needs a name of its own")
        plan = Plan(rules, (guest.name, *others), seed, None)
        result = tally_rounds(plan, args.rounds, count, [guest, *bots])
    if args.json:
        sys.stdout.write(to_json(result, faults=dict(guest.faults)))
        return
    print_simulation(result)
    counted = ", ".join(f"{count} {kind}" for kind, count in guest.faults.items()) or "none"
    sys.stdout.write(f"Faults of {guest.name}: {counted}\n")


def _play_at_table(args: argparse.Namespace, command: tuple[str, ...]) -> None:
    """Let a program play at a table of a server, until it loses its seat."""
    import asyncio

    from lastcard.server.client import play_at_table

    token = args.token or os.environ.get(TOKEN)
    if not token:
        raise UsageError(f"a seat at a table needs its token: --token TOKEN, or ${TOKEN}; the host of the table has it")
    with _open_log(args.log) as log:
        asyncio.run(play_at_table(command, args.table, token, seconds=args.time_limit, note=_print_note, log=log))


@contextmanager
def _open_log(path: Path | None) -> Iterator[TextIO | None]:
    """Open a file for all lines to and from a program, if one is wanted."""
    if path is None:
        yield None
        return
    from lastcard.bots.external_process import LOG_FAILED

    with wrap_os_errors(path, LOG_FAILED):
        log = path.open("w", encoding="utf-8", buffering=1)
    try:
        yield log
    finally:
        with wrap_os_errors(path, LOG_FAILED):  # closing writes the rest of the buffer
            log.close()


def _print_note(text: str) -> None:
    sys.stderr.write(f"lastcard bot: {text}\n")


def seconds(text: str) -> float:
    """A time limit; argparse names this function where it is no number."""
    from lastcard.bots.external import MAX_TIME_LIMIT_S, MIN_TIME_LIMIT_S

    limit = float(text)
    if not MIN_TIME_LIMIT_S <= limit <= MAX_TIME_LIMIT_S:
        raise argparse.ArgumentTypeError(f"a time limit is {MIN_TIME_LIMIT_S} to {MAX_TIME_LIMIT_S} seconds")
    return limit
