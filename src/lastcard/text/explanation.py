"""The rules of a table in words: only those under its options, each line with its clause ids."""

from __future__ import annotations

from typing import Final

from lastcard.game import cards as c
from lastcard.game.options import LEVER_OUTCOMES, OPTIONS, choice_name
from lastcard.game.rulecards import BUILT_IN
from lastcard.game.rulesets import GAME_DEFAULTS, GAMES, PRESETS, Ruleset, as_ruleset
from lastcard.text.locale import Catalog, catalog
from lastcard.text.wording import (
    BULLET,
    RulesPage,
    add_options,
    as_sentence,
    choice_text,
    describe_rule_card,
    option_text,
    upper_first,
    wrap_lines,
)

__all__ = ["describe_rule_card", "explain_changes", "explain_index", "explain_ruleset"]


_EXPLAINED_IN_SECTIONS: Final = (
    "draw_mode", "wd4_mode", "finish_restriction", "stacking", "jump_in", "jump_in_stack", "seven_zero",
    "seven_zero_last", "force_play", "deflect", "team_play",
)  # fmt: skip
"""House rules that a section covers; others follow the effects of the cards."""


def explain_ruleset(
    rules: Ruleset | str, language: str = "en", width: int | None = None, *, clauses: bool = True
) -> str:
    """Returns the rules of a table in plain text, only those under its options, which come last.

    >>> print(explain("classic", width=60).splitlines()[0])
    UNO: the rules

    Args:
        rules: a ruleset or its name.
        language: one of ``lastcard.text.locale.LANGUAGES``.
        width: maximum width of lines in characters; None for no wrapping.
        clauses: whether each line ends with its clause ids in brackets.

    Raises:
        UsageError: for an unknown language.
        RulesError: for an unknown ruleset.
    """
    return wrap_lines(make_rules_page(as_ruleset(rules), catalog(language)).plain_lines(clauses), width)


def explain_changes(
    rules: Ruleset | str, language: str = "en", width: int | None = None, *, clauses: bool = True
) -> str:
    """Returns only what differs from the official game, a line for each option, to print on one sheet.

    Arguments and errors are those of ``explain_ruleset``. Options that have no effect at the table are left out.
    """
    chosen = as_ruleset(rules)
    page = RulesPage(chosen, catalog(language))
    page.add_section("changes")
    for name, option in OPTIONS.items():
        is_changed = getattr(chosen.options, name) != getattr(GAME_DEFAULTS[chosen.game], name)
        if chosen.game in option.games and is_changed:
            page.add_option(name)
    if not page.sections[-1].lines:
        page.add_line(page.texts.text("preset.official"), "")
    return wrap_lines(page.plain_lines(clauses), width)


def make_rules_page(rules: Ruleset, texts: Catalog) -> RulesPage:
    """Returns the rules of a table by section; the options come last."""
    page = RulesPage(rules, texts)
    _aim(page)
    _cards(page)
    _setup(page)
    _first_card(page)
    _turn(page)
    page.add_section("effects")
    if page.is_all_wild:
        _all_wild_effects(page)
    else:
        _colored_effects(page)
    for name in page.house_rules:
        if name not in _EXPLAINED_IN_SECTIONS:
            page.add_option(name)
    _stacking(page)
    if not page.is_all_wild and page.options.wd4_mode == "challenge":
        _challenge(page)
    if page.is_jackpot:
        _lever(page)
    _uno(page)
    _pile(page)
    _out(page)
    _score(page)
    add_options(page, GAME_DEFAULTS[rules.game])
    return page


def _aim(page: RulesPage) -> None:
    page.add_section("aim")
    page.add_text("aim", "CO-40")
    if page.options.team_play:
        page.add_text("team", "LC-46")
    else:
        page.add_text("players", "CO-47 AW-3 CL-2 WJ-3")


