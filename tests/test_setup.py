"""Decks, dealing, the draw for dealer, the first card, and going on to the next round.

These clauses cannot be written as conformance cases; each test says which it proves.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Sequence

import pytest
from clauses import proves

from lastcard.cards import card_name, card_points, hand_text, parse_card, parse_cards
from lastcard.errors import Refused, RulesError, UsageError
from lastcard.match import Match, dealer_from_draws
from lastcard.round import Round, build_deck
from lastcard.rulecards import parse_rule_card
from lastcard.rulesets import Ruleset, ruleset

SEED = bytes(32)
DECKS = {game: build_deck(ruleset(game), SEED) for game in ("all-wild", "classic", "wild-jackpot")}


def ordered(rules: Ruleset | str, players: int, first: str, dealer: int = 0, **hands: str) -> list[int]:
    """A whole deck in the order in which ``first`` is turned over and hands such as ``p1`` are dealt.

    Cards of no hand are as harmless as can be: numbers first.
    """
    chosen = ruleset(rules) if isinstance(rules, str) else rules
    turned = parse_cards(first)
    wanted = {int(name[1:]): parse_cards(cards) for name, cards in hands.items()}
    rest = sorted(build_deck(chosen, SEED))
    for card in [*turned, *(c for cards in wanted.values() for c in cards)]:
        rest.remove(card)
    size = chosen.options.hand_size
    for seat in range(players):
        have = wanted.setdefault(seat, [])
        while len(have) < size:
            have.append(rest.pop(0))
    seats = [(dealer + 1 + i) % players for i in range(players)]
    return [*(wanted[seat][i] for i in range(size) for seat in seats), *turned, *rest]


def opened(rules: str, players: int, first: str, dealer: int = 0, seed: int = 1, **hands: str) -> Round:
    """A round just dealt, with this first card (several: the first ones go back into the pile)."""
    return Round.deal(rules, players, seed=seed, dealer=dealer, deck=ordered(rules, players, first, dealer, **hands))


def state(table: Round) -> tuple[int, int, str]:
    """Whose turn it is, which way, and what is waited for."""
    return table.turn, table.direction, table.decision


def everything(table: Round) -> list[int]:
    """Every card on the table."""
    return sorted([card for hand in table.hands for card in hand] + list(table.draw_pile()) + list(table.discard))


def count_on(table: Round) -> int:
    """How many cards are on the table."""
    return sum(table.counts) + table.draw_count + table.discard_count


def finish(table: Round | Match, rng: random.Random) -> Round:
    """Play to the end of the round, laying cards wherever one can be laid."""
    current = table.round if isinstance(table, Match) else table
    for _ in range(5000):
        if current.over:
            break
        moves = [m for m in current.legal() if m.verb not in ("uno", "catch")]
        table.do(current.turn, rng.choice([m for m in moves if m.verb == "play"] or moves))
    assert current.over
    return current


# --- decks --------------------------------------------------------------------------------------


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


def numbers_of(rules: str, seed: int = 1) -> dict[str, list[int]]:
    """How many of each number 0-9 every color has in a round."""
    names = Counter(map(card_name, everything(Round.deal(rules, 2, seed=seed))))
    return {c: [names[f"{c}{n}"] for n in range(10)] for c in "RYGB"}


@proves("LC-24", "wj_number_distribution=0-9_5-9", "wj_number_distribution=0_1-7")
def test_number_distributions() -> None:
    """Which fifteen numbers a color has."""
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
    first = everything(match.round)
    finish(match, random.Random(1))
    assert everything(match.next_round()) == first


# --- players and hands --------------------------------------------------------------------------


@proves("CO-47", "AW-3", "CL-2", "WJ-3")
@pytest.mark.parametrize("game", DECKS)
@pytest.mark.parametrize("players", [0, 1, 11])
def test_players(game: str, players: int) -> None:
    """AW-C04, CL-C04: two to ten players."""
    for make in (Round.deal, Match):
        with pytest.raises(UsageError, match="2 to 10"):
            make(game, players, seed=1)
    for allowed in (2, 10):
        assert len(Round.deal(game, allowed, seed=1).hands) == allowed


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
    table = opened(game, players, "R5" if game != "all-wild" else "W")
    assert table.counts == (7,) * players
    assert (table.discard_count, table.draw_count) == (1, pile)
    assert everything(table) == sorted(DECKS[game])
    shuffled = Round.deal(game, players, seed=3)
    assert everything(shuffled) == sorted(DECKS[game])
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
    """The option deals other hands."""
    assert opened(f"classic+hand_size={size}", 3, "R5").counts == (size,) * 3
    assert opened(f"all-wild+hand_size={size}", 10, "W").counts == (size,) * 10


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
        assert count_on(table) == len(DECKS[game])
    assert everything(table) == sorted(DECKS[game])


# --- who deals ----------------------------------------------------------------------------------


def draw(cards: str, players: int, rules: str = "classic") -> int:
    """The dealer of cards drawn in this order; every card must be needed."""
    cards_left = iter(parse_cards(cards))
    seat = dealer_from_draws(ruleset(rules), cards_left, players)
    assert not list(cards_left)
    return seat


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


# --- the first card -----------------------------------------------------------------------------


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
    table = opened("all-wild", players, first, dealer)
    assert state(table) == (turn, 1, "play")
    assert table.counts == (7,) * players
    assert table.top == parse_card(first)


@proves("AW-6", "first_card_action=redraw_until_wild")
def test_all_wild_redraw() -> None:
    """The option: an action goes back until a Wild lies there."""
    for first in ("Ws", "Wx W+4", "W"):
        table = opened("all-wild+first_card_action=redraw_until_wild", 3, f"{first} W")
        assert (card_name(table.top), table.discard_count, table.draw_count) == ("W", 1, 90)
        assert everything(table) == sorted(DECKS["all-wild"])
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
    table = opened(game, players, first, dealer)
    assert state(table) == (turn, direction, "play")
    left = (dealer + 1) % players
    assert table.counts == tuple(9 if first == "R+2" and seat == left else 7 for seat in range(players))
    assert (table.color, table.top) == (0, parse_card(first))


@proves("CL-8")
def test_after_a_reverse_play_goes_right() -> None:
    """CL-C11: the dealer, then the player on the dealer's right."""
    table = opened("classic", 4, "Rr", p0="R5 R6 R7 R8 R9 Y1 Y2")
    table.do(0, "R5")
    assert table.turn == 3


