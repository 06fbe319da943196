"""The interface of bots: a name, a choice on turn, a reaction out of turn. A bot sees only a view."""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Protocol

import numpy as np

from lastcard.ai import decision
from lastcard.ai.behavior import BotProfile
from lastcard.bots.weights import HEURISTIC_ONLY
from lastcard.bots.workspace import Workspace
from lastcard.game.cards import W_TARGETED
from lastcard.game.moves import CALLS, Move, action_to_move, move_to_action
from lastcard.game.numbers import require_int, require_number
from lastcard.rules.layout import NOTHING

if TYPE_CHECKING:
    from lastcard.match.view import View

_MASK: Final = 0xFFFFFFFF
_WARM_UP: Final = 12
MAX_PACE: Final = 1000.0
"""Pace of the slowest bot."""


class Bot(Protocol):
    """A program that plays. A class of your own needs ``choose`` only, if it inherits from this one.

    >>> class Hasty(Bot):
    ...     def choose(self, view):
    ...         return view.legal[0]
    """

    name: str = ""
    """Name of the kind of bot; empty for that of its class."""

    def choose(self, view: View) -> Move:
        """One of ``view.legal``, perhaps with a call, when the table waits for this seat.

        Raises:
            NotImplementedError: if the class of the bot does not define it.
        """
        raise NotImplementedError(f"{type(self).__name__} needs choose(view), which returns one of view.legal")

    def react(self, view: View) -> Move | None:
        """A move out of turn (a call, a catch, a jump-in), or None; by default the call it owes, or a catch."""
        if view.seat in view.exposed:
            return Move("uno")
        return next((move for move in view.legal if move.verb == "catch" and move.target in view.exposed), None)


@dataclass(frozen=True, slots=True)
class Behavior:
    """The behavior of a bot at the table, apart from its strength.

    Args:
        calls: percentage of its UNO calls that it remembers.
        catches: percentage of the forgotten calls of others that it notices.
        jumps: percentage of its chances to jump in that it notices.
        bluffs: percentage of its chances to bluff with a Wild Draw Four that it considers.
        challenges: percentage of the Wild Draw Fours of others that it considers challenging.
        pace: its thinking time, as a multiple of the table's pace for bots.

    Raises:
        UsageError: if a number is out of range.
    """

    calls: int = 100
    catches: int = 100
    jumps: int = 100
    bluffs: int = 100
    challenges: int = 100
    pace: float = 1.0

    def __post_init__(self) -> None:
        for name in ("calls", "catches", "jumps", "bluffs", "challenges"):
            object.__setattr__(self, name, require_int(name, getattr(self, name), 0, 100))
        object.__setattr__(self, "pace", require_number("pace", self.pace, 0, MAX_PACE))


ATTENTIVE: Final = Behavior()
"""Remembers every call and misses no catch and no chance to jump in."""
CASUAL: Final = Behavior(calls=88, catches=55, jumps=50, bluffs=30, challenges=50)
"""Behaves like people at a kitchen table."""


