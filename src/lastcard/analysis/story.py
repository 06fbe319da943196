"""A match told again with open cards: every moment of its rounds, who did what, and what else could have been done."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from lastcard.ai import chances
from lastcard.bots.learned import thumb_weights
from lastcard.errors import UsageError
from lastcard.formats.replay import start, verify_record
from lastcard.game.actions import CALLS, Move, action_move, move_action, parse_act
from lastcard.match.events import Drew, Event, LeverPulled, RuleDealt, Took
from lastcard.match.record import Record
from lastcard.match.round import Round
from lastcard.match.view import View
from lastcard.rules import doors
from lastcard.rules.table import TABLE, new_tables

_CHANCE: Final[dict[type[Event], str]] = {RuleDealt: "rule", LeverPulled: "lever", Took: "blind", Drew: "draw"}


@dataclass(frozen=True, slots=True)
class Ply:
    """An act and what it was chosen from.

    Args:
        seat: who acted.
        move: as it was made.
        plain: the same without a call.
        usual: what the rules of thumb do there; None, to let the table go on, for everybody not on turn.
        moves: what there was to choose from, calls and catches aside; None among them is to let the table go on.
        view: what the seat knew, where there was a choice.
        events: what happened.
        exposed: who can be caught after it.
    """

    seat: int
    move: Move
    plain: Move
    usual: Move | None
    moves: tuple[Move | None, ...]
    view: View | None
    events: tuple[Event, ...]
    exposed: frozenset[int]

    @property
    def chance(self) -> str | None:
        """What chance had a part in it: ``rule``, ``lever``, ``blind``, ``draw``, or nothing."""
        kinds = {_CHANCE.get(type(event)) for event in self.events}
        return next((kind for kind in _CHANCE.values() if kind in kinds), None)

    @property
    def idle(self) -> bool:
        """Whether the chances are what they were: a call that costs nothing."""
        return self.move.verb == "uno" and self.chance is None

    @property
    def follows(self) -> bool:
        """Whether the rules of thumb would have done the same, so that the choice changes nothing."""
        return self.idle or (self.move.verb not in CALLS and self.plain == self.usual)


@dataclass(frozen=True, slots=True)
class Story:
    """A finished round.

    Args:
        number: in its match, from 0.
        dealer: who dealt.
        winner: None where it was void.
        rules: the ruleset by name.
        players: how many.
        teams: whether partners win together (6.8).
        tables: its moments: after the deal, and after each act.
        plies: its acts.
    """

    number: int
    dealer: int
    winner: int | None
    rules: str
    players: int
    teams: bool
    tables: Any
    plies: tuple[Ply, ...]

    @property
    def weights(self) -> Any:
        """Those of the rules of thumb for this table."""
        return thumb_weights(self.rules, self.players)

    def number_of(self, seed: bytes, part: int = 0) -> int:
        """A seed of 32 bits for a part of what is worked out of the round: 0 for its chances, then one for each act.

        Args:
            seed: of all that is worked out.
            part: which.
        """
        place = b"%d %d" % (self.number, part)
        return int.from_bytes(hashlib.sha256(seed + place).digest()[:4], "big")


def tell(record: Record) -> list[Story]:
    """The finished rounds of a match.

    Args:
        record: with its seed; a round that is going on is left out, for it would tell what others hold.

    Raises:
        RecordError: where it is not true, or the seed is left out.
        UsageError: where no round is over.
    """
    verify_record(record)
    finished = [played for played in record.rounds if played.over]
    if not finished:
        raise UsageError("no round of this match is over yet: there is nothing to report")
    match = start(record)
    stories: list[Story] = []
    for played in finished:
        if stories:
            match.next_round()
        acts = [parse_act(text) for text in played.moves]
        stories.append(tell_round(match.round, acts, match.do))
    return stories


def tell_round(table: Round, acts: Sequence[tuple[int, Move]], do: Callable[[int, Move], Sequence[Event]]) -> Story:
    """A round, told while it is played once more.

    Args:
        table: where it stands; its end afterwards.
        acts: seats and their moves from there to the end.
        do: does an act at that table, and says what happened.
    """
    rules = str(table.rules)
    weights = thumb_weights(rules, table.players)
    tables = new_tables(len(acts) + 1)
    plies = []
    for i, (seat, move) in enumerate(acts):
        tables[i] = _open(table)
        plain = action_move(chances.plain_act(tables, i, seat, move_action(move)))
        usual = None
        if seat == table.turn:
            usual = action_move(chances.usual_act(tables, i, weights, doors.SCRATCH.actions))
        moves = _choices(table, seat)
        judged = move.verb not in CALLS and len(moves) > 1
        view = table.view(seat) if judged else None
        events = tuple(do(seat, move))
        plies.append(Ply(seat, move, plain, usual, moves, view, events, table.exposed))
    tables[-1] = _open(table)
    teams = table.rules.options.team_play
    return Story(table.number, table.dealer, table.winner, rules, table.players, teams, tables, tuple(plies))


def _open(table: Round) -> Any:
    """The table with every card, without its tape."""
    record = np.frombuffer(table.table_bytes(), TABLE)[0].copy()
    record["taping"] = 0
    return record


def _choices(table: Round, seat: int) -> tuple[Move | None, ...]:
    moves = [move for move in table.legal(seat) if move.verb not in CALLS]
    return tuple(moves) if seat == table.turn else (*moves, None)
