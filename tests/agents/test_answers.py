"""Answers of language models are read leniently, and never guessed."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lastcard import Match, parse_move, parse_position
from lastcard.agents import AgentSeat, AgentView, parse_answer, view_match
from lastcard.text.locale import catalog

HAND = "R5 R7 R+2 W W+4"


def view_of(hand: str = HAND, language: str = "en") -> AgentView:
    """The view of seat 0 on turn with a hand."""
    keys = {"rules": "classic", "hands": [hand, "G1 G2"], "discard": "R3", "turn": 0, "draw": "Y1 Y2 Y3"}
    match = Match("classic", ["Ann", "Bo"], position=parse_position(keys))
    return view_match(match, 0, language)


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("R5", "R5"),
        ("r5 !", "R5!"),
        ("w = g", "W=G"),
        ("I will play R5.", "R5"),
        ("play red five and say UNO", "R5!"),
        ("Play the red seven!", "R7"),
        ("seven", "R7"),
        ("Wild Draw Four, choose blue", "W+4=B"),
        ("I put down my wild and name green", "W=G"),
        ("draw", "draw"),
        ("I can only draw a card.", "draw"),
        ("**Answer:** R+2", "R+2"),
        ("R7 is weak and W is strong.\nMove: W=Y", "W=Y"),
        ('{"move": "R5"}', "R5"),
        ('```json\n{"thought": {"deep": 1}, "move": "red 5", "uno": true}\n```', "R5!"),
        ('{"card": 1, "action": "W", "color": "red"}', "W=R"),
        ("blue nine", "B9"),
        ("pass", "pass"),
    ],
)
def test_one_move(text: str, move: str) -> None:
    assert parse_answer(text, view_of()).move == move


def test_numbers_are_those_of_the_list() -> None:
    view = view_of()
    for text in ("2", "2.", "#2", "move 2", "**2**", '{"move": 2}', '{"number": 2}'):
        assert parse_answer(text, view).move == view.legal[1].move, text
    assert parse_answer("1!", view).move == view.legal[0].move + "!"
    for text in ("0", "99", '{"move": -1}'):
        assert "there is no move" in str(parse_answer(text, view).problem)


@pytest.mark.parametrize(
    ("text", "fits"),
    [
        ("wild four", {"W+4=R", "W+4=Y", "W+4=G", "W+4=B"}),
        ("play red five or red seven", {"R5", "R7"}),
        ("R5 R7", {"R5", "R7"}),
        ("do not draw, play red 5", {"R5", "draw"}),
        ("red", {"R5", "R7", "R+2", "W=R", "W+4=R"}),
    ],
)
def test_several_moves_that_fit_are_asked_about(text: str, fits: set[str]) -> None:
    answer = parse_answer(text, view_of("R5 R7 R+2 W W+4") if "four" not in text else view_of("G7 W W+4"))
    assert answer.move is None and set(answer.fits) == fits


@pytest.mark.parametrize(
    "text", ["", "  ", "hello", "{}", '{"move": true}', '{"move": null}', "{" * 5000, "[1]", "G1 or G2"]
)
def test_no_move(text: str) -> None:
    answer = parse_answer(text, view_of())
    assert answer.move is None and not answer.fits and answer.problem


@pytest.mark.parametrize("language", ["en", "es", "fr", "pt", "pl"])
def test_words_of_the_list_are_understood(language: str) -> None:
    view = view_of(language=language)
    for each in view.legal:
        assert parse_answer(each.words, view).move == each.move, each
    assert parse_answer(catalog(language).text("play.choice.draw"), view).move == "draw"


def test_players_are_named_by_seat_or_name() -> None:
    keys = {"rules": "all-wild", "hands": ["W Wx", "W W", "W W"], "discard": "W", "turn": 0, "draw": "W W W"}
    view = view_match(Match("all-wild", ["Ann", "Bo", "Cy"], position=parse_position(keys)), 0)
    assert parse_answer("forced swap with seat 2", view).move == "Wx>2"
    assert parse_answer("forced swap", view).fits == ("Wx>1", "Wx>2")
    words = {each.move: each.words for each in view.legal}
    assert parse_answer(words["Wx>2"], view).move == "Wx>2"
    assert parse_answer(f"{words['Wx>1'].rpartition(',')[0]} with Cy", view).move == "Wx>2"


MIXED = st.lists(
    st.sampled_from(
        ["R5", "W", "=G", ">1", "!", "red", "five", "wild", "draw", "uno", "12", "{", "}", '"move":', "Move:"]
    )
    | st.text(max_size=6),
    max_size=12,
).map(" ".join)


@given(MIXED | st.recursive(st.none() | st.booleans() | st.integers() | st.text(), st.lists).map(json.dumps))
def test_any_text_is_an_answer_or_a_problem(text: str) -> None:
    """Nothing is raised; a move is notation, moves that fit are legal ones."""
    view = view_of()
    answer = parse_answer(text, view)
    assert [answer.move is not None, bool(answer.fits), answer.problem is not None].count(True) == 1
    assert set(answer.fits) <= {each.move for each in view.legal}
    if answer.move is not None:
        assert str(parse_move(answer.move)) == answer.move
    outcome = AgentSeat(Match("classic", 2, seed=1), 0).answer(text)
    assert outcome.status in ("done", "illegal", "unclear")


@given(
    st.fixed_dictionaries(
        {"move": st.integers() | st.text() | st.booleans()},
        optional={"color": st.text(), "target": st.integers(), "uno": st.booleans()},
    )
)
def test_any_object_is_an_answer_or_a_problem(value: dict[str, object]) -> None:
    answer = parse_answer(json.dumps(value), view_of())
    assert [answer.move is not None, bool(answer.fits), answer.problem is not None].count(True) == 1
