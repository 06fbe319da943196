"""What a bot is: a name, a choice on its turn, a reaction out of turn. It sees a View and nothing else."""

from __future__ import annotations

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, Protocol

from lastcard.game.actions import CALLS, Move
from lastcard.game.cards import W_DRAW_FOUR, W_TARGETED, card_color

if TYPE_CHECKING:
    from lastcard.play.view import View
_MASK: Final = 0xFFFFFFFF
_WARM_UP: Final = 12


class Bot(Protocol):
    """A player that is a program."""

    name: str
    """How the kind of bot is called in the registry."""

    def choose(self, view: View) -> Move:
        """One of ``view.legal``, maybe with a call, when the table waits for this seat."""
        ...

    def react(self, view: View) -> Move | None:
        """An act out of turn (a call, a catch, a jump-in), or None."""
        ...


@dataclass(frozen=True, slots=True)
class Manners:
    """How a bot behaves at the table, apart from how well it plays.

    Args:
        calls: how many of a hundred UNO calls it does not forget.
        catches: how many of a hundred forgotten calls of others it notices.
        jumps: how many of a hundred chances to jump in it does not miss.
        bluffs: at how many of a hundred chances to bluff with a Wild Draw Four it would think of it.
        challenges: at how many of a hundred Wild Draw Fours of others it would think of a challenge.
        pace: how long it takes, as a multiple of what the table allows for bots.
    """

    calls: int = 100
    catches: int = 100
    jumps: int = 100
    bluffs: int = 100
    challenges: int = 100
    pace: float = 1.0


ATTENTIVE: Final = Manners()
"""Never forgets a call, never misses a catch or a chance to jump in."""
CASUAL: Final = Manners(calls=88, catches=55, jumps=50, bluffs=30, challenges=50)
"""Behaves like people at a kitchen table."""


class Dice:
    """sfc32, as ``engine.chance.roll``, in plain Python.

    A bot's chance follows from its own seed and from what it sees, nothing else. So the same view gets the same move,
    and a match that was saved goes on as if it had never stopped.

    Args:
        seed: any bytes.
    """

    __slots__ = ("_a", "_b", "_c", "_counter")

    def __init__(self, seed: bytes) -> None:
        digest = hashlib.blake2b(seed, digest_size=12).digest()
        self._a, self._b, self._c = (int.from_bytes(digest[i : i + 4], "little") for i in (0, 4, 8))
        self._counter = 1
        for _ in range(_WARM_UP):
            self._roll()

    def _roll(self) -> int:
        word = (self._a + self._b + self._counter) & _MASK
        self._counter = (self._counter + 1) & _MASK
        self._a = self._b ^ (self._b >> 9)
        self._b = (self._c + (self._c << 3)) & _MASK
        self._c = ((((self._c << 21) | (self._c >> 11)) & _MASK) + word) & _MASK
        return word

    def below(self, n: int) -> int:
        """An integer in ``range(n)``, unbiased; n from 1 to 2**32."""
        product = self._roll() * n
        if product & _MASK < n:
            threshold = (_MASK + 1) % n
            while product & _MASK < threshold:
                product = self._roll() * n
        return product >> 32

    def chance(self, percent: int) -> bool:
        """True so many times in a hundred."""
        return percent >= 100 or (percent > 0 and self.below(100) < percent)


def view_dice(seed: bytes, view: View) -> Dice:
    """The dice with which a bot decides on a view.

    Args:
        seed: the bot's own.
        view: what it sees.
    """
    seen = (
        view.seat,
        view.decision,
        view.turn,
        view.direction,
        view.top,
        view.color,
        None if view.hand is None else tuple(view.hand),
        view.counts,
        view.draw_count,
        len(view.discard),
        view.pending,
        sorted(view.exposed),
        view.drawn,
        view.rule,
        len(view.legal),
    )
    return Dice(seed + repr(seen).encode())


