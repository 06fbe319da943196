"""Bots play rounds: what came of one, and duplicate deals, which are one shuffle played in every seating."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path
from threading import get_ident
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lastcard.ai.rounds import STUCK
from lastcard.arena.clocks import Clock, TimedBot
from lastcard.arena.quick import PLY_LIMIT, QuickTable, quick_kind
from lastcard.bots.base import ATTENTIVE, Bot, Dice, Manners, reaction
from lastcard.bots.external import ExternalBot
from lastcard.bots.registry import make_bot
from lastcard.errors import LastcardError, UsageError
from lastcard.formats.values import happening_values
from lastcard.game.actions import Move
from lastcard.game.numbers import as_int
from lastcard.game.rulesets import Ruleset, as_ruleset
from lastcard.game.seeds import Seed, parse_seed
from lastcard.match.events import Called, Drew
from lastcard.match.match import score_round
from lastcard.match.round import Round
from lastcard.match.setup import check_players

Seating = tuple[str, ...]
"""The bots by name, from seat 0 on."""
Luck = Callable[[Round, Sequence[tuple[int, Move]]], tuple[float, ...]]
"""Says of a round, by how it was dealt and its acts, what chance gave every seat: ``analysis.luck.measure_luck``."""

MOST_DEALS: Final = 2**32 - 1
"""The largest number of a deal."""
_TIMED: Final = 100
"""The first deals; where deals are played in compiled code, bots play these once more, for their times."""
_PACKAGE: Final = Path(__file__).resolve().parents[1]
_DECIDING: Final = (
    "game/*.py",
    "kernel/*.py",
    "rules/*.py",
    "ai/*.py",
    "match/*.py",
    "bots/*",
    "arena/playing.py",
    "arena/quick.py",
)
"""The files that decide how a round is played."""


class Played(NamedTuple):
    """What came of a round.

    Args:
        winner: the seat that won; None where nobody did.
        stuck: whether it was given up; a round without a winner that was not is void (CO-35).
        plies: how many acts it took.
        points: what each seat scored.
        drawn: how many cards each seat drew.
        held: points left in each hand.
        calls: how many UNO calls were made.
        luck: what chance gave each seat, in rounds won; empty where nobody asked.
    """

    winner: int | None
    stuck: bool
    plies: int
    points: tuple[int, ...]
    drawn: tuple[int, ...]
    held: tuple[int, ...]
    calls: int
    luck: tuple[float, ...] = ()

    @property
    def void(self) -> bool:
        """Whether the round ended without a winner."""
        return self.winner is None and not self.stuck


def fill_seats(bots: Sequence[str], players: int) -> tuple[str, ...]:
    """The bots repeated in order until every seat has one.

    Raises:
        UsageError: for no bot, more of them than seats, or what is no name.
    """
    if isinstance(bots, str) or not isinstance(bots, Iterable) or not all(isinstance(bot, str) for bot in bots):
        raise UsageError(f"bots are named one by one, as in ('sharp', 'random'), not given as {bots!r}")
    if not 0 < len(bots) <= players:
        seats, right = ("1 seat", "one") if players == 1 else (f"{players} seats", f"1 to {players}")
        raise UsageError(f"{len(bots) or 'no'} bots for {seats}; name {right}, repeated until every seat has one")
    return tuple(bots[i % len(bots)] for i in range(players))


def play_round(table: Round, bots: Sequence[Bot], names: Seating = (), luck: Luck | None = None) -> Played:
    """Play a round that was just dealt to its end. Programs from outside are told what happens.

    Args:
        table: the round.
        bots: by seat.
        names: by seat, for programs.
        luck: measures it; None where nobody asks for it.
    """
    dealt, acts = table.copy(), []
    programs = [(seat, bot) for seat, bot in enumerate(bots) if isinstance(bot, ExternalBot)]
    for seat, program in programs:
        program.begin(table.number, names, table.view(seat))
    drawn = [0] * table.players
    plies = calls = 0
    events = table.events()
    while True:
        for event in events:
            if isinstance(event, Drew):
                drawn[event.seat] += event.count
        calls += sum(isinstance(event, Called) for event in events)
        for seat, program in programs:
            program.tell(happening_values(event.seen_by(seat), table.rule_cards) for event in events)
        if table.over or plies == PLY_LIMIT:
            break
        act = reaction(bots, table.turn, table.view) if table.disorderly else None
        seat, move = act or (table.turn, bots[table.turn].choose(table.view(table.turn)))
        acts.append((seat, move))
        events = table.do(seat, move)
        plies += 1
    for seat, program in programs:
        program.over(table.view(seat))
    held = table.held
    points = score_round(table.rules, (0,) * table.players, table.winner, held)
    given = luck(dealt, acts) if luck else ()
    return Played(table.winner, not table.over, plies, points, tuple(drawn), held, calls, given)


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
    """What is played: every round and every deal follows from it and its number, whoever plays it and when.

    Args:
        rules: the ruleset.
        bots: for every seat one, by name.
        seed: of all chance.
        manners: of all bots; None for each bot's own.
        luck: measures that of every round; None where nobody asks for it.
    """

    rules: Ruleset
    bots: Seating
    seed: bytes
    manners: Manners | None
    luck: Luck | None = None

    @classmethod
    def make(
        cls,
        rules: Ruleset | str,
        players: int,
        bots: Sequence[str],
        seed: Seed = None,
        manners: Manners | None = ATTENTIVE,
        luck: Luck | None = None,
    ) -> Plan:
        """A plan that makes sense.

        Args:
            rules: a ruleset or its name.
            players: how many seats.
            bots: kinds or levels by name, repeated in order until every seat has one.
            seed: as ``seeds.parse_seed`` reads it.
            manners: how all bots behave; None for each bot's own manners.
            luck: measures that of every round; None where nobody asks for it.

        Raises:
            UsageError, RulesError: where it makes none.
        """
        chosen, players = as_ruleset(rules), as_int("the number of players", players)
        check_players(chosen, players)
        plan = cls(chosen, fill_seats(bots, players), parse_seed(seed), manners, luck)
        for name in plan.kinds:
            plan.bot(name)
        return plan

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
            "adjusted": self.luck is not None,
            "seed": self.seed.hex(),
        }

    def dealer(self, number: int) -> int:
        """Who deals: each seat in turn."""
        return _check_deal(number) % self.players

    def open_round(self, number: int) -> Round:
        """A round, just dealt."""
        number = _check_deal(number)
        return Round.deal(self.rules, self.players, seed=self.seed, dealer=self.dealer(number), number=number)

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
        table = self.open_round(0)
        for name in self.kinds:
            self.bot(name, 0, table.turn).choose(table.view(table.turn))

    def quick_kinds(self) -> dict[str, int] | None:
        """How each bot chooses, by name; None unless all decide at once (``quick``) and only results count."""
        if self.luck:
            return None
        kinds = {name: quick_kind(name, self.manners) for name in self.kinds}
        quick = {name: kind for name, kind in kinds.items() if kind is not None}
        return quick if len(quick) == len(kinds) else None

    def play(self, number: int) -> Deal:
        """Play a deal in all its seatings.

        Raises:
            UsageError: where a bot made a move that the rules refuse; names the deal.
        """
        clocks = self.clocks()
        seatings = self.seatings(number)
        kinds, number = self.quick_kinds(), _check_deal(number)
        if kinds is None:
            slow = [(seating, self.play_slowly(number, seating, clocks)) for seating in seatings]
            return Deal(number, tuple(slow), clocks)
        table = _quick_table(self, get_ident())
        rounds = []
        for seating in seatings:
            outcome = table.play(number, 1, [kinds[name] for name in seating])[0]
            rounds.append((seating, _read_outcome(self.rules, outcome)))
        if number < _TIMED:
            self.play_slowly(number, seatings[0], clocks)
        return Deal(number, tuple(rounds), clocks)

    def clocks(self) -> dict[str, Clock]:
        """A fresh clock for each bot, by name."""
        return {name: Clock() for name in self.kinds}

    def play_slowly(self, number: int, seating: Seating, clocks: dict[str, Clock]) -> Played:
        """Play a deal in one seating, a decision at a time."""
        bots = [TimedBot(self.bot(name, number, seat), clocks[name]) for seat, name in enumerate(seating)]
        try:
            return play_round(self.open_round(number), bots, seating, self.luck)
        except LastcardError as error:
            raise UsageError(f"deal {number}, {', '.join(seating)} at the table: {error}") from None

    def _chance(self, number: int) -> bytes:
        """The seed of what is drawn for a deal aside from its cards."""
        return hashlib.sha256(b"lastcard arena" + self.seed + _check_deal(number).to_bytes(8, "big")).digest()


def _check_deal(number: int) -> int:
    """The number of a deal, as Python's integer."""
    return as_int("the number of a deal", number, 0, MOST_DEALS)


@lru_cache(maxsize=4)
def _quick_table(plan: Plan, thread: int) -> QuickTable:
    """The table at which a thread plays the deals of a plan."""
    return QuickTable(plan.rules, plan.players, plan.seed)


def _read_outcome(rules: Ruleset, outcome: NDArray[np.int16]) -> Played:
    """What came of a round in compiled code."""
    winner, plies, calls, *by_seat = outcome.tolist()
    players = len(by_seat) // 2
    drawn, held = by_seat[:players], by_seat[players:]
    won = winner if winner >= 0 else None
    points = score_round(rules, (0,) * players, won, held)
    return Played(won, winner == STUCK, plies, points, tuple(drawn), tuple(held), calls)


def _code_key() -> str:
    """A hash of the bots and the engine: deals that other code played do not belong together."""
    digest = hashlib.sha256()
    for path in sorted({path for pattern in _DECIDING for path in _PACKAGE.glob(pattern)}):
        if path.is_file() and path.suffix != ".pyc":
            digest.update(path.relative_to(_PACKAGE).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()[:16]