@proves("CL-10", "WJ-7")
@pytest.mark.parametrize("game", ["classic", "wild-jackpot"])
def test_first_wild_is_named(game: str) -> None:
    """CL-C15, CL-C18: the left of the dealer names the color, then plays; nothing else before."""
    table = opened(game, 3, "W", p1="G1 G2 G3 G4 G5 G6 G7")
    assert state(table) == (1, 1, "color")
    assert {str(m) for m in table.legal()} == {f"color={c}" for c in "RYGB"}
    for seat, move in [(1, "G1"), (1, "draw"), (1, "pass"), (0, "color=R"), (2, "color=R"), (0, "catch>1"), (1, "uno")]:
        with pytest.raises(Refused):
            table.do(seat, move)
    table.do(1, "color=G")
    assert (*state(table), table.color) == (1, 1, "play", 2)
    table.do(1, "G1")
    assert table.turn == 2


def opening(table: Round, players: int, dealer: int) -> tuple[int, int, str]:
    """What the card that was turned over must lead to (a number, an action or a plain Wild)."""
    name, left = card_name(table.top), (dealer + 1) % players
    if name[1:] in ("s", "+2"):
        return (left + 1) % players, 1, "play"
    return (dealer, -1, "play") if name[1:] == "r" else (left, 1, "color" if name == "W" else "play")


@proves("CL-11", "WJ-7")
@pytest.mark.parametrize("game", ["classic", "wild-jackpot"])
@pytest.mark.parametrize("first", ["W+4 R5", "W+4 W+4 Ys", "W+4 Gr"])
def test_first_wild_draw_four_goes_back(game: str, first: str) -> None:
    """CL-C16, CL-C17, WJ-C08: back into the pile, another card is turned."""
    table = opened(game, 3, first)
    assert card_name(table.top) != "W+4"
    assert (table.discard_count, sum(table.counts) + table.draw_count) == (1, 107)
    assert everything(table) == sorted(DECKS[game])
    if card_name(table.top) not in ("Wj", "Rj", "Yj", "Gj", "Bj"):
        assert state(table) == opening(table, 3, 0)


@proves("CL-11")
def test_wild_draw_four_never_stays() -> None:
    """Shuffled as it comes, it never is the first card."""
    tables = [Round.deal("classic", 3, seed=seed, dealer=2) for seed in range(120)]
    assert all(card_name(table.top) != "W+4" for table in tables)
    assert all(state(table) == opening(table, 3, 2) for table in tables)


