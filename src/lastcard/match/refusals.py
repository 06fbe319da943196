"""Reasons of refused moves in words, with the clauses that forbid them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from lastcard.errors import IllegalMove
from lastcard.game.cards import CARD_NAMES, W_DRAW_FOUR, W_SWAP, card_color, card_name, hand_text
from lastcard.game.moves import Move
from lastcard.game.options import ALL_WILD_GAME, CLASSIC_GAME, WILD_JACKPOT_GAME, value_text
from lastcard.game.rulesets import Ruleset
from lastcard.match.view import PublicState
from lastcard.rules import refusal_reasons

COLOR_WORDS: Final = ("red", "yellow", "green", "blue", "wild")

_REASON_TEXTS: Final[dict[int, str]] = {
    refusal_reasons.ROUND_OVER: "the round is over",
    refusal_reasons.NOT_YOUR_TURN: "it is the turn of seat {turn}, not of seat {seat}",
    refusal_reasons.DECIDE_FIRST: "seat {turn} must decide first: {decision}",
    refusal_reasons.NOT_HELD: "you do not hold {card}",
    refusal_reasons.NO_MATCH: "{card} does not match {top}",
    refusal_reasons.COLOR_HELD: "Wild Draw Four needs a hand without {color}, and you hold {same}",
    refusal_reasons.ONLY_DRAWN: "after drawing only the drawn card may be played, not {card}",
    refusal_reasons.DRAWN_CARD: (
        "you have just drawn {card} because of a card or a penalty; play it from your next turn on"
    ),
    refusal_reasons.MUST_PLAY_DRAWN: "the drawn card can be played and must be",
    refusal_reasons.ALREADY_DREW: "one draw a turn: play the drawn card or pass",
    refusal_reasons.MUST_NOT_DRAW: "you hold a card that can be played, so you may not draw",
    refusal_reasons.NOTHING_TO_DRAW: "there is nothing to draw and you hold a card that can be played",
    refusal_reasons.COLOR_NEEDED: "name a color, like {card}=R",
    refusal_reasons.TARGET_NEEDED: "name another player, like {card}>{other}",
    refusal_reasons.BAD_TARGET: "seat {target} cannot be named here; {nameable}",
    refusal_reasons.TARGET_PROTECTED: "a player on one card is protected from a Forced Swap; {nameable}",
    refusal_reasons.NOT_LAST: "{card} may not be the last card",
    refusal_reasons.NO_ANSWER: "{card} does not answer the {pending} cards that are waiting: {decision}",
    refusal_reasons.NO_CHALLENGE: "there is no Wild Draw Four to challenge or draw to accept",
    refusal_reasons.NOT_CHALLENGER: "only the player who must draw decides on it: seat {turn}",
    refusal_reasons.CALL_COUNT: "UNO is called with one card, or with two before playing; you hold {held}",
    refusal_reasons.CALL_EARLY: "UNO may only be called with the play or after it",
    refusal_reasons.CALL_NOT_NOW: "no call and no catch until this is resolved: {decision}",
    refusal_reasons.CATCH_SELF: "nobody can catch themselves",
    refusal_reasons.CATCH_CLOSED: "seat {target} cannot be caught now",
    refusal_reasons.NO_JUMP_IN: "it is not your turn, and there is no jump-in at this table",
    refusal_reasons.NOT_IDENTICAL: "a jump-in needs a card identical to {top}",
    refusal_reasons.JUMP_LATE: "it is too late to jump in",
    refusal_reasons.THROW_WILD: "a wild has no color and cannot be thrown off",
    refusal_reasons.THROW_COLOR: "a {cardcolor} card has been thrown off already",
    refusal_reasons.NO_PASS: "a turn is passed only by drawing",
    refusal_reasons.NO_LEVER: "the lever is pulled only for a Jackpot card",
    refusal_reasons.NOT_ASKED: "nobody is asked for that now; seat {turn} is to {decision}",
    refusal_reasons.NOT_AN_ACT: "that is no move of this game",
    refusal_reasons.SURPLUS: "{card} names neither a color nor a player here",
}

_VARIANT_TEXTS: Final[dict[str, str]] = {
    "accused": "nobody can challenge their own card; every other seat may",
    "no-seat": "there is no seat {target}; the seats are 0 to {last}",
    "out-of-turn": "with two cards UNO is called on your own turn, before playing; it is the turn of seat {turn}",
    "stacked": "the {pending} cards that are waiting cannot be challenged; seat {turn} is to {decision}",
    "undecided": "with two cards UNO is called before playing, and seat {turn} must decide first: {decision}",
    "wild": "wilds never jump in",
}
"""Texts in place of the usual ones, by the names in ``TEXT_VARIANTS``."""

_NO_SUCH_SEAT: Final = "there is no seat {seat}; the seats are 0 to {last}"

_DECISIONS: Final[dict[str, str]] = {
    "play": "play a card or draw",
    "drawn": "play the drawn card or pass",
    "challenge": "challenge or accept",
    "stack": "answer with a card or accept",
    "color": "name a color, like color=R",
    "choose": "name a player, like choose>1",
    "pull": "pull the lever",
    "throw": "throw a card, like throw R5, or stop",
    "bury": "bury a card, like bury R5",
    "streak": "lay the next card of the row",
    "take": "name whom to take from, like take>1",
    "perform": "do the dare, then say done",
}
"""The moves that a phase allows, in words."""

_ANSWER_OR_CHALLENGE: Final = "answer with a card, challenge or accept"
"""In place of a challenge alone, if ``allows_stacking_answer``."""

ExceptionRow = tuple[int, str, str, str]

CLAUSE_EXCEPTIONS: Final[tuple[ExceptionRow, ...]] = (
    (refusal_reasons.ONLY_DRAWN, "game", ALL_WILD_GAME, "AW-11"),
    (refusal_reasons.ALREADY_DREW, "game", CLASSIC_GAME, "CL-20"),
    (refusal_reasons.ALREADY_DREW, "game", WILD_JACKPOT_GAME, "CL-20"),
    (refusal_reasons.MUST_NOT_DRAW, "game", ALL_WILD_GAME, "LC-44"),
    (refusal_reasons.MUST_NOT_DRAW, "force_play", "always", "LC-44"),
    (refusal_reasons.NO_MATCH, "face top", "j Wj", "WJ-21"),
    (refusal_reasons.NO_MATCH, "face", "j", "WJ-20"),
    (refusal_reasons.COLOR_NEEDED, "face", "j", "WJ-22"),
    (refusal_reasons.NOT_LAST, "face forced_swap_last_card", "x not_playable_last", "AW-45"),
    # targets of cards and answers
    (refusal_reasons.TARGET_NEEDED, "face", "7", "6.3"),
    (refusal_reasons.TARGET_NEEDED, "face", "x", "AW-24"),
    (refusal_reasons.BAD_TARGET, "face", "7", "6.3"),
    (refusal_reasons.BAD_TARGET, "face", "x", "AW-24"),
    (refusal_reasons.BAD_TARGET, "verb", "catch", "CO-14"),
    (refusal_reasons.BAD_TARGET, "verb", "take", "LC-52"),
    (refusal_reasons.BAD_TARGET, "verb rule", "choose performed", "LC-52"),
    (refusal_reasons.BAD_TARGET, "verb discards wj_first_jackpot", "choose 1 rule_card", "WJ-8"),
    (refusal_reasons.BAD_TARGET, "verb", "choose", "WJ-40a"),
    # pending draws
    (refusal_reasons.NO_ANSWER, "stacking decision", "off stack", "LC-45"),
    (refusal_reasons.NO_ANSWER, "stacking face", "off +2", "CL-27"),
    (refusal_reasons.NO_ANSWER, "stacking face", "off +4", "CL-27"),
    (refusal_reasons.NO_ANSWER, "stacking", "off", "CL-32"),
    (refusal_reasons.NO_CHALLENGE, "game", ALL_WILD_GAME, "AW-20"),
    (refusal_reasons.NO_CHALLENGE, "stacking decision", "off stack", "LC-45"),
    (refusal_reasons.NO_CHALLENGE, "decision", "stack", "LC-40"),
    (refusal_reasons.NOT_CHALLENGER, "decision", "stack", "LC-1"),
    (refusal_reasons.NOT_CHALLENGER, "challenge_by", "anyone", "LC-19"),
    # out of turn, or too early
    (refusal_reasons.CALL_COUNT, "held seat decision", "2 turn challenge", "LC-5"),
    (refusal_reasons.CATCH_CLOSED, "uno_window", "no_penalty", "LC-16"),
    (refusal_reasons.CATCH_CLOSED, "uno_window", "automatic_call", "LC-16"),
    (refusal_reasons.NOT_IDENTICAL, "game color", f"{CLASSIC_GAME} W", "6.2"),
    (refusal_reasons.NOT_IDENTICAL, "game color", f"{WILD_JACKPOT_GAME} W", "6.2"),
    (refusal_reasons.DECIDE_FIRST, "decision rule", "color none", "CL-10"),
    *(
        (refusal_reasons.DECIDE_FIRST, "decision", decision, "WJ-26")
        for decision in ("color", "choose", "pull", "throw", "bury", "streak", "take", "perform")
    ),
)
"""Exceptions from the usual clause of a reason: the reason, the facts that matter, their values, the clause.

