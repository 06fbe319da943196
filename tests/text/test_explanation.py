"""The explanation describes the rules in force, cites existing clauses, and uses every text it has."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lastcard.errors import NotationError, RulesError, UsageError
from lastcard.game.options import OPTIONS, choice_name
from lastcard.game.rulecards import BUILT_IN, GRAMMAR, WHO, Effect, RuleCard
from lastcard.game.rulesets import GAME_DEFAULTS, GAMES, PRESETS, Ruleset, ruleset
from lastcard.text.explanation import describe_rule_card, explain_changes, explain_index, explain_ruleset
from lastcard.text.locale import LANGUAGES, Catalog, catalog
from support.rulesets import changed_options, ruleset_variants

RULES = (Path(__file__).parents[2] / "docs" / "rules.md").read_text(encoding="utf-8")
CLAUSES = set(re.findall(r"^\| ((?:CO|AW|CL|WJ|LC)-\d+[a-z]?) \|", RULES, re.MULTILINE))
NAMED = [f"{game}+{preset}" for game in GAMES for preset in PRESETS]


def single_changes() -> Iterator[Ruleset]:
    """Every game with every single option changed in every valid way."""
    for game in GAMES:
        for name, option in OPTIONS.items():
            for value in option.choices:
                try:
                    yield ruleset(game, {name: value})
                except RulesError:
                    continue


CHANGED = [
    *dict.fromkeys(single_changes()),
    ruleset("classic+challenge_by=anyone"),
    ruleset("classic+challenge_by=anyone+stacking=same"),
    ruleset("classic+seven_zero+seven_zero_last=effect"),
    ruleset("classic+jump_in+stacking=same+deflect"),
    ruleset("classic+scoring=tally+tally_tie=shared"),
    ruleset("all-wild+jump_in+stacking=cross+team_play"),
    ruleset("wild-jackpot+wj_lever_weights=1/0/2/0/3/4"),
]


def lines(rules: Ruleset | str, language: str = "en") -> list[str]:
    """The lines of an explanation before the list of options."""
    text = explain_ruleset(ruleset(rules) if isinstance(rules, str) else rules, language)
    return text[: text.index(catalog(language).text("rules.head.options"))].splitlines()


def cited(text: str) -> set[str]:
    """The clause ids in brackets."""
    return {i for group in re.findall(r"\[([^]]*)\]$", text, re.MULTILINE) for i in group.split(", ")}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", NAMED)
def test_every_line_of_every_game_cites_clauses_that_exist(name: str, language: str) -> None:
    text = explain_ruleset(ruleset(name), language)
    rule_lines = [line for line in text.splitlines() if line.startswith(("- ", "* "))]
    starred = catalog(language).text("rules.options.changed")
    assert all(line.endswith("]") for line in rule_lines if line != starred)
    assert len(cited(text)) > 30
    assert cited(text) <= CLAUSES


@pytest.mark.parametrize("rules", CHANGED, ids=str)
def test_every_option_value_can_be_explained(rules: Ruleset) -> None:
    for language in LANGUAGES:
        text = explain_ruleset(rules, language)
        assert cited(text) <= CLAUSES
        assert not re.search(r"[{}]", text)
        marked = [line for line in text.splitlines() if line.startswith("* ") and "=" in line]
        assert [line[2:].partition(" – ")[0] for line in marked] == [
            choice_name(name, value) for name, value in changed_options(rules).items()
        ]


def test_a_changed_option_changes_what_is_said() -> None:
    # Options that only decide what the others leave open are mentioned in the list alone.
    quiet = {"challenge_fail_draw"}
    for rules in CHANGED:
        changes = changed_options(rules)
        if changes and not set(changes) & quiet:
            plain = Ruleset(rules.game, GAME_DEFAULTS[rules.game])
            assert lines(rules)[2:] != lines(plain)[2:] or is_idle(rules, changes), str(rules)


def is_idle(rules: Ruleset, changes: Iterable[str]) -> bool:
    """Whether the list of options says that each change is without effect at this table."""
    text = explain_ruleset(rules)
    return all(
        re.search(rf"^\* {OPTIONS[name].text_name}=.*No effect at this table", text, re.MULTILINE) for name in changes
    )


def test_every_text_for_rules_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    used: set[str] = set()
    original = Catalog.text

    def noting(self: Catalog, key: str, /, **values: object) -> str:
        used.add(key)
        return original(self, key, **values)

    monkeypatch.setattr(Catalog, "text", noting)
    for rules in (*CHANGED, *(rules for game in GAMES for rules in ruleset_variants(game))):
        explain_ruleset(rules)
    explain_changes("classic")
    explain_index()
    for verb in GRAMMAR:
        for who in WHO if verb in ("give", "take", "swap") else ("",):
            n = 0 if verb in ("swap", "streak", "wilds", "skip", "reverse") else 1
            describe_rule_card(f"{Effect(verb, n, who)}; skip")
    texts = catalog("en").texts
    spoken = {k for k in texts if k.startswith(("rules.", "effect.", "option."))}
    assert spoken - used == set()


@pytest.mark.parametrize("language", LANGUAGES)
def test_stacking_is_said_with_the_draw_two(language: str) -> None:
    def draw_two(name: str) -> str:
        card = catalog(language).text("card.draw_two")
        (line,) = [x for x in lines(name, language) if x.startswith(f"- {card}") and "CL-23" in x]
        return line

    assert "LC-40" not in draw_two("classic")
    assert catalog(language).text("rules.effect.answer") in draw_two("classic+stacking=same")
    assert catalog(language).text("rules.effect.deflect") in draw_two("classic+deflect")


def test_an_automatic_call_is_the_only_line_about_uno() -> None:
    text = "\n".join(lines("classic+uno_window=automatic_call"))
    section = text[text.index("Calling UNO") : text.index("The draw pile")].strip().splitlines()
    assert len(section) == 2
    assert "LC-16" in section[1]


def test_inactive_rules_are_not_explained() -> None:
    plain = "\n".join(lines("classic"))
    for absent in ("Jump-in", "Sevens", "Jackpot", "teams", "Stacking is on"):
        assert absent not in plain
    assert "Challenging" not in "\n".join(lines("classic+wd4_mode=free"))
    assert "AW-" not in plain
    assert "CL-" not in "\n".join(lines("all-wild"))
    assert "you draw 4 cards" in "\n".join(lines("classic+harsh"))


def test_an_option_without_effect_says_why() -> None:
    text = explain_ruleset(ruleset("classic+wd4_mode=free"))
    (row,) = [line for line in text.splitlines() if line.startswith("- challenge_by=")]
    assert "because of wd4_mode=free" in row


@pytest.mark.parametrize("language", LANGUAGES)
def test_last_cards_that_are_forbidden_are_not_explained(language: str) -> None:
    texts = catalog(language)
    for name, last in (("all-wild+harsh", "all-wild"), ("classic+harsh", "classic")):
        said = "\n".join(lines(name, language))
        for option in ("forced_swap_last_card", "last_card_draw_counts", "last_card_targeted_draw"):
            assert texts.text(f"option.{option}") not in said
        assert texts.text("rules.out.no_effect") not in said
        plain = {"all-wild": "Multicolor", "classic": "número"}
        assert language != "es" or f"debe ser un {plain[last]}." in said
    assert texts.text("rules.out.no_effect.no_wild") in "\n".join(lines("classic+finish_restriction=no_wild", language))


@pytest.mark.parametrize("language", LANGUAGES)
def test_other_choices_are_said_in_words(language: str) -> None:
    texts = catalog(language)
    text = explain_ruleset(ruleset("all-wild"), language)
    choices = [texts.text(f"option.two_player_reverse.{value}") for value in OPTIONS["two_player_reverse"].choices]
    assert all(choice in text for choice in choices)
    assert texts.text("option.finish_restriction.no_action.all-wild") in text
    assert texts.text("option.finish_restriction.no_wild") not in text  # cannot be chosen there


def test_a_jackpot_is_a_card_of_its_color_where_that_matters() -> None:
    assert "counts as a card of its color" in "\n".join(lines("wild-jackpot"))
    assert "counts as a card of its color" not in "\n".join(lines("wild-jackpot+wd4_mode=free"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_lines_are_wrapped_to_a_width(language: str) -> None:
    for text in (explain_ruleset(ruleset("wild-jackpot+harsh"), language, width=60), explain_index(language, width=60)):
        long = [line for line in text.splitlines() if len(line) > 60]
        assert all(" " not in line.strip(" -*") for line in long)  # only a word longer than the line may stick out


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_index_lists_games_presets_and_house_rules(language: str) -> None:
    text = explain_index(language)
    house_rules = [name for name, option in OPTIONS.items() if option.is_house_rule]
    for name in (*GAMES, *PRESETS, *house_rules):
        assert re.search(rf"^- {name}\b", text, re.MULTILINE), name


def test_an_unknown_language_is_refused() -> None:
    calls: list[Callable[[], str]] = [
        lambda: explain_ruleset(ruleset("classic"), "de"),
        lambda: explain_index("de"),
        lambda: describe_rule_card("skip", "de"),
    ]
    for call in calls:
        with pytest.raises(UsageError):
            call()


@pytest.mark.parametrize(
    ("card", "language", "said"),
    [
        ("draw 2; reverse", "en", "Draw 2 cards. Then the direction of play reverses."),
        ("draw 1", "en", "Draw 1 card."),
        ("draw 1; skip", "es", "Roba 1 carta. Después, el siguiente jugador pierde el turno."),
        ("give 3 left", "fr", "Donnez 3 cartes à l’aveugle au joueur à votre gauche."),
        ("swap fewest", "pt", "Troque as cartas da mão com o jogador que tiver menos cartas."),
        ("draw 1", "pl", "Dobierz 1 kartę."),
        ("draw 3", "pl", "Dobierz 3 karty."),
        ("draw 5; take 2 chosen", "pl", "Dobierz 5 kart. Potem weź w ciemno 2 karty od wskazanego gracza."),
        ("dare: Sing a song", "pl", "Sing a song"),
        ("r3", "pl", "Dobieraj, aż będziesz mieć 7 kart."),
        ("draw until 7", "pl", "Dobieraj, aż będziesz mieć 7 kart."),
    ],
)
def test_rule_cards_in_words(card: str, language: str, said: str) -> None:
    assert describe_rule_card(card, language) == said


@given(st.sampled_from(tuple(GRAMMAR)), st.integers(1, 4), st.sampled_from(WHO), st.sampled_from(LANGUAGES))
def test_every_effect_has_words(verb: str, n: int, who: str, language: str) -> None:
    numbered = verb not in ("swap", "streak", "wilds", "skip", "reverse")
    effect = Effect(verb, n if numbered else 0, who if verb in ("give", "take", "swap") else "")
    said = describe_rule_card(RuleCard((effect,)).text, language)
    assert said.endswith(".")
    assert (str(n) in said) or not numbered


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_built_in_dares_are_translated(language: str) -> None:
    said = [describe_rule_card(BUILT_IN[name].text, language) for name in BUILT_IN]
    assert said == [catalog(language).text(f"rulecard.{name}") for name in BUILT_IN]


def test_an_invalid_rule_card_is_refused() -> None:
    with pytest.raises(NotationError):
        describe_rule_card("jump")
