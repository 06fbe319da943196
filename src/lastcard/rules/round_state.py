"""The round state: one flat NumPy record.

It holds everything about one deal: hands, piles, the seat on turn, pending draws, the options, the key
of its chance streams, and the event log of the last move. Kernel functions take such a record
(``states[i]``); copying one is a memory copy.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated, Any, Final, cast

import numpy as np

from lastcard.game import cards
from lastcard.game.options import OPTIONS, RuleOptions
from lastcard.kernel import arrays
from lastcard.kernel.blocks import BLOCKS
from lastcard.kernel.records import Int8s, Int32s, Int64s, Records, Uint32s, array_of, record_fields, shape
from lastcard.rules import layout, option_codes


class RoundState:
    """Fields of a round state. Every option has a field of its own name in addition (``option_codes.py``).

    The class has no instances: functions get a record of an array, ``states[i]``.

    The fields of an ordinary turn lie within the first 4,096 bytes: processors confuse addresses 4,096 bytes apart at
    first, so that a load from a hand would wait for a store to the discard pile.
    """

    game: int
    players: int
    number: int  # of the round in its match, from 0: part of every chance stream
    dealer: int
    direction: int  # +1 clockwise, -1 counter-clockwise
    turn: int  # the seat that decides next (LC-1)
    phase: int  # the kind of decision (``phases.py``)
    origin: int  # the seat whose move is being resolved; play continues from it
    top: int  # the card to be matched
    topless: int  # 1 while that card has been shuffled into the draw pile (LC-10)
    color: int  # the current color, -1 none
    matching: int  # mask of colored cards that match
    drawn: int  # the card just drawn, in phase DRAWN
    pending: int  # number of cards to draw, in CHALLENGE and STACK
    pending_face: int  # number of the last draw card in the chain: 2 or 4
    challenged_seat: int  # the seat that laid the Wild Draw Four
    was_bluff: int  # 1 if it was a bluff
    color_before: int  # the current color before it
    exposed: int  # seats that can be caught (bit mask)
    suspended_windows: int  # seats whose window is open again after a phase without catches (LC-4)
    catch_exempt: int  # seats just caught: another catch is refused without a penalty (LC-18)
    called: int  # seats with one card that have called
    early: int  # seats with an early call
    played_seats: int  # seats that have played in this move, for which their early call counts
    unverified_calls: int  # seats whose call with a play is false unless it leaves them one card (LC-5)
    one_card_mask: int  # seats that hold exactly one card
    changed_hands: int  # seats whose hand this move has changed
    turn_passed: int  # 1 when the turn has passed on in this move
    successive_passes: int  # passes in succession (CO-35)
    stalled_turns: int  # turns in succession on which the card just drawn was laid (LC-8)
    supply_exhausted: int  # 1 if the round ends with this move: too few cards to draw (LC-11), or no progress (LC-8)
    winner: int  # -1 none
    barred: int  # seats that hold cards they may not play before their next turn (CO-8)
    skip_mask: int  # seats that lose the coming turn (WJ-43)
    discarded_colors: int  # colors discarded in this DISCARD
    named_color: int  # color named for a Wild Jackpot, -1
    extra_pulls: int  # further pulls earned (LC-27)
    puller: int
    opening: int  # 1 while the first card is being resolved
    performer: int  # -1 none
    performers_left: int  # number of performers after this one
    perform_direction: int  # direction of the next performers
    rule: int  # the rule card being performed
    effect_index: int  # index of the current effect
    cards_to_bury: int  # number of cards still to be buried
    candidates: int  # seats that may be chosen
    pile_n: int
    ordered_n: int  # number of cards on top of the draw pile with a known order
    discard_n: int
    reshuffles: int
    lever_pulls: int  # lever pulls so far in this round
    dispensed: int
    blind_draws: int  # cards taken blind so far in this round
    rule_n: int  # rule cards defined
    dispenser_n: int  # rule cards in the dispenser
    dispenser_ordered_n: int
    used_n: int
    lever_script_n: int  # lever outcomes fixed in advance
    lever_script_at: int
    forced_outcomes: int  # number of forced outcomes plus one; 0: chance is random (``forced_chance.py``)
    next_forced: int  # number of forced outcomes used
    word: int  # next word of the chance block
    counter: int
    purpose: int
    index: int
    deck_n: int
    record_events: int
    has_foreign_cards: int  # 1 if All Wild is played with colored cards too (docs/notation.md, Positions)
    event_log_n: int
    held: Int64s = shape(layout.MAX_SEATS)  # hand sizes
    colored: Int64s = shape(layout.MAX_SEATS)  # mask of the colored cards of a hand, bit = card
    wilds: Int64s = shape(layout.MAX_SEATS)  # mask of its wilds, bit = face
    lever_weights: Int64s = shape(6)  # of the lever's outcomes
    first_words_end: Int64s = shape(
        layout.FIRST_WORD_PURPOSES
    )  # the index after the last of those streams; 0: there are none
    key: Int64s = shape(8)  # the 32-byte seed of the match, as words
    counts: Int8s = shape(layout.MAX_SEATS, cards.CARD_SLOTS)  # cards of each kind in each hand
    pile: Int8s = shape(layout.MAX_DECK)  # draw pile; the last ``ordered_n`` are in order, the last one on top
    discard: Int8s = shape(layout.MAX_DECK)  # oldest first
    block: Uint32s = shape(layout.BLOCK_WORDS)  # words of the draw stream
    first_words: Uint32s = shape(
        layout.FIRST_WORD_PURPOSES, BLOCKS
    )  # the first words of four streams of each of those purposes
    scratch: Uint32s = shape(layout.BLOCK_WORDS)
    effects: Int32s = shape(layout.MAX_RULE_CARDS, layout.MAX_EFFECTS)
    event_log: Int32s = shape(layout.EVENT_LOG_WORDS)
    deck: Int8s = shape(layout.MAX_DECK)
    dispenser: Int8s = shape(layout.MAX_RULE_CARDS)
    used: Int8s = shape(layout.MAX_RULE_CARDS)
    lever_script: Int8s = shape(layout.MAX_SCRIPT)
    free_cards: Int8s = shape(layout.MAX_SEATS, cards.CARD_SLOTS)  # that may be played, if ``barred`` has the seat

    def __getattr__(self, option: str) -> int:
        """Returns the code of an option's value."""
        raise NotImplementedError


