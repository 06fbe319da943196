"""Reactions are thrown at a player, or shown at one's own seat for everybody."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from lastcard.server.wire.parts import Note
from support.mock_screen import OWN_ID, MockScreen, OpenScreen
from support.page_readiness import wait_until_pressable
from support.pointers import box_of
from support.screens import SCREENS

_WATCH = """() => {
    window.landed = [];
    const animate = Element.prototype.animate;
    Element.prototype.animate = function (...how) {
        this.flies = true;
        return animate.apply(this, how);
    };
    new MutationObserver((changes) => {
        for (const bubble of changes.flatMap(({ addedNodes }) => [...addedNodes])) {
            if (!bubble.matches?.(".bubble")) continue;
            for (const motion of bubble.getAnimations()) motion.finish();
            const { left, right, top } = bubble.getBoundingClientRect();
            const under = [...document.querySelectorAll("[data-seat]")].find((seat) => {
                const box = seat.getBoundingClientRect();
                const middle = (left + right) / 2;
                return box.left <= middle && middle <= box.right && box.top <= top + 10 && top <= box.bottom;
            });
            window.landed.push([bubble.classList.contains("thrown"), bubble.flies ?? false, under?.dataset.seat ?? ""]);
        }
    }).observe(document.body, { childList: true });
}"""
"""Records whether every bubble is thrown, whether it flies, and at which seat it ends."""


def receive_reaction(stage: MockScreen, at: int | None) -> list[Any]:
    """The person throws a heart; returns the records of its bubble."""
    seen = stage.page.evaluate("landed.length")
    stage.send(type="heard", note=Note(player=OWN_ID, name="Ada", text=None, quick="heart", at=at))
    stage.page.wait_for_function("seen => landed.length > seen", arg=seen)
    found: list[Any] = stage.page.evaluate("landed.at(-1)")
    return found


@pytest.mark.parametrize("size", [(390, 844), (1280, 800)])
def test_a_reaction_is_sent(stage: MockScreen) -> None:
    """The reaction flies to the chosen player; for everybody it takes one more press, and is shown at one's seat."""
    SCREENS["aim"](stage)
    page = stage.page
    expect(page.get_by_role("button", name="To everybody")).to_be_focused()
    page.locator(".targets button").nth(1).click()
    stage.wait_for_message("quick")
    seat = stage.messages("quick")[0]["at"]
    assert stage.sent[-1] == {"type": "quick", "quick": "laugh", "at": seat}
    page.evaluate(_WATCH)
    assert receive_reaction(stage, seat) == [True, False, str(seat)], "less motion is asked for"
    page.emulate_media(reduced_motion="no-preference")
    assert receive_reaction(stage, seat) == [True, True, str(seat)]
    assert receive_reaction(stage, None)[:2] == [False, False]
    assert receive_reaction(stage, 9)[:2] == [False, False], "nobody sits there"

    stage.press("web.table.chat")
    name = page.locator(f'[data-seat="{seat}"] .seat-name').inner_text()
    expect(page.locator(".chat-log li").first).to_have_text(f"Ada to {name} sends a heart")
    page.get_by_role("button", name="claps").click()
    wait_until_pressable(page)
    page.keyboard.press("Enter")
    page.wait_for_function("() => document.querySelector('.popover.chat').hidden")
    stage.wait_for_message("quick", 2)
    assert stage.messages("quick")[1] == {"type": "quick", "quick": "clap"}


@pytest.mark.parametrize("size", [(320, 568), (844, 390)])
def test_a_long_message_covers_no_more_than_three_lines(stage: MockScreen) -> None:
    """A message is shown over the table for some seconds; the chat has all of it."""
    SCREENS["turn"](stage)
    text = "W" * 200
    stage.send(type="heard", note=Note(player="Ben", name="Ben", text=text, quick=None))
    bubble = stage.page.locator(".bubble")
    expect(bubble).to_be_visible()
    assert box_of(bubble)["height"] < 100
    stage.press("web.table.chat")
    expect(stage.page.locator(".chat-log li").first).to_have_text(f"Ben {text}")


@pytest.mark.parametrize("size", [(320, 568), (844, 390), (667, 375), (390, 844)])
def test_one_types_without_scrolling(stage: MockScreen) -> None:
    """When the chat opens, the field and the last messages are visible; all phrases can be reached."""
    SCREENS["chat"](stage)
    for part in (
        stage.page.get_by_label(stage.text("web.chat.text"), exact=True),
        stage.page.locator(".chat-log li").last,
    ):
        seen = part.evaluate("""(node) => {
            const { left, top, width, height } = node.getBoundingClientRect();
            const panel = node.closest(".popover").getBoundingClientRect();
            return top >= panel.top && top + height <= panel.bottom && node.contains(
                document.elementFromPoint(left + width / 4, top + height / 2));
        }""")
        assert seen
    for name in ("laugh", "bye"):
        stage.page.get_by_role("button", name=stage.text(f"web.quick.{name}")).click(trial=True)


def test_chat_stays_at_its_table(stage: MockScreen) -> None:
    """No bubble appears on another page."""
    SCREENS["turn"](stage)
    stage.send(type="heard", note=Note(player="Ben", name="Ben", text="Wait for me", quick=None))
    expect(stage.page.locator(".bubble")).to_be_visible()
    SCREENS["home"](stage)
    assert stage.page.locator(".bubble").count() == 0


def test_a_long_word_of_the_server_is_read_whole(open_screen: OpenScreen) -> None:
    """A long address, in a line under the bar, is complete."""
    stage = open_screen(320, 568)
    SCREENS["turn"](stage)
    address = f"https://club.example/{'cards' * 12}"
    stage.change_table(notice=address)
    notice = stage.page.locator(".notice p")
    expect(notice).to_contain_text(address)
    assert notice.evaluate("(node) => node.getBoundingClientRect().right <= innerWidth")


@pytest.mark.parametrize("size", [(390, 844), (1280, 800)])
def test_a_long_press_on_a_face_throws_a_reaction(stage: MockScreen) -> None:
    """A right click does so too, as for cards."""
    SCREENS["turn"](stage)
    seat = stage.page.locator(".seats [data-seat]").first
    number = int(seat.get_attribute("data-seat") or "")
    seat.click(button="right")
    dialog = stage.page.get_by_role("dialog")
    expect(dialog).to_contain_text(stage.welcome["table"].seats[number].name)
    dialog.get_by_role("button", name=stage.text("web.quick.heart")).click()
    stage.wait_for_message("quick")
    assert stage.sent[-1] == {"type": "quick", "quick": "heart", "at": number}
