"""The first card turned over, in classic UNO, All Wild and Wild Jackpot."""

from __future__ import annotations

import pytest

from lastcard.errors import IllegalMove
from lastcard.game.cards import card_name, hand_text, parse_card
from lastcard.match.round import Round
from support.arranged_decks import DECKS, all_cards, deal_arranged, play_moves, turn_state
from support.clauses import proves


@proves("AW-6", "AW-7")
@pytest.mark.parametrize(
    ("players", "dealer", "first", "turn"),
    [
        (4, 0, "Ws", 1),
        (4, 0, "W+4", 1),
        (4, 0, "W+2", 1),
        (4, 2, "Wr", 3),
        (3, 2, "Wx", 0),
        (3, 2, "W@2", 0),
        (3, 0, "Wss", 1),
        (2, 1, "Wr", 0),
        (2, 0, "W", 1),
    ],
)
def test_all_wild_first_card_does_nothing(players: int, dealer: int, first: str, turn: int) -> None:
    """AW-C05 to AW-C10."""
    table = deal_arranged("all-wild", players, first, dealer)
    assert turn_state(table) == (turn, 1, "play")
    assert table.counts == (7,) * players
    assert table.top == parse_card(first)


@proves("AW-6", "first_card_action=redraw_until_wild")
def test_all_wild_redraw() -> None:
    """The option: an action goes back until a Wild is turned over."""
    for first in ("Ws", "Wx W+4", "W"):
        table = deal_arranged("all-wild+first_card_action=redraw_until_wild", 3, f"{first} W")
        assert (card_name(table.top), table.discard_count, table.draw_count) == ("W", 1, 90)
        assert all_cards(table) == sorted(DECKS["all-wild"])
    tops = {card_name(Round.deal("all-wild+first_card_action=redraw_until_wild", 3, seed=s).top) for s in range(40)}
    assert tops == {"W"}


FIRST_CARDS = [
    (4, 0, "R5", 1, 1),  # CL-C08
    (4, 0, "Rs", 2, 1),  # CL-C09
    (2, 0, "Rs", 0, 1),  # CL-C10
    (4, 0, "Rr", 0, -1),  # CL-C11
    (2, 0, "Rr", 0, -1),  # CL-C12
    (4, 3, "R+2", 1, 1),  # CL-C13
    (2, 0, "R+2", 0, 1),  # CL-C14, WJ-C09
]


@proves("CL-6", "CL-7", "CL-8", "CL-9", "WJ-7")
@pytest.mark.parametrize("game", ["classic", "wild-jackpot"])
@pytest.mark.parametrize(("players", "dealer", "first", "turn", "direction"), FIRST_CARDS)
def test_first_card(game: str, players: int, dealer: int, first: str, turn: int, direction: int) -> None:
    """A number, a Skip, a Reverse and a Draw Two turned over."""
    table = deal_arranged(game, players, first, dealer)
    assert turn_state(table) == (turn, direction, "play")
    left = (dealer + 1) % players
    assert table.counts == tuple(9 if first == "R+2" and seat == left else 7 for seat in range(players))
    assert (table.color, table.top) == (0, parse_card(first))


@proves("CL-8")
def test_after_a_reverse_play_goes_right() -> None:
    """CL-C11: the dealer, then the player on the dealer's right."""
    table = deal_arranged("classic", 4, "Rr", p0="R5 R6 R7 R8 R9 Y1 Y2")
    assert play_moves(table, "0:R5").turn == 3


@proves("CL-10", "WJ-7")
@pytest.mark.parametrize("game", ["classic", "wild-jackpot"])
def test_first_wild_is_named(game: str) -> None:
    """CL-C15, CL-C18: the left of the dealer names the color, then plays; nothing else before."""
    table = deal_arranged(game, 3, "W", p1="G1 G2 G3 G4 G5 G6 G7")
    assert turn_state(table) == (1, 1, "color")
    assert {str(m) for m in table.legal()} == {f"color={c}" for c in "RYGB"}
    for seat, move in [(1, "G1"), (1, "draw"), (1, "pass"), (0, "color=R"), (2, "color=R"), (0, "catch>1"), (1, "uno")]:
        with pytest.raises(IllegalMove):
            table.do(seat, move)
    table.do(1, "color=G")
    assert (*turn_state(table), table.color) == (1, 1, "play", 2)
    assert play_moves(table, "1:G1").turn == 2


def opening(table: Round, players: int, dealer: int) -> tuple[int, int, str]:
    """The seat, direction and decision that follow this first card (a number, an action or a plain Wild)."""
    name, left = card_name(table.top), (dealer + 1) % players
    if name[1:] in ("s", "+2"):
        return (left + 1) % players, 1, "play"
    return (dealer, -1, "play") if name[1:] == "r" else (left, 1, "color" if name == "W" else "play")


