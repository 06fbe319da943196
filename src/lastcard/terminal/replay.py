"""A recorded match in words: step by step, or what the proof that it is true proves."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from lastcard.errors import RecordError, UsageError, naming
from lastcard.formats.record import read_record
from lastcard.formats.replay import replay, start, verify_record
from lastcard.match.match import Match
from lastcard.match.record import Record
from lastcard.match.round import Round
from lastcard.terminal import show
from lastcard.terminal.talk import Gone, Talk
from lastcard.text.locale import Catalog, catalog
from lastcard.text.narrate import Narrator

_STOP = ("q", "quit")


def check_record(path: Path) -> str:
    """Verify a record.

    Returns:
        ``ok: 2 rounds, 187 moves``.

    Raises:
        RecordError: at the first place that is not true.
    """
    record = _prove(path)
    moves = sum(len(played.moves) for played in record.rounds)
    return f"ok: {_count(len(record.rounds), 'round')}, {_count(moves, 'move')}"


def _prove(path: Path) -> Record:
    """The record in a file, which is true."""
    record = read_record(path)
    with naming(path, RecordError):
        verify_record(record)
    return record


def _count(n: int, noun: str) -> str:
    return f"{n} {noun}{'' if n == 1 else 's'}"


def explain_proof(path: Path, language: str, talk: Talk) -> None:
    """Prove a record and say in words what was proved.

    Args:
        path: the record.
        language: of the words.
        talk: where they go.

    Raises:
        RecordError: at the first place that is not true; nothing has been said then.
    """
    record = _prove(path)
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
    shared = shuffle is not None and any(shuffle.numbers)
    yield texts.text("play.verify.true" if shared else "play.verify.unproved")
    yield texts.text("play.verify.limits")


def show_record(path: Path, language: str, seat: int | None, talk: Talk) -> None:
    """Show a match: all at once, or step by step where somebody sits at a keyboard.

    Args:
        path: the record.
        language: of the words.
        seat: through whose eyes; None for a spectator.
        talk: the terminal.

    Raises:
        RecordError: where the record is damaged.
        UsageError: for a seat that the table does not have.
    """
    record = read_record(path)
    if seat is not None and not 0 <= seat < len(record.players):
        raise UsageError(f"{path}: there is no seat {seat}; seats are 0 to {len(record.players) - 1}")
    with suppress(Gone), naming(path, RecordError):
        _show(record, language, seat, talk)


def _show(record: Record, language: str, seat: int | None, talk: Talk) -> None:
    texts = catalog(language)
    match = start(record)
    narrator = Narrator(match, texts)
    game, players = texts.text(f"game.{record.rules.game}"), ", ".join(record.players)
    talk.say(texts.text("replay.title", game=game, rules=record.rules, players=players))
    number = -1
    for match, actor, move, events in replay(record):
        narrator.match = match
        if match.number != number:
            number = match.number
            _open_round(match, narrator, seat, talk)
        _step(talk, texts.text("replay.step"))
        talk.say(f"{actor}:{move}", *("  " + line for line in narrator.lines(events, seat)))
        if match.round.over:
            talk.say("", *show.result(match, narrator, seat))
    talk.say("", *(show.ending(match, narrator, seat) if match.over else [texts.text("replay.going_on")]))


def _open_round(match: Match, narrator: Narrator, seat: int | None, talk: Talk) -> None:
    dealer = match.dealer
    key = "play.round.you" if dealer == seat else "play.round"
    talk.say("", narrator.texts.text(key, number=match.number + 1, player=narrator.name(dealer)))
    # The match stands after the first move already: what the first card did is seen at a fresh deal.
    table = Round.deal(
        match.rules,
        len(match.players),
        seed=match.seed,
        dealer=dealer,
        number=match.number,
        rule_cards=match.rule_cards,
    )
    talk.say(*narrator.lines(table.events(), seat))


def _step(talk: Talk, question: str) -> None:
    if talk.keyboard and talk.ask(question).lower() in _STOP:
        raise Gone
