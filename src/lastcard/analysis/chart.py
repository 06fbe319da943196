"""The chances of a round as a picture: one SVG without anything from elsewhere."""

from __future__ import annotations

from html import escape
from typing import Final

from lastcard.analysis.figures import Figure
from lastcard.analysis.findings import RoundReport
from lastcard.analysis.words import Words

# The picture is drawn for a narrow screen, so that its letters can be read there.
_WIDTH: Final = 360
_HEIGHT: Final = 216
_LEFT: Final = 36
_RIGHT: Final = 8
_TOP: Final = 8
_BOTTOM: Final = 24
_STEPS: Final = (1, 2, 5, 10, 20, 25, 50, 100, 200, 500)
_MOST_TICKS: Final = 8


def chart(one: RoundReport, words: Words, key: str) -> str:
    """A line for each player through the chance after every move, in the band of its interval.

    Args:
        one: the round.
        words: the language.
        key: no other chart of the page has it.
    """
    names = ", ".join(words.report.players)
    about = words.text("chart.about", moves=len(one.steps), players=names, end=words.round(one.number))
    lines = [_line(seat, [moment[seat] for moment in one.moments]) for seat in range(len(words.report.players))]
    title = words.text("chart.title", round=one.number + 1)
    return "\n".join(
        [
            f'<svg class="chart" viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" aria-labelledby="{key}-t {key}-d">',
            f'<title id="{key}-t">{escape(title)}</title><desc id="{key}-d">{escape(about)}</desc>',
            *_grid(len(one.steps)),
            *lines,
            *_marks(one),
            "</svg>",
        ]
    )


def _x(ply: float, end: int) -> str:
    return f"{_LEFT + (_WIDTH - _LEFT - _RIGHT) * ply / max(1, end):.1f}"


def _y(chance: float) -> str:
    return f"{_TOP + (_HEIGHT - _TOP - _BOTTOM) * (1 - min(1.0, max(0.0, chance))):.1f}"


def _grid(end: int) -> list[str]:
    """The lines of 0 to 100 %, and the numbers of some moves."""
    parts = []
    for percent in (0, 25, 50, 75, 100):
        y = _y(percent / 100)
        parts.append(f'<path class="grid" d="M{_LEFT} {y}H{_WIDTH - _RIGHT}"/>')
        parts.append(f'<text x="{_LEFT - 4}" y="{y}" dy="4" text-anchor="end">{percent}%</text>')
    step = next((step for step in _STEPS if end / step <= _MOST_TICKS), _STEPS[-1])
    for ply in range(0, end + 1, step):
        parts.append(f'<text x="{_x(ply, end)}" y="{_HEIGHT - 8}" text-anchor="middle">{ply}</text>')
    return parts


def _line(seat: int, chances: list[Figure]) -> str:
    """A player's line over the band of its interval."""
    end = len(chances) - 1
    middle = " ".join(f"{_x(i, end)},{_y(one.value)}" for i, one in enumerate(chances))
    above = [f"{_x(i, end)},{_y(one.value + one.error)}" for i, one in enumerate(chances)]
    below = [f"{_x(i, end)},{_y(one.value - one.error)}" for i, one in enumerate(chances)]
    band = " ".join([*above, *reversed(below)])
    return f'<g class="seat-{seat}"><polygon points="{band}"/><polyline points="{middle}"/></g>'


def _marks(one: RoundReport) -> list[str]:
    """A dot on a player's line for each mistake, a ring for each find."""
    parts, moments = [], one.moments
    for decision in one.decisions:
        if decision.kind is not None:
            chance = moments[decision.ply][decision.seat].value
            place = f'cx="{_x(decision.ply, len(one.steps))}" cy="{_y(chance)}"'
            parts.append(f'<circle class="seat-{decision.seat} {decision.kind}" {place} r="3.5"/>')
    return parts
