"""``lastcard serve --check`` lists errors, and changes nothing (docs/server.md)."""

from __future__ import annotations

import os
import shutil
import socket
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest

from lastcard.cli.main import main
from lastcard.errors import UsageError
from lastcard.server.http.listening_socket import bind, bind_socket
from lastcard.server.setup import preflight as checks
from lastcard.server.setup.preflight import ERROR, OK, WARNING, check_options
from lastcard.server.setup.server_options import ServerOptions
from lastcard.server.store.database_address import lock_file
from lastcard.server.store.schema_version import newest_revision
from lastcard.server.store.store import Store
from support.services import free_port

TOKEN = "a token that nobody guesses 42"


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data folder that does not exist yet."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    return tmp_path


def found(kind: str, **options: Any) -> str:
    """All findings of one kind."""
    more: dict[str, Any] = {"host": "127.0.0.1", "port": free_port()} | options
    return "\n".join(each.text for each in check_options(ServerOptions(**more)) if each.kind == kind)


def test_a_valid_setup_is_left_unchanged(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The user's own file does not exist yet, and the check does not create it."""
    assert main(["serve", "--check", "--host", "127.0.0.1", "--port", str(free_port())]) == 0
    said = capsys.readouterr().out
    assert "has no tables yet" in said and said.endswith("it would start\n")
    assert list(home.iterdir()) == []


def test_all_faults_are_listed_at_once(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One error does not hide another."""
    with bind("127.0.0.1", 0) as taken:
        port = str(taken.getsockname()[1])
        (home / "token").write_text("short", encoding="utf-8")
        options = ["--host", "127.0.0.1", "--port", port, "--database-url", f"sqlite:///{home}/nowhere/t.db"]
        options += ["--public-url", "ftp://cards", "--admin-token-file", str(home / "token"), "--match-retention", "90"]
        assert main(["serve", "--check", *options]) == 1
    said = capsys.readouterr().out
    wrong = [line for line in said.splitlines() if line.startswith("wrong")]
    for part in (f"port {port} is taken", "not a public address", "there is no folder", "16 characters", "as in 90d"):
        assert any(part in line for line in wrong), said
    assert said.endswith("it would not start, or not as it is meant to\n")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"database_url": "mysql://here/cards"}, "not a database that lastcard can use"),
        ({"database_url": "postgresql://cards:secret@127.0.0.1:9/cards"}, "127.0.0.1:9/cards: it cannot be reached"),
        ({"redis_url": "redis://:secret@127.0.0.1:9"}, "Redis at 127.0.0.1:9 does not answer"),
        ({"redis_url": "http://here"}, "redis://HOST:PORT"),
        ({"database_url_file": Path("nothing-there")}, "nothing-there: cannot be read"),
        ({"metrics": "9020"}, "HOST:PORT, as in 127.0.0.1:9020"),
        ({"metrics": "192.0.2.77:9020"}, "'192.0.2.77' is not an address of this computer"),
        ({"metrics": "127.0.0.1:8020", "port": 8020}, "people come in at port 8020; figures need another"),
        ({"metrics": "0.0.0.0:8020", "port": 8020}, "people come in at port 8020; figures need another"),
        ({"metrics": "127.0.0.1:112000"}, "--metrics 127.0.0.1:112000: HOST:PORT"),
        ({"allow_host": ["bad host!"]}, "--allow-host 'bad host!': a name without a port"),
        ({"allow_host": ["a.lan", "b.lan:8020"]}, "--allow-host 'b.lan:8020'"),
        ({"allow_host": [""]}, "--allow-host ''"),
        ({"allow_host": ["."]}, "--allow-host '.'"),
        ({"database_url": "sqlite:////"}, "the database /: this is no file"),
        ({"trusted_proxies": "10.0.0.0/24, proxy"}, "--trusted-proxies: 'proxy' does not appear to be"),
        ({"trusted_proxies": "10.0.0.0/24,*"}, "--trusted-proxies: '*' does not appear to be"),
        ({"nat_networks": "the school"}, "--nat-networks"),
        ({"spectators": -1}, "0 or more"),
        ({"public_url": "https://club.example/rules"}, "/rules is an address of a table server itself"),
        ({"share": "cloudflare"}, "cloudflared, tailscale or ssh:USER@HOST"),
        ({"socket": Path("/nowhere/web.sock"), "public_url": "https://localhost"}, "there is no folder /nowhere"),
    ],
)
def test_invalid_settings_are_listed(options: dict[str, Any], said: str) -> None:
    """The message is in words, without a password."""
    wrong = found(ERROR, **options)
    assert said in wrong and "secret" not in wrong


def test_start_and_check_refuse_a_path_that_is_no_file(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The path is a folder or a pipe; no lock file is left beside it."""
    os.mkfifo(home / "pipe")
    (home / "folder").mkdir()
    for there in ("pipe", "folder"):
        options = ["--host", "127.0.0.1", "--port", str(free_port()), "--database-url", f"sqlite:///{home / there}"]
        assert main(["serve", *options]) == 2
        assert f"the database {home / there}: this is no file" in capsys.readouterr().err
        assert f"the database {home / there}: this is no file" in found(ERROR, database_url=options[-1])
    assert sorted(file.name for file in home.iterdir()) == ["folder", "pipe"]


def test_names_are_as_browsers_write_them() -> None:
    assert ServerOptions(allow_host=["Cards.Lan", "b.example."]).host_names() == ("cards.lan", "b.example")


def test_warnings_are_listed(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The server would work, but maybe not as intended."""
    with monkeypatch.context() as away:
        away.setattr(socket, "getaddrinfo", Mock(side_effect=socket.gaierror))
        away.setattr(checks, "bind", lambda *_: socket.socket())
        said = found(WARNING, host="0.0.0.0", public_url="http://cards.example")
    for part in ("leads nowhere", "not HTTPS", "past the proxy", "no page /admin"):
        assert part in said
    assert "anybody can say to be anybody" in found(WARNING, trusted_proxies="*")
    (home / "token").write_text(TOKEN, encoding="utf-8")
    (home / "token").chmod(0o644)
    assert "chmod 600" in found(WARNING, admin_token_file=home / "token")
    (home / "token").chmod(0o600)
    assert found(WARNING, admin_token_file=home / "token") == ""
    assert "people who have the token" in found(OK, admin_token_file=home / "token")


def test_the_disk(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A nearly full disk is a note, a full one an error."""
    real = shutil.disk_usage(home)
    for free, kind in ((1 << 20, ERROR), (100 << 20, WARNING), (10 << 30, OK)):
        monkeypatch.setattr(shutil, "disk_usage", lambda _, free=free: real._replace(free=free))
        assert "GB are free" in found(kind)


def test_a_schema_that_is_older_newer_or_in_use(home: Path, newer_schema: Callable[[], None]) -> None:
    """The check says what the start would do, and does nothing."""
    file = home / "tables.sqlite"
    address = f"sqlite:///{file}"
    Store.open(address).close()
    assert f"at schema {newest_revision()}" in found(OK, database_url=address)
    with closing(lock_file(str(file))):
        assert f"a lastcard server already runs with the database {file}" in found(WARNING, database_url=address)
    assert "already runs" not in found(WARNING, database_url=address)
    older = newest_revision()
    newer_schema()
    for schema, kind, said in (
        (older, WARNING, f"at schema {older}; the start keeps it as it is, and brings it to {newest_revision()}"),
        ("0006", WARNING, "unreleased version of lastcard; the start renames it and begins an empty one"),
        ("9999", ERROR, "made by a newer lastcard"),
    ):
        with closing(sqlite3.connect(file)) as connection:
            connection.execute("UPDATE alembic_version SET version_num = ?", [schema])
            connection.commit()
        assert said in found(kind, database_url=address)
        with closing(sqlite3.connect(file)) as connection:
            assert connection.execute("SELECT version_num FROM alembic_version").fetchone() == (schema,)
    file.write_text("rubbish", encoding="utf-8")
    assert "no SQLite database" in found(ERROR, database_url=address)


def test_the_services(postgres_database: str, redis_url: str) -> None:
    """The check connects to PostgreSQL and Redis."""
    well = found(OK, database_url=postgres_database, redis_url=redis_url)
    assert "has no tables yet" in well and "Redis answers" in well
    assert "--redis-url" in found(WARNING, database_url=postgres_database)
    assert "SQLite is for one server" in found(WARNING, redis_url=redis_url)


def test_a_socket(home: Path) -> None:
    """A socket is possible at a free path, and at one with a stale socket."""
    path, world = home / "web.sock", "https://localhost"
    assert "can be had" in found(OK, socket=path, public_url=world)
    assert "--socket needs --public-url" in found(ERROR, socket=path)
    with bind_socket(path):
        assert path.stat().st_mode & 0o777 == 0o660
        assert "another server listens there" in found(ERROR, socket=path, public_url=world)
    assert "can be had" in found(OK, socket=path, public_url=world)
    bind_socket(path).close()
    path.unlink()
    path.write_text("a file", encoding="utf-8")
    assert "is no socket" in found(ERROR, socket=path, public_url=world)


@pytest.mark.parametrize("name", ["a-file/web.sock", "s" * 120, "s" * 300])
def test_a_socket_that_cannot_be(home: Path, name: str) -> None:
    """The error of the start is found, and all other checks run, too."""
    (home / "a-file").write_text("", encoding="utf-8")
    with pytest.raises(UsageError) as raised:
        bind_socket(home / name)
    options: dict[str, Any] = {"socket": home / name, "public_url": "https://localhost"}
    assert str(raised.value) in found(ERROR, **options)
    assert "can be had" in found(OK, **options), "the database"


@pytest.mark.parametrize("option", ["database_url_file", "redis_url_file", "admin_token_file"])
def test_a_file_that_the_system_does_not_search_for(home: Path, option: str) -> None:
    """The file may be in another user's folder; all other checks run, too."""
    file = home / ("s" * 300)
    said = found(ERROR, **{option: file, "match_retention": "90d"})
    assert said.startswith(f"{file}: ")
    assert "matches are deleted" in found(OK, **{option: file, "match_retention": "90d"})
