"""No press is lost: if the page changes during one, it counts for the control on which it began."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final, NamedTuple

import pytest
from msgspec.structs import replace
from playwright.sync_api import Browser, Locator, Route, expect

from lastcard.server.wire.parts import Guest
from lastcard.session.table_state import Vote
from support.mock_screen import OWN_ID, MockScreen, seat_of, table_of
from support.page_readiness import wait_until_pressable, wait_until_ready
from support.pointers import Finger, Mouse, box_of, middle_of
from support.screens import SCREENS
from support.situations import decides, full_hand, reach

NOTICE: Final = "The server restarts at ten."
EDGE_PX: Final = 4.0
"""Pixels below the upper edge of a control: a control that moves down a little is no longer there."""


@pytest.fixture
def screen_browser(painting_browser: Browser) -> Browser:
    """Fingers touch the page."""
    return painting_browser


@contextmanager
def pressing(control: Locator, how: type[Mouse] | None, down: float = EDGE_PX) -> Iterator[None]:
    """Press a control, in its middle some pixels below its upper edge, or for None with the space bar; then release."""
    page = control.page
    if how is None:
        control.focus()
        wait_until_pressable(page)
        page.keyboard.down(" ")
        yield
        page.keyboard.up(" ")
        return
    control.scroll_into_view_if_needed()
    wait_until_pressable(page)
    pointer, at = how(page), (middle_of(control)[0], box_of(control)["y"] + down)
    if how is Mouse:
        page.mouse.move(*at)  # a mouse is above a control before it presses
    pointer.press(at)
    yield
    pointer.release()


def change_seat(stage: MockScreen, seat: int, **changes: Any) -> None:
    seats = list(stage.welcome["table"].seats)
    seats[seat] = replace(seats[seat], **changes) if seats[seat] else seat_of(**changes)
    stage.change_table(seats=tuple(seats))


def somebody_sits(stage: MockScreen) -> None:
    """Somebody takes the last free seat."""
    change_seat(stage, 3, name="Dawid")


def somebody_is_ready(stage: MockScreen) -> None:
    """Another person wants to go on."""
    others = [seat for seat, info in enumerate(stage.welcome["table"].seats) if info.player not in (OWN_ID, None)]
    change_seat(stage, others[0], ready=True)


def somebody_agrees(stage: MockScreen) -> None:
    stage.change_table(vote=Vote("pause", 1, None, (1, 2), 4))


def turn_passes(stage: MockScreen) -> None:
    """No card can be played any more, so all of them are reordered."""
    game = stage.welcome["game"]
    stage.send_move(public=replace(game.public, turn=1), mine=replace(game.mine, legal=()))


def cards_are_shown(stage: MockScreen) -> None:
    """Cards are shown beside the question."""
    seat = stage.welcome["game"].public.turn
    stage.send_move({"e": "shown", "seat": (seat + 1) % 4, "other": seat, "cards": ["R5"]})


def notice_comes(stage: MockScreen) -> None:
    """A notice above the page moves all of it down."""
    stage.change_table(notice=NOTICE)


def card_is_laid(stage: MockScreen) -> None:
    """Another card is on the pile."""
    shown = stage.welcome["game"].public
    pile = (*shown.pile[-4:], "R5")
    stage.send_move(public=replace(shown, pile=pile, top="R5", discard_count=shown.discard_count + 1))


def start(stage: MockScreen) -> Locator:
    """The host can start."""
    seats = (seat_of("Ada", player=OWN_ID), seat_of("Ben"), seat_of("Chloé"), None)
    stage.show_table(table_of("lobby", seats))
    return stage.page.locator('[data-key="start"]')


def invite_bot(stage: MockScreen) -> Locator:
    """The host can give a seat to a bot; it stays above the bar of the start when a notice moves it down."""
    stage.show_table(table_of("lobby", (seat_of("Ada", player=OWN_ID), None, None, None)))
    return stage.page.locator('[data-key="bot1"]')


def sit(stage: MockScreen) -> Locator:
    """A guest can take a seat."""
    table = table_of("lobby", (seat_of("Ben"), seat_of("Chloé"), None, None), host="Ben")
    stage.show_table(replace(table, guests=(Guest(OWN_ID, "Ada", queued=False),)))
    stage.wait_for_message("sit")  # a visitor takes a seat
    stage.sent.clear()
    return stage.page.locator('[data-key="sit2"]')


def agree(stage: MockScreen) -> Locator:
    """The person can agree to a pause."""
    stage.show_match(reach("classic", 4, decides("play")), seat=0)
    stage.change_table(vote=Vote(what="pause", by=1, target=None, yes=(1,), needed=4))
    return stage.page.get_by_role("button", name=stage.text("web.notice.yes"))


def go_on(stage: MockScreen) -> Locator:
    """The person can go on to the next round."""
    SCREENS["between"](stage)
    return stage.page.get_by_role("button", name=stage.text("web.score.next"))


def answer(stage: MockScreen) -> Locator:
    """The person can answer a question of the game."""
    SCREENS["challenge"](stage)
    return stage.page.locator(".action-bar-answers button.primary")


def card(stage: MockScreen) -> Locator:
    """The person has many cards and can press one that cannot be played; it is placed after those that can."""
    stage.show_match(full_hand(4, 25))
    stage.resize(568, 320)
    expect(stage.page.locator(".more-cards")).to_be_visible()
    return stage.page.locator(".hand-card:not(.can)").first


class PressCase(NamedTuple):
    """A press and a change of the page during it."""

    control: Callable[[MockScreen], Locator]
    change: Callable[[MockScreen], None]
    sends: str
    """The type of the command that the press sends."""
    shows: str
    """The visible result of the change."""


PRESS_CASES: Final = {
    "replaced in the lobby": PressCase(start, somebody_sits, "start", ".lobby-seat:has-text('Dawid')"),
    "replaced for a guest": PressCase(sit, somebody_sits, "sit", ".lobby-seat:has-text('Dawid')"),
    "another screen": PressCase(sit, lambda stage: stage.change_table(phase="writing"), "sit", ".writer"),
    "replaced in a notice": PressCase(agree, somebody_agrees, "pause", ".notice:has-text('2')"),
    "replaced between rounds": PressCase(go_on, somebody_is_ready, "ready", ".scores-ready .ready"),
    "replaced among answers": PressCase(answer, cards_are_shown, "act", ".action-bar-answers button"),
    "moved in the document": PressCase(card, turn_passes, "why", ".hand:not(.choosing)"),
    "moved on the screen": PressCase(invite_bot, notice_comes, "setbot", f".notice:has-text('{NOTICE}')"),
}


@pytest.mark.parametrize("how", [Mouse, Finger, None], ids=["mouse", "finger", "space bar"])
@pytest.mark.parametrize("case", PRESS_CASES)
def test_no_press_is_lost_when_the_page_changes(stage: MockScreen, case: str, how: type[Mouse] | None) -> None:
    """The press has its intended effect once, and the change is shown afterwards."""
    control, change, sends, shows = PRESS_CASES[case]
    pressed = control(stage)
    wait_until_ready(stage.page)
    with pressing(pressed, how):
        change(stage)
        stage.page.wait_for_timeout(50)
        wait_until_ready(stage.page)
    expect(stage.page.locator(shows).first).to_be_visible()
    stage.wait_for_message(sends)
    wait_until_ready(stage.page)
    assert len(stage.messages(sends)) == 1


@pytest.mark.parametrize("how", [Mouse, Finger])
def test_no_press_is_lost_when_something_in_the_control_changes(stage: MockScreen, how: type[Mouse]) -> None:
    """A browser drops a press whose innermost element is removed from the document, even briefly."""
    SCREENS["turn"](stage)
    with pressing(stage.page.locator(".discard-pile"), how, 40):
        card_is_laid(stage)
        expect(stage.page.locator('.discard-pile[data-card="R5"]')).to_be_visible()
    expect(stage.page.locator(".card-about")).to_be_visible()


def test_a_list_of_choices_stays_open_when_the_page_changes(stage: MockScreen) -> None:
    """The choice counts, and the change is shown afterwards."""
    seats = (seat_of("Ada", player=OWN_ID), seat_of("Ben"), seat_of("Mia", bot="casual"), None)
    stage.show_table(table_of("lobby", seats))
    level = stage.page.locator('[data-key="level2"]')
    level.click()
    somebody_sits(stage)
    stage.page.wait_for_timeout(300)
    assert level.evaluate("(level) => level.matches(':open')")
    stage.page.keyboard.press("ArrowDown")
    stage.page.keyboard.press("Enter")
    stage.wait_for_message("setbot")
    expect(stage.page.locator(".lobby-seat:has-text('Dawid')")).to_be_visible()
    assert [message["level"] for message in stage.messages("setbot")] == ["sharp"]


@pytest.mark.parametrize("fits", [True, False])
def test_no_press_is_lost_while_an_answer_is_awaited(stage: MockScreen, fits: bool) -> None:
    """Settings are applied when the server has confirmed that the last change is consistent."""
    SCREENS["settings"](stage)
    held: list[Route] = []
    stage.page.route("**/api/rules", lambda route: held.append(route))
    dialog = stage.page.get_by_role("dialog")
    dialog.get_by_role("radio", name="5", exact=True).check()
    dialog.get_by_role("button", name=stage.text("web.settings.apply")).click()
    stage.wait_until(lambda: held, "the page has asked")
    assert not stage.messages("configure")
    answer = {"ok": True, "rules": "classic"} if fits else {"ok": False, "text": "That does not go together."}
    for number in range(1 if fits else 2):  # if it does not, a press asks once more
        stage.wait_until(lambda: len(held) > number, "the page has asked")  # noqa: B023 - within the loop
        held[number].fulfill(json=answer)
    if fits:
        stage.wait_for_message("configure")
        expect(dialog).to_be_hidden()
    else:
        expect(dialog.get_by_role("alert")).to_have_text("That does not go together.")
        assert not stage.messages("configure")


def test_no_press_is_lost_between_a_move_and_its_answer(stage: MockScreen) -> None:
    """The table shows an own move before the server has answered it; the next press is the next move."""
    SCREENS["turn"](stage)
    draw = stage.page.locator(".draw-pile")
    draw.click()
    stage.wait_for_message("act")
    draw.click()
    seat = stage.welcome["game"].public.turn
    stage.send_move({"e": "drew", "seat": seat, "n": 1}, seat=seat, move="draw")
    stage.page.wait_for_function(
        "(ply) => document.querySelector('lc-game').session.game.ply === ply", arg=stage.welcome["game"].ply
    )
    assert len(stage.messages("act")) == 1, "a second press is no second move"
    draw.click()
    wait_until_ready(stage.page)
    assert len(stage.messages("act")) == 2


def test_no_key_is_lost_when_a_form_is_drawn_anew(stage: MockScreen) -> None:
    """The focused element has the focus again at once."""
    SCREENS["write"](stage)
    form = stage.page.locator(".rule-card").first
    form.get_by_role("radio", name=stage.text("web.write.kind.effects")).check()
    verb = form.get_by_label(stage.text("web.write.verb"), exact=True)
    verb.focus()
    focused = verb.evaluate(
        """async (verb) => {
            verb.value = "skip";
            verb.dispatchEvent(new Event("change", { bubbles: true }));
            return [document.activeElement.dataset.key, document.activeElement === verb, document.activeElement.value];
        }"""
    )
    assert focused == ["verb0", False, "skip"]


def test_no_press_is_lost_when_its_panel_did_not_load(stage: MockScreen) -> None:
    """The page reports the error, and the next press tries again."""
    stage.open("/about")
    stage.page.reload()
    failing = [True]
    panels = "**/packs/panels.js*"
    stage.page.route(panels, lambda route: route.abort() if failing else route.continue_())
    SCREENS["turn"](stage)
    stage.press("web.table.menu")
    expect(stage.page.locator(".toast")).to_have_text(stage.text("web.page.failed"))
    stage.errors.clear()
    failing.clear()
    stage.press("web.table.menu")
    expect(stage.page.get_by_role("dialog")).to_be_visible()
