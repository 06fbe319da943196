"""Whose turn it is at a table by the day, for the list of a person's turns, deadlines and notifications."""

from __future__ import annotations

from lastcard.server.store.rows import DayTurn
from lastcard.session.match_play import MatchPlay
from lastcard.session.table_session import Session


def find_day_turn(session: Session) -> DayTurn | None:
    """Return the turn of a match at a table by the day; None at other tables and between matches."""
    state, play = session.state, session.play
    if not state.is_by_day or not state.in_match or play is None:
        return None
    log = play.log
    player = _player_on_turn(session, play)
    if player is None:
        due = 0 if state.goes_on_alone else None
        return DayTurn(log.row.id, None, due, log.turn_began, log.moved, None)
    end = None if player in session.people.idle else play.turn_end
    due = None if end is None else round(1000 * end)
    left = round(1000 * session.people.gone.get(player, 0.0))
    unseen = None if player in session.people.here else max(log.turn_began, left)
    return DayTurn(log.row.id, player, due, log.turn_began, log.moved, unseen)


def _player_on_turn(session: Session, play: MatchPlay) -> str | None:
    seat = play.awaited_seat
    occupant = None if seat is None else session.state.seats[seat]
    return None if occupant is None else occupant.player
