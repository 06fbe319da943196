"""Slow tests: browsers at a table through each proxy, all services of compose.yaml, system calls, the image."""

from __future__ import annotations

import asyncio
import json
import os
import re
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack, ExitStack, contextmanager
from pathlib import Path
from threading import Thread
from typing import Final

import httpx
import pytest
from packaging.requirements import Requirement
from playwright.sync_api import Browser, expect
from websockets import Origin
from websockets.sync.client import connect

from deploy.test_dashboard import QUERIES
from deploy.test_files import unit
from e2e.test_restart import PLIES, go_on
from lastcard.server.wire.protocol import VERSION
from support.player import DESKTOP, PHONE, BrowserPlayer
from support.proxies import DEPLOY, PROXIES, Proxy, Upstream, caddy, find_or_skip, run_program, run_upstream
from support.services import free_port, fresh_database, running_postgres, running_redis
from support.threaded_server import TIMEOUT_S

ROOT: Final = DEPLOY.parent
WORKERS: Final = ("127.0.0.1", "127.0.0.2")
BASE_PACKAGES: Final = "python3,python3-venv,ca-certificates"
"""Debian packages of a substitute for our base image, if no registry answers."""


@pytest.mark.parametrize("file", PROXIES)
def test_two_people_at_a_table(file: str, browser: Browser, tmp_path: Path) -> None:
    """Two people play some moves in browsers; pages come by HTTP/2."""
    proxy, path = PROXIES[file]
    with run_upstream(tmp_path, path) as server, proxy(tmp_path, file, server) as front, ExitStack() as pages:
        ann, ben = (
            BrowserPlayer(
                pages.enter_context(
                    browser.new_context(ignore_https_errors=True, locale="en-US", reduced_motion="reduce", **screen)
                ).new_page(),
                front.url,
                name,
            )
            for name, screen in (("Ann", DESKTOP), ("Ben", PHONE))
        )
        ann.play_with(ben, rules="classic")
        for player in (ann, ben):
            expect(player.hand).to_be_visible(timeout=60_000)
        go_on(ann, ben, PLIES)
        assert [who.page.evaluate("performance.getEntries()[0].nextHopProtocol") for who in (ann, ben)] == ["h2", "h2"]
        assert not ann.errors + ben.errors


def test_all_services_of_compose_work_together(tmp_path: Path) -> None:
    """Two workers with PostgreSQL and Redis behind Caddy: both have people, those of a table are at the same one."""
    port, url = free_port(), f"https://localhost:{free_port()}"
    with ExitStack() as stack:
        database = stack.enter_context(fresh_database(stack.enter_context(running_postgres())))
        (tmp_path / "database-url").write_text(database)
        (tmp_path / "admin-token").write_text("a token that nobody guesses")
        around = {
            "LASTCARD_PUBLIC_URL": url,
            "LASTCARD_DATABASE_URL_FILE": str(tmp_path / "database-url"),
            "LASTCARD_REDIS_URL": stack.enter_context(running_redis()),
            "LASTCARD_ADMIN_TOKEN_FILE": str(tmp_path / "admin-token"),
            "LASTCARD_TRUSTED_PROXIES": "127.0.0.0/24",
        }
        assert {*around, "LASTCARD_METRICS", "LASTCARD_MATCH_RETENTION"} == set(
            re.findall(r"LASTCARD_\w+", (DEPLOY / "compose.yaml").read_text())
        )
        figures = []
        for host in WORKERS:
            folder = tmp_path / host
            folder.mkdir()
            place = f"127.0.0.1:{free_port()}"
            figures.append(f"http://{place}/metrics")
            options = ["--host", host, "--port", str(port), "--metrics", place, "--language", "en", "--no-open"]
            command = [sys.executable, "-m", "lastcard", "serve", *options]
            stack.enter_context(run_program(command, folder, lambda said: "stops the server" in said, **around))
        names = stack.enter_context(_name_server(*WORKERS))
        front = stack.enter_context(caddy(tmp_path, "workers.Caddyfile", Upstream(url, f"127.0.0.1:{port}"), names))
        browser = stack.enter_context(
            httpx.Client(base_url=url, verify=front.ssl_context(), headers={"origin": url}, timeout=30)
        )
        browser.post("/api/me", json={"name": "Ann"}).raise_for_status()
        codes = [browser.post("/api/tables", json={}).raise_for_status().json()["code"] for _ in range(12)]
        with ThreadPoolExecutor(1) as thread:  # Playwright's event loop may run in this one
            sockets = thread.submit(asyncio.run, _count_sockets(front, codes, figures)).result()
        assert sum(sockets) == 24 and all(sockets) and not any(count % 2 for count in sockets), sockets


