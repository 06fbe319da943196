"""Parts of all explanations: a page of lines with clause ids, and options and rule cards in words."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Final

from lastcard.errors import NotationError
from lastcard.game.cards import ALL_WILD_COUNTS, classic_deck, parse_card, wild_jackpot_deck
from lastcard.game.options import (
    ALL_WILD_GAME,
    CLASSIC_GAME,
    CONFLICTS_WITH_ALL_WILD,
    OPTIONS,
    WILD_JACKPOT_GAME,
    Option,
    RuleOptions,
    Value,
    choice_name,
    text_spelling,
    value_text,
)
from lastcard.game.rulecards import BUILT_IN, EFFECT_SYNTAX, MAX_DARE_CHARS, WHO, Effect, parse_rule_card
from lastcard.game.rulesets import Ruleset
from lastcard.text.locale import Catalog, catalog

# Prefixes of clause ids that apply to one game; common clauses and the project's own always apply.
_CLAUSE_PREFIXES: Final = {
    ALL_WILD_GAME: ("CO-", "LC-", "AW-"),
    CLASSIC_GAME: ("CO-", "LC-", "CL-"),
    WILD_JACKPOT_GAME: ("CO-", "LC-", "CL-", "WJ-"),
}
BULLET: Final = "- "

# Options that have no effect if all pairs (option, values) of any one row hold.
_Pair = tuple[str, tuple[Value, ...]]
_NO_CHALLENGE: Final[tuple[tuple[_Pair, ...], ...]] = ((("wd4_mode", ("strict", "free")),),)
_NO_ACTION_LAST: Final[tuple[_Pair, ...]] = (("finish_restriction", ("no_action",)),)
_DISABLED_WHEN: Final[dict[str, tuple[tuple[_Pair, ...], ...]]] = {
    "voluntary_draw": ((("force_play", ("always",)),),),
    "draw_then_play": ((("force_play", ("drawn", "always")),),),
    "challenge_by": _NO_CHALLENGE,
    "challenge_win_turn": _NO_CHALLENGE,
    "challenge_fail_draw": _NO_CHALLENGE,
    "challenge_evidence": _NO_CHALLENGE,
    "uno_penalty": ((("uno_window", ("no_penalty", "automatic_call")),),),
    "uno_early_call": ((("uno_window", ("automatic_call",)),),),
    "false_uno_penalty": ((("uno_window", ("automatic_call",)),),),
    "false_catch_penalty": ((("uno_window", ("no_penalty", "automatic_call")),),),
    "forced_swap_last_card": (_NO_ACTION_LAST,),
    "last_card_draw_counts": (_NO_ACTION_LAST,),
    "last_card_targeted_draw": ((("last_card_draw_counts", (False,)),), _NO_ACTION_LAST),
    "wj_last_jackpot": (_NO_ACTION_LAST,),
    "dealer_tie": ((("first_dealer", ("random", "seat_0", "host")), ("next_dealer", ("left", "winner", "loser"))),),
    "winning_score": ((("match_mode", ("single_round",)),),),
    "tally_tie": ((("scoring", ("winner_collects",)),), (("match_mode", ("single_round",)),)),
    "jump_in_stack": ((("jump_in", (False,)),), (("stacking", ("off",)), ("deflect", (False,)))),
    "seven_zero_last": ((("seven_zero", (False,)),),),
}

_DECKS: Final[dict[str, Callable[[], Iterable[int]]]] = {
    ALL_WILD_GAME: lambda: ALL_WILD_COUNTS,
    CLASSIC_GAME: classic_deck,
    WILD_JACKPOT_GAME: wild_jackpot_deck,
}
_CARDS_SHOWN: Final = {
    "all_wild.wild": "W",
    "all_wild.reverse": "Wr",
    "all_wild.skip": "Ws",
    "all_wild.skip_two": "Wss",
    "all_wild.draw_two": "W+2",
    "all_wild.draw_four": "W+4",
    "all_wild.targeted": "W@2",
    "all_wild.swap": "Wx",
    "skip": "Bs",
    "reverse": "Gr",
    "draw_two": "R+2",
    "wild": "W",
    "wild_draw_four": "W+4",
    "jackpot": "Yj",
    "wild_jackpot": "Wj",
    "deck.numbers.classic": "R0 Y3 G6 B9",
    "deck.numbers.jackpot": "R0 Y3 G6 B9",
    "first.number": "G6",
    "first.skip": "Bs",
    "first.draw_two": "R+2",
    "first.wild_jackpot": "Wj",
    "first_card_reverse": "Gr",
    "first_card_wild": "W",
    "first_card_wd4": "W+4",
    "wj_first_jackpot": "Yj",
    "turn.match": "R5 R8 B5 W",
    "seven_zero": "B7 Y0",
    "stacking": "R+2 B+2 W+2",
    "deflect": "Bs Gr",
    "jump_in.colored": "G6 G6",
    "jump_in.all_wild": "Ws Ws",
}
"""Cards that are shown with a line: by its key under ``rules.``, its card or its option."""


@dataclass(slots=True)
class Line:
    """A line of an explanation."""

    text: str
    clauses: tuple[str, ...]
    """Ids of the clauses that it states."""
    changed: bool = False
    """Whether the table differs here from the official rules."""
    sub: str = ""
    """Alternative values of an option; may be empty."""
    cards: tuple[str, ...] = ()
    """Codes of its cards, which are shown as pictures."""


@dataclass(slots=True)
class Section:
    """A heading, an optional note, and the lines of a section."""

    head: str
    note: str = ""
    lines: list[Line] = field(default_factory=list)


class RulesPage:
    """Builder of an explanation by section; each line has its clauses."""

    def __init__(self, rules: Ruleset, texts: Catalog) -> None:
        self.game = rules.game
        self.is_all_wild = rules.game == ALL_WILD_GAME
        self.is_jackpot = rules.game == WILD_JACKPOT_GAME
        self.options = rules.options
        self.texts = texts
        self.title = texts.text("rules.title", game=texts.text(f"game.{rules.game}"))
        self.name = str(rules)
        usual = choice_name("jump_in_stack", OPTIONS["jump_in_stack"].choices[0])
        is_written_out = self.name.endswith(f"+{usual}")
        self.about_name = texts.text("rules.name.always", option=usual) if is_written_out else ""
        """Why the name contains a default; may be empty."""
        self.sections: list[Section] = []
        self.effects: dict[str, str] = {}
        """Effect of each kind of card, by its key under ``card.``."""
        self.cites: dict[str, tuple[str, ...]] = {}
        """Clauses of these effects."""
        self._cited: list[str] = []
        self._deck = frozenset(_DECKS[rules.game]())

    def plain_lines(self, clauses: bool) -> list[str]:
        """Returns the page as lines of plain text, optionally with clause ids in brackets."""
        lines = [self.title, self.texts.text("rules.name", name=self.name)]
        lines += [self.about_name] if self.about_name else []
        for section in self.sections:
            lines += ["", section.head, *([section.note] if section.note else [])]
            for line in section.lines:
                ids = f" [{', '.join(line.clauses)}]" if clauses else ""
                lines.append(f"{'* ' if line.changed else BULLET}{line.text}{ids}")
                lines += ["    " + line.sub] if line.sub else []
        return lines

    def add_section(self, key: str) -> None:
        """Start a section."""
        self.sections.append(Section(self.texts.text(f"rules.head.{key}")))

    def add_text(self, key: str, clauses: str, **values: object) -> None:
        """Add a line from a key under ``rules.``."""
        self.add_line(self._text_under_house_rules(f"rules.{key}", **values), clauses, card_key=key)

    def add_line(
        self, text: str, clauses: str | Iterable[str], *, changed: bool = False, sub: str = "", card_key: str = ""
    ) -> None:
        """Add a ``Line`` of finished text, without clauses and cards of other games; ``card_key`` finds the cards."""
        ids = clauses.split() if isinstance(clauses, str) else clauses
        ids = dict.fromkeys([*ids, *self._cited])
        fitting = tuple(i for i in ids if i.startswith(_CLAUSE_PREFIXES[self.game]))
        self._cited.clear()
        cards = tuple(code for code in _CARDS_SHOWN.get(card_key, "").split() if parse_card(code) in self._deck)
        self.sections[-1].lines.append(Line(text, fitting, changed, sub, cards))

    def add_option(self, name: str, clauses: str = "") -> None:
        """Add a line about an option and its value; none if it has no effect here."""
        if not self.disabled_by(name):
            line = option_line(self.texts, name, getattr(self.options, name), self.game)
            self.add_line(line, [*OPTIONS[name].clauses, *clauses.split()], card_key=name)

    def disabled_by(self, name: str) -> str:
        """Returns the typed form of an option that disables another at this table; empty if there is none."""
        for row in _DISABLED_WHEN.get(name, ()):
            if all(getattr(self.options, other) in values for other, values in row):
                return choice_name(row[0][0], getattr(self.options, row[0][0]))
        return ""

    def add_effect(self, card: str, clauses: str, *parts: str) -> None:
        """Add a line about the effect of a card; ``card`` is a key under ``card.``."""
        text = self.effects[card] = " ".join(parts)
        line = self.texts.text("rules.card_line", card=upper_first(self.texts.text(f"card.{card}")), text=text)
        self.add_line(line, clauses, card_key=card)
        self.cites[card] = self.sections[-1].lines[-1].clauses

    def effect_part(self, key: str, **values: object) -> str:
        """Returns a text under ``rules.effect.``, to be combined with others."""
        return self._text_under_house_rules(f"rules.effect.{key}", **values)

    def _text_under_house_rules(self, key: str, **values: object) -> str:
        """Returns a text, or its variant ``KEY.under.NAME`` if there is one for a house rule of the table.

        The line with that variant cites the rule too.
        """
        for name in self.house_rules:
            form = f"{key}.under.{name}"
            if form in self.texts:
                self._cited += OPTIONS[name].clauses
                return self.texts.text(form, **values)
        return self.texts.text(key, **values)

    @property
    def house_rules(self) -> list[str]:
        """Returns the house rules of the table: those of this game that differ from its defaults."""
        return [
            name
            for name, option in OPTIONS.items()
            if option.is_house_rule and self.game in option.games and getattr(self.options, name) != option.choices[0]
        ]


def lower_first(sentence: str) -> str:
    """Returns a sentence for the position after a colon: with a small first letter, unless it begins with UNO."""
    return sentence if sentence.startswith("UNO") else sentence[:1].lower() + sentence[1:]


def upper_first(text: str) -> str:
    """Returns a card's name for the beginning of a line."""
    return text[:1].upper() + text[1:]


