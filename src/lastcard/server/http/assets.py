"""The files of the browser, served by version.

Files of a version never change, so browsers cache them forever. A page with another version was open while the
server was replaced.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from lastcard.bundle.kernel_files import read_kernel_files
from lastcard.bundle.web_version import MEDIA_TYPES, PAGE, WebVersion
from lastcard.server.http.requests import CachedResponse

IMMUTABLE: Final = "public, max-age=31536000, immutable"
_VERSION: Final = re.compile(r"([0-9a-f]{16})/(.+)")
_RENEW: Final = """\
setTimeout(() => location.reload(), 2000 - performance.now());
await new Promise(() => {});
"""
"""A module that loads the page anew, and nobody goes on with it before that. A page that is new itself waits a little:
where servers of two versions answer by turns they shall not be asked without end."""


class VersionAnswers:
    """The answers for the files of a version."""

    def __init__(self, web: WebVersion) -> None:
        self.version = web.version
        self._web = web
        self._files = {name: CachedResponse(body, MEDIA_TYPES[Path(name).suffix]) for name, body in web.files.items()}
        self._pages = cache(lambda text: CachedResponse(text.encode(), MEDIA_TYPES[Path(PAGE).suffix]))

    def find(self, name: str) -> CachedResponse | None:
        """Return the answer at a path of this version, as ``WebVersion.files`` names it; None if there is nothing."""
        return self._files.get(name)

    def page(self, path: str, language: str, base: str = "", data_attributes: str = "") -> CachedResponse:
        """Return the page, as ``WebVersion.page`` makes it."""
        return self._pages(self._web.page(path, language, base, data_attributes))


class WebFolder:
    """A folder with the browser's files, read again after changes, so that developers need not restart the server."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._seen: dict[str, int] = {}
        self._web: VersionAnswers | None = None

    def current(self) -> VersionAnswers:
        """The current version."""
        seen = dict(_stamps(self._folder))
        if self._web is None or seen != self._seen:
            files = {Path(path).relative_to(self._folder).as_posix(): Path(path).read_bytes() for path in seen}
            self._web, self._seen = VersionAnswers(WebVersion(files, read_kernel_files())), seen
        return self._web

    async def send(self, request: Request, path: str) -> Response | None:
        """Return the answer for a path below ``/web/``; None if there is nothing.

        An older page that requests a module gets one that reloads it. It would otherwise mix modules of
        two versions. Home screens request icons without a version.
        """
        found = _VERSION.fullmatch(path)
        version, name = (found[1], found[2]) if found else ("", path)
        web = self._web or self.current()
        if version == web.version:
            cache_control = IMMUTABLE
        elif name.endswith(".js"):
            return Response(_RENEW, headers={"cache-control": "no-store"}, media_type="text/javascript")
        else:
            web, cache_control = self.current(), "no-store" if version else "no-cache"
        response = web.find(name)
        return None if response is None else await response.send(request, cache_control=cache_control)


def _stamps(folder: Path | str) -> Iterator[tuple[str, int]]:
    """Return the files of a folder with their modification times; no other path is served."""
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_dir():
                yield from _stamps(entry.path)
            elif Path(entry.name).suffix in MEDIA_TYPES:
                yield entry.path, entry.stat().st_mtime_ns
