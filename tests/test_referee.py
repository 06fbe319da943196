"""The referee itself: conformance cases, the opening, and self-play under random rules."""

from __future__ import annotations

import copy
import random
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from lastcard.game.cards import card_name, parse_card, parse_cards
from lastcard.game.rulesets import ruleset
from referee import BUILTIN, CALL_PHASES, RefusedMove, RoundState, deal, do, legal_moves
from support.random_states import DECK_BUILDERS, RandomChance, random_deal, random_position

CASES = sorted((Path(__file__).parent / "conformance").glob("*.toml"))


class FixedLever(RandomChance):
    """The lever outcomes of a case; everything else stays in order."""

    def __init__(self, outcomes: list[str]) -> None:
        self.outcomes = list(outcomes)

    def reshuffle(self, cards: list[int], index: int) -> list[int]:
        return list(cards)

    def lever(self) -> str:
        return self.outcomes.pop(0)

    def rule_stack(self, cards: list[str], index: int) -> list[str]:
        return list(cards)

    def blind(self, count: int) -> int:
        return 0

    def redraw(self, pile: list[int]) -> int:
        return 0


# --- conformance cases --------------------------------------------------------------------------


def start_state(case: dict[str, Any]) -> RoundState:
    """The initial position of a case."""
    rules = ruleset(case["rules"], case.get("options"))
    named = case.get("rule_cards", [f"R{n}" for n in range(1, 9)])
    builtin = {f"R{n}": text for n, text in enumerate(BUILTIN, 1)}
    return RoundState(
        rules,
        [list(parse_cards(hand)) for hand in case["hands"]],
        list(parse_cards(case["discard"])),
        list(parse_cards(case["draw"])),
        FixedLever(case.get("lever", [])),
        turn=case.get("turn", 0),
        direction={"cw": 1, "ccw": -1}[case.get("direction", "cw")],
        dealer=case.get("dealer", -1),
        color="RYGB".find(case.get("color", "-")),
        called=set(case.get("called", ())),
        dispenser=[builtin.get(name, name) for name in named],
    )


def facts(table: RoundState, case: dict[str, Any], expect: dict[str, Any]) -> dict[str, Any]:
    """The table's value for each key of ``expect`` that is about a round."""
    before = case.get("scores", [0] * table.players)
    seats = {key: [int(s) for s in expect[key]] for key in ("hands", "counts") if key in expect}
    calls = {"uno", *(f"catch>{s}" for s in range(table.players))}
    return {
        "turn": table.turn,
        "decision": table.decision,
        "direction": {1: "cw", -1: "ccw"}[table.direction],
        "top": card_name(table.top),
        "color": "RYGB"[table.color] if table.color >= 0 else None,
        "hands": {str(s): table.hands[s] for s in seats.get("hands", [])},
        "counts": {str(s): len(table.hands[s]) for s in seats.get("counts", [])},
        "draw_count": len(table.draw),
        "discard_count": len(table.discard),
        "exposed": sorted(table.exposed),
        "winner": table.winner,
        "held": table.points(),
        "scores": [a + b for a, b in zip(before, table.round_scores(), strict=True)],
        "void": table.void,
        "legal": sorted(legal_moves(table, table.turn) - calls),
    }


def differences(case: dict[str, Any]) -> list[str]:
    """Disagreements between the referee and a case."""
    table = start_state(case)
    found: list[str] = []
    for text in case["moves"]:
        refused = text.startswith("x ")
        seat, _, move = text.removeprefix("x ").partition(":")
        before = snapshot(table)
        try:
            do(table, int(seat), move)
        except RefusedMove as error:
            if not refused:
                return [*found, f"{text} was refused: {error}"]
            if snapshot(table) != before:
                found.append(f"{text} was refused and changed something")
        else:
            if refused:
                return [*found, f"{text} was accepted"]
    expect = dict(case["expect"])
    if "hands" in expect:
        expect["hands"] = {s: sorted(parse_cards(hand)) for s, hand in expect["hands"].items()}
    for key in ("legal", "exposed"):
        if key in expect:
            expect[key] = sorted(expect[key])
    got = facts(table, case, expect)
    return found + [
        f"{key}: expected {value}, got {got[key]}" for key, value in expect.items() if key in got and got[key] != value
    ]


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_conformance(path: Path) -> None:
    """Every conformance case has its expected result (keys about the match are not the referee's)."""
    cases = tomllib.loads(path.read_text(encoding="utf-8"))["case"]
    wrong = {case["id"]: diff for case in cases if (diff := differences(case))}
    assert not wrong


