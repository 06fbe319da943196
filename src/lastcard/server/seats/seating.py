"""Who sits where: taking a seat, leaving it, waiting for one, and who takes whose place between rounds."""

from __future__ import annotations

from collections.abc import Collection, Container, Iterable, Mapping

from lastcard.bots.regulars import names_for
from lastcard.server.guard.security import looks
from lastcard.server.seats.document import Denied, Document, Person, Place, replace
from lastcard.server.store.rows import NOBODY

STOOD = "stood"
KICKED = "kicked"


def sit(table: Document, person: Person, seat: int | None) -> Document:
    """Seat a person, now or after the round, or let him wait in the queue.

    Args:
        table: as it stands.
        person: who.
        seat: where; None for anywhere.

    Raises:
        Denied: where that seat cannot be had.
    """
    own = table.seat_of(person.id)
    if own is not None and seat in (None, own):
        return come_back(table, person.id)
    if own is not None and table.in_match:
        raise Denied("seated")
    if seat is None:
        return _sit_anywhere(table, person)
    if seat >= len(table.seats):
        raise Denied("no-such-seat")
    place = table.seats[seat]
    if place is not None and place.player is not None and not _is_forfeit(table, place):
        raise Denied("seat-person", name=place.name)
    if place is not None and table.phase == "playing":
        if place.heir is not None and place.heir.id != person.id:
            raise Denied("seat-taken", name=place.heir.name)
        return forget(table, person.id).with_seat(seat, replace(place, heir=person))
    if own is not None:
        table = table.with_seat(own, None)
    return _give(table, seat, person)


def come_back(table: Document, player: str) -> Document:
    """Let the owner of a seat have it back (a kicked one only after the round)."""
    seat = table.seat_of(player)
    place = None if seat is None else table.seats[seat]
    if seat is None or place is None or place.away is None:
        return table
    if place.away == KICKED and table.phase == "playing":
        raise Denied("after-round")
    return table.with_seat(seat, replace(place, away=None, heir=None))


def leave(table: Document, player: str, why: str = STOOD) -> Document:
    """Take a person from the seat, and from the queue; in a match a bot goes on with the hand.

    Args:
        table: as it stands.
        player: who.
        why: ``stood`` or ``kicked``.
    """
    seat = table.seat_of(player)
    place = None if seat is None else table.seats[seat]
    table = forget(table, player)
    if seat is None or place is None:
        return table
    if table.in_match:
        away = KICKED if KICKED in (why, place.away) else why
        return table.with_seat(seat, replace(place, away=away))
    return table.with_seat(seat, None)


def forget(table: Document, player: str) -> Document:
    """The table without a person among those who wait, or will inherit a seat."""
    seats = tuple(
        replace(place, heir=None) if place is not None and place.heir is not None and place.heir.id == player else place
        for place in table.seats
    )
    return replace(table, seats=seats, queue=tuple(person for person in table.queue if person.id != player))


def erase(table: Document, player: str) -> Document:
    """The table without anything of a person; in a match a bot goes on with the hand for good."""
    seat = table.seat_of(player)
    place = None if seat is None else table.seats[seat]
    table = forget(table, player)
    if seat is not None and place is not None:
        bot = Place(name=_bot_name(table, seat, table.level), bot=table.level, heir=place.heir)
        table = table.with_seat(seat, bot if table.in_match else None)
    return replace(
        table,
        host=Person("", NOBODY) if table.host.id == player else table.host,
        wins={id_: wins for id_, wins in table.wins.items() if id_ != player},
        numbers={id_: number for id_, number in table.numbers.items() if id_ != player},
        looks={id_: look for id_, look in table.looks.items() if id_ != player},
        cards={id_: cards for id_, cards in table.cards.items() if id_ != player},
        ready=tuple(id_ for id_ in table.ready if id_ != player),
        muted=tuple(id_ for id_ in table.muted if id_ != player),
        played_by=tuple(None if place is not None and place.player == player else place for place in table.played_by),
    )


def rename(table: Document, person: Person) -> Document:
    """A person's new name, wherever it stands; a seat keeps the old one until the match is over."""

    def named(other: Person) -> Person:
        return person if other.id == person.id else other

    seats = (place and replace(place, heir=place.heir and named(place.heir)) for place in table.seats)
    table = replace(table, host=named(table.host), queue=tuple(map(named, table.queue)), seats=tuple(seats))
    seat = table.seat_of(person.id)
    place = None if seat is None else table.seats[seat]
    if seat is None or place is None or table.in_match or _base(place.name) == person.name:
        return table
    return table.with_seat(seat, replace(place, name=free_name(table.with_seat(seat, None), person.name)))


def dress(table: Document, player: str, look: str) -> Document:
    """Somebody at a seat has a face of their own, or (empty) the one made from the name.

    Raises:
        Denied: for whoever only watches.
    """
    if table.seat_of(player) is None:
        raise Denied("not-seated")
    others = {id_: worn for id_, worn in table.looks.items() if id_ != player}
    return replace(table, looks={**others, player: look} if look else others)


def set_bot(table: Document, seat: int, level: str | None, style: str = "") -> Document:
    """Put a bot in a seat where no person sits, or send it away (level None)."""
    if seat >= len(table.seats):
        raise Denied("no-such-seat")
    place = table.seats[seat]
    if place is not None and place.player is not None:
        raise Denied("seat-person", name=place.name)
    if level is None:
        return table.with_seat(seat, None)
    stays = place is not None and place.program is None and place.bot == level
    name = place.name if place is not None and stays else _bot_name(table, seat, level)
    return table.with_seat(seat, Place(name=name, bot=level, style=style))


