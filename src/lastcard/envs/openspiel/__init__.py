"""OpenSpiel's door: importing this package makes ``pyspiel.load_game`` know the three games."""

from __future__ import annotations

from lastcard.envs.openspiel.games import AllWild, Classic, Game, Observer, State, WildJackpot

__all__ = ["AllWild", "Classic", "Game", "Observer", "State", "WildJackpot"]
