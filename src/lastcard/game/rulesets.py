"""The three games, presets of house rules, and rulesets by name: ``classic+stacking=same+jump_in``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from typing import Final

from lastcard.errors import RulesError, suggest
from lastcard.game.cards import (
    NUMBER_COPIES,
    Card,
    all_wild_deck,
    card_points,
    classic_deck,
    number_copies,
    wild_jackpot_deck,
)
from lastcard.game.options import (
    ALL_WILD_GAME,
    CLASSIC_GAME,
    OPTIONS,
    WILD_JACKPOT_GAME,
    RuleOptions,
    Value,
    check_options,
    choice_name,
    option_name,
    parse_switch,
    parse_value,
    text_spelling,
    value_text,
    with_options,
)

GAMES: Final = (ALL_WILD_GAME, CLASSIC_GAME, WILD_JACKPOT_GAME)
MIN_PLAYERS: Final = 2
MAX_PLAYERS: Final = 10

GAME_DEFAULTS: Final[dict[str, RuleOptions]] = {
    ALL_WILD_GAME: RuleOptions(first_dealer="random", match_mode="single_round"),
    CLASSIC_GAME: RuleOptions(),
    WILD_JACKPOT_GAME: RuleOptions(),
}
"""The defaults of each game: the official sheet."""

PRESETS: Final[dict[str, dict[str, Value]]] = {
    "official": {},
    "living-room": {"stacking": "cross", "draw_mode": "until_playable", "wd4_mode": "free"},
    "harsh": {
        "stacking": "equal_or_higher",
        "jump_in": True,
        "seven_zero": True,
        "draw_mode": "until_playable",
        "force_play": "always",
        "uno_penalty": 4,
        "false_uno_penalty": "2",
        "false_catch_penalty": "2",
        "finish_restriction": "no_action",
    },
}
"""Named lists of options; options that a game does not have are left out there."""

COMMON_NAMES: Final = {
    "draw_to_match": "draw_mode=until_playable",
    "no_bluffing": "wd4_mode=strict",
    "7_0": "seven_zero",
    "teams": "team_play",
    "write_your_own_cards": "wj_rules=written",
    "family_rules": "living-room",
}
"""Options and presets by the names that pages give them in English, for suggestions only."""


@dataclass(frozen=True, slots=True)
class Ruleset:
    """A game with its options. ``str()`` gives the shortest name that ``ruleset`` reads back.

    >>> Ruleset("classic", RuleOptions(jump_in=True))
    <Ruleset classic+jump_in>

    Args:
        game: ``all-wild``, ``classic`` or ``wild-jackpot``.
        options: rule options in force, which the constructor checks.

    Raises:
        RulesError: for an unknown game, values that an option does not have, or invalid options in the game.
    """

    game: str
    options: RuleOptions

    def __post_init__(self) -> None:
        if self.game not in GAME_DEFAULTS:
            raise RulesError(_unknown_ruleset_text(self.game), word=self.game)
        object.__setattr__(self, "options", _normalize_options(self.options))
        check_options(self.options, self.game, GAME_DEFAULTS[self.game])

    def __repr__(self) -> str:
        return f"<Ruleset {self}>"

    def __str__(self) -> str:
        return _ruleset_name(self)

    def card_points(self, card: int | str) -> int:
        """Returns the points of a card that is left in a hand of this game, 0 to 50 (AW-51, CL-50, WJ-60).

        >>> ruleset("all-wild").card_points("W"), ruleset("classic").card_points("W")
        (20, 50)

        Args:
            card: card by name or number.

        Raises:
            NotationError: if there is no such card.
        """
        return card_points(Card(card), self.game == ALL_WILD_GAME)

    def _shortest_name(self) -> str:
        """Returns the shortest name, except for ``jump_in_stack``."""
        names = (self._name_from_preset(preset) for preset in PRESETS)
        return min(names, key=lambda name: (len(name), name))

    def _name_from_preset(self, preset: str) -> str:
        start = _with_preset(self.game, preset)
        parts = [self.game] if preset == "official" else [self.game, preset]
        for name in OPTIONS:
            value = getattr(self.options, name)
            if value != getattr(start, name) and name != "jump_in_stack":
                parts.append(text_spelling(name) if value is True else choice_name(name, value))
        return "+".join(parts)


def _normalize_options(options: RuleOptions) -> RuleOptions:
    """Returns the same options, with each value replaced by the equal choice; raises a RulesError if there is none."""
    values = {name: getattr(options, name) for name in OPTIONS}
    unparsed = {name: value for name, value in values.items() if not _is_choice(name, value)}
    return with_options(options, **unparsed) if unparsed else options


def _is_choice(name: str, value: object) -> bool:
    choices = OPTIONS[name].choices
    return type(value) is type(choices[0]) and value in choices


@lru_cache(1000)  # every view contains the name
def _ruleset_name(rules: Ruleset) -> str:
    jump = rules.options.jump_in_stack
    is_written_out = _allows_jump_in_on_draws(rules.options) or jump != OPTIONS["jump_in_stack"].choices[0]
    return rules._shortest_name() + (f"+jump_in_stack={jump}" if is_written_out else "")


def _unknown_ruleset_text(word: str) -> str:
    starts = f"a ruleset starts with {', '.join(GAMES)}, like classic+stacking=same+jump_in"
    return f"there is no ruleset {word!r}; {starts}{suggest(word, GAMES)}"


@cache
def _with_preset(game: str, preset: str) -> RuleOptions:
    """Returns the game's defaults under a preset, without the options that the game does not have."""
    return _add_preset(GAME_DEFAULTS[game], game, preset)


