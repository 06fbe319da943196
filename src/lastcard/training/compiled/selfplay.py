"""Self-play: rounds in which a network draws its acts by how much it thinks of each, and what came of them."""

from typing import Final, NamedTuple

from lastcard.ai import actor, arithmetic, decision, manners, memory, network, policy, sight
from lastcard.ai.actor import Rater
from lastcard.game import act, cards
from lastcard.kernel.jit import door, inlined, kernel, long_door
from lastcard.kernel.records import Float32s, Float32s2, Float64s, Int64s, Int64s2
from lastcard.rules import chance, flow, legal, opening, phase, turn
from lastcard.rules.cards import card_color
from lastcard.rules.table import Table, Tables
from lastcard.training.compiled.drills import longest

# Who plays against the learner in a round: one of ten kinds, drawn for each.
ITSELF: Final = 0
ELDER: Final = 1
THUMB: Final = 2
CASTS: Final = 3
_OTHERS: Final = 10
"""Of so many rounds each of the others plays one; the rest it plays against itself."""

_PILE: Final = 2 * cards.CARD_SLOTS
_TABLE: Final = _PILE + cards.WILD + 1
HIDDEN: Final = _TABLE + network.FEATURES
"""What a critic sees besides: the cards of who decides and of the next, colors of the draw pile, and all hands."""


class Play(NamedTuple):
    """What rounds are played with."""

    tables: Tables
    """One table that has been dealt."""
    m: Int64s2
    """int64[MAX_SEATS, MEMORY], scratch."""
    waits: Int64s2
    """int64[MAX_SEATS, 2], scratch: of each seat its turns, and 1 where it drew on the last."""
    learner: Rater
    """Who learns; what it thinks of acts are logarithms of chances."""
    elder: Rater
    """What it was before."""
    w: Float64s
    """The weights of the rules of thumb."""
    choices: Int64s
    """Scratch: MAX_ACTIONS int64."""
    out: Int64s
    """Scratch: MAX_ACTIONS int64."""
    patient: int
    """1 where one may draw for choice on turns in succession, at tables where that helps (``decision.may_wait``)."""


class Lived(NamedTuple):
    """Decisions of the learner in the order of time, and what came of them; all written."""

    xs: Float32s2
    """float32[n, STATE]."""
    hidden: Float32s2
    """float32[n, HIDDEN]."""
    acts: Float32s2
    """float32[rows, ACT]: the acts of all decisions, one after another."""
    ends: Int64s
    """int64[n], the row behind the last act of each decision."""
    chosen: Int64s
    """int64[n], the number of the act that was drawn among those of its decision."""
    chances: Float32s
    """float32[n], with what chance it was."""
    rounds: Int64s
    """int64[n], in which round it stood."""
    seats: Int64s
    """int64[n], who decided."""
    won: Float32s
    """float32[n], 1 where that seat won the round."""
    tally: Int64s2
    """int64[CASTS, 2], added to: rounds the learner played alone against others, and won."""


@kernel
def _draw(rater: Rater, n: int, dice: Int64s) -> int:
    """One of n acts, drawn as often as the network thinks of it; the chances of all stand in ``worth`` then."""
    worth = rater.worth
    most = worth[0]
    for i in range(1, n):
        most = max(most, worth[i])
    total = 0.0
    for i in range(n):
        worth[i] = arithmetic.exp(worth[i] - most)
        total += worth[i]
    for i in range(n):
        worth[i] /= total
    left = chance.roll_below(dice, 1 << 30) / (1 << 30)
    for i in range(n - 1):
        left -= worth[i]
        if left < 0.0:
            return i
    return n - 1


@kernel
def _read_hidden(t: Table, seat: int, x: Float32s) -> None:
    """Write what a critic sees besides what the seat sees."""
    ahead = flow.neighbor(t, seat)
    for card in range(cards.CARD_SLOTS):
        x[card] = t.counts[seat, card]
        x[cards.CARD_SLOTS + card] = t.counts[ahead, card]
    for i in range(_PILE, _TABLE):
        x[i] = 0.0
    for i in range(t.pile_n):
        x[_PILE + card_color(int(t.pile[i]))] += 0.1
    network.read_features(t, seat, x[_TABLE:])


@kernel
def list_open(p: Play, seat: int) -> int:
    """List the choices of a decision that networks are taught; 0 where it is none of those."""
    t = p.tables[0]
    if not actor.decides(t):
        return 0
    again = p.patient != 0 and decision.may_wait(t)
    waited = decision.has_waited(int(p.waits[seat, 0]), p.waits[seat, 1] != 0, again)
    # Even what gives the round away has to be laid here, as it had to be when the networks that ship were taught.
    return manners.keep_from_waiting(t, waited, manners.ENDLESS + 1, p.choices, legal.list_choices(t, seat, p.choices))


@inlined
def _rows(lived: Lived, n: int) -> int:
    """How many acts the first n decisions have."""
    return int(lived.ends[n - 1]) if n > 0 else 0


