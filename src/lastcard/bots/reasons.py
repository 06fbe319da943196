"""What speaks for a move, as facts of the position: nothing is said that the seat cannot check for itself."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import comb
from typing import TYPE_CHECKING, Final

import numpy as np

from lastcard.bots.base import swaps_hands
from lastcard.bots.desk import count_deck
from lastcard.bots.search import Choice
from lastcard.game.actions import Move
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
from lastcard.game.options import ALL_WILD_GAME, RuleOptions
from lastcard.game.rulesets import ruleset
from lastcard.rules.table import TABLE

if TYPE_CHECKING:
    from lastcard.match.view import View

FEW: Final = 2
"""Cards with which a player may soon be out."""
_WILD_STRIKES: Final = (SKIP, DRAW_TWO, DRAW_FOUR, SKIP_TWO)
_COLORED_STRIKES: Final = (SKIP, DRAW_TWO)


@dataclass(frozen=True, slots=True)
class Reason:
    """A sentence to be put in words.

    Args:
        name: of the sentence; the words are the text ``advice.<name>``.
        n: a number in it, which its plural follows.
        player: a seat named in it.
        card: a card named in it.
        color: a color named in it.
        hands: numbers of cards, before and after a swap.
    """

    name: str
    n: int = 0
    player: int | None = None
    card: int | None = None
    color: int | None = None
    hands: tuple[int, int] = (0, 0)


def find_reason(view: View, choice: Choice, choices: Sequence[Choice]) -> Reason:
    """The weightiest thing that can be said for a move; where there is none, that deals were imagined.

    Args:
        view: of the seat that is to move.
        choice: the move and its worth.
        choices: all that was weighed, best first.
    """
    move = choice.move
    assert move is not None and view.hand is not None
    if len(choices) == 1:
        return Reason("only")
    sight = _Sight(view)
    reason = None
    if move.verb == "play" and len(view.hand) == 1 and choice.chance == 1:
        reason = Reason("wins")
    elif view.decision == "challenge" and move.verb in ("challenge", "accept"):
        reason = sight.suspicion()
    elif move.verb in ("play", "draw", "pass", "color"):
        worse = [other.move for other in choices if other.move is not None and other.chance <= choice.chance]
        reason = sight.strike(move) or sight.turn(move) or sight.swap(move) or sight.bluff(move)
        reason = reason or sight.keep(move, worse) or sight.color(move)
    return reason or Reason("best" if choice is choices[0] else "average", n=choice.rollouts)


class _Sight:
    """What a seat sees at a glance."""

    def __init__(self, view: View) -> None:
        assert view.seat is not None and view.hand is not None
        self.view = view
        self.seat = view.seat
        self.hand = view.hand
        rules = ruleset(view.rules)
        self.options: RuleOptions = rules.options
        self.all_wild = rules.game == ALL_WILD_GAME

    def strike(self, move: Move) -> Reason | None:
        """A card against somebody who is nearly out."""
        if move.card is None or not self._strikes(move.card) or self.view.decision == "stack":
            return None
        victim = self._neighbor(1) if move.target is None else move.target
        if self._is_friend(victim) or self.view.counts[victim] > FEW:
            return None
        return Reason("strike", n=self.view.counts[victim], player=victim)

    def turn(self, move: Move) -> Reason | None:
        """A Reverse away from somebody who is nearly out."""
        counts, after, before = self.view.counts, self._neighbor(1), self._neighbor(-1)
        if move.card is None or card_face(move.card) != REVERSE or self.view.decision == "stack":
            return None
        if self._is_friend(after) or counts[after] > FEW or counts[before] <= counts[after]:
            return None
        return Reason("turn", n=counts[after], player=after)

    def swap(self, move: Move) -> Reason | None:
        """Fewer cards than before."""
        if not swaps_hands(move):
            return None
        mine, theirs = len(self.hand) - 1, self.view.counts[move.target or 0]
        return Reason("swap", hands=(mine, theirs)) if theirs < mine else None

    def bluff(self, move: Move) -> Reason | None:
        """A Wild Draw Four, with or without the color in force (CL-30)."""
        color = self.view.color
        if move.card != W_DRAW_FOUR or self.all_wild or self.options.wd4_mode != "challenge" or color == NO_COLOR:
            return None
        return Reason("bluff" if self._held(color, self.hand) else "honest", color=color)

    def keep(self, move: Move, worse: Iterable[Move]) -> Reason | None:
        """A strike against somebody who is nearly out, or a wild, that could have been played at no better a chance."""
        if self._moves_hands(move):
            return None
        others = {other.card for other in worse if other.verb == "play" and other.card not in (None, move.card)}
        foes = [seat for seat in self._others() if not self._is_friend(seat) and self.view.counts[seat] <= FEW]
        strikes = [card for card in self.hand if self._strikes(card)]
        if foes and len(strikes) == 1 and strikes[0] in others:
            foe = min(foes, key=lambda seat: self.view.counts[seat])
            return Reason("keep_strike", n=self.view.counts[foe], player=foe, card=strikes[0])
        wilds = [card for card in sorted(others, key=str) if card is not None and is_wild(card)]
        if wilds and not self.all_wild and (move.card is None or not is_wild(move.card)):
            return Reason("keep_wild", card=wilds[0])
        return None

    def color(self, move: Move) -> Reason | None:
        """The color in force after the play is the one this seat holds most of."""
        color, left = move.color, list(self.hand)
        if move.card is not None:
            left.remove(move.card)
            color = color if is_wild(move.card) else card_color(move.card)
        counts = [self._held(each, left) for each in COLORS]
        if color is None or self._moves_hands(move) or not 0 < counts[color] == max(counts):
            return None
        return Reason("color", n=counts[color], color=color)

    def suspicion(self) -> Reason | None:
        """How likely whoever laid a Wild Draw Four held the color, by the cards this seat cannot see alone."""
        table = np.frombuffer(self.view.table, TABLE)[0]
        accused, color = int(table["accused"]), int(table["color_before"])
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

    def _strikes(self, card: int) -> bool:
        if card == W_TARGETED:
            return True
        faces = _WILD_STRIKES if is_wild(card) else _COLORED_STRIKES
        reverse = card_face(card) == REVERSE and self.view.players == 2 and self.options.two_player_reverse == "skip"
        return card_face(card) in faces or reverse

    def _moves_hands(self, move: Move) -> bool:
        """Whether the hand may be another one after the move: by a swap, a zero or the lever (LC-42, WJ-40)."""
        if move.card is None:
            return False
        face, colored = card_face(move.card), not is_wild(move.card)
        return swaps_hands(move) or face == JACKPOT or (self.options.seven_zero and colored and face in (0, 7))

    def _held(self, color: int, cards: Iterable[int]) -> int:
        return sum(card_color(card) == color for card in cards)
