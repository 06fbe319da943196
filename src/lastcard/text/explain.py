"""The rules of a table in words: only what is true under its options, each line with its clause ids."""

from __future__ import annotations

from typing import Final

from lastcard.game import cards as c
from lastcard.game.options import LEVER_OUTCOMES, OPTIONS, choice_name
from lastcard.game.rulecards import BUILT_IN
from lastcard.game.rulesets import BASES, GAMES, PRESETS, Ruleset
from lastcard.text.locale import Catalog, catalog
from lastcard.text.wording import (
    BULLET,
    Page,
    choice_text,
    describe_rule,
    ended,
    option_text,
    put_options,
    titled,
    wrapped,
)

__all__ = ["describe_rule", "explain", "explain_index"]


_TOLD_WHERE_THEY_BELONG: Final = (
    "draw_mode", "wd4_mode", "finish_restriction", "stacking", "jump_in", "jump_in_stack", "seven_zero",
    "seven_zero_last", "force_play", "deflect", "team_play",
)  # fmt: skip
"""House rules that a section speaks of; any other is told after the effects of the cards."""


def explain(rules: Ruleset, language: str = "en", width: int | None = None, *, clauses: bool = True) -> str:
    """The rules of a table in plain text: only what is true under its options.

    Args:
        rules: the ruleset.
        language: one of ``lastcard.text.locale.LANGUAGES``.
        width: where given, lines are wrapped to so many characters.
        clauses: whether each line ends with its clause ids in brackets.

    Returns:
        Headed sections of lines; the options come last.

    Raises:
        UsageError: for an unknown language.
    """
    return wrapped(explained(rules, catalog(language)).plain(clauses), width)


def explained(rules: Ruleset, texts: Catalog) -> Page:
    """The rules of a table, section by section; the options come last.

    Args:
        rules: the ruleset.
        texts: in which language.
    """
    page = Page(rules, texts)
    _aim(page)
    _cards(page)
    _setup(page)
    _first_card(page)
    _turn(page)
    page.head("effects")
    if page.all_wild:
        _effects_all_wild(page)
    else:
        _effects_colored(page)
    for name in page.house:
        if name not in _TOLD_WHERE_THEY_BELONG:
            page.option(name)
    _stacking(page)
    if not page.all_wild and page.options.wd4_mode == "challenge":
        _challenge(page)
    if page.jackpot:
        _lever(page)
    _uno(page)
    _pile(page)
    _out(page)
    _score(page)
    put_options(page, BASES[rules.game])
    return page


def _aim(page: Page) -> None:
    page.head("aim")
    page.say("aim", "CO-40")
    if page.options.team_play:
        page.say("team", "LC-46")
    else:
        page.say("players", "CO-47 AW-3 CL-2 WJ-3")


def _cards(page: Page) -> None:
    """The deck with its counts and points."""
    page.head("cards")
    page.say("deck", "AW-1 WJ-1" if page.jackpot else "AW-1 CL-1", count=112 if page.all_wild else 108)

    def points(card: int) -> str:
        return page.texts.text("count.points", n=c.card_points(card, page.all_wild))

    if page.all_wild:
        for card, count in c.ALL_WILD_COUNTS.items():
            name = titled(page.texts.card(card, page.game))
            page.say("deck.row", "AW-1 AW-51", count=count, card=name, points=points(card))
        page.say("deck.plain", "AW-2")
        return
    if page.jackpot:
        page.say("deck.numbers.jackpot", "WJ-1 WJ-60")
        page.option("wj_number_distribution")
    else:
        page.say("deck.numbers.classic", "CL-1 CL-50")
    deck = c.wild_jackpot_deck() if page.jackpot else c.classic_deck()
    ids = "WJ-1 WJ-60" if page.jackpot else "CL-1 CL-50"
    for face, word in ((c.SKIP, "skip"), (c.REVERSE, "reverse"), (c.DRAW_TWO, "draw_two"), (c.JACKPOT, "jackpot")):
        each = deck.count(face)  # red comes first: the card of a red face is the face itself
        if each:
            name = page.texts.text(f"card.{word}")
            page.say("deck.row_color", ids, count=4 * each, card=name, each=each, points=points(face))
    for card in (c.W, c.W_DRAW_FOUR, c.W_JACKPOT):
        if card in deck:
            name = titled(page.texts.card(card, page.game))
            page.say("deck.row", ids, count=deck.count(card), card=name, points=points(card))
    if page.jackpot:
        page.option("wj_rules")
        page.say("deck.rule_cards", "WJ-1 WJ-60")
        if page.options.wj_rules == "written":
            page.say("deck.written", "WJ-4 LC-50 LC-51")


