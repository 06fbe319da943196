"""Whole rounds give the same round states with and without the JIT: fixed digests, compared in both.

``make test`` runs this folder a second time with NUMBA_DISABLE_JIT=1.
"""

from __future__ import annotations

import hashlib
import random

import pytest

from lastcard.game.rulecards import parse_rule_card
from lastcard.match.round import Round

WRITTEN = (
    "draw 2; reverse",
    "skip; give 1 chosen",
    "take 2 most",
    "swap right; discard 2",
    "everyone draws 1",
    "streak",
    "wilds",
    "dare: sing",
)

DIGESTS = {
    "all-wild": {2: "04b40381cc3709a2", 4: "a24ffc4d911130b6"},
    "all-wild+living-room": {2: "c51620fc4abc0a7e", 4: "53b19e6c157fe99c"},
    "all-wild+harsh": {2: "c538e1b913b6cdc9", 4: "e64fc4a960ad4e72"},
    "all-wild+harsh+jump_in_stack=replace": {2: "c538e1b913b6cdc9", 4: "8de9002fa72782bc"},
    "classic": {2: "93fc030e9c06ba7b", 4: "1083d616c1b5d8a8"},
    "classic+living-room": {2: "9e47d52177b7627a", 4: "74a85fd4d3c6be43"},
    "classic+harsh": {2: "e2983a613865783f", 4: "348cef2db2c83d98"},
    "wild-jackpot": {2: "9b39306b8ff15257", 4: "43c1c19bf222df51"},
    "wild-jackpot+living-room": {2: "2b50d018a7cf9755", 4: "5b575bcad81554ce"},
    "wild-jackpot+harsh": {2: "e990f1151321eb40", 4: "963d7da2ac08f1f0"},
}


def hands(table: Round) -> tuple[tuple[int, ...], ...]:
    """All hands in numbers, so that the digests do not depend on how cards are shown.

    ``table.hands`` also lists all legal actions, which takes three quarters of the time in plain Python.
    """
    return tuple(tuple(map(int, table.hand(seat))) for seat in range(table.players))


def digest(rules: str, players: int) -> str:
    """A digest of a few rounds: every move with its events, and all cards at the end."""
    lines = []
    cards = [parse_rule_card(text) for text in WRITTEN] if rules.startswith("wild-jackpot") else None
    for seed in range(3):
        rng = random.Random(seed)
        table = Round.deal(rules, players, seed=seed, dealer=seed % players, number=seed, rule_cards=cards)
        for _ in range(250):
            if table.over:
                break
            seat = int(rng.random() * players) if rng.random() < 0.2 else table.turn
            moves = table.legal(seat)
            moves = [move for move in moves if move.verb == "play"] or moves
            if moves:
                move = moves[int(rng.random() * len(moves))]  # only random() is the same in every Python
                table.do(seat, move)
                lines.append(f"{seat}:{move} {table.decision} {table.turn} {hands(table)}")
        piles = tuple(map(int, table.discard)), tuple(map(int, table.draw_pile()))
        ends = tuple(tuple(map(int, hand)) for hand in table.hands), *piles, table.winner, table.held, table.called
        lines.append(repr(ends))
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:16]


@pytest.mark.parametrize("rules", DIGESTS)
def test_rounds_are_the_same_with_and_without_jit(rules: str) -> None:
    """Moves, events and cards are the same in both."""
    assert {players: digest(rules, players) for players in DIGESTS[rules]} == DIGESTS[rules]
