"""OpenSpiel's door: the three games as Python games of pyspiel, with every event of chance a node of its own.

Importing this module makes ``pyspiel.load_game`` know ``python_lastcard_all_wild``, ``python_lastcard_classic`` and
``python_lastcard_wild_jackpot``. docs/envs/openspiel.md says what their parameters are.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, fields
from functools import cached_property
from typing import Any, Final

import numpy as np

from lastcard.envs.compiled.forks import CHANCE, ENDED
from lastcard.envs.openspiel.setting import Order, Setting, find_setting
from lastcard.envs.openspiel.spots import Spot, begin
from lastcard.envs.openspiel.words import past_text, private_text, public_text, spot_text
from lastcard.errors import UsageError
from lastcard.game.numbers import as_int
from lastcard.game.options import ALL_WILD_GAME, CLASSIC_GAME, WILD_JACKPOT_GAME
from lastcard.game.rulesets import MAX_PLAYERS, MIN_PLAYERS
from lastcard.rules.told import MOST_TOLD

try:
    import pyspiel
except ImportError:
    raise UsageError("this door needs OpenSpiel: install lastcard[openspiel], or pip install open_spiel") from None

RECENT: Final = 16
"""Acts that the information-state tensor has besides what may be known now, latest first."""

_DEFAULTS: Final[dict[str, Any]] = {each.name: each.default for each in fields(Order) if each.name != "game"}


def _describe(game: str, returns: str) -> Any:
    """What OpenSpiel wants to know of a game."""
    kinds, zero_sum = pyspiel.GameType, returns == "wins"
    return kinds(
        short_name=f"python_lastcard_{game.replace('-', '_')}",
        long_name=f"lastcard {game}",
        dynamics=kinds.Dynamics.SEQUENTIAL,
        chance_mode=kinds.ChanceMode.EXPLICIT_STOCHASTIC,
        information=kinds.Information.IMPERFECT_INFORMATION,
        utility=kinds.Utility.ZERO_SUM if zero_sum else kinds.Utility.GENERAL_SUM,
        reward_model=kinds.RewardModel.TERMINAL,
        max_num_players=MAX_PLAYERS,
        min_num_players=MIN_PLAYERS,
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=True,
        parameter_specification=_DEFAULTS,
    )


class Game(pyspiel.Game):  # type: ignore[misc]
    """A game of ours. Make one with ``pyspiel.load_game("python_lastcard_classic(players=4)")``.

    Args:
        params: as in ``openspiel_setting.Order``, but for the game.

    Raises:
        RulesError, NotationError, UsageError: for what does not exist; says what does.
    """

    played: str
    """The ruleset without options."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        own = self._find_setting(params or {})
        super().__init__(_describe(self.played, own.order.returns), _measure(own), _write(own.order))

    def _find_setting(self, params: dict[str, Any]) -> Setting:
        values = _DEFAULTS | params
        return find_setting(Order(self.played, **(values | {"rules": values["rules"].replace("=", ":")})))

    @cached_property
    def setting(self) -> Setting:
        """What is played; from what OpenSpiel keeps, for a game that was pickled has nothing else."""
        return self._find_setting(self.get_parameters())

    @cached_property
    def _first(self) -> Spot:
        return begin(self.setting)

    def max_chance_nodes_in_history(self) -> int:
        """More events of chance than any round has."""
        return len(self.setting.deck) + self.setting.order.longest * MOST_TOLD

    def new_initial_state(self) -> State:
        """The state before the deal."""
        return State(self, self._first)

    def make_py_observer(self, kind: Any = None, params: dict[str, Any] | None = None) -> Observer:
        """What players see, as numbers and as text.

        Raises:
            UsageError: for parameters, which there are none, or an observer who looks into all hands.
        """
        if params:
            raise UsageError(f"observers take no parameters, not {', '.join(params)}")
        return Observer(self.setting, kind or pyspiel.IIGObservationType(perfect_recall=False))


def _measure(own: Setting) -> Any:
    """How large a game is, and what can be won."""
    least, most = -1.0, 1.0
    if own.order.returns == "points":
        least, most = 0.0, max(1.0, own.most)
        if own.rules.options.scoring == "tally":
            least, most = -most, -least
    return pyspiel.GameInfo(
        num_distinct_actions=len(own.actions),
        max_chance_outcomes=len(own.outcomes),
        num_players=own.players,
        min_utility=least,
        max_utility=most,
        utility_sum=0.0 if own.order.returns == "wins" else None,
        max_game_length=own.order.longest,
    )


def _write(order: Order) -> dict[str, Any]:
    """The parameters that are not as they are left alone: they stand in the name of the game."""
    values = asdict(order)
    return {name: values[name] for name, default in _DEFAULTS.items() if values[name] != default}


