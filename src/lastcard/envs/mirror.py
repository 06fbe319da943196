"""Python rounds that follow the rounds of a batch, for bots that need a view."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lastcard.bots.base import Bot
from lastcard.bots.own_bots import submit_move
from lastcard.envs.batch import Batch
from lastcard.match.round import Round


class MirrorRounds:
    """A ``Round`` for every round of a batch, with the same deal and the same moves."""

    def __init__(self, batch: Batch) -> None:
        self._batch = batch
        self._rounds: list[Round | None] = [None] * batch.count
        self._dealt: list[tuple[bytes, int]] = [(b"", -1)] * batch.count

    def round(self, i: int) -> Round:
        """The round at a table in its current state."""
        number, dealer, key = self._batch.get_deal(i)
        mirrored = self._rounds[i]
        if mirrored is None or self._dealt[i] != (key, number):
            config = self._batch.config
            mirrored = Round.deal(config.ruleset, config.players, seed=key, dealer=dealer, number=number)
            self._rounds[i], self._dealt[i] = mirrored, (key, number)
        return mirrored

    def discard(self, indices: Any) -> None:
        """Have the rounds at some tables (int64 indices) dealt anew, since a repeated seed repeats its deals."""
        for i in indices.tolist():
            self._rounds[i] = None

    def step(self, actions: Any, masked: bool = False) -> None:
        """Make the same moves at the tables and in their rounds; see ``Batch.step``."""
        batch = self._batch
        batch.check_actions(actions, masked)
        players_to_act, is_done, players = batch.current_player.tolist(), batch.is_done.tolist(), batch.config.players
        for i, number in enumerate(actions.tolist()):
            if number >= 0 and not is_done[i]:
                move = batch.action_space.decode(number, players_to_act[i], players)
                if move is not None:
                    self.round(i).do(players_to_act[i], move)
        batch.step(actions, masked)

    def choose_action(self, i: int, bots: Mapping[int, Bot]) -> int:
        """The action id of a bot's move at a table.

        Raises:
            IllegalMove, NotationError: if the move is not legal, or none on the bot's turn; names the bot and its seat.
        """
        batch = self._batch
        seat = int(batch.current_player[i])
        round_, bot = self.round(i), bots[seat]
        view = round_.view(seat)
        is_reaction = bool(batch.is_reaction[i])
        move = bot.react(view) if is_reaction else bot.choose(view)
        if move is not None or not is_reaction:
            submit_move(round_.verify, round_.legal, bot, seat, move)
        return batch.action_space.encode(move, seat, batch.config.players)
