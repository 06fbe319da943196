"""Rulesets that differ from the official one of their game in one choice, and their rounds in pairs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import Any, Final, NamedTuple

import numpy as np

from lastcard.arena.studies.inference import Moments, Sums
from lastcard.errors import LastcardError
from lastcard.game.options import ALL_WILD_GAME, OPTIONS, Value, choice_name
from lastcard.game.rulesets import GAME_DEFAULTS, GAMES, PRESETS, ruleset
from lastcard.match.setup import check_players

Measures = Mapping[str, Any]
"""Arrays with one value for each round, by measure."""

_NEEDED: Final[dict[str, dict[str, object]]] = {
    "tally_tie": {"scoring": "tally"},
    "jump_in_stack": {"jump_in": True, "stacking": "same"},
    "seven_zero_last": {"seven_zero": True},
}
"""Options without which another has no meaning."""
_NEEDED_IN_ALL_WILD: Final = {name: {"match_mode": "to_target"} for name in ("winning_score", "next_dealer")}


class Variant(NamedTuple):
    """A ruleset, and the one that it is compared with."""

    rules: str
    base: str


@cache
def list_variants(game: str, players: int, names: tuple[str, ...]) -> dict[str, Variant]:
    """Returns each choice of some options that is not the default and is possible, by name: ``stacking=same``."""
    found = {}
    for name in names:
        needed = _NEEDED.get(name, _NEEDED_IN_ALL_WILD.get(name, {}) if game == ALL_WILD_GAME else {})
        for choice in OPTIONS[name].choices:
            if game in OPTIONS[name].games and choice != getattr(GAME_DEFAULTS[game], name):
                rules = _try_ruleset(game, {**needed, name: choice}, players)
                if rules is not None:
                    found[choice_name(name, choice)] = Variant(rules, str(ruleset(game, needed)))
    return found


@cache
def list_house_rules(game: str, players: int) -> dict[str, Variant]:
    """Returns each choice of a house rule, and each preset, by name."""
    rules = list_variants(game, players, tuple(name for name, option in OPTIONS.items() if option.is_house_rule))
    return rules | {name: Variant(f"{game}+{name}", game) for name, values in PRESETS.items() if values}


def _try_ruleset(game: str, options: Mapping[str, object | Value], players: int) -> str | None:
    """The name of a ruleset; None if it is invalid, or not for so many players."""
    try:
        rules = ruleset(game, options)
        check_players(rules, players)
    except LastcardError:
        return None
    return str(rules)


def games_and_seats(*seats: int) -> tuple[tuple[str, int], ...]:
    """Returns each game with each of some numbers of seats."""
    return tuple((game, players) for game in GAMES for players in seats)


def compare_variants(
    key: str, variants: Iterable[tuple[str, Variant]], measure: Callable[[str], Measures], game: str
) -> Sums:
    """Returns the measures of a game and of variants of it, and their changes from the base, round by round.

    The keys are ``key|official|measure``, ``key|variant|measure`` and ``key|variant|measure|change``. The measure
    ``changed`` is the share of rounds in which any measure changes.

    Args:
        key: first part of all keys.
        variants: names and variants.
        measure: plays the same rounds by a ruleset.
        game: the official rules.
    """
    sums: Sums = {}
    bases: dict[str, Measures] = {game: measure(game)}
    for name, each in bases[game].items():
        sums[f"{key}|official|{name}"] = Moments.of(each)
    for variant, (rules, base) in variants:
        if base not in bases:
            bases[base] = measure(base)
        changed = np.zeros(0)
        for name, each in measure(rules).items():
            change = np.asarray(each, np.float64) - bases[base][name]
            sums[f"{key}|{variant}|{name}"] = Moments.of(each)
            sums[f"{key}|{variant}|{name}|change"] = Moments.of(change)
            changed = np.maximum(changed, change != 0) if changed.size else change != 0
        sums[f"{key}|{variant}|changed"] = Moments.of(changed)
    return sums
