"""The decisions of bots in a round, one row each: what the seat saw, what it did, and what it could not see."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from threading import get_ident
from typing import Any, Final

import numpy as np

from lastcard.ai import rollout
from lastcard.analysis.adjusted import wins_of
from lastcard.analysis.chances import new_rollout_scratch
from lastcard.analysis.replayed_round import ReplayedRound, replay_round
from lastcard.arena.bot_play import play_round
from lastcard.arena.compiled_rounds import MAX_PLIES
from lastcard.arena.deals import Plan
from lastcard.bots.base import Bot
from lastcard.bots.evaluation import MoveEvaluator
from lastcard.envs.features import Features, features
from lastcard.errors import LastcardError, UsageError
from lastcard.game.moves import CALLS, Move
from lastcard.match.match import score_round
from lastcard.match.round import Round
from lastcard.match.view import View
from lastcard.rules.layout import NOTHING

ROLLOUTS: Final = 400
"""Number of rollouts from each state for the chances of all seats."""


@dataclass(frozen=True, slots=True)
class DecisionRow:
    """A decision. Seats are counted clockwise from the one that decides, except ``seat`` itself."""

    round: int
    ply: int
    """Number of moves made in the round before it."""
    seat: int
    bot: str
    is_reaction: bool
    """Whether the seat was asked out of turn."""
    observation: Any
    """uint8, as ``envs.features`` writes it."""
    action_mask: Any
    """uint8: 1 at the id of every legal action."""
    action: int
    """The action id of the choice."""
    with_call: bool
    """Whether the move was made together with a call, which has no action id."""
    hidden_hands: Any
    """uint8[others * kinds]: number of cards of each kind in the other hands."""
    is_last: bool = False
    """Whether it is the last decision of its seat in the round."""
    won: bool = False
    """Whether the seat, or its partner, won the round."""
    points: int = 0
    """Score of the seat in the round."""
    chances: Any = None
    """float32[seats]: chance of every seat to win, with all cards known; None if not measured."""
    chance_lost: float | None = None
    """How much more the best move found wins, by what the seat knows; None for calls, catches and waiting."""


class _RecordedBot:
    """A bot whose decisions are appended to a list."""

    def __init__(self, bot: Bot, name: str, game_round: Round, rows: list[DecisionRow], plies: list[Any]) -> None:
        self.name = name
        self._bot, self._round, self._rows, self._plies = bot, game_round, rows, plies
        self._layout = features(game_round.rules, game_round.players)

    def choose(self, view: View) -> Move:
        """The bot's choice."""
        move = self._bot.choose(view)
        self._add(view, move, is_reaction=False)
        return move

    def react(self, view: View) -> Move | None:
        """The bot's reaction."""
        move = self._bot.react(view)
        self._add(view, move, is_reaction=True)
        return move

    def _add(self, view: View, move: Move | None, *, is_reaction: bool) -> None:
        layout, seat = self._layout, view.seat
        assert seat is not None
        mask = layout.action_mask(view, is_reaction=is_reaction)
        if is_reaction and mask.sum() == 1:  # waiting is no decision if there is no other choice
            return
        observation = layout.observe(view, np.zeros(layout.size, np.uint8), is_reaction=is_reaction)
        action = layout.action_space.encode(move, seat, layout.players)
        with_call, hidden = move is not None and bool(move.uno), _count_hidden(layout, self._round, seat)
        ply, number = len(self._plies), self._round.number
        self._rows.append(
            DecisionRow(number, ply, seat, self.name, is_reaction, observation, mask, action, with_call, hidden)
        )


def _count_hidden(layout: Features, game_round: Round, seat: int) -> Any:
    """The cards of each kind in the hands of the others, clockwise."""
    hands = game_round.hands
    others = [hands[(seat + i) % layout.players] for i in range(1, layout.players)]
    kinds = len(layout.cards)
    return np.concatenate([np.bincount(layout.kinds[list(hand)], minlength=kinds) for hand in others]).astype(np.uint8)


