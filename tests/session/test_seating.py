"""Seats, queue and takeovers as plain values (docs/table.md, "Sitting down")."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from structlog.testing import capture_logs

from lastcard.server.table.session_storage import restore_state
from lastcard.session import dealing, hosting, seating, voting
from lastcard.session.table_settings import Settings
from lastcard.session.table_state import (
    CommandError,
    Person,
    TableState,
    read_table_state,
    replace,
    write_table_state,
)

ADA, BOB, CLEO, DAN = (Person(name.lower(), name) for name in ("Ada", "Bob", "Cleo", "Dan"))
SECRET = "a5" * 32
HERE = {"ada": "Ada", "bob": "Bob", "cleo": "Cleo", "dan": "Dan"}


def table(seats: int = 3, **changes: object) -> TableState:
    """Ada's table, with Ada in the first seat."""
    return replace(hosting.new_table(ADA, Settings(rules="classic", seats=seats), SECRET), **changes)


def playing(*people: Person, seats: int = 3) -> TableState:
    """A table in a round; bots have the free seats."""
    made = table(seats)
    for person in people:
        made = seating.sit(made, person, None)
    return dealing.mark_dealt(dealing.begin_match(made, "casual", HERE), "match", "5a" * 32)


def names(made: TableState) -> list[str | None]:
    """The names in the seats."""
    return [None if place is None else place.name for place in made.seats]


def refused(code: str, work: Callable[..., object], *args: object) -> None:
    """Check that a call is refused with this code."""
    with pytest.raises(CommandError) as caught:
        work(*args)
    assert caught.value.code == code


def test_a_table_state_survives_the_store() -> None:
    made = replace(playing(BOB), cards={"ada": ("draw 2",)}, numbers={"bob": "ab"}, wins={"ada": 2})
    assert read_table_state(write_table_state(made)) == made


@pytest.mark.parametrize(
    "stored", [b"", b"doc", b"{}", write_table_state(table(2)).replace(b"classic", b"classic+gone")]
)
def test_a_table_state_of_another_version_is_refused(stored: bytes) -> None:
    """The table is lost, and the log says why."""
    with capture_logs() as logs, pytest.raises(CommandError, match="gone"):
        restore_state(stored)
    (log,) = logs
    assert log["log_level"] == "warning" and "another version" in log["event"] and log["why"]


# --- lobby --------------------------------------------------------------------------------------------------


def test_free_seats_are_taken_and_changed_before_a_match() -> None:
    """Without a number a person gets the first free seat; a named one may be exchanged for another."""
    made = seating.sit(table(), BOB, None)
    assert names(made) == ["Ada", "Bob", None]
    assert names(seating.sit(made, BOB, 2)) == ["Ada", None, "Bob"]
    refused("seat-person", seating.sit, made, BOB, 0)
    refused("no-such-seat", seating.sit, made, BOB, 3)


def test_a_bot_gives_way_to_a_person() -> None:
    """Before the match a bot's seat counts as free."""
    made = hosting.change_bot(table(2), "ada", 1, "sharp")
    assert made.seats[1] is not None and made.seats[1].bot == "sharp"
    assert names(seating.sit(made, BOB, None)) == ["Ada", "Bob"]


def test_a_bot_may_have_a_style() -> None:
    """Levels with the heuristic policy have styles; the bot stays the same in another style; other levels have none."""
    made = hosting.change_bot(table(2), "ada", 1, "sharp", "hoarder")
    [_, hoarder] = made.seats
    assert hoarder is not None and hoarder.style == "hoarder" and read_table_state(write_table_state(made)) == made
    [_, bold] = hosting.change_bot(made, "ada", 1, "sharp", "aggressive").seats
    assert bold == replace(hoarder, style="aggressive")
    [_, searching] = hosting.change_bot(made, "ada", 1, "expert").seats
    assert searching is not None and searching.style == ""
    refused("no-such-style", hosting.change_bot, made, "ada", 1, "sharp", "rude")
    refused("no-such-style", hosting.change_bot, made, "ada", 1, "expert", "hoarder")


def test_namesakes_are_distinguished() -> None:
    """Two players of one name would make the log ambiguous."""
    made = seating.sit(table(), Person("other", "Ada"), None)
    assert names(made) == ["Ada", "Ada 2", None]
    assert seating.rename(made, Person("other", "Ada")) == made
    assert names(seating.rename(made, Person("other", "Ina"))) == ["Ada", "Ina", None]


