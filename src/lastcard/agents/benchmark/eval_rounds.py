"""A deal of the suite in every seat: played, measured, and written as records."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from pathlib import Path
from threading import get_ident
from typing import Any, Final

from msgspec import Struct

from lastcard.agents.benchmark.eval_agents import Agent, answer_questions
from lastcard.agents.benchmark.eval_suite import Cell
from lastcard.agents.benchmark.model_client import Reply
from lastcard.agents.text_round import TextRound
from lastcard.ai import round_analysis
from lastcard.analysis.chances import WinChances, new_rollout_scratch
from lastcard.analysis.replayed_round import ReplayedRound, replay_round
from lastcard.bots.evaluation import MoveEvaluator
from lastcard.errors import wrap_os_errors
from lastcard.formats.record_files import write_record
from lastcard.game.seeds import parse_seed

RECORDS: Final = "matches"
"""Folder of the records."""
_ROLLOUTS: Final = 2
"""Number of rollouts from each state: the kind of a decision does not depend on them."""


class RoundFigures(Struct, frozen=True, kw_only=True):
    """What the agent did in a round."""

    won: float
    """Part of the round that it won: 1 or 0, an equal part if nobody did."""
    luck: float
    """Its luck, in rounds won."""
    decisions: int
    """Number of decisions that it was asked for."""
    judged: int
    """Number of moves with a choice, other than calls and catches."""
    lost: dict[str, float]
    """Chances lost by those, by kind (``ai.round_analysis.TOPICS``)."""
    illegal: dict[str, int]
    """Number of refused answers by clause, or ``unreadable``."""
    fallbacks: int
    """Number of decisions made for it."""
    missed_calls: int
    false_calls: int
    answers: int = 0
    """Number of answers of a model."""
    tokens_in: int | None = None
    """Number of tokens of all questions; None if they are not counted."""
    tokens_out: int | None = None
    seconds: float = 0.0
    """Time that the agent took, in seconds."""


class DealFigures(Struct, frozen=True):
    """A deal at one kind of table, with the agent in every seat."""

    cell: int
    """Index in ``eval_suite.CELLS``."""
    deal: int
    rounds: tuple[RoundFigures, ...]
    """By the seat of the agent."""


def play_deal(agent: Agent, cell: Cell, deal: int, folder: Path) -> tuple[RoundFigures, ...]:
    """Play a deal with the agent in every seat; returns the figures by seat, and writes the records to a folder.

    Raises:
        PlayerError: if the agent cannot be asked.
        UsageError: if a record cannot be written.
    """
    return tuple(_play_round(agent, cell, deal, seat, folder) for seat in range(cell.players))


def _play_round(agent: Agent, cell: Cell, deal: int, seat: int, folder: Path) -> RoundFigures:
    seed, replies = cell.seed(deal), list[Reply]()
    with agent.open_bot() as bot:
        bots = [bot if each == seat else cell.opponent for each in range(cell.players)]
        table = TextRound(cell.rules, bots, seed, max_tries=agent.max_tries, needs_model=agent.ask is not None)
        if agent.ask is not None:
            replies = answer_questions(table, agent.ask)
    path = folder / RECORDS / f"{cell}-{deal:04}-seat{seat}.toml"
    with wrap_os_errors(path, "cannot be written"):
        write_record(path, table.match.record())
    counts, lost = table.counts[seat], _measure_losses(table, seat, parse_seed(seed))
    return RoundFigures(
        won=table.rewards()[seat],
        luck=table.luck()[seat],
        decisions=counts.decisions,
        judged=sum(count for count, _ in lost.values()),
        lost={kind: round(loss, 6) for kind, (_, loss) in lost.items()},
        illegal=dict(+counts.illegal),
        fallbacks=counts.fallbacks,
        missed_calls=counts.missed_calls,
        false_calls=counts.false_calls,
        answers=len(replies),
        tokens_in=_add_up([reply.tokens_in for reply in replies]),
        tokens_out=_add_up([reply.tokens_out for reply in replies]),
        seconds=round(counts.seconds + sum(reply.seconds for reply in replies), 3),
    )


def _add_up(counts: list[int | None]) -> int | None:
    known = [count for count in counts if count is not None]
    return sum(known) if known and len(known) == len(counts) else None


def _measure_losses(table: TextRound, seat: int, seed: bytes) -> dict[str, tuple[int, float]]:
    """Returns the number of a seat's decisions of each kind, and the chances that they lost."""
    dealt = table.deal()
    replayed = replay_round(dealt, table.moves(), dealt.do, views_of=[seat])
    judged = {i: played for i, played in enumerate(replayed.moves) if played.view is not None and played.seat == seat}
    evaluator, scratch = _workspace(get_ident())
    evaluations = {
        i: evaluator.evaluate(
            played.view, played.choices, played.without_call, played.heuristic_move, replayed.derive_seed(seed, i + 1)
        )
        for i, played in judged.items()
        if played.view is not None
    }
    kinds = _name_kinds(replayed, evaluations, scratch)
    found: dict[str, tuple[int, float]] = {}
    for i, evaluation in evaluations.items():
        count, loss = found.get(kinds[i], (0, 0.0))
        found[kinds[i]] = count + 1, loss + evaluation.loss.value
    return found


def _name_kinds(replayed: ReplayedRound, evaluations: dict[int, Any], scratch: Any) -> dict[int, str]:
    """Returns the kind of each decision: the difference between the move made and the best."""
    chances = WinChances(replayed, _ROLLOUTS)
    for first in chances.parts():
        chances.run_part(first, 0, scratch)
    chances.attribute(evaluations)
    return {i: round_analysis.TOPICS[replayed.plies[i]["topic"]] for i in evaluations}


@lru_cache(maxsize=4)
def _workspace(thread: int) -> tuple[MoveEvaluator, Any]:
    """The search and the scratch of a thread."""
    return MoveEvaluator(), new_rollout_scratch()


def sum_counts(parts: list[dict[str, int]]) -> dict[str, int]:
    """Returns the sums of counts by name, the largest first."""
    return dict(sum(map(Counter, parts), Counter[str]()).most_common())
