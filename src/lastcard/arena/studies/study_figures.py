"""Figures of studies as SVG, for light and dark pages (needs the extra studies)."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.util import find_spec
from io import StringIO
from typing import Any, Final

from lastcard.arena.studies.design import Figure
from lastcard.errors import UsageError

THEMES: Final[Mapping[str, Mapping[str, str]]] = {
    "light": {"ground": "#ffffff", "ink": "#1f2328", "grid": "#d1d9e0", "first": "#0072b2"},
    "dark": {"ground": "#0d1117", "ink": "#e6edf3", "grid": "#3d444d", "first": "#56b4e9"},
}
_COLORS: Final = ("#d55e00", "#009e73", "#cc79a7")
"""Colors of the series after the first, that people with color blindness can distinguish (M. Okabe and K. Ito)."""
_MARKERS: Final = ("o", "s", "^", "D")
_REFERENCE_COLOR: Final = "#999999"
_WIDTH_IN: Final = 8.0
_LINES_HEIGHT_IN: Final = 4.5
_DOT_HEIGHT_IN: Final = 0.28
_HEAD_HEIGHT_IN: Final = 1.6


def check_matplotlib() -> None:
    """Raise a UsageError if Matplotlib is missing."""
    if find_spec("matplotlib") is None:
        raise UsageError("figures of studies need Matplotlib: install lastcard[studies]")


def draw_figure(figure: Figure, theme: str) -> str:
    """Returns a figure as SVG, the same bytes for the same figure; text stays text.

    Args:
        figure: the figure.
        theme: one of ``THEMES``.
    """
    import matplotlib
    from matplotlib.figure import Figure as Canvas

    look = THEMES[theme]
    settings = {
        "svg.hashsalt": "lastcard",
        "svg.fonttype": "none",
        "font.family": "sans-serif",
        "text.color": look["ink"],
        "axes.labelcolor": look["ink"],
        "axes.edgecolor": look["grid"],
        "xtick.color": look["ink"],
        "ytick.color": look["ink"],
        "grid.color": look["grid"],
    }
    with matplotlib.rc_context(settings):
        names = list(dict.fromkeys(name for each in figure.series for name, _ in each.points))
        height = _LINES_HEIGHT_IN if figure.base else _HEAD_HEIGHT_IN + _DOT_HEIGHT_IN * len(names)
        canvas = Canvas(figsize=(_WIDTH_IN, height), facecolor=look["ground"], layout="constrained")
        axes = canvas.add_subplot(facecolor=look["ground"])
        axes.set_prop_cycle(color=(look["first"], *_COLORS))
        (_draw_lines if figure.base else _draw_dots)(axes, figure, names)
        axes.set_title(figure.title)
        axes.grid(alpha=0.5)
        if len(figure.series) > 1:
            axes.legend(facecolor=look["ground"], edgecolor=look["grid"], labelcolor=look["ink"])
        written = StringIO()
        canvas.savefig(written, format="svg", metadata={"Date": None, "Creator": None, "Title": figure.title})
    return " ".join(written.getvalue().split()) + "\n"  # in one line, because nobody reads it


def _draw_lines(axes: Any, figure: Figure, names: list[str | int]) -> None:
    """Draw each series as a line from left to right."""
    scale = 100 if figure.percent else 1
    for i, series in enumerate(figure.series):
        axes.errorbar(
            [names.index(name) for name, _ in series.points],
            [scale * each.value for _, each in series.points],
            [scale * each.margin if each.has_interval else 0 for _, each in series.points],
            label=series.name,
            marker=_MARKERS[i % len(_MARKERS)],
            capsize=2,
        )
    axes.set_xticks(range(len(names)), [str(name) for name in names])
    axes.set_xlabel(figure.base)
    axes.set_ylabel(figure.axis)
    if figure.reference is not None:
        axes.axhline(scale * figure.reference, linewidth=1, color=_REFERENCE_COLOR)


def _draw_dots(axes: Any, figure: Figure, names: list[str | int]) -> None:
    """Draw each series as dots in the rows of its names, the first name on top."""
    scale, count = 100 if figure.percent else 1, len(figure.series)
    for i, series in enumerate(figure.series):
        axes.errorbar(
            [scale * each.value for _, each in series.points],
            [names.index(name) + 0.6 * ((i + 0.5) / count - 0.5) for name, _ in series.points],
            xerr=[scale * each.margin if each.has_interval else 0 for _, each in series.points],
            label=series.name,
            marker=_MARKERS[i % len(_MARKERS)],
            markersize=4,
            linestyle="none",
            capsize=2,
        )
    axes.set_yticks(range(len(names)), [str(name) for name in names])
    axes.invert_yaxis()
    axes.set_xlabel(figure.axis)
    if figure.reference is not None:
        axes.axvline(scale * figure.reference, linewidth=1, color=_REFERENCE_COLOR)