def _cards(page: RulesPage) -> None:
    page.add_section("cards")
    page.add_text("deck", "AW-1 WJ-1" if page.is_jackpot else "AW-1 CL-1", count=112 if page.is_all_wild else 108)

    def points(card: int) -> str:
        return page.texts.text("count.points", n=c.card_points(card, page.is_all_wild))

    if page.is_all_wild:
        for card, count in c.ALL_WILD_COUNTS.items():
            name = upper_first(page.texts.card(card, page.game))
            page.add_text("deck.row", "AW-1 AW-51", count=count, card=name, points=points(card))
        page.add_text("deck.plain", "AW-2")
        return
    if page.is_jackpot:
        page.add_text("deck.numbers.jackpot", "WJ-1 WJ-60")
        page.add_option("wj_number_distribution")
    else:
        page.add_text("deck.numbers.classic", "CL-1 CL-50")
    deck = c.wild_jackpot_deck() if page.is_jackpot else c.classic_deck()
    ids = "WJ-1 WJ-60" if page.is_jackpot else "CL-1 CL-50"
    for face, word in ((c.SKIP, "skip"), (c.REVERSE, "reverse"), (c.DRAW_TWO, "draw_two"), (c.JACKPOT, "jackpot")):
        each = deck.count(face)  # a face is also the code of its red card
        if each:
            name = page.texts.text(f"card.{word}")
            page.add_text("deck.row_color", ids, count=4 * each, card=name, each=each, points=points(face))
    for card in (c.W, c.W_DRAW_FOUR, c.W_JACKPOT):
        if card in deck:
            name = upper_first(page.texts.card(card, page.game))
            page.add_text("deck.row", ids, count=deck.count(card), card=name, points=points(card))
    if page.is_jackpot:
        page.add_option("wj_rules")
        page.add_text("deck.rule_cards", "WJ-1 WJ-60")
        if page.options.wj_rules == "written":
            page.add_text("deck.written", "WJ-4 LC-50 LC-51")


def _setup(page: RulesPage) -> None:
    o = page.options
    page.add_section("setup")
    page.add_option("first_dealer", "WJ-6")
    if not page.is_all_wild:
        page.add_option("dealer_tie")
    page.add_text("deal", "AW-5 WJ-6" if page.is_jackpot else "AW-5 CL-5", count=o.hand_size)
    if page.is_all_wild:
        page.add_text("start", "CO-1 AW-7")
    if o.match_mode == "to_target" or o.next_dealer != "left":  # a void single round is dealt again
        page.add_option("next_dealer")
    if o.match_mode == "to_target":
        page.add_text("new_round", "CO-45")


def _first_card(page: RulesPage) -> None:
    page.add_section("first")
    if page.is_all_wild:
        page.add_option("first_card_action")
        return
    page.add_text("first.number", "CO-1 CL-6 WJ-7")
    page.add_text("first.skip", "CL-7 WJ-7")
    page.add_option("first_card_reverse", "WJ-7")
    page.add_text("first.draw_two", "CL-9 WJ-7")
    page.add_option("first_card_wild", "WJ-7")
    page.add_option("first_card_wd4", "WJ-7")
    if page.is_jackpot:
        page.add_option("wj_first_jackpot", "LC-56")
        page.add_text("first.wild_jackpot", "WJ-9")
        page.add_text("first.jackpot", "WJ-8 LC-56")
    page.add_text("first.no_answer", "CL-12")


