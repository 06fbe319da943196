"""Limits on the cost of one stranger: each test is a small attack that once worked (docs/server.md)."""

from __future__ import annotations

import asyncio
import os
import socket as sockets
import struct
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any, cast
from unittest.mock import Mock

import pytest
from starlette.types import Receive, Scope, Send
from uvicorn.server import ServerState

from lastcard.errors import UsageError
from lastcard.server.http import pages, replays
from lastcard.server.http.app import SOCKET_COST
from lastcard.server.http.requests import CallerLimits
from lastcard.server.launcher import server_config
from lastcard.server.security import metrics, security
from lastcard.server.store.store import Store
from lastcard.server.wire import http_transport
from server.http.conftest import ann as ann
from server.http.conftest import code as code
from support.threaded_server import TIMEOUT_S, Client, ThreadedServer, run_threaded_server

HEALTH = b"GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n"
MASK = b"\x00\x00\x00\x00"
EMPTY_PIECE = b"\x00\x80" + MASK
PING = b"\x89\x80" + MASK
PONG = b"\x8a\x80" + MASK
TEXT_BEGINS = b"\x01\x80" + MASK


def line_to(served: ThreadedServer) -> sockets.socket:
    host, _, port = served.host.partition(":")
    line = sockets.create_connection((host, int(port)), timeout=TIMEOUT_S)
    line.setsockopt(sockets.IPPROTO_TCP, sockets.TCP_NODELAY, 1)
    served.connections.callback(line.close)
    return line


def is_answered(line: sockets.socket) -> bool:
    """Whether the answer of ``/healthz`` comes, in any number of pieces; a closed connection ends, or is reset."""
    answer = b""
    with suppress(ConnectionResetError):
        while not answer.endswith(b"ok\n") and (piece := line.recv(65536)):
            answer += piece
    return answer.endswith(b"ok\n")


def count_answers(line: sockets.socket) -> int:
    """The number of answers of ``/healthz`` until none comes for a while."""
    answers = b""
    line.settimeout(1)
    with suppress(OSError):
        while piece := line.recv(65536):
            answers += piece
    return answers.count(b"ok\n")


def accepts_connection(line: sockets.socket) -> bool:
    with suppress(ConnectionError):
        line.sendall(HEALTH)
        return is_answered(line)
    return False


def is_cut_off(line: sockets.socket) -> bool:
    """Whether the server closes the connection."""
    until = time.monotonic() + TIMEOUT_S
    line.settimeout(0.1)
    while time.monotonic() < until:
        try:
            if not line.recv(65536):
                return True
        except TimeoutError:
            continue
        except OSError:
            return True
    return False


def flood(line: sockets.socket, data: bytes, times: int) -> int:
    """Send data repeatedly; returns the number of bytes sent until the server closed the connection."""
    line.settimeout(2)
    sent = 0
    with suppress(OSError):
        for _ in range(times):
            sent += line.send(data)
    return sent


def upgraded(browser: Client, code: str) -> sockets.socket:
    """A WebSocket that has sent nothing yet."""
    line = line_to(browser.server)
    line.sendall(browser.upgrade_request(code))
    assert b" 101 " in line.recv(4096)
    return line


# --- request headers --------------------------------------------------------------------------------------


def test_a_head_without_end_is_cut_off(served: ThreadedServer) -> None:
    """40 MB of header lines on one connection once took a gigabyte."""
    line = line_to(served)
    line.sendall(b"GET / HTTP/1.1\r\nhost: x\r\n")
    assert flood(line, b"x-more: 0123456789abcdef\r\n" * 2000, 400) < 8 << 20
    assert is_cut_off(line)


def test_a_body_nobody_waits_for_is_cut_off(served: ThreadedServer) -> None:
    line = line_to(served)
    line.sendall(b"GET /healthz HTTP/1.1\r\nhost: x\r\ncontent-length: 999999999\r\n\r\n")
    assert b"200" in line.recv(4096)
    assert flood(line, b"x" * 65536, 400) < 8 << 20
    assert is_cut_off(line)


def test_half_a_request_does_not_stay(served: ThreadedServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http_transport, "HEAD_S", 0.3)
    silent, slow, blank = line_to(served), line_to(served), line_to(served)
    slow.sendall(b"GET / HTTP/1.1\r\nhost: x\r\nx-slow: ")
    blank.sendall(HEALTH)
    assert is_answered(blank)
    blank.sendall(b"\r\n")
    assert is_cut_off(silent) and is_cut_off(slow) and is_cut_off(blank)


