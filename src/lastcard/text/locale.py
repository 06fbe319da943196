"""All texts in five languages, by key, with named placeholders and plural forms.

The texts are in ``catalog/<theme>.json``, shared with the browser: each key with its text in every language. A text
has ``{name}`` placeholders, or is an object of plural forms chosen by the value ``n``. A language that lacks a text
uses the English one; ``make translations`` lists these.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from functools import cache
from importlib import resources
from typing import Final

from lastcard.errors import UsageError
from lastcard.game import cards as c
from lastcard.game.options import ALL_WILD_GAME

LANGUAGES: Final = ("en", "es", "fr", "pt", "pl")
"""English, Spanish (Latin America), French (Canada), Portuguese (Brazil), Polish."""
PLURAL_FORMS: Final = {
    "en": ("one", "other"),
    "es": ("one", "many", "other"),
    "fr": ("one", "many", "other"),
    "pt": ("one", "many", "other"),
    "pl": ("one", "few", "many", "other"),
}
"""The plural forms of each language (Unicode CLDR); Polish ``other`` is for fractions only."""
DECIMAL_COMMA: Final = ("fr", "pt", "pl")
"""Languages that write a decimal comma: 0,5."""

COLOR_WORDS: Final = ("red", "yellow", "green", "blue")
_FACE_WORDS: Final = {c.SKIP: "skip", c.REVERSE: "reverse", c.DRAW_TWO: "draw_two", c.JACKPOT: "jackpot"}
_WILD_KEYS: Final = {
    c.W: "card.wild",
    c.W_DRAW_FOUR: "card.wild_draw_four",
    c.W_JACKPOT: "card.wild_jackpot",
}
_ALL_WILD_KEYS: Final = {
    c.W: "card.all_wild.wild",
    c.W_REVERSE: "card.all_wild.reverse",
    c.W_SKIP: "card.all_wild.skip",
    c.W_SKIP_TWO: "card.all_wild.skip_two",
    c.W_DRAW_TWO: "card.all_wild.draw_two",
    c.W_DRAW_FOUR: "card.all_wild.draw_four",
    c.W_TARGETED: "card.all_wild.targeted",
    c.W_SWAP: "card.all_wild.swap",
}
_PLACEHOLDER: Final = re.compile(r"\{(\w+)\}")

Text = str | dict[str, str]


def plural_form(language: str, n: int) -> str:
    """Returns ``one``, ``few``, ``many`` or ``other`` for an integer in one of ``LANGUAGES``, by the CLDR rules."""
    n = abs(n)
    if language == "pl":
        if n == 1:
            return "one"
        few = 2 <= n % 10 <= 4 and not 12 <= n % 100 <= 14
        return "few" if few else "many"
    if n == 1 or (n == 0 and language in ("fr", "pt")):
        return "one"
    # "1 000 000 de cartes": whole millions take "de" in Spanish, French and Portuguese.
    if language != "en" and n and n % 1_000_000 == 0:
        return "many"
    return "other"


class Catalog:
    """The texts of one of ``LANGUAGES`` by key. ``catalog`` returns one."""

    def __init__(self, language: str, texts: Mapping[str, Text]) -> None:
        self.language = language
        self.texts = texts

    def __contains__(self, key: object) -> bool:
        return key in self.texts

    def text(self, key: str, /, **values: object) -> str:
        """Returns the text of a key such as ``lever.choose``, filled in; ``n`` also selects the plural form.

        Raises:
            KeyError: for an unknown key, or a placeholder without a value; names both.
        """
        try:
            entry = self.texts[key]
        except KeyError:
            raise KeyError(f"there is no text {key!r} in {self.language!r}") from None
        if isinstance(entry, dict):
            n = values.get("n")
            if not isinstance(n, int):
                raise KeyError(f"the text {key!r} in {self.language!r} has plural forms and needs a whole number n")
            entry = entry[plural_form(self.language, n)]

        def fill(match: re.Match[str]) -> str:
            try:
                return str(values[match[1]])
            except KeyError:
                raise KeyError(f"the text {key!r} in {self.language!r} needs a value for {match[0]}") from None

        return _PLACEHOLDER.sub(fill, entry)

    def color(self, color: int) -> str:
        """Returns the word for a color, RED to BLUE: ``red``."""
        return self.text(f"color.{COLOR_WORDS[c.COLORS.index(color)]}")

    def card(self, card: int, game: str) -> str:
        """Returns a card in words, as players of a game call it: ``red 5``, ``Wild Draw Four``; wilds differ."""
        color, face = c.card_color(card), c.card_face(card)
        if color != c.WILD:
            word = _FACE_WORDS.get(face, "number")
            return self.text(f"card.{COLOR_WORDS[color]}.{word}", number=face)
        by_game, others = (_ALL_WILD_KEYS, _WILD_KEYS) if game == ALL_WILD_GAME else (_WILD_KEYS, _ALL_WILD_KEYS)
        return self.text(by_game[card] if card in by_game else others[card])

    def cards(self, cards: Iterable[int], game: str) -> str:
        """Returns cards in words in order of first occurrence, repeats counted: ``red 5, Wild``."""
        counts: dict[int, int] = {}
        for card in cards:
            counts[card] = counts.get(card, 0) + 1
        names = {card: self.card(card, game) for card in counts}
        words = [
            names[card] if n == 1 else self.text("cards.times", number=n, card=names[card])
            for card, n in counts.items()
        ]
        return ", ".join(words) or self.text("cards.none")


@cache
def catalog(language: str) -> Catalog:
    """Returns the texts of one of ``LANGUAGES``; raises a UsageError that lists the five for any other language."""
    if language not in LANGUAGES:
        raise UsageError(f"there is no language {language!r}; there are {', '.join(LANGUAGES)}")
    texts: dict[str, Text] = {}
    for file in sorted((resources.files("lastcard.text") / "catalog").iterdir(), key=lambda file: file.name):
        entries = json.loads(file.read_bytes())
        texts |= {key: translate(entry, language) for key, entry in entries.items()}
    return Catalog(language, texts)


def translate(entry: Mapping[str, Text], language: str) -> Text:
    """The text of a catalog entry in a language: the English one, in that language's plural forms, if it has none."""
    text = entry.get(language, entry["en"])
    if language in entry or isinstance(text, str):
        return text
    return {form: text.get(form, text["other"]) for form in PLURAL_FORMS[language]}


def guess_language(environ: Mapping[str, str]) -> str:
    """Returns the language in LC_ALL, else in LC_MESSAGES, else in LANG; English if it is not one of the five."""
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if environ.get(name):
            language = re.split(r"[_.@-]", environ[name].lower())[0]
            return language if language in LANGUAGES else "en"
    return "en"
