"""Sizes of the fields of a round state and of the arrays that functions take with it."""

from typing import Final

from lastcard.kernel.blocks import BLOCKS

MAX_SEATS: Final = 10
MAX_DECK: Final = 128
MAX_RULE_CARDS: Final = 16
MAX_EFFECTS: Final = 3
MAX_SCRIPT: Final = 32
EVENT_LOG_WORDS: Final = 512
MAX_ACTIONS: Final = 256
BLOCK_WORDS: Final = 16 * BLOCKS
FIRST_WORD_PURPOSES: Final = 3
"""Number of purposes whose streams yield one number each."""
MAX_STALLED_TURNS: Final = 200
DICE: Final = 4
"""Number of int64 in a Dice."""
NOTHING: Final = -1
"""In place of an action or an index: there is none."""
