"""Options of a server from the command line, the environment, and a file, in this order, and their error messages."""

from __future__ import annotations

import argparse
import socket
from pathlib import Path
from typing import Any

import pytest

from lastcard.cli.main import main, make_parser
from lastcard.cli.server_settings import PREFIX, _actions, find_misspelled_variables, resolve_settings
from lastcard.errors import UsageError
from lastcard.server.setup.server_options import ServerOptions, read_secret


def parsed(*words: str) -> argparse.Namespace:
    """A command line of ``lastcard serve``."""
    return make_parser().parse_args(["serve", *words])


def written(folder: Path, text: str, encoding: str = "utf-8") -> str:
    """The path of a new file with options, for its owner alone."""
    file = folder / "cards.toml"
    file.write_text(text, encoding=encoding)
    file.chmod(0o600)
    return str(file)


SAID: dict[str, tuple[str, str, Any]] = {
    # in TOML, as a variable, and the value of both
    "host": ('"127.0.0.1"', "127.0.0.1", "127.0.0.1"),
    "port": ("9000", "9000", 9000),
    "socket": ('"/run/lastcard/web.sock"', "/run/lastcard/web.sock", Path("/run/lastcard/web.sock")),
    "database-url": ('"postgresql://cards@db/cards"', "postgresql://cards@db/cards", "postgresql://cards@db/cards"),
    "database-url-file": ('"/etc/db"', "/etc/db", Path("/etc/db")),
    "redis-url": ('"redis://db:6379"', "redis://db:6379", "redis://db:6379"),
    "redis-url-file": ('"/etc/redis"', "/etc/redis", Path("/etc/redis")),
    "metrics": ('"127.0.0.1:9020"', "127.0.0.1:9020", "127.0.0.1:9020"),
    "allow-host": ('["cards.lan", "tables.lan"]', "cards.lan, tables.lan", ["cards.lan", "tables.lan"]),
    "bot": ('["sharp=mine", "casual=mine"]', "sharp=mine, casual=mine", ["sharp=mine", "casual=mine"]),
    "trusted-proxies": ('["10.0.0.0/24", "::1"]', "10.0.0.0/24,::1", "10.0.0.0/24,::1"),
    "notify-networks": ('"192.168.1.0/24"', "192.168.1.0/24", "192.168.1.0/24"),
    "nat-networks": ('["203.0.113.7"]', "203.0.113.7", "203.0.113.7"),
    "spectators": ("12", "12", 12),
    "public-url": ('"https://cards.example"', "https://cards.example", "https://cards.example"),
    "share": ("true", "yes", "any"),
    "match-retention": ('"90d"', "90d", "90d"),
    "chat": ('"never"', "never", "never"),
    "voice-server": (
        '["stun:a.example", "stun:b.example"]',
        "stun:a.example,stun:b.example",
        ["stun:a.example", "stun:b.example"],
    ),
    "turn-secret-file": ('"/etc/turn"', "/etc/turn", Path("/etc/turn")),
    "puzzles": ('"on"', "on", "on"),
    "open-tables": ('"on"', "on", "on"),
    "embed-origin": ('["https://a.example"]', "https://a.example", ["https://a.example"]),
    "solo-play": ('"client"', "client", "client"),
    "analysis": ('"client"', "client", "client"),
    "admin-token-file": ('"/etc/token"', "/etc/token", Path("/etc/token")),
    "open": ("false", "no", False),
    "language": ('"pl"', "pl", "pl"),
}


@pytest.mark.parametrize("key", SAID)
def test_every_option_in_a_file_and_in_the_environment(key: str, tmp_path: Path) -> None:
    """Both sources give the same value, and the server accepts it."""
    toml, variable, value = SAID[key]
    in_file = resolve_settings(parsed("--config", written(tmp_path, f"{key} = {toml}\n")), {})
    marked = written(tmp_path, f"{key} = {toml}\n", "utf-8-sig")  # with the mark of Windows editors
    assert resolve_settings(parsed("--config", marked), {}) == in_file
    around = resolve_settings(parsed(), {PREFIX + key.upper().replace("-", "_"): variable})
    assert in_file == around
    assert list(in_file.values()) == [value]
    ServerOptions(**in_file)


