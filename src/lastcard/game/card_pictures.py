"""Cards as SVG, for notebooks: the pictures of the page, which ``tools.card_pictures`` writes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Final

from lastcard.game.cards import CARD_NAMES, UNKNOWN
from lastcard.game.options import ALL_WILD_GAME
from lastcard.game.svg import as_label, make_picture

PICTURES_FILE: Final = Path(__file__).with_suffix(".tsv")
"""Lines with the name of a card, a tab, and its inner SVG."""
BACK: Final = UNKNOWN
"""Name of the back of a card."""
ALL_WILD_PREFIX: Final = "all-wild "
"""Prefix of the names of cards that look different in All Wild."""
_CARD_WIDTH_UNITS: Final = 100
_CARD_HEIGHT_UNITS: Final = 150
_STEP: Final = 58
"""Distance of the left edges of two overlapping cards, in units of a picture."""
_LABEL_WIDTH_UNITS: Final = 330
_MARGIN: Final = 10
_SCALE: Final = 0.4
"""Pixels of a unit."""
_CLIP: Final = (
    f'<clipPath id="lastcard-clip"><rect width="{_CARD_WIDTH_UNITS}" height="{_CARD_HEIGHT_UNITS}" rx="10"/></clipPath>'
)

Row = tuple[str, Sequence[int | None]]
"""A label, and cards; None for one face down."""


@cache
def read_pictures() -> dict[str, str]:
    """Returns the inner SVG of every card by name, 100 wide and 150 high."""
    lines = PICTURES_FILE.read_text(encoding="utf-8").splitlines()
    return dict(line.split("\t") for line in lines)


def draw_rows(rows: Iterable[Row], game: str) -> str:
    """Returns an SVG picture of rows of cards, each after its label."""
    parts: list[str] = []
    names: set[str] = set()
    width = height = 0
    for label, cards in rows:
        top = height + _MARGIN
        parts.append(f'<text x="{_MARGIN}" y="{top + 85}">{as_label(label)}</text>')
        for i, card in enumerate(cards):
            name = _picture_name(card, game)
            names.add(name)
            parts.append(f'<use href="#{_id_of(name)}" x="{_LABEL_WIDTH_UNITS + i * _STEP}" y="{top}"/>')
        width = max(width, _LABEL_WIDTH_UNITS + max(len(cards) - 1, 0) * _STEP + _CARD_WIDTH_UNITS + _MARGIN)
        height = top + _CARD_HEIGHT_UNITS
    pictures = read_pictures()
    symbols = "".join(
        f'<g id="{_id_of(name)}" clip-path="url(#lastcard-clip)">{pictures[name]}</g>' for name in sorted(names)
    )
    height += _MARGIN
    content = f"<defs>{_CLIP}{symbols}</defs>{''.join(parts)}"
    return make_picture(width * _SCALE, height * _SCALE, content, f'viewBox="0 0 {width} {height}" font-size="34"')


def _id_of(name: str) -> str:
    """Returns the id of a card; pictures on one page share it, since it is the same card in all."""
    return "lastcard-" + "".join(char if char.isalnum() else f"-{ord(char)}" for char in name)


def _picture_name(card: int | None, game: str) -> str:
    if card is None:
        return BACK
    name = CARD_NAMES[card]
    wild = ALL_WILD_PREFIX + name
    return wild if game == ALL_WILD_GAME and wild in read_pictures() else name
