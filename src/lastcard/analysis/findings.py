"""What a report finds: rounds, steps, decisions, strokes of luck (``docs/insight.md``)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, fields, is_dataclass
from functools import cached_property
from typing import Any, Final, TypeVar

from lastcard.analysis.accounts import Account, add_up
from lastcard.analysis.calls import Call
from lastcard.analysis.hindsight import Line
from lastcard.bots.statistics import Estimate
from lastcard.game.actions import Move
from lastcard.game.cards import WILD, card_color

_T = TypeVar("_T")

GRADES: Final = {"blunder": 0.1, "mistake": 0.04, "inaccuracy": 0.0}
"""Mistakes by size: how much of a round the best move wins more, at least."""


@dataclass(frozen=True, slots=True)
class Decision:
    """A decision with more than one choice.

    Args:
        round: from 0.
        ply: of the round, from 1.
        seat: who decided.
        made: the move that was made.
        best: the best that was found; None to let the table go on.
        usual: what the rules of thumb do; None as well.
        chance: of winning the round with the move that was made, from what the seat could know.
        loss: how much more the best one wins.
        agreed: whether the adviser too rates the best one higher, or has no say.
        skill: how much more the move that was made wins than the usual one.
        line: how the seat could have won, had it seen all cards (``analysis.hindsight``); looked for where it lost the
            round and gave something away.
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
    line: Line = ()

    @property
    def kind(self) -> str | None:
        """``mistake`` or ``find``, where it was one beyond its uncertainty."""
        return "mistake" if self.loss.is_positive and self.agreed else "find" if self.skill.is_positive else None

    @property
    def grade(self) -> str | None:
        """How large a mistake it was: an ``inaccuracy``, a ``mistake`` or a ``blunder``; None where it was none."""
        if self.kind != "mistake":
            return None
        return next(grade for grade, least in GRADES.items() if self.loss.value >= least)

    @property
    def topic(self) -> str:
        """In what the move that was made and the best differ.

        ``challenge`` (or not), ``draw`` (or play), ``wild`` (kept or played), ``card``, ``color``, ``target`` or
        ``other``.
        """
        made, best = self.made, self.best
        if best is None or made.verb != best.verb:
            verbs = {made.verb, best.verb if best else ""}
            return "challenge" if verbs & {"challenge", "accept"} else "draw" if verbs & {"draw", "pass"} else "other"
        if made.card is not None and best.card is not None and made.card != best.card:
            return "wild" if (card_color(made.card) == WILD) != (card_color(best.card) == WILD) else "card"
        return "color" if made.color != best.color else "target" if made.target != best.target else "other"


@dataclass(frozen=True, slots=True)
class Step:
    """An act and what it changed.

    Args:
        seat: who acted.
        move: the act.
        chance: what chance had a part in it: ``draw``, ``blind``, ``lever``, ``rule``, or nothing.
        chances: of every seat after it.
        choice: what choosing it changed for every seat, seen with open cards.
        luck: what chance then changed for every seat.
    """

    seat: int
    move: Move
    chance: str | None
    chances: tuple[Estimate, ...]
    choice: tuple[Estimate, ...]
    luck: tuple[Estimate, ...]


@dataclass(frozen=True, slots=True)
class Stroke:
    """A stroke of luck.

    Args:
        round: from 0.
        ply: of the round, from 1.
        seat: whose chance it changed most.
        chance: ``draw``, ``blind``, ``lever`` or ``rule``.
        change: of that chance.
    """

    round: int
    ply: int
    seat: int
    chance: str
    change: Estimate


@dataclass(frozen=True, slots=True)
class RoundReport:
    """A finished round.

    Args:
        number: from 0.
        dealer: who dealt.
        winner: None where it was void.
        before: the chance of every seat before the deal.
        dealt: and after it.
        steps: its acts.
        accounts: where the result comes from, by seat.
        decisions: with more than one choice.
        calls: that were missed.
    """

    number: int
    dealer: int
    winner: int | None
    before: tuple[Estimate, ...]
    dealt: tuple[Estimate, ...]
    steps: tuple[Step, ...]
    accounts: tuple[Account, ...]
    decisions: tuple[Decision, ...]
    calls: tuple[Call, ...]

    @property
    def moments(self) -> list[tuple[Estimate, ...]]:
        """The chance of every seat after the deal, and after every act."""
        return [self.dealt, *(step.chances for step in self.steps)]


