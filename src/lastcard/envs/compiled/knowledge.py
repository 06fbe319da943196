"""Cards a player has seen in another hand: after hands moved, after a challenge, after a card was taken from it.

``known[viewer, owner, kind]`` counts them, uint8; kinds number the cards of a game, and zeros fill up to ``width``
places. What is in it is certain: a hand from which a card went that the viewer did not see is forgotten whole. Compiled
play keeps it for all seats at once (``foresee`` before an act, ``learn`` after it), a view's past fills it for one
(``recollect_known``).
"""

from typing import Any

from lastcard.game import act, cards
from lastcard.kernel import bits, bytes16
from lastcard.kernel.jit import inlined, kernel
from lastcard.kernel.records import Int8s, Int32s, Uint8s
from lastcard.rules import phase, tape
from lastcard.rules.cards import card_face, is_wild
from lastcard.rules.table import Table


def width(kinds: int) -> int:
    """How many places counts of so many kinds take: whole sixteens, so that they are copied as such."""
    return -(-kinds // bytes16.WIDTH) * bytes16.WIDTH


@kernel
def forget_known(known: Uint8s) -> None:
    """Nothing is known of any hand."""
    for viewer in range(known.shape[0]):
        for owner in range(known.shape[1]):
            forget_hand(known[viewer, owner])


@inlined
def forget_hand(hand: Any) -> None:
    """Nothing is known of one hand any more."""
    for kind in range(hand.size):
        hand[kind] = 0


@kernel
def count_hand(t: Table, seat: int, kinds: Int8s, hand: Any) -> None:
    """Write how many of each kind a seat holds."""
    forget_hand(hand)
    add_hand(t, seat, kinds, hand)


@inlined
def add_hand(t: Table, seat: int, kinds: Int8s, x: Any) -> None:
    """Write how many of each kind a seat holds where zeros stand; at least sixteen behind the last kind stay zeros."""
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
def may_move_hands(t: Table, action: int) -> bool:
    """Whether hands may change seats by an act."""
    code = action & 255
    if code < cards.CARD_SLOTS:
        return (
            code == cards.W_SWAP
            or t.phase == phase.STREAK  # a rule card that comes after the row may move them
            or (t.seven_zero != 0 and not is_wild(code) and (card_face(code) == cards.SEVEN or card_face(code) == 0))
        )
    return code >= act.COLOR  # in the midst of a lever or a rule card


@inlined
def foresee(t: Table, seat: int, action: int, kinds: Int8s, known: Uint8s) -> bool:
    """Take in what an act is about to show: every seat knows its own hand, a challenger the hand it looks into.

    Returns:
        Whether the act may show anything.
    """
    if action & 255 != act.CHALLENGE and not may_move_hands(t, action):
        return False
    look(t, seat, action, kinds, known)
    return True


@kernel
def look(t: Table, seat: int, action: int, kinds: Int8s, known: Uint8s) -> None:
    """``foresee`` for the few acts that may show something."""
    if action & 255 == act.CHALLENGE:
        count_hand(t, t.accused, kinds, known[seat, t.accused])
    else:
        for owner in range(t.players):
            count_hand(t, owner, kinds, known[owner, owner])


@inlined
def drop(hand: Any, kind: int) -> None:
    """A card left a hand for the viewer to see."""
    hand[kind] -= 1 if hand[kind] > 0 else 0


@kernel
def exchange(one: Any, other: Any) -> None:
    """What was known of two hands changes places."""
    for kind in range(one.size):
        kept = one[kind]
        one[kind] = other[kind]
        other[kind] = kept


@kernel
def pass_known(known: Uint8s, players: int, step: int) -> None:
    """Every hand went to the next seat (6.3)."""
    if step > 0:
        for seat in range(players - 1, 0, -1):
            exchange(known[seat], known[seat - 1])
    else:
        for seat in range(players - 1):
            exchange(known[seat], known[seat + 1])


@kernel
def take_in_word(word: int, viewer: int, players: int, kinds: Int8s, known: Uint8s) -> None:
    """One event of the tape or the past, for one viewer; ``known`` is uint8[owner, kind]."""
    event = word & 255
    seat = (word >> 8 & 255) - 1
    x = (word >> 16 & 255) - 1
    y = (word >> 24 & 255) - 1
    if event == tape.PLAYED or event == tape.THREW or event == tape.BURIED:
        drop(known[seat], kinds[x])
    elif event == tape.DREW:
        if seat == viewer and x >= 0:
            known[seat, kinds[x]] += 1
    elif event == tape.SWAPPED:
        exchange(known[seat], known[x])
    elif event == tape.HANDS_PASSED:
        pass_known(known, players, 1 if x == 1 else -1)
    elif event == tape.TOOK:
        if viewer == seat or viewer == x:
            drop(known[x], kinds[y])
            known[seat, kinds[y]] += 1
        else:
            forget_hand(known[x])


@kernel
def tells(t: Table) -> bool:
    """Whether the tape has an event that changes what is known even where nothing was known before."""
    for i in range(t.tape_n):
        event = int(t.tape[i]) & 255
        if event == tape.SWAPPED or event == tape.HANDS_PASSED or event == tape.TOOK or event == tape.SHOWN:
            return True
    return False


@kernel
def read_tape(t: Table, kinds: Int8s, known: Uint8s) -> None:
    """Take in, for all seats, what the act just done has shown."""
    for viewer in range(t.players):
        for i in range(t.tape_n):
            take_in_word(int(t.tape[i]), viewer, t.players, kinds, known[viewer])


@inlined
def learn(t: Table, seat: int, action: int, shows: bool, kinds: Int8s, known: Uint8s) -> None:
    """Take in, for all seats, what the act just done has shown.

    Args:
        shows: what ``foresee`` said of it; all that others may show is the card laid.
    """
    if shows:
        read_tape(t, kinds, known)
    elif action & 255 < cards.CARD_SLOTS:
        kind = int(kinds[action & 255])
        for viewer in range(t.players):
            drop(known[viewer, seat], kind)


@kernel
def recollect_known(words: Int32s, viewer: int, players: int, kinds: Int8s, known: Uint8s) -> None:
    """Fill what is known from the past as a seat saw it; ``known`` is uint8[owner, kind], zeros."""
    opened = False
    for i in range(words.size):
        word = int(words[i])
        opened = opened or word & 255 == tape.PAST_ACT
        if word & 255 == tape.DREW and not opened and (word >> 24 & 255) - 1 != tape.BY_DEAL:
            continue  # for the first card (CL-9): it stands among the cards dealt already
        if word & 255 != tape.PAST_SEEN:
            take_in_word(word, viewer, players, kinds, known)
            continue
        card = (word >> 24 & 255) - 1
        if card >= 0:
            owner = (word >> 8 & 255) - 1
            if i == 0 or int(words[i - 1]) & 0xFFFF != word & 0xFFFF:
                forget_hand(known[owner])
            known[owner, kinds[card]] += 1
