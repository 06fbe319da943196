"""A table as text and as a picture, all hands open: for whoever trains, not for a seat."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from lastcard.errors import UsageError
from lastcard.game.cards import CARD_NAMES, COLORS, REVERSE, SKIP, card_color, card_face, is_wild
from lastcard.match.view import Face

_COLOR_WORDS: Final = ("red", "yellow", "green", "blue")

# In pixels.
_WIDTH: Final = 960
_MARGIN: Final = 16
_HEAD: Final = 176
_ROW: Final = 72
_NAMES: Final = 190
_WORDS: Final = 276
_SMALL: Final = (40, 60)
_LARGE: Final = (80, 120)

_FELT: Final = (24, 66, 53)
_ROW_ASKED: Final = (46, 104, 84)
_INK: Final = (240, 240, 235)
_FAINT: Final = (170, 195, 180)
_BLACK: Final = (38, 38, 44)
_PAINT: Final = ((209, 52, 48), (226, 176, 20), (44, 143, 74), (36, 104, 184), _BLACK)
"""How the four colors and wilds are painted."""
_FINE: Final = 4
"""Cards are drawn so many times too large and then made small, for smooth edges."""


@dataclass(frozen=True, slots=True)
class Scene:
    """What is shown of a table.

    Args:
        title: the ruleset by name.
        face: what lies open.
        hands: the cards of each seat.
        asked: the seat that is asked; None once the episode is over.
        scores: of the episode, by seat.
        last: the last act, in words; empty before the first.
    """

    title: str
    face: Face
    hands: Sequence[Sequence[int]]
    asked: int | None
    scores: Sequence[int]
    last: str


def write_scene(scene: Scene) -> str:
    """A table as lines of text."""
    lines = [scene.title, ", ".join(_list_facts(scene))]
    for seat, hand in enumerate(scene.hands):
        arrow = ">" if seat == scene.asked else " "
        notes = f"  ({', '.join(notes)})" if (notes := _list_notes(scene, seat)) else ""
        cards = " ".join(CARD_NAMES[card] for card in hand)
        lines.append(f"{arrow} seat_{seat}  {len(hand):2}  {cards}{notes}")
    return "\n".join([*lines, scene.last]) + "\n"


def _list_facts(scene: Scene) -> list[str]:
    """What there is to say of a table as a whole."""
    face = scene.face
    facts = [f"round {face.number + 1}", "clockwise" if face.direction > 0 else "counter-clockwise"]
    facts.append(f"top {CARD_NAMES[face.top]}")
    if face.color >= 0:
        facts.append(_COLOR_WORDS[face.color])
    facts.append(f"draw pile {face.draw_count}")
    if face.pending:
        facts.append(f"{face.pending} to draw")
    return [*facts, "over" if scene.asked is None else f"decision {face.decision}"]


def _list_notes(scene: Scene, seat: int) -> list[str]:
    """What there is to say of a seat."""
    face = scene.face
    notes = [word for word, seats in (("exposed", face.exposed), ("called", face.called)) if seat in seats]
    notes += ["performs"] if seat == face.performer else []
    notes += ["won"] if seat == face.winner else []
    return notes + ([f"{scene.scores[seat]} points"] if any(scene.scores) else [])


# --- pictures -----------------------------------------------------------------------------------


def import_pillow() -> Any:
    """Pillow.

    Raises:
        UsageError: where it is missing.
    """
    try:
        import PIL.Image
        import PIL.ImageDraw
        import PIL.ImageFont
    except ImportError:
        raise UsageError("pictures need Pillow: install lastcard[envs]") from None
    return PIL


def draw_scene(scene: Scene) -> Any:
    """A table as an RGB image of Pillow; its size depends on the number of seats alone.

    Raises:
        UsageError: where Pillow is missing.
    """
    pillow = import_pillow()
    image = pillow.Image.new("RGB", (_WIDTH, _HEAD + _ROW * len(scene.hands) + _MARGIN), _FELT)
    brush = pillow.ImageDraw.Draw(image)
    _draw_head(image, brush, scene)
    for seat in range(len(scene.hands)):
        _draw_seat(image, brush, scene, seat)
    return image


def _draw_head(image: Any, brush: Any, scene: Scene) -> None:
    """The piles, and what there is to say of the table."""
    face, (width, height) = scene.face, _LARGE
    _paste(image, None, _LARGE, (_MARGIN, _MARGIN))
    brush.text((_MARGIN + width // 2, _MARGIN + height + 4), str(face.draw_count), _INK, _font(18), anchor="ma")
    _paste(image, face.top, _LARGE, (_MARGIN + width + 20, _MARGIN))
    if face.color >= 0:
        brush.circle((_WORDS - 42, _MARGIN + height // 2), 18, _PAINT[face.color], _INK, 2)
    brush.text((_WORDS, _MARGIN), _clip(brush, scene.title, _font(22)), _INK, _font(22))
    facts = _list_facts(scene)
    for line, part in enumerate((facts[:4], facts[4:])):
        brush.text((_WORDS, _MARGIN + 40 + 28 * line), ", ".join(part), _FAINT, _font(18))
    brush.text((_WORDS, _MARGIN + 100), scene.last, _INK, _font(18))


def _clip(brush: Any, text: str, font: Any) -> str:
    """As much of a text as fits beside the piles."""
    while brush.textlength(text, font) > _WIDTH - _WORDS - _MARGIN:
        text = text[:-2] + "…"
    return text


def _draw_seat(image: Any, brush: Any, scene: Scene, seat: int) -> None:
    """A seat with its cards; they overlap where they are many."""
    hand, top = scene.hands[seat], _HEAD + _ROW * seat
    if seat == scene.asked:
        brush.rectangle((0, top, _WIDTH, top + _ROW - 1), _ROW_ASKED)
    brush.text((_MARGIN, top + 12), f"seat_{seat}   {len(hand)}", _INK, _font(20))
    brush.text((_MARGIN, top + 40), ", ".join(_list_notes(scene, seat)), _FAINT, _font(15))
    room = _WIDTH - _NAMES - _MARGIN - _SMALL[0]
    apart = min(_SMALL[0] + 6, room / max(1, len(hand) - 1))
    for place, card in enumerate(hand):
        _paste(image, card, _SMALL, (_NAMES + int(place * apart), top + (_ROW - _SMALL[1]) // 2))


def _paste(image: Any, card: int | None, size: tuple[int, int], at: tuple[int, int]) -> None:
    picture = _draw_card(card, size)
    image.paste(picture, at, picture)


@cache
def _font(size: int) -> Any:
    return import_pillow().ImageFont.load_default(size)


@cache
def _draw_card(card: int | None, size: tuple[int, int]) -> Any:
    """A card, or the back of one: a rounded rectangle in its color with its face; an RGBA image of Pillow."""
    pillow = import_pillow()
    width, height = size[0] * _FINE, size[1] * _FINE
    image = pillow.Image.new("RGBA", (width, height))
    brush = pillow.ImageDraw.Draw(image)
    paint = _BLACK if card is None else _PAINT[card_color(card)]
    brush.rounded_rectangle((0, 0, width - 1, height - 1), width // 7, paint, _INK, width // 20)
    if card is not None:
        if is_wild(card):
            _draw_quarters(brush, width, height)
        _draw_face(brush, card, width, height)
    return image.resize(size, pillow.Image.Resampling.LANCZOS)


def _draw_quarters(brush: Any, width: int, height: int) -> None:
    """The four colors of a wild, around its middle."""
    reach = width * 2 // 5
    box = (width // 2 - reach, height // 2 - reach, width // 2 + reach, height // 2 + reach)
    for color in COLORS:
        brush.pieslice(box, 90 * color - 180, 90 * color - 90, _PAINT[color])


def _draw_face(brush: Any, card: int, width: int, height: int) -> None:
    """The face of a card: a sign for skips and reverses, else what stands behind the color in its name."""
    middle, line, face = (width // 2, height // 2), width // 12, card_face(card)
    if face == SKIP:
        brush.circle(middle, width // 4, None, _INK, line)
        slant = width // 6
        ends = (middle[0] - slant, middle[1] + slant, middle[0] + slant, middle[1] - slant)
        brush.line(ends, _INK, line)
    elif face == REVERSE:
        for way in (1, -1):
            x, tip = middle[0] + way * width // 7, middle[1] - way * height // 5
            brush.line((x, tip, x, middle[1] + way * height // 5), _INK, line)
            brush.polygon(((x - 2 * line, tip), (x + 2 * line, tip), (x, tip - way * 2 * line)), _INK)
    else:
        text = CARD_NAMES[card][1:].upper()
        brush.text(middle, text, _INK, _font(width // 2), "mm", stroke_width=line // 3, stroke_fill=_BLACK)
