"""The five catalogs agree with each other, with the options and with Unicode's plural rules."""

from __future__ import annotations

import json
import re
from importlib import resources

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lastcard.errors import UsageError
from lastcard.game.cards import CARD_NAMES, COLORS, NO_COLOR, W, parse_card
from lastcard.game.options import LEVER_OUTCOMES, OPTIONS, value_text
from lastcard.game.rulecards import BUILT_IN
from lastcard.game.rulesets import GAMES, PRESETS
from lastcard.text.locale import LANGUAGES, PLURAL_FORMS, Catalog, Text, catalog, guess_language, plural_form, translate

KEYS = sorted(catalog("en").texts)
IN_ONE_GAME = (
    "draw_then_play.must_play_drawn.all-wild",
    "finish_restriction.no_action.all-wild",
    "force_play.always.all-wild",
    "force_play.drawn.all-wild",
    "reshuffle.keep_none.all-wild",
    "short_draw.end_round.all-wild",
)
"""Values of options that have another meaning in one game."""


def placeholders(text: Text) -> set[str]:
    """The placeholders of a text, of all its plural forms together."""
    forms = text.values() if isinstance(text, dict) else [text]
    return {name for form in forms for name in re.findall(r"\{(\w+)\}", form)}


@pytest.mark.parametrize("language", LANGUAGES)
class TestEveryLanguage:
    def test_has_the_same_keys(self, language: str) -> None:
        assert sorted(catalog(language).texts) == KEYS

    def test_has_the_same_placeholders(self, language: str) -> None:
        here, english = catalog(language).texts, catalog("en").texts
        differing = {k for k in KEYS if placeholders(here[k]) | {"n"} != placeholders(english[k]) | {"n"}}
        assert not differing

    def test_has_every_plural_form_and_no_other(self, language: str) -> None:
        texts = catalog(language).texts
        plural = {k: tuple(sorted(v)) for k, v in texts.items() if isinstance(v, dict)}
        wrong = {k: forms for k, forms in plural.items() if forms != tuple(sorted(PLURAL_FORMS[language]))}
        assert not wrong

    def test_every_form_of_a_plural_has_the_same_placeholders(self, language: str) -> None:
        for key, text in catalog(language).texts.items():
            if isinstance(text, dict):
                # A form such as "one card" may leave out the number itself.
                sets = [placeholders(form) - {"n"} for form in text.values()]
                assert all(s == sets[0] for s in sets), key

    def test_texts_are_filled_tidy_and_without_stray_braces(self, language: str) -> None:
        for key, text in catalog(language).texts.items():
            for form in text.values() if isinstance(text, dict) else [text]:
                assert form.strip(), key
                assert not re.search(r"[{}]", re.sub(r"\{\w+\}", "", form)), key

    def test_words_every_option_and_choice(self, language: str) -> None:
        texts = catalog(language)
        wanted = {f"option.{option.text_name}" for option in OPTIONS.values()} | {"option.wj_lever_weights.custom"}
        wanted |= {f"option.{option.text_name}.{value_text(v)}" for option in OPTIONS.values() for v in option.choices}
        wanted |= {f"option.{text}" for text in IN_ONE_GAME}
        assert {key for key in texts.texts if key.startswith("option.")} == wanted

    def test_words_games_presets_levers_and_rule_cards(self, language: str) -> None:
        texts = catalog(language)
        groups = {
            "game": set(GAMES) | {f"{game}.about" for game in GAMES},
            "preset": set(PRESETS) | {f"{preset}.title" for preset in PRESETS},
            "lever": set(LEVER_OUTCOMES),
            "rulecard": set(BUILT_IN),
        }
        for group, names in groups.items():
            assert {k.partition(".")[2] for k in texts.texts if k.startswith(f"{group}.")} == names

    def test_words_every_card_and_color(self, language: str) -> None:
        texts = catalog(language)
        for game in GAMES:
            names = [texts.card(card, game) for card in CARD_NAMES]
            assert len(set(names)) == len(names)
        assert len({texts.color(color) for color in COLORS}) == 4

    def test_plural_form_is_that_of_unicode(self, language: str) -> None:
        babel = pytest.importorskip("babel")
        rule = babel.Locale(language).plural_form
        for n in [*range(1000), 10**6 - 1, 10**6, 10**6 + 1, 2 * 10**6, 10**9, 1_500_000]:
            assert plural_form(language, n) == rule(n), n
            assert plural_form(language, n) in PLURAL_FORMS[language]


def test_files_are_sorted_and_related_keys_are_adjacent() -> None:
    """A key is in one file, with English and other languages in the order of ``LANGUAGES``; so is a group of keys."""
    home: dict[str, str] = {}
    for file in (resources.files("lastcard.text") / "catalog").iterdir():
        entries = json.loads(file.read_bytes(), object_pairs_hook=list)
        names = [name for name, _ in entries]
        assert names == sorted(set(names))
        assert all(re.fullmatch(r"[A-Za-z0-9_.-]+", name) for name in names)
        for name, texts in entries:
            written = [language for language, _ in texts]
            assert written == [language for language in LANGUAGES if language in {"en", *written}], name
        for group in {re.sub(r"^((web\.)?[^.]+).*", r"\1", name) for name in names}:
            assert home.setdefault(group, file.name) == file.name, group


