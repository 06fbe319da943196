"""``lastcard bot``: its arguments, and what becomes of them. Imports wait until they are needed, as in ``cli.py``."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable
from pathlib import Path

TOKEN = "LASTCARD_TOKEN"
"""The environment variable for a token that is not to be seen on the command line."""


def add_parsers(add_command: Callable[..., argparse.ArgumentParser], commands: object) -> None:
    """Add the command to the command line."""
    parser = add_command(
        commands,
        "bot",
        run_bot,
        "let a program of your own play, in any language (docs/bot-protocol.md)",
        "lastcard bot python3 examples/bots/greedy.py",
        "lastcard bot --rules all-wild --players 2 --rounds 500 --seed 1 node examples/bots/counter.js",
    )
    add = parser.add_argument
    add("--rules", default="classic", metavar="NAME", help="ruleset, as for simulate (default classic)")
    add("--players", type=int, default=4, metavar="N", help="how many seats: 2 to 10 (default 4)")
    add("--against", metavar="NAME[,NAME…]", help="our bots in the other seats, by name, repeated until all are taken")
    add("--rounds", type=int, default=100, metavar="N", help="how many rounds (default 100)")
    add("--seed", metavar="S", help="the same seed deals the same cards")
    add("--time-limit", type=_seconds, default=2.0, metavar="SECONDS", help="for each answer (default 2)")
    add("--log", type=Path, metavar="FILE", help="write every line to (>) and from (<) the program there")
    add("--json", action="store_true", help="print the result as JSON")
    add("--table", metavar="URL", help="play at this table of a server instead, as http://192.168.1.5:8020/t/K7WQ2M")
    add("--token", default=os.environ.get(TOKEN), help=f"of the seat at that table (default: what ${TOKEN} says)")
    add("program", nargs=argparse.REMAINDER, metavar="COMMAND", help="the program and its arguments")


def run_bot(args: argparse.Namespace) -> int:
    """Let a program play, and print what came of it.

    Returns:
        The exit status: 0.

    Raises:
        LastcardError: for what makes no sense, and for a program that cannot play.
    """
    from lastcard.bots.registry import DEFAULT_BOT
    from lastcard.errors import UsageError
    from lastcard.lab import report
    from lastcard.lab.visit import Visit, visit

    command = tuple(args.program[args.program[:1] == ["--"] :])
    if not command:
        raise UsageError("no program to play; name one, such as: lastcard bot python3 examples/bots/greedy.py")
    if args.table:
        return _visit_table(args, command)
    wanted = Visit(
        command=command,
        rules=args.rules,
        players=args.players,
        against=tuple(args.against.split(",")) if args.against else (DEFAULT_BOT,),
        rounds=args.rounds,
        seed=args.seed,
        seconds=args.time_limit,
        log=args.log,
    )
    if args.json:
        result, faults = visit(wanted, _note)
        sys.stdout.write(report.as_json(result, faults=faults) + "\n")
        return 0
    result, faults = report.with_bar(args.rounds, lambda progress: visit(wanted, _note, progress))
    report.print_table(result)
    counted = ", ".join(f"{count} {kind}" for kind, count in faults.items()) or "none"
    sys.stdout.write(f"Faults of {result.bots[0]}: {counted}\n")
    return 0


def _visit_table(args: argparse.Namespace, command: tuple[str, ...]) -> int:
    """Let a program play at a table of a server, until its seat is taken away."""
    import asyncio
    from contextlib import ExitStack

    from lastcard.errors import UsageError
    from lastcard.lab.visit import open_log
    from lastcard.server.client import visit_table

    if not args.token:
        raise UsageError(f"a seat at a table needs its token: --token TOKEN, or ${TOKEN}; the host of the table has it")
    with ExitStack() as stack:
        log = None if args.log is None else stack.enter_context(open_log(args.log))
        asyncio.run(visit_table(command, args.table, args.token, seconds=args.time_limit, note=_note, log=log))
    return 0


def _note(text: str) -> None:
    """Tell the person at the terminal."""
    sys.stderr.write(f"lastcard bot: {text}\n")


def _seconds(text: str) -> float:
    """A time limit."""
    seconds = float(text)
    if not 0.001 <= seconds <= 3600:
        raise argparse.ArgumentTypeError("a time limit is 0.001 to 3600 seconds")
    return seconds
