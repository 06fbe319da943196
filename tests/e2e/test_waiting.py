"""Waiting is explained: a vote on a pause, a late deal."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from playwright.sync_api import expect

from lastcard.server.wire.parts import Guest
from lastcard.session.table_state import Vote
from support.mock_screen import MockScreen
from support.screens import SCREENS
from support.situations import decides, reach


@pytest.mark.parametrize("agreed", [False, True])
def test_a_pause_that_is_turned_down_is_said_to_be(stage: MockScreen, agreed: bool) -> None:
    """To everybody, the one who asked included; a pause that is agreed has another message."""
    SCREENS["turn"](stage)
    stage.change_table(vote=Vote(what="pause", by=1, target=None, yes=(1,), needed=3))
    expect(stage.page.locator(".notice")).to_contain_text("asks for a pause.")
    stage.change_table(vote=None, paused=agreed)
    expect(stage.page.locator(".notice")).to_contain_text([stage.text("web.notice.paused")] if agreed else [])
    no = stage.page.locator(".toast", has_text=stage.text("web.notice.vote.pause.no"))
    expect(no).to_have_count(0 if agreed else 1)


@pytest.mark.parametrize("how", ["lapsed", "kicked", "left"])
@pytest.mark.parametrize("target", [0, 2])
def test_a_vote_that_does_not_pass_is_said_to_be_over(stage: MockScreen, how: str, target: int) -> None:
    """Everybody reads that the target stays; if the target has gone, that is visible."""
    stage.show_match(reach("classic", 4, decides("play")), seat=0)
    table = stage.welcome["table"]
    person = table.seats[target].player
    vote = Vote(what="kick", by=1, target=person, yes=(1,), needed=2)
    stage.change_table(vote=vote)
    expect(stage.page.locator(".notice")).to_contain_text("asks to remove")
    gone = {"lapsed": table.seats[target], "kicked": replace(table.seats[target], kicked=True), "left": None}[how]
    seats = tuple(gone if seat == target else info for seat, info in enumerate(table.seats))
    stage.change_table(vote=None, seats=seats)
    expect(stage.page.locator(".notice")).to_have_count(1 if how == "kicked" and target == 0 else 0)
    stays = "No majority: you stay." if target == 0 else "No majority: Chloé stays."
    expect(stage.page.locator(".toast", has_text="No majority")).to_have_text([stays] if how == "lapsed" else [])


def test_a_vote_names_the_person_who_waits_for_a_seat(stage: MockScreen) -> None:
    """The vote names the person while it is open, and when it does not pass."""
    stage.show_match(reach("classic", 4, decides("play")), seat=0)
    vote = Vote(what="kick", by=1, target="eva", yes=(1,), needed=2)
    stage.change_table(guests=(Guest("eva", "Eva", queued=True),), vote=vote)
    expect(stage.page.locator(".notice")).to_contain_text("asks to remove Eva from the table.")
    stage.change_table(vote=None)
    expect(stage.page.locator(".toast")).to_have_text("No majority: Eva stays.")


def test_a_kicked_person_is_asked_nothing(stage: MockScreen) -> None:
    """They see the vote and the pause, but cannot vote until the next round."""
    stage.show_match(reach("classic", 4, decides("play")), seat=0)
    own, *others = stage.welcome["table"].seats
    vote = Vote(what="kick", by=1, target=others[1].player, yes=(1,), needed=2)
    stage.change_table(seats=(replace(own, kicked=True, standin=True), *others), vote=vote)
    expect(stage.page.locator(".notice")).to_have_count(2)
    expect(stage.page.locator(".notice button")).to_have_count(0)
    stage.change_table(vote=None, paused=True)
    expect(stage.page.locator(".notice").last).to_contain_text(stage.text("web.notice.paused"))
    expect(stage.page.locator(".notice button")).to_have_count(0)


def test_the_last_wait_is_for_the_deal(stage: MockScreen) -> None:
    SCREENS["between"](stage)
    go_on = stage.page.locator(".scores-actions .primary")
    stage.change_table(seats=tuple(seat and replace(seat, ready=True) for seat in stage.welcome["table"].seats))
    expect(go_on).to_have_text(stage.text("web.score.dealing"))
    expect(go_on).to_be_disabled()