def test_a_full_table_has_a_queue_in_order() -> None:
    """The first in the queue gets the first seat; a person who leaves it no longer waits."""
    made = seating.sit(table(2), BOB, None)
    for person in (CLEO, DAN, CLEO):
        made = seating.sit(made, person, None)
    assert made.queue == (CLEO, DAN)
    assert seating.leave(made, "cleo").queue == (DAN,)
    made = dealing.begin_match(seating.leave(made, "bob"), "casual", HERE)
    assert names(made) == ["Ada", "Cleo"] and made.queue == (DAN,)


def test_an_absent_person_stays_in_the_queue() -> None:
    made = replace(table(2), queue=(BOB, CLEO))
    made = dealing.begin_match(made, "casual", {"ada", "cleo"})
    assert names(made) == ["Ada", "Cleo"] and made.queue == (BOB,)


def test_fewer_seats_send_bots_away_but_no_person() -> None:
    """Free seats are removed first, then bots; people stay in order."""
    made = hosting.change_bot(seating.sit(table(4), BOB, 3), "ada", 1, "casual")
    assert names(seating.resize(made, 3))[0] == "Ada" and len(names(seating.resize(made, 3))) == 3
    assert names(seating.resize(made, 2)) == ["Ada", "Bob"]
    refused("too-few-seats", seating.resize, seating.sit(made, CLEO, None), 2)
    assert len(seating.resize(made, 6).seats) == 6


# --- in a match ---------------------------------------------------------------------------------------------


def test_a_bots_seat_is_taken_over_after_the_round() -> None:
    """During a round a successor is named, who has the seat after it."""
    made = seating.sit(playing(BOB), CLEO, 2)
    assert made.seats[2] is not None and made.seats[2].bot == "casual" and made.seats[2].next_player == CLEO
    refused("seat-taken", seating.sit, made, DAN, 2)
    made = dealing.end_round(made, 0, HERE)
    assert made.phase == "between" and names(made) == ["Ada", "Bob", "Cleo"]


def test_between_rounds_a_bots_seat_is_free_at_once() -> None:
    """Nobody holds a hand."""
    made = dealing.end_round(playing(BOB), 0, HERE)
    assert names(seating.sit(made, CLEO, 2)) == ["Ada", "Bob", "Cleo"]


def test_a_change_of_mind_changes_the_next_player() -> None:
    """A person waits for one seat only."""
    made = seating.sit(seating.sit(playing(seats=4), CLEO, 2), CLEO, 3)
    assert [place.next_player for place in made.seats if place] == [None, None, None, CLEO]
    assert [place.next_player for place in seating.leave(made, "cleo").seats if place] == [None] * 4


def test_a_player_who_leaves_a_seat_may_come_back_any_time() -> None:
    """A bot continues with the hand, and the seat is reserved for its owner (docs/table.md, "Leaving")."""
    made = seating.leave(playing(BOB), "bob")
    assert made.seat_of("bob") == 1 and made.playing_seat("bob") is None
    refused("seat-person", seating.sit, made, CLEO, 1)
    refused("seated", seating.sit, made, BOB, 2)
    assert seating.sit(made, BOB, 1).playing_seat("bob") == 1


def test_a_kicked_player_may_return_after_the_round() -> None:
    """A kicked player can neither win nor return during the round."""
    made = seating.leave(playing(BOB), "bob", seating.KICKED)
    refused("after-round", seating.sit, made, BOB, None)
    made = seating.leave(made, "bob")
    refused("after-round", seating.come_back, made, "bob")
    made = dealing.end_round(made, 0, {"ada"})
    assert seating.sit(made, BOB, None).playing_seat("bob") == 1


def test_the_queue_gets_seats_of_kicked_people() -> None:
    """Bots' seats come first; a seat that a person left is reserved during the match."""
    made = replace(seating.leave(playing(BOB), "bob", seating.KICKED), queue=(CLEO, DAN))
    assert names(dealing.end_round(made, 0, HERE)) == ["Ada", "Dan", "Cleo"]
    made = replace(seating.leave(playing(BOB), "bob"), queue=(CLEO, DAN))
    assert names(dealing.end_round(made, 0, HERE)) == ["Ada", "Bob", "Cleo"]