def _setup(page: Page) -> None:
    o = page.options
    page.head("setup")
    page.option("first_dealer", "WJ-6")
    if not page.all_wild:
        page.option("dealer_tie")
    page.say("deal", "AW-5 WJ-6" if page.jackpot else "AW-5 CL-5", count=o.hand_size)
    if page.all_wild:
        page.say("start", "CO-1 AW-7")
    if o.match_mode == "to_target" or o.next_dealer != "left":  # a void single round is dealt again
        page.option("next_dealer")
    if o.match_mode == "to_target":
        page.say("new_round", "CO-45")


def _first_card(page: Page) -> None:
    page.head("first")
    if page.all_wild:
        page.option("first_card_action")
        return
    page.say("first.number", "CO-1 CL-6 WJ-7")
    page.say("first.skip", "CL-7 WJ-7")
    page.option("first_card_reverse", "WJ-7")
    page.say("first.draw_two", "CL-9 WJ-7")
    page.option("first_card_wild", "WJ-7")
    page.option("first_card_wd4", "WJ-7")
    if page.jackpot:
        page.option("wj_first_jackpot", "LC-56")
        page.say("first.wild_jackpot", "WJ-9")
        page.say("first.jackpot", "WJ-8 LC-56")
    page.say("first.no_answer", "CL-12")


def _turn(page: Page) -> None:
    o = page.options
    page.head("turn")
    must = o.force_play == "always"
    if page.all_wild:
        page.say("turn.all_wild", "CO-3 AW-8 AW-9")
        if must:
            page.say("turn.must_play", "LC-44")
            if _may_be_stuck(page):
                page.say("turn.draw.one", "LC-44")
        else:
            page.say("turn.draw_all_wild", "AW-10")
    else:
        page.say("turn.match", "CO-3 CL-15 CL-16 CL-17 WJ-10")
        page.say(f"turn.draw.{o.draw_mode}", "CL-18" if o.draw_mode == "one" else "CL-18 LC-43")
        if must or o.voluntary_draw == "only_if_no_playable":
            page.say("turn.must_play", "LC-44" if must else "CL-19")
        elif o.draw_mode == "until_playable":
            page.say("turn.voluntary.until_playable", "CL-19 LC-43")
        else:
            page.say("turn.voluntary", "CL-19")
    if _may_be_stuck(page) or not must:  # else nobody ever draws of his own accord
        _drawn(page)
    page.say("turn.later", "CO-8")
    if o.jump_in:
        page.say(f"jump_in.{'all_wild' if page.all_wild else 'colored'}", "LC-41")
        page.option("jump_in_stack")


def _drawn(page: Page) -> None:
    o = page.options
    if o.draw_then_play == "never":
        page.say("drawn.never", "CO-3 LC-2")
    elif o.force_play != "off" or o.draw_then_play == "must_play_drawn":
        may_bluff = not page.all_wild and o.wd4_mode == "challenge"
        page.say("drawn.must.bluff" if may_bluff else "drawn.must", "CO-3 LC-2 LC-44")
    else:
        page.say("drawn.may", "CO-3 AW-11 CL-20 CL-21 LC-2")
    page.say("turn.no_pass", "CO-4")


def _answers(page: Page, draw_two: bool) -> list[str]:
    """What is said with a draw card where it may be answered (LC-40, LC-45)."""
    parts = [page.part("answer")] if page.options.stacking != "off" else []
    return parts + ([page.part("deflect")] if page.options.deflect and draw_two else [])


