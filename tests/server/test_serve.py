"""``lastcard serve``: start, addresses, clear refusals, a graceful end (docs/server.md)."""

from __future__ import annotations

import asyncio
import json
import os
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path
from threading import Thread
from typing import Any

import httpx
import pytest
from websockets import Origin
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from lastcard.cli.main import main
from lastcard.errors import UsageError
from lastcard.server.game.presence import SCREENS
from lastcard.server.http import listening_socket
from lastcard.server.launcher import STOP_S
from lastcard.server.store.database_address import describe_lock, lock_file, publish_address
from lastcard.server.store.store import Store
from lastcard.server.wire.protocol import VERSION
from support.devices import full_device
from support.fork_server import start_python
from support.matches import random_log
from support.services import free_port
from support.store_samples import put_log
from support.threaded_server import TIMEOUT_S
from support.websocket_players import wait_until_server_ready

SOCKETS = 800
"""Sockets for SIGTERM."""


class Process:
    """A server in a process of its own."""

    def __init__(self, folder: Path, *options: str, **streams: Any) -> None:
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.running = start_python(
            ["-m", "lastcard", "serve", "--port", str(self.port), "--language", "en", *options],
            env={**os.environ, "XDG_DATA_HOME": str(folder)},
            **streams,
        )

    def __enter__(self) -> Process:
        return self

    def __exit__(self, *_: object) -> None:
        self.running.kill()
        self.running.communicate()

    def stop(self, number: int = signal.SIGTERM) -> tuple[int, str, str, float]:
        """Stop it; returns exit status, output, log, and the seconds it took."""
        start = time.monotonic()
        self.running.send_signal(number)
        out, err = self.running.communicate(timeout=30)
        return self.running.wait(), out, err, time.monotonic() - start


@contextmanager
def process(folder: Path, *options: str, **streams: Any) -> Iterator[Process]:
    """A server that is ready, and is removed afterwards."""
    with Process(folder, *options, **streams) as server:
        wait_until_server_ready(server.running, server.url)
        yield server


def introduce(server: Process) -> httpx.Client:
    """The browser of Annabel."""
    browser = httpx.Client(base_url=server.url, headers={"origin": server.url}, timeout=30)
    browser.post("/api/me", json={"name": "Annabel"}).raise_for_status()
    return browser


def test_a_restarted_server_continues_its_tables(tmp_path: Path) -> None:
    with process(tmp_path, "--no-open") as server, closing(introduce(server)) as ann:
        code = ann.post("/api/tables", json={"quick": True}).json()["code"]
        me = ann.get("/api/me").json()
        token = ann.cookies["lastcard"]
        status, out, err, seconds = server.stop()
        assert status == 0 and seconds < 8
        assert f"http://localhost:{server.port}" in out
        lan = listening_socket.lan_address()
        assert lan is None or (f"http://{lan}:{server.port}" in out and "█" in out)
        assert (tmp_path / "lastcard" / "tables.sqlite").exists()
        lines = [json.loads(line) for line in err.splitlines()]
        assert [line["event"] for line in lines if line["level"] != "info"] == []
        for private in ("Annabel", code, token, me["id"]):
            assert private not in err
    with process(tmp_path, "--host", "127.0.0.1") as server:
        with httpx.Client(base_url=server.url, cookies={"lastcard": token}, timeout=TIMEOUT_S) as ann:
            assert ann.get("/api/me").json() == me
            assert ann.get(f"/api/tables/{code}").json()["host"] == "Annabel"
        status, out, _, _ = server.stop(signal.SIGINT)
        assert status == 0
        assert "█" not in out, "nobody else can come, so there is nothing to scan"


WAITING = "print(flush=True); import time; time.sleep(600)"
STARTS = {
    "a process": "subprocess.Popen(ending_with_parent([sys.executable, '-c', WAITING]))",
    "a fork": "ForkedProcess(['-c', WAITING], env={}, stdout=sys.stdout.buffer, server=ForkServer(()))",
}


