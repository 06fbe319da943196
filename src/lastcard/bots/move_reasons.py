"""Reasons for a move, as facts of the position that the seat can check for itself."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import comb
from typing import TYPE_CHECKING, Final

import numpy as np

from lastcard.bots.base import swaps_hands
from lastcard.bots.search import RatedMove
from lastcard.bots.workspace import count_deck
from lastcard.game.cards import (
    COLORS,
    DRAW_FOUR,
    DRAW_TWO,
    JACKPOT,
    NO_COLOR,
    REVERSE,
    SKIP,
    SKIP_TWO,
    W_DRAW_FOUR,
    W_TARGETED,
    card_color,
    card_face,
    is_wild,
)
from lastcard.game.moves import Move
from lastcard.game.options import ALL_WILD_GAME, RuleOptions
from lastcard.game.rulesets import ruleset
from lastcard.rules.round_state import ROUND_STATE

if TYPE_CHECKING:
    from lastcard.match.view import View

FEW_CARDS: Final = 2
"""Number of cards with which a player may soon be out."""
_WILD_ATTACKS: Final = (SKIP, DRAW_TWO, DRAW_FOUR, SKIP_TWO)
_COLORED_ATTACKS: Final = (SKIP, DRAW_TWO)


@dataclass(frozen=True, slots=True)
class Reason:
    """A reason, to be put in words.

    Args:
        name: name of the reason; its words are the text ``advice.<name>``.
        n: number in it, which selects its plural.
        player: seat in it.
        card: card in it.
        color: color in it.
        hands: numbers of cards before and after a swap.
    """

    name: str
    n: int = 0
    player: int | None = None
    card: int | None = None
    color: int | None = None
    hands: tuple[int, int] = (0, 0)


def find_reason(view: View, choice: RatedMove, choices: Sequence[RatedMove]) -> Reason:
    """The weightiest reason for a move; if there is none, that hidden cards were sampled.

    Args:
        view: view of the seat on turn.
        choice: the move and its rating.
        choices: all rated moves, best first.
    """
    move = choice.move
    assert move is not None and view.hand is not None
    if len(choices) == 1:
        return Reason("only")
    facts = _ViewFacts(view)
    reason = None
    if move.verb == "play" and len(view.hand) == 1 and choice.chance == 1:
        reason = Reason("wins")
    elif view.decision == "challenge" and move.verb in ("challenge", "accept"):
        reason = facts.explain_challenge()
    elif move.verb in ("play", "draw", "pass", "color"):
        worse = [other.move for other in choices if other.move is not None and other.chance <= choice.chance]
        reason = (
            facts.explain_attack(move)
            or facts.explain_reverse(move)
            or facts.explain_swap(move)
            or facts.explain_bluff(move)
        )
        reason = reason or facts.explain_saved_card(move, worse) or facts.explain_color(move)
    return reason or Reason("best" if choice is choices[0] else "average", n=choice.rollouts)


class _ViewFacts:
    """Facts of a view."""

    def __init__(self, view: View) -> None:
        assert view.seat is not None and view.hand is not None
        self.view = view
        self.seat = view.seat
        self.hand = view.hand
        rules = ruleset(view.rules)
        self.options: RuleOptions = rules.options
        self.all_wild = rules.game == ALL_WILD_GAME

    def explain_attack(self, move: Move) -> Reason | None:
        """An attack on a player who is nearly out."""
        if move.card is None or not self._is_attack(move.card) or self.view.decision == "stack":
            return None
        victim = self._neighbor(1) if move.target is None else move.target
        if self._is_friend(victim) or self.view.counts[victim] > FEW_CARDS:
            return None
        return Reason("strike", n=self.view.counts[victim], player=victim)

    def explain_reverse(self, move: Move) -> Reason | None:
        """A Reverse that passes over a player who is nearly out."""
        counts, after, before = self.view.counts, self._neighbor(1), self._neighbor(-1)
        if move.card is None or card_face(move.card) != REVERSE or self.view.decision == "stack":
            return None
        if self._is_friend(after) or counts[after] > FEW_CARDS or counts[before] <= counts[after]:
            return None
        return Reason("turn", n=counts[after], player=after)

    def explain_swap(self, move: Move) -> Reason | None:
        """A swap that leaves fewer cards."""
        if not swaps_hands(move):
            return None
        mine, theirs = len(self.hand) - 1, self.view.counts[move.target or 0]
        return Reason("swap", hands=(mine, theirs)) if theirs < mine else None

    def explain_bluff(self, move: Move) -> Reason | None:
        """A Wild Draw Four, with or without the current color (CL-30)."""
        color = self.view.color
        if move.card != W_DRAW_FOUR or self.all_wild or self.options.wd4_mode != "challenge" or color == NO_COLOR:
            return None
        return Reason("bluff" if self._count_color(color, self.hand) else "honest", color=color)

    def explain_saved_card(self, move: Move, worse: Iterable[Move]) -> Reason | None:
        """An attack card or a wild that another move, no better, would have spent."""
        if self._may_move_hands(move):
            return None
        others = {other.card for other in worse if other.verb == "play" and other.card not in (None, move.card)}
        foes = [seat for seat in self._others() if not self._is_friend(seat) and self.view.counts[seat] <= FEW_CARDS]
        attacks = [card for card in self.hand if self._is_attack(card)]
        if foes and len(attacks) == 1 and attacks[0] in others:
            foe = min(foes, key=lambda seat: self.view.counts[seat])
            return Reason("keep_strike", n=self.view.counts[foe], player=foe, card=attacks[0])
        wilds = [card for card in sorted(others, key=str) if card is not None and is_wild(card)]
        if wilds and not self.all_wild and (move.card is None or not is_wild(move.card)):
            return Reason("keep_wild", card=wilds[0])
        return None

    def explain_color(self, move: Move) -> Reason | None:
        """The current color after the play, if this seat holds most of it."""
        color, left = move.color, list(self.hand)
        if move.card is not None:
            left.remove(move.card)
            color = color if is_wild(move.card) else card_color(move.card)
        counts = [self._count_color(each, left) for each in COLORS]
        if color is None or self._may_move_hands(move) or not 0 < counts[color] == max(counts):
            return None
        return Reason("color", n=counts[color], color=color)

    def explain_challenge(self) -> Reason | None:
        """The chance that the player of a Wild Draw Four held the color, by the cards hidden from this seat alone."""
        state = np.frombuffer(self.view.information_state, ROUND_STATE)[0]
        accused, color = int(state["challenged_seat"]), int(state["color_before"])
        if accused < 0 or color not in COLORS or self.options.wj_number_distribution == "0-9_random":
            return None
        hidden = count_deck(self.view.rules).copy()
        np.subtract.at(hidden, [*self.hand, *self.view.discard], 1)
        unseen, others = int(hidden.sum()), int(hidden.sum() - hidden[color * 16 : color * 16 + 16].sum())
        held = self.view.counts[accused]
        without = comb(others, held) / comb(unseen, held)
        return Reason("suspicion", n=round(100 * (1 - without)), player=accused, color=color)

    # --- facts ------------------------------------------------------------------------------------------

    def _others(self) -> list[int]:
        return [(self.seat + step) % self.view.players for step in range(1, self.view.players)]

    def _neighbor(self, step: int) -> int:
        return (self.seat + step * self.view.direction) % self.view.players

    def _is_friend(self, seat: int) -> bool:
        return self.options.team_play and (seat - self.seat) % 4 == 2

    def _is_attack(self, card: int) -> bool:
        if card == W_TARGETED:
            return True
        faces = _WILD_ATTACKS if is_wild(card) else _COLORED_ATTACKS
        reverse = card_face(card) == REVERSE and self.view.players == 2 and self.options.two_player_reverse == "skip"
        return card_face(card) in faces or reverse

    def _may_move_hands(self, move: Move) -> bool:
        """Whether the hand may change owners by the move: by a swap, a zero or the lever (LC-42, WJ-40)."""
        if move.card is None:
            return False
        face, colored = card_face(move.card), not is_wild(move.card)
        return swaps_hands(move) or face == JACKPOT or (self.options.seven_zero and colored and face in (0, 7))

    def _count_color(self, color: int, cards: Iterable[int]) -> int:
        return sum(card_color(card) == color for card in cards)