class State(pyspiel.State):  # type: ignore[misc]
    """A state of a game, as OpenSpiel wants it.

    Args:
        game: whose state it is.
        spot: where in the round.
    """

    def __init__(self, game: Game, spot: Spot) -> None:
        super().__init__(game)
        self.spot = spot
        """Where in the round this state is; it has more to tell than OpenSpiel asks."""

    def current_player(self) -> int:
        """Who is to act: a seat, chance, or nobody any more."""
        return self.spot.seat

    def is_terminal(self) -> bool:
        """Whether the round is over, or was cut off."""
        return self.spot.seat == ENDED

    def is_chance_node(self) -> bool:
        """Whether chance is to act."""
        return self.spot.seat == CHANCE

    def legal_actions(self, player: int | None = None) -> list[int]:
        """What may be done, or may come, by number; nothing for a player who is not to act.

        OpenSpiel's own form asks half a dozen questions back before it answers this; so with the tensor.
        """
        seat = self.spot.seat
        return [] if seat == ENDED or player not in (None, seat) else self.spot.legal()

    def _legal_actions(self, player: int) -> list[int]:
        return self.spot.legal()

    def observation_tensor(self, player: int | None = None) -> list[float]:
        """What a seat knows now, as numbers about 0 to 1; see ``lastcard.envs.features``."""
        spot = self.spot
        row = spot.observe(spot.seat if player is None else player)
        numbers: list[float] = (row / spot.own.features.scale).tolist()
        return numbers

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """What chance can bring, and how likely it is."""
        return self.spot.outcomes()

    def _apply_action(self, action: int) -> None:
        self.spot = self.spot.step(action)

    def _action_to_string(self, player: int, action: int) -> str:
        own = self.spot.own
        return own.outcomes[action] if player == CHANCE else own.actions.names[action]

    def returns(self) -> list[float]:
        """What the round gives each seat."""
        return self.spot.pay()

    def __str__(self) -> str:
        return spot_text(self.spot)

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> State:
        """A state that the seat to act cannot tell from this one; its history stays this one's.

        Raises:
            UsageError: for a seat that is not to act.
        """
        if as_int("a seat", player) != self.spot.seat:
            raise UsageError(f"only the seat that is to act can be sampled for, not seat {player}")
        twin: State = self.clone()
        twin.spot = self.spot.imagine(int(sampler() * 2**32))
        return twin


class Observer:
    """What players see of a state, as OpenSpiel asks for it.

    Args:
        own: the setting.
        kind: whether all that was ever seen counts or only what is known now, and whether what lies open, what only
            one seat knows, or both.
    """

    def __init__(self, own: Setting, kind: Any) -> None:
        privates = pyspiel.PrivateInfoType
        if kind.private_info == privates.ALL_PLAYERS:
            raise UsageError("an observer sees what one seat knows, or what lies open, not all hands")
        self._public, self._private = kind.public_info, kind.private_info == privates.SINGLE_PLAYER
        self._recalls = kind.perfect_recall
        self.dict: dict[str, Any] = {}
        """The parts of ``tensor`` by name."""
        self.tensor: Any = None
        """float32; None where only text is given: for what lies open, or what one seat knows, alone."""
        if self._public and self._private:
            size, acts = own.features.size, own.players + len(own.actions)
            self.tensor = np.zeros(size + (RECENT * acts if self._recalls else 0), np.float32)
            self.dict["observation"] = self.tensor[:size]
            if self._recalls:
                self.dict["recent"] = self.tensor[size:].reshape(RECENT, acts)

    def set_from(self, state: State, player: int) -> None:
        """Write what a seat knows into ``tensor``."""
        spot = state.spot
        if self.tensor is None:
            return
        np.divide(spot.observe(player), spot.own.features.scale, out=self.dict["observation"])
        if self._recalls:
            spot.recall(player, self.dict["recent"])

    def string_from(self, state: State, player: int) -> str:
        """What a seat knows, as text."""
        spot = state.spot
        words = [private_text(spot, player)] if self._private else []
        if self._public and self._recalls:
            words.append(past_text(spot.seen(player if self._private else None)))
        elif self._public:
            words.append(public_text(spot))
        return "; ".join(words)


# A class each, because what OpenSpiel makes games with must outlive the interpreter.


class AllWild(Game):
    """UNO All Wild."""

    played = ALL_WILD_GAME


class Classic(Game):
    """Classic UNO."""

    played = CLASSIC_GAME


class WildJackpot(Game):
    """UNO Wild Jackpot."""

    played = WILD_JACKPOT_GAME


for _kind in (AllWild, Classic, WildJackpot):
    pyspiel.register_game(_describe(_kind.played, "wins"), _kind)