class SeededBot(ABC):
    """A bot whose chance follows from its seed and the view; kinds of bots say what to play.

    Args:
        seed: any bytes; bots at one table have different ones.
        manners: how it behaves, apart from how well it plays.
        slips: how many of a hundred plays it makes without thinking, as the random bot does.
    """

    name = ""

    def __init__(self, seed: bytes = b"", manners: Manners = ATTENTIVE, slips: int = 0) -> None:
        self.seed = seed
        self.manners = manners
        self.slips = slips

    @abstractmethod
    def pick(self, view: View, moves: Sequence[Move], dice: Dice) -> Move:
        """One of two or more moves to make on this seat's turn, without a call."""

    def jump(self, view: View, moves: Sequence[Move], dice: Dice) -> Move | None:
        """One of the cards that can be laid out of turn (LC-41), or None."""
        return None

    def choose(self, view: View) -> Move:
        """A move on this seat's turn, with a call where its manners say so."""
        dice = view_dice(self.seed, view)
        moves = considered(view, self.manners, dice)
        if len(moves) == 1:
            move = moves[0]
        elif dice.chance(self.slips):
            move = pick_anything(view, moves, dice)
        else:
            move = self.pick(view, moves, dice)
        return self._called(move, view, dice)

    def react(self, view: View) -> Move | None:
        """The call it owes, a catch, or a jump-in, as its manners are."""
        dice = view_dice(self.seed, view)
        if view.seat in view.exposed and dice.chance(self.manners.calls):
            return Move("uno")
        for move in view.legal:
            if move.verb == "catch" and move.target in view.exposed and dice.chance(self.manners.catches):
                return move
        if view.seat == view.turn:
            return None
        jumps = [move for move in view.legal if move.verb == "play"]
        if not jumps or not dice.chance(self.manners.jumps):
            return None
        jump = self.jump(view, jumps, dice)
        return None if jump is None else self._called(jump, view, dice)

    def _called(self, move: Move, view: View, dice: Dice) -> Move:
        """The move with a call where it leaves one card (LC-5)."""
        if move.verb != "play" or not _leaves_one(move, view) or not dice.chance(self.manners.calls):
            return move
        return replace(move, uno=True)


def choices(view: View) -> list[Move]:
    """What a seat chooses from on its turn: all but calls and catches, which it may make besides."""
    return [move for move in view.legal if move.verb not in CALLS]


def considered(view: View, manners: Manners, dice: Dice) -> list[Move]:
    """The moves a player thinks of on its turn: no call or catch alone; a bluff or a challenge as its manners are."""
    moves = choices(view)
    if view.decision == "challenge" and not dice.chance(manners.challenges):
        moves = [move for move in moves if move.verb != "challenge"]
    bluffs = [move for move in moves if _is_bluff(move, view)]
    if bluffs and len(bluffs) < len(moves) and not dice.chance(manners.bluffs):
        moves = [move for move in moves if move not in bluffs]
    return moves


def _is_bluff(move: Move, view: View) -> bool:
    """Whether a play is a Wild Draw Four with the color in force in hand (CL-30)."""
    return (
        move.verb == "play"
        and move.card == W_DRAW_FOUR
        and any(card_color(card) == view.color for card in view.hand or ())
    )


def pick_anything(view: View, moves: Sequence[Move], dice: Dice) -> Move:
    """Play-if-you-can: any card that fits, uniformly over the distinct cards and then over what each may name.

    Draws only when no card fits, and lays the drawn card when it fits; every other decision is uniform.
    ``engine.batch`` plays the same way in compiled code.
    """
    if view.decision in ("play", "drawn"):
        cards = sorted({move.card for move in moves if move.verb == "play" and move.card is not None})
        if cards:
            card = cards[dice.below(len(cards))]
            moves = [move for move in moves if move.card == card]
    return moves[dice.below(len(moves))]


def _leaves_one(move: Move, view: View) -> bool:
    """Whether the mover may hold exactly one card after a play."""
    return len(view.hand or ()) == 2 or (swaps_hands(move) and view.counts[move.target or 0] == 1)


def swaps_hands(move: Move) -> bool:
    """Whether a move exchanges hands with the seat it names (AW-24, 6.3)."""
    return move.verb == "play" and move.target is not None and move.card != W_TARGETED


def reaction(bots: Sequence[Bot | None], turn: int, view: Callable[[int], View]) -> tuple[int, Move] | None:
    """What some bot does now out of turn.

    Args:
        bots: by seat; None where a person sits.
        turn: the seat the table waits for.
        view: what a seat may know.

    Returns:
        The seat and its move; None where no bot wants anything. Seats are asked clockwise from the seat on turn.
    """
    for i in range(len(bots)):
        seat = (turn + i) % len(bots)
        bot = bots[seat]
        if bot is not None:
            move = bot.react(view(seat))
            if move is not None:
                return seat, move
    return None
