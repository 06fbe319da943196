"""How large the parts of a table are, and what is handed to the functions that work on it."""

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
"""Purposes of streams of which one number is drawn."""
MAX_STALLED_TURNS: Final = 200
DICE: Final = 4
"""int64 that a Dice takes."""
NOTHING: Final = -1
"""Where a choice is asked for: to let the table go on."""
