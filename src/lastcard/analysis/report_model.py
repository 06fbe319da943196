"""The data of a report: rounds, steps, decisions, lucky events (``docs/insight.md``)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, fields, is_dataclass
from functools import cached_property
from typing import Any, Final, TypeVar

from lastcard.analysis.attribution import Attribution, sum_attributions
from lastcard.analysis.chance_chart import draw_rounds
from lastcard.analysis.open_card_solver import WinningLine
from lastcard.bots.statistics import Estimate, total
from lastcard.game.moves import Move

MAX_CHANGES: Final = 3
"""Number of the largest changes of chances that are shown."""

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Decision:
    """A decision with more than one choice."""

    round: int
    """Number of the round, from 0."""
    ply: int
    """Ply of the round, from 1."""
    seat: int
    made: Move
    best: Move | None
    """The best move found; None stands for no reaction."""
    usual: Move | None
    """Choice of the rules of thumb; None as well."""
    chance: Estimate
    """Chance to win the round with the move made, by the seat's information."""
    loss: Estimate
    """How much more the best move wins."""
    agreed: bool
    """Whether the prior net too rates the best move higher, or is not used."""
    skill: Estimate
    """How much more the move made wins than the usual one."""
    line: WinningLine = ()
    """A line that would have won with open cards (``analysis.open_card_solver``); searched for decisions with a loss in
    a lost round."""
    topic: str = "other"
    """The difference between the move made and the best: ``challenge`` (or not), ``draw`` (or play), ``wild`` (saved or
    played), ``card``, ``color``, ``target`` or ``other``."""
    grade: str | None = None
    """The size of a mistake: ``inaccuracy``, ``mistake`` or ``blunder``; None if it was none."""

    @property
    def kind(self) -> str | None:
        """``mistake`` or ``find``, if it was one beyond its margin."""
        return "mistake" if self.grade else "find" if self.skill.is_positive else None


@dataclass(frozen=True, slots=True)
class Step:
    """A move and its effects."""

    seat: int
    move: Move
    chance: str | None
    """Its chance event: ``draw``, ``blind``, ``lever``, ``rule``, or None."""
    chances: tuple[Estimate, ...]
    """Chances of every seat after it."""
    choice: tuple[Estimate, ...]
    """Change for every seat by choosing it, with open cards."""
    luck: tuple[Estimate, ...]
    """Change for every seat by its chance event."""


@dataclass(frozen=True, slots=True)
class LuckyEvent:
    """A chance outcome that changed the chance of a seat."""

    round: int
    """Number of the round, from 0."""
    ply: int
    """Ply of the round, from 1."""
    seat: int
    """Seat whose chance it changed most."""
    chance: str
    """``draw``, ``blind``, ``lever`` or ``rule``."""
    change: Estimate


@dataclass(frozen=True, slots=True)
class MissedCallLoss:
    """A missed call, and the chance to win that it cost."""

    round: int
    """Number of the round, from 0."""
    ply: int
    """Ply of the round, from 1, that made the call due."""
    seat: int
    """Seat that forgot it."""
    by: int | None
    """Seat that caught it; None if nobody did."""
    price: Estimate
    """Loss of chance by being caught; if nobody caught the seat, the possible loss."""


@dataclass(frozen=True, slots=True)
class Change:
    """A large change of a seat's chance to win, by a move and its chance event."""

    round: int
    """Number of the round, from 0."""
    ply: int
    """Ply of the round, from 1."""
    step: Step
    seat: int
    """Seat whose chance it changed most."""
    change: Estimate


@dataclass(frozen=True, slots=True)
class RoundChances:
    """The chances in a finished round."""

    number: int
    """Number of the round, from 0."""
    dealer: int
    winner: int | None
    """Seat that won; None if the round was void."""
    before: tuple[Estimate, ...]
    """Chance of every seat before the deal."""
    dealt: tuple[Estimate, ...]
    """Chance of every seat after the deal."""
    steps: tuple[Step, ...]
    """Moves with their effects."""

    @property
    def moments(self) -> list[tuple[Estimate, ...]]:
        """The chance of every seat after the deal, and after every move."""
        return [self.dealt, *(step.chances for step in self.steps)]


@dataclass(frozen=True, slots=True)
class RoundReport(RoundChances):
    """A finished round."""

    accounts: tuple[Attribution, ...]
    decisions: tuple[Decision, ...]
    calls: tuple[MissedCallLoss, ...]

    @property
    def marks(self) -> list[tuple[int, int, str]]:
        """The ply, the seat and the kind of each mistake and find."""
        return [
            (decision.ply, decision.seat, decision.kind) for decision in self.decisions if decision.kind is not None
        ]


@dataclass(frozen=True)
class ChanceReport:
    """The chances in a match's finished rounds: a part of its report that takes little time."""

    rules: str
    players: tuple[str, ...]
    """Names by seat."""
    over: bool
    rounds: tuple[RoundChances, ...]
    rollouts: int
    """Number of rollouts from each state."""
    seed: str
    """Seed of all chance in it, in hex."""

    def largest_changes(self, most: int = MAX_CHANGES) -> list[Change]:
        """The moves that changed a seat's chance most, up or down, beyond their margin."""
        changes = []
        for one in self.rounds:
            for ply, step in enumerate(one.steps, start=1):
                if effect := _largest_effect(map(total, zip(step.choice, step.luck, strict=True))):
                    changes.append(Change(one.number, ply, step, *effect))
        return largest(changes, lambda change: abs(change.change.value), most)


@dataclass(frozen=True)
class Report(ChanceReport):
    """The report of a match's finished rounds."""

    rounds: tuple[RoundReport, ...]

    def _repr_svg_(self) -> str:
        return draw_rounds([(one.moments, one.marks) for one in self.rounds], self.players)

    def __repr__(self) -> str:
        return f"<Report of {self.rules}: {', '.join(self.players)}; rounds: {len(self.rounds)}>"

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
                if step.chance is not None and (effect := _largest_effect(step.luck)):
                    seat, change = effect
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


def _largest_effect(effects: Iterable[Estimate]) -> tuple[int, Estimate] | None:
    """The seat with the largest effect, up or down, and that effect; None if it is within its margin."""
    seat, effect = max(enumerate(effects), key=lambda pair: abs(pair[1].value))
    return (seat, effect) if abs(effect.value) > effect.margin else None


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
