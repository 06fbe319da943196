"""The rule cards of Wild Jackpot: a dare, or one to three effects (LC-50, LC-51).

The text of a card is ``draw 2; reverse`` or ``dare: sing a song``. ``parse_rule_card`` parses it
leniently; ``RuleCard.text`` is its canonical form.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import Final

from lastcard.errors import NotationError

MAX_EFFECTS: Final = 3
MAX_DARE_CHARS: Final = 120

RULE_CARD_COUNT: Final = 8
"""Number of rule cards in the box (WJ-1)."""

WHO: Final = ("left", "right", "most", "fewest", "chosen")
"""The players that an effect may name (LC-52)."""

# verb: (its words, the largest N or 0 if it has no number, whether it names a player)
GRAMMAR: Final[dict[str, tuple[tuple[str, ...], int, bool]]] = {
    "draw": (("draw",), 10, False),
    "draw_until": (("draw", "until"), 10, False),
    "discard": (("discard",), 10, False),
    "discard_until": (("discard", "until"), 10, False),
    "give": (("give",), 10, True),
    "take": (("take",), 10, True),
    "swap": (("swap",), 0, True),
    "everyone": (("everyone", "draws"), 4, False),
    "streak": (("streak",), 0, False),
    "wilds": (("wilds",), 0, False),
    "skip": (("skip",), 0, False),
    "reverse": (("reverse",), 0, False),
}
"""All effects, in the order of LC-51."""


def _effect_syntax(words: tuple[str, ...], most: int, names: bool) -> str:
    parts = [*words, "N" if most else "", "WHO" if names else "", f"(1–{most})" if most else ""]
    return " ".join(part for part in parts if part)


EFFECT_SYNTAX: Final = ", ".join(_effect_syntax(*grammar) for grammar in GRAMMAR.values())
"""Syntax of all effects."""
_JOINERS: Final = "\u200c\u200d"  # used inside scripts and emoji; every other invisible character is refused


@dataclass(frozen=True, slots=True)
class Effect:
    """One effect of a rule card.

    Args:
        verb: key of ``GRAMMAR``.
        n: number of cards, or the hand size to reach with ``..._until``; 0 if the verb has no number.
        who: one of ``WHO``, or an empty text if the verb names no player.

    Raises:
        NotationError: if the parts do not fit together.
    """

    verb: str
    n: int = 0
    who: str = ""

    def __post_init__(self) -> None:
        if self.verb not in GRAMMAR:
            raise NotationError(f"{self.verb!r} is not an effect of a rule card; expected {EFFECT_SYNTAX}")
        _, most, names = GRAMMAR[self.verb]
        if not (1 <= self.n <= most if most else self.n == 0):
            raise NotationError(
                f"{self.verb} takes {f'a number from 1 to {most}' if most else 'no number'}, not {self.n}"
            )
        if (self.who not in WHO) if names else self.who:
            raise NotationError(f"{self.verb} names {' or '.join(WHO) if names else 'nobody'}, not {self.who!r}")

    def __str__(self) -> str:
        words = [*GRAMMAR[self.verb][0], str(self.n) if self.n else "", self.who]
        return " ".join(word for word in words if word)


@dataclass(frozen=True, slots=True)
class RuleCard:
    """A rule card: either ``effects`` or a ``dare``. ``text`` gives its canonical form.

    >>> RuleCard(dare="sing").text
    'dare: sing'

    Args:
        effects: one to three effects, applied in order; none for a dare.
        dare: task of the performer, in one line; None for a card of effects.

    Raises:
        NotationError: for neither, both, too many effects or an invalid text.
    """

    effects: tuple[Effect, ...] = ()
    dare: str | None = None

    def __post_init__(self) -> None:
        if self.dare is None and not 1 <= len(self.effects) <= MAX_EFFECTS:
            raise NotationError(f"a rule card has one to {MAX_EFFECTS} effects, not {len(self.effects)}")
        if self.dare is not None and self.effects:
            raise NotationError("a rule card is a dare or has effects, not both")
        if self.dare is not None:
            _check_dare(self.dare, self.dare, 0)

    @property
    def text(self) -> str:
        """Canonical text of the card, which ``parse_rule_card`` parses."""
        return f"dare: {self.dare}" if self.dare is not None else "; ".join(map(str, self.effects))

    def __str__(self) -> str:
        return self.text


def parse_rule_card(text: str) -> RuleCard:
    """Returns the rule card of a text, upper or lower case, effects separated by ``;`` or ``.``.

    Args:
        text: effects as in LC-51, ``dare: ...``, or ``R1`` ... ``R8`` for a built-in card.

    Raises:
        NotationError: with the column and what was expected there.
    """
    built_in = BUILT_IN.get(text.strip().upper())
    if built_in is not None:
        return built_in
    dare = re.match(r"\s*dare\s*:", text, re.IGNORECASE)
    if dare is not None:
        words = text[dare.end() :].strip()
        start = text.index(words, dare.end())
        _check_dare(words, text, start)
        return RuleCard(dare=words)
    effects: list[Effect] = []
    for part in re.finditer(r"[^;.]+", text):
        found = [(word[0].lower(), part.start() + word.start()) for word in re.finditer(r"\S+", part[0])]
        if found:
            if len(effects) == MAX_EFFECTS:
                raise NotationError(f"a rule card has at most {MAX_EFFECTS} effects", text, found[0][1])
            effects.append(_parse_effect(found, text, part.end()))
    if not effects:
        raise NotationError(f"an empty rule card; expected {EFFECT_SYNTAX}, or dare: and a text", text)
    return RuleCard(tuple(effects))


def _parse_effect(words: list[tuple[str, int]], text: str, end: int) -> Effect:
    """Returns the effect of words with their columns; ``end`` is the column after the effect."""
    verb, used = _parse_verb(words, text)
    _, most, names = GRAMMAR[verb]
    rest = iter(words[used:])
    n, who = 0, ""
    if most:
        word, column = next(rest, ("", end))
        if not (word.isascii() and word.isdigit() and len(word) < 5 and 1 <= int(word) <= most):
            raise NotationError(f"{_wrong_word(word)}; expected a number from 1 to {most}", text, column)
        n = int(word)
    if names:
        who, column = next(rest, ("", end))
        if who not in WHO:
            raise NotationError(f"{_wrong_word(who)}; expected {', '.join(WHO[:-1])} or {WHO[-1]}", text, column)
    word, column = next(rest, ("", end))
    if word:
        raise NotationError(
            f"{_wrong_word(word)}; expected the end of the effect, or ; before the next one", text, column
        )
    return Effect(verb, n, who)


def _parse_verb(words: list[tuple[str, int]], text: str) -> tuple[str, int]:
    """Returns the longest verb that the words begin with, and its number of words."""
    first, column = words[0]
    second, second_column = words[1] if len(words) > 1 else ("", column + len(first))
    if first in ("draw", "discard") and second == "until":
        return f"{first}_until", 2
    if first == "everyone":
        if second not in ("draws", "draw"):
            raise NotationError(f"{_wrong_word(second)}; expected draws", text, second_column)
        return first, 2
    if first not in GRAMMAR or "_" in first:
        raise NotationError(f"{_wrong_word(first)}; expected {EFFECT_SYNTAX}, or dare: and a text", text, column)
    return first, 1


def _wrong_word(word: str) -> str:
    return f"{word!r} is not right here" if word else "something is missing here"


def _check_dare(dare: str, text: str, start: int) -> None:
    """Refuse a dare that is empty, too long, or has blanks around it or non-printable characters (LC-50)."""
    if not dare or dare != dare.strip():
        raise NotationError("a dare needs a text, without blanks around it", text, start)
    if len(dare) > MAX_DARE_CHARS:
        raise NotationError(
            f"a dare has at most {MAX_DARE_CHARS} characters, not {len(dare)}", text, start + MAX_DARE_CHARS
        )
    for i, char in enumerate(dare):
        # Control, format (such as bidi marks), lone surrogate, line and paragraph separator.
        if unicodedata.category(char) in ("Cc", "Cf", "Cs", "Zl", "Zp") and char not in _JOINERS:
            raise NotationError(
                f"a dare is one line of plain text; U+{ord(char):04X} cannot stand in it", text, start + i
            )


BUILT_IN: Final[dict[str, RuleCard]] = {
    "R1": RuleCard((Effect("discard_until", 2),)),
    "R2": RuleCard((Effect("streak"),)),
    "R3": RuleCard((Effect("draw_until", 7),)),
    "R4": RuleCard((Effect("wilds"),)),
    "R5": RuleCard((Effect("take", 2, "most"),)),
    "R6": RuleCard(dare="cluck like a chicken until it is your turn again"),
    "R7": RuleCard(dare="give a hug to the player who holds the most cards"),
    "R8": RuleCard(dare="high-five every player with your feet"),
}
"""The eight rule cards that are used if players write none (WJ-5)."""


def cards_per_player(players: int) -> int:
    """Returns the number of rule cards that each player writes; the rest is set aside (WJ-4)."""
    return RULE_CARD_COUNT // players
