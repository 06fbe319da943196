"""Faults that the store survives on a file: kill -9, disk full, read-only; and invalid addresses."""

from __future__ import annotations

import asyncio
import os
import random
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final

import pytest

from lastcard.errors import StoreError
from lastcard.server.store.rows import Appended
from lastcard.server.store.store import Store
from support.store_samples import limit_file_size, make_move_row

WRITER: Final = """
import asyncio, sys
from lastcard.session.match_rows import MoveRow
from lastcard.server.store.store import Store

async def play(store, match):
    ply = len(await store.read_moves(match))
    while True:
        await store.append(MoveRow(match, ply, f"command-{ply}", 0, ply, ply))
        print(match, ply, flush=True)
        ply += 1

async def main():
    store = Store.open(sys.argv[1])
    await asyncio.gather(*[play(store, f"match-{i}") for i in range(8)])

asyncio.run(main())
"""
"""Plays eight matches and prints each move after its commit, until it is killed."""


def test_no_acknowledged_move_is_lost_to_kill_9(address: str) -> None:
    """After each kill every acknowledged move is there, plies are contiguous, and the file opens at once."""
    seed = random.randrange(2**32)
    chance = random.Random(seed)
    acknowledged: dict[str, int] = {}
    for _ in range(4):
        command = [sys.executable, "-c", WRITER, address]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            for _ in range(chance.randrange(1, 400)):
                match, ply = process.stdout.readline().split()
                acknowledged[match] = int(ply)
            process.kill()
            for line in process.stdout:  # the output from before it was killed
                if line.endswith("\n"):
                    match, ply = line.split()
                    acknowledged[match] = int(ply)
        with closing(Store.open(address)) as store:
            for match, last in acknowledged.items():
                log = asyncio.run(store.read_moves(match))
                assert [row.ply for row in log] == list(range(len(log))), f"seed {seed}"
                assert len(log) > last, f"seed {seed}"


