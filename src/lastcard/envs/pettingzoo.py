"""PettingZoo's door: a table whose seats are asked one after another, in its AEC form.

``env()`` and ``raw_env()`` are the same: it sees to the order of calls itself, so nothing needs to be wrapped around
it. Rows, acts and rewards are those of ``lastcard.envs.features`` and ``lastcard.envs.tables``.
"""

from __future__ import annotations

import hashlib
import sys
from dataclasses import replace
from typing import Any, ClassVar, Final

import numpy as np

from lastcard.envs.pictures import Scene, draw_scene, import_pillow, write_scene
from lastcard.envs.tables import MOST_ACTS, Tables, Terms
from lastcard.errors import UsageError
from lastcard.game.numbers import as_int
from lastcard.game.rulesets import Ruleset, as_ruleset
from lastcard.game.seeds import Shuffle, mix_seed, parse_seed
from lastcard.match.match import Match, draw_for_dealer
from lastcard.match.setup import check_players

try:
    from gymnasium import spaces
    from pettingzoo import AECEnv  # type: ignore[import-untyped]
except ImportError:
    raise UsageError("this needs PettingZoo: install lastcard[envs]") from None

RENDER_MODES: Final = ("human", "ansi", "rgb_array")
_MASK: Final = "action_mask"
_OF_AN_EPISODE: Final = (
    "agents", "num_agents", "agent_selection", "rewards", "_cumulative_rewards", "terminations", "truncations", "infos"
)  # fmt: skip
_AT_HAND: Final = ("features", "_row", "_mask", "_put", "_asked", "_over", "_do")
_NONE_YET: Final = "no episode has begun: call reset() first"
_OVER: Final = "the episode is over: reset() begins the next"


class BeforeReset(UsageError, AttributeError):
    """What belongs to an episode was asked for before there was one."""


