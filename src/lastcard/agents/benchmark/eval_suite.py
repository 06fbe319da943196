"""The suite of the benchmark: games, seats, opponents and seeds, under a name that changes when they do."""

from __future__ import annotations

from itertools import product
from typing import Final, NamedTuple

from lastcard.game.rulesets import GAMES

SUITE: Final = "lastcard-eval-1"
"""The name of the suite, with its version."""


class Cell(NamedTuple):
    """One kind of table."""

    game: str
    players: int
    opponent: str
    """The level in all other seats; it forgets no call and misses no catch."""

    def __str__(self) -> str:
        return f"{self.game}-{self.players}-{self.opponent}"

    @property
    def rules(self) -> str:
        """The ruleset: the game as it is on its sheet, one round a match."""
        return f"{self.game}+match_mode=single_round"

    def seed(self, deal: int) -> str:
        """Returns the seed of a deal, numbered from 0, as a text for ``seeds.parse_seed``."""
        return f"{SUITE} {self} {deal}"


CELLS: Final = tuple(Cell(*each) for each in product(GAMES, (2, 4), ("casual", "sharp")))
"""All kinds of tables; each deal is played at each, with the agent in every seat in turn."""
ROUNDS_PER_DEAL: Final = sum(cell.players for cell in CELLS)