def fill(table: Document, level: str, here: Container[str]) -> Document:
    """Ready for a match: who waits and is here gets a seat, the rest of the free ones get bots."""
    table = seat_waiting(release(table, level), here)
    for seat, place in enumerate(table.seats):
        if place is None:
            table = set_bot(table, seat, level)
    return table


def release(table: Document, level: str) -> Document:
    """The table after a match: whoever has left a seat owns it no longer."""
    for seat, place in enumerate(table.seats):
        if place is not None and place.away is not None:
            table = table.with_seat(seat, Place(name=_bot_name(table, seat, level), bot=level, heir=place.heir))
    return table


def seat_waiting(table: Document, here: Container[str]) -> Document:
    """Between rounds: heirs get their seats, then those in the queue.

    Args:
        table: as it stands.
        here: ids of connected persons; others go on waiting.
    """
    for seat, place in enumerate(table.seats):
        if place is not None and place.heir is not None and place.heir.id in here:
            table = _give(table, seat, place.heir)
    for person in table.queue:
        best = _best_seat(table) if person.id in here else None
        if best is not None:
            table = _give(table, best, person)
    return table


def pardon(table: Document) -> Document:
    """The table with the next round: whoever was sent from a seat that is still theirs may come back."""
    seats = (place and replace(place, away=STOOD if place.away == KICKED else place.away) for place in table.seats)
    return replace(table, seats=tuple(seats))


def resize(table: Document, seats: int) -> Document:
    """Another number of seats; persons move together, bots make room.

    Raises:
        Denied: for fewer seats than there are persons.
    """
    if seats >= len(table.seats):
        return replace(table, seats=(*table.seats, *[None] * (seats - len(table.seats))))
    places = list(table.seats)
    for spare in (None, "bot"):
        for seat in range(len(places) - 1, -1, -1):
            place = places[seat]
            if len(places) > seats and (place is None if spare is None else place is not None and place.player is None):
                del places[seat]
    if len(places) > seats:
        raise Denied("too-few-seats", n=len(places))
    return replace(table, seats=tuple(places))


def free_name(table: Document, name: str) -> str:
    """A name that nobody takes for that of somebody else at the table: the second Ana is ``Ana 2``."""
    return _free(name, _seated(table))


def name_guests(table: Document, here: Mapping[str, str]) -> dict[str, str]:
    """What those without a seat are called, by id: those who wait in their order, then those who watch.

    No name looks like another, and every worker gives the same ones.

    Args:
        table: as it stands.
        here: the names of connected persons by id.
    """
    waiting = {person.id: person.name for person in table.queue}
    watching = {id_: here[id_] for id_ in sorted(here) if id_ not in waiting and table.seat_of(id_) is None}
    taken, names = _seated(table), {}
    for id_, name in (waiting | watching).items():
        names[id_] = _free(name, taken)
        taken.add(looks(names[id_]))
    return names


def shown_name(table: Document, person: Person, here: Mapping[str, str]) -> str:
    """What somebody who is here is called: those who sit as in the record, others as ``name_guests`` says."""
    seat = table.seat_of(person.id)
    place = None if seat is None else table.seats[seat]
    return name_guests(table, here)[person.id] if place is None else place.name


def _sit_anywhere(table: Document, person: Person) -> Document:
    seat = _best_seat(table)
    if seat is None:
        others = tuple(waiting for waiting in table.queue if waiting.id != person.id)
        return replace(table, queue=(*others, person)) if person not in table.queue else table
    place = table.seats[seat]
    if place is None or table.phase != "playing":
        return _give(table, seat, person)
    return forget(table, person.id).with_seat(seat, replace(place, heir=person))


def _best_seat(table: Document) -> int | None:
    """A free seat, else a bot's, else (between rounds) one whose owner was sent away; none that has an heir already, or
    is kept for a program. The seat of somebody who has left stays theirs while the match lasts.
    """
    free = [seat for seat, place in enumerate(table.seats) if place is None]
    bots = [s for s, p in enumerate(table.seats) if p is not None and p.bot and p.heir is None and p.program is None]
    left = [s for s, p in enumerate(table.seats) if p is not None and _is_forfeit(table, p) and p.heir is None]
    return next(iter([*free, *bots, *left]), None)


def _is_forfeit(table: Document, place: Place) -> bool:
    """Whether a person has a seat no longer for themselves: after the match, or where they were sent away."""
    if place.away is None or table.phase == "playing":
        return False
    return place.away == KICKED or not table.in_match


def _give(table: Document, seat: int, person: Person) -> Document:
    """The seat belongs to a person from now on, who waits nowhere any more."""
    table = forget(table.with_seat(seat, None), person.id)
    return table.with_seat(seat, Place(name=free_name(table, person.name), player=person.id))


def _bot_name(table: Document, seat: int, level: str) -> str:
    """Which of the regulars comes to a seat."""
    taken = {place.name for place in table.seats if place is not None}
    names = names_for(level, seat)
    return next((name for name in names if name not in taken), free_name(table, names[0]))


def _seated(table: Document) -> set[str]:
    """What the names of those who sit look like."""
    return {looks(place.name) for place in table.seats if place is not None}


def _free(name: str, taken: Collection[str]) -> str:
    """A name, with a number where it looks like one that is taken."""
    return next(free for free in _numbered(name) if looks(free) not in taken)


def _numbered(name: str) -> Iterable[str]:
    yield name
    n = 2
    while True:
        yield f"{name} {n}"
        n += 1


def _base(name: str) -> str:
    """A name without the number that tells namesakes apart."""
    head, _, number = name.rpartition(" ")
    return head if head and number.isdigit() else name
