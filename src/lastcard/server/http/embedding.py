"""Pages for other sites' ``<iframe>``: a replay, a puzzle, and the game against bots, below ``/embed/``.

The page there is the static site, which plays without a server, and the only answer of this server about a match is its
replay. ``SecurityMiddleware`` removes cookies and tokens from these requests, so nobody can act for a seat, and the
policy of the page permits requests to ``/embed/`` alone.
"""

from __future__ import annotations

import asyncio
from functools import cache
from typing import Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from lastcard.bundle.site import OFFLINE_ATTRIBUTE, rules_and_options
from lastcard.server.http import matches, pages
from lastcard.server.http.requests import CachedResponse, RequestError, base_of

EMBED_PATH: Final = "/embed/"
_ATTRIBUTES: Final = f"{OFFLINE_ATTRIBUTE} data-embedded"


async def show_embedded_page(request: Request) -> Response:
    """``GET /embed/?/match/ID``, ``/embed/?/puzzles/N`` or ``/embed/``: return the page."""
    _check_allowed(request)
    response = pages.page_at(request, "/", f"{base_of(request)}{EMBED_PATH[:-1]}", _ATTRIBUTES)
    return pages.in_language(await response.send(request))


async def send_embedded_file(request: Request) -> Response:
    """Return a file of the page."""
    _check_allowed(request)
    path: str = request.path_params["path"]
    made = (await asyncio.to_thread(_rules_and_options)).get(path.partition("/")[2])
    return await pages.send_file(request) if made is None else await made.send(request)


@cache
def _rules_and_options() -> dict[str, CachedResponse]:
    return {name: CachedResponse(body) for name, body in rules_and_options().items()}


async def show_embedded_replay(request: Request) -> Response:
    """``GET /embed/api/matches/ID/replay``: return a replay as a stranger sees it."""
    _check_allowed(request)
    return await matches.show_replay(request)


def _check_allowed(request: Request) -> None:
    """Raise ``RequestError`` on a server that no site may embed."""
    if not request.app.state.site.embed_origins:
        raise RequestError(404, "not-found")


routes: Final = [
    Route(EMBED_PATH, show_embedded_page),
    Route("/embed/web/{path:path}", send_embedded_file),
    Route("/embed/api/matches/{id:id}/replay", show_embedded_replay),
]
