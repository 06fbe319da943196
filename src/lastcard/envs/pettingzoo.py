"""The PettingZoo environment: a table whose seats are asked one after another (AEC API).

``env()`` and ``raw_env()`` are the same: the environment checks the order of calls itself and needs no wrappers.
Observations, actions and rewards are those of ``lastcard.envs.features`` and ``lastcard.envs.batch``.
"""

from __future__ import annotations

import hashlib
import sys
from dataclasses import replace
from typing import Any, ClassVar, Final

import numpy as np

from lastcard.envs.batch import DEFAULT_RULES, LARGEST_MAX_STEPS, REGISTRY_IDS, Batch, EnvConfig, describe
from lastcard.envs.render import RenderState, import_pillow, render_image, render_text
from lastcard.errors import UsageError
from lastcard.game.numbers import require_int
from lastcard.game.rulesets import Ruleset, as_ruleset
from lastcard.game.seeds import Shuffle, mix_seed, parse_seed
from lastcard.kernel.arrays import zeros
from lastcard.match.match import Match, draw_for_dealer
from lastcard.match.setup import check_players

try:
    from gymnasium import spaces
    from pettingzoo import AECEnv, register  # type: ignore[import-untyped]
except ImportError:
    raise UsageError("this needs PettingZoo: install lastcard[envs]") from None

RENDER_MODES: Final = ("human", "ansi", "rgb_array")
_MASK: Final = "action_mask"
_EPISODE_ATTRIBUTES: Final = (
    "agents", "num_agents", "agent_selection", "rewards", "_cumulative_rewards", "terminations", "truncations", "infos"
)  # fmt: skip
_CACHED_ATTRIBUTES: Final = (
    "features", "_observation", "_action_mask", "_action", "_current_player", "_done", "_bound_step"
)  # fmt: skip
_NO_EPISODE: Final = "no episode has begun: call reset() first"
_EPISODE_OVER: Final = "the episode is over: reset() begins the next"


class NotResetError(UsageError, AttributeError):
    """A call needs an episode, but there is none yet."""


