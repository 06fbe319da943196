"""RLCard's door: importing this package makes ``rlcard.make`` know the three games."""

from __future__ import annotations

from lastcard.envs.rlcard.env import NEAREST, Game, TableEnv, make

__all__ = ["NEAREST", "Game", "TableEnv", "make"]