# --- self-play ----------------------------------------------------------------------------------


def snapshot(table: RoundState) -> dict[str, Any]:
    """The whole state of a table except chance."""
    return {key: copy.copy(value) for key, value in vars(table).items() if key != "chance"} | {
        "hands": [list(hand) for hand in table.hands]
    }


def all_cards(table: RoundState) -> list[int]:
    """Every card on the table, sorted."""
    return sorted([card for hand in table.hands for card in hand] + table.draw + table.discard)


def nonsense(table: RoundState, rng: random.Random) -> str:
    """A move that somebody might try, right or wrong."""
    card = card_name(rng.choice(all_cards(table)))
    words = ("draw", "pass", "uno", "challenge", "accept", "pull", "stop", "done", "color=R", f"throw {card}")
    aimed = [f"{verb}>{rng.randrange(table.players + 1)}" for verb in ("catch", "choose", "take", card)]
    return rng.choice((*words, *aimed, f"bury {card}", card, f"{card}!", f"{card}=G", f"{card}=G!", f"{card}=Y>0"))


@pytest.mark.parametrize("block", range(5))
@pytest.mark.parametrize("make", [random_deal, random_position])
def test_self_play(make: Callable[[random.Random], tuple[RoundState, list[int]]], block: int) -> None:
    """Cards are conserved, some seat can always move, listed moves are accepted, refused ones change nothing."""
    seeds = range(block * 5, block * 5 + 5) if make is random_deal else range(block * 60, block * 60 + 60)
    for seed in seeds:
        rng = random.Random(seed)
        table, cards = make(rng)
        for _ in range(100):
            assert all_cards(table) == cards, seed
            if table.decision == "over":
                break
            step(table, rng)
        if table.decision == "over":
            assert not any(legal_moves(table, seat) for seat in range(table.players))
            assert (table.winner is None) == table.void
            assert sum(table.round_scores()) >= 0


def step(table: RoundState, rng: random.Random) -> None:
    """Check the legal moves of every seat, try a senseless one, then make a move."""
    moves = {seat: legal_moves(table, seat, false_calls=rng.random() < 0.1) for seat in range(table.players)}
    asked = [move for move in moves[table.turn] if move != "uno" and not move.startswith("catch")]
    assert asked
    if table.decision not in CALL_PHASES:
        assert not any(moves[seat] for seat in moves if seat != table.turn)
    if rng.random() < 0.3:
        try_nonsense(table, rng)
    play_on(table, moves, asked, rng)


def try_nonsense(table: RoundState, rng: random.Random) -> None:
    """A refused move changes nothing; a listed one is not refused, a refused one is not listed."""
    seat, move = rng.randrange(table.players), nonsense(table, rng)
    trial = copy.deepcopy(table, {id(table.rules): table.rules})
    before = snapshot(trial)
    try:
        do(trial, seat, move)
    except RefusedMove:
        assert snapshot(trial) == before
        assert move not in legal_moves(table, seat)


def play_on(table: RoundState, moves: dict[int, set[str]], asked: list[str], rng: random.Random) -> None:
    """Make one random legal move, mostly of the seat on turn, sometimes with a call."""
    if rng.random() < 0.2:
        seat, move = rng.choice([(s, m) for s in moves for m in sorted(moves[s])])
    else:
        seat, move = table.turn, rng.choice(sorted(asked))
    if move[0] in "RYGBW" and rng.random() < 0.3:
        move += "!"
    do(table, seat, move)


# --- the opening --------------------------------------------------------------------------------


def opened(game: str, players: int, dealer: int, first: str, **options: object) -> RoundState:
    """A round dealt so that the cards of ``first`` are turned over in this order."""
    deck = DECK_BUILDERS[game]()
    turned = [parse_card(name) for name in first.split()]
    for card in turned:
        deck.remove(card)
    dealt = 7 * players
    order = [*deck[:dealt], *turned, *deck[dealt:]]
    rules = ruleset(game, options)
    return deal(rules, players, dealer, order, [BUILTIN[i] for i in (2, 0, 3)], FixedLever([]))


