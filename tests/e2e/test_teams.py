"""In team play everybody sees who plays with whom, and a team wins together (6.8)."""

from __future__ import annotations

from typing import Final

import pytest
from playwright.sync_api import expect

from lastcard.play.match import Match
from support.situations import decides, reach
from support.stage import YOU, SetStage, seat_of, table_of

SIGN: Final = "name => getComputedStyle(name, '::before').content"


def test_the_partner_is_marked(set_stage: SetStage) -> None:
    """Whoever sits opposite is told from the opponents, by a sign and in words; without teams nobody is."""
    stage = set_stage(390, 844)
    now = reach("classic+team_play", 4, decides("play"))
    stage.play(now)
    partner = stage.page.locator(f'.seats [data-seat="{(now.match.round.turn + 2) % 4}"]')
    word = stage.t("web.game.is_partner")
    expect(stage.page.locator(".seats .partner")).to_have_count(1)
    expect(stage.page.get_by_role("button", name=word)).to_have_count(1)
    expect(partner.get_by_role("button", name=word)).to_be_visible()

    stage.play(reach("classic", 4, decides("play")))
    expect(stage.page.locator(".seats .seat")).to_have_count(3)
    expect(stage.page.locator(".seats .partner")).to_have_count(0)


def test_a_team_wins_the_round_together(set_stage: SetStage) -> None:
    """Both are named, and their rows are the ones that stand out."""
    stage = set_stage(390, 844)
    now = reach("classic+team_play", 4, _between)
    winner = now.match.round.winner or 0
    stage.play(now, seat=(winner + 1) % 4)
    team = sorted((winner, (winner + 2) % 4))
    names = [now.match.players[seat] for seat in team]
    expect(stage.page.locator(".scores h2")).to_have_text(
        stage.t("web.score.round_together", players=f"{names[0]} and {names[1]}")
    )
    assert sorted(stage.page.locator(".scores .won th").all_inner_texts()) == names
    expect(stage.page.locator(".scores-winners .avatar")).to_have_count(2)


@pytest.mark.parametrize("tv", [False, True])
def test_whoever_watches_sees_the_teams(set_stage: SetStage, tv: bool) -> None:
    """Those who win together have the same sign before their names, at a table and on a television, and it is said."""
    stage = set_stage(1280, 720)
    now = reach("classic+team_play", 4, decides("play"))
    stage.play(now, tv=tv, watching=True)
    for place in (".seats [data-seat='{}'] .seat-name", ".course-standing li:has-text('{}') .course-name"):
        keys = now.match.players if "course" in place else range(4)
        signs = [stage.page.locator(place.format(key)).evaluate(SIGN) for key in keys]
        assert signs[0] == signs[2] != signs[1] == signs[3], place
    words = stage.t("web.game.is_with", player=now.match.players[2])
    expect(stage.page.locator(".seats [data-seat='0']").get_by_role("button", name=words)).to_be_visible()

    stage.play(reach("classic", 4, decides("play")), tv=tv, watching=True)
    expect(stage.page.locator(".seats .seat")).to_have_count(4)
    assert stage.page.locator(".seats .seat-name").first.evaluate(SIGN) == "none"


def test_teams_are_known_before_the_match(set_stage: SetStage) -> None:
    """In the lobby, where one chooses a seat; a television shows the signs there too."""
    stage = set_stage(390, 844)
    seats = (seat_of("Ada", player=YOU), seat_of("Ben"), None, seat_of("Eva", bot="sharp"))
    table = table_of("lobby", seats, "classic+team_play")
    stage.at_table(table)
    tags = stage.page.locator(".lobby-seat .tags")
    expect(tags).to_have_count(3)
    expect(tags.nth(0)).not_to_contain_text(stage.t("web.game.is_with", player=""))
    expect(tags.nth(1)).to_contain_text(stage.t("web.game.is_with", player="Eva"))
    expect(tags.nth(2)).to_contain_text(stage.t("web.game.is_with", player="Ben"))
    stage.at_table(table, tv=True)
    signs = [name.evaluate(SIGN) for name in stage.page.locator(".tv-name").all()]
    assert signs[0] != signs[1] == signs[2]
    assert stage.page.locator(".tv-people .free > :last-child").evaluate(SIGN) == signs[0]


def _between(match: Match) -> bool:
    return match.round.over and not match.over and match.round.winner is not None
