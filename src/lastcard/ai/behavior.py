"""Behavior of a bot apart from its skill: the actions that it considers, and its mistakes."""

from typing import Final, NamedTuple

from lastcard.game import action_codes, cards
from lastcard.kernel.jit import inlined, kernel
from lastcard.kernel.records import Int32s, Int64s
from lastcard.rules import chance, event_codes, legal, phases, piles
from lastcard.rules.layout import NOTHING
from lastcard.rules.round_state import RoundState

ENDLESS_TURNS: Final = 200
"""Number of turns after which a player has to lay even a card that gives the round away."""


class BotProfile(NamedTuple):
    """Profile of a bot. All numbers but the kind are percentages, described at ``bots.base.Behavior``."""

    kind: int
    """Kind of choice: a constant of ``decision``."""
    calls: int
    catches: int
    jumps: int
    bluffs: int
    challenges: int
    blunder_rate: int
    """Percentage of random legal moves."""


@inlined
def happens(dice: Int64s, percent: int) -> bool:
    """Returns True with a probability of ``percent``."""
    return percent >= 100 or (percent > 0 and chance.roll_below(dice, 100) < percent)


@inlined
def is_play(action: int) -> bool:
    """Whether an action lays a card."""
    return action & 255 < cards.CARD_SLOTS


@inlined
def is_bluff(t: RoundState, seat: int, action: int) -> bool:
    """Whether an action is a Wild Draw Four with the current color in hand (CL-30)."""
    return action & 255 == cards.W_DRAW_FOUR and piles.holds_color(t, seat, t.color)


@kernel
def next_to_ask(t: RoundState, asked: int) -> int:
    """Returns the first seat to ask: one that can be caught, else clockwise from the seat on turn; NOTHING if none."""
    first = NOTHING
    for i in range(t.players):
        seat = (t.turn + i) % t.players
        if asked >> seat & 1 != 0:
            if t.exposed >> seat & 1 != 0:
                return seat
            if first == NOTHING:
                first = seat
    return first


@kernel
def list_considered(t: RoundState, seat: int, profile: BotProfile, dice: Int64s, out: Int64s) -> int:
    """List the actions considered on a turn: no calls or catches, and only sometimes bluffs and challenges."""
    challenges = t.phase != phases.CHALLENGE or happens(dice, profile.challenges)
    n = 0
    bluffs = 0
    for i in range(legal.list_actions(t, seat, out)):
        code = out[i] & 255
        if code != action_codes.UNO and code != action_codes.CATCH and (challenges or code != action_codes.CHALLENGE):
            out[n] = out[i]
            bluffs += 1 if is_bluff(t, seat, int(out[n])) else 0
            n += 1
    if bluffs == 0 or bluffs == n or happens(dice, profile.bluffs):
        return n
    listed = n
    n = 0
    for i in range(listed):
        if not is_bluff(t, seat, int(out[i])):
            out[n] = out[i]
            n += 1
    return n


@kernel
def filter_plays(out: Int64s, n: int) -> int:
    """Remove actions that lay no card from a list; returns how many are left."""
    plays = 0
    for i in range(n):
        if is_play(int(out[i])):
            out[plays] = out[i]
            plays += 1
    return plays


@kernel
def pick_random(t: RoundState, out: Int64s, n: int, dice: Int64s) -> int:
    """Returns a random listed action: a card, uniformly among the distinct ones, then among what each names.

    If no card is listed, or in any other decision, the choice is uniform.
    """
    if t.phase == phases.PLAY or t.phase == phases.DRAWN:
        plays = filter_plays(out, n)
        if plays > 0:
            distinct = 1
            for i in range(1, plays):
                distinct += 1 if (out[i] ^ out[i - 1]) & 255 != 0 else 0
            skip = chance.roll_below(dice, distinct)
            first = 0
            while skip > 0:
                first += 1
                skip -= 1 if (out[first] ^ out[first - 1]) & 255 != 0 else 0
            last = first + 1
            while last < plays and (out[last] ^ out[first]) & 255 == 0:
                last += 1
            return int(out[first + chance.roll_below(dice, last - first)])
    return int(out[chance.roll_below(dice, n)])


@kernel
def swaps_hands(action: int) -> bool:
    """Whether a play exchanges hands with the seat it names (AW-24, 6.3)."""
    card = action & 255
    names_color = card == cards.W or card == cards.W_DRAW_FOUR or card == cards.W_JACKPOT
    return action >> 8 & 15 != action_codes.NO_ARG and not names_color and card != cards.W_TARGETED


@inlined
def may_leave_one(t: RoundState, seat: int, action: int) -> bool:
    """Whether an action may leave a seat one card: then it has to call (LC-5)."""
    if action == NOTHING or not is_play(action):
        return False
    return t.held[seat] == 2 or (swaps_hands(action) and t.held[action >> 8 & 15] == 1)


@kernel
def add_call(t: RoundState, seat: int, action: int, profile: BotProfile, dice: Int64s) -> int:
    """Returns an action, with a call if it may leave the player one card, unless the player forgets it."""
    if not may_leave_one(t, seat, action):
        return action
    return with_call(action) if happens(dice, profile.calls) else action


@inlined
def with_call(action: int) -> int:
    """Returns a play with a call."""
    return action | 1 << action_codes.UNO_SHIFT


@kernel
def count_turns(words: Int32s, seat: int) -> int:
    """Returns twice the number of turns of a seat, plus one if it drew on the last."""
    turns = 0
    latest = 0
    for i in range(words.size):
        if int(words[i]) & 0xFFFFFF == event_codes.HISTORY_MOVE | (seat + 1) << 8 | (phases.PLAY + 1) << 16:
            turns += 1
            latest = i
    drew = turns > 0 and int(words[latest + 1]) >> 8 & 255 == action_codes.DRAW
    return turns << 1 | (1 if drew else 0)


@inlined
def gives_round_away(t: RoundState, seat: int, action: int) -> bool:
    """Whether an action lays a last card that makes another seat win (AW-45, 6.3)."""
    return t.held[seat] == 1 and swaps_hands(action)


@kernel
def filter_voluntary_draws(t: RoundState, must_lay: bool, turns: int, out: Int64s, n: int) -> int:
    """Remove voluntary draws from a list if a seat must lay a card; returns how many actions are left.

    Otherwise two players who both prefer drawing would never end the round. A card that gives the round away need not
    be laid before ENDLESS_TURNS.
    """
    if not must_lay or t.phase != phases.PLAY:
        return n
    seat = t.turn & 15
    plays = 0
    for i in range(n):
        action = int(out[i])
        plays += 1 if is_play(action) and (turns > ENDLESS_TURNS or not gives_round_away(t, seat, action)) else 0
    return filter_plays(out, n) if plays > 0 else n
