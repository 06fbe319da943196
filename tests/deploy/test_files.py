"""Unit, options, secrets and compose file of ``deploy/`` fit the program, and run as far as possible."""

from __future__ import annotations

import configparser
import re
import shlex
import socket
import stat
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Final

import httpx
import pytest

from lastcard.cli.main import main
from lastcard.cli.server_settings import PREFIX, _actions, _variable
from lastcard.server.security.admin_auth import AdminAuth
from lastcard.server.setup.server_options import read_secret
from support.proxies import DEPLOY, find_or_skip, replace_words, run_program
from support.threaded_server import TIMEOUT_S

UNIT: Final = DEPLOY / "lastcard@.service"
PROGRAM: Final = "/opt/lastcard/bin/lastcard"


def unit() -> configparser.SectionProxy:
    """The service section of the unit."""
    parser = configparser.ConfigParser(interpolation=None, comment_prefixes="#")
    parser.optionxform = str  # type: ignore[assignment, method-assign]  # its keys are as they are written
    parser.read(UNIT)
    return parser["Service"]


def options_file(folder: Path) -> Path:
    """The options of ``deploy/cards.toml``, with a token beside them."""
    (folder / "admin-token").write_text("a token that nobody guesses")
    (folder / "admin-token").chmod(0o600)
    file = folder / "cards.toml"
    text = (DEPLOY / "cards.toml").read_text()
    assert "sqlite:////var/lib/lastcard/" in text
    (folder / "lib").mkdir()
    file.write_text(text.replace("/var/lib/lastcard", f"{folder}/lib"))
    return file


def test_systemd_accepts_the_unit(tmp_path: Path) -> None:
    """systemd accepts the unit silently, and rates its sandbox as tight."""
    analyze = find_or_skip("systemd-analyze", "systemd")
    copy = tmp_path / UNIT.name
    copy.write_text(UNIT.read_text().replace(PROGRAM, sys.executable))
    seen = subprocess.run([analyze, "verify", str(copy)], capture_output=True, text=True, check=False)
    assert (seen.returncode, seen.stdout + seen.stderr) == (0, "")
    audit = [analyze, "security", "--offline=yes", "--threshold=25", "--no-pager", str(copy)]
    assert subprocess.run(audit, capture_output=True, check=False).returncode == 0, "its exposure is at most 2.5 of 10"


def test_the_unit_starts_a_server(tmp_path: Path) -> None:
    """Command and variables of the unit have their effect, and the files are in the unit's directories."""
    service, port = unit(), _port()
    (tmp_path / "etc").mkdir()
    moved = {"/etc/lastcard": str(options_file(tmp_path / "etc").parent), "%i": str(port)}
    command = [replace_words(word, moved) for word in shlex.split(service["ExecStart"])]
    assert command[0] == PROGRAM
    around = dict(pair.split("=", 1) for pair in service["Environment"].split())
    assert around == {"XDG_DATA_HOME": "/var/lib", "LASTCARD_CACHE": "/var/cache/lastcard", "LASTCARD_OPEN": "no"}
    assert [service[f"{kind}Directory"] for kind in ("State", "Cache", "Runtime")] == ["lastcard"] * 3
    around |= {"XDG_DATA_HOME": str(tmp_path), "LASTCARD_CACHE": str(tmp_path / "cache")}
    program = [sys.executable, "-m", "lastcard", *command[1:], "--language", "en"]
    with run_program(program, tmp_path, lambda said: "stops the server" in said, **around):
        assert httpx.get(f"http://127.0.0.1:{port}/readyz", timeout=TIMEOUT_S).status_code == 200
        assert "lastcard_tables" in httpx.get(f"http://127.0.0.1:1{port}/metrics", timeout=TIMEOUT_S).text
        asks = {"accept": "text/html", "host": "cards.example"}
        assert httpx.get(f"http://127.0.0.1:{port}/admin", headers=asks, timeout=TIMEOUT_S).status_code == 200
        assert (tmp_path / "etc" / "lib" / "tables.sqlite").exists()


def _port() -> int:
    """A free port of four digits, if the port with a 1 before it is free too."""
    for port in range(8100, 9900):
        with socket.socket() as one, socket.socket() as two:
            try:
                one.bind(("127.0.0.1", port))
                two.bind(("127.0.0.1", 10_000 + port))
                return port
            except OSError:
                continue
    raise AssertionError("no port is free")


