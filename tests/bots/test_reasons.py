"""Reasons for a move, in facts of the position: the text of a hint."""

from __future__ import annotations

from collections import Counter

import pytest

from lastcard.ai.reasons import FEW_CARDS
from lastcard.bots.advice import reason_words
from lastcard.bots.move_reasons import Reason, find_reason
from lastcard.bots.search import RatedMove
from lastcard.game.cards import card_color, parse_card, parse_color
from lastcard.game.moves import Move, parse_move
from lastcard.game.position import parse_position
from lastcard.game.rulesets import GAMES
from lastcard.match.match import Match
from lastcard.match.round import Round
from lastcard.match.view import View
from lastcard.text.locale import LANGUAGES, catalog
from lastcard.text.narration import Narrator
from support.random_play import seeded, seeds, walk

NAMES = ("Ann", "Bo", "Cy", "Di")
DRAW = "B1 B2 B3 B4 B5 B6 B7 B8"


def view_of(hands: str, rules: str = "classic", **position: object) -> View:
    """The view of seat 0 on its turn."""
    written = {"rules": rules, "hands": hands.split(" | "), "discard": "R7", "draw": DRAW, **position}
    return Round.from_position(parse_position(written)).view(0)


def reason_for(view: View, *moves: str) -> Reason:
    """The reason for the first of some moves; each has a lower chance than the one before."""
    choices = [RatedMove(parse_move(move), 0.9 - 0.1 * i, 0.01, 1000) for i, move in enumerate(moves)]
    return find_reason(view, choices[0], choices)


FOUR = "{} | Y1 Y2 Y3 | Y4 Y5 Y6 | Y7 Y8 Y9"
NEARLY = "{} | Y1 | Y4 Y5 Y6 | Y7 Y8 Y9"
"""The next player holds one card."""
ACROSS = "{} | Y1 Y2 Y3 | Y4 Y5 | Y7 Y8 Y9"
"""The player opposite holds two."""


@pytest.mark.parametrize(
    ("hands", "hand", "rules", "moves", "expected"),
    [
        (NEARLY, "Rs R1 G2", "classic", "Rs R1", Reason("strike", n=1, player=1)),
        (NEARLY, "R+2 R1 G2", "classic", "R+2 R1", Reason("strike", n=1, player=1)),
        (ACROSS, "Rs G1 G2", "classic", "Rs draw", Reason("best", n=1000)),
        (ACROSS, "W@2 W W", "all-wild", "W@2>2 W", Reason("strike", n=2, player=2)),
        (NEARLY, "Rr R1 G2", "classic", "Rr R1", Reason("turn", n=1, player=1)),
        (FOUR, "Rr G1 G2", "classic", "Rr draw", Reason("best", n=1000)),
        (ACROSS, "R1 Rs G2", "classic", "R1 Rs", Reason("keep_strike", n=2, player=2, card=parse_card("Rs"))),
        (ACROSS, "R1 Rs R+2", "classic", "R1 Rs", Reason("color", n=2, color=parse_color("R"))),
        (FOUR, "R1 W G2", "classic", "R1 W=G", Reason("keep_wild", card=parse_card("W"))),
        (FOUR, "R1 W G2", "classic", "draw W=G R1", Reason("keep_wild", card=parse_card("W"))),
        (FOUR, "W G2 G3 R1", "classic", "W=G R1", Reason("color", n=2, color=parse_color("G"))),
        (FOUR, "W G2 G3 R1", "classic", "W=R R1", Reason("best", n=1000)),
        (FOUR, "R1 R2 G3", "classic+seven_zero", "R1 draw", Reason("color", n=1, color=parse_color("R"))),
        (FOUR, "R0 R2 R3", "classic+seven_zero", "R0 R2", Reason("best", n=1000)),
        (NEARLY, "R7 R2 R3", "classic+seven_zero", "R7>1 R2", Reason("swap", hands=(2, 1))),
        (FOUR, "Wx W W W W", "all-wild", "Wx>1 W", Reason("swap", hands=(4, 3))),
        (FOUR, "W+4 R1 G2", "classic", "W+4=G R1", Reason("bluff", color=parse_color("R"))),
        (FOUR, "W+4 B1 G2", "classic", "W+4=G draw", Reason("honest", color=parse_color("R"))),
        (FOUR, "W+4 B1 G2 G3", "classic+wd4_mode=free", "W+4=G draw", Reason("color", n=2, color=parse_color("G"))),
        (FOUR, "B1 B2 B3", "classic", "draw", Reason("only")),
    ],
)
def test_reasons(hands: str, hand: str, rules: str, moves: str, expected: Reason) -> None:
    assert reason_for(view_of(hands.format(hand), rules), *moves.split()) == expected


