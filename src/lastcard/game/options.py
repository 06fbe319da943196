"""The rule options: one frozen value, each field with its meaning, choices and clause ids.

Names and values are those of ``docs/rules.md`` sections 5, 6 and 10, in American spelling; texts use the spelling of
the first records (``text_spelling``). The first choice of a field is
its default in ``RuleOptions()``; a ruleset may start from other defaults (``rulesets.BASES``).
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields, replace
from typing import Any, Final

from lastcard.errors import RulesError, suggest

ALL_WILD_GAME: Final = "all-wild"
CLASSIC_GAME: Final = "classic"
WILD_JACKPOT_GAME: Final = "wild-jackpot"

_AW = (ALL_WILD_GAME,)
_WJ = (WILD_JACKPOT_GAME,)
_CLWJ = (CLASSIC_GAME, WILD_JACKPOT_GAME)
_ALL = (ALL_WILD_GAME, CLASSIC_GAME, WILD_JACKPOT_GAME)

Value = str | bool | int | tuple[int, ...]


def _option(*choices: Value, games: tuple[str, ...] = _ALL, clauses: str = "", is_house_rule: bool = False) -> Any:
    """Returns a field of RuleOptions with its choices (default first), games and clause ids."""
    return field(
        default=choices[0],
        metadata={"choices": choices, "games": games, "clauses": tuple(clauses.split()), "house": is_house_rule},
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleOptions:
    """All rule options of a table, as attributes; ``Ruleset`` checks them. ``ruleset`` is an easier way to make them.

    >>> ruleset("classic+stacking=same").options.stacking
    'same'

    Attributes:
        two_player_reverse: with two players a Reverse counts as a Skip, or only turns the direction: ``skip`` or
            ``no_effect``.
        two_player_skip_two: player after a Skip Two with two players: ``opponent_next`` or ``same_player``.
        forced_swap_last_card: effect of a Forced Swap laid as last card: ``swap_wins_other``, ``player_wins`` or
            ``not_playable_last``.
        forced_swap_target: players that a Forced Swap may name: ``any_other`` or ``not_player_with_one_card``.
        first_card_action: effect of an action card turned at the start: ``ignore`` or ``redraw_until_wild``.
        first_card_wild: effect of a plain Wild turned at the start: ``left_of_dealer_names`` or ``redraw``.
        first_card_wd4: effect of a Wild Draw Four turned at the start: ``return_and_redraw`` or ``as_wild``.
        first_card_reverse: first player after a Reverse turned at the start: ``dealer_first`` or
            ``player_right_of_dealer_first``.
        voluntary_draw: whether a player who could play may draw instead: ``allowed`` or ``only_if_no_playable``.
        draw_then_play: choice with a drawn card that can be played: ``may_play_drawn``, ``must_play_drawn`` or
            ``never``.
        draw_mode: whether a player draws one card, or until one can be played: ``one`` or ``until_playable``.
        wd4_mode: whether a Wild Draw Four may be bluffed and challenged, must be honest, or may always be played:
            ``challenge``, ``strict`` or ``free``.
        challenge_by: players who may challenge a Wild Draw Four: ``victim_only`` or ``anyone``.
        challenge_win_turn: whether the player who was to draw takes a turn after a successful challenge:
            ``challenger_plays`` or ``challenger_skipped``.
        challenge_fail_draw: number of cards that the victim draws after a failed challenge: 6.
        challenge_evidence: hand that decides a challenge: ``hand_at_play`` or ``hand_now``.
        uno_penalty: number of cards that a caught player draws: 2, 4 or 1.
        uno_window: time in which a player who forgot to call can be caught: ``until_next_turn_begins``,
            ``until_own_next_turn``, ``no_penalty`` or ``automatic_call``.
        uno_early_call: earliest time of a call: ``own_turn_two_cards``, ``with_play_only`` or ``any_time``.
        false_uno_penalty: penalty for a call at the wrong moment: ``none`` or ``2``.
        false_catch_penalty: penalty for a catch without cause: ``none`` or ``2``.
        last_card_draw_counts: whether a draw card laid last is still drawn before the points are counted.
        last_card_targeted_draw: whether a Targeted Draw Two laid last is still drawn: ``counts`` or ``ignored``.
        finish_restriction: cards that may not be laid last: ``none``, ``no_wild`` or ``no_action``.
        stacking: whether a draw card may be answered with another: ``off``, ``same``, ``cross`` or ``equal_or_higher``.
        reshuffle: time when the discards become the new draw pile, and whether the top card remains: ``on_demand``,
            ``eager`` or ``keep_none``.
        short_draw: effect of a draw of more cards than exist: ``draw_what_exists`` or ``end_round``.
        deadlock: result of a round in which no player can move: ``void_round`` or ``lowest_hand_wins``.
        first_dealer: dealer of the first round: ``draw_high``, ``random``, ``seat_0`` or ``host``.
        dealer_tie: tie-break in the draw for dealer: ``redraw_tied`` or ``lowest_seat``.
        next_dealer: dealer of the next round: ``left``, ``winner``, ``loser`` or ``redraw``.
        match_mode: whether a match is one round or continues to a score: ``to_target`` or ``single_round``.
        scoring: whether the winner collects the points, or players score what they are left with: ``winner_collects``
            or ``tally``.
        winning_score: the score that ends a match: 500, 100, 200, 250, 300 or 1000.
        tally_tie: tie-break for the lowest total: ``extra_round`` or ``shared``.
        hand_size: cards dealt to each player: 7, 5, 6, 8, 9 or 10.
        wj_number_distribution: the fifteen numbers of a color: ``0-9_1-5``, ``0-9_5-9``, ``0-9_random`` or ``0_1-7``.
        wj_lever_weights: weights of the lever's outcomes: ``uniform`` or six integers from 0 to 99, not all 0.
        wj_last_jackpot: whether a Jackpot laid last still pulls the lever: ``no_pull`` or ``pull``.
        wj_discard_jackpot: whether a discarded Jackpot pulls the lever again: ``no_pull`` or ``pull``.
        wj_discard_multi: targets of several action cards discarded together: ``same_next_player_one_turn`` or
            ``successive_players``.
        wj_discard_color: current color after cards were discarded: ``last_card`` or ``named_color_stays``.
        wj_jackpot_on_wild: whether a colored Jackpot matches a Wild Jackpot by its symbol: ``color_only`` or
            ``symbol_match``.
        wj_rules: rule cards in the dispenser: ``builtin8``, ``written`` or ``social_only``.
        wj_first_jackpot: effect of a Jackpot turned at the start: ``rule_card`` or ``lever``.
        jump_in: whether an identical card may be laid out of turn.
        jump_in_stack: whether a jump-in adds to a draw that is still pending, or cancels it and starts a fresh one:
            ``add`` or ``replace``.
        seven_zero: whether sevens swap hands and zeros pass them on.
        seven_zero_last: effect of a seven or zero laid last: ``wins`` or ``effect``.
        force_play: whether a card that can be played must be played: ``off``, ``drawn`` or ``always``.
        deflect: whether Skip and Reverse answer a Draw Two.
        draw_keeps_turn: whether a player who draws for a draw card plays next instead of losing the turn.
        team_play: whether partners sit opposite each other (four players).

    Raises:
        TypeError: for an option that does not exist.
    """

    two_player_reverse: str = _option("skip", "no_effect", clauses="AW-14 CL-26")
    two_player_skip_two: str = _option("opponent_next", "same_player", games=_AW, clauses="AW-18")
    forced_swap_last_card: str = _option(
        "swap_wins_other", "player_wins", "not_playable_last", games=_AW, clauses="AW-45"
    )
    forced_swap_target: str = _option("any_other", "not_player_with_one_card", games=_AW, clauses="AW-24 LC-34")
    first_card_action: str = _option("ignore", "redraw_until_wild", games=_AW, clauses="AW-6")
    first_card_wild: str = _option("left_of_dealer_names", "redraw", games=_CLWJ, clauses="CL-10 LC-22")
    first_card_wd4: str = _option("return_and_redraw", "as_wild", games=_CLWJ, clauses="CL-11 LC-22")
    first_card_reverse: str = _option("dealer_first", "player_right_of_dealer_first", games=_CLWJ, clauses="CL-8 LC-23")
    voluntary_draw: str = _option("allowed", "only_if_no_playable", games=_CLWJ, clauses="CL-19 AW-10")
    draw_then_play: str = _option("may_play_drawn", "must_play_drawn", "never", clauses="CO-3 CL-20 AW-11")
    draw_mode: str = _option("one", "until_playable", games=_CLWJ, clauses="CL-18 LC-43", is_house_rule=True)
    wd4_mode: str = _option("challenge", "strict", "free", games=_CLWJ, clauses="CL-30 CL-31", is_house_rule=True)
    challenge_by: str = _option("victim_only", "anyone", games=_CLWJ, clauses="CL-32 LC-19")
    challenge_win_turn: str = _option("challenger_plays", "challenger_skipped", games=_CLWJ, clauses="CL-35 LC-21")
    challenge_fail_draw: int = _option(6, games=_CLWJ, clauses="CL-36")
    challenge_evidence: str = _option("hand_at_play", "hand_now", games=_CLWJ, clauses="CL-34 LC-20")
    uno_penalty: int = _option(2, 4, 1, clauses="CO-17")
    uno_window: str = _option(
        "until_next_turn_begins", "until_own_next_turn", "no_penalty", "automatic_call", clauses="CO-15 CO-16 LC-16"
    )
    uno_early_call: str = _option("own_turn_two_cards", "with_play_only", "any_time", clauses="CO-11 LC-17")
    false_uno_penalty: str = _option("none", "2", clauses="CO-13 LC-18")
    false_catch_penalty: str = _option("none", "2", clauses="CO-20 LC-18")
    last_card_draw_counts: bool = _option(True, False, clauses="CO-42 AW-41 CL-42")
    last_card_targeted_draw: str = _option("counts", "ignored", games=_AW, clauses="AW-42")
    finish_restriction: str = _option("none", "no_wild", "no_action", clauses="CO-41 LC-15", is_house_rule=True)
    stacking: str = _option("off", "same", "cross", "equal_or_higher", clauses="AW-21 CL-27 LC-40", is_house_rule=True)
    reshuffle: str = _option("on_demand", "eager", "keep_none", clauses="CO-30 LC-10")
    short_draw: str = _option("draw_what_exists", "end_round", clauses="CO-33 LC-11")
    deadlock: str = _option("void_round", "lowest_hand_wins", games=_CLWJ, clauses="CO-35 LC-12")
    first_dealer: str = _option("draw_high", "random", "seat_0", "host", clauses="AW-4 CL-3 LC-13")
    dealer_tie: str = _option("redraw_tied", "lowest_seat", games=_CLWJ, clauses="CL-4")
    next_dealer: str = _option("left", "winner", "loser", "redraw", clauses="CO-44 LC-14")
    match_mode: str = _option("to_target", "single_round", clauses="AW-50 LC-32")
    scoring: str = _option("winner_collects", "tally", games=_CLWJ, clauses="CL-51 CL-52 WJ-61")
    winning_score: int = _option(500, 100, 200, 250, 300, 1000, clauses="CO-46 AW-52")
    tally_tie: str = _option("extra_round", "shared", games=_CLWJ, clauses="CL-53 LC-33")
    hand_size: int = _option(7, 5, 6, 8, 9, 10, clauses="AW-5 CL-5 WJ-6")
    wj_number_distribution: str = _option("0-9_1-5", "0-9_5-9", "0-9_random", "0_1-7", games=_WJ, clauses="WJ-2 LC-24")
    wj_lever_weights: str | tuple[int, ...] = _option("uniform", games=_WJ, clauses="WJ-24 LC-25")
    wj_last_jackpot: str = _option("no_pull", "pull", games=_WJ, clauses="WJ-27 LC-26")
    wj_discard_jackpot: str = _option("no_pull", "pull", games=_WJ, clauses="WJ-44 LC-27")
    wj_discard_multi: str = _option("same_next_player_one_turn", "successive_players", games=_WJ, clauses="WJ-43 LC-28")
    wj_discard_color: str = _option("last_card", "named_color_stays", games=_WJ, clauses="WJ-42 LC-29")
    wj_jackpot_on_wild: str = _option("color_only", "symbol_match", games=_WJ, clauses="WJ-21")
    wj_rules: str = _option("builtin8", "written", "social_only", games=_WJ, clauses="WJ-4 WJ-5 LC-31")
    wj_first_jackpot: str = _option("rule_card", "lever", games=_WJ, clauses="WJ-8 LC-30")
    jump_in: bool = _option(False, True, clauses="LC-41", is_house_rule=True)
    jump_in_stack: str = _option("add", "replace", clauses="LC-41", is_house_rule=True)
    seven_zero: bool = _option(False, True, games=_CLWJ, clauses="LC-42", is_house_rule=True)
    seven_zero_last: str = _option("wins", "effect", games=_CLWJ, clauses="LC-42", is_house_rule=True)
    force_play: str = _option("off", "drawn", "always", clauses="LC-44", is_house_rule=True)
    deflect: bool = _option(False, True, games=_CLWJ, clauses="LC-45", is_house_rule=True)
    draw_keeps_turn: bool = _option(False, True, clauses="LC-47", is_house_rule=True)
    team_play: bool = _option(False, True, clauses="LC-46", is_house_rule=True)

    def __repr__(self) -> str:
        changed = [f"{f.name}={getattr(self, f.name)!r}" for f in fields(self) if getattr(self, f.name) != f.default]
        return f"RuleOptions({', '.join(changed)})"


_TEXT_SPELLINGS: Final = {
    "wj_discard_color": "wj_discard_colour",
    "color_only": "colour_only",
    "named_color_stays": "named_colour_stays",
}
_PARSED_SPELLINGS: Final = {text: word for word, text in _TEXT_SPELLINGS.items()}


def text_spelling(word: str) -> str:
    """Returns the name or value of an option as texts spell it: the checksums of a record depend on every letter."""
    return _TEXT_SPELLINGS.get(word, word)


def option_name(text: str) -> str:
    """Returns the name of an option from a person's spelling of it: any case, hyphens, either spelling.

    It is a key of ``OPTIONS`` if there is such an option.
    """
    name = text.strip().lower().replace("-", "_")
    return _PARSED_SPELLINGS.get(name, name)


@dataclass(frozen=True, slots=True)
class Option:
    """Description of an option: its name, choices (default first), games and clause ids."""

    name: str
    choices: tuple[Value, ...]
    games: tuple[str, ...]
    clauses: tuple[str, ...]
    is_house_rule: bool

    @property
    def text_name(self) -> str:
        """Name of the option in texts."""
        return text_spelling(self.name)


OPTIONS: Final[dict[str, Option]] = {
    f.name: Option(f.name, f.metadata["choices"], f.metadata["games"], f.metadata["clauses"], f.metadata["house"])
    for f in fields(RuleOptions)
}
"""Every option by name, in the order of docs/rules.md."""

LEVER_OUTCOMES: Final = ("choose", "right", "left", "all", "discard", "draw4")
"""The outcomes of the lever (WJ-40), in the order of ``wj_lever_weights``."""


def parse_value(name: str, value: object) -> Value:
    """Returns the canonical value of an option from a person's spelling of it.

    Args:
        name: key of ``OPTIONS``.
        value: text (any case, blanks or hyphens for underscores), a bool, a number, a list of weights.

    Raises:
        RulesError: for an unknown name, or a value that the option does not have; lists its values.
    """
    option = OPTIONS.get(name)
    if option is None:
        near = suggest(name, map(text_spelling, OPTIONS))
        raise RulesError(f"there is no rule option {name!r}; `lastcard rules classic` lists the names{near}", word=name)
    if name == "wj_lever_weights" and value != "uniform":
        return _parse_weights(value)
    wanted = _comparable(value)
    for choice in option.choices:
        if wanted == _comparable(choice):
            return choice
    word = value_text(value)
    near = suggest(word, map(value_text, option.choices))
    raise RulesError(
        f"{option.text_name} cannot be {word!r}; it can be {_choices_text(option)}{near}", word=word, option=name
    )


def parse_switch(name: str) -> Value:
    """Returns the value of an option named without one: a switch is on. For another a RulesError lists the values."""
    option = OPTIONS[name]
    if isinstance(option.choices[0], bool):
        return True
    such_as = f"{option.text_name}={value_text(option.choices[:2][-1])}"  # the usual one is next to the default
    raise RulesError(
        f"{option.text_name} needs a value, such as {such_as}; it can be {_choices_text(option)}",
        word=value_text(True),
        option=name,
    )


def _choices_text(option: Option) -> str:
    """Returns the values of an option in words."""
    if option.name == "wj_lever_weights":
        of_each = "/".join(LEVER_OUTCOMES)
        return f"uniform, or six whole numbers 0-99, not all 0, for {of_each}, such as 1/1/1/1/2/0"
    return ", ".join(map(value_text, option.choices))


def _comparable(value: object) -> str:
    """Returns a value as bare lower-case text, for lenient comparison."""
    text = value_text(value).strip().lower()
    text = {"yes": "true", "on": "true", "no": "false"}.get(text, text)
    if text in {"2 cards", "2_cards"}:
        return "2"
    return text_spelling(text.replace(" + ", "_").replace(" ", "_").replace("-", "_"))


def _parse_weights(value: object) -> tuple[int, ...] | str:
    parts = value.split("/") if isinstance(value, str) else list(value) if isinstance(value, list | tuple) else []
    texts = [str(p).strip() for p in parts]
    if (
        len(texts) != 6
        or not all(t.isascii() and t.isdigit() and len(t) <= 2 for t in texts)
        or not any(map(int, texts))
    ):
        word = value_text(value)
        raise RulesError(
            f"wj_lever_weights cannot be {word!r}; it is {_choices_text(OPTIONS['wj_lever_weights'])}",
            word=word,
            option="wj_lever_weights",
        )
    weights = tuple(int(t) for t in texts)
    return "uniform" if len(set(weights)) == 1 else weights


def value_text(value: object) -> str:
    """Returns an option's value as text: ``true``, ``off``, ``500``, ``1/1/1/1/2/0``."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, tuple | list):
        return "/".join(str(v) for v in value)
    return text_spelling(str(value))


