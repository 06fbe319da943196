"""Tunnel programs for friends elsewhere: finding the address, with fake programs that print the real output."""

from __future__ import annotations

import os
import shutil
import signal
import time
from pathlib import Path
from typing import Final

import httpx
import pytest

from lastcard.cli.main import main
from lastcard.errors import UsageError
from lastcard.server.setup import tunnel as tunnels
from lastcard.server.setup.tunnel import find_address, find_tunnel
from server.test_serve import Process, process
from support.interruptions import interrupt_at_every_step
from support.threaded_server import TIMEOUT_S
from support.websocket_players import wait_until_server_ready

CLOUDFLARED = """\
INF Thank you for trying Cloudflare Tunnel. (https://www.cloudflare.com/website-terms/), and see https://developers.cloudflare.com/cloudflare-one
INF Requesting new quick Tunnel on trycloudflare.com...
INF +-----------------------------------------------------+
INF |  https://brave-red-cards-win.trycloudflare.com      |
INF +-----------------------------------------------------+
"""
TAILSCALE = """\
Available on the internet:

https://kitchen.tail1234.ts.net/
|-- proxy http://127.0.0.1:8020
"""
SSH = """\
** your connection id is 1234, please mention it if you send me a message about an issue. **
To set up and manage custom domains go to https://admin.localhost.run/
More details on custom domains (https://localhost.run/docs/custom-domains)
6f3a.lhr.life tunneled with tls termination, https://6f3a.lhr.life
"""


def make_fake_program(folder: Path, name: str, says: str, *, then: str = "exec sleep 60") -> None:
    """Create a program that writes its arguments to a file and prints a text."""
    folder.mkdir(exist_ok=True)
    program = folder / name
    program.write_text(f"#!/bin/sh\necho \"$@\" > '{folder}/{name}.args'\ncat <<'END'\n{says}END\n{then}\n")
    program.chmod(0o755)


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of programs, the only one that is searched for tunnels."""
    there = {name: tmp_path / name for name in tunnels.KINDS}
    monkeypatch.setattr(shutil, "which", lambda name: str(there[name]) if there[name].exists() else None)
    return tmp_path


@pytest.mark.parametrize(
    ("text", "address"),
    [
        (CLOUDFLARED, "https://brave-red-cards-win.trycloudflare.com"),
        (TAILSCALE, "https://kitchen.tail1234.ts.net"),
        (TAILSCALE.replace("ts.net/", "ts.net:8443/"), "https://kitchen.tail1234.ts.net:8443"),
        (SSH, "https://6f3a.lhr.life"),
        ("Forwarding HTTP traffic from https://cards.serveo.net\n", "https://cards.serveo.net"),
        ("ERR failed: Post https://api.trycloudflare.com/tunnel: dial tcp\n", None),
    ],
)
def test_the_address_is_found_among_others(text: str, address: str | None) -> None:
    """Programs also print addresses of their own site."""
    assert [each for line in text.splitlines() if (each := find_address(line))] == [address] * (address is not None)


def test_an_installed_tunnel_program_is_used(path: Path) -> None:
    """The program is the first installed one, or the one that is named."""
    with pytest.raises(UsageError, match=r"(?s)cloudflared, from its own packages.*tailscale.*ssh:USER@HOST"):
        find_tunnel()
    for name, command, whose, sealed in (
        ("ssh", "-R 80:127.0.0.1:{port} nokey@localhost.run", "localhost.run", False),
        ("tailscale", "funnel {port}", "Tailscale", True),
        ("cloudflared", "--url http://127.0.0.1:{port}", "Cloudflare", False),
    ):
        make_fake_program(path, name, "")
        found = find_tunnel()
        assert " ".join(found.command).endswith(command)
        assert (found.operator, found.is_end_to_end) == (whose, sealed)
    own = find_tunnel("ssh:me@club.example")
    assert (own.command[-1], own.operator) == ("me@club.example", "club.example")
    for wrong in ("ngrok", "ssh:-oProxyCommand=x", "tailscale:me"):
        with pytest.raises(UsageError, match="cloudflared, tailscale or ssh:USER@HOST"):
            find_tunnel(wrong)


def test_a_tunnel_that_fails_says_why(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make_fake_program(path, "ssh", "Permission denied (publickey).\n", then="exit 255")
    with pytest.raises(UsageError, match=r"(?s)has ended without giving an address; it said:.*publickey"):
        find_tunnel("ssh").open(8020)
    monkeypatch.setattr(tunnels, "START_TIMEOUT_S", 0.2)
    make_fake_program(path, "cloudflared", "waiting\n")
    with pytest.raises(UsageError, match="no address within"):
        find_tunnel("cloudflared").open(8020)
    (path / "tailscale").write_text("no program", encoding="utf-8")
    with pytest.raises(UsageError, match="does not start"):
        find_tunnel("tailscale").open(8020)


def test_the_table_is_shared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Link and QR code have the tunnel's address; its pages are accepted; it ends with the server."""
    programs = tmp_path / "programs"
    make_fake_program(programs, "cloudflared", CLOUDFLARED)
    monkeypatch.setenv("PATH", f"{programs}{os.pathsep}{os.environ['PATH']}")
    world = "https://brave-red-cards-win.trycloudflare.com"
    with process(tmp_path, "--share", "--no-open") as server:
        assert (programs / "cloudflared.args").read_text().split()[-1] == f"http://127.0.0.1:{server.port}"
        through = {"host": world.removeprefix("https://"), "origin": world, "x-forwarded-for": "203.0.113.5"}
        with httpx.Client(base_url=server.url, headers=through, timeout=TIMEOUT_S) as friend:
            cookie = friend.post("/api/me", json={"name": "Zoe"}).raise_for_status().headers["set-cookie"]
            assert "Secure" in cookie
            token = cookie.partition("=")[2].partition(";")[0]
            table = friend.post("/api/tables", json={}, headers={"cookie": f"lastcard={token}"}).json()["code"]
            assert len(table) == 8, "the whole world may guess"
            assert friend.get(f"/qr/{table}.svg").status_code == 200
            assert friend.get("/api/site").json()["reader"] == "Cloudflare", "the page on privacy names them too"
        with httpx.Client(base_url=server.url, headers={"origin": server.url}, timeout=TIMEOUT_S) as local_client:
            answer = local_client.post("/api/me", json={"name": "Ann"})
            assert answer.status_code == 200, "local clients connect as before"
        status, out, _, _ = server.stop()
    assert status == 0
    assert f"For everybody: {world}\n" in out and "█" in out
    asked, warned = out.index("Asking for an address"), out.index("machines of Cloudflare, who could read it")
    assert asked < warned < out.index(world), "whom people trust with it is said before"


