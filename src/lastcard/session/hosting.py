"""Commands of the host: settings, bots, start, mute, new host."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from lastcard.bots.registry import LEVELS, styles_of
from lastcard.errors import LastcardError
from lastcard.game.daily_deal import DAILY_LEVEL, DAILY_SEATS, ONE_ROUND
from lastcard.game.rulesets import ruleset
from lastcard.game.seeds import deal_secret
from lastcard.match.setup import check_players
from lastcard.session import seating, voting
from lastcard.session.day_pace import is_day_pace, is_known_zone, read_day_pace
from lastcard.session.lessons import find_lesson
from lastcard.session.lifecycle import change_phase, is_possible
from lastcard.session.seating import resize, set_bot, sit
from lastcard.session.table_settings import Settings
from lastcard.session.table_state import CommandError, DuplicateTable, Person, TableState, replace

QUICK_LEVEL = "casual"
MAX_MUTED = 100
"""Maximum number of muted persons at a table; beyond it, the one muted first may write again."""


def new_table(host: Person, settings: Settings, secret: str, *, quick: bool = False, lesson: int = 0) -> TableState:
    """Return a new table with its host and, if it is ``quick`` or a ``lesson`` (by number, without a clock), bots.

    Raises:
        CommandError: if settings make no sense.
    """
    settings = check_settings(_for_lesson(settings, lesson) if lesson else settings)
    seats = (None,) * settings.seats
    table = TableState(
        host=host, settings=settings, seats=seats, secret=secret, quick=quick or lesson > 0, lesson=lesson
    )
    table = sit(table, host, 0)
    for seat in range(1, settings.seats) if table.quick else ():
        table = set_bot(table, seat, QUICK_LEVEL)
    return table


def new_daily_table(host: Person, day: str, game: str, secret: str) -> TableState:
    """Return a table for one try at the daily deal of a game; the secret of that day and game is in hex."""
    settings = check_settings(Settings(rules=game + ONE_ROUND, seats=DAILY_SEATS, pace="untimed", spectators=False))
    table = replace(new_table(host, settings, secret, quick=True), daily=day)
    for seat in range(1, settings.seats):
        table = set_bot(table, seat, DAILY_LEVEL)
    return table


def new_duplicate_table(host: Person, settings: Settings, level: str, part: DuplicateTable) -> TableState:
    """Return an empty table of a duplicate match, with a level of the bots that take the free seats.

    Raises:
        CommandError: if settings make no sense.
    """
    settings = check_duplicate_settings(settings)
    check_level(level)
    secret = deal_secret(bytes.fromhex(part.secret), 1).hex()
    seats = (None,) * settings.seats
    return TableState(host=host, settings=settings, seats=seats, secret=secret, level=level, duplicate=part)


def check_duplicate_settings(settings: Settings) -> Settings:
    """Return settings for a duplicate match: each deal is a round, with a clock, and nobody watches.

    Raises:
        CommandError: if settings make no sense, or players would write the rule cards, which differ between tables.
    """
    settings = check_settings(settings)
    if ruleset(settings.rules).options.wj_rules == "written":
        raise CommandError("duplicate-written")
    pace = "relaxed" if settings.pace == "untimed" or is_day_pace(settings.pace) else settings.pace
    single = ruleset(settings.rules, {"match_mode": "single_round"})
    return replace(settings, rules=str(single), pace=pace, spectators=False, hints=False, take_backs=False)


def _for_lesson(settings: Settings, number: int) -> Settings:
    """Return the settings of a lesson: its number of seats, no clock, no grace for calls."""
    lesson = find_lesson(settings.rules, number)
    if lesson is None:
        raise CommandError("no-lesson")
    return replace(settings, seats=len(lesson.start.hands), pace="untimed", grace=0, spectators=False, take_backs=False)


def check_settings(settings: Settings) -> Settings:
    """Return settings with the shortest name of the ruleset, and UTC for a time zone that is not known here.

    Raises:
        CommandError: if settings make no sense, or people who take days would write the rule cards.
    """
    try:
        rules = ruleset(settings.rules)
        check_players(rules, settings.seats)
    except LastcardError as error:
        raise CommandError("bad-settings", reason=error) from error
    by_day = read_day_pace(settings.pace)
    if by_day is not None and rules.options.wj_rules == "written":
        raise CommandError("by-day-written")
    if by_day is not None and not is_known_zone(by_day.zone):
        settings = replace(settings, pace=f"{settings.pace.partition('@')[0]}@UTC")
    return Settings(**msgspec.structs.asdict(settings) | {"rules": str(rules)})


def check_host(table: TableState, player: str) -> None:
    """Refuse a person who is not the host; an open table has none."""
    if table.is_open:
        raise CommandError("open-table")
    if table.host.id != player:
        raise CommandError("not-host", name=table.host.name)


def configure(table: TableState, player: str, settings: Settings) -> TableState:
    """Return the table with other settings, between matches; after a match it is a lobby again. Voice and the speed of
    bots may change at any time.
    """
    check_host(table, player)
    settings = check_settings(settings)
    if settings == replace(table.settings, bots=settings.bots, voice=settings.voice):
        return replace(table, settings=settings)
    _check_between_matches(table)
    return change_phase(resize(table, settings.seats), "configure", settings=settings, played_by=())


def change_bot(table: TableState, player: str, seat: int, level: str | None, style: str = "") -> TableState:
    """Return the table with a bot in a seat without a person or, if its level is None, removed; between matches."""
    check_host(table, player)
    _check_between_matches(table)
    if level is not None:
        check_level(level)
        if style and style not in styles_of(level):
            raise CommandError("no-such-style", name=style)
    return set_bot(table, seat, level, style)


def seat_program(table: TableState, player: str, seat: int, token_hash: str) -> TableState:
    """Return the table with a free or bot's seat for a program, between matches; a bot plays while it is disconnected.

    The hash of its token replaces an earlier one of this seat.
    """
    table = change_bot(table, player, seat, table.level)
    occupant = table.seats[seat]
    assert occupant is not None, "a bot has just sat down"
    return table.with_seat(seat, replace(occupant, program=token_hash))


def check_start(table: TableState, player: str, level: str) -> TableState:
    """Return the table if the host may start now."""
    check_host(table, player)
    _check_between_matches(table)
    check_level(level)
    return table


def check_level(level: str) -> None:
    """Refuse an unknown level of bots."""
    if level not in LEVELS:
        raise CommandError("no-such-level", name=level)


def mute(table: TableState, player: str, target: str, on: bool) -> TableState:
    """Return the table with a person's chat and voice turned off or on."""
    check_host(table, player)
    if target == player:
        raise CommandError("mute-self")
    others = tuple(muted for muted in table.muted if muted != target)
    return replace(table, muted=(*others, target)[-MAX_MUTED:] if on else others)


