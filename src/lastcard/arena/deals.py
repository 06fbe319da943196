"""Rounds between bots, and duplicate deals: one shuffle played in every seating."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path
from threading import get_ident
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lastcard.ai.rounds import STUCK
from lastcard.arena.compiled_rounds import MAX_PLIES, CompiledRounds, compiled_kind
from lastcard.arena.decision_times import DecisionTimes, TimedBot
from lastcard.bots.base import ATTENTIVE, Behavior, Bot, Dice, find_reaction
from lastcard.bots.external import ExternalBot
from lastcard.bots.registry import fill_seats, make_bot
from lastcard.errors import LastcardError, UsageError
from lastcard.formats.values import event_values
from lastcard.game.moves import Move
from lastcard.game.numbers import require_int
from lastcard.game.rulesets import Ruleset, as_ruleset
from lastcard.game.seeds import Seed, parse_seed
from lastcard.match.events import Called, Drew
from lastcard.match.match import score_round
from lastcard.match.round import Round
from lastcard.match.setup import check_players

Seating = tuple[str, ...]
"""The names of the bots, from seat 0 on."""
Luck = Callable[[Round, Sequence[tuple[int, Move]]], tuple[float, ...]]
"""Measures a round's luck for every seat, from its deal and its moves: ``analysis.luck.measure_luck``."""

MAX_DEAL: Final = 2**32 - 1
"""The largest number of a deal."""
_TIMED_DEALS: Final = 100
"""Number of first deals that bots play again for their times, if deals are played in compiled code."""
_PACKAGE: Final = Path(__file__).resolve().parents[1]
_CODE_PATTERNS: Final = (
    "game/*.py",
    "kernel/*.py",
    "rules/*.py",
    "ai/*.py",
    "match/*.py",
    "bots/*",
    "arena/deals.py",
    "arena/compiled_rounds.py",
)
"""The files that decide how a round is played."""


class RoundResult(NamedTuple):
    """The result of a round."""

    winner: int | None
    """The seat that won; None if nobody did."""
    stuck: bool
    """Whether it was given up; other rounds without a winner are void (CO-35)."""
    plies: int
    points: tuple[int, ...]
    """Score of each seat."""
    drawn: tuple[int, ...]
    """Number of cards that each seat drew."""
    hand_points: tuple[int, ...]
    """Points left in each hand."""
    calls: int
    """Number of UNO calls."""
    luck: tuple[float, ...] = ()
    """Luck of each seat, in rounds won; empty if not measured."""

    @property
    def void(self) -> bool:
        """Whether the round ended without a winner."""
        return self.winner is None and not self.stuck


def play_round(game_round: Round, bots: Sequence[Bot], names: Seating = (), luck: Luck | None = None) -> RoundResult:
    """Play a dealt round to its end, and send its events to external bots, with the names of all bots by seat."""
    dealt, moves = game_round.copy(), []
    programs = [(seat, bot) for seat, bot in enumerate(bots) if isinstance(bot, ExternalBot)]
    for seat, program in programs:
        program.start_round(game_round.number, names, game_round.view(seat))
    drawn = [0] * game_round.players
    plies = calls = 0
    events = game_round.events()
    while True:
        for event in events:
            if isinstance(event, Drew):
                drawn[event.seat] += event.count
        calls += sum(isinstance(event, Called) for event in events)
        for seat, program in programs:
            program.send_events(event_values(event.seen_by(seat), game_round.rule_cards) for event in events)
        if game_round.over or plies == MAX_PLIES:
            break
        out_of_turn = find_reaction(bots, game_round)
        seat, move = out_of_turn or (game_round.turn, bots[game_round.turn].choose(game_round.view(game_round.turn)))
        moves.append((seat, move))
        events = game_round.do(seat, move)
        plies += 1
    for seat, program in programs:
        program.end_round(game_round.view(seat))
    held = game_round.held
    points = score_round(game_round.rules, (0,) * game_round.players, game_round.winner, held)
    luck_shares = luck(dealt, moves) if luck else ()
    return RoundResult(game_round.winner, not game_round.over, plies, points, tuple(drawn), held, calls, luck_shares)


@dataclass(frozen=True, slots=True)
class Deal:
    """A shuffle, numbered from 0, with its rounds in every seating, and the decision times of each kind of bot."""

    number: int
    rounds: tuple[tuple[Seating, RoundResult], ...]
    times: dict[str, DecisionTimes]


