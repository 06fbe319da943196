"""Many tables side by side for learners: acts in by their ids, rows of numbers and masks of what is legal out.

A *desk* is what a table needs besides the table itself: whom it asks, what is remembered and laid, the scores of the
match. Seats may be played by compiled bots; the rest are asked. A table whose episode has ended begins the next one
with the next step, or at once.
"""

from __future__ import annotations

from typing import Annotated, Any, Final, NamedTuple

from lastcard.ai import actor, decision, manners, memory, policy
from lastcard.ai.actor import Rater
from lastcard.ai.manners import Character
from lastcard.envs.compiled import acts, episodes, features, knowledge
from lastcard.envs.compiled.acts import Asked, Offer
from lastcard.envs.compiled.features import Kept, Row
from lastcard.game import act
from lastcard.kernel import records
from lastcard.kernel.jit import door, inlined, kernel, rounds_door
from lastcard.rules import chance, choice, layout, opening, phase, scoring, turn
from lastcard.rules.batch import choose_if_you_can
from lastcard.rules.table import Table, Tables

# Who plays a seat.
ASKED: Final = 0
BY_CHANCE: Final = 1
BY_THUMB: Final = 2
LEARNED: Final = 3


class Desk(Asked):
    """What belongs to a table besides the rules' own record."""

    legal_n: int
    over: int  # 1 once the episode is over
    number: int  # of the round
    first: int  # who deals round 0
    plies: int  # of the episode
    aware: int  # 1 once somebody may know cards of another hand
    laid_n: int  # how many cards ``laid`` counts, and of which draw pile
    reshuffles: int
    drew: int  # mask of the seats that drew on their last turn
    turns: records.Int64s = records.shape(layout.MAX_SEATS)  # of each seat in this round
    dice: records.Int64s = records.shape(layout.DICE)
    scores: records.Int64s = records.shape(layout.MAX_SEATS)
    percents: records.Int64s = records.shape(layout.MAX_SEATS)  # scores as percents of the one that wins a match
    points: records.Int64s = records.shape(layout.MAX_SEATS)  # scratch
    spare: records.Float32s = records.shape(layout.MAX_SEATS)  # rewards that nobody gets
    memory: records.Int64s = records.shape(layout.MAX_SEATS, memory.MEMORY)
    legal: records.Int16s = records.shape(layout.MAX_ACTIONS)  # the ids of what may be done


DESK: Final = records.record_type(Desk)
Desks = Annotated[records.Records, records.array_of(DESK)]


class Room:
    """How all tables are played."""

    players: int
    counted: int  # kinds of cards
    changing: int  # how much of a row changes
    wait: int  # id of letting the table go on; -1 where nobody is asked out of turn
    longest: int  # plies after which an episode is cut off
    reward: int
    match: int  # 1: an episode is a match
    winning_score: int
    by: records.Int64s = records.shape(layout.MAX_SEATS)  # who plays each seat


ROOM: Final = records.record_type(Room)
Rooms = Annotated[records.Records, records.array_of(ROOM)]


class Cards(NamedTuple):
    """What is counted of cards beside one table."""

    kinds: records.Int8s
    """int8[CARD_SLOTS], the kinds of the game's cards."""
    known: records.Uint8s
    """uint8[seats, seats, places]: what each seat knows of hands; see ``knowledge``."""
    laid: records.Uint8s
    """uint8[places]: the discard pile."""


class Common(NamedTuple):
    """What all tables have in common, and room to work in."""

    rooms: Rooms
    """One ROOM."""
    acts: records.Int64s
    """int64, the acts by id, seats counted from the one who acts."""
    kinds: records.Int8s
    """int8[CARD_SLOTS]."""
    ids: records.Int16s
    """int16[KEYS]."""
    options: records.Uint8s
    """uint8: the end of every row."""
    w: records.Float64s
    """Weights of the rules of thumb."""
    rater: Rater
    """The learned player, and what it reads and writes; empty arrays where none plays."""
    out: records.Int64s
    """Scratch: MAX_ACTIONS int64."""


class Batch(NamedTuple):
    """The tables; in every array one row for each."""

    tables: Tables
    desks: Desks
    known: records.Uint8s4
    """uint8[tables, seats, seats, places]."""
    laid: records.Uint8s2
    """uint8[tables, places]."""