def appoint(table: TableState, player: str, target: str, here: Mapping[str, str]) -> TableState:
    """Return the table with another connected person as host."""
    check_host(table, player)
    if target not in here:
        raise CommandError("no-such-player")
    return replace(table, host=Person(target, here[target]))


def pass_host(table: TableState, here: Mapping[str, str]) -> TableState:
    """Return the table with a new host after the host left: the next connected person with a seat, or a spectator."""
    seat = table.seat_of(table.host.id) or 0
    order = [*table.seats[seat:], *table.seats[:seat]]
    seated = [
        occupant.player
        for occupant in order
        if occupant is not None and occupant.player in here and occupant.away is None
    ]
    successor = next((player for player in [*seated, *here] if player != table.host.id), None)
    return table if successor is None else replace(table, host=Person(successor, here[successor]))


def erase_person(table: TableState, player: str, here: Mapping[str, str]) -> TableState:
    """Return the table without a person who deleted their data (not in ``here``); host and votes may change."""
    return _after_departure(table, seating.erase_person(table, player), player, here)


def ban_person(table: TableState, player: str, here: Mapping[str, str]) -> TableState:
    """Return the table without a banned person; host and votes may change. The arguments are as in ``erase_person``."""
    return _after_departure(table, seating.leave(table, player, seating.KICKED), player, here)


def _after_departure(before: TableState, left: TableState, player: str, here: Mapping[str, str]) -> TableState:
    return voting.recount(pass_host(left, here) if before.host.id == player else left, here.keys())


def _check_between_matches(table: TableState) -> None:
    if table.daily:
        raise CommandError("daily")
    if table.duplicate is not None:
        raise CommandError("duplicate")
    if not is_possible(table, "configure"):
        raise CommandError("in-match")
