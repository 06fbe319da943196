"""Setup of a round state: checks of players and cards, and their encoding as integers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set
from functools import lru_cache
from itertools import chain
from typing import Any

import numpy as np

from lastcard.errors import UsageError
from lastcard.game.cards import ALL_WILD_ONLY_CARDS, CARD_NAMES, card_face, is_wild, parse_cards
from lastcard.game.numbers import is_integer
from lastcard.game.options import ALL_WILD_GAME, LEVER_OUTCOMES
from lastcard.game.position import MAX_RULE_CARDS, Position
from lastcard.game.rulecards import BUILT_IN, RuleCard
from lastcard.game.rulesets import MAX_PLAYERS, MIN_PLAYERS, SECRET_NUMBERS, Ruleset, possible_deck
from lastcard.game.seeds import SEED_BYTES
from lastcard.game.toml import faults_text
from lastcard.kernel.arrays import read_records
from lastcard.rules import chance, exports, layout, opening, option_codes, rule_effects
from lastcard.rules.round_state import ROUND_STATE, RoundStates, pack_options


def check_players(rules: Ruleset, players: int) -> None:
    """Refuse a number of players that the rules do not allow (CO-47, LC-46): a UsageError with the allowed numbers."""
    if not is_integer(players):
        raise UsageError(f"the number of players is a whole number, not {players!r}")
    if not MIN_PLAYERS <= players <= MAX_PLAYERS:
        raise UsageError(f"{rules.game} is for {MIN_PLAYERS} to {MAX_PLAYERS} players, not {players} (CO-47)")
    if rules.options.team_play and players != 4:
        raise UsageError(f"team play needs 4 players, not {players} (LC-46)", (("team_play", True),))


def check_rule_cards(cards: Sequence[RuleCard]) -> None:
    """Refuse too few or too many rule cards, as the lever needs one (WJ-46): a UsageError with the allowed numbers."""
    check_rule_card_types(cards)
    if not 1 <= len(cards) <= MAX_RULE_CARDS:
        raise UsageError(
            f"a dispenser holds 1 to {MAX_RULE_CARDS} rule cards, not {len(cards)}; for the built-in ones name none"
        )


def check_rule_card_types(cards: Sequence[RuleCard]) -> None:
    """Refuse anything but a list of rule cards, such as their texts: a UsageError names the function to parse those."""
    if not isinstance(cards, Sequence) or not all(isinstance(card, RuleCard) for card in cards):
        raise UsageError(f"rule cards are given as a list of what rulecards.parse_rule_card makes, not as {cards!r}")


def check_position(position: Position) -> None:
    """Refuse what is no position, or cannot be continued: a UsageError with the function to parse it, or all faults."""
    if not isinstance(position, Position):
        raise UsageError(f"a position is what parse_position makes of its text or table, not {position!r}")
    faults = position.faults()  # it may be a view, with ?? cards, or made by a program
    if faults:
        raise UsageError(faults_text(faults))


def build_deck(rules: Ruleset, seed: bytes) -> list[int]:
    """Returns the deck of a ruleset, sorted; depends on the seed if ``wj_number_distribution = 0-9_random`` (LC-24)."""
    if rules.options.wj_number_distribution != SECRET_NUMBERS:
        return possible_deck(rules)
    states = rules_state(rules, MIN_PLAYERS, seed)
    state = states[0]
    exports.apply_number_distribution(states, 0, np.zeros(opening.NUMBER_SCRATCH_WORDS, np.int64))
    deck: list[int] = state["deck"][: state["deck_n"]].tolist()
    return deck


def order_deck(rules: Ruleset, players: int, deck: Iterable[int] | str) -> list[int]:
    """Returns a deck, given with the next card first, in reverse; raises a UsageError if it cannot be dealt."""
    if isinstance(deck, str):
        deck = parse_cards(deck)
    cards = list(deck)[::-1] if isinstance(deck, Iterable) else []
    needed = players * rules.options.hand_size + 1
    if not needed <= len(cards) <= layout.MAX_DECK or not all(is_integer(c) and c in CARD_NAMES for c in cards):
        raise UsageError(f"a deck for {players} players has {needed} to {layout.MAX_DECK} cards, all of them known")
    for card in ALL_WILD_ONLY_CARDS & set(cards) if rules.game != ALL_WILD_GAME else ():
        raise UsageError(f"{CARD_NAMES[card]} is for All Wild only; a deck of {rules.game} cannot have it")
    return cards


def default_rule_cards(rules: Ruleset) -> tuple[RuleCard, ...]:
    """Returns the rule cards if players have written none (WJ-5, LC-31)."""
    cards = tuple(BUILT_IN.values())
    return tuple(c for c in cards if c.dare is not None) if rules.options.wj_rules == "social_only" else cards


# --- encoding in the round state --------------------------------------------------------------------


def rules_state(rules: Ruleset, players: int, seed: bytes = bytes(SEED_BYTES)) -> RoundStates:
    """Returns one state with rules, players, a seed and the cards that can be in its deck, before the deal."""
    states = new_states(rules, players, seed, ())
    pack_deck(states[0], possible_deck(rules))
    return states


def pack_rules(state: Any, rules: Ruleset, players: int, seed: bytes, rule_cards: Sequence[RuleCard]) -> None:
    """Write the fields that are the same in every round to an empty state."""
    pack_options(state, rules.options)
    state["game"] = option_codes.GAME_CODES[rules.game]
    state["players"] = players
    state["key"] = chance.seed_words(seed)
    state["performer"] = state["winner"] = state["drawn"] = state["named_color"] = -1
    state["record_events"] = 1
    state["rule_n"] = len(rule_cards)
    for i, card in enumerate(rule_cards):
        state["effects"][i] = _pack_effects(card)


def new_states(rules: Ruleset, players: int, seed: bytes, rule_cards: tuple[RuleCard, ...]) -> RoundStates:
    """Returns one state with the fields of ``pack_rules``."""
    states: RoundStates = read_records(ROUND_STATE, _packed_state(rules, players, rule_cards))
    states["key"] = chance.seed_words(seed)
    return states


@lru_cache(100)
def _packed_state(rules: Ruleset, players: int, rule_cards: tuple[RuleCard, ...]) -> bytes:
    """Returns the bytes of a state that ``pack_rules`` has written, with zeros for the seed."""
    states = np.zeros(1, ROUND_STATE)
    pack_rules(states[0], rules, players, bytes(SEED_BYTES), rule_cards)
    return states.tobytes()


def pack_deck(state: Any, cards: Sequence[int]) -> None:
    """Write the deck of a state."""
    state["deck"][: len(cards)] = cards
    state["deck_n"] = len(cards)


def has_colored_card(rules: Ruleset, cards: Set[int]) -> bool:
    """Whether cards of an All Wild position include colored ones, which the game does not have."""
    return rules.game == ALL_WILD_GAME and not all(map(is_wild, cards))


def pack_position(state: Any, position: Position, cards: Sequence[RuleCard]) -> None:
    """Write a position, and the rule cards of the round, to a state that has its rules."""
    for name in ("turn", "direction", "dealer", "color"):
        state[name] = getattr(position, name)
    state["origin"] = position.turn
    for seat, hand in enumerate(position.hands):
        fill_hand(state, seat, hand)
    automatic = state["uno_window"] == option_codes.WINDOW_AUTOMATIC  # players with one card have called
    state["called"] = state["one_card_mask"] if automatic else sum(1 << seat for seat in position.called)
    state["discard"][: len(position.discard)] = position.discard
    state["discard_n"] = len(position.discard)
    state["pile"][: len(position.draw)] = position.draw[::-1]
    state["pile_n"] = state["ordered_n"] = len(position.draw)
    state["top"] = position.discard[-1]
    state["has_foreign_cards"] = has_colored_card(
        position.rules, {*position.discard, *position.draw, *chain(*position.hands)}
    )
    outcomes = [LEVER_OUTCOMES.index(name) for name in position.lever]
    state["lever_script"][: len(outcomes)] = outcomes
    state["lever_script_n"] = len(outcomes)
    stack = range(len(cards)) if position.rule_cards is None else [cards.index(c) for c in position.rule_cards]
    state["dispenser"][: len(stack)] = list(stack)[::-1]
    state["dispenser_n"] = len(stack)
    state["dispenser_ordered_n"] = 0 if position.rule_cards is None else len(stack)


def _pack_effects(card: RuleCard) -> list[int]:
    if card.dare is not None:
        words = [rule_effects.DARE]
    else:
        words = [
            rule_effects.EFFECT_CODES[e.verb] | e.n << 8 | rule_effects.WHO_CODES[e.who] << 16 for e in card.effects
        ]
    return words + [0] * (layout.MAX_EFFECTS - len(words))


def fill_hand(state: Any, seat: int, hand: Sequence[int]) -> None:
    """Put cards into an empty hand."""
    for card in hand:
        state["counts"][seat, card] += 1
        if is_wild(card):
            state["wilds"][seat] |= 1 << card_face(card)
        else:
            state["colored"][seat] |= 1 << card
    state["held"][seat] = len(hand)
    if len(hand) == 1:
        state["one_card_mask"] |= 1 << seat
