"""Seeded random tests: which seeds to run, what to say when one fails, and random rounds to run them on."""

from __future__ import annotations

import os
import random
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from lastcard.errors import Refused
from lastcard.game import act
from lastcard.game.actions import COLOR_CARDS, Move
from lastcard.game.cards import CARD_NAMES, COLORS
from lastcard.match.round import Round
from support.differential import make_pair, random_move

HUNTING = os.environ.get("LASTCARD_HYPOTHESIS") == "hunt"
"""Whether random tests look for new trouble: other seeds each time, and many more."""


def seeds(count: int, block: int = 0) -> range:
    """The seeds of a random test: the same every time, or with LASTCARD_HYPOTHESIS=hunt many new ones.

    LASTCARD_SEED names the first one.

    Args:
        count: how many.
        block: of a test in several parts, each with seeds of its own.
    """
    named = os.environ.get("LASTCARD_SEED")
    if named is not None:
        return range(int(named), int(named) + count)
    if HUNTING:
        first = random.SystemRandom().randrange(1 << 40)
        return range(first, first + 20 * count)
    return range(block * count, block * count + count)


@contextmanager
def seeded(seed: int) -> Iterator[random.Random]:
    """A generator for one seed; a failure under it names the seed."""
    try:
        yield random.Random(seed)
    except BaseException as error:
        error.add_note(f"random test, seed {seed}; again with LASTCARD_SEED={seed}")
        raise


def random_round(seed: int) -> Round:
    """A round under random rules: a deal for an odd seed, a short position for an even one."""
    return make_pair(seed).table


def do_random(table: Round, rng: random.Random) -> bool:
    """Try one random act, mostly a legal one; whether it was accepted."""
    seat, move = random_move(table, rng)
    try:
        table.do(seat, move)
    except Refused:
        return False
    return True


def walk(seed: int, rng: random.Random, limit: int = 400) -> Iterator[Round]:
    """The same round again and again: as it begins, then after each random act until it is over."""
    table = random_round(seed)
    yield table
    for _ in range(limit):
        if table.over:
            return
        if do_random(table, rng):
            yield table


def cards_of(table: Round) -> Counter[int]:
    """Every card at a table, wherever it is."""
    record = table._tables[0]
    pile = record["pile"][: record["pile_n"]].tolist()
    return Counter(pile) + Counter(table.discard) + sum(map(Counter, table.hands), Counter())


def all_moves() -> list[Move]:
    """Every act the notation can write: each card with each color or seat, with and without a call, and each verb."""
    moves = []
    for card in CARD_NAMES:
        named = [{"color": c} for c in COLORS] if card in COLOR_CARDS else [{"target": s} for s in range(10)]
        moves += [Move("play", card, uno=uno, **parts) for uno in (False, True) for parts in [{}, *named]]
    for verb in act.VERBS:
        if verb in ("catch", "choose", "take"):
            moves += [Move(verb, target=seat) for seat in range(10)]
        elif verb in ("throw", "bury"):
            moves += [Move(verb, card) for card in CARD_NAMES]
        elif verb == "color":
            moves += [Move(verb, color=color) for color in COLORS]
        else:
            moves.append(Move(verb))
    return moves
