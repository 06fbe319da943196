"""A round as a tree: where the way divides, by what a seat does or by what chance brings, one event at a time.

A *fork* stands beside the table as it was before the act in hand. The act is tried on a twin of that table with the
chance told so far (``told.py``); while the twin asks for more, the way divides by chance, and the table stays.
"""

from __future__ import annotations

from typing import Annotated, Final, NamedTuple

from lastcard.ai import imagine, memory
from lastcard.ai.belief import Beliefs
from lastcard.envs.compiled import acts, episodes, features, knowledge, vector
from lastcard.envs.compiled.acts import Asked, Offer
from lastcard.envs.compiled.features import Kept, Row
from lastcard.kernel import records
from lastcard.kernel.jit import door, kernel
from lastcard.rules import layout, opening, past, phase, scoring, tape, told, turn
from lastcard.rules.table import Table, Tables

# Who is to act, besides the seats.
CHANCE: Final = -1
ENDED: Final = -4
DEALER: Final = -5
# What ``step`` returns besides.
ILLEGAL: Final = -8

PAST_WAIT: Final = 29
"""A word of the past that only one seat knows of: asked out of turn, it let the table go on."""

MOST_OUTCOMES: Final = 128


class Fork(Asked):
    """What stands beside a table."""

    plies: int  # acts of seats so far
    actor: int  # whose act is being carried out
    action: int  # that act; NOTHING for the deal
    source: int  # what chance draws from for it (``told.py``)
    told_n: int  # how much of chance is told for it
    legal_n: int
    legal: records.Int16s = records.shape(layout.MAX_ACTIONS)  # ids of what may be done, or of what may come, in order
    shares: records.Float64s = records.shape(MOST_OUTCOMES)  # how likely each is
    places: records.Uint8s = records.shape(MOST_OUTCOMES)  # how each is told
    told: records.Uint8s = records.shape(told.MOST_TOLD)


FORK: Final = records.record_type(Fork)
Forks = Annotated[records.Records, records.array_of(FORK)]


class Frame:
    """How a game is played at all its forks."""

    dealer: int
    wait: int  # id of letting the table go on; -1 where nobody is asked out of turn
    longest: int  # acts of seats after which a round is cut off
    hands: int  # cards dealt to all hands together
    lever: int  # id of the first outcome of the lever
    rules: int  # id of the first rule card
    outcomes: int  # ids of chance


FRAME: Final = records.record_type(Frame)
Frames = Annotated[records.Records, records.array_of(FRAME)]


class Ground(NamedTuple):
    """What all forks of a game have in common, and room to work in."""

    frames: Frames
    """One FRAME."""
    acts: records.Int64s
    """int64, the acts by id."""
    kinds: records.Int8s
    """int8[CARD_SLOTS]."""
    ids: records.Int16s
    """int16[KEYS]."""
    mask: records.Uint8s
    """uint8[acts], zeros, which they are again."""
    out: records.Int64s
    """int64[MAX_ACTIONS], scratch."""
    notes: records.Int32s
    """int32[NOTES], written: how many words of the past an act adds, and those."""


@kernel
def count_candidates(t: Table, g: Fork, frame: Frame, kinds: records.Int8s, first_card: bool) -> int:
    """Count in ``shares``, by id, what could come; returns how many.

    Args:
        first_card: whether it is the first card, which is none of those that go back (CL-11): another follows at once.
    """
    for i in range(frame.outcomes):
        g.shares[i] = 0.0
    total = 0
    if t.told == -told.OF_LEVER:
        for outcome in range(t.weights.size):
            total += t.weights[outcome]
            g.shares[frame.lever + outcome] = t.weights[outcome]
            g.places[frame.lever + outcome] = outcome
        return total
    for i in range(t.deck_n - 1, -1, -1):
        card = int(t.deck[i])
        if first_card and opening.is_returned(t, card):
            continue
        identity = frame.rules + card if t.told == -told.OF_STACK else int(kinds[card])
        g.shares[identity] += 1.0
        g.places[identity] = i
        total += 1
    return total


@kernel
def list_outcomes(t: Table, g: Fork, frame: Frame, kinds: records.Int8s) -> None:
    """Write what chance can bring, how likely it is and how it is told."""
    first_card = g.action == layout.NOTHING and g.told_n == frame.hands and t.told == -told.OF_PILE
    total = count_candidates(t, g, frame, kinds, first_card)
    if total == 0:
        total = count_candidates(t, g, frame, kinds, False)
    n = 0
    for identity in range(frame.outcomes):
        if g.shares[identity] > 0.0:
            g.legal[n] = identity
            g.shares[n] = g.shares[identity] / total
            g.places[n] = g.places[identity]
            n += 1
    g.legal_n = n


