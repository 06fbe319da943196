"""Positions: lenient reading, strict validation, all errors at once, round trips."""

from __future__ import annotations

import tomllib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lastcard.errors import NotationError
from lastcard.game import position as module
from lastcard.game.cards import ALL_WILD_ONLY_CARDS, CARD_NAMES, NO_COLOR, WILD, card_color
from lastcard.game.options import ALL_WILD_GAME, LEVER_OUTCOMES
from lastcard.game.position import UNKNOWN_CARD, Position, parse_pile, parse_position, pile_text
from lastcard.game.rulecards import BUILT_IN, parse_rule_card
from lastcard.game.rulesets import ruleset
from lastcard.rules import layout

EXAMPLE = """
rules = "all-wild"
options = { stacking = "same" }
hands = ["Wx Ws Wr", "W W Wr", "W+4 W+2 W W", "W W Wr"]
discard = "R3 W"
color = "G"
draw = "W W W"
turn = 0
direction = "ccw"
dealer = 2
called = [1]
scores = [0, 0, 0, 0]
lever = ["discard", "draw4"]
rule_cards = ["R3", "R6"]
"""

cards = st.sampled_from(sorted(CARD_NAMES))
rule_cards = st.sampled_from([*BUILT_IN.values(), parse_rule_card("draw 2; reverse"), parse_rule_card('dare: say "ö"')])


@st.composite
def random_positions(draw: st.DrawFn) -> Position:
    players = draw(st.integers(2, 10))
    rules = ruleset(draw(st.sampled_from(["all-wild", "classic+stacking=same", "wild-jackpot", "classic+harsh"])))
    seats = st.integers(0, players - 1)
    admitted = cards if rules.game == ALL_WILD_GAME else cards.filter(lambda card: card not in ALL_WILD_ONLY_CARDS)
    hands = [tuple(sorted(draw(st.lists(admitted, min_size=1, max_size=5)))) for _ in range(players)]
    discard = tuple(draw(st.lists(admitted, min_size=1, max_size=4)))
    wild = card_color(discard[-1]) == WILD
    return Position(
        rules=rules,
        hands=tuple(hands),
        discard=discard,
        draw=tuple(draw(st.lists(admitted, max_size=12))),
        color=draw(st.integers(0, 3)) if wild else card_color(discard[-1]),
        turn=draw(seats),
        direction=draw(st.sampled_from([1, -1])),
        dealer=draw(seats),
        called=tuple(seat for seat, hand in enumerate(hands) if len(hand) == 1 and draw(st.booleans())),
        scores=tuple(draw(st.lists(st.integers(0, 999), min_size=players, max_size=players))),
        lever=tuple(draw(st.lists(st.sampled_from(LEVER_OUTCOMES), max_size=4))),
        rule_cards=draw(st.none() | st.lists(rule_cards, min_size=1, max_size=4).map(tuple)),
    )


@given(random_positions())
def test_text_round_trips(position: Position) -> None:
    assert parse_position(tomllib.loads(str(position))) == position == parse_position(str(position))
    assert not position.faults()


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("a classic table", "the position is not TOML"),
        (f"turn = {'9' * 5000}", "the position is not TOML: a number in it has too many digits"),
        (f"turn = 0x{'9' * 5000}", "the position is not TOML: a number in it has too many digits"),
        (7, "7 is a number; expected a table"),
        ("rules = 'classic'", "hands: missing"),
    ],
)
def test_a_text_that_is_no_position_is_refused(given: Any, said: str) -> None:
    with pytest.raises(NotationError, match=said):
        parse_position(given)


@given(st.lists(cards | st.just(UNKNOWN_CARD), max_size=20))
def test_piles_round_trip(pile: list[int]) -> None:
    assert list(parse_pile(pile_text(pile))) == pile


def test_the_example_of_the_notation_is_admitted() -> None:
    position = parse_position(tomllib.loads(EXAMPLE))
    assert str(position.rules) == "all-wild+stacking=same"
    assert (position.direction, position.dealer, position.color) == (-1, 2, 2)
    assert position.called == ()  # a call of a seat on three cards has no effect
    assert position.lever == ("discard", "draw4")
    assert position.rule_cards == (BUILT_IN["R3"], BUILT_IN["R6"])


def test_defaults() -> None:
    position = parse_position({"rules": "classic", "hands": ["R1", "R2", "R3"], "discard": "G5", "turn": 1})
    assert (position.dealer, position.direction, position.draw, position.scores) == (0, 1, (), (0, 0, 0))
    assert (position.called, position.lever, position.rule_cards) == ((), (), None)
    turned = parse_position({"rules": "classic", "hands": ["R1", "R2", "R3"], "discard": "G5", "direction": "ccw"})
    assert turned.dealer == 1
    assert turned.color == card_color(turned.discard[-1])


def test_reading_is_lenient() -> None:
    loose = {"rules": " Classic", "hands": ["r1  w*2", "G+2"], "discard": "w", "color": "g", "direction": "Clockwise"}
    strict = {"rules": "classic", "hands": ["R1 W W", "G+2"], "discard": "W", "color": "G", "direction": "cw"}
    assert parse_position(loose) == parse_position(strict)


