"""The scores of a match as a picture, for notebooks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from lastcard.game.svg import as_label, make_picture

_COLUMN_PX: Final = 130
_ROW_PX: Final = 22
_MARGIN_PX: Final = 8

Row = tuple[int | None, Sequence[int] | None]
"""The winner of a round, and the scores after it; None for none."""


def draw_scores(players: Sequence[str], rows: Sequence[Row]) -> str:
    """Returns an SVG picture with a column for each player, a row for each round, and the winner's score bold."""
    cells = [[("round", "normal"), *((name, "normal") for name in players)]]
    for number, (winner, scores) in enumerate(rows, start=1):
        shown = ["–"] * len(players) if scores is None else list(map(str, scores))
        weights = ("bold" if seat == winner else "normal" for seat in range(len(players)))
        cells.append([(str(number), "normal"), *zip(shown, weights, strict=True)])
    parts = [
        f'<text x="{_MARGIN_PX + x * _COLUMN_PX}" y="{(y + 1) * _ROW_PX}" font-weight="{weight}">'
        f"{as_label(text)}</text>"
        for y, row in enumerate(cells)
        for x, (text, weight) in enumerate(row)
    ]
    return make_picture((1 + len(players)) * _COLUMN_PX, len(cells) * _ROW_PX + _MARGIN_PX, "".join(parts))
