"""A model joins two people in browsers by the Model Context Protocol (docs/agents.md).

Needs the extra ``mcp``: ``make test-extras``.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import Any

import pytest
from playwright.sync_api import expect

from support.live_server import LiveServer
from support.player import PHONE, Invite, play_match, wait_for_cards

pytest.importorskip("mcp", reason="the extra mcp is tested in an environment of its own")

from mcp import Client

from support.mcp_servers import http_server, stdio_server

END_S = 120.0
OpenServer = Callable[..., AbstractContextManager[Any]]


class Model(threading.Thread):
    """A client of the SDK that plays the first legal moves until the match is over."""

    def __init__(self, server: Any, code: str, token: str) -> None:
        super().__init__(daemon=True)
        self.server = server
        self.seat = {"code": code, "token": token, "name": "Claude"}
        self.moves = 0
        self.result: dict[str, Any] = {}
        self.start()

    def run(self) -> None:
        """Play in this thread."""
        asyncio.run(self._play())

    async def _play(self) -> None:
        async with asyncio.timeout(END_S), Client(self.server) as client:
            self.result = await self._call(client, "join", self.seat)
            match = {"match": self.result["match"]}
            while not self.result.get("view", {}).get("match_winners"):
                self.result = await self._call(client, "wait_turn", match | {"seconds": 5})
                if self.result.get("view", {}).get("your_turn"):
                    self.result = await self._call(client, "make_move", match | {"move": "1"})
                    self.moves += self.result["outcome"]["status"] == "done"

    async def _call(self, client: Client, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
        result: dict[str, Any] = (await client.call_tool(tool, arguments)).structured_content
        return result


@pytest.mark.parametrize(
    "open_server", [lambda *how: nullcontext(stdio_server(*how)), http_server], ids=["stdio", "http"]
)
def test_a_model_and_two_people_in_browsers(live_server: LiveServer, invite: Invite, open_server: OpenServer) -> None:
    """The host opens the seat in the lobby; everybody sees that a program plays there; the match is played."""
    ann, zoe = invite(live_server.url, "Ann", **PHONE), invite(live_server.url, "Zoe")
    code = ann.make_table("all-wild+match_mode=single_round", seats=3)
    zoe.follow_link(code)
    ann.wait_until_seated("Zoe")
    seats = ann.page.get_by_role("region", name="At the table")
    ann.page.get_by_role("button", name="Add bot").click()
    seats.get_by_role("combobox", name="How well").select_option(label="A program")
    dialog = ann.page.get_by_role("dialog", name="Let a program play here")
    words = dialog.get_by_label("Command").input_value().split()
    dialog.get_by_role("button", name="Close").click()

    with open_server("--server", live_server.url) as server:
        model = Model(server, code, words[words.index("--token") + 1])
        for person in (ann, zoe):
            person.wait_until_seated("Claude")
            expect(person.page.get_by_text("program", exact=True)).to_be_visible(timeout=1000 * END_S)
        ann.start()
        wait_for_cards(ann, zoe)
        play_match([ann, zoe])
        model.join(END_S)
        assert model.moves > 0 and model.result["view"]["decision"] == "over"
