"""Rounds between bots, and duplicate deals: one shuffle played in every seating."""

from __future__ import annotations

import hashlib
import inspect
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from concurrent.futures import Executor
from copy import deepcopy
from dataclasses import asdict, dataclass, field
from functools import lru_cache
from threading import get_ident
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lastcard.ai.rounds import STUCK
from lastcard.arena.bot_play import play_round
from lastcard.arena.code_key import read_code_key
from lastcard.arena.compiled_rounds import MAX_PLIES, CompiledRounds, compiled_kind, point_shares
from lastcard.arena.decision_times import DecisionTimes, TimedBot
from lastcard.arena.task_distribution import run_tasks
from lastcard.bots.base import ATTENTIVE, Behavior, Bot, Dice
from lastcard.bots.bot_files import BotFile
from lastcard.bots.own_bots import BotSource, is_bot, name_source
from lastcard.bots.registry import fill_seats, make_bot
from lastcard.errors import LastcardError, UsageError
from lastcard.game.moves import Move
from lastcard.game.numbers import require_int
from lastcard.game.rulesets import Ruleset, as_ruleset
from lastcard.game.seeds import Seed, parse_seed
from lastcard.match.events import Called, Drew, Event
from lastcard.match.match import score_round
from lastcard.match.round import Round
from lastcard.match.setup import check_players

Seating = tuple[str, ...]
"""The names of the bots, from seat 0 on."""
Luck = Callable[[Round, Sequence[tuple[int, Move]], Seating, Behavior | None], tuple[float, ...]]
"""Measures a round's luck for every seat, from its deal, its moves, and its bots with their behavior, which is None for
each bot's own: ``analysis.luck.measure_luck``."""
RoundLuck = Callable[[Round, Sequence[tuple[int, Move]]], tuple[float, ...]]
"""The same for known bots."""

MAX_DEAL: Final = 2**32 - 1
"""The largest number of a deal."""
_COMPILED_CHUNK: Final = 16
"""Number of deals that a worker gets at once, if it plays them in compiled code."""
_TIMED_DEALS: Final = 20
"""Number of first deals that bots play again for their times, if deals are played in compiled code."""


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


def play_counted(
    game_round: Round, bots: Sequence[Bot], names: Seating = (), luck: RoundLuck | None = None
) -> RoundResult:
    """Play a dealt round to its end, and count; ``names`` are those of all bots by seat, for external bots."""
    dealt, moves = game_round.copy(), []
    drawn = [0] * game_round.players
    calls = 0

    def count(events: Sequence[Event]) -> None:
        nonlocal calls
        for event in events:
            if isinstance(event, Drew):
                drawn[event.seat] += event.count
            calls += isinstance(event, Called)

    def on_move(seat: int, move: Move, events: Sequence[Event]) -> None:
        moves.append((seat, move))
        count(events)

    count(game_round.events())
    plies = play_round(game_round, bots, names, on_move=on_move, max_plies=MAX_PLIES)
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
    own_bots: Mapping[str, BotSource] = field(default_factory=dict, hash=False)
    """Bots that are not given by name, by the name they have here."""

    @classmethod
    def make(
        cls,
        rules: Ruleset | str,
        players: int,
        bots: Sequence[BotSource],
        seed: Seed = None,
        behavior: Behavior | None = ATTENTIVE,
        luck: Luck | None = None,
    ) -> Plan:
        """A valid plan, with bots (``registry.make_bot``) repeated in order until every seat has one.

        Raises:
            UsageError, RulesError: for invalid values.
        """
        chosen, players = as_ruleset(rules), require_int("the number of players", players)
        check_players(chosen, players)
        seated = fill_seats(bots, players)
        names = tuple(map(name_source, seated))
        own_bots = {name: bot for name, bot in zip(names, seated, strict=True) if not isinstance(bot, str)}
        for name, bot in zip(names, seated, strict=True):
            if own_bots.get(name, bot) is not bot:
                raise UsageError(f"two different bots are called {name}; give one another name: bot.name = ...")
        plan = cls(chosen, names, parse_seed(seed), behavior, luck, own_bots)
        for name in plan.kinds:
            plan.make_bot(name)
        return plan

    @classmethod
    def read(cls, values: Mapping[str, Any], luck: Luck | None) -> Plan:
        """The plan that ``as_dict`` wrote, with a measure of luck if it had one.

        Raises:
            LookupError, TypeError: for other values.
            UsageError, RulesError: for bots that are not known by name, and other invalid values.
        """
        behavior = None if values["manners"] is None else Behavior(**values["manners"])
        measure = luck if values["adjusted"] else None
        return cls.make(values["rules"], len(values["bots"]), values["bots"], values["seed"], behavior, measure)

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
            "code": read_code_key(),
            "rules": str(self.rules),
            "bots": list(self.bots),
            "manners": self.behavior and asdict(self.behavior),
            "adjusted": self.luck and getattr(self.luck, "name", repr(self.luck)),
            "seed": self.seed.hex(),
            **({"own": {name: _source_key(bot) for name, bot in self.own_bots.items()}} if self.own_bots else {}),
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
        return make_bot(self.fresh_source(name), self._deal_seed(number), seat, self.behavior)

    def fresh_source(self, name: str) -> BotSource:
        """The source of a bot; a copy of an object, so that deals do not depend on each other."""
        source = self.own_bots.get(name, name)
        return deepcopy(source) if is_bot(source) else source

    def warm_up(self) -> None:
        """Let every bot decide once, so that no measured time includes compiling or loading."""
        game_round = self.deal_round(0)
        for name in self.kinds:
            self.make_bot(name, 0, game_round.turn).choose(game_round.view(game_round.turn))

    def compiled_kinds(self) -> dict[str, int] | None:
        """The way in which each bot chooses, by name; None unless all decide at once and only results count."""
        if self.luck:
            return None
        kinds = {name: None if name in self.own_bots else compiled_kind(name, self.behavior) for name in self.kinds}
        quick = {name: kind for name, kind in kinds.items() if kind is not None}
        return quick if len(quick) == len(kinds) else None

    def play_all(
        self, numbers: Iterable[int], workers: int, executor: Executor | None = None
    ) -> Generator[Deal, None, None]:
        """Yield deals played by workers, each when it is ready; see ``run_tasks``."""
        chunk_size = _COMPILED_CHUNK if self.compiled_kinds() else 1
        return run_tasks(self.play, numbers, workers, self.warm_up, executor=executor, chunk_size=chunk_size)

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

        def luck(dealt: Round, moves: Sequence[tuple[int, Move]]) -> tuple[float, ...]:
            return self.luck(dealt, moves, seating, self.behavior) if self.luck else ()

        bots = [TimedBot(self.make_bot(name, number, seat), times[name]) for seat, name in enumerate(seating)]
        try:
            return play_counted(self.deal_round(number), bots, seating, luck)
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
    points = (0,) * players if won is None else tuple((hand_points @ point_shares(rules, players)[won]).tolist())
    return RoundResult(won, winner == STUCK, plies, points, tuple(drawn), tuple(hand_points), calls)


def _source_key(source: BotSource) -> str:
    """A hash of the code of a bot's class or function: deals played by other code must not be mixed in."""
    code = source.load() if isinstance(source, BotFile) else type(source) if is_bot(source) else source
    try:
        text = inspect.getsource(code)  # type: ignore[arg-type]
    except (OSError, TypeError):  # its code is in no file
        text = repr(code)
    return hashlib.sha256(text.encode()).hexdigest()[:16]
