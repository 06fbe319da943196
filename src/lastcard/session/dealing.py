"""From table to match and back: rule cards, start, end of a round, end of a match."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence, Set

from lastcard.errors import NotationError
from lastcard.game.rulecards import BUILT_IN, cards_per_player, parse_rule_card
from lastcard.game.seeds import deal_secret, mix_seed
from lastcard.session.lessons import find_lesson
from lastcard.session.lifecycle import change_phase, is_possible
from lastcard.session.match_rows import MatchRow
from lastcard.session.movement import seat_order
from lastcard.session.seating import (
    fill_seats,
    readmit_kicked,
    release_absent,
    release_left_seats,
    rename,
    seat_waiting,
)
from lastcard.session.table_state import CommandError, DuplicateTable, Occupant, Person, TableState, replace


def begin_match(table: TableState, level: str, here: Container[str]) -> TableState:
    """Return the table before a match, with every seat taken: by those who wait and are here, then by bots of a level.

    At an open table bots replace absent persons. With written rule cards, writing comes first. In a duplicate match
    everybody moves to the seat of the next deal.
    """
    table = release_absent(table, here) if table.is_open else table
    table = replace(fill_seats(table, level, here), level=level, quick=False, ready=(), cards={}, played_by=())
    if table.duplicate is not None:
        return _begin_deal(table, table.duplicate)
    return change_phase(table, "write") if count_cards_to_write(table) else table


def _begin_deal(table: TableState, part: DuplicateTable) -> TableState:
    """Return the table before its next deal of a duplicate match.

    Raises:
        CommandError: if it has played all deals.
    """
    if part.deal == part.deals:
        raise CommandError("duplicate")
    before = seat_order(len(table.seats), max(1, part.deal))
    occupants = dict(zip(before, table.seats, strict=True))
    seats = tuple(occupants[place] for place in seat_order(len(table.seats), part.deal + 1))
    return replace(table, seats=seats, duplicate=replace(part, deal=part.deal + 1))


def count_cards_to_write(table: TableState) -> int:
    """Return how many rule cards each person writes before a match; 0 if none are written."""
    return cards_per_player(len(table.seats)) if table.rules.options.wj_rules == "written" else 0


def write_cards(table: TableState, player: str, lines: Sequence[str]) -> TableState:
    """Return the table with the rule cards of one person.

    Raises:
        CommandError: if it is not the time to write, there are too many, or a card cannot be read.
    """
    if table.phase != "writing":
        raise CommandError("not-now")
    table.require_seat(player)
    if len(lines) > count_cards_to_write(table):
        raise CommandError("too-many-cards", n=count_cards_to_write(table))
    return replace(table, cards={**table.cards, player: tuple(map(read_card, lines))})


def read_card(line: str) -> str:
    """Return a rule card in canonical form.

    Raises:
        CommandError: if it cannot be read.
    """
    try:
        return parse_rule_card(line).text
    except NotationError as error:
        raise CommandError("bad-card", reason=error) from error


def set_ready(table: TableState, player: str) -> TableState:
    """Return the table with a person ready for the next round or match.

    Raises:
        CommandError: if it is not the time for it, or for a second try at a daily deal.
    """
    table.require_seat(player)
    if table.daily and table.phase == "over":
        raise CommandError("daily")
    if table.duplicate is not None and not table.has_next_deal:
        raise CommandError("duplicate")
    if table.phase not in ("between", "over"):
        raise CommandError("not-now")
    return table if player in table.ready else replace(table, ready=(*table.ready, player))


def all_written(table: TableState, here: Set[str]) -> bool:
    """Return whether every connected person with a seat has written; False while all of them are disconnected."""
    playing = _playing(table, here)
    lost = not playing and any(table.playing_seat(player) is not None for player in table.players)
    return not lost and all(player in table.cards for player in playing)


def all_ready(table: TableState, awaited: Set[str]) -> bool:
    """Return whether everybody with a seat whom the table awaits, connected or not, is ready; at least one."""
    playing = _playing(table, awaited)
    return bool(playing) and all(player in table.ready for player in playing)


def count_playing(table: TableState, here: Set[str]) -> int:
    """Return the number of connected persons who play."""
    return len(_playing(table, here))


def needs_new_secret(before: TableState, after: TableState) -> bool:
    """Return whether a change moved a person away from the seat of their number, and kept the secret.

    A number belongs to a seat. A person who knows secret and numbers could otherwise choose who gets which hand.
    """
    moved = any(before.seat_of(player) != after.seat_of(player) for player in before.numbers)
    return moved and after.secret == before.secret


def renew_secret(table: TableState, secret: str) -> TableState:
    """Return the table with another secret, in hex, and no numbers."""
    return replace(table, secret=secret, numbers={})


def mark_dealt(table: TableState, match: str, secret: str) -> TableState:
    """Return the table after the first deal of a match, with the secret of the next match in hex; a duplicate match has
    it already.
    """
    if table.duplicate is not None:
        secret = deal_secret(bytes.fromhex(table.duplicate.secret), table.duplicate.deal + 1).hex()
    return change_phase(
        renew_secret(table, secret),
        "deal",
        match=match,
        round=0,
        lesson=0,
        cards={},
        ready=(),
        spent=(),
        played_by=(),
        vote=None,
    )


def record_bank_use(table: TableState, number: int, spent: Sequence[int]) -> TableState:
    """Return the table with the bank time used in a round (milliseconds by seat); it is never given back."""
    if table.phase != "playing" or table.round != number:
        return table
    return replace(table, spent=tuple(map(max, spent, table.spent or spent)) or table.spent)


def end_round(table: TableState, number: int, here: Container[str]) -> TableState:
    """Return the table after a round that is not the last: those who wait get seats. A repeat changes nothing."""
    if table.phase != "playing" or table.round > number:
        return table
    ended = change_phase(table, "end_round", played_by=_occupants_only(table), round=number, ready=())
    return seat_waiting(ended, here)


def next_round(table: TableState, number: int) -> TableState:
    """Return the table after the deal of the next round."""
    if not is_possible(table, "next_round"):
        return table
    return change_phase(readmit_kicked(table), "next_round", round=number, ready=(), spent=(), played_by=())


def end_match(
    table: TableState, match: str, winners: Sequence[int], here: Mapping[str, str], *, lesson: bool = False
) -> TableState:
    """Return the table after the match: wins are counted unless it was a lesson, those who wait get seats.

    A second call changes nothing.
    """
    if (table.phase, table.match) != ("playing", match):
        return table
    wins = dict(table.wins)
    for seat in () if lesson else winners:
        occupant = table.seats[seat]
        if occupant is not None and occupant.player is not None:
            wins[occupant.player] = wins.get(occupant.player, 0) + 1
    table = change_phase(
        table,
        "end_match",
        played=table.played + (not lesson),
        wins=wins,
        ready=(),
        paused=False,
        vote=None,
        played_by=_occupants_only(table),
    )
    for player, name in here.items():
        table = rename(table, Person(player, name))
    return release_left_seats(seat_waiting(table, here), table.level)


def _occupants_only(table: TableState) -> tuple[Occupant | None, ...]:
    """Return who sits where, without later occupants."""
    return tuple(
        occupant and Occupant(name=occupant.name, player=occupant.player, bot=occupant.bot, style=occupant.style)
        for occupant in table.seats
    )


def new_match_row(code: str, table: TableState, id: str) -> MatchRow:
    """Return a match with the persons, settings and secret of a full table; the store adds when it began."""
    occupants = [occupant for occupant in table.seats if occupant is not None]
    secret = bytes.fromhex(table.secret)
    numbers = tuple(table.numbers.get(player or "", "") for player in table.players)
    return MatchRow(
        id=id,
        table=code,
        rules=table.settings.rules,
        names=tuple(occupant.name for occupant in occupants),
        players=table.players,
        bots=tuple(occupant.bot for occupant in occupants),
        host=0 if table.duplicate is not None else table.seat_of(table.host.id) or 0,
        secret=secret,
        numbers=numbers,
        seed=mix_seed(secret, numbers),
        position=lesson_position(table),
        daily=table.daily or None,
        duplicate=None if table.duplicate is None else table.duplicate.code,
        deal=0 if table.duplicate is None else table.duplicate.deal,
        rule_cards=written_cards(table),
        started=0,
        finished=None,
        winners=None,
    )


def lesson_position(table: TableState) -> str | None:
    """Return the position in which the table's lesson begins, if the settings still fit it."""
    lesson = find_lesson(table.settings.rules, table.lesson)
    if lesson is None or table.players != lesson.owners(table.host.id):
        return None
    return str(lesson.start)


def written_cards(table: TableState) -> tuple[str, ...] | None:
    """Return the written cards by seat; built-in ones replace missing ones (WJ-4)."""
    each = count_cards_to_write(table)
    if not each:
        return None
    written = [
        card for occupant in table.seats if occupant is not None for card in table.cards.get(occupant.player or "", ())
    ]
    spare = [card.text for card in BUILT_IN.values() if card.text not in written]
    return tuple([*written, *spare][: each * len(table.seats)])


def _playing(table: TableState, here: Set[str]) -> list[str]:
    """Return the connected persons who play."""
    players = (occupant.player for occupant in table.seats if occupant is not None and occupant.away is None)
    return [player for player in players if player is not None and player in here]