class Dice:
    """sfc32 in plain Python, as in ``rules.chance``; compiled code continues from the same state.

    A bot's dice depend only on its seed and its view. So the same view gets the same move, and a saved match
    continues as if it had never stopped.
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
    """The last of ``times`` random words, and the state after it."""
    word = 0
    for _ in range(times):
        word = (a + b + counter) & _MASK
        counter = (counter + 1) & _MASK
        a, b, c = b ^ (b >> 9), (c + (c << 3)) & _MASK, (((c << 21) | (c >> 11)) + word) & _MASK
    return word, a, b, c, counter


def view_dice(seed: bytes, view: View) -> Dice:
    """The dice with which a bot with this seed decides on a view of its seat."""
    visible = (  # cards as numbers
        view.seat,
        view.decision,
        view.turn,
        view.direction,
        int(view.top),
        int(view.color),
        None if view.hand is None else tuple(map(int, view.hand)),
        view.counts,
        view.draw_count,
        len(view.discard),
        view.pending,
        sorted(view.exposed),
        None if view.drawn is None else int(view.drawn),
        view.rule,
        len(view.legal),
    )
    return Dice(seed + repr(visible).encode())


class SeededBot:
    """A bot whose dice depend on its seed and the view. Compiled code (``ai.decision``) decides everything for most
    kinds; other kinds choose plays in their own ``pick`` and perhaps ``pick_jump_in``.

    Args:
        seed: any bytes; bots at one table have different ones.
        blunder_rate: percentage of its plays that are random legal moves.
    """

    name = ""
    kind: int = decision.CUSTOM
    """Code of its policy in ``ai.decision``; CUSTOM if ``pick`` chooses the moves."""
    weight_loader = HEURISTIC_ONLY
    """Loads the weights and networks that it uses."""

    def __init__(self, seed: bytes = b"", behavior: Behavior = ATTENTIVE, blunder_rate: int = 0) -> None:
        self.seed = seed
        self.behavior = behavior
        self.blunder_rate = require_int("blunder_rate", blunder_rate, 0, 100)
        self._workspace = Workspace(self.weight_loader)

    def pick(self, view: View, moves: Sequence[Move], dice: Dice) -> Move:
        """One of two or more moves on this seat's turn, without a call."""
        raise NotImplementedError(f"{type(self).__name__} has no way of its own to choose")

    def pick_jump_in(self, view: View, moves: Sequence[Move], dice: Dice) -> Move | None:
        """One of the cards that can be laid out of turn (LC-41), or None."""
        return None

    def choose(self, view: View) -> Move:
        """A move on this seat's turn, with a call if its behavior says so."""
        return action_to_move(self._decide(decision.choose, view))

    def react(self, view: View) -> Move | None:
        """The call it owes, a catch, or a jump-in, as its behavior says."""
        action = self._decide(decision.react, view)
        return None if action == NOTHING else action_to_move(action)

    def _decide(self, decide: Callable[..., int], view: View) -> int:
        """The result of a function of ``ai.decision``; an open choice is made here."""
        workspace, dice, behavior = self._workspace, view_dice(self.seed, view), self.behavior
        workspace.load_view(view)
        dice.state = workspace.load_dice(dice.state)
        profile = BotProfile(
            self.kind,
            behavior.calls,
            behavior.catches,
            behavior.jumps,
            behavior.bluffs,
            behavior.challenges,
            self.blunder_rate,
        )
        action = decide(
            workspace.decision_input, workspace.weights, workspace.scratch, workspace.search_states, profile, dice.state
        )
        if action == decision.OPEN:
            self._resolve_choice(view, dice)
            action = decision.resolve_open(workspace.decision_input, workspace.search_states, profile, dice.state)
        return action

    def _resolve_choice(self, view: View, dice: Dice) -> None:
        """Move the choice to the first place among the choices in the workspace."""
        search_state = self._workspace.search_states[0]
        actions = search_state["actions"][: search_state["choices"]].tolist()
        moves = [action_to_move(action) for action in actions if action != NOTHING]
        move = self.pick(view, moves, dice) if len(moves) == len(actions) else self.pick_jump_in(view, moves, dice)
        search_state["actions"][0] = NOTHING if move is None else move_to_action(move)
        search_state["order"][0] = 0


def list_turn_moves(view: View) -> list[Move]:
    """The legal moves of a seat on its turn, without calls and catches."""
    return [move for move in view.legal if move.verb not in CALLS]


def swaps_hands(move: Move) -> bool:
    """Whether a move exchanges hands with the seat it names (AW-24, 6.3)."""
    return move.verb == "play" and move.target is not None and move.card != W_TARGETED


class ReactableRound(Protocol):
    """What ``find_reaction`` needs of a ``Round``."""

    @property
    def allows_moves_out_of_turn(self) -> bool:
        """Whether moves out of turn are possible."""

    @property
    def turn(self) -> int:
        """The seat on turn."""

    @property
    def exposed(self) -> frozenset[int]:
        """Seats that can be caught."""

    def view(self, seat: int) -> View:
        """What a seat may know."""
        ...


def find_reaction(bots: Sequence[Bot | None], game_round: ReactableRound) -> tuple[int, Move] | None:
    """A bot's move out of turn, and its seat; None if no bot reacts. A person is None among the bots.

    Seats that can be caught are asked first, because a seat knows that it owes a call before others see it. The others
    follow clockwise from the seat on turn. Nobody is asked while the rules allow no such move.
    """
    if not game_round.allows_moves_out_of_turn:
        return None
    turn, exposed = game_round.turn, game_round.exposed
    clockwise = [(turn + i) % len(bots) for i in range(len(bots))]
    for seat in sorted(clockwise, key=lambda seat: seat not in exposed):
        bot = bots[seat]
        if bot is not None:
            move = bot.react(game_round.view(seat))
            if move is not None:
                return seat, move
    return None


def choose_move(game_round: ReactableRound, bots: Sequence[Bot]) -> tuple[int, Move]:
    """A bot's move out of turn and its seat, if there is one; else the move of the seat on turn."""
    turn = game_round.turn
    return find_reaction(bots, game_round) or (turn, bots[turn].choose(game_round.view(turn)))