@pytest.mark.skipif(shutil.which("setpriv") is None, reason="needs setpriv of Linux")
@pytest.mark.parametrize("start", STARTS)
def test_no_server_outlives_the_tests_that_started_it(start: str) -> None:
    """The tests may end in any way, here with SIGKILL."""
    script = f"""
import subprocess, sys, time
sys.path.insert(0, {str(Path(__file__).parents[1])!r})
from support.fork_server import ForkedProcess, ForkServer
from support.services import ending_with_parent
WAITING = {WAITING!r}
started = {STARTS[start]}
time.sleep(600)
"""
    tests = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    assert tests.stdout is not None
    try:
        assert tests.stdout.readline() == b"\n"
    finally:
        tests.kill()
    assert tests.communicate(timeout=60)[0] == b"", "whoever holds the other end has gone"


@pytest.mark.parametrize("first", [signal.SIGINT, signal.SIGTERM])
def test_a_second_ctrl_c_ends_it_in_order_too(first: int, tmp_path: Path) -> None:
    """The second one leaves no traceback in the log, and the tables are closed."""
    with process(tmp_path, "--host", "127.0.0.1") as server:
        server.running.send_signal(first)
        time.sleep(0.03)  # else both may arrive at once, the second first
        status, _, err, _ = server.stop(signal.SIGINT)
        lines = [json.loads(line) for line in err.splitlines()]
        assert status == 0 and [line["event"] for line in lines if line["level"] != "info"] == []
        assert lines[-1]["event"] == "stopped"


@pytest.mark.real_time
async def test_the_server_ends_cleanly_after_bots_played(tmp_path: Path) -> None:
    """Arrays of compiled code are freed when hardly anything of Python is left."""
    with process(tmp_path, "--host", "127.0.0.1") as server, closing(introduce(server)) as ann:
        code = ann.post("/api/tables", json={"quick": True}).json()["code"]
        cookie = {"Cookie": f"lastcard={ann.cookies['lastcard']}"}
        url = f"ws://127.0.0.1:{server.port}/ws/{code}"
        async with connect(url, origin=Origin(server.url), additional_headers=cookie) as line:
            await line.send(json.dumps({"type": "hello", "v": VERSION}))
            while "hand" not in str(await asyncio.wait_for(line.recv(), 60)):
                pass
        status, _, err, _ = server.stop()
        assert status == 0 and all(line.startswith("{") for line in err.splitlines()), err


