"""Analysis of a finished round with every card known: luck and choices that add up to the result, for every seat.

If everybody goes on by heuristics, the chance of a seat before the deal becomes 0 or 1 in steps:

    result = before + deal + draws + hidden + own + others

Each move is two steps. The choice leads from the chance before it to that with the move chosen and its outcome not
drawn; the draw leads from there to the chance after it. The choice of any seat has two parts: its value to a player who
cannot see hidden cards is skill (``evaluation``), the effect of their real places is luck.

A round is analyzed in this order: ``read_choices`` and ``read_outcome`` for every ply while it is played again,
``plan_rollouts``, ``rollout.run_rollouts``, evaluations of the decisions, ``attribute_result``, ``explain_win``.
"""

from __future__ import annotations

from typing import Annotated, Final, NamedTuple

from lastcard.ai import arithmetic, estimates, heuristic_policy, reasons, rollout
from lastcard.game import action_codes, cards
from lastcard.kernel.jit import export, export_nogil, inlined, kernel
from lastcard.kernel.records import Float64s, Float64s2, Int8s2, Int64s, Int64s2, Records, array_of, record_type, shape
from lastcard.rules import event_codes, layout, legal
from lastcard.rules.cards import is_wild
from lastcard.rules.round_state import RoundStates

CHANCE_NAMES: Final = ("rule", "lever", "blind", "draw")
"""Names of chance events by code, the weightiest first."""
NO_CHANCE: Final = -1
MISTAKE: Final = 1
FIND: Final = 2
KIND_NAMES: Final = (None, "mistake", "find")
"""Names of the kinds of decisions by code: beyond their margin a mistake, or better than by heuristics."""
GRADES: Final = {"blunder": 0.1, "mistake": 0.04, "inaccuracy": 0.0}
"""Grades of mistakes, each with the smallest loss in rounds."""
_BLUNDER, _MISTAKE, _INACCURACY = GRADES.values()
PARTS: Final = ("before", "deal", "draws", "hidden", "own", "others")
"""The terms that add up to the result."""
_BEFORE, _DEAL, _DRAWS, _HIDDEN, _OWN, _OTHERS = range(len(PARTS))

TOPICS: Final = ("challenge", "draw", "wild", "card", "color", "target", "other")
"""Names of the differences between the move made and the best, by code."""
_CHALLENGE, _DRAW, _WILD, _CARD, _COLOR, _TARGET, _OTHER = range(len(TOPICS))

LUCKY: Final = 0.1
"""Smallest change of a win chance that is called lucky."""
NEEDY_PERCENT: Final = 50
"""Chance in percent from which a win needed no luck."""
BEHIND: Final = 0.5
"""Part of a fair share below which a player is far behind."""


class Ply:
    """A move and its alternatives."""

    seat: int
    action: int  # the move, as it was made
    made: int  # the move without its call
    usual: int  # choice of the heuristics; NOTHING for every seat not on turn
    choices: int  # number of legal choices, without calls and catches
    chance_event: int  # index in CHANCE_NAMES, or NO_CHANCE
    exposed: int  # seats that can be caught after it (bit mask)
    called: int  # seats that called (bit mask)
    caught: int  # the seat that was caught, -1 none
    catcher: int
    before: int  # job of the rollouts from the state before it
    chosen: int  # job with the move made, its outcome not drawn yet
    after: int  # job from the state after it
    is_evaluated: int  # 1 if the values of an EVALUATION are written below
    best: int
    prior_agrees: int
    chance: Float64s = shape(2)
    lead: Float64s = shape(2)
    changes: Float64s = shape(layout.MAX_SEATS, 2)
    kind: int  # 0, MISTAKE or FIND
    topic: int  # index in TOPICS
    grade: int  # index in GRADES
    chances: Float64s = shape(layout.MAX_SEATS, 2)  # of every seat after it
    choice: Float64s = shape(layout.MAX_SEATS, 2)  # change for every seat by choosing it, with open cards
    luck: Float64s = shape(layout.MAX_SEATS, 2)  # change for every seat by its chance event


PLY: Final = record_type(Ply)
Plies = Annotated[Records, array_of(PLY)]


class MissedCall:
    """A call that was owed and missed."""

    seat: int  # the seat that forgot the call, -1 after the last missed call
    ply: int  # the ply after which it could be caught
    end: int  # the ply after which it could no longer be caught
    by: int  # the seat that caught it, -1 for none
    job: int  # job with the catch that nobody made
    price: Float64s = shape(2)  # loss of chance by being caught, or the possible loss