def as_sentence(text: str) -> str:
    """Returns a heading as a sentence: with a full stop, unless it is a question."""
    return text if text.endswith("?") else text + "."


def option_text(texts: Catalog, name: str) -> str:
    """Returns the description of an option."""
    return texts.text(f"option.{text_spelling(name)}")


def choice_text(texts: Catalog, name: str, value: Value, game: str | None = None) -> str:
    """Returns the description of one value of an option; some differ between games (None: no particular one)."""
    if isinstance(value, tuple):
        return texts.text(f"option.{text_spelling(name)}.custom", weights=value_text(value))
    key = f"option.{text_spelling(name)}.{value_text(value)}"
    return texts.text(f"{key}.{game}" if f"{key}.{game}" in texts else key)


def option_line(texts: Catalog, name: str, value: Value, game: str | None = None) -> str:
    """Returns the descriptions of an option and of one of its values; ``game`` as for ``choice_text``."""
    choice = lower_first(choice_text(texts, name, value, game))
    return texts.text("rules.line", about=option_text(texts, name), choice=choice)


def add_options(page: RulesPage, base: RuleOptions) -> None:
    """Add the table's options; those that differ from ``base`` are marked, with explanation and alternatives."""
    page.add_section("options")
    page.sections[-1].note = page.texts.text("rules.options.changed")
    for name, option in OPTIONS.items():
        if page.game not in option.games:
            continue
        value: Value = getattr(page.options, name)
        about, choice = as_sentence(option_text(page.texts, name)), choice_text(page.texts, name, value, page.game)
        text = page.texts.text(
            "rules.options.row", name=option.text_name, value=value_text(value), about=about, choice=choice
        )
        cause = page.disabled_by(name)
        text += " " + page.texts.text("rules.options.idle", cause=cause) if cause else ""
        others = describe_choices(
            page.texts, option, [v for v in choices_in_game(option, page.game) if v != value], page.game
        )
        sub = page.texts.text("rules.options.others", values=others) if others else ""
        page.add_line(text, option.clauses, changed=value != getattr(base, name), sub=sub)