@proves("CL-11", "WJ-7")
@pytest.mark.parametrize("game", ["classic", "wild-jackpot"])
@pytest.mark.parametrize("first", ["W+4 R5", "W+4 W+4 Ys", "W+4 Gr"])
def test_first_wild_draw_four_goes_back(game: str, first: str) -> None:
    """CL-C16, CL-C17, WJ-C08: back into the pile, another card is turned."""
    table = deal_arranged(game, 3, first)
    assert card_name(table.top) != "W+4"
    assert (table.discard_count, sum(table.counts) + table.draw_count) == (1, 107)
    assert all_cards(table) == sorted(DECKS[game])
    if card_name(table.top) not in ("Wj", "Rj", "Yj", "Gj", "Bj"):
        assert turn_state(table) == opening(table, 3, 0)


@proves("CL-11")
def test_no_round_begins_with_a_wild_draw_four() -> None:
    """In no shuffle is it the first card."""
    tables = [Round.deal("classic", 3, seed=seed, dealer=2) for seed in range(120)]
    assert all(card_name(table.top) != "W+4" for table in tables)
    assert all(turn_state(table) == opening(table, 3, 2) for table in tables)


@proves("CL-12")
def test_first_card_cannot_be_answered() -> None:
    """There is no challenge and no answer under any house rule."""
    hand = "R+2 Y+2 Rs Rr W+4 R1 R2"
    table = deal_arranged("classic+stacking=equal_or_higher+deflect", 4, "R+2", p1=hand)
    assert (*turn_state(table), table.counts[1]) == (2, 1, "play", 9)
    for move in ("R+2", "accept", "challenge", "Rs"):
        with pytest.raises(IllegalMove):
            table.do(1, move)


@proves("CL-10", "first_card_wild=redraw")
def test_first_wild_redrawn() -> None:
    """The option: a plain Wild goes back."""
    table = deal_arranged("classic+first_card_wild=redraw", 3, "W R5")
    assert card_name(table.top) != "W"
    assert all(card_name(Round.deal("classic+first_card_wild=redraw", 3, seed=s).top) != "W" for s in range(80))
    assert any(card_name(Round.deal("classic", 3, seed=s).top) == "W" for s in range(80))


@proves("LC-22", "first_card_wd4=as_wild", "first_card_wild=redraw")
def test_first_wild_draw_four_as_wild() -> None:
    """Nobody draws; the left of the dealer names the color, or it is redrawn like a Wild."""
    table = deal_arranged("classic+first_card_wd4=as_wild", 3, "W+4 R5", dealer=1)
    assert (*turn_state(table), card_name(table.top), table.counts) == (2, 1, "color", "W+4", (7, 7, 7))
    table.do(2, "color=B")
    assert (*turn_state(table), table.color) == (2, 1, "play", 3)
    table = deal_arranged("classic+first_card_wd4=as_wild+first_card_wild=redraw", 3, "W+4 R5")
    assert card_name(table.top) not in ("W", "W+4")


@proves("LC-22")
def test_first_card_wild_is_about_plain_wilds() -> None:
    """A Wild Jackpot is no plain Wild: it stays."""
    table = deal_arranged("wild-jackpot+first_card_wild=redraw", 3, "Wj R5")
    assert (card_name(table.top), table.decision) == ("Wj", "color")


@proves("LC-23", "CL-8", "first_card_reverse=player_right_of_dealer_first")
@pytest.mark.parametrize(("players", "turn"), [(4, 3), (3, 2), (2, 1)])
def test_first_reverse_right_of_dealer(players: int, turn: int) -> None:
    """The option: the player on the dealer's right begins, counter-clockwise."""
    table = deal_arranged("classic+first_card_reverse=player_right_of_dealer_first", players, "Rr")
    assert turn_state(table) == (turn, -1, "play")


@proves("6.3")
@pytest.mark.parametrize("first", ["R7", "R0"])
def test_first_seven_or_zero_does_nothing(first: str) -> None:
    """Seven-zero: the first card swaps nothing."""
    hands = {"p0": "G1 G2 G3 G4 G5 G6 G7", "p1": "B1 B2 B3 B4 B5 B6 B7"}
    table = deal_arranged("classic+seven_zero", 3, first, p0=hands["p0"], p1=hands["p1"])
    assert turn_state(table) == (1, 1, "play")
    assert [hand_text(table.hand(seat)) for seat in (0, 1)] == list(hands.values())
