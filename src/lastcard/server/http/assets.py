"""The files of the browser's side, straight from the package."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from lastcard.server.http.requests import Kept

_TYPES: Final = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".webmanifest": "application/manifest+json",
}
"""Only files of these kinds are served."""


class Asset:
    """A file, read again when it has changed: whoever works on a page need not restart the server."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._read()

    def respond(self, request: Request, status: int = 200) -> Response:
        """The file, or 304 where the browser has it as it is."""
        if self._path.stat().st_mtime_ns != self._changed:
            self._read()
        return self._kept.respond(request, status)

    def _read(self) -> None:
        self._changed = self._path.stat().st_mtime_ns
        self._kept = Kept(self._path.read_bytes(), _TYPES[self._path.suffix])


def find_assets(folder: Path) -> dict[str, Asset]:
    """All files of a folder by their names below it; any other name leads nowhere."""
    paths = (path for path in folder.rglob("*") if path.suffix in _TYPES and path.is_file())
    return {path.relative_to(folder).as_posix(): Asset(path) for path in paths}
