"""Many rulesets for tests: every option, and every pair of house rules."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from lastcard.errors import RulesError
from lastcard.game.options import OPTIONS, Value
from lastcard.game.rulesets import GAME_DEFAULTS, PRESETS, Ruleset, ruleset


def changed_options(rules: Ruleset) -> dict[str, Value]:
    """The options that differ from the game's own defaults, by name."""
    base = GAME_DEFAULTS[rules.game]
    return {n: getattr(rules.options, n) for n in OPTIONS if getattr(rules.options, n) != getattr(base, n)}


def ruleset_variants(game: str) -> Iterator[Ruleset]:
    """A game under every preset, every single option, and every pair of house rules."""
    made = [ruleset(f"{game}+{preset}") for preset in PRESETS]
    singles = [((name, value),) for name, option in OPTIONS.items() for value in option.choices]
    house_rules = [
        (name, value) for name, option in OPTIONS.items() if option.is_house_rule for value in option.choices[1:]
    ]
    pairs = combinations(house_rules if game != "wild-jackpot" else (), 2)  # they are those of classic there
    for changes in (*singles, *((a, b) for a, b in pairs if a[0] != b[0])):
        try:
            made.append(ruleset(game, dict(changes)))
        except RulesError:
            continue
    yield from dict.fromkeys(made)