def test_the_end_of_a_tunnel_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Play continues in the local network."""
    programs = tmp_path / "programs"
    make_fake_program(programs, "cloudflared", CLOUDFLARED, then="sleep 1")
    monkeypatch.setenv("PATH", f"{programs}{os.pathsep}{os.environ['PATH']}")
    with process(tmp_path, "--share", "--no-open") as server:
        time.sleep(1.5)
        assert httpx.get(f"{server.url}/healthz", timeout=TIMEOUT_S).status_code == 200
        _, out, _, _ = server.stop()
    assert "cloudflared has ended, so friends elsewhere cannot connect any more" in out


def test_sharing_brings_an_address_of_its_own(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["serve", "--share", "--public-url", "https://cards.example"]) == 2
    assert "without --public-url" in capsys.readouterr().err


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
@pytest.mark.parametrize(("says", "status"), [("", 130), (CLOUDFLARED, 0)], ids=["asked", "open"])
def test_no_tunnel_outlives_the_server(
    number: signal.Signals, says: str, status: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A tunnel would expose whatever listens at the port next; so it ends even before its address is known."""
    if signal.getsignal(number) is signal.SIG_IGN:
        pytest.skip("below nohup a server ignores SIGHUP too")
    programs = tmp_path / "programs"
    write_pid = f"echo $$ > '{programs}/pid.new'; mv '{programs}/pid.new' '{programs}/pid'"
    make_fake_program(programs, "cloudflared", says, then=f"{write_pid}; exec sleep 60")
    monkeypatch.setenv("PATH", f"{programs}{os.pathsep}{os.environ['PATH']}")
    with Process(tmp_path, "--share", "--no-open") as server:
        if says:
            wait_until_server_ready(server.running, server.url)
        until = time.monotonic() + 60
        while not (programs / "pid").exists():
            assert time.monotonic() < until
            time.sleep(0.05)
        assert server.stop(number)[0] == status
    with pytest.raises(ProcessLookupError):
        os.kill(int((programs / "pid").read_text()), 0)


OPEN: Final = """
from lastcard.server.setup.tunnel import Tunnel
from lastcard.server.launcher import _opened_tunnel

def do():
    with _opened_tunnel(Tunnel("cloudflared", "Cloudflare", False, ({program!r},)), "en", 8020):
        pass

from lastcard.text.locale import catalog

catalog("en").text("play.serve.sharing", tunnel="")  # to read the texts takes most steps, and starts nothing
"""
"""Opens a tunnel and closes it, as the server does."""


def test_no_tunnel_stays_behind_wherever_its_start_is_interrupted(tmp_path: Path) -> None:
    """This includes a program whose process id is not yet stored, and its own child processes."""
    make_fake_program(tmp_path, "cloudflared", CLOUDFLARED, then="sleep 60 & wait")
    prepare = OPEN.replace("{program!r}", repr(str(tmp_path / "cloudflared")))
    report = interrupt_at_every_step(prepare, signal.SIGINT, 11, ("tunnel", "start", "subprocess", "interrupts"))
    assert report == "status 0 after steps: True"


def test_a_server_that_is_to_outlive_its_window_does(tmp_path: Path) -> None:
    """``nohup lastcard serve`` requires it."""
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        server = Process(tmp_path, "--host", "127.0.0.1", "--no-open")
    finally:
        signal.signal(signal.SIGHUP, before)
    with server:
        wait_until_server_ready(server.running, server.url)
        server.running.send_signal(signal.SIGHUP)
        time.sleep(0.5)
        assert httpx.get(f"{server.url}/healthz", timeout=TIMEOUT_S).status_code == 200
        assert server.stop()[0] == 0
