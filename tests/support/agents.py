"""PettingZoo agents that play by chance, and what came of it."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np

from lastcard.formats.record_files import Record
from lastcard.formats.replay import replay, start_match
from lastcard.match.match import Match

GAMES = ("all-wild", "classic", "wild-jackpot")
ALL_CONFIGS = [(rules, players) for rules in GAMES for players in (2, 4, 10)]
"""What every check of PettingZoo's is made for."""
CALL_MODES = ("automatic", "decisions")
"""In turn: so each occurs with every game and with every number of players."""


def pick(mask: Any, rng: np.random.Generator) -> int:
    """A legal act, each as likely."""
    return int(rng.choice(np.flatnonzero(mask)))


def observe(env: Any) -> dict[str, Any]:
    """What the agent that is asked sees: an observation and a mask of acts."""
    observation: dict[str, Any] = env.last()[0]
    return observation


def is_live(env: Any) -> bool:
    """Whether an agent is asked for an act."""
    return bool(env.agents) and not any([*env.terminations.values(), *env.truncations.values()])


def play_episode(env: Any, seed: int, max_moves: int = 10**9) -> Counter[str]:
    """Play at most so many acts by chance, to the end of the episode; returns what each agent was told it got."""
    rng, rewards = np.random.default_rng(seed), Counter[str]()
    for agent in env.agent_iter(max_moves):
        observation, reward, terminated, truncated, _ = env.last()
        rewards[agent] += reward
        env.step(None if terminated or truncated else pick(observation["action_mask"], rng))
    return rewards


def replay_record(text: str) -> Match:
    """The match of a record after its last move; replaying proves every word of it."""
    record = Record.parse(text)
    match = start_match(record)
    for match, *_ in replay(record):  # noqa: B007 - the last one is wanted
        pass
    return match
