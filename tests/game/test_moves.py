"""Moves: read leniently, written canonically, with the place of an error, and as one integer."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lastcard.errors import IllegalMove, LastcardError, NotationError
from lastcard.game import action_codes
from lastcard.game.cards import CARD_NAMES, CARD_SLOTS, COLORS, parse_card
from lastcard.game.moves import (
    CARD_VERBS,
    COLOR_CARDS,
    SEAT_VERBS,
    Move,
    action_to_move,
    move_to_action,
    parse_move,
    parse_seat_move,
    seat_move_text,
)

cards = st.sampled_from(sorted(CARD_NAMES))
seats = st.integers(0, 9)


@st.composite
def moves(draw: st.DrawFn) -> Move:
    """Every move that can be written and has an action id."""
    verb = draw(st.sampled_from(["play", *action_codes.VERBS]))
    if verb == "play":
        card, uno = draw(cards), draw(st.booleans())
        if card in COLOR_CARDS:
            return Move(verb, card, color=draw(st.none() | st.sampled_from(COLORS)), uno=uno)
        return Move(verb, card, target=draw(st.none() | seats), uno=uno)
    return Move(
        verb,
        draw(cards) if verb in CARD_VERBS else None,
        draw(st.sampled_from(COLORS)) if verb == "color" else None,
        draw(seats) if verb in SEAT_VERBS else None,
    )


# --- as text ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("r5", "R5"),
        ("  R5  ", "R5"),
        ("w=g", "W=G"),
        ("W = green !", "W=G!"),
        ("w+4 =b", "W+4=B"),
        ("WSS", "Wss"),
        ("wX > 1 !", "Wx>1!"),
        ("W@2>3", "W@2>3"),
        ("r7>2", "R7>2"),
        ("play R5", "R5"),
        ("PLAY w=r!", "W=R!"),
        ("Draw", "draw"),
        ("keep", "pass"),
        ("UNO", "uno"),
        ("uno!", "uno"),
        ("catch > 2", "catch>2"),
        ("catch 2", "catch>2"),
        ("Challenge", "challenge"),
        ("accept", "accept"),
        ("color = g", "color=G"),
        ("colour green", "color=G"),
        ("choose>3", "choose>3"),
        ("pull", "pull"),
        ("Throw r5", "throw R5"),
        ("STOP", "stop"),
        ("bury  gs", "bury Gs"),
        ("take>1", "take>1"),
        ("done", "done"),
    ],
)
def test_reading_is_lenient_and_writing_canonical(text: str, canonical: str) -> None:
    assert str(parse_move(text)) == canonical
    assert seat_move_text(*parse_seat_move(f" 3 : {text}")) == f"3:{canonical}"


@pytest.mark.parametrize(
    ("text", "column", "expected"),
    [
        ("", 0, "expected a card"),
        ("Q5", 0, "expected a card"),
        ("R5>", 3, "expected a seat"),
        ("R5>x", 3, "expected a seat"),
        ("W=", 2, "expected a color"),
        ("W=W", 2, "expected a color"),
        ("W G", 2, "expected = and a color"),
        ("W=G>2", 3, "expected the end"),
        ("R5!!", 3, "expected the end"),
        ("draw 2", 5, "expected nothing after draw"),
        ("draw!", 4, "calls UNO with a play"),
        ("catch=2", 5, "expected > after catch"),
        ("color>2", 5, "expected = after color"),
        ("draw=R", 4, "expected no = after draw"),
        ("throw", 5, "expected a card"),
        ("bury Q", 5, "expected a card"),
        ("play draw", 5, "expected a card"),
    ],
)
def test_errors_name_the_place_and_what_was_expected(text: str, column: int, expected: str) -> None:
    with pytest.raises(NotationError, match=expected) as error:
        parse_move(text)
    assert error.value.column == column


@pytest.mark.parametrize(
    ("text", "column"), [("R5", 0), ("  R5", 2), (":R5", 0), ("a:R5", 0), ("-1:R5", 0), ("100:R5", 0), ("0:Q", 2)]
)
def test_seat_moves_need_a_seat(text: str, column: int) -> None:
    with pytest.raises(NotationError) as error:
        parse_seat_move(text)
    assert error.value.column == column


@given(st.text(alphabet="rygbwRW0123456789+@sxj=>!: drawcatchplyunobe", max_size=12))
def test_any_text_is_a_move_or_an_error(text: str) -> None:
    for parse in (parse_move, parse_seat_move):
        try:
            parsed = parse(text)
        except NotationError:
            continue
        again = seat_move_text(*parsed) if isinstance(parsed, tuple) else str(parsed)
        assert parse(again) == parsed


# --- as an action id --------------------------------------------------------------------------------


@given(seats, moves())
def test_moves_round_trip(seat: int, move: Move) -> None:
    assert action_to_move(move_to_action(move)) == move
    assert parse_move(str(move)) == move
    assert parse_seat_move(seat_move_text(seat, move)) == (seat, move)


@given(st.integers(-(2**40), 2**40) | st.integers(0, 2**24))
def test_an_action_id_is_a_move_or_refused(action: int) -> None:
    try:
        move = action_to_move(action)
    except LastcardError:
        return
    assert move_to_action(move) == action


def test_codes_are_those_of_the_engine() -> None:
    assert list(action_codes.VERBS.values()) == list(range(128, 142))
    for name, code in action_codes.VERBS.items():
        assert getattr(action_codes, name.upper()) == code
    assert CARD_SLOTS <= action_codes.DRAW


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("R5", 5 | 15 << 8),
        ("R5!", 5 | 15 << 8 | 1 << 12),
        ("W=G", 64 | 2 << 8),
        ("W+4=B!", 65 | 3 << 8 | 1 << 12),
        ("Wj=Y", 77 | 1 << 8),
        ("Wx>1", 68 | 1 << 8),
        ("W@2>9", 67 | 9 << 8),
        ("R7>2", 7 | 2 << 8),
        ("draw", 128 | 15 << 8),
        ("catch>2", 131 | 2 << 8),
        ("color=G", 134 | 2 << 8),
        ("throw R5", 137 | 15 << 8 | 5 << 16),
        ("bury W", 139 | 15 << 8 | 64 << 16),
    ],
)
def test_action_id_is_pinned(text: str, action: int) -> None:
    assert move_to_action(parse_move(text)) == action


@pytest.mark.parametrize(
    "move",
    [
        Move("jump"),
        Move("play"),
        Move("play", 99),
        Move("play", 64, color=4),
        Move("draw", 5),
        Move("draw", uno=True),
        Move("catch"),
        Move("color"),
        Move("throw"),
        Move("stop", target=1),
        Move("draw", color=1),
        Move("play", 5, uno="yes"),  # type: ignore[arg-type]
        Move("play", 5, uno=None),  # type: ignore[arg-type]
    ],
)
def test_an_invalid_move_is_an_error(move: Move) -> None:
    with pytest.raises(NotationError):
        move_to_action(move)


@pytest.mark.parametrize(
    ("text", "code"), [("R5=G", "surplus"), ("W>2", "surplus"), ("Wx=R", "surplus"), ("Wx>12", "bad-target")]
)
def test_a_valid_but_illegal_move_is_refused(text: str, code: str) -> None:
    with pytest.raises(IllegalMove) as refused:
        move_to_action(parse_move(text))
    assert refused.value.code == code


def test_only_plain_draw_four_and_jackpot_wilds_name_a_color() -> None:
    assert {parse_card(name) for name in ("W", "W+4", "Wj")} == COLOR_CARDS