def test_the_end_of_a_match_counts_wins_and_frees_seats() -> None:
    """A person who has left a seat no longer owns it; the end is counted once, whichever worker sees it."""
    made = seating.leave(playing(BOB), "bob")
    made = dealing.end_match(made, "match", (0, 1), HERE)
    assert (made.phase, made.played, made.wins) == ("over", 1, {"ada": 1, "bob": 1})
    assert made.seat_of("bob") is None and None not in made.seats
    assert dealing.end_match(made, "match", (0,), HERE) == made


def test_the_secret_is_new_for_every_match() -> None:
    """Numbers belong to one commitment and are dropped with it."""
    before = replace(dealing.begin_match(table(), "casual", HERE), numbers={"ada": "ab" * 16})
    row = dealing.new_match_row("CODE", before, "match")
    after = dealing.mark_dealt(before, row.id, "5a" * 32)
    assert (row.secret.hex(), row.numbers) == (before.secret, ("ab" * 16, "", ""))
    assert after.secret != before.secret and after.numbers == {} and after.promise != before.promise


# --- rule cards -----------------------------------------------------------------------------------------------


def writing() -> TableState:
    """A table of three that writes two cards each."""
    made = hosting.new_table(ADA, Settings(rules="wild-jackpot+wj_rules=written", seats=3), SECRET)
    return dealing.begin_match(seating.sit(made, BOB, None), "casual", HERE)


def test_missing_rule_cards_are_built_in_ones() -> None:
    """Each player writes their share (WJ-4); missing cards come from the box (WJ-5)."""
    made = dealing.write_cards(writing(), "bob", ["Draw 2 . REVERSE", "r6"])
    row = dealing.new_match_row("CODE", made, "match")
    assert row.rule_cards is not None and len(row.rule_cards) == 6
    assert row.rule_cards[:2] == ("draw 2; reverse", "dare: cluck like a chicken until it is your turn again")
    assert len(set(row.rule_cards)) == 6


def test_rule_cards_out_of_place() -> None:
    refused("too-many-cards", dealing.write_cards, writing(), "bob", ["skip"] * 3)
    refused("bad-card", dealing.write_cards, writing(), "bob", ["draw a lot"])
    refused("not-seated", dealing.write_cards, writing(), "cleo", ["skip"])
    refused("not-now", dealing.write_cards, table(), "ada", ["skip"])


def test_nine_players_write_no_rule_cards() -> None:
    """Eight cards cannot be shared by nine (WJ-4): the built-in ones are used."""
    made = hosting.new_table(ADA, Settings(rules="wild-jackpot+wj_rules=written", seats=9), SECRET)
    assert dealing.begin_match(made, "casual", HERE).phase == "lobby"
    assert dealing.new_match_row("CODE", dealing.begin_match(made, "casual", HERE), "match").rule_cards is None


# --- votes ----------------------------------------------------------------------------------------------------


def test_a_pause_needs_every_vote() -> None:
    """All connected people in seats must agree; one person alone pauses at once."""
    made = voting.ask_pause(playing(BOB), "ada", {"ada", "bob", "dan"})
    assert not made.paused and made.vote is not None and (made.vote.yes, made.vote.needed) == ((0,), 2)
    assert voting.ask_pause(made, "bob", {"ada", "bob"}).paused
    assert voting.ask_pause(playing(BOB), "ada", {"ada"}).paused
    assert voting.end_pause(made, "bob").vote is None
    refused("not-seated", voting.ask_pause, made, "dan", {"ada", "bob", "dan"})
    refused("not-now", voting.ask_pause, table(), "ada", {"ada"})


def test_a_vote_is_counted_anew_when_somebody_leaves() -> None:
    """The only person who had not agreed is gone."""
    made = voting.ask_pause(playing(BOB), "ada", {"ada", "bob"})
    assert voting.recount(made, {"ada"}).paused
    assert voting.recount(made, {"bob"}).vote is None


def test_a_majority_of_the_others_may_kick() -> None:
    """The target has no vote, and one person alone is no majority; a bot continues with the hand."""
    made = playing(BOB, CLEO)
    open_ = voting.ask_kick(made, "bob", "ada", {"ada", "bob", "cleo"})
    assert open_.vote is not None and open_.vote.needed == 2
    refused("vote-open", voting.ask_pause, open_, "cleo", {"ada", "bob", "cleo"})
    kicked = voting.ask_kick(open_, "cleo", "ada", {"ada", "bob", "cleo"})
    assert kicked.vote is None and kicked.playing_seat("ada") is None and kicked.seat_of("ada") == 0
    alone = voting.ask_kick(made, "bob", "ada", {"ada", "bob"})
    assert alone.vote is not None and alone.vote.needed == 2
    refused("kick-self", voting.ask_kick, made, "bob", "bob", set(HERE))
    refused("no-such-player", voting.ask_kick, made, "bob", "dan", set(HERE))


