"""Rule cards are written before a match (docs/table.md, "Rule cards"): in time, across a reload, without the server."""

from __future__ import annotations

from typing import Any, Final

import pytest
from playwright.sync_api import Route, expect

from lastcard.server.wire.parts import TableInfo
from lastcard.text.locale import LANGUAGES
from support.mock_screen import OWN_ID, MockScreen, OpenScreen, seat_of, table_of
from support.screens import SCREENS, WRITTEN

_HOLES: Final = """() => {
    const parts = [...document.querySelectorAll(".writer > :not([hidden])")];
    const boxes = parts.map((part) => part.getBoundingClientRect());
    return boxes.some(({ top }, i) => i && top - boxes[i - 1].bottom > 40);
}"""
"""Whether there are gaps between parts of the page."""


def writing(*, ready: bool = False, **more: Any) -> TableInfo:
    """The table of the screen ``write``."""
    return table_of("writing", (seat_of("Ada", player=OWN_ID, ready=ready), seat_of("Ben")), WRITTEN[0], **more)


def written(stage: MockScreen) -> list[list[str]]:
    """The cards that the page has sent, each time."""
    return [message["cards"] for message in stage.messages("write")]


def test_finished_cards_are_sent_at_the_deadline(open_screen: OpenScreen) -> None:
    """Every form shows the time; shortly before its end the page sends the valid cards, once."""
    stage = open_screen(360, 740)
    page = stage.page
    SCREENS["write"](stage)
    timer, dares = page.get_by_role("timer"), page.get_by_label(stage.text("web.write.dare"))
    expect(timer).to_have_text(stage.text("web.write.left", n=90))
    expect(page.get_by_text(stage.text("web.write.limit"))).to_be_visible()
    dares.nth(1).fill("sing a song")
    page.get_by_role("radio", name=stage.text("web.write.kind.effects")).nth(3).check()
    expect(timer).to_be_in_viewport(ratio=1)
    stage.send(type="table", table=writing(paused=True, next_in=None))
    expect(timer).to_be_hidden()
    stage.send(type="table", table=writing(next_in=3_400))
    expect(timer).to_have_text(stage.text("web.write.left", n=4))
    assert written(stage) == []
    expect(timer).to_have_text(stage.text("web.write.left", n=2))
    assert written(stage) == [["dare: sing a song", "draw 2"]]
    stage.send(type="table", table=writing(ready=True, next_in=500))
    expect(page.get_by_text(stage.text("web.write.wait"))).to_be_visible()
    assert not page.evaluate(_HOLES)
    expect(timer).to_have_text(stage.text("web.write.left", n=0))
    assert len(written(stage)) == 1


def test_drafts_survive_a_reload(open_screen: OpenScreen) -> None:
    """Drafts survive until they are sent; a server that was briefly unreachable checks them once it is back."""
    stage = open_screen(360, 740)
    page = stage.page
    SCREENS["write"](stage)
    dare = page.get_by_label(stage.text("web.write.dare")).first
    preview = page.locator(".rule-preview").first
    page.route("**/api/card", lambda route: route.abort())
    dare.fill("dance")
    expect(preview).to_have_text(stage.text("web.net.unreachable"))
    page.unroute("**/api/card")
    stage.send(type="table", table=writing(next_in=80_000))
    expect(preview).to_have_text("dance")
    last = page.locator(".rule-card").last
    last.get_by_role("radio", name=stage.text("web.write.kind.effects")).check()
    last.get_by_label(stage.text("web.write.verb"), exact=True).select_option("reverse")
    page.reload()
    expect(dare).to_have_value("dance")
    expect(last.get_by_label(stage.text("web.write.verb"), exact=True)).to_have_value("reverse")
    stage.send(type="table", table=writing(ready=True, next_in=1_000))
    expect(page.get_by_text(stage.text("web.write.wait"))).to_be_visible()
    page.reload()
    expect(dare).to_have_value("")
    stage.errors.clear()  # of the card that could not be fetched


def test_the_preview_shows_the_current_text(open_screen: OpenScreen) -> None:
    """An answer about an older text may come last."""
    stage = open_screen(360, 740)
    page, held = stage.page, list[Route]()
    SCREENS["write"](stage)
    preview = page.locator(".rule-preview").first
    page.route("**/api/card", lambda route: held.append(route))
    dare = page.get_by_label(stage.text("web.write.dare")).first
    dare.fill("dance")
    stage.wait_until(lambda: held, "the page has asked")
    page.unroute("**/api/card")
    dare.fill("sing")
    expect(preview).to_have_text("sing")
    with page.expect_response("**/api/card"):
        held[0].continue_()
    page.wait_for_timeout(100)
    expect(preview).to_have_text("sing")


@pytest.mark.parametrize("size", [(390, 844), (1280, 800)])
@pytest.mark.parametrize("language", LANGUAGES)
def test_an_empty_card_is_asked_for_in_plain_words(
    open_screen: OpenScreen, language: str, size: tuple[int, int]
) -> None:
    """The message is at the card itself, without a count of characters; its text field has the focus."""
    stage = open_screen(*size, language=language)
    page = stage.page
    SCREENS["write"](stage)
    dares, previews = page.get_by_label(stage.text("web.write.dare"), exact=True), page.locator(".rule-preview")
    dares.first.fill("dance")
    expect(previews.first).to_have_text("dance")
    page.get_by_role("button", name=stage.text("web.write.done"), exact=True).click()
    expect(previews.nth(1)).to_have_text(stage.text("web.write.empty"))
    expect(dares.nth(1)).to_be_focused()
    expect(previews.nth(1)).to_be_in_viewport(ratio=1)
    assert written(stage) == []
    dares.nth(1).fill("sing")
    expect(previews.nth(1)).to_have_text("sing")
