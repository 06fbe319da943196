"""Decks, dealing, the draw for dealer, and rules that contradict each other.

These clauses cannot be written as conformance cases; each test names the clauses it proves.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from lastcard.errors import LastcardError, RulesError, UsageError
from lastcard.game.cards import card_name, card_points, parse_cards
from lastcard.game.position import parse_position
from lastcard.game.rulecards import cards_per_player, parse_rule_card
from lastcard.game.rulesets import ruleset
from lastcard.match.match import Match
from lastcard.match.record import Record
from lastcard.match.round import Round
from lastcard.match.setup import rules_state
from lastcard.rules import scoring
from support.arranged_decks import DECKS, all_cards, arrange_deck, card_count, deal_arranged, play_to_end
from support.clauses import proves


# --- decks -------------------------------------------------------------------------------------------
@proves("AW-1")
def test_all_wild_deck() -> None:
    """AW-C01."""
    counts = {"W": 54, "Wr": 14, "Ws": 14, "Wss": 6, "W+2": 10, "W+4": 6, "W@2": 4, "Wx": 4}
    assert Counter(map(card_name, DECKS["all-wild"])) == counts
    assert sum(card_points(card, all_wild=True) for card in DECKS["all-wild"]) == 3980


@proves("CL-1")
def test_classic_deck() -> None:
    """CL-C01."""
    colored = {c + f: 1 if f == "0" else 2 for c in "RYGB" for f in (*"0123456789sr", "+2")}
    assert Counter(map(card_name, DECKS["classic"])) == colored | {"W": 4, "W+4": 4}
    assert len(DECKS["classic"]) == 108
    assert sum(map(card_points, DECKS["classic"])) == 1240


@proves("WJ-1", "WJ-2")
def test_wild_jackpot_deck() -> None:
    """WJ-C01."""
    numbers = {str(n): 2 if 1 <= n <= 5 else 1 for n in range(10)}
    faces = numbers | {"s": 2, "r": 2, "+2": 2, "j": 4}
    colored = {c + f: n for c in "RYGB" for f, n in faces.items()}
    assert Counter(map(card_name, DECKS["wild-jackpot"])) == colored | {"W": 2, "W+4": 4, "Wj": 2}
    assert len(DECKS["wild-jackpot"]) == 108
    assert sum(map(card_points, DECKS["wild-jackpot"])) == 1760


@pytest.mark.parametrize("rules", ["classic", "wild-jackpot"])
@pytest.mark.parametrize("card", ["Ws", "Wr", "W+2", "Wss", "W@2", "Wx"])
def test_cards_of_all_wild_are_refused_elsewhere(rules: str, card: str) -> None:
    """Elsewhere it could name no color and no player (AW-23, AW-24): swapped hands were those of seat 15."""
    deck = [*parse_cards(card), *DECKS[rules][1:]]
    with pytest.raises(UsageError, match=re.escape(f"{card} is for All Wild only")):
        Round.deal(rules, 3, deck=deck)


def test_other_cards_of_other_games_may_be_in_a_deck() -> None:
    """A table has a flag for them (docs/notation.md, Positions), which specializations use."""
    mixed = Round.deal("all-wild", 2, deck=parse_cards("R3 W*16 G+2"))
    assert list(mixed.hand(1)) == parse_cards("R3 W*6") and mixed._states["has_foreign_cards"] == [1]
    assert Round.deal("all-wild", 2, deck=DECKS["all-wild"])._states["has_foreign_cards"] == [0]
    assert Round.deal("all-wild", 2, seed=1)._states["has_foreign_cards"] == [0]


def test_an_automatic_call_counts_in_a_position() -> None:
    """The call counts from the start of a position (CO-19, docs/notation.md); else the position lists calls."""
    for rules, called in (("classic+uno_window=automatic_call", {0}), ("classic", set())):
        position = parse_position({"rules": rules, "hands": ["R1", "R2 R3"], "discard": "R5", "draw": "B1", "turn": 1})
        assert Round.from_position(position).public_state().called == called


def numbers_of(rules: str, seed: int = 1) -> dict[str, list[int]]:
    """The numbers 0-9 of every color in a round."""
    names = Counter(map(card_name, all_cards(Round.deal(rules, 2, seed=seed))))
    return {c: [names[f"{c}{n}"] for n in range(10)] for c in "RYGB"}


@proves("LC-24", "wj_number_distribution=0-9_5-9", "wj_number_distribution=0_1-7")
def test_number_distributions() -> None:
    """The fifteen numbers of a color."""
    base = "wild-jackpot+wj_number_distribution="
    assert set(map(tuple, numbers_of("wild-jackpot").values())) == {(1, 2, 2, 2, 2, 2, 1, 1, 1, 1)}
    assert set(map(tuple, numbers_of(base + "0-9_5-9").values())) == {(1, 1, 1, 1, 1, 2, 2, 2, 2, 2)}
    assert set(map(tuple, numbers_of(base + "0_1-7").values())) == {(1, 2, 2, 2, 2, 2, 2, 2, 0, 0)}


@proves("LC-24", "wj_number_distribution=0-9_random")
def test_random_number_distribution() -> None:
    """Five second copies of 1-9, the same in each color, drawn once a match from its seed."""
    rules = "wild-jackpot+wj_number_distribution=0-9_random"
    seen = set()
    for seed in range(12):
        numbers = list(numbers_of(rules, seed).values())
        assert all(row == numbers[0] for row in numbers)
        assert numbers[0][0] == 1 and sorted(numbers[0][1:]) == [1] * 4 + [2] * 5
        seen.add(tuple(numbers[0]))
    assert len(seen) > 6
    match = Match(rules + "+wj_rules=social_only", 2, seed=5)
    first = all_cards(match.round)
    play_to_end(match, random.Random(1))
    assert all_cards(match.next_round()) == first


# --- players and hands -------------------------------------------------------------------------------
@proves("CO-47", "AW-3", "CL-2", "WJ-3")
@pytest.mark.parametrize("game", DECKS)
@pytest.mark.parametrize("players", [-1, 0, 1, 11, 10**30])
def test_players(game: str, players: int) -> None:
    """AW-C04, CL-C04: two to ten players; other numbers are refused before there are so many."""
    for make in (Round.deal, Match):
        with pytest.raises(UsageError, match=f"2 to 10 players, not {players}"):
            make(game, players, seed=1)
    for allowed in (2, 10):
        assert len(Round.deal(game, allowed, seed=1).hands) == allowed


@pytest.mark.parametrize("players", [2.0, "2", "ab", True, None, 2.5])
def test_a_number_of_players_is_a_whole_one(players: Any) -> None:
    for make in (Round.deal, Match):
        with pytest.raises(UsageError, match=f"the number of players is a whole number, not {players!r}"):
            make("classic", players)


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("", "'' is not a name"),
        (" ", "' ' is not a name"),
        ("Bo\tb", r"'Bo\tb' is not a name; a name is one line of text"),
        ("Bo\u2028b", "is not a name"),
        ("Bo\udcffb", r"'Bo\udcffb' is not a name"),
        (3, "a number; expected text"),
    ],
)
def test_a_name_can_be_read_again(name: Any, says: str) -> None:
    """A name that a record cannot contain is refused in a match: it could be saved but never resumed."""
    with pytest.raises(UsageError, match=f"^seat 1: .*{re.escape(says)}"):
        Match("classic", ["Ann", name])
    Record.parse(Match("classic", ["Ann", 'B\' o "🂡" \u200d'], seed=1).record().text())


def _any(value: object) -> Any:
    """A value that a type checker would refuse."""
    return value


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: Match(_any(None)), "a ruleset is named by a text, such as classic+stacking=same, not by None"),
        (lambda: Match(_any(["classic"])), "not by ['classic']"),
        (lambda: Match("classic", host=_any("0")), "seats 0 to 1, not '0'"),
        (lambda: Match("classic", host=_any(1.0)), "seats 0 to 1, not 1.0"),
        (lambda: Match("classic", host=True), "seats 0 to 1, not True"),
        (lambda: Match("wild-jackpot+wj_rules=written", rule_cards=_any(["draw 2"])), "rulecards.parse_rule_card"),
        (lambda: Round.deal("wild-jackpot", 2, rule_cards=_any("R1")), "rulecards.parse_rule_card"),
        (lambda: Round.deal("classic", 2, dealer=_any(None)), "seats 0 to 1, not None"),
        (lambda: Round.deal("classic", 2, number=_any(1.0)), "a whole number, not 1.0"),
        (lambda: Round.deal("classic", 2, number=-1), "rounds are numbered from 0 to 4294967295, not -1"),
        (lambda: Round.deal("classic", 2, number=2**32), "from 0 to 4294967295, not 4294967296"),
        (lambda: Round.deal("classic", 2, deck=_any(5)), "a deck for 2 players has 15 to 128 cards, all of them known"),
        (lambda: Round.deal("classic", 2, deck=_any([True] * 15)), "15 to 128 cards, all of them known"),
        (lambda: Round.deal("classic", 2, deck=_any([1.0] * 15)), "15 to 128 cards, all of them known"),
        (lambda: Match("classic", position=_any({"rules": "classic"})), "parse_position makes of its text or table"),
        (lambda: Match("classic", position=_any("")), "parse_position makes of its text or table, not ''"),
        (lambda: Round.from_position(_any(None)), "parse_position makes of its text or table, not None"),
        (lambda: Round.deal("classic", 2, seed=1).do(1, _any(None)), "a Move or a text, such as R5!, not None"),
        (lambda: Round.deal("classic", 2, seed=1).verify(1, _any(5)), "a Move or a text, such as R5!, not 5"),
        (lambda: Match("classic").do(1, _any(b"draw")), "a Move or a text, such as R5!, not b'draw'"),
        (lambda: Match("classic").do(_any("0"), "draw"), "there is no seat '0'; seats are 0 to 1"),
        (lambda: Round.deal("classic", 2, seed=1).do(_any(0.0), "draw"), "there is no seat 0.0; seats are 0 to 1"),
        (lambda: Round.deal("classic", 2, seed=1).verify(_any(None), "draw"), "there is no seat None"),
        (lambda: Round.deal("classic", 2, seed=1).can(10**30, "draw"), "there is no seat 1000000"),
        (lambda: Round.deal("classic", 2, seed=1).hand(_any("0")), "there is no seat '0'; seats are 0 to 1"),
        (lambda: Round.deal("classic", 2, seed=1).view(True), "there is no seat True; seats are 0 to 1"),
    ],
)
def test_values_of_a_wrong_type_are_refused(make: Any, says: str) -> None:
    with pytest.raises(LastcardError, match=re.escape(says)):
        make()


def test_numbers_of_numpy_are_numbers() -> None:
    one, three, seven = (_any(number) for number in np.array([1, 3, 7]))
    match = Match("classic", three, host=one, seed=seven)
    assert str(match.record()) == str(Match("classic", 3, host=1, seed=7).record())
    assert match.players == ("Player 1", "Player 2", "Player 3")
    seat = _any(np.int64(match.round.turn))
    match.do(seat, match.round.legal(seat)[0])
    assert str(Record.parse(str(match.record()))) == str(match.record())


@pytest.mark.parametrize("seat", [False, True])
def test_a_boolean_is_no_seat(seat: bool) -> None:
    """A boolean is refused even if the seat with that number is on turn."""
    table = Round.deal("classic", 2, seed=1, dealer=int(not seat), deck=arrange_deck("classic", 2, "R5", int(not seat)))
    assert table.turn == seat
    for refuse in (table.do, table.verify, table.can):
        with pytest.raises(UsageError, match=f"there is no seat {seat}; seats are 0 to 1"):
            refuse(seat, "draw")
    assert table.draw_count == 93


def test_a_position_made_by_hand_is_validated() -> None:
    """An impossible turn, or a card that only a view leaves open, is refused."""
    position = parse_position({"rules": "classic", "hands": ["R5 R6", "B1"], "discard": "R9", "draw": "Y1"})
    shown = parse_position({"rules": "classic", "hands": ["R5 R6", "??"], "discard": "R9"}, is_view=True)
    for wrong, says in (
        (replace(position, turn=5), "turn: there is no seat 5; the seats are 0 to 1"),
        (replace(position, hands=((5,), (200,))), "hands: seat 1: there is a number in it that is no card"),
        (replace(position, discard=()), "discard: the discard pile is empty"),
        (replace(position, lever=("up",)), "lever: there is no outcome 'up'"),
        (replace(position, scores=(1,), direction=0), "2 faults"),
        (shown, "hands: seat 1: a position to play from must name every card"),
    ):
        with pytest.raises(UsageError, match=re.escape(says)):
            Round.from_position(wrong)
        with pytest.raises(UsageError, match=re.escape(says)):
            Match("classic", position=wrong)


@proves("AW-5", "CL-5", "WJ-6", "CO-36", "CO-45", "CO-48")
@pytest.mark.parametrize(
    ("game", "players", "pile"),
    [
        ("all-wild", 2, 97),
        ("all-wild", 10, 41),
        ("classic", 2, 93),
        ("classic", 10, 37),
        ("wild-jackpot", 2, 93),
        ("wild-jackpot", 10, 37),
    ],
)
def test_deal(game: str, players: int, pile: int) -> None:
    """AW-C02, AW-C03, CL-C02, CL-C03, WJ-C04: seven cards each, one turned over, the rest is the pile."""
    table = deal_arranged(game, players, "R5" if game != "all-wild" else "W")
    assert table.counts == (7,) * players
    assert (table.discard_count, table.draw_count) == (1, pile)
    assert all_cards(table) == sorted(DECKS[game])
    shuffled = Round.deal(game, players, seed=3)
    assert all_cards(shuffled) == sorted(DECKS[game])
    assert shuffled.hands != Round.deal(game, players, seed=4).hands
    assert shuffled.hands == Round.deal(game, players, seed=3).hands


@proves("CO-48")
def test_dealing_order() -> None:
    """One card at a time from the dealer's left."""
    deck = DECKS["all-wild"][::-1]
    table = Round.deal("all-wild", 3, seed=1, dealer=1, deck=deck)
    assert table.hands == tuple(tuple(sorted(deck[i:21:3])) for i in (1, 2, 0))
    assert table.top == deck[21]


