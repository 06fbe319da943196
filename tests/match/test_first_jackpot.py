"""A first card that is a Jackpot, the rule cards of a table, and the frequencies of the lever."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

import pytest

from lastcard.errors import IllegalMove, RulesError
from lastcard.game.cards import card_name, hand_text
from lastcard.game.rulecards import parse_rule_card
from lastcard.game.rulesets import ruleset
from lastcard.match.round import Round
from support.arranged_decks import arrange_deck, deal_arranged, play_moves, turn_state
from support.clauses import proves


def jackpot(first: str, card: str, players: int = 4, options: str = "", **hands: str) -> Round:
    """A round opened by a Jackpot, with one written rule card in the dispenser."""
    rules = f"wild-jackpot+wj_rules=written{options}"
    deck = arrange_deck(rules, players, first, 0, **hands)
    return Round.deal(rules, players, seed=1, deck=deck, rule_cards=[parse_rule_card(card)])


@proves("WJ-8")
def test_first_jackpot() -> None:
    """WJ-C05: the left of the dealer names anybody, who performs one rule card; no lever."""
    for chosen in range(4):
        table = jackpot("Rj", "dare: hum a tune")
        assert turn_state(table) == (1, 1, "choose")
        assert {str(m) for m in table.legal()} == {f"choose>{seat}" for seat in range(4)}
        for seat, move in [(1, "pull"), (1, "draw"), (0, "choose>2"), (2, "catch>0")]:
            with pytest.raises(IllegalMove):
                table.do(seat, move)
        table.do(1, f"choose>{chosen}")
        assert turn_state(table) == (chosen, 1, "perform")
        table.do(chosen, "done")
        assert (*turn_state(table), table.color) == (1, 1, "play", 0)


@proves("WJ-9")
def test_first_wild_jackpot() -> None:
    """WJ-C06: first the color, then the player; with seven cards there is nothing to draw."""
    table = jackpot("Wj", "draw until 7")
    assert turn_state(table) == (1, 1, "color")
    with pytest.raises(IllegalMove):
        table.do(1, "choose>3")
    assert turn_state(play_moves(table, "1:color=Y")) == (1, 1, "choose")
    play_moves(table, "1:choose>3")
    assert (*turn_state(table), table.color, table.counts) == (1, 1, "play", 1, (7, 7, 7, 7))


@proves("WJ-8", "R1")
def test_first_jackpot_and_burying() -> None:
    """WJ-C07: the dealer puts five cards of their choice under the Jackpot."""
    table = play_moves(jackpot("Rj", "discard until 2", 3, p0="G1 G2 G3 G4 G5 G6 G7"), "1:choose>0")
    for card in ("G7", "G1", "G6", "G2", "G5"):
        assert turn_state(table) == (0, 1, "bury")
        table.do(0, f"bury {card}")
    assert (*turn_state(table), table.color, card_name(table.top)) == (1, 1, "play", 0, "Rj")
    assert (hand_text(table.hand(0)), table.discard_count) == ("G3 G4", 6)


@proves("LC-30", "wj_first_jackpot=lever")
@pytest.mark.parametrize("first", ["Rj", "Wj"])
def test_first_jackpot_pulls_the_lever(first: str) -> None:
    """The option: the left of the dealer pulls (a color before a wild one), then takes the first turn."""
    seen = set()
    for seed in range(60):
        rules = "wild-jackpot+wj_rules=social_only+wj_first_jackpot=lever"
        table = deal_arranged(rules, 3, first, seed=seed)
        if first == "Wj":
            table.do(1, "color=G")
        assert turn_state(table) == (1, 1, "pull")
        table.do(1, "pull")
        seen.add((table.decision, table.turn, table.counts[1]))
        while table.decision != "play":
            moves = {str(m) for m in table.legal()}
            table.do(table.turn, "stop" if "stop" in moves else table.legal()[0])
        assert (table.turn, table.color) == (1, 2 if first == "Wj" else 0)
    # choose, discard, draw four; right, left and all lead to a performer.
    assert seen == {("choose", 1, 7), ("throw", 1, 7), ("play", 1, 11), *(("perform", seat, 7) for seat in range(3))}


@proves("LC-30", "WJ-40e")
def test_an_opening_discard_counts_from_the_dealer() -> None:
    """The seat after the dealer pulls: the card it discards hits that seat, and it may stop."""
    rules = "wild-jackpot+wj_first_jackpot=lever+wj_lever_weights=0/0/0/0/1/0"
    for card, turn, counts in (("R+2", 2, (7, 8, 7)), ("Rs", 2, (7, 6, 7)), ("R8", 1, (7, 6, 7))):
        table = deal_arranged(rules, 3, "Rj", p1=f"{card} B8 R1 R3 R4 G1 G2")
        play_moves(table, "1:pull", f"1:throw {card}", "1:stop")
        assert (table.turn, table.counts, table.decision) == (turn, counts, "play")


@proves("LC-56")
def test_opening_goes_on_from_the_dealer() -> None:
    """Skip and reverse on the opening rule card count from the dealer."""
    assert turn_state(play_moves(jackpot("Rj", "skip"), "1:choose>3")) == (2, 1, "play")
    assert turn_state(play_moves(jackpot("Rj", "reverse"), "1:choose>2")) == (3, -1, "play")
    assert turn_state(play_moves(jackpot("Rj", "reverse", 2), "1:choose>1")) == (0, -1, "play")


@proves("LC-52", "LC-56")
def test_opening_rule_card_seats() -> None:
    """Left and right are seats from the performer, not from the dealer."""
    hands = {"p2": "G1 G2 G3 G4 G5 G6 G7", "p3": "B1 B2 B3 B4 B5 B6 B7"}
    table = play_moves(jackpot("Rj", "swap left", p2=hands["p2"], p3=hands["p3"]), "1:choose>2")
    assert [hand_text(table.hand(seat)) for seat in (3, 2)] == list(hands.values())


def first_performances(rules: str, seeds: Iterable[int]) -> set[str]:
    """The decisions pending after the opening rule card was dealt to seat 2."""
    seen = set()
    for seed in seeds:
        table = deal_arranged(rules, 3, "Rj", seed=seed, p2="W W+4 R1 R2 R3 R4 R5")
        seen.add(play_moves(table, "1:choose>2").decision)
    return seen


@proves("WJ-5", "LC-31", "wj_rules=builtin8", "wj_rules=social_only")
def test_built_in_rule_cards() -> None:
    """If none were written there are the eight of the sheet, or the three social ones."""
    built_in = first_performances("wild-jackpot", range(60))
    assert built_in == {"bury", "streak", "play", "color", "take", "perform"}
    assert first_performances("wild-jackpot+wj_rules=social_only", range(30)) == {"perform"}
    assert first_performances("wild-jackpot+wj_rules=written", range(60)) == built_in


@proves("LC-31", "wj_rules=written")
def test_written_rule_cards() -> None:
    """The dispenser has exactly the cards that the players wrote."""
    table = play_moves(jackpot("Rj", "draw 3"), "1:choose>0")
    assert (*turn_state(table), table.counts) == (1, 1, "play", (10, 7, 7, 7))


@proves("LC-55", "WJ-46")
def test_every_round_has_all_rule_cards() -> None:
    """The whole stack comes back with every round: over rounds the first rule card varies."""
    cards = [parse_rule_card(f"dare: number {n}") for n in range(8)]
    rules = "wild-jackpot+wj_rules=written"
    seen = set()
    for number in range(40):
        deck = arrange_deck(rules, 2, "Rj")
        table = Round.deal(rules, 2, seed=1, number=number, deck=deck, rule_cards=cards)
        seen.add(play_moves(table, "1:choose>0").rule)
    assert len(seen) == 8


@proves("WJ-24", "WJ-40a", "WJ-40f", "LC-25", "wj_lever_weights=uniform")
@pytest.mark.parametrize(
    ("weights", "shares"),
    [("uniform", (1, 1, 1, 1, 1, 1)), ("1/1/1/1/2/0", (1, 1, 1, 1, 2, 0)), ("0/0/3/0/0/1", (0, 0, 3, 0, 0, 1))],
)
def test_lever_weights(weights: str, shares: Sequence[int]) -> None:
    """WJ-C10, on fewer pulls: each outcome as often as its weight says."""
    rules = f"wild-jackpot+wj_rules=social_only+wj_lever_weights={weights}"
    pulls, seen = 3000, Counter[str]()
    deck = arrange_deck(rules, 4, "R5", p1="Rj R1 R2 R3 R4 G1 G2")
    for seed in range(pulls):
        table = play_moves(Round.deal(rules, 4, seed=seed, deck=deck), "1:Rj", "1:pull")
        performers = {0: "right", 1: "all", 2: "left"}
        names = {"choose": "choose", "throw": "discard", "play": "draw4"}
        seen[names.get(table.decision) or performers[table.turn]] += 1
    for name, share in zip(("choose", "right", "left", "all", "discard", "draw4"), shares, strict=True):
        expected = pulls * share / sum(shares)
        assert abs(seen[name] - expected) <= 0.15 * expected


@proves("LC-25")
def test_lever_weights_are_checked() -> None:
    """Six whole numbers, not all 0."""
    for wrong in ("0/0/0/0/0/0", "1/1/1", "1/1/1/1/1/100", "a/1/1/1/1/1", "1/1/1/1/1/-1"):
        with pytest.raises(RulesError, match="wj_lever_weights"):
            ruleset(f"wild-jackpot+wj_lever_weights={wrong}")
