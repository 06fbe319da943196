"""A person plays on the page in a chat (MCP Apps) with a model and a bot, in a host on npm's ext-apps.

Needs the extra ``mcp`` and the host that ``make test-extras`` makes of ``chat_host.js``.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserType, Frame, Page, expect

from support.browser import launch_options
from support.page_readiness import wait_until_pressable
from support.player import BrowserPlayer, ScreenState, press_first

pytest.importorskip("mcp", reason="the extra mcp is tested in an environment of its own")

from mcp import Client
from mcp.client.extension import advertise
from mcp.server.apps import APP_MIME_TYPE, EXTENSION_ID

from support.mcp_servers import stdio_server

HOST = os.environ.get("LASTCARD_CHAT_HOST", "")
END_S = 120.0
POLICY = (
    "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
    "connect-src 'self'"
)
"""The policy of a host for pages that name no origin; its own calls go to itself. It does not admit WebAssembly."""
ADMITTING_POLICY = POLICY.replace("'unsafe-inline'", "'unsafe-inline' 'wasm-unsafe-eval'", 1)
TIPS = ("Got it", "No more tips")
"""Answers that make no move."""
SIZES_PX = {"phone": (320, 640), "desktop": (1280, 800)}

pytestmark = pytest.mark.skipif(not HOST, reason="make test-extras makes the host")


@pytest.fixture(scope="module")
def painting_browser(browser_type: BrowserType) -> Iterator[Browser]:
    """A browser that paints: without that, frames of other origins have no animation frames."""
    with browser_type.launch(**launch_options()) as browser:
        yield browser


class Chat:
    """A client of the SDK in a thread: it begins a match with a person, and plays the first legal moves."""

    def __init__(self, policy: str, **arguments: Any) -> None:
        self.policy = policy
        self.arguments = {"players": 3, "person": "Ann", **arguments}
        self.tools: list[Any] = []
        self.opening: dict[str, Any] = {}
        self.page: Any = None
        self.moves = 0
        self.opened = threading.Event()
        self._loop = asyncio.new_event_loop()
        self._client: Any = None
        self._stop = asyncio.Event()
        self.thread = threading.Thread(target=self._loop.run_until_complete, args=(self._run(),), daemon=True)
        self.thread.start()
        assert self.opened.wait(END_S)

    async def _run(self) -> None:
        apps = advertise(EXTENSION_ID, {"mimeTypes": [APP_MIME_TYPE]})
        async with Client(stdio_server(), extensions=[apps]) as self._client:
            self.tools = (await self._client.list_tools()).tools
            begun = await self._client.call_tool("new_match", self.arguments)
            tool = next(tool for tool in self.tools if tool.name == "new_match")
            self.page = (await self._client.read_resource(tool.meta["ui"]["resourceUri"])).contents[0]
            self.opening = begun.model_dump(by_alias=True, mode="json", exclude_none=True)
            self.opened.set()
            playing = asyncio.create_task(self._play(begun.structured_content))
            await self._stop.wait()
            playing.cancel()

    async def _play(self, result: dict[str, Any]) -> None:
        while not result["view"].get("match_winners"):
            mine = result["view"]["your_turn"]
            more = {"move": "1"} if mine else {"seconds": 5}
            called = await self._client.call_tool(
                "make_move" if mine else "wait_turn", {"match": result["match"], **more}
            )
            result = called.structured_content
            self.moves += mine

    def call(self, params: dict[str, Any]) -> dict[str, Any]:
        """The result of a tool, for the page."""
        calling = self._client.call_tool(params["name"], params.get("arguments"))
        result = asyncio.run_coroutine_threadsafe(calling, self._loop).result(END_S)
        values: dict[str, Any] = result.model_dump(by_alias=True, mode="json", exclude_none=True)
        return values

    def close(self) -> None:
        """End the server."""
        self._loop.call_soon_threadsafe(self._stop.set)
        self.thread.join(END_S)
        self._loop.close()


@contextmanager
def open_chat(policy: str = POLICY, **arguments: Any) -> Iterator[tuple[Chat, str]]:
    """A chat, and the address of its host."""
    chat = Chat(policy, **arguments)

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            is_script = self.path == "/host.js"
            body = (
                Path(HOST).read_bytes()
                if is_script
                else b'<!doctype html><script type="module" src="/host.js"></script>'
            )
            self.answer(body, "text/javascript" if is_script else "text/html")

        def do_POST(self) -> None:
            params = json.loads(self.rfile.read(int(self.headers["content-length"])))
            self.answer(json.dumps(chat.call(params)).encode(), "application/json")

        def answer(self, body: bytes, kind: str) -> None:
            self.send_response(200)
            for name, value in {"content-type": kind, "content-security-policy": policy}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: Any) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield chat, f"http://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()
        server.server_close()
        chat.close()


def show_page(page: Page, chat: Chat, url: str, theme: str = "light") -> Frame:
    """The frame of the page in the chat, with cards on it."""
    page.goto(url)
    page.wait_for_function("() => globalThis.showPage")
    shown = {"html": chat.page.text, "input": chat.arguments, "result": chat.opening, "hostContext": {"theme": theme}}
    page.evaluate("(shown) => showPage(shown)", shown)
    frame = page.frames[-1]
    expect(page.frame_locator("iframe").locator("lc-game[laid]")).to_be_visible(timeout=END_S * 1000)
    return frame


def wait_for_move(person: BrowserPlayer, before: ScreenState) -> None:
    """Wait until a press has made a move, and the answers that it replaces are gone.

    The screen changes before, and then it still has the card that was played.
    """
    person.wait_until(lambda: person.screen_state().ply > before.ply, "the move is made")
    wait_until_pressable(person.page)


def ask_for_hint(frame: Frame) -> None:
    """Press the hint button on the person's turn: the line has the chance of the best move. Then remove the hint."""
    frame.get_by_role("button", name="Hint").click()
    line = frame.locator(".action-bar")
    expect(line).to_contain_text("% to win", timeout=END_S * 1000)
    frame.get_by_role("button", name="Hint").click()
    expect(line).not_to_contain_text("% to win")


