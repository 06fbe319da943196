"""A connection decodes short complete messages itself, and everything else by the parser."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from unittest.mock import Mock

import pytest
import uvicorn
from starlette.types import Receive, Scope, Send
from uvicorn.server import ServerState

from lastcard.server.wire.inbox import Inbox
from lastcard.server.wire.peer import POLICY
from lastcard.server.wire.protocol import FRAME_LIMIT_BYTES
from lastcard.server.wire.websocket_transport import FRAME_BUCKET, WebSocketTransport, frame_size

pytestmark = pytest.mark.real_time


MASK = b"\x12\x34\x56\x78"
PLAIN = bytes(4)
CONT, TEXT, BINARY, PING, FIN = 0, 1, 2, 9, 0x80


def frame(payload: bytes, opcode: int = TEXT | FIN, mask: bytes = MASK) -> bytes:
    """A frame as a browser sends it."""
    size = len(payload)
    head = bytes((opcode, 0x80 | size)) if size < 126 else bytes((opcode, 0x80 | 126)) + size.to_bytes(2)
    return head + mask + bytes(byte ^ mask[i % 4] for i, byte in enumerate(payload))


CALL = (
    b"GET /ws/ABCD HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)


async def open_transport(*pieces: bytes) -> WebSocketTransport:
    """A connection after its handshake and more bytes, without a listener."""
    opened = asyncio.Event()

    async def accept(scope: Scope, receive: Receive, send: Send) -> None:
        assert (await receive())["type"] == "websocket.connect"
        await send({"type": "websocket.accept"})
        opened.set()
        await asyncio.Event().wait()

    config = uvicorn.Config(
        accept, interface="asgi3", ws="none", ws_max_size=FRAME_LIMIT_BYTES, lifespan="off", log_config=None
    )
    config.load()
    line = WebSocketTransport(config, ServerState(), {})
    nowhere = Mock(is_closing=lambda: False, get_extra_info=lambda *_: None, get_write_buffer_size=lambda: 0)
    line.connection_made(nowhere)
    line.data_received(CALL)
    await opened.wait()
    for piece in pieces:
        line.data_received(piece)
    return line


async def read_inbox(line: WebSocketTransport) -> list[object]:
    """All messages that the application has not read."""
    found: list[object] = []
    while not line.inbox.empty():
        event = await line.receive()
        found.append(event.get("text") or event.get("bytes") or event)
    return found


SAID: Sequence[tuple[bytes, object]] = (
    (frame(b"one"), "one"),
    (frame("zażółć ✓".encode()), "zażółć ✓"),
    (frame(b"long " * 60), "long " * 60),
    (frame(b"ping", PING | FIN), None),
    (frame(b"in two ", TEXT), None),
    (frame(b"pieces", CONT | FIN), "in two pieces"),
    (frame(b"x" * 125), "x" * 125),
    (frame(b"x" * 126), "x" * 126),
    (frame(b"last"), "last"),
)


@pytest.mark.parametrize("size", [1, 2, 3, 5, 7, 11, 64, 1000, None])
async def test_the_same_messages_are_read_however_the_bytes_arrive(size: int | None) -> None:
    """They arrive in pieces of a size, or (None) frame by frame."""
    frames = [data for data, _ in SAID]
    stream = b"".join(frames)
    pieces = [stream[at : at + size] for at in range(0, len(stream), size)] if size is not None else frames
    line = await open_transport(*pieces)
    assert await read_inbox(line) == [text for _, text in SAID if text is not None]


@pytest.mark.parametrize("size", [0, 1, 125, 126, 65535, 65536, FRAME_LIMIT_BYTES])
@pytest.mark.parametrize("masked", [0, 0x80])
def test_where_a_frame_ends(size: int, masked: int) -> None:
    """The end is found for any length once its head is there; of a frame that is too large only the head is read."""
    length = bytes([size]) if size < 126 else b"\x7e" + size.to_bytes(2) if size < 65536 else b"\x7f" + size.to_bytes(8)
    head = bytes([0x81, masked | length[0]]) + length[1:]
    whole = len(head) + masked // 32 + (size if size <= FRAME_LIMIT_BYTES else 0)
    assert frame_size(b"??" + head, 2) == whole
    assert not any(frame_size(head[:n], 0) for n in range(len(head)))


@pytest.mark.parametrize(
    ("pieces", "code"),
    [
        # The connection ends before the frame has arrived.
        ([bytes([0x81, 0x80 | 127]) + (FRAME_LIMIT_BYTES + 1).to_bytes(8) + MASK], 1009),
        ([frame(b"first"), frame(b"\xff\xfe")], 1007),
        ([frame(b"again")] * (int(FRAME_BUCKET[1]) + 50), POLICY),
    ],
    ids=["a frame that is too large", "invalid UTF-8", "whole messages are counted too"],
)
async def test_a_fault_ends_the_connection(pieces: Sequence[bytes], code: int) -> None:
    line = await open_transport(*pieces)
    assert line.is_closing and line.conn.close_sent is not None and line.conn.close_sent.code == code
    line.shutdown()


async def test_a_whole_message_does_not_trouble_the_parser() -> None:
    line = await open_transport(frame(b"first"))
    line.conn.receive_data = Mock(side_effect=AssertionError)  # type: ignore[method-assign]
    line.data_received(frame(b"second"))
    assert await read_inbox(line) == ["first", "second"]


async def test_bytes_that_resemble_a_message_are_part_of_one() -> None:
    """The bytes are in the middle of another message, and arrive alone."""
    inner = frame(b"not said")
    outer = frame(b"before" + inner + b"after", BINARY | FIN, PLAIN)
    at = outer.index(inner)
    line = await open_transport(frame(b"first"), outer[:at], inner, outer[at + len(inner) :])
    assert await read_inbox(line) == ["first", b"before" + inner + b"after"]


async def test_interleaved_messages_end_the_connection() -> None:
    line = await open_transport(frame(b"first"), frame(b"in two ", TEXT), frame(b"another"))
    assert line.is_closing and (await read_inbox(line))[-1] == {
        "type": "websocket.disconnect",
        "code": 1002,
        "reason": "expected a continuation frame",
    }


async def test_reading_rests_while_the_application_is_busy_and_not_while_it_waits() -> None:
    line = await open_transport()
    rests: Mock = line.transport.pause_reading  # type: ignore[assignment]
    line.data_received(frame(b"first"))
    assert rests.call_count == 1, "nobody has asked for it yet"
    await line.receive()
    waiting = asyncio.ensure_future(line.receive())
    await asyncio.sleep(0)
    line.data_received(frame(b"second"))
    assert rests.call_count == 1, "it is taken at once"
    line.data_received(frame(b"third"))
    assert rests.call_count == 2 and line.is_reading_paused
    assert (await waiting).get("text") == "second" and line.is_reading_paused
    assert (await line.receive()).get("text") == "third" and not line.is_reading_paused


async def test_an_inbox_whose_reader_went_away_stores_messages() -> None:
    inbox: Inbox[int] = Inbox(asyncio.get_running_loop())
    gone = asyncio.ensure_future(inbox.get())
    await asyncio.sleep(0)
    assert inbox.is_awaited
    gone.cancel()
    await asyncio.wait([gone])
    assert not inbox.is_awaited
    inbox.put_nowait(1)
    inbox.put_nowait(2)
    assert not inbox.empty() and [await inbox.get(), await inbox.get()] == [1, 2] and inbox.empty()
