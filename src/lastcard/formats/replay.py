"""Replay of a match record: move by move, or to prove that it is true."""

from __future__ import annotations

from collections.abc import Iterator

from lastcard.errors import LastcardError, RecordError
from lastcard.game.moves import Move, parse_seat_move
from lastcard.game.toml import toml_value
from lastcard.match.events import Event
from lastcard.match.match import Match
from lastcard.match.record import Record, RoundRecord


def start_match(record: Record) -> Match:
    """Returns the match of a record before its first move; raises a RecordError if the seed is missing or wrong."""
    if record.seed is None:
        raise RecordError("head: the seed is left out, as it is while a match is going on; it cannot be played back")
    record.check_seed()
    try:
        return Match(
            record.rules,
            players=list(record.players),
            seed=record.seed,
            host=record.host,
            rule_cards=record.rule_cards,
        )
    except LastcardError as error:
        raise RecordError(f"head: {error}") from error


def replay(record: Record) -> Iterator[tuple[Match, int, Move, list[Event]]]:
    """Replay a record that has its seed.

    >>> record = play(Match("all-wild", 2, seed=1), "sharp").record()
    >>> [str(move) for match, seat, move, events in replay(record)][:3]
    ['W', 'Wx>1', 'W']

    Yields:
        For every move the match after it, the seat, the move and its events. The match is the same object
        every time; read it before requesting the next move.

    Raises:
        RecordError: at the first false statement; names the round and the move.
    """
    match = start_match(record)
    for number, played in enumerate(record.rounds, start=1):
        if number > 1:
            try:
                match.next_round()
            except LastcardError as error:
                raise RecordError(f"round {number}: {error}") from error
        if match.dealer != played.dealer:
            raise RecordError(f"round {number}: seat {match.dealer} deals, not seat {played.dealer}")
        for count, text in enumerate(played.moves, start=1):
            try:
                seat, move = parse_seat_move(text)
                events = match.do(seat, move)
            except LastcardError as error:
                raise RecordError(f"round {number}, move {count} {text!r}: {error}") from error
            yield match, seat, move, list(events)
        _check_end(match, played, number)
    _check_result(match, record)


def _check_end(match: Match, played: RoundRecord, number: int) -> None:
    round_ = match.round
    if round_.over != played.over:
        raise RecordError(
            f"round {number}: it is over after its last move, yet neither winner nor void is written down"
            if round_.over
            else f"round {number}: an end is written down, yet it is still going on after its last move"
        )
    if not round_.over:
        return
    for key, found, written in (
        ("winner", round_.winner, played.winner),
        ("void", bool(round_.void), played.void),
        ("held", tuple(round_.held), played.held),
        ("scores", tuple(match.scores), played.scores),
    ):
        if found != written:
            raise RecordError(
                f"round {number}: {key} differs: the moves give {_format_value(found)}, "
                f"the record says {_format_value(written)}"
            )


def _check_result(match: Match, record: Record) -> None:
    winners = None if match.winners is None else tuple(sorted(match.winners))
    if record.rounds and winners != record.winners:
        raise RecordError(
            f"result: the winners differ: the moves give {_format_value(winners)}, "
            f"the record says {_format_value(record.winners)}"
        )


def _format_value(value: int | tuple[int, ...] | None) -> str:
    return "nothing" if value is None else toml_value(value)


def verify_record(record: Record) -> None:
    """Prove a record: the seed matches its commitment and shuffle, every move is legal, every number is right.

    >>> verify(play(Match("all-wild", 2, seed=1), "sharp").record())

    Raises:
        RecordError: at the first false statement; names the round and the move.
    """
    for _ in replay(record):
        pass
