"""Rounds between bots that decide immediately, at random, by heuristics or by both, and the result of each.

The bots are attentive: they forget no call and miss no catch.
"""

from typing import Final, NamedTuple

from lastcard.ai import behavior, decision, heuristic_policy
from lastcard.ai.behavior import BotProfile
from lastcard.kernel.jit import export_specializable, inlined, kernel
from lastcard.kernel.records import Float64s, Int16s2, Int64s
from lastcard.rules import chance, event_codes, layout, legal, opening, phases, piles, random_policy, turn
from lastcard.rules.round_state import RoundState, RoundStates

# Columns of a result; after them, for each seat, the cards it drew, then for each the points left in its hand.
WINNER: Final = 0
PLIES: Final = 1
CALLS: Final = 2
SEATS: Final = 3

VOID: Final = -1
"""In place of a winner: the round was void (CO-35)."""
STUCK: Final = -2
"""In place of a winner: the round was aborted."""

_WARM_UP: Final = 12
_BLUNDERS_SHIFT: Final = 8


def with_blunders(kind: int, percent: int) -> int:
    """Returns a kind of player that makes a random move in this percentage of its decisions."""
    return kind | percent << _BLUNDERS_SHIFT


class Players(NamedTuple):
    """The players of the rounds."""

    kinds: Int64s
    """For each player BY_CHANCE or BY_HEURISTIC (``decision``), with its random moves (``with_blunders``)."""
    rotates_seats: int
    """1 if players move on one seat after every player has dealt, 0 if seats are fixed."""
    w: Float64s
    """Weights of the heuristics."""
    key: Int64s
    """int64[3], three words of 32 bits: the seed of the players' dice."""


@kernel
def _seed_dice(dice: Int64s, key: Int64s, number: int) -> None:
    """Seed the dice of a round from the key and its number alone."""
    dice[0] = key[0] ^ (number & 0xFFFFFFFF)
    dice[1] = key[1] ^ (number >> 32 & 0xFFFFFFFF)
    dice[2] = key[2]
    dice[3] = 1
    for _ in range(_WARM_UP):
        chance.roll(dice)


@inlined
def _attentive_profile(kind: int) -> BotProfile:
    return BotProfile(kind & 255, 100, 100, 100, 100, 100, 0)


@kernel
def _react(t: RoundState, kinds: Int64s, shift: int, w: Float64s, dice: Int64s, out: Int64s) -> bool:
    """Let a player move out of turn; returns whether one did."""
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
    """Apply the action of the seat on turn, with a call if it may leave one card (LC-5)."""
    seat = t.turn & 15
    if kind == decision.BY_CHANCE or behavior.happens(dice, kind >> _BLUNDERS_SHIFT):
        action = random_policy.choose_random(t, dice, out)
    else:
        action = heuristic_policy.choose_by_heuristic(t, w, out)
    if behavior.may_leave_one(t, seat, action):
        action = legal.canonical(t, seat, behavior.with_call(action))
    turn.apply(t, seat, action)


@inlined
def _count(t: RoundState, outcomes: Int16s2, i: int) -> None:
    """Count the calls and drawn cards of the event log."""
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
        states: array of one state, with options packed and the event log on.
        first: number of the first round; the dealer of a round is its number modulo the seats.
        players: players of the rounds.
        out: scratch: MAX_ACTIONS int64, then a Dice.
        outcomes: int16[rounds, SEATS + 2 * players], zeros; written: one row for each round.
        limit: number of plies after which a round is aborted.
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
