"""Decisions of players who search, to learn from: what cards such players hold is told by what they do."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np

from lastcard.ai.actor import ROOM, Rater
from lastcard.ai.memory import MEMORY
from lastcard.ai.sight import ACT, STATE
from lastcard.bots.desk import count_deck
from lastcard.bots.learned import thumb_weights
from lastcard.bots.search import Effort, SearchBot
from lastcard.match.round import Round
from lastcard.rules.layout import DICE, MAX_ACTIONS, MAX_SEATS
from lastcard.training.compiled.drills import Playouts, drill
from lastcard.training.lessons import Source

_EFFORT: Final = Effort(rollouts=400, deals=128)
"""How hard the players think, unless told: as well as can be had for two milliseconds."""
_WANDER: Final = 1 / 16
"""How often any act is done, to see what is unusual."""
_TAKEN: Final = 1 / 2
"""How many decisions are taken."""
_ACTS: Final = 40
"""Decisions between more acts are left out."""
_LONGEST: Final = 300


class Drilled(NamedTuple):
    """A decision that was looked at."""

    x: Any
    """float32[STATE]: what the network sees of it."""
    acts: Any
    """float32[n, ACT]: and of each act."""
    actions: tuple[int, ...]
    """The acts, as integers."""
    won: Any
    """float32[n]: the share of rounds that the seat on turn wins after each."""


class Driller:
    """Plays out every act of decisions, with all hands as they are.

    Args:
        rules: a ruleset by name.
        players: how many.
        net: the learned player by which all play on; empty for rules of thumb.
    """

    def __init__(self, rules: str, players: int, net: Any) -> None:
        self._weights = thumb_weights(rules, players)
        self._rater = Rater(net, count_deck(rules), np.zeros(ROOM, np.float32), np.zeros(MAX_ACTIONS))
        self._choices = np.zeros(MAX_ACTIONS, np.int64)
        self._out = np.zeros(MAX_ACTIONS + DICE, np.int64)

    def drill(self, table: Round, tries: int, seed: int) -> Drilled | None:
        """Look at the decision of the seat on turn; None where there is none that the network is taught.

        Args:
            table: with all hands.
            tries: how often each act is played out.
            seed: of the luck, 0 to 2**30 - 1.
        """
        words = np.frombuffer(bytearray(table.view(table.turn).past), np.int32)
        minds = np.zeros((2, MAX_SEATS, MEMORY), np.int64)
        x, acts, won = np.zeros(STATE, np.float32), np.zeros((_ACTS, ACT), np.float32), np.zeros(_ACTS, np.float32)
        playouts = Playouts(table.states(2), minds, self._rater, self._weights, self._choices, self._out, tries)
        count = drill(playouts, words, seed, x, acts, won)
        return Drilled(x, acts[:count], tuple(map(int, self._choices[:count])), won[:count]) if count else None


def spar(
    decisions: int, tries: int, net: Any, judge: Any, source: Source, effort: Effort = _EFFORT
) -> tuple[Any, Any, Any, Any]:
    """Decisions of rounds between players who search, each act played out by a learned player.

    Args:
        decisions: how many.
        tries: how often each act is played out.
        net: the learned player (``mind.actor``) by which it is.
        judge: the network (``mind.network``) that players ask at their horizon.
        source: where the rounds come from.
        effort: how hard the players think.

    Returns:
        What ``lessons.Drills`` holds.
    """
    rules, players, seed = source
    rng, driller, number = np.random.default_rng(seed), Driller(rules, players, net), 0
    drilled: list[Drilled] = []
    while len(drilled) < decisions:
        number += 1
        table = Round.deal(rules, players, seed=seed * 1_000_000 + number)
        secrets = [bytes([seat + 1]) * 16 + number.to_bytes(16, "big") for seat in range(players)]
        bots = [SearchBot(secret, effort=effort, judge=lambda _: judge) for secret in secrets]
        for _ in range(_LONGEST):
            if table.over:
                break
            if rng.random() < _TAKEN:
                found = driller.drill(table, tries, int(rng.integers(1 << 30)))
                drilled += [found] if found else []
            seat = table.turn
            if rng.random() < _WANDER:
                moves = [move for move in table.legal() if move.verb not in ("uno", "catch")]
                table.do(seat, moves[int(rng.integers(len(moves)))])
            else:
                table.do(seat, bots[seat].choose(table.view(seat)))
    kept = drilled[:decisions]
    xs = np.array([one.x.astype(np.float16) for one in kept])
    acts = np.concatenate([one.acts.astype(np.float16) for one in kept])
    return xs, acts, np.cumsum([len(one.won) for one in kept]), np.concatenate([one.won for one in kept])
