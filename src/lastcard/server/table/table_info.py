"""The public information about a table, without its game."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from lastcard.server.table.moderation import Moderation
from lastcard.server.wire.parts import DuplicateInfo, Guest, PastSitter, SeatInfo, TableInfo
from lastcard.session.dealing import count_cards_to_write
from lastcard.session.seating import KICKED, name_guests
from lastcard.session.table_people import People
from lastcard.session.table_state import Occupant, TableState, replace
from lastcard.session.turn_clock import Clock


def describe_table(
    code: str,
    table: TableState,
    people: People,
    *,
    next_in: int | None,
    reading: Collection[str],
    clock: Clock | None,
    join_url: str,
    moderation: Moderation,
    voices: Collection[str],
) -> TableInfo:
    """Return the information about a table that clients show; its secret is left out.

    Args:
        next_in: milliseconds until the next round, or until rule cards are filled up.
        reading: ids of disconnected persons whom the table waits for.
        voices: ids of persons who have turned voice on.
    """
    settings = replace(table.settings, chat=False, voice=False) if moderation.chat == "never" else table.settings
    part = table.duplicate
    connected, idle = {*people.here, *people.programs}, people.idle
    return TableInfo(
        code=code,
        phase=table.phase,
        host=table.host.id,
        settings=settings,
        seats=tuple(
            None if occupant is None else _seat(table, occupant, connected, idle, reading) for occupant in table.seats
        ),
        guests=_guests(table, people.here),
        match=table.match,
        played=table.played,
        wins=table.wins,
        promise=table.promise,
        paused=table.paused,
        vote=table.vote,
        muted=table.muted,
        cards_each=count_cards_to_write(table) if table.phase == "writing" else 0,
        next_in=next_in,
        hints=table.allows_hints,
        take_backs=table.allows_take_backs,
        join_url=join_url,
        clock=clock,
        notice=moderation.settings.notice,
        draining=moderation.settings.draining,
        reports=moderation.has_reader,
        daily=table.daily,
        duplicate=None if part is None else DuplicateInfo(part.code, part.number, part.deal, part.deals),
        voices=tuple(sorted(voices)),
        open=table.is_open,
        played_by=_replaced_occupants(table),
    )


def redact_match(state: TableInfo) -> TableInfo:
    """Return the information for a viewer who may not see the game, without the id of the match."""
    return replace(state, match=None, clock=None) if state.phase in ("playing", "between") else state


def _seat(
    table: TableState, occupant: Occupant, here: Collection[str], idle: Collection[str], reading: Collection[str]
) -> SeatInfo:
    player = occupant.player
    plays = player or occupant.program
    seat = table.playing_seat(player)
    agrees = table.vote is not None and seat in table.vote.yes
    return SeatInfo(
        name=occupant.name,
        player=player,
        bot=occupant.bot,
        here=plays in here,
        standin=occupant.away is not None or plays in idle,
        heir=None if occupant.next_player is None else occupant.next_player.name,
        sealed=player in table.numbers,
        ready=player is not None and (player in table.ready or player in table.cards or agrees),
        kicked=occupant.away == KICKED and table.phase == "playing",
        program=occupant.program is not None,
        look=table.avatars.get(player or "", ""),
        style=occupant.style,
        awaited=player in reading,
    )


def _replaced_occupants(table: TableState) -> tuple[PastSitter | None, ...]:
    """Return the previous occupant of every seat whose occupant changed after the round."""
    if table.phase not in ("between", "over"):
        return ()
    earlier = tuple(
        None
        if occupant is None or _is_same(occupant, now)
        else PastSitter(occupant.name, occupant.player, occupant.bot, table.avatars.get(occupant.player or "", ""))
        for occupant, now in zip(table.played_by, table.seats, strict=False)
    )
    return earlier if any(earlier) else ()


def _is_same(occupant: Occupant, now: Occupant | None) -> bool:
    if now is None or occupant.player != now.player:
        return False
    return occupant.player is not None or occupant.name == now.name


def _guests(table: TableState, here: Mapping[str, str]) -> tuple[Guest, ...]:
    """Return those who wait, then those who watch."""
    heirs = {
        occupant.next_player.id for occupant in table.seats if occupant is not None and occupant.next_player is not None
    }
    waiting = {person.id for person in table.queue} | heirs
    return tuple(Guest(id_, name, id_ in waiting) for id_, name in name_guests(table, here).items())
