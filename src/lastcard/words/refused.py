"""Why an act was refused, in the language of the table; the clause stands behind it."""

from __future__ import annotations

from lastcard.errors import Refused
from lastcard.game.actions import Move
from lastcard.game.cards import CARD_NAMES, NO_COLOR, WILD, card_color, card_name
from lastcard.play.round import Round
from lastcard.words.narrate import Narrator


def refusal_line(narrator: Narrator, table: Round, seat: int, move: Move, error: Refused) -> str:
    """A refusal in one line.

    Args:
        narrator: for the words.
        table: the round as it stands.
        seat: who tried.
        move: what.
        error: what ``Round.do`` raised.
    """
    texts = narrator.texts
    hand = table.hand(seat)
    top = narrator.card(table.top)
    if table.color != NO_COLOR and card_color(table.top) == WILD:
        top += f" ({texts.color(table.color)})"
    known = move.card in CARD_NAMES
    card = move.card if known and move.card is not None else table.top
    target = move.target if move.target is not None else seat
    reason = texts.text(
        f"refused.{error.code}",
        turn=narrator.name(table.turn),
        decision=texts.text(f"decision.{table.decision}") if f"decision.{table.decision}" in texts else "",
        card=narrator.card(card),
        code=card_name(card),
        cardcolor="" if card_color(card) == WILD else texts.color(card_color(card)),
        top=top,
        color="" if table.color == NO_COLOR else texts.color(table.color),
        same=narrator.cards(c for c in hand if card_color(c) == table.color),
        target=narrator.name(target) if target < table.players else str(target),
        other=next(s for s in range(table.players) if s != seat),
        pending=table.pending,
        held=len(hand),
    )
    return texts.text("refused.line", reason=reason, clause=error.clause)
