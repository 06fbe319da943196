"""The log of a match is always complete."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from support.player import ON_BOTH, BrowserPlayer, make_any_move, play_round


def lines(page: Page) -> list[str]:
    page.keyboard.press("l")
    expect(page.locator("ol.log")).to_be_visible()
    said = page.locator("ol.log li").all_inner_texts()
    page.keyboard.press("Escape")
    return said


@ON_BOTH
def test_the_log_is_complete_after_a_reload(ann: BrowserPlayer, ben: BrowserPlayer) -> None:
    """The log has the rounds before, and the events while the person was away."""
    ann.play_with(ben, rules="all-wild+hand_size=7+first_dealer=host+match_mode=to_target")
    ann.wait_until(lambda: None not in (ann.find_screen_state(), ben.find_screen_state()), "the game is there")
    play_round([ann, ben])
    for player in (ann, ben):
        player.page.get_by_role("button", name="Next round").click()
    for _ in range(6):
        ann.wait_until(lambda: any(player.screen_state().asked for player in (ann, ben)), "somebody may play")
        player = next(player for player in (ann, ben) if player.screen_state().asked)
        make_any_move(player, player.screen_state())
    ann.wait_until(lambda: ann.screen_state().ply == ben.screen_state().ply, "both see the same")
    before = lines(ann.page)
    assert len(before) > 20
    ann.page.reload()
    ann.wait_until(lambda: ann.find_screen_state() is not None, "the game is there again")
    assert lines(ann.page) == before
