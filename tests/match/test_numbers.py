"""Numbers that callers give to rounds and matches: integers of Python and NumPy, and nothing that resembles one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from typing import Any, cast

import numpy as np
import pytest

from lastcard.errors import NotationError, UsageError
from lastcard.game.cards import Cards
from lastcard.game.moves import Move, move_to_action
from lastcard.game.numbers import require_int
from lastcard.game.position import parse_position
from lastcard.game.rulesets import ruleset
from lastcard.game.seeds import parse_seed
from lastcard.match.events import Drew
from lastcard.match.match import Match, draw_for_dealer, match_result, next_dealer, score_round, team_of
from lastcard.match.round import Round

RULES = ruleset("classic")
TEAMS = ruleset("classic+team_play")
ROUND = Round.deal("classic", 3, seed=1)
MOVE = ROUND.legal()[0]
POSITION = parse_position({"rules": "classic", "hands": ["R5 R6", "G1"], "discard": "R3"})
DREW = Drew(seat=1, count=1, cards=Cards([5]), reason="turn")
ENTRIES: dict[str, Callable[[Any], object]] = {
    "Round.deal players": lambda n: Round.deal("classic", n, seed=1),
    "Round.deal dealer": lambda n: Round.deal("classic", 3, seed=1, dealer=n),
    "Round.deal number": lambda n: Round.deal("classic", 3, seed=1, number=n),
    "Round.deal deck": lambda n: Round.deal("classic", 2, seed=1, deck=[n] * 30),
    "Round.legal": lambda n: ROUND.legal(n),
    "Round.legal_actions": lambda n: ROUND.legal_actions(n),
    "Round.verify": lambda n: ROUND.verify(n, MOVE),
    "Round.can": lambda n: ROUND.can(n, MOVE),
    "Round.do": lambda n: ROUND.copy().do(n, MOVE),
    "Round.view": lambda n: ROUND.view(n),
    "Round.hand": lambda n: ROUND.hand(n),
    "Round.history": lambda n: ROUND.history(n),
    "Round.information_state": lambda n: ROUND.information_state(n),
    "Round.last_discards": lambda n: ROUND.last_discards(n),
    "Event.seen_by": lambda n: DREW.seen_by(n),
    "Match players": lambda n: Match("classic", n, seed=1),
    "Match host": lambda n: Match("classic", 3, seed=1, host=n),
    "Match.do": lambda n: Match("classic", 3, seed=1).do(n, MOVE),
    "Match.can_take_back": lambda n: Match("classic", 3, seed=1).can_take_back(n),
    "Match.take_back": lambda n: Match("classic", 3, seed=1).take_back(n),
    "score_round scores": lambda n: score_round(RULES, [n, 0], 0, [0, 5]),
    "score_round winner": lambda n: score_round(RULES, [0, 0], n, [0, 5]),
    "score_round held": lambda n: score_round(RULES, [0, 0], 0, [0, n]),
    "match_result scores": lambda n: match_result(RULES, [n, 600], 1),
    "match_result winner": lambda n: match_result(RULES, [0, 600], n),
    "next_dealer dealer": lambda n: next_dealer(RULES, n, 2, 0, [0, 1]),
    "next_dealer players": lambda n: next_dealer(RULES, 0, n, 0, [0, 1]),
    "next_dealer winner": lambda n: next_dealer(RULES, 0, 2, n, [0, 1]),
    "draw_for_dealer players": lambda n: draw_for_dealer(RULES, n, bytes(32), 0),
    "draw_for_dealer number": lambda n: draw_for_dealer(RULES, 2, bytes(32), n),
    "team_of": lambda n: team_of(TEAMS, n),
    "Position turn": lambda n: Round.from_position(replace(POSITION, turn=n)),
    "Position dealer": lambda n: Round.from_position(replace(POSITION, dealer=n)),
    "Position direction": lambda n: Round.from_position(replace(POSITION, direction=n)),
    "Position called": lambda n: Round.from_position(replace(POSITION, called=(n,))),
    "Position scores": lambda n: Round.from_position(replace(POSITION, scores=(n, 0))),
    "Position color": lambda n: Round.from_position(replace(POSITION, color=n)),
    "Position hands": lambda n: Round.from_position(replace(POSITION, hands=((n, n), (n,)))),
    "Position draw": lambda n: Round.from_position(replace(POSITION, draw=(n,))),
    "require_int": lambda n: require_int("a number", n, 0, 5),
}
"""Everything in ``play`` that takes a number."""
NONE_OR_NUMBER = {
    "Round.legal", "Round.view", "Round.history", "Round.information_state", "Event.seen_by", "score_round winner",
    "match_result winner", "next_dealer winner",
}  # fmt: skip
NO_NUMBERS = [True, False, np.True_, 1.0, np.float64(1), "1", Fraction(1), Decimal(1), 1j, [1], (1,)]


@pytest.mark.parametrize("entry", ENTRIES)
def test_every_number_is_a_whole_number_and_no_bool(entry: str) -> None:
    """``True`` equals 1: it would move for seat 1, see its cards, or count as a point."""
    for value in NO_NUMBERS if entry in NONE_OR_NUMBER else [*NO_NUMBERS, None]:
        with pytest.raises(UsageError):
            ENTRIES[entry](value)


@pytest.mark.parametrize("entry", sorted({*ENTRIES} - {"Round.do", "Round.verify", "Match.do", "Round.can"}))
@pytest.mark.parametrize("value", [-(2**70), 2**70])
def test_every_number_has_a_range(entry: str, value: int) -> None:
    """Some would be too large for the kernel, some would make it run forever."""
    if entry in ("Event.seen_by", "Round.last_discards"):  # which have no upper end
        value = -1 if entry == "Round.last_discards" else 1.5  # type: ignore[assignment]
    with pytest.raises(UsageError):
        ENTRIES[entry](value)


def test_numbers_of_numpy_become_those_of_python() -> None:
    three, two, four, one = (cast(int, number) for number in (np.int64(3), np.int8(2), np.uint8(4), np.int64(1)))
    table = Round.deal("classic", three, seed=1, dealer=two, number=four)
    assert (table.players, table.dealer, table.number) == (3, 2, 4) and type(table.players) is int
    assert type(table.view(one).seat) is int and type(require_int("a number", one, 0)) is int
    assert table.view(one) == table.view(1)


@pytest.mark.parametrize("value", [True, False])
def test_a_bool_is_no_seed(value: bool) -> None:
    with pytest.raises(UsageError, match="a seed is a text, a number"):
        parse_seed(value)


@pytest.mark.parametrize("value", [True, False, 1.0])
def test_a_part_of_a_move_is_a_whole_number_and_no_bool(value: Any) -> None:
    """A boolean is refused even after the same move with 1: the two are equal."""
    for right, wrong in (
        (Move("catch", target=1), Move("catch", target=value)),
        (Move("color", color=1), Move("color", color=value)),
        (Move("play", 1), Move("play", value)),
    ):
        move_to_action(right)
        with pytest.raises(NotationError, match="is no whole number; cards, colors and seats are"):
            move_to_action(wrong)
        match = Match("classic", 2, seed=1)
        with pytest.raises(NotationError):
            match.do(0, wrong)
        assert match.moves == ()


def test_a_seat_is_no_text() -> None:
    with pytest.raises(NotationError, match="'1' is no whole number"):
        move_to_action(Move("catch", target=cast(int, "1")))
