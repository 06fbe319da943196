"""Conformance cases: positions, moves and what must come of them. The format is in ``docs/notation.md``.

``read_cases`` reads a file strictly, ``run_case`` plays one case and says what differs, ``run_cases`` runs whole files.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from lastcard.errors import LastcardError, NotationError, Refused, UsageError
from lastcard.game.actions import Move, act_text, parse_act, parse_move
from lastcard.game.cards import NO_COLOR, card_name, color_letter, parse_card, parse_color
from lastcard.game.files import read_text
from lastcard.game.position import DIRECTIONS, KEYS, Position, parse_direction, parse_pile, parse_position, pile_text
from lastcard.game.toml import Fields, a_bool, a_list, a_number, a_table, a_text, listed, numbers, parse_toml
from lastcard.match.match import match_result, next_dealer, score_round
from lastcard.match.round import Round
from lastcard.rules import phase

CASE_KEYS: Final = ("id", *KEYS, "moves", "why", "clauses", "expect")


@dataclass(frozen=True, slots=True)
class Act:
    """One line of ``moves``: who does what, and whether it must be refused."""

    seat: int
    move: Move
    refused: bool = False

    def __str__(self) -> str:
        return ("x " if self.refused else "") + act_text(self.seat, self.move)


@dataclass(frozen=True, slots=True)
class Case:
    """One conformance case.

    Args:
        id: its name, once in a file.
        position: where it starts.
        acts: what is done, in order.
        expect: what must hold at the end, by key of ``EXPECT``.
        why: what the case shows.
        clauses: the ids of the clauses it proves.
    """

    id: str
    position: Position
    acts: tuple[Act, ...]
    expect: Mapping[str, Any]
    why: str = ""
    clauses: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of running cases.

    Args:
        passed: how many did.
        failures: for each case that failed its file, its id and what differs.
    """

    passed: int
    failures: tuple[tuple[str, str, tuple[str, ...]], ...]

    def __str__(self) -> str:
        lines = [f"{path}: {id}: {line}" for path, id, lines in self.failures for line in lines]
        return "\n".join([*lines, f"{self.passed} passed, {len(self.failures)} failed"])


# --- reading ------------------------------------------------------------------------------------


def _by_seat(parse: Callable[[object], Any]) -> Callable[[object], dict[int, Any]]:
    """A reader of a table whose keys are seats."""

    def read(value: object) -> dict[int, Any]:
        table = a_table(value)
        for key in table:
            if not (key.isascii() and key.isdigit() and len(key) <= 2):
                raise NotationError(f"{key!r} is not a seat, a number from 0")
        return {int(key): parse(member) for key, member in table.items()}

    return read


def _hand(value: object) -> tuple[int, ...]:
    return tuple(sorted(parse_pile(a_text(value))))


def _winners(value: object) -> tuple[int, ...]:
    return tuple(sorted(numbers(value))) if isinstance(value, list) else (a_number(value),)


def _decision(value: object) -> str:
    word = a_text(value).strip().lower()
    if word not in phase.NAMES:
        raise NotationError(f"there is no decision {word!r}; the decisions are {', '.join(phase.NAMES)}")
    return word


def _color_in_force(value: object) -> int:
    return parse_color(a_text(value)) if value != "" else NO_COLOR


def _without_calls(moves: Iterable[Move]) -> frozenset[Move]:
    """Moves without ``uno`` and the ``!`` forms, which ``legal`` leaves aside."""
    return frozenset(move for move in moves if move.verb != "uno" and not move.uno)


def _moves(value: object) -> frozenset[Move]:
    return _without_calls(parse_move(a_text(member)) for member in a_list(value))


EXPECT: Final[dict[str, Callable[[object], Any]]] = {
    "turn": a_number,
    "decision": _decision,
    "direction": parse_direction,
    "top": lambda value: parse_card(a_text(value)),
    "color": _color_in_force,
    "hands": _by_seat(_hand),
    "counts": _by_seat(a_number),
    "draw_count": a_number,
    "discard_count": a_number,
    "exposed": lambda value: tuple(sorted(numbers(value))),
    "winner": a_number,
    "held": numbers,
    "scores": numbers,
    "match_winner": _winners,
    "match_over": a_bool,
    "next_dealer": a_number,
    "void": a_bool,
    "legal": _moves,
}
"""The keys of ``expect`` and how each is read."""


def _name(value: object) -> str:
    name = a_text(value)
    if not name.strip():
        raise NotationError("a case needs a name, by which failures call it")
    return name


def _act(value: object) -> Act:
    text = a_text(value)
    refused = text.lstrip().lower().startswith("x ")
    seat, move = parse_act(text.lstrip()[2:] if refused else text)
    return Act(seat, move, refused)