def record_decisions(plan: Plan, number: int, *, measures_chances: bool = False) -> list[DecisionRow]:
    """Returns the rows of a round of a plan, in the order of its decisions. The same round gives the same rows.

    Every shuffle is played once; the bots change seats from round to round.

    Args:
        number: number of the round, from 0; it is a deal of the plan.
        measures_chances: whether rows have ``chances`` and ``chance_lost``, which takes a second a decision.

    Raises:
        UsageError: if a bot makes an illegal move; it names the round.
    """
    seatings = plan.seatings(number)
    seating = seatings[number // plan.players % len(seatings)]
    game_round, rows, moves = plan.deal_round(number), list[DecisionRow](), list[tuple[int, Move]]()
    dealt = game_round.copy()
    bots = [
        _RecordedBot(plan.make_bot(name, number, seat), name, game_round, rows, moves)
        for seat, name in enumerate(seating)
    ]
    try:
        play_round(
            game_round,
            bots,
            seating,
            on_move=lambda seat, move, events: moves.append((seat, move)),
            max_plies=MAX_PLIES,
        )
    except LastcardError as error:
        raise UsageError(f"round {number}, {', '.join(seating)} at the table: {error}") from None
    rows = _add_results(rows, game_round)
    return _add_chances(rows, replay_round(dealt, moves, dealt.do), plan) if measures_chances else rows


def _add_results(rows: Sequence[DecisionRow], game_round: Round) -> list[DecisionRow]:
    """The rows with the result of the round for their seat."""
    players, winner = game_round.players, game_round.winner
    points = score_round(game_round.rules, (0,) * players, winner, game_round.held)
    partner = players // 2 if game_round.rules.options.team_play else 0
    winners = () if winner is None else (winner, (winner + partner) % players)
    last = {row.seat: i for i, row in enumerate(rows)}
    return [
        replace(row, is_last=last[row.seat] == i, won=row.seat in winners, points=points[row.seat])
        for i, row in enumerate(rows)
    ]


def _add_chances(rows: Sequence[DecisionRow], replayed: ReplayedRound, plan: Plan) -> list[DecisionRow]:
    """The rows with the chances before the decision, and the chance that it lost."""
    jobs = np.array([(ply, 0, NOTHING) for ply in range(len(replayed.moves))], np.int64)
    winners: Any = np.full((len(jobs), ROLLOUTS), -1, np.int8)
    job_range = rollout.JobRange(0, len(jobs), replayed.derive_seed(plan.seed))
    evaluator, scratch = _workspace(get_ident())
    rollout.run_rollouts(replayed.states, jobs, winners, replayed.weights, scratch, job_range)
    by_seat = [wins_of(replayed, winners, seat).mean(axis=1) for seat in range(replayed.players)]
    chances = np.stack(by_seat, axis=1).astype(np.float32)
    found = []
    for i, row in enumerate(rows):
        is_made = i + 1 == len(rows) or rows[i + 1].ply > row.ply  # others of the same ply waited
        lost = _measure_loss(evaluator, replayed, row.ply, plan.seed) if is_made else None
        found.append(replace(row, chances=np.roll(chances[row.ply], -row.seat), chance_lost=lost))
    return found


def _measure_loss(evaluator: MoveEvaluator, replayed: ReplayedRound, ply: int, seed: bytes) -> float | None:
    """The chance lost by a move; None for calls and catches."""
    played = replayed.moves[ply]
    if played.move.verb in CALLS:
        return None
    if played.view is None:  # there was one choice
        return 0.0
    seed_of_move = replayed.derive_seed(seed, ply + 1)
    choices, made = played.choices, played.without_call
    return evaluator.evaluate(played.view, choices, made, played.heuristic_move, seed_of_move).loss.value


@lru_cache(maxsize=4)
def _workspace(thread: int) -> tuple[MoveEvaluator, rollout.RolloutScratch]:
    """The search and the scratch of a thread."""
    return MoveEvaluator(), new_rollout_scratch()
