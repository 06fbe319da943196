"""In team play everybody sees who plays with whom, and a team wins together (6.8)."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Final

import pytest
from playwright.sync_api import Locator, expect

from lastcard.game.rulesets import ruleset
from support.axe import find_violations
from support.matches import random_match
from support.mock_screen import OWN_ID, MockScreen, OpenScreen, seat_of, table_of
from support.player import ON_BOTH, BrowserPlayer
from support.situations import decides, reach, round_won

SIGN: Final = "name => getComputedStyle(name, '::before').content"


def test_the_partner_is_marked(stage: MockScreen) -> None:
    """A sign and words distinguish the player opposite from opponents; without teams there is no mark."""
    now = reach("classic+team_play", 4, decides("play"))
    stage.show_match(now)
    partner = stage.page.locator(f'.seats [data-seat="{(now.match.round.turn + 2) % 4}"]')
    word = stage.text("web.game.is_partner")
    expect(stage.page.locator(".seats [data-team='partner']")).to_have_count(1)
    expect(stage.page.get_by_role("button", name=word)).to_have_count(1)
    expect(partner.get_by_role("button", name=word)).to_be_visible()

    stage.show_match(reach("classic", 4, decides("play")))
    expect(stage.page.locator(".seats .seat")).to_have_count(3)
    expect(stage.page.locator(".seats [data-team='partner']")).to_have_count(0)


def test_a_team_wins_the_round_together(stage: MockScreen) -> None:
    """Both partners are named, and their rows are highlighted."""
    now = reach("classic+team_play", 4, round_won)
    winner = now.match.round.winner or 0
    stage.show_match(now, seat=(winner + 1) % 4)
    team = sorted((winner, (winner + 2) % 4))
    names = [now.match.players[seat] for seat in team]
    expect(stage.page.locator(".scores h2")).to_have_text(
        stage.text("web.score.round_together", players=f"{names[0]} and {names[1]}")
    )
    assert sorted(stage.page.locator(".scores .won th").all_inner_texts()) == names
    expect(stage.page.locator(".scores-winners .avatar")).to_have_count(2)


@pytest.mark.parametrize("tv", [False, True])
@pytest.mark.parametrize("size", [(390, 844), (1280, 720)])
def test_a_spectator_sees_the_teams(stage: MockScreen, tv: bool, size: tuple[int, int]) -> None:
    """Winners of a team have the same sign before their names, at a table and on a television, and it is announced."""
    now = reach("classic+team_play", 4, decides("play"))
    players = now.match.players
    stage.show_match(now, tv=tv, watching=True)
    seats = [stage.page.locator(f".seats [data-seat='{seat}']") for seat in range(4)]
    signs = [seat.locator(".seat-name").evaluate(SIGN) for seat in seats]
    assert signs[0] == signs[2] != signs[1] == signs[3]
    for seat, partner in zip(seats, (players[2], players[3], players[0], players[1]), strict=True):
        expect(seat.get_by_role("button", name=stage.text("web.game.is_with", player=partner))).to_be_visible()
    leads = stage.page.locator(".scoreboard-name")
    if size[0] > 1000:
        expect(leads).to_have_count(4)
        assert_marked(stage, leads.all(), dict(zip(players, signs, strict=True)))

    stage.show_match(reach("classic", 4, decides("play")), tv=tv, watching=True)
    expect(stage.page.locator(".seats .seat")).to_have_count(4)
    assert stage.page.locator(".seats .seat-name").first.evaluate(SIGN) == "none"


def assert_marked(stage: MockScreen, places: Sequence[Locator], signs: dict[str, str]) -> None:
    """Every name has the sign of its team and names its partner."""
    names = list(signs)
    for place in places:
        name, _, words = (place.text_content() or "").partition(", ")
        partner = names[(names.index(name) + 2) % 4]
        assert (place.evaluate(SIGN), words) == (signs[name], stage.text("web.game.is_with", player=partner))


@pytest.mark.parametrize("tv", [False, True])
def test_a_spectator_sees_the_teams_in_the_scores(stage: MockScreen, tv: bool) -> None:
    now = reach("classic+team_play", 4, round_won)
    stage.show_match(now, tv=tv, watching=True)
    signs = dict(zip(now.match.players, ('"●"', '"◆"', '"●"', '"◆"'), strict=True))
    rows = stage.page.locator(".scores tbody th")
    expect(rows).to_have_count(4)
    assert_marked(stage, rows.all(), {name: f'{sign} / ""' for name, sign in signs.items()})


def test_a_replay_shows_the_teams(open_screen: OpenScreen) -> None:
    """At the table of the replay, and in its scores by round."""
    stage = open_screen(1280, 800)
    replay = json.loads(random_match(3, ruleset("classic+team_play"), max_plies=120))
    stage.open("/")
    stage.mock_answer("/replay", replay)
    stage.open("/match/m3")
    expect(stage.page.locator(".seats .seat")).to_have_count(4)
    signs = {name: f'"{"●◆"[seat % 2]}" / ""' for seat, name in enumerate(replay["names"])}
    for seat, name in enumerate(signs):
        assert stage.page.locator(f".seats [data-seat='{seat}'] .seat-name").evaluate(SIGN) == signs[name]
    heads = stage.page.locator("thead th[data-team]")
    expect(heads).to_have_count(4)
    assert_marked(stage, heads.all(), signs)


@pytest.mark.parametrize("between", [False, True])
def test_the_partner_is_marked_wherever_names_are_listed(open_screen: OpenScreen, between: bool) -> None:
    """Beside the table and in the scores, a sign and words mark one's partner and nobody else."""
    stage = open_screen(1280, 800)
    now = reach("classic+team_play", 4, round_won if between else decides("play"))
    stage.show_match(now, seat=1)
    names = stage.page.locator(".scores tbody th" if between else ".scoreboard-name")
    expect(names).to_have_count(4)
    marked = [name.text_content() for name in names.all() if name.evaluate(SIGN) != "none"]
    assert marked == [f"{now.match.players[3]}, {stage.text('web.game.is_partner')}"]


