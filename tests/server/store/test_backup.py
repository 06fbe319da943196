"""Backups of both kinds of database, made while a server writes; restoring them; refusals in words."""

from __future__ import annotations

import asyncio
import os
import re
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from unittest.mock import Mock
from zipfile import ZipFile

import pytest
from sqlalchemy import Connection

from lastcard.cli.main import main
from lastcard.errors import StoreError
from lastcard.formats.record_files import read_record
from lastcard.server.export import export_matches, export_player
from lastcard.server.game.record_import import import_record
from lastcard.server.store import backup as backups
from lastcard.server.store import database_address
from lastcard.server.store.maintenance import back_up, restore
from lastcard.server.store.rows import NotificationAddress, Player, TableRow
from lastcard.server.store.schema_version import newest_revision, upgrade
from lastcard.server.store.store import Store
from support.record_samples import SERVER_CONFIG, random_record
from support.store_samples import limit_file_size, make_match_row, make_move_row, put_match

_ADDRESS = NotificationAddress("id", "ada", "push", "https://push.example/", {"auth": "a", "p256dh": "p"}, True, 0, 5)


async def fill(store: Store) -> None:
    """Write some rows of every kind."""
    await store.create_player(Player("ada", "Ada", "pl", shown=False), "a" * 64)
    await put_match(store, make_match_row("match-1"))
    await store.append(make_move_row(0))
    await store.add_notification_address(_ADDRESS)
    await store.server_key("vapid", b"key")


async def check_filled(store: Store) -> None:
    """Check that all of it is there."""
    assert await store.player_by_token("a" * 64) == Player("ada", "Ada", "pl", shown=False)
    assert await store.load_match("match-1") == make_match_row("match-1")
    assert await store.notification_addresses("ada") == [_ADDRESS]
    assert await store.server_key("vapid", b"another") == b"key"
    moves = await store.read_moves("match-1")
    assert moves == [make_move_row(ply) for ply in range(len(moves))] and moves


def filled(address: str) -> None:
    """Fill a database with some rows of every kind, without a server."""
    with closing(Store.open(address)) as store:
        asyncio.run(fill(store))


def holds(address: str) -> None:
    """Check that the database opens and has all of it."""
    with closing(Store.open(address)) as store:
        asyncio.run(check_filled(store))


@pytest.fixture
def address(tmp_path: Path) -> str:
    """The address of a filled file."""
    address = f"sqlite:///{tmp_path}/tables.sqlite"
    filled(address)
    return address


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """The path of a backup that is not yet made."""
    return tmp_path / "cards.backup"


@pytest.fixture
def elsewhere(tmp_path: Path) -> str:
    """The address of a file that is not yet there."""
    return f"sqlite:///{tmp_path}/elsewhere.sqlite"


@pytest.mark.real_time
async def test_a_backup_of_a_running_server_can_be_restored(
    database: str, file: Path, elsewhere: str, tmp_path: Path
) -> None:
    """The log of a backup has no gaps, and the backup can be restored into a database of either kind."""
    stop = False

    async def play(store: Store) -> None:
        ply = 1
        while not stop:
            await store.append(make_move_row(ply))
            ply += 1

    with closing(Store.open(database)) as store:
        await fill(store)
        playing = asyncio.create_task(play(store))
        for number in range(3):
            await asyncio.to_thread(back_up, database, file, overwrite=number > 0)
        stop = True
        await playing
        with pytest.raises(StoreError, match=r"in use by another|other connections: stop all servers"):
            restore(file, database, overwrite=True)
    assert file.stat().st_mode & 0o777 == 0o600
    assert sorted(path.name for path in tmp_path.iterdir() if "backup" in path.name) == ["cards.backup"]
    assert restore(file, elsewhere) == newest_revision()
    await asyncio.to_thread(holds, elsewhere)
    with pytest.raises(StoreError, match="is there already; --overwrite"):
        restore(file, database)
    assert restore(file, database, overwrite=True) == newest_revision()
    await asyncio.to_thread(holds, database)


