"""The OpenSpiel environment: three games in pyspiel, with a chance node for every chance event.

Importing this module registers ``python_lastcard_all_wild``, ``python_lastcard_classic`` and
``python_lastcard_wild_jackpot`` with ``pyspiel.load_game``. docs/envs/openspiel.md describes their parameters.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, fields
from functools import cached_property
from typing import Any, Final

import numpy as np

from lastcard.envs.batch import describe
from lastcard.envs.compiled.tree import CHANCE, TERMINAL
from lastcard.envs.openspiel.config import GameConfig, GameParameters, load_config
from lastcard.envs.openspiel.game_state import GameState, make_initial_state
from lastcard.envs.openspiel.state_text import history_text, private_text, public_text, state_text
from lastcard.errors import UsageError
from lastcard.game.numbers import require_int
from lastcard.game.options import ALL_WILD_GAME, CLASSIC_GAME, WILD_JACKPOT_GAME
from lastcard.game.rulesets import MAX_PLAYERS, MIN_PLAYERS
from lastcard.rules.forced_chance import MAX_FORCED

try:
    import pyspiel
except ImportError:
    raise UsageError("this adapter needs OpenSpiel: install lastcard[openspiel], or pip install open_spiel") from None

_DEFAULTS: Final[dict[str, Any]] = {each.name: each.default for each in fields(GameParameters) if each.name != "game"}


def _game_type(game: str, returns: str) -> Any:
    """The game type that OpenSpiel asks for."""
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
    """A game of lastcard. Make one with ``pyspiel.load_game("python_lastcard_classic(players=4)")``.

    Args:
        params: fields of ``config.GameParameters`` except the game.

    Raises:
        RulesError, NotationError, UsageError: for unknown values; lists the known ones.
    """

    game_name: str
    """The ruleset without options."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        config = self._load_config(params or {})
        super().__init__(
            _game_type(self.game_name, config.parameters.returns),
            _game_info(config),
            _changed_parameters(config.parameters),
        )

    def __repr__(self) -> str:
        return describe(self, self.config.env_config)

    def _load_config(self, params: dict[str, Any]) -> GameConfig:
        values = _DEFAULTS | params
        return load_config(GameParameters(self.game_name, **(values | {"rules": values["rules"].replace("=", ":")})))

    @cached_property
    def config(self) -> GameConfig:
        """The config, made from the parameters that OpenSpiel stores: a game that was pickled has nothing else."""
        return self._load_config(self.get_parameters())

    @cached_property
    def _initial_state(self) -> GameState:
        return make_initial_state(self.config)

    def max_chance_nodes_in_history(self) -> int:
        """An upper bound of chance events in a round."""
        return len(self.config.deck) + self.config.parameters.max_steps * MAX_FORCED

    def new_initial_state(self) -> State:
        """The state before the deal."""
        return State(self, self._initial_state)

    def make_py_observer(self, kind: Any = None, params: dict[str, Any] | None = None) -> Observer:
        """An observer of numbers and text; raises a UsageError for any parameters, and for one of all hands."""
        if params:
            raise UsageError(f"observers take no parameters, not {', '.join(params)}")
        return Observer(self.config, kind or pyspiel.IIGObservationType(perfect_recall=False))


def _game_info(config: GameConfig) -> Any:
    """The size of a game and the range of its returns."""
    least, most = -1.0, 1.0
    if config.parameters.returns == "points":
        least, most = 0.0, max(1.0, config.max_points)
        if config.rules.options.scoring == "tally":
            least, most = -most, -least
    return pyspiel.GameInfo(
        num_distinct_actions=len(config.action_space),
        max_chance_outcomes=len(config.outcomes),
        num_players=config.players,
        min_utility=least,
        max_utility=most,
        utility_sum=0.0 if config.parameters.returns == "wins" else None,
        max_game_length=config.parameters.max_steps,
    )


def _changed_parameters(parameters: GameParameters) -> dict[str, Any]:
    """The parameters that differ from their defaults: they are part of the game's name."""
    values = asdict(parameters)
    return {name: values[name] for name, default in _DEFAULTS.items() if values[name] != default}


