"""Shares of rounds won as a picture of bars with their intervals, for notebooks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from lastcard.bots.statistics import Estimate
from lastcard.game.svg import as_label, make_picture

_LABEL_PX: Final = 130
_BAR_PX: Final = 300
_ROW_PX: Final = 24
_MARGIN_PX: Final = 8


def draw_shares(shares: Mapping[str, Estimate]) -> str:
    """Returns an SVG picture: for each name a bar as long as its share, 0 to 1, and a line for the 95 % interval."""
    rows = "".join(_row(y, name, share) for y, (name, share) in enumerate(shares.items()))
    width, height = _LABEL_PX + _BAR_PX + 7 * _MARGIN_PX, len(shares) * _ROW_PX + 2 * _MARGIN_PX
    return make_picture(width, height, rows)


def _row(number: int, name: str, share: Estimate) -> str:
    top = _MARGIN_PX + number * _ROW_PX
    middle = top + _ROW_PX // 2
    low, high = (max(0.0, min(1.0, share.value + sign * share.margin)) for sign in (-1, 1))
    return (
        f'<text x="{_MARGIN_PX}" y="{middle + 5}">{as_label(name)}</text>'
        f'<rect x="{_LABEL_PX}" y="{top + 4}" width="{_BAR_PX * share.value:.1f}" height="16" fill="#1c5fb8"/>'
        f'<path d="M{_LABEL_PX + _BAR_PX * low:.1f} {middle}H{_LABEL_PX + _BAR_PX * high:.1f}" stroke="#2b2233"'
        f' stroke-width="3"/><text x="{_LABEL_PX + _BAR_PX * high + _MARGIN_PX:.1f}" y="{middle + 5}">'
        f"{share.value:.1%}</text>"
    )