def test_from_a_file_to_postgresql(address: str, file: Path, postgres_database: str) -> None:
    """A local server moves to a public site."""
    back_up(address, file)
    restore(file, postgres_database)
    holds(postgres_database)


def test_a_slow_disk(postgres_database: str, file: Path, elsewhere: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """However long the file takes to write, PostgreSQL does not end the reading transaction."""
    filled(postgres_database)

    def slow(connection: Connection, name: str, schema: str) -> None:
        time.sleep(5 * nap)
        upgrade(connection, name, schema)

    nap = 0.1
    monkeypatch.setattr(database_address, "IDLE_TRANSACTION_S", nap)
    monkeypatch.setattr(backups, "upgrade", slow)
    back_up(postgres_database, file)
    restore(file, elsewhere)
    holds(elsewhere)


def test_a_plain_copy_is_no_backup(file: Path, elsewhere: str, tmp_path: Path) -> None:
    """The file of a running server may be empty; restore says so, a backup has all."""
    address, plain = f"sqlite:///{tmp_path}/running.sqlite", tmp_path / "plain.copy"
    with closing(Store.open(address)) as store:
        asyncio.run(fill(store))
        plain.write_bytes((tmp_path / "running.sqlite").read_bytes())
        back_up(address, file)
    with pytest.raises(StoreError, match=r"no tables of lastcard in it.*lastcard backup"):
        restore(plain, elsewhere)
    restore(file, elsewhere)
    holds(elsewhere)


def test_an_invalid_backup_is_refused_and_nothing_changes(address: str, file: Path, tmp_path: Path) -> None:
    """Text, nothing, a cut file, another program's database, a newer one: each is refused in words."""
    back_up(address, file)
    whole = file.read_bytes()
    bad = tmp_path / "bad"

    def refused(why: str) -> None:
        with pytest.raises(StoreError, match=why):
            restore(bad, address, overwrite=True)
        holds(address)

    refused("no such file")
    bad.write_text("Dear diary", encoding="utf-8")
    refused("cannot be read|no backup of lastcard")
    bad.write_bytes(b"")
    refused("no tables of lastcard")
    bad.write_bytes(whole[: len(whole) // 2])
    refused("damaged|malformed|cannot be read")
    bad.unlink()
    with closing(sqlite3.connect(bad)) as connection:
        connection.execute("CREATE TABLE diary (day TEXT)")
    refused("no tables of lastcard")
    for change, why in (
        ("UPDATE alembic_version SET version_num = '9999'", "newer lastcard"),
        ("DROP TABLE move", "lacks move"),
    ):
        bad.write_bytes(whole)
        with closing(sqlite3.connect(bad)) as connection:
            connection.execute(change)
            connection.commit()
        refused(why)
        with pytest.raises(StoreError):
            restore(bad, f"sqlite:///{tmp_path}/new.sqlite")
    assert not list(tmp_path.glob(".*")) and not list(tmp_path.glob("new.sqlite*"))


def test_a_backup_overwrites_only_on_request(
    address: str, elsewhere: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An existing file stays, and a failure in the middle leaves nothing."""
    file = tmp_path / "diary.txt"
    with pytest.raises(StoreError, match="no such file"):
        back_up(elsewhere, file)
    file.write_text("Dear diary", encoding="utf-8")
    with pytest.raises(StoreError, match="there is a file already"):
        back_up(address, file)
    with pytest.raises(StoreError, match="cannot be written: No such file"):
        back_up(address, tmp_path / "nowhere" / "cards.backup")
    monkeypatch.setattr(backups, "_fsync", Mock(side_effect=OSError(28, "No space left on device")))
    with pytest.raises(StoreError, match="No space left"):
        back_up(address, file, overwrite=True)
    assert file.read_text(encoding="utf-8") == "Dear diary"
    assert not list(tmp_path.glob(".*"))


def test_nothing_but_a_file_is_replaced(address: str, file: Path, tmp_path: Path) -> None:
    """Root with ``--overwrite /dev/null`` would replace the device, which breaks the machine."""
    pipe = tmp_path / "pipe"
    back_up(address, file)
    os.mkfifo(pipe)
    for overwrite in (False, True):
        for there in (pipe, tmp_path):
            with pytest.raises(StoreError, match="it is no file"):
                back_up(address, there, overwrite=overwrite)
            with pytest.raises(StoreError, match="it is no file"):
                export_matches(address, there, overwrite=overwrite)
        with pytest.raises(StoreError, match="it is no file"):
            restore(file, f"sqlite:///{pipe}", overwrite=overwrite)
    assert pipe.is_fifo()


def test_a_link_to_the_file_is_not_replaced(file: Path, tmp_path: Path) -> None:
    """Tables or backups on a larger disk stay there, and the link is not replaced."""
    (tmp_path / "large").mkdir()
    for name in ("tables.sqlite", "cards.backup"):
        (tmp_path / name).symlink_to(tmp_path / "large" / name)
    address = f"sqlite:///{tmp_path}/tables.sqlite"
    filled(address)
    for overwrite in (False, True):
        back_up(address, file, overwrite=overwrite)
    restore(file, address, overwrite=True)
    holds(address)
    for name in ("tables.sqlite", "cards.backup"):
        assert (tmp_path / name).is_symlink() and (tmp_path / "large" / name).stat().st_size


def test_the_database_is_never_written_over(address: str, tmp_path: Path) -> None:
    """An output with any name of the database is refused, as when FILE is mistaken for the input."""
    link = tmp_path / "link.sqlite"
    link.symlink_to(tmp_path / "tables.sqlite")
    for file in (tmp_path / "tables.sqlite", link):
        with pytest.raises(StoreError, match="that is the database itself"):
            back_up(address, file, overwrite=True)
        with pytest.raises(StoreError, match="that is the database itself"):
            export_matches(address, file, overwrite=True)
        with pytest.raises(StoreError, match="that is the database itself"):
            export_player(address, "Ada", file, overwrite=True)
    holds(address)


def test_a_disk_that_takes_no_copy(database: str, file: Path, tmp_path: Path) -> None:
    """The error names the file that could not be written, and does not call database or backup broken."""
    backup = tmp_path / "old.backup"
    filled(database)
    back_up(database, backup)
    with limit_file_size(1 << 14):
        with pytest.raises(StoreError, match=f"^{re.escape(str(file))}: cannot be written: "):
            back_up(database, file)
        with pytest.raises(StoreError, match=r"/new\.sqlite: cannot be written: "):
            restore(backup, f"sqlite:///{tmp_path}/new.sqlite")
        with pytest.raises(StoreError, match=r"/copy\.sqlite: cannot be written: "):
            export_matches(database, tmp_path / "matches.zip")
    left = {path.name for path in tmp_path.iterdir()}
    assert not any(name.startswith(".") for name in left) and not {file.name, "new.sqlite", "matches.zip"} & left


def test_a_disk_that_takes_no_newer_schema(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, newer_schema: Callable[[], None]
) -> None:
    """A backup must be upgraded first, and the disk is full by then."""
    (tmp_path / "data").mkdir()
    old, bring_up = tmp_path / "data" / "old.sqlite", backups.upgrade_file
    filled(f"sqlite:///{old}")
    newer_schema()

    def bring_up_later(file: Path, name: str) -> None:
        with limit_file_size(file.stat().st_size):
            bring_up(file, name)

    monkeypatch.setattr(backups, "upgrade_file", bring_up_later)
    with pytest.raises(StoreError, match=r"/new\.sqlite: cannot be written: "):
        restore(old, f"sqlite:///{tmp_path}/new.sqlite")
    assert {path.name for path in tmp_path.iterdir()} == {"data", "versions"}


def test_a_crashed_server_is_restored_over(address: str, file: Path, tmp_path: Path) -> None:
    """The write-ahead log of a killed server is not applied to the restored file."""
    back_up(address, file)
    with closing(sqlite3.connect(tmp_path / "tables.sqlite")) as connection:  # a log that no close has emptied
        connection.execute("DELETE FROM token")
        connection.commit()
        copies = {path.name: path.read_bytes() for path in tmp_path.glob("tables.sqlite*")}
    for name, data in copies.items():
        (tmp_path / name).write_bytes(data)
    assert (tmp_path / "tables.sqlite-wal").stat().st_size
    restore(file, address, overwrite=True)
    holds(address)


def test_the_commands(tmp_path: Path, capsys: pytest.CaptureFixture[str], newer_schema: Callable[[], None]) -> None:
    """Backup, restore and export as an administrator types them."""
    old, new = tmp_path / "old.sqlite", f"sqlite:///{tmp_path}/new.sqlite"
    match = import_record(random_record(SERVER_CONFIG, 1)[1], f"sqlite:///{old}").removeprefix("/match/")
    newer_schema()
    file, archive = str(tmp_path / "cards.backup"), tmp_path / "matches.zip"
    assert main(["backup", file, "--database-url", f"sqlite:///{old}"]) == 0
    assert main(["backup", file, "--database-url", f"sqlite:///{old}"]) == 2
    assert main(["restore", file, "--database-url", new]) == 0
    said = capsys.readouterr()
    assert f"checked, schema {newest_revision()}" in said.out and "there is a file already" in said.err
    assert main(["export", str(archive), "--database-url", f"sqlite:///{old}"]) == 0
    assert capsys.readouterr() == (f"{archive}: 1 record\n", ""), "nothing of a schema: the database stays as it is"
    assert main(["export", str(archive), "--overwrite", "--database-url", new]) == 0
    assert capsys.readouterr().out == f"{archive}: 1 record\n"
    with ZipFile(archive) as opened:
        (name,) = opened.namelist()
        opened.extractall(tmp_path)
    assert name.endswith(f"-{match}.toml")
    assert read_record(tmp_path / name).seed is not None


@pytest.mark.real_time
async def test_a_table_survives(address: str, file: Path, elsewhere: str) -> None:
    """Bytes, JSON and missing values come back unchanged."""
    row = make_match_row("match-2", rule_cards=("draw 2",), winners=(1,), finished=9)
    with closing(Store.open(address)) as store:
        await store.create_table("DEF234", b"\x00\xff")
        await put_match(store, row)
        await asyncio.to_thread(back_up, address, file)
    restore(file, elsewhere)
    with closing(Store.open(elsewhere)) as store:
        table = await store.load_table("DEF234")
        assert isinstance(table, TableRow) and table.doc == b"\x00\xff"
        assert await store.load_match("match-2") == row


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may give files away")
def test_a_file_restored_by_root_belongs_to_the_server(address: str, file: Path, tmp_path: Path) -> None:
    """Otherwise the server could not open its tables after ``sudo lastcard restore``."""
    back_up(address, file)
    for path in (tmp_path / "tables.sqlite", file):
        os.chown(path, 65534, 65533)
    restore(file, address, overwrite=True)
    back_up(address, file, overwrite=True)
    for path in (tmp_path / "tables.sqlite", file):
        found = path.stat()
        assert (found.st_uid, found.st_gid, found.st_mode & 0o777) == (65534, 65533, 0o600)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_may_not_be_written_is_reported(address: str, tmp_path: Path) -> None:
    (tmp_path / "closed").mkdir(mode=0o500)
    with pytest.raises(StoreError, match="Permission denied"):
        back_up(address, tmp_path / "closed" / "cards.backup")