class Shown(NamedTuple):
    """What is told of the tables, written; in every array one row for each."""

    rows: records.Uint8s2
    """uint8[tables, size]."""
    wide: records.Float32s2
    """float32[tables, size]: the same rows; empty where nobody wants them so."""
    masks: records.Uint8s2
    """uint8[tables, acts]: 1 for what is legal."""
    rewards: records.Float32s2
    """float32[tables, seats]."""
    ended: records.Uint8s
    """uint8: 1 where the episode ended."""
    cut: records.Uint8s
    """uint8: 1 where it was cut off."""
    last: records.Uint8s2
    """uint8[tables, size]: the rows of episodes that ended, where the next begins at once; empty otherwise."""
    last_wide: records.Float32s2
    """float32[tables, size]: the same; one of the two is empty in any case."""


@inlined
def update_laid(t: Table, d: Desk, action: int, own: Cards) -> None:
    """Bring the count of the discard pile up to date after an act."""
    n = t.discard_n
    if t.reshuffles != d.reshuffles or action & 255 >= act.BURY or not 0 <= n - d.laid_n <= 1:
        features.count_laid(t, own.kinds, own.laid)
    elif n > d.laid_n:
        own.laid[own.kinds[int(t.discard[n - 1])]] += 1
    d.laid_n = n
    d.reshuffles = t.reshuffles


@kernel
def open_table(t: Table, d: Desk, dealer: int, own: Cards) -> None:
    """Deal the next round and forget the last."""
    opening.deal(t, dealer, d.number, 0)
    d.number += 1
    memory.forget(d.memory)
    memory.notice(t, d.memory)
    d.drew = 0
    for seat in range(t.players):
        d.turns[seat] = 0
    if d.aware != 0:
        knowledge.forget_known(own.known)
        d.aware = 0
    features.count_laid(t, own.kinds, own.laid)
    d.laid_n = t.discard_n
    d.reshuffles = t.reshuffles


@inlined
def note_turn(d: Desk, seat: int, action: int) -> None:
    """Count what a seat does on turns, and whether it draws."""
    d.turns[seat] += 1
    drew = 1 if action & 255 == act.DRAW else 0
    d.drew = d.drew & ~(1 << seat) | drew << seat


@inlined
def do_one(t: Table, d: Desk, action: int, own: Cards) -> None:
    """Do a legal act of the seat that is asked, and take in what it shows; NOTHING lets the table go on."""
    seat = d.seat & 15  # never negative, which spares the compiler a check at every use
    if action == layout.NOTHING:
        d.asked &= ~(1 << seat)
        return
    colors = t.game != choice.ALL_WILD
    if colors:
        memory.note_colors(t, d.memory, seat, action)
    if t.phase == phase.PLAY:
        note_turn(d, seat, action)
    shows = knowledge.foresee(t, seat, action, own.kinds, own.known)
    turn.apply(t, seat, action)
    if shows and knowledge.tells(t):
        d.aware = 1
    if d.aware != 0:
        knowledge.learn(t, seat, action, shows, own.kinds, own.known)
    if colors:
        memory.notice(t, d.memory)
    update_laid(t, d, action, own)
    d.asked = layout.NOTHING
    d.plies += 1


@kernel
def react(t: Table, seat: int) -> int:
    """What a compiled bot does out of turn: it calls, and it catches; it never jumps in and challenges nobody."""
    bit = 1 << seat
    if t.exposed & bit != 0:
        return act.UNO | act.BARE
    for other in range(t.players):
        if t.exposed >> other & 1 != 0:
            return act.CATCH | other << 8
    return layout.NOTHING


@inlined
def find_seat(t: Table, d: Asked, wait: int, out: records.Int64s) -> None:
    """Find out whom the table asks."""
    if wait >= 0:
        if d.asked == layout.NOTHING:
            d.asked = acts.find_reactors(t, out)
        d.seat = manners.next_asked(t, d.asked)
        d.reacts = 1
        if d.seat != layout.NOTHING:
            return
    d.seat = t.turn
    d.reacts = 0


