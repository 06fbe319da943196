"""What a table must agree on: a pause, and sending somebody from the seat."""

from __future__ import annotations

from collections.abc import Set

from lastcard.server.seats.document import Denied, Document, replace
from lastcard.server.seats.seating import KICKED, leave
from lastcard.server.wire.parts import Vote

FEWEST_TO_KICK = 2
"""One person alone cannot kick another, unless he is the host."""


def ask_pause(table: Document, player: str, here: Set[str]) -> Document:
    """Ask for a pause, or agree to one: it takes all who sit and are connected.

    Args:
        table: as it stands.
        player: who asks.
        here: the ids of all connected persons.
    """
    seat = _seat(table, player)
    if table.paused:
        return table
    if table.phase not in ("playing", "between", "writing"):
        raise Denied("not-now")
    return _agree(table, seat, "pause", None, here)


def end_pause(table: Document, player: str) -> Document:
    """Go on, or turn a vote for a pause down."""
    _seat(table, player)
    pausing = table.vote is not None and table.vote.what == "pause"
    return replace(table, paused=False, vote=None if pausing else table.vote)


def ask_kick(table: Document, player: str, target: str, here: Set[str]) -> Document:
    """Send somebody from the seat: the host at once, others by a majority of those who sit and are connected.

    Args:
        table: as it stands.
        player: who asks, or agrees.
        target: who is to go.
        here: the ids of all connected persons.
    """
    if player == target:
        raise Denied("kick-self")
    if not _is_there(table, target):
        raise Denied("no-such-player")
    if player == table.host.id:
        return _kick(table, target)
    return _agree(table, _seat(table, player), "kick", target, here)


def recount(table: Document, here: Set[str]) -> Document:
    """The vote after somebody came, left or lost the seat: it may be decided now, or be about nobody."""
    vote = table.vote
    if vote is None:
        return table
    if vote.target is not None and not _is_there(table, vote.target):
        return replace(table, vote=None)
    voters = _voters(table, vote.target, here)
    yes = tuple(seat for seat in vote.yes if seat in voters)
    if not yes:
        return replace(table, vote=None)
    return _decide(table, replace(vote, yes=yes, needed=_needed(vote.what, len(voters))))


def _agree(table: Document, seat: int, what: str, target: str | None, here: Set[str]) -> Document:
    """Begin a vote, or say yes to the one that is open."""
    vote = table.vote
    if vote is not None and (vote.what, vote.target) != (what, target):
        raise Denied("vote-open")
    voters = _voters(table, target, here)
    by, yes = (seat, ()) if vote is None else (vote.by, vote.yes)
    if seat not in yes:
        yes = (*yes, seat)
    return _decide(table, Vote(what=what, by=by, target=target, yes=yes, needed=_needed(what, len(voters))))


def _decide(table: Document, vote: Vote) -> Document:
    """Carry a vote out that has enough voices; keep it open otherwise."""
    if len(vote.yes) < vote.needed:
        return replace(table, vote=vote)
    if vote.what == "pause":
        return replace(table, vote=None, paused=True)
    assert vote.target is not None
    return _kick(table, vote.target)


def _kick(table: Document, target: str) -> Document:
    vote = None if table.vote is not None and table.vote.target == target else table.vote
    return replace(leave(table, target, KICKED), vote=vote)


def _is_there(table: Document, player: str) -> bool:
    """Whether somebody can be sent away: from a seat, or from those who wait for one."""
    return table.seat_of(player) is not None or any(person.id == player for person in table.queue)


def _needed(what: str, voters: int) -> int:
    return voters if what == "pause" else max(FEWEST_TO_KICK, voters // 2 + 1)


def _voters(table: Document, target: str | None, here: Set[str]) -> set[int]:
    """The seats of connected persons, without the one a vote is about."""
    people = (table.playing_seat(player) for player in here if player != target)
    return {seat for seat in people if seat is not None}


def _seat(table: Document, player: str) -> int:
    """The seat somebody plays.

    Raises:
        Denied: for one who watches.
    """
    seat = table.playing_seat(player)
    if seat is None:
        raise Denied("not-seated")
    return seat
