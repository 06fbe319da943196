"""The WebSocket: access, faulty input and floods, and clients that do not read (docs/server.md)."""

from __future__ import annotations

import gc
import socket as sockets
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from unittest.mock import AsyncMock, Mock

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.frames import Frame, Opcode

from lastcard.errors import StoreError
from lastcard.server import launcher
from lastcard.server.http import requests, table_socket
from lastcard.server.security import metrics, security
from lastcard.server.store.store import Store
from lastcard.server.table.live_table import LiveTable
from lastcard.server.wire import peer
from lastcard.server.wire.frames import text_frame
from lastcard.server.wire.http_transport import HttpTransport
from lastcard.server.wire.peer import OUTBOX_LIMIT_BYTES, Outbox
from lastcard.server.wire.protocol import FRAME_LIMIT_BYTES, VERSION
from lastcard.server.wire.websocket_transport import WebSocketTransport
from support.threaded_server import TIMEOUT_S, Client, ThreadedServer, run_threaded_server


def count_ended() -> int:
    """The number of ended connections that are still in memory."""
    # No isinstance: it asks weakref proxies of other tests for objects that may be gone.
    lines = (one for one in gc.get_objects() if issubclass(type(one), WebSocketTransport | HttpTransport))
    return sum(line.transport is not None and line.transport.is_closing() for line in lines)


@contextmanager
def all_connections_leave() -> Iterator[None]:
    """Check that no ended connection waits for the garbage collector."""
    gc.collect()
    gc.disable()
    try:
        yield
        until = time.monotonic() + TIMEOUT_S
        while count_ended():
            assert time.monotonic() < until
            time.sleep(0.05)
    finally:
        gc.enable()


def test_an_ended_connection_leaves_memory_at_once(ann: Client, code: str) -> None:
    """Thousands an hour would wait for the garbage collector, which seldom runs on a server."""
    with all_connections_leave():
        for _ in range(5):
            table_socket = ann.join(code)
            table_socket.ping()
            table_socket.connection.close()


def test_an_ended_connection_takes_its_requests_along(served: ThreadedServer) -> None:
    """Queued requests and the connection refer to each other."""
    host, _, port = served.host.partition(":")
    with all_connections_leave():
        for _ in range(5):
            with sockets.create_connection((host, int(port)), timeout=TIMEOUT_S) as line:
                line.sendall(b"GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n" * 40)
                while line.recv(65536):
                    pass


# --- voice ----------------------------------------------------------------------------------------------


def test_signals_have_a_limit_of_their_own(ann: Client, code: str) -> None:
    """A page sends ten a second at most; its moves do not wait for them."""
    line = ann.join(code)
    for _ in range(45):
        line.send(type="signal", player="nobody", data="offer")
    assert line.receive("refused")["code"] == "too-fast"


# --- access ---------------------------------------------------------------------------------------------


def test_hello_is_answered_with_everything(ann: Client, code: str, served: ThreadedServer) -> None:
    welcome = ann.join(code).welcome
    assert (welcome["v"], welcome["table"]["code"]) == (VERSION, code)
    assert welcome["you"] == ann.get("/api/me").json()["id"]
    assert welcome["table"]["join_url"] == f"{served.url}/t/{code}"


@pytest.mark.parametrize("origin", [None, "http://evil.example", "null", "http://127.0.0.1:1", "http://127.0.0.1"])
def test_a_foreign_origin_is_turned_away(ann: Client, code: str, origin: str | None) -> None:
    """Another port of the same host gets SameSite=Strict cookies, too."""
    with pytest.raises(InvalidStatus) as refused:
        ann.connect(code, origin)
    assert refused.value.response.status_code == 403


def test_the_public_address_is_no_foreign_origin(tmp_path: Path) -> None:
    with run_threaded_server(tmp_path, "https://cards.example") as served:
        ann = served.new_client()
        ann.connect(ann.create_table(), "https://cards.example").connection.close()


