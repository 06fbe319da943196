"""Many rounds between players that decide at once, by chance or by rules of thumb, and what came of each.

They are attentive: nobody forgets a call or misses a catch.
"""

from typing import Final, NamedTuple

from lastcard.ai import decision, manners, policy
from lastcard.ai.manners import Character
from lastcard.kernel.jit import inlined, kernel, rounds_door
from lastcard.kernel.records import Float64s, Int16s2, Int64s
from lastcard.rules import batch, chance, layout, legal, opening, phase, piles, tape, turn
from lastcard.rules.table import Table, Tables

# Columns of what came of a round; behind them, for each seat, the cards it drew, and then the points left in its hand.
WINNER: Final = 0
PLIES: Final = 1
CALLS: Final = 2
SEATS: Final = 3

VOID: Final = -1
"""In place of a winner: the round was void (CO-35)."""
STUCK: Final = -2
"""It was given up."""

_WARM_UP: Final = 12


class Players(NamedTuple):
    """Who plays."""

    kinds: Int64s
    """For each player BY_CHANCE or BY_THUMB (``decision``)."""
    moving: int
    """1 where players move on a seat whenever the deal has been all around, 0 where each keeps its own."""
    w: Float64s
    """Weights of the rules of thumb."""
    key: Int64s
    """int64[3], three words of 32 bits: the seed of the players' dice."""


@kernel
def _seed_dice(dice: Int64s, key: Int64s, number: int) -> None:
    """Give each round dice of its own, whoever plays it and when."""
    dice[0] = key[0] ^ (number & 0xFFFFFFFF)
    dice[1] = key[1] ^ (number >> 32 & 0xFFFFFFFF)
    dice[2] = key[2]
    dice[3] = 1
    for _ in range(_WARM_UP):
        chance.roll(dice)


@inlined
def _attentive(kind: int) -> Character:
    return Character(kind, 100, 100, 100, 100, 100, 0)


@kernel
def _react(t: Table, kinds: Int64s, shift: int, w: Float64s, dice: Int64s, out: Int64s) -> bool:
    """Let somebody act out of turn; returns whether one did."""
    asked = (1 << t.players) - 1
    while asked != 0:
        seat = manners.next_asked(t, asked)
        asked &= ~(1 << seat)
        who = _attentive(kinds[(seat + shift) % t.players])
        action = decision.react_at_once(t, seat, who, w, dice, out)
        if action != layout.NOTHING:
            turn.apply(t, seat, legal.canonical(t, seat, action))
            return True
    return False


@inlined
def _take_turn(t: Table, kind: int, w: Float64s, dice: Int64s, out: Int64s) -> None:
    """The act of the seat on turn, with a call where it may be left with one card (LC-5)."""
    seat = t.turn & 15
    if kind == decision.BY_CHANCE:
        action = batch.choose_if_you_can(t, dice, out)
    else:
        action = policy.choose_by_thumb(t, w, out)
    if manners.may_leave_one(t, seat, action):
        action = legal.canonical(t, seat, manners.call_too(action))
    turn.apply(t, seat, action)


@inlined
def _count(t: Table, outcomes: Int16s2, i: int) -> None:
    """Add what the tape tells of calls and of cards drawn."""
    for k in range(t.tape_n):
        word = int(t.tape[k])
        event = word & 255
        if event == tape.DREW:
            outcomes[i, SEATS + (word >> 8 & 255) - 1] += 1
        elif event == tape.CALLED:
            outcomes[i, CALLS] += 1


@rounds_door
def play_many(tables: Tables, first: int, players: Players, out: Int64s, outcomes: Int16s2, limit: int) -> None:
    """Deal and play whole rounds.

    Args:
        tables: one, packed and with its tape on.
        first: number of the first round; the dealer is that number modulo the seats.
        players: who plays.
        out: scratch: MAX_ACTIONS int64, and behind them a Dice.
        outcomes: int16[rounds, SEATS + 2 * players], zeros; written: one row for each round that is to be played.
        limit: plies after which a round is given up.
    """
    t = tables[0]
    dice = out[-layout.DICE :]
    scratch = out[: -layout.DICE]
    for i in range(outcomes.shape[0]):
        number = first + i
        shift = (t.players - players.moving * (number // t.players) % t.players) % t.players
        _seed_dice(dice, players.key, number)
        opening.deal(t, number % t.players, number, 0)
        _count(t, outcomes, i)
        plies = 0
        while t.phase != phase.OVER and plies < limit:
            disorderly = t.exposed != 0 or t.jump_in != 0
            if not disorderly or not _react(t, players.kinds, shift, players.w, dice, scratch):
                _take_turn(t, players.kinds[(t.turn + shift) % t.players], players.w, dice, scratch)
            _count(t, outcomes, i)
            plies += 1
        outcomes[i, WINNER] = STUCK if t.phase != phase.OVER else t.winner
        outcomes[i, PLIES] = plies
        for seat in range(t.players):
            outcomes[i, SEATS + t.players + seat] = piles.hand_points(t, seat)
