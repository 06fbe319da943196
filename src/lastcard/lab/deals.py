"""Duplicate deals: one shuffle, played once for every seating of the same bots."""

from __future__ import annotations

import hashlib
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from lastcard.bots.base import Bot, Manners
from lastcard.bots.dice import Dice
from lastcard.bots.registry import make_bot
from lastcard.errors import LastcardError, UsageError
from lastcard.game.rulesets import Ruleset
from lastcard.lab.clocks import Clock, TimedBot
from lastcard.lab.playing import Played, play_round
from lastcard.play.round import Round

Seating = tuple[str, ...]
"""The bots by name, from seat 0 on."""

_PACKAGE: Final = Path(__file__).resolve().parents[1]
_DECIDING: Final = ("game/*.py", "engine/*.py", "mind/*.py", "play/*.py", "bots/*", "lab/deals.py", "lab/playing.py")
"""The files that decide how a round is played."""


@dataclass(frozen=True, slots=True)
class Deal:
    """A shuffle that was played in every seating.

    Args:
        number: of the deal, from 0.
        rounds: the seatings, and what came of each.
        clocks: how long each kind of bot took.
    """

    number: int
    rounds: tuple[tuple[Seating, Played], ...]
    clocks: dict[str, Clock]


@dataclass(frozen=True, slots=True)
class Plan:
    """What an arena plays: every deal follows from it and its number, whoever plays it and when.

    Args:
        rules: the ruleset.
        bots: for every seat one, by name.
        seed: of all chance.
        manners: of all bots; None for each bot's own.
    """

    rules: Ruleset
    bots: Seating
    seed: bytes
    manners: Manners | None

    @property
    def players(self) -> int:
        """How many seats the table has."""
        return len(self.bots)

    @property
    def kinds(self) -> tuple[str, ...]:
        """The bots by name, each once."""
        return tuple(dict.fromkeys(self.bots))

    def as_dict(self) -> dict[str, Any]:
        """All that the deals follow from, as plain values: what tells an arena from every other."""
        return {
            "code": _code_key(),
            "rules": str(self.rules),
            "bots": list(self.bots),
            "manners": self.manners and asdict(self.manners),
            "seed": self.seed.hex(),
        }

    def dealer(self, number: int) -> int:
        """Who deals: each seat in turn."""
        return number % self.players

    def seatings(self, number: int) -> list[Seating]:
        """How the bots sit in a deal: in every rotation of one order round the table, each seating once.

        The order is drawn for each deal, so that nobody always sits behind the same neighbor. In team play, where it
        says who are partners, it stays as it was named.
        """
        order = list(self.bots)
        if not self.rules.options.team_play:
            dice = Dice(self._chance(number))
            for i in range(self.players - 1, 0, -1):
                j = dice.below(i + 1)
                order[i], order[j] = order[j], order[i]
        return list(dict.fromkeys(tuple(order[-shift:] + order[:-shift]) for shift in range(self.players)))

    def bot(self, name: str, number: int = 0, seat: int = 0) -> Bot:
        """A fresh bot; its chance follows from the deal and its seat.

        Raises:
            UsageError: for an unknown name; lists those there are.
        """
        return make_bot(name, self._chance(number), seat, self.manners)

    def warm_up(self) -> None:
        """Let every bot decide once, so that no clock shows what is compiled or loaded first."""
        table = Round.deal(self.rules, self.players, seed=self.seed)
        for name in self.kinds:
            self.bot(name, 0, table.turn).choose(table.view(table.turn))

    def play(self, number: int) -> Deal:
        """Play a deal in all its seatings.

        Raises:
            UsageError: where a bot made a move that the rules refuse; names the deal.
        """
        clocks = {name: Clock() for name in self.kinds}
        rounds = []
        for seating in self.seatings(number):
            bots = [TimedBot(self.bot(name, number, seat), clocks[name]) for seat, name in enumerate(seating)]
            table = Round.deal(self.rules, self.players, seed=self.seed, dealer=self.dealer(number), number=number)
            try:
                rounds.append((seating, play_round(table, bots)))
            except LastcardError as error:
                raise UsageError(f"deal {number}, {', '.join(seating)} at the table: {error}") from None
        return Deal(number, tuple(rounds), clocks)

    def _chance(self, number: int) -> bytes:
        """The seed of what is drawn for a deal aside from its cards."""
        return hashlib.sha256(b"lastcard arena" + self.seed + number.to_bytes(8, "big")).digest()


def _code_key() -> str:
    """A hash of the bots and the engine: deals that other code played do not belong together."""
    digest = hashlib.sha256()
    for path in sorted({path for pattern in _DECIDING for path in _PACKAGE.glob(pattern)}):
        if path.is_file() and path.suffix != ".pyc":
            digest.update(path.relative_to(_PACKAGE).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()[:16]
