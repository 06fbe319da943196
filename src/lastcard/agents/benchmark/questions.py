"""Questions with one right answer, made from conformance cases: does a model know what happens?

Each option of a question is a case of its own, and the right one is the only one that passes: the engine decides it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from lastcard.formats.cases import Case, CaseMove, format_value, read_cases, run_case
from lastcard.game.cards import is_wild
from lastcard.game.moves import Move
from lastcard.match.round import Round
from lastcard.rules import phases

MAX_OPTIONS: Final = 4
LETTERS: Final = "ABCD"
NONE_OF_THESE: Final = "none of these"
_COLORS: Final = range(4)
_PLAIN_VERBS: Final = ("draw", "pass", "challenge", "accept", "uno")

ASKED: Final[dict[str, str]] = {
    "winner": "Which seat has won the round?",
    "match_winner": "Which seat has won the match?",
    "scores": "What are the scores of the match, seat by seat?",
    "next_dealer": "Which seat deals the next round?",
    "exposed": "Which seats can be caught now for not having called UNO?",
    "counts": "How many cards are in the hand of seat {seat}?",
    "hands": "Which cards are in the hand of seat {seat}?",
    "color": "What is the current color?",
    "top": "Which card is on top of the discard pile?",
    "direction": "In which direction is play going?",
    "turn": "Which seat decides next?",
    "decision": "What does the table wait for? (Notation of decisions)",
    "held": "How many points are left in the hands, seat by seat?",
    "draw_count": "How many cards are in the draw pile?",
    "discard_count": "How many cards are in the discard pile?",
    "match_over": "Is the match over?",
    "void": "Is the round void, without a winner?",
}
"""The question about each key of ``expect``; the first of a case's is asked. ``legal`` is asked like a refused move."""


@dataclass(frozen=True, slots=True)
class Question:
    """A question."""

    id: str
    """The id of its case."""
    clauses: tuple[str, ...]
    rules: str
    text: str
    """The position, the moves, and what is asked, with the options by letter."""
    options: tuple[Case | None, ...]
    """The case of each option, true if it passes; None for none of the others."""
    right: str
    """The letter of the right option."""


def read_questions(paths: Iterable[str | Path]) -> list[Question]:
    """Returns the questions about the cases of some files, in an order that is random and always the same.

    Raises:
        NotationError: for files that are no cases.
    """
    found = [make_question(case) for path in paths for case in read_cases(path)]
    return sorted(filter(None, found), key=lambda question: _shuffle_key(question.id, ""))


def make_question(case: Case) -> Question | None:
    """Returns the question about a case; None if there are no two different options."""
    first = next((i for i, move in enumerate(case.moves) if move.is_refused), None)
    if first is not None:
        return _ask_for_move(case, first, case.moves[first].seat)
    if "legal" in case.expect:
        table = _play(case)
        return _ask_for_move(case, len(case.moves), table.turn)
    key = next((key for key in ASKED if key in case.expect), None)
    return None if key is None else _ask_for_value(case, key)


def _play(case: Case) -> Round:
    """Returns the round after the moves of a case, without refused ones."""
    table = Round.from_position(case.position)
    for made in case.moves:
        if not made.is_refused:
            table.do(made.seat, made.move)
    return table


# --- moves ------------------------------------------------------------------------------------------------


def _ask_for_move(case: Case, count: int, seat: int) -> Question | None:
    """Returns the question which of some moves a seat can make after the first moves of a case."""
    start = replace(case, moves=case.moves[:count], expect={})
    tried = [made.move for made in case.moves[count:] if made.seat == seat and made.is_refused]
    following = next((made for made in case.moves[count:] if not made.is_refused), None)
    legal = [following.move] if following is not None and following.seat == seat else []
    hand = _play(start).hands[seat]
    moves = dict.fromkeys([*tried, *legal, *_shuffled(case.id, _list_moves(hand, len(case.position.hands)))])
    options = [(str(move), replace(start, moves=(*start.moves, CaseMove(seat, move)))) for move in moves]
    return _make(
        case, start, f"Which of these can seat {seat} do now?", _choose(options, MAX_OPTIONS - 1), with_none=True
    )


def _list_moves(hand: Sequence[int], players: int) -> Iterator[Move]:
    for card in dict.fromkeys(hand):
        if is_wild(card):
            yield from (Move("play", card, color) for color in _COLORS)
        yield Move("play", card)
    yield from map(Move, _PLAIN_VERBS)
    yield from (Move("catch", target=seat) for seat in range(players))


# --- values -----------------------------------------------------------------------------------------------


def _ask_for_value(case: Case, key: str) -> Question | None:
    """Returns the question about one of the expected values of a case."""
    table = _play(case)
    seats, expected, seat = range(len(case.position.hands)), case.expect[key], 0
    if key in ("counts", "hands"):
        before = case.position.hands
        changed = [each for each in expected if len(before[each]) != len(table.hands[each])]
        seat = next(iter(changed or expected))
        expected = {seat: expected[seat]}
    values = [expected, *_shuffled(case.id, _DISTRACTORS[key](case, expected, seats))]
    texts = {_value_text(key, value): value for value in reversed(values)}
    options = [(text, replace(case, expect={key: value})) for text, value in texts.items()]
    options.sort(key=lambda option: option[1].expect[key] != expected)
    return _make(case, case, ASKED[key].format(seat=seat), _choose(options, MAX_OPTIONS))


