"""Events and refusals in words for one viewer: ``Ada plays red 5.``, ``You draw 2 cards: …``."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

from msgspec.structs import asdict

from lastcard.errors import IllegalMove
from lastcard.game.cards import CARD_NAMES, NO_COLOR, card_color, card_name, is_wild
from lastcard.game.moves import Move
from lastcard.match import events as e
from lastcard.match.match import Match, team_of
from lastcard.match.refusals import allows_stacking_answer, nameable_seats
from lastcard.match.round import Round
from lastcard.text.locale import Catalog
from lastcard.text.wording import describe_rule_card

_DIRECTION_KEYS: Final = {1: "cw", -1: "ccw"}

# Events with several texts, and the functions that select one.
_EVENT_KEYS: Final[dict[type[e.Event], Callable[[Any], str]]] = {
    e.Played: lambda event: "played" if event.color is None else "played_color",
    e.Reversed: lambda event: f"reversed.{_DIRECTION_KEYS[event.direction]}",
    e.HandsPassed: lambda event: f"hands_passed.{_DIRECTION_KEYS[event.direction]}",
    e.Challenged: lambda event: "guilty" if event.guilty else "innocent",
    e.Chose: lambda event: "chose_self" if event.seat == event.target else "chose",
    e.RoundOver: lambda event: "round_void" if event.winner is None else "round_won",
}


class Narrator:
    """Narrator of a match with its players and rule cards; with ``clauses``, refusals end with their clause's id."""

    def __init__(self, match: Match, texts: Catalog, *, clauses: bool = False) -> None:
        self.match = match
        self.texts = texts
        self.clauses = clauses

    def name(self, seat: int) -> str:
        """Returns the name of the player in a seat."""
        return self.match.players[seat]

    def names(self, seats: Iterable[int]) -> str:
        """Returns a list of names."""
        return ", ".join(self.name(seat) for seat in seats)

    def card(self, card: int) -> str:
        """Returns a card in words."""
        return self.texts.card(card, self.match.rules.game)

    def cards(self, cards: Iterable[int]) -> str:
        """Returns cards in words."""
        return self.texts.cards(cards, self.match.rules.game)

    def rule(self, text: str) -> str:
        """Returns a rule card in words."""
        return describe_rule_card(text, self.texts.language)

    def lines(self, events: Sequence[e.Event], viewer: int | None) -> list[str]:
        """Returns events as lines, as a seat (None: a spectator) may see them."""
        return [self.line(event, viewer) for event in events]

    def line(self, event: e.Event, viewer: int | None) -> str:
        """Returns one event in words."""
        event = event.seen_by(viewer)
        key = _EVENT_KEYS[type(event)](event) if type(event) in _EVENT_KEYS else e.EVENT_NAMES[type(event)]
        fields = {name: value for name, value in asdict(event).items() if value is not None}
        actor = fields.get("seat", fields.get("winner"))
        other = next((fields[name] for name in e.SECOND_SEATS if name in fields), None)
        if isinstance(event, e.Caught | e.Challenged):
            actor, other = other, actor  # the text names the other seat as the actor
        if isinstance(event, e.RoundOver) and event.winner is not None:
            other = next((seat for seat in team_of(self.match.rules, event.winner) if seat != event.winner), None)
            key = "round_won" if other is None else "round_won_together"  # 6.8
        if viewer is not None and viewer == other and key == "swapped":
            actor, other = other, actor  # the order of the two does not matter
        if viewer is not None and viewer == actor and f"event.{key}.you" in self.texts:
            key += ".you"
        elif viewer is not None and viewer == other and f"event.{key}.at_you" in self.texts:
            key += ".at_you"
        values = {
            name: say(self, fields[field])
            for field, (name, say) in _FIELD_TEXTS.items()
            if fields.get(field) is not None
        }
        if actor is not None:
            values["player"] = self.name(actor)
        if other is not None:
            values["other"] = self.name(other)
        return self.texts.text(f"event.{key}", **values)

    def decision_key(self, decision: str) -> str:
        """Returns the key of a decision in texts."""
        return "challenge.stacking" if allows_stacking_answer(self.match.rules, decision) else decision

    def refusal(self, round_: Round, seat: int, move: Move, error: IllegalMove) -> str:
        """Returns the reason why ``Round.do`` refused a move, in one line."""
        texts = self.texts
        hand = round_.hand(seat)
        top = self.card(round_.top)
        if round_.color != NO_COLOR and is_wild(round_.top):
            top += f" ({texts.color(round_.color)})"
        known = move.card in CARD_NAMES
        card = move.card if known and move.card is not None else round_.top
        target = move.target if move.target is not None else seat
        decision = f"decision.{self.decision_key(round_.decision)}"
        reason = texts.text(
            ".".join(filter(None, ("refused", error.code, error.variant))),
            turn=self.name(round_.turn),
            decision=texts.text(decision) if decision in texts else "",
            card=self.card(card),
            code=card_name(card),
            cardcolor="" if is_wild(card) else texts.color(card_color(card)),
            top=top,
            color="" if round_.color == NO_COLOR else texts.color(round_.color),
            same=self.cards(c for c in hand if card_color(c) == round_.color),
            target=self.name(target) if target < round_.players else str(target),
            last=round_.players - 1,
            other=next(iter(nameable_seats(round_.rules, round_.public_state(), seat, move.card)), target),
            pending=round_.pending,
            held=len(hand),
        )
        line = texts.text("refused.line", reason=reason)
        return f"{line} [{error.clause}]" if self.clauses else line


_FIELD_TEXTS: Final[dict[str, tuple[str, Callable[[Narrator, Any], object]]]] = {
    "card": ("card", Narrator.card),
    "cards": ("cards", Narrator.cards),
    "color": ("color", lambda narrator, color: narrator.texts.color(color)),
    "count": ("n", lambda narrator, count: count),
    "outcome": ("outcome", lambda narrator, outcome: narrator.texts.text(f"lever.{outcome}")),
    "rule": ("text", lambda narrator, rule: narrator.rule(narrator.match.rule_cards[rule].text)),
}
"""Fields of events in their texts: the placeholder of each, and its conversion to words."""
