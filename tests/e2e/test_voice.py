"""People talk at a table, with Chromium's fake microphone, which hears a tone."""

from __future__ import annotations

import json
import re
import wave
from collections.abc import Callable, Iterator
from math import pi, sin
from typing import Any, Final

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Playwright, expect

from lastcard.session.table_settings import Settings
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
_IS_CONNECTED: Final = "() => connections.filter(({ connectionState }) => connectionState === 'connected').length === 2"
"""Whether there is a connection to each of the two others."""
_IS_QUIET: Final = "() => !document.querySelector('.stage [data-voice=speaking]')"
_MUTED: Final = "() => [...document.querySelectorAll('audio')].map(({ muted }) => muted)"
_ENDED: Final = "() => tracks.every(({ readyState }) => readyState === 'ended')"


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


def voice_button(player: BrowserPlayer) -> Locator:
    """The button of voice in the bar."""
    return player.page.locator(".bar").get_by_role("button", name=re.compile("^Voice"))


def turn_on(*players: BrowserPlayer, mode: str = "Always") -> None:
    """Everybody turns voice on, and opens the microphone."""
    for player in players:
        voice_button(player).click()
        player.page.get_by_role("button", name="Turn voice on").click()
        player.page.get_by_role("radio", name=mode).check()
        player.page.keyboard.press("Escape")
        expect(player.page.get_by_role("dialog")).to_be_hidden()


def wait_for_sound(player: BrowserPlayer, *others: str, timeout_ms: int = FIND_TIMEOUT_MS) -> None:
    """Wait until the page marks others as speaking, at their seats."""
    for name in others:
        player.page.wait_for_function(_SPEAKS, arg=name, timeout=timeout_ms)


def count_voices(player: BrowserPlayer) -> int:
    """How many people have voice on, as the server has said last."""
    tables = [json.loads(text) for text in player.received if text.startswith(('{"type":"table"', '{"type":"welcome"'))]
    return len(tables[-1]["table"]["voices"])


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
    wait_for_sound(ann, "Ben", "Cleo")
    wait_for_sound(ben, "Ann", "Cleo")
    wait_for_sound(cleo, "Ann", "Ben")
    ann.start()
    wait_for_sound(cleo, "Ann", "Ben")

    ben.page.evaluate("for (const connection of connections) connection.close()")
    for person in people:
        person.page.wait_for_function(_IS_CONNECTED, timeout=FIND_TIMEOUT_MS)
    wait_for_sound(ben, "Ann", "Cleo")

    before = [person.page.evaluate("connections.length") for person in people]
    server.kill()
    server.ensure_running()
    for person in people:
        person.wait_until(lambda: count_voices(person) == 3, "all have voice again")  # noqa: B023
    wait_for_sound(ann, "Ben", "Cleo")
    assert [person.page.evaluate("connections.length") for person in people] == before, "the sound went on"

    cleo.page.reload()
    expect(cleo.hand).to_be_visible(timeout=30_000)
    turn_on(cleo)
    wait_for_sound(cleo, "Ann", "Ben")
    wait_for_sound(ann, "Ben", "Cleo")
    wait_for_sound(ben, "Ann", "Cleo")


def test_everybody_decides_who_speaks_to_whom(open_page: Callable[..., BrowserPlayer], live_server: LiveServer) -> None:
    """A held key opens the microphone, everybody decides whom to hear, and the host can end it."""
    ann, ben, _ = people = sit_together(open_page, live_server.url)
    turn_on(*people[:2], mode="While I hold a button")
    ann.page.wait_for_function("() => document.querySelector('.stage [data-voice=on]')")
    assert not ben.page.evaluate("tracks.some(({ enabled }) => enabled)")
    ben.page.keyboard.down("v")
    wait_for_sound(ann, "Ben")
    expect(voice_button(ben)).to_have_accessible_name("Voice: the others hear you")
    ben.page.keyboard.up("v")
    ann.page.wait_for_function(_IS_QUIET)

    box = voice_button(ben).bounding_box()
    assert box is not None
    ben.page.mouse.move(box["x"] + 20, box["y"] + 20)
    ben.page.mouse.down()
    wait_for_sound(ann, "Ben")
    ben.page.mouse.up()
    expect(ben.page.get_by_role("dialog")).to_be_hidden()

    voice_button(ann).click()
    ann.page.get_by_role("button", name="Mute Ben").click()
    ann.page.wait_for_function(f"() => ({_MUTED})()[0] === true")
    ann.page.get_by_role("button", name="Hear Ben").click()
    ann.page.wait_for_function(f"() => ({_MUTED})()[0] === false")
    ann.page.get_by_label("Mute everybody for me").check()
    ann.page.wait_for_function(f"() => ({_MUTED})()[0] === true")

    voice_button(ben).click()
    ben.page.get_by_role("radio", name="Always").check()
    assert ben.page.evaluate("tracks[0].enabled")
    ann.page.get_by_role("button", name="Turn all microphones off").click()
    expect(ben.page.get_by_text("The host has turned all microphones off.")).to_be_visible()
    assert not ben.page.evaluate("tracks[0].enabled")
    ben.page.get_by_label("My microphone").check()
    assert ben.page.evaluate("tracks[0].enabled")

    ann.page.get_by_role("button", name="No voice at this table").click()
    expect(voice_button(ben)).to_be_hidden()
    for player in (ann, ben):
        player.page.wait_for_function(_ENDED)
        assert player.page.evaluate("connections.every(({ connectionState }) => connectionState === 'closed')")
    ann.page.get_by_role("button", name="Allow voice at this table").click()
    expect(voice_button(ben)).to_be_visible()
    assert count_voices(ben) == 0


