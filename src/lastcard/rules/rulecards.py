"""Rule cards: an interpreter that stops at every decision of a player (WJ-46, WJ-47, WJ-50, LC-50 to LC-56)."""

from lastcard.game import action_codes, cards
from lastcard.kernel import bits
from lastcard.kernel.jit import kernel
from lastcard.rules import (
    chance,
    discard_outcome,
    effects,
    event_codes,
    flow,
    forced_chance,
    layout,
    legal,
    phases,
    piles,
    rule_effects,
)
from lastcard.rules.round_state import RoundState


@kernel
def left_of(t: RoundState, seat: int) -> int:
    """Returns the next seat clockwise, regardless of the direction of play (WJ-40c)."""
    return seat + 1 if seat + 1 < t.players else 0


@kernel
def right_of(t: RoundState, seat: int) -> int:
    """Returns the next seat counter-clockwise (WJ-40b)."""
    return seat - 1 if seat > 0 else t.players - 1


@kernel
def dispense(t: RoundState) -> int:
    """Take the next rule card and return it; used cards are shuffled back if the dispenser is empty (WJ-46)."""
    if t.dispenser_n == 0:
        for i in range(t.used_n):
            t.dispenser[i] = t.used[i]
        t.dispenser_n = t.used_n
        t.used_n = 0
        t.dispenser_ordered_n = 0
    n = t.dispenser_n - 1
    if t.dispenser_ordered_n > 0:
        t.dispenser_ordered_n -= 1
        card = int(t.dispenser[n])
    else:
        i = (
            forced_chance.next_forced(t, forced_chance.OF_STACK, layout.NOTHING)
            if t.forced_outcomes > 0
            else layout.NOTHING
        )
        if i == layout.NOTHING:
            i = chance.first_below(t, chance.RULES, t.dispensed, n + 1)
        card = int(t.dispenser[i])
        t.dispenser[i] = t.dispenser[n]
    t.dispenser_n = n
    t.used[t.used_n] = card
    t.used_n += 1
    t.dispensed += 1
    return card


@kernel
def perform(t: RoundState, seat: int) -> None:
    """Give a player a rule card to perform."""
    t.performer = seat
    t.rule = dispense(t)
    t.effect_index = 0
    t.cards_to_bury = -1
    t.candidates = 0
    piles.emit(t, event_codes.RULE, seat, t.rule, -1)
    run(t)


@kernel
def run(t: RoundState) -> None:
    """Apply effects of rule cards until a player must decide or the lever is done (WJ-40d, WJ-47)."""
    while True:
        seat = t.performer
        while t.effect_index < layout.MAX_EFFECTS and t.effects[t.rule, t.effect_index] != rule_effects.NONE:
            held = t.held[seat]
            if not run_effect(t, seat):
                return
            t.effect_index += 1
            t.cards_to_bury = -1
            if t.held[seat] == 0 and held > 0:
                flow.win(t, seat)  # LC-54
                return
        if t.performers_left == 0:
            discard_outcome.end_lever(t)
            return
        t.performers_left -= 1
        seat += t.perform_direction
        if seat < 0:
            seat += t.players
        elif seat >= t.players:
            seat -= t.players
        t.performer = seat
        t.rule = dispense(t)
        t.effect_index = 0
        piles.emit(t, event_codes.RULE, seat, t.rule, -1)


@kernel
def run_effect(t: RoundState, seat: int) -> bool:
    """Apply one effect; returns False if it waits for a decision or has ended the round."""
    packed = int(t.effects[t.rule, t.effect_index])
    verb = packed & 255
    n = (packed >> 8) & 255
    if verb == rule_effects.DRAW:
        piles.draw(t, seat, n, event_codes.BY_RULE)
    elif verb == rule_effects.DRAW_UNTIL:
        piles.draw(t, seat, max(0, n - t.held[seat]), event_codes.BY_RULE)
    elif verb == rule_effects.DISCARD or verb == rule_effects.DISCARD_UNTIL:
        return run_discard(t, seat, verb, n)
    elif verb == rule_effects.GIVE or verb == rule_effects.TAKE or verb == rule_effects.SWAP:
        return run_exchange(t, seat, verb, n, (packed >> 16) & 255)
    elif verb == rule_effects.EVERYONE:
        other = seat
        for _ in range(t.players):
            piles.draw(t, other, n, event_codes.BY_RULE)
            other = flow.neighbor(t, other)
    elif verb == rule_effects.STREAK:
        if legal.can_lay_any(t, seat, True):
            return wait_for(t, seat, phases.STREAK)
    elif verb == rule_effects.WILDS:
        return run_wilds(t, seat)
    elif verb == rule_effects.SKIP:
        t.skip_mask |= 1 << flow.neighbor(t, t.origin)
    elif verb == rule_effects.REVERSE:
        discard_outcome.reverse_off_turn(t)
    elif verb == rule_effects.DARE:
        return wait_for(t, seat, phases.PERFORM)
    return True


