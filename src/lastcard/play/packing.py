"""Rules, rule cards and positions written into the kernel's table, as its integers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lastcard.engine import chance, choice, layout, rule
from lastcard.engine.table import pack_options
from lastcard.game.options import LEVER_OUTCOMES
from lastcard.game.position import Position
from lastcard.game.rulecards import RuleCard
from lastcard.game.rulesets import Ruleset


def pack_rules(record: Any, rules: Ruleset, players: int, seed: bytes, rule_cards: Sequence[RuleCard]) -> None:
    """Write into an empty table what is the same in every round."""
    pack_options(record, rules.options)
    record["game"] = choice.GAME_CODES[rules.game]
    record["players"] = players
    record["key"] = chance.seed_words(seed)
    record["performer"] = record["winner"] = record["drawn"] = record["named"] = -1
    record["taping"] = 1
    record["rule_n"] = len(rule_cards)
    for i, card in enumerate(rule_cards):
        record["effects"][i] = _pack_effects(card)


def pack_deck(record: Any, cards: Sequence[int]) -> None:
    """Write the deck of a table."""
    record["deck"][: len(cards)] = cards
    record["deck_n"] = len(cards)


def pack_position(record: Any, position: Position, cards: Sequence[RuleCard]) -> None:
    """Write a position into a table that has its rules.

    Args:
        cards: the rule cards of the table.
    """
    for name in ("turn", "direction", "dealer", "color"):
        record[name] = getattr(position, name)
    record["origin"] = position.turn
    record["called"] = sum(1 << seat for seat in position.called)
    for seat, hand in enumerate(position.hands):
        fill_hand(record, seat, hand)
    record["discard"][: len(position.discard)] = position.discard
    record["discard_n"] = len(position.discard)
    record["pile"][: len(position.draw)] = position.draw[::-1]
    record["pile_n"] = record["settled"] = len(position.draw)
    record["top"] = position.discard[-1]
    outcomes = [LEVER_OUTCOMES.index(name) for name in position.lever]
    record["script"][: len(outcomes)] = outcomes
    record["script_n"] = len(outcomes)
    stack = range(len(cards)) if position.rule_cards is None else [cards.index(c) for c in position.rule_cards]
    record["stack"][: len(stack)] = list(stack)[::-1]
    record["stack_n"] = len(stack)
    record["stack_settled"] = 0 if position.rule_cards is None else len(stack)


def _pack_effects(card: RuleCard) -> list[int]:
    if card.dare is not None:
        words = [rule.DARE]
    else:
        words = [rule.EFFECT_CODES[e.verb] | e.n << 8 | rule.WHO_CODES[e.who] << 16 for e in card.effects]
    return words + [0] * (layout.MAX_EFFECTS - len(words))


def fill_hand(record: Any, seat: int, hand: Sequence[int]) -> None:
    """Put cards into an empty hand."""
    for card in hand:
        record["counts"][seat, card] += 1
        if card < 64:
            record["colored"][seat] |= 1 << card
        else:
            record["wilds"][seat] |= 1 << (card - 64)
    record["held"][seat] = len(hand)
    if len(hand) == 1:
        record["single"] |= 1 << seat
