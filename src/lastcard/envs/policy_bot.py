"""A saved policy as a bot: ``policy:FILE`` in the arena, on the command line and at tables of a server."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from lastcard.ai.behavior import ENDLESS_TURNS, count_turns
from lastcard.bots.base import ATTENTIVE, Behavior, Dice, SeededBot
from lastcard.envs.batch_policies import NetworkPolicy, load_policy
from lastcard.envs.features import features
from lastcard.errors import UsageError

if TYPE_CHECKING:
    from lastcard.game.moves import Move
    from lastcard.match.view import View

_load = cache(load_policy)


class PolicyBot(SeededBot):
    """Plays the best-rated move of a policy; it calls, catches and jumps in as its behavior says.

    A policy may prefer drawing to everything else, so that its rounds would not end. After ENDLESS_TURNS turns in a
    round it lays a card whenever it can.

    Args:
        seed, behavior: see ``SeededBot``.
        settings: path of a file of ``NetworkPolicy.save``.

    Raises:
        UsageError: if there is no policy in that file; when it chooses, for a game or a number of players for which
            the policy was not trained.
    """

    name = "policy"

    def __init__(self, seed: bytes = b"", behavior: Behavior = ATTENTIVE, settings: str = "") -> None:
        super().__init__(seed, behavior)
        if not settings:
            raise UsageError("policy needs a file, as in policy:policy.npz")
        self._policy: NetworkPolicy = _load(settings)

    def pick(self, view: View, moves: Sequence[Move], dice: Dice) -> Move:
        """The move with the highest rating, on this seat's turn."""
        trained, layout = self._policy.features, features(view.rules, view.players)
        if (layout.rules.game, layout.players) != (trained.rules.game, trained.players):
            raise UsageError(
                f"the policy was trained for {trained.players} players of {trained.rules}, not for {view.players} of"
                f" {view.rules}"
            )
        seat = view.seat
        assert seat is not None  # a bot has one
        row = layout.observe(view)
        row[layout.changing_size :] = trained.options  # it has seen no others
        ratings = self._policy.rate(row[np.newaxis])[0]
        if _has_endless_turns(view, seat):
            moves = [move for move in moves if move.verb == "play"] or moves
        ids = [trained.action_space.encode(move, seat, view.players) for move in moves]
        return moves[int(ratings[ids].argmax())]


def _has_endless_turns(view: View, seat: int) -> bool:
    """Whether a seat has had more than ENDLESS_TURNS turns in this round."""
    words = np.frombuffer(view.history, np.int32)
    # Each turn takes a word or more: most histories are too short to count in.
    return words.size > ENDLESS_TURNS and count_turns(words, seat) >> 1 > ENDLESS_TURNS