def choice_name(name: str, value: object) -> str:
    """Returns an option with a value as it is typed: ``stacking=same``."""
    return f"{text_spelling(name)}={value_text(value)}"


CONFLICTS_WITH_ALL_WILD: Final = {
    ("finish_restriction", "no_wild"): "every card is a wild",
    ("first_dealer", "draw_high"): "no card has a number",
}
"""Invalid values of options that a game has, with the reason."""

# Pairs that contradict each other: (option, its values) against (option, its values).
CONFLICTS: Final[tuple[tuple[str, tuple[Value, ...], str, tuple[Value, ...], str], ...]] = (
    (
        "force_play",
        ("drawn", "always"),
        "draw_then_play",
        ("never",),
        "a drawn card cannot be both forced and forbidden",
    ),
    ("draw_mode", ("until_playable",), "draw_then_play", ("never",), "a card is drawn for that could not be played"),
    ("challenge_by", ("anyone",), "wd4_mode", ("strict", "free"), "without a challenge nobody can make one"),
    ("challenge_win_turn", ("challenger_skipped",), "wd4_mode", ("strict", "free"), "there is no challenge to win"),
    ("challenge_evidence", ("hand_now",), "wd4_mode", ("strict", "free"), "there is no challenge to judge"),
    ("seven_zero_last", ("effect",), "seven_zero", (False,), "sevens and zeros have no effect"),
    ("false_catch_penalty", ("2",), "uno_window", ("no_penalty", "automatic_call"), "nobody can be caught"),
    ("false_uno_penalty", ("2",), "uno_window", ("automatic_call",), "the table makes every call"),
    ("tally_tie", ("shared",), "scoring", ("winner_collects",), "only a tally can end in a tie"),
    ("team_play", (True,), "scoring", ("tally",), "a team has no tally"),
    (
        "forced_swap_last_card",
        ("player_wins",),
        "finish_restriction",
        ("no_action",),
        "a Forced Swap could not be last",
    ),
)