_FIELDS: Final = [*record_fields(RoundState), *((name, np.int16, ()) for name in OPTIONS)]
# Named padding to a multiple of eight: bytes without a name are not copied with a record.
_PADDING: Final = -np.dtype(_FIELDS).itemsize % 8

ROUND_STATE: Final = np.dtype([*_FIELDS, ("filling", np.int8, (_PADDING,))] if _PADDING else _FIELDS, align=True)
"""NumPy type of a round state."""

OFFSETS_BYTES: Final = {name: int(cast(Any, ROUND_STATE.fields)[name][1]) for name, _, _ in _FIELDS}
"""Where each field begins in a round state."""
WORD_INDEX: Final = {name: OFFSETS_BYTES[name] // 8 for name, kind, _ in _FIELDS if kind == np.int64}
"""Index of each int64 field, or of its first element, among the words of a round state; see ``state_words``."""

RoundStates = Annotated[Records, array_of(ROUND_STATE)]


def state_words(states: RoundStates) -> memoryview:
    """Returns the memory of round states as int64: an integer is read in a tenth of the time that NumPy takes."""
    return states.view(np.uint8).data.cast("q")


def new_round_states(count: int) -> RoundStates:
    """Returns ``count`` empty round states; see ``arrays.zeros``."""
    states: RoundStates = arrays.zeros(count, ROUND_STATE)
    return states


@lru_cache(1000)
def _option_codes(options: RuleOptions) -> tuple[tuple[str, int], ...]:
    return tuple((name, option_codes.option_code(name, getattr(options, name))) for name in OPTIONS)


def pack_options(state: Any, options: RuleOptions) -> None:
    """Write options and lever weights to a round state as small integers."""
    for name, code in _option_codes(options):
        state[name] = code
    weights = options.wj_lever_weights
    state["lever_weights"] = (1,) * 6 if isinstance(weights, str) else weights
