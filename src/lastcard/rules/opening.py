"""The deal of a round and the effect of its first card."""

from typing import Final

from lastcard.game import action_codes, cards
from lastcard.kernel import bytes16
from lastcard.kernel.jit import inlined, kernel
from lastcard.kernel.records import Int64s
from lastcard.rules import chance, effects, event_codes, flow, option_codes, phases, piles, turn
from lastcard.rules.cards import card_face, is_wild
from lastcard.rules.round_state import RoundState

_NUMBERS: Final = 9
"""Highest number that a color may have twice, if chance decides which."""
_TWICE: Final = 5
"""Count of the numbers that a color has twice."""
NUMBER_SCRATCH_WORDS: Final = _NUMBERS + 16
"""Size of the scratch in int64: the numbers, and a ChaCha8 block."""


@kernel
def reset_round(t: RoundState) -> None:
    """Clear the last round, except options, seed, deck and rule cards (CO-45)."""
    for seat in range(t.players):
        t.held[seat] = 0
        t.colored[seat] = 0
        t.wilds[seat] = 0
        for card in range(cards.CARD_SLOTS):
            t.counts[seat, card] = 0
    t.direction = 1
    t.drawn = -1
    t.pending = 0
    t.exposed = 0
    t.suspended_windows = 0
    t.catch_exempt = 0
    t.called = 0
    t.early = 0
    t.one_card_mask = 0
    t.played_seats = 0
    t.unverified_calls = 0
    t.barred = 0
    t.topless = 0
    t.turn_passed = 0
    t.successive_passes = 0
    t.stalled_turns = 0
    t.supply_exhausted = 0
    t.winner = -1
    t.skip_mask = 0
    t.named_color = -1
    t.extra_pulls = 0
    t.opening = 0
    t.performer = -1
    t.performers_left = 0
    t.candidates = 0
    t.discard_n = 0
    t.reshuffles = 0
    t.lever_pulls = 0
    t.dispensed = 0
    t.blind_draws = 0
    t.lever_script_n = 0
    t.lever_script_at = 0
    t.event_log_n = 0


@kernel
def load_dispenser(t: RoundState) -> None:
    """Put all rule cards into the dispenser, in random order (LC-55)."""
    for i in range(t.rule_n):
        t.dispenser[i] = i
    t.dispenser_n = t.rule_n
    t.dispenser_ordered_n = 0
    t.used_n = 0


@kernel
def is_returned(t: RoundState, card: int) -> bool:
    """Whether a turned card is returned to the pile (CL-11, LC-22, first_card_action)."""
    if t.game == option_codes.ALL_WILD:
        return t.first_card_action == option_codes.FIRST_REDRAW_UNTIL_WILD and card != cards.W
    if card == cards.W_DRAW_FOUR:
        return t.first_card_wd4 != option_codes.FIRST_WD4_AS_WILD or t.first_card_wild == option_codes.FIRST_WILD_REDRAW
    return card == cards.W and t.first_card_wild == option_codes.FIRST_WILD_REDRAW


@kernel
def all_returned(t: RoundState) -> bool:
    """Whether every card left would be returned too, so that turning another is useless."""
    for i in range(t.pile_n):
        if not is_returned(t, t.pile[i]):
            return False
    return True


@kernel
def return_card(t: RoundState, card: int) -> None:
    """Return a turned card to the pile: anywhere while the order is random, to the bottom of an ordered pile."""
    n = t.pile_n
    if t.ordered_n > 0:
        for i in range(n, 0, -1):
            t.pile[i] = t.pile[i - 1]
        t.pile[0] = card
        t.ordered_n += 1
    else:
        t.pile[n] = card
    t.pile_n = n + 1


