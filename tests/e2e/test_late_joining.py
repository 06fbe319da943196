"""Late joiners, seats that change hands between rounds, second tabs, leaving and coming back."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from support.live_server import LiveServer
from support.player import PHONE, BrowserPlayer, Invite, play_round

RULES = "all-wild+first_dealer=host+hand_size=5+match_mode=to_target"


def next_round(*players: BrowserPlayer) -> None:
    """Everybody is ready for the next round."""
    for player in players:
        player.page.get_by_role("button", name="Next round").click()
    for player in players:
        expect(player.page.get_by_role("table", name="Cards held and scores")).to_be_hidden()


def test_late_joiner(ann: BrowserPlayer, live_server: LiveServer, invite: Invite) -> None:
    """A person who comes during a round watches without a hand, asks for a seat, and gets a bot's after the round."""
    code = ann.make_table(RULES, 3)
    ann.start()
    expect(ann.hand).to_be_visible()
    ben = invite(live_server.url, "Ben", **PHONE)
    ben.follow_link(code)
    expect(ben.top).to_be_visible()
    expect(ben.page.locator(".hand [data-card]")).to_have_count(0)
    assert not [text for text in ben.received if '"hand":[' in text]

    ben.answer("Take a seat").click()
    seats = [place for place in live_server.table(code).state.seats if place is not None]
    bot = next(place.name for place in seats if place.bot)
    play_round([ann])
    expect(ben.page.get_by_role("button", name="Next round")).to_be_enabled()
    next_round(ann, ben)
    expect(ben.hand.get_by_role("button")).to_have_count(5)
    expect(ann.seat_of("Ben")).to_be_visible()
    expect(ann.seat_of(bot)).to_have_count(0)
    play_round([ann, ben])


def test_a_table_without_spectators(live_server: LiveServer, invite: Invite) -> None:
    """A person without a seat sees who plays, reads why there are no cards, and can ask for a seat."""
    ann, ben, cleo = (invite(live_server.url, name) for name in ("Ann", "Ben", "Cleo"))
    code = ann.play_with(ben, rules=RULES, spectators=False)
    expect(ben.hand).to_be_visible()
    closed = "A match is in progress. Only its players see it."
    cleo.follow_link(code)
    expect(cleo.page.get_by_text(closed)).to_be_visible()
    cleo.wait_until_seated("Ann", "Ben")
    cleo.page.get_by_role("button", name="Join the queue").click()
    expect(cleo.page.get_by_text("waiting for a seat")).to_be_visible()
    tv = invite(live_server.url, "TV")
    tv.page.goto(f"{live_server.url}/tv/{code}")
    expect(tv.page.get_by_text(closed)).to_be_visible()

    ann.page.get_by_role("button", name="Menu").click()
    ann.page.locator("summary", has_text="Ben").click()
    ann.page.get_by_role("button", name="Remove from the seat").click()
    expect(ben.page.get_by_text(closed)).to_be_visible()
    expect(ben.page.locator("lc-game")).to_have_count(0)
    ben.page.reload()
    expect(ben.page.locator(".notice")).to_contain_text("You were removed from your seat.")
    play_round([ann])
    expect(cleo.page.get_by_role("button", name="Next round")).to_be_enabled()
    expect(ben.page.get_by_text(closed)).to_be_visible()


def test_queue(ann: BrowserPlayer, ben: BrowserPlayer, cleo: BrowserPlayer) -> None:
    """If all seats are taken by people, a late joiner queues and gets the seat of a person who was sent away."""
    code = ann.play_with(ben, rules=RULES)
    expect(ben.hand).to_be_visible()
    cleo.follow_link(code)
    cleo.answer("Take a seat").click()
    expect(cleo.action_bar.get_by_role("button", name="You will get the next free seat.")).to_be_visible()

    game = "document.querySelector('lc-game').session"
    ann.page.evaluate(f"{game}.send({{ type: 'kick', player: {game}.table.seats[1].player }})")
    expect(ben.page.locator(".notice")).to_contain_text("You were removed from your seat.")
    expect(ben.page.get_by_role("button", name="I’m back")).to_have_count(0)  # it is not free yet
    play_round([ann])
    expect(cleo.page.get_by_role("button", name="Next round")).to_be_enabled()
    next_round(ann, cleo)
    expect(cleo.hand.get_by_role("button")).to_have_count(5)
    expect(ann.seat_of("Cleo")).to_be_visible()


def test_leaving_and_returning(ann: BrowserPlayer, ben: BrowserPlayer) -> None:
    """A person who leaves during a round finds the seat on return, with the hand as the bot has played it."""
    code = ann.play_with(ben, rules=RULES)
    ben.wait_for_turn()
    ben.page.get_by_role("button", name="Menu").click()
    ben.page.get_by_role("button", name="Leave the table").click()
    ben.page.locator("dialog").get_by_role("button", name="Leave the table").click()
    expect(ann.seat_of("Ben")).to_have_accessible_name(re.compile("a bot plays"))
    ann.wait_for_turn()
    ben.page.get_by_label("Table code").fill(code)
    ben.page.get_by_role("button", name="Join").click()
    expect(ben.top).to_be_visible()
    expect(ben.page.get_by_text("A bot plays for you.")).to_be_visible()
    ben.page.get_by_role("button", name="I’m back").click()
    expect(ben.hand).to_be_visible()
    expect(ann.seat_of("Ben")).not_to_have_accessible_name(re.compile("a bot plays"))
    play_round([ann, ben])


def test_second_tab(ann: BrowserPlayer, ben: BrowserPlayer, live_server: LiveServer) -> None:
    """A second tab takes the seat over; the first says so and can take it back."""
    ann.play_with(ben, rules=RULES)
    ben.wait_for_turn()
    hand = ben.screen_state().hand
    second = BrowserPlayer(ben.page.context.new_page(), live_server.url, "Ben")
    second.page.goto(ben.page.url)
    second.wait_for_turn()
    elsewhere = ben.page.get_by_text("This seat is open in another tab.")
    expect(elsewhere).to_be_visible()
    assert second.screen_state().hand == hand

    ben.page.get_by_role("button", name="Use it here").click()
    expect(second.page.get_by_text("This seat is open in another tab.")).to_be_visible()
    expect(elsewhere).to_have_count(0)
    play_round([ann, ben])
    assert not second.errors