def ask_about_card(frame: Frame) -> None:
    """Click a card of the hand with the right button: the panel has its effect, and whether it can be played now."""
    frame.locator(".hand-card").first.click(button="right", position={"x": 12, "y": 20})
    panel = frame.locator(".side-panel:has(.card-about)")
    expect(panel.locator(".card-does")).to_contain_text(re.compile(r"\w\.\s*$"))
    expect(panel.get_by_role("status")).not_to_be_empty()
    panel.get_by_role("button", name="Close").click()
    expect(panel).to_be_hidden()


def review_match(frame: Frame) -> None:
    """Open luck and skill of the finished match, which the page computes; then go back to the scores."""
    frame.get_by_role("button", name="Luck and skill").press("Enter", timeout=END_S * 1000)
    report = frame.locator(".report")
    expect(report.get_by_role("heading", name="Luck and skill")).to_be_in_viewport()
    expect(report.locator(".report-moments li").first).to_be_visible(timeout=END_S * 1000)
    expect(report.get_by_role("progressbar")).to_have_count(0, timeout=END_S * 1000)
    assert frame.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    frame.get_by_role("button", name="One move forward").click()
    expect(frame.locator(".where")).to_contain_text("move 1 of")
    frame.get_by_role("button", name="Close").click()
    expect(frame.locator(".scores h2")).to_be_visible()


@pytest.mark.parametrize(
    ("size", "policy"),
    [("phone", ADMITTING_POLICY), ("desktop", ADMITTING_POLICY), ("phone", POLICY)],
    ids=["phone", "desktop", "without WebAssembly"],
)
def test_a_round_on_the_page_in_a_chat(painting_browser: Browser, size: str, policy: str) -> None:
    width, height = SIZES_PX[size]
    rules = "classic+match_mode=single_round"
    page = painting_browser.new_context(viewport={"width": width, "height": height}, reduced_motion="reduce").new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    with open_chat(policy, rules=rules, bots="casual") as (chat, url), closing(page.context):
        assert {tool.name: tool.meta["ui"] for tool in chat.tools if tool.name == "table_page"} == {
            "table_page": {"visibility": ["app"]}
        }
        person = BrowserPlayer(page, url, "Ann")
        frame = show_page(page, chat, url)
        person.page = frame  # type: ignore[assignment]
        assert frame.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
        has_module = policy == ADMITTING_POLICY
        has_asked = False
        while not (state := person.screen_state()).over:
            if state.asked:
                if not has_asked:
                    has_asked = True
                    ask_about_card(frame)
                    if has_module:
                        ask_for_hint(frame)
                    continue
                press_first(person, replace(state, answers=[each for each in state.answers if each not in TIPS]))
                wait_for_move(person, state)
            else:
                frame.wait_for_timeout(20)
        expect(frame.locator(".scores h2")).to_be_visible()
        if has_module:
            review_match(frame)
        else:
            assert frame.get_by_role("button", name=re.compile("Hint|Luck|replay")).count() == 0
        assert chat.moves > 0 and not person.errors
        assert {re.sub(r"[^/]*$", "", each) for each in asked} == {url}


def test_theme_language_and_keys_on_the_page(painting_browser: Browser) -> None:
    page = painting_browser.new_context(reduced_motion="reduce").new_page()
    with open_chat(players=2, language="fr") as (chat, url), closing(page.context):
        person = BrowserPlayer(page, url, "Ann")
        frame = show_page(page, chat, url, "dark")
        person.page = frame  # type: ignore[assignment]
        assert frame.evaluate("() => [document.documentElement.lang, document.documentElement.dataset.theme]") == [
            "fr",
            "dark",
        ]
        person.wait_until(lambda: person.screen_state().asked, "Ann has the turn")
        wait_until_pressable(frame)  # type: ignore[arg-type]
        state = person.screen_state()
        frame.locator(".draw-pile").press("Enter")
        wait_for_move(person, state)
        assert len(person.screen_state().hand) > len(state.hand) and not person.errors
