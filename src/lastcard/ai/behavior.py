"""How a player behaves at the table, apart from how well it plays: what it thinks of, and what it forgets."""

from typing import Final, NamedTuple

from lastcard.game import action_codes, cards
from lastcard.kernel.jit import inlined, kernel
from lastcard.kernel.records import Int32s, Int64s
from lastcard.rules import chance, event_codes, legal, phases, piles
from lastcard.rules.layout import NOTHING
from lastcard.rules.round_state import RoundState

ENDLESS_TURNS: Final = 200
"""Turns after which a player has to lay even a card that gives the round away."""


class BotProfile(NamedTuple):
    """Who decides. All but the kind are numbers of a hundred chances; ``bots.base.Manners`` says what each is."""

    kind: int
    """How it chooses (``decision``)."""
    calls: int
    catches: int
    jumps: int
    bluffs: int
    challenges: int
    blunder_rate: int
    """Plays made without thinking."""


@inlined
def happens(dice: Int64s, percent: int) -> bool:
    """True so many times in a hundred."""
    return percent >= 100 or (percent > 0 and chance.roll_below(dice, 100) < percent)


@inlined
def is_play(action: int) -> bool:
    """Whether an action lays a card."""
    return action & 255 < cards.CARD_SLOTS


@inlined
def is_bluff(t: RoundState, seat: int, action: int) -> bool:
    """Whether an action is a Wild Draw Four with the color in force in hand (CL-30)."""
    return action & 255 == cards.W_DRAW_FOUR and piles.holds_color(t, seat, t.color)


@kernel
def next_to_ask(t: RoundState, asked: int) -> int:
    """Whom to ask first: who can be caught, then clockwise from the seat on turn; NOTHING where nobody is left."""
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
    """List what a player thinks of on its turn: no call or catch alone, a bluff or a challenge only now and then."""
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
    """Strike out of a list of actions all that lay no card; returns how many are left."""
    plays = 0
    for i in range(n):
        if is_play(int(out[i])):
            out[plays] = out[i]
            plays += 1
    return plays


@kernel
def pick_random(t: RoundState, out: Int64s, n: int, dice: Int64s) -> int:
    """Play-if-you-can among listed actions: any card, uniformly over the distinct ones and then over what each names.

    No card is laid only where none is listed; every other decision is uniform.
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
    """An action with a call where it may leave the player one card, unless that is forgotten."""
    if not may_leave_one(t, seat, action):
        return action
    return with_call(action) if happens(dice, profile.calls) else action


@inlined
def with_call(action: int) -> int:
    """A play with a call."""
    return action | 1 << action_codes.UNO_SHIFT


@kernel
def count_turns(words: Int32s, seat: int) -> int:
    """How many turns a seat has had, times two, and one more where it drew on the last."""
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
    """Strike drawing for choice out of a list where a seat has waited long enough; returns how many are left.

    Two players who both think it better than laying a card would wait for each other for ever. A card that gives the
    round away need not be laid until the turns are too many.
    """
    if not must_lay or t.phase != phases.PLAY:
        return n
    seat = t.turn & 15
    plays = 0
    for i in range(n):
        action = int(out[i])
        plays += 1 if is_play(action) and (turns > ENDLESS_TURNS or not gives_round_away(t, seat, action)) else 0
    return filter_plays(out, n) if plays > 0 else n