def test_no_option_is_left_out() -> None:
    """The table above has all; the backend is read elsewhere, and no file may name another file."""
    names = {action.option_strings[0].removeprefix("--") for action in _actions().values()}
    assert names == {*SAID, "kernel"}


def test_the_source_with_precedence_counts(tmp_path: Path) -> None:
    """The command line overrides the environment, which overrides the file, option by option."""
    file = written(tmp_path, 'port = 1\nspectators = 1\nchat = "on"\nallow_host = ["file.lan"]\n')
    around = {"LASTCARD_CONFIG": file, "LASTCARD_PORT": "2", "LASTCARD_SPECTATORS": "2", "LASTCARD_CHAT": ""}
    found = resolve_settings(parsed("--port", "3", "--allow-host", "flag.lan"), around)
    assert found == {"port": 3, "spectators": 2, "chat": "on", "allow_host": ["flag.lan"]}


def test_an_address_and_a_file_with_it_are_one_option(tmp_path: Path) -> None:
    """The source with higher precedence replaces the other; both in one source are an error."""
    file = written(tmp_path, 'database-url-file = "db"\nadmin-token-file = "token"\n')
    args = parsed("--config", file)
    assert resolve_settings(args, {})["database_url_file"] == tmp_path / "db", "beside the file"
    near = resolve_settings(args, {"LASTCARD_DATABASE_URL": "sqlite:///a.db", "LASTCARD_ADMIN_TOKEN": "t"})
    assert near == {"database_url": "sqlite:///a.db", "admin_token": "t"}
    with pytest.raises(UsageError, match="--redis-url and --redis-url-file are both given"):
        resolve_settings(parsed("--redis-url", "redis://a", "--redis-url-file", "b"), {})


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("prot = 9000", "there is no option 'prot'; did you mean 'port'?"),
        ('public_ulr = "https://cards.example"', "did you mean 'public-url'?"),
        ('admin-token = "secret"', "its token stands in a file of its own, which admin-token-file names"),
        ("[server]\nport = 1", "there is no option 'server'"),
        ('port = "many"', "port: a whole number, not 'many'"),
        ("port = 1.5", "port: a text, a whole number, true or false, or a list of texts"),
        ('chat = "nevre"', "chat: on, off, never, not 'nevre'; did you mean 'never'?"),
        ('open = "perhaps"', "open: yes or no, not 'perhaps'"),
        ("port 9000", "this is no TOML"),
    ],
)
def test_a_wrong_file_is_answered_in_one_line(
    text: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The line has the name of the file, and the likely correction."""
    file = written(tmp_path, text)
    assert main(["serve", "--config", file]) == 2
    error = capsys.readouterr().err
    assert error.startswith(f"lastcard: {file}: ") and said in error and len(error.splitlines()) == 1


def test_files_that_begin_as_on_windows(tmp_path: Path) -> None:
    """A byte order mark is no part of the first key, nor of a token."""
    token = tmp_path / "admin-token"
    token.write_text("a token that nobody guesses\n", encoding="utf-8-sig")
    file = written(tmp_path, 'admin-token-file = "admin-token"\n', "utf-8-sig")
    named = resolve_settings(parsed("--config", file), {})["admin_token_file"]
    assert read_secret(named) == "a token that nobody guesses"


def test_a_wrong_variable_is_named(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Kubernetes sets such a variable by itself if a service is called lastcard."""
    monkeypatch.setenv("LASTCARD_PORT", "tcp://10.0.0.1:8020")
    assert main(["serve"]) == 2
    assert capsys.readouterr().err == "lastcard: LASTCARD_PORT: a whole number, not 'tcp://10.0.0.1:8020'\n"
    near = find_misspelled_variables(
        {"LASTCARD_PUBLIC_ULR": "x", "LASTCARD_SERVICE_HOST": "x", "LASTCARD_CACHE": "x", "HOME": "x"}
    )
    assert near == ["LASTCARD_PUBLIC_ULR is no variable of ours; did you mean LASTCARD_PUBLIC_URL?"]


def test_backup_finds_the_database_of_the_server(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """``backup`` reads the server's own file and ignores its other options."""
    address = f"sqlite:///{tmp_path / 'tables.sqlite'}"
    (tmp_path / "address").write_text(f"{address}\n", encoding="utf-8")
    monkeypatch.setenv("LASTCARD_CONFIG", written(tmp_path, 'port = 9000\ndatabase-url-file = "address"\n'))
    from lastcard.server.store.store import Store

    Store.open(address).close()
    assert main(["backup", str(tmp_path / "cards.backup")]) == 0
    assert "checked" in capsys.readouterr().out
    (tmp_path / "address").write_text("", encoding="utf-8")
    assert main(["backup", str(tmp_path / "two.backup")]) == 2
    assert "it is empty" in capsys.readouterr().err


@pytest.mark.parametrize(
    "words",
    [
        ["serve", "--check", "--redis-url", "redis://:hush-hush@127.0.0.1:9"],
        ["serve", "--database-url", "postgresql://cards:hush-hush@127.0.0.1:9/cards"],
        ["backup", "new.backup", "--database-url", "postgresql://cards@127.0.0.1:9/cards?password=hush-hush"],
    ],
)
def test_a_password_that_all_can_read_is_refused(
    words: list[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The message says how to do it right, and does not repeat the password."""
    monkeypatch.chdir(tmp_path)
    assert main(words) == 2
    said = "".join(capsys.readouterr())
    option = next(word for word in words if word.endswith("-url"))
    variable = f"LASTCARD_{option[2:].replace('-', '_').upper()}"
    assert f"the password in {option}: put the address into {variable}, or into a file for {option}-file" in said
    assert "hush-hush" not in said


def test_a_file_with_a_password_is_for_its_owner(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """``--check`` warns of a file that everybody can read, as of the files that hold only a secret."""
    file = Path(written(tmp_path, 'port = 0\nredis-url = "redis://:hush-hush@127.0.0.1:9"\n'))
    address = f"sqlite:///{tmp_path / 'tables.sqlite'}"
    for mode, warned in ((0o644, True), (0o640, False)):
        file.chmod(mode)
        main(["serve", "--check", "--config", str(file), "--database-url", address])
        said = capsys.readouterr().out
        assert (f"{file} holds a password that everybody on this computer can read" in said) is warned, said
        assert "hush-hush" not in said
    file.write_text("port = 0\n", encoding="utf-8")
    file.chmod(0o644)
    main(["serve", "--check", "--config", str(file), "--database-url", address])
    assert "holds a password" not in capsys.readouterr().out


def test_a_server_refuses_settings_that_check_refuses(capsys: pytest.CaptureFixture[str]) -> None:
    """The server refuses before it listens."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        assert main(["serve", "--spectators", "-1", "--host", "127.0.0.1", "--port", port, "--no-open"]) == 2
    assert capsys.readouterr().err == "lastcard: --spectators -1: 0 or more\n"


def test_an_address_without_a_password_is_no_secret() -> None:
    """An address is no secret without a password, nor in a file that nobody else can read."""
    plain = {"database_url": "postgresql://cards@db/cards", "redis_url": "redis://bus"}
    words = [word for name, address in plain.items() for word in (f"--{name.replace('_', '-')}", address)]
    assert resolve_settings(parsed(*words), {}) == plain
    secret = "postgresql://cards:hush-hush@db/cards"
    assert resolve_settings(parsed(), {"LASTCARD_DATABASE_URL": secret}) == {"database_url": secret}