@proves("AW-5", "CL-5", "hand_size=5", "hand_size=6", "hand_size=8", "hand_size=9", "hand_size=10")
@pytest.mark.parametrize("size", [5, 6, 8, 9, 10])
def test_hand_size(size: int) -> None:
    """The option deals other numbers of cards."""
    assert deal_arranged(f"classic+hand_size={size}", 3, "R5").counts == (size,) * 3
    assert deal_arranged(f"all-wild+hand_size={size}", 10, "W").counts == (size,) * 10


@proves("CO-36")
@pytest.mark.parametrize("game", DECKS)
@pytest.mark.parametrize("seed", range(4))
def test_no_card_is_lost(game: str, seed: int) -> None:
    """Hands, draw pile and discard pile are the whole deck at every moment."""
    table, rng = Round.deal(game, 2 + seed, seed=seed), random.Random(seed)
    for _ in range(300):
        if table.over:
            break
        table.do(table.turn, rng.choice([m for m in table.legal() if m.verb not in ("uno", "catch")]))
        assert card_count(table) == len(DECKS[game])
    assert all_cards(table) == sorted(DECKS[game])


# --- the dealer --------------------------------------------------------------------------------------
def draw(cards: str, players: int, rules: str = "classic") -> int:
    """The dealer of cards drawn in this order; every card must be needed."""
    cards_left = parse_cards(cards)
    table: Any = SimpleNamespace(dealer_tie=rules_state(ruleset(rules), players)[0]["dealer_tie"])
    seats = (1 << players) - 1
    while seats & (seats - 1):
        drawn = [cards_left.pop(0) for _ in range(seats.bit_count())]
        seats = scoring.highest_drawers(table, seats, np.array(drawn))
    assert not cards_left
    return seats.bit_length() - 1


