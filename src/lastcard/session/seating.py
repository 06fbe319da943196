"""Seats: taking, leaving, waiting for one, and changes between rounds."""

from __future__ import annotations

from collections.abc import Collection, Container, Mapping
from itertools import chain, count
from typing import Any

from lastcard.bots.personas import list_persona_names
from lastcard.session.names import confusable_skeleton
from lastcard.session.table_state import NOBODY, CommandError, Occupant, Person, TableState, replace

LEFT = "stood"
KICKED = "kicked"


def sit(table: TableState, person: Person, seat: int | None) -> TableState:
    """Return the table with a person in a seat or (None) any seat, now or after the round, or waiting in the queue.

    Raises:
        CommandError: if that seat is not available.
    """
    own = table.seat_of(person.id)
    if own is not None and seat in (None, own):
        return come_back(table, person.id)
    if own is not None and table.in_match:
        raise CommandError("seated")
    if seat is None:
        return _sit_anywhere(table, person)
    if seat >= len(table.seats):
        raise CommandError("no-such-seat")
    occupant = table.seats[seat]
    if occupant is not None and occupant.player is not None and not _is_forfeit(table, occupant):
        raise CommandError("seat-person", name=occupant.name)
    if occupant is not None and table.phase == "playing":
        if occupant.next_player is not None and occupant.next_player.id != person.id:
            raise CommandError("seat-taken", name=occupant.next_player.name)
        return stop_waiting(table, person.id).with_seat(seat, replace(occupant, next_player=person))
    if own is not None:
        table = table.with_seat(own, None)
    return _assign_seat(table, seat, person)


def come_back(table: TableState, player: str) -> TableState:
    """Return the table with a seat back in its owner's hands; a kicked owner waits until the round ends."""
    seat = table.seat_of(player)
    occupant = None if seat is None else table.seats[seat]
    if seat is None or occupant is None or occupant.away is None:
        return table
    if occupant.away == KICKED and table.phase == "playing":
        raise CommandError("after-round")
    return table.with_seat(seat, replace(occupant, away=None, next_player=None))


def leave(table: TableState, player: str, why: str = LEFT) -> TableState:
    """Return the table without a person who (``why``) ``stood`` or was ``kicked``; in a match a bot plays for them."""
    seat = table.seat_of(player)
    occupant = None if seat is None else table.seats[seat]
    table = stop_waiting(table, player)
    if seat is None or occupant is None:
        return table
    if table.in_match:
        away = KICKED if KICKED in (why, occupant.away) else why
        return table.with_seat(seat, replace(occupant, away=away))
    return table.with_seat(seat, None)


def stop_waiting(table: TableState, player: str) -> TableState:
    """Return the table after a person left the queue; they are no longer the next player of a seat either."""
    seats = tuple(
        replace(occupant, next_player=None)
        if occupant is not None and occupant.next_player is not None and occupant.next_player.id == player
        else occupant
        for occupant in table.seats
    )
    return replace(table, seats=seats, queue=tuple(person for person in table.queue if person.id != player))


def erase_person(table: TableState, player: str) -> TableState:
    """Return the table without any data of a person; in a match a bot plays their hand for good."""
    seat = table.seat_of(player)
    occupant = None if seat is None else table.seats[seat]
    table = stop_waiting(table, player)
    if seat is not None and occupant is not None:
        bot = Occupant(name=_bot_name(table, seat, table.level), bot=table.level, next_player=occupant.next_player)
        table = table.with_seat(seat, bot if table.in_match else None)
    return replace(
        table,
        host=Person("", NOBODY) if table.host.id == player else table.host,
        wins={id_: wins for id_, wins in table.wins.items() if id_ != player},
        numbers={id_: number for id_, number in table.numbers.items() if id_ != player},
        avatars={id_: avatar for id_, avatar in table.avatars.items() if id_ != player},
        cards={id_: cards for id_, cards in table.cards.items() if id_ != player},
        ready=tuple(id_ for id_ in table.ready if id_ != player),
        muted=tuple(id_ for id_ in table.muted if id_ != player),
        played_by=tuple(None if place is not None and place.player == player else place for place in table.played_by),
    )


