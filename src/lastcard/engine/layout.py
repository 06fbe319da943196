"""Every integer that stands in a table, by name: sizes, decisions, reasons, events, effects, options."""

from __future__ import annotations

from typing import Final

from lastcard.game.options import LEVER_OUTCOMES, OPTIONS

MAX_SEATS: Final = 10
MAX_DECK: Final = 128
MAX_RULE_CARDS: Final = 16
MAX_EFFECTS: Final = 3
MAX_SCRIPT: Final = 32
TAPE_LENGTH: Final = 512
MAX_ACTIONS: Final = 256
BLOCKS: Final = 4
BLOCK_WORDS: Final = 16 * BLOCKS
MAX_CIRCLES: Final = 200
DICE: Final = 4
"""int64 that a Dice takes."""
NOTHING: Final = -1
"""Where a choice is asked for: to let the table go on."""

# --- games ------------------------------------------------------------------------------------

ALL_WILD: Final = 0
CLASSIC: Final = 1
WILD_JACKPOT: Final = 2
GAME_CODES: Final = {"all-wild": ALL_WILD, "classic": CLASSIC, "wild-jackpot": WILD_JACKPOT}

# --- decisions: what a table waits for ----------------------------------------------------------

PLAY: Final = 0
DRAWN: Final = 1
CHALLENGE: Final = 2
STACK: Final = 3
# From here on no UNO call and no catch is possible (LC-4).
COLOR: Final = 4
CHOOSE: Final = 5
PULL: Final = 6
THROW: Final = 7
BURY: Final = 8
STREAK: Final = 9
TAKE: Final = 10
PERFORM: Final = 11
OVER: Final = 12
DECISIONS: Final = (
    "play",
    "drawn",
    "challenge",
    "stack",
    "color",
    "choose",
    "pull",
    "throw",
    "bury",
    "streak",
    "take",
    "perform",
    "over",
)

# --- reasons of a refusal: (code, clause) -------------------------------------------------------

OK: Final = 0
ROUND_OVER: Final = 1
NOT_YOUR_TURN: Final = 2
DECIDE_FIRST: Final = 3
NOT_HELD: Final = 4
NO_MATCH: Final = 5
COLOR_HELD: Final = 6
ONLY_DRAWN: Final = 7
MUST_PLAY_DRAWN: Final = 8
ALREADY_DREW: Final = 9
MUST_NOT_DRAW: Final = 10
NOTHING_TO_DRAW: Final = 11
COLOR_NEEDED: Final = 12
TARGET_NEEDED: Final = 13
BAD_TARGET: Final = 14
TARGET_PROTECTED: Final = 15
NOT_LAST: Final = 16
NO_ANSWER: Final = 17
NO_CHALLENGE: Final = 18
NOT_CHALLENGER: Final = 19
CALL_COUNT: Final = 20
CALL_EARLY: Final = 21
CALL_NOT_NOW: Final = 22
CATCH_SELF: Final = 23
CATCH_CLOSED: Final = 24
NO_JUMP_IN: Final = 25
NOT_IDENTICAL: Final = 26
JUMP_LATE: Final = 27
THROW_WILD: Final = 28
THROW_COLOR: Final = 29
NO_PASS: Final = 30
NO_LEVER: Final = 31
NOT_ASKED: Final = 32
NOT_AN_ACT: Final = 33
SURPLUS: Final = 34
REASONS: Final[tuple[tuple[str, str], ...]] = (
    ("ok", ""),
    ("round-over", "CO-40"),
    ("not-your-turn", "CO-3"),
    ("decide-first", "CO-6"),
    ("not-held", "CO-3"),
    ("no-match", "CL-15"),
    ("color-held", "CL-30"),
    ("only-drawn", "CL-20"),
    ("must-play-drawn", "LC-44"),
    ("already-drew", "AW-11"),
    ("must-not-draw", "CL-19"),
    ("nothing-to-draw", "CO-34"),
    ("color-needed", "CL-22"),
    ("target-needed", "AW-23"),
    ("bad-target", "AW-23"),
    ("target-protected", "LC-34"),
    ("not-last", "LC-15"),
    ("no-answer", "LC-40"),
    ("no-challenge", "CL-32"),
    ("not-challenger", "CL-32"),
    ("call-count", "CO-13"),
    ("call-early", "LC-17"),
    ("call-not-now", "LC-4"),
    ("catch-self", "CO-14"),
    ("catch-closed", "CO-20"),
    ("no-jump-in", "CO-3"),
    ("not-identical", "LC-41"),
    ("jump-late", "LC-41"),
    ("throw-wild", "WJ-41"),
    ("throw-color", "WJ-40e"),
    ("no-pass", "CO-4"),
    ("no-lever", "WJ-24"),
    ("not-asked", "CO-6"),
    ("not-an-act", "CO-3"),
    ("surplus", "CO-3"),
)