def test_a_head_that_comes_slowly_is_cut_off(served: ThreadedServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http_transport, "HEAD_S", 0.5)
    line = line_to(served)
    line.sendall(b"GET / HTTP/1.1\r\n")
    begun = time.monotonic()
    with suppress(OSError):
        while time.monotonic() < begun + TIMEOUT_S:
            line.sendall(b"x: y\r\n")
            time.sleep(0.05)
    assert time.monotonic() < begun + TIMEOUT_S


def test_requests_one_after_the_other_are_answered(served: ThreadedServer) -> None:
    """The requests are on one connection, in pieces, and some at once."""
    line = line_to(served)
    request = b"GET /healthz HTTP/1.1\r\nhost: x\r\nx-pad: " + b"p" * 3000 + b"\r\n\r\n"
    for _ in range(40):
        line.sendall(request[:9])
        line.sendall(request[9:])
        assert is_answered(line)
    line.sendall(request * http_transport.MAX_PIPELINED)
    assert count_answers(line) == http_transport.MAX_PIPELINED


def test_endless_requests_are_not_buffered(served: ThreadedServer) -> None:
    """The client does not read the answers: hundreds of requests per connection were parsed and queued."""
    line = line_to(served)
    line.sendall(HEALTH * 500)
    assert count_answers(line) <= http_transport.MAX_PIPELINED + 1
    assert is_cut_off(line)


