"""The data of a report: rounds, steps, decisions, lucky events (``docs/insight.md``)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, fields, is_dataclass
from functools import cached_property
from typing import Any, Final, TypeVar

from lastcard.analysis.attribution import Attribution, sum_attributions
from lastcard.analysis.open_card_solver import WinningLine
from lastcard.bots.statistics import Estimate, total
from lastcard.game.moves import Move

MAX_CHANGES: Final = 3
"""Number of the largest changes of chances that are shown."""

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Decision:
    """A decision with more than one choice.

    Args:
        round: number of the round, from 0.
        ply: ply of the round, from 1.
        seat: seat that decided.
        made: the move made.
        best: the best move found; None stands for no reaction.
        usual: choice of the rules of thumb; None as well.
        chance: chance to win the round with the move made, by the seat's information.
        loss: how much more the best move wins.
        agreed: whether the prior net too rates the best move higher, or is not used.
        skill: how much more the move made wins than the usual one.
        line: a line that would have won with open cards (``analysis.open_card_solver``); searched for decisions with a
            loss in a lost round.
        topic: the difference between the move made and the best: ``challenge`` (or not), ``draw`` (or play), ``wild``
            (saved or played), ``card``, ``color``, ``target`` or ``other``.
        grade: the size of a mistake: ``inaccuracy``, ``mistake`` or ``blunder``; None if it was none.
    """

    round: int
    ply: int
    seat: int
    made: Move
    best: Move | None
    usual: Move | None
    chance: Estimate
    loss: Estimate
    agreed: bool
    skill: Estimate
    line: WinningLine = ()
    topic: str = "other"
    grade: str | None = None

    @property
    def kind(self) -> str | None:
        """``mistake`` or ``find``, if it was one beyond its margin."""
        return "mistake" if self.grade else "find" if self.skill.is_positive else None


@dataclass(frozen=True, slots=True)
class Step:
    """A move and its effects.

    Args:
        seat: seat that moved.
        move: the move.
        chance: its chance event: ``draw``, ``blind``, ``lever``, ``rule``, or None.
        chances: chances of every seat after it.
        choice: change for every seat by choosing it, with open cards.
        luck: change for every seat by its chance event.
    """

    seat: int
    move: Move
    chance: str | None
    chances: tuple[Estimate, ...]
    choice: tuple[Estimate, ...]
    luck: tuple[Estimate, ...]


@dataclass(frozen=True, slots=True)
class LuckyEvent:
    """A chance outcome that changed the chance of a seat.

    Args:
        round: number of the round, from 0.
        ply: ply of the round, from 1.
        seat: seat whose chance it changed most.
        chance: ``draw``, ``blind``, ``lever`` or ``rule``.
        change: change of that chance to win.
    """

    round: int
    ply: int
    seat: int
    chance: str
    change: Estimate


@dataclass(frozen=True, slots=True)
class MissedCallLoss:
    """A missed call, and the chance to win that it cost.

    Args:
        round: number of the round, from 0.
        ply: ply of the round, from 1, that made the call due.
        seat: seat that forgot it.
        by: seat that caught it; None if nobody did.
        price: loss of chance by being caught; if nobody caught the seat, the possible loss.
    """

    round: int
    ply: int
    seat: int
    by: int | None
    price: Estimate


@dataclass(frozen=True, slots=True)
class Change:
    """A large change of a seat's chance to win, by a move and its chance event.

    Args:
        round: number of the round, from 0.
        ply: ply of the round, from 1.
        step: the move.
        seat: seat whose chance it changed most.
        change: change of that chance.
    """

    round: int
    ply: int
    step: Step
    seat: int
    change: Estimate


@dataclass(frozen=True, slots=True)
class RoundChances:
    """The chances in a finished round.

    Args:
        number: number of the round, from 0.
        dealer: seat that dealt.
        winner: seat that won; None if the round was void.
        before: chance of every seat before the deal.
        dealt: chance of every seat after the deal.
        steps: moves with their effects.
    """

    number: int
    dealer: int
    winner: int | None
    before: tuple[Estimate, ...]
    dealt: tuple[Estimate, ...]
    steps: tuple[Step, ...]

    @property
    def moments(self) -> list[tuple[Estimate, ...]]:
        """The chance of every seat after the deal, and after every move."""
        return [self.dealt, *(step.chances for step in self.steps)]


@dataclass(frozen=True, slots=True)
class RoundReport(RoundChances):
    """A finished round.

    Args:
        accounts: attribution of the result, by seat.
        decisions: decisions with more than one choice.
        calls: missed calls.
    """

    accounts: tuple[Attribution, ...]
    decisions: tuple[Decision, ...]
    calls: tuple[MissedCallLoss, ...]


@dataclass(frozen=True)
class ChanceReport:
    """The chances in a match's finished rounds: a part of its report that takes little time.

    Args:
        rules: name of the ruleset.
        players: names by seat.
        over: whether the match is over.
        rounds: finished rounds.
        rollouts: number of rollouts from each state.
        seed: seed of all chance in it, in hex.
    """

    rules: str
    players: tuple[str, ...]
    over: bool
    rounds: tuple[RoundChances, ...]
    rollouts: int
    seed: str

    def largest_changes(self, most: int = MAX_CHANGES) -> list[Change]:
        """The moves that changed a seat's chance most, up or down, beyond their margin."""
        changes = []
        for one in self.rounds:
            for ply, step in enumerate(one.steps, start=1):
                effects = enumerate(map(total, zip(step.choice, step.luck, strict=True)))
                seat, change = max(effects, key=lambda pair: abs(pair[1].value))
                if abs(change.value) > change.margin:
                    changes.append(Change(one.number, ply, step, seat, change))
        return largest(changes, lambda change: abs(change.change.value), most)


