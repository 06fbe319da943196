"""Reading moves leniently, writing them canonically, saying where a text went wrong."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lastcard.errors import NotationError
from lastcard.game.actions import act_text, parse_act, parse_move


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
    assert act_text(*parse_act(f" 3 : {text}")) == f"3:{canonical}"


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
def test_acts_need_a_seat(text: str, column: int) -> None:
    with pytest.raises(NotationError) as error:
        parse_act(text)
    assert error.value.column == column


@given(st.text(alphabet="rygbwRW0123456789+@sxj=>!: drawcatchplyunobe", max_size=12))
def test_any_text_is_a_move_or_an_error(text: str) -> None:
    for parse in (parse_move, parse_act):
        try:
            parsed = parse(text)
        except NotationError:
            continue
        again = act_text(*parsed) if isinstance(parsed, tuple) else str(parsed)
        assert parse(again) == parsed