@proves("CL-3")
def test_highest_number_deals() -> None:
    """CL-C05: symbols and wilds count 0."""
    assert draw("R5 Y9 W+4 G+2", 4) == 1
    assert draw("Rs B1 W", 3) == 1


@proves("CL-4")
def test_tied_players_draw_again() -> None:
    """CL-C06, CL-C07: only the tied ones, as often as needed."""
    assert draw("R8 G8 B2 R1 G3", 3) == 1
    assert draw("R8 B2 G8 R5 Y5 B9 Y1", 3) == 0
    assert draw("Rs W B0 R1 R3 R2", 3) == 1


@proves("CL-4", "dealer_tie=lowest_seat")
def test_lowest_of_the_tied_seats() -> None:
    """The option: no second draw."""
    assert draw("R2 G8 B8", 3, "classic+dealer_tie=lowest_seat") == 1
    assert draw("Rs W B0", 3, "classic+dealer_tie=lowest_seat") == 0


@proves("WJ-6")
def test_jackpots_count_nothing() -> None:
    """WJ-C03."""
    assert draw("Rj Wj B1 Rs", 4, "wild-jackpot") == 2


@proves("AW-4", "LC-13", "first_dealer=random", "first_dealer=draw_high")
@pytest.mark.parametrize("rules", ["all-wild", "classic", "classic+first_dealer=random", "wild-jackpot"])
def test_first_dealer_comes_from_the_seed(rules: str) -> None:
    """A seeded match repeats its dealer; over many seeds everybody deals."""
    dealers = [Match(rules, 3, seed=seed).dealer for seed in range(30)]
    assert dealers == [Match(rules, 3, seed=seed).dealer for seed in range(30)]
    assert set(dealers) == {0, 1, 2}
    match = Match(rules, 3, seed=7)
    assert match.round.dealer == match.dealer


