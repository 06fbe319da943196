"""What everybody may know about a table besides the game on it."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from lastcard.server.game.advice import allows_hints, allows_take_backs
from lastcard.server.game.presence import Presence
from lastcard.server.seats.dealing import writes
from lastcard.server.seats.document import Document, Place, replace
from lastcard.server.seats.seating import KICKED, name_guests
from lastcard.server.table.warden import Warden
from lastcard.server.wire.parts import Clock, Guest, PastSitter, SeatInfo, TableState


def table_state(
    code: str,
    table: Document,
    presence: Presence,
    *,
    next_in: int | None,
    reading: Collection[str],
    clock: Clock | None,
    join_url: str,
    warden: Warden,
) -> TableState:
    """A table for the screens.

    Args:
        code: of the table.
        table: as it stands; its secret stays behind.
        presence: who is connected, and for whom of them a bot plays.
        next_in: milliseconds until the next round, or until rule cards are filled up.
        reading: ids of persons who are waited for though not connected.
        clock: of the seat on turn.
        join_url: the address to join at.
        warden: whoever keeps order here.
    """
    settings = replace(table.settings, chat=False) if warden.chat == "never" else table.settings
    present, idle = {*presence.here, *presence.programs}, presence.idle
    return TableState(
        code=code,
        phase=table.phase,
        host=table.host.id,
        settings=settings,
        seats=tuple(None if place is None else _seat(table, place, present, idle, reading) for place in table.seats),
        guests=_guests(table, presence.here),
        match=table.match,
        played=table.played,
        wins=table.wins,
        promise=table.promise,
        paused=table.paused,
        vote=table.vote,
        muted=table.muted,
        cards_each=writes(table) if table.phase == "writing" else 0,
        next_in=next_in,
        hints=allows_hints(table),
        take_backs=allows_take_backs(table),
        join_url=join_url,
        clock=clock,
        notice=warden.orders.notice,
        draining=warden.orders.draining,
        reports=warden.reads,
        played_by=_replaced(table),
    )


def unwatched(state: TableState) -> TableState:
    """A table for somebody who may not see the game: nor is told the id by which a match can be looked at."""
    return replace(state, match=None, clock=None) if state.phase in ("playing", "between") else state


def _seat(
    table: Document, place: Place, here: Collection[str], idle: Collection[str], reading: Collection[str]
) -> SeatInfo:
    player = place.player
    plays = player or place.program
    seat = table.playing_seat(player)
    agrees = table.vote is not None and seat in table.vote.yes
    return SeatInfo(
        name=place.name,
        player=player,
        bot=place.bot,
        here=plays in here,
        standin=place.away is not None or plays in idle,
        heir=None if place.heir is None else place.heir.name,
        sealed=player in table.numbers,
        ready=player is not None and (player in table.ready or player in table.cards or agrees),
        kicked=place.away == KICKED and table.phase == "playing",
        program=place.program is not None,
        look=table.looks.get(player or "", ""),
        style=place.style,
        awaited=player in reading,
    )


def _replaced(table: Document) -> tuple[PastSitter | None, ...]:
    """Who played the round that is over, in every seat that is somebody else's now."""
    if table.phase not in ("between", "over"):
        return ()
    past = tuple(
        None if place is None or _is_same(place, now) else _past_sitter(table, place)
        for place, now in zip(table.played_by, table.seats, strict=False)
    )
    return past if any(past) else ()


def _is_same(place: Place, now: Place | None) -> bool:
    if now is None or place.player != now.player:
        return False
    return place.player is not None or place.name == now.name


def _past_sitter(table: Document, place: Place) -> PastSitter:
    return PastSitter(place.name, place.player, place.bot, table.looks.get(place.player or "", ""))


def _guests(table: Document, here: Mapping[str, str]) -> tuple[Guest, ...]:
    """Those who wait, then those who watch."""
    heirs = {place.heir.id for place in table.seats if place is not None and place.heir is not None}
    waiting = {person.id for person in table.queue} | heirs
    return tuple(Guest(id_, name, id_ in waiting) for id_, name in name_guests(table, here).items())
