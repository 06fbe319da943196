"""In team play everybody sees who plays with whom, and a team wins together (6.8)."""

from __future__ import annotations

from playwright.sync_api import expect

from lastcard.play.match import Match
from support.situations import decides, reach
from support.stage import SetStage


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


def _between(match: Match) -> bool:
    return match.round.over and not match.over and match.round.winner is not None