def _value_text(key: str, value: Any) -> str:
    """Returns a value as an option."""
    if key in ("counts", "hands"):
        text = format_value(key, value)
        return text.partition("= ")[2].removesuffix(" }").strip('"') or "no cards"
    if key in ("match_winner", "exposed"):
        return " and ".join(f"seat {seat}" for seat in value) or "no seat"
    if key in ("turn", "winner", "next_dealer"):
        return f"seat {value}"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return format_value(key, value).strip('"') or "no color"


def _near(value: int, least: int = 0) -> list[int]:
    return [each for each in (value - 2, value - 1, value + 1, value + 2, value + 4) if each >= least]


def _other_points(case: Case, expected: tuple[int, ...], seats: range) -> Iterator[tuple[int, ...]]:
    """Yield scores that are turned to other seats, or a little larger for one."""
    yield from (expected[-shift:] + expected[:-shift] for shift in seats if shift)
    yield from (tuple(points + 10 * (seat == each) for each, points in enumerate(expected)) for seat in seats)
    yield case.position.scores


def _other_hands(case: Case, expected: dict[int, tuple[int, ...]], seats: range) -> Iterator[dict[int, Any]]:
    """Yield hands of other seats, and the right one with a card more or less."""
    seat, hand = next(iter(expected.items()))
    yield from ({seat: case.position.hands[each]} for each in seats)
    yield from ({seat: hand[:i] + hand[i + 1 :]} for i in range(len(hand)))
    yield from ({seat: tuple(sorted((*hand, card)))} for card in (*case.position.draw[:3], *case.position.discard[-1:]))


Distract = Callable[[Case, Any, range], Iterable[Any]]


def _distract_seat(case: Case, expected: Any, seats: range) -> Iterable[Any]:
    return seats


def _distract_number(case: Case, expected: int, seats: range) -> Iterable[Any]:
    return _near(expected)


def _distract_bool(case: Case, expected: bool, seats: range) -> Iterable[Any]:
    return (not expected,)


_DISTRACTORS: Final[dict[str, Distract]] = {
    "winner": _distract_seat,
    "match_winner": lambda case, expected, seats: [(seat,) for seat in seats],
    "scores": _other_points,
    "next_dealer": _distract_seat,
    "exposed": lambda case, expected, seats: [(), *((seat,) for seat in seats)],
    "counts": lambda case, expected, seats: [
        {seat: each} for seat, count in expected.items() for each in (*_near(count), len(case.position.hands[seat]))
    ],
    "hands": _other_hands,
    "color": lambda case, expected, seats: _COLORS,
    "top": lambda case, expected, seats: (
        [card for hand in case.position.hands for card in hand] + [*case.position.discard]
    ),
    "direction": lambda case, expected, seats: (1, -1),
    "turn": _distract_seat,
    "decision": lambda case, expected, seats: phases.NAMES,
    "held": _other_points,
    "draw_count": _distract_number,
    "discard_count": _distract_number,
    "match_over": _distract_bool,
    "void": _distract_bool,
}
"""Functions that list wrong values for the keys of ``expect``; what is true after all is left out."""


# --- options ----------------------------------------------------------------------------------------------


def _shuffle_key(name: str, text: str) -> bytes:
    return hashlib.sha256(f"{name} {text}".encode()).digest()


def _shuffled(name: str, values: Iterable[Any]) -> list[Any]:
    return sorted(values, key=lambda value: _shuffle_key(name, repr(value)))


def _choose(options: Sequence[tuple[str, Case]], most: int) -> list[tuple[str, Case, bool]]:
    """Returns the first true option and the first false ones, with their truth; no further option is played."""
    right: list[tuple[str, Case, bool]] = []
    wrong: list[tuple[str, Case, bool]] = []
    for text, case in options:
        if right and len(wrong) >= most - 1:
            break
        judged = right if not run_case(case) else wrong
        judged.append((text, case, judged is right))
    return right[:1] + wrong[: most - len(right[:1])]


def _make(
    case: Case, start: Case, asked: str, chosen: Sequence[tuple[str, Case, bool]], *, with_none: bool = False
) -> Question | None:
    """Returns a question with its options in an order that does not depend on which is right."""
    options: list[tuple[str, Case | None, bool]] = sorted(chosen, key=lambda option: _shuffle_key(case.id, option[0]))
    if with_none:
        options.append((NONE_OF_THESE, None, not any(is_right for _, _, is_right in options)))
    if len(options) < 2 or not any(is_right for _, _, is_right in options):
        return None
    made = ", ".join(map(str, start.moves)) or "none"
    listed = [f"{letter}) {text}" for letter, (text, _, _) in zip(LETTERS, options, strict=False)]
    text = "\n".join([f"{case.position}", f"Moves made since, with the seat of each: {made}", asked, *listed])
    right = next(letter for letter, (_, _, is_right) in zip(LETTERS, options, strict=False) if is_right)
    return Question(
        case.id, case.clauses, str(case.position.rules), text, tuple(option for _, option, _ in options), right
    )
