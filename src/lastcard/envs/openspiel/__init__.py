"""The OpenSpiel environment: importing this package registers the three games with ``pyspiel.load_game``."""

from __future__ import annotations

from lastcard.envs.openspiel.games import AllWild, Classic, Game, Observer, State, WildJackpot

__all__ = ["AllWild", "Classic", "Game", "Observer", "State", "WildJackpot"]
