"""The table server as a part of another application, behind that one's server."""

from __future__ import annotations

import threading
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path

import httpx
import pytest
import uvicorn
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.routing import Mount, Route

from lastcard import UsageError
from lastcard.server import asgi
from lastcard.server.wire.frames import read_texts, text_frame
from lastcard.server.wire.peer import OUTBOX_LIMIT_BYTES
from lastcard.server.wire.queued_transport import QueuedTransport
from support.services import LOOPBACK, free_port
from support.websocket_players import WebSocketPlayer, play_on, play_scenario, seat_people

START_S = 30.0


@contextmanager
def running_site(database: str, *, opens_early: bool) -> Iterator[str]:
    """Serve another application with the tables at ``/cards``; yields their URL."""
    port = free_port()
    url = f"http://{LOOPBACK}:{port}/cards"
    cards = asgi(url, database_url=database)

    @asynccontextmanager
    async def close_late(site: Starlette) -> AsyncIterator[None]:
        yield
        await cards.close()

    site = Starlette(
        routes=[Route("/", lambda request: PlainTextResponse("another site")), Mount("/cards", cards)],
        lifespan=cards.lifespan if opens_early else close_late,
    )
    server = uvicorn.Server(uvicorn.Config(site, LOOPBACK, port, log_config=None))
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        until = time.monotonic() + START_S
        while not server.started and time.monotonic() < until:
            time.sleep(0.02)
        assert httpx.get(f"http://{LOOPBACK}:{port}/", timeout=START_S).text == "another site"
        yield url
    finally:
        server.should_exit = True
        thread.join(START_S)
    assert not thread.is_alive()


@pytest.mark.real_time
@pytest.mark.parametrize("opens_early", [True, False])
async def test_people_play_below_another_site(tmp_path: Path, opens_early: bool) -> None:
    with running_site(f"sqlite:///{tmp_path / 'tables.sqlite'}", opens_early=opens_early) as url:
        page = httpx.get(f"{url}/", timeout=START_S)
        assert page.status_code == 200
        assert "/cards/" in page.text
        async with play_scenario() as dice:
            code, people = await seat_people(url, ["Ada", "Bob"], "all-wild")
            await play_on(people, dice, 20)
            away = people[0]
            await away.connect(url, code)
            assert away.game is not None
            stranger = WebSocketPlayer("Eve")
            with pytest.raises(ConnectionError):
                await stranger.connect(url, code)
        moves = people[1].ply
    with running_site(f"sqlite:///{tmp_path / 'tables.sqlite'}", opens_early=opens_early) as url:
        async with play_scenario():
            again = people[1]
            await again.connect(url, code)
            assert again.ply == moves


def test_options_of_a_listening_server_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="port is an option of lastcard serve alone"):
        asgi("http://localhost/cards", port=80)
    with pytest.raises(UsageError, match="there is no option 'spectator'; did you mean 'spectators'") as unknown:
        asgi("http://localhost/cards", spectator=80)
    assert "there are admin_token," in str(unknown.value) and "port" not in str(unknown.value)
    with pytest.raises(UsageError, match="there is no option 'data'; did you mean 'database_url'"):
        asgi("http://localhost/cards", data="tables")
    with pytest.raises(UsageError, match="spectators"):
        asgi("http://localhost/cards", database_url=f"sqlite:///{tmp_path / 'tables.sqlite'}", spectators=-1)


@pytest.mark.parametrize("size", [0, 1, 125, 126, 65_535, 65_536])
def test_frames_are_read_back(size: int) -> None:
    texts = [b"x" * size, "é".encode()]
    assert list(read_texts(b"".join(map(text_frame, texts)))) == texts


class SlowSocket:
    """A WebSocket whose other side does not read."""

    def __init__(self) -> None:
        self.sent: list[str] = []
        self.code: int | None = None

    async def send_text(self, text: str) -> None:
        self.sent.append(text)

    async def close(self, code: int) -> None:
        self.code = code


async def test_the_queue_is_bounded_and_closes_after_what_was_sent() -> None:
    websocket = SlowSocket()
    async with QueuedTransport(websocket) as transport:  # type: ignore[arg-type]
        assert transport.write(text_frame(b"one") + text_frame(b"two"))
        assert not transport.write(b"x" * OUTBOX_LIMIT_BYTES)
        transport.finish(4000)
    assert (websocket.sent, websocket.code) == (["one", "two"], 4000)
    async with QueuedTransport(websocket) as transport:  # type: ignore[arg-type]
        assert transport.write(text_frame(b"three"))
        transport.abort()
    assert (websocket.sent, websocket.code) == (["one", "two"], 1000)
