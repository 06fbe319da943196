"""The browser's connection to a table: moves are answered exactly once, and the connection recovers by itself."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from itertools import chain
from typing import Any

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect

from lastcard.text.locale import catalog
from support.mock_site import MockSite
from support.page_readiness import wait_for_condition

PROMISE, OTHER_PROMISE = "a" * 64, "b" * 64
Message = dict[str, Any]


def table(promise: str = PROMISE, sealed: bool = False) -> Message:
    """A table at which the person ``me`` sits, with the fields that a session reads."""
    seat = {"name": "Ann", "player": "me", "bot": None, "here": True, "standin": False, "heir": None, "sealed": sealed}
    return {"code": "ABC234", "phase": "playing", "host": "me", "seats": [seat], "promise": promise, "next_in": None}


def game(ply: int, match: str = "m1") -> Message:
    """A game after some moves."""
    return {"match": match, "ply": ply, "public": {"turn": ply % 2}, "mine": None, "clock": None}


def moved(ply: int) -> Message:
    """The message of a move."""
    picture = {"public": {"turn": ply % 2}, "mine": None, "clock": {"left": 5000, "bank": 0}}
    return {"type": "moved", "match": "m1", "ply": ply, "seat": 0, "move": "draw", "events": [], **picture}


class MockServer:
    """The other end of the connection: welcomes every client, and stores its messages."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.lines: list[WebSocketRoute] = []
        self.received: list[list[Message]] = []
        self.ply = 3
        self.phase = "playing"
        page.route_web_socket(re.compile("/ws/ABC234"), self._connected)

    def _connected(self, line: WebSocketRoute) -> None:
        messages: list[Message] = []
        self.lines.append(line)
        self.received.append(messages)

        def receive(text: str | bytes) -> None:
            message = json.loads(text)
            if message["type"] == "hello":
                state = table() | {"phase": self.phase}
                welcome = {"v": 1, "you": "me", "table": state, "game": game(self.ply), "notes": []}
                line.send(json.dumps({"type": "welcome", **welcome}))
            elif message["type"] == "ping":
                line.send(json.dumps({"type": "pong", "t": message["t"]}))
            else:
                messages.append(message)

        line.on_message(receive)

    def say(self, message: Message) -> None:
        """Send on the newest connection."""
        self.lines[-1].send(json.dumps(message))

    def wait(self, condition: Callable[[], object]) -> None:
        """Wait until something has arrived."""
        wait_for_condition(self.page, condition, 15, lambda: "it did not come")

    def messages(self, kind: str) -> list[list[Message]]:
        """The messages of a type on each connection."""
        return [[message for message in messages if message["type"] == kind] for messages in self.received]

    def numbers(self) -> list[Message]:
        """The numbers for shuffles, on all connections."""
        return [*chain.from_iterable(self.messages("number"))]


@pytest.fixture
def server(own_site: MockSite) -> MockServer:
    """A welcomed session, as ``session`` on the page; its events are in ``fired``."""
    page = own_site.page
    server = MockServer(page)
    page.evaluate(
        """async () => {
            const { Session } = await import("/web/net/session.js");
            globalThis.fired = [];
            globalThis.session = new Session("ABC234");
            for (const name of ["welcome", "moved", "bye"]) session.addEventListener(name, () => fired.push(name));
            session.open();
        }"""
    )
    page.wait_for_function("() => session.online")
    return server


def test_a_move_without_answer_is_sent_again_with_the_same_id(server: MockServer) -> None:
    """A client that got no answer sends the same command id again."""
    server.page.evaluate("void (globalThis.answer = session.makeMove('draw').then((answer) => answer.ply))")
    server.wait(lambda: any(server.messages("act")))
    server.lines[0].close()
    server.wait(lambda: len(server.received) == 2 and server.messages("act")[1])
    first, again = server.messages("act")
    assert again == first and first[0]["match"] == "m1"
    server.say({"type": "done", "id": again[0]["id"], "ply": 4})
    assert server.page.evaluate("answer") == 4


def test_a_move_made_while_the_line_is_down_is_sent_when_it_is_back(server: MockServer) -> None:
    server.lines[0].close()
    server.page.wait_for_function("() => !session.online")
    server.page.evaluate("void session.makeMove('pass')")
    server.wait(lambda: len(server.received) == 2 and server.messages("act")[1])
    assert [message["move"] for message in server.messages("act")[1]] == ["pass"]


PRESSES = ({"type": "sit", "seat": 1}, {"type": "pause", "on": True}, {"type": "ready"}, {"type": "write", "cards": []})
"""Commands without an answer; the last two are valid only in the phase in which they are given."""


@pytest.mark.parametrize(("phase", "arrive"), [("playing", 4), ("over", 2)])
def test_no_command_is_lost_while_the_line_is_down(server: MockServer, phase: str, arrive: int) -> None:
    """Each command is sent once when the connection is back, unless it was for a phase that is over by then."""
    server.phase = phase
    server.lines[0].close()
    server.page.wait_for_function("() => !session.online")
    presses = [*PRESSES, *PRESSES]  # in one message: the connection may come back meanwhile
    sent = server.page.evaluate("(messages) => messages.map((message) => session.send(message))", presses)
    assert sent == [False] * len(presses)
    server.wait(lambda: len(server.received) == 2)
    server.page.wait_for_function("() => session.online")
    server.page.evaluate("void session.send({ type: 'stand' })")
    server.wait(lambda: server.messages("stand")[1])
    kinds = {press["type"] for press in PRESSES}
    assert [message for message in server.received[1] if message["type"] in kinds] == [*PRESSES[:arrive]]


