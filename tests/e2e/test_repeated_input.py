"""One press has one effect: held keys, double clicks, and controls that have just appeared or moved."""

from __future__ import annotations

import time
from typing import Final

import pytest
from msgspec.structs import replace
from playwright.sync_api import Browser, Locator, Page, Route, expect

from lastcard.match.match import Match
from support.mock_screen import SIZES_PX, MockScreen
from support.page_readiness import wait_until_pressable, wait_until_ready
from support.pointers import Finger, Mouse, corner_of, middle_of
from support.screens import SCREENS
from support.situations import decides, holds, reach

ON_BOTH: Final = pytest.mark.parametrize("size", SIZES_PX, ids=["phone", "desktop"])
_REPEATS_OF_HELD_KEY: Final = 12
"""The number of repeats of a key that is held for not quite a second."""


@pytest.fixture
def screen_browser(painting_browser: Browser) -> Browser:
    """Fingers touch the page."""
    return painting_browser


def hold(page: Page, key: str) -> None:
    """Hold a key for not quite a second."""
    for _ in range(_REPEATS_OF_HELD_KEY):
        page.keyboard.down(key)
        page.wait_for_timeout(30)
    page.keyboard.up(key)


_PHONE, _DESKTOP = SIZES_PX
POINTERS: Final = pytest.mark.parametrize(("size", "how"), [(_PHONE, Finger), (_DESKTOP, Mouse)])
"""The pointer for a screen of that size."""
DOUBLE_CLICKS: Final = pytest.mark.parametrize(
    ("size", "how", "gap"),
    [
        *((_PHONE, Mouse, 60), (_DESKTOP, Finger, 60), (_PHONE, Finger, 200)),
        *((_DESKTOP, Mouse, 200), (_PHONE, Mouse, 400), (_DESKTOP, Finger, 400)),
    ],
)
"""Screens, pointers and milliseconds between two presses, in all pairs."""


def double(stage: MockScreen, control: Locator, how: type[Mouse], gap: int) -> None:
    """Press twice at the same point, ``gap`` milliseconds apart."""
    at, pointer, began = corner_of(control), how(stage.page), time.time()
    pointer.click(at, began)
    wait_until_ready(stage.page)
    pointer.click(at, began + gap / 1000)
    wait_until_ready(stage.page)
    stage.page.wait_for_timeout(50)


def answer_at_once(stage: MockScreen) -> None:
    """The server accepts every move and every take-back; the table does not change, so another could be made."""
    stage.answers |= {kind: {"type": "done", "ply": 1} for kind in ("act", "takeback")}


# --- held keys -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("size", "key"),
    [(_PHONE, "Enter"), (_DESKTOP, "Enter"), (_DESKTOP, "d"), (_PHONE, "1"), (_PHONE, "z"), (_DESKTOP, "z")],
)
def test_a_held_key_makes_or_takes_back_one_move(stage: MockScreen, key: str) -> None:
    """Enter on a card, the letter for drawing or taking back, the digit of an answer."""
    wish = decides("challenge") if key == "1" else holds("W")
    stage.show_match(reach("classic", 4, wish))
    stage.change_table(take_backs=True)
    answer_at_once(stage)
    expect(stage.page.get_by_role("button", name=stage.text("web.table.take_back"))).to_be_visible()
    if key == "Enter":
        stage.page.locator('.hand-card.can:not([data-card^="W"])').first.focus()
        wait_until_pressable(stage.page)
    hold(stage.page, key)
    assert len(stage.messages("takeback" if key == "z" else "act")) == 1


@ON_BOTH
def test_enter_that_is_held_chooses_no_color(stage: MockScreen) -> None:
    """The focus goes from a wild to the colors; the held key was meant for the card."""
    stage.show_match(reach("classic", 4, holds("W")))
    stage.page.locator('.hand-card[data-card="W"]').first.focus()
    wait_until_pressable(stage.page)
    hold(stage.page, "Enter")
    expect(stage.page.locator(".answer.color")).to_have_count(4)
    expect(stage.page.locator(".answer.color").first).to_be_focused()
    assert stage.messages("act") == []
    stage.page.keyboard.press("Enter")
    stage.wait_for_message("act")


