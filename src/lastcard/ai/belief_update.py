"""Update of a belief from the history: conclusions from each event about hidden cards."""

from typing import Final

from lastcard.ai import belief
from lastcard.ai.belief import Belief
from lastcard.game import action_codes, cards
from lastcard.kernel import bits
from lastcard.kernel.jit import kernel
from lastcard.kernel.records import Int32s, Int64s
from lastcard.rules import event_codes, history, layout, option_codes, phases, piles
from lastcard.rules.round_state import RoundState

_ALL: Final = -1


@kernel
def infer_from_draw(b: Belief, g: RoundState, seat: int) -> None:
    """Conclude from a draw that the seat probably had no card to play (CL-18)."""
    if g.game == option_codes.ALL_WILD:
        return  # every card can be played there, so a draw carries no information
    wilds = _ALL if g.wd4_mode != option_codes.WD4_STRICT else _ALL & ~(1 << (cards.W_DRAW_FOUR & 15))
    belief.exclude_cards(b, b.hand_of[seat], g.matching, wilds)


@kernel
def infer_from_drawn_card(b: Belief, g: RoundState, words: Int32s, i: int, seat: int, root_phase: int) -> None:
    """Conclude whether a drawn card was playable: only then is the seat asked whether to play it."""
    n = words.size
    k = i + 1
    while k < n and int(words[k]) & 255 != event_codes.HISTORY_MOVE and int(words[k]) & 255 != event_codes.DREW:
        k += 1
    asked = (
        root_phase == phases.DRAWN
        if k == n
        else int(words[k]) == event_codes.HISTORY_MOVE | (seat + 1) << 8 | (phases.DRAWN + 1) << 16
    )
    c = b.cohorts - 1
    if asked:
        b.c_colored[c] |= ~g.matching
    else:
        b.c_colored[c] |= g.matching
        b.c_wilds[c] |= _ALL


@kernel
def apply_event(b: Belief, g: RoundState, words: Int32s, i: int, at: int, root_phase: int) -> None:
    """Apply one event of the history; ``at`` is the index of its move, -1 for the deal."""
    word = int(words[i])
    kind = word & 255
    seat = (word >> 8 & 255) - 1
    x = (word >> 16 & 255) - 1
    y = (word >> 24 & 255) - 1
    if kind == event_codes.DREW:
        hand = b.hand_of[seat]
        if seat == b.seat:
            if x >= 0:
                b.known[hand, x] += 1
                if b.reshuffled != 0 and b.fresh[x] > 0:
                    b.fresh[x] -= 1
        else:
            belief.add_unknown(b, hand, 1, b.reshuffled, at)
            if (
                y == event_codes.BY_TURN
                and g.game != option_codes.ALL_WILD
                and g.draw_then_play != option_codes.NEVER_PLAY
            ):
                infer_from_drawn_card(b, g, words, i, seat, root_phase)
    elif kind == event_codes.PLAYED or kind == event_codes.THREW or kind == event_codes.BURIED:
        decided = kind == event_codes.PLAYED and at >= 0 and (int(words[at]) >> 16 & 255) - 1 == phases.PLAY
        newest = kind == event_codes.PLAYED and at >= 0 and (int(words[at]) >> 16 & 255) - 1 == phases.DRAWN
        belief.remove(b, b.hand_of[seat], x, belief.S_PLAYED if decided else belief.S_LEFT, at, newest)
        if kind == event_codes.BURIED:
            b.discarded[x] += 1
        else:
            belief.add_to_discard_pile(b, x)
    elif kind == event_codes.TURNED:
        belief.add_to_discard_pile(b, x)
    elif kind == event_codes.RESHUFFLED:
        belief.reshuffle(b, g.reshuffle == option_codes.RESHUFFLE_KEEP_NONE)
    elif kind == event_codes.SWAPPED:
        b.hand_of[seat], b.hand_of[x] = b.hand_of[x], b.hand_of[seat]
    elif kind == event_codes.HANDS_PASSED:
        belief.pass_hands(b, g.players, 1 if x == 1 else -1)
    elif kind == event_codes.TOOK:
        belief.move_blind_card(b, b.hand_of[x], b.hand_of[seat], y, at)
    elif kind == event_codes.CHALLENGED:
        if y == 0:  # no bluff: not one card of the color that was in force
            color = piles.color_mask(g.color_before) if g.color_before >= 0 else 0
            belief.exclude_cards(b, b.hand_of[seat], color, 0)
    elif kind == event_codes.HISTORY_SEEN and y >= 0:
        belief.show_card(b, b.hand_of[seat], y, int(words[i - 1]) & 0xFFFF != word & 0xFFFF)


