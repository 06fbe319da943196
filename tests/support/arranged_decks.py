"""Decks in a chosen order, and queries of a table for the tests of set-up and match."""

from __future__ import annotations

import random
from typing import TypeVar

from lastcard.game.cards import parse_cards
from lastcard.game.moves import parse_seat_move
from lastcard.game.rulesets import Ruleset, ruleset
from lastcard.match.match import Match
from lastcard.match.round import Round
from lastcard.match.setup import build_deck

Table = TypeVar("Table", Round, Match)

SEED = bytes(32)
DECKS = {game: build_deck(ruleset(game), SEED) for game in ("all-wild", "classic", "wild-jackpot")}


def arrange_deck(rules: Ruleset | str, players: int, first: str, dealer: int = 0, **hands: str) -> list[int]:
    """A whole deck in the order that turns over ``first`` and deals hands such as ``p1``.

    Cards of no hand are as harmless as possible: numbers first.
    """
    chosen = ruleset(rules) if isinstance(rules, str) else rules
    turned = parse_cards(first)
    wanted: dict[int, list[int]] = {int(name[1:]): [*parse_cards(cards)] for name, cards in hands.items()}
    rest = sorted(build_deck(chosen, SEED))
    for card in [*turned, *(c for cards in wanted.values() for c in cards)]:
        rest.remove(card)
    size = chosen.options.hand_size
    for seat in range(players):
        hand = wanted.setdefault(seat, [])
        while len(hand) < size:
            hand.append(rest.pop(0))
    seats = [(dealer + 1 + i) % players for i in range(players)]
    return [*(wanted[seat][i] for i in range(size) for seat in seats), *turned, *rest]


def deal_arranged(rules: str, players: int, first: str, dealer: int = 0, seed: int = 1, **hands: str) -> Round:
    """A round just dealt with this first card. If there are several, the first ones go back into the pile."""
    return Round.deal(
        rules, players, seed=seed, dealer=dealer, deck=arrange_deck(rules, players, first, dealer, **hands)
    )


def turn_state(table: Round) -> tuple[int, int, str]:
    """The seat on turn, the direction, and the pending decision."""
    return table.turn, table.direction, table.decision


def all_cards(table: Round) -> list[int]:
    return sorted([card for hand in table.hands for card in hand] + list(table.draw_pile()) + list(table.discard))


def card_count(table: Round) -> int:
    return sum(table.counts) + table.draw_count + table.discard_count


def play_moves(table: Table, *moves: str) -> Table:
    """Make moves, each with its seat as in ``0:R5!``; returns the table."""
    for text in moves:
        table.do(*parse_seat_move(text))
    return table


def play_to_end(table: Round | Match, rng: random.Random) -> Round:
    """Play to the end of the round; lay a card whenever one can be laid."""
    current = table.round if isinstance(table, Match) else table
    for _ in range(5000):
        if current.over:
            break
        moves = [m for m in current.legal() if m.verb not in ("uno", "catch")]
        table.do(current.turn, rng.choice([m for m in moves if m.verb == "play"] or moves))
    assert current.over
    return current