@pytest.mark.parametrize("question", ["player_by_token", "load_table"])
def test_without_a_database_everybody_comes_back_later(
    served: ThreadedServer, monkeypatch: pytest.MonkeyPatch, question: str
) -> None:
    """The connection ends as at a restart, and no fault is logged."""
    ann, before = served.new_client(), metrics.FAULTS._value.get()
    code = "ABCDEF" if question == "load_table" else ann.create_table()
    monkeypatch.setattr(Store, question, AsyncMock(side_effect=StoreError("the database is gone")))
    line = ann.connect(code)
    with suppress(ConnectionClosed):
        line.send(type="hello", v=VERSION)
    assert line.wait_closed() == ("restart", peer.GOING_AWAY) and metrics.FAULTS._value.get() == before


def test_a_stranger_must_introduce_himself(stranger: Client, code: str) -> None:
    assert stranger.greet(code).wait_closed() == (None, peer.UNKNOWN_PERSON)
    stranger.http.cookies.set("lastcard", security.new_token())
    assert stranger.greet(code).wait_closed() == (None, peer.UNKNOWN_PERSON)


@pytest.mark.parametrize("path", ["/api/me/sessions", "/api/me"])
def test_a_late_hello_of_an_ended_session_is_refused(ann: Client, code: str, path: str) -> None:
    """A connection from before all sessions were ended, or all data deleted, is not signed in."""
    line = ann.connect(code)
    assert ann.http.delete(path).status_code == 200
    line.send(type="hello", v=VERSION)
    assert line.wait_closed() == (None, peer.UNKNOWN_PERSON)