The first row that matches counts. Facts are the ``game``, the ``decision``, every option, and of the move its ``verb``,
and the ``color`` and the ``face`` of its card in notation (``R`` and ``7``); ``top`` is the top card; ``seat`` is the
``turn`` or an ``other``, ``held`` the number of its cards; ``target`` is a ``seat`` or ``none``, ``rule`` is
``performed`` during a rule card, else ``none``; ``discards`` is ``1`` while the first card is being resolved, else
``more``, even if a reshuffle has left a single discard (LC-10).
"""

TEXT_VARIANTS: Final[tuple[ExceptionRow, ...]] = (
    (refusal_reasons.BAD_TARGET, "target", "none", "no-seat"),
    (refusal_reasons.NO_CHALLENGE, "decision", "stack", "stacked"),
    (refusal_reasons.NOT_CHALLENGER, "verb challenge_by", "challenge anyone", "accused"),
    (refusal_reasons.CALL_COUNT, "held seat", "2 other", "out-of-turn"),
    (refusal_reasons.CALL_COUNT, "held decision", "2 challenge", "undecided"),
    (refusal_reasons.NOT_IDENTICAL, "game color", f"{CLASSIC_GAME} W", "wild"),
    (refusal_reasons.NOT_IDENTICAL, "game color", f"{WILD_JACKPOT_GAME} W", "wild"),
)
"""Exceptions from the usual text of a reason, in the same form; the last member is the name of the text.

