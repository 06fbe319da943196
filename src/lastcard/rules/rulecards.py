"""Rule cards: a small machine that stops wherever somebody must decide (WJ-46, WJ-47, WJ-50, LC-50 to LC-56)."""

from lastcard.game import act, cards
from lastcard.kernel import bits
from lastcard.kernel.jit import kernel
from lastcard.rules import chance, effects, flow, layout, legal, phase, piles, rule, tape, throws, told
from lastcard.rules.table import Table


@kernel
def left_of(t: Table, seat: int) -> int:
    """The next seat clockwise, whatever the direction of play (WJ-40c)."""
    return seat + 1 if seat + 1 < t.players else 0


@kernel
def right_of(t: Table, seat: int) -> int:
    """The next seat counter-clockwise (WJ-40b)."""
    return seat - 1 if seat > 0 else t.players - 1


@kernel
def dispense(t: Table) -> int:
    """The next rule card; used ones are shuffled back in when the dispenser is empty (WJ-46)."""
    if t.stack_n == 0:
        for i in range(t.used_n):
            t.stack[i] = t.used[i]
        t.stack_n = t.used_n
        t.used_n = 0
        t.stack_settled = 0
    n = t.stack_n - 1
    if t.stack_settled > 0:
        t.stack_settled -= 1
        card = int(t.stack[n])
    else:
        i = told.hear(t, told.OF_STACK, layout.NOTHING) if t.told > 0 else layout.NOTHING
        if i == layout.NOTHING:
            i = chance.single_below(t, chance.RULES, t.dispensed, n + 1)
        card = int(t.stack[i])
        t.stack[i] = t.stack[n]
    t.stack_n = n
    t.used[t.used_n] = card
    t.used_n += 1
    t.dispensed += 1
    return card


@kernel
def perform(t: Table, seat: int) -> None:
    """A player gets a rule card and performs it."""
    t.performer = seat
    t.rule = dispense(t)
    t.effect = 0
    t.left = -1
    t.candidates = 0
    piles.note(t, tape.RULE, seat, t.rule, -1)
    run(t)


@kernel
def run(t: Table) -> None:
    """Carry out effects of rule cards until somebody must decide or the lever is done (WJ-40d, WJ-47)."""
    while True:
        seat = t.performer
        while t.effect < layout.MAX_EFFECTS and t.effects[t.rule, t.effect] != rule.NONE:
            held = t.held[seat]
            if not run_effect(t, seat):
                return
            t.effect += 1
            t.left = -1
            if t.held[seat] == 0 and held > 0:
                flow.win(t, seat)  # LC-54
                return
        if t.performers == 0:
            throws.end_lever(t)
            return
        t.performers -= 1
        seat += t.perform_step
        if seat < 0:
            seat += t.players
        elif seat >= t.players:
            seat -= t.players
        t.performer = seat
        t.rule = dispense(t)
        t.effect = 0
        piles.note(t, tape.RULE, seat, t.rule, -1)


@kernel
def run_effect(t: Table, seat: int) -> bool:
    """Carry out one effect. False where it waits for a decision or has ended the round."""
    packed = int(t.effects[t.rule, t.effect])
    verb = packed & 255
    n = (packed >> 8) & 255
    if verb == rule.DRAW:
        piles.draw(t, seat, n, tape.BY_RULE)
    elif verb == rule.DRAW_UNTIL:
        piles.draw(t, seat, max(0, n - t.held[seat]), tape.BY_RULE)
    elif verb == rule.DISCARD or verb == rule.DISCARD_UNTIL:
        return run_discard(t, seat, verb, n)
    elif verb == rule.GIVE or verb == rule.TAKE or verb == rule.SWAP:
        return run_exchange(t, seat, verb, n, (packed >> 16) & 255)
    elif verb == rule.EVERYONE:
        other = seat
        for _ in range(t.players):
            piles.draw(t, other, n, tape.BY_RULE)
            other = flow.neighbor(t, other)
    elif verb == rule.STREAK:
        if legal.can_lay_any(t, seat, True):
            return wait_for(t, seat, phase.STREAK)
    elif verb == rule.WILDS:
        return run_wilds(t, seat)
    elif verb == rule.SKIP:
        t.marks |= 1 << flow.neighbor(t, t.origin)
    elif verb == rule.REVERSE:
        throws.flip(t)
    elif verb == rule.DARE:
        return wait_for(t, seat, phase.PERFORM)
    return True


@kernel
def wait_for(t: Table, seat: int, decision: int) -> bool:
    """Leave a decision to a seat; returns False for ``run_effect`` to hand on."""
    t.phase = decision
    t.turn = seat
    return False