def _turn(page: RulesPage) -> None:
    o = page.options
    page.add_section("turn")
    must = o.force_play == "always"
    if page.is_all_wild:
        page.add_text("turn.all_wild", "CO-3 AW-8 AW-9")
        if must:
            page.add_text("turn.must_play", "LC-44")
            if _may_be_stuck(page):
                page.add_text("turn.draw.one", "LC-44")
        else:
            page.add_text("turn.draw_all_wild", "AW-10")
    else:
        page.add_text("turn.match", "CO-3 CL-15 CL-16 CL-17 WJ-10")
        page.add_text(f"turn.draw.{o.draw_mode}", "CL-18" if o.draw_mode == "one" else "CL-18 LC-43")
        if must or o.voluntary_draw == "only_if_no_playable":
            page.add_text("turn.must_play", "LC-44" if must else "CL-19")
        elif o.draw_mode == "until_playable":
            page.add_text("turn.voluntary.until_playable", "CL-19 LC-43")
        else:
            page.add_text("turn.voluntary", "CL-19")
    if _may_be_stuck(page) or not must:  # else players never draw voluntarily
        _drawn(page)
    page.add_text("turn.later", "CO-8")
    if o.jump_in:
        page.add_text(f"jump_in.{'all_wild' if page.is_all_wild else 'colored'}", "LC-41")
        page.add_option("jump_in_stack")


def _drawn(page: RulesPage) -> None:
    o = page.options
    if o.draw_then_play == "never":
        page.add_text("drawn.never", "CO-3 LC-2")
    elif o.force_play != "off" or o.draw_then_play == "must_play_drawn":
        may_bluff = not page.is_all_wild and o.wd4_mode == "challenge"
        page.add_text("drawn.must.bluff" if may_bluff else "drawn.must", "CO-3 LC-2 LC-44")
    else:
        page.add_text("drawn.may", "CO-3 AW-11 CL-20 CL-21 LC-2")
    page.add_text("turn.no_pass", "CO-4")


def _answers(page: RulesPage, draw_two: bool) -> list[str]:
    """Returns the texts for a draw card that may be answered (LC-40, LC-45)."""
    parts = [page.effect_part("answer")] if page.options.stacking != "off" else []
    return parts + ([page.effect_part("deflect")] if page.options.deflect and draw_two else [])


def _all_wild_effects(page: RulesPage) -> None:
    page.add_effect("all_wild.wild", "AW-12", page.effect_part("wild_any"))
    page.add_effect("all_wild.reverse", "AW-13", page.effect_part("reverse"))
    page.add_option("two_player_reverse")
    page.add_effect("all_wild.skip", "AW-15", page.effect_part("skip"))
    page.add_effect("all_wild.skip_two", "AW-16 AW-17", page.effect_part("skip_two"))
    page.add_option("two_player_skip_two")
    stack = "" if page.options.stacking == "off" else " LC-40"
    page.add_effect("all_wild.draw_two", "AW-19" + stack, page.effect_part("draw", n=2), *_answers(page, True))
    four = page.effect_part("draw", n=4), page.effect_part("draw_four_any"), *_answers(page, False)
    page.add_effect("all_wild.draw_four", "AW-19 AW-20" + stack, *four)
    page.add_effect("all_wild.targeted", "AW-22 AW-23", page.effect_part("targeted"))
    page.add_effect("all_wild.swap", "AW-24 AW-25", page.effect_part("swap"))
    if page.options.forced_swap_target != "any_other":
        page.add_option("forced_swap_target")


def _colored_effects(page: RulesPage) -> None:
    o = page.options
    if o.seven_zero:
        page.effects["number"] = choice_text(page.texts, "seven_zero", True, page.game)
        page.cites["number"] = OPTIONS["seven_zero"].clauses
    page.add_effect("skip", "CL-25 WJ-11", page.effect_part("skip"))
    page.add_effect("reverse", "CL-24 WJ-11", page.effect_part("reverse"))
    page.add_option("two_player_reverse")
    answered = (" LC-40" if o.stacking != "off" else "") + (" LC-45" if o.deflect else "")
    page.add_effect("draw_two", "CL-23 WJ-11" + answered, page.effect_part("draw", n=2), *_answers(page, True))
    page.add_effect("wild", "CL-22 WJ-11", page.effect_part("wild"))
    ids = {"challenge": "CL-30 CL-31 CL-32 CL-33", "strict": "CL-30", "free": "CL-31"}[o.wd4_mode]
    four = page.effect_part(f"wild_draw_four.{o.wd4_mode}"), *_answers(page, False)
    page.add_effect("wild_draw_four", ids + (" LC-40" if o.stacking != "off" else "") + " WJ-12", *four)
    if page.is_jackpot:
        counts = [] if o.wd4_mode == "free" else [page.effect_part("jackpot_color")]
        page.add_effect("jackpot", "WJ-12 WJ-20" if counts else "WJ-20", page.effect_part("jackpot"), *counts)
        page.add_option("wj_jackpot_on_wild")
        page.add_effect("wild_jackpot", "WJ-22", page.effect_part("wild_jackpot"))
    if o.seven_zero:
        page.add_option("seven_zero")


