"""lastcard's bots in OpenSpiel: as policies, whose exploitability it can measure, and as its bots."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pyspiel
from open_spiel.python import policy

from lastcard.bots.base import Bot
from lastcard.envs.openspiel.games import Game, State
from lastcard.errors import UsageError


def choose_action(bot: Bot, state: State) -> int:
    """The action id of a bot's move for the seat to move, from its view; raises a UsageError if no seat is to move."""
    game_state = state.game_state
    if game_state.current_player < 0:
        raise UsageError("a bot is asked where a seat is to act")
    view = game_state.make_round().view(game_state.current_player)
    move = bot.react(view) if game_state.is_reaction else bot.choose(view)
    return game_state.config.action_space.encode(move, game_state.current_player, game_state.config.players)


class BotPolicy(policy.Policy):  # type: ignore[misc]
    """A bot for every seat (else a UsageError) as a deterministic policy; moves must depend on views only."""

    def __init__(self, game: Game, bots: Sequence[Bot]) -> None:
        super().__init__(game, list(range(game.num_players())))
        if len(bots) != game.num_players():
            raise UsageError(f"{len(bots)} bots are given for {game.num_players()} seats")
        self._bots = tuple(bots)
        self._actions: dict[str, int] = {}

    def action_probabilities(self, state: State, player_id: int | None = None) -> dict[int, float]:
        """The bot's action id with probability 1."""
        seat = state.game_state.current_player
        information_state = state.information_state_string(seat)
        if information_state not in self._actions:
            self._actions[information_state] = choose_action(self._bots[seat], state)
        return {self._actions[information_state]: 1.0}


class OpenSpielBot(pyspiel.Bot):  # type: ignore[misc]
    """A bot of lastcard as an OpenSpiel bot, for ``pyspiel.evaluate_bots`` and the like."""

    def __init__(self, bot: Bot) -> None:
        super().__init__()
        self._bot = bot

    def step(self, state: Any) -> int:
        """The action id of the bot's move in a state."""
        return choose_action(self._bot, state)

    def restart_at(self, state: Any) -> None:
        """Begin another round; a bot has no memory beyond the state."""
