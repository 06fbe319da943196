"""Matches that were played at random, always the same ones, to a situation that a test needs."""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from typing import Final

from lastcard.game.rulecards import parse_rule_card
from lastcard.match.events import Event
from lastcard.match.match import Match

NAMES: Final = ("Ada", "Ben", "Chloé", "Dawid", "Eva", "Felipe", "Grażyna", "Hugo", "Inês", "Jan")
LONG_NAMES: Final = ("Maximiliana-Konstanze vQ", "Wojciech Brzęczyszczykie")

Condition = Callable[[Match], bool]
"""A predicate of a match."""


def decides(decision: str) -> Condition:
    """The table waits for this decision."""
    return lambda match: match.round.decision == decision


def holds(*cards: str) -> Condition:
    """The seat on turn may play any of these cards, and holds a few others."""

    def condition(match: Match) -> bool:
        table = match.round
        plays = {str(move).partition("=")[0].partition(">")[0] for move in table.legal()}
        return table.decision == "play" and plays >= set(cards) and len(table.hand(table.turn)) > 5

    return condition


def round_won(match: Match) -> bool:
    """Somebody has won a round, and the match goes on."""
    return match.round.over and not match.over and match.round.winner is not None


@dataclass(frozen=True, slots=True)
class Situation:
    """A match and the last events in it."""

    match: Match
    events: deque[Event] = field(default_factory=lambda: deque(maxlen=12))

    def do(self, move: str) -> None:
        """Make a move of the seat on turn."""
        self.events.extend(self.match.do(self.match.round.turn, move))


@cache
def reach(
    rules: str, players: int, condition: Condition, written: tuple[str, ...] = (), *, first_seed: int = 0
) -> Situation:
    """The first match that meets a condition, at random but always the same.

    ``first_seed`` is the first one to try, if many before it are known to fail.
    """
    cards = [parse_rule_card(text) for text in written] or None
    for seed in range(first_seed, first_seed + 3000):
        situation = Situation(Match(rules, NAMES[:players], seed=seed, rule_cards=cards))
        if _play_until(situation, condition, random.Random(seed)):
            return situation
    raise AssertionError("no match comes to that")


def _play_until(situation: Situation, condition: Condition, rng: random.Random) -> bool:
    match = situation.match
    for _ in range(300):
        if condition(match):
            return True
        if match.over:
            return False
        if match.round.over:
            match.next_round()
            continue
        moves = [move for move in map(str, match.round.legal()) if not move.startswith(("uno", "catch"))]
        situation.do(rng.choice(moves))
    return False


@cache
def full_hand(players: int, cards: int) -> Situation:
    """The seat on turn holds very many cards: seat 0 keeps every card that it draws, and the others play theirs."""
    situation = Situation(Match("classic", NAMES[:players], seed=5))
    table, rng = situation.match.round, random.Random(5)
    while not (table.turn == 0 and table.decision == "play" and len(table.hand(0)) >= cards):
        moves = [str(move) for move in table.legal()]
        draws = [move for move in moves if move in ("draw", "pass", "accept")]
        plays = [move for move in moves if move[0] in "RYGBW"]
        wanted = draws if table.turn == 0 or len(table.hand(table.turn)) < 3 else plays
        situation.do(rng.choice(wanted or draws or moves))
    return situation