# --- screens ----------------------------------------------------------------------------------------------


def open_panel(stage: MockScreen) -> None:
    """Open the panel of voice in a lobby with another person."""
    stage.show_table(table_of("lobby", (seat_of("Ada", player=OWN_ID), seat_of("Ben")), "classic"))
    stage.press("web.talk", within=".bar")
    expect(stage.page.get_by_role("dialog")).to_be_visible()


_HIDE: Final = """(name) => {
    window.hiddenProperty = Object.getOwnPropertyDescriptor(window, name);
    Object.defineProperty(window, name, { value: undefined, configurable: true });
}"""
"""Removes a property of the window."""
_NO_MICROPHONE: Final = """(name) => navigator.mediaDevices.getUserMedia =
    () => Promise.reject(new DOMException("", name))"""


@pytest.mark.parametrize(
    ("error", "problem"),
    [("NotAllowedError", "refused"), ("NotFoundError", "missing"), ("NotReadableError", "busy")],
)
def test_without_a_microphone_the_page_says_why(stage: MockScreen, error: str, problem: str) -> None:
    """The others can be heard nevertheless."""
    open_panel(stage)
    stage.page.evaluate(_NO_MICROPHONE, error)
    expect(stage.page.get_by_text(stage.text("web.voice.address"))).to_be_visible()
    stage.press("web.voice.on", within="[role=dialog]")
    expect(stage.page.get_by_text(stage.text(f"web.voice.problem.{problem}"))).to_be_visible()
    assert not stage.messages("voice")
    assert find_violations(stage.page) == []
    stage.press("web.voice.listen", within="[role=dialog]")
    stage.wait_for_message("voice")
    expect(stage.page.get_by_text(stage.text("web.voice.listener"))).to_be_visible()
    stage.press("web.voice.off", within="[role=dialog]")
    stage.wait_for_message("voice", 2)
    assert [message["on"] for message in stage.messages("voice")] == [True, False]


@pytest.mark.parametrize(("lacks", "problem"), [("isSecureContext", "insecure"), ("RTCPeerConnection", "unsupported")])
def test_a_page_that_cannot_have_voice_says_why(stage: MockScreen, lacks: str, problem: str) -> None:
    """Over plain HTTP it names what would help; it asks for no microphone."""
    open_panel(stage)
    stage.page.evaluate(_HIDE, lacks)
    stage.press("web.voice.on", within="[role=dialog]")
    expect(stage.page.get_by_text(stage.text(f"web.voice.problem.{problem}"))).to_be_visible()
    expect(stage.page.get_by_role("button", name=stage.text("web.voice.on"))).to_have_count(0)
    stage.page.evaluate("name => Object.defineProperty(window, name, hiddenProperty)", lacks)


@pytest.mark.parametrize("size", [(390, 844), (1280, 800)])
def test_a_refusal_of_the_server_turns_voice_off(stage: MockScreen) -> None:
    open_panel(stage)
    stage.page.evaluate(_NO_MICROPHONE, "NotFoundError")
    stage.press("web.voice.on", within="[role=dialog]")
    stage.press("web.voice.listen", within="[role=dialog]")
    stage.wait_for_message("voice")
    stage.send(type="refused", id=None, code="voice-full", clause=None, text="Full.", late=None)
    expect(stage.page.get_by_role("button", name=stage.text("web.voice.on"))).to_be_visible()


def test_voice_is_for_people_who_sit_with_others(stage: MockScreen) -> None:
    """Nobody is offered it who is alone with bots, watches, or plays where the host has ended it."""
    button = stage.page.locator(".bar").get_by_role("button", name=stage.text("web.talk"))
    me, ben, bot = seat_of("Ada", player=OWN_ID), seat_of("Ben"), seat_of("Cleo", bot="casual")
    off = Settings(rules="classic", seats=2, voice=False)
    cases: list[tuple[tuple[Any, ...], dict[str, Any], bool]] = [
        ((me, ben), {}, True),
        ((me, bot), {}, False),
        ((ben, bot), {}, False),
        ((me, ben), {"settings": off}, True),
        ((me, ben), {"settings": off, "host": "Ben"}, False),
    ]
    for seats, changes, is_shown in cases:
        stage.show_table(table_of("lobby", seats, "classic", **changes))
        expect(button).to_be_visible() if is_shown else expect(button).to_be_hidden()
        stage.open("/about")