def test_the_example_options_are_valid(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """``--check`` finds only that the name of the example does not resolve."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert main(["serve", "--check", "--port", str(_port()), "--config", str(options_file(tmp_path))]) == 0
    said = capsys.readouterr().out.splitlines()
    assert said[-1] == "it would start"
    assert [line for line in said if not line.startswith("well")][:-1] == [
        "note   cards.example leads nowhere, as seen from this computer; is its DNS entry there yet?"
    ]


def test_options_in_comments_are_valid(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = re.sub(r"^# (?=[a-z-]+ = )", "", (DEPLOY / "cards.toml").read_text(), flags=re.MULTILINE)
    text = re.sub("^database-url = .*", "", text, flags=re.MULTILINE)  # one of both
    file = tmp_path / "cards.toml"
    file.write_text(text)
    (tmp_path / "admin-token").write_text("a token that nobody guesses")
    (tmp_path / "database-url").write_text("postgresql://cards@127.0.0.1:9/cards")
    assert text.count("\ndatabase-url-file = ") == text.count("\nredis-url = ") == 1
    assert main(["serve", "--config", str(file), "--port", str(_port())]) == 2
    assert "127.0.0.1:9/cards: it cannot be reached" in capsys.readouterr().err, "and that is all"


def test_secrets_are_made_once(tmp_path: Path) -> None:
    """Nobody else can read them, the server accepts them, and existing ones are never replaced."""
    script = tmp_path / "secrets.sh"
    script.write_bytes((DEPLOY / "secrets.sh").read_bytes())

    def make() -> dict[str, str]:
        subprocess.run(["sh", str(script)], check=True, capture_output=True)
        return {file.name: read_secret(file) for file in (tmp_path / "secrets").iterdir()}

    first = make()
    assert make() == first
    assert stat.S_IMODE((tmp_path / "secrets").stat().st_mode) == 0o700
    password = first["database-password"]
    assert re.fullmatch("[0-9a-f]{48}", password)
    assert first["database-url"] == f"postgresql://cards:{password}@database/cards"
    AdminAuth(first["admin-token"])
    assert len(set(first.values())) == len(first) == 3


def test_names_in_the_compose_file_exist() -> None:
    """Variables of the server, files, and secrets that the script makes."""
    text = (DEPLOY / "compose.yaml").read_text()
    variables = set(re.findall(rf"{PREFIX}\w+", text))
    assert "LASTCARD_DATABASE_URL_FILE" in variables and variables <= {*map(_variable, _actions())}
    script = (DEPLOY / "secrets.sh").read_text()
    secrets = re.findall(r"file: secrets/([\w-]+)", text)
    assert sorted(secrets) == ["admin-token", "database-password", "database-url"]
    assert all(f"secrets/{name}" in script for name in secrets)
    assert set(re.findall(r"/run/secrets/([\w-]+)", text)) == set(secrets)
    for file in re.findall(r"- \./([\w/.]+):", text):
        assert (DEPLOY / file).exists()
    assert re.findall(r"dockerfile: (\S+)", text) == ["deploy/Containerfile"]


def test_every_service_limits_its_logs() -> None:
    """Each service has the limit that the compose file sets once."""
    text = (DEPLOY / "compose.yaml").read_text()
    limit = re.search(r"^x-logging: &logging.*\n  driver: json-file\n  options: (.*)", text, re.M)
    assert limit and "max-size" in limit[1] and "max-file" in limit[1]
    services = re.split(r"^  (?=\w+:)", text.split("\nservices:\n")[1].split("\nnetworks:\n")[0], flags=re.M)[1:]
    assert len(services) == 4 and all("    logging: *logging\n" in service for service in services)


def test_the_unit_says_which_ports_it_takes() -> None:
    """The port of its metrics is the other with a 1 before it, which is impossible with five digits."""
    text = UNIT.read_text()
    assert "--metrics 127.0.0.1:1%i" in text and "at most four digits" in text


def test_files_and_port_of_the_image_exist() -> None:
    """The Containerfile copies only what the ignore file allows, and listens where compose expects it."""
    text = (DEPLOY / "Containerfile").read_text()
    let_in = {line[1:] for line in (DEPLOY / "Containerfile.dockerignore").read_text().splitlines() if line[0] == "!"}
    copied = re.findall(r"^COPY (?!--from)(.*) /build/\S*$", text, re.M)
    assert {name for names in copied for name in names.split()} == let_in
    assert all((DEPLOY.parent / name).exists() for name in let_in)
    assert "EXPOSE 8020" in text and re.search(r"^HEALTHCHECK .*\\\n.*127\.0\.0\.1:8020/readyz", text, re.M)


def test_the_image_pins_the_tested_versions() -> None:
    """All requirements and build tools have the versions of constraints.txt, with hashes."""
    base, more = DEPLOY.parent / "requirements.txt", DEPLOY / "requirements.txt"
    pins, checked = _pins(DEPLOY.parent / "constraints.txt"), _pins(base) | _pins(more)
    asked = tomllib.loads((DEPLOY.parent / "pyproject.toml").read_text())
    project, extras = asked["project"], asked["project"]["optional-dependencies"]
    wanted = {*project["dependencies"], *extras["postgres"], *extras["redis"], *asked["build-system"]["requires"]}
    names = {re.split(r"[\[<>=;]", each)[0] for each in wanted}
    assert names <= checked.keys()
    assert {re.split(r"[\[<>=;]", each)[0] for each in project["dependencies"]} <= _pins(base).keys()
    assert "hatchling" in checked.keys() - pins.keys()
    assert all(checked[name] == pins[name] for name in checked.keys() & pins.keys())
    entries = [entry for file in (base, more) for entry in re.split(r"\n(?=\S)", file.read_text())]
    others = [entry for entry in entries if "--hash=sha256:" not in entry and not entry.startswith("#")]
    assert others == ["-r ../requirements.txt"]


def _pins(file: Path) -> dict[str, str]:
    """The version of each package in a requirements file."""
    return dict(re.findall(r"^([\w.-]+)==(\S+)", file.read_text(), re.M))


def test_the_server_page_names_the_deploy_files() -> None:
    """docs/server.md has people use every file of ``deploy/`` that it names, and names every one."""
    book = (DEPLOY.parent / "docs" / "server.md").read_text()
    named = set(re.findall(r"deploy/([\w./@-]*\w)", book)) - {"secrets"}
    assert not [name for name in named if not (DEPLOY / name).exists()]
    there = {
        str(file.relative_to(DEPLOY)) for file in DEPLOY.rglob("*") if file.is_file() and "secrets" not in file.parts
    }
    assert there - named == {"Containerfile.dockerignore"}


def test_the_docs_pass_the_name_of_the_site_to_compose() -> None:
    """Without the name compose refuses every command, a backup too; and a crontab has no terminal for ``exec``."""
    book = (DEPLOY.parent / "docs" / "server.md").read_text()
    asked = re.findall(r"(\S*) ?docker compose (.*)", book)
    assert asked and {before for before, _ in asked} == {"SITE=cards.example"}
    assert all(" exec -T " in what for _, what in asked if " exec " in what)
