"""Options in American spelling; texts have the spelling of the first records, and both can be read."""

from __future__ import annotations

from typing import Any

import pytest

from lastcard.errors import RulesError
from lastcard.game.options import OPTIONS, Option, RuleOptions, choice_name, option_name, parse_value, with_options
from lastcard.game.rulesets import COMMON_NAMES, PRESETS, Ruleset, ruleset
from lastcard.text.locale import catalog
from support.rulesets import changed_options

SPELLINGS = [
    ("wild-jackpot+wj_discard_colour=named_colour_stays", "wild-jackpot+wj_discard_color=named_color_stays"),
    ("wild-jackpot+wj_discard_colour=named_colour_stays", "wild-jackpot+wj_discard_colour=named_color_stays"),
    ("wild-jackpot+wj_discard_colour=named_colour_stays", "Wild Jackpot+WJ-discard-color=Named Color Stays"),
    ("wild-jackpot", "wild-jackpot+wj_discard_color=last_card+wj_jackpot_on_wild=color_only"),
    ("wild-jackpot", "wild-jackpot+wj_jackpot_on_wild=colour_only"),
]


@pytest.mark.parametrize(("written", "read"), SPELLINGS)
def test_both_spellings_are_read_and_one_is_written(written: str, read: str) -> None:
    """WJ-42, WJ-21: the name of a ruleset does not change, because the checks of its records depend on it."""
    assert str(ruleset(read)) == written
    assert ruleset(written) == ruleset(read)


def test_the_code_has_one_spelling() -> None:
    rules = ruleset("wild-jackpot", {"wj_discard_colour": "named_colour_stays"})
    assert rules == ruleset("wild-jackpot", {"wj_discard_color": "named_color_stays"})
    assert rules.options.wj_discard_color == "named_color_stays"
    assert changed_options(rules) == {"wj_discard_color": "named_color_stays"}
    assert not [name for name, option in OPTIONS.items() if "colour" in f"{name} {option.choices}"]
    assert Ruleset("wild-jackpot", RuleOptions(wj_discard_color="named_color_stays")) == rules


def test_a_ruleset_has_no_value_that_its_options_have_not() -> None:
    """A match with such rules could be recorded, but its record could never be read."""
    for options in (RuleOptions(hand_size=3), RuleOptions(stacking="some"), RuleOptions(jump_in=1)):  # type: ignore[arg-type]
        with pytest.raises(RulesError, match="cannot be"):
            Ruleset("classic", options)
    assert Ruleset("classic", RuleOptions(uno_penalty="4")) == ruleset("classic+uno_penalty=4")  # type: ignore[arg-type]
    even = Ruleset("wild-jackpot", RuleOptions(wj_lever_weights=(2, 2, 2, 2, 2, 2)))
    assert even == ruleset("wild-jackpot")


@pytest.mark.parametrize("weight", ["100", "-1", "0x1", "²", "1" * 5000])
def test_a_weight_of_the_lever_is_a_small_whole_number(weight: str) -> None:
    """Of any length: Python converts no text of more than 4,300 digits to a number."""
    with pytest.raises(RulesError, match="it is uniform, or six whole numbers 0-99, not all 0"):
        ruleset(f"wild-jackpot+wj_lever_weights=1/1/1/1/1/{weight}")


@pytest.mark.parametrize("options", [{5: "same"}, ["stacking"], 5])
def test_options_are_named_by_texts(options: Any) -> None:
    with pytest.raises(RulesError, match=r"options are names with their values, such as \{'stacking': 'same'\}, not "):
        ruleset("classic", options)


def test_messages_use_the_words_of_the_texts() -> None:
    with pytest.raises(RulesError, match=r"wj_jackpot_on_wild cannot be 'no'; it can be colour_only, symbol_match"):
        ruleset("wild-jackpot+wj_jackpot_on_wild=no")
    with pytest.raises(RulesError, match="wj_discard_colour=named_colour_stays makes no sense in classic"):
        ruleset("classic+wj_discard_color=named_color_stays")
    with pytest.raises(RulesError, match=r"wj_discard_colour is given twice .*: last_card and named_colour_stays"):
        ruleset("wild-jackpot+wj_discard_color=last_card+wj_discard_colour=named_colour_stays")


@pytest.mark.parametrize("option", OPTIONS.values(), ids=OPTIONS)
def test_an_option_that_is_named_without_a_value(option: Option) -> None:
    """A switch is on; for any other option the error lists its values, and its suggestion can be read."""
    rules = f"{option.games[-1]}+{option.text_name}"
    if True in option.choices and isinstance(option.choices[0], bool):
        assert getattr(ruleset(rules).options, option.name) is True
        return
    with pytest.raises(
        RulesError, match=rf"{option.text_name} needs a value, such as {option.text_name}=.*; it can be "
    ) as error:
        ruleset(rules)
    assert (error.value.word, error.value.option) == ("true", option.name)
    parse_value(option.name, str(error.value).partition("=")[2].partition(";")[0])
    assert option.name != "wj_lever_weights" or "six whole numbers 0-99" in str(error.value)


@pytest.mark.parametrize(
    ("word", "right"),
    [
        ("draw_to_match", "draw_mode=until_playable"),
        ("draw_until_playable", "draw_mode=until_playable"),
        ("7-0", "seven_zero"),
        ("no_bluff", "wd4_mode=strict"),
        ("teams", "team_play"),
        ("family", "living-room"),
        ("stackin", "stacking"),
    ],
)
def test_names_that_people_know_are_suggested(word: str, right: str) -> None:
    with pytest.raises(RulesError) as error:
        ruleset(f"classic+{word}")
    assert str(error.value) == (
        f"{word!r} in 'classic+{word}' is neither a preset (official, living-room, harsh) nor a rule option; did you "
        f"mean {right!r}? `lastcard rules` lists them"
    )
    ruleset("classic+stacking=same" if right == "stacking" else f"classic+{right}")


def test_common_names_are_those_of_the_pages() -> None:
    """Every house rule whose name on a page is not that of its option is suggested by that name."""
    texts = catalog("en")
    titles = {option_name(texts.text(f"preset.{preset}.title").replace(" ", "_")): preset for preset in PRESETS}
    for name in OPTIONS:
        if f"web.switch.{name}" in texts:
            titles[option_name(texts.text(f"web.switch.{name}").replace(" ", "_"))] = name
    renamed = {title: name for title, name in titles.items() if title != name}
    assert {title: typed.partition("=")[0] for title, typed in COMMON_NAMES.items()} == renamed


def test_the_usual_value_is_the_example() -> None:
    with pytest.raises(RulesError, match="stacking needs a value, such as stacking=same; it can be off, same"):
        ruleset("classic+stacking")


def test_names_of_options() -> None:
    assert option_name(" Wj-Discard-Colour ") == "wj_discard_color"
    assert option_name("jump-in") == "jump_in" and OPTIONS["jump_in"].text_name == "jump_in"
    assert choice_name("wj_discard_color", "named_color_stays") == "wj_discard_colour=named_colour_stays"
    options = with_options(RuleOptions(), wj_discard_colour="named_colour_stays")
    assert options.wj_discard_color == "named_color_stays"