def test_one_process_on_a_file(address: str) -> None:
    """A second server on the same file is refused; when the first is killed the file is free."""
    with subprocess.Popen([sys.executable, "-c", WRITER, address], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline()
        with pytest.raises(StoreError, match="in use by another lastcard server"):
            Store.open(address)
        process.send_signal(signal.SIGKILL)
    with closing(Store.open(address)), pytest.raises(StoreError, match="in use"):
        Store.open(address)
    Store.open(address).close()


def test_a_link_leads_to_the_same_file(address: str, tmp_path: Path) -> None:
    """Two servers use one file, one of them by a link to it."""
    (tmp_path / "link.db").symlink_to(tmp_path / "tables.db")
    with closing(Store.open(address)), pytest.raises(StoreError, match="in use"):
        Store.open(f"sqlite:///{tmp_path}/link.db")


@pytest.mark.real_time
async def test_a_disk_that_takes_no_more(address: str, tmp_path: Path) -> None:
    """Rows that cannot be written are refused and leave nothing; with space again the same rows are accepted."""
    with closing(Store.open(address)) as store:
        await store.append(make_move_row(0))
        with limit_file_size((tmp_path / "tables.db-wal").stat().st_size):
            answers = await asyncio.gather(
                *[store.append(make_move_row(ply)) for ply in (1, 2)], return_exceptions=True
            )
            with pytest.raises(StoreError):
                await store.create_table("ABC234", b"doc")
        assert [type(answer) for answer in answers] == [StoreError] * 2
        assert await store.read_moves("match-1") == [make_move_row(0)]
        assert await store.load_table("ABC234") is None
        answers = await asyncio.gather(*[store.append(make_move_row(ply)) for ply in (1, 2)])
        assert answers == [(Appended.COMMITTED, 1), (Appended.COMMITTED, 2)]
        assert await store.create_table("ABC234", b"doc")


@pytest.mark.parametrize(("pragma", "words"), [("max_page_count=1", "disk is full"), ("query_only=1", "read-only")])
@pytest.mark.real_time
async def test_a_file_that_cannot_be_written_any_more(address: str, pragma: str, words: str) -> None:
    """The error says what a person can do, and that nothing was written."""

    async def append_many(plies: range) -> None:
        for ply in plies:
            await store.append(make_move_row(ply))

    undo = {"max_page_count=1": "max_page_count=1000000", "query_only=1": "query_only=0"}[pragma]

    def switch(to: str) -> None:
        assert store._database.file is not None
        store._database.file.execute(f"PRAGMA {to}")
        for engine in (store._database.log, store._database.engine):
            with engine.connect() as connection:
                connection.exec_driver_sql(f"PRAGMA {to}")

    with closing(Store.open(address)) as store:
        await store.append(make_move_row(0))
        switch(pragma)
        with pytest.raises(StoreError, match=words) as caught:
            await append_many(range(1, 200))  # a page has space for some
        assert not caught.value.outcome_unknown
        assert caught.value.code == "storage"
        with pytest.raises(StoreError, match=words):
            await store.create_table("ABC234", b"doc" * 10_000)
        written = len(await store.read_moves("match-1"))
        switch(undo)
        assert await store.append(make_move_row(written)) == (Appended.COMMITTED, written)


@contextmanager
def nobody() -> Iterator[None]:
    """Run as a user without write permission: permissions do not bind root."""
    before = os.geteuid()
    os.seteuid(65534 if before == 0 else before)
    try:
        yield
    finally:
        os.seteuid(before)


def test_a_folder_or_a_file_that_is_read_only(tmp_path: Path) -> None:
    """The error is found when the store is opened, not at the first move."""
    folder = tmp_path / "database"
    folder.mkdir()
    Store.open(f"sqlite:///{folder}/tables.db").close()
    for parent in (*tmp_path.parents[:2], tmp_path):
        parent.chmod(0o755)
    folder.chmod(0o555)
    with nobody(), pytest.raises(StoreError, match=r"new\.db cannot be written: Permission denied"):
        Store.open(f"sqlite:///{folder}/new.db")
    folder.chmod(0o777)
    (folder / "tables.db").chmod(0o444)
    with nobody(), pytest.raises(StoreError, match=r"cannot be written|read-only"):
        Store.open(f"sqlite:///{folder}/tables.db")


def test_the_file_is_for_its_owner_only(address: str, tmp_path: Path) -> None:
    """The file contains the seeds of running matches."""
    Store.open(address).close()
    assert (tmp_path / "tables.db").stat().st_mode & 0o077 == 0


def test_a_file_of_another_kind_does_not_change(tmp_path: Path) -> None:
    file = tmp_path / "letter.txt"
    file.write_text("Dear Ada, " * 100)
    with pytest.raises(StoreError, match="no SQLite database"):
        Store.open(f"sqlite:///{file}")
    assert file.read_text() == "Dear Ada, " * 100


@pytest.mark.real_time
async def test_another_program_holds_the_file_for_a_moment(address: str, tmp_path: Path) -> None:
    """A backup that locks the file delays a move and does not lose it."""
    with closing(Store.open(address)) as store:
        other = sqlite3.connect(tmp_path / "tables.db", isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        waiting = asyncio.ensure_future(store.append(make_move_row(0)))
        await asyncio.sleep(0.2)
        assert not waiting.done()
        other.execute("ROLLBACK")
        other.close()
        assert await waiting == (Appended.COMMITTED, 0)


@pytest.mark.parametrize(
    ("address", "words"),
    [
        ("", "sqlite:///FILE or postgresql://"),
        ("tables.db", "sqlite:///FILE or postgresql://"),
        ("sqlite://", "three slashes"),
        ("sqlite:///:memory:", "needs a file"),
        ("sqlite://geheim/tables.db", "three slashes"),
        ("sqlite:////nowhere/at/all.db", "No such file or directory"),
        ("mysql://ada:geheim@localhost/cards", "mysql is not a database"),
        ("postgresql+psycopg2://ada:geheim@localhost/cards", "postgresql://"),
        ("postgresql://ada:geheim@localhost", "names no database"),
        ("postgresql://ada:geheim@127.0.0.1:nine/cards", "not the address"),
        ("postgresql://ada:geheim@127.0.0.1:9/cards", "cannot be reached"),
        ("postgresql://ada@127.0.0.1:9/cards?password=geheim", "cannot be reached"),
    ],
)
def test_an_address_that_does_not_work(address: str, words: str) -> None:
    """The error says what would be right, and never a password."""
    with pytest.raises(StoreError) as caught:
        Store.open(address)
    assert words in str(caught.value)
    assert "geheim" not in str(caught.value)
    assert caught.value.__cause__ is None
