"""Requests to addresses that people supply."""

from __future__ import annotations

import asyncio
import ipaddress
import socket
from contextlib import suppress
from functools import partial
from typing import Any

import pytest

from lastcard.server.security.security import read_networks
from lastcard.server.wire import checked_client
from lastcard.server.wire.checked_client import CheckedClient, RefusedAddressError, is_public_address, read_address
from support.push_service import run_push_service

pytestmark = pytest.mark.real_time

LOOPBACK = read_networks("127.0.0.0/8", "networks")


@pytest.mark.parametrize(
    "url",
    [
        "",
        "push.example/a",
        "ftp://push.example/",
        "file:///etc/hostname",
        "https://",
        "https://ann:secret@push.example/",
        "https://push.example:99999/",
        "https://push.example/a b",
        "https://push.example/\r\nHost: other",
        "https://push_.example\\@other/",
        "https://" + "a" * 1000,
    ],
)
def test_addresses_without_meaning_are_refused(url: str) -> None:
    with pytest.raises(RefusedAddressError):
        read_address(url)


def test_parts_of_an_address() -> None:
    assert read_address("https://Push.Example/a?b=1#c") == (True, "push.example", 443, "/a?b=1")
    assert read_address("http://[::1]:8080") == (False, "::1", 8080, "/")


@pytest.mark.parametrize(
    ("url", "host"),
    [
        ("https://push.example/", "push.example"),
        ("https://push.example:443/", "push.example"),
        ("https://push.example:80/", "push.example:80"),
        ("http://push.example:80/", "push.example"),
        ("http://push.example:443/", "push.example:443"),
        ("https://[2606:2800::1]:8443/", "[2606:2800::1]:8443"),
    ],
)
def test_the_host_header_has_any_port_but_that_of_the_scheme(url: str, host: str) -> None:
    assert read_address(url).authority == host


@pytest.mark.parametrize(
    ("address", "public"),
    [
        ("93.184.216.34", True),
        ("2606:2800:220:1::1", True),
        *((private, False) for private in ("127.0.0.1", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254")),
        *((private, False) for private in ("0.0.0.0", "100.64.0.1", "224.0.0.1", "255.255.255.255", "192.0.2.1")),
        *(
            (private, False)
            for private in ("::", "::1", "fe80::1", "fd00::1", "ff02::1", "64:ff9b::a00:1", "2002:a00:1::")
        ),
    ],
)
def test_public_addresses(address: str, public: bool) -> None:
    assert is_public_address(ipaddress.ip_address(address)) is public


@pytest.mark.parametrize(
    "url", ["https://127.0.0.1/", "https://[::ffff:127.0.0.1]/", "https://2130706433/", "https://localhost/"]
)
async def test_private_addresses_are_refused(url: str) -> None:
    """However they are written."""
    with pytest.raises(RefusedAddressError):
        await CheckedClient().check(url)


async def test_plain_http_is_for_allowed_networks() -> None:
    with run_push_service() as service:
        with pytest.raises(RefusedAddressError):
            await CheckedClient().send(service.url, {}, b"text")
        assert not service.received
        assert await CheckedClient(LOOPBACK).send(f"{service.url}/a?b", {"ttl": "5"}, b"text") == 201
        (received,) = service.received
        assert (received.path, received.headers["ttl"], received.body) == ("/a?b", "5", b"text")


async def test_redirects_are_not_followed() -> None:
    with run_push_service() as service, run_push_service() as other:
        service.status, service.location = 307, other.url
        assert await CheckedClient(LOOPBACK).send(service.url, {}, b"") == 307
        assert not other.received


def _resolve_to(monkeypatch: pytest.MonkeyPatch, *answers: list[str]) -> list[str]:
    """Have names resolve to other addresses each time; return the names that were resolved."""
    asked: list[str] = []

    async def getaddrinfo(host: str, port: int, **options: Any) -> list[Any]:
        found = answers[min(len(asked), len(answers) - 1)]
        asked.append(host)
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port)) for address in found]

    monkeypatch.setattr(asyncio.get_running_loop(), "getaddrinfo", getaddrinfo, raising=False)
    return asked


async def test_all_addresses_of_a_name_are_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    _resolve_to(monkeypatch, ["93.184.216.34", "10.0.0.1"])
    with pytest.raises(RefusedAddressError):
        await CheckedClient().check("https://push.example/")


async def test_the_checked_address_is_connected_to(monkeypatch: pytest.MonkeyPatch) -> None:
    """A name that resolves to another address the second time leads nowhere (DNS rebinding)."""
    connected: list[str] = []

    async def open_connection(host: str, port: int, **options: Any) -> Any:
        connected.append(f"{host} as {options['server_hostname']}")
        raise OSError

    asked = _resolve_to(monkeypatch, ["93.184.216.34"], ["127.0.0.1"])
    monkeypatch.setattr(asyncio, "open_connection", open_connection)
    assert await CheckedClient().send("https://push.example/", {}, b"") is None
    assert (asked, connected) == (["push.example"], ["93.184.216.34 as push.example"])


async def test_a_silent_server_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """And so is one that answers without end or with something else."""
    monkeypatch.setattr(checked_client, "TIMEOUT_S", 0.3)
    for answer in (b"", b"x" * 10_000, b"SSH-2.0-x\r\n"):
        left = asyncio.Event()

        async def serve(
            reader: asyncio.StreamReader, writer: asyncio.StreamWriter, *, answer: bytes, left: asyncio.Event
        ) -> None:
            writer.write(answer)
            with suppress(ConnectionError):
                while await reader.read(1024):
                    pass
            writer.close()
            left.set()

        server = await asyncio.start_server(partial(serve, answer=answer, left=left), "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        assert await CheckedClient(LOOPBACK).send(f"http://127.0.0.1:{port}/", {}, b"") is None
        async with asyncio.timeout(60):
            await left.wait()
        server.close()
