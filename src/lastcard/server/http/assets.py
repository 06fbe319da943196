"""The files of the browser's side, straight from the package."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Final

from starlette.requests import Request
from starlette.responses import Response

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
        self._type = _TYPES[path.suffix]
        self._changed = 0
        self._body = b""
        self._etag = ""

    def respond(self, request: Request) -> Response:
        """The file, or 304 where the browser has it as it is."""
        changed = self._path.stat().st_mtime_ns
        if changed != self._changed:
            self._body = self._path.read_bytes()
            self._etag = f'"{hashlib.sha256(self._body).hexdigest()[:24]}"'
            self._changed = changed
        headers = {"etag": self._etag, "cache-control": "no-cache"}
        if self._etag in request.headers.get("if-none-match", ""):
            return Response(status_code=304, headers=headers)
        return Response(self._body, headers=headers, media_type=self._type)


class Assets:
    """All files of a folder, found once: a name that is none of theirs leads nowhere.

    Args:
        folder: with everything in it.
    """

    def __init__(self, folder: Path) -> None:
        paths = (path for path in folder.rglob("*") if path.suffix in _TYPES and path.is_file())
        self._assets = {path.relative_to(folder).as_posix(): Asset(path) for path in paths}

    def find(self, name: str) -> Asset | None:
        """A file by its name below the folder."""
        return self._assets.get(name)
