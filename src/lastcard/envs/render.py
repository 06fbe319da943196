"""A table as text and as a picture, with all hands open, for training."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from lastcard.errors import UsageError
from lastcard.game.cards import CARD_NAMES, COLORS, REVERSE, SKIP, card_color, card_face, is_wild
from lastcard.match.view import PublicState

_COLOR_WORDS: Final = ("red", "yellow", "green", "blue")

# In pixels.
_WIDTH_PX: Final = 960
_MARGIN_PX: Final = 16
_HEAD_PX: Final = 176
_SEAT_ROW_PX: Final = 72
_NAMES_PX: Final = 190
_WORDS_PX: Final = 276
_SMALL_CARD_PX: Final = (40, 60)
_LARGE_CARD_PX: Final = (80, 120)

BACKGROUND: Final = (24, 66, 53)
_CURRENT_SEAT: Final = (46, 104, 84)
TEXT: Final = (240, 240, 235)
FAINT_TEXT: Final = (170, 195, 180)
_BLACK: Final = (38, 38, 44)
CARD_COLORS: Final = ((209, 52, 48), (226, 176, 20), (44, 143, 74), (36, 104, 184), _BLACK)
"""The paint of the four colors and of wilds."""
_SUPERSAMPLING: Final = 4
"""Cards are drawn larger by this factor and then scaled down, for smooth edges."""


@dataclass(frozen=True, slots=True)
class RenderState:
    """The displayed state of a table."""

    title: str
    """Name of the ruleset."""
    public_state: PublicState
    hands: Sequence[Sequence[int]]
    current_player: int | None
    """Seat that is asked; None once the episode is over."""
    scores: Sequence[int]
    last_move: str
    """The last move, in words; empty before the first."""


def render_text(state: RenderState) -> str:
    """A table as lines of text."""
    lines = [state.title, ", ".join(_list_facts(state))]
    for seat, hand in enumerate(state.hands):
        arrow = ">" if seat == state.current_player else " "
        notes = f"  ({', '.join(notes)})" if (notes := _list_notes(state, seat)) else ""
        cards = " ".join(CARD_NAMES[card] for card in hand)
        lines.append(f"{arrow} seat_{seat}  {len(hand):2}  {cards}{notes}")
    return "\n".join([*lines, state.last_move]) + "\n"


def _list_facts(state: RenderState) -> list[str]:
    """The facts of a table as a whole."""
    public = state.public_state
    facts = [f"round {public.number + 1}", "clockwise" if public.direction > 0 else "counter-clockwise"]
    facts.append(f"top {CARD_NAMES[public.top]}")
    if public.color >= 0:
        facts.append(_COLOR_WORDS[public.color])
    facts.append(f"draw pile {public.draw_count}")
    if public.pending:
        facts.append(f"{public.pending} to draw")
    return [*facts, "over" if state.current_player is None else f"decision {public.decision}"]


def _list_notes(state: RenderState, seat: int) -> list[str]:
    """The facts of a seat."""
    public = state.public_state
    notes = [word for word, seats in (("exposed", public.exposed), ("called", public.called)) if seat in seats]
    notes += ["performs"] if seat == public.performer else []
    notes += ["won"] if seat == public.winner else []
    return notes + ([f"{state.scores[seat]} points"] if any(state.scores) else [])


# --- pictures -----------------------------------------------------------------------------------


def import_pillow() -> Any:
    """Pillow; raises a UsageError if it is missing."""
    try:
        import PIL.Image
        import PIL.ImageDraw
        import PIL.ImageFont
    except ImportError:
        raise UsageError("pictures need Pillow: install lastcard[envs]") from None
    return PIL


def render_image(state: RenderState) -> Any:
    """A table as an RGB image of Pillow; its size depends only on the number of seats. A UsageError without Pillow."""
    pillow = import_pillow()
    image = pillow.Image.new("RGB", (_WIDTH_PX, _HEAD_PX + _SEAT_ROW_PX * len(state.hands) + _MARGIN_PX), BACKGROUND)
    brush = pillow.ImageDraw.Draw(image)
    _draw_head(image, brush, state)
    for seat in range(len(state.hands)):
        _draw_seat(image, brush, state, seat)
    return image


def _draw_head(image: Any, brush: Any, state: RenderState) -> None:
    """Draw the piles, the current color, and the state of the round in words."""
    public, (width, height) = state.public_state, _LARGE_CARD_PX
    _paste(image, None, _LARGE_CARD_PX, (_MARGIN_PX, _MARGIN_PX))
    brush.text(
        (_MARGIN_PX + width // 2, _MARGIN_PX + height + 4), str(public.draw_count), TEXT, load_font(18), anchor="ma"
    )
    _paste(image, public.top, _LARGE_CARD_PX, (_MARGIN_PX + width + 20, _MARGIN_PX))
    if public.color >= 0:
        brush.circle((_WORDS_PX - 42, _MARGIN_PX + height // 2), 18, CARD_COLORS[public.color], TEXT, 2)
    brush.text((_WORDS_PX, _MARGIN_PX), _clip(brush, state.title, load_font(22)), TEXT, load_font(22))
    facts = _list_facts(state)
    for line, part in enumerate((facts[:4], facts[4:])):
        brush.text((_WORDS_PX, _MARGIN_PX + 40 + 28 * line), ", ".join(part), FAINT_TEXT, load_font(18))
    brush.text((_WORDS_PX, _MARGIN_PX + 100), state.last_move, TEXT, load_font(18))


def _clip(brush: Any, text: str, font: Any) -> str:
    """A text, cut to the space beside the piles."""
    while brush.textlength(text, font) > _WIDTH_PX - _WORDS_PX - _MARGIN_PX:
        text = text[:-2] + "…"
    return text


def _draw_seat(image: Any, brush: Any, state: RenderState, seat: int) -> None:
    """Draw a seat with its cards, which overlap if they are many."""
    hand, top = state.hands[seat], _HEAD_PX + _SEAT_ROW_PX * seat
    if seat == state.current_player:
        brush.rectangle((0, top, _WIDTH_PX, top + _SEAT_ROW_PX - 1), _CURRENT_SEAT)
    brush.text((_MARGIN_PX, top + 12), f"seat_{seat}   {len(hand)}", TEXT, load_font(20))
    brush.text((_MARGIN_PX, top + 40), ", ".join(_list_notes(state, seat)), FAINT_TEXT, load_font(15))
    available_px = _WIDTH_PX - _NAMES_PX - _MARGIN_PX - _SMALL_CARD_PX[0]
    step_px = min(_SMALL_CARD_PX[0] + 6, available_px / max(1, len(hand) - 1))
    for place, card in enumerate(hand):
        _paste(
            image,
            card,
            _SMALL_CARD_PX,
            (_NAMES_PX + int(place * step_px), top + (_SEAT_ROW_PX - _SMALL_CARD_PX[1]) // 2),
        )


def _paste(image: Any, card: int | None, size: tuple[int, int], at: tuple[int, int]) -> None:
    picture = draw_card(card, size)
    image.paste(picture, at, picture)


@cache
def load_font(size: int) -> Any:
    """The font of Pillow in a size in pixels."""
    return import_pillow().ImageFont.load_default(size)


@cache
def draw_card(card: int | None, size: tuple[int, int]) -> Any:
    """A card, or the back of one: a rounded rectangle in its color with its face; an RGBA image of Pillow."""
    pillow = import_pillow()
    width, height = size[0] * _SUPERSAMPLING, size[1] * _SUPERSAMPLING
    image = pillow.Image.new("RGBA", (width, height))
    brush = pillow.ImageDraw.Draw(image)
    paint = _BLACK if card is None else CARD_COLORS[card_color(card)]
    brush.rounded_rectangle((0, 0, width - 1, height - 1), width // 7, paint, TEXT, width // 20)
    if card is not None:
        if is_wild(card):
            _draw_quarters(brush, width, height)
        _draw_face(brush, card, width, height)
    return image.resize(size, pillow.Image.Resampling.LANCZOS)


def _draw_quarters(brush: Any, width: int, height: int) -> None:
    """Draw the four colors of a wild around its center."""
    reach = width * 2 // 5
    box = (width // 2 - reach, height // 2 - reach, width // 2 + reach, height // 2 + reach)
    for color in COLORS:
        brush.pieslice(box, 90 * color - 180, 90 * color - 90, CARD_COLORS[color])


def _draw_face(brush: Any, card: int, width: int, height: int) -> None:
    """Draw the face of a card: a sign for skips and reverses, else its name without the color."""
    middle, line, face = (width // 2, height // 2), width // 12, card_face(card)
    if face == SKIP:
        brush.circle(middle, width // 4, None, TEXT, line)
        slant = width // 6
        ends = (middle[0] - slant, middle[1] + slant, middle[0] + slant, middle[1] - slant)
        brush.line(ends, TEXT, line)
    elif face == REVERSE:
        for way in (1, -1):
            x, tip = middle[0] + way * width // 7, middle[1] - way * height // 5
            brush.line((x, tip, x, middle[1] + way * height // 5), TEXT, line)
            brush.polygon(((x - 2 * line, tip), (x + 2 * line, tip), (x, tip - way * 2 * line)), TEXT)
    else:
        text = CARD_NAMES[card][1:].upper()
        brush.text(middle, text, TEXT, load_font(width // 2), "mm", stroke_width=line // 3, stroke_fill=_BLACK)