@dataclass(frozen=True, slots=True)
class Plan:
    """The plan of an arena: every round depends only on the plan and its number."""

    rules: Ruleset
    bots: Seating
    """Names of bots, one for every seat."""
    seed: bytes
    behavior: Behavior | None
    """Behavior of all bots; None for each bot's own."""
    luck: Luck | None = None

    @classmethod
    def make(
        cls,
        rules: Ruleset | str,
        players: int,
        bots: Sequence[str],
        seed: Seed = None,
        behavior: Behavior | None = ATTENTIVE,
        luck: Luck | None = None,
    ) -> Plan:
        """A valid plan, with bots (kinds or levels by name) repeated in order until every seat has one.

        Raises:
            UsageError, RulesError: for invalid values.
        """
        chosen, players = as_ruleset(rules), require_int("the number of players", players)
        check_players(chosen, players)
        plan = cls(chosen, fill_seats(bots, players), parse_seed(seed), behavior, luck)
        for name in plan.kinds:
            plan.make_bot(name)
        return plan

    @property
    def players(self) -> int:
        """Number of seats."""
        return len(self.bots)

    @property
    def kinds(self) -> tuple[str, ...]:
        """The names of the bots, each once."""
        return tuple(dict.fromkeys(self.bots))

    def as_dict(self) -> dict[str, Any]:
        """Everything that the deals depend on, as plain values: it identifies an arena."""
        return {
            "code": _code_key(),
            "rules": str(self.rules),
            "bots": list(self.bots),
            "manners": self.behavior and asdict(self.behavior),
            "adjusted": self.luck is not None,
            "seed": self.seed.hex(),
        }

    def dealer(self, number: int) -> int:
        """The dealer of a deal: each seat in turn."""
        return _check_deal(number) % self.players

    def deal_round(self, number: int) -> Round:
        """A round, just dealt."""
        number = _check_deal(number)
        return Round.deal(self.rules, self.players, seed=self.seed, dealer=self.dealer(number), number=number)

    def seatings(self, number: int) -> list[Seating]:
        """The seatings of a deal: every rotation of one order round the table, each once.

        The order is drawn for each deal, so that nobody always sits behind the same neighbor. In team play it sets the
        partners, so it stays the given order.
        """
        order = list(self.bots)
        if not self.rules.options.team_play:
            dice = Dice(self._deal_seed(number))
            for i in range(self.players - 1, 0, -1):
                j = dice.below(i + 1)
                order[i], order[j] = order[j], order[i]
        return list(dict.fromkeys(tuple(order[-shift:] + order[:-shift]) for shift in range(self.players)))

    def make_bot(self, name: str, number: int = 0, seat: int = 0) -> Bot:
        """A fresh bot; its dice depend on the deal and its seat. Raises a UsageError for an unknown name."""
        return make_bot(name, self._deal_seed(number), seat, self.behavior)

    def warm_up(self) -> None:
        """Let every bot decide once, so that no measured time includes compiling or loading."""
        game_round = self.deal_round(0)
        for name in self.kinds:
            self.make_bot(name, 0, game_round.turn).choose(game_round.view(game_round.turn))

    def compiled_kinds(self) -> dict[str, int] | None:
        """The way in which each bot chooses, by name; None unless all decide at once and only results count."""
        if self.luck:
            return None
        kinds = {name: compiled_kind(name, self.behavior) for name in self.kinds}
        quick = {name: kind for name, kind in kinds.items() if kind is not None}
        return quick if len(quick) == len(kinds) else None

    def play(self, number: int) -> Deal:
        """Play a deal in all its seatings; raises a UsageError that names the deal if a bot made an illegal move."""
        times = self.new_times()
        seatings = self.seatings(number)
        kinds, number = self.compiled_kinds(), _check_deal(number)
        if kinds is None:
            results = [(seating, self.play_in_python(number, seating, times)) for seating in seatings]
            return Deal(number, tuple(results), times)
        compiled = _compiled_rounds(self, get_ident())
        rounds = []
        for seating in seatings:
            outcome = compiled.play(number, 1, [kinds[name] for name in seating])[0]
            rounds.append((seating, _read_outcome(self.rules, outcome)))
        if number < _TIMED_DEALS:
            self.play_in_python(number, seatings[0], times)
        return Deal(number, tuple(rounds), times)

    def new_times(self) -> dict[str, DecisionTimes]:
        """Empty decision times for each bot, by name."""
        return {name: DecisionTimes() for name in self.kinds}

    def play_in_python(self, number: int, seating: Seating, times: dict[str, DecisionTimes]) -> RoundResult:
        """Play a deal in one seating, one decision at a time."""
        bots = [TimedBot(self.make_bot(name, number, seat), times[name]) for seat, name in enumerate(seating)]
        try:
            return play_round(self.deal_round(number), bots, seating, self.luck)
        except LastcardError as error:
            raise UsageError(f"deal {number}, {', '.join(seating)} at the table: {error}") from None

    def _deal_seed(self, number: int) -> bytes:
        """The seed of everything drawn for a deal except its cards."""
        return hashlib.sha256(b"lastcard arena" + self.seed + _check_deal(number).to_bytes(8, "big")).digest()


def _check_deal(number: int) -> int:
    """The number of a deal, as Python's integer."""
    return require_int("the number of a deal", number, 0, MAX_DEAL)


@lru_cache(maxsize=4)
def _compiled_rounds(plan: Plan, thread: int) -> CompiledRounds:
    """The table at which a thread plays the deals of a plan."""
    return CompiledRounds(plan.rules, plan.players, plan.seed)


def _read_outcome(rules: Ruleset, outcome: NDArray[np.int16]) -> RoundResult:
    """The result of a round in compiled code."""
    winner, plies, calls, *by_seat = outcome.tolist()
    players = len(by_seat) // 2
    drawn, hand_points = by_seat[:players], by_seat[players:]
    won = winner if winner >= 0 else None
    points = score_round(rules, (0,) * players, won, hand_points)
    return RoundResult(won, winner == STUCK, plies, points, tuple(drawn), tuple(hand_points), calls)


def _code_key() -> str:
    """A hash of the bots and the engine: deals played by other code must not be mixed in."""
    digest = hashlib.sha256()
    for path in sorted({path for pattern in _CODE_PATTERNS for path in _PACKAGE.glob(pattern)}):
        if path.is_file() and path.suffix != ".pyc":
            digest.update(path.relative_to(_PACKAGE).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()[:16]