@pytest.mark.parametrize(
    ("game", "players", "dealer", "first", "turn", "direction", "decision"),
    [
        ("all-wild", 4, 0, "Ws", 1, 1, "play"),
        ("all-wild", 4, 2, "Wr", 3, 1, "play"),
        ("all-wild", 3, 2, "Wx", 0, 1, "play"),
        ("classic", 4, 0, "R5", 1, 1, "play"),
        ("classic", 4, 0, "Rs", 2, 1, "play"),
        ("classic", 2, 0, "Rs", 0, 1, "play"),
        ("classic", 4, 0, "Rr", 0, -1, "play"),
        ("classic", 2, 0, "Rr", 0, -1, "play"),
        ("classic", 4, 3, "R+2", 1, 1, "play"),
        ("classic", 2, 0, "R+2", 0, 1, "play"),
        ("classic", 3, 0, "W", 1, 1, "color"),
        ("classic", 3, 0, "W+4 R5", 1, 1, "play"),
        ("classic", 3, 0, "W+4 W+4 Ys", 2, 1, "play"),
        ("wild-jackpot", 4, 0, "Rj", 1, 1, "choose"),
        ("wild-jackpot", 4, 0, "Wj", 1, 1, "color"),
        ("wild-jackpot", 3, 0, "W+4 Gr", 0, -1, "play"),
    ],
)
def test_first_card(game: str, players: int, dealer: int, first: str, turn: int, direction: int, decision: str) -> None:
    """The first card has the effect of CL-6 to CL-11 and WJ-8, WJ-9, and none in All Wild (AW-6)."""
    table = opened(game, players, dealer, first)
    assert (table.turn, table.direction, table.decision) == (turn, direction, decision)
    assert table.top == parse_card(first.split()[-1])


def test_first_wild_is_named_then_played() -> None:
    """CL-10: until the color is named no other move is possible."""
    table = opened("classic", 3, 0, "W")
    assert legal_moves(table, 1) == {"color=R", "color=Y", "color=G", "color=B"}
    assert not legal_moves(table, 0) and not legal_moves(table, 2)
    do(table, 1, "color=G")
    assert (table.turn, table.color, table.decision) == (1, 2, "play")


def test_first_wild_jackpot() -> None:
    """WJ-9: color, player, rule card, then the left of the dealer begins."""
    table = opened("wild-jackpot", 4, 0, "Wj")
    do(table, 1, "color=Y")
    assert legal_moves(table, 1) == {f"choose>{seat}" for seat in range(4)}
    do(table, 1, "choose>3")
    assert (table.turn, table.color, table.decision, len(table.hands[3])) == (1, 1, "play", 7)


# --- cases that random play seldom reaches ------------------------------------------------------


def corner(rules: str, hands: list[str], discard: str, draw: str, moves: list[str], **more: Any) -> RoundState:
    """The table after some moves from a position written as in a case."""
    case = {"rules": rules, "hands": hands, "discard": discard, "draw": draw, **more}
    table = start_state(case)
    for text in moves:
        seat, _, move = text.partition(":")
        do(table, int(seat), move)
    return table


def test_out_with_a_discarded_draw_two() -> None:
    """WJ-45: the Draw Two still takes effect, and wins."""
    table = corner(
        "wild-jackpot", ["Rj G+2", "Y5", "W"], "R7", "B1 B2 B3", ["0:Rj", "0:pull", "0:throw G+2"], lever=["discard"]
    )
    assert (table.winner, len(table.hands[1])) == (0, 3)


def test_no_jump_in_on_a_deflecting_skip() -> None:
    """LC-41: a pending draw is jumped in on only while a draw card is on top."""
    rules = "classic+deflect+jump_in"
    table = corner(rules, ["R+2 R1 R2", "Rs G2 G3", "Y1 Y2 Y3", "Rs R+2 B1"], "R7", "B1 B2 B3", ["0:R+2", "1:Rs"])
    assert table.turn == 2 and legal_moves(table, 2) == {"accept"} and not legal_moves(table, 3)
    with pytest.raises(RefusedMove, match="LC-41"):
        do(table, 3, "Rs")


@pytest.mark.parametrize("text", ["", "Q9", "R5>", "r5", "W=", "draw!", "throw Z9", "catch", "choose>x", "R5 ", "W=W"])
def test_impossible_moves_are_refused(text: str) -> None:
    """Words outside the notation are no move."""
    with pytest.raises(RefusedMove, match="NOTATION"):
        corner("classic", ["R1 R2", "R3"], "R7", "B1", [f"0:{text}"])
