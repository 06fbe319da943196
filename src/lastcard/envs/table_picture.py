"""A table as a picture for the preview of a link: the piles, and how many cards each seat has; no hand."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import Final, NamedTuple
from unicodedata import combining, normalize

from lastcard.envs.render import BACKGROUND, CARD_COLORS, FAINT_TEXT, TEXT, draw_card, import_pillow, load_font

SIZE_PX: Final = (1200, 630)
"""The size that chat programs show whole."""
_MARGIN_PX: Final = 60
_PILE_PX: Final = (200, 300)
_LINE_PX: Final = 48
_NAME_CHARS: Final = 16
_UNDIVIDED: Final = str.maketrans("łŁøØđĐ", "lLoOdD") | str.maketrans({"ß": "ss", "æ": "ae", "Æ": "Ae"})
"""Letters that are no letter with an accent."""


class SeatPicture(NamedTuple):
    """A seat: its name, how many cards it has (None before a match), and whether it is its turn."""

    name: str
    cards: int | None
    has_turn: bool


class TablePicture(NamedTuple):
    """What the picture shows; ``top`` and ``color`` are those of the discard pile: None and -1 for none."""

    title: str
    seats: Sequence[SeatPicture]
    top: int | None
    color: int


def draw_table(table: TablePicture) -> bytes:
    """Return the picture as PNG.

    Raises:
        UsageError: if Pillow is missing.
    """
    pillow = import_pillow()
    image = pillow.Image.new("RGB", SIZE_PX, BACKGROUND)
    brush = pillow.ImageDraw.Draw(image)
    brush.text((_MARGIN_PX, _MARGIN_PX), _clip(table.title), TEXT, load_font(64))
    left, top = _MARGIN_PX, 190
    for place, card in enumerate((None, table.top)):
        if place == 0 or card is not None:
            picture = draw_card(card, _PILE_PX)
            image.paste(picture, (left + place * (_PILE_PX[0] + 40), top), picture)
    if table.color >= 0:
        brush.circle((left + 3 * _PILE_PX[0] // 2 + 40, top + _PILE_PX[1] + 50), 26, CARD_COLORS[table.color], TEXT, 3)
    x = SIZE_PX[0] // 2 + _MARGIN_PX
    step = min(110, (SIZE_PX[1] - 2 * _MARGIN_PX) // max(1, len(table.seats)))
    size = min(_LINE_PX, step - 8)
    for line, seat in enumerate(table.seats):
        y = _MARGIN_PX + line * step + step // 2
        if seat.has_turn:
            brush.rounded_rectangle((x - 30, y - step // 2, SIZE_PX[0] - 30, y + step // 2 - 6), 16, None, TEXT, 4)
        brush.text((x, y), _clip(seat.name), TEXT, load_font(size), anchor="lm")
        if seat.cards is not None:
            brush.text((SIZE_PX[0] - _MARGIN_PX, y), str(seat.cards), FAINT_TEXT, load_font(size), anchor="rm")
    packed = io.BytesIO()
    image.quantize(method=pillow.Image.Quantize.FASTOCTREE).save(packed, "PNG")
    return packed.getvalue()


def _clip(name: str) -> str:
    """Return a name as the font can write it: without accents, and dots for letters of other scripts."""
    plain = normalize("NFKD", name.translate(_UNDIVIDED))
    text = "".join(letter if letter.isascii() else "·" for letter in plain if not combining(letter))
    return text if len(text) <= _NAME_CHARS else f"{text[: _NAME_CHARS - 1]}…"