@kernel
def run_discard(t: Table, seat: int, verb: int, n: int) -> bool:
    """Bury cards of the performer's choice; a hand of one kind leaves no choice (R1, LC-52)."""
    if t.left < 0:
        t.left = min(n, t.held[seat]) if verb == rule.DISCARD else max(0, t.held[seat] - n)
    while t.left > 0:
        card = piles.only_kind(t, seat)
        if card < 0:
            return wait_for(t, seat, phase.BURY)
        piles.bury(t, seat, card)
        t.left -= 1
    return True


@kernel
def find_candidates(t: Table, seat: int, who: int) -> int:
    """The seats a ``who`` of a rule card may mean (LC-52)."""
    if who == rule.WHO_LEFT:
        return 1 << left_of(t, seat)
    if who == rule.WHO_RIGHT:
        return 1 << right_of(t, seat)
    everyone = ((1 << t.players) - 1) & ~(1 << seat)
    if who == rule.WHO_CHOSEN:
        return everyone
    best = -1
    mask = 0
    for other in range(t.players):
        if other == seat:
            continue
        count = t.held[other] if who == rule.WHO_MOST else 1000 - t.held[other]
        if count > best:
            best = count
            mask = 0
        if count == best:
            mask |= 1 << other
    return mask


@kernel
def run_exchange(t: Table, seat: int, verb: int, n: int, who: int) -> bool:
    """Give, take or swap; asks where several players could be meant (R5, LC-52)."""
    mask = find_candidates(t, seat, who)
    if mask & (mask - 1) != 0:
        t.candidates = mask
        return wait_for(t, seat, phase.TAKE if verb == rule.TAKE and who != rule.WHO_CHOSEN else phase.CHOOSE)
    return exchange(t, seat, verb, n, bits.lowest_bit(mask))


@kernel
def exchange(t: Table, seat: int, verb: int, n: int, other: int) -> bool:
    """Move the cards. False where it has ended the round: it has left somebody without cards (LC-54)."""
    held = t.held[seat]
    others = t.held[other]
    if verb == rule.GIVE:
        piles.move_blind(t, seat, other, n)
    elif verb == rule.TAKE:
        piles.move_blind(t, other, seat, n)
    else:
        effects.trade(t, seat, other)
    if t.held[seat] == 0 and held > 0:
        flow.win(t, seat)
        return False
    if t.held[other] == 0 and others > 0:
        flow.win(t, other)
        return False
    return True


@kernel
def run_wilds(t: Table, seat: int) -> bool:
    """Lay all wilds, effects ignored: Wild, Wild Draw Four, Wild Jackpot (R4); the performer names the color."""
    laid = 0
    for card in (cards.W, cards.W_DRAW_FOUR, cards.W_JACKPOT):
        while piles.free_count(t, seat, card) > 0 and (t.held[seat] > 1 or legal.may_be_last(t, card)):
            effects.put_down(t, seat, card, act.NO_ARG)
            piles.take_free(t, seat, card)
            laid += 1
    if laid == 0:
        return True
    if t.held[seat] == 0:
        flow.win(t, seat)
        return False
    piles.forget_color(t)
    return wait_for(t, seat, phase.COLOR)


@kernel
def go_on(t: Table) -> None:
    """A decision inside an effect has completed it: go on with what follows."""
    verb = t.effects[t.rule, t.effect] & 255
    if t.held[t.performer] == 0 and (verb == rule.DISCARD or verb == rule.DISCARD_UNTIL):
        flow.win(t, t.performer)  # LC-54; plays and exchanges are judged where they are made
        return
    t.effect += 1
    t.left = -1
    run(t)


@kernel
def play_streak(t: Table, seat: int, card: int, arg: int) -> None:
    """Lay one card of a row; its effect is ignored, the row goes on while it can (R2)."""
    effects.put_down(t, seat, card, arg)
    piles.take_free(t, seat, card)
    if t.held[seat] == 0:
        flow.win(t, seat)
    elif not legal.can_lay_any(t, seat, True):
        go_on(t)


@kernel
def choose_in_effect(t: Table, seat: int, other: int) -> None:
    """The player meant by an exchange has been named."""
    packed = int(t.effects[t.rule, t.effect])
    t.candidates = 0
    if exchange(t, seat, packed & 255, (packed >> 8) & 255, other):
        go_on(t)


@kernel
def bury_one(t: Table, seat: int, card: int) -> None:
    """One card of the performer's choice goes under the top (R1)."""
    piles.bury(t, seat, card)
    t.left -= 1
    if run_discard(t, seat, rule.DISCARD, 0):
        go_on(t)
