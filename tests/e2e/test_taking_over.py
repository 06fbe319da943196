"""A finished round belongs to its player on all screens, even if somebody else has the seat by now."""

from __future__ import annotations

from typing import Final

import pytest
from playwright.sync_api import expect

from lastcard.match.match import Match
from lastcard.server.wire.parts import PastSitter
from support.mock_screen import SIZES_PX, MockScreen, OpenScreen
from support.situations import reach, round_won

BOT: Final = PastSitter(name="Iggy", player=None, bot="casual")


def over(match: Match) -> bool:
    """The match is won by seat 0, 1 or 2."""
    return match.over and match.round.winner in (0, 1, 2)


def take_over(stage: MockScreen, rules: str, *, whole: bool, tv: bool = False) -> None:
    """The person now has the seat of the winner, in which a bot has played."""
    now = reach(rules, 4, over if whole else round_won)
    winner = now.match.round.winner
    assert winner is not None
    stage.show_match(now, seat=winner, tv=tv)
    stage.change_table(played_by=tuple(BOT if seat == winner else None for seat in range(4)))


@pytest.mark.parametrize("size", SIZES_PX)
def test_a_successor_has_not_won_the_round(stage: MockScreen) -> None:
    """The page names the points with which they continue; the log names the bot, too."""
    take_over(stage, "classic", whole=False)
    panel = stage.page.locator(".scores")
    expect(panel.locator("h2")).to_have_text("Iggy wins the round!")
    expect(panel.locator("tr.won th")).to_have_text("Iggy")
    expect(panel.locator("tr.own")).to_have_count(0)
    expect(panel).to_contain_text("You play on in the place of Iggy, with")
    expect(stage.page.get_by_role("button", name=stage.text("web.score.next"))).to_be_enabled()
    log = stage.page.locator(".line-latest")
    stage.send(type="welcome", v=1, notes=(), **stage.welcome)
    expect(log).to_have_text("Iggy wins the round!")


@pytest.mark.parametrize("size", SIZES_PX)
def test_a_successor_has_not_won_the_match(stage: MockScreen) -> None:
    """The page does not say how far they were behind, either."""
    take_over(stage, "all-wild+hand_size=5", whole=True)
    expect(stage.page.locator(".scores h2")).to_have_text("Iggy wins the match!")
    expect(stage.page.locator(".scores-placement")).to_have_count(0)


@pytest.mark.parametrize("size", SIZES_PX)
def test_a_winner_who_changes_seats_has_still_won(stage: MockScreen) -> None:
    """They have a bot's seat now, and somebody else has theirs."""
    now = reach("all-wild+hand_size=5", 4, over)
    winner = now.match.round.winner
    assert winner is not None
    other = 3
    stage.show_match(now, seat=other)
    past: list[PastSitter | None] = [None] * 4
    past[other], past[winner] = BOT, PastSitter(name="Ada", player="me", bot=None)
    stage.change_table(played_by=tuple(past))
    expect(stage.page.locator(".scores h2")).to_have_text(stage.text("web.score.won_you"))


def test_the_big_screen_names_the_former_players(open_screen: OpenScreen) -> None:
    """The television also names who continues in whose place."""
    stage = open_screen(1920, 1080)
    take_over(stage, "classic", whole=False, tv=True)
    expect(stage.page.locator(".scores h2")).to_have_text("Iggy wins the round!")
    table = stage.welcome["table"]
    (successor,) = [info for info, past in zip(table.seats, table.played_by, strict=True) if past]
    line = f"{successor.name} plays on in the place of Iggy, with"
    expect(stage.page.get_by_text(line)).to_have_count(1 if successor.player else 0)
