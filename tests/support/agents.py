"""PettingZoo agents that play by chance, and what came of it."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np

from lastcard.formats.record import Record
from lastcard.formats.replay import replay, start
from lastcard.match.match import Match

GAMES = ("all-wild", "classic", "wild-jackpot")
EVERY = [(rules, players) for rules in GAMES for players in (2, 4, 10)]
"""What every check of PettingZoo's is made for."""
CALLS = ("automatic", "decisions")
"""In turn: so each occurs with every game and with every number of players."""


def pick(mask: Any, rng: np.random.Generator) -> int:
    """A legal act, each as likely."""
    return int(rng.choice(np.flatnonzero(mask)))


def look(env: Any) -> dict[str, Any]:
    """What the agent that is asked sees: an observation and a mask of acts."""
    seen: dict[str, Any] = env.last()[0]
    return seen


def is_live(env: Any) -> bool:
    """Whether an agent is asked for an act."""
    return bool(env.agents) and not any([*env.terminations.values(), *env.truncations.values()])


def play(env: Any, seed: int, most: int = 10**9) -> Counter[str]:
    """Play at most so many acts by chance, to the end of the episode; returns what each agent was told it got."""
    rng, given = np.random.default_rng(seed), Counter[str]()
    for agent in env.agent_iter(most):
        seen, reward, terminated, truncated, _ = env.last()
        given[agent] += reward
        env.step(None if terminated or truncated else pick(seen["action_mask"], rng))
    return given


def play_back(text: str) -> Match:
    """The match of a record after its last move; replaying proves every word of it."""
    record = Record.parse(text)
    match = start(record)
    for match, *_ in replay(record):  # noqa: B007 - the last one is wanted
        pass
    return match
