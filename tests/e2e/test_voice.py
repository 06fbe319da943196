"""People talk at a table, with Chromium's fake microphone, which hears a tone."""

from __future__ import annotations

import wave
from collections.abc import Callable, Iterator
from math import pi, sin
from typing import Any, Final

import pytest
from playwright.sync_api import Browser, BrowserContext, Playwright, expect

from support.axe import find_violations
from support.browser import launch_options
from support.live_server import LiveServer
from support.mock_screen import OWN_ID, MockScreen, seat_of, table_of
from support.player import DESKTOP, PHONE, BrowserPlayer
from support.websocket_players import ServerProcess

FLAGS: Final = ("--use-fake-ui-for-media-stream", "--use-fake-device-for-media-stream")
RATE_HZ: Final = 48_000
TONE_HZ: Final = 440
FIND_TIMEOUT_MS: Final = 40_000
"""Milliseconds until a lost connection is found again."""
_WATCH: Final = """{
    window.connections = [];
    window.tracks = [];
    window.RTCPeerConnection = class extends RTCPeerConnection {
        constructor(...how) {
            super(...how);
            window.connections.push(this);
        }
    };
    const devices = MediaDevices.prototype;
    const ask = devices.getUserMedia;
    devices.getUserMedia = async function () {
        const plain = { echoCancellation: false, noiseSuppression: false, autoGainControl: false };
        const stream = await ask.call(this, { audio: plain });
        window.tracks.push(...stream.getTracks());
        return stream;
    };
}"""
"""Collects connections and microphones; a tone counts as noise that browsers suppress."""

_SPEAKS: Final = """(name) => [...document.querySelectorAll(".stage [data-seat][data-voice=speaking]")]
    .some((seat) => seat.textContent.includes(name))"""
"""Whether somebody is marked as speaking."""


@pytest.fixture(scope="module")
def media_browser(playwright: Playwright, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """A browser with a microphone."""
    file = tmp_path_factory.mktemp("tone") / "tone.wav"
    with wave.open(str(file), "wb") as tone:
        tone.setnchannels(1)
        tone.setsampwidth(2)
        tone.setframerate(RATE_HZ)
        heights = (round(12_000 * sin(2 * pi * TONE_HZ * n / RATE_HZ)) for n in range(RATE_HZ))
        tone.writeframes(b"".join(height.to_bytes(2, "little", signed=True) for height in heights))
    options = launch_options(painted=False)
    flags = [*FLAGS, f"--use-file-for-fake-audio-capture={file}"]
    browser = playwright.chromium.launch(**options | {"args": [*options["args"], *flags]})
    yield browser
    browser.close()


@pytest.fixture
def open_page(media_browser: Browser) -> Iterator[Callable[..., BrowserPlayer]]:
    """Opens pages for persons with a microphone; none may report an error."""
    players: list[BrowserPlayer] = []
    contexts: list[BrowserContext] = []

    def bring(url: str, name: str, **options: Any) -> BrowserPlayer:
        contexts.append(media_browser.new_context(locale="en-US", reduced_motion="reduce", **{**DESKTOP, **options}))
        page = contexts[-1].new_page()
        page.add_init_script(_WATCH)
        players.append(BrowserPlayer(page, url, name))
        return players[-1]

    yield bring
    complaints = {player.name: player.errors for player in players if player.errors}
    for context in contexts:
        context.close()
    assert not complaints


def turn_on(*players: BrowserPlayer, mode: str = "Always") -> None:
    """Everybody turns voice on, and opens the microphone."""
    for player in players:
        player.page.get_by_role("button", name="Voice", exact=False).first.click()
        player.page.get_by_role("button", name="Turn voice on").click()
        player.page.get_by_role("radio", name=mode).check()
        player.page.keyboard.press("Escape")


def hears(player: BrowserPlayer, *others: str, timeout_ms: int = FIND_TIMEOUT_MS) -> None:
    """Wait until the page marks others as speaking, at their seats."""
    for name in others:
        player.page.wait_for_function(_SPEAKS, arg=name, timeout=timeout_ms)


def sit_together(open_page: Callable[..., BrowserPlayer], url: str) -> tuple[BrowserPlayer, ...]:
    """Ann, Ben and Cleo at a table; Cleo has a phone."""
    ann, ben, cleo = open_page(url, "Ann"), open_page(url, "Ben"), open_page(url, "Cleo", **PHONE)
    code = ann.make_table("classic", 3)
    for guest in (ben, cleo):
        guest.follow_link(code)
        ann.wait_until_seated(guest.name)
    return ann, ben, cleo


def test_three_people_talk_and_find_each_other_again(
    open_page: Callable[..., BrowserPlayer], server: ServerProcess
) -> None:
    """All hear each other, in the lobby and in the match, after lost connections, a reload, and a killed server."""
    ann, ben, cleo = people = sit_together(open_page, server.url)
    turn_on(*people)
    hears(ann, "Ben", "Cleo")
    hears(ben, "Ann", "Cleo")
    hears(cleo, "Ann", "Ben")
    ann.start()
    hears(cleo, "Ann", "Ben")
    assert all("candidate" not in text for text in ann.received if '"type":"table"' in text)

    ben.page.evaluate("for (const connection of connections) connection.close()")
    hears(ann, "Ben")
    hears(ben, "Ann", "Cleo")

    server.kill()
    server.ensure_running()
    hears(ann, "Ben", "Cleo")
    cleo.page.reload()
    expect(cleo.hand).to_be_visible(timeout=30_000)
    turn_on(cleo)
    hears(cleo, "Ann", "Ben")
    hears(ann, "Ben", "Cleo")
    hears(ben, "Ann", "Cleo")
