"""Votes of a table: a pause, or kicking a person."""

from __future__ import annotations

from collections.abc import Set

from lastcard.session.seating import KICKED, leave
from lastcard.session.table_state import CommandError, TableState, Vote, replace

MIN_VOTES_TO_KICK = 2
"""A single person who is not the host cannot kick another."""


def ask_pause(table: TableState, player: str, here: Set[str]) -> TableState:
    """Return the table after a person asks for a pause or agrees; all connected persons with a seat must agree."""
    seat = table.require_seat(player)
    if table.paused:
        return table
    if table.phase not in ("playing", "between", "writing"):
        raise CommandError("not-now")
    return _agree(table, seat, "pause", None, here)


def end_pause(table: TableState, player: str) -> TableState:
    """Return the table after a pause, or after a vote for one is refused."""
    table.require_seat(player)
    pausing = table.vote is not None and table.vote.what == "pause"
    return replace(table, paused=False, vote=None if pausing else table.vote)


def ask_kick(table: TableState, player: str, target: str, here: Set[str]) -> TableState:
    """Return the table after a kick: at once by the host, else by a majority of connected persons with a seat."""
    if player == target:
        raise CommandError("kick-self")
    if not _can_be_kicked(table, target):
        raise CommandError("no-such-player")
    if player == table.host.id:
        return _kick(table, target)
    return _agree(table, table.require_seat(player), "kick", target, here)


def recount(table: TableState, here: Set[str]) -> TableState:
    """Return the table after people changed: a vote may be decided, or its target gone."""
    vote = table.vote
    if vote is None:
        return table
    if vote.target is not None and not _can_be_kicked(table, vote.target):
        return replace(table, vote=None)
    voters = _voters(table, vote.target, here)
    yes = tuple(seat for seat in vote.yes if seat in voters)
    if not yes:
        return replace(table, vote=None)
    return _decide(table, replace(vote, yes=yes, needed=_needed(vote.what, len(voters))))


def _agree(table: TableState, seat: int, what: str, target: str | None, here: Set[str]) -> TableState:
    """Return the table with a new vote, or with one more yes in the open one."""
    vote = table.vote
    if vote is not None and (vote.what, vote.target) != (what, target):
        raise CommandError("vote-open")
    voters = _voters(table, target, here)
    by, yes = (seat, ()) if vote is None else (vote.by, vote.yes)
    if seat not in yes:
        yes = (*yes, seat)
    return _decide(table, Vote(what=what, by=by, target=target, yes=yes, needed=_needed(what, len(voters))))


def _decide(table: TableState, vote: Vote) -> TableState:
    """Return the table after the result of a vote; the vote stays open until it has enough votes."""
    if len(vote.yes) < vote.needed:
        return replace(table, vote=vote)
    if vote.what == "pause":
        return replace(table, vote=None, paused=True)
    assert vote.target is not None
    return _kick(table, vote.target)


def _kick(table: TableState, target: str) -> TableState:
    vote = None if table.vote is not None and table.vote.target == target else table.vote
    return replace(leave(table, target, KICKED), vote=vote)


def _can_be_kicked(table: TableState, player: str) -> bool:
    """Return whether a person can be kicked, from a seat or from the queue."""
    return table.seat_of(player) is not None or any(person.id == player for person in table.queue)


def _needed(what: str, voters: int) -> int:
    return voters if what == "pause" else max(MIN_VOTES_TO_KICK, voters // 2 + 1)


def _voters(table: TableState, target: str | None, here: Set[str]) -> set[int]:
    """Return the seats of connected persons, without the target of a vote."""
    people = (table.playing_seat(player) for player in here if player != target)
    return {seat for seat in people if seat is not None}