def test_a_last_card_wins_only_if_all_rollouts_did() -> None:
    """The reason requires that all rollouts were won; otherwise nothing is promised."""
    view = view_of(FOUR.format("R1"))
    sure, likely = (RatedMove(parse_move("R1"), chance, 0.0, 100) for chance in (1.0, 0.99))
    other = RatedMove(parse_move("draw"), 0.3, 0.0, 100)
    assert find_reason(view, sure, [sure, other]) == Reason("wins")
    assert find_reason(view, likely, [likely, other]).name == "best"


def test_a_partner_is_no_foe() -> None:
    """Team play (LC-46): the player opposite is on this seat's side."""
    view = view_of(ACROSS.format("W@2 W W"), "all-wild+team_play")
    assert reason_for(view, "W@2>2", "W").name == "best"


def test_suspicion_counts_what_cannot_be_seen() -> None:
    """Bo's last two cards are two of the 83 unseen, 18 of them red: at least one is in 39 of 100 deals (CL-30)."""
    hands = ["W+4 Y1 Y2", "G1 G2 G3 G4 G5 G6 G7 G8 G9 R1 R2 R3 R4 R5 R6", "Y4 Y5", "Y7 Y8"]
    table = Round.from_position(parse_position({"rules": "classic", "hands": hands, "discard": "R7", "draw": DRAW}))
    table.do(0, "W+4=B")
    reason = reason_for(table.view(1), "accept", "challenge")
    unseen = 108 - 15 - 2
    red = 25 - 7
    share = 1 - (unseen - red) * (unseen - red - 1) / (unseen * (unseen - 1))
    assert reason == Reason("suspicion", n=round(100 * share), player=0, color=parse_color("R"))


@pytest.mark.parametrize("block", range(2))
def test_reasons_describe_the_position(block: int) -> None:
    """In random positions of all games, every number, card and color named is that of the position."""
    said: Counter[str] = Counter()
    for seed in seeds(60, block):
        with seeded(seed) as rng:
            for table in walk(seed, rng, 80):
                if table.over or rng.random() > 0.3:
                    continue
                view = table.view(table.turn)
                moves = [move for move in view.legal if move.verb not in ("uno", "catch")]
                choices = [RatedMove(move, rng.random(), 0.01, 100) for move in rng.sample(moves, len(moves))]
                for choice in choices:
                    assert choice.move is not None
                    reason = find_reason(view, choice, choices)
                    check(view, choice.move, reason)
                    check_after(table.copy(), choice.move, reason)
                    said[reason.name] += 1
    assert len(said) >= 10, said


def check(view: View, move: Move, reason: Reason) -> None:
    """Check a reason by the view alone."""
    left = list(view.hand or ())
    if move.verb == "play":
        assert move.card is not None
        left.remove(move.card)
    if reason.player is not None and reason.name != "suspicion":
        assert reason.n == view.counts[reason.player] <= FEW_CARDS and reason.player != view.seat
    if reason.card is not None:
        assert reason.card in left
    if reason.name == "color":
        assert reason.n == sum(card_color(card) == reason.color for card in left) > 0
    if reason.name in ("bluff", "honest"):
        held = any(card_color(card) == reason.color for card in view.hand or ())
        assert reason.color == view.color and held == (reason.name == "bluff")
    if reason.name == "swap":
        assert reason.hands == (len(left), view.counts[move.target or 0]) and reason.hands[1] < reason.hands[0]


def check_after(table: Round, move: Move, reason: Reason) -> None:
    """Check a reason by the result of the move."""
    seat = table.turn
    table.do(seat, move)
    if reason.name == "wins":
        assert table.winner == seat
    if table.over:
        return
    if reason.card is not None:
        assert reason.card in table.hand(seat)
    if reason.name == "color":
        held = sum(card_color(card) == reason.color for card in table.hand(seat))
        assert table.color == reason.color and held == reason.n
    if reason.name == "swap":
        assert table.counts[seat] == reason.hands[1]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_reason_has_words(language: str) -> None:
    texts = catalog(language)
    names = [key.removeprefix("advice.") for key in texts.texts if key.startswith("advice.")]
    for game in GAMES:
        narrator = Narrator(Match(game, NAMES, seed=1), texts)
        for name in names:
            for n in (1, 2, 5):
                line = reason_words(Reason(name, n=n, player=1, card=parse_card("W"), color=0, hands=(4, 2)), narrator)
                assert line[0].isupper() and line[-1] == "." and "{" not in line
    assert len(names) == 13