def test_chat_written_offline_remains_in_its_field(server: MockServer) -> None:
    """The chat empties it only when the words have been sent, so they are not sent by themselves later."""
    server.lines[0].close()
    server.page.wait_for_function("() => !session.online")
    assert server.page.evaluate("session.send({ type: 'say', text: 'hello' })") is False
    server.page.wait_for_function("() => session.online")
    assert server.page.evaluate("session.send({ type: 'say', text: 'there' })") is True
    server.wait(lambda: [message["text"] for message in server.messages("say")[1]] == ["there"])


def test_moves_count_once_and_a_gap_fetches_the_whole_picture(server: MockServer) -> None:
    """Doubled messages are harmless; a lost one is detected by its ply."""
    server.say(moved(4))
    server.say(moved(4))
    server.page.wait_for_function("() => session.game.ply === 4")
    assert 0 < server.page.evaluate("session.deadline - performance.now()") <= 5000
    server.ply = 7
    server.say(moved(6))
    server.page.wait_for_function("() => session.game.ply === 7")
    assert server.page.evaluate("fired") == ["welcome", "moved", "welcome"]


def test_a_number_is_given_once_for_each_promise(server: MockServer) -> None:
    """Fair shuffle: each commitment gets a new number."""
    server.wait(lambda: len(server.numbers()) == 1)
    server.say({"type": "table", "table": table()})
    server.say({"type": "table", "table": table(OTHER_PROMISE)})
    server.wait(lambda: len(server.numbers()) == 2)
    assert [message["promise"] for message in server.numbers()] == [PROMISE, OTHER_PROMISE]
    assert all(re.fullmatch("[0-9a-f]{32}", message["number"]) for message in server.numbers())
    assert server.numbers()[0]["number"] != server.numbers()[1]["number"]


def test_a_match_is_remembered_with_the_promise_shown_and_the_number_that_arrived(server: MockServer) -> None:
    """Fair shuffle: the check knows what this browser saw, and does not expect a number that came too late."""
    shuffle = "(match) => import('/web/net/shuffle.js').then(({shuffleOf}) => shuffleOf(match) ?? null)"
    server.say({"type": "table", "table": table()})
    server.say({"type": "dealt", "game": game(0, "m2"), "events": []})
    server.page.wait_for_function("() => session.game.match === 'm2'")
    assert server.page.evaluate(shuffle, "m2") is None
    server.say({"type": "table", "table": table(OTHER_PROMISE)})
    server.say({"type": "table", "table": table(OTHER_PROMISE, sealed=True)})
    server.say({"type": "table", "table": table("c" * 64)})
    server.say({"type": "dealt", "game": game(0, "m3"), "events": []})
    server.page.wait_for_function("() => session.game.match === 'm3'")
    (number,) = (message["number"] for message in server.numbers() if message["promise"] == OTHER_PROMISE)
    assert server.page.evaluate(shuffle, "m3") == {"promise": OTHER_PROMISE, "number": number, "seat": 0}


def test_after_a_restart_it_comes_back_and_from_another_tab_only_when_asked(server: MockServer) -> None:
    server.say({"type": "bye", "why": "restart"})
    server.wait(lambda: len(server.lines) == 2)
    server.page.wait_for_function("() => session.online")
    server.say({"type": "bye", "why": "elsewhere"})
    server.page.wait_for_function("() => session.ended === 'elsewhere' && !session.online")
    server.page.wait_for_timeout(1200)
    assert len(server.lines) == 2
    server.page.evaluate("session.open()")
    server.page.wait_for_function("() => session.online && session.ended === null")


def test_preferences_of_another_format_are_removed(own_site: MockSite, page: Page) -> None:
    """The message is in the browser's language, because the person's is among them; it is shown once."""
    page.evaluate("localStorage.lastcard = JSON.stringify({name: 'Ann', theme: 'dark', language: 'pl'})")
    own_site.open("/")
    expect(page.locator(".toast")).to_have_text(catalog("en").text("web.notice.dropped"))
    assert page.evaluate("import('/web/ui/prefs.js').then(({prefs}) => prefs.get('name'))") == ""
    own_site.open("/")
    expect(page.locator("h1")).to_be_visible()
    assert page.locator(".toast").count() == 0
    assert not own_site.errors


def test_preferences_hold_where_storage_is_blocked(own_site: MockSite, page: Page) -> None:
    page.add_init_script("Object.defineProperty(window, 'localStorage', {get() { throw new Error('blocked') }})")
    own_site.open("/")
    assert (
        page.evaluate("import('/web/ui/prefs.js').then(({prefs}) => (prefs.set('name', 'Ann'), prefs.get('name')))")
        == "Ann"
    )
    assert not own_site.errors