MISSED_CALL: Final = record_type(MissedCall)
MissedCalls = Annotated[Records, array_of(MISSED_CALL)]


class Account:
    """The attribution of a seat's result."""

    result: int  # rounds won, 0 or 1
    decisions: int  # number of its decisions that were evaluated
    mistakes: int
    dealt: Float64s = shape(2)  # chance after the deal
    given: Float64s = shape(2)  # loss of its choices against the best moves found
    parts: Float64s = shape(len(PARTS), 2)


ACCOUNT: Final = record_type(Account)
Accounts = Annotated[Records, array_of(ACCOUNT)]


class RoundResult(NamedTuple):
    """The results of all rollouts of a round, and what follows from them."""

    plies: Plies
    calls: MissedCalls
    """The missed calls."""
    accounts: Accounts
    """MAX_SEATS accounts, written."""
    winners: Int8s2
    """int8[jobs, rollouts], the winner of every rollout."""
    sums: Float64s2
    """Scratch: float64[4, rollouts]."""
    players: int
    teams: int
    """1 if partners win together (6.8)."""


def max_calls(plies: int) -> int:
    """Returns the size of the array of missed calls for a number of plies."""
    return plies + layout.MAX_SEATS + 1


def max_jobs(plies: int) -> int:
    """Returns the largest number of jobs for a number of plies."""
    return 2 + 2 * plies + max_calls(plies)


# --- replay -------------------------------------------------------------------------------------------


@inlined
def _is_call(action: int) -> bool:
    return action & 255 == action_codes.UNO or action & 255 == action_codes.CATCH


@export
def read_choices(states: RoundStates, ply: Plies, seat: int, action: int, w: Float64s, out: Int64s) -> None:
    """Write a move and its alternatives, before it is made in state 0.

    Args:
        ply: one PLY, written.
        w: weights of the heuristics.
        out: int64[MAX_ACTIONS], written: the legal choices, NOTHING among them for a seat not on turn.
    """
    t = states[0]
    p = ply[0]
    p.seat = seat
    p.action = action
    p.made = legal.canonical(t, seat, action & ~(1 << action_codes.UNO_SHIFT))
    p.usual = heuristic_policy.heuristic_action(t, w, out) if seat == t.turn else layout.NOTHING
    n = 0
    for k in range(legal.list_actions(t, seat, out)):
        if not _is_call(out[k]):
            out[n] = out[k]
            n += 1
    if seat != t.turn:
        out[n] = layout.NOTHING
        n += 1
    p.choices = n
    p.is_evaluated = 0


@inlined
def _weightier(event: int, known: int) -> int:
    return event if known == NO_CHANCE or event < known else known


@export
def read_outcome(states: RoundStates, ply: Plies) -> None:
    """Write the outcome of a move from the event log of state 0, the state after it."""
    t = states[0]
    p = ply[0]
    p.chance_event = NO_CHANCE
    p.exposed = t.exposed
    p.called = 0
    p.caught = -1
    for k in range(t.event_log_n):
        word = int(t.event_log[k])
        event = word & 255
        if event == event_codes.RULE:
            p.chance_event = 0
        elif event == event_codes.LEVER:
            p.chance_event = _weightier(1, p.chance_event)
        elif event == event_codes.TOOK:
            p.chance_event = _weightier(2, p.chance_event)
        elif event == event_codes.DREW:
            p.chance_event = _weightier(3, p.chance_event)
        elif event == event_codes.CALLED:
            p.called |= 1 << (word >> 8 & 255) - 1
        elif event == event_codes.CAUGHT:
            p.caught = (word >> 8 & 255) - 1
            p.catcher = (word >> 16 & 255) - 1


# --- rollouts -----------------------------------------------------------------------------------------


@kernel
def _changes_nothing(p: Ply) -> bool:
    """Whether the chances stay the same: the heuristics choose the same move, or it is a call that costs nothing."""
    if _is_call(p.action):
        return p.action & 255 == action_codes.UNO and p.chance_event == NO_CHANCE
    return p.made == p.usual


@inlined
def _add_job(jobs: Int64s2, n: int, state: int, seat: int, action: int) -> int:
    jobs[n, 0] = state
    jobs[n, 1] = seat
    jobs[n, 2] = action
    return n + 1


@kernel
def _list_missed_calls(plies: Plies, players: int, calls: MissedCalls) -> int:
    """Write the missed calls in the order of their detection, then by seat; returns how many."""
    n = 0
    for end in range(1, plies.size):
        p = plies[end]
        missed = plies[end - 1].exposed & ~p.exposed & ~p.called
        for seat in range(players):
            if missed >> seat & 1 == 0:
                continue
            since = end - 1
            while since > 0 and plies[since - 1].exposed >> seat & 1 != 0:
                since -= 1
            c = calls[n]
            c.seat = seat
            c.ply = since
            c.end = end
            c.by = p.catcher if p.caught == seat else -1
            n += 1
    calls[n].seat = -1
    return n


