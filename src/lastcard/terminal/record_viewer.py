"""Viewer of a recorded match: step by step in words, or an explanation of its proof."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from lastcard.errors import RecordError, UsageError, prefix_errors
from lastcard.formats.duplicate_archive import DuplicateArchive, read_archive
from lastcard.formats.record_files import read_record
from lastcard.formats.replay import replay, start_match, verify_record
from lastcard.match.match import Match
from lastcard.match.record import Record
from lastcard.match.round import Round
from lastcard.terminal import display
from lastcard.terminal.line_io import InputEnded, LineTerminal
from lastcard.text.locale import Catalog, catalog
from lastcard.text.narration import Narrator

_QUIT_WORDS = ("q", "quit")


def check_record(path: Path) -> str:
    """Verify a record; returns ``ok: 2 rounds, 187 moves``. Raises a RecordError at the first false statement."""
    record = _verified_record(path)
    moves = sum(len(played.moves) for played in record.rounds)
    return f"ok: {_count(len(record.rounds), 'round')}, {_count(moves, 'move')}"


def _verified_record(path: Path) -> Record:
    record = read_record(path)
    with prefix_errors(path, RecordError):
        verify_record(record)
    return record


def _count(n: int, noun: str) -> str:
    return f"{n} {noun}{'' if n == 1 else 's'}"


def explain_proof(path: Path, language: str, terminal: LineTerminal) -> None:
    """Prove a record, or the archive of a duplicate match, and print an explanation of the proof.

    A false one raises a RecordError before any output.
    """
    archive = read_archive(path)
    if archive is not None:
        with prefix_errors(path, RecordError):
            archive.verify()
        terminal.write(*_archive_lines(archive, catalog(language)))
        return
    record = _verified_record(path)
    terminal.write(*_proof_lines(record, catalog(language)))


def _archive_lines(archive: DuplicateArchive, texts: Catalog) -> Iterator[str]:
    """Yields the statements that an archive proves."""
    yield texts.text("play.verify.duplicate.promise", promise=archive.promise)
    yield texts.text("play.verify.duplicate", tables=archive.tables, deals=archive.deals)
    yield texts.text("play.verify.unproved")
    yield texts.text("play.verify.limits")


def _proof_lines(record: Record, texts: Catalog) -> Iterator[str]:
    """Yields the statements that a record proves, from the shuffle to the scores."""
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


def show_record(path: Path, language: str, seat: int | None, terminal: LineTerminal) -> None:
    """Show a match as a seat or a spectator (None) sees it: all at once, or step by step if there is a keyboard.

    Raises:
        RecordError: if the record is damaged.
        UsageError: for a seat that does not exist.
    """
    record = read_record(path)
    if seat is not None and not 0 <= seat < len(record.players):
        raise UsageError(f"{path}: there is no seat {seat}; seats are 0 to {len(record.players) - 1}")
    with suppress(InputEnded), prefix_errors(path, RecordError):
        _show_match(record, language, seat, terminal)


def _show_match(record: Record, language: str, seat: int | None, terminal: LineTerminal) -> None:
    texts = catalog(language)
    match = start_match(record)
    narrator = Narrator(match, texts)
    game, players = texts.text(f"game.{record.rules.game}"), ", ".join(record.players)
    terminal.write(texts.text("replay.title", game=game, rules=record.rules, players=players))
    number = -1
    for match, actor, move, events in replay(record):
        narrator.match = match
        if match.number != number:
            number = match.number
            _show_round_start(match, narrator, seat, terminal)
        _wait_for_step(terminal, texts.text("replay.step"))
        terminal.write(f"{actor}:{move}", *("  " + line for line in narrator.lines(events, seat)))
        if match.round.over:
            terminal.write("", *display.round_result_lines(match, narrator, seat))
    terminal.write(
        "", *(display.match_result_lines(match, narrator, seat) if match.over else [texts.text("replay.going_on")])
    )


def _show_round_start(match: Match, narrator: Narrator, seat: int | None, terminal: LineTerminal) -> None:
    dealer = match.dealer
    key = "play.round.you" if dealer == seat else "play.round"
    terminal.write("", narrator.texts.text(key, number=match.number + 1, player=narrator.name(dealer)))
    # The match is already after the first move, so a fresh deal shows the events of the first card.
    round_ = Round.deal(
        match.rules,
        len(match.players),
        seed=match.seed,
        dealer=dealer,
        number=match.number,
        rule_cards=match.rule_cards,
    )
    terminal.write(*narrator.lines(round_.events(), seat))


def _wait_for_step(terminal: LineTerminal, question: str) -> None:
    if terminal.is_interactive and terminal.ask(question).lower() in _QUIT_WORDS:
        raise InputEnded