def test_a_late_hello_of_a_banned_address_is_refused(
    ann: Client, code: str, served: ThreadedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    line = ann.connect(code)
    monkeypatch.setattr(served.app.state.moderation, "is_banned_address", lambda address: True)
    line.send(type="hello", v=VERSION)
    assert line.receive("welcome", "bye").get("why") == "banned"


def test_a_big_screen_needs_no_name_and_has_no_hand(served: ThreadedServer) -> None:
    ann = served.new_client()
    code = ann.create_table(quick=True)
    ann.join(code).receive("dealt")
    for watcher in (served.new_client(None), ann):
        welcome = watcher.join(code, tv=True).welcome
        assert welcome["you"] is None and welcome["game"]["mine"] is None


def test_an_unknown_table_is_reported_and_guessing_is_slow(
    ann: Client, code: str, served: ThreadedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The close code says that there is no table; the socket ends by itself, before hello."""
    monkeypatch.setattr(served.app.state.limits, "misses", security.Limit(rate=0, burst=3, shared_factor=1))
    for guess in ("ABCDEF", "234567", "x"):
        ann.join(code).connection.close()
        assert ann.connect(guess).wait_closed() == (None, peer.UNKNOWN_TABLE) == (None, 4404)
    last = ann.connect(code).wait_closed()
    assert last == (None, peer.UNKNOWN_TABLE), "after too many wrong codes the right one does not help"


def test_connections_are_limited_by_address(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(requests, "MAX_SOCKETS", 2)
    monkeypatch.setattr(requests, "_SHARED_FACTOR", 1)
    with run_threaded_server(tmp_path) as served:
        ann = served.new_client()
        code = ann.create_table()
        first, _ = ann.join(code), ann.join(code, tv=True)
        with pytest.raises(InvalidStatus):
            ann.connect(code)
        first.connection.close()
        ann.join(code, tv=True)


def test_connections_at_a_table_are_not_limited_as_strangers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Behind an address of many people, the limit applies only to connections that have not yet signed in."""
    monkeypatch.setattr(requests, "MAX_STRANGERS", 1)
    monkeypatch.setattr(requests, "_SHARED_FACTOR", 1)
    with run_threaded_server(tmp_path) as served:
        ann = served.new_client()
        code = ann.create_table()
        for _ in range(4):
            ann.join(code, tv=True)
        ann.connect(code)
        with pytest.raises(InvalidStatus):
            ann.connect(code)


def test_another_version_is_asked_to_reload(ann: Client, code: str) -> None:
    assert ann.greet(code, v=VERSION + 1).wait_closed()[0] == "version"


def test_a_suspended_page_is_not_present(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The browser answers pings for the page, as ours does here; a page that pings the server stays."""
    monkeypatch.setattr(launcher, "PING_S", 0.2)
    monkeypatch.setattr(table_socket, "SILENT_S", 1.0)
    with run_threaded_server(tmp_path) as served:
        ann, ben = served.new_client("Ann"), served.new_client("Ben")
        code = ann.create_table()
        asleep, awake = ann.join(code), ben.join(code)
        assert awake.welcome["table"]["seats"][0]["here"]
        present: list[str] = []
        for t in range(20):
            awake.send(type="ping", t=t)
            while (message := awake.receive("pong", "table"))["type"] == "table":
                present.append("Ann" if message["table"]["seats"][0]["here"] else "nobody")
            time.sleep(0.1)
        assert present[-1] == "nobody"
        assert asleep.wait_closed() == (None, peer.GOING_AWAY)


def test_a_client_without_hello_is_disconnected(ann: Client, code: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table_socket, "HELLO_S", 0.1)
    assert ann.connect(code).wait_closed() == (None, peer.POLICY)
    rude = ann.connect(code)
    rude.send(type="ping", t=1)
    assert rude.receive("refused")["code"] == "unreadable"
    assert rude.wait_closed() == (None, peer.POLICY)


def test_a_second_tab_takes_the_seat(ann: Client, code: str) -> None:
    first, second = ann.join(code), ann.join(code)
    assert first.wait_closed()[0] == "elsewhere"
    second.ping()


# --- faulty input and floods ------------------------------------------------------------------------------

RUBBISH: tuple[str | bytes, ...] = (
    "",
    "{",
    "null",
    "[" * 4000,
    '"hello"',
    '{"type":"nope"}',
    '{"type":"act"}',
    '{"type":"act","id":"12345678","match":"m","move":"W","seat":3}',
    '{"type":"act","id":"short","match":"m","move":"W"}',
    '{"type":"say","text":5}',
    '{"type":"say","text":"' + "x" * 201 + '"}',
    '{"type":"say","text":"\\ud800"}',
    '{"type":"ping","t":1e999}',
    '{"type":"sit","seat":10}',
    '{"type":"configure","settings":{"seats":99}}',
    '{"type":"hello","v":1}',
    b"\x00\xff",
)


@pytest.mark.parametrize("rubbish", RUBBISH)
def test_an_invalid_message_is_refused_and_the_connection_stays(ann: Client, code: str, rubbish: str | bytes) -> None:
    socket_ = ann.join(code)
    socket_.connection.send(rubbish)
    refused = socket_.receive("refused")
    assert (refused["code"], refused["id"]) == ("unreadable", None)
    assert refused["text"].startswith("Invalid message: ")
    socket_.ping()


def test_many_invalid_messages_end_the_connection(ann: Client) -> None:
    socket_ = ann.join(ann.create_table())
    with suppress(ConnectionClosed):  # maybe before the last one
        for _ in range(12):
            socket_.connection.send("rubbish")
    assert socket_.wait_closed() == ("flood", peer.POLICY)


def test_a_frame_too_long_ends_the_connection(ann: Client) -> None:
    socket_ = ann.join(ann.create_table())
    socket_.connection.send('{"type":"say","text":"' + "x" * FRAME_LIMIT_BYTES + '"}')
    assert socket_.wait_closed() == (None, 1009)


def test_a_flood_ends_only_its_own_connection(served: ThreadedServer) -> None:
    ann, bob = served.new_client("Ann"), served.new_client("Bob")
    code = ann.create_table()
    flooding, calm = ann.join(code), bob.join(code)
    with suppress(ConnectionClosed):
        for i in range(80):
            flooding.send(type="ping", t=i)
    assert flooding.wait_closed() == ("flood", peer.POLICY)
    calm.ping()


def test_chat_is_limited_more_than_play(ann: Client) -> None:
    socket_ = ann.join(ann.create_table())
    for i in range(8):
        socket_.send(type="say", text=f"word {i}")
    assert socket_.receive("refused")["code"] == "too-fast"
    socket_.ping()


def test_a_fault_of_the_server_is_noted_and_answered(ann: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    socket_ = ann.join(ann.create_table())
    monkeypatch.setattr(LiveTable, "handle", AsyncMock(side_effect=ZeroDivisionError))
    note = Mock(return_value="abc123")
    monkeypatch.setattr(table_socket, "note_fault", note)
    socket_.send(type="act", id="12345678", match="m1", move="W")
    refused = socket_.receive("refused")
    assert (refused["code"], refused["id"]) == ("fault", "12345678") and "abc123" in refused["text"]
    assert [where for (_, where), _ in note.call_args_list] == ["MakeMove"]
    socket_.ping()


def test_refusals_speak_the_persons_language(stranger: Client) -> None:
    stranger.post("/api/me", {"name": "Ola", "language": "pl"})
    socket_ = stranger.join(stranger.create_table())
    socket_.connection.send("?")
    assert socket_.receive("refused")["text"].startswith("Nieprawidłowa wiadomość")


# --- clients that do not read -------------------------------------------------------------------------------


class FakeLine:
    """A connection that records calls."""

    def __init__(self) -> None:
        self.unread = 0
        self.done: list[object] = []

    def write(self, frames: bytes) -> bool:
        if self.unread > OUTBOX_LIMIT_BYTES:
            return False
        self.unread += len(frames)
        return True

    def finish(self, code: int) -> None:
        self.done.append(code)

    def abort(self) -> None:
        self.done.append("abort")


def test_a_full_outbox_closes_the_connection_once() -> None:
    line, drops = FakeLine(), Mock()
    outbox = Outbox(line, "en", drops)
    text = b"x" * 1000
    for _ in range(OUTBOX_LIMIT_BYTES // 1000 + 5):
        outbox.send(text)
    assert line.done == ["abort"] and drops.call_count == 1
    assert line.unread <= OUTBOX_LIMIT_BYTES + len(text_frame(text))
    outbox.close("restart")
    outbox.send(text)
    assert line.done == ["abort"]


def test_a_connection_gets_one_goodbye() -> None:
    line = FakeLine()
    outbox = Outbox(line, "en", lambda: None)
    outbox.close("restart")
    outbox.close("flood")
    assert line.done == [peer.GOING_AWAY]
    assert line.unread == len(text_frame(b'{"type":"bye","why":"restart"}'))


def test_a_browser_that_stops_reading_is_dropped_alone(served: ThreadedServer) -> None:
    """A full outbox closes only that connection; nobody waits for it."""
    ann, bob = served.new_client("Ann"), served.new_client("Bob")
    code = ann.create_table()
    reading = bob.join(code)
    stalled = stall(ann, code)
    drops = metrics.DROPS._value.get()
    table = served.table(code)
    text = b'{"type":"pong","t":' + b"1" * 2000 + b"}"

    def send_to_all() -> None:
        for outbox in table.presence.peers:
            outbox.send(text)

    for _ in range(1000):
        served.run_in_loop(send_to_all)
        reading.receive("pong")
        if len(table.presence.peers) < 2:
            break
    assert metrics.DROPS._value.get() == drops + 1
    assert len(table.presence.peers) == 1
    stalled.close()
    reading.send(type="ping", t=7)
    while reading.receive("pong")["t"] != 7:
        pass


def stall(browser: Client, code: str) -> sockets.socket:
    """A connection that joins a table and then never reads."""
    host, _, port = browser.server.host.partition(":")
    line = sockets.socket()
    line.setsockopt(sockets.SOL_SOCKET, sockets.SO_RCVBUF, 4096)
    line.connect((host, int(port)))
    line.sendall(browser.upgrade_request(code))
    assert b" 101 " in line.recv(4096)
    line.sendall(Frame(Opcode.TEXT, b'{"type":"hello","v":1}').serialize(mask=True))
    assert b"welcome" in line.recv(4096)
    return line


@pytest.mark.parametrize("size", [0, 1, 125, 126, 65_535, 65_536])
def test_frames_are_those_of_the_standard(size: int) -> None:
    text = ("ż" * (size // 2) + "x" * (size % 2)).encode()
    assert text_frame(text) == Frame(Opcode.TEXT, text).serialize(mask=False)
