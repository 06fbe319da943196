"""The chances of every player after each move as a chart."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import Final

from lastcard.bots.statistics import Estimate
from lastcard.game.rulesets import MAX_PLAYERS
from lastcard.game.svg import as_text, make_picture

WIDTH_PX: Final = 360
HEIGHT_PX: Final = 216
_LEFT_PX: Final = 36
_RIGHT_PX: Final = 8
_TOP_PX: Final = 8
_BOTTOM_PX: Final = 24
_TICK_STEPS: Final = (1, 2, 5, 10, 20, 25, 50, 100, 200, 500)
_MAX_TICKS: Final = 8

Moments = Sequence[tuple[Estimate, ...]]
"""The chances of all seats before the first move and after each."""
Mark = tuple[int, int, str]
"""A ply, its seat, and ``mistake`` or ``find``."""

_STYLES: Final = {
    "text": "font: 10px sans-serif; fill: #5f5466",
    "path": "stroke: #d9cdb9",
    "polyline": "fill: none; stroke: var(--c)",
    "polygon": "fill: var(--c); opacity: 0.15",
    "circle": "fill: var(--c); stroke: var(--c)",
    "circle.find": "fill: #fff",
}


@cache
def _read_colors() -> list[str]:
    """Returns the colors of seats on a light ground, from the style sheet of reports."""
    sheet = files("lastcard.analysis").joinpath("html_report.css").read_text(encoding="utf-8")
    return re.findall(r"--s\d: (#\w+);", sheet)[:MAX_PLAYERS]


def draw_chances(moments: Moments, marks: Sequence[Mark]) -> list[str]:
    """Returns the parts of a chart: a line for each player, with its interval as a band, and marks on it."""
    lines = [_line(seat, [moment[seat] for moment in moments]) for seat in range(len(moments[0]))]
    return [*_grid(len(moments) - 1), *lines, *(_mark(*mark, moments) for mark in marks)]


def draw_rounds(rounds: Sequence[tuple[Moments, Sequence[Mark]]], players: Sequence[str]) -> str:
    """Returns the charts of rounds below each other as one picture for a light background, with the players' names."""
    styles = _STYLES | {f".seat-{seat}": f"--c: {color}" for seat, color in enumerate(_read_colors())}
    style = "".join(f".lastcard-chances {part} {{ {rule} }} " for part, rule in styles.items())
    names = "".join(
        f'<tspan class="seat-{seat}" style="fill: var(--c)" dx="8">{as_text(name)}</tspan>'
        for seat, name in enumerate(players)
    )
    charts = "".join(
        f'<svg y="{20 + i * HEIGHT_PX}" width="{WIDTH_PX}" height="{HEIGHT_PX}">{"".join(draw_chances(*one))}</svg>'
        for i, one in enumerate(rounds)
    )
    height = 20 + len(rounds) * HEIGHT_PX
    content = f'<style>{style}</style><text x="{_LEFT_PX}" y="14">{names}</text>{charts}'
    return make_picture(WIDTH_PX, height, content, 'class="lastcard-chances"')


def _x(ply: float, end: int) -> str:
    return f"{_LEFT_PX + (WIDTH_PX - _LEFT_PX - _RIGHT_PX) * ply / max(1, end):.1f}"


def _y(chance: float) -> str:
    return f"{_TOP_PX + (HEIGHT_PX - _TOP_PX - _BOTTOM_PX) * (1 - min(1.0, max(0.0, chance))):.1f}"


def _grid(end: int) -> list[str]:
    """The lines of 0 to 100 %, and the numbers of some moves."""
    parts = []
    for percent in (0, 25, 50, 75, 100):
        y = _y(percent / 100)
        parts.append(f'<path class="grid" d="M{_LEFT_PX} {y}H{WIDTH_PX - _RIGHT_PX}"/>')
        parts.append(f'<text x="{_LEFT_PX - 4}" y="{y}" dy="4" text-anchor="end">{percent}%</text>')
    step = next((step for step in _TICK_STEPS if end / step <= _MAX_TICKS), _TICK_STEPS[-1])
    for ply in range(0, end + 1, step):
        parts.append(f'<text x="{_x(ply, end)}" y="{HEIGHT_PX - 8}" text-anchor="middle">{ply}</text>')
    return parts


def _line(seat: int, chances: list[Estimate]) -> str:
    """A player's line with its interval as a band."""
    end = len(chances) - 1
    middle = " ".join(f"{_x(i, end)},{_y(one.value)}" for i, one in enumerate(chances))
    above = [f"{_x(i, end)},{_y(one.value + one.margin)}" for i, one in enumerate(chances)]
    below = [f"{_x(i, end)},{_y(one.value - one.margin)}" for i, one in enumerate(chances)]
    band = " ".join([*above, *reversed(below)])
    return f'<g class="seat-{seat}"><polygon points="{band}"/><polyline points="{middle}"/></g>'


def _mark(ply: int, seat: int, kind: str, moments: Moments) -> str:
    """A dot on a player's line for a mistake, a ring for a find."""
    place = f'cx="{_x(ply, len(moments) - 1)}" cy="{_y(moments[ply][seat].value)}"'
    return f'<circle class="seat-{seat} {kind}" {place} r="3.5"/>'