def test_teams_are_known_before_the_match(stage: MockScreen) -> None:
    """In the lobby, at the choice of seats; a television shows and announces the signs, too."""
    seats = (seat_of("Ada", player=OWN_ID), seat_of("Ben"), None, seat_of("Eva", bot="sharp"))
    table = table_of("lobby", seats, "classic+team_play")
    stage.show_table(table)
    tags = stage.page.locator(".lobby-seat .tags")
    expect(tags).to_have_count(3)
    expect(tags.nth(0)).not_to_contain_text(stage.text("web.game.is_with", player=""))
    expect(tags.nth(1)).to_contain_text(stage.text("web.game.is_with", player="Eva"))
    expect(tags.nth(2)).to_contain_text(stage.text("web.game.is_with", player="Ben"))
    expect(stage.page.locator(".lobby-seat.free .seat-who")).to_contain_text(
        stage.text("web.game.is_with", player="Ada")
    )
    stage.show_table(table, tv=True)
    names = stage.page.locator(".tv-name")
    signs = [name.evaluate(SIGN) for name in names.all()]
    assert signs[0] != signs[1] == signs[2]
    expect(names.nth(0)).to_have_text("Ada")
    expect(names.nth(1)).to_have_text(f"Ben, {stage.text('web.game.is_with', player='Eva')}")
    free = stage.page.locator(".tv-people .free > :last-child")
    assert free.evaluate(SIGN) == signs[0]
    expect(free).to_contain_text(stage.text("web.game.is_with", player="Ada"))


@ON_BOTH
def test_teams_are_chosen_on_the_first_screen(ann: BrowserPlayer, ben: BrowserPlayer) -> None:
    """The host's choice sets four seats; partners sit opposite each other, and all see it at once."""
    code = ann.make_table("classic")
    ben.follow_link(code)
    ann.wait_until_seated("Ben")
    expect(ben.page.get_by_role("radio", name="2 against 2")).to_have_count(0)
    ann.page.get_by_role("radio", name="2 against 2").focus()
    ann.page.keyboard.press("Space")
    for page in (ann.page, ben.page):
        expect(page.locator(".lobby-seat.free .seat-who").first).to_contain_text("with Ann")
        expect(page.locator(".lobby-seat")).to_have_count(4)
    expect(ann.page.get_by_role("radio", name="2 against 2")).to_be_focused()
    assert find_violations(ann.page) == []
    ann.page.get_by_role("radio", name="Everybody alone").check()
    expect(ben.page.locator(".lobby-seat.free .seat-who").first).to_have_text("Free seat")


def test_teams_contradict_other_rules(ann: BrowserPlayer) -> None:
    """The reason is shown, and the choice stays as it was."""
    ann.make_table("classic+scoring=tally")
    ann.page.get_by_role("radio", name="2 against 2").click()
    expect(ann.page.locator(".toast")).to_be_visible()
    expect(ann.page.get_by_role("radio", name="Everybody alone")).to_be_checked()
