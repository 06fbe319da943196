"""Rounds replayed with open cards: every state, the moves made, and the alternatives."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Any

from lastcard.ai import round_analysis
from lastcard.ai.round_analysis import PLY
from lastcard.bots.search import move_or_none
from lastcard.bots.weights import heuristic_weights
from lastcard.errors import UsageError
from lastcard.formats.replay import start_match, verify_record
from lastcard.game.moves import CALLS, Move, action_to_move, move_to_action, parse_seat_move
from lastcard.kernel.arrays import zeros
from lastcard.match.events import Event
from lastcard.match.record import Record
from lastcard.match.round import Round
from lastcard.match.view import View
from lastcard.rules import exports
from lastcard.rules.round_state import new_round_states


@dataclass(frozen=True, slots=True)
class ReplayedMove:
    """A move and its alternatives."""

    seat: int
    move: Move
    without_call: Move
    """The move without its call."""
    heuristic_move: Move | None
    """Choice of the rules of thumb; None, no reaction, for every seat not on turn."""
    choices: tuple[Move | None, ...]
    """Legal choices without calls and catches; None among them stands for no reaction."""
    view: View | None
    chance: str | None
    """The chance event of the move: ``rule``, ``lever``, ``blind``, ``draw``, or None."""

    @property
    def changes_nothing(self) -> bool:
        """Whether the chances stay the same, as after a call that costs nothing."""
        return self.move.verb == "uno" and self.chance is None


@dataclass(frozen=True, slots=True)
class ReplayedRound:
    """A finished round."""

    number: int
    """Number of the round in its match, from 0."""
    dealer: int
    winner: int | None
    """Seat that won; None if the round was void."""
    rules: str
    players: int
    is_team_play: bool
    """Whether partners win together (6.8)."""
    states: Any
    """States after the deal and after each move."""
    plies: Any
    """PLY records of the moves, for ``ai.round_analysis``."""
    moves: tuple[ReplayedMove, ...]

    @property
    def weights(self) -> Any:
        """The weights of the rules of thumb for this table."""
        return heuristic_weights(self.rules, self.players)

    def derive_seed(self, seed: bytes, part: int = 0) -> int:
        """A seed of 32 bits for a part of the analysis: 0 for the chances of the round, then one for each move.

        Args:
            seed: seed of the analysis.
            part: number of the part.
        """
        place = b"%d %d" % (self.number, part)
        return int.from_bytes(hashlib.sha256(seed + place).digest()[:4], "big")


def replay_rounds(
    record: Record, *, verify: bool = True, views_of: Collection[int] | None = None
) -> list[ReplayedRound]:
    """The finished rounds of a match.

    Args:
        record: a record with its seed; an unfinished round is left out, because it would reveal hands.
        verify: whether to check the record; one that was just made from a match is true.
        views_of: seats whose decisions have views; None for all.

    Raises:
        RecordError: if it is not true, or its seed is left out.
        UsageError: if no round is over.
    """
    if verify:
        verify_record(record)
    finished = [played for played in record.rounds if played.over]
    if not finished:
        raise UsageError("no round of this match is over yet: there is nothing to report")
    match = start_match(record)
    replayed_rounds: list[ReplayedRound] = []
    for played in finished:
        if replayed_rounds:
            match.next_round()
        moves = [parse_seat_move(text) for text in played.moves]
        replayed_rounds.append(replay_round(match.round, moves, match.do, views_of=views_of))
    return replayed_rounds


def replay_round(
    round_: Round,
    moves: Sequence[tuple[int, Move]],
    apply: Callable[[int, Move], Sequence[Event]],
    *,
    views_of: Collection[int] | None = None,
) -> ReplayedRound:
    """A round, recorded while it is played again.

    Args:
        round_: the round in its first state, which is played to its end.
        moves: seats and their moves from there to the end.
        apply: function that makes a move at the table and returns its events.
        views_of: seats whose decisions have views; None for all.
    """
    rules = str(round_.rules)
    weights, out = heuristic_weights(rules, round_.players), exports.SCRATCH.actions
    states, plies, replayed = new_round_states(len(moves) + 1), zeros(len(moves), PLY), []
    states[0] = round_.states()[0]
    for i, (seat, move) in enumerate(moves):
        ply = plies[i : i + 1]
        round_analysis.read_choices(states[i : i + 1], ply, seat, move_to_action(move), weights, out)
        choices = tuple(move_or_none(action) for action in out[: ply["choices"][0]].tolist())
        is_evaluated = move.verb not in CALLS and len(choices) > 1 and (views_of is None or seat in views_of)
        view = round_.view(seat) if is_evaluated else None
        apply(seat, move)
        states[i + 1] = round_.states()[0]
        round_analysis.read_outcome(states[i + 1 : i + 2], ply)
        made, usual, event = (int(ply[name][0]) for name in ("made", "usual", "chance_event"))
        chance = None if event == round_analysis.NO_CHANCE else round_analysis.CHANCE_NAMES[event]
        replayed.append(ReplayedMove(seat, move, action_to_move(made), move_or_none(usual), choices, view, chance))
    teams = round_.rules.options.team_play
    return ReplayedRound(
        round_.number, round_.dealer, round_.winner, rules, round_.players, teams, states, plies, tuple(replayed)
    )