def ruleset(text: str, options: Mapping[str, object] | None = None) -> Ruleset:
    """Returns the ruleset of a name such as ``classic``, ``all-wild+harsh`` or ``classic+stacking=same+jump_in``.

    >>> ruleset("classic+jump_in", {"draw_mode": "until_playable"}).options.draw_mode
    'until_playable'

    Args:
        text: a game, then presets and options joined by ``+``; a bare option name means ``true``.
        options: further options by name, applied last.

    Raises:
        RulesError: for an unknown word or value, an option given twice with different values, or an
            invalid combination; the message says how to correct it.
    """
    if not isinstance(text, str):
        raise RulesError(f"a ruleset is named by a text, such as classic+stacking=same, not by {text!r}")
    found = _parse_ruleset(text)
    if not options:
        return found
    if not isinstance(options, Mapping) or not all(isinstance(name, str) for name in options):
        raise RulesError(f"options are names with their values, such as {{'stacking': 'same'}}, not {options!r}")
    return Ruleset(found.game, with_options(found.options, **options))


@lru_cache(1000)
def _parse_ruleset(text: str) -> Ruleset:
    """Returns the ruleset of a name."""
    words = [w.strip() for w in text.split("+")]
    game = words[0].lower().replace("_", "-").replace(" ", "-")
    if game not in GAME_DEFAULTS:
        raise RulesError(_unknown_ruleset_text(words[0]), word=words[0])
    result = GAME_DEFAULTS[game]
    seen: dict[str, Value] = {}
    for word in words[1:]:
        preset = word.lower().replace("_", "-")
        if preset in PRESETS:
            result = _with_preset(game, preset) if not seen else _add_preset(result, game, preset)
            continue
        name, equals, value = word.partition("=")
        name = option_name(name)
        if name not in OPTIONS:
            message = f"{word!r} in {text!r} is neither a preset ({', '.join(PRESETS)}) nor a rule option"
            message += _suggest_rule(name) or ";"
            raise RulesError(f"{message} `lastcard rules` lists them", word=word)
        parsed = parse_value(name, value) if equals else parse_switch(name)
        if name in seen and seen[name] != parsed:
            message = (
                f"{text_spelling(name)} is given twice in {text!r}: {value_text(seen[name])} and {value_text(parsed)}"
            )
            raise RulesError(message, ((name, seen[name]), (name, parsed)))
        seen[name] = parsed
    return Ruleset(game, with_options(result, **seen))


def _suggest_rule(word: str) -> str:
    """Returns a suggestion for a word that is neither a preset nor an option: what has a similar name or value."""
    typed = {preset.replace("-", "_"): preset for preset in PRESETS}
    typed |= {text_spelling(name): text_spelling(name) for name in OPTIONS} | COMMON_NAMES
    for name, option in OPTIONS.items():
        for value in option.choices:
            if isinstance(value, str):
                typed.setdefault(value, choice_name(name, value))
                typed[f"{name}_{value}"] = choice_name(name, value)
    return suggest(word, typed, typed)


def _allows_jump_in_on_draws(options: RuleOptions) -> bool:
    """Whether a jump-in is possible during a pending draw (LC-41)."""
    return options.jump_in and (options.stacking != "off" or options.deflect)


def stored_ruleset(text: str) -> Ruleset:
    """Returns the ruleset of a name in a record.

    If the name does not contain ``jump_in_stack``, a jump-in cancels a pending draw; ``str()`` of a ruleset always
    contains it (LC-41).
    """
    found = ruleset(text)
    if "jump_in_stack" in text or not _allows_jump_in_on_draws(found.options):
        return found
    return replace(found, options=replace(found.options, jump_in_stack="replace"))


def stored_name(rules: Ruleset) -> str:
    """Returns the name of a ruleset in a record, which ``stored_ruleset`` parses; its spelling never changes."""
    replaces = rules.options.jump_in_stack == "replace" and _allows_jump_in_on_draws(rules.options)
    return rules._shortest_name() if replaces else str(rules)


def _add_preset(options: RuleOptions, game: str, preset: str) -> RuleOptions:
    """Returns options under a preset, without those that the game does not have."""
    fitting = {n: v for n, v in PRESETS[preset].items() if game in OPTIONS[n].games}
    return with_options(options, **fitting)


def as_ruleset(rules: Ruleset | str) -> Ruleset:
    """Returns a ruleset given by value or by name."""
    return rules if isinstance(rules, Ruleset) else ruleset(rules)


SECRET_NUMBERS: Final = "0-9_random"
"""The choice of ``wj_number_distribution`` for secretly doubled numbers (LC-24)."""


def possible_deck(rules: Ruleset) -> list[int]:
    """Returns the cards that can be in a deck as far as players know, sorted; too many for secret numbers (LC-24)."""
    return list(_possible_deck(rules))


@lru_cache(1000)
def _possible_deck(rules: Ruleset) -> list[int]:
    if rules.game == ALL_WILD_GAME:
        return all_wild_deck()
    if rules.game == CLASSIC_GAME:
        return classic_deck()
    kind = rules.options.wj_number_distribution
    return wild_jackpot_deck(number_copies(range(1, 10)) if kind == SECRET_NUMBERS else NUMBER_COPIES[kind])


ALL_WILD: Final = Ruleset(ALL_WILD_GAME, GAME_DEFAULTS[ALL_WILD_GAME])
CLASSIC: Final = Ruleset(CLASSIC_GAME, GAME_DEFAULTS[CLASSIC_GAME])
WILD_JACKPOT: Final = Ruleset(WILD_JACKPOT_GAME, GAME_DEFAULTS[WILD_JACKPOT_GAME])
