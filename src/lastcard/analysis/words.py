"""A report in words: moves, players, figures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Final, NamedTuple

from lastcard.analysis.accounts import PARTS, Account
from lastcard.analysis.calls import Call
from lastcard.analysis.findings import Decision, Report, Stroke
from lastcard.analysis.scale import likeness
from lastcard.bots.statistics import Estimate
from lastcard.game.actions import Move
from lastcard.game.rulesets import ruleset
from lastcard.text.locale import DECIMAL_COMMA, Catalog
from lastcard.text.visible import visible

_TIED: Final = "\N{NO-BREAK SPACE}"
SHOWN: Final = 6
"""Moves of a line that would have won."""
_DECIDED: Final = (
    "account.player",
    "decisions.count",
    "decisions.mistakes",
    "decisions.given",
    "decisions.rate",
    "decisions.like",
)


class Line(NamedTuple):
    """A finding in words."""

    round: int
    """The number of the round in its match, from 0."""
    ply: int
    """The number of the move in its round, from 1."""
    text: str


def with_plain_names(report: Report) -> Report:
    """The same report with direction characters in names spelled out: whoever wrote them turns no line around."""
    return replace(report, players=tuple(map(visible, report.players)))


class Words:
    """Says what is in a report.

    Args:
        report: whose players and cards are named.
        texts: the language.
    """

    def __init__(self, report: Report, texts: Catalog) -> None:
        self.report = report
        self.texts = texts
        self._game = ruleset(report.rules).game

    def text(self, key: str, /, **values: object) -> str:
        """A text of the report by the end of its key."""
        return self.texts.text(f"report.{key}", **values)

    def title(self) -> str:
        """Which match it is."""
        game, players = self.texts.text(f"game.{self._game}"), ", ".join(self.report.players)
        return self.texts.text("replay.title", game=game, rules=self.report.rules, players=players)

    def notes(self) -> Iterator[str]:
        """What the figures rest on."""
        yield self.text("model", rollouts=self.report.rollouts)
        yield self.text("interval")
        if not self.report.over:
            yield self.text("unfinished")

    # --- figures ----------------------------------------------------------------------------------------

    def number(self, value: float, digits: int, signed: bool = False) -> str:
        """A number as the language writes it."""
        text = f"{value:{'+' if signed else ''}.{digits}f}"
        if float(text) == 0:
            text = text.lstrip("+-")
        text = text.replace("-", "−")
        return text.replace(".", ",") if self.texts.language in DECIMAL_COMMA else text

    def rounds(self, figure: Estimate) -> tuple[str, str]:
        """A part of the rounds won, and its uncertainty."""
        return self.number(figure.value, 2, signed=True), f"±{self.number(figure.margin, 2)}"

    def percent(self, figure: Estimate, signed: bool = False) -> str:
        """A chance, or a change of it, with its uncertainty."""
        value, error = self.number(100 * figure.value, 1, signed), self.number(100 * figure.margin, 1)
        return f"{value}{_TIED}±{error}{_TIED}%"

    # --- players and moves ------------------------------------------------------------------------------

    def player(self, seat: int) -> str:
        """The name of the player in a seat."""
        return self.report.players[seat]

    def round(self, number: int) -> str:
        """A round and who won it."""
        winner = self.report.rounds[number].winner
        if winner is None:
            return self.text("round.void", round=number + 1)
        return self.text("round.won", round=number + 1, player=self.player(winner))

    def place(self, round_number: int, ply: int) -> str:
        """Where in the match."""
        return self.text("place", round=round_number + 1, move=ply)

    def move(self, move: Move | None) -> str:
        """A move in words; None is to let the table go on."""
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

    # --- tables and lists -------------------------------------------------------------------------------

    def accounts(self) -> tuple[list[str], list[list[tuple[str, str]]]]:
        """Where the rounds won come from: heads, and a row for each player of figures with their uncertainty."""
        heads = [self.text(f"account.{name}") for name in ("player", "won", *PARTS)]
        rows = []
        for seat, account in enumerate(self.report.accounts):
            parts = [self.rounds(getattr(account, part)) for part in PARTS]
            rows.append([(self.player(seat), ""), (self.number(account.result, 0), ""), *parts])
        return heads, rows

    def decisions(self) -> tuple[list[str], list[list[tuple[str, str]]]]:
        """How many decisions there were, and what they gave away; as ``accounts``."""
        heads = [self.text(name) for name in _DECIDED]
        rows = []
        for seat, account in enumerate(self.report.accounts):
            counts = [(str(count), "") for count in (account.decisions, account.mistakes)]
            given = (self.rounds(figure) for figure in (account.given, account.error_rate))
            rows.append([(self.player(seat), ""), *counts, *given, (self._like(account), "")])
        return heads, rows

    def _like(self, account: Account) -> str:
        """The levels between which somebody played."""
        found = likeness(self._game, len(self.report.players), account.error_rate) if account.decisions else None
        return " – ".join(self.text(f"level.{level}") for level in dict.fromkeys(found)) if found else "–"

    def kinds(self) -> tuple[list[str], list[list[tuple[str, str]]]]:
        """How many mistakes everybody made of each kind that there was; as ``accounts``, a row for each kind."""
        counts = [self.report.kinds(seat) for seat in range(len(self.report.players))]
        rows = [
            [(self._kind(kind), ""), *((str(count[kind]), "") for count in counts)]
            for kind, _ in sum(counts, Counter()).most_common()
        ]
        return [self.text("kinds.kind"), *self.report.players], rows

    def _kind(self, kind: str) -> str:
        return self.text("kinds.call") if kind == "call" else self.texts.text(f"web.me.mistake.{kind}")

    def lists(self) -> dict[str, list[Line]]:
        """The worst and the best decisions, the biggest strokes of luck, the missed calls."""
        return {
            "worst": [self._decision(one, "worst", one.best, one.loss) for one in self.report.worst()],
            "best": [self._decision(one, "best", one.usual, one.skill) for one in self.report.best()],
            "luck": [self._stroke(one) for one in self.report.strokes()],
            "calls": [self._call(one) for one in self.report.calls()],
        }

    def _decision(self, one: Decision, key: str, other: Move | None, worth: Estimate) -> Line:
        said = {"player": self.player(one.seat), "made": self.move(one.made), "other": self.move(other)}
        if key == "worst":
            said["grade"] = self.text(f"grade.{one.grade}")
        told = self.text(f"{key}.line", **said, worth=self.percent(worth))
        return Line(one.round, one.ply, f"{told} {self._won_by(one)}" if key == "worst" and one.line else told)

    def _won_by(self, one: Decision) -> str:
        """How the seat could have won; of a long line the beginning of its own moves."""
        moves = [self.move(move) for seat, move in one.line if seat == one.seat]
        shown = [*moves[:SHOWN], "…"] if len(moves) > SHOWN else moves
        return self.text("worst.open", moves=" → ".join(shown))

    def _stroke(self, one: Stroke) -> Line:
        what, change = self.text(f"luck.{one.chance}"), self.percent(one.change, signed=True)
        return Line(one.round, one.ply, self.text("luck.line", player=self.player(one.seat), what=what, change=change))

    def _call(self, one: Call) -> Line:
        said = {"player": self.player(one.seat), "price": self.percent(one.price)}
        if one.by is None:
            return Line(one.round, one.ply, self.text("calls.free", **said))
        return Line(one.round, one.ply, self.text("calls.caught", **said, by=self.player(one.by)))
