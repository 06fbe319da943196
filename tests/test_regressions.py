"""Differences between kernel and referee that the differential tests have found, as plain tables."""

from __future__ import annotations

from lastcard.game.cards import COLOR_LETTERS
from lastcard.game.position import parse_position
from lastcard.match.round import Round
from support.arranged_decks import deal_arranged, play_moves
from support.clauses import proves


def position(text: str) -> Round:
    """The table of a position in TOML."""
    return Round.from_position(parse_position(text))


@proves("LC-29", "LC-30", "wj_first_jackpot=lever", "wj_discard_colour=named_colour_stays")
def test_color_named_for_the_opening_jackpot_stays() -> None:
    """The color of a Wild Jackpot turned over stays in force whatever is discarded, as that of one laid does."""
    table = deal_arranged(
        "wild-jackpot+wj_first_jackpot=lever+wj_discard_colour=named_colour_stays+wj_lever_weights=0/0/0/0/1/0",
        3,
        "Wj",
        p1="B9 B8 R1 R2 R3 G1 G2",
    )
    play_moves(table, "1:color=G", "1:pull", "1:throw B9", "1:stop")
    assert COLOR_LETTERS[table.color] == "G" and table.decision == "play"


@proves("LC-29", "LC-27")
def test_color_named_since_then_stays() -> None:
    """The current color stays: if a rule card has named another one meanwhile, that one."""
    table = position(
        """
        rules = "wild-jackpot+wj_discard_colour=named_colour_stays+wj_discard_jackpot=pull"
        hands = ["Wj Gj Bj Y5 R1 R2", "W B1 B2"]
        discard = "R7"
        draw = "R3 R4"
        lever = ["discard", "right", "discard"]
        rule_cards = ["R4"]
        """
    )
    play_moves(table, "0:Wj=R", "0:pull", "0:throw Gj", "0:throw Bj", "0:stop")
    assert COLOR_LETTERS[table.color] == "R" and table.decision == "pull"
    play_moves(table, "0:pull", "1:color=G", "0:pull", "0:throw Y5", "0:stop")
    assert COLOR_LETTERS[table.color] == "G" and (table.turn, table.decision) == (1, "play")


@proves("LC-8")
def test_a_deadlock_is_detected() -> None:
    """Two Reverses go round between two players who must draw and lay them; keeping a card restarts the count."""
    table = position(
        """
        rules = "classic"
        hands = ["R6 R7", "R1 R4", "R2 R3"]
        discard = "Gr"
        draw = "Yr"
        """
    )
    for turns in range(200):
        assert not table.over, turns
        seat = table.turn
        table.do(seat, "draw")
        if turns == 199:
            copied = table.copy()
            copied.do(seat, "pass")
            assert not copied.over
        table.do(seat, "Yr" if turns % 2 == 0 else "Gr")
    assert table.void and table.counts == (2, 2, 2)


@proves("LC-52", "LC-6")
def test_a_last_seven_of_a_streak_names_nobody() -> None:
    """In a streak a 7 swaps nothing, so naming a player is refused, also with the last card."""
    table = position(
        """
        rules = "wild-jackpot+seven_zero"
        hands = ["Rj B1 B2", "R7 R5"]
        discard = "R9"
        draw = "Y1 Y2"
        lever = ["left"]
        rule_cards = ["streak"]
        """
    )
    play_moves(table, "0:Rj", "0:pull", "1:R5")
    assert not table.can(1, "R7>0") and table.can(1, "R7")