def test_letters_are_typed_as_often_as_they_repeat(stage: MockScreen) -> None:
    """In a field, repeats of a held key count."""
    stage.open("/")
    field = stage.page.get_by_label(stage.text("web.home.name"))
    field.fill("")
    hold(stage.page, "a")
    expect(field).to_have_value("a" * _REPEATS_OF_HELD_KEY)
    hold(stage.page, "Backspace")
    expect(field).to_have_value("")


# --- double clicks -------------------------------------------------------------------------------------


@DOUBLE_CLICKS
def test_a_double_click_plays_one_card(stage: MockScreen, how: type[Mouse], gap: int) -> None:
    """Another card could be played at once."""
    stage.show_match(reach("classic", 4, holds("W")))
    answer_at_once(stage)
    double(stage, stage.page.locator('.hand-card.can:not([data-card^="W"])').first, how, gap)
    assert len(stage.messages("act")) == 1


@POINTERS
def test_a_double_click_plays_no_card_that_has_moved_there(stage: MockScreen, how: type[Mouse]) -> None:
    """The first press plays the card, and the next card is at its place when the second one comes."""
    now = reach("classic", 4, holds("W"))
    stage.show_match(now)
    answer_at_once(stage)
    at, pointer = corner_of(stage.page.locator('.hand-card.can:not([data-card^="W"])').first), how(stage.page)
    began = time.time()
    pointer.click(at, began)
    lose_card(stage)
    pointer.click(at, began + 0.1)
    wait_until_ready(stage.page)
    stage.page.wait_for_timeout(50)
    assert [message["type"] for message in stage.messages("act", "why")] == ["act"]
    expect(stage.page.locator(".hand-card.picked")).to_have_count(0)


def lose_card(stage: MockScreen) -> None:
    """The first card of the hand has gone; the turn has not changed."""
    mine = stage.welcome["game"].mine
    hand = list(mine.hand)
    hand.remove(stage.page.locator(".hand-card").first.get_attribute("data-card"))
    stage.send_move(mine=replace(mine, hand=tuple(hand)))
    expect(stage.page.locator(".hand-card")).to_have_count(len(hand))


@DOUBLE_CLICKS
def test_a_double_click_does_not_put_a_wild_back(stage: MockScreen, how: type[Mouse], gap: int) -> None:
    """The colors can be chosen; a later press puts the wild back."""
    stage.show_match(reach("classic", 4, holds("W")))
    wild = stage.page.locator('.hand-card[data-card="W"]').first
    double(stage, wild, how, gap)
    expect(stage.page.locator(".answer.color")).to_have_count(4)
    how(stage.page).click(corner_of(wild))
    expect(stage.page.locator(".answer.color")).to_have_count(0)
    assert stage.messages("act") == []


@DOUBLE_CLICKS
def test_a_double_click_takes_back_one_move(stage: MockScreen, how: type[Mouse], gap: int) -> None:
    stage.show_match(reach("classic", 4, decides("play")))
    stage.change_table(take_backs=True)
    answer_at_once(stage)
    undo = stage.page.get_by_role("button", name=stage.text("web.table.take_back"))
    expect(undo).to_be_visible()
    double(stage, undo, how, gap)
    assert len(stage.messages("takeback")) == 1
    how(stage.page).click(corner_of(undo))
    wait_until_ready(stage.page)
    assert len(stage.messages("takeback")) == 2


