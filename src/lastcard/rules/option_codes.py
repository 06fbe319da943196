"""Codes of the game and of option values in a round state, as small integers."""

from typing import Final

from lastcard.game.options import OPTIONS

ALL_WILD: Final = 0
CLASSIC: Final = 1
WILD_JACKPOT: Final = 2
GAME_CODES: Final = {"all-wild": ALL_WILD, "classic": CLASSIC, "wild-jackpot": WILD_JACKPOT}


def option_code(name: str, value: object) -> int:
    """Returns the code of an option's value in a round state: a number itself, else its index among the choices."""
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
NAMED_STAYS: Final = option_code("wj_discard_color", "named_color_stays")
JACKPOT_SYMBOL: Final = option_code("wj_jackpot_on_wild", "symbol_match")
FIRST_JACKPOT_LEVER: Final = option_code("wj_first_jackpot", "lever")
JUMP_IN_ADDS: Final = option_code("jump_in_stack", "add")
SEVEN_ZERO_EFFECT: Final = option_code("seven_zero_last", "effect")
FORCE_OFF: Final = option_code("force_play", "off")
FORCE_ALWAYS: Final = option_code("force_play", "always")
TALLY: Final = option_code("scoring", "tally")
TIE_SHARED: Final = option_code("tally_tie", "shared")
TIE_LOWEST_SEAT: Final = option_code("dealer_tie", "lowest_seat")
SINGLE_ROUND: Final = option_code("match_mode", "single_round")
FIRST_RANDOM: Final = option_code("first_dealer", "random")
NEXT_WINNER: Final = option_code("next_dealer", "winner")
NEXT_LOSER: Final = option_code("next_dealer", "loser")
NEXT_REDRAWN: Final = option_code("next_dealer", "redraw")
SECRET_NUMBERS: Final = option_code("wj_number_distribution", "0-9_random")