# --- events on the tape -------------------------------------------------------------------------

E_PLAYED: Final = 1
E_DREW: Final = 2
E_PASSED: Final = 3
E_SKIPPED: Final = 4
E_REVERSED: Final = 5
E_SWAPPED: Final = 6
E_HANDS_PASSED: Final = 7
E_CALLED: Final = 8
E_CAUGHT: Final = 9
E_FALSE_CALL: Final = 10
E_FALSE_CATCH: Final = 11
E_CHALLENGED: Final = 12
E_SHOWN: Final = 13
E_COLOR: Final = 14
E_LEVER: Final = 15
E_RULE: Final = 16
E_THREW: Final = 17
E_BURIED: Final = 18
E_TOOK: Final = 19
E_RESHUFFLED: Final = 20
E_DONE: Final = 21
E_OVER: Final = 22
E_CHOSE: Final = 23
E_TARGET: Final = 24
E_JUMPED: Final = 25
E_TURNED: Final = 26
# In the past alone (``past.py``): who acted, and a card that was shown.
PAST_ACT: Final = 27
PAST_SEEN: Final = 28

# Why cards were drawn: the second value of E_DREW.
BY_TURN: Final = 0
BY_CARD: Final = 1
BY_PENALTY: Final = 2
BY_CHALLENGE: Final = 3
BY_LEVER: Final = 4
BY_RULE: Final = 5
BY_DEAL: Final = 6  # in the past alone
DRAW_REASONS: Final = ("turn", "card", "penalty", "challenge", "lever", "rule")

# --- lever and rule cards ------------------------------------------------------------------------

LEVER_CHOOSE: Final = LEVER_OUTCOMES.index("choose")
LEVER_RIGHT: Final = LEVER_OUTCOMES.index("right")
LEVER_LEFT: Final = LEVER_OUTCOMES.index("left")
LEVER_ALL: Final = LEVER_OUTCOMES.index("all")
LEVER_DISCARD: Final = LEVER_OUTCOMES.index("discard")
LEVER_DRAW4: Final = LEVER_OUTCOMES.index("draw4")

# An effect of a rule card is verb | n << 8 | who << 16 (LC-51).
R_NONE: Final = 0
R_DRAW: Final = 1
R_DRAW_UNTIL: Final = 2
R_DISCARD: Final = 3
R_DISCARD_UNTIL: Final = 4
R_GIVE: Final = 5
R_TAKE: Final = 6
R_SWAP: Final = 7
R_EVERYONE: Final = 8
R_STREAK: Final = 9
R_WILDS: Final = 10
R_SKIP: Final = 11
R_REVERSE: Final = 12
R_DARE: Final = 13
EFFECT_CODES: Final = {
    "draw": R_DRAW,
    "draw_until": R_DRAW_UNTIL,
    "discard": R_DISCARD,
    "discard_until": R_DISCARD_UNTIL,
    "give": R_GIVE,
    "take": R_TAKE,
    "swap": R_SWAP,
    "everyone": R_EVERYONE,
    "streak": R_STREAK,
    "wilds": R_WILDS,
    "skip": R_SKIP,
    "reverse": R_REVERSE,
    "dare": R_DARE,
}
WHO_LEFT: Final = 1
WHO_RIGHT: Final = 2
WHO_MOST: Final = 3
WHO_FEWEST: Final = 4
WHO_CHOSEN: Final = 5
WHO_CODES: Final = {
    "": 0,
    "left": WHO_LEFT,
    "right": WHO_RIGHT,
    "most": WHO_MOST,
    "fewest": WHO_FEWEST,
    "chosen": WHO_CHOSEN,
}