@proves("LC-13", "first_dealer=seat_0", "first_dealer=host")
@pytest.mark.parametrize("game", DECKS)
def test_named_first_dealer(game: str) -> None:
    """Seat 0, or the host; 0 where no host is named."""
    assert {Match(f"{game}+first_dealer=seat_0", 4, seed=s, host=2).dealer for s in range(8)} == {0}
    assert {Match(f"{game}+first_dealer=host", 4, seed=s, host=2).dealer for s in range(8)} == {2}
    assert Match(f"{game}+first_dealer=host", 4, seed=1).dealer == 0


@proves("LC-13")
def test_no_draw_for_dealer_without_numbers() -> None:
    """draw_high is refused in All Wild."""
    with pytest.raises(RulesError, match="no card has a number"):
        ruleset("all-wild+first_dealer=draw_high")


# --- rules that contradict each other ----------------------------------------------------------------
@proves("LC-15", "LC-44", "LC-46", "7:seven-zero/swap-7-0")
@pytest.mark.parametrize(
    "name",
    [
        "all-wild+finish_restriction=no_wild",
        "classic+force_play=drawn+draw_then_play=never",
        "classic+force_play=always+draw_then_play=never",
        "classic+team_play+scoring=tally",
        "all-wild+seven_zero",
        "all-wild+seven_zero_last=effect",
    ],
)
def test_contradictions_are_refused(name: str) -> None:
    """Rulesets that the clauses exclude cannot be built."""
    with pytest.raises(RulesError):
        ruleset(name)