@kernel
def _live(p: Play, seat: int, k: int, dice: Int64s, lived: Lived, n: int) -> int:
    """Let the learner decide and write down what it saw; returns the number of its choice."""
    t = p.tables[0]
    row = _rows(lived, n)
    actor.rate_all(t, p.m, seat, p.learner, p.choices[:k])
    drawn = _draw(p.learner, k, dice)
    x = p.learner.x  # as ``rate_all`` has left it: the state, and in the end what is unseen
    unseen = x[actor.ROOM - sight.UNSEEN : actor.ROOM]
    for i in range(sight.STATE):
        lived.xs[n, i] = x[i]
    for a in range(k):
        sight.read_act(t, p.m, seat, int(p.choices[a]), unseen, lived.acts[row + a])
    _read_hidden(t, seat, lived.hidden[n])
    lived.ends[n] = row + k
    lived.chosen[n] = drawn
    lived.chances[n] = p.learner.worth[drawn]
    lived.seats[n] = seat
    return drawn


@kernel
def _choose_as(p: Play, cast: int, seat: int, k: int, dice: Int64s) -> int:
    """The act of one of the others."""
    t = p.tables[0]
    if cast == THUMB:
        return policy.choose_by_thumb(t, p.w, p.out)
    actor.rate_all(t, p.m, seat, p.elder, p.choices[:k])
    return int(p.choices[_draw(p.elder, k, dice)])


@kernel
def start(p: Play, number: int) -> None:
    """Deal a round."""
    opening.deal(p.tables[0], number % p.tables[0].players, number, 0)
    memory.forget(p.m)
    for seat in range(p.waits.shape[0]):
        p.waits[seat, 0] = 0
        p.waits[seat, 1] = 0


@kernel
def do(t: Table, m: Int64s2, waits: Int64s2, seat: int, action: int) -> None:
    """Do an act, and keep it in mind."""
    if t.phase == phase.PLAY:
        waits[seat, 0] += 1
        waits[seat, 1] = 1 if action & 255 == act.DRAW else 0
    memory.remember(t, m, seat, action)
    turn.apply(t, seat, action)


@long_door
def play_rounds(p: Play, dice: Int64s, lived: Lived) -> int:
    """Play rounds until there is no room for the decisions of another.

    Nobody draws for choice late in a round (``decision.LATE``), nor, but for the patient, on two turns in succession.

    Args:
        p: its table has the rules, the deck and the seed.
        dice: Dice.
        lived: written.

    Returns:
        How many decisions of whole rounds were written.
    """
    t = p.tables[0]
    n = number = 0
    while True:
        start(p, number)
        cast = chance.roll_below(dice, _OTHERS)
        cast = cast if cast < CASTS else ITSELF
        one = chance.roll_below(dice, t.players)
        begin = n
        plies = 0
        while t.phase != phase.OVER and plies < longest(t):
            plies += 1
            memory.notice(t, p.m)
            seat = t.turn & 15
            k = list_open(p, seat)
            if k == 0:
                action = policy.choose_rarely(t, p.w, seat, p.out)
            elif k == 1:
                action = int(p.choices[0])
            elif cast == ITSELF or seat == one:
                if n == lived.ends.size or _rows(lived, n) + k > lived.acts.shape[0]:
                    return begin
                action = int(p.choices[_live(p, seat, k, dice, lived, n)])
                lived.rounds[n] = number
                n += 1
            else:
                action = _choose_as(p, cast, seat, k, dice)
            do(t, p.m, p.waits, seat, action)
        for i in range(begin, n):
            lived.won[i] = 1.0 if t.phase == phase.OVER and t.winner == lived.seats[i] else 0.0
        lived.tally[cast, 0] += 1
        lived.tally[cast, 1] += 1 if t.phase == phase.OVER and t.winner == one else 0
        number += 1


@door
def spread(players: int, lived: Lived, values: Float32s, keep: float, later: Int64s, gains: Float32s) -> None:
    """By how much each decision won more often than was expected: generalized advantages, undiscounted.

    At two seats what one wins the other loses, so the decisions of both tell of each other; at larger tables those of
    one seat do.

    Source: J. Schulman et al., "High-Dimensional Continuous Control Using Generalized Advantage Estimation" (2016).

    Args:
        players: seats at the table.
        lived: decisions of whole rounds.
        values: float32[n], the chance each seat had to win, as a critic sees it.
        keep: how much of what a later decision has gained counts for the one before it, 0 to 1.
        later: int64[MAX_SEATS], scratch.
        gains: float32[n], written.
    """
    for i in range(gains.size - 1, -1, -1):
        if i == gains.size - 1 or lived.rounds[i] != lived.rounds[i + 1]:
            for seat in range(later.size):
                later[seat] = -1
        seat = int(lived.seats[i])
        chain = 0 if players == 2 else seat
        next_one = int(later[chain])
        if next_one < 0:
            gains[i] = lived.won[i] - values[i]
        elif lived.seats[next_one] == seat:
            gains[i] = values[next_one] - values[i] + keep * gains[next_one]
        else:
            gains[i] = 1.0 - values[next_one] - values[i] - keep * gains[next_one]
        later[chain] = i
