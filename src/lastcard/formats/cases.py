"""Conformance cases: positions, moves and expected results. The format is in ``docs/notation.md``.

``read_cases`` reads a file strictly, ``run_case`` plays one case and lists differences, ``run_cases`` runs whole files.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from lastcard.errors import IllegalMove, LastcardError, NotationError, UsageError
from lastcard.game.cards import NO_COLOR, card_name, color_letter, parse_card, parse_color
from lastcard.game.moves import Move, parse_move, parse_seat_move, seat_move_text
from lastcard.game.position import DIRECTIONS, KEYS, Position, parse_direction, parse_pile, parse_position, pile_text
from lastcard.game.text_files import read_text
from lastcard.game.toml import (
    Fields,
    expect_bool,
    expect_list,
    expect_number,
    expect_numbers,
    expect_table,
    expect_text,
    faults_text,
    parse_toml,
)
from lastcard.match.match import match_result, next_dealer, score_round
from lastcard.match.round import Round
from lastcard.rules import phases

CASE_KEYS: Final = ("id", *KEYS, "moves", "why", "clauses", "expect")


@dataclass(frozen=True, slots=True)
class CaseMove:
    """One line of ``moves``: a seat, its move, and whether it must be refused."""

    seat: int
    move: Move
    is_refused: bool = False

    def __str__(self) -> str:
        return ("x " if self.is_refused else "") + seat_move_text(self.seat, self.move)


@dataclass(frozen=True, slots=True)
class Case:
    """One conformance case."""

    id: str
    """Name, unique in a file."""
    position: Position
    """Initial position."""
    moves: tuple[CaseMove, ...]
    expect: Mapping[str, Any]
    """Expected values at the end, by key of ``EXPECT``."""
    why: str = ""
    clauses: tuple[str, ...] = ()
    """Ids of the clauses that it tests."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """Result of a run of cases: the number that passed; file, id and differences of each that failed."""

    passed: int
    failures: tuple[tuple[str, str, tuple[str, ...]], ...]

    def __str__(self) -> str:
        lines = [f"{path}: {id}: {line}" for path, id, lines in self.failures for line in lines]
        return "\n".join([*lines, f"{self.passed} passed, {len(self.failures)} failed"])


# --- reading ------------------------------------------------------------------------------------


def _seat_table_reader(parse: Callable[[object], Any]) -> Callable[[object], dict[int, Any]]:
    """Returns a reader of a table whose keys are seats."""

    def read(value: object) -> dict[int, Any]:
        table = expect_table(value)
        for key in table:
            if not (key.isascii() and key.isdigit() and len(key) <= 2):
                raise NotationError(f"{key!r} is not a seat, a number from 0")
        return {int(key): parse(member) for key, member in table.items()}

    return read


def _parse_hand(value: object) -> tuple[int, ...]:
    return tuple(sorted(parse_pile(expect_text(value))))


def _parse_winners(value: object) -> tuple[int, ...]:
    return tuple(sorted(expect_numbers(value))) if isinstance(value, list) else (expect_number(value),)


def _parse_decision(value: object) -> str:
    word = expect_text(value).strip().lower()
    if word not in phases.NAMES:
        raise NotationError(f"there is no decision {word!r}; the decisions are {', '.join(phases.NAMES)}")
    return word


def _parse_current_color(value: object) -> int:
    return parse_color(expect_text(value)) if value != "" else NO_COLOR


def _without_calls(moves: Iterable[Move]) -> frozenset[Move]:
    """Returns moves without ``uno`` and the ``!`` forms, which ``legal`` leaves out."""
    return frozenset(move for move in moves if move.verb != "uno" and not move.uno)


def _parse_moves(value: object) -> frozenset[Move]:
    return _without_calls(parse_move(expect_text(member)) for member in expect_list(value))


EXPECT: Final[dict[str, Callable[[object], Any]]] = {
    "turn": expect_number,
    "decision": _parse_decision,
    "direction": parse_direction,
    "top": lambda value: parse_card(expect_text(value)),
    "color": _parse_current_color,
    "hands": _seat_table_reader(_parse_hand),
    "counts": _seat_table_reader(expect_number),
    "draw_count": expect_number,
    "discard_count": expect_number,
    "exposed": lambda value: tuple(sorted(expect_numbers(value))),
    "winner": expect_number,
    "held": expect_numbers,
    "scores": expect_numbers,
    "match_winner": _parse_winners,
    "match_over": expect_bool,
    "next_dealer": expect_number,
    "void": expect_bool,
    "legal": _parse_moves,
}
"""The keys of ``expect``, each with its reader."""


def _name(value: object) -> str:
    name = expect_text(value)
    if not name.strip():
        raise NotationError("a case needs a name, by which failures call it")
    return name


def _parse_case_move(value: object) -> CaseMove:
    text = expect_text(value)
    refused = text.lstrip().lower().startswith("x ")
    seat, move = parse_seat_move(text.lstrip()[2:] if refused else text)
    return CaseMove(seat, move, refused)


def parse_case(mapping: Mapping[str, Any]) -> Case:
    """Returns the case of a TOML table; a NotationError lists all faults."""
    fields = Fields(mapping, CASE_KEYS)
    id = fields.read("id", _name, "", required=True)
    why = fields.read("why", expect_text, "")
    clauses = fields.read_each("clauses", expect_text)
    moves = fields.read_each("moves", _parse_case_move)
    nothing: dict[str, Any] = {}
    expected = Fields(fields.read("expect", expect_table, nothing, required=True), tuple(EXPECT), "expect.")
    expect = {key: expected.read(key, parse, None) for key, parse in EXPECT.items() if key in expected}
    faults = fields.faults + expected.faults
    try:
        position = parse_position({key: value for key, value in mapping.items() if key in KEYS})
    except NotationError as error:
        faults += [line.strip() for line in str(error).splitlines() if not line.endswith("faults:")]
    else:
        faults += _seat_faults(len(position.hands), moves, expect)
    if faults:
        raise NotationError(faults_text(faults))
    return Case(id, position, moves, expect, why, clauses)


def _seat_faults(players: int, moves: Iterable[CaseMove], expect: Mapping[str, Any]) -> Iterable[str]:
    """Yields faults of seats that do not exist: all their moves are refused, so they test nothing."""
    named = [(f"moves: {case_move}", case_move.seat) for case_move in moves]
    named += [("expect", seat) for seat in sorted({s for key in ("hands", "counts") for s in expect.get(key) or ()})]
    for place, seat in named:
        if seat >= players:
            yield f"{place}: there is no seat {seat}; the seats are 0 to {players - 1}"


def read_cases(path: str | Path) -> list[Case]:
    """Returns the cases of a file; a NotationError for another file names the file, the case and the fault."""
    text = read_text(path, NotationError)
    try:
        document = parse_toml(text)
    except NotationError as error:
        raise NotationError(f"{path}: is not TOML: {error}") from None
    tables = document.get("case")
    if not isinstance(tables, list) or not tables or not all(isinstance(table, dict) for table in tables):
        raise NotationError(f"{path}: no cases in it; expected an array of [[case]]")
    faults = [f"{path}: {key}: unknown key; the only one is case" for key in document if key != "case"]
    cases: list[Case] = []
    for i, table in enumerate(tables):
        name = id if isinstance(id := table.get("id"), str) and id.strip() else f"case {i + 1}"
        try:
            cases.append(parse_case(table))
        except LastcardError as error:
            faults.append(f"{path}: {name}: {error}")
        if name in {case.id for case in cases[:-1]}:
            faults.append(f"{path}: {name}: this id is given twice")
    if faults:
        raise NotationError("\n".join(faults))
    return cases


# --- running ------------------------------------------------------------------------------------


def run_case(case: Case) -> list[str]:
    """Play a case; returns differences from the expectation, a line each, none if it passed."""
    round_ = Round.from_position(case.position)
    differences = [line for case_move in case.moves for line in _apply_case_move(round_, case_move)]
    for key, expected in case.expect.items():
        found = _ACTUAL[key](round_, case.position, expected) if key in _ACTUAL else getattr(round_, key)
        if not _is_same(key, expected, found):
            differences.append(f"{key} = {format_value(key, found)}, expected {format_value(key, expected)}")
    return differences


def _apply_case_move(round_: Round, case_move: CaseMove) -> Iterable[str]:
    """Apply one move, or check that it is refused and changes nothing; yields differences."""
    before = round_.state_bytes()
    try:
        round_.do(case_move.seat, case_move.move)
    except (IllegalMove, UsageError, NotationError) as error:
        if not case_move.is_refused:
            clause = f", {error.clause}" if isinstance(error, IllegalMove) else ""
            yield f"{case_move} was refused ({error.code}{clause}): {error}"
        if round_.state_bytes() != before:
            yield f"{case_move} was refused and yet changed the table"
    else:
        if case_move.is_refused:
            yield f"{case_move} was accepted"


def _values_of_seats(values: Sequence[Any], asked: Mapping[int, Any]) -> dict[int, Any]:
    return {seat: values[seat] for seat in asked}


def _scores(round_: Round, position: Position) -> tuple[int, ...]:
    if not round_.over:
        return position.scores
    return score_round(position.rules, position.scores, round_.winner, round_.held, round_.void)


def _result(round_: Round, position: Position) -> tuple[int, ...] | None:
    return match_result(position.rules, _scores(round_, position), round_.winner) if round_.over else None


def _next_dealer(round_: Round, position: Position) -> int | None:
    players = len(position.hands)
    return next_dealer(position.rules, position.dealer, players, round_.winner, round_.held, round_.void)


_ACTUAL: Final[dict[str, Callable[[Round, Position, Any], Any]]] = {
    "hands": lambda table, position, expected: _values_of_seats([tuple(sorted(h)) for h in table.hands], expected),
    "counts": lambda table, position, expected: _values_of_seats([len(h) for h in table.hands], expected),
    "exposed": lambda table, position, expected: tuple(sorted(table.exposed)),
    "scores": lambda table, position, expected: _scores(table, position),
    "match_winner": lambda table, position, expected: _result(table, position),
    "match_over": lambda table, position, expected: _result(table, position) is not None,
    "next_dealer": lambda table, position, expected: _next_dealer(table, position),
    "legal": lambda table, position, expected: _without_calls(table.legal()),
}
"""Functions for the keys that are no attributes of a round."""


def _is_same(key: str, expected: Any, found: Any) -> bool:
    if key == "match_winner" and found is not None and len(expected) == 1:
        # A single expected seat has won, alone or with its partner (LC-46).
        return expected[0] in found
    return bool(expected == found)


def format_value(key: str, value: Any) -> str:
    """Returns a value in notation."""
    if value is None:
        return "none"
    if key == "hands":
        return _format_table({seat: f'"{pile_text(hand)}"' for seat, hand in value.items()})
    if key == "counts":
        return _format_table(value)
    if key == "legal":
        return "[" + ", ".join(sorted(f'"{move}"' for move in value)) + "]"
    if key == "direction":
        return f'"{DIRECTIONS[value]}"'
    if key == "top":
        return f'"{card_name(value)}"'
    if key == "color":
        return '""' if value == NO_COLOR else f'"{color_letter(value)}"'
    if isinstance(value, bool):
        return "true" if value else "false"
    return f'"{value}"' if isinstance(value, str) else str(list(value) if isinstance(value, tuple) else value)


def _format_table(members: Mapping[int, Any]) -> str:
    return "{ " + ", ".join(f"{seat} = {members[seat]}" for seat in sorted(members)) + " }"


def run_cases(paths: Iterable[str | Path]) -> Outcome:
    """Read all files, then play all cases; a NotationError lists the errors of all invalid files."""
    files: list[tuple[str, list[Case]]] = []
    faults: list[str] = []
    for path in paths:
        try:
            files.append((str(path), read_cases(path)))
        except NotationError as error:
            faults.append(str(error))
    if faults:
        raise NotationError("\n".join(faults))
    results = [(path, case.id, tuple(run_case(case))) for path, cases in files for case in cases]
    failures = tuple(result for result in results if result[2])
    return Outcome(len(results) - len(failures), failures)
