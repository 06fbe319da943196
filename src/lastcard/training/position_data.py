"""Positions and decisions for training, made by play, as arrays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import numpy as np

from lastcard.ai.opponent_memory import MEMORY_COLUMNS
from lastcard.ai.policy_features import ACTION, STATE
from lastcard.ai.policy_net import SCRATCH, Rater
from lastcard.ai.value_net import FEATURES
from lastcard.bots.weights import heuristic_weights
from lastcard.bots.workspace import count_deck
from lastcard.errors import UsageError, suggest
from lastcard.match.round import Round
from lastcard.rules.layout import DICE, MAX_ACTIONS, MAX_SEATS
from lastcard.training.compiled.position_data import Positions, fill_positions
from lastcard.training.compiled.rollout_targets import Decisions, RolloutSetup, fill_decisions

MAX_SEED: Final = 1 << 40
"""Largest seed: with millions of numbers for each seed, all fit into 64 bits."""
_SEATS: Final = (2, 2, 2, 2, 3, 4, 4, 6, 8, 10)
_HOUSE_RULES: Final = {
    "all-wild": "",
    "classic": "+stacking=cross+seven_zero",
    "wild-jackpot": "+stacking=cross+seven_zero",
}
DATA_SOURCES: Final = {
    game: tuple((game + (suffix if number in (3, 6) else ""), players) for number, players in enumerate(_SEATS))
    for game, suffix in _HOUSE_RULES.items()
}
"""The rulesets and numbers of seats of each game's tables, which give equal shares of the examples."""

_PLIES_PER_SEAT: Final = 22
_ROLLOUTS: Final = 4
_ACTIONS_PER_DECISION: Final = 12
"""Array space for moves, as their mean number in a decision."""


class DataSource(NamedTuple):
    """A table that gives examples."""

    rules: str
    """Name of the ruleset."""
    players: int
    """Number of seats."""
    seed: int
    """Seed of all chance."""


def check_game(game: str) -> None:
    """Check that networks can be trained for a game; raises a UsageError that lists the games for any other name."""
    if game not in DATA_SOURCES:
        raise UsageError(f"there is no game {game!r}; there are {', '.join(DATA_SOURCES)}{suggest(game, DATA_SOURCES)}")


def make_positions(positions: int, source: DataSource) -> tuple[Any, Any]:
    """Positions of a game, float16[n, FEATURES], and the share of rounds that its seat won from each, float32[n]."""
    xs, ys = np.zeros((positions, FEATURES), np.float32), np.zeros(positions, np.float32)
    out = np.concatenate([np.zeros(MAX_ACTIONS, np.int64), new_dice(source)])
    found = Positions(xs, ys, _PLIES_PER_SEAT * source.players, _ROLLOUTS)
    fill_positions(new_states(source), 0, heuristic_weights(source.rules, source.players), out, found)
    return xs.astype(np.float16), ys


@dataclass(frozen=True, slots=True)
class DecisionData:
    """Decisions, and the outcomes of their moves."""

    xs: Any
    """float16 of shape (decisions, STATE)."""
    action_inputs: Any
    """float16 of shape (rows, ACTION), the moves of all decisions."""
    ends: Any
    """int64 of shape (decisions,), the row behind the last move of each."""
    ys: Any
    """float32 of shape (rows,), shares of rounds won."""

    @classmethod
    def join(cls, parts: Sequence[Sequence[Any]]) -> DecisionData:
        """The concatenation of several parts, each a sequence of the four arrays."""
        xs, action_inputs, ends, ys = zip(*parts, strict=True)
        before = np.cumsum([0, *(len(part) for part in ys)])
        shifted = [part + at for part, at in zip(ends, before, strict=False)]
        return cls(np.concatenate(xs), np.concatenate(action_inputs), np.concatenate(shifted), np.concatenate(ys))

    def find_rows(self, at: Any) -> tuple[Any, Any]:
        """The rows of the moves of decisions with indices ``at``, in that order, and the index into ``at`` of each."""
        begins = np.where(at > 0, self.ends[at - 1], 0)
        counts = self.ends[at] - begins
        decision = np.repeat(np.arange(len(at)), counts)
        row = np.arange(counts.sum()) + np.repeat(begins - np.concatenate([[0], np.cumsum(counts)[:-1]]), counts)
        return row, decision

    def rows(self, at: Any) -> tuple[Any, Any, Any]:
        """The moves of the decisions with indices ``at``: float32 inputs, share, and index into ``at`` of each."""
        row, decision = self.find_rows(at)
        inputs = np.concatenate([self.xs[at][decision], self.action_inputs[row]], axis=1)
        return inputs.astype(np.float32), self.ys[row], decision


def make_decisions(decisions: int, rollouts: int, net: Any, source: DataSource) -> tuple[Any, Any, Any, Any]:
    """Decisions of a game, and how often each move won in rollouts from there: the arrays of ``DecisionData``.

    All play by a policy net (``ai.policy_net``), or by rules of thumb if it is an empty array.
    """
    rows = decisions * _ACTIONS_PER_DECISION
    xs, ends = np.zeros((decisions, STATE), np.float32), np.zeros(decisions, np.int64)
    action_inputs, ys = np.zeros((rows, ACTION), np.float32), np.zeros(rows, np.float32)
    playouts = RolloutSetup(
        new_states(source),
        np.zeros((2, MAX_SEATS, MEMORY_COLUMNS), np.int64),
        new_rater(net, source.rules),
        heuristic_weights(source.rules, source.players),
        np.zeros(MAX_ACTIONS, np.int64),
        np.zeros(MAX_ACTIONS + DICE, np.int64),
        rollouts,
    )
    made = fill_decisions(playouts, 0, new_dice(source), Decisions(xs, action_inputs, ends, ys))
    last = ends[made - 1]
    return xs[:made].astype(np.float16), action_inputs[:last].astype(np.float16), ends[:made], ys[:last]


def new_rater(net: Any, rules: str) -> Rater:
    """Returns a copy of a policy net with its scratch, for a ruleset; without parameters all play by rules of thumb."""
    # Read-only parameters would be compiled separately.
    return Rater(np.array(net), count_deck(rules), np.zeros(SCRATCH, np.float32), np.zeros(MAX_ACTIONS))


def new_states(source: DataSource) -> Any:
    """Returns two dealt round states."""
    return Round.deal(source.rules, source.players, seed=source.seed).states(2)


def new_dice(source: DataSource) -> Any:
    """Returns the dice for all chance of a data source."""
    return np.array([source.seed & 0xFFFFFFFF, source.players, 3, 4], np.int64)
