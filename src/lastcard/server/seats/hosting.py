"""What only the host may do: settings, bots, the start, turning somebody's chat off, handing the table on."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from lastcard.bots.registry import LEVELS, styles_of
from lastcard.errors import LastcardError
from lastcard.game.rulesets import ruleset
from lastcard.match.setup import check_players
from lastcard.server.seats.document import Denied, Document, Person, new_secret, replace
from lastcard.server.seats.lessons import LESSONS
from lastcard.server.seats.seating import resize, set_bot, sit
from lastcard.server.wire.parts import Settings

QUICK_LEVEL = "casual"
MOST_MUTED = 100
"""Persons whose chat is turned off at a table; beyond, whoever has been silent longest may speak again."""


def new_table(host: Person, settings: Settings, *, quick: bool = False, lesson: bool = False) -> Document:
    """A table at which only its maker sits.

    Args:
        host: who made it.
        settings: how it plays.
        quick: whether bots take the other seats and the match starts by itself.
        lesson: whether that match is the lesson of its game, without a clock.

    Raises:
        Denied: for settings that make no sense.
    """
    settings = check_settings(_for_lesson(settings) if lesson else settings)
    seats = (None,) * settings.seats
    table = Document(
        host=host, settings=settings, seats=seats, secret=new_secret(), quick=quick or lesson, lesson=lesson
    )
    table = sit(table, host, 0)
    for seat in range(1, settings.seats) if table.quick else ():
        table = set_bot(table, seat, QUICK_LEVEL)
    return table


def _for_lesson(settings: Settings) -> Settings:
    """The settings of a lesson: as many seats as it has, nobody is hurried, no call beats a catch."""
    lesson = LESSONS.get(settings.rules)
    if lesson is None:
        raise Denied("no-lesson")
    return replace(settings, seats=len(lesson.start.hands), pace="untimed", grace=0, spectators=False, take_backs=False)


def check_settings(settings: Settings) -> Settings:
    """Settings with the ruleset by its shortest name.

    Raises:
        Denied: says what makes no sense.
    """
    try:
        rules = ruleset(settings.rules)
        check_players(rules, settings.seats)
    except LastcardError as error:
        raise Denied("bad-settings", reason=error) from error
    return Settings(**msgspec.structs.asdict(settings) | {"rules": str(rules)})


def check_host(table: Document, player: str) -> None:
    """Refuse whoever is not the host."""
    if table.host.id != player:
        raise Denied("not-host", name=table.host.name)


def configure(table: Document, player: str, settings: Settings) -> Document:
    """Other settings, between matches; after a match the table is a lobby again. How fast bots play may change at any
    time.
    """
    check_host(table, player)
    settings = check_settings(settings)
    if settings == replace(table.settings, bots=settings.bots):
        return replace(table, settings=settings)
    _check_between_matches(table)
    return replace(resize(table, settings.seats), settings=settings, phase="lobby", played_by=())


def change_bot(table: Document, player: str, seat: int, level: str | None, style: str = "") -> Document:
    """Seat a bot between matches, or send it away.

    Args:
        table: as it stands.
        player: who says so.
        seat: where no person sits.
        level: of the bot; None for none.
        style: in which it plays; empty for none of its own.
    """
    check_host(table, player)
    _check_between_matches(table)
    if level is not None:
        check_level(level)
        if style and style not in styles_of(level):
            raise Denied("no-such-style", name=style)
    return set_bot(table, seat, level, style)


def seat_program(table: Document, player: str, seat: int, token_hash: str) -> Document:
    """Let a program play in a seat between matches; a bot does so while the program is not there.

    Args:
        table: as it stands.
        player: who says so.
        seat: a free one, or a bot's.
        token_hash: of the program's token; one that was good for this seat before is no more.
    """
    table = change_bot(table, player, seat, table.level)
    place = table.seats[seat]
    assert place is not None, "a bot has just sat down"
    return table.with_seat(seat, replace(place, program=token_hash))


def check_start(table: Document, player: str, level: str) -> Document:
    """The table, unless a start is out of place."""
    check_host(table, player)
    _check_between_matches(table)
    check_level(level)
    return table


def check_level(level: str) -> None:
    """Refuse a level of bots there is not."""
    if level not in LEVELS:
        raise Denied("no-such-level", name=level)


def mute(table: Document, player: str, target: str, on: bool) -> Document:
    """Turn somebody's chat off, or on again."""
    check_host(table, player)
    if target == player:
        raise Denied("mute-self")
    others = tuple(muted for muted in table.muted if muted != target)
    return replace(table, muted=(*others, target)[-MOST_MUTED:] if on else others)


def appoint(table: Document, player: str, target: str, here: Mapping[str, str]) -> Document:
    """Make another connected person host.

    Args:
        table: as it stands.
        player: who says so.
        target: the new host.
        here: the names of all connected persons by id.
    """
    check_host(table, player)
    if target not in here:
        raise Denied("no-such-player")
    return replace(table, host=Person(target, here[target]))


def pass_host(table: Document, here: Mapping[str, str]) -> Document:
    """The host is gone: the next connected person who sits is host, else one who watches."""
    seat = table.seat_of(table.host.id) or 0
    order = [*table.seats[seat:], *table.seats[:seat]]
    seated = [place.player for place in order if place is not None and place.player in here and place.away is None]
    heir = next((player for player in [*seated, *here] if player != table.host.id), None)
    return table if heir is None else replace(table, host=Person(heir, here[heir]))


def _check_between_matches(table: Document) -> None:
    if table.phase not in ("lobby", "over"):
        raise Denied("in-match")