@kernel
def list_acts(t: Table, g: Fork, ground: Ground) -> None:
    """Find out whom the table asks, and what that seat may do, in order."""
    mask = ground.mask
    wait = ground.frames[0].wait
    vector.find_seat(t, g, wait, ground.out)
    acts.offer_acts(t, g.seat, g.reacts != 0, Offer(ground.ids, mask, g.legal, ground.out))
    if g.reacts != 0:
        mask[wait] = 1
    n = 0
    for identity in range(mask.size):
        if mask[identity] != 0:
            mask[identity] = 0
            g.legal[n] = identity
            n += 1
    g.legal_n = n


@kernel
def ask(t: Table, g: Fork, ground: Ground) -> None:
    """Find out who acts next, if anybody does."""
    g.legal_n = 0
    if t.phase == phase.OVER or g.plies >= ground.frames[0].longest:
        g.seat = ENDED
    else:
        list_acts(t, g, ground)


@kernel
def carry_out(twins: Tables, g: Fork, frame: Frame, notes: records.Int32s) -> bool:
    """Do the act of a fork on the twin of its table; False where chance is asked for more than is told."""
    t = twins[0]
    told.tell(t, g.told, g.told_n)
    if g.action == layout.NOTHING:
        opening.deal(t, frame.dealer, 0, 0)
        n = past.note_deal(t, notes[1:])
    else:
        n = past.note_act(t, g.actor, g.action, notes[1:])
        turn.apply(t, g.actor, g.action)
    if t.told < 0:
        return False
    told.forget_told(t)
    notes[0] = past.note_tape(t, notes[1:], n)
    return True


@kernel
def go_on(twins: Tables, g: Fork, ground: Ground) -> None:
    """Go to the next fork, with what there is told of chance; the twin is like the table."""
    frame = ground.frames[0]
    ground.notes[0] = 0
    g.reacts = 0
    g.asked = layout.NOTHING
    if carry_out(twins, g, frame, ground.notes):
        g.told_n = 0
        ask(twins[0], g, ground)
    else:
        g.seat = CHANCE if g.told_n < told.MOST_TOLD else ENDED
        g.source = -twins[0].told
        list_outcomes(twins[0], g, frame, ground.kinds)


@kernel
def find_legal(f: Fork, chosen: int) -> int:
    """Where in what may be done or come an id stands; NOTHING where it does not."""
    for i in range(f.legal_n):
        if f.legal[i] == chosen:
            return i
    return layout.NOTHING


@door
def step(ground: Ground, tables: Tables, forks: Forks, twins: Tables, nexts: Forks, chosen: int) -> int:
    """Go on from a fork to the next.

    Args:
        tables, forks: one each; they stay as they are. Where the seat of the fork is DEALER the deal begins, from a
            table that has its rules and its deck.
        twins: room for a table; it is the one of the next fork where something is added to the past.
        nexts: room for the next fork.
        chosen: an id of what may be done or come.

    Returns:
        Who is to act next, or ILLEGAL.
    """
    f = forks[0]
    g = nexts[0]
    at = find_legal(f, chosen)
    if at == layout.NOTHING and f.seat != DEALER:
        return ILLEGAL
    g.plies = f.plies
    g.actor = f.actor
    g.action = f.action
    g.told_n = 0
    g.reacts = 0
    twins[0] = tables[0]
    if f.seat == DEALER:
        g.actor = layout.NOTHING
        g.action = layout.NOTHING
    elif f.seat == CHANCE:
        for i in range(f.told_n):
            g.told[i] = f.told[i]
        g.told[f.told_n] = f.places[at]
        g.told_n = f.told_n + 1
    else:
        g.plies += 1
        if ground.acts[chosen] == layout.NOTHING:
            let_go_on(twins, f, g, ground)
            return int(g.seat)
        g.actor = f.seat
        g.action = acts.turn_seat(ground.acts[chosen], f.seat, tables[0].players)
    go_on(twins, g, ground)
    return int(g.seat)


@kernel
def let_go_on(twins: Tables, f: Fork, g: Fork, ground: Ground) -> None:
    """A seat asked out of turn does nothing: only it knows."""
    g.asked = f.asked & ~(1 << f.seat)
    ground.notes[0] = 1
    ground.notes[1] = PAST_WAIT | (f.seat + 1) << 8
    ask(twins[0], g, ground)


