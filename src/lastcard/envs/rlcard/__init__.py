"""The RLCard environment: importing this package registers the three games with ``rlcard.make``."""

from __future__ import annotations

from lastcard.envs.rlcard.environment import NEAREST_RULES, Game, RlcardEnv, make

__all__ = ["NEAREST_RULES", "Game", "RlcardEnv", "make"]
