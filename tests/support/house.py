"""A table server for tests in a browser: in a thread, its bots quick, and its next match as a test wishes it.

Nothing is changed but chance and haste: a test looks for a seed whose deal has what it needs, by the engine itself.
For a server to be killed take ``visitors.ServerProcess``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Final

import pytest

from lastcard.bots.regulars import STRANGER
from lastcard.game.cards import CARD_NAMES
from lastcard.game.rulecards import RuleCard
from lastcard.game.seeds import mix_seed, parse_seed
from lastcard.match.match import Match
from lastcard.server.game import bots
from lastcard.server.seats import dealing
from lastcard.server.table.registry import TableRegistry
from lastcard.server.table.table import LiveTable
from support.serving import Served

_HASTE: Final = {
    "THINK": (0.05, 0.1),
    "QUESTION": 0.05,
    "CALL": (0.05, 0.1),
    "CATCH": (0.05, 0.1),
    "READ": 0.03,
    "PAUSE": 0.03,
}
"""How long bots take here, in seconds, by the names of ``server/game/bots.py``."""
_SEEDS: Final = 20_000


class House:
    """A running server.

    Args:
        served: by ``serving``.
    """

    def __init__(self, served: Served) -> None:
        self._served = served
        self.url = served.url
        self.seed: bytes | None = parse_seed(0)
        """Of every match from now on; None leaves it to the secret and the players' numbers, as it should be."""

    def table(self, code: str) -> LiveTable:
        """The truth about a table; look while nothing moves."""
        tables: tuple[LiveTable, ...] = self._served.app.state.registry.tables
        return next(table for table in tables if table.code == code)

    def match(self, code: str) -> Match:
        """The truth about the match on a table."""
        live = self.table(code).live
        assert live is not None
        return live.match

    def restart(self, code: str) -> None:
        """Forget a table, as a server does that is started anew: whoever is there comes back to what the store has."""
        registry: TableRegistry = self._served.app.state.registry
        self._served.in_loop(lambda: registry._soon(registry._tables.pop(code).close("restart")))

    def clear(self) -> None:
        """Forget all tables, so that nothing of them goes on beside another test."""
        registry: TableRegistry = self._served.app.state.registry

        def close() -> None:
            for code in [*registry._tables]:
                registry._soon(registry._tables.pop(code).close("restart"))

        self._served.in_loop(close)

    def mix(self, secret: bytes, numbers: Sequence[str]) -> bytes:
        """The seed of a match."""
        return self.seed or mix_seed(secret, numbers)


@contextmanager
def open_house(served: Served, monkeypatch: pytest.MonkeyPatch) -> Iterator[House]:
    """A server for a test, which finds no table at it."""
    monkeypatch.setattr(bots, "regular", lambda name: STRANGER)
    for name, value in _HASTE.items():
        monkeypatch.setattr(bots, name, value)
    house = House(served)
    monkeypatch.setattr(dealing, "mix_seed", house.mix)
    yield house
    house.clear()


def find_seed(
    rules: str, players: int, wish: Callable[[Match], bool], rule_cards: Sequence[RuleCard] | None = None
) -> bytes:
    """The first seed whose match is as wished.

    Args:
        rules: of the match; with ``first_dealer=host`` seat 0 deals.
        players: how many.
        wish: looks at a match, and may play on it.
        rule_cards: written ones.

    Raises:
        LookupError: where no deal is like that.
    """
    for i in range(_SEEDS):
        match = Match(rules, players, seed=i, rule_cards=rule_cards)
        if wish(match):
            return match.seed
    raise LookupError(f"{_SEEDS} deals, and none is like that")


def cards_of(match: Match, seat: int) -> list[str]:
    """The hand of a seat as texts."""
    return [CARD_NAMES[card] for card in match.round.hand(seat)]
