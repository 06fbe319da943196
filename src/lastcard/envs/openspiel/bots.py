"""Our bots at OpenSpiel's tables: as its policies, whose exploitability it can measure, and as its players."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pyspiel
from open_spiel.python import policy

from lastcard.bots.base import Bot
from lastcard.envs.openspiel.games import Game, State
from lastcard.errors import UsageError


def ask(bot: Bot, state: State) -> int:
    """The number of what a bot does.

    Args:
        bot: any of ours; it gets a view of the seat that is to act.
        state: of our games, where a seat is to act.

    Raises:
        UsageError: where no seat is to act.
    """
    spot = state.spot
    if spot.seat < 0:
        raise UsageError("a bot is asked where a seat is to act")
    view = spot.round().view(spot.seat)
    move = bot.react(view) if spot.reacts else bot.choose(view)
    return spot.own.actions.encode(move, spot.seat, spot.own.players)


class BotPolicy(policy.Policy):  # type: ignore[misc]
    """Bots as a policy: in every information state the one thing they do there.

    Args:
        game: one of ours.
        bots: by seat; what they do must follow from what they see, as with all bots of ``lastcard.bots``.

    Raises:
        UsageError: for too many or too few bots.
    """

    def __init__(self, game: Game, bots: Sequence[Bot]) -> None:
        super().__init__(game, list(range(game.num_players())))
        if len(bots) != game.num_players():
            raise UsageError(f"{len(bots)} bots are given for {game.num_players()} seats")
        self._bots = tuple(bots)
        self._done: dict[str, int] = {}

    def action_probabilities(self, state: State, player_id: int | None = None) -> dict[int, float]:
        """What is done in a state, with probability 1.

        Args:
            state: where a seat is to act.
            player_id: that seat, if given at all.
        """
        seat = state.spot.seat
        seen = state.information_state_string(seat)
        if seen not in self._done:
            self._done[seen] = ask(self._bots[seat], state)
        return {self._done[seen]: 1.0}


class SeatBot(pyspiel.Bot):  # type: ignore[misc]
    """A bot as one of OpenSpiel's players, for ``pyspiel.evaluate_bots`` and the like.

    Args:
        bot: any of ours.
    """

    def __init__(self, bot: Bot) -> None:
        super().__init__()
        self._bot = bot

    def step(self, state: Any) -> int:
        """The number of what the bot does in a state."""
        return ask(self._bot, state)

    def restart_at(self, state: Any) -> None:
        """Begin another round; a bot keeps nothing in mind that the state does not say."""