@proves("LC-46")
@pytest.mark.parametrize("players", [2, 3, 5])
def test_team_play_needs_four(players: int) -> None:
    """Partners sit opposite: four seats."""
    with pytest.raises(UsageError, match="4"):
        Round.deal("classic+team_play", players, seed=1)


@proves("WJ-4")
def test_eight_rule_cards_at_most() -> None:
    """There are eight cards to write; nine are refused."""
    cards = [parse_rule_card(f"dare: number {n}") for n in range(9)]
    Match("wild-jackpot+wj_rules=written", 2, seed=1, rule_cards=cards[:8])
    with pytest.raises(UsageError, match="8"):
        Match("wild-jackpot+wj_rules=written", 2, seed=1, rule_cards=cards)


@proves("WJ-46")
@pytest.mark.parametrize("number", [0, 17])
def test_a_dispenser_has_one_rule_card_to_sixteen(number: int) -> None:
    """A lever finds no card in an empty dispenser, and a table has space for sixteen."""
    cards = [parse_rule_card("draw 2")] * number
    with pytest.raises(UsageError, match=f"1 to 16 rule cards, not {number}"):
        Round.deal("wild-jackpot", 2, rule_cards=cards)
    assert Round.deal("wild-jackpot", 2, rule_cards=[parse_rule_card("draw 2")] * 16).rule_cards


@proves("WJ-5", "LC-31")
def test_a_match_without_written_cards_has_the_built_in_ones() -> None:
    """If nobody wrote any, they are the eight suggestions of the sheet."""
    for none in (None, ()):
        assert len(Match("wild-jackpot+wj_rules=written", 2, seed=1, rule_cards=none).rule_cards) == 8


@proves("WJ-4")
@pytest.mark.parametrize(("players", "each"), [(2, 4), (3, 2), (4, 2), (5, 1), (8, 1), (9, 0), (10, 0)])
def test_rule_cards_handed_out(players: int, each: int) -> None:
    """WJ-C02: as many cards for everybody as eight allow, the rest is set aside."""
    assert cards_per_player(players) == each
