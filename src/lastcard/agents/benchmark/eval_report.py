"""The report of a run: figures with intervals that hold whenever the run stops, as values and as a table."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib.resources import files
from statistics import fmean, variance
from typing import Any, Final

from lastcard.agents.benchmark.eval_rounds import DealFigures, RoundFigures, sum_counts
from lastcard.agents.benchmark.eval_suite import CELLS, SUITE, Cell
from lastcard.arena.confidence_sequences import BettingSequence, mixture_margin
from lastcard.bots.statistics import Estimate, adjust

CONFIDENCE: Final = 0.95
"""Probability that all intervals of one figure contain its true value."""
_MIN_ADJUSTED: Final = 3
"""Number of deals from which a part of their luck can be subtracted."""
_MILLION: Final = 1_000_000
_SCALE_FILE: Final = "level_scores.json"
"""The reports of our own levels, without their tables."""


@dataclass(frozen=True, slots=True)
class Prices:
    """Prices of a model.

    Args:
        per_million_in: price of a million tokens of questions.
        per_million_out: price of a million tokens of answers.
    """

    per_million_in: float
    per_million_out: float

    def cost(self, tokens_in: float, tokens_out: float) -> float:
        """Returns the price of some tokens."""
        return (tokens_in * self.per_million_in + tokens_out * self.per_million_out) / _MILLION


def make_report(agent: dict[str, Any], played: Iterable[DealFigures], prices: Prices | None = None) -> dict[str, Any]:
    """Returns the report of a run as plain values, of those deals that were played at every kind of table.

    A share has the exact interval of ``BettingSequence``. Deals of different tables have different means, so the
    interval of all tables is computed when each has had the same number of deals: then the expected capital of a bet
    above the mean does not grow, because a product of factors is at most the power of their mean.

    Args:
        agent: ``Agent.as_dict``.
        played: deals in the order in which they were played.
    """
    found = list(played)
    whole = len(found) // len(CELLS) * len(CELLS)
    report = {"suite": SUITE, **agent, "confidence": CONFIDENCE, **_describe(found[:whole])}
    if prices is not None:
        report["cost"] = _cost(found, prices)
    by_cell = [(cell, [deal for deal in found if deal.cell == i]) for i, cell in enumerate(CELLS)]
    report["tables"] = {str(cell): _describe_share(deals) for cell, deals in by_cell if deals}
    return report


def _describe(deals: Sequence[DealFigures]) -> dict[str, Any]:
    rounds = [each for deal in deals for each in deal.rounds]
    if not rounds:
        return {"deals": 0, "rounds": 0}
    judged = [sum(each.judged for each in deal.rounds) for deal in deals]
    kinds = sorted({kind for each in rounds for kind in each.lost})
    lost = {kind: [sum(each.lost.get(kind, 0.0) for each in deal.rounds) for deal in deals] for kind in kinds}
    total = [math.fsum(values) for values in zip(*lost.values(), strict=True)] if lost else [0.0] * len(deals)
    return {
        "rounds": len(rounds),
        **_describe_share(deals),
        "lost_per_100": {
            "all": _ratio(total, judged, 100),
            **{kind: _ratio(values, judged, 100) for kind, values in lost.items()},
        },
        "illegal": sum_counts([each.illegal for each in rounds]),
        **{name: sum(getattr(each, name) for each in rounds) for name in _COUNTS},
        **_usage(rounds),
    }


_COUNTS: Final = ("decisions", "judged", "answers", "fallbacks", "missed_calls", "false_calls")


def _describe_share(deals: Sequence[DealFigures]) -> dict[str, Any]:
    """Returns the share of rounds won, as it is and without luck, and an equal share."""
    cells: list[Cell] = [CELLS[deal.cell] for deal in deals]
    won = [fmean(each.won for each in deal.rounds) for deal in deals]
    luck = [fmean(each.luck for each in deal.rounds) for deal in deals]
    sequence = BettingSequence(CONFIDENCE)
    for value in won:
        sequence.add(value)
    low, high = sequence.interval()
    adjusted = adjust(won, luck) if len(won) >= _MIN_ADJUSTED else won
    return {
        "deals": len(deals),
        "even": round(fmean(1 / cell.players for cell in cells), 6),
        "won": Estimate(fmean(won), (high - low) / 2, (low, high)).as_dict(),
        "adjusted": _mean(adjusted).as_dict(),
    }


def _mean(values: Sequence[float]) -> Estimate:
    """Returns the mean of deals, with an asymptotic interval from 50 deals on."""
    spread = variance(values) if len(values) > 1 else 0.0
    return Estimate(fmean(values), mixture_margin(len(values), spread, CONFIDENCE))


def _ratio(parts: Sequence[float], wholes: Sequence[float], scale: float) -> dict[str, float | None]:
    """Returns a ratio of sums over deals, with an asymptotic interval by the delta method."""
    whole = math.fsum(wholes)
    if not whole:
        return Estimate(0.0, math.inf).as_dict()
    value, usual = math.fsum(parts) / whole, whole / len(wholes)
    scatter = _mean([(part - value * of) / usual for part, of in zip(parts, wholes, strict=True)])
    return Estimate(scale * value, scale * scatter.margin).as_dict()


def _usage(rounds: Sequence[RoundFigures]) -> dict[str, float | None]:
    """Returns tokens and seconds of a decision."""
    decisions = sum(each.decisions for each in rounds) or 1
    asked = [each for each in rounds if each.answers]
    tokens = {
        name: None
        if not asked or any(getattr(each, name) is None for each in asked)
        else round(sum(getattr(each, name) for each in asked) / decisions, 1)
        for name in ("tokens_in", "tokens_out")
    }
    seconds = sum(each.seconds for each in rounds) / decisions
    return {f"{name}_per_decision": value for name, value in {**tokens, "seconds": round(seconds, 4)}.items()}


def _cost(deals: Sequence[DealFigures], prices: Prices) -> float | None:
    """Returns the price of all answers; None if the server does not count tokens."""
    asked = [each for deal in deals for each in deal.rounds if each.answers]
    if any(each.tokens_in is None or each.tokens_out is None for each in asked):
        return None
    return round(
        prices.cost(sum(each.tokens_in or 0 for each in asked), sum(each.tokens_out or 0 for each in asked)), 4
    )


def read_scale() -> list[dict[str, Any]]:
    """Returns the reports of our own levels on this suite, the strongest first."""
    scale: list[dict[str, Any]] = json.loads(files(__package__).joinpath(_SCALE_FILE).read_bytes())
    return [report for report in scale if report["suite"] == SUITE]


# --- text -------------------------------------------------------------------------------------------------

_HEADS: Final = ("agent", "deals", "won %", "adjusted %", "lost in 100", "illegal", "fallbacks", "missed", "false")


def format_table(reports: Iterable[dict[str, Any]]) -> str:
    """Returns reports as a table in Markdown, one row each."""
    rows = [_row(report) for report in reports if report["deals"]]
    lines = [_HEADS, ("---", *("--:",) * (len(_HEADS) - 1)), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines) + "\n"


def _row(report: dict[str, Any]) -> tuple[str, ...]:
    per_100 = 100 / max(1, report["decisions"])
    rates = [sum(report["illegal"].values()), *(report[name] for name in ("fallbacks", "missed_calls", "false_calls"))]
    return (
        report["agent"].rpartition("#")[2],
        str(report["deals"]),
        _interval(report["won"], 100),
        _interval(report["adjusted"], 100),
        _interval(report["lost_per_100"]["all"], 1, 2),
        *(f"{per_100 * rate:.1f}" for rate in rates),
    )


def _interval(figure: dict[str, float | None], scale: float, digits: int = 1) -> str:
    value, low, high = (figure[name] for name in ("value", "low", "high"))
    text = f"{scale * (value or 0.0):.{digits}f}"
    return text if low is None or high is None else f"{text} ({scale * low:.{digits}f} to {scale * high:.{digits}f})"


def format_report(report: dict[str, Any], scale: Sequence[dict[str, Any]] = ()) -> str:
    """Returns a report in words, in a table with those of our levels."""
    if not report["deals"]:
        return f"{report['suite']}: no deal was played at every kind of table yet\n"
    others = [each for each in scale if each["agent"] != report["agent"]]
    lost = {kind: figure for kind, figure in report["lost_per_100"].items() if kind != "all"}
    usage = {name: report[f"{name.replace(' ', '_')}_per_decision"] for name in ("tokens in", "tokens out", "seconds")}
    lines = [
        f"{report['suite']}: {report['rounds']} rounds, {report['decisions']} decisions; equal players win"
        f" {100 * report['even']:.1f} %",
        "",
        format_table([report, *others]),
        "Illegal answers, decisions made for the agent, missed and false UNO calls are given for 100 decisions.",
        f"Intervals hold with {100 * CONFIDENCE:g} % at every number of deals together.",
        _list_figures("Chances lost in 100 decisions", {kind: _interval(each, 1, 2) for kind, each in lost.items()}),
        _list_figures("Illegal answers by clause", report["illegal"]),
        _list_figures("A decision", {name: value for name, value in usage.items() if value is not None}),
        *([f"Cost: {report['cost']}"] if report.get("cost") is not None else []),
    ]
    return "\n".join(lines) + "\n"


def _list_figures(title: str, figures: dict[str, Any]) -> str:
    return f"{title}: {', '.join(f'{name} {figure}' for name, figure in figures.items()) or 'none'}"
