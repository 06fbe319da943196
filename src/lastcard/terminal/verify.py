"""``lastcard verify FILE``: a record proved, and in a few lines what that proof means."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from lastcard.notation.record import read_record
from lastcard.notation.replay import verify_record
from lastcard.play.record import Record
from lastcard.terminal.talk import Talk
from lastcard.words.locale import Catalog, catalog


def verify(path: Path, language: str, talk: Talk) -> None:
    """Prove a record and say in words what was proved.

    Args:
        path: the record.
        language: of the words.
        talk: where they go.

    Raises:
        RecordError: at the first place that is not true; nothing has been said then.
    """
    record = read_record(path)
    verify_record(record)
    talk.say(*_findings(record, catalog(language)))


def _findings(record: Record, texts: Catalog) -> Iterator[str]:
    """What a proved record proves, from the shuffle to the scores."""
    shuffle = record.shuffle
    if shuffle is None:
        yield texts.text("play.verify.alone")
    else:
        yield texts.text("play.verify.promise", promise=shuffle.promise)
        yield texts.text("play.verify.numbers")
        for player, number in zip(record.players, shuffle.numbers, strict=True):
            yield f"  {player}: {number or '–'}"
        yield texts.text("play.verify.seed")
    yield texts.text("play.verify.seal", commitment=record.commitment)
    moves = sum(len(played.moves) for played in record.rounds)
    yield texts.text("play.verify.cards", rounds=len(record.rounds), moves=moves)
    if scored := [played.scores for played in record.rounds if played.scores is not None]:
        yield texts.text("play.verify.scores")
        for player, points in zip(record.players, scored[-1], strict=True):
            yield "  " + texts.text("play.score", player=player, points=texts.text("count.points", n=points))
    if record.winners is None:
        yield texts.text("replay.going_on")
    yield texts.text("play.verify.true")
    yield texts.text("play.verify.limits")
