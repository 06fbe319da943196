"""The table: one flat NumPy record.

A table holds the whole truth of one deal: hands, piles, whose turn, what is pending, the options in
force, the key of its chance, and a tape of what the last act did. All kernel functions take such a
record (``tables[i]``); copying one is a memory copy.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Annotated, Any, Final

import numpy as np

from lastcard.game import cards
from lastcard.game.options import OPTIONS, RuleOptions
from lastcard.kernel import arrays
from lastcard.kernel.blocks import BLOCKS
from lastcard.kernel.records import Int8s, Int32s, Int64s, Records, Uint32s, array_of, record_fields, shape
from lastcard.rules import layout, option_codes


class RoundState:
    """One deal, all of it. Every option stands in a field of its own name besides (``choice.py``).

    No object of this class is ever made: functions get a record of an array, ``tables[i]``.

    What a turn reads and writes stands within the first 4,096 bytes: processors take addresses that far apart for the
    same until they know better, and a hand would wait for the discard pile.
    """

    game: int
    players: int
    number: int  # of the round in its match, from 0: part of every chance stream
    dealer: int
    direction: int  # +1 clockwise, -1 counter-clockwise
    turn: int  # the seat the table waits for (LC-1)
    phase: int  # what it waits for (``phase.py``)
    origin: int  # the seat whose act is being resolved; play goes on from it
    top: int  # the card to be matched
    topless: int  # 1 while that card has been shuffled into the draw pile (LC-10)
    color: int  # the color in force, -1 none
    matching: int  # mask of colored cards that match it
    drawn: int  # the card just drawn, in phase DRAWN
    pending: int  # cards waiting to be drawn, in CHALLENGE and STACK
    pending_face: int  # number of the last draw card in the chain: 2 or 4
    challenged_seat: int  # who laid the Wild Draw Four
    was_bluff: int  # 1 if it was a bluff
    color_before: int  # the color in force before it
    exposed: int  # seats that can be caught (bit mask)
    suspended_windows: int  # seats whose window stays open while nobody can be caught (LC-4)
    catch_exempt: int  # seats that another catch costs nothing for the moment (LC-18)
    called: int  # seats on one card that have called
    early: int  # seats with an early call
    played_seats: int  # seats that have played in this act: their early call is now one made with the play
    unverified_calls: int  # seats whose call with a play is false unless it leaves them one card (LC-5)
    one_card_mask: int  # seats that hold exactly one card
    changed_hands: int  # seats whose hand this act has changed
    turn_passed: int  # 1 when the turn has passed on in this act
    successive_passes: int  # passes in succession (CO-35)
    stalled_turns: int  # turns in succession on which the card just drawn was laid (LC-8)
    supply_exhausted: (
        int  # 1 when the round ends with this act: a draw fell short (LC-11), or nobody gets anywhere (LC-8)
    )
    winner: int  # -1 none
    barred: int  # seats that hold cards they may not play before their next turn (CO-8)
    skip_mask: int  # seats that lose the coming turn (WJ-43)
    discarded_colors: int  # colors thrown off in this DISCARD
    named_color: int  # color named for a Wild Jackpot, -1
    extra_pulls: int  # further pulls earned (LC-27)
    puller: int
    opening: int  # 1 while the first card is being resolved
    performer: int  # -1 none
    performers_left: int  # how many are still to perform after this one
    perform_direction: int  # direction in which they follow
    rule: int  # the rule card being performed
    effect_index: int  # which of its effects
    cards_to_bury: int  # how many cards are still to be buried
    candidates: int  # seats that may be chosen
    pile_n: int
    ordered_n: int  # how many cards on top of the draw pile have a known order
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
    forced_outcomes: int  # how much of chance is told in advance, plus one; 0: all is the table's own (``told.py``)
    next_forced: int  # how much of it was heard
    word: int  # next word of the chance block
    counter: int
    purpose: int
    index: int
    deck_n: int
    record_events: int
    has_foreign_cards: int  # 1 where All Wild is played with colored cards too (docs/notation.md, Positions)
    event_log_n: int
    held: Int64s = shape(layout.MAX_SEATS)  # hand sizes
    colored: Int64s = shape(layout.MAX_SEATS)  # which colored cards a hand has, bit = card
    wilds: Int64s = shape(layout.MAX_SEATS)  # which wilds, bit = face
    lever_weights: Int64s = shape(6)  # of the lever
    first_words_end: Int64s = shape(
        layout.FIRST_WORD_PURPOSES
    )  # the index behind the last of those streams; 0: there are none
    key: Int64s = shape(8)  # the 32-byte seed of the match, as words
    counts: Int8s = shape(layout.MAX_SEATS, cards.CARD_SLOTS)  # cards of each kind in each hand
    pile: Int8s = shape(layout.MAX_DECK)  # draw pile; the last is on top where settled
    discard: Int8s = shape(layout.MAX_DECK)  # oldest first
    block: Uint32s = shape(layout.BLOCK_WORDS)  # words of the draw stream
    first_words: Uint32s = shape(
        layout.FIRST_WORD_PURPOSES, BLOCKS
    )  # the first words of four streams of each such purpose
    scratch: Uint32s = shape(layout.BLOCK_WORDS)
    effects: Int32s = shape(layout.MAX_RULE_CARDS, layout.MAX_EFFECTS)
    event_log: Int32s = shape(layout.EVENT_LOG_WORDS)
    deck: Int8s = shape(layout.MAX_DECK)
    dispenser: Int8s = shape(layout.MAX_RULE_CARDS)
    used: Int8s = shape(layout.MAX_RULE_CARDS)
    lever_script: Int8s = shape(layout.MAX_SCRIPT)
    free_cards: Int8s = shape(layout.MAX_SEATS, cards.CARD_SLOTS)  # that may be played, where ``barred`` has the seat

    def __getattr__(self, option: str) -> int:
        """The number of an option's value."""
        raise NotImplementedError


_FIELDS: Final = [*record_fields(RoundState), *((name, np.int16, ()) for name in OPTIONS)]
# Named filling up to a multiple of eight: bytes without a name are not copied with a table.
_FILLING: Final = -np.dtype(_FIELDS).itemsize % 8

ROUND_STATE: Final = np.dtype([*_FIELDS, ("filling", np.int8, (_FILLING,))] if _FILLING else _FIELDS, align=True)
"""One record = one table."""

RoundStates = Annotated[Records, array_of(ROUND_STATE)]


def partial_type(names: Sequence[str]) -> Any:
    """A record type over the memory of a table that has these fields alone, to read them in one step."""
    fields: Any = ROUND_STATE.fields
    return np.dtype(
        {
            "names": list(names),
            "formats": [fields[name][0] for name in names],
            "offsets": [fields[name][1] for name in names],
            "itemsize": ROUND_STATE.itemsize,
        }
    )


def new_round_states(count: int) -> RoundStates:
    """``count`` empty tables; see ``arrays.zeros``."""
    states: RoundStates = arrays.zeros(count, ROUND_STATE)
    return states


@lru_cache(1000)
def _option_codes(options: RuleOptions) -> tuple[tuple[str, int], ...]:
    return tuple((name, option_codes.option_code(name, getattr(options, name))) for name in OPTIONS)


def pack_options(state: Any, options: RuleOptions) -> None:
    """Write a table's options and lever weights as small integers."""
    for name, code in _option_codes(options):
        state[name] = code
    weights = options.wj_lever_weights
    state["lever_weights"] = (1,) * 6 if isinstance(weights, str) else weights