@kernel
def choose_learned(t: Table, d: Desk, common: Common) -> int:
    """What the learned player does, as it would through its view; what is past stands in the desk's memory.

    It calls when it is asked out of turn, as everybody does here.
    """
    seat = d.seat & 15
    out = common.out
    who = Character(decision.LEARNED, 100, 100, 100, 100, 100, 0)
    if d.reacts != 0:
        action = decision.react_at_once(t, seat, who, common.w, d.dice, out)
        return action if action == layout.NOTHING else action & ~(1 << act.UNO_SHIFT)
    n = manners.list_considered(t, seat, who, d.dice, out)
    action = int(out[0])
    if n > 1 and t.team_play == 0 and actor.decides(t):
        waited = decision.has_waited(int(d.turns[seat]), d.drew >> seat & 1 != 0, decision.may_wait(t))
        n = manners.keep_from_waiting(t, waited, int(d.turns[seat]), out, n)
        memory.notice(t, d.memory)
        action = actor.choose_rated(t, d.memory, seat, common.rater, out[:n])
    elif n > 1:
        action = policy.choose_by_thumb(t, common.w, out)
    return action


@kernel
def choose(t: Table, d: Desk, by: int, common: Common) -> int:
    """What a compiled bot does."""
    if by == LEARNED:
        return choose_learned(t, d, common)
    if d.reacts != 0:
        return react(t, d.seat)
    if by == BY_THUMB:
        return policy.choose_by_thumb(t, common.w, common.out)
    return choose_if_you_can(t, d.dice, common.out)


@kernel
def close_round(t: Table, d: Desk, room: Room, own: Cards, rewards: records.Float32s) -> None:
    """A round is over: give rewards where the episode is, else deal the next."""
    episodes.count_points(t, d.points)
    for seat in range(room.players):
        d.scores[seat] += d.points[seat]
    winners = scoring.round_winners(t) if room.match == 0 else scoring.find_winners(t, d.scores)
    if room.match != 0 and winners == 0:
        open_table(t, d, episodes.find_dealer(t, d.dice, d.points), own)
        d.asked = layout.NOTHING
        return
    d.over = 1
    if room.reward == episodes.POINTS:
        episodes.reward_points(t, d.scores, rewards)
    elif room.reward == episodes.WIN:
        episodes.reward_winners(winners, rewards)
    else:
        if room.match == 0:
            episodes.rank_round(t, d.points)
        else:
            rank_match(t, d.scores, winners, d.points)
        episodes.reward_ranks(d.points, rewards)


@kernel
def rank_match(t: Table, scores: records.Int64s, winners: int, values: records.Int64s) -> None:
    """What ranks the seats at the end of a match: who won, then the score."""
    least = t.scoring == choice.TALLY
    for seat in range(t.players):
        values[seat] = 1 << 40 if winners >> seat & 1 != 0 else -scores[seat] if least else scores[seat]


@inlined
def go_on(t: Table, d: Desk, common: Common, own: Cards, rewards: records.Float32s) -> bool:
    """Play on until somebody is asked or the episode is over; says whether it was cut off."""
    room = common.rooms[0]
    while True:
        if t.phase == phase.OVER:
            close_round(t, d, room, own, rewards)
            if d.over != 0:
                return False
        if d.plies >= room.longest:
            d.over = 1
            return True
        find_seat(t, d, room.wait, common.out)
        by = room.by[d.seat]
        if by == ASKED:
            return False
        do_one(t, d, choose(t, d, by, common), own)


@kernel
def open_episode(t: Table, d: Desk, common: Common, own: Cards) -> None:
    """Begin an episode, another one where it is over before anybody is asked; the first dealer goes round."""
    room = common.rooms[0]
    d.over = 1
    while d.over != 0:
        for seat in range(room.players):
            d.scores[seat] = 0
            d.percents[seat] = 0
        d.plies = 0
        d.over = 0
        d.asked = layout.NOTHING
        open_table(t, d, (d.first + d.number) % room.players, own)
        go_on(t, d, common, own, d.spare[: room.players])


@inlined
def turn_to_asked(d: Desk, room: Room) -> None:
    """Have the last row of an episode be of a seat that is asked: of the one that ended it, or of the next one."""
    while room.by[d.seat & 15] != ASKED:
        d.seat = ((d.seat & 15) + 1) % room.players
        d.reacts = 0