class raw_env(AECEnv):  # type: ignore[misc]  # noqa: N801 - every environment there has this name
    """One table. Agents are ``seat_0``, ``seat_1`` and so on, clockwise; ``agent_selection`` is the seat that is asked.

    Args:
        rules: a ruleset or its name.
        players: 2 to 10.
        reward: ``win``, ``points`` or ``rank``, given when the episode ends; see ``Terms``.
        episode: ``round`` or ``match``.
        calls: ``automatic``, or ``decisions``: calls and catches are acts, and seats are also asked out of turn.
        dtype: of observations: ``float32`` or ``uint8``.
        render_mode: ``human`` prints the table with every step, ``ansi`` gives it as text, ``rgb_array`` as a picture
            of shape (height, width, 3), uint8.
        max_cycles: the episode is cut off after so many acts for each seat, all seats taken together; None for
            ``tables.LONGEST`` acts.

    Raises:
        RulesError, UsageError: for what does not exist; says what does. Also where Pillow is missing for ``rgb_array``.
    """

    metadata: ClassVar[dict[str, Any]] = {
        "name": "lastcard_v1",
        "render_modes": list(RENDER_MODES),
        "render_fps": 2,
        "is_parallelizable": False,
    }

    def __init__(
        self,
        rules: Ruleset | str = "classic",
        players: int = 2,
        *,
        reward: str = "win",
        episode: str = "round",
        calls: str = "automatic",
        dtype: str = "float32",
        render_mode: str | None = None,
        max_cycles: int | None = None,
    ) -> None:
        if render_mode not in (None, *RENDER_MODES):
            raise UsageError(f"render_mode is None or one of {', '.join(RENDER_MODES)}, not {render_mode!r}")
        if render_mode == "rgb_array":
            import_pillow()
        players = as_int("the number of players", players)
        check_players(as_ruleset(rules), players)
        if max_cycles is not None:
            max_cycles = as_int("max_cycles", max_cycles, 1)
        longest = {} if max_cycles is None else {"longest": min(max_cycles * players, MOST_ACTS)}
        self.terms = Terms(rules, players, reward=reward, episode=episode, calls=calls, **longest)
        self.tables = Tables(self.terms, 1, at_once=False, dtype=dtype, seed=0)
        self.render_mode = render_mode
        self.possible_agents = [f"seat_{seat}" for seat in range(players)]
        self._title = str(self.terms.ruleset)
        self._root: bytes | None = None
        self._live = False
        self._closed = False
        self._nothing: Any = np.zeros(len(self.tables.actions), np.int8)
        self._see()
        self._make_spaces()

    def _make_spaces(self) -> None:
        layout, dtype = self.features, self.tables.rows.dtype.type
        acts = len(layout.actions)
        self.observation_spaces = {
            agent: spaces.Dict(
                {"observation": spaces.Box(0, 255, (layout.size,), dtype), _MASK: spaces.Box(0, 1, (acts,), np.int8)}
            )
            for agent in self.possible_agents
        }
        self.action_spaces = {agent: spaces.Discrete(acts) for agent in self.possible_agents}
        self.state_space = spaces.Box(0, 255, (len(self.possible_agents), len(layout.cards)), dtype)
        """The space of what ``state`` gives."""

    def _see(self) -> None:
        """Keep at hand what every step needs."""
        tables = self.tables
        chosen: Any = np.zeros(1, np.int64)
        self.features = tables.features
        """How a row is laid out, and which acts there are."""
        self._row, self._mask = tables.rows[0], tables.masks[0].view(np.int8)
        # As memory, which takes nothing but whole numbers, and is faster than arrays one number at a time.
        self._put, self._asked, self._over = memoryview(chosen), memoryview(tables.seats), memoryview(tables.over)
        self._do = tables.bind(chosen)

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name not in _AT_HAND}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._see()

    def __getattr__(self, name: str) -> Any:
        if name in _OF_AN_EPISODE:
            raise BeforeReset(f"{name}: {_NONE_YET}")
        raise AttributeError(f"{type(self).__name__!r} has no attribute {name!r}")

    # --- play -----------------------------------------------------------------------------------

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin an episode.

        Args:
            seed: of this episode and those after it; None for the next of the seed before, or of a fresh one.
            options: PettingZoo hands them to every environment; none are known here.

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
        self.tables.deal_by(0, self._key, self._draw_dealer())
        self.tables.begin()
        names = self.possible_agents
        self.agents = names[:]
        self.rewards = dict.fromkeys(names, 0.0)
        self._cumulative_rewards = dict.fromkeys(names, 0.0)
        self.terminations = dict.fromkeys(names, False)
        self.truncations = dict.fromkeys(names, False)
        self.infos = self._say_nothing()
        self._idle = self._say_nothing()
        self._log: list[tuple[int, int]] = []
        self._live = True
        self._ask()
        if self.render_mode == "human":
            self.render()

    def _draw_dealer(self) -> int:
        """Who deals first in the match of this key, whose host sits at seat 0."""
        rules = self.terms.ruleset
        if rules.options.first_dealer in ("seat_0", "host"):
            return 0
        return draw_for_dealer(rules, self.terms.players, self._key, 0)

    def _say_nothing(self) -> dict[str, dict[str, Any]]:
        """Infos for seats that are not asked."""
        return {name: {_MASK: self._nothing.copy()} for name in self.possible_agents}

    def _ask(self) -> None:
        """Select the seat that the table asks."""
        self._seat: int = self._asked[0]
        self.agent_selection = agent = self.possible_agents[self._seat]
        self.infos[agent] = {_MASK: self._mask.copy()}

    def step(self, action: int | None) -> None:
        """Do an act of the seat that is asked; once the episode is over every seat takes its leave with None.

        Args:
            action: the number of a legal act, or None.

        Raises:
            UsageError: for anything else, where there is no episode, and after ``close``; nothing was done then.
        """
        if not self._live:
            self._leave(action)
            return
        try:
            if action is True or action is False:
                raise TypeError
            self._put[0] = action  # type: ignore[assignment]
        except (TypeError, ValueError):
            raise UsageError(f"{self.agent_selection} steps with the number of an act, not {action!r}") from None
        if self._do.call() >= 0:
            self.tables.refuse(0, self._put[0])
        self._log.append((self._seat, self._put[0]))
        # No reward is given before the end, so until then there is none to clear and none to add up.
        if self._over[0]:
            self._end()
        else:
            asked = self.agent_selection
            self.infos[asked] = self._idle[asked]
            self._ask()
        if self.render_mode == "human":
            self.render()

    def _end(self) -> None:
        """The episode is over, or cut off: give every seat its reward and let it go."""
        names, cut = self.possible_agents, bool(self.tables.cut[0])
        self._live = False
        self.rewards = dict(zip(names, self.tables.rewards[0].tolist(), strict=True))
        self._cumulative_rewards = dict(self.rewards)
        self.terminations = dict.fromkeys(names, not cut)
        self.truncations = dict.fromkeys(names, cut)
        self.infos = self._say_nothing()
        self._deads_step_first()

    def _leave(self, action: Any) -> None:
        """Take a seat out after the end, as PettingZoo asks; its step must be None."""
        self._check_open()
        if not self.agents:
            raise UsageError(_OVER)
        if action is not None:
            raise UsageError(f"the episode is over: {self.agent_selection} steps with None, not with {action!r}")
        self._was_dead_step(None)

    # --- what can be known ----------------------------------------------------------------------

    def observation_space(self, agent: str) -> Any:
        """The space of what ``observe`` gives an agent."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """The space of acts, by number."""
        return self.action_spaces[agent]

    def last(self, observe: bool = True) -> tuple[dict[str, Any] | None, float, bool, bool, dict[str, Any]]:
        """What the agent that is asked sees, what it got since it acted, whether it is over or was cut off, and info.

        Args:
            observe: else None is what it sees.

        Raises:
            UsageError: before ``reset``, when all agents have taken their leave, or after ``close``.
        """
        self._check_open()
        agent = self.agent_selection
        if agent not in self.infos:
            raise UsageError(_OVER)
        return (
            self.observe(agent) if observe else None,
            self._cumulative_rewards[agent],
            self.terminations[agent],
            self.truncations[agent],
            self.infos[agent],
        )

    def observe(self, agent: str) -> dict[str, Any]:
        """What a seat may know, whoever is asked.

        Returns:
            ``observation``: a row of ``lastcard.envs.features``, and ``action_mask``: int8, 1 for every legal act,
            all zeros for a seat that is not asked. Later steps leave both as they are.

        Raises:
            UsageError: for an agent that is not at the table, before ``reset``, or after ``close``.
        """
        if agent == self.agent_selection and self._live:
            return {"observation": self._row.copy(), _MASK: self.infos[agent][_MASK]}
        self._check_open()
        if agent not in self.action_spaces:
            raise UsageError(f"there is no agent {agent!r}; agents are {', '.join(self.possible_agents)}")
        row = self._row.copy()
        self.tables.look(0, self.possible_agents.index(agent), row)
        return {"observation": row, _MASK: self._nothing.copy()}

    def state(self) -> Any:
        """All hands: how many a seat holds of each kind of ``features.cards``; (players, kinds), seat 0 first.

        No seat may know it: it is for a critic in training.

        Raises:
            UsageError: before ``reset``, or after ``close``.
        """
        self._need_episode()
        return self.tables.hands(0).astype(self._row.dtype)

    def record(self) -> str:
        """The episode so far as a match record (``docs/records.md``), seed included.

        Raises:
            UsageError: before ``reset``, or for a match under ``next_dealer=redraw``, where dealers after the first are
                drawn by other chance than in ``Match``.
        """
        self._need_episode()
        rules, players = self.terms.ruleset, self.terms.players
        if self.terms.episode == "match" and rules.options.next_dealer == "redraw":
            raise UsageError("next_dealer=redraw: an episode of one round can be recorded, a match cannot")
        match = Match(rules, self.possible_agents, seed=self._key)
        for seat, number in self._log:
            if match.round.over:
                match.next_round()
            move = self.features.actions.decode(number, seat, players)
            if move is not None:
                match.do(seat, move)
        return replace(match.record(), shuffle=self._shuffle).text()

    def _need_episode(self) -> None:
        self._check_open()
        if self._root is None:
            raise BeforeReset(_NONE_YET)

    # --- pictures -------------------------------------------------------------------------------

    def render(self) -> Any:
        """The table with all hands open, as ``render_mode`` wants it.

        Returns:
            None in ``human``, which prints; text in ``ansi``; uint8 (height, width, 3) in ``rgb_array``.

        Raises:
            UsageError: before ``reset``, or without a ``render_mode``.
        """
        self._need_episode()
        if self.render_mode is None:
            raise UsageError(f"nothing to render: make the environment with a render_mode, {', '.join(RENDER_MODES)}")
        if self.render_mode == "rgb_array":
            return np.array(draw_scene(self._scene()))
        text = write_scene(self._scene())
        if self.render_mode == "ansi":
            return text
        sys.stdout.write(text + "\n")
        return None

    def _scene(self) -> Scene:
        layout, last = self.features, ""
        if self._log:
            seat, number = self._log[-1]
            last = f"{self.possible_agents[seat]}: {layout.actions.decode(number, seat, self.terms.players) or 'wait'}"
        hands = [np.repeat(layout.cards, held).tolist() for held in self.tables.hands(0)]
        asked = self._seat if self._live else None
        return Scene(self._title, self.tables.face(0), hands, asked, self.tables.scores[0].tolist(), last)

    def close(self) -> None:
        """Play no more here: any other call is refused from now on."""
        self._closed, self._live = True, False

    def _check_open(self) -> None:
        if self._closed:
            raise UsageError("the environment is closed: make another one")


env = raw_env
"""A table as PettingZoo's programs make it."""