class State(pyspiel.State):  # type: ignore[misc]
    """A state of a game, for OpenSpiel."""

    def __init__(self, game: Game, game_state: GameState) -> None:
        super().__init__(game)
        self.game_state = game_state
        """The state of the round, with more methods than OpenSpiel asks for."""

    def current_player(self) -> int:
        """The player to move: a seat, chance, or terminal."""
        return self.game_state.current_player

    def is_terminal(self) -> bool:
        """Whether the round is over or was truncated."""
        return self.game_state.current_player == TERMINAL

    def is_chance_node(self) -> bool:
        """Whether chance is to move."""
        return self.game_state.current_player == CHANCE

    def legal_actions(self, player: int | None = None) -> list[int]:
        """The ids of legal moves or possible outcomes; none for a player who is not to move.

        It replaces OpenSpiel's own form, which first calls back half a dozen times. So does ``observation_tensor``.
        """
        game_state = self.game_state
        seat = game_state.current_player
        if seat == TERMINAL or not (player is None or player == seat):
            return []
        return game_state.legal_actions()

    def _legal_actions(self, player: int) -> list[int]:
        return self.game_state.legal_actions()

    def observation_tensor(self, player: int | None = None) -> list[float]:
        """The observation of a seat, as numbers about 0 to 1; see ``lastcard.envs.features``."""
        game_state = self.game_state
        observation = game_state.observe(game_state.current_player if player is None else player)
        numbers: list[float] = (observation / game_state.config.features.scale).tolist()
        return numbers

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The possible outcomes of chance, with their probabilities."""
        return self.game_state.chance_outcomes()

    def _apply_action(self, action: int) -> None:
        self.game_state = self.game_state.child(action)

    def _action_to_string(self, player: int, action: int) -> str:
        config = self.game_state.config
        return config.outcomes[action] if player == CHANCE else config.action_space.names[action]

    def returns(self) -> list[float]:
        """The returns of the seats."""
        return self.game_state.returns()

    def __str__(self) -> str:
        return state_text(self.game_state)

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> State:
        """A state with the same information state and this history; a UsageError if ``player`` is not to move."""
        if require_int("a seat", player) != self.game_state.current_player:
            raise UsageError(f"only the seat that is to act can be sampled for, not seat {player}")
        sampled: State = self.clone()
        sampled.game_state = self.game_state.resample(int(sampler() * 2**32))
        return sampled


class Observer:
    """An observer of states, for OpenSpiel.

    Args:
        kind: whether it has perfect recall or only the current observation, and whether it includes public
            information, the private information of one seat, or both.
    """

    def __init__(self, config: GameConfig, kind: Any) -> None:
        privates = pyspiel.PrivateInfoType
        if kind.private_info == privates.ALL_PLAYERS:
            raise UsageError(
                "the private information of an observer is SINGLE_PLAYER or NONE, not ALL_PLAYERS: for all hands, call"
                " set_from for each player"
            )
        self._public, self._private = kind.public_info, kind.private_info == privates.SINGLE_PLAYER
        self._perfect_recall = kind.perfect_recall
        self.dict: dict[str, Any] = {}
        """The parts of ``tensor`` by name."""
        self.tensor: Any = None
        """float32; None if only text exists: for public or private information alone."""
        if self._public and self._private:
            size, recent_width = config.features.size, config.players + len(config.action_space)
            length = config.parameters.history if self._perfect_recall else 0
            self.tensor = np.zeros(size + length * recent_width, np.float32)
            self.dict["observation"] = self.tensor[:size]
            if self._perfect_recall:
                self.dict["recent"] = self.tensor[size:].reshape(length, recent_width)

    def set_from(self, state: State, player: int) -> None:
        """Write the information of a seat into ``tensor``."""
        game_state = state.game_state
        if self.tensor is None:
            return
        np.divide(game_state.observe(player), game_state.config.features.scale, out=self.dict["observation"])
        if self._perfect_recall:
            game_state.write_recent_actions(player, self.dict["recent"])

    def string_from(self, state: State, player: int) -> str:
        """The information of a seat, as text."""
        game_state = state.game_state
        words = [private_text(game_state, player)] if self._private else []
        if self._public and self._perfect_recall:
            words.append(history_text(game_state.observed_history(player if self._private else None)))
        elif self._public:
            words.append(public_text(game_state))
        return "; ".join(words)


# A class each, because the factories of OpenSpiel's games must outlive the interpreter.


class AllWild(Game):
    """UNO All Wild."""

    game_name = ALL_WILD_GAME


class Classic(Game):
    """Classic UNO."""

    game_name = CLASSIC_GAME


class WildJackpot(Game):
    """UNO Wild Jackpot."""

    game_name = WILD_JACKPOT_GAME


for _kind in (AllWild, Classic, WildJackpot):
    pyspiel.register_game(_game_type(_kind.game_name, "wins"), _kind)
