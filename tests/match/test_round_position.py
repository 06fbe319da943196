"""A round as the text of a position, and equal rounds."""

from __future__ import annotations

import random

import pytest

from lastcard import Round, UsageError, parse_position

RULES = ("classic", "all-wild", "wild-jackpot", "classic+stacking=same+jump_in+seven_zero+uno_window=automatic_call")


def make_random_move(round_: Round, dice: random.Random) -> None:
    round_.do(round_.turn, dice.choice([move for move in round_.legal() if move.verb not in ("uno", "catch")]))


@pytest.mark.parametrize("rules", RULES)
def test_a_position_continues_as_its_round(rules: str) -> None:
    """Up to the next chance event the round from the text has the same hands and legal moves."""
    dice = random.Random(1)
    expressed = refused = followed = 0
    for number in range(8):
        round_ = Round.deal(rules, dice.randint(2, 5), seed=number)
        while not round_.over and round_.discard_count < 60:
            try:
                text = round_.position()
            except UsageError:
                refused += 1
                assert round_.decision != "play" or round_.exposed or "jump_in" in rules
                make_random_move(round_, dice)
                continue
            expressed += 1
            again = Round.from_position(parse_position(text))
            assert again.position() == text
            move = dice.choice([move for move in round_.legal() if move.verb in ("play", "draw")])
            piles = round_.draw_count
            events = [[str(event) for event in one.do(one.turn, move)] for one in (round_, again)]
            if rules != "wild-jackpot" and round_.draw_count <= piles:
                followed += 1
                assert events[0] == events[1]
                assert again.hands == round_.hands
    assert expressed > refused > 0
    assert followed > 0 or rules == "wild-jackpot"


def test_rounds_are_equal_if_all_hidden_cards_and_chance_are() -> None:
    one, same, other = (Round.deal("classic", 2, seed=seed) for seed in (1, 1, 2))
    assert one == same == one.copy()
    assert one != other
    assert one != "R5"
    same.do(1, "draw")
    assert one != same
    one.do(1, "draw")
    assert one == same
    with pytest.raises(TypeError, match="unhashable"):
        hash(one)