@ON_BOTH
def test_one_move_is_taken_back_however_long_it_takes(stage: MockScreen) -> None:
    """A press before the server has answered is no second one."""
    stage.show_match(reach("classic", 4, decides("play")))
    stage.change_table(take_backs=True)
    undo = stage.page.get_by_role("button", name=stage.text("web.table.take_back"))
    undo.click()
    stage.wait_for_message("takeback")
    undo.click()
    stage.page.keyboard.press("z")
    wait_until_ready(stage.page)
    (first,) = stage.messages("takeback")
    stage.send(type="done", id=first["id"], ply=1)
    wait_until_ready(stage.page)
    stage.page.keyboard.press("z")
    wait_until_ready(stage.page)
    assert len(stage.messages("takeback")) == 2


@pytest.mark.parametrize(
    ("size", "button", "gap"),
    [
        *((_PHONE, "play", 60), (_DESKTOP, "create", 60), (_DESKTOP, "play", 400)),
        *((_PHONE, "create", 400), (_PHONE, "play", 1000), (_DESKTOP, "create", 1000)),
    ],
)
def test_a_double_click_makes_one_table(stage: MockScreen, button: str, gap: int) -> None:
    """However long the answer takes; if it fails, the button works again."""
    stage.open("/")
    asked: list[Route] = []
    stage.page.route("**/api/tables", lambda route: asked.append(route))
    new = stage.page.get_by_role("button", name=stage.text(f"web.home.{button}"))
    new.scroll_into_view_if_needed()
    at = corner_of(new)
    for _ in range(2):
        stage.page.mouse.click(*at)
        stage.page.wait_for_timeout(gap)
    for number in (1, 2):
        stage.wait_until(lambda: len(asked) >= number, f"there are {number} requests")  # noqa: B023 - within the loop
        assert len(asked) == number
        asked[-1].fulfill(status=503, json={"error": "full", "text": f"No room for {number}."})
        expect(stage.page.get_by_text(f"No room for {number}.")).to_be_visible()
        if number == 1:
            new.click()
    stage.errors.clear()  # as the browser reports it


@ON_BOTH
def test_enter_continues_after_the_name_is_given(stage: MockScreen) -> None:
    """The first Enter, on *New table*, leads to the name; the next ones deal no match, and nothing without it."""
    stage.open("/")
    asked: list[Route] = []
    stage.page.route("**/api/tables", lambda route: asked.append(route))
    name = stage.page.get_by_label(stage.text("web.home.name"))
    name.fill("")
    stage.page.get_by_role("button", name=stage.text("web.home.create")).focus()
    for _ in range(3):
        stage.page.keyboard.press("Enter")
    expect(name).to_be_focused()
    expect(stage.page.get_by_text(stage.text("web.home.name.missing"))).to_be_visible()
    wait_until_ready(stage.page)
    assert asked == []
    name.fill("Ada")
    stage.page.keyboard.press("Enter")
    stage.wait_until(lambda: asked, "there is a request")
    assert "quick" not in (asked[0].request.post_data or "")
    asked[0].fulfill(status=503, json={"error": "full", "text": "No room."})
    expect(stage.page.get_by_text("No room.")).to_be_visible()
    stage.errors.clear()  # as the browser reports it


@ON_BOTH
def test_a_held_space_bar_plays_a_replay_and_does_not_scroll(stage: MockScreen) -> None:
    """The replay starts once, and the picture stays in view; a held arrow key runs through the match."""
    SCREENS["replay"](stage)
    play = stage.page.get_by_role("button", name=stage.text("web.replay.play"), exact=True)
    expect(play).to_be_visible()
    stage.page.evaluate("document.activeElement.blur(); scrollTo(0, 0)")
    hold(stage.page, " ")
    expect(stage.page.get_by_role("button", name=stage.text("web.replay.pause"), exact=True)).to_be_visible()
    assert stage.page.evaluate("scrollY") == 0
    stage.page.keyboard.press(" ")
    stage.page.keyboard.press("Home")
    hold(stage.page, "ArrowRight")
    place = stage.page.locator(".slider")
    assert int(place.input_value()) == min(_REPEATS_OF_HELD_KEY, int(place.get_attribute("max") or 0)) > 1


