"""What a player reads off the table at a glance: friends, foes, threats, colors held."""

from __future__ import annotations

from collections import Counter
from functools import cache, cached_property
from typing import TYPE_CHECKING, Final

from lastcard import cards as c
from lastcard.options import ALL_WILD_GAME
from lastcard.rulesets import Ruleset, ruleset

if TYPE_CHECKING:
    from lastcard.view import View

_NODES: Final = 1500


@cache
def _rules(name: str) -> Ruleset:
    return ruleset(name)


class Sight:
    """A view with what follows from it, worked out when asked for.

    Args:
        view: of a seat.
    """

    def __init__(self, view: View) -> None:
        assert view.seat is not None, "a spectator plays no card"
        self.view = view
        self.seat = view.seat
        self.rules = _rules(view.rules)
        self.options = self.rules.options
        self.all_wild = self.rules.game == ALL_WILD_GAME
        self.hand = Counter(view.hand or ())
        self.size = len(view.hand or ())
        self.team = (self.seat, (self.seat + 2) % 4) if self.options.team_play else (self.seat,)
        self.foes = tuple(seat for seat in range(view.players) if seat not in self.team)

    def beside(self, step: int) -> int:
        """The seat so many places on in the direction of play."""
        return (self.seat + step * self.view.direction) % self.view.players

    def count(self, seat: int) -> int:
        """How many cards a seat holds."""
        return self.view.counts[seat]

    @cached_property
    def threat(self) -> int:
        """The fewest cards any foe holds."""
        return min(self.count(seat) for seat in self.foes)

    def rest(self, card: int) -> Counter[int]:
        """The hand without one card."""
        return self.hand - Counter([card])

    def points(self, card: int) -> int:
        """What a card costs in hand."""
        return c.card_points(card, self.all_wild)

    def colors(self, hand: Counter[int]) -> list[int]:
        """How many cards of each color are in a hand."""
        held = [0] * 4
        for card, n in hand.items():
            if c.card_color(card) != c.WILD:
                held[c.card_color(card)] += n
        return held

    def goes_again(self, card: int) -> bool:
        """Whether its player has the next turn too after a card: a lone opponent loses his."""
        wild, face = c.card_color(card) == c.WILD, c.card_face(card)
        if wild and face == c.SKIP_TWO:
            return self.view.players == 3 or (
                self.view.players == 2 and self.options.two_player_skip_two == "same_player"
            )
        if self.view.players != 2:
            return False
        if face == c.REVERSE:
            return self.options.two_player_reverse == "skip"
        if face == c.SKIP:
            return True
        draws = face == c.DRAW_TWO or (wild and face == c.DRAW_FOUR)
        return draws and self.options.stacking == "off" and not self.options.deflect

    def runs_out(self, card: int, color: int) -> bool:
        """Whether laying a card begins a row of turns that nobody can break before the hand is empty.

        Args:
            card: the first of them.
            color: the color then in force.
        """
        rest = self.rest(card)
        if not rest or not self.goes_again(card) or sum(n for c_, n in rest.items() if not self.goes_again(c_)) > 1:
            return False
        return self._runs(rest, card, color)

    def _runs(self, hand: Counter[int], top: int, color: int) -> bool:
        last = hand.total() == 1
        for card in sorted(hand):
            if not (last or self.goes_again(card)) or (last and card == c.W_SWAP):
                continue
            if self.all_wild or follows(card, top, color, hand):
                rest = hand - Counter([card])
                named = c.COLORS if c.card_color(card) == c.WILD and not self.all_wild else (c.card_color(card),)
                if last or any(self._runs(rest, card, name) for name in named):
                    return True
        return False


def follows(card: int, top: int, color: int, hand: Counter[int]) -> bool:
    """Whether a card may follow another in a row of cards (CL-15; a Wild Draw Four only honestly)."""
    if card == c.W_DRAW_FOUR:
        return not any(c.card_color(held) == color for held in hand)
    if c.card_color(card) == c.WILD:
        return True
    same_face = c.card_color(top) != c.WILD and c.card_face(card) == c.card_face(top)
    return c.card_color(card) == color or same_face


def longest_row(hand: Counter[int], top: int, color: int) -> int:
    """How many cards can be laid one after another, as far as a short search sees (rule card R2)."""
    nodes = 0

    def search(hand: Counter[int], top: int, color: int) -> int:
        nonlocal nodes
        nodes += 1
        best = 0
        if nodes > _NODES:
            return best
        for card in sorted(hand):
            if not follows(card, top, color, hand):
                continue
            rest = hand - Counter([card])
            named = c.COLORS if c.card_color(card) == c.WILD else (c.card_color(card),)
            best = max(best, *(1 + search(rest, card, name) for name in named))
        return best

    return search(hand, top, color)
