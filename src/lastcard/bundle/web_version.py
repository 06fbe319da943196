"""One version of the web client: the page, its bundles, files and texts.

The content at the addresses of a version never changes, so browsers cache it forever.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping
from posixpath import basename
from typing import Final

from lastcard.bundle.bundler import (
    HOME_BUNDLE,
    START_MODULE,
    Bundle,
    Bundler,
    inline_constants,
    read_modules,
    worker_script,
)
from lastcard.bundle.texts import TEXT_PARTS, screen_texts
from lastcard.text.locale import LANGUAGES

MEDIA_TYPES: Final = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".json": "application/json",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".webmanifest": "application/manifest+json",
    ".wasm": "application/wasm",
    ".npy": "application/octet-stream",
    ".txt": "text/plain; charset=utf-8",
}
"""Media types by file extension; there are no others."""
PAGE: Final = "index.html"
_STYLESHEET: Final = re.compile(r' *<link rel="stylesheet" href="/web/([^"]+)">\n')
_ROUTE: Final = re.compile(r'\[/(\S+)/, \(\) => import\("(\./\w+\.js)"\)\]')
"""A route and the module of its screen, as in ``pages/main.js``."""
_ROOT: Final = '<html lang="en">'
_COMMENT: Final = re.compile(rb"/\*.*?\*/", re.S)
_BLANKS: Final = re.compile(rb"\s*([{};,])\s*")
_COLON: Final = re.compile(rb"(?<=[\w-]): ")
"""The colon of a declaration; that of a selector has no blank after it."""
_SCRIPT: Final = re.compile(r' *<script type="module" src="[^"]+"></script>\n')


class WebVersion:
    """One version of the web client.

    Args:
        files: files by their paths below ``web/``.
        more: further files of the version, by their paths in it.
    """

    def __init__(self, files: Mapping[str, bytes], more: Mapping[str, bytes] | None = None) -> None:
        self._page = files[PAGE].decode()
        self.files = {name: body for name, body in files.items() if name != PAGE} | dict(more or {})
        """Content of this version: by the path of a file below ``web/``, of a bundle (below ``bundle/``) or of texts
        (below ``texts/``)."""
        modules = inline_constants(read_modules(files))
        self._bundler = Bundler(modules, _STYLESHEET.findall(self._page))
        start = modules[START_MODULE]
        self._routes = [(re.compile(path), start.resolve(name)) for path, name in _ROUTE.findall(start.text)]
        for pack in self._bundler.bundles.values():
            self.files[f"packs/{pack.name}.js"] = self._bundler.script(pack).encode()
            self.files[f"packs/{pack.name}.css"] = b"".join(minify_css(files[sheet]) for sheet in pack.stylesheets)
        for name in modules:
            self.files[name] = self._bundler.module_stub(name).encode()
        for worker in {worker for module in modules.values() for worker in module.workers}:
            self.files[f"packs/{basename(worker)}"] = worker_script(read_modules(files, worker), worker).encode()
        for language in LANGUAGES:
            for part in ("", *TEXT_PARTS):
                self.files[_texts_path(language, part)] = screen_texts(language, part)
        packed = {sheet for pack in self._bundler.bundles.values() for sheet in pack.stylesheets}
        loose = {name for name in files if name.endswith(".js")} | packed
        self.requested_files = [name for name in self.files if name not in loose]
        """Files that pages request: all but those in bundles."""
        whole = hashlib.sha256()
        for name, body in sorted(self.files.items()):
            whole.update(f"{name} {len(body)} ".encode() + body)
        self.version = whole.hexdigest()[:16]
        self._pages: dict[tuple[str, str, str, str], str] = {}

    def page(self, path: str, language: str, base: str = "", attributes: str = "") -> str:
        """Returns the page, whose head names all files that the screen of an address needs.

        Args:
            path: path of the address.
            language: most likely language of the screen; empty if unknown.
            base: path prefix of the server, without a slash at its end.
            attributes: HTML attributes that describe how the page is served.
        """
        found = (entry for pattern, entry in self._routes if pattern.search(path))
        own = self._bundler.bundle_of(next(found, START_MODULE))
        wanted = (own.name, language, base, attributes)
        if wanted not in self._pages:  # functools.cache would be a reference cycle of 8 MB
            self._pages[wanted] = self._make_page(own, language, base, attributes)
        return self._pages[wanted]

    def _make_page(self, own: Bundle, language: str, base: str, attributes: str) -> str:
        home = self._bundler.bundles[HOME_BUNDLE]
        bundles = [home] if own is home else [home, own]
        at = f"{base}/web/{self.version}"
        head = [f'<link rel="stylesheet" href="{at}/{sheet}">' for pack in bundles for sheet in _stylesheet_paths(pack)]
        head += [f'<link rel="modulepreload" href="{at}/packs/{pack.name}.js">' for pack in bundles[1:]]
        for part in ("", *dict.fromkeys(part for pack in bundles for part in pack.texts)) if language else ():
            head.append(f'<link rel="preload" as="fetch" crossorigin href="{at}/{_texts_path(language, part)}">')
        head.append(f'<script type="module" src="{at}/packs/{HOME_BUNDLE}.js"></script>')
        if own is home:  # the most frequent next step
            head += [f'<link rel="prefetch" as="script" href="{at}/packs/table.js">']
            head += [f'<link rel="prefetch" as="style" href="{at}/packs/table.css">']
        lines = "".join(f"    {line}\n" for line in head)
        page = (
            _STYLESHEET.sub("", self._page).replace('"/web/', f'"{at}/').replace(_ROOT, f"{_ROOT[:-1]}{attributes}>", 1)
        )
        return _SCRIPT.sub(lambda found: lines, page)


def minify_css(css: bytes) -> bytes:
    """Returns a style sheet for a bundle: without comments, and without blanks beside braces, colons and commas."""
    css = _BLANKS.sub(rb"\1", _COMMENT.sub(b"", css))
    return b" ".join(_COLON.sub(b":", css).split())


def _stylesheet_paths(bundle: Bundle) -> Iterator[str]:
    if bundle.stylesheets:
        yield f"packs/{bundle.name}.css"
    yield from bundle.shared_stylesheets


def _texts_path(language: str, part: str) -> str:
    return f"texts/{language}{part and f'-{part}'}.json"