# --- what is read from a fork ----------------------------------------------------------------------


@door
def copy_table(tables: Tables, twins: Tables) -> None:
    """Copy a table: far quicker than NumPy does it."""
    twins[0] = tables[0]


@door
def pay(tables: Tables, how: int, points: records.Int64s, rewards: records.Float64s) -> None:
    """Write what a round gives each seat: nothing before it is over.

    Args:
        how: WIN or POINTS (``episodes``); points that count against a seat (CL-52) are negative.
        points: int64[MAX_SEATS], scratch.
        rewards: float64[players], zeros; written.
    """
    t = tables[0]
    if t.phase != phase.OVER:
        return
    if how == episodes.WIN:
        episodes.reward_winners(scoring.round_winners(t), rewards)
    else:
        episodes.count_points(t, points)
        episodes.reward_points(t, points, rewards)


class Canvas(NamedTuple):
    """Room for what a seat may know, and the row it is written into."""

    twins: Tables
    """Room for a table."""
    laid: records.Uint8s
    """uint8[places], scratch."""
    seen: records.Int32s
    """int32, at least as many as there are words of the past: scratch."""
    scores: records.Int64s
    """int64[seats], percent of the score that wins."""
    row: Row


class Minds(NamedTuple):
    """What seats remember and know; zeros before the first words of the past."""

    memory: records.Int64s2
    """int64[MAX_SEATS, MEMORY]."""
    known: records.Uint8s3
    """uint8[seats, seats, places]: what each knows of hands."""


@door
def observe(canvas: Canvas, tables: Tables, forks: Forks, seat: int, words: records.Int32s, minds: Minds) -> None:
    """Write what a seat may know into a row, after taking in what has happened since one was written last.

    Args:
        tables, forks: one each, the deal over.
        seat: who looks.
        words: int32, the past since then; the truth.
        minds: brought up to date.
    """
    t = tables[0]
    f = forks[0]
    kinds = canvas.row.kinds
    if words.size > 0:
        canvas.twins[0] = tables[0]
        memory.recollect(canvas.twins[0], minds.memory, words)
        memory.notice(t, minds.memory)
        seen = canvas.seen[: words.size]
        for viewer in range(t.players):
            past.veil(words, viewer, seen)
            knowledge.recollect_known(seen, viewer, t.players, kinds, minds.known[viewer])
    features.count_laid(t, kinds, canvas.laid)
    kept = Kept(minds.memory, minds.known[seat], canvas.laid, canvas.scores)
    features.read_row(t, seat, f.reacts != 0 and f.seat == seat, kept, canvas.row)


@door
def see(words: records.Int32s, viewer: int, out: records.Int32s) -> int:
    """Copy the past as a seat (-1: a spectator) saw it; returns how many words there are."""
    past.veil(words, viewer, out)
    n = 0
    for i in range(out.size):
        word = int(out[i])
        if word & 255 != PAST_WAIT or (word >> 8) - 1 == viewer:
            out[n] = word
            n += 1
    return n


@door
def show_recent(
    words: records.Int32s, seat: int, players: int, wait: int, ids: records.Int16s, out: records.Float32s2
) -> None:
    """Write the last acts a seat knows of, latest first: who acted, seen from that seat, and the id of the act.

    Args:
        words: int32, the past as the seat saw it.
        wait: id of letting the table go on.
        ids: int16[KEYS].
        out: float32[acts, players + ids of acts], zeros; 1 is written at both.
    """
    n = 0
    for i in range(words.size - 1, -1, -1):
        if n == out.shape[0]:
            return
        word = int(words[i])
        actor = (word >> 8 & 255) - 1
        if word & 255 == tape.PAST_ACT:
            identity = int(ids[acts.key_of(acts.turn_seat(int(words[i + 1]) >> 8, players - actor, players))])
            if identity == layout.NOTHING:
                continue
        elif word & 255 == PAST_WAIT:
            identity = wait
        else:
            continue
        out[n, (actor - seat + players) % players] = 1.0
        out[n, players + identity] = 1.0
        n += 1


@door
def imagine_table(tables: Tables, beliefs: Beliefs, deals: records.Int8s2, dice: records.Int64s) -> None:
    """Complete a table as a seat sees it by the first of some imagined deals (``search.think``)."""
    imagine.settle_deal(beliefs[0], tables[0], deals[0], dice)
    told.forget_told(tables[0])
