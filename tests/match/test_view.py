"""Representations of a view, a round and a match; every copy of a table that people get is a public one."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable

import pytest

from lastcard import envs
from lastcard.bots.external import VIEW_FIELDS, view_values
from lastcard.errors import UsageError
from lastcard.formats.values import public_values
from lastcard.game.position import parse_position
from lastcard.kernel import arrays
from lastcard.match.match import Match
from lastcard.match.round import Round
from lastcard.match.view import PublicState, View

TABLE = {
    "rules": "classic",
    "hands": ["R1 R2 B3", "R7", "W G5"],
    "discard": "Y1 W",
    "color": "G",
    "draw": "B1 B2 B4 B5 B6",
    "called": [1],
}
OPEN = {
    "number": 0,
    "dealer": 2,
    "turn": 0,
    "direction": 1,
    "top": "W",
    "color": "G",
    "discard_count": 2,
    "draw_count": 5,
    "pending": 0,
    "exposed": (),
    "called": (1,),
    "early": (),
    "candidates": (),
    "decision": "play",
    "rule": None,
    "performer": None,
    "winner": None,
    "counts": (3, 1, 2),
}


@pytest.fixture
def table() -> Round:
    return Round.from_position(parse_position(TABLE))


def test_calls_and_catches_are_listed_last() -> None:
    """A call ends no turn, so a bot that takes the first move would call for ever (CO-11, LC-18)."""
    attacked = Round.from_position(
        parse_position({"rules": "classic", "hands": ["W+4 R1", "G5", "R2 R3"], "discard": "Y1", "draw": "B1*6"})
    )
    attacked.do(0, "W+4=R")
    assert attacked.legal(1) == ["challenge", "accept", "uno", "catch>0"]
    paid = Round.from_position(
        parse_position(
            {"rules": "classic+false_uno_penalty=2", "hands": ["Y2", "G5 G6"], "discard": "Y1", "draw": "B1*6"}
        )
    )
    assert paid.legal() == ["Y2", "draw", "uno"]


def test_a_public_state_is_printed_in_words(table: Round) -> None:
    assert public_values(table.public_state()) == OPEN
    assert public_values(table.view(0)) == OPEN, "of a view what is open and no more"


def test_a_view_begins_with_the_public_state(table: Round) -> None:
    view = table.view(1)
    assert {name: getattr(view, name) for name in PublicState.__struct_fields__} == {
        name: getattr(table.public_state(), name) for name in PublicState.__struct_fields__
    }
    assert (view.players, view.void) == (3, False)
    assert pickle.loads(pickle.dumps(view)) == view and hash(view) == hash(table.view(1))


def test_a_program_gets_public_state_and_its_hand(table: Round) -> None:
    view = view_values(table.view(2))
    assert tuple(view) == VIEW_FIELDS
    assert {name: view[name] for name in VIEW_FIELDS if name in OPEN and name != "early"} == {
        name: value for name, value in OPEN.items() if name in VIEW_FIELDS and name != "early"
    }
    assert (view["seat"], view["hand"], view["pile"], view["early"]) == (2, ("G5", "W"), ("Y1", "W"), False)


def test_the_repr_of_a_view_shows_its_seat(table: Round) -> None:
    said = "play by seat 0 on W in G, hands of 3 1 2"
    assert repr(table.view(0)) == f"<View of classic, seat 0 with R1 R2 B3: {said}>"
    assert repr(table.view()) == f"<View of classic, a spectator: {said}>"
    assert repr(table) == f"<Round 1 of classic: {said}>", "no hand and no seed"


def test_hands_are_printed_as_cards(table: Round) -> None:
    view = table.view(0)
    assert view.hand == (1, 2, 51) and hash(view.hand) == hash((1, 2, 51))
    assert repr(view.hand) == "Cards('R1 R2 B3')" and str(view.discard) == "Y1 W"
    assert str(table.hand(2)) == "G5 W" and table.hands[0] == view.hand


def test_a_match_has_a_summary() -> None:
    match = Match("all-wild", ["Ada", "Bob"], seed=3)
    assert repr(match).startswith("<Match of all-wild, Ada 0, Bob 0; round 1: play by seat ")
    assert match.seed.hex() not in repr(match)


def test_a_round_that_is_over_says_who_won() -> None:
    table = Round.from_position(parse_position({**TABLE, "turn": 1, "color": "R"}))
    table.do(1, "R7")
    assert table.over and str(table.public_state()) == "won by seat 1"
    view = table.view(0)
    assert isinstance(view, View) and view.hands == table.hands and view.points == table.held


@pytest.mark.parametrize("how", [copy.copy, copy.deepcopy, Round.copy, lambda table: pickle.loads(pickle.dumps(table))])
def test_a_copy_of_a_round_is_independent(table: Round, how: Callable[[Round], Round]) -> None:
    copied, before = how(table), table.view(0)
    assert copied.view(0) == before and copied.state_bytes() == table.state_bytes()
    copied.do(0, "draw")
    assert table.view(0) == before
    table.do(0, "draw")
    assert copied.view(1) == table.view(1)


@pytest.mark.parametrize("open_one", [lambda: Round.deal("classic", 2), lambda: envs.batch("classic", 2, n=1)])
def test_a_pickle_of_another_version_is_refused(
    monkeypatch: pytest.MonkeyPatch, open_one: Callable[[], object]
) -> None:
    """A table of another layout would be read as a wrong one."""
    with monkeypatch.context() as before:
        before.setattr(arrays, "_key", lambda kind: b"before")
        pickled = pickle.dumps(open_one())
    with pytest.raises(UsageError, match="by another version of lastcard"):
        pickle.loads(pickled)


@pytest.mark.parametrize("seat", [-1, 3, 12, 10**6])
def test_missing_seats_have_no_cards_and_no_moves(table: Round, seat: int) -> None:
    """Hands, moves and views belong to seats of the table (CO-47); for other seats nothing is invented."""
    for ask in (table.hand, table.legal, table.legal_actions, table.view, table.history, table.information_state):
        with pytest.raises(UsageError, match=f"there is no seat {seat}; seats are 0 to 2"):
            ask(seat)