def test_an_early_disconnect_is_no_error(served: ThreadedServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """The server wrote to a closed connection and logged a traceback: a stranger could fill the disk with the log."""
    asked = 0

    async def slow_lookup(_store: Store, _token: str) -> None:
        nonlocal asked
        asked += 1
        await asyncio.sleep(0.3)

    monkeypatch.setattr(Store, "player_by_token", slow_lookup)
    before = metrics.FAULTS._value.get()
    line = line_to(served)
    line.sendall(b"GET /api/me HTTP/1.1\r\nhost: x\r\ncookie: lastcard=nobody\r\n\r\n" * 3)
    line.recv(1)  # of the first answer; the second is on its way
    line.setsockopt(sockets.SOL_SOCKET, sockets.SO_LINGER, struct.pack("ii", 1, 0))
    line.close()
    time.sleep(1)
    assert (asked, metrics.FAULTS._value.get()) == (2, before)


def test_lines_of_a_head_are_limited(served: ThreadedServer) -> None:
    """Each line costs more than its bytes: 64 KiB had space for ten thousand."""
    for lines, status in ((http_transport.MAX_HEADERS - 1, b" 200 "), (http_transport.MAX_HEADERS, b" 400 ")):
        line = line_to(served)
        line.sendall(b"GET /healthz HTTP/1.1\r\nhost: x\r\n" + b"a: b\r\n" * lines + b"\r\n")
        assert status in line.recv(4096)


@pytest.fixture
def remote_address(served: ThreadedServer, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """This machine has a public address that nobody has seen."""
    monkeypatch.setattr(security, "is_local_network", lambda address: False)
    limits, served.app.state.limits = served.app.state.limits, CallerLimits()
    yield
    served.app.state.limits = limits
    http_transport._blocked_until.clear()


def test_a_flooding_address_is_refused_for_a_moment(
    served: ThreadedServer, remote_address: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Even a refusal costs work. Connected clients stay so, and others behind the same proxy are not affected."""
    monkeypatch.setattr(http_transport, "BLOCK_S", 1.0)
    ann = served.new_client()
    line = line_to(served)
    line.sendall(HEALTH * 500)
    assert is_cut_off(line)
    begun = time.monotonic()
    assert is_cut_off(line_to(served)) and time.monotonic() < begun + 1
    assert ann.get("/healthz").status_code == 200
    while not accepts_connection(line_to(served)):
        assert time.monotonic() < begun + TIMEOUT_S


def test_connections_that_wait_to_flood_are_cut_off_together(served: ThreadedServer, remote_address: None) -> None:
    """Hundreds that were open already, each with the maximum of data, once blocked everybody for a quarter of a second,
    each time they were accepted again.
    """
    ann, lines = served.new_client(), [line_to(served) for _ in range(5)]
    flooding, *waiting = lines
    flooding.sendall(HEALTH * 500)
    assert is_cut_off(flooding)
    for line in waiting:
        with suppress(OSError):
            line.sendall(HEALTH)
        assert not is_answered(line)
    assert ann.get("/healthz").status_code == 200


@pytest.mark.real_time
async def test_a_proxy_is_not_refused_for_its_clients(remote_address: None) -> None:
    """All people come by it, so its connections count as those of many clients, and none is refused for another."""
    config = server_config(cast(Any, None), proxies="203.0.113.0/24")
    config.load()
    for address, times in (("203.0.113.7", http_transport.SHARED_FACTOR), ("198.51.100.7", 1)):
        line = http_transport.HttpTransport(config, ServerState(), {})
        line.client = address, 1
        line._block("flood")
        assert line._limit_factor == times
    assert set(http_transport._blocked_until) == {"198.51.100.7"}
    with pytest.raises(UsageError, match="--trusted-proxies"):
        server_config(cast(Any, None), proxies="a.proxy")


def test_open_requests_are_limited_by_address(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http_transport, "MAX_CONNECTIONS", http_transport._connected["127.0.0.1"] + 5)
    monkeypatch.setattr(http_transport, "SHARED_FACTOR", 1)
    with run_threaded_server(tmp_path) as served, ExitStack() as lines:
        held = [lines.enter_context(line_to(served)) for _ in range(5)]
        for line in held:
            line.sendall(HEALTH)
            assert is_answered(line)
        assert is_cut_off(line_to(served))
        held[0].close()
        until = time.monotonic() + TIMEOUT_S
        while not accepts_connection(lines.enter_context(line_to(served))):  # the server may not have seen the end yet
            assert time.monotonic() < until


# --- frames -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("frame", [PING, PONG, EMPTY_PIECE])
def test_small_frames_are_counted(ann: Client, frame: bytes) -> None:
    """1.8 MB of them, before hello, once blocked everybody for eight seconds."""
    line = upgraded(ann, ann.create_table())
    line.sendall(TEXT_BEGINS)
    before = time.process_time()
    flood(line, frame * (300_000 // len(frame)), 6)
    assert is_cut_off(line)
    assert time.process_time() - before < 0.5


def test_a_message_comes_in_a_few_pieces(ann: Client, code: str) -> None:
    socket_ = ann.join(code)
    socket_.connection.send(['{"type":', '"ping",', '"t":', "4}"])
    assert socket_.receive("pong")["t"] == 4


def test_big_messages_are_counted(ann: Client) -> None:
    line = upgraded(ann, ann.create_table())
    before = time.process_time()
    flood(line, (b"\x82\xfe" + struct.pack("!H", 4000) + MASK + os.urandom(4000)) * 50, 20)
    assert is_cut_off(line) and time.process_time() - before < 0.5


def test_waiting_sockets_are_limited(
    served: ThreadedServer, remote_address: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Joins of a table take turns with the requests of the address; the queue is bounded."""
    monkeypatch.setattr(http_transport, "MAX_HANDSHAKES", 2)
    monkeypatch.setattr(served.app.state.limits, "requests", security.Limit(rate=4, burst=200))
    ann = served.new_client()
    code = ann.create_table()
    monkeypatch.setattr(served.app.state.limits, "requests", security.Limit(rate=4, burst=SOCKET_COST))
    upgraded(ann, code)
    begun = time.monotonic()
    waiting = [line_to(served) for _ in range(2)]
    for line in waiting:
        line.sendall(ann.upgrade_request(code))
    time.sleep(0.2)
    beyond = line_to(served)
    beyond.sendall(ann.upgrade_request(code))
    assert is_cut_off(beyond) and time.monotonic() - begun < 0.9
    for line in waiting:
        assert b" 101 " in line.recv(4096)
    assert time.monotonic() - begun > 1.8
    upgraded(ann, code)


# --- cheap calls with high costs ----------------------------------------------------------------------------


def test_qr_codes_are_made_once_for_existing_tables(ann: Client, code: str, monkeypatch: pytest.MonkeyPatch) -> None:
    paint = Mock(wraps=pages._picture)
    monkeypatch.setattr(pages, "_picture", paint)
    assert [ann.get(f"/qr/{code}.svg").status_code for _ in range(5)] == [200] * 5
    assert ann.get("/qr/ZZZZZZ.svg").status_code == 404 and paint.call_count == 1


def test_an_address_has_a_budget_of_work(served: ThreadedServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """Requests with ever new ruleset names, none of which is cached, are refused after some seconds of work."""
    monkeypatch.setattr(served.app.state.limits, "work", security.Limit(rate=0.01, burst=0.002, shared_factor=1))
    ann = served.new_client(None)
    names = [f"classic+winning_score={n}+hand_size={k}" for n in (100, 200, 250, 300, 1000) for k in (5, 6, 8, 9, 10)]
    answers = [ann.get(f"/api/rules/{name}").status_code for name in names]
    assert answers[0] == 200 and set(answers) == {200, 429}
    assert ann.get("/healthz").status_code == 200


def test_requests_of_one_address_wait_for_their_turn(served: ThreadedServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """No request that a page needs is refused; more connections do not make it faster."""
    monkeypatch.setattr(served.app.state.limits, "requests", security.Limit(rate=50, burst=10, shared_factor=1))
    begun = time.monotonic()
    browsers = [served.new_client(None) for _ in range(4)]
    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(lambda n: browsers[n % 4].get("/healthz").status_code, range(60)))
    assert answers == [200] * 60 and 0.7 < time.monotonic() - begun < 5


def test_refusals_are_counted_too(served: ThreadedServer, remote_address: None) -> None:
    """Requests with a foreign host name are refused at a limited rate, a hundred times a second."""
    mallory = served.new_client(None)
    served.app.state.limits.requests = security.Limit(rate=20, burst=5)
    begun = time.monotonic()
    assert {mallory.get("/", host="evil.example").status_code for _ in range(25)} == {421}
    assert {mallory.post("/api/me", {}, origin="http://evil.example").status_code for _ in range(5)} == {403}
    assert time.monotonic() - begun > 1


def test_a_class_behind_one_address_comes_in(served: ThreadedServer, remote_address: None) -> None:
    """Thirty people with the code of a table load the page and join at the same moment: slower, but all of them."""
    ann = served.new_client()
    code = ann.create_table(settings={"seats": 4})

    def come(number: int) -> str:
        browser = served.new_client(None)
        for _ in range(10):
            assert browser.get("/healthz").status_code == 200
        me = {"name": f"Pupil {number}", "language": "en", "table": code}
        assert browser.post("/api/me", me).status_code == 200
        return str(browser.join(code).welcome["type"])

    begun = time.monotonic()
    with ThreadPoolExecutor(30) as pool:
        assert list(pool.map(come, range(30))) == ["welcome"] * 30
    assert time.monotonic() - begun > 2, "it was not counted"


def test_refused_requests_are_not_charged(monkeypatch: pytest.MonkeyPatch) -> None:
    """Refused requests do not count: a flood of a second once cost its address minutes."""
    now = [0.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    limit = security.Limit(rate=10, burst=10)
    waits = [limit.spend("8.8.8.8", most=5) for _ in range(1000)]
    assert sum(wait <= 5 for wait in waits) == 60
    now[0] = 5
    assert limit.spend("8.8.8.8", most=5) <= 0.1


def test_a_record_is_made_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make = Mock(wraps=replays.record_text)
    monkeypatch.setattr(replays, "record_text", make)
    with run_threaded_server(tmp_path) as served:
        ann = served.new_client()
        ann.join(ann.create_table(quick=True)).receive("dealt")
        (line,) = ann.get("/api/matches").json()
        answers = {ann.get(f"/api/matches/{line['id']}/record").status_code for _ in range(5)}
    assert answers == {200} and make.call_count <= 3, "bots may have moved meanwhile"


# --- foreign host names ---------------------------------------------------------------------------------------


def test_a_strange_name_leads_nowhere(ann: Client, code: str, served: ThreadedServer) -> None:
    """A page at evil.example whose name resolves to this server: host and origin agree, and the cookie is its own."""
    evil = {"host": "evil.example", "origin": "http://evil.example"}
    assert ann.get("/", **evil).status_code == 421
    assert ann.post("/api/tables", {}, **evil).status_code == 421
    line = line_to(served)
    line.sendall(ann.upgrade_request(code).replace(served.host.encode(), b"evil.example"))
    assert b" 403 " in line.recv(4096)


@pytest.mark.parametrize("names", ["10.0.0.0/24", "10.0.0.7/24", "10.0.0.9, 10.0.0.8", "*"])
@pytest.mark.parametrize(
    "peers",
    [["10.0.0.9"], ["10.0.0.9", "10.0.0.8"], ["::ffff:10.0.0.9"]],
    ids=["one proxy", "two in a row", "at an IPv6 socket"],
)
def test_trusted_proxies_give_the_client_address(peers: list[str], names: str) -> None:
    """Addresses that the client itself has added are ignored unless all are trusted. A network given by another address
    than its first, and a proxy by its name in IPv6, were not recognized: all its clients were one.
    """
    seen: list[str] = []

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        seen.append(scope["client"][0])

    config = server_config(cast(Any, app), proxies=names)
    config.load()
    said = ", ".join(["6.6.6.6", "8.8.8.8", *peers[1:]])
    scope = {"type": "http", "client": (peers[0], 1), "headers": [(b"x-forwarded-for", said.encode())]}
    asyncio.run(config.loaded_app(cast(Any, scope), cast(Any, None), cast(Any, None)))
    assert seen == ["6.6.6.6" if names == "*" else "8.8.8.8"]