@inlined
def show(t: Table, d: Desk, common: Common, own: Cards, x: records.Uint8s, mask: records.Uint8s) -> None:
    """Write the row and the mask of the seat that is asked; see ``turn_to_asked`` once the episode is over."""
    room = common.rooms[0]
    for i in range(mask.size):
        mask[i] = 0
    seat = d.seat & 15
    if room.match != 0:
        for other in range(room.players):
            d.percents[other] = d.scores[other] * 100 // room.winning_score
    kept = Kept(d.memory, own.known[seat], own.laid, d.percents)
    features.read_row(t, seat, d.reacts != 0, kept, Row(own.kinds, room.counted, room.changing, common.options, x))
    d.legal_n = 0
    if d.over == 0:
        to = Offer(common.ids, mask, d.legal, common.out)
        n = acts.offer_acts(t, seat, d.reacts != 0, to)
        d.legal_n = acts.offer(to, room.wait, n) if d.reacts != 0 else n


@inlined
def copy_row(row: records.Uint8s, size: int, to: Any) -> None:
    """Write what changes in a row into another, uint8 or float32."""
    for k in range(size):
        to[k] = row[k]


@inlined
def show_last(row: records.Uint8s, size: int, i: int, shown: Shown) -> None:
    """Keep the row of a table whose episode has ended."""
    if shown.last.shape[0] != 0:
        copy_row(row, size, shown.last[i])
    else:
        copy_row(row, size, shown.last_wide[i])


@inlined
def first_illegal(desks: Desks, masks: records.Uint8s2, chosen: records.Int64s, partly: bool) -> int:
    """The first table whose act is illegal; -1 where none is. An episode that is over takes anything."""
    for i in range(desks.size):
        identity = chosen[i]
        if (partly and identity == layout.NOTHING) or desks[i].over != 0:
            continue
        if identity < 0 or identity >= masks.shape[1] or masks[i, identity] == 0:
            return i
    return -1


@door
def find_illegal(desks: Desks, masks: records.Uint8s2, chosen: records.Int64s, partly: bool) -> int:
    """``first_illegal`` for Python."""
    return first_illegal(desks, masks, chosen, partly)


@rounds_door
def step(batch: Batch, common: Common, shown: Shown, chosen: records.Int64s, partly: bool) -> int:
    """One act at every table.

    Args:
        chosen: int64, the id of a legal act for each table.
        partly: whether tables for which NOTHING is chosen are left as they are.

    Returns:
        -1, or the first table whose act is illegal; then nothing was done anywhere.
    """
    room = common.rooms[0]
    wrong = first_illegal(batch.desks, shown.masks, chosen, partly)
    if wrong >= 0:
        return wrong
    for i in range(batch.desks.size):
        if partly and chosen[i] == layout.NOTHING:
            continue
        t = batch.tables[i]
        d = batch.desks[i]
        own = Cards(common.kinds, batch.known[i], batch.laid[i])
        for seat in range(room.players):
            shown.rewards[i, seat] = 0.0
        shown.ended[i] = 0
        shown.cut[i] = 0
        if d.over != 0:
            open_episode(t, d, common, own)
        else:
            action = common.acts[chosen[i]]
            if action != layout.NOTHING:
                action = acts.turn_seat(action, d.seat, room.players)
            do_one(t, d, action, own)
            if go_on(t, d, common, own, shown.rewards[i]):
                shown.cut[i] = 1
            elif d.over != 0:
                shown.ended[i] = 1
            if d.over != 0:
                turn_to_asked(d, room)
            if d.over != 0 and shown.last.shape[0] + shown.last_wide.shape[0] != 0:
                show(t, d, common, own, shown.rows[i], shown.masks[i])
                show_last(shown.rows[i], room.changing, i, shown)
                open_episode(t, d, common, own)
        show(t, d, common, own, shown.rows[i], shown.masks[i])
        if shown.wide.shape[0] != 0:
            copy_row(shown.rows[i], room.changing, shown.wide[i])
    return -1


@door
def pick(desks: Desks, dice: records.Int64s, chosen: records.Int64s) -> None:
    """Write a legal act for each table, each as likely; 0 where the episode is over."""
    for i in range(desks.size):
        n = desks[i].legal_n
        chosen[i] = desks[i].legal[chance.roll_below(dice, n)] if n > 0 else 0


@door
def look(batch: Batch, common: Common, i: int, seat: int, x: records.Uint8s) -> None:
    """Write what any seat of table ``i`` may know now, whoever is asked, into a row: uint8[size]."""
    d = batch.desks[i]
    kept = Kept(d.memory, batch.known[i, seat], batch.laid[i], d.percents)
    room = common.rooms[0]
    row = Row(common.kinds, room.counted, room.changing, common.options, x)
    features.read_row(batch.tables[i], seat, seat == d.seat and d.reacts != 0, kept, row)
