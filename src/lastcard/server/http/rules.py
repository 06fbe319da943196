"""Words over HTTP: the texts of a language, the options of a game, the rules of a table, the preview of a rule card.

What makes no sense raises the library's own errors; the application answers 422 with their words.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from functools import cache, lru_cache
from typing import Annotated, Any, Final

import msgspec
from msgspec import Meta, Struct
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from lastcard.game.options import OPTIONS, Option, value_text
from lastcard.game.rulesets import BASES, GAMES, PRESETS, ruleset
from lastcard.server.http.requests import Kept, RequestError, json_response, read_json, texts_for, worked
from lastcard.server.seats.dealing import read_card
from lastcard.server.seats.hosting import check_settings
from lastcard.server.wire.parts import Settings
from lastcard.server.wire.protocol import TypedLine
from lastcard.words.explain import explained
from lastcard.words.locale import LANGUAGES, Catalog, catalog
from lastcard.words.wording import choice_text, choices_in, describe_rule, option_text

LONGEST_NAME: Final = 1000
"""Characters a ruleset's name may have."""
_WORKER: Final = ThreadPoolExecutor(1, "rules")
_NOT_SHOWN: Final = (
    *("rules.", "option.", "refused.", "web.refused.", "advice."),
    *("command.", "decision.", "help.", "play.", "replay.", "report."),
    *(f"prompt.{name}" for name in ("challenge", "drawn", "perform", "rule", "stack", "throw", "which_", "write")),
)
"""Groups of texts that no screen needs: the server sends the first ones put together, the others are the terminal's."""
PARTS: Final = {
    "about": ("web.about.",),
    "admin": ("web.admin.",),
    "advice": ("web.advice.",),
    "after": ("web.score.", "web.verify.", "web.replay.", "web.matches.", "web.report."),
    "card": ("web.card.",),
    "course": ("web.course.",),
    "honor": ("web.honor.",),
    "lesson": ("lesson.",),
    "lobby": (
        *("web.lobby.", "web.level.", "web.pace.", "web.settings.", "preset."),
        *(f"game.{game}.about" for game in GAMES),
    ),
    "me": ("web.me.",),
    "notice": ("web.notice.",),
    "privacy": ("web.privacy.",),
    "rules": ("web.rules.",),
    "share": ("web.share.",),
    "side": ("web.menu.", "web.chat.", "web.quick.", "web.keys."),
    "tv": ("web.tv.",),
    "write": ("web.write.",),
}
"""Groups of texts that the first game does without: they are sent with the page that needs them."""


class RulesAsked(Struct, frozen=True, forbid_unknown_fields=True):
    """May a table play so?"""

    rules: Annotated[str, Meta(min_length=1, max_length=LONGEST_NAME)]
    seats: Annotated[int, Meta(ge=2, le=10)]


class CardAsked(Struct, frozen=True, forbid_unknown_fields=True):
    """What does this rule card say?"""

    text: TypedLine
    lang: Annotated[str, Meta(max_length=8)] = "en"


@cache
def screen_texts(language: str, part: str = "") -> Kept:
    """The texts a screen needs, by key.

    Args:
        language: one of ours.
        part: one of ``PARTS``; without, what the first page and the game need.
    """
    left_out = _NOT_SHOWN + tuple(group for groups in PARTS.values() for group in groups)
    texts = catalog(language).texts.items()
    if part:
        return Kept(msgspec.json.encode({key: text for key, text in texts if key.startswith(PARTS[part])}))
    return Kept(msgspec.json.encode({key: text for key, text in texts if not key.startswith(left_out)}))


@cache
def game_options(game: str, language: str) -> Kept:
    """What can be chosen in a game, in words."""
    texts = catalog(language)
    options = [_option(option, game, texts) for option in OPTIONS.values() if game in option.games]
    presets = [_preset(name, game, texts) for name in PRESETS]
    about = texts.text(f"game.{game}.about")
    return Kept(msgspec.json.encode({"game": game, "about": about, "presets": presets, "options": options}))


def _option(option: Option, game: str, texts: Catalog) -> dict[str, Any]:
    default = getattr(BASES[game], option.name)
    choices = choices_in(option, game)
    return {
        "name": option.written,
        "label": option_text(texts, option.name),
        "about": choice_text(texts, option.name, default, game),
        "house": option.house,
        "clauses": option.clauses,
        "default": value_text(default),
        "choices": [
            {"value": value_text(value), "text": choice_text(texts, option.name, value, game)} for value in choices
        ],
    }


def _preset(name: str, game: str, texts: Catalog) -> dict[str, Any]:
    fitting = {OPTIONS[option]: value for option, value in PRESETS[name].items() if game in OPTIONS[option].games}
    values = {option.written: value_text(value) for option, value in fitting.items()}
    text, about = texts.text(f"preset.{name}.title"), texts.text(f"preset.{name}")
    return {"name": name, "text": text, "about": about, "values": values}


async def get_locale(request: Request) -> Response:
    """The texts of a language for the screen, or one part of them."""
    language, part = request.path_params["language"], request.path_params.get("part", "")
    if language not in LANGUAGES or part not in ("", *PARTS):
        raise RequestError(404, "not-found")
    return screen_texts(language, part).respond(request)


async def get_options(request: Request) -> Response:
    """The presets and options of a game."""
    game = request.path_params["game"]
    if game not in GAMES:
        raise RequestError(404, "not-found")
    return game_options(game, texts_for(request).language).respond(request)


async def check_rules(request: Request) -> Response:
    """Whether rules make sense for so many players, and their shortest name."""
    asked = await read_json(request, RulesAsked)
    settings = check_settings(Settings(rules=asked.rules, seats=asked.seats))
    return json_response({"rules": settings.rules, "ok": True})


async def get_rules(request: Request) -> Response:
    """The rules of a table, section by section: what ``lastcard rules`` prints."""
    name, texts = request.path_params["name"][:LONGEST_NAME], texts_for(request)
    page = await worked(request, _WORKER, lambda: rules_page(name, texts.language))
    return page.respond(request)


@lru_cache(100)
def rules_page(name: str, language: str) -> Kept:
    """The rules of a table in a language.

    Raises:
        LastcardError: where there are none of that name.
    """
    page = explained(ruleset(name), catalog(language))
    told = {
        "title": page.title,
        "name": page.name,
        "sections": page.sections,
        "effects": page.effects,
        "cites": page.cites,
    }
    return Kept(msgspec.json.encode(told))


async def preview_card(request: Request) -> Response:
    """A rule card in its canonical form and in words."""
    asked = await read_json(request, CardAsked)
    text = read_card(asked.text)
    return json_response({"text": text, "words": describe_rule(text, asked.lang)})


routes: Final = [
    Route("/api/locale/{language}", get_locale),
    Route("/api/locale/{language}/{part}", get_locale),
    Route("/api/options/{game}", get_options),
    Route("/api/rules", check_rules, methods=["POST"]),
    Route("/api/rules/{name:path}", get_rules),
    Route("/api/card", preview_card, methods=["POST"]),
]