Its key in the catalog is ``refused.<code>.<name>``.
"""


def make_refusal(
    rules: Ruleset, public: PublicState, seat: int, hand: Sequence[int], move: Move, reason_code: int, *, opening: bool
) -> IllegalMove:
    """Returns the error for a refused move.

    Args:
        hand: cards of that seat; empty if there is no such seat.
        reason_code: one of the numbers of ``rules/refusal_reasons.py``.
        opening: whether the first card is still being resolved.
    """
    code, clause = refusal_reasons.ALL[reason_code]
    facts = _facts(rules, public, seat, move) | {"discards": "1" if opening else "more"}
    clause = _find_exception(CLAUSE_EXCEPTIONS, reason_code, rules, facts) or clause
    variant = _find_exception(TEXT_VARIANTS, reason_code, rules, facts)
    text = _VARIANT_TEXTS[variant] if variant else _REASON_TEXTS[reason_code]
    if reason_code == refusal_reasons.NOT_YOUR_TURN and seat not in range(public.players):
        text = _NO_SUCH_SEAT
    filled = text.format(**_text_values(rules, public, seat, hand, move))
    name = "Wild Draw Four" if move.card == W_DRAW_FOUR and reason_code != refusal_reasons.COLOR_HELD else None
    message = f"{name}: {filled}" if name and "{card}" not in text else filled
    return IllegalMove(code, clause, f"{message}: {clause}", variant)


def _facts(rules: Ruleset, public: PublicState, seat: int, move: Move) -> dict[str, str]:
    """Returns the facts that select clause and text; ``CLAUSE_EXCEPTIONS`` describes them."""
    card = CARD_NAMES.get(-1 if move.card is None else move.card, "")
    return {
        "game": rules.game,
        "decision": public.decision,
        "verb": move.verb,
        "color": card[:1],
        "face": card[1:],
        "top": card_name(public.top),
        "seat": "turn" if seat == public.turn else "other",
        "held": str(public.counts[seat]) if seat in range(public.players) else "",
        "target": "seat" if move.target in range(public.players) else "none",
        "rule": "none" if public.performer is None else "performed",
    }


def _find_exception(rows: Iterable[ExceptionRow], reason_code: int, rules: Ruleset, facts: Mapping[str, str]) -> str:
    """Returns the last member of the first row that matches; empty if none does."""
    for own, names, values, found in rows:
        if own == reason_code and values == " ".join(
            facts[name] if name in facts else value_text(getattr(rules.options, name)) for name in names.split()
        ):
            return found
    return ""


def allows_stacking_answer(rules: Ruleset, decision: str) -> bool:
    """Whether a card may answer a Wild Draw Four that may be challenged, which stacking allows (LC-40)."""
    return decision == "challenge" and rules.options.stacking != "off"


def seats_with_effective_call(rules: Ruleset, public: PublicState) -> set[int]:
    """Return the seats whose call of UNO alone counts now, neither refused nor penalized (CO-11, LC-17, LC-18)."""
    if public.decision not in ("play", "drawn", "challenge", "stack"):
        return set()
    early = rules.options.uno_early_call
    turn = public.turn if public.decision != "challenge" and early == "own_turn_two_cards" else None
    return {
        seat
        for seat, held in enumerate(public.counts)
        if held == 1 or (held == 2 and (seat == turn or early == "any_time"))
    }


def nameable_seats(rules: Ruleset, public: PublicState, seat: int, card: int | None) -> list[int]:
    """Returns the seats that can be named now, by a card or as a choice (None) (AW-23, AW-24, LC-34, LC-52)."""
    if public.decision in ("choose", "take"):
        return sorted(public.candidates)
    protects = card == W_SWAP and rules.options.forced_swap_target == "not_player_with_one_card"
    return [other for other, held in enumerate(public.counts) if other != seat and not (protects and held == 1)]


def _text_values(rules: Ruleset, public: PublicState, seat: int, hand: Sequence[int], move: Move) -> dict[str, object]:
    top = card_name(public.top)
    if 0 <= public.color != card_color(public.top):
        top += f", current color {COLOR_WORDS[public.color]}"
    seats = nameable_seats(rules, public, seat, move.card)
    return {
        "turn": public.turn,
        "seat": seat,
        "last": public.players - 1,
        "decision": _ANSWER_OR_CHALLENGE
        if allows_stacking_answer(rules, public.decision)
        else _DECISIONS.get(public.decision, ""),
        "card": CARD_NAMES.get(-1 if move.card is None else move.card, "that card"),
        "cardcolor": COLOR_WORDS[card_color(move.card)] if move.card is not None else "",
        "top": top,
        "color": COLOR_WORDS[public.color] if public.color >= 0 else "that color",
        "same": hand_text(c for c in hand if card_color(c) == public.color),
        "target": move.target,
        "other": seats[0] if seats else "SEAT",
        "nameable": _nameable_text(seats),
        "pending": public.pending,
        "held": len(hand),
    }


def _nameable_text(seats: Sequence[int]) -> str:
    if not seats:
        return "nobody can be named"
    return f"seat{'s' if len(seats) > 1 else ''} {', '.join(map(str, seats))} can be named"
