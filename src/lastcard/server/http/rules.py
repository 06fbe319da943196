"""Texts over HTTP: texts of a language, options of a game, rules of a table with figures, preview of a rule card.

Questions about validity are always answered, even with no. Elsewhere invalid input raises the library's errors, and the
application answers 422 with their text.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from functools import cache, lru_cache
from typing import Annotated, Final

import msgspec
from msgspec import Meta, Struct
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from lastcard.analysis.rule_figures import measure_rules
from lastcard.bundle.texts import TEXT_PARTS, game_options_json, rules_page_json, screen_texts
from lastcard.game.rulesets import GAMES, Ruleset, ruleset
from lastcard.server.game.refusal_messages import refusal_text
from lastcard.server.http.requests import CachedResponse, RequestError, json_response, read_json, run_limited, texts_for
from lastcard.server.security.security import Limit
from lastcard.session.commands import TypedLine
from lastcard.session.dealing import read_card
from lastcard.session.hosting import check_settings
from lastcard.session.table_settings import Settings
from lastcard.session.table_state import CommandError
from lastcard.text.locale import LANGUAGES
from lastcard.text.wording import describe_rule_card

MAX_NAME_CHARS: Final = 1000
"""Maximum characters of a ruleset's name."""
_WORKER: Final = ThreadPoolExecutor(1, "rules")
_MEASURER: Final = ThreadPoolExecutor(1, "figures")
"""One thread: figures of new rules take half a second."""


class RulesQuestion(Struct, frozen=True, forbid_unknown_fields=True):
    """May a table play so?"""

    rules: Annotated[str, Meta(min_length=1, max_length=MAX_NAME_CHARS)]
    seats: Annotated[int, Meta(ge=2, le=10)]


class CardQuestion(Struct, frozen=True, forbid_unknown_fields=True):
    """What does this rule card say?"""

    text: TypedLine
    lang: Annotated[str, Meta(max_length=8)] = "en"


@cache
def _texts(language: str, part: str) -> CachedResponse:
    return CachedResponse(screen_texts(language, part))


@cache
def _options(game: str, language: str) -> CachedResponse:
    return CachedResponse(game_options_json(game, language))


@lru_cache(1000)
def _figures(rules: Ruleset, seats: int) -> CachedResponse:
    return CachedResponse(msgspec.json.encode(measure_rules(rules, seats)))


@lru_cache(100)
def _rules(name: str, language: str) -> CachedResponse:
    return CachedResponse(rules_page_json(name, language))


async def get_locale(request: Request) -> Response:
    """Return the texts of a language for the screen, or one part of them."""
    language, part = request.path_params["language"], request.path_params.get("part", "")
    if language not in LANGUAGES or part not in ("", *TEXT_PARTS):
        raise RequestError(404, "not-found")
    return await _texts(language, part).send(request)


async def get_options(request: Request) -> Response:
    """Return the presets and options of a game."""
    game = request.path_params["game"]
    if game not in GAMES:
        raise RequestError(404, "not-found")
    return await _options(game, texts_for(request).language).send(request)


async def check_rules(request: Request) -> Response:
    """Return whether rules are valid for a number of players with their shortest name, or why not."""
    asked = await read_json(request, RulesQuestion)
    try:
        settings = check_settings(Settings(rules=asked.rules, seats=asked.seats))
    except CommandError as error:
        return json_response({"ok": False, "text": refusal_text(texts_for(request), error.code, error.values)})
    return json_response({"ok": True, "rules": settings.rules})


async def get_rules(request: Request) -> Response:
    """Return the rules of a table by section, as ``lastcard rules`` prints them."""
    name, texts = request.path_params["name"][:MAX_NAME_CHARS], texts_for(request)
    page = await run_limited(request, _WORKER, lambda: _rules(name, texts.language))
    return await page.send(request)


async def get_figures(request: Request) -> Response:
    """Return how long a round takes by some rules, who waits, who leads, and how much skill counts."""
    name, seats = request.path_params["name"][:MAX_NAME_CHARS], request.path_params["seats"]
    limit: Limit = request.app.state.limits.figures
    found = await run_limited(request, _MEASURER, lambda: _figures(ruleset(name), seats), limit)
    return await found.send(request)


async def preview_card(request: Request) -> Response:
    """Return a rule card in canonical form and in words, or why it is invalid."""
    asked = await read_json(request, CardQuestion)
    try:
        text = read_card(asked.text)
    except CommandError as error:
        return json_response({"text": None, "words": refusal_text(texts_for(request), error.code, error.values)})
    return json_response({"text": text, "words": describe_rule_card(text, asked.lang)})


routes: Final = [
    Route("/api/locale/{language}", get_locale),
    Route("/api/locale/{language}/{part}", get_locale),
    Route("/api/options/{game}", get_options),
    Route("/api/rules", check_rules, methods=["POST"]),
    Route("/api/rules/{name:path}", get_rules),
    Route("/api/figures/{seats:int}/{name:path}", get_figures),
    Route("/api/card", preview_card, methods=["POST"]),
]
