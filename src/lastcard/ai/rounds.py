"""Many rounds between players that decide at once, by chance or by rules of thumb, and what came of each.

They are attentive: nobody forgets a call or misses a catch.
"""

from typing import Final, NamedTuple

from lastcard.ai import behavior, decision, heuristic_policy
from lastcard.ai.behavior import BotProfile
from lastcard.kernel.jit import export_specializable, inlined, kernel
from lastcard.kernel.records import Float64s, Int16s2, Int64s
from lastcard.rules import chance, event_codes, layout, legal, opening, phases, piles, random_policy, turn
from lastcard.rules.round_state import RoundState, RoundStates

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
    rotates_seats: int
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
def _attentive_profile(kind: int) -> BotProfile:
    return BotProfile(kind, 100, 100, 100, 100, 100, 0)


@kernel
def _react(t: RoundState, kinds: Int64s, shift: int, w: Float64s, dice: Int64s, out: Int64s) -> bool:
    """Let somebody act out of turn; returns whether one did."""
    asked = (1 << t.players) - 1
    while asked != 0:
        seat = behavior.next_to_ask(t, asked)
        asked &= ~(1 << seat)
        profile = _attentive_profile(kinds[(seat + shift) % t.players])
        action = decision.react_at_once(t, seat, profile, w, dice, out)
        if action != layout.NOTHING:
            turn.apply(t, seat, legal.canonical(t, seat, action))
            return True
    return False


@inlined
def _take_turn(t: RoundState, kind: int, w: Float64s, dice: Int64s, out: Int64s) -> None:
    """The act of the seat on turn, with a call where it may be left with one card (LC-5)."""
    seat = t.turn & 15
    if kind == decision.BY_CHANCE:
        action = random_policy.choose_random(t, dice, out)
    else:
        action = heuristic_policy.choose_by_heuristic(t, w, out)
    if behavior.may_leave_one(t, seat, action):
        action = legal.canonical(t, seat, behavior.with_call(action))
    turn.apply(t, seat, action)


@inlined
def _count(t: RoundState, outcomes: Int16s2, i: int) -> None:
    """Add what the tape tells of calls and of cards drawn."""
    for k in range(t.event_log_n):
        word = int(t.event_log[k])
        event = word & 255
        if event == event_codes.DREW:
            outcomes[i, SEATS + (word >> 8 & 255) - 1] += 1
        elif event == event_codes.CALLED:
            outcomes[i, CALLS] += 1


@export_specializable
def play_rounds(states: RoundStates, first: int, players: Players, out: Int64s, outcomes: Int16s2, limit: int) -> None:
    """Deal and play whole rounds.

    Args:
        states: one, packed and with its tape on.
        first: number of the first round; the dealer is that number modulo the seats.
        players: who plays.
        out: scratch: MAX_ACTIONS int64, and behind them a Dice.
        outcomes: int16[rounds, SEATS + 2 * players], zeros; written: one row for each round that is to be played.
        limit: plies after which a round is given up.
    """
    t = states[0]
    dice = out[-layout.DICE :]
    scratch = out[: -layout.DICE]
    for i in range(outcomes.shape[0]):
        number = first + i
        shift = (t.players - players.rotates_seats * (number // t.players) % t.players) % t.players
        _seed_dice(dice, players.key, number)
        opening.deal(t, number % t.players, number, 0)
        _count(t, outcomes, i)
        plies = 0
        while t.phase != phases.OVER and plies < limit:
            may_react = t.exposed != 0 or t.jump_in != 0
            if not may_react or not _react(t, players.kinds, shift, players.w, dice, scratch):
                _take_turn(t, players.kinds[(t.turn + shift) % t.players], players.w, dice, scratch)
            _count(t, outcomes, i)
            plies += 1
        outcomes[i, WINNER] = STUCK if t.phase != phases.OVER else t.winner
        outcomes[i, PLIES] = plies
        for seat in range(t.players):
            outcomes[i, SEATS + t.players + seat] = piles.hand_points(t, seat)