@pytest.mark.real_time
async def test_many_sockets_are_asked_to_reconnect(tmp_path: Path) -> None:
    """Fault 9: SIGTERM with 800 sockets; each gets the reason, and the server ends within seconds."""
    with process(tmp_path, "--host", "127.0.0.1") as server, closing(introduce(server)) as ann:
        codes = [ann.post("/api/tables", json={}).json()["code"] for _ in range(SOCKETS // SCREENS)]

        async def sit(code: str) -> str:
            url = f"ws://127.0.0.1:{server.port}/ws/{code}"
            async with connect(url, origin=Origin(server.url), open_timeout=60) as line:
                await line.send(json.dumps({"type": "hello", "v": VERSION, "tv": True}))
                seated.release()
                last = ""
                with suppress(ConnectionClosed):
                    while True:
                        last = str(await line.recv())
                return last

        seated = asyncio.Semaphore(0)
        visits = [asyncio.create_task(sit(codes[i % len(codes)])) for i in range(SOCKETS)]
        for _ in visits:
            await seated.acquire()
        stopped = asyncio.create_task(asyncio.to_thread(server.stop))
        assert await asyncio.gather(*visits) == ['{"type":"bye","why":"restart"}'] * SOCKETS
        status, _, err, seconds = await stopped
        assert status == 0 and seconds < 8
        assert '"error"' not in err


def test_abandoned_work_does_not_delay_the_end(tmp_path: Path) -> None:
    """A report takes up to a minute, in a thread that cannot be stopped; the store is closed, and the process ends."""
    file = f"sqlite:///{tmp_path}/tables.sqlite"
    row, moves = random_log("classic", 4, seed=1)
    with closing(Store.open(file)) as store:
        asyncio.run(put_log(store, row, moves))
    with process(tmp_path, "--host", "127.0.0.1", "--database-url", file) as server:

        def ask() -> None:
            with suppress(httpx.TransportError):
                httpx.get(f"{server.url}/api/matches/{row.id}/report", timeout=60)

        asking = Thread(target=ask)
        asking.start()
        time.sleep(1)
        assert asking.is_alive(), "the report should take longer"
        status, _, err, seconds = server.stop()
        asking.join()
        assert status == 0 and seconds < STOP_S + 4
        assert json.loads(err.splitlines()[-1])["event"] == "stopped"


@pytest.mark.parametrize("stream", ["stdout", "stderr"])
def test_output_to_a_full_disk_stops_nothing(stream: str, tmp_path: Path) -> None:
    with (
        full_device(tmp_path).open("wb") as full,
        process(tmp_path, "--host", "127.0.0.1", **{stream: full}) as server,
        closing(introduce(server)) as ann,
    ):
        assert ann.post("/api/tables", json={}).status_code == 201


def test_a_database_of_an_unreleased_version_is_reported_in_the_log(tmp_path: Path) -> None:
    """The message is on stderr, and not among the words for people on stdout."""
    with sqlite3.connect(tmp_path / "old.sqlite") as connection:
        connection.execute("CREATE TABLE alembic_version (version_num TEXT)")
        connection.execute("INSERT INTO alembic_version VALUES ('0005')")
    connection.close()
    with process(tmp_path, "--host", "127.0.0.1", "--database-url", f"sqlite:///{tmp_path / 'old.sqlite'}") as server:
        _, out, err, _ = server.stop()
    log = json.loads(err.splitlines()[0])
    assert log["renamed"] == str(tmp_path / "old.sqlite.unreleased") and "unreleased" in log["event"]
    assert "unreleased" not in out and (tmp_path / "old.sqlite.unreleased").exists()


def test_a_second_server_learns_where_the_first_one_is(tmp_path: Path) -> None:
    """Its database is checked before its port, because another port alone would not help."""
    with process(tmp_path, "--host", "127.0.0.1") as first:
        for port in (first.port, free_port()):
            second = start_python(
                ["-m", "lastcard", "serve", "--host", "127.0.0.1", "--port", str(port)],
                env={**os.environ, "XDG_DATA_HOME": str(tmp_path)},
            )
            _, err = second.communicate(timeout=30)
            assert second.wait() == 2
            assert err == (
                f"lastcard: a lastcard server already runs at {first.url} with the database "
                f"{tmp_path / 'lastcard' / 'tables.sqlite'}; a second one needs a database of its own: "
                "lastcard serve --database-url sqlite:///other.sqlite\n"
            )
        with process(tmp_path, "--host", "127.0.0.1", "--database-url", f"sqlite:///{tmp_path}/other.sqlite") as other:
            assert httpx.get(other.url, timeout=TIMEOUT_S).status_code == 200


def test_an_address_of_an_earlier_server_is_forgotten(tmp_path: Path) -> None:
    path = str(tmp_path / "tables.db")
    publish_address(path, "http://localhost:9123")
    with closing(lock_file(path)):
        assert describe_lock(path).startswith(f"a lastcard server already runs with the database {path};")


@pytest.mark.skipif(not hasattr(os, "openpty"), reason="needs a pseudo-terminal")
def test_a_terminal_shows_the_address_without_the_log_of_the_start(tmp_path: Path) -> None:
    controller, terminal = os.openpty()
    with os.fdopen(controller, "rb", buffering=0), os.fdopen(terminal, "wb", buffering=0) as stderr:
        with process(tmp_path, "--host", "127.0.0.1", "--no-open", stderr=stderr) as server:
            _, out, _, _ = server.stop()
        os.set_blocking(controller, False)
        shown = os.read(controller, 1 << 16).decode()
    assert server.url in out
    assert "stopped" in shown and "kernel" not in shown and "{" not in shown


def test_a_taken_port_is_named_with_a_free_one(capsys: pytest.CaptureFixture[str]) -> None:
    with ExitStack() as taken:
        port = free_port()
        for number in (port, port + 1):
            try:
                taken.enter_context(listening_socket.bind("127.0.0.1", number))
            except UsageError:  # somebody else has it, which is as good
                continue
        assert main(["serve", "--host", "127.0.0.1", "--port", str(port)]) == 2
    said = capsys.readouterr().err
    found = re.fullmatch(rf"lastcard: port {port} is taken; port (\d+) is free: lastcard serve --port (\d+)\n", said)
    assert found is not None, said
    assert int(found[1]) == int(found[2]) > port + 1


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--host", "nowhere.invalid"], "'nowhere.invalid' is not an address of this computer"),
        (["--host", "192.0.2.77"], "'192.0.2.77' is not an address of this computer"),
        (["--host", ".."], "'..' is not an address of this computer"),
        (["--port", "70000"], "from 0 to 65535"),
        (["--port", "x"], "invalid int"),
        (["--public-url", "cards.example"], "is not a public address"),
        (["--public-url", "https://cards.example/rules"], "/rules is an address of a table server itself"),
        (["--public-url", "https://cards.example/a//b"], "is not a public address"),
        (["--public-url", "https://cards.example/../b"], "is not a public address"),
        (["--socket", "web.sock"], "--socket needs --public-url"),
        (["--public-url", "https://me:pw@cards.example"], "is not a public address"),
        (["--public-url", "https://cards.example:x"], "is not a public address"),
        (["--public-url", "https://["], "is not a public address"),
        (["--redis-url", "http://here"], "redis://HOST:PORT"),
        (["--redis-url", "redis://[::"], "redis://HOST:PORT"),
        (["--database-url", "mysql://here/cards"], "sqlite:///FILE or postgresql://"),
        (["--database-url", "nonsense"], "not the address of a database"),
        (["--database-url", "sqlite:////nowhere/tables.sqlite"], "/nowhere/tables.sqlite"),
    ],
)
def test_invalid_options_are_reported_in_one_line(
    options: list[str], said: str, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    port = [] if "--port" in options else ["--port", "0"]
    assert main(["serve", "--host", "127.0.0.1", *port, *options]) == 2
    error = capsys.readouterr().err
    assert said in error and "Traceback" not in error
    assert error.startswith("lastcard: ") == ("invalid int" not in error)
    assert len(error.splitlines()) == 1 or "invalid int" in error


def test_a_folder_that_cannot_be_written_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "lastcard").write_text("a file where the folder should be", encoding="utf-8")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert main(["serve", "--host", "127.0.0.1", "--port", "0"]) == 2
    assert f"{tmp_path / 'lastcard'}: tables cannot be kept there" in capsys.readouterr().err


def test_a_second_server_on_the_same_tables_is_refused(tmp_path: Path) -> None:
    with process(tmp_path, "--host", "127.0.0.1"):
        second = Process(tmp_path, "--host", "127.0.0.1")
        _, err = second.running.communicate(timeout=60)
        assert second.running.returncode == 2
        assert err.startswith("lastcard: ") and len(err.splitlines()) == 1


@pytest.mark.parametrize(
    ("text", "address_"),
    [
        ("https://Cards.Example/", "https://cards.example"),
        ("http://192.168.1.2:8020", "http://192.168.1.2:8020"),
        ("https://[::1]:8443", "https://[::1]:8443"),
        ("https://Club.example/Cards/", "https://club.example/Cards"),
    ],
)
def test_a_public_address_has_one_form(text: str, address_: str) -> None:
    assert listening_socket.check_public_url(text) == address_


def test_a_terminal_that_knows_no_blocks_gets_no_qr_code() -> None:
    assert listening_socket.qr_lines("http://192.168.1.2:8020", "utf-8")
    assert listening_socket.qr_lines("http://192.168.1.2:8020", "latin-1") == []
    assert listening_socket.qr_lines("http://192.168.1.2:8020", None) == []
