"""Moves and their integer form."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lastcard.errors import LastcardError, NotationError, Refused
from lastcard.game import act
from lastcard.game.actions import (
    CARD_VERBS,
    COLOR_CARDS,
    SEAT_VERBS,
    Move,
    act_text,
    action_move,
    move_action,
    parse_act,
    parse_move,
)
from lastcard.game.cards import CARD_NAMES, CARD_SLOTS, COLORS, parse_card

cards = st.sampled_from(sorted(CARD_NAMES))
seats = st.integers(0, 9)


@st.composite
def moves(draw: st.DrawFn) -> Move:
    """Every move that can be written and has an integer form."""
    verb = draw(st.sampled_from(["play", *act.VERBS]))
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


@given(moves())
def test_integer_form_round_trips(move: Move) -> None:
    assert action_move(move_action(move)) == move


@given(moves())
def test_text_round_trips(move: Move) -> None:
    assert parse_move(str(move)) == move


@given(seats, moves())
def test_acts_round_trip(seat: int, move: Move) -> None:
    assert parse_act(act_text(seat, move)) == (seat, move)


@given(st.integers(-(2**40), 2**40) | st.integers(0, 2**24))
def test_an_integer_is_a_move_or_refused(action: int) -> None:
    try:
        move = action_move(action)
    except LastcardError:
        return
    assert move_action(move) == action


def test_codes_are_those_of_the_engine() -> None:
    assert list(act.VERBS.values()) == list(range(128, 142))
    for name, code in act.VERBS.items():
        assert getattr(act, name.upper()) == code
    assert CARD_SLOTS <= act.DRAW


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
def test_integer_form_is_pinned(text: str, action: int) -> None:
    assert move_action(parse_move(text)) == action


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
    ],
)
def test_what_is_no_move_is_an_error(move: Move) -> None:
    with pytest.raises(NotationError):
        move_action(move)


@pytest.mark.parametrize(
    ("text", "code"), [("R5=G", "surplus"), ("W>2", "surplus"), ("Wx=R", "surplus"), ("Wx>12", "bad-target")]
)
def test_what_can_be_written_but_not_done_is_refused(text: str, code: str) -> None:
    with pytest.raises(Refused) as refused:
        move_action(parse_move(text))
    assert refused.value.code == code


def test_only_plain_draw_four_and_jackpot_wilds_name_a_color() -> None:
    assert {parse_card(name) for name in ("W", "W+4", "Wj")} == COLOR_CARDS