def _challenge(page: RulesPage) -> None:
    o = page.options
    page.add_section("challenge")
    page.add_option("challenge_by")
    page.add_option("challenge_evidence")
    ids = "CL-35" if o.challenge_win_turn == "challenger_plays" else "CL-35 LC-21"
    page.add_text(f"challenge.guilty.{o.challenge_win_turn}", ids)
    page.add_text("challenge.innocent", "CL-36")
    if o.challenge_by == "anyone":
        page.add_text("challenge.outsider" if o.stacking == "off" else "challenge.outsider.stacking", "LC-19")
    page.add_text("challenge.shown", "CL-34 CL-37")


def _stacking(page: RulesPage) -> None:
    page.add_option("stacking")
    if page.options.stacking != "off" or page.options.deflect:
        page.add_text("stack.how", "LC-40 LC-45" if page.options.deflect else "LC-40")
    if page.options.stacking != "off":
        if page.is_all_wild:
            page.add_text("stack.all_wild", "LC-40")
        else:
            page.add_text("stack.wild_draw_four", "LC-40")
    if page.options.deflect:
        page.add_option("deflect")


def _lever(page: RulesPage) -> None:
    page.add_section("lever")
    page.add_text("lever.how", "WJ-24 WJ-25")
    page.add_option("wj_lever_weights")
    for outcome, letter in zip(LEVER_OUTCOMES, "abcdef", strict=True):
        page.add_line(page.texts.text(f"lever.{outcome}") + ".", f"WJ-40{letter}")
    page.add_text("lever.rule_card", "WJ-40a WJ-40c WJ-40d")
    page.add_text("lever.discard", "WJ-40e WJ-41 WJ-43")
    page.add_option("wj_discard_multi")
    page.add_option("wj_discard_color")
    page.add_option("wj_discard_jackpot")
    page.add_text("lever.used", "WJ-46 LC-55")
    if page.options.wj_rules != "social_only":
        page.add_text("lever.out", "WJ-47")
    for name, card in BUILT_IN.items():
        if page.options.wj_rules == "builtin8" or (page.options.wj_rules == "social_only" and card.dare is not None):
            page.add_line(f"{name}. {page.texts.text(f'rulecard.{name}')}", "WJ-5 LC-31")


def _uno(page: RulesPage) -> None:
    o = page.options
    page.add_section("uno")
    if o.uno_window == "automatic_call":
        page.add_text("uno.automatic", "CO-10 LC-16")
        return
    page.add_text("uno.duty", "CO-10 CO-11 AW-30 CL-40 WJ-13")
    page.add_option("uno_early_call", "CO-12")
    if page.is_all_wild or o.seven_zero or (page.is_jackpot and o.wj_rules == "written"):
        page.add_text("uno.swap", "AW-30 CO-19 CO-21")
    if o.uno_window != "no_penalty":
        page.add_text("uno.catch", "CO-14 CO-17 CO-20", n=o.uno_penalty)
    page.add_option("uno_window")
    page.add_option("false_uno_penalty")
    page.add_option("false_catch_penalty")
    page.add_text("uno.last", "CO-18")