def _effects_all_wild(page: Page) -> None:
    page.effect("all_wild.wild", "AW-12", page.part("wild_any"))
    page.effect("all_wild.reverse", "AW-13", page.part("reverse"))
    page.option("two_player_reverse")
    page.effect("all_wild.skip", "AW-15", page.part("skip"))
    page.effect("all_wild.skip_two", "AW-16 AW-17", page.part("skip_two"))
    page.option("two_player_skip_two")
    stack = "" if page.options.stacking == "off" else " LC-40"
    page.effect("all_wild.draw_two", "AW-19" + stack, page.part("draw", n=2), *_answers(page, True))
    four = page.part("draw", n=4), page.part("draw_four_any"), *_answers(page, False)
    page.effect("all_wild.draw_four", "AW-19 AW-20" + stack, *four)
    page.effect("all_wild.targeted", "AW-22 AW-23", page.part("targeted"))
    page.effect("all_wild.swap", "AW-24 AW-25", page.part("swap"))
    if page.options.forced_swap_target != "any_other":
        page.option("forced_swap_target")


def _effects_colored(page: Page) -> None:
    o = page.options
    if o.seven_zero:
        page.effects["number"] = choice_text(page.texts, "seven_zero", True, page.game)
        page.cites["number"] = OPTIONS["seven_zero"].clauses
    page.effect("skip", "CL-25 WJ-11", page.part("skip"))
    page.effect("reverse", "CL-24 WJ-11", page.part("reverse"))
    page.option("two_player_reverse")
    answered = (" LC-40" if o.stacking != "off" else "") + (" LC-45" if o.deflect else "")
    page.effect("draw_two", "CL-23 WJ-11" + answered, page.part("draw", n=2), *_answers(page, True))
    page.effect("wild", "CL-22 WJ-11", page.part("wild"))
    ids = {"challenge": "CL-30 CL-31 CL-32 CL-33", "strict": "CL-30", "free": "CL-31"}[o.wd4_mode]
    four = page.part(f"wild_draw_four.{o.wd4_mode}"), *_answers(page, False)
    page.effect("wild_draw_four", ids + (" LC-40" if o.stacking != "off" else "") + " WJ-12", *four)
    if page.jackpot:
        counts = [] if o.wd4_mode == "free" else [page.part("jackpot_color")]
        page.effect("jackpot", "WJ-12 WJ-20" if counts else "WJ-20", page.part("jackpot"), *counts)
        page.option("wj_jackpot_on_wild")
        page.effect("wild_jackpot", "WJ-22", page.part("wild_jackpot"))
    if o.seven_zero:
        page.option("seven_zero")


def _challenge(page: Page) -> None:
    o = page.options
    page.head("challenge")
    page.option("challenge_by")
    page.option("challenge_evidence")
    ids = "CL-35" if o.challenge_win_turn == "challenger_plays" else "CL-35 LC-21"
    page.say(f"challenge.guilty.{o.challenge_win_turn}", ids)
    page.say("challenge.innocent", "CL-36")
    if o.challenge_by == "anyone":
        page.say("challenge.outsider" if o.stacking == "off" else "challenge.outsider.stacking", "LC-19")
    page.say("challenge.shown", "CL-34 CL-37")


def _stacking(page: Page) -> None:
    page.option("stacking")
    if page.options.stacking != "off" or page.options.deflect:
        page.say("stack.how", "LC-40 LC-45" if page.options.deflect else "LC-40")
    if page.options.stacking != "off":
        if page.all_wild:
            page.say("stack.all_wild", "LC-40")
        else:
            page.say("stack.wild_draw_four", "LC-40")
    if page.options.deflect:
        page.option("deflect")


def _lever(page: Page) -> None:
    page.head("lever")
    page.say("lever.how", "WJ-24 WJ-25")
    page.option("wj_lever_weights")
    for outcome, letter in zip(LEVER_OUTCOMES, "abcdef", strict=True):
        page.put(page.texts.text(f"lever.{outcome}") + ".", f"WJ-40{letter}")
    page.say("lever.rule_card", "WJ-40a WJ-40c WJ-40d")
    page.say("lever.discard", "WJ-40e WJ-41 WJ-43")
    page.option("wj_discard_multi")
    page.option("wj_discard_color")
    page.option("wj_discard_jackpot")
    page.say("lever.used", "WJ-46 LC-55")
    if page.options.wj_rules != "social_only":
        page.say("lever.out", "WJ-47")
    for name, card in BUILT_IN.items():
        if page.options.wj_rules == "builtin8" or (page.options.wj_rules == "social_only" and card.dare is not None):
            page.put(f"{name}. {page.texts.text(f'rulecard.{name}')}", "WJ-5 LC-31")