@ON_BOTH
def test_a_double_click_opens_a_menu_once(stage: MockScreen) -> None:
    """A menu stays open, and so does a dialog that appears under the pointer."""
    SCREENS["over"](stage)
    double(stage, stage.page.get_by_role("button", name=stage.text("web.table.menu"), exact=True), Mouse, 150)
    expect(stage.page.get_by_role("dialog", name=stage.text("web.table.menu"))).to_be_visible()
    stage.page.keyboard.press("Escape")
    double(stage, stage.page.get_by_role("button", name=stage.text("web.score.check")), Mouse, 150)
    expect(stage.page.locator("dialog[open]")).to_be_visible()


# --- new controls ----------------------------------------------------------------------------------------


_STOP_CLOCK: Final = """() => {
    const now = performance.now.bind(performance), start = now(), later = setTimeout;
    window.startClock = () => {
        performance.now = now;
        window.setTimeout = later;
    };
    performance.now = () => Math.max(start, now() - 3000);
    window.setTimeout = (work, ms = 0, ...values) => later(work, ms < 100 ? ms : ms + 3000, ...values);
}"""
"""Stops the clock of a page for three seconds, so that a busy machine presses in time; ``startClock`` corrects it."""


@POINTERS
def test_an_answer_that_has_just_appeared_takes_no_press(stage: MockScreen, how: type[Mouse]) -> None:
    """Nobody has seen it yet; a moment later it takes presses."""
    stage.show_match(reach("classic", 4, holds("W")))
    page = stage.page
    pointer = how(page)
    pointer.click((2, 2))  # before the very first press no control has a cooldown
    wait_until_pressable(page)
    page.evaluate(_STOP_CLOCK)
    page.evaluate("document.querySelector('.hand-card[data-card=\"W\"]').click()")
    answer = page.locator(".answer.color").first
    at = middle_of(answer)
    pointer.click(at)
    wait_until_ready(page)
    assert stage.messages("act") == []
    expect(page.locator(".answer.color")).to_have_count(4)
    wait_until_pressable(page)
    page.evaluate("startClock()")
    pointer.click(at)
    stage.wait_for_message("act")


@ON_BOTH
def test_redrawn_controls_take_presses_at_once(stage: MockScreen) -> None:
    """A control that is redrawn at its place, with its words, is not new."""
    SCREENS["between"](stage)
    go_on = stage.page.get_by_role("button", name=stage.text("web.score.next"))
    at = corner_of(go_on)
    seats = stage.welcome["table"].seats
    other = next(place for place, info in enumerate(seats) if info and info.player not in ("me", None))
    changed = tuple(replace(info, ready=True) if place == other else info for place, info in enumerate(seats))
    stage.page.evaluate("window.before = document.querySelector('[data-key=\"go on\"]')")
    stage.change_table(seats=changed)
    stage.page.wait_for_function("() => window.before && !window.before.isConnected")
    stage.page.mouse.click(*at)
    stage.wait_for_message("ready")


# --- clicks without a pointer ----------------------------------------------------------------------------


