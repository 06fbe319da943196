"""Seeded random tests: which seeds to run, what to report when one fails, and random rounds and moves."""

from __future__ import annotations

import os
import random
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

from lastcard.errors import IllegalMove
from lastcard.game import action_codes
from lastcard.game.cards import CARD_NAMES, COLOR_LETTERS, COLORS, W_DRAW_FOUR, W_SWAP
from lastcard.game.moves import COLOR_CARDS, Move
from lastcard.game.options import LEVER_OUTCOMES
from lastcard.game.position import Position
from lastcard.game.rulecards import RuleCard, parse_rule_card
from lastcard.game.rulesets import GAMES, Ruleset
from lastcard.match.round import Round
from support.random_states import RULE_CARD_TEXTS, random_options, random_position

IS_EXPLORING = os.environ.get("LASTCARD_HYPOTHESIS") == "differential"
"""Whether random tests search for new failures: other seeds each time, and many more."""


def seeds(count: int, block: int = 0) -> range:
    """The seeds of a random test: the same every time, or with LASTCARD_HYPOTHESIS=differential many new ones.

    LASTCARD_SEED names the first one. Each block of a test has seeds of its own.
    """
    named = os.environ.get("LASTCARD_SEED")
    if named is not None:
        return range(int(named), int(named) + count)
    if IS_EXPLORING:
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


class Deal(NamedTuple):
    """The parameters of a deal."""

    rules: Ruleset
    players: int
    dealer: int
    number: int
    seed: bytes
    rule_cards: list[RuleCard]

    def round(self) -> Round:
        rules, players, dealer, number, seed, cards = self
        return Round.deal(rules, players, seed=seed, dealer=dealer, number=number, rule_cards=cards)


def random_deal(rng: random.Random) -> Deal:
    """A deal by random rules."""
    game = rng.choice(GAMES)
    rules = Ruleset(game, random_options(game, rng))
    players = 4 if rules.options.team_play else rng.choice((2, 2, 3, 3, 4, 4, 5, 7, 10))
    dealer, number = rng.randrange(players), rng.randrange(4)
    secret = rng.randbytes(32)
    cards = [parse_rule_card(text) for text in rng.sample(RULE_CARD_TEXTS, 8)]
    return Deal(rules, players, dealer, number, secret, cards)


def random_short_position(rng: random.Random, rules: Ruleset | None = None) -> tuple[Position, bytes]:
    """A position near ends of rounds, empty supplies and pulled levers, and a seed for its future."""
    made, _ = random_position(rng, rules)
    secret = rng.randbytes(32)
    position = Position(
        rules=made.rules,
        hands=tuple(map(tuple, made.hands)),
        discard=tuple(made.discard),
        draw=tuple(made.draw),
        color=made.color,
        turn=made.turn,
        direction=made.direction,
        dealer=made.dealer,
        called=tuple(sorted(made.called)),
        scores=(0,) * made.players,
        lever=tuple(rng.choice(LEVER_OUTCOMES) for _ in range(rng.choice((0, 0, 1, 3)))),
        rule_cards=tuple(map(parse_rule_card, made.dispenser)),
    )
    assert not position.faults()
    return position, secret


def random_round(seed: int) -> Round:
    """A round under random rules: a deal for an odd seed, a short position for an even one."""
    rng = random.Random(seed)
    if seed % 2:
        return random_deal(rng).round()
    position, secret = random_short_position(rng)
    return Round.from_position(position, seed=secret)


def random_move(table: Round, rng: random.Random) -> tuple[int, str]:
    """Mostly a sensible move of the seat on turn, sometimes a call or catch, a mistake or nonsense."""
    kind = rng.random()
    seat = table.turn
    if kind < 0.04:
        return seat, _plausible_mistake(table, rng)
    if kind < 0.07:
        return rng.randrange(table.players), _nonsense(table, rng)
    holders = [s for s in range(table.players) if s != seat and table.top in table.hand(s)]
    if table.rules.options.jump_in and holders and kind < 0.1:
        return rng.choice(holders), CARD_NAMES[table.top]
    if kind < 0.16 or (table.rules.options.jump_in and kind < 0.3):
        seat = rng.randrange(table.players)
    moves = [str(m) for m in table.legal(seat)]
    plays = [m for m in moves if m[0] in "RYGBW"]
    if plays and rng.random() < 0.85:
        moves = plays
    elif rng.random() < 0.7:
        moves = [m for m in moves if m != "uno"] or moves
    if not moves:
        return seat, _nonsense(table, rng)
    move = rng.choice(moves)
    if move[0] in "RYGBW" and rng.random() < 0.3:
        move += "!"
    return seat, move