@kernel
def reconcile_counts(b: Belief, root: RoundState) -> None:
    """Correct the tracked cards by the actual hand sizes."""
    for seat in range(root.players):
        if seat == b.seat:
            continue
        hand = b.hand_of[seat]
        missing = root.held[seat]
        for card in range(cards.CARD_SLOTS):
            b.known[hand, card] = min(b.known[hand, card], missing)
            missing -= b.known[hand, card]
        for c in range(b.cohorts):
            if b.c_hand[c] == hand:
                b.c_count[c] = min(b.c_count[c], missing)
                missing -= b.c_count[c]
        if missing > 0:
            belief.add_unknown(b, hand, missing, 0, -1)


@kernel
def next_is(words: Int32s, i: int, kind: int) -> bool:
    """Whether the next word is of a kind."""
    return i + 1 < words.size and int(words[i + 1]) & 255 == kind


@kernel
def fill_belief(b: Belief, root: RoundState, g: RoundState, words: Int32s, seat: int, deck: Int64s) -> None:
    """Fill a belief from the history.

    Args:
        b: BELIEF record, zeros.
        root: information state of the seat.
        g: copy of it, changed.
        words: int32, the history as the seat saw it.
        seat: seat whose belief it is.
        deck: int64 by card, the cards of the game.
    """
    b.seat = seat
    b.top = -1
    for s in range(layout.MAX_SEATS):
        b.hand_of[s] = s
    at = -1
    i = 0
    before = -1  # the current color before the last card was laid
    while i < words.size:
        kind = int(words[i]) & 255
        if kind == event_codes.HISTORY_MOVE:
            at = i
            history.restore_public_state(g, words, i)
            g.color_before = before
            if int(words[i + 1]) >> 8 & 255 < cards.CARD_SLOTS:
                before = g.color
            if g.turn != seat and g.phase == phases.PLAY and int(words[i + 1]) >> 8 & 255 == action_codes.DRAW:
                infer_from_draw(b, g, g.turn)
        elif (
            kind == event_codes.RESHUFFLED
            and g.reshuffle == option_codes.RESHUFFLE_EAGER
            and next_is(words, i, event_codes.DREW)
        ):
            # The reshuffle after the last card of the old pile was recorded before the draw of that card.
            apply_event(b, g, words, i + 1, at, root.phase)
            apply_event(b, g, words, i, at, root.phase)
            i += 1
        elif kind != 0:
            apply_event(b, g, words, i, at, root.phase)
        i += 1
    reconcile_counts(b, root)
    for card in range(cards.CARD_SLOTS):
        b.unseen[card] = deck[card] - int(root.counts[seat, card])
        for s in range(root.players):
            if s != seat:
                b.unseen[card] -= b.known[b.hand_of[s], card]
    for k in range(root.discard_n):
        b.unseen[int(root.discard[k])] -= 1
    for card in range(cards.CARD_SLOTS):
        b.unseen[card] = max(0, b.unseen[card])
        b.fresh[card] = min(b.fresh[card], b.unseen[card])
    sort_cohorts(b)
    fill_pools(b)


@kernel
def sort_cohorts(b: Belief) -> None:
    """Sort the cohorts that still have cards, and assign indices in a deal to their cards."""
    n = 0
    at = 0
    for c in range(b.cohorts):
        if b.c_count[c] == 0:
            continue
        b.c_at[c] = at
        at += b.c_count[c]
        tight = bits.popcount(b.c_colored[c] & piles.ALL_COLORED)
        k = n
        while k > 0 and bits.popcount(b.c_colored[b.order[k - 1]] & piles.ALL_COLORED) < tight:
            b.order[k] = b.order[k - 1]
            k -= 1
        b.order[k] = c
        n += 1
    b.orders = n
    b.pile_at = at


@kernel
def fill_pools(b: Belief) -> None:
    """List the unseen cards; after a reshuffle, cards from the discards go into a separate pool."""
    old = 0
    young = 0
    for card in range(cards.CARD_SLOTS):
        fresh = b.fresh[card] if b.reshuffled != 0 else b.unseen[card]
        for k in range(b.unseen[card]):
            if k < fresh:
                b.young[young] = card
                young += 1
            else:
                b.old[old] = card
                old += 1
    b.old_n = old
    b.young_n = young
