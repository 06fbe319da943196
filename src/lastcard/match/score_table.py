"""The scores of a match as a picture, for notebooks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from lastcard.game.card_pictures import as_label

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
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{(1 + len(players)) * _COLUMN_PX}"'
        f' height="{len(cells) * _ROW_PX + _MARGIN_PX}" font-family="sans-serif" font-size="13">'
        f'<rect width="100%" height="100%" fill="#fff"/>{"".join(parts)}</svg>'
    )
