"""``lastcard doctor``: what it names, and that it reveals no secret."""

from __future__ import annotations

import re
import socket
import sys
from importlib import metadata
from pathlib import Path

import pytest

from lastcard.cli.main import main
from lastcard.kernel.jit import backend

SECRET = "hunter2-hunter2-hunter2"


@pytest.fixture(autouse=True)
def data_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A person's folder with a name that nobody else should read, and no tables yet."""
    home = tmp_path / "a-person"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("USERPROFILE", str(home))
    monkeypatch.setenv("XDG_DATA_HOME", str(home / "data"))
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        monkeypatch.setenv("LASTCARD_PORT", str(free.getsockname()[1]))
    monkeypatch.setenv("LASTCARD_HOST", "127.0.0.1")
    return home


def diagnosis(capsys: pytest.CaptureFixture[str], status: int = 0) -> dict[str, list[str]]:
    """The lines of each section that the command prints."""
    assert main(["doctor"]) == status
    sections: dict[str, list[str]] = {}
    for section in re.split(r"^(?=\S)", capsys.readouterr().out, flags=re.MULTILINE)[1:]:
        title, *lines = section.splitlines()
        sections[title.removesuffix(":")] = [line[2:] for line in lines]
    return sections


def test_it_names_versions_backend_packages_and_extras(capsys: pytest.CaptureFixture[str]) -> None:
    found = diagnosis(capsys)
    assert list(found) == ["versions", "kernel", "packages", "extras", "variables", "browser", "server"]
    assert all(found.values())
    assert found["versions"][0].startswith(f"lastcard {metadata.version('lastcard')}, from ")
    assert sys.version.split()[0] in found["versions"][1]
    assert found["kernel"][0].startswith(backend().name)
    assert f"msgspec {metadata.version('msgspec')}" in found["packages"]
    assert {line.partition(":")[0] for line in found["extras"]} == set(
        metadata.metadata("lastcard").get_all("Provides-Extra") or []
    )


def test_packages_that_are_missing_are_named(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    required = ["msgspec>=0.19", "no-such-base>=1", "no-such-extra[fast]>=1; extra == 'native'"]
    required += [
        "no-such-system; sys_platform == 'amiga'",
        f"not-this; (sys_platform != '{sys.platform}') and extra == 'gpu'",
    ]
    monkeypatch.setattr(metadata, "requires", lambda name: required)
    found = diagnosis(capsys, 1)
    assert found["packages"][1] == "wrong  no-such-base is not installed: install lastcard again"
    assert found["extras"] == ["native: not installed, lacks no-such-extra"]


def test_it_reveals_no_secret(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, data_folder: Path
) -> None:
    """Passwords, tokens and the name of the user are left out; that they are set is said."""
    monkeypatch.setenv("LASTCARD_DATABASE_URL", f"postgresql://cards:{SECRET}@127.0.0.1:1/cards")
    monkeypatch.setenv("LASTCARD_REDIS_URL", f"redis://:{SECRET}@127.0.0.1:1/0")
    monkeypatch.setenv("LASTCARD_ADMIN_TOKEN", SECRET)
    monkeypatch.setenv("LASTCARD_API_KEY", SECRET)
    assert main(["doctor"]) == 1
    printed = capsys.readouterr().out
    assert SECRET not in printed and data_folder.name not in printed
    for name in ("DATABASE_URL", "REDIS_URL", "ADMIN_TOKEN", "API_KEY"):
        assert f"LASTCARD_{name} is set\n" in printed
    assert "wrong  the database 127.0.0.1:1/cards" in printed


def test_a_taken_port_and_a_misspelled_variable_are_named(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LASTCARD_KERNLE", "module")
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        monkeypatch.setenv("LASTCARD_PORT", str(port))
        found = diagnosis(capsys, 1)
    assert any(line.startswith("wrong") and str(port) in line for line in found["server"])
    assert "LASTCARD_KERNLE is no variable of ours; did you mean LASTCARD_KERNEL?" in found["variables"]


def test_an_unknown_backend_is_an_error(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LASTCARD_KERNEL", "modul")
    assert "wrong  LASTCARD_KERNEL is one of" in diagnosis(capsys, 1)["kernel"][0]