def _may_be_stuck(page: RulesPage) -> bool:
    """Whether a player can be without a playable card: in All Wild only if an option forbids one (LC-3)."""
    o = page.options
    banned_last = o.finish_restriction != "none" or o.forced_swap_last_card == "not_playable_last"
    return not page.is_all_wild or banned_last or o.forced_swap_target != "any_other"


def _pile(page: RulesPage) -> None:
    page.add_section("pile")
    page.add_option("reshuffle", "CL-43 WJ-13")
    page.add_option("short_draw")
    if page.is_all_wild:
        page.add_text("pile.empty_all_wild", "CO-34")
        if _may_be_stuck(page):
            page.add_text("pile.pass", "LC-3")
            page.add_text("pile.void", "CO-35 LC-3")
        return
    page.add_text("pile.pass", "CO-34 LC-3")
    page.add_option("deadlock")


def _out(page: RulesPage) -> None:
    o = page.options
    page.add_section("out")
    page.add_text("out", "CO-40 AW-40 CL-42")
    page.add_option("finish_restriction")
    page.add_option("last_card_draw_counts")
    if page.is_all_wild:
        page.add_option("last_card_targeted_draw")
        page.add_option("forced_swap_last_card")
    else:
        page.add_option("seven_zero_last")
    if page.is_jackpot:
        page.add_option("wj_last_jackpot")
    if o.finish_restriction == "no_action":
        return  # no card with an effect can be the last
    which = ".all_wild" if page.is_all_wild else ".no_wild" if o.finish_restriction == "no_wild" else ""
    page.add_text(f"out.no_effect{which}", "CO-42 AW-43")
    if o.deflect and o.last_card_draw_counts:
        page.add_text("out.deflect", "LC-45")


def _score(page: RulesPage) -> None:
    o = page.options
    page.add_section("score")
    if page.is_all_wild or o.match_mode == "single_round":
        page.add_option("match_mode")
    if page.is_all_wild:
        page.add_text("score.collect", "AW-51")
    else:
        page.add_option("scoring")
    if o.team_play:
        page.add_text("score.team", "LC-46")
    if o.scoring == "tally" and o.match_mode == "to_target":
        page.add_text("score.tally", "CO-46 CL-52", score=o.winning_score)
        page.add_option("tally_tie")
    elif o.match_mode == "to_target":
        page.add_text("score.target", "CO-46 AW-52 CL-51 WJ-61", score=o.winning_score)


def explain_index(language: str = "en", width: int | None = None) -> str:
    """Returns the list of topics: the games, the presets and the house rules.

    Args:
        language: one of ``lastcard.text.locale.LANGUAGES``.
        width: maximum width of lines in characters; None for no wrapping.

    Raises:
        UsageError: for an unknown language.
    """
    texts = catalog(language)
    lines = [texts.text("rules.index.games")]
    for game in GAMES:
        about = f"{texts.text(f'game.{game}')}. {texts.text(f'game.{game}.about')}"
        lines.append(BULLET + texts.text("rules.index.row", name=game, about=about))
    lines += ["", texts.text("rules.index.presets")]
    for preset in PRESETS:
        lines.append(BULLET + texts.text("rules.index.row", name=preset, about=texts.text(f"preset.{preset}")))
    lines += ["", texts.text("rules.index.house")]
    for name, option in OPTIONS.items():
        if option.is_house_rule:
            lines.append(
                BULLET
                + texts.text("rules.index.row", name=option.text_name, about=as_sentence(option_text(texts, name)))
            )
            for value in option.choices[1:]:
                typed = option.text_name if value is True else choice_name(name, value)
                about = choice_text(texts, name, value)
                lines.append("    " + texts.text("rules.index.row", name=typed, about=about))
    example = "lastcard rules classic+stacking=same+jump_in"
    lines += ["", texts.text("rules.index.how", example=example)]
    return wrap_lines(lines, width)