async def _count_sockets(front: Proxy, codes: list[str], figures: list[str]) -> list[float]:
    """The number of WebSockets that each server reports while two screens are at each table."""
    async with AsyncExitStack() as lines:
        for code in codes * 2:
            line = await lines.enter_async_context(front.connect_to_table(code, tv=True))
            await line.receive("welcome")
        answers = [await asyncio.to_thread(httpx.get, at) for at in figures]
    return [float(re.findall(r"^lastcard_sockets (.*)$", answer.text, re.M)[0]) for answer in answers]


def test_compose_reads_the_file(tmp_path: Path) -> None:
    """Debian's compose is too old for the key ``name``, so the test replaces it by ``version``."""
    shutil.copytree(DEPLOY, tmp_path / "deploy")
    file = tmp_path / "deploy" / "compose.yaml"
    text = file.read_text()
    file.write_text(text.replace("name: lastcard", 'version: "3.9"', 1))
    asked = [find_or_skip("docker-compose"), "--file", str(file), "config", "--quiet"]
    done = subprocess.run(asked, capture_output=True, text=True, env={**os.environ, "SITE": "localhost"}, check=False)
    assert done.returncode == 0, done.stderr
    without = {name: value for name, value in os.environ.items() if name != "SITE"}
    done = subprocess.run(asked, capture_output=True, text=True, env=without, check=False)
    assert done.returncode != 0 and "SITE is what people type" in done.stderr