def _plausible_mistake(table: Round, rng: random.Random) -> str:
    """A likely mistake of a player on turn: their own cards, in every spelling."""
    hand = table.hand(table.turn)
    if not hand:
        return "draw"
    rare = [card for card in hand if card in (W_SWAP, W_DRAW_FOUR)]
    card = rng.choice(rare if rare and rng.random() < 0.5 else hand)
    name = CARD_NAMES[card]
    if table.decision == "throw":
        return f"throw {name}"
    if rng.random() < 0.2:
        return rng.choice((f"bury {name}", f"throw {name}", "draw", "pass"))
    forms = [name, *(f"{name}>{rng.randrange(table.players)}" for _ in range(2))]
    if table.rules.game != "all-wild" or name in ("W", "W+4", "Wj"):  # the referee reads other colors more leniently
        forms += [f"{name}={rng.choice('RYGB')}", f"{name}={rng.choice('RYGB')}!"]
    return rng.choice(forms)


def _nonsense(table: Round, rng: random.Random) -> str:
    card = rng.choice(list(CARD_NAMES.values()))
    hand = table.hand(rng.randrange(table.players))
    if hand and rng.random() < 0.7:
        card = CARD_NAMES[rng.choice(hand)]
    other = rng.randrange(table.players)
    color = COLOR_LETTERS[rng.randrange(4)]
    if table.rules.game == "all-wild" and card not in ("W", "W+4", "Wj"):
        color = ""  # the notation has no color there; the referee reads more leniently
    cards = (card, f"{card}>{other}", f"{card}={color}" if color else card, f"throw {card}", f"bury {card}")
    named = (f"catch>{other}", f"color={color or 'R'}", f"choose>{other}", f"take>{other}")
    return rng.choice((*cards, *named, "draw", "pass", "uno", "challenge", "accept", "pull", "stop", "done"))


def try_random_move(table: Round, rng: random.Random) -> bool:
    """Try one random move, mostly a legal one; returns whether it was accepted."""
    seat, move = random_move(table, rng)
    try:
        table.do(seat, move)
    except IllegalMove:
        return False
    return True


def walk(seed: int, rng: random.Random, limit: int = 400) -> Iterator[Round]:
    """The same round repeatedly: at its beginning, then after each random move until it is over."""
    table = random_round(seed)
    yield table
    for _ in range(limit):
        if table.over:
            return
        if try_random_move(table, rng):
            yield table


def all_cards(table: Round) -> Counter[int]:
    """Every card at a table, wherever it is."""
    record = table._states[0]
    pile = record["pile"][: record["pile_n"]].tolist()
    return Counter(pile) + Counter(table.discard) + sum(map(Counter, table.hands), Counter())


def all_moves() -> list[Move]:
    """Every move of the notation: each card with each color or seat, with and without a call, and each verb."""
    moves = []
    for card in CARD_NAMES:
        named = [{"color": c} for c in COLORS] if card in COLOR_CARDS else [{"target": s} for s in range(10)]
        moves += [Move("play", card, uno=uno, **parts) for uno in (False, True) for parts in [{}, *named]]
    for verb in action_codes.VERBS:
        if verb in ("catch", "choose", "take"):
            moves += [Move(verb, target=seat) for seat in range(10)]
        elif verb in ("throw", "bury"):
            moves += [Move(verb, card) for card in CARD_NAMES]
        elif verb == "color":
            moves += [Move(verb, color=color) for color in COLORS]
        else:
            moves.append(Move(verb))
    return moves