def _uno(page: Page) -> None:
    o = page.options
    page.head("uno")
    if o.uno_window == "automatic_call":
        page.say("uno.automatic", "CO-10 LC-16")
        return
    page.say("uno.duty", "CO-10 CO-11 AW-30 CL-40 WJ-13")
    page.option("uno_early_call", "CO-12")
    if page.all_wild or o.seven_zero or (page.jackpot and o.wj_rules == "written"):
        page.say("uno.swap", "AW-30 CO-19 CO-21")
    if o.uno_window != "no_penalty":
        page.say("uno.catch", "CO-14 CO-17 CO-20", n=o.uno_penalty)
    page.option("uno_window")
    page.option("false_uno_penalty")
    page.option("false_catch_penalty")
    page.say("uno.last", "CO-18")


def _may_be_stuck(page: Page) -> bool:
    """Whether a player can be without a card to play: in All Wild only where some option forbids one (LC-3)."""
    o = page.options
    banned_last = o.finish_restriction != "none" or o.forced_swap_last_card == "not_playable_last"
    return not page.all_wild or banned_last or o.forced_swap_target != "any_other"


def _pile(page: Page) -> None:
    page.head("pile")
    page.option("reshuffle", "CL-43 WJ-13")
    page.option("short_draw")
    if page.all_wild:
        page.say("pile.empty_all_wild", "CO-34")
        if _may_be_stuck(page):
            page.say("pile.pass", "LC-3")
            page.say("pile.void", "CO-35 LC-3")
        return
    page.say("pile.pass", "CO-34 LC-3")
    page.option("deadlock")


def _out(page: Page) -> None:
    o = page.options
    page.head("out")
    page.say("out", "CO-40 AW-40 CL-42")
    page.option("finish_restriction")
    page.option("last_card_draw_counts")
    if page.all_wild:
        page.option("last_card_targeted_draw")
        page.option("forced_swap_last_card")
    else:
        page.option("seven_zero_last")
    if page.jackpot:
        page.option("wj_last_jackpot")
    if o.finish_restriction == "no_action":
        return  # no card that does anything can be the last
    which = ".all_wild" if page.all_wild else ".no_wild" if o.finish_restriction == "no_wild" else ""
    page.say(f"out.no_effect{which}", "CO-42 AW-43")
    if o.deflect and o.last_card_draw_counts:
        page.say("out.deflect", "LC-45")


def _score(page: Page) -> None:
    o = page.options
    page.head("score")
    if page.all_wild:
        page.option("match_mode")
        page.say("score.collect", "AW-51")
    else:
        page.option("scoring")
    if o.team_play:
        page.say("score.team", "LC-46")
    if o.scoring == "tally":
        page.say("score.tally", "CO-46 CL-52", score=o.winning_score)
        page.option("tally_tie")
    elif o.match_mode == "to_target":
        page.say("score.target", "CO-46 AW-52 CL-51 WJ-61", score=o.winning_score)


def explain_index(language: str = "en", width: int | None = None) -> str:
    """What there is to explain: the games, the presets and the house rules.

    Args:
        language: one of ``lastcard.text.locale.LANGUAGES``.
        width: where given, lines are wrapped to so many characters.

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
        if option.house:
            lines.append(
                BULLET + texts.text("rules.index.row", name=option.written, about=ended(option_text(texts, name)))
            )
            for value in option.choices[1:]:
                typed = option.written if value is True else choice_name(name, value)
                about = choice_text(texts, name, value)
                lines.append("    " + texts.text("rules.index.row", name=typed, about=about))
    example = "lastcard rules classic+stacking=same+jump_in"
    lines += ["", texts.text("rules.index.how", example=example)]
    return wrapped(lines, width)
