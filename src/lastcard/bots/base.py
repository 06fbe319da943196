"""What a bot is: a name, a choice on its turn, a reaction out of turn. It sees a View and nothing else."""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Protocol

import numpy as np

from lastcard.ai import decision
from lastcard.ai.manners import Character
from lastcard.bots.desk import Desk
from lastcard.bots.learned import ALL_UNASKED
from lastcard.game.actions import CALLS, Move, action_move, move_action
from lastcard.game.cards import W_TARGETED
from lastcard.game.numbers import as_int, as_number
from lastcard.rules.layout import NOTHING

if TYPE_CHECKING:
    from lastcard.match.view import View
_MASK: Final = 0xFFFFFFFF
_WARM_UP: Final = 12
MOST_PACE: Final = 1000.0
"""The slowest bot there can be."""


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

    Raises:
        UsageError: for a number out of range.
    """

    calls: int = 100
    catches: int = 100
    jumps: int = 100
    bluffs: int = 100
    challenges: int = 100
    pace: float = 1.0

    def __post_init__(self) -> None:
        for name in ("calls", "catches", "jumps", "bluffs", "challenges"):
            object.__setattr__(self, name, as_int(name, getattr(self, name), 0, 100))
        object.__setattr__(self, "pace", as_number("pace", self.pace, 0, MOST_PACE))


ATTENTIVE: Final = Manners()
"""Never forgets a call, never misses a catch or a chance to jump in."""
CASUAL: Final = Manners(calls=88, catches=55, jumps=50, bluffs=30, challenges=50)
"""Behaves like people at a kitchen table."""


class Dice:
    """sfc32, as ``engine.chance.roll``, in plain Python; compiled code goes on with the same state.

    A bot's chance follows from its own seed and from what it sees, nothing else. So the same view gets the same move,
    and a match that was saved goes on as if it had never stopped.

    Args:
        seed: any bytes.
    """

    __slots__ = ("state",)

    def __init__(self, seed: bytes) -> None:
        a, b, c = struct.unpack_from("<III", hashlib.sha256(seed).digest())
        self.state: Any = np.array(_roll(_WARM_UP, a, b, c, 1)[1:], np.int64)
        """int64[DICE]."""

    def below(self, n: int) -> int:
        """An integer in ``range(n)``, unbiased; n from 1 to 2**32."""
        threshold = (_MASK + 1) % n
        product = self._roll() * n
        while product & _MASK < threshold:
            product = self._roll() * n
        return product >> 32

    def _roll(self) -> int:
        word, *self.state[:] = _roll(1, *self.state.tolist())
        return word


def _roll(times: int, a: int, b: int, c: int, counter: int) -> tuple[int, int, int, int, int]:
    """The last of so many words, and the state after it."""
    word = 0
    for _ in range(times):
        word = (a + b + counter) & _MASK
        counter = (counter + 1) & _MASK
        a, b, c = b ^ (b >> 9), (c + (c << 3)) & _MASK, (((c << 21) | (c >> 11)) + word) & _MASK
    return word, a, b, c, counter


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


class SeededBot:
    """A bot whose chance follows from its seed and the view. All but what to play is decided in compiled code, and
    with most kinds of bots that as well (``mind.decision``); others have their own ``pick``, and maybe ``jump``.

    Args:
        seed: any bytes; bots at one table have different ones.
        manners: how it behaves, apart from how well it plays.
        slips: how many of a hundred plays it makes without thinking, as the random bot does.
    """

    name = ""
    kind: int = decision.OWN
    """How it chooses."""
    library = ALL_UNASKED
    """Which networks it asks."""

    def __init__(self, seed: bytes = b"", manners: Manners = ATTENTIVE, slips: int = 0) -> None:
        self.seed = seed
        self.manners = manners
        self.slips = as_int("slips", slips, 0, 100)
        self._desk = Desk(self.library)

    def pick(self, view: View, moves: Sequence[Move], dice: Dice) -> Move:
        """One of two or more moves to make on this seat's turn, without a call."""
        raise NotImplementedError(f"{type(self).__name__} has no way of its own to choose")

    def jump(self, view: View, moves: Sequence[Move], dice: Dice) -> Move | None:
        """One of the cards that can be laid out of turn (LC-41), or None."""
        return None

    def choose(self, view: View) -> Move:
        """A move on this seat's turn, with a call where its manners say so."""
        return action_move(self._decide(decision.choose, view))

    def react(self, view: View) -> Move | None:
        """The call it owes, a catch, or a jump-in, as its manners are."""
        action = self._decide(decision.react, view)
        return None if action == NOTHING else action_move(action)

    def _decide(self, door: Callable[..., int], view: View) -> int:
        """What a door of ``mind.decision`` says; where it leaves the choice open, that is made here."""
        desk, dice, manners = self._desk, view_dice(self.seed, view), self.manners
        desk.show(view)
        dice.state = desk.lay_out(dice.state)
        who = Character(
            self.kind,
            manners.calls,
            manners.catches,
            manners.jumps,
            manners.bluffs,
            manners.challenges,
            self.slips,
        )
        action = door(desk.scene, desk.learned, desk.room, desk.weighings, who, dice.state)
        if action == decision.OPEN:
            self._settle(view, dice)
            action = decision.settle(desk.scene, desk.weighings, who, dice.state)
        return action

    def _settle(self, view: View, dice: Dice) -> None:
        """Put first what is chosen of the choices on the desk."""
        weighing = self._desk.weighings[0]
        actions = weighing["actions"][: weighing["choices"]].tolist()
        moves = [action_move(action) for action in actions if action != NOTHING]
        move = self.pick(view, moves, dice) if len(moves) == len(actions) else self.jump(view, moves, dice)
        weighing["actions"][0] = NOTHING if move is None else move_action(move)
        weighing["order"][0] = 0


def choices(view: View) -> list[Move]:
    """What a seat chooses from on its turn: all but calls and catches, which it may make besides."""
    return [move for move in view.legal if move.verb not in CALLS]


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
        The seat and its move; None where no bot wants anything. Seats that can be caught are asked first, for who owes
        a call knows it before the others see it; then clockwise from the seat on turn.
    """
    exposed = view(turn).exposed
    clockwise = [(turn + i) % len(bots) for i in range(len(bots))]
    for seat in sorted(clockwise, key=lambda seat: seat not in exposed):
        bot = bots[seat]
        if bot is not None:
            move = bot.react(view(seat))
            if move is not None:
                return seat, move
    return None
