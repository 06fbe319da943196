"""What a bot is: a name, a choice on its turn, a reaction out of turn. It sees a View and nothing else."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, Protocol

from lastcard.actions import Move
from lastcard.bots.dice import Dice, view_dice
from lastcard.cards import W_TARGETED

if TYPE_CHECKING:
    from lastcard.round import Round
    from lastcard.view import View


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
    """How attentive a bot is.

    Args:
        calls: how many of a hundred UNO calls it does not forget.
        catches: how many of a hundred forgotten calls of others it notices.
        jumps: how many of a hundred chances to jump in it does not miss.
    """

    calls: int = 100
    catches: int = 100
    jumps: int = 100


ATTENTIVE: Final = Manners()
"""Never forgets a call, never misses a catch or a chance to jump in."""
CASUAL: Final = Manners(calls=88, catches=55, jumps=50)
"""Plays like people at a kitchen table."""


class SeededBot(ABC):
    """A bot whose chance follows from its seed and the view; kinds of bots say what to play.

    Args:
        seed: any bytes; bots at one table have different ones.
        manners: how attentive it is to calls and catches.
    """

    name = ""

    def __init__(self, seed: bytes = b"", manners: Manners = ATTENTIVE) -> None:
        self.seed = seed
        self.manners = manners

    @abstractmethod
    def pick(self, view: View, dice: Dice) -> Move:
        """The move to make on this seat's turn, without a call."""

    def jump(self, view: View, dice: Dice) -> Move | None:
        """A card to lay out of turn (LC-41), or None."""
        return None

    def choose(self, view: View) -> Move:
        """See ``Bot.choose``."""
        dice = view_dice(self.seed, view)
        return self._called(self.pick(view, dice), view, dice)

    def react(self, view: View) -> Move | None:
        """See ``Bot.react``."""
        dice = view_dice(self.seed, view)
        if view.seat in view.exposed and dice.chance(self.manners.calls):
            return Move("uno")
        for move in view.legal:
            if move.verb == "catch" and move.target in view.exposed and dice.chance(self.manners.catches):
                return move
        if view.seat == view.turn:
            return None
        jump = self.jump(view, dice)
        return self._called(jump, view, dice) if jump is not None and dice.chance(self.manners.jumps) else None

    def _called(self, move: Move, view: View, dice: Dice) -> Move:
        """The move with a call where it leaves one card (LC-5)."""
        if move.verb != "play" or not _leaves_one(move, view) or not dice.chance(self.manners.calls):
            return move
        return replace(move, uno=True)


def _leaves_one(move: Move, view: View) -> bool:
    """Whether the mover may hold exactly one card after a play."""
    swaps = move.target is not None and move.card != W_TARGETED
    return len(view.hand or ()) == 2 or (swaps and view.counts[move.target or 0] == 1)


def reaction(table: Round, bots: Sequence[Bot | None]) -> tuple[int, Move] | None:
    """What some bot does now out of turn.

    Args:
        table: the round as it stands.
        bots: by seat; None where a person sits.

    Returns:
        The seat and its move; None where no bot wants anything. Seats are asked clockwise from the seat on turn.
    """
    if table.over or not (table.exposed or table.rules.options.jump_in):
        return None
    for i in range(table.players):
        seat = (table.turn + i) % table.players
        bot = bots[seat]
        if bot is not None:
            move = bot.react(table.view(seat))
            if move is not None:
                return seat, move
    return None
