"""Decisions of players who search, to learn from: what cards such players hold is told by what they do."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from lastcard.bots.desk import count_deck
from lastcard.bots.learned import thumb_weights
from lastcard.bots.search import Effort, SearchBot
from lastcard.engine.layout import DICE, MAX_ACTIONS, MAX_SEATS
from lastcard.learning.compiled.drills import Playouts, drill
from lastcard.learning.lessons import Source
from lastcard.mind.actor import ROOM, Rater
from lastcard.mind.memory import MEMORY
from lastcard.mind.sight import ACT, STATE
from lastcard.play.round import Round

_EFFORT: Final = Effort(rollouts=400, deals=128)
"""How hard the players think: as well as can be had for two milliseconds."""
_WANDER: Final = 1 / 16
"""How often any act is done, to see what is unusual."""
_TAKEN: Final = 1 / 2
"""How many decisions are taken."""
_ACTS: Final = 40
"""Decisions between more acts are left out."""
_LONGEST: Final = 300


class _Notebook:
    """What was learned of decisions so far, and room to look at the next.

    Args:
        tries: how often each act is played out.
        net: the learned player by which it is.
        source: where the decisions come from.
    """

    def __init__(self, tries: int, net: Any, source: Source) -> None:
        self._tries, self._weights = tries, thumb_weights(source.rules, source.players)
        self._rater = Rater(net, count_deck(source.rules), np.zeros(ROOM, np.float32), np.zeros(MAX_ACTIONS))
        self._choices = np.zeros(MAX_ACTIONS, np.int64)
        self._out = np.zeros(MAX_ACTIONS + DICE, np.int64)
        self.xs: list[Any] = []
        self.acts: list[Any] = []
        self.ys: list[Any] = []

    def take(self, table: Round, chance: int) -> None:
        """Write down the decision of the seat on turn, if the network is taught such ones."""
        tables = np.concatenate([table._tables, table._tables])
        tables["taping"] = 0
        words = np.frombuffer(bytearray(table.view(table.turn).past), np.int32)
        minds = np.zeros((2, MAX_SEATS, MEMORY), np.int64)
        xs, acts, ys = np.zeros(STATE, np.float32), np.zeros((_ACTS, ACT), np.float32), np.zeros(_ACTS, np.float32)
        playouts = Playouts(tables, minds, self._rater, self._weights, self._choices, self._out, self._tries)
        count = drill(playouts, words, chance, xs, acts, ys)
        if count:
            self.xs.append(xs.astype(np.float16))
            self.acts.append(acts[:count].astype(np.float16))
            self.ys.append(ys[:count])


def spar(decisions: int, tries: int, net: Any, judge: Any, source: Source) -> tuple[Any, Any, Any, Any]:
    """Decisions of rounds between players who search, each act played out by a learned player.

    Args:
        decisions: how many.
        tries: how often each act is played out.
        net: the learned player (``mind.actor``) by which it is.
        judge: the network (``mind.network``) that players ask at their horizon.
        source: where the rounds come from.

    Returns:
        What ``lessons.Drills`` holds.
    """
    rules, players, seed = source
    rng, book, number = np.random.default_rng(seed), _Notebook(tries, net, source), 0
    while len(book.xs) < decisions:
        number += 1
        table = Round.deal(rules, players, seed=seed * 1_000_000 + number)
        secrets = [bytes([seat + 1]) * 16 + number.to_bytes(16, "big") for seat in range(players)]
        bots = [SearchBot(secret, effort=_EFFORT, judge=lambda _: judge) for secret in secrets]
        for _ in range(_LONGEST):
            if table.over:
                break
            if rng.random() < _TAKEN:
                book.take(table, int(rng.integers(1 << 30)))
            seat = table.turn
            if rng.random() < _WANDER:
                moves = [move for move in table.legal() if move.verb not in ("uno", "catch")]
                table.do(seat, moves[int(rng.integers(len(moves)))])
            else:
                table.do(seat, bots[seat].choose(table.view(seat)))
    ends = np.cumsum([len(ys) for ys in book.ys[:decisions]])
    kept = [np.concatenate(part[:decisions]) for part in (book.acts, book.ys)]
    return np.array(book.xs[:decisions]), kept[0], ends, kept[1]
