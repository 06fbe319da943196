"""A report in words: moves, players, figures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Final, NamedTuple

from lastcard.ai.round_analysis import PARTS
from lastcard.analysis.attribution import Attribution
from lastcard.analysis.level_estimate import estimate_levels
from lastcard.analysis.report_model import ChanceReport, Change, Decision, LuckyEvent, MissedCallLoss, Report
from lastcard.bots.statistics import Estimate
from lastcard.game.moves import Move
from lastcard.game.rulesets import ruleset
from lastcard.text.escaping import escape_control_characters
from lastcard.text.locale import DECIMAL_COMMA, Catalog

_NO_BREAK_SPACE: Final = "\N{NO-BREAK SPACE}"
MAX_LINE_MOVES: Final = 6
"""Number of moves shown of a winning line."""
_DECISION_COLUMNS: Final = (
    "account.player",
    "decisions.count",
    "decisions.mistakes",
    "decisions.given",
    "decisions.rate",
    "decisions.like",
)


class ReportLine(NamedTuple):
    """A finding in words."""

    round: int
    """The number of the round in its match, from 0."""
    ply: int
    """The number of the move in its round, from 1."""
    text: str


def with_escaped_names(report: Report) -> Report:
    """The same report with direction characters in names escaped, so that a name cannot reverse a line."""
    return replace(report, players=tuple(map(escape_control_characters, report.players)))


class ChanceTexts:
    """The texts of the chances in a match.

    Args:
        report: the chances, with the names of the players.
        texts: texts of a language.
    """

    def __init__(self, report: ChanceReport, texts: Catalog) -> None:
        self.report = report
        self.texts = texts
        self._game = ruleset(report.rules).game

    def text(self, key: str, /, **values: object) -> str:
        """A text of the report by the end of its key."""
        return self.texts.text(f"report.{key}", **values)

    def title(self) -> str:
        """The title: the match."""
        game, players = self.texts.text(f"game.{self._game}"), ", ".join(self.report.players)
        return self.texts.text("replay.title", game=game, rules=self.report.rules, players=players)

    def notes(self) -> Iterator[str]:
        """Notes on the method of the figures."""
        yield self.text("model", rollouts=self.report.rollouts)
        yield self.text("interval")
        if not self.report.over:
            yield self.text("unfinished")

    # --- figures ----------------------------------------------------------------------------------------

    def number(self, value: float, digits: int, signed: bool = False) -> str:
        """A number in the format of the language."""
        text = f"{value:{'+' if signed else ''}.{digits}f}"
        if float(text) == 0:
            text = text.lstrip("+-")
        text = text.replace("-", "−")
        return text.replace(".", ",") if self.texts.language in DECIMAL_COMMA else text

    def rounds(self, figure: Estimate) -> tuple[str, str]:
        """A part of the rounds won, and its margin."""
        return self.number(figure.value, 2, signed=True), f"±{self.number(figure.margin, 2)}"

    def percent(self, figure: Estimate, signed: bool = False) -> str:
        """A chance, or a change of it, with its margin."""
        value, error = self.number(100 * figure.value, 1, signed), self.number(100 * figure.margin, 1)
        return f"{value}{_NO_BREAK_SPACE}±{error}{_NO_BREAK_SPACE}%"

    # --- players and moves ------------------------------------------------------------------------------

    def player(self, seat: int) -> str:
        """The name of the player in a seat."""
        return self.report.players[seat]

    def round(self, number: int) -> str:
        """A round and its winner."""
        winner = self.report.rounds[number].winner
        if winner is None:
            return self.text("round.void", round=number + 1)
        return self.text("round.won", round=number + 1, player=self.player(winner))

    def place(self, round_number: int, ply: int) -> str:
        """A place in the match."""
        return self.text("place", round=round_number + 1, move=ply)

    def move(self, move: Move | None) -> str:
        """A move in words; None stands for no reaction."""
        if move is None:
            return self.text("move.none")
        values: dict[str, object] = {}
        if move.card is not None:
            values["card"] = self.texts.card(move.card, self._game)
        if move.color is not None:
            values["color"] = self.texts.color(move.color)
        if move.target is not None:
            values["player"] = self.player(move.target)
        if move.verb == "play":
            kind = "color" if move.color is not None else "target" if move.target is not None else "plain"
            return self.text(f"move.play.{kind}", **values)
        if move.verb in ("accept", "choose", "color"):
            return self.text(f"move.{move.verb}", **values)
        return self.texts.text(f"play.choice.{move.verb}", **values)

    def largest_changes(self) -> list[ReportLine]:
        """The moves that changed a chance most."""
        return [self._change(one) for one in self.report.largest_changes()]

    def _change(self, one: Change) -> ReportLine:
        move, change = self.move(one.step.move), self.percent(one.change, signed=True)
        player, other = self.player(one.step.seat), self.player(one.seat)
        text = self.text("changes.line", player=player, move=move, other=other, change=change)
        return ReportLine(one.round, one.ply, text)


class ReportTexts(ChanceTexts):
    """The texts of a report."""

    report: Report

    def __init__(self, report: Report, texts: Catalog) -> None:
        super().__init__(report, texts)

    def attribution_table(self) -> tuple[list[str], list[list[tuple[str, str]]]]:
        """The attribution of rounds won: column heads, and for each player a row of (figure, margin)."""
        heads = [self.text(f"account.{name}") for name in ("player", "won", *PARTS)]
        rows = []
        for seat, attribution in enumerate(self.report.accounts):
            parts = [self.rounds(getattr(attribution, part)) for part in PARTS]
            rows.append([(self.player(seat), ""), (self.number(attribution.result, 0), ""), *parts])
        return heads, rows

    def decision_table(self) -> tuple[list[str], list[list[tuple[str, str]]]]:
        """The numbers of decisions and their losses; as ``attribution_table``."""
        heads = [self.text(name) for name in _DECISION_COLUMNS]
        rows = []
        for seat, attribution in enumerate(self.report.accounts):
            counts = [(str(count), "") for count in (attribution.decisions, attribution.mistakes)]
            given = (self.rounds(figure) for figure in (attribution.given, attribution.error_rate))
            rows.append([(self.player(seat), ""), *counts, *given, (self._level_range(attribution), "")])
        return heads, rows

    def _level_range(self, attribution: Attribution) -> str:
        """The range of levels at which somebody played."""
        found = (
            estimate_levels(self._game, len(self.report.players), attribution.error_rate)
            if attribution.decisions
            else None
        )
        return " – ".join(self.text(f"level.{level}") for level in dict.fromkeys(found)) if found else "–"

    def mistake_table(self) -> tuple[list[str], list[list[tuple[str, str]]]]:
        """Everybody's mistakes of each kind that occurred, one row a kind; as ``attribution_table``."""
        counts = [self.report.mistakes_by_topic(seat) for seat in range(len(self.report.players))]
        rows = [
            [(self._kind(kind), ""), *((str(count[kind]), "") for count in counts)]
            for kind, _ in sum(counts, Counter()).most_common()
        ]
        return [self.text("kinds.kind"), *self.report.players], rows

    def _kind(self, kind: str) -> str:
        return self.text("kinds.call") if kind == "call" else self.texts.text(f"web.me.mistake.{kind}")

    def lists(self) -> dict[str, list[ReportLine]]:
        """The largest changes, the worst and best decisions, the luckiest and unluckiest outcomes, the missed calls."""
        return {
            "changes": self.largest_changes(),
            "worst": [self._decision(one, "worst", one.best, one.loss) for one in self.report.worst()],
            "best": [self._decision(one, "best", one.usual, one.skill) for one in self.report.best()],
            "luck": [self._lucky_event(one) for one in self.report.lucky_events()],
            "calls": [self._call(one) for one in self.report.calls()],
        }

    def _decision(self, one: Decision, key: str, other: Move | None, size: Estimate) -> ReportLine:
        values = {"player": self.player(one.seat), "made": self.move(one.made), "other": self.move(other)}
        if key == "worst":
            values["grade"] = self.text(f"grade.{one.grade}")
        text = self.text(f"{key}.line", **values, worth=self.percent(size))
        return ReportLine(
            one.round, one.ply, f"{text} {self._winning_line(one)}" if key == "worst" and one.line else text
        )

    def _winning_line(self, one: Decision) -> str:
        """A winning line of the seat; of a long line the beginning of its own moves."""
        moves = [self.move(move) for seat, move in one.line if seat == one.seat]
        shown = [*moves[:MAX_LINE_MOVES], "…"] if len(moves) > MAX_LINE_MOVES else moves
        return self.text("worst.open", moves=" → ".join(shown))

    def _lucky_event(self, one: LuckyEvent) -> ReportLine:
        what, change = self.text(f"luck.{one.chance}"), self.percent(one.change, signed=True)
        return ReportLine(
            one.round, one.ply, self.text("luck.line", player=self.player(one.seat), what=what, change=change)
        )

    def _call(self, one: MissedCallLoss) -> ReportLine:
        values = {"player": self.player(one.seat), "price": self.percent(one.price)}
        if one.by is None:
            return ReportLine(one.round, one.ply, self.text("calls.free", **values))
        return ReportLine(one.round, one.ply, self.text("calls.caught", **values, by=self.player(one.by)))