def merge_person(table: TableState, player: str, into: Person) -> TableState:
    """Return the table with all that a person has here given to another profile of theirs. If both have seats, the
    first one's is free, or in a match a bot's.
    """

    def same(id_: str | None) -> str | None:
        return into.id if id_ == player else id_

    def one(person: Person | None) -> Person | None:
        return into if person is not None and person.id == player else person

    def moved(place: Occupant | None) -> Occupant | None:
        return place and replace(place, player=same(place.player), next_player=one(place.next_player))

    seat = table.seat_of(player)
    if seat is not None and table.seat_of(into.id) is not None:
        bot = Occupant(name=_bot_name(table, seat, table.level), bot=table.level)
        table = table.with_seat(seat, bot if table.in_match else None)
    given: dict[str, Any] = {}
    for name in ("wins", "numbers", "avatars", "cards"):
        values = dict(getattr(table, name))
        if player in values:
            value = values.pop(player)
            values[into.id] = value + values.get(into.id, 0) if name == "wins" else values.get(into.id, value)
        given[name] = values
    table = replace(
        table,
        **given,
        host=one(table.host),
        seats=tuple(map(moved, table.seats)),
        played_by=tuple(map(moved, table.played_by)),
        queue=tuple(dict.fromkeys(map(one, table.queue))),
        ready=tuple(dict.fromkeys(map(same, table.ready))),
        muted=tuple(dict.fromkeys(map(same, table.muted))),
        vote=table.vote and replace(table.vote, target=same(table.vote.target)),
    )
    return rename(table if table.seat_of(into.id) is None else stop_waiting(table, into.id), into)


def rename(table: TableState, person: Person) -> TableState:
    """Return the table with a person's new name; a seat has the old one until the match is over."""

    def named(other: Person) -> Person:
        return person if other.id == person.id else other

    seats = (
        occupant and replace(occupant, next_player=occupant.next_player and named(occupant.next_player))
        for occupant in table.seats
    )
    table = replace(table, host=named(table.host), queue=tuple(map(named, table.queue)), seats=tuple(seats))
    seat = table.seat_of(person.id)
    place = None if seat is None else table.seats[seat]
    if seat is None or place is None or table.in_match or _without_number(place.name) == person.name:
        return table
    return table.with_seat(seat, replace(place, name=free_name(table.with_seat(seat, None), person.name)))


def set_avatar(table: TableState, player: str, avatar: str) -> TableState:
    """Return the table with a seated person's own avatar, or (empty) the default one from the name.

    Raises:
        CommandError: if the person only watches.
    """
    if table.seat_of(player) is None:
        raise CommandError("not-seated")
    others = {id_: worn for id_, worn in table.avatars.items() if id_ != player}
    return replace(table, avatars={**others, player: avatar} if avatar else others)


def set_bot(table: TableState, seat: int, level: str | None, style: str = "") -> TableState:
    """Return the table with a bot in a seat without a person, or (level None) without it."""
    if seat >= len(table.seats):
        raise CommandError("no-such-seat")
    occupant = table.seats[seat]
    if occupant is not None and occupant.player is not None:
        raise CommandError("seat-person", name=occupant.name)
    if level is None:
        return table.with_seat(seat, None)
    stays = occupant is not None and occupant.program is None and occupant.bot == level
    name = occupant.name if occupant is not None and stays else _bot_name(table, seat, level)
    return table.with_seat(seat, Occupant(name=name, bot=level, style=style))


def fill_seats(table: TableState, level: str, here: Container[str]) -> TableState:
    """Return the table ready for a match: those who wait and are connected get seats, then bots fill the rest."""
    table = seat_waiting(release_left_seats(table, level), here)
    for seat, occupant in enumerate(table.seats):
        if occupant is None:
            table = set_bot(table, seat, level)
    return table


def release_absent(table: TableState, here: Container[str]) -> TableState:
    """Return the table without the persons who are not connected."""
    seats = (
        occupant if occupant is None or occupant.player is None or occupant.player in here else None
        for occupant in table.seats
    )
    return replace(table, seats=tuple(seats))


def release_left_seats(table: TableState, level: str) -> TableState:
    """Return the table after a match: people who left their seats no longer own them."""
    for seat, occupant in enumerate(table.seats):
        if occupant is not None and occupant.away is not None:
            table = table.with_seat(
                seat, Occupant(name=_bot_name(table, seat, level), bot=level, next_player=occupant.next_player)
            )
    return table


def seat_waiting(table: TableState, here: Container[str]) -> TableState:
    """Return the table between rounds: next players get their seats, then connected people in the queue."""
    for seat, occupant in enumerate(table.seats):
        if occupant is not None and occupant.next_player is not None and occupant.next_player.id in here:
            table = _assign_seat(table, seat, occupant.next_player)
    for person in table.queue:
        best = _best_seat(table) if person.id in here else None
        if best is not None:
            table = _assign_seat(table, best, person)
    return table


