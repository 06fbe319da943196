"""Words over HTTP: the texts of a language, the options of a game, the rules of a table, the preview of a rule card.

A question whether something makes sense is answered, be it with no. Elsewhere what makes no sense raises the library's
own errors, and the application answers 422 with their words.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from functools import cache, lru_cache
from typing import Annotated, Final

from msgspec import Meta, Struct
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from lastcard.bundle.texts import PARTS, game_options, rules_page, screen_texts
from lastcard.game.rulesets import GAMES
from lastcard.server.game.refusals import refused_text
from lastcard.server.http.requests import Kept, RequestError, json_response, read_json, texts_for, worked
from lastcard.server.seats.dealing import read_card
from lastcard.server.seats.document import Denied
from lastcard.server.seats.hosting import check_settings
from lastcard.server.wire.parts import Settings
from lastcard.server.wire.protocol import TypedLine
from lastcard.text.locale import LANGUAGES
from lastcard.text.wording import describe_rule

LONGEST_NAME: Final = 1000
"""Characters a ruleset's name may have."""
_WORKER: Final = ThreadPoolExecutor(1, "rules")


class RulesAsked(Struct, frozen=True, forbid_unknown_fields=True):
    """May a table play so?"""

    rules: Annotated[str, Meta(min_length=1, max_length=LONGEST_NAME)]
    seats: Annotated[int, Meta(ge=2, le=10)]


class CardAsked(Struct, frozen=True, forbid_unknown_fields=True):
    """What does this rule card say?"""

    text: TypedLine
    lang: Annotated[str, Meta(max_length=8)] = "en"


@cache
def _texts(language: str, part: str) -> Kept:
    return Kept(screen_texts(language, part))


@cache
def _options(game: str, language: str) -> Kept:
    return Kept(game_options(game, language))


@lru_cache(100)
def _rules(name: str, language: str) -> Kept:
    return Kept(rules_page(name, language))


async def get_locale(request: Request) -> Response:
    """The texts of a language for the screen, or one part of them."""
    language, part = request.path_params["language"], request.path_params.get("part", "")
    if language not in LANGUAGES or part not in ("", *PARTS):
        raise RequestError(404, "not-found")
    return await _texts(language, part).send(request)


async def get_options(request: Request) -> Response:
    """The presets and options of a game."""
    game = request.path_params["game"]
    if game not in GAMES:
        raise RequestError(404, "not-found")
    return await _options(game, texts_for(request).language).send(request)


async def check_rules(request: Request) -> Response:
    """Whether rules make sense for so many players, and their shortest name; else why not."""
    asked = await read_json(request, RulesAsked)
    try:
        settings = check_settings(Settings(rules=asked.rules, seats=asked.seats))
    except Denied as error:
        return json_response({"ok": False, "text": refused_text(texts_for(request), error.code, error.values)})
    return json_response({"ok": True, "rules": settings.rules})


async def get_rules(request: Request) -> Response:
    """The rules of a table, section by section: what ``lastcard rules`` prints."""
    name, texts = request.path_params["name"][:LONGEST_NAME], texts_for(request)
    page = await worked(request, _WORKER, lambda: _rules(name, texts.language))
    return await page.send(request)


async def preview_card(request: Request) -> Response:
    """A rule card in its canonical form and in words; for what is none, the words say why."""
    asked = await read_json(request, CardAsked)
    try:
        text = read_card(asked.text)
    except Denied as error:
        return json_response({"text": None, "words": refused_text(texts_for(request), error.code, error.values)})
    return json_response({"text": text, "words": describe_rule(text, asked.lang)})


routes: Final = [
    Route("/api/locale/{language}", get_locale),
    Route("/api/locale/{language}/{part}", get_locale),
    Route("/api/options/{game}", get_options),
    Route("/api/rules", check_rules, methods=["POST"]),
    Route("/api/rules/{name:path}", get_rules),
    Route("/api/card", preview_card, methods=["POST"]),
]
