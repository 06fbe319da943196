"""What happened and why not, in words as one viewer may read them: ``Ada plays red 5.``, ``You draw 2 cards: …``."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

from lastcard.errors import Refused
from lastcard.game.actions import Move
from lastcard.game.cards import CARD_NAMES, NO_COLOR, card_color, card_name, is_wild
from lastcard.play import events as e
from lastcard.play.match import Match
from lastcard.play.round import Round
from lastcard.words.locale import Catalog
from lastcard.words.wording import describe_rule

_TURNING: Final = {1: "cw", -1: "ccw"}

# What an event says: the key, who acts, whom it is about (None: nobody), and what else stands in it.
_Said = tuple[str, int | None, int | None, dict[str, Any]]


class Narrator:
    """Tells what happens in a match.

    Args:
        match: whose players and rule cards are named.
        texts: the language.
    """

    def __init__(self, match: Match, texts: Catalog) -> None:
        self.match = match
        self.texts = texts

    def name(self, seat: int) -> str:
        """The name of the player in a seat."""
        return self.match.players[seat]

    def names(self, seats: Iterable[int]) -> str:
        """Names in a row."""
        return ", ".join(self.name(seat) for seat in seats)

    def card(self, card: int) -> str:
        """A card in words."""
        return self.texts.card(card, self.match.rules.game)

    def cards(self, cards: Iterable[int]) -> str:
        """Cards in words."""
        return self.texts.cards(cards, self.match.rules.game)

    def rule(self, text: str) -> str:
        """A rule card in words."""
        return describe_rule(text, self.texts.language)

    def lines(self, events: Sequence[e.Event], viewer: int | None) -> list[str]:
        """What happened, a line each, as a seat (None: a spectator) may see it."""
        return [self.line(event, viewer) for event in events]

    def line(self, event: e.Event, viewer: int | None) -> str:
        """One event in words."""
        key, actor, other, values = _SAY[type(event)](self, event.seen_by(viewer))
        if viewer is not None and viewer == other and key == "swapped":
            actor, other = other, actor  # it does not matter who of the two began
        if viewer is not None and viewer == actor and f"event.{key}.you" in self.texts:
            key += ".you"
        elif viewer is not None and viewer == other and f"event.{key}.at_you" in self.texts:
            key += ".at_you"
        if actor is not None:
            values["player"] = self.name(actor)
        if other is not None:
            values["other"] = self.name(other)
        return self.texts.text(f"event.{key}", **values)

    def refusal(self, table: Round, seat: int, move: Move, error: Refused) -> str:
        """Why an act was refused, in one line with its clause.

        Args:
            table: the round as it stands.
            seat: who tried.
            move: what.
            error: what ``Round.do`` raised.
        """
        texts = self.texts
        hand = table.hand(seat)
        top = self.card(table.top)
        if table.color != NO_COLOR and is_wild(table.top):
            top += f" ({texts.color(table.color)})"
        known = move.card in CARD_NAMES
        card = move.card if known and move.card is not None else table.top
        target = move.target if move.target is not None else seat
        reason = texts.text(
            f"refused.{error.code}",
            turn=self.name(table.turn),
            decision=texts.text(f"decision.{table.decision}") if f"decision.{table.decision}" in texts else "",
            card=self.card(card),
            code=card_name(card),
            cardcolor="" if is_wild(card) else texts.color(card_color(card)),
            top=top,
            color="" if table.color == NO_COLOR else texts.color(table.color),
            same=self.cards(c for c in hand if card_color(c) == table.color),
            target=self.name(target) if target < table.players else str(target),
            other=next(s for s in range(table.players) if s != seat),
            pending=table.pending,
            held=len(hand),
        )
        return texts.text("refused.line", reason=reason, clause=error.clause)

    # --- one method for events that say more than who and whom -------------------------------------

    def _played(self, event: e.Played) -> _Said:
        card = self.card(event.card)
        if event.color is None:
            return "played", event.seat, None, {"card": card}
        return "played_color", event.seat, None, {"card": card, "color": self.texts.color(event.color)}

    def _drew(self, event: e.Drew) -> _Said:
        cards = None if event.cards is None else self.cards(event.cards)
        return "drew", event.seat, None, {"n": event.count, "cards": cards}

    def _shown(self, event: e.Shown) -> _Said:
        cards = None if event.cards is None else self.cards(event.cards)
        return "shown", event.seat, event.to, {"cards": cards}

    def _took(self, event: e.Took) -> _Said:
        card = None if event.card is None else self.card(event.card)
        return "took", event.seat, event.giver, {"card": card}

    def _chose(self, event: e.Chose) -> _Said:
        if event.seat == event.target:
            return "chose_self", event.seat, None, {}
        return "chose", event.seat, event.target, {}

    def _over(self, event: e.RoundOver) -> _Said:
        return ("round_void", None, None, {}) if event.winner is None else ("round_won", event.winner, None, {})

    def _lever(self, event: e.LeverPulled) -> _Said:
        return "lever", event.seat, None, {"outcome": self.texts.text(f"lever.{event.outcome}")}

    def _rule(self, event: e.RuleDealt) -> _Said:
        return "rule", event.seat, None, {"text": self.rule(self.match.rule_cards[event.rule].text)}


def _plain(key: str) -> Callable[[Narrator, Any], _Said]:
    """An event that says only who did it."""
    return lambda narrator, event: (key, event.seat, None, {})


def _card(key: str) -> Callable[[Narrator, Any], _Said]:
    return lambda narrator, event: (key, event.seat, None, {"card": narrator.card(event.card)})


_SAY: Final[dict[type[e.Event], Callable[[Narrator, Any], _Said]]] = {
    e.Turned: lambda n, event: ("turned", None, None, {"card": n.card(event.card)}),
    e.Played: Narrator._played,
    e.JumpedIn: _plain("jumped_in"),
    e.Targeted: lambda n, event: ("targeted", event.seat, event.target, {}),
    e.Drew: Narrator._drew,
    e.Passed: _plain("passed"),
    e.Skipped: _plain("skipped"),
    e.Reversed: lambda n, event: (f"reversed.{_TURNING[event.direction]}", None, None, {}),
    e.Swapped: lambda n, event: ("swapped", event.seat, event.other, {}),
    e.HandsPassed: lambda n, event: (f"hands_passed.{_TURNING[event.direction]}", None, None, {}),
    e.Called: _plain("called"),
    e.Caught: lambda n, event: ("caught", event.by, event.seat, {}),
    e.FalseCall: _plain("false_call"),
    e.FalseCatch: lambda n, event: ("false_catch", event.seat, event.target, {}),
    e.Challenged: lambda n, event: ("guilty" if event.guilty else "innocent", event.by, event.seat, {}),
    e.Shown: Narrator._shown,
    e.ColorNamed: lambda n, event: ("color_named", event.seat, None, {"color": n.texts.color(event.color)}),
    e.Chose: Narrator._chose,
    e.LeverPulled: Narrator._lever,
    e.RuleDealt: Narrator._rule,
    e.Threw: _card("threw"),
    e.Buried: _card("buried"),
    e.Took: Narrator._took,
    e.Performed: _plain("performed"),
    e.Reshuffled: lambda n, event: ("reshuffled", None, None, {"n": event.count}),
    e.RoundOver: Narrator._over,
}
