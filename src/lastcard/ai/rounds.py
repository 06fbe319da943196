"""Rounds between bots that decide immediately, at random, by heuristics or by both, and the result of each.

The bots are attentive: they forget no call and miss no catch.
"""

from typing import Final, NamedTuple

from lastcard.ai import behavior, decision, heuristic_policy
from lastcard.ai.behavior import BotProfile
from lastcard.kernel.jit import export, export_nogil, export_specializable, inlined, kernel
from lastcard.kernel.records import Float64s, Int16s2, Int64s
from lastcard.rules import chance, event_codes, layout, legal, opening, phases, piles, random_policy, turn
from lastcard.rules.round_state import RoundState, RoundStates

# Columns of a result; after them, for each seat, the cards it drew, then for each the points left in its hand.
WINNER: Final = 0
PLIES: Final = 1
CALLS: Final = 2
SEATS: Final = 3

# Columns of the sums that ``watch_rounds`` adds to; after them, for each seat, scratch.
PLAYED: Final = 0  # rounds
MOVES: Final = 1
TURNS: Final = 2
WAITS: Final = 3  # turns for which a player waited longer than for one turn of everybody else
OVERTAKINGS: Final = 4  # changes of the player who alone has the fewest cards
EVEN_WINS: Final = 5  # rounds won by the players with an even number
ODD_WINS: Final = 6
SUMS: Final = 7

# What ``read_figures`` writes.
ROUND_MOVES: Final = 0
ROUND_TURNS: Final = 1
WAIT_SHARE: Final = 2
ROUND_OVERTAKINGS: Final = 3
SKILL: Final = 4  # share of rounds that a stronger player wins against a weaker one, if either wins
FIGURES: Final = 5

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


class RoundRange(NamedTuple):
    """Rounds by their numbers."""

    first: int
    """Number of the first round, as for ``play_rounds``."""
    count: int  # type: ignore[assignment]  # it hides a method of tuples
    """Number of rounds."""


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


@kernel
def _begin_round(t: RoundState, number: int, players: Players, dice: Int64s) -> int:
    """Deal a round; returns the number of seats that its players have moved on."""
    _seed_dice(dice, players.key, number)
    opening.deal(t, number % t.players, number, 0)
    return (t.players - players.rotates_seats * (number // t.players) % t.players) % t.players


@kernel
def _make_move(t: RoundState, players: Players, shift: int, dice: Int64s, out: Int64s) -> bool:
    """Let a player move; returns whether it was out of turn."""
    if (t.exposed != 0 or t.jump_in != 0) and _react(t, players.kinds, shift, players.w, dice, out):
        return True
    _take_turn(t, players.kinds[(t.turn + shift) % t.players], players.w, dice, out)
    return False


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
        shift = _begin_round(t, first + i, players, dice)
        _count(t, outcomes, i)
        plies = 0
        while t.phase != phases.OVER and plies < limit:
            _make_move(t, players, shift, dice, scratch)
            _count(t, outcomes, i)
            plies += 1
        outcomes[i, WINNER] = STUCK if t.phase != phases.OVER else t.winner
        outcomes[i, PLIES] = plies
        for seat in range(t.players):
            outcomes[i, SEATS + t.players + seat] = piles.hand_points(t, seat)


@inlined
def _find_leader(t: RoundState) -> int:
    """Returns the seat that alone has the fewest cards; -1 if none, or if all have more than half of the first hand."""
    leader = -1
    fewest = t.hand_size // 2 + 1
    for seat in range(t.players):
        if t.held[seat] < fewest:
            fewest = t.held[seat]
            leader = seat
        elif t.held[seat] == fewest:
            leader = -1
    return leader


@export_nogil
def watch_rounds(
    states: RoundStates, rounds: RoundRange, players: Players, out: Int64s, sums: Int64s, limit: int
) -> None:
    """Deal and play whole rounds, and count how long they take, who waits, and who leads.

    Args:
        states: array of one state, with options packed.
        rounds: the rounds to play.
        players: players of the rounds.
        out: scratch: MAX_ACTIONS int64, then a Dice.
        sums: int64[SUMS + seats], added to.
        limit: number of plies after which a round is aborted.
    """
    t = states[0]
    dice = out[-layout.DICE :]
    scratch = out[: -layout.DICE]
    last_turn = sums[SUMS:]
    for i in range(rounds.count):
        shift = _begin_round(t, rounds.first + i, players, dice)
        last_turn[:] = -1
        plies = turns = 0
        leader = -1
        is_new_turn = True
        while t.phase != phases.OVER and plies < limit:
            seat, phase = t.turn, t.phase
            if is_new_turn:
                if last_turn[seat] >= 0 and turns - last_turn[seat] > t.players:
                    sums[WAITS] += 1
                last_turn[seat] = turns
                turns += 1
            was_reaction = _make_move(t, players, shift, dice, scratch)
            plies += 1
            # The same seat has another turn after a Skip between two; an answer to a card belongs to the turn after it.
            is_answer = phase == phases.CHALLENGE or phase == phases.STACK
            is_new_turn = t.turn != seat or (t.phase == phases.PLAY and not was_reaction and not is_answer)
            now = _find_leader(t)
            if now >= 0:
                if leader >= 0 and now != leader:
                    sums[OVERTAKINGS] += 1
                leader = now
        sums[PLAYED] += 1
        sums[MOVES] += plies
        sums[TURNS] += turns
        if t.phase == phases.OVER and t.winner >= 0:
            sums[EVEN_WINS + (t.winner + shift) % t.players % 2] += 1


@export
def read_figures(equal: Int64s, mixed: Int64s, players: int, out: Float64s) -> None:
    """Write what sums of ``watch_rounds`` say of the rules.

    Args:
        equal: sums of rounds between equal players.
        mixed: sums of rounds in which the players with an even number are stronger.
        players: number of players.
        out: float64[FIGURES], written.
    """
    out[ROUND_MOVES] = equal[MOVES] / equal[PLAYED]
    out[ROUND_TURNS] = equal[TURNS] / equal[PLAYED]
    out[WAIT_SHARE] = equal[WAITS] / equal[TURNS]
    out[ROUND_OVERTAKINGS] = equal[OVERTAKINGS] / equal[PLAYED]
    stronger = mixed[EVEN_WINS] / ((players + 1) // 2)
    weaker = mixed[ODD_WINS] / (players // 2)
    out[SKILL] = stronger / (stronger + weaker) if stronger + weaker > 0 else 0.5
