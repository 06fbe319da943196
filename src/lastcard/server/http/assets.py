"""The browser's side as it is served, all of one version.

The addresses of a version hold the same for ever, so a browser never asks again for what it has. Another version than
the present one is that of a page which was open while the server was replaced.
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

from lastcard.bundle.kernel import read_kernel
from lastcard.bundle.web import PAGE, TYPES, Web
from lastcard.server.http.requests import Kept

FOR_EVER: Final = "public, max-age=31536000, immutable"
_VERSION: Final = re.compile(r"([0-9a-f]{16})/(.+)")
_RENEW: Final = """\
setTimeout(() => location.reload(), 2000 - performance.now());
await new Promise(() => {});
"""
"""A module that loads the page anew, and nobody goes on with it before that. A page that is new itself waits a little:
where servers of two versions answer by turns they shall not be asked without end."""


class Served:
    """A version as answers.

    Args:
        web: the version.
    """

    def __init__(self, web: Web) -> None:
        self.version = web.version
        self._web = web
        self._files = {name: Kept(body, TYPES[Path(name).suffix]) for name, body in web.files.items()}
        self._pages = cache(lambda text: Kept(text.encode(), TYPES[Path(PAGE).suffix]))

    def find(self, name: str) -> Kept | None:
        """What is at an address of this version, as ``Web.files`` names it; None where there is nothing."""
        return self._files.get(name)

    def page(self, path: str, language: str, base: str = "", marks: str = "") -> Kept:
        """The one page, as ``Web.page`` makes it."""
        return self._pages(self._web.page(path, language, base, marks))


class WebFolder:
    """A folder with the browser's side, read again when it has changed: whoever works on a page need not restart the
    server.

    Args:
        folder: of the files.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._seen: dict[str, int] = {}
        self._web: Served | None = None

    def now(self) -> Served:
        """The present version."""
        seen = dict(_stamps(self._folder))
        if self._web is None or seen != self._seen:
            files = {Path(path).relative_to(self._folder).as_posix(): Path(path).read_bytes() for path in seen}
            self._web, self._seen = Served(Web(files, read_kernel())), seen
        return self._web

    async def send(self, request: Request, path: str) -> Response | None:
        """What is at an address below ``/web/``; None where there is nothing.

        A page that is older than this server and asks for one more module is loaded anew, at the address it shows: with
        modules of today beside those it has it would have two of each. Home screens ask for icons without a version.
        """
        found = _VERSION.fullmatch(path)
        version, name = (found[1], found[2]) if found else ("", path)
        web = self._web or self.now()
        if version == web.version:
            keep = FOR_EVER
        elif name.endswith(".js"):
            return Response(_RENEW, headers={"cache-control": "no-store"}, media_type="text/javascript")
        else:
            web, keep = self.now(), "no-store" if version else "no-cache"
        kept = web.find(name)
        return None if kept is None else await kept.send(request, keep=keep)


def _stamps(folder: Path | str) -> Iterator[tuple[str, int]]:
    """The files of a folder, and when each was changed; any other name leads nowhere."""
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_dir():
                yield from _stamps(entry.path)
            elif Path(entry.name).suffix in TYPES:
                yield entry.path, entry.stat().st_mtime_ns
