"""The fields of the settings for the options of a game."""

from __future__ import annotations

import json

import pytest

from lastcard.bundle.texts import game_options_json
from lastcard.game.rulesets import GAMES
from lastcard.text.locale import LANGUAGES
from support.modules import ModulesPage

_OFFERED = """([options, chosen]) => {
    const { element } = new RuleFields(options, { preset: "official", values: chosen }, () => {});
    const texts = ({ options }) => [...options].map(({ text }) => text);
    return [...element.querySelectorAll("select")].map((field) => [field.value, texts(field)]);
}"""
"""The chosen value and the choices of each field."""


@pytest.mark.parametrize("language", LANGUAGES)
def test_choices_of_a_field_have_different_texts(modules: ModulesPage, language: str) -> None:
    """Two values with the same rule (LC-40) are offered once; a table that has the other one shows it."""
    page = modules.open(language, "lobby/rulefields.js")
    for game in GAMES:
        options = json.loads(game_options_json(game, language))
        for chosen in ({}, {"stacking": "cross"}, {"stacking": "equal_or_higher"}):
            offered = page.evaluate(_OFFERED, [options, chosen])
            assert all(len(texts) == len(set(texts)) > 0 for _, texts in offered)
            assert set(chosen.values()) <= {value for value, _ in offered}
