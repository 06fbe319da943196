"""Cards, colors and moves that print their names and equal them."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

from lastcard.errors import NotationError
from lastcard.game.cards import CARD_NAMES, CARDS, COLOR_LETTERS, COLORS_OR_NONE, Card, Cards, Color
from lastcard.game.moves import Move, parse_move
from lastcard.match.events import Played
from lastcard.match.round import Round


def test_a_card_is_its_number_and_equals_its_name() -> None:
    for number, name in CARD_NAMES.items():
        card = Card(name)
        assert card == number == Card(number) == CARDS[number]
        assert card == name and bool(card != name) is False and card != "no card"
        assert f"{card}" == str(card) == repr(card) == name
        assert hash(card) == hash(number) and number in {card}
        assert pickle.loads(pickle.dumps(card)) == name
        assert np.arange(80)[card] == number


def test_a_color_is_its_number_and_equals_its_letter() -> None:
    for number, letter in enumerate(COLOR_LETTERS):
        assert Color(letter) == number == COLORS_OR_NONE[number] and Color(number) == letter != "?"
    assert str(Color(-1)) == "none" and Color("none") == -1


@pytest.mark.parametrize("wrong", ["R10", "", "r5x", 999, -2, True])
def test_what_is_no_card_is_refused(wrong: int | str) -> None:
    with pytest.raises(NotationError, match="no card"):
        Card(wrong)


@pytest.mark.parametrize("wrong", ["X", "", 9])
def test_what_is_no_color_is_refused(wrong: int | str) -> None:
    with pytest.raises(NotationError, match="no color"):
        Color(wrong)


def test_cards_come_from_numbers_or_a_text() -> None:
    assert Cards("R5 W*2") == (5, 64, 64) == Cards([5, 64, 64])
    assert "W" in Cards("R5 W") and Cards("R5 W R5").count("R5") == 2
    assert eval(repr(Cards("R5 W"))) == Cards("R5 W")
    with pytest.raises(NotationError, match="99 is not the number of a card"):
        Cards([5, 99])


def test_moves_are_made_from_names_and_equal_their_notation() -> None:
    move = Move("play", "W", "G", uno=True)
    assert move == "W=G!" and move != "W=G" and move == parse_move("w=g!") and move.card == "W" and move.color == "G"
    assert Move("play", 5) == Move("play", "R5") == "R5" and hash(Move("play", 5)) == hash(Move("play", "R5"))
    with pytest.raises(NotationError, match="'R55' is not a card"):
        Move("play", "R55")


def test_a_round_shows_names() -> None:
    """A deck may be a text; the events, the top card and the view are names."""
    round_ = Round.deal("classic", 2, seed=1, deck="R1 G1 " * 7 + "R9 B2 B3")
    assert str(round_.events()) == "[Turned(card=R9)]"
    view = round_.view(1)
    assert view.top == round_.top == "R9" and view.color == round_.color == "R"
    assert view.hand == Cards("R1*7") and view.legal[0] == "R1" and view.legal[-1] == "draw"
    (event,) = round_.do(1, "R1")
    assert event == Played(1, Card("R1"), None) and str(event) == "Played(seat=1, card=R1, color=None)"