def readmit_kicked(table: TableState) -> TableState:
    """Return the table for the next round: kicked persons who still own their seats may come back."""
    seats = (
        occupant and replace(occupant, away=LEFT if occupant.away == KICKED else occupant.away)
        for occupant in table.seats
    )
    return replace(table, seats=tuple(seats))


def resize(table: TableState, seats: int) -> TableState:
    """Return the table with another number of seats; persons move together, and bots are removed as needed.

    Raises:
        CommandError: if there are more persons than seats.
    """
    if seats >= len(table.seats):
        return replace(table, seats=(*table.seats, *[None] * (seats - len(table.seats))))
    occupants = list(table.seats)
    for spare in (None, "bot"):
        for seat in range(len(occupants) - 1, -1, -1):
            occupant = occupants[seat]
            if len(occupants) > seats and (
                occupant is None if spare is None else occupant is not None and occupant.player is None
            ):
                del occupants[seat]
    if len(occupants) > seats:
        raise CommandError("too-few-seats", n=len(occupants))
    return replace(table, seats=tuple(occupants))


def free_name(table: TableState, name: str) -> str:
    """Return a name that nobody confuses with another at the table: the second Ana is ``Ana 2``."""
    return _make_unique(name, _seated_skeletons(table))


def name_guests(table: TableState, here: Mapping[str, str]) -> dict[str, str]:
    """Return the names of people without a seat, by id: those who wait in order, then those who watch.

    No name looks like another, and every worker gives the same names.
    """
    waiting = {person.id: person.name for person in table.queue}
    watching = {id_: here[id_] for id_ in sorted(here) if id_ not in waiting and table.seat_of(id_) is None}
    taken, names = _seated_skeletons(table), {}
    for id_, name in (waiting | watching).items():
        names[id_] = _make_unique(name, taken)
        taken.add(confusable_skeleton(names[id_]))
    return names


def shown_name(table: TableState, person: Person, here: Mapping[str, str]) -> str:
    """Return the shown name of a connected person: as in the record with a seat, else as in ``name_guests``."""
    seat = table.seat_of(person.id)
    occupant = None if seat is None else table.seats[seat]
    return name_guests(table, here)[person.id] if occupant is None else occupant.name


def _sit_anywhere(table: TableState, person: Person) -> TableState:
    seat = _best_seat(table)
    if seat is None:
        others = tuple(waiting for waiting in table.queue if waiting.id != person.id)
        return replace(table, queue=(*others, person)) if person not in table.queue else table
    occupant = table.seats[seat]
    if occupant is None or table.phase != "playing":
        return _assign_seat(table, seat, person)
    return stop_waiting(table, person.id).with_seat(seat, replace(occupant, next_player=person))


def _best_seat(table: TableState) -> int | None:
    """Return a free seat, else a bot's, else (between rounds) a kicked person's; no seat with a next player or for a
    program. A person who has left has their seat until the match ends.
    """
    free = [seat for seat, occupant in enumerate(table.seats) if occupant is None]
    bots = [
        s for s, p in enumerate(table.seats) if p is not None and p.bot and p.next_player is None and p.program is None
    ]
    left = [s for s, p in enumerate(table.seats) if p is not None and _is_forfeit(table, p) and p.next_player is None]
    return next(iter([*free, *bots, *left]), None)


def _is_forfeit(table: TableState, occupant: Occupant) -> bool:
    """Return whether a person no longer has a right to their seat: after the match, or if they were kicked."""
    if occupant.away is None or table.phase == "playing":
        return False
    return occupant.away == KICKED or not table.in_match


def _assign_seat(table: TableState, seat: int, person: Person) -> TableState:
    """Return the table with a seat that belongs to a person, who waits no longer."""
    table = stop_waiting(table.with_seat(seat, None), person.id)
    return table.with_seat(seat, Occupant(name=free_name(table, person.name), player=person.id))


def _bot_name(table: TableState, seat: int, level: str) -> str:
    taken = {occupant.name for occupant in table.seats if occupant is not None}
    names = list_persona_names(level, seat)
    return next((name for name in names if name not in taken), free_name(table, names[0]))


def _seated_skeletons(table: TableState) -> set[str]:
    return {confusable_skeleton(occupant.name) for occupant in table.seats if occupant is not None}


def _make_unique(name: str, taken: Collection[str]) -> str:
    """Return a name, with a number if it looks like a taken one."""
    names = chain([name], (f"{name} {n}" for n in count(2)))
    return next(free for free in names if confusable_skeleton(free) not in taken)


def _without_number(name: str) -> str:
    """Return a name without the number that distinguishes namesakes."""
    head, _, number = name.rpartition(" ")
    return head if head and number.isdigit() else name
