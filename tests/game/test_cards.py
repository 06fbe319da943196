"""Cards, colors and moves that print their names and equal them."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

from lastcard.errors import NotationError
from lastcard.game.cards import CARD_NAMES, CARDS, COLOR_LETTERS, COLORS_OR_NONE, Card, Cards, Color
from lastcard.game.moves import Move, parse_move
from lastcard.game.rulesets import GAMES, ruleset
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


def test_every_card_and_every_color_is_true() -> None:
    assert all(Card(name) for name in CARD_NAMES.values()) and all(Color(letter) for letter in COLOR_LETTERS)
    assert Move("play", "R0").card and Move("color", color="R").color
    assert not Color("none")


def test_a_card_describes_itself() -> None:
    described: dict[str, tuple[object, ...]] = {
        name: (c.color, c.number, c.is_wild, c.is_action, c.points) for name in CARD_NAMES.values() if (c := Card(name))
    }
    expected: dict[str, tuple[object, ...]] = {
        f"{color}{n}": (color, n, False, False, n) for color in "RYGB" for n in range(10)
    }
    for face, points in (("s", 20), ("r", 20), ("+2", 20), ("j", 40)):
        expected |= {color + face: (color, None, False, True, points) for color in "RYGB"}
    expected |= {
        "W" + face: ("W", None, True, face != "", 50) for face in ("", "+4", "ss", "@2", "x", "s", "r", "+2", "j")
    }
    assert described == expected


def test_the_points_of_a_card_depend_on_the_game() -> None:
    """AW-51: a plain Wild counts 20, all others 50. CL-50, WJ-60."""
    points = {game: [ruleset(game).card_points(name) for name in ("W", "W+4", "Wj")] for game in GAMES}
    assert points == {"all-wild": [20, 50, 50], "classic": [50, 50, 50], "wild-jackpot": [50, 50, 50]}
    assert ruleset("wild-jackpot+harsh").card_points("Bj") == 40 and ruleset("classic").card_points(0) == 0
    with pytest.raises(NotationError, match="no card"):
        ruleset("classic").card_points("R10")


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
