"""Positions and decisions to learn from, made by play: as arrays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import numpy as np

from lastcard.ai.actor import ROOM, Rater
from lastcard.ai.memory import MEMORY
from lastcard.ai.network import FEATURES
from lastcard.ai.sight import ACT, STATE
from lastcard.bots.desk import count_deck
from lastcard.bots.learned import thumb_weights
from lastcard.errors import UsageError, suggest
from lastcard.match.round import Round
from lastcard.rules.layout import DICE, MAX_ACTIONS, MAX_SEATS
from lastcard.training.compiled.drills import Decisions, Playouts, make_drills
from lastcard.training.compiled.lessons import Positions, make_lessons

MOST_SEED: Final = 1 << 40
"""With millions of numbers for each seed, all fit into 64 bits."""
_SEATS: Final = (2, 2, 2, 2, 3, 4, 4, 6, 8, 10)
_HOUSE: Final = {
    "all-wild": "",
    "classic": "+stacking=cross+seven_zero",
    "wild-jackpot": "+stacking=cross+seven_zero",
}
PARTS: Final = {
    game: tuple((game + (house if number in (3, 6) else ""), players) for number, players in enumerate(_SEATS))
    for game, house in _HOUSE.items()
}
"""Of each game the rules and the seats of the tables that examples come from, each for as many."""

_PLIES_A_SEAT: Final = 22
_REPEATS: Final = 4
_ACTS: Final = 12
"""Room for so many acts a decision, in the mean."""


class Source(NamedTuple):
    """A table that examples come from."""

    rules: str
    """A ruleset by name."""
    players: int
    """Seats at the table."""
    seed: int
    """Of all chance."""


def check_game(game: str) -> None:
    """See that something can be learned of a game.

    Raises:
        UsageError: for any other name; lists those there are.
    """
    if game not in PARTS:
        raise UsageError(f"there is no game {game!r}; there are {', '.join(PARTS)}{suggest(game, PARTS)}")


def lessons(positions: int, source: Source) -> tuple[Any, Any]:
    """Positions of a game and how often the seat that looks at each won from there.

    Args:
        positions: how many.
        source: where they come from.

    Returns:
        float16 of shape (positions, FEATURES), and float32 shares from 0 to 1.
    """
    xs, ys = np.zeros((positions, FEATURES), np.float32), np.zeros(positions, np.float32)
    out = np.concatenate([np.zeros(MAX_ACTIONS, np.int64), new_dice(source)])
    found = Positions(xs, ys, _PLIES_A_SEAT * source.players, _REPEATS)
    make_lessons(new_tables(source), 0, thumb_weights(source.rules, source.players), out, found)
    return xs.astype(np.float16), ys


@dataclass(frozen=True, slots=True)
class Drills:
    """Decisions, and what became of each act.

    Args:
        xs: float16 of shape (decisions, STATE).
        acts: float16 of shape (rows, ACT), the acts of all decisions.
        ends: int64 of shape (decisions,), the row behind the last act of each.
        ys: float32 of shape (rows,), shares of rounds won.
    """

    xs: Any
    acts: Any
    ends: Any
    ys: Any

    @classmethod
    def join(cls, parts: Sequence[Sequence[Any]]) -> Drills:
        """Several as one; each a sequence of the four arrays."""
        xs, acts, ends, ys = zip(*parts, strict=True)
        before = np.cumsum([0, *(len(part) for part in ys)])
        shifted = [part + at for part, at in zip(ends, before, strict=False)]
        return cls(np.concatenate(xs), np.concatenate(acts), np.concatenate(shifted), np.concatenate(ys))

    def find(self, at: Any) -> tuple[Any, Any]:
        """The rows of all acts of some decisions, and which of ``at`` each belongs to, in the order of ``at``.

        Args:
            at: numbers of decisions.
        """
        begins = np.where(at > 0, self.ends[at - 1], 0)
        counts = self.ends[at] - begins
        decision = np.repeat(np.arange(len(at)), counts)
        row = np.arange(counts.sum()) + np.repeat(begins - np.concatenate([[0], np.cumsum(counts)[:-1]]), counts)
        return row, decision

    def rows(self, at: Any) -> tuple[Any, Any, Any]:
        """All acts of some decisions.

        Args:
            at: numbers of decisions.

        Returns:
            float32 inputs of each act, its share, and which of ``at`` it belongs to.
        """
        row, decision = self.find(at)
        inputs = np.concatenate([self.xs[at][decision], self.acts[row]], axis=1)
        return inputs.astype(np.float32), self.ys[row], decision


def drills(decisions: int, tries: int, net: Any, source: Source) -> tuple[Any, Any, Any, Any]:
    """Decisions of a game, and how often each act won from there.

    Args:
        decisions: how many.
        tries: how often each act is played out.
        net: the learned player (``mind.actor``) by which all play, or an empty array for by rules of thumb.
        source: where they come from.

    Returns:
        What ``Drills`` holds.
    """
    rows = decisions * _ACTS
    xs, ends = np.zeros((decisions, STATE), np.float32), np.zeros(decisions, np.int64)
    acts, ys = np.zeros((rows, ACT), np.float32), np.zeros(rows, np.float32)
    playouts = Playouts(
        new_tables(source),
        np.zeros((2, MAX_SEATS, MEMORY), np.int64),
        # Parameters that are read only would be compiled for anew.
        Rater(np.array(net), count_deck(source.rules), np.zeros(ROOM, np.float32), np.zeros(MAX_ACTIONS)),
        thumb_weights(source.rules, source.players),
        np.zeros(MAX_ACTIONS, np.int64),
        np.zeros(MAX_ACTIONS + DICE, np.int64),
        tries,
    )
    made = make_drills(playouts, 0, new_dice(source), Decisions(xs, acts, ends, ys))
    last = ends[made - 1]
    return xs[:made].astype(np.float16), acts[:last].astype(np.float16), ends[:made], ys[:last]


def new_tables(source: Source) -> Any:
    """Two tables, both of them dealt."""
    return Round.deal(source.rules, source.players, seed=source.seed).states(2)


def new_dice(source: Source) -> Any:
    """Dice of all its chance."""
    return np.array([source.seed & 0xFFFFFFFF, source.players, 3, 4], np.int64)