@kernel
def open_round(t: RoundState, card: int) -> None:
    """Apply the effect of the first card (AW-6, AW-7, CL-6 to CL-12, WJ-7 to WJ-9)."""
    first = flow.neighbor(t, t.dealer)
    t.origin = t.dealer
    piles.set_top(t, card, effects.color_after(t, card, action_codes.NO_ARG))
    piles.emit(t, event_codes.TURNED, -1, card, -1)
    face = card_face(card)
    flow.give_turn(t, first)
    if t.game == option_codes.ALL_WILD:
        return
    if card == cards.W_JACKPOT:
        t.opening = 2
        t.phase = phases.COLOR
    elif is_wild(card):
        t.opening = 1
        t.phase = phases.COLOR
    elif face == cards.SKIP:
        effects.skip_over(t, t.dealer, 1)
    elif face == cards.REVERSE:
        effects.reverse_direction(t)
        flow.give_turn(
            t, flow.neighbor(t, t.dealer) if t.first_card_reverse == option_codes.FIRST_REVERSE_RIGHT else t.dealer
        )
    elif face == cards.DRAW_TWO:
        piles.draw(t, first, 2, event_codes.BY_CARD)
        effects.after_draw(t, t.dealer)
    elif face == cards.JACKPOT:
        turn.begin_opening_jackpot(t, first)


@kernel
def apply_number_distribution(t: RoundState, scratch: Int64s) -> None:
    """Remove the second cards of randomly chosen numbers from a deck that has all numbers twice (LC-24).

    Scratch is int64[NUMBER_SCRATCH_WORDS].
    """
    if t.wj_number_distribution != option_codes.SECRET_NUMBERS:
        return
    numbers = scratch[:_NUMBERS]
    for i in range(_NUMBERS):
        numbers[i] = i + 1
    chance.shuffle(t.key, chance.DECK, 0, 0, numbers, scratch[_NUMBERS:])
    single = 0
    for i in range(_TWICE, _NUMBERS):
        single |= 1 << int(numbers[i])
    count = 0
    last = -1
    for i in range(t.deck_n):
        card = int(t.deck[i])
        if card != last or is_wild(card) or single >> card_face(card) & 1 == 0:
            t.deck[count] = card
            count += 1
        last = card
    for i in range(count, t.deck_n):
        t.deck[i] = 0
    t.deck_n = count


@inlined
def draw_hands(t: RoundState, count: int) -> None:
    """Draw the cards to be dealt, and leave them at the end of the pile, the first one last."""
    ordered = t.ordered_n
    for n in range(t.pile_n - 1, t.pile_n - 1 - count, -1):
        if ordered > 0:
            ordered -= 1
        else:
            i = chance.next_below(t, n + 1) & 127
            card = t.pile[i]
            t.pile[i] = t.pile[n & 127]
            t.pile[n & 127] = card
        t.pile_n = n  # forced chance reads it
    t.ordered_n = ordered


@inlined
def deal_hands(t: RoundState, dealer: int) -> None:
    """Deal the hands one card at a time, the first to the dealer's left (CO-1)."""
    players, hand_size = t.players, t.hand_size
    first = t.pile_n - 1
    draw_hands(t, hand_size * players)
    seat = dealer
    for place in range(players):
        seat = seat + 1 if seat + 1 < players else 0
        colored = wilds = 0
        for nth in range(hand_size):
            card = int(t.pile[(first - place - nth * players) & 127]) & 127
            wild = piles.wild_bit(t, card)
            t.counts[seat & 15, card] += 1
            colored |= (1 - wild) << (card & 63)
            wilds |= wild << (card & 63)
        t.colored[seat & 15] = colored
        t.wilds[seat & 15] = wilds
        t.held[seat & 15] = hand_size


@kernel
def deal(t: RoundState, dealer: int, number: int, ordered: int) -> None:
    """Deal a round and resolve its first card.

    Args:
        number: number of the round in its match; selects the chance streams.
        ordered: number of cards at the end of the deck whose order is given, the last one next; 0 to shuffle all.
    """
    reset_round(t)
    t.number = number
    chance.reset_first_words(t)
    t.dealer = dealer
    for at in range(0, t.deck_n, bytes16.WIDTH_BYTES):  # both are zero after the deck
        bytes16.copy_part(t.pile, at, t.deck, at)
    t.pile_n = t.deck_n
    t.ordered_n = ordered
    load_dispenser(t)
    chance.open_stream(t, chance.DEAL, 0)
    deal_hands(t, dealer)
    card = piles.take_top(t, event_codes.BY_TURN)
    while is_returned(t, card) and not all_returned(t):
        return_card(t, card)
        card = piles.take_top(t, event_codes.BY_TURN)
    piles.push_discard(t, card)
    t.changed_hands = 0
    open_round(t, card)
    flow.finish_move(t, -1)
