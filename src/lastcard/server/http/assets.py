"""The browser's side as it is served: the page, its packs, files and texts, all of one version.

The addresses of a version hold the same for ever, so a browser never asks again for what it has. Another version than
the present one is that of a page which was open while the server was replaced.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from lastcard.server.http.packs import HOME, START, Pack, Packs, read_modules
from lastcard.server.http.requests import Kept
from lastcard.server.http.rules import PARTS, screen_texts
from lastcard.words.locale import LANGUAGES

_TYPES: Final = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".webmanifest": "application/manifest+json",
}
"""Only files of these kinds are served."""
FOR_EVER: Final = "public, max-age=31536000, immutable"
_PAGE: Final = "index.html"
_VERSION: Final = re.compile(r"([0-9a-f]{16})/(.+)")
_SHEET: Final = re.compile(r' *<link rel="stylesheet" href="/web/([^"]+)">\n')
_ROUTE: Final = re.compile(r'\[/(\S+)/, \(\) => import\("(\./\w+\.js)"\)\]')
"""An address of the browser and the module of its screen, as ``pages/main.js`` writes it."""
_SCRIPT: Final = re.compile(r' *<script type="module" src="[^"]+"></script>\n')
_RENEW: Final = """\
setTimeout(() => location.reload(), 2000 - performance.now());
await new Promise(() => {});
"""
"""A module that loads the page anew, and nobody goes on with it before that. A page that is new itself waits a little:
where servers of two versions answer by turns they shall not be asked without end."""


class Web:
    """One version of the browser's side.

    Args:
        files: by their names below ``web/``.
    """

    def __init__(self, files: Mapping[str, bytes]) -> None:
        self._page = files[_PAGE].decode()
        self._files = {name: Kept(body, _TYPES[Path(name).suffix]) for name, body in files.items() if name != _PAGE}
        modules = read_modules(files)
        self._packs = Packs(modules, _SHEET.findall(self._page))
        start = modules[START]
        self._routes = [(re.compile(path), start.resolve(name)) for path, name in _ROUTE.findall(start.text)]
        for pack in self._packs.all.values():
            self._add(f"packs/{pack.name}.js", self._packs.script(pack))
            self._add(f"packs/{pack.name}.css", "".join(files[sheet].decode() for sheet in pack.sheets))
        for name in modules:
            self._add(name, self._packs.module(name))
        for language in LANGUAGES:
            for part in ("", *PARTS):
                self._files[_texts(language, part)] = screen_texts(language, part)
        whole = hashlib.sha256()
        for name, kept in sorted(self._files.items()):
            whole.update(f"{name} {len(kept.body)} ".encode() + kept.body)
        self.version = whole.hexdigest()[:16]
        self._pages = cache(self._make_page)

    def _add(self, name: str, text: str) -> None:
        self._files[name] = Kept(text.encode(), _TYPES[Path(name).suffix])

    def find(self, name: str) -> Kept | None:
        """What is at an address of this version; None where there is nothing.

        Args:
            name: of a file below ``web/``, of a pack (below ``packs/``) or of texts (below ``texts/``).
        """
        return self._files.get(name)

    def page(self, path: str, language: str, base: str = "") -> Kept:
        """The one page, with all that the screen of an address needs named at its head.

        Args:
            path: of the address.
            language: in which the screen will most likely be.
            base: the path under which the server is found, without a slash at its end.
        """
        found = (entry for pattern, entry in self._routes if pattern.search(path))
        return self._pages(self._packs.pack_of(next(found, START)), language, base)

    def _make_page(self, own: Pack, language: str, base: str) -> Kept:
        home = self._packs.all[HOME]
        packs = [home] if own is home else [home, own]
        at = f"{base}/web/{self.version}"
        head = [f'<link rel="stylesheet" href="{at}/{sheet}">' for pack in packs for sheet in _sheets(pack)]
        head += [f'<link rel="modulepreload" href="{at}/packs/{pack.name}.js">' for pack in packs[1:]]
        for part in ("", *dict.fromkeys(part for pack in packs for part in pack.texts)):
            head.append(f'<link rel="preload" as="fetch" crossorigin href="{at}/{_texts(language, part)}">')
        head.append(f'<script type="module" src="{at}/packs/{HOME}.js"></script>')
        if own is home:  # what most people do next
            head += [f'<link rel="prefetch" as="script" href="{at}/packs/table.js">']
            head += [f'<link rel="prefetch" as="style" href="{at}/packs/table.css">']
        lines = "".join(f"    {line}\n" for line in head)
        page = _SHEET.sub("", self._page).replace('"/web/', f'"{at}/')
        page = _SCRIPT.sub(lambda found: lines, page)
        return Kept(page.encode(), _TYPES[".html"])


def _sheets(pack: Pack) -> Iterator[str]:
    """Addresses of the style sheets of a pack."""
    if pack.sheets:
        yield f"packs/{pack.name}.css"
    yield from pack.apart


def _texts(language: str, part: str) -> str:
    return f"texts/{language}{part and f'-{part}'}.json"


class WebFolder:
    """A folder with the browser's side, read again when it has changed: whoever works on a page need not restart the
    server.

    Args:
        folder: of the files.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._seen: dict[str, int] = {}
        self._web: Web | None = None

    def now(self) -> Web:
        """The present version."""
        seen = dict(_stamps(self._folder))
        if self._web is None or seen != self._seen:
            files = {Path(path).relative_to(self._folder).as_posix(): Path(path).read_bytes() for path in seen}
            self._web, self._seen = Web(files), seen
        return self._web

    def respond(self, request: Request, path: str) -> Response | None:
        """What is at an address below ``/web/``; None where there is nothing.

        A page that is older than this server and asks for one more module is loaded anew, at the address it shows: with
        modules of today beside those it has it would have two of each. Once they had addresses without a version.
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
        return None if kept is None else kept.respond(request, keep=keep)


def _stamps(folder: Path | str) -> Iterator[tuple[str, int]]:
    """The files of a folder, and when each was changed; any other name leads nowhere."""
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_dir():
                yield from _stamps(entry.path)
            elif Path(entry.name).suffix in _TYPES:
                yield entry.path, entry.stat().st_mtime_ns