@ON_BOTH
def test_clicks_of_assistive_technology_all_count(stage: MockScreen) -> None:
    """A screen reader clicks without pressing, or presses with a pointer that has no size; both count."""
    stage.show_match(reach("classic", 4, holds("W")))
    page = stage.page
    wild = page.locator('.hand-card[data-card="W"]').first
    wild.evaluate("(card) => card.click()")
    page.locator(".answer.color").first.evaluate("(answer) => answer.click()")
    assert len(stage.messages("act")) == 1
    answer_at_once(stage)
    stage.send(id=stage.messages("act")[0]["id"], type="done", ply=1)
    wait_until_ready(page)
    undone = page.evaluate(
        """() => {
            const wild = document.querySelector('.hand-card[data-card="W"]');
            const { left, top } = wild.getBoundingClientRect();
            const at = { clientX: left + 10, clientY: top + 10, bubbles: true, cancelable: true };
            const pointer = { ...at, width: 0, height: 0, isPrimary: true, pointerType: "touch" };
            return [1, 2].map(() => {
                wild.dispatchEvent(new PointerEvent("pointerdown", pointer));
                wild.dispatchEvent(new PointerEvent("pointerup", pointer));
                wild.dispatchEvent(new MouseEvent("click", { ...at, detail: 1 }));
                return document.querySelectorAll(".answer.color").length;
            });
        }"""
    )
    assert undone == [4, 0]


# --- the race for UNO ------------------------------------------------------------------------------------


def two_cards(match: Match) -> bool:
    """Seat 1 holds two cards, and it is another seat's turn."""
    table = match.round
    return table.decision == "play" and table.turn != 1 and table.counts[1] == 2


@ON_BOTH
@pytest.mark.parametrize("how", ["double", "again", "key"])
def test_no_second_press_takes_a_call_back(stage: MockScreen, how: str) -> None:
    """Out of turn UNO is prepared, however often it is pressed; a button of its own takes it back."""
    stage.show_match(reach("classic", 3, two_cards), seat=1)
    page = stage.page
    uno, undo = page.locator(".uno-button"), page.locator(".uno-undo")
    expect(undo).to_be_hidden()
    if how == "double":
        double(stage, uno, Mouse, 100)
    else:
        for _ in range(2):
            page.keyboard.press("u") if how == "key" else uno.click()
            page.wait_for_timeout(600)
    expect(uno).to_have_attribute("aria-pressed", "true")
    expect(undo).to_have_accessible_name(f"{stage.text('web.uno.armed')}: {stage.text('web.uno.undo')}")
    undo.click()
    expect(uno).to_have_attribute("aria-pressed", "false")
    expect(undo).to_be_hidden()
    assert stage.messages("act") == []


@ON_BOTH
def test_uno_is_pressed_as_soon_as_it_can_be(stage: MockScreen) -> None:
    """UNO has no cooldown: it waits neither for the control to be old nor for the press before to end."""
    stage.show_match(reach("classic", 3, two_cards), seat=1)
    uno = stage.page.locator(".uno-button")
    assert uno.get_attribute("data-quick") is not None
    at = corner_of(uno)
    stage.page.mouse.click(*at)
    expect(uno).to_have_attribute("aria-pressed", "true")
    stage.page.locator(".uno-undo").evaluate("(undo) => undo.click()")
    stage.page.mouse.click(*at)
    expect(uno).to_have_attribute("aria-pressed", "true")


@POINTERS
def test_a_double_tap_catches_once(stage: MockScreen, how: type[Mouse]) -> None:
    """The second press is no late catch, which could cost cards; the first is sent at once."""
    stage.show_match(reach("classic", 4, lambda match: bool(match.round.exposed)), seat=None)
    answer_at_once(stage)
    page = stage.page
    exposed = page.locator(".seat.exposed .seat-main")
    expect(exposed).to_have_count(1)
    seat = page.locator(".seat.exposed").get_attribute("data-seat")
    at, pointer = corner_of(exposed), how(page)
    began = time.time()
    pointer.click(at, began)
    stage.wait_for_message("act")
    stage.send_move(seat=0, move=f"catch>{seat}", public=replace(stage.welcome["game"].public, exposed=()))
    expect(page.locator(".seat.exposed")).to_have_count(0)
    pointer.click(at, began + 0.1)
    wait_until_ready(page)
    page.wait_for_timeout(100)
    assert [message["move"] for message in stage.messages("act")] == [f"catch>{seat}"]
    assert not page.locator(".action-bar-news").is_visible(), "nothing is said of being late"