# --- options ---------------------------------------------------------------------------------------


def option_code(name: str, value: object) -> int:
    """The small integer an option's value has in a table: numbers as they are, else its place among the choices."""
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, int):
        return value
    if name == "wj_lever_weights":
        return 0
    return OPTIONS[name].choices.index(value)


REVERSE_SKIPS: Final = option_code("two_player_reverse", "skip")
SKIP_TWO_SAME: Final = option_code("two_player_skip_two", "same_player")
SWAP_WINS_OTHER: Final = option_code("forced_swap_last_card", "swap_wins_other")
SWAP_PLAYER_WINS: Final = option_code("forced_swap_last_card", "player_wins")
SWAP_NOT_LAST: Final = option_code("forced_swap_last_card", "not_playable_last")
SWAP_PROTECTS: Final = option_code("forced_swap_target", "not_player_with_one_card")
FIRST_REDRAW_UNTIL_WILD: Final = option_code("first_card_action", "redraw_until_wild")
FIRST_WILD_REDRAW: Final = option_code("first_card_wild", "redraw")
FIRST_WD4_AS_WILD: Final = option_code("first_card_wd4", "as_wild")
FIRST_REVERSE_RIGHT: Final = option_code("first_card_reverse", "player_right_of_dealer_first")
DRAW_IF_NO_PLAYABLE: Final = option_code("voluntary_draw", "only_if_no_playable")
MUST_PLAY: Final = option_code("draw_then_play", "must_play_drawn")
NEVER_PLAY: Final = option_code("draw_then_play", "never")
UNTIL_PLAYABLE: Final = option_code("draw_mode", "until_playable")
WD4_CHALLENGE: Final = option_code("wd4_mode", "challenge")
WD4_STRICT: Final = option_code("wd4_mode", "strict")
WD4_FREE: Final = option_code("wd4_mode", "free")
CHALLENGE_ANYONE: Final = option_code("challenge_by", "anyone")
CHALLENGER_SKIPPED: Final = option_code("challenge_win_turn", "challenger_skipped")
EVIDENCE_NOW: Final = option_code("challenge_evidence", "hand_now")
WINDOW_OWN: Final = option_code("uno_window", "until_own_next_turn")
WINDOW_NONE: Final = option_code("uno_window", "no_penalty")
WINDOW_AUTOMATIC: Final = option_code("uno_window", "automatic_call")
EARLY_WITH_PLAY: Final = option_code("uno_early_call", "with_play_only")
EARLY_ANY_TIME: Final = option_code("uno_early_call", "any_time")
TARGETED_IGNORED: Final = option_code("last_card_targeted_draw", "ignored")
FINISH_ANY: Final = option_code("finish_restriction", "none")
FINISH_NO_WILD: Final = option_code("finish_restriction", "no_wild")
STACKING_OFF: Final = option_code("stacking", "off")
STACKING_SAME: Final = option_code("stacking", "same")
RESHUFFLE_EAGER: Final = option_code("reshuffle", "eager")
RESHUFFLE_KEEP_NONE: Final = option_code("reshuffle", "keep_none")
SHORT_ENDS: Final = option_code("short_draw", "end_round")
DEADLOCK_LOWEST: Final = option_code("deadlock", "lowest_hand_wins")
LAST_JACKPOT_PULL: Final = option_code("wj_last_jackpot", "pull")
DISCARD_JACKPOT_PULL: Final = option_code("wj_discard_jackpot", "pull")
MULTI_SUCCESSIVE: Final = option_code("wj_discard_multi", "successive_players")
NAMED_STAYS: Final = option_code("wj_discard_colour", "named_colour_stays")
JACKPOT_SYMBOL: Final = option_code("wj_jackpot_on_wild", "symbol_match")
FIRST_JACKPOT_LEVER: Final = option_code("wj_first_jackpot", "lever")
SEVEN_ZERO_EFFECT: Final = option_code("seven_zero_last", "effect")
FORCE_OFF: Final = option_code("force_play", "off")
FORCE_ALWAYS: Final = option_code("force_play", "always")