def describe_choices(texts: Catalog, option: Option, values: Iterable[Value], game: str) -> str:
    """Returns values of an option as they are typed, each with its description except numbers."""
    described = [
        value_text(v)
        if isinstance(v, int) and not isinstance(v, bool)
        else texts.text("rules.index.row", name=value_text(v), about=choice_text(texts, option.name, v, game))
        for v in values
    ]
    weights = [texts.text("rules.options.weights")] if option.name == "wj_lever_weights" else []
    return " · ".join(described + weights)


def choices_in_game(option: Option, game: str) -> list[Value]:
    """Returns the values that an option can have in a game."""
    if game != ALL_WILD_GAME:
        return list(option.choices)
    return [value for value in option.choices if (option.name, value) not in CONFLICTS_WITH_ALL_WILD]


def typed_values(texts: Catalog, option: Option, values: Iterable[Value]) -> list[str]:
    """Returns values of an option as they are typed."""
    weights = [texts.text("rules.options.weights")] if option.name == "wj_lever_weights" else []
    return [*map(value_text, values), *weights]


def wrap_lines(lines: list[str], width: int | None) -> str:
    """Returns lines as one text, wrapped to an optional width."""
    if width is not None:
        lines = [
            textwrap.fill(
                line, width, subsequent_indent=" " * _indent(line), break_on_hyphens=False, break_long_words=False
            )
            for line in lines
        ]
    return "\n".join(lines) + "\n"


