"""The browser's modules on a page of their own, without the server: for tests of what they compute and draw."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any, Final, Literal

from playwright.sync_api import Page

from support.mock_site import ASSETS, WEB

_TYPES: Final = {"js": "text/javascript", "css": "text/css", "json": "application/json", "svg": "image/svg+xml"}
_BLANK: Final = b"<!doctype html><html lang=en><meta charset=utf-8><title>modules</title>"


class _Files(BaseHTTPRequestHandler):
    """``/web/…`` from the package, with the texts; every other path is an empty page."""

    def do_GET(self) -> None:
        body, kind = _BLANK, "text/html"
        if self.path.startswith("/web/"):
            name = self.path.removeprefix("/web/")
            file, asset = WEB / name, ASSETS.find(name)
            body = file.read_bytes() if file.is_file() else asset.body if asset else b""
            kind = _TYPES[name.rpartition(".")[2]]
        self.send_response(200)
        self.send_header("Content-Type", f"{kind}; charset=utf-8")
        self.send_header("Cache-Control", "max-age=600")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        """Log nothing."""


@contextmanager
def serve_modules() -> Iterator[str]:
    """A server of the modules; yields its address."""
    with ThreadingHTTPServer(("127.0.0.1", 0), _Files) as server:
        Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


class ModulesPage:
    """An empty page of ``serve_modules`` that tests share one after another."""

    def __init__(self, page: Page, address: str) -> None:
        self._page = page
        self._address = address

    def open(
        self,
        language: str,
        *modules: str,
        styles: tuple[str, ...] = (),
        motion: Literal["no-preference", "reduce"] = "no-preference",
    ) -> Page:
        """Load the page anew, with style sheets, a language, and the exports of modules as global names."""
        page = self._page
        page.emulate_media(reduced_motion=motion)
        page.goto(f"{self._address}/blank")
        for style in ("ui/theme.css", *styles):
            page.add_style_tag(url=f"/web/{style}")
        page.evaluate(
            """async ([language, modules]) => {
                await (await import("/web/ui/texts.js")).useLanguage(language);
                const { load } = await import("/web/ui/resources.js");
                for (const name of modules) Object.assign(globalThis, await load(import(`/web/${name}`)));
            }""",
            [language, list(modules)],
        )
        return page