def test_all_faults_are_listed_at_once() -> None:
    bad = {
        "rules": "classic",
        "hands": ["R5", "?? G2", "Q1"],
        "discard": "R5",
        "color": 3,
        "draw": ["R5"],
        "turn": True,
        "direction": "up",
        "called": [0, "1"],
        "lever": ["discard", "draw5"],
        "rule_cards": ["draw 99"],
        "cards": [],
    }
    with pytest.raises(NotationError) as error:
        parse_position(bad)
    text = str(error.value)
    for place in ("hands[2]", "color", "draw", "turn", "direction", "called[1]", "rule_cards[0]", "cards"):
        assert f"  {place}: " in text
    assert text.startswith("8 faults:")


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"hands": ["R1"]}, "2 to 10 players"),
        ({"hands": ["R1"] * 11}, "2 to 10 players"),
        ({"hands": ["R1", ""]}, "seat 1 holds no card"),
        ({"hands": ["R1", "??"]}, "must name every card"),
        ({"draw": "??*20"}, "must name every card"),
        ({"draw": "W*126"}, "at most 128 cards"),
        ({"draw": "Wss G1"}, "draw: Wss is for All Wild only"),
        ({"rules": "wild-jackpot", "hands": ["R1 Wx", "R2"]}, "hands: seat 0: Wx is for All Wild only"),
        ({"draw": "W*0"}, "from 1 to 128"),
        ({"discard": ""}, "discard pile is empty"),
        ({"discard": "W"}, "color: missing"),
        ({"discard": "R5", "color": "G"}, "decides the current color"),
        ({"turn": 2}, "no seat 2"),
        ({"dealer": -1}, "no seat -1"),
        ({"called": [2]}, "no seat 2"),
        ({"scores": [1]}, "1 scores for 2 players"),
        ({"scores": [1, -1]}, "negative"),
        ({"scores": [1_000_001, 0]}, "scores: a score is at most 1000000 before the round"),
        ({"scores": [99999999999999999999, 0]}, r"scores\[0\]: the number is too large"),
        ({"turn": 10**5000}, "turn: the number is too large"),
        ({"lever": ["draw5"]}, "no outcome 'draw5'"),
        ({"lever": ["all"] * 33}, "at most 32"),
        ({"rule_cards": ["R1"] * 17}, "at most 16"),
        ({"rules": "wild-jackpot", "rule_cards": []}, "rule_cards: empty; give at least one, or leave the key out"),
        ({"draw": "Rj", "rule_cards": []}, "rule_cards: empty; give at least one, or leave the key out"),
        ({"rules": "clasic"}, "no ruleset"),
        ({"options": {"jump": True}}, "no rule option"),
        ({"options": {"team_play": True}}, "needs four players"),
        ({"hand": []}, "unknown key"),
    ],
)
def test_what_is_refused(change: dict[str, object], fault: str) -> None:
    good: dict[str, object] = {"rules": "classic", "hands": ["R1", "G2"], "discard": "R5", "draw": "B1"}
    parse_position(good)
    with pytest.raises(NotationError, match=fault):
        parse_position(good | change)


@pytest.mark.parametrize(
    ("pile", "fault"),
    [("R5 R66", "'R66' is not a card"), ("R5 W*0", "after * a number from 1 to 128 was expected, not '0'")],
)
def test_an_unreadable_pile_names_the_card_notation(pile: str, fault: str) -> None:
    said = f"{fault}; a card is a color R Y G B or W and a face, like R5, Ys, W+4, and W*3 is three of them"
    with pytest.raises(NotationError) as error:
        parse_pile(pile)
    assert str(error.value) == f"{said} (at column 4 of {pile!r})"
    assert (error.value.reason, error.value.text, error.value.column) == (said, pile, 3)


def test_without_hands_no_seat_is_missed() -> None:
    """The missing hands are the only error."""
    with pytest.raises(NotationError) as error:
        parse_position({"rules": "classic", "hands": [], "discard": "R5", "called": [1]})
    assert str(error.value) == "hands: 0 hands; a table has 2 to 10 players (CO-47)"


def test_a_view_may_hold_cards_nobody_knows() -> None:
    view = {"rules": "classic", "hands": ["R1", "??*5"], "discard": "W", "draw": "??*40"}
    shown = parse_position(view, is_view=True)
    assert shown.hands[1] == (UNKNOWN_CARD,) * 5
    assert shown.color == NO_COLOR
    assert parse_position(tomllib.loads(str(shown)), is_view=True) == shown
    assert any("must name every card" in fault for fault in shown.faults())


def test_limits_are_those_of_the_table() -> None:
    assert module.MAX_CARDS == layout.MAX_DECK
    assert module.MAX_RULE_CARDS == layout.MAX_RULE_CARDS
    assert module.MAX_LEVER_OUTCOMES == layout.MAX_SCRIPT