def parse_case(mapping: Mapping[str, Any]) -> Case:
    """The case of a TOML table.

    Raises:
        NotationError: lists everything that is wrong with it.
    """
    fields = Fields(mapping, CASE_KEYS)
    id = fields.read("id", _name, "", needed=True)
    why = fields.read("why", a_text, "")
    clauses = fields.each("clauses", a_text)
    acts = fields.each("moves", _act)
    nothing: dict[str, Any] = {}
    expected = Fields(fields.read("expect", a_table, nothing, needed=True), tuple(EXPECT), "expect.")
    expect = {key: expected.read(key, parse, None) for key, parse in EXPECT.items() if key in expected}
    faults = fields.faults + expected.faults
    try:
        position = parse_position({key: value for key, value in mapping.items() if key in KEYS})
    except NotationError as error:
        faults += [line.strip() for line in str(error).splitlines() if not line.endswith("faults:")]
    else:
        faults += _seat_faults(len(position.hands), acts, expect)
    if faults:
        raise NotationError(listed(faults))
    return Case(id, position, acts, expect, why, clauses)


def _seat_faults(players: int, acts: Iterable[Act], expect: Mapping[str, Any]) -> Iterable[str]:
    """Seats that are not at the table: an act of one is refused whatever it is, and would prove nothing."""
    named = [(f"moves: {act}", act.seat) for act in acts]
    named += [("expect", seat) for seat in sorted({s for key in ("hands", "counts") for s in expect.get(key) or ()})]
    for place, seat in named:
        if seat >= players:
            yield f"{place}: there is no seat {seat}; the seats are 0 to {players - 1}"


def read_cases(path: str | Path) -> list[Case]:
    """The cases of a file.

    Raises:
        NotationError: where the file cannot be read as cases; names the file, the case and what is wrong.
    """
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
    """Play a case.

    Returns:
        What differs from the expectation, a line each; empty where it passed.
    """
    table = Round.from_position(case.position)
    wrong = [line for act in case.acts for line in _do(table, act)]
    for key, expected in case.expect.items():
        found = _FOUND[key](table, case.position, expected) if key in _FOUND else getattr(table, key)
        if not _same(key, expected, found):
            wrong.append(f"{key} = {_show(key, found)}, expected {_show(key, expected)}")
    return wrong


def _do(table: Round, act: Act) -> Iterable[str]:
    """Do one act, or see that it is refused and changes nothing."""
    before = table.table_bytes()
    try:
        table.do(act.seat, act.move)
    except (Refused, UsageError, NotationError) as error:
        if not act.refused:
            clause = f", {error.clause}" if isinstance(error, Refused) else ""
            yield f"{act} was refused ({error.code}{clause}): {error}"
        if table.table_bytes() != before:
            yield f"{act} was refused and yet changed the table"
    else:
        if act.refused:
            yield f"{act} was accepted"


def _by_seats(values: Sequence[Any], asked: Mapping[int, Any]) -> dict[int, Any]:
    return {seat: values[seat] for seat in asked}


def _scores(table: Round, position: Position) -> tuple[int, ...]:
    if not table.over:
        return position.scores
    return score_round(position.rules, position.scores, table.winner, table.held, table.void)


def _result(table: Round, position: Position) -> tuple[int, ...] | None:
    return match_result(position.rules, _scores(table, position), table.winner) if table.over else None


def _next_dealer(table: Round, position: Position) -> int | None:
    players = len(position.hands)
    return next_dealer(position.rules, position.dealer, players, table.winner, table.held, table.void)


_FOUND: Final[dict[str, Callable[[Round, Position, Any], Any]]] = {
    "hands": lambda table, position, expected: _by_seats([tuple(sorted(h)) for h in table.hands], expected),
    "counts": lambda table, position, expected: _by_seats([len(h) for h in table.hands], expected),
    "exposed": lambda table, position, expected: tuple(sorted(table.exposed)),
    "scores": lambda table, position, expected: _scores(table, position),
    "match_winner": lambda table, position, expected: _result(table, position),
    "match_over": lambda table, position, expected: _result(table, position) is not None,
    "next_dealer": lambda table, position, expected: _next_dealer(table, position),
    "legal": lambda table, position, expected: _without_calls(table.legal()),
}
"""What a table shows for the keys that are no parts of it."""


def _same(key: str, expected: Any, found: Any) -> bool:
    if key == "match_winner" and found is not None and len(expected) == 1:
        # One seat named: it has won, alone or with its partner (LC-46).
        return expected[0] in found
    return bool(expected == found)


def _show(key: str, value: Any) -> str:
    """A value in the words of the notation."""
    if value is None:
        return "none"
    if key == "hands":
        return _table({seat: f'"{pile_text(hand)}"' for seat, hand in value.items()})
    if key == "counts":
        return _table(value)
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


def _table(members: Mapping[int, Any]) -> str:
    return "{ " + ", ".join(f"{seat} = {members[seat]}" for seat in sorted(members)) + " }"


def run_cases(paths: Iterable[str | Path]) -> Outcome:
    """Read all files, then play all cases.

    Raises:
        NotationError: where any file is not a file of cases; lists what is wrong in all of them.
    """
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
