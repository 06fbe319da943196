"""Why an act is refused, in words, with the clause that refuses it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from lastcard.engine import reason
from lastcard.errors import Refused
from lastcard.game.actions import Move
from lastcard.game.cards import CARD_NAMES, W_DRAW_FOUR, card_color, card_name, hand_text
from lastcard.game.options import ALL_WILD_GAME
from lastcard.game.rulesets import Ruleset
from lastcard.play.view import Face

COLOR_WORDS: Final = ("red", "yellow", "green", "blue", "wild")

_WORDS: Final[dict[int, str]] = {
    reason.ROUND_OVER: "the round is over",
    reason.NOT_YOUR_TURN: "it is the turn of seat {turn}, not of seat {seat}",
    reason.DECIDE_FIRST: "seat {turn} must decide first: {decision}",
    reason.NOT_HELD: "you do not hold {card}",
    reason.NO_MATCH: "{card} does not match {top}",
    reason.COLOR_HELD: "Wild Draw Four needs a hand without {color}, and you hold {same}",
    reason.ONLY_DRAWN: "after drawing only the drawn card may be played, not {card}",
    reason.MUST_PLAY_DRAWN: "the drawn card can be played and must be",
    reason.ALREADY_DREW: "one draw a turn: play the drawn card or pass",
    reason.MUST_NOT_DRAW: "you hold a card that can be played, so you may not draw",
    reason.NOTHING_TO_DRAW: "there is nothing to draw and you hold a card that can be played",
    reason.COLOR_NEEDED: "name a color, like {card}=R",
    reason.TARGET_NEEDED: "name another player, like {card}>{other}",
    reason.BAD_TARGET: "seat {target} cannot be named here",
    reason.TARGET_PROTECTED: "a player on one card is protected from a Forced Swap",
    reason.NOT_LAST: "{card} may not be the last card",
    reason.NO_ANSWER: "{card} does not answer the {pending} cards that are waiting",
    reason.NO_CHALLENGE: "there is no Wild Draw Four to challenge or draw to accept",
    reason.NOT_CHALLENGER: "only the player who must draw decides on it: seat {turn}",
    reason.CALL_COUNT: "UNO is called with one card, or with two before playing; you hold {held}",
    reason.CALL_EARLY: "UNO may only be called with the play or after it",
    reason.CALL_NOT_NOW: "no call and no catch until this is resolved: {decision}",
    reason.CATCH_SELF: "nobody can catch himself",
    reason.CATCH_CLOSED: "seat {target} cannot be caught now",
    reason.NO_JUMP_IN: "it is not your turn, and there is no jump-in at this table",
    reason.NOT_IDENTICAL: "a jump-in needs a card identical to {top}; wilds never jump in",
    reason.JUMP_LATE: "it is too late to jump in",
    reason.THROW_WILD: "a wild has no color and cannot be thrown off",
    reason.THROW_COLOR: "a {cardcolor} card has been thrown off already",
    reason.NO_PASS: "a turn is passed only by drawing",
    reason.NO_LEVER: "the lever is pulled only for a Jackpot card",
    reason.NOT_ASKED: "nobody is asked for that now; seat {turn} is to {decision}",
    reason.NOT_AN_ACT: "that is no act of this game",
    reason.SURPLUS: "{card} names neither a color nor a player here",
}

ELSEWHERE: Final[tuple[tuple[int, str, str, str], ...]] = (
    (reason.ONLY_DRAWN, "game", ALL_WILD_GAME, "AW-11"),
    (reason.MUST_NOT_DRAW, "game", ALL_WILD_GAME, "LC-44"),
    (reason.NO_CHALLENGE, "game", ALL_WILD_GAME, "AW-20"),
    (reason.NO_ANSWER, "game", ALL_WILD_GAME, "AW-21"),
    (reason.NOT_LAST, "game", ALL_WILD_GAME, "LC-15"),
    (reason.MUST_NOT_DRAW, "force_play", "always", "LC-44"),
    (reason.DECIDE_FIRST, "decision", "color", "CL-10"),
    *(
        (reason.DECIDE_FIRST, "decision", decision, "WJ-26")
        for decision in ("choose", "pull", "throw", "bury", "streak", "take", "perform")
    ),
)
"""Where another clause than its usual one refuses: the reason, what decides on it (the game, the decision or an
option), its value, the clause."""


def refusal(rules: Ruleset, face: Face, seat: int, hand: Sequence[int], move: Move, why: int) -> Refused:
    """The error for a refused act.

    Args:
        rules: of the table.
        face: what lies open on it.
        seat: who tried.
        hand: the cards of that seat; empty where there is no such seat.
        move: what.
        why: one of the numbers of ``engine/reason.py``.
    """
    code, clause = reason.ALL[why]
    where = {"game": rules.game, "decision": face.decision, "force_play": rules.options.force_play}
    clause = next((other for own, key, value, other in ELSEWHERE if own == why and where[key] == value), clause)
    words = _WORDS[why].format(**_details(face, seat, hand, move))
    name = "Wild Draw Four" if move.card == W_DRAW_FOUR and why != reason.COLOR_HELD else None
    message = f"{name}: {words}" if name and "{card}" not in _WORDS[why] else words
    return Refused(code, clause, f"{message}: {clause}")


def _details(face: Face, seat: int, hand: Sequence[int], move: Move) -> dict[str, object]:
    top = card_name(face.top)
    if 0 <= face.color != card_color(face.top):
        top += f", {COLOR_WORDS[face.color]} in force"
    return {
        "turn": face.turn,
        "seat": seat,
        "decision": face.decision,
        "card": CARD_NAMES.get(-1 if move.card is None else move.card, "that card"),
        "cardcolor": COLOR_WORDS[card_color(move.card)] if move.card is not None else "",
        "top": top,
        "color": COLOR_WORDS[face.color] if face.color >= 0 else "that color",
        "same": hand_text(c for c in hand if card_color(c) == face.color),
        "target": move.target,
        "other": next(s for s in range(len(face.counts)) if s != seat),
        "pending": face.pending,
        "held": len(hand),
    }
