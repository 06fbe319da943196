"""The heuristic policy with the lever and its rule cards: play chains, buried and discarded cards."""

from __future__ import annotations

import random
from functools import cache

import pytest

from lastcard import Round
from lastcard.bots.registry import make_bot
from lastcard.game.position import parse_position
from support.arranged_decks import play_moves

COLORED = [f"{color}{face}" for color in "RYGB" for face in (*range(10), "s", "r", "+2", "j")]


def performed(hand: str, lever: str, rule: str = "", rules: str = "wild-jackpot") -> list[str]:
    """The moves of *sharp* after the lever or a rule card hits a hand."""
    puller, other = ("Rj", hand) if lever == "left" else (f"Rj {hand}", "Y1 Y2 Y3 Y4")
    position = {
        "rules": rules,
        "hands": [f"{puller} R9 R9" if lever == "left" else puller, other],
        "discard": "R7",
        "draw": "B1 B1 B2 B2 B3 B3",
        "lever": [lever],
    }
    table = Round.from_position(parse_position(position | ({"rule_cards": [rule]} if rule else {})))
    play_moves(table, "0:Rj", "0:pull")
    seat, moves = table.turn, []
    bot = make_bot("sharp", bytes(32), seat)
    while not table.over and table.turn == seat and table.view(seat).decision in ("streak", "bury", "throw"):
        move = bot.choose(table.view(seat))
        table.do(seat, move)
        moves.append(str(move).removesuffix("!"))
    return moves


def longest_chain(hand: tuple[str, ...], top: str) -> int:
    """The maximum number of colored cards that can be played one after another on a card (R2), over all orders."""

    @cache
    def after(left: tuple[str, ...], top: str) -> int:
        fits = [i for i, card in enumerate(left) if card[0] == top[0] or card[1:] == top[1:]]
        return max((1 + after(left[:i] + left[i + 1 :], left[i]) for i in fits), default=0)

    return after(hand, top)


def test_a_play_chain_is_followed_to_its_end() -> None:
    """R2: the card that leaves most for the next step is not the first of the longest chain."""
    hand = "R1 R2 R3 Y3 Y4 G4 G5"
    assert len(performed(hand, "left", "R2")) == longest_chain(tuple(hand.split()), "Rj") == 7


def test_play_chains_are_nearly_the_longest() -> None:
    """R2: of the longest chains of random hands of seven, nearly all cards are played."""
    rng = random.Random(7)
    laid = could = 0
    for _ in range(150):
        hand = rng.sample(COLORED, 7)
        laid += len(performed(" ".join(hand), "left", "R2"))
        could += longest_chain(tuple(hand), "Rj")
    assert could * 0.97 < laid <= could


def test_wilds_join_parts_of_a_play_chain() -> None:
    """R2: a wild is played only where no colored card fits, a Wild Draw Four only without the current color."""
    assert performed("R1 W G2 G3", "left", "R2")[:2] == ["R1", "W=G"]
    assert len(performed("R1 R2 W+4 G2 B3", "left", "R2")) == 5


@pytest.mark.parametrize(
    ("hand", "buried"),
    [("R1 R+2 G9 B+2", {"G9", "B+2"}), ("W G9 R1 W+4", {"G9", "R1"}), ("G1 G2 B8 W", {"B8", "G1"})],
)
def test_matching_cards_stay_in_hand(hand: str, buried: set[str]) -> None:
    """R1: with red in force red cards stay in hand; wilds stay before all others."""
    assert set(performed(hand, "left", "R1")) == {f"bury {card}" for card in buried}


def test_a_jackpot_is_discarded_only_where_it_pays() -> None:
    """WJ-44: a discarded Jackpot pulls no lever, so another card of its color goes; with the option it may."""
    assert "throw G3" in performed("Gj G3 B2", "discard")
    assert "throw Gj" in performed("Gj B2", "discard")
    assert "throw Gj" in performed("Gj G3 B2", "discard", rules="wild-jackpot+wj_discard_jackpot=pull")
