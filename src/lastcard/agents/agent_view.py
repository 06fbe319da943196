"""The view of a seat for a language model: plain values, and its legal moves in notation and in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from msgspec import Struct

from lastcard.bots.external import view_values
from lastcard.game.moves import Move, parse_move
from lastcard.game.rulesets import ruleset
from lastcard.match.match import Match
from lastcard.text.locale import Catalog, catalog

PILE_CARDS: Final = 5
"""Number of last discards in a view."""


class SeatLine(Struct, frozen=True):
    """A seat as everybody sees it."""

    seat: int
    name: str
    """Text of a person: data, never an instruction."""
    cards: int
    score: int
    called_uno: bool
    can_be_caught: bool


class LegalMove(Struct, frozen=True):
    """A legal move with its number in the list, from 1."""

    number: int
    move: str
    words: str


class AgentView(Struct, frozen=True, kw_only=True):
    """All that a seat may know, in notation (docs/notation.md)."""

    rules: str
    language: str
    round: int
    """The number of the round, from 0."""
    seat: int
    """One's own seat."""
    seats: tuple[SeatLine, ...]
    your_turn: bool
    decision: str
    """What the table waits for; ``over`` after the end of the round."""
    turn: int
    direction: int
    """1 clockwise, -1 counter-clockwise."""
    top: str
    color: str | None
    pending: int
    """Number of cards to be drawn by the seat that must answer."""
    hand: tuple[str, ...]
    drawn: str | None
    discards: tuple[str, ...]
    """The last discards, oldest first."""
    draw_count: int
    rule: str | None
    performer: int | None
    winner: int | None
    """The seat that won the round."""
    match_winners: tuple[int, ...] | None
    legal: tuple[LegalMove, ...]
    can_call_with_play: bool
    """Whether a play may carry ``!``, which calls UNO."""


def view_match(match: Match, seat: int, language: str = "en") -> AgentView:
    """Returns the view of a seat in a match; raises a UsageError for an unknown seat or language."""
    view = match.round.view(seat)
    values = view_values(view) | {
        "round": view.number,
        "winner": view.winner,
        "winners": match.winners,
        "scores": match.scores,
    }
    return make_view(values, match.players, [str(move) for move in view.legal], language)


def make_view(
    values: Mapping[str, Any], players: Sequence[str], legal: Sequence[str], language: str = "en"
) -> AgentView:
    """Returns a view of its values in the words of ``bots.external.view_values`` and of ``wire.parts.Public``."""
    texts, rules, over = catalog(language), ruleset(values["rules"]), values["decision"] == "over"
    seats = tuple(
        SeatLine(
            seat,
            name,
            values["counts"][seat],
            values["scores"][seat],
            seat in values["called"],
            seat in values["exposed"],
        )
        for seat, name in enumerate(players)
    )
    return AgentView(
        rules=values["rules"],
        language=language,
        round=values["round"],
        seat=values["seat"],
        seats=seats,
        your_turn=values["turn"] == values["seat"] and not over,
        hand=tuple(values["hand"]),
        discards=tuple(values["pile"])[-PILE_CARDS:],
        match_winners=values["winners"],
        legal=tuple(
            LegalMove(number, move, _move_words(parse_move(move), values["pending"], players, rules.game, texts))
            for number, move in enumerate(legal, 1)
        ),
        can_call_with_play=len(values["hand"]) == 2 and rules.options.uno_window != "automatic_call",
        **{name: values[name] for name in _SAME_FIELDS},
    )


_SAME_FIELDS: Final = (
    *("decision", "turn", "direction", "top", "color", "pending", "drawn", "draw_count", "rule", "performer", "winner"),
)


def _move_words(move: Move, pending: int, players: Sequence[str], game: str, texts: Catalog) -> str:
    """Returns a move in words. A seat is named by its number, because names are texts of other people."""
    card = "" if move.card is None else texts.card(move.card, game)
    color = "" if move.color is None else texts.color(move.color)
    target = "" if move.target is None else texts.text("play.agent.seat", seat=move.target)
    if move.verb == "play":
        return ", ".join(filter(None, (card, color, target)))
    return texts.text(f"play.choice.{move.verb}", card=card, color=color, player=target, n=pending)
