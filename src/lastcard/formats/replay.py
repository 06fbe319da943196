"""Playing a match record back: move by move, or to prove that every word of it is true."""

from __future__ import annotations

from collections.abc import Iterator

from lastcard.errors import LastcardError, RecordError
from lastcard.game.moves import Move, parse_seat_move
from lastcard.game.toml import toml_value
from lastcard.match.events import Event
from lastcard.match.match import Match
from lastcard.match.record import Record, RoundRecord


def start_match(record: Record) -> Match:
    """The match of a record before its first move.

    Raises:
        RecordError: where the seed is left out, does not fit its commitment or was not made as promised.
    """
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
    """Play a record back.

    Args:
        record: one with its seed.

    Yields:
        For every move the match after it, the seat, the move and what happened. The match is one object
        that goes on; look at it before asking for the next move.

    Raises:
        RecordError: at the first place that is not true; names the round and the move.
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
    """Check that a round ended as its record says."""
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
    """A value as it stands in a record; where it is left out, nothing stands there."""
    return "nothing" if value is None else toml_value(value)


def verify_record(record: Record) -> None:
    """Prove a record: the seed is the one committed to and promised, every move is legal, every number comes out.

    Raises:
        RecordError: at the first place that is not true; names the round and the move.
    """
    for _ in replay(record):
        pass
