"""Cards as small integers, their names, and the three decks.

A card is ``color * 16 + face``: 4 colors and the wild "color" 4, at most 14 faces each. Identical
cards are the same integer (AW-2), so a hand is a multiset of integers. Names are those of
``docs/notation.md``: ``R5``, ``Ys``, ``G+2``, ``Bj``, ``W``, ``W+4``, ``W@2``, ``Wx``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import ClassVar, Final, Self, overload

from lastcard.errors import NotationError

RED: Final = 0
YELLOW: Final = 1
GREEN: Final = 2
BLUE: Final = 3
WILD: Final = 4
NO_COLOR: Final = -1

COLOR_LETTERS: Final = "RYGBW"
COLORS: Final = (RED, YELLOW, GREEN, BLUE)

# Faces of colored cards: 0-9 are the numbers.
SEVEN: Final = 7
SKIP: Final = 10
REVERSE: Final = 11
DRAW_TWO: Final = 12
JACKPOT: Final = 13
# Faces that exist on wilds only; wild skip, reverse, draw two and jackpot share the faces above.
PLAIN: Final = 0
DRAW_FOUR: Final = 1
SKIP_TWO: Final = 2
TARGETED: Final = 3
SWAP: Final = 4

FACE_BITS: Final = 4
FACES_PER_COLOR: Final = 1 << FACE_BITS
WILDS_FROM: Final = WILD * FACES_PER_COLOR
"""Cards from here on are wild."""
CARD_SLOTS: Final = 80
"""Every card is in ``range(CARD_SLOTS)``; not every number in it is a card."""

W: Final = WILDS_FROM + PLAIN
W_DRAW_FOUR: Final = WILDS_FROM + DRAW_FOUR
W_SKIP_TWO: Final = WILDS_FROM + SKIP_TWO
W_TARGETED: Final = WILDS_FROM + TARGETED
W_SWAP: Final = WILDS_FROM + SWAP
W_SKIP: Final = WILDS_FROM + SKIP
W_REVERSE: Final = WILDS_FROM + REVERSE
W_DRAW_TWO: Final = WILDS_FROM + DRAW_TWO
W_JACKPOT: Final = WILDS_FROM + JACKPOT

_COLORED_FACES = {**{n: str(n) for n in range(10)}, SKIP: "s", REVERSE: "r", DRAW_TWO: "+2", JACKPOT: "j"}
_WILD_FACES = {
    PLAIN: "",
    DRAW_FOUR: "+4",
    SKIP_TWO: "ss",
    TARGETED: "@2",
    SWAP: "x",
    SKIP: "s",
    REVERSE: "r",
    DRAW_TWO: "+2",
    JACKPOT: "j",
}

CARD_NAMES: Final[dict[int, str]] = {
    **{c * FACES_PER_COLOR + f: COLOR_LETTERS[c] + name for c in COLORS for f, name in _COLORED_FACES.items()},
    **{WILDS_FROM + f: "W" + name for f, name in _WILD_FACES.items()},
}
"""Every card there is, with its name, in the order of the integers."""

UNKNOWN: Final = "??"
"""Notation of a card that the reader may not know."""


class _Named(int):
    """A number that prints its name, and equals both. Its hash is the number's, so names find it in no set or dict."""

    __slots__ = ()
    NAMES: ClassVar[Mapping[int, str]]

    def __new__(cls, value: int | str) -> Self:
        number: object = value
        if isinstance(value, str):
            number = next((number for number, name in cls.NAMES.items() if name == value), None)
        if isinstance(number, bool) or not hasattr(number, "__index__") or number not in cls.NAMES:
            raise NotationError(f"{value!r} is no {cls.__name__.lower()}; those are {' '.join(cls.NAMES.values())}")
        return super().__new__(cls, number)

    def __repr__(self) -> str:
        return self.NAMES[int(self)]

    __str__ = __repr__

    def __eq__(self, other: object) -> bool:
        return self.NAMES[int(self)] == other if isinstance(other, str) else int.__eq__(self, other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = int.__hash__


class Color(_Named):
    """A color, by its letter or number. It prints its letter, equals both, and works as an integer.

    Every color is true, red (0) too; ``none`` (-1) is false.

    >>> Color("G"), Color(2) == "G", Color(-1)
    (G, True, none)

    Raises:
        NotationError: if there is no such color.
    """

    __slots__ = ()
    NAMES: ClassVar = {NO_COLOR: "none", **dict(enumerate(COLOR_LETTERS))}

    def __bool__(self) -> bool:
        return int(self) != NO_COLOR


COLORS_OR_NONE: Final = {number: Color(number) for number in Color.NAMES}


class Card(_Named):
    """A card, by its name or number. It prints its name, equals both, and works as an integer.

    Every card is true, red 0 too, which is the integer 0.

    >>> Card("R5"), Card("R5") == "R5", Card("R5") == 5
    (R5, True, True)
    >>> Card("R5").color, Card("R5").number, Card("Rs").points, Card("W+4").is_wild
    (R, 5, 20, True)

    Raises:
        NotationError: if there is no such card.
    """

    __slots__ = ()
    NAMES = CARD_NAMES

    def __bool__(self) -> bool:
        return True

    @property
    def color(self) -> Color:
        """The color: R, Y, G or B, and W for a wild."""
        return COLORS_OR_NONE[card_color(self)]

    @property
    def number(self) -> int | None:
        """The number, 0 to 9; None for every other card."""
        return card_face(self) if is_number(self) else None

    @property
    def is_wild(self) -> bool:
        """Whether it has no color of its own."""
        return is_wild(self)

    @property
    def is_action(self) -> bool:
        """Whether it has an effect: every card but the numbers and the plain Wild (LC-15)."""
        return self != W and not is_number(self)

    @property
    def points(self) -> int:
        """The points if it is left in a hand of classic UNO or Wild Jackpot: 0 to 50 (CL-50, WJ-60).

        In All Wild only a plain Wild differs: 20 in place of 50 (AW-51). ``Ruleset.card_points`` knows the game.
        """
        return card_points(self)


CARDS: Final = {number: Card(number) for number in CARD_NAMES}
_find_card: Final = CARDS.__getitem__
_CARDS_BY_NAME: Final = {name.lower(): CARDS[card] for card, name in CARD_NAMES.items()}


def card_color(card: int) -> int:
    """Returns the color of a card: RED, YELLOW, GREEN, BLUE or WILD."""
    return card >> FACE_BITS


def card_face(card: int) -> int:
    """Returns the face of a card, 0-13."""
    return card & (FACES_PER_COLOR - 1)


def is_wild(card: int) -> bool:
    """Whether a card has no color of its own."""
    return card >= WILDS_FROM


def is_number(card: int) -> bool:
    """Whether a card is colored and shows a number."""
    return card & (WILDS_FROM | FACES_PER_COLOR - 1) < SKIP


def card_name(card: int) -> str:
    """Returns the name of a card, such as ``R5`` or ``W+4``."""
    return CARD_NAMES[card]


def parse_card(text: str) -> Card:
    """Returns the card of a name, upper or lower case; raises a NotationError if no card has that name."""
    card = _CARDS_BY_NAME.get(text.strip().lower())
    if card is None:
        raise NotationError(
            f"{text.strip()!r} is not a card; a card is a color R Y G B or W and a face, like R5, Ys, W+4", text
        )
    return card


def color_letter(color: int) -> str:
    """Returns the letter of a color: R, Y, G, B or W."""
    return COLOR_LETTERS[color]


def parse_color(text: str) -> Color:
    """Returns the color (not wild) of a letter; raises a NotationError if it is not one of R, Y, G, B."""
    color = COLOR_LETTERS.find(text.strip().upper()) if len(text.strip()) == 1 else -1
    if color not in COLORS:
        raise NotationError(f"{text.strip()!r} is not a color; expected one of R Y G B", text)
    return COLORS_OR_NONE[color]


MAX_TIMES: Final = 128
"""The largest number after ``*``."""


@overload
def parse_cards(text: str) -> list[Card]: ...


@overload
def parse_cards(text: str, unknown: int) -> list[int]: ...


def parse_cards(text: str, unknown: int | None = None) -> Sequence[int]:
    """Returns cards separated by blanks, in order; ``W*3`` stands for three of them.

    >>> parse_cards("R5 W*2")
    [R5, W, W]

    Args:
        text: names of cards, as in ``docs/notation.md``.
        unknown: number that stands for ``??``; None if unknown cards are not allowed.

    Raises:
        NotationError: at the first word that is not a card; names its column.
    """
    cards: list[int] = []
    column = 0
    for word in text.split():
        column = text.index(word, column)
        name, star, times = word.partition("*")
        if star and not (times.isascii() and times.isdigit() and 1 <= int(times[:9]) <= MAX_TIMES):
            raise NotationError(f"after * a number from 1 to {MAX_TIMES} was expected, not {times!r}", text, column)
        try:
            card = parse_card(name) if unknown is None or name != UNKNOWN else unknown
        except NotationError:
            raise NotationError(f"{name!r} is not a card", text, column) from None
        cards += [card] * (int(times) if star else 1)
        column += len(word)
    return cards


class Cards(tuple[Card, ...]):
    """Cards in order, from their numbers or a text. It prints their names and equals a tuple of the same numbers.

    >>> Cards("R5 W*2"), Cards("R5 W")[0] == "R5", Cards("R5 W") == (5, 64)
    (Cards('R5 W W'), True, True)

    Raises:
        NotationError: if one is no card.
    """

    __slots__ = ()

    def __new__(cls, cards: Iterable[int] | str = ()) -> Self:
        try:
            return super().__new__(cls, parse_cards(cards) if isinstance(cards, str) else map(_find_card, cards))
        except KeyError as error:
            raise NotationError(f"{error.args[0]!r} is not the number of a card") from None

    def __repr__(self) -> str:
        return f"Cards({str(self)!r})"

    def __str__(self) -> str:
        return cards_text(self)


def cards_text(cards: Iterable[int]) -> str:
    """Returns cards as text in the given order, repeats written out: ``"R5 W W"``."""
    return " ".join(CARD_NAMES[c] for c in cards)


def hand_text(cards: Iterable[int]) -> str:
    """Returns a hand as canonical text: sorted, three or more of a kind as ``W*3``."""
    counts: dict[int, int] = {}
    for card in cards:
        counts[card] = counts.get(card, 0) + 1
    words: list[str] = []
    for card in sorted(counts):
        name, n = CARD_NAMES[card], counts[card]
        words += [f"{name}*{n}"] if n > 2 else [name] * n
    return " ".join(words)


# --- decks and points ---------------------------------------------------------------------------

ALL_WILD_COUNTS: Final = {
    W: 54,
    W_REVERSE: 14,
    W_SKIP: 14,
    W_SKIP_TWO: 6,
    W_DRAW_TWO: 10,
    W_DRAW_FOUR: 6,
    W_TARGETED: 4,
    W_SWAP: 4,
}
"""AW-1: 112 cards."""
ALL_WILD_ONLY_CARDS: Final = frozenset(ALL_WILD_COUNTS) - {W, W_DRAW_FOUR}
"""Cards that no other game can have: they name no color, and only All Wild asks for their targets."""

NUMBER_COPIES: Final[dict[str, tuple[int, ...]]] = {
    "0-9_1-5": (1, 2, 2, 2, 2, 2, 1, 1, 1, 1),
    "0-9_5-9": (1, 1, 1, 1, 1, 2, 2, 2, 2, 2),
    "0_1-7": (1, 2, 2, 2, 2, 2, 2, 2, 0, 0),
}
"""Copies of each number 0-9 in a color of Wild Jackpot (WJ-2, LC-24)."""


def number_copies(second: Sequence[int]) -> tuple[int, ...]:
    """Returns the copies of 0-9: each number once, and those in ``second`` twice (LC-24)."""
    return tuple(2 if n in second else 1 for n in range(10))


def all_wild_deck() -> list[int]:
    """Returns the 112 cards of All Wild, sorted (AW-1)."""
    return [card for card, n in sorted(ALL_WILD_COUNTS.items()) for _ in range(n)]


def classic_deck() -> list[int]:
    """Returns the 108 cards of classic UNO, sorted (CL-1)."""
    copies = [1] + [2] * 12
    colored = [c * FACES_PER_COLOR + f for c in COLORS for f, n in enumerate(copies) for _ in range(n)]
    return colored + [W] * 4 + [W_DRAW_FOUR] * 4


def wild_jackpot_deck(copies: Sequence[int] = NUMBER_COPIES["0-9_1-5"]) -> list[int]:
    """Returns the 108 playing cards of Wild Jackpot, sorted (WJ-1, WJ-2).

    The copies of each number 0-9 in a color sum to 15.
    """
    per_face = [*copies, 2, 2, 2, 4]
    colored = [c * FACES_PER_COLOR + f for c in COLORS for f, n in enumerate(per_face) for _ in range(n)]
    return colored + [W] * 2 + [W_DRAW_FOUR] * 4 + [W_JACKPOT] * 2


def card_points(card: int, all_wild: bool = False) -> int:
    """Returns the points of a card left in hand (AW-51, CL-50, WJ-60)."""
    face = card_face(card)
    if all_wild:
        return 20 if card == W else 50
    if is_wild(card):
        return 50
    if face == JACKPOT:
        return 40
    return face if face < SKIP else 20