@export
def plan_rollouts(plies: Plies, players: int, jobs: Int64s2, calls: MissedCalls) -> int:
    """Write the jobs that give the chances of a round, equal ones once, and its missed calls.

    Args:
        plies: all plies.
        jobs: int64[max_jobs, 3], written: jobs of ``rollout.run_rollouts``; the first deals the round anew, the second
            continues from its deal.
        calls: ``max_calls`` records, written.

    Returns:
        Number of jobs.
    """
    n = _add_job(jobs, 0, 0, 0, rollout.DEAL_AGAIN)
    n = _add_job(jobs, n, 0, 0, layout.NOTHING)
    now = 1
    for i in range(plies.size):
        p = plies[i]
        p.before = now
        p.chosen = now
        if not _changes_nothing(p):
            p.chosen = n
            if p.chance_event == NO_CHANCE:  # it leads to one state: the one after it
                n = _add_job(jobs, n, i + 1, 0, layout.NOTHING)
            else:
                n = _add_job(jobs, n, i, p.seat, p.made)
        p.after = p.chosen
        if p.chance_event != NO_CHANCE:
            p.after = n
            n = _add_job(jobs, n, i + 1, 0, layout.NOTHING)
        now = p.after
    for k in range(_list_missed_calls(plies, players, calls)):
        c = calls[k]
        if c.by < 0:
            c.job = n
            catch = action_codes.CATCH | c.seat << action_codes.ARG_SHIFT
            n = _add_job(jobs, n, c.ply + 1, (c.seat + 1) % players, catch)
    return n


@inlined
def _won(r: RoundResult, job: int, number: int, seat: int) -> int:
    """1 if a seat or its partner (6.8) wins a rollout, else 0."""
    winner = r.winners[job, number]
    return 1 if winner == seat or (r.teams != 0 and winner == (seat + 2) % r.players) else 0


@kernel
def _set_chance(r: RoundResult, job: int, seat: int, out: Float64s) -> None:
    """Write the chance of a seat to win."""
    rollouts = r.winners.shape[1]
    won = 0
    for number in range(rollouts):
        won += _won(r, job, number, seat)
    out[0] = won / rollouts
    out[1] = estimates.share_margin(won / rollouts, rollouts)


@kernel
def _set_change(r: RoundResult, before: int, after: int, seat: int, out: Float64s) -> None:
    """Write the difference of a seat's chance between two jobs."""
    rollouts = r.winners.shape[1]
    more = 0
    less = 0
    for number in range(rollouts):
        change = _won(r, after, number, seat) - _won(r, before, number, seat)
        more += change == 1
        less += change == -1
    mean = (more - less) / rollouts
    squares = more * (1 - mean) * (1 - mean) + less * (1 + mean) * (1 + mean) + (rollouts - more - less) * mean * mean
    out[0] = mean
    out[1] = 0.0 if before == after else estimates.mean_margin(squares, rollouts, 1.0)


# --- attribution --------------------------------------------------------------------------------------


@inlined
def _card_of(action: int) -> int:
    code = action & 255
    return code if code < cards.CARD_SLOTS else action >> action_codes.CARD_SHIFT


@kernel
def _topic(made: int, best: int) -> int:
    """Returns the difference between two moves."""
    one = made & 255
    two = best & 255
    if one != two and (one >= cards.CARD_SLOTS or two >= cards.CARD_SLOTS):
        for code in (one, two):
            if code == action_codes.CHALLENGE or code == action_codes.ACCEPT:
                return _CHALLENGE
        for code in (one, two):
            if code == action_codes.DRAW or code == action_codes.PASS:
                return _DRAW
        return _OTHER
    if _card_of(made) != _card_of(best):
        return _CARD if is_wild(_card_of(made)) == is_wild(_card_of(best)) else _WILD
    if made == best:
        return _OTHER
    return _COLOR if reasons.names_color(one) else _TARGET


@kernel
def _judge(p: Ply) -> None:
    """Write kind, topic and grade of an evaluated decision."""
    p.topic = _topic(p.made, p.best)
    p.kind = 0
    p.grade = (p.lead[0] < _BLUNDER) + (p.lead[0] < _MISTAKE) + (p.lead[0] < _INACCURACY)
    if estimates.is_positive(p.lead) and p.prior_agrees != 0:
        p.kind = MISTAKE
    elif estimates.is_positive(p.changes[p.seat]):
        p.kind = FIND