@dataclass(frozen=True)
class Report:
    """A match, as far as its rounds are over.

    Args:
        rules: the ruleset by name.
        players: their names, by seat.
        over: whether the match is.
        rounds: those that are over.
        rollouts: how often each moment was played to its end.
        seed: of all chance in it, in hex.
    """

    rules: str
    players: tuple[str, ...]
    over: bool
    rounds: tuple[RoundReport, ...]
    rollouts: int
    seed: str

    @cached_property
    def accounts(self) -> tuple[Account, ...]:
        """Where the rounds won by each seat come from."""
        return tuple(add_up(one.accounts[seat] for one in self.rounds) for seat in range(len(self.players)))

    def worst(self, most: int = 5) -> list[Decision]:
        """The decisions that gave away most: mistakes beyond their uncertainty."""
        mistakes = [decision for decision in self._decisions() if decision.kind == "mistake"]
        return greatest(mistakes, lambda decision: decision.loss.value, most)

    def best(self, most: int = 5) -> list[Decision]:
        """The decisions that were better than the rules of thumb by most, beyond their uncertainty."""
        finds = [decision for decision in self._decisions() if decision.skill.is_positive]
        return greatest(finds, lambda decision: decision.skill.value, most)

    def strokes(self, most: int = 5) -> list[Stroke]:
        """The biggest strokes of luck, good or bad, beyond their uncertainty."""
        strokes = []
        for one in self.rounds:
            for ply, step in enumerate(one.steps, start=1):
                seat, change = max(enumerate(step.luck), key=lambda pair: abs(pair[1].value))
                if step.chance is not None and abs(change.value) > change.margin:
                    strokes.append(Stroke(one.number, ply, seat, step.chance, change))
        return greatest(strokes, lambda stroke: abs(stroke.change.value), most)

    def calls(self) -> list[Call]:
        """The UNO calls that were missed."""
        return [call for one in self.rounds for call in one.calls]

    def kinds(self, seat: int) -> Counter[str]:
        """The mistakes of a seat by their topics; under ``call``, how often it was caught without a call."""
        found = Counter(one.topic for one in self._decisions() if one.seat == seat and one.kind == "mistake")
        found["call"] = sum(call.seat == seat and call.by is not None for call in self.calls())
        return +found

    def _decisions(self) -> Iterator[Decision]:
        return (decision for one in self.rounds for decision in one.decisions)

    def as_dict(self) -> dict[str, Any]:
        """The report as plain values; a figure is a list of its value and half of its 95 % interval."""
        told = {name: getattr(self, name) for name in ("rules", "players", "over", "rollouts", "seed", "accounts")}
        told |= {"worst": self.worst(), "best": self.best(), "strokes": self.strokes(), "rounds": self.rounds}
        values = {name: _plain(value) for name, value in told.items()}
        for one in values["rounds"]:
            del one["number"]  # their order says it
        return values


_DERIVED: Final[dict[type, list[str]]] = {Decision: ["topic", "grade"], Account: ["error_rate"]}
"""What is told of a finding beside its fields."""


def greatest(things: Iterable[_T], worth: Callable[[_T], float], most: int) -> list[_T]:
    """The things of greatest worth, at most ``most``; of equal ones the earlier first.

    Worths are equal where they differ only by the order in which their parts were added: the page adds in another.
    """
    return sorted(things, key=lambda thing: -round(worth(thing), 9))[:most]


def _plain(value: Any) -> Any:
    """What a report finds as plain values for JSON: findings by their fields, figures as lists, moves in notation."""
    if isinstance(value, Estimate):
        return value.as_list()
    if isinstance(value, Move):
        return str(value)
    if isinstance(value, list | tuple):
        return [_plain(member) for member in value]
    if is_dataclass(value):
        told = [each.name for each in fields(value)] + _DERIVED.get(type(value), [])
        return {name: _plain(getattr(value, name)) for name in told}
    return value