@proves("CL-12")
def test_first_card_cannot_be_answered() -> None:
    """No challenge, no answer, whatever house rule is on."""
    hand = "R+2 Y+2 Rs Rr W+4 R1 R2"
    table = opened("classic+stacking=equal_or_higher+deflect", 4, "R+2", p1=hand)
    assert (*state(table), table.counts[1]) == (2, 1, "play", 9)
    for move in ("R+2", "accept", "challenge", "Rs"):
        with pytest.raises(Refused):
            table.do(1, move)


@proves("CL-10", "first_card_wild=redraw")
def test_first_wild_redrawn() -> None:
    """The option: a plain Wild goes back."""
    table = opened("classic+first_card_wild=redraw", 3, "W R5")
    assert card_name(table.top) != "W"
    assert all(card_name(Round.deal("classic+first_card_wild=redraw", 3, seed=s).top) != "W" for s in range(80))
    assert any(card_name(Round.deal("classic", 3, seed=s).top) == "W" for s in range(80))


@proves("LC-22", "first_card_wd4=as_wild", "first_card_wild=redraw")
def test_first_wild_draw_four_as_wild() -> None:
    """Nobody draws; the left of the dealer names the color, or it is redrawn like a Wild."""
    table = opened("classic+first_card_wd4=as_wild", 3, "W+4 R5", dealer=1)
    assert (*state(table), card_name(table.top), table.counts) == (2, 1, "color", "W+4", (7, 7, 7))
    table.do(2, "color=B")
    assert (*state(table), table.color) == (2, 1, "play", 3)
    table = opened("classic+first_card_wd4=as_wild+first_card_wild=redraw", 3, "W+4 R5")
    assert card_name(table.top) not in ("W", "W+4")


@proves("LC-22")
def test_first_card_wild_is_about_plain_wilds() -> None:
    """A Wild Jackpot is no plain Wild: it stays."""
    table = opened("wild-jackpot+first_card_wild=redraw", 3, "Wj R5")
    assert (card_name(table.top), table.decision) == ("Wj", "color")


@proves("LC-23", "CL-8", "first_card_reverse=player_right_of_dealer_first")
@pytest.mark.parametrize(("players", "turn"), [(4, 3), (3, 2), (2, 1)])
def test_first_reverse_right_of_dealer(players: int, turn: int) -> None:
    """The option: the player on the dealer's right begins, counter-clockwise."""
    table = opened("classic+first_card_reverse=player_right_of_dealer_first", players, "Rr")
    assert state(table) == (turn, -1, "play")


@proves("6.3")
@pytest.mark.parametrize("first", ["R7", "R0"])
def test_first_seven_or_zero_does_nothing(first: str) -> None:
    """Seven-zero: the first card swaps nothing."""
    hands = {"p0": "G1 G2 G3 G4 G5 G6 G7", "p1": "B1 B2 B3 B4 B5 B6 B7"}
    table = opened("classic+seven_zero", 3, first, **hands)
    assert state(table) == (1, 1, "play")
    assert [hand_text(table.hand(seat)) for seat in (0, 1)] == list(hands.values())


# --- Wild Jackpot: the opening ------------------------------------------------------------------


def jackpot(first: str, card: str, players: int = 4, options: str = "", **hands: str) -> Round:
    """A round opened by a Jackpot, with one written rule card in the dispenser."""
    rules = f"wild-jackpot+wj_rules=written{options}"
    deck = ordered(rules, players, first, 0, **hands)
    return Round.deal(rules, players, seed=1, deck=deck, rule_cards=[parse_rule_card(card)])


@proves("WJ-8")
def test_first_jackpot() -> None:
    """WJ-C05: the left of the dealer names anybody, who performs one rule card; no lever."""
    for chosen in range(4):
        table = jackpot("Rj", "dare: hum a tune")
        assert state(table) == (1, 1, "choose")
        assert {str(m) for m in table.legal()} == {f"choose>{seat}" for seat in range(4)}
        for seat, move in [(1, "pull"), (1, "draw"), (0, "choose>2"), (2, "catch>0")]:
            with pytest.raises(Refused):
                table.do(seat, move)
        table.do(1, f"choose>{chosen}")
        assert state(table) == (chosen, 1, "perform")
        table.do(chosen, "done")
        assert (*state(table), table.color) == (1, 1, "play", 0)