class raw_env(AECEnv):  # type: ignore[misc]  # noqa: N801 - every environment there has this name
    """One table. Agents are ``seat_0``, ``seat_1`` and so on, clockwise; ``agent_selection`` is the seat that is asked.

    Args:
        players: number of players, 2 to 10.
        dtype: type of observations: ``float32`` or ``uint8``.
        render_mode: ``human`` prints the table with every step, ``ansi`` gives it as text, ``rgb_array`` as a picture
            of shape (height, width, 3), uint8.
        max_cycles: mean number of moves of a seat after which the episode is truncated; None for
            ``batch.DEFAULT_MAX_STEPS`` moves of all seats.
        settings: ``reward``, ``episode``, ``calls``, ``deck``, ``hand_size`` and ``open_hands`` of ``EnvConfig``. With
            ``calls="decisions"`` seats are also asked out of turn. Rewards are given when the episode ends.

    Raises:
        RulesError, UsageError: for unknown values; lists the known ones. Also for ``rgb_array`` without Pillow.
    """

    metadata: ClassVar[dict[str, Any]] = {
        "name": "lastcard_v1",
        "render_modes": list(RENDER_MODES),
        "render_fps": 2,
        "is_parallelizable": False,
    }

    def __init__(
        self,
        rules: Ruleset | str = DEFAULT_RULES,
        players: int = 2,
        *,
        dtype: str = "float32",
        render_mode: str | None = None,
        max_cycles: int | None = None,
        **settings: Any,
    ) -> None:
        if render_mode not in (None, *RENDER_MODES):
            raise UsageError(f"render_mode is None or one of {', '.join(RENDER_MODES)}, not {render_mode!r}")
        if render_mode == "rgb_array":
            import_pillow()
        players = require_int("the number of players", players)
        check_players(as_ruleset(rules), players)
        if max_cycles is not None:
            max_cycles = require_int("max_cycles", max_cycles, 1)
            settings = {**settings, "max_steps": min(max_cycles * players, LARGEST_MAX_STEPS)}
        self.config = EnvConfig.from_settings(rules, players, settings, ("dtype", "render_mode", "max_cycles"))
        self.batch = Batch(self.config, 1, autoreset=False, dtype=dtype, seed=0)
        self.render_mode = render_mode
        self.possible_agents = [f"seat_{seat}" for seat in range(players)]
        self._title = str(self.config.ruleset)
        self._root: bytes | None = None
        self._is_running = False
        self._closed = False
        self._zero_mask: Any = np.zeros(len(self.batch.action_space), np.int8)
        self._bind_batch()
        self._make_spaces()

    def _make_spaces(self) -> None:
        layout, dtype = self.features, self.batch.observations.dtype.type
        action_count = len(layout.action_space)
        self.observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(0, 255, (layout.size,), dtype),
                    _MASK: spaces.Box(0, 1, (action_count,), np.int8),
                }
            )
            for agent in self.possible_agents
        }
        self.action_spaces = {agent: spaces.Discrete(action_count) for agent in self.possible_agents}
        self.state_space = spaces.Box(0, 255, (len(self.possible_agents), len(layout.cards)), dtype)
        """The space of ``state``."""

    def _bind_batch(self) -> None:
        """Bind the methods and arrays that every step needs."""
        batch = self.batch
        actions: Any = zeros(1, np.int64)
        self.features = batch.features
        """The layout of observations, and the action ids."""
        self._observation, self._action_mask = batch.observations[0], batch.action_mask[0].view(np.int8)
        # A memoryview, which accepts only integers and is faster than an array for one number at a time.
        self._action = memoryview(actions)
        self._current_player = memoryview(batch.current_player)
        self._done = memoryview(batch.is_done)
        self._bound_step = batch.bind_step(actions)

    def __repr__(self) -> str:
        return describe(self, self.config)

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name not in _CACHED_ATTRIBUTES}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._bind_batch()

    def __getattr__(self, name: str) -> Any:
        if name in _EPISODE_ATTRIBUTES:
            raise NotResetError(f"{name}: {_NO_EPISODE}")
        raise AttributeError(f"{type(self).__name__!r} has no attribute {name!r}")

    # --- play -----------------------------------------------------------------------------------

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin an episode.

        Args:
            seed: seed of this episode and those after it; None to continue from the previous or a fresh seed.
            options: ignored; PettingZoo passes them to every environment.

        Raises:
            UsageError: after ``close``.
        """
        self._check_open()
        if seed is not None or self._root is None:
            self._root, self._number = parse_seed(seed), 0
        # Made as at a table of the server, so that the browser's viewer can check it.
        secret = hashlib.sha256(self._root + self._number.to_bytes(8, "little")).digest()
        self._shuffle = Shuffle.of(secret, ("",) * len(self.possible_agents))
        self._key = mix_seed(secret, self._shuffle.numbers)
        self._number += 1
        self.batch.set_deal(0, self._key, self._draw_dealer())
        self.batch.reset()
        names = self.possible_agents
        self.agents = names[:]
        self.rewards = dict.fromkeys(names, 0.0)
        self._cumulative_rewards = dict.fromkeys(names, 0.0)
        self.terminations = dict.fromkeys(names, False)
        self.truncations = dict.fromkeys(names, False)
        self.infos = self._idle_infos()
        self._idle = self._idle_infos()
        self._log: list[tuple[int, int]] = []
        self._is_running = True
        self._select_agent()
        if self.render_mode == "human":
            self.render()

    def _draw_dealer(self) -> int:
        """The first dealer of the match with this key, whose host sits at seat 0."""
        rules = self.config.ruleset
        if rules.options.first_dealer in ("seat_0", "host"):
            return 0
        return draw_for_dealer(rules, self.config.players, self._key, 0)

    def _idle_infos(self) -> dict[str, dict[str, Any]]:
        """Infos for seats that are not asked."""
        return {name: {_MASK: self._zero_mask.copy()} for name in self.possible_agents}

    def _select_agent(self) -> None:
        """Select the seat that the table asks."""
        self._seat: int = self._current_player[0]
        self.agent_selection = agent = self.possible_agents[self._seat]
        self.infos[agent] = {_MASK: self._action_mask.copy()}

    def step(self, action: int | None) -> None:
        """Make a move of the seat that is asked; once the episode is over, every seat takes a last step with None.

        Raises:
            UsageError: for anything else, if there is no episode, and after ``close``; nothing changes then.
        """
        if not self._is_running:
            self._step_finished_agent(action)
            return
        try:
            if action is True or action is False:
                raise TypeError
            self._action[0] = action  # type: ignore[assignment]
        except (TypeError, ValueError):
            raise UsageError(f"{self.agent_selection} steps with the number of an action, not {action!r}") from None
        if self._bound_step.call() >= 0:
            self.batch.raise_illegal(0, self._action[0])
        self._log.append((self._seat, self._action[0]))
        # All rewards come at the end, so until then there is none to clear or to add.
        if self._done[0]:
            self._end_episode()
        else:
            asked = self.agent_selection
            self.infos[asked] = self._idle[asked]
            self._select_agent()
        if self.render_mode == "human":
            self.render()

    def _end_episode(self) -> None:
        """End an episode, also a truncated one: give every seat its reward."""
        names, truncated = self.possible_agents, bool(self.batch.truncated[0])
        self._is_running = False
        self.rewards = dict(zip(names, self.batch.rewards[0].tolist(), strict=True))
        self._cumulative_rewards = dict(self.rewards)
        self.terminations = dict.fromkeys(names, not truncated)
        self.truncations = dict.fromkeys(names, truncated)
        self.infos = self._idle_infos()
        self._deads_step_first()

    def _step_finished_agent(self, action: Any) -> None:
        """Remove a seat after the end, as PettingZoo asks; its action must be None."""
        self._check_open()
        if not self.agents:
            raise UsageError(_EPISODE_OVER)
        if action is not None:
            raise UsageError(f"the episode is over: {self.agent_selection} steps with None, not with {action!r}")
        self._was_dead_step(None)

    # --- observations ---------------------------------------------------------------------------

    def observation_space(self, agent: str) -> Any:
        """The observation space of an agent."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """The action space of an agent."""
        return self.action_spaces[agent]

    def last(self, observe: bool = True) -> tuple[dict[str, Any] | None, float, bool, bool, dict[str, Any]]:
        """The observation of the agent to move, its reward since its last move, termination, truncation, and info.

        Raises:
            UsageError: before ``reset``, when all agents have left, or after ``close``.
        """
        self._check_open()
        agent = self.agent_selection
        if agent not in self.infos:
            raise UsageError(_EPISODE_OVER)
        return (
            self.observe(agent) if observe else None,
            self._cumulative_rewards[agent],
            self.terminations[agent],
            self.truncations[agent],
            self.infos[agent],
        )

    def observe(self, agent: str) -> dict[str, Any]:
        """The observation of a seat, also of one that is not asked.

        Returns:
            ``observation``: a row of ``lastcard.envs.features``, and ``action_mask``: int8, 1 for every legal action,
            all zeros for a seat that is not asked. Later steps change neither.

        Raises:
            UsageError: for an agent that is not at the table, before ``reset``, or after ``close``.
        """
        if agent == self.agent_selection and self._is_running:
            return {"observation": self._observation.copy(), _MASK: self.infos[agent][_MASK]}
        self._check_open()
        if agent not in self.action_spaces:
            raise UsageError(f"there is no agent {agent!r}; agents are {', '.join(self.possible_agents)}")
        observation = self._observation.copy()
        self.batch.observe(0, self.possible_agents.index(agent), observation)
        return {"observation": observation, _MASK: self._zero_mask.copy()}

    def state(self) -> Any:
        """All hands: the number of cards of each kind of ``features.cards``; (players, kinds), seat 0 first.

        It contains hidden cards, for a critic in training.

        Raises:
            UsageError: before ``reset``, or after ``close``.
        """
        self._check_reset()
        return self.batch.hands(0).astype(self._observation.dtype)

    def record(self) -> str:
        """The episode so far as a match record (``docs/records.md``), seed included.

        Raises:
            UsageError: before ``reset``, or for a match with ``next_dealer=redraw``, whose later dealers are drawn
                differently than in ``Match``. Also for a deck or hands that are not those of the rules.
        """
        self._check_reset()
        rules, players = self.config.ruleset, self.config.players
        if self.config.has_own_deal:
            raise UsageError("a record has the deck and the hands of the rules: an episode with others has no record")
        if self.config.episode == "match" and rules.options.next_dealer == "redraw":
            raise UsageError("next_dealer=redraw: an episode of one round can be recorded, a match cannot")
        match = Match(rules, self.possible_agents, seed=self._key)
        for seat, number in self._log:
            if match.round.over:
                match.next_round()
            move = self.features.action_space.decode(number, seat, players)
            if move is not None:
                match.do(seat, move)
        return replace(match.record(), shuffle=self._shuffle).text()

    def _check_reset(self) -> None:
        self._check_open()
        if self._root is None:
            raise NotResetError(_NO_EPISODE)

    # --- pictures -------------------------------------------------------------------------------

    def render(self) -> Any:
        """The table with all hands open, in the form of ``render_mode``.

        Returns:
            None in ``human``, which prints; text in ``ansi``; uint8 (height, width, 3) in ``rgb_array``.

        Raises:
            UsageError: before ``reset``, or without a ``render_mode``.
        """
        self._check_reset()
        if self.render_mode is None:
            raise UsageError(f"nothing to render: make the environment with a render_mode, {', '.join(RENDER_MODES)}")
        if self.render_mode == "rgb_array":
            return np.array(render_image(self._render_state()))
        text = render_text(self._render_state())
        if self.render_mode == "ansi":
            return text
        sys.stdout.write(text + "\n")
        return None

    def _render_state(self) -> RenderState:
        layout, last = self.features, ""
        if self._log:
            seat, number = self._log[-1]
            move = layout.action_space.decode(number, seat, self.config.players)
            last = f"{self.possible_agents[seat]}: {move or 'wait'}"
        hands = [np.repeat(layout.cards, held).tolist() for held in self.batch.hands(0)]
        asked = self._seat if self._is_running else None
        return RenderState(self._title, self.batch.public_state(0), hands, asked, self.batch.scores[0].tolist(), last)

    def close(self) -> None:
        """Close the environment: it refuses any other call from now on."""
        self._closed, self._is_running = True, False

    def _check_open(self) -> None:
        if self._closed:
            raise UsageError("the environment is closed: make another one")


env = raw_env
"""A table, under the name that PettingZoo's programs use."""

for _env_id, _game in REGISTRY_IDS.items():
    register("aec", _env_id, f"{__name__}:raw_env", kwargs={"rules": _game})
