"""What is in the box: how many may play, the deck, and the rule cards."""

from __future__ import annotations

from typing import Final

import numpy as np

from lastcard.engine import chance
from lastcard.errors import UsageError
from lastcard.game.cards import NUMBER_COPIES, all_wild_deck, classic_deck, number_copies, wild_jackpot_deck
from lastcard.game.options import ALL_WILD_GAME, CLASSIC_GAME, WILD_JACKPOT_GAME
from lastcard.game.rulecards import BUILT_IN, RuleCard
from lastcard.game.rulesets import MAX_PLAYERS, MIN_PLAYERS, Ruleset
from lastcard.game.seeds import SEED_BYTES

_SECOND_NUMBERS: Final = 5


def check_players(rules: Ruleset, players: int) -> None:
    """Refuse a number of players the rules do not allow (CO-47, LC-46).

    Raises:
        UsageError: says what is allowed.
    """
    if not MIN_PLAYERS <= players <= MAX_PLAYERS:
        raise UsageError(f"{rules.game} is for {MIN_PLAYERS} to {MAX_PLAYERS} players, not {players} (CO-47)")
    if rules.options.team_play and players != 4:
        raise UsageError(f"team play needs 4 players, not {players} (LC-46)", (("team_play", True),))


def build_deck(rules: Ruleset, seed: bytes) -> list[int]:
    """The deck of a ruleset, sorted; the seed matters for ``wj_number_distribution = 0-9_random`` (LC-24)."""
    if rules.game == ALL_WILD_GAME:
        return all_wild_deck()
    if rules.game == CLASSIC_GAME:
        return classic_deck()
    kind = rules.options.wj_number_distribution
    if kind != "0-9_random":
        return wild_jackpot_deck(NUMBER_COPIES[kind])
    numbers = np.arange(1, 10)
    chance.shuffle_cards(chance.seed_words(seed), chance.DECK, 0, 0, numbers, np.zeros(16, np.int64))
    return wild_jackpot_deck(number_copies([int(n) for n in numbers[:_SECOND_NUMBERS]]))


def known_deck(rules: Ruleset) -> list[int]:
    """The cards that can be in the deck of a ruleset, for all its players know: more than there are where numbers
    are drawn in secret (LC-24).
    """
    if rules.game == WILD_JACKPOT_GAME and rules.options.wj_number_distribution == "0-9_random":
        return wild_jackpot_deck(number_copies(range(1, 10)))
    return build_deck(rules, bytes(SEED_BYTES))


def default_rule_cards(rules: Ruleset) -> tuple[RuleCard, ...]:
    """The rule cards of a table that has written none (WJ-5, LC-31)."""
    cards = tuple(BUILT_IN.values())
    return tuple(c for c in cards if c.dare is not None) if rules.options.wj_rules == "social_only" else cards
