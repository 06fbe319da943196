"""Checks of the built site: every link and anchor leads somewhere, and no page requests anything from another host."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from typing import Final
from urllib.parse import unquote, urlsplit

CONTENT_SECURITY_POLICY: Final = (
    "default-src 'none'; script-src 'self' 'unsafe-inline' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data:; font-src 'self'; connect-src 'self'; worker-src 'self' blob:; frame-src 'self'; "
    "manifest-src 'self'; base-uri 'none'; form-action 'none'"
)
"""Makes a browser refuse all requests to other hosts, also those that a script would make."""
GAME: Final = "play"
"""Folder of the game beside those of the versions; its pages have a policy and tests of their own."""
_LOADED: Final = {
    *((tag, "src") for tag in ("img", "script", "iframe", "source", "audio", "video", "embed")),
    *(("video", "poster"), ("object", "data"), ("form", "action")),
}
"""Attributes with the address of something that the browser requests by itself."""
_NOT_LOADED: Final = {"canonical", "next", "prev", "alternate", "author", "license"}
"""Relations of a ``link`` element that request nothing."""
_CSS_ADDRESS: Final = re.compile(r"""(?:url\(|@import\s+)\s*["']?\s*((?:https?:)?//[^"')\s]+)""", re.I)


@dataclass
class Page:
    """The anchors of a page, its links, and the addresses that it loads."""

    anchors: set[str] = field(default_factory=set)
    links: list[str] = field(default_factory=list)
    loaded: list[str] = field(default_factory=list)
    policy: str = ""


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.page = Page()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        named = {name: value or "" for name, value in attrs}
        page = self.page
        page.anchors |= {named[name] for name in ("id", "name") if named.get(name)}
        for name, value in named.items():
            if (tag, name) in _LOADED:
                page.loaded.append(value)
            elif name in ("srcset", "imagesrcset"):
                page.loaded += [part.split()[0] for part in value.split(",") if part.strip()]
            elif name == "style":
                page.loaded += _CSS_ADDRESS.findall(value)
        if tag == "a" and "href" in named:
            page.links.append(named["href"])
        elif tag == "link" and not _NOT_LOADED & set(named.get("rel", "").split()):
            page.loaded.append(named["href"])
        elif tag == "meta" and named.get("http-equiv", "").lower() == "content-security-policy":
            page.policy = named["content"]

    def handle_data(self, data: str) -> None:
        if self.cdata_elem == "style":
            self.page.loaded += _CSS_ADDRESS.findall(data)


def find_problems(site: Path) -> list[str]:
    """Returns a line for every wrong link, missing anchor, or request to another host."""
    site = site.resolve()
    return sorted({*_page_problems(site), *_style_problems(site)})


def _page_problems(site: Path) -> Iterator[str]:
    for path in site.rglob("*.html"):
        if path.is_relative_to(site / GAME):
            continue
        name, page = path.relative_to(site).as_posix(), _read(path)
        if page.policy != CONTENT_SECURITY_POLICY:
            yield f"{name}: has no content security policy"
        for address in page.loaded:
            if _is_foreign(address):
                yield f"{name}: requests {address}"
            elif not address.startswith(("data:", "blob:")):
                yield from _link_problems(site, path, address)
        for address in page.links:
            if not _is_foreign(address) and not address.startswith(("mailto:", "javascript:")):
                yield from _link_problems(site, path, address)


def _style_problems(site: Path) -> Iterator[str]:
    for path in site.rglob("*.css"):
        for address in _CSS_ADDRESS.findall(path.read_text(encoding="utf-8")):
            yield f"{path.relative_to(site).as_posix()}: requests {address}"


def _is_foreign(address: str) -> bool:
    return bool(urlsplit(address).netloc)


def _link_problems(site: Path, path: Path, address: str) -> Iterator[str]:
    """Yields the problem of a link within the site, if it has one."""
    parts = urlsplit(address)
    file = path
    if parts.path:
        file = (path.parent / unquote(parts.path)).resolve()
        file = file / "index.html" if file.is_dir() else file
    name = path.relative_to(site).as_posix()
    if not file.is_relative_to(site) or parts.path.startswith("/"):
        yield f"{name}: {address} leaves the site"
    elif not file.is_file():
        yield f"{name}: {address} leads nowhere"
    elif parts.fragment and file.suffix == ".html" and unquote(parts.fragment) not in _read(file).anchors:
        yield f"{name}: {address} has no such anchor"


@cache
def _read(path: Path) -> Page:
    reader = _Reader()
    reader.feed(path.read_text(encoding="utf-8"))
    return reader.page