@dataclass(frozen=True)
class Report(ChanceReport):
    """The report of a match's finished rounds."""

    rounds: tuple[RoundReport, ...]

    @cached_property
    def accounts(self) -> tuple[Attribution, ...]:
        """The attribution of the rounds won by each seat."""
        return tuple(sum_attributions(one.accounts[seat] for one in self.rounds) for seat in range(len(self.players)))

    def worst(self, most: int = 5) -> list[Decision]:
        """The decisions with the greatest loss, and the worst of every seat: mistakes beyond their margin."""
        mistakes = [decision for decision in self._decisions() if decision.kind == "mistake"]
        ranked = largest(mistakes, lambda decision: decision.loss.value, len(mistakes))
        worst_of = {decision.seat: i for i, decision in reversed(list(enumerate(ranked)))}
        return [decision for i, decision in enumerate(ranked) if i < most or worst_of[decision.seat] == i]

    def best(self, most: int = 5) -> list[Decision]:
        """The decisions with the greatest lead over the rules of thumb, beyond their margin."""
        finds = [decision for decision in self._decisions() if decision.skill.is_positive]
        return largest(finds, lambda decision: decision.skill.value, most)

    def lucky_events(self, most: int = 5) -> list[LuckyEvent]:
        """The chance outcomes that changed a seat's chance most, up or down, beyond their margin."""
        lucky_events = []
        for one in self.rounds:
            for ply, step in enumerate(one.steps, start=1):
                seat, change = max(enumerate(step.luck), key=lambda pair: abs(pair[1].value))
                if step.chance is not None and abs(change.value) > change.margin:
                    lucky_events.append(LuckyEvent(one.number, ply, seat, step.chance, change))
        return largest(lucky_events, lambda event: abs(event.change.value), most)

    def calls(self) -> list[MissedCallLoss]:
        """The missed UNO calls."""
        return [call for one in self.rounds for call in one.calls]

    def mistakes_by_topic(self, seat: int) -> Counter[str]:
        """The mistakes of a seat by topic; ``call`` counts how often it was caught without a call."""
        found = Counter(one.topic for one in self._decisions() if one.seat == seat and one.kind == "mistake")
        found["call"] = sum(call.seat == seat and call.by is not None for call in self.calls())
        return +found

    def _decisions(self) -> Iterator[Decision]:
        return (decision for one in self.rounds for decision in one.decisions)

    def as_dict(self) -> dict[str, Any]:
        """The report as plain values; a figure is a list of its value and half of its 95 % interval."""
        found = {name: getattr(self, name) for name in ("rules", "players", "over", "rollouts", "seed", "accounts")}
        found |= {"worst": self.worst(), "best": self.best(), "strokes": self.lucky_events(), "rounds": self.rounds}
        values = {name: _json_value(value) for name, value in found.items()}
        for one in values["rounds"]:
            del one["number"]  # the order shows it
        return values


_DERIVED_FIELDS: Final[dict[type, list[str]]] = {Attribution: ["error_rate"]}
"""The properties of a finding that are reported beside its fields."""


def largest(items: Iterable[_T], size_of: Callable[[_T], float], most: int) -> list[_T]:
    """The largest items, at most ``most``; of equal ones the earlier first.

    Sizes that differ only by the order of their additions count as equal: the page adds in another order.
    """
    return sorted(items, key=lambda thing: -round(size_of(thing), 9))[:most]


def _json_value(value: Any) -> Any:
    """A finding as plain values for JSON: by its fields, with figures as lists and moves in notation."""
    if isinstance(value, Estimate):
        return value.as_list()
    if isinstance(value, Move):
        return str(value)
    if isinstance(value, list | tuple):
        return [_json_value(member) for member in value]
    if is_dataclass(value):
        names = [each.name for each in fields(value)] + _DERIVED_FIELDS.get(type(value), [])
        return {name: _json_value(getattr(value, name)) for name in names}
    return value
