"""From table to match and back: writing rule cards, the start, the end of a round, the end of a match."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence, Set

from lastcard.errors import NotationError
from lastcard.game.rulecards import BUILT_IN, cards_each, parse_rule_card
from lastcard.game.seeds import mix_seed
from lastcard.server.guard.security import new_id
from lastcard.server.seats.document import Denied, Document, Person, Place, new_secret, replace
from lastcard.server.seats.lessons import LESSONS
from lastcard.server.seats.seating import fill, pardon, release, rename, seat_waiting
from lastcard.server.store.rows import MatchRow, now_ms


def begin(table: Document, level: str, here: Container[str]) -> Document:
    """A match is to start: every seat is taken; with written rule cards they are written first.

    Args:
        table: as it stands.
        level: of the bots that fill free seats.
        here: ids of connected persons: those who wait get a seat.
    """
    table = replace(fill(table, level, here), level=level, quick=False, ready=(), cards={}, played_by=())
    return replace(table, phase="writing" if writes(table) else "dealing")


def writes(table: Document) -> int:
    """How many rule cards each person writes before a match; 0 where none are written."""
    return cards_each(len(table.seats)) if table.rules.options.wj_rules == "written" else 0


def write_cards(table: Document, player: str, lines: Sequence[str]) -> Document:
    """The rule cards of one person.

    Raises:
        Denied: out of place, too many, or with a card that cannot be read.
    """
    if table.phase != "writing":
        raise Denied("not-now")
    if table.playing_seat(player) is None:
        raise Denied("not-seated")
    if len(lines) > writes(table):
        raise Denied("too-many-cards", n=writes(table))
    return replace(table, cards={**table.cards, player: tuple(map(read_card, lines))})


def read_card(line: str) -> str:
    """A rule card in its canonical form.

    Raises:
        Denied: where it cannot be read.
    """
    try:
        return parse_rule_card(line).text
    except NotationError as error:
        raise Denied("bad-card", reason=error) from error


def be_ready(table: Document, player: str) -> Document:
    """Somebody wants the next round, or after a match another one.

    Raises:
        Denied: out of place.
    """
    if table.playing_seat(player) is None:
        raise Denied("not-seated")
    if table.phase not in ("between", "over"):
        raise Denied("not-now")
    return table if player in table.ready else replace(table, ready=(*table.ready, player))


def all_written(table: Document, here: Set[str]) -> bool:
    """Whether every connected person who sits has written. While all of them have lost the line, none has."""
    playing = _playing(table, here)
    lost = not playing and any(table.playing_seat(player) is not None for player in table.players)
    return not lost and all(player in table.cards for player in playing)


def all_ready(table: Document, awaited: Set[str]) -> bool:
    """Whether everybody who sits and is waited for wants to go on; at least one.

    Args:
        table: as it stands.
        awaited: ids of connected persons, and of others who are waited for.
    """
    playing = _playing(table, awaited)
    return bool(playing) and all(player in table.ready for player in playing)


def count_playing(table: Document, here: Set[str]) -> int:
    """How many connected persons play.

    Args:
        table: as it stands.
        here: ids of connected persons.
    """
    return len(_playing(table, here))


def match_row(code: str, table: Document) -> MatchRow:
    """A match with the persons, settings and secret of a table.

    Args:
        code: of the table.
        table: with every seat taken.
    """
    places = [place for place in table.seats if place is not None]
    secret = bytes.fromhex(table.secret)
    numbers = tuple(table.numbers.get(player or "", "") for player in table.players)
    return MatchRow(
        id=new_id(),
        table=code,
        rules=table.settings.rules,
        names=tuple(place.name for place in places),
        players=table.players,
        bots=tuple(place.bot for place in places),
        host=table.seat_of(table.host.id) or 0,
        secret=secret,
        numbers=numbers,
        seed=mix_seed(secret, numbers),
        position=_lesson(table),
        rule_cards=_rule_cards(table),
        started=now_ms(),
        finished=None,
        winners=None,
    )


def reseal(before: Document, after: Document) -> Document:
    """The table after a change, with a new secret where somebody has left the seat a number was given in.

    A number stands for a seat: whoever knows secret and numbers could otherwise choose who gets which hand.
    """
    moved = any(before.seat_of(player) != after.seat_of(player) for player in before.numbers)
    return replace(after, secret=new_secret(), numbers={}) if moved and after.secret == before.secret else after


def dealt(table: Document, match: str) -> Document:
    """The match is in the store and its first round dealt: secret and numbers are new for the next one."""
    return replace(
        table,
        phase="playing",
        match=match,
        round=0,
        secret=new_secret(),
        lesson=False,
        numbers={},
        cards={},
        ready=(),
        spent=(),
        played_by=(),
        vote=None,
    )


def note_time(table: Document, number: int, spent: Sequence[int]) -> Document:
    """Time of banks that was used in a round; what is noted once is never given back.

    Args:
        table: as it stands.
        number: of the round.
        spent: milliseconds by seat; empty for none.
    """
    if table.phase != "playing" or table.round != number:
        return table
    return replace(table, spent=tuple(map(max, spent, table.spent or spent)) or table.spent)


def end_round(table: Document, number: int, here: Container[str]) -> Document:
    """A round is over and the match goes on: those who wait get their seats. Done once, by whatever worker."""
    if table.phase != "playing" or table.round > number:
        return table
    return replace(
        seat_waiting(replace(table, phase="between", played_by=_sitters(table)), here), round=number, ready=()
    )


def next_round(table: Document, number: int) -> Document:
    """The next round has been dealt."""
    if not table.in_match:
        return table
    return replace(pardon(table), phase="playing", round=number, ready=(), spent=(), played_by=())


def end_match(
    table: Document, match: str, winners: Sequence[int], here: Mapping[str, str], *, lesson: bool = False
) -> Document:
    """The match is won: wins are counted, who waits gets a seat, and the table may start again. Done once.

    Args:
        table: as it stands.
        match: that is over.
        winners: the seats that won.
        here: the names of all connected persons by id, new ones too.
        lesson: whether its cards were prepared: then it does not count.
    """
    if (table.phase, table.match) != ("playing", match):
        return table
    wins = dict(table.wins)
    for seat in () if lesson else winners:
        place = table.seats[seat]
        if place is not None and place.player is not None:
            wins[place.player] = wins.get(place.player, 0) + 1
    table = replace(
        table,
        phase="over",
        played=table.played + (not lesson),
        wins=wins,
        ready=(),
        paused=False,
        vote=None,
        played_by=_sitters(table),
    )
    for player, name in here.items():
        table = rename(table, Person(player, name))
    return release(seat_waiting(table, here), table.level)


def _sitters(table: Document) -> tuple[Place | None, ...]:
    """Who sits where, and nothing of what may become of it."""
    return tuple(
        place and Place(name=place.name, player=place.player, bot=place.bot, style=place.style) for place in table.seats
    )


def _lesson(table: Document) -> str | None:
    """Where the lesson begins that the table was made for, as long as it still fits it."""
    lesson = LESSONS.get(table.settings.rules) if table.lesson else None
    if lesson is None or table.players != lesson.seats(table.host.id):
        return None
    return str(lesson.start)


def _rule_cards(table: Document) -> tuple[str, ...] | None:
    """The written cards seat by seat, missing ones filled with built-in ones (WJ-4)."""
    each = writes(table)
    if not each:
        return None
    written = [card for place in table.seats if place is not None for card in table.cards.get(place.player or "", ())]
    spare = [card.text for card in BUILT_IN.values() if card.text not in written]
    return tuple([*written, *spare][: each * len(table.seats)])


def _playing(table: Document, here: Set[str]) -> list[str]:
    return [player for player in here if table.playing_seat(player) is not None]
