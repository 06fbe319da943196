"""PettingZoo agents that play at random, and the rewards they get."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

import numpy as np

from lastcard.formats.record_files import Record
from lastcard.formats.replay import replay, start_match
from lastcard.game.rulesets import GAMES
from lastcard.match.match import Match

ALL_CONFIGS = [(rules, players) for rules in GAMES for players in (2, 4, 10)]
"""Configurations for every check of PettingZoo."""
CALL_MODES = ("automatic", "decisions")
"""Used in turn, so that each occurs with every game and with every number of players."""


def configs_with_calls(first: int, configs: Iterable[tuple[str, int]] = ALL_CONFIGS) -> list[tuple[str, int, str]]:
    """Configurations with calls of both kinds in turn."""
    return [(*config, CALL_MODES[(first + i) % 2]) for i, config in enumerate(configs)]


def pick(mask: Any, rng: np.random.Generator) -> int:
    """A legal action, drawn uniformly."""
    return int(rng.choice(np.flatnonzero(mask)))


def observe(env: Any) -> dict[str, Any]:
    """The observation and the action mask of the agent that must act."""
    observation: dict[str, Any] = env.last()[0]
    return observation


def is_live(env: Any) -> bool:
    """Whether an agent must act."""
    return bool(env.agents) and not any([*env.terminations.values(), *env.truncations.values()])


def play_episode(env: Any, seed: int, max_moves: int = 10**9) -> Counter[str]:
    """Play at most ``max_moves`` random actions of an episode; returns the sum of rewards of each agent."""
    rng, rewards = np.random.default_rng(seed), Counter[str]()
    for agent in env.agent_iter(max_moves):
        observation, reward, terminated, truncated, _ = env.last()
        rewards[agent] += reward
        env.step(None if terminated or truncated else pick(observation["action_mask"], rng))
    return rewards


def replay_record(text: str) -> Match:
    """The match of a record after its last move; replaying it proves the whole record."""
    record = Record.parse(text)
    match = start_match(record)
    for match, *_ in replay(record):  # noqa: B007 - the last one is wanted
        pass
    return match
