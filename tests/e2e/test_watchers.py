"""People who watch: small faces at the edge of the table, their reactions, and one tap to join the next round."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from lastcard.server.wire.parts import Guest, Note
from support.axe import find_violations
from support.live_server import LiveServer
from support.mock_screen import OWN_ID, SIZES_PX, MockScreen
from support.player import ON_BOTH, BrowserPlayer, Invite
from support.situations import decides, reach, round_won

ON_BOTH_SIZES = pytest.mark.parametrize("size", SIZES_PX)
_BOXES = """() => {
    const box = (node) => node.getBoundingClientRect();
    const faces = box(document.querySelector(".watchers"));
    const meets = ({ left, right, top, bottom }) =>
        left < faces.right - 1 && right > faces.left + 1 && top < faces.bottom - 1 && bottom > faces.top + 1;
    return [...document.querySelectorAll(".seat-main, .draw-pile, .discard-pile, .hand-card, .action-bar")]
        .filter((node) => node.checkVisibility() && meets(box(node))).map((node) => node.className);
}"""
FRIENDS = tuple(Guest(name, name, queued=name == "Finn") for name in ("Eva", "Finn", "Gus", "Hedwig", "Ines", "Jo"))


@ON_BOTH_SIZES
@pytest.mark.parametrize("players", [2, 4, 7, 10])
def test_faces_cover_nothing(stage: MockScreen, players: int) -> None:
    """With any number of players, also beside a hand; screen readers know the names."""
    stage.show_match(reach("classic", players, decides("play")), names=tuple(f"Player {n}" for n in range(players)))
    stage.change_table(guests=FRIENDS)
    faces = stage.page.get_by_role("list", name=stage.text("web.notice.watchers"))
    expect(faces.get_by_role("listitem")).to_have_count(5)
    expect(faces).to_contain_text(f"Finn, {stage.text('web.notice.watchers.waits')}")
    expect(faces).to_contain_text("Ines, Jo")
    assert stage.page.evaluate(_BOXES) == []
    stage.change_table(guests=())
    expect(faces).to_have_count(0)


@ON_BOTH_SIZES
def test_a_reaction_comes_from_the_face(stage: MockScreen) -> None:
    stage.show_match(reach("classic", 4, decides("play")))
    stage.change_table(guests=FRIENDS[:2])
    face = stage.page.locator(".watchers [data-player=Eva]").bounding_box()
    stage.send(type="heard", note=Note(player="Eva", name="Eva", text=None, quick="laugh"))
    bubble = stage.page.locator(".bubble").bounding_box()
    assert face is not None and bubble is not None
    assert abs(bubble["y"] + bubble["height"] / 2 - face["y"]) < 80 and bubble["x"] < face["x"] + 80
    assert find_violations(stage.page) == []


@ON_BOTH_SIZES
@pytest.mark.parametrize("when", [round_won, lambda match: match.over], ids=["round", "match"])
def test_one_tap_joins_after_a_round(stage: MockScreen, when: object) -> None:
    """Between rounds and after the match; another tap leaves the queue."""
    rules = "classic" if when is round_won else "all-wild+hand_size=5"
    stage.show_match(reach(rules, 4, when), watching=True)
    stage.change_table(guests=(Guest(OWN_ID, "Eva", queued=False),))
    stage.page.locator(".scores").get_by_role("button", name=stage.text("web.game.sit")).click()
    stage.wait_for_message("sit")
    expect(stage.page.locator(".scores")).to_contain_text(stage.text("web.game.queued"))


@ON_BOTH
def test_a_spectator_throws_a_reaction(ann: BrowserPlayer, invite: Invite, live_server: LiveServer) -> None:
    """By a long press on a player, or a right click."""
    code = ann.make_table("classic")
    ann.start()
    expect(ann.page.locator(".seats .seat")).to_have_count(1)
    eva = invite(live_server.url, "Eva")
    eva.follow_link(code)
    expect(ann.page.locator(".watchers li")).to_have_attribute("title", "Eva")
    eva.page.locator(".seats .seat-main").first.click(button="right")
    eva.page.get_by_role("button", name="laughs").click()
    expect(ann.page.locator(".bubble")).to_be_visible()