def test_a_language_falls_back_to_english() -> None:
    """The fallback also fills plural forms that English does not have."""
    assert translate({"en": "Skip"}, "pl") == "Skip"
    spanish: Text = {"one": "1", "many": "2", "other": "3"}
    entry: dict[str, Text] = {"en": {"one": "{n} card", "other": "{n} cards"}, "es": spanish}
    polish = Catalog("pl", {"cards": translate(entry, "pl")})
    assert [polish.text("cards", n=n) for n in (1, 2, 5)] == ["1 card", "2 cards", "5 cards"]
    assert translate(entry, "es") == spanish


@pytest.mark.parametrize(
    ("language", "names"),
    {
        "en": ("red 5", "yellow Reverse", "blue Jackpot", "Wild Draw Four", "Wild Targeted Draw Two"),
        "es": ("5 rojo", "Reversa amarilla", "Jackpot azul", "comodín Roba 4", "Comodín Elige y roba dos"),
        "fr": ("5 rouge", "Inversion jaune", "Jackpot bleu", "Joker +4", "Joker Cible +2"),
        "pt": (
            "5 vermelho",
            "Inverter amarelo",
            "Jackpot azul",
            "Curinga Comprar 4",
            "Carta Curinga Direcionada Comprar 2",
        ),
        "pl": (
            "czerwona 5",
            "żółta „Zmiana kierunku”",
            "niebieski „Jackpot”",
            "„Wybierz kolor + Weź cztery”",
            "Dzika karta „Wskaż gracza – weź dwie”",
        ),
    }.items(),
)
def test_cards_have_their_spoken_names(language: str, names: tuple[str, ...]) -> None:
    cards = [parse_card(name) for name in ("R5", "Yr", "Bj", "W+4", "W@2")]
    assert tuple(catalog(language).card(card, "wild-jackpot") for card in cards) == names


def test_the_wild_is_called_differently_in_all_wild() -> None:
    polish = catalog("pl")
    assert polish.card(W, "classic") == "„Wybierz kolor”"
    assert polish.card(W, "all-wild") == "Dzika karta"


def test_cards_count_repeats() -> None:
    cards = [parse_card(name) for name in ("W", "R5", "W", "Gs")]
    assert catalog("en").cards(cards, "classic") == "2 × Wild, red 5, green Skip"
    assert catalog("en").cards([], "classic") == "no cards"


def test_no_color_has_no_word() -> None:
    with pytest.raises(ValueError, match="tuple"):
        catalog("en").color(NO_COLOR)


def test_polish_counts_points_in_three_ways() -> None:
    said = [catalog("pl").text("count.points", n=n) for n in (1, 2, 5, 12, 22, 112)]
    assert said == ["1 punkt", "2 punkty", "5 punktów", "12 punktów", "22 punkty", "112 punktów"]


def test_unknown_language_lists_the_five() -> None:
    with pytest.raises(UsageError, match="'de'; there are en, es, fr, pt, pl"):
        catalog("de")


def test_unknown_key_and_missing_value_are_named() -> None:
    texts = Catalog("en", {"hello": "hello {name}", "card": {"one": "{n} card", "other": "{n} cards"}})
    assert texts.text("hello", name="{n} {name.x}") == "hello {n} {name.x}"
    assert texts.text("card", n=1) == "1 card"
    assert texts.text("card", n=0) == "0 cards"
    assert "hello" in texts
    assert "bye" not in texts
    for key in ("bye", "hello", "card"):
        with pytest.raises(KeyError, match=key):
            texts.text(key)


@given(st.text(), st.text())
def test_only_named_placeholders_are_filled(before: str, after: str) -> None:
    before, after = (re.sub(r"[{}]", "", t) for t in (before, after))
    texts = Catalog("en", {"key": before + "{who}{" + after})
    assert texts.text("key", who="Ann") == before + "Ann{" + after


@pytest.mark.parametrize(
    ("environ", "language"),
    [
        ({}, "en"),
        ({"LANG": "pl_PL.UTF-8"}, "pl"),
        ({"LANG": "pt_BR"}, "pt"),
        ({"LANG": "pl_PL", "LC_MESSAGES": "fr_CA.UTF-8"}, "fr"),
        ({"LANG": "pl_PL", "LC_MESSAGES": "fr_CA", "LC_ALL": "es"}, "es"),
        ({"LANG": "pl_PL", "LC_ALL": ""}, "pl"),
        ({"LANG": "de_DE.UTF-8"}, "en"),
        ({"LANG": "C.UTF-8"}, "en"),
        ({"LC_ALL": "C", "LANG": "pl_PL"}, "en"),
        ({"LANG": "es-419"}, "es"),
        ({"LANG": "fr@euro"}, "fr"),
    ],
)
def test_the_environment_names_the_language(environ: dict[str, str], language: str) -> None:
    assert guess_language(environ) == language
