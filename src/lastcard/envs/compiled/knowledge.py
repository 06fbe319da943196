"""Cards that a player knows in another hand: after hands moved, a challenge, or a card taken from that player.

``known[viewer, owner, kind]`` counts them, uint8; kinds number the cards of a game, and zeros fill up to
``padded_width`` places. All its cards are certain: a hand that lost a card unseen by the viewer is forgotten whole.
Compiled play updates it for all seats at once (``observe_before`` before a move, ``observe_after`` after it). A view's
event log fills it for one seat (``rebuild_known``).
"""

from typing import Any

from lastcard.game import action_codes, cards
from lastcard.kernel import bits, bytes16
from lastcard.kernel.jit import inlined, kernel
from lastcard.kernel.records import Int8s, Int32s, Uint8s
from lastcard.rules import event_codes, phases
from lastcard.rules.cards import card_face, is_wild
from lastcard.rules.round_state import RoundState


def padded_width(kinds: int) -> int:
    """The number of places for counts of ``kinds`` kinds: a multiple of sixteen, for fast copies."""
    return -(-kinds // bytes16.WIDTH_BYTES) * bytes16.WIDTH_BYTES


@kernel
def forget_known(known: Uint8s) -> None:
    """Forget all hands."""
    for viewer in range(known.shape[0]):
        for owner in range(known.shape[1]):
            forget_hand(known[viewer, owner])


@inlined
def forget_hand(hand: Any) -> None:
    """Forget one hand."""
    for kind in range(hand.size):
        hand[kind] = 0


@kernel
def count_hand(t: RoundState, seat: int, kinds: Int8s, hand: Any) -> None:
    """Write how many cards of each kind a seat holds."""
    forget_hand(hand)
    add_hand(t, seat, kinds, hand)


@kernel
def reveal_hands(t: RoundState, kinds: Int8s, known: Any) -> None:
    """Write all hands, by owner, as what one viewer knows."""
    for owner in range(t.players):
        count_hand(t, owner, kinds, known[owner])


@inlined
def add_hand(t: RoundState, seat: int, kinds: Int8s, x: Any) -> None:
    """Write a seat's counts by kind over zeros; at least sixteen zeros remain behind the last kind."""
    counts = t.counts[seat]
    if t.colored[seat] != 0:
        for color in range(0, cards.WILDS_FROM, cards.FACES_PER_COLOR):  # its kinds follow one another as its cards do
            bytes16.copy_part(x, kinds[color], counts, color)
    wilds = t.wilds[seat]
    while wilds != 0:
        card = cards.WILDS_FROM + bits.lowest_bit(wilds)
        wilds &= wilds - 1
        x[kinds[card]] = counts[card]


@inlined
def may_move_hands(t: RoundState, action: int) -> bool:
    """Whether hands may change owners by a move."""
    code = action & 255
    if code < cards.CARD_SLOTS:
        return (
            code == cards.W_SWAP
            or t.phase == phases.STREAK  # a rule card that comes after the row may move them
            or (t.seven_zero != 0 and not is_wild(code) and (card_face(code) == cards.SEVEN or card_face(code) == 0))
        )
    return code >= action_codes.COLOR  # in the middle of a lever or a rule card


@inlined
def observe_before(t: RoundState, seat: int, action: int, kinds: Int8s, known: Uint8s) -> bool:
    """Record what a move is about to show: every seat knows its own hand, a challenger the hand it inspects.

    Returns whether the move may show anything.
    """
    if action & 255 != action_codes.CHALLENGE and not may_move_hands(t, action):
        return False
    observe_hands_before(t, seat, action, kinds, known)
    return True


@kernel
def observe_hands_before(t: RoundState, seat: int, action: int, kinds: Int8s, known: Uint8s) -> None:
    """``observe_before`` for the few moves that may show something."""
    if action & 255 == action_codes.CHALLENGE:
        count_hand(t, t.challenged_seat, kinds, known[seat, t.challenged_seat])
    else:
        for owner in range(t.players):
            count_hand(t, owner, kinds, known[owner, owner])


@inlined
def remove_card(hand: Any, kind: int) -> None:
    """Remove a card that left a hand in view of the viewer."""
    hand[kind] -= 1 if hand[kind] > 0 else 0


@kernel
def swap_known(one: Any, other: Any) -> None:
    """Exchange the known cards of two hands."""
    for kind in range(one.size):
        saved = one[kind]
        one[kind] = other[kind]
        other[kind] = saved


@kernel
def rotate_known(known: Uint8s, players: int, step: int) -> None:
    """Move all known hands to the next seat (6.3)."""
    if step > 0:
        for seat in range(players - 1, 0, -1):
            swap_known(known[seat], known[seat - 1])
    else:
        for seat in range(players - 1):
            swap_known(known[seat], known[seat + 1])


@kernel
def apply_event(word: int, viewer: int, players: int, kinds: Int8s, known: Uint8s) -> None:
    """Apply one event of the event log for one viewer; ``known`` is uint8[owner, kind]."""
    event = word & 255
    seat = (word >> 8 & 255) - 1
    x = (word >> 16 & 255) - 1
    y = (word >> 24 & 255) - 1
    if event == event_codes.PLAYED or event == event_codes.THREW or event == event_codes.BURIED:
        remove_card(known[seat], kinds[x])
    elif event == event_codes.DREW:
        if seat == viewer and x >= 0:
            known[seat, kinds[x]] += 1
    elif event == event_codes.SWAPPED:
        swap_known(known[seat], known[x])
    elif event == event_codes.HANDS_PASSED:
        rotate_known(known, players, 1 if x == 1 else -1)
    elif event == event_codes.TOOK:
        if viewer == seat or viewer == x:
            remove_card(known[x], kinds[y])
            known[seat, kinds[y]] += 1
        else:
            forget_hand(known[x])


@kernel
def has_revealing_event(t: RoundState) -> bool:
    """Whether the event log has an event that changes knowledge even if nothing was known before."""
    for i in range(t.event_log_n):
        event = int(t.event_log[i]) & 255
        if (
            event == event_codes.SWAPPED
            or event == event_codes.HANDS_PASSED
            or event == event_codes.TOOK
            or event == event_codes.SHOWN
        ):
            return True
    return False


@kernel
def read_events(t: RoundState, kinds: Int8s, known: Uint8s) -> None:
    """Record, for all seats, what the last move has shown."""
    for viewer in range(t.players):
        for i in range(t.event_log_n):
            apply_event(int(t.event_log[i]), viewer, t.players, kinds, known[viewer])


@inlined
def observe_after(t: RoundState, seat: int, action: int, may_reveal: bool, kinds: Int8s, known: Uint8s) -> None:
    """Record, for all seats, what the last move has shown: only the card laid unless ``observe_before`` was true."""
    if may_reveal:
        read_events(t, kinds, known)
    elif action & 255 < cards.CARD_SLOTS:
        kind = int(kinds[action & 255])
        for viewer in range(t.players):
            remove_card(known[viewer, seat], kind)


@kernel
def rebuild_known(history: Int32s, viewer: int, players: int, kinds: Int8s, known: Uint8s) -> None:
    """Fill ``known`` from a seat's redacted event log; ``known`` is uint8[owner, kind], zeros."""
    opened = False
    for i in range(history.size):
        word = int(history[i])
        opened = opened or word & 255 == event_codes.HISTORY_MOVE
        if word & 255 == event_codes.DREW and not opened and (word >> 24 & 255) - 1 != event_codes.BY_DEAL:
            continue  # for the first card (CL-9): it is already among the dealt cards
        if word & 255 != event_codes.HISTORY_SEEN:
            apply_event(word, viewer, players, kinds, known)
            continue
        card = (word >> 24 & 255) - 1
        if card >= 0:
            owner = (word >> 8 & 255) - 1
            if i == 0 or int(history[i - 1]) & 0xFFFF != word & 0xFFFF:
                forget_hand(known[owner])
            known[owner, kinds[card]] += 1