def _indent(line: str) -> int:
    """Returns the indentation of the continuation of a wrapped line."""
    return len(line) - len(line.lstrip(" -*")) if line[:1] in ("-", "*", " ") else 0


def describe_rule_card(card_text: str, language: str = "en") -> str:
    """Returns the wording of a rule card: ``Draw 2 cards. Then the direction of play reverses.``

    Args:
        card_text: rule card in the syntax of ``parse_rule_card``.
        language: one of ``lastcard.text.locale.LANGUAGES``.

    Returns:
        Its effects in words; a built-in card in its own wording; a dare unchanged.

    Raises:
        NotationError: for a text that is no rule card.
        UsageError: for an unknown language.
    """
    texts = catalog(language)
    card = parse_rule_card(card_text)
    for name, built_in in BUILT_IN.items():
        if card == built_in:
            return texts.text(f"rulecard.{name}")
    if card.dare is not None:
        return card.dare
    first, *rest = (_effect_text(texts, effect) for effect in card.effects)
    return " ".join([first, *(texts.text("effect.then", next=lower_first(text)) for text in rest)])


def rule_card_help(texts: Catalog) -> str:
    """Returns the syntax of rule cards in words."""
    example = {"dare": "dare: sing a song", "effects": "draw 2; reverse"}
    return texts.text("prompt.write.how", verbs=EFFECT_SYNTAX, who=", ".join(WHO), **example)


def describe_error_position(texts: Catalog, error: NotationError) -> str:
    """Returns the position of an error in a text, in words."""
    text, column = error.text or "", error.column or 0
    word = re.match(r"[^\s;.]*", text[column:])
    if not word or not word[0]:
        return texts.text("web.refused.word-missing", n=column + 1)
    return texts.text("web.refused.wrong-word", word=word[0], n=column + 1)


def describe_rule_card_error(texts: Catalog, error: NotationError) -> str:
    """Returns the position of an error in a rule card, and the syntax; a dare is counted from its own beginning."""
    text, column = error.text or "", error.column or 0
    dare = re.match(r"\s*dare\s*:\s*", text, re.IGNORECASE)
    if dare is None:
        return f"{describe_error_position(texts, error)} {rule_card_help(texts)}"
    if dare.end() == len(text):
        return texts.text("web.refused.no-dare")
    return texts.text("web.refused.bad-dare", n=max(1, column - dare.end() + 1), most=MAX_DARE_CHARS)


def _effect_text(texts: Catalog, effect: Effect) -> str:
    key = f"effect.{effect.verb}.{effect.who}" if effect.who else f"effect.{effect.verb}"
    return texts.text(key, n=effect.n)
