"""Texts of a screen as JSON: the texts of a language, the options of a game, the rules of a table."""

from __future__ import annotations

from typing import Any, Final

import msgspec

from lastcard.game.options import OPTIONS, Option, value_text
from lastcard.game.rulesets import GAME_DEFAULTS, GAMES, PRESETS, ruleset
from lastcard.text.explanation import make_rules_page
from lastcard.text.locale import Catalog, catalog
from lastcard.text.wording import choice_text, choices_in_game, option_text

_NOT_ON_SCREENS: Final = (
    *("rules.", "command.", "help.", "play.", "replay.", "web.away."),
    *(f"prompt.{name}" for name in ("challenge", "drawn", "perform", "rule", "stack", "throw", "which_", "write")),
)
"""Groups of texts that no screen needs: the server sends rules and its error page ready-made, the others are for the
terminal."""
TEXT_PARTS: Final = {
    "about": ("web.about.",),
    "admin": ("web.admin.",),
    "advice": ("web.advice.",),
    "offline": ("web.alone.",),
    "after": ("web.score.", "web.verify.", "web.replay.", "web.matches.", "web.report.", "web.embed."),
    "card": ("web.card.",),
    "scoreboard": ("web.course.",),
    "daily": ("web.daily.",),
    "devices": ("web.devices.", "web.passkeys."),
    "duplicate": ("web.duplicate.",),
    "figures": ("web.figures.",),
    "localtable": ("refused.", "web.refused.", "decision.", "advice.", "play.choice."),
    "leaderboard": ("web.honor.",),
    "lesson": ("lesson.",),
    "lobby": (
        *("web.lobby.", "web.style.", "web.pace.", "web.settings.", "web.switch.", "preset."),
        *(f"game.{game}.about" for game in GAMES),
    ),
    "me": ("web.me.", "web.notify."),
    "jackpot": (
        *("effect.", "lever.", "rulecard.", "web.lever.", "prompt.bury", "prompt.streak"),
        *(f"event.{name}" for name in ("buried", "lever", "performed", "rule", "threw")),
    ),
    "notice": ("web.notice.", "web.tip.", "web.net.ended.", "web.net.hurried", "web.net.queue", "web.splash."),
    "open": ("web.open.",),
    "options": ("option.", "rules.line", "rules.options.weights", "prompt.write.how"),
    "program": ("web.program.",),
    "privacy": ("web.privacy.",),
    "puzzles": ("web.puzzles.",),
    "reach": ("web.reach.",),
    "report": ("report.",),
    "rules": ("web.rules.",),
    "share": ("web.share.",),
    "side": ("web.menu.", "web.chat.", "web.quick.", "web.keys.", "web.table.chat.unread"),
    "talk": ("web.talk",),
    "tv": ("web.tv.", "web.table.enter", "web.table.invited"),
    "voice": ("web.voice.",),
    "unknown": ("web.page.unknown", "web.table.unknown", "web.table.full"),
    "write": ("web.write.",),
}
"""Groups of texts that the first game does not need: they are sent with the page that needs them."""


def screen_texts(language: str, part: str = "") -> bytes:
    """Returns the texts of one of ``TEXT_PARTS``, or else of the first page and the game, by key."""
    left_out = _NOT_ON_SCREENS + tuple(group for groups in TEXT_PARTS.values() for group in groups)
    texts = catalog(language).texts.items()
    if part:
        return msgspec.json.encode({key: text for key, text in texts if key.startswith(TEXT_PARTS[part])})
    return msgspec.json.encode({key: text for key, text in texts if not key.startswith(left_out)})


def game_options_json(game: str, language: str) -> bytes:
    """Returns the options of a game in words."""
    texts = catalog(language)
    options = [_option(option, game, texts) for option in OPTIONS.values() if game in option.games]
    presets = [_preset(name, game, texts) for name in PRESETS]
    about = texts.text(f"game.{game}.about")
    return msgspec.json.encode({"game": game, "about": about, "presets": presets, "options": options})


def _option(option: Option, game: str, texts: Catalog) -> dict[str, Any]:
    default = getattr(GAME_DEFAULTS[game], option.name)
    choices = choices_in_game(option, game)
    return {
        "name": option.text_name,
        "label": option_text(texts, option.name),
        "about": choice_text(texts, option.name, default, game),
        "house": option.is_house_rule,
        "clauses": option.clauses,
        "default": value_text(default),
        "choices": [
            {"value": value_text(value), "text": choice_text(texts, option.name, value, game)} for value in choices
        ],
    }


def _preset(name: str, game: str, texts: Catalog) -> dict[str, Any]:
    fitting = {OPTIONS[option]: value for option, value in PRESETS[name].items() if game in OPTIONS[option].games}
    values = {option.text_name: value_text(value) for option, value in fitting.items()}
    text, about = texts.text(f"preset.{name}.title"), texts.text(f"preset.{name}")
    return {"name": name, "text": text, "about": about, "values": values}


def rules_page_json(name: str, language: str) -> bytes:
    """Returns the rules of a table in a language.

    Raises:
        LastcardError: if there is no ruleset of that name.
    """
    page = make_rules_page(ruleset(name), catalog(language))
    content = {
        "title": page.title,
        "name": page.name,
        "about_name": page.about_name,
        "sections": page.sections,
        "effects": page.effects,
        "cites": page.cites,
    }
    return msgspec.json.encode(content)