@proves("WJ-9")
def test_first_wild_jackpot() -> None:
    """WJ-C06: first the color, then the player; with seven cards there is nothing to draw."""
    table = jackpot("Wj", "draw until 7")
    assert state(table) == (1, 1, "color")
    with pytest.raises(Refused):
        table.do(1, "choose>3")
    table.do(1, "color=Y")
    assert state(table) == (1, 1, "choose")
    table.do(1, "choose>3")
    assert (*state(table), table.color, table.counts) == (1, 1, "play", 1, (7, 7, 7, 7))


@proves("WJ-8", "R1")
def test_first_jackpot_and_burying() -> None:
    """WJ-C07: the dealer puts five cards of choice under the Jackpot."""
    table = jackpot("Rj", "discard until 2", 3, p0="G1 G2 G3 G4 G5 G6 G7")
    table.do(1, "choose>0")
    for card in ("G7", "G1", "G6", "G2", "G5"):
        assert state(table) == (0, 1, "bury")
        table.do(0, f"bury {card}")
    assert (*state(table), table.color, card_name(table.top)) == (1, 1, "play", 0, "Rj")
    assert (hand_text(table.hand(0)), table.discard_count) == ("G3 G4", 6)


@proves("LC-30", "wj_first_jackpot=lever")
@pytest.mark.parametrize("first", ["Rj", "Wj"])
def test_first_jackpot_pulls_the_lever(first: str) -> None:
    """The option: the left of the dealer pulls (a color before a wild one), then takes the first turn."""
    seen = set()
    for seed in range(60):
        rules = "wild-jackpot+wj_rules=social_only+wj_first_jackpot=lever"
        table = opened(rules, 3, first, seed=seed)
        if first == "Wj":
            table.do(1, "color=G")
        assert state(table) == (1, 1, "pull")
        table.do(1, "pull")
        seen.add((table.decision, table.turn, table.counts[1]))
        while table.decision != "play":
            moves = {str(m) for m in table.legal()}
            table.do(table.turn, "stop" if "stop" in moves else table.legal()[0])
        assert (table.turn, table.color) == (1, 2 if first == "Wj" else 0)
    # choose, discard, draw four; right, left and all lead to a performer.
    assert seen == {("choose", 1, 7), ("throw", 1, 7), ("play", 1, 11), *(("perform", seat, 7) for seat in range(3))}


@proves("LC-56")
def test_opening_goes_on_from_the_dealer() -> None:
    """Skip and reverse on the opening rule card count from the dealer."""
    table = jackpot("Rj", "skip")
    table.do(1, "choose>3")
    assert state(table) == (2, 1, "play")
    table = jackpot("Rj", "reverse")
    table.do(1, "choose>2")
    assert state(table) == (3, -1, "play")
    table = jackpot("Rj", "reverse", 2)
    table.do(1, "choose>1")
    assert state(table) == (0, -1, "play")


@proves("LC-52", "LC-56")
def test_opening_rule_card_seats() -> None:
    """Left and right are seats from the performer, not from the dealer."""
    hands = {"p2": "G1 G2 G3 G4 G5 G6 G7", "p3": "B1 B2 B3 B4 B5 B6 B7"}
    table = jackpot("Rj", "swap left", **hands)
    table.do(1, "choose>2")
    assert [hand_text(table.hand(seat)) for seat in (3, 2)] == list(hands.values())


def first_performances(rules: str, seeds: Iterable[int]) -> set[str]:
    """What the table waits for after the opening rule card was dealt to seat 2."""
    seen = set()
    for seed in seeds:
        table = opened(rules, 3, "Rj", seed=seed, p2="W W+4 R1 R2 R3 R4 R5")
        table.do(1, "choose>2")
        seen.add(table.decision)
    return seen


@proves("WJ-5", "LC-31", "wj_rules=builtin8", "wj_rules=social_only")
def test_built_in_rule_cards() -> None:
    """Where nobody has written any the eight of the sheet are there; or the three social ones."""
    built_in = first_performances("wild-jackpot", range(60))
    assert built_in == {"bury", "streak", "play", "color", "take", "perform"}
    assert first_performances("wild-jackpot+wj_rules=social_only", range(30)) == {"perform"}
    assert first_performances("wild-jackpot+wj_rules=written", range(60)) == built_in