@kernel
def wait_for(t: RoundState, seat: int, decision: int) -> bool:
    """Ask a seat for a decision; returns False, which ``run_effect`` returns too."""
    t.phase = decision
    t.turn = seat
    return False


@kernel
def run_discard(t: RoundState, seat: int, verb: int, n: int) -> bool:
    """Bury cards that the performer chooses, without asking if the hand has one kind of card (R1, LC-52)."""
    if t.cards_to_bury < 0:
        t.cards_to_bury = min(n, t.held[seat]) if verb == rule_effects.DISCARD else max(0, t.held[seat] - n)
    while t.cards_to_bury > 0:
        card = piles.only_kind(t, seat)
        if card < 0:
            return wait_for(t, seat, phases.BURY)
        piles.bury(t, seat, card)
        t.cards_to_bury -= 1
    return True


@kernel
def find_candidates(t: RoundState, seat: int, who: int) -> int:
    """Returns the mask of seats that a ``who`` of a rule card may mean (LC-52)."""
    if who == rule_effects.WHO_LEFT:
        return 1 << left_of(t, seat)
    if who == rule_effects.WHO_RIGHT:
        return 1 << right_of(t, seat)
    everyone = ((1 << t.players) - 1) & ~(1 << seat)
    if who == rule_effects.WHO_CHOSEN:
        return everyone
    best = -1
    mask = 0
    for other in range(t.players):
        if other == seat:
            continue
        count = t.held[other] if who == rule_effects.WHO_MOST else 1000 - t.held[other]
        if count > best:
            best = count
            mask = 0
        if count == best:
            mask |= 1 << other
    return mask


@kernel
def run_exchange(t: RoundState, seat: int, verb: int, n: int, who: int) -> bool:
    """Give, take or swap; asks for the player if several are possible (R5, LC-52)."""
    mask = find_candidates(t, seat, who)
    if mask & (mask - 1) != 0:
        t.candidates = mask
        return wait_for(
            t, seat, phases.TAKE if verb == rule_effects.TAKE and who != rule_effects.WHO_CHOSEN else phases.CHOOSE
        )
    return exchange(t, seat, verb, n, bits.lowest_bit(mask))


@kernel
def exchange(t: RoundState, seat: int, verb: int, n: int, other: int) -> bool:
    """Move the cards; returns False if that has ended the round by leaving a player without cards (LC-54)."""
    held = t.held[seat]
    others = t.held[other]
    if verb == rule_effects.GIVE:
        piles.move_blind(t, seat, other, n)
    elif verb == rule_effects.TAKE:
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
def run_wilds(t: RoundState, seat: int) -> bool:
    """Lay all wilds, effects ignored: Wild, Wild Draw Four, Wild Jackpot (R4); the performer names the color."""
    laid = 0
    for card in (cards.W, cards.W_DRAW_FOUR, cards.W_JACKPOT):
        while piles.free_count(t, seat, card) > 0 and (t.held[seat] > 1 or legal.may_be_last(t, card)):
            effects.lay_card(t, seat, card, action_codes.NO_ARG)
            piles.uncount_free_card(t, seat, card)
            laid += 1
    if laid == 0:
        return True
    if t.held[seat] == 0:
        flow.win(t, seat)
        return False
    piles.forget_color(t)
    return wait_for(t, seat, phases.COLOR)


@kernel
def finish_effect(t: RoundState) -> None:
    """Continue after an effect that a decision has completed."""
    verb = t.effects[t.rule, t.effect_index] & 255
    if t.held[t.performer] == 0 and (verb == rule_effects.DISCARD or verb == rule_effects.DISCARD_UNTIL):
        flow.win(t, t.performer)  # LC-54; plays and exchanges check this themselves
        return
    t.effect_index += 1
    t.cards_to_bury = -1
    run(t)


@kernel
def play_streak(t: RoundState, seat: int, card: int, arg: int) -> None:
    """Lay one card of a streak without its effect; the streak continues while possible (R2)."""
    effects.lay_card(t, seat, card, arg)
    piles.uncount_free_card(t, seat, card)
    if t.held[seat] == 0:
        flow.win(t, seat)
    elif not legal.can_lay_any(t, seat, True):
        finish_effect(t)


@kernel
def choose_in_effect(t: RoundState, seat: int, other: int) -> None:
    """Complete an exchange with the player who was named."""
    packed = int(t.effects[t.rule, t.effect_index])
    t.candidates = 0
    if exchange(t, seat, packed & 255, (packed >> 8) & 255, other):
        finish_effect(t)


@kernel
def bury_one(t: RoundState, seat: int, card: int) -> None:
    """Put one card that the performer chose under the top card (R1)."""
    piles.bury(t, seat, card)
    t.cards_to_bury -= 1
    if run_discard(t, seat, rule_effects.DISCARD, 0):
        finish_effect(t)
