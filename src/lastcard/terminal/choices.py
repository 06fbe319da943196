"""The moves of a seat as a short numbered list: one line a card, whose color or target is asked for later."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from lastcard.game.cards import card_name
from lastcard.game.moves import Move
from lastcard.game.options import RuleOptions
from lastcard.match.view import View
from lastcard.text.narration import Narrator

_MAX_CODES_SHOWN: Final = 4


@dataclass(frozen=True, slots=True)
class Choice:
    """One line of the list, with several moves if a color or a player is still to be named."""

    text: str
    moves: tuple[Move, ...]

    @property
    def codes(self) -> str:
        """Moves in notation: ``W=R, W=Y, W=G, W=B``."""
        codes = [str(move) for move in self.moves]
        return ", ".join(codes) if len(codes) <= _MAX_CODES_SHOWN else f"{codes[0]} … {codes[-1]}"

    def __str__(self) -> str:
        return f"{self.text} – {self.codes}"


def out_of_turn_moves(view: View) -> tuple[Move, ...]:
    """Returns the useful moves of a seat out of turn: a call it owes, a catch, a challenge, a jump-in."""
    useful = []
    for move in view.legal:
        call = move.verb == "uno" and view.seat in view.exposed
        catch = move.verb == "catch" and move.target in view.exposed
        if call or catch or (view.seat != view.turn and move.verb in ("play", "challenge")):
            useful.append(move)
    return tuple(useful)


def find_choices(view: View, narrator: Narrator) -> list[Choice]:
    """Returns the list of choices of the seat that decides next."""
    moves = [move for move in view.legal if move.verb not in ("uno", "catch") or _is_useful(move, view)]
    choices = group_moves(moves, view, narrator)
    return sorted(choices, key=lambda choice: choice.moves[0].verb in ("uno", "catch"))


def group_moves(moves: Iterable[Move], view: View, narrator: Narrator) -> list[Choice]:
    """Returns moves as lines of a list."""
    groups: dict[tuple[str, int | None, int | None], list[Move]] = {}
    for move in moves:
        # A card that names a color or a player is one line; a move that only names one is a line each.
        named = None if move.verb == "play" else (move.target if move.target is not None else move.color)
        groups.setdefault((move.verb, move.card, named), []).append(move)
    return [Choice(move_text(same[0], view, narrator), tuple(same)) for same in groups.values()]


def _is_useful(move: Move, view: View) -> bool:
    """Whether a call or a catch is useful: if false ones are penalized, useless ones are legal too."""
    if move.verb == "catch":
        return move.target in view.exposed
    held = len(view.hand or ())
    return view.seat not in view.called | view.early and (view.seat in view.exposed or held == 2)


def move_text(move: Move, view: View, narrator: Narrator) -> str:
    """Returns a move in words, without the color or player of a play."""
    if move.verb == "play":
        assert move.card is not None
        if view.seat != view.turn:
            return narrator.texts.text("play.choice.jump", card=narrator.card(move.card))
        return narrator.card(move.card)
    options = narrator.match.rules.options
    key = move.verb
    if key == "draw" and _has_nothing_to_draw(view, options):
        key = "draw_pass"
    elif key == "accept" and options.draw_keeps_turn:
        key = "accept.under.draw_keeps_turn"
    values: dict[str, object] = {"n": view.pending}
    if move.card is not None:
        values["card"] = narrator.card(move.card)
    if move.color is not None:
        values["color"] = narrator.texts.color(move.color)
    if move.target is not None:
        values["player"] = narrator.name(move.target)
    return narrator.texts.text(f"play.choice.{key}", **values)


def _has_nothing_to_draw(view: View, options: RuleOptions) -> bool:
    """Whether no card can be drawn: no draw pile, and no discards to shuffle into one (CO-34, LC-10)."""
    remaining = 0 if options.reshuffle == "keep_none" else 1
    return view.draw_count == 0 and len(view.discard) <= remaining


def named_text(move: Move, narrator: Narrator) -> tuple[str, str]:
    """Returns the color or player that a play names, in words and in notation."""
    if move.color is not None:
        return narrator.texts.color(move.color), str(move)
    assert move.target is not None
    return narrator.name(move.target), str(move)


def hand_description(view: View, narrator: Narrator) -> str:
    """Returns a hand in words with notation: ``red 5 (R5), 2 × Wild (W)``."""
    hand = view.hand or ()
    return ", ".join(narrator.cards([card] * hand.count(card)) + f" ({card_name(card)})" for card in sorted(set(hand)))