def test_the_host_kicks_at_once() -> None:
    """In the lobby the seat is free then."""
    assert voting.ask_kick(playing(BOB), "ada", "bob", set(HERE)).playing_seat("bob") is None
    assert names(voting.ask_kick(seating.sit(table(), BOB, 1), "ada", "bob", set(HERE))) == ["Ada", None, None]


# --- the host -------------------------------------------------------------------------------------------------


def test_only_the_host_decides_on_the_table() -> None:
    made = seating.sit(table(), BOB, None)
    refused("not-host", hosting.configure, made, "bob", Settings())
    refused("not-host", hosting.change_bot, made, "bob", 2, "casual")
    refused("not-host", hosting.check_start, made, "bob", "casual")
    refused("not-host", hosting.mute, made, "bob", "ada", True)
    refused("not-host", hosting.appoint, made, "bob", "bob", HERE)


def test_settings_must_make_sense() -> None:
    """Contradictions are refused in words; the ruleset gets its shortest name."""
    refused("bad-settings", hosting.configure, table(), "ada", Settings(rules="poker"))
    refused("bad-settings", hosting.configure, table(), "ada", Settings(rules="classic+team_play", seats=3))
    made = hosting.configure(table(), "ada", Settings(rules="classic+stacking=off", seats=2))
    assert (made.settings.rules, len(made.seats)) == ("classic", 2)


def test_settings_do_not_change_in_a_match() -> None:
    """Settings can change between matches; after one the table is a lobby again."""
    refused("in-match", hosting.configure, playing(), "ada", Settings())
    over = dealing.end_match(playing(), "match", (0,), HERE)
    assert hosting.configure(over, "ada", Settings()).phase == "lobby"


def test_the_host_passes_to_the_next_seat() -> None:
    """The new host is the next connected person after the host's seat, else a spectator."""
    made = playing(BOB, CLEO)
    assert hosting.pass_host(made, {"cleo": "Cleo", "bob": "Bob"}).host == BOB
    assert hosting.pass_host(made, {"cleo": "Cleo"}).host == CLEO
    assert hosting.pass_host(made, {"dan": "Dan"}).host == DAN
    assert hosting.pass_host(made, {}).host == ADA
    assert hosting.appoint(made, "ada", "dan", HERE).host == DAN
    refused("no-such-player", hosting.appoint, made, "ada", "eve", HERE)


def test_muting() -> None:
    """Muting can be undone; a person cannot mute themselves."""
    made = hosting.mute(playing(BOB), "ada", "bob", True)
    assert made.muted == ("bob",) and hosting.mute(made, "ada", "bob", False).muted == ()
    refused("mute-self", hosting.mute, made, "ada", "ada", True)
    for i in range(hosting.MAX_MUTED):
        made = hosting.mute(made, "ada", f"guest-{i}", True)
    assert len(made.muted) == hosting.MAX_MUTED and "bob" not in made.muted, "a table does not grow without end"


def test_saved_rules_say_how_jump_ins_stack() -> None:
    """The name of a ruleset contains the option if a jump-in can meet a pending draw (LC-41)."""
    made = hosting.new_table(Person("p-host", "Host"), Settings(rules="classic+harsh", seats=3), SECRET)
    assert made.settings.rules == "classic+harsh+jump_in_stack=add"
    assert read_table_state(write_table_state(made)) == made


def test_guests_with_confusable_names_get_a_number() -> None:
    """Everyone at the table counts, in any order of arrival, because other workers have another one."""
    queue = (Person("w", "Ada"),)
    here = {"z": "Ann", "y": "\u0410nn", "x": "Ann 2", "w": "Ada", "ada": "Ada"}  # the second begins with a Cyrillic A
    made = seating.sit(table(2), ADA, 0)
    made = replace(made, queue=queue)
    called = seating.name_guests(made, here)
    assert called == {"w": "Ada 2", "x": "Ann 2", "y": "\u0410nn", "z": "Ann 3"}
    assert called == seating.name_guests(made, dict(reversed(here.items())))
    assert seating.shown_name(made, Person("z", "Ann"), here) == "Ann 3"
    assert seating.shown_name(made, ADA, here) == "Ada"