@kernel
def _attribute_seat(r: RoundResult, seat: int) -> None:
    """Write the account of a seat, whose plies have been judged."""
    account = r.accounts[seat]
    account.decisions = 0
    account.mistakes = 0
    for part in range(len(PARTS)):
        account.parts[part, 0] = 0.0
        account.parts[part, 1] = 0.0
    account.given[0] = 0.0
    account.given[1] = 0.0
    for part in range(4):
        for number in range(r.sums.shape[1]):
            r.sums[part, number] = 0.0
    _set_chance(r, 0, seat, account.parts[_BEFORE])
    _set_chance(r, 1, seat, account.dealt)
    _set_change(r, 0, 1, seat, account.parts[_DEAL])
    for i in range(r.plies.size):
        p = r.plies[i]
        responsible = p.caught if p.caught >= 0 else p.seat  # the seat that forgot to call
        part = 1 if p.is_evaluated != 0 else 2 if responsible == seat else 3
        if p.is_evaluated != 0:
            change = p.changes[seat]
            estimates.add(account.parts[_HIDDEN], -change[0], change[1])
            estimates.add(account.parts[_OWN if p.seat == seat else _OTHERS], change[0], change[1])
            if p.seat == seat:
                account.decisions += 1
                account.mistakes += p.kind == MISTAKE
                estimates.add(account.given, p.lead[0], p.lead[1])
        if p.before == p.after:
            continue
        for number in range(r.sums.shape[1]):
            chosen = _won(r, p.chosen, number, seat)
            r.sums[0, number] += _won(r, p.after, number, seat) - chosen
            r.sums[part, number] += chosen - _won(r, p.before, number, seat)
    estimates.add_mean(account.parts[_DRAWS], r.sums[0])
    estimates.add_mean(account.parts[_HIDDEN], r.sums[1])
    estimates.add_mean(account.parts[_OWN], r.sums[2])
    estimates.add_mean(account.parts[_OTHERS], r.sums[3])
    account.result = _won(r, r.plies[r.plies.size - 1].after, 0, seat)


@export_nogil
def attribute_result(r: RoundResult) -> None:
    """Write the effects of every ply, the prices of missed calls, and the accounts of all seats."""
    last = r.plies.size - 1
    for i in range(r.plies.size):
        p = r.plies[i]
        if p.is_evaluated != 0:
            _judge(p)
        for seat in range(r.players):
            _set_chance(r, p.after, seat, p.chances[seat])
            if i == last:
                p.chances[seat, 0] = _won(r, p.after, 0, seat)
                p.chances[seat, 1] = 0.0
            _set_change(r, p.before, p.chosen, seat, p.choice[seat])
            _set_change(r, p.chosen, p.after, seat, p.luck[seat])
    k = 0
    while r.calls[k].seat >= 0:
        c = r.calls[k]
        if c.by < 0:
            _set_change(r, c.job, r.plies[c.ply].after, c.seat, c.price)
        else:
            _set_change(r, r.plies[c.end].chosen, r.plies[c.end].before, c.seat, c.price)
        k += 1
    for seat in range(r.players):
        _attribute_seat(r, seat)


@export
def explain_win(r: RoundResult, winner: int, out: Int64s) -> None:
    """Write how a seat won, in percent of its chance.

    Args:
        winner: the seat.
        out: int64[4], written: index in CHANCE_NAMES of the event that helped last, or NO_CHANCE; the chance before
            it; 1 if the seat was far behind, else 0; its smallest chance then, else that after the deal.
    """
    before = r.sums[0]  # scratch for one estimate
    out[0] = NO_CHANCE
    worst = r.accounts[winner].dealt[0]
    for i in range(r.plies.size):
        p = r.plies[i]
        worst = min(worst, p.chances[winner, 0])
        _set_chance(r, p.chosen, winner, before)
        luck = p.luck[winner]
        points = int(arithmetic.nearest(100 * before[0]))
        helped = p.chance_event != NO_CHANCE and estimates.is_positive(luck) and luck[0] >= LUCKY
        if helped and points < NEEDY_PERCENT:
            out[0] = p.chance_event
            out[1] = points
    out[2] = 1 if worst < BEHIND / r.players else 0
    out[3] = int(arithmetic.nearest(100 * (worst if out[2] != 0 else r.accounts[winner].dealt[0])))
    if out[2] != 0:
        out[3] = max(out[3], 1)