@proves("LC-31", "wj_rules=written")
def test_written_rule_cards() -> None:
    """The cards the players wrote, and only those."""
    table = jackpot("Rj", "draw 3")
    table.do(1, "choose>0")
    assert (*state(table), table.counts) == (1, 1, "play", (10, 7, 7, 7))


@proves("LC-55", "WJ-46")
def test_every_round_has_all_rule_cards() -> None:
    """The whole stack comes back with every round: over rounds the first rule card varies."""
    cards = [parse_rule_card(f"dare: number {n}") for n in range(8)]
    rules = "wild-jackpot+wj_rules=written"
    seen = set()
    for number in range(40):
        deck = ordered(rules, 2, "Rj")
        table = Round.deal(rules, 2, seed=1, number=number, deck=deck, rule_cards=cards)
        table.do(1, "choose>0")
        seen.add(table.rule)
    assert len(seen) == 8


@proves("WJ-24", "WJ-40a", "WJ-40f", "LC-25", "wj_lever_weights=uniform")
@pytest.mark.parametrize(
    ("weights", "shares"), [("uniform", (1, 1, 1, 1, 1, 1)), ("1/1/1/1/2/0", (1, 1, 1, 1, 2, 0)), ("0/0/3/0/0/1", (0, 0, 3, 0, 0, 1))]
)
def test_lever_weights(weights: str, shares: Sequence[int]) -> None:
    """WJ-C10, on fewer pulls: each outcome as often as its weight says."""
    rules = f"wild-jackpot+wj_rules=social_only+wj_lever_weights={weights}"
    pulls, seen = 3000, Counter[str]()
    deck = ordered(rules, 4, "R5", p1="Rj R1 R2 R3 R4 G1 G2")
    for seed in range(pulls):
        table = Round.deal(rules, 4, seed=seed, deck=deck)
        table.do(1, "Rj")
        table.do(1, "pull")
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


# --- the next round -----------------------------------------------------------------------------


@proves("CO-44", "CO-45", "AW-4")
@pytest.mark.parametrize("players", [2, 3, 5])
def test_next_round(players: int) -> None:
    """CL-C19: the deal passes left, seven new cards, clockwise again, no call and no window left; scores stay."""
    match, rng = Match("all-wild+match_mode=to_target", players, seed=players), random.Random(3)
    for _ in range(3):
        dealer = match.dealer
        last = finish(match, rng)
        if match.over:
            break
        scores = match.scores
        table = match.next_round()
        assert match.dealer == table.dealer == (dealer + 1) % players
        assert state(table) == ((match.dealer + 1) % players, 1, "play")
        assert table.counts == (7,) * players and everything(table) == sorted(DECKS["all-wild"])
        assert not table.exposed and not table.called and not table.early
        assert match.scores == scores and sum(scores) > 0
        assert table.hands != last.hands


@proves("LC-14", "next_dealer=redraw")
@pytest.mark.parametrize("game", ["all-wild+match_mode=to_target+winning_score=1000", "classic+winning_score=1000"])
def test_dealer_drawn_anew(game: str) -> None:
    """next_dealer = redraw: chance names the next dealer, the same from the same seed."""
    dealers = []
    for seed in [*range(12), *range(12)]:
        match = Match(f"{game}+next_dealer=redraw+first_dealer=seat_0", 3, seed=seed)
        finish(match, random.Random(seed))
        match.next_round()
        dealers.append(match.dealer)
    assert dealers[:12] == dealers[12:]
    assert set(dealers) == {0, 1, 2}


@proves("AW-50", "LC-32", "CO-46", "CL-51")
@pytest.mark.parametrize("rules", ["all-wild", "all-wild+match_mode=to_target", "classic+winning_score=100"])
def test_match_ends(rules: str) -> None:
    """A match ends at its target or after one round, and then takes no more."""
    match, rng = Match(rules, 3, seed=2), random.Random(2)
    finish(match, rng)
    while not match.over:
        match.next_round()
        finish(match, rng)
    assert match.winners == (match.round.winner,)
    assert match.scores[match.winners[0]] == max(match.scores)
    assert (match.number == 0) == (rules == "all-wild") or rules.startswith("classic")
    with pytest.raises(UsageError):
        match.next_round()
    with pytest.raises(Refused):
        match.do(0, "draw")


# --- rules that contradict each other -------------------------------------------------------------


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
    """What the clauses rule out cannot be built."""
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
