"""``lastcard bot``: a program from outside plays against our bots, and the result is counted."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from lastcard.bots.external import TIME_LIMIT, ExternalBot
from lastcard.bots.registry import DEFAULT_BOT, make_bots
from lastcard.errors import UsageError
from lastcard.game.rulesets import ruleset
from lastcard.game.seeds import parse_seed
from lastcard.lab.playing import Plan, fill_seats
from lastcard.lab.simulate import Simulation, simulate
from lastcard.play.setup import check_players


@dataclass(frozen=True, slots=True, kw_only=True)
class Visit:
    """What the command line says; see ``lastcard bot --help``."""

    command: tuple[str, ...]
    rules: str = "classic"
    players: int = 4
    against: tuple[str, ...] = (DEFAULT_BOT,)
    rounds: int = 100
    seed: str | None = None
    seconds: float = TIME_LIMIT
    log: Path | None = None


def visit(
    wanted: Visit, note: Callable[[str], None], progress: Callable[[], None] = lambda: None
) -> tuple[Simulation, dict[str, int]]:
    """Let a program play.

    Args:
        wanted: what the command line says.
        note: is told of every fault of the program, in words.
        progress: called after every round.

    Returns:
        What came of it, and the faults the program made, by kind.

    Raises:
        PlayerError: where the program has ended, or has made too many faults.
        LastcardError: for what makes no sense.
    """
    rules = ruleset(wanted.rules)
    check_players(rules, wanted.players)
    seed = parse_seed(wanted.seed)
    others = fill_seats(wanted.against, wanted.players - 1)
    bots = make_bots(others, seed)
    with ExitStack() as stack:
        log = None if wanted.log is None else stack.enter_context(open_log(wanted.log))
        guest = stack.enter_context(ExternalBot(wanted.command, seconds=wanted.seconds, note=note, log=log))
        if guest.name in others:
            raise UsageError(f"one of our bots is called {guest.name}; the program needs a name of its own")
        plan = Plan(rules, (guest.name, *others), seed, None)
        return simulate(plan, wanted.rounds, progress, [guest, *bots]), dict(guest.faults)


def open_log(path: Path) -> TextIO:
    """A file for all lines to and from a program.

    Raises:
        UsageError: where it cannot be written.
    """
    try:
        return path.open("w", encoding="utf-8", buffering=1)
    except OSError as error:
        raise UsageError(f"{path}: the log cannot be written: {error.strerror or error}") from None