def check_options(options: RuleOptions, game: str, base: RuleOptions) -> None:
    """Refuse values that are invalid together or in a game with defaults ``base``; the RulesError names both sides."""
    for name, option in OPTIONS.items():
        value = getattr(options, name)
        if game not in option.games and value != getattr(base, name):
            why = f"the option is for {' and '.join(option.games)}"
            raise RulesError(f"{choice_name(name, value)} makes no sense in {game}: {why}", ((name, value),), game)
    for (name, never), why in CONFLICTS_WITH_ALL_WILD.items() if game == ALL_WILD_GAME else ():
        if getattr(options, name) == never:
            raise RulesError(f"{choice_name(name, never)} makes no sense in {game}: {why}", ((name, never),), game)
    for a, values_a, b, values_b, why in CONFLICTS:
        one, other = getattr(options, a), getattr(options, b)
        if one in values_a and other in values_b:
            message = f"{choice_name(a, one)} and {choice_name(b, other)} contradict each other: {why}"
            raise RulesError(message, ((a, one), (b, other)))


def with_options(base: RuleOptions, **values: object) -> RuleOptions:
    """Returns ``base`` with some values replaced, each parsed leniently.

    Raises:
        RulesError: for an unknown option or value. Combinations are checked by ``check_options``.
    """
    parsed = {option_name(text): parse_value(option_name(text), value) for text, value in values.items()}
    return replace(base, **parsed)  # type: ignore[arg-type]
