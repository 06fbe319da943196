"""A table server in a thread for tests in a browser, with fast bots, and a next match that the test chooses.

Only chance and delays are changed: a test searches with the engine for a seed whose deal has what it needs. To test a
server that is killed, use ``websocket_players.ServerProcess``.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import pytest

from lastcard.bots.personas import NEUTRAL
from lastcard.game.cards import CARD_NAMES
from lastcard.game.rulecards import RuleCard
from lastcard.game.seeds import mix_seed, parse_seed
from lastcard.match.match import Match
from lastcard.server.http import pages
from lastcard.server.http.assets import WebFolder
from lastcard.server.table.live_table import LiveTable
from lastcard.server.table.table_registry import TableRegistry
from lastcard.session import dealing, table_bots
from support.mock_site import WEB
from support.threaded_server import ThreadedServer

_BOT_DELAYS_S: Final = {
    "THINK_S": (0.05, 0.1),
    "QUESTION_S": 0.05,
    "CALL_S": (0.05, 0.1),
    "CATCH_S": (0.05, 0.1),
    "READ_S": 0.03,
    "PAUSE_S": 0.03,
}
"""Delays of bots in seconds, by the names of ``session/table_bots.py``."""
_MAX_SEEDS: Final = 20_000


class LiveServer:
    """A running server of ``run_threaded_server``."""

    def __init__(self, served: ThreadedServer) -> None:
        self._served = served
        self.url = served.url
        self.seed: bytes | None = parse_seed(0)
        """Seed of matches from now on; None derives it from the secret and the players' numbers, as usual."""

    def table(self, code: str) -> LiveTable:
        """The server's table; read it only while nothing moves."""
        return self._served.table(code)

    def match(self, code: str) -> Match:
        """The server's match on a table."""
        play = self.table(code).play
        assert play is not None
        return play.match

    def reload_table(self, code: str) -> None:
        """Drop a table from memory as a restart does; its people come back to the stored state."""
        registry: TableRegistry = self._served.app.state.registry
        self._served.run_in_loop(lambda: registry._spawn(registry._tables.pop(code).close("restart")))

    def close_tables(self) -> None:
        """Drop all tables from memory, so that none of them runs during another test."""
        for table in self._served.app.state.registry.tables:
            self.reload_table(table.code)

    def mix_seed(self, secret: bytes, numbers: Sequence[str]) -> bytes:
        """The seed of a match."""
        return self.seed or mix_seed(secret, numbers)


@contextmanager
def run_live_server(served: ThreadedServer, monkeypatch: pytest.MonkeyPatch) -> Iterator[LiveServer]:
    """A server without tables for one test."""
    monkeypatch.setattr(table_bots, "find_persona", lambda name: NEUTRAL)
    for name, value in _BOT_DELAYS_S.items():
        monkeypatch.setattr(table_bots, name, value)
    live_server = LiveServer(served)
    monkeypatch.setattr(dealing, "mix_seed", live_server.mix_seed)
    yield live_server
    live_server.close_tables()


VERSION: Final = "document.querySelector('script[type=module]').src.split('/')[4]"
"""JavaScript for the version of an open page."""


def serve_another_version(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """From now on, servers of this process have another version of the web files, a copy in an empty folder."""
    shutil.copytree(WEB, folder / "web")
    with (folder / "web" / "ui" / "popover.js").open("a", encoding="utf-8") as changed:
        changed.write("export const changed = 1;\n")
    monkeypatch.setattr(pages, "_WEB", WebFolder(folder / "web"))


def find_seed(
    rules: str, players: int, condition: Callable[[Match], bool], rule_cards: Sequence[RuleCard] | None = None
) -> bytes:
    """The first seed whose match meets a condition, which may play on it; with ``first_dealer=host`` seat 0 deals.

    Raises:
        LookupError: if no deal meets the condition.
    """
    for i in range(_MAX_SEEDS):
        match = Match(rules, players, seed=i, rule_cards=rule_cards)
        if condition(match):
            return match.seed
    raise LookupError(f"{_MAX_SEEDS} deals, and none is like that")


def hand_texts(match: Match, seat: int) -> list[str]:
    """The hand of a seat as texts."""
    return [CARD_NAMES[card] for card in match.round.hand(seat)]