@contextmanager
def _name_server(*addresses: str) -> Iterator[int]:
    """The port of a name server that resolves every name to the same addresses, as compose does for a service."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as line:
        line.bind(("127.0.0.1", 0))
        thread = Thread(target=_answer_dns, args=(line, [*map(socket.inet_aton, addresses)]))
        thread.start()
        try:
            yield line.getsockname()[1]
        finally:
            line.sendto(b"", line.getsockname())
            thread.join()


def _answer_dns(line: socket.socket, addresses: list[bytes]) -> None:
    """Answer (RFC 1035) with records of type A, each valid for a second, until an empty packet comes."""
    while True:
        packet, caller = line.recvfrom(512)
        if not packet:
            return
        end = packet.index(b"\0", 12) + 5  # the end of the question: a name, its type, its class
        found = addresses if packet[end - 4 : end - 2] == b"\0\1" else []
        records = b"".join(b"\xc0\x0c\0\1\0\1\0\0\0\1\0\4" + address for address in found)
        head = packet[:2] + b"\x81\x80\0\1" + len(found).to_bytes(2, "big") + b"\0\0\0\0"
        line.sendto(head + packet[12:end] + records, caller)


def test_the_sandbox_of_the_unit_suffices(tmp_path: Path) -> None:
    """A server with a table in play makes no system call outside its filter, and uses no other address family."""
    service, port, calls = unit(), free_port(), tmp_path / "calls"
    command = [find_or_skip("systemd-analyze", "systemd"), "syscall-filter", "--no-pager"]
    shown = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    groups = {
        group: re.findall(r"^    ([@\w-]+)$", lines, re.M)
        for group, lines in re.findall(r"^(@[\w-]+)$(.*?)(?=^\S|\Z)", shown, re.M | re.S)
    }

    def within(name: str) -> set[str]:
        return set().union(*map(within, groups[name])) if name in groups else {name}

    watched = [find_or_skip("strace"), "-D", "-f", "-qq", "-o", str(calls), sys.executable]
    options = ["--host", "127.0.0.1", "--port", str(port), "--metrics", f"127.0.0.1:{free_port()}", "--language", "en"]
    command = [*watched, "-m", "lastcard", "serve", "--no-open", *options]
    with run_program(command, tmp_path, lambda said: "stops the server" in said, XDG_DATA_HOME=str(tmp_path)):
        url = f"http://127.0.0.1:{port}"
        with httpx.Client(base_url=url, headers={"origin": url}, timeout=60) as ann:
            token = ann.post("/api/me", json={"name": "Ann"}).raise_for_status().cookies["lastcard"]
            code = ann.post("/api/tables", json={"quick": True}).raise_for_status().json()["code"]
            headers = {"Cookie": f"lastcard={token}"}
            with connect(f"ws://127.0.0.1:{port}/ws/{code}", origin=Origin(url), additional_headers=headers) as line:
                line.send(json.dumps({"type": "hello", "v": VERSION}))
                message_type = ""
                while message_type not in ("advice", "refused"):
                    message_type = json.loads(line.recv(timeout=60))["type"]
                    if message_type == "dealt":
                        line.send(json.dumps({"type": "advise", "id": "some-words"}))
    text = calls.read_text(errors="replace")
    made = set(re.findall(r"^\d+ +(\w+)\(", text, re.M))
    assert {"openat", "accept4", "fdatasync"} <= made
    assert not made - within(service["SystemCallFilter"])
    assert set(re.findall(r"socket\((AF_\w+)", text)) <= set(service["RestrictAddressFamilies"].split())


def test_prometheus_parses_the_queries(tmp_path: Path) -> None:
    """Prometheus reads them as alerting rules, which is the way to check them without a server."""
    rules = [{"record": f"shown:{i}", "expr": question.replace("$", "")} for i, question in enumerate(QUERIES)]
    file = tmp_path / "rules.yml"
    file.write_text(json.dumps({"groups": [{"name": "dashboard", "rules": rules}]}))
    command = [find_or_skip("promtool", "prometheus"), "check", "rules", str(file)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture(scope="module")
def buildah(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[str]]:
    """The command line of buildah; its images are removed afterwards."""
    folder = tmp_path_factory.mktemp("images")
    yield [find_or_skip("buildah"), "--root", f"{folder}/root", "--runroot", f"{folder}/run", "--storage-driver", "vfs"]
    shutil.rmtree(folder, ignore_errors=True)


def test_the_image(buildah: list[str], tmp_path: Path) -> None:
    """The image is built, serves as its own user, stores its tables in the volume, and makes backups of them."""
    base = _base_image(buildah, tmp_path)
    wheels = tmp_path / "wheels"
    python = ["python3", "-c", "import sys; print(*sys.version_info[:3], sep='.')"]
    container = _run_buildah(buildah, "from", base)
    _download(_run_buildah(buildah, "run", "--isolation", "chroot", container, "--", *python), wheels)
    (tmp_path / "pip.conf").write_text("[global]\nno-index = true\nfind-links = /wheels\n")
    offline = [f"--volume={wheels}:/wheels:ro", f"--volume={tmp_path}/pip.conf:/etc/pip.conf:ro"]
    build = ["bud", "--isolation", "chroot", "--build-arg", f"BASE={base}", "--tag", "lastcard", *offline]
    _run_buildah(buildah, *build, "--file", str(DEPLOY / "Containerfile"), str(ROOT))
    made = json.loads(_run_buildah(buildah, "inspect", "--type", "image", "lastcard"))["OCIv1"]["config"]
    assert (made["User"], made["Entrypoint"], made["Cmd"]) == ("lastcard", ["lastcard"], ["serve"])
    assert "/data" in made["Volumes"] and "8020/tcp" in made["ExposedPorts"]
    container, port = _run_buildah(buildah, "from", "lastcard"), free_port()
    inside = [*buildah, "run", "--isolation", "chroot", f"--env=LASTCARD_PORT={port}", container, "--"]
    with run_program([*inside, *made["Entrypoint"], *made["Cmd"]], tmp_path, lambda said: "stops the server" in said):
        assert httpx.get(f"http://127.0.0.1:{port}/readyz", timeout=TIMEOUT_S).status_code == 200
        subprocess.run([*inside, "lastcard", "backup", "/data/cards.backup"], capture_output=True, check=True)
    command = [*inside, "stat", "--format", "%U", "/data/lastcard/tables.sqlite", "/data/cards.backup"]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout.split() == ["lastcard"] * 2


def _base_image(buildah: list[str], folder: Path) -> str:
    """The base image; a small Debian if no registry answers."""
    base: str = re.findall(r"^ARG BASE=(\S+)$", (DEPLOY / "Containerfile").read_text(), re.M)[0]
    pull = [*buildah, "pull", "--quiet", base]
    if subprocess.run(pull, capture_output=True, timeout=120, check=False).returncode == 0:
        return base
    debian = folder / "debian.tar"
    make = [find_or_skip("mmdebstrap"), "--quiet", "--variant=minbase", f"--include={BASE_PACKAGES}"]
    subprocess.run([*make, "bookworm", str(debian)], check=True)
    container = _run_buildah(buildah, "from", "scratch")
    _run_buildah(buildah, "add", "--quiet", container, str(debian), "/")
    _run_buildah(buildah, "commit", "--quiet", container, "localhost/debian")
    return "localhost/debian"


def _download(version: str, wheels: Path) -> None:
    """Download all wheels of the image, so that the build needs no network."""
    text = "".join((folder / "requirements.txt").read_text() for folder in (DEPLOY.parent, DEPLOY))
    lines = re.findall(r"^([\w.-]+==.*?) \\$", text, re.M)
    there = {"python_full_version": version, "python_version": version.rpartition(".")[0]}
    pins = [
        f"{pin.name}{pin.specifier}"
        for pin in map(Requirement, lines)
        if pin.marker is None or pin.marker.evaluate(there)
    ]
    pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", str(wheels)]
    subprocess.run([*pip, "--only-binary=:all:", "--python-version", version, *pins], check=True)


def _run_buildah(buildah: list[str], *words: str) -> str:
    """The output of buildah."""
    done = subprocess.run([*buildah, *words], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout.strip()
