"""The browser's side as files for any web host, which play without a server: ``lastcard build-site``."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from lastcard.bundle.kernel_files import read_kernel_files
from lastcard.bundle.texts import game_options_json, rules_page_json
from lastcard.bundle.web_version import MEDIA_TYPES, PAGE, WebVersion
from lastcard.errors import UsageError
from lastcard.game.rulesets import GAMES, PRESETS
from lastcard.text.locale import LANGUAGES

_PACKAGE: Final = Path(__file__).parents[1]
_CONTENT_SECURITY_POLICY: Final = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; font-src 'none'; manifest-src 'self'; base-uri 'none'; form-action 'none'; "
    "require-trusted-types-for 'script'; trusted-types workers"
)
"""That of the server but for WebAssembly. Only a host can say who may frame it."""
_OFFLINE_ATTRIBUTE: Final = " data-static-site"
_SITE_MARK: Final = f'<html lang="en"{_OFFLINE_ATTRIBUTE}>'
_HEAD_BYTES: Final = 64 * 1024
_SERVICE_WORKER: Final = "service.js"
_PREFETCH: Final = re.compile(r' *<link rel="prefetch"[^>]+>\n')
"""A host may not let the browser keep what was fetched so; the first page asks for the table itself."""


def write_site(folder: Path, web: WebVersion | None = None) -> str:
    """Write a site, or bring one up to date: the version of before stays for pages that are open.

    Args:
        folder: empty, not there yet, or with a site.
        web: of ``read_web``; that of this package.

    Returns:
        The version.

    Raises:
        UsageError: for a folder that has something else in it, or cannot be written.
    """
    _check_folder(folder)
    web = web or read_web()
    try:
        before = _versions(folder)
        # The page comes last: whoever loads it finds all that it names.
        for name, body in make_site(web).items():
            _write_atomically(folder / name, body)
        for old in [path for path in before if path.name != web.version][1:]:
            shutil.rmtree(old)
    except OSError as error:
        raise UsageError(f"cannot write {error.filename or folder}: {error.strerror or error}") from None
    return web.version


def _check_folder(folder: Path) -> None:
    """Refuse a folder in which something would be lost or mixed up."""
    if not folder.exists():
        return
    if not folder.is_dir():
        raise UsageError(f"{folder} is a file; name a folder, which is made where it is not there")
    there = sorted(path.name for path in folder.iterdir())
    page = folder / PAGE
    if there and not (page.is_file() and _is_ours(page)):
        raise UsageError(
            f"{folder} has {there[0]} in it and no site of lastcard; name a new or an empty folder, or one with a site"
        )


def _is_ours(page: Path) -> bool:
    """Whether a page is that of such a site; its mark comes early."""
    with page.open("rb") as file:
        return _SITE_MARK.encode() in file.read(_HEAD_BYTES)


def _versions(folder: Path) -> list[Path]:
    """The versions in a folder, latest first."""
    try:
        return sorted((folder / "web").iterdir(), key=lambda path: path.stat().st_mtime_ns, reverse=True)
    except FileNotFoundError:
        return []


def _write_atomically(path: Path, body: bytes) -> None:
    """A file that is there whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f"{path.name}.new")
    draft.write_bytes(body)
    draft.replace(path)


def read_web(changes: Mapping[str, bytes] | None = None) -> WebVersion:
    """The browser's side of this package, with all that it needs where there is no server.

    Args:
        changes: files to have in place of those of the package, by their names below ``web/``.
    """
    folder = _PACKAGE / "web"
    paths = [path for path in sorted(folder.rglob("*")) if path.suffix in MEDIA_TYPES]
    own = {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}
    return WebVersion(own | dict(changes or {}), read_kernel_files() | _rules_and_options())


def _rules_and_options() -> dict[str, bytes]:
    """What a server says of options and rules, in all languages."""
    options = {f"options/{game}-{each}.json": game_options_json(game, each) for game in GAMES for each in LANGUAGES}
    names = [game if preset == "official" else f"{game}+{preset}" for game in GAMES for preset in PRESETS]
    return options | {f"rules/{name}-{each}.json": rules_page_json(name, each) for name in names for each in LANGUAGES}


def make_site(web: WebVersion) -> dict[str, bytes]:
    """The files of a site, in the order in which they are to be written.

    Args:
        web: of ``read_web``.
    """
    at = f"web/{web.version}"
    page = _page(web).encode()
    files = {f"{at}/{name}": web.files[name] for name in web.requested_files} | {f"{at}/{PAGE}": page}
    manifest = {"version": web.version, "page": f"{at}/{PAGE}", "files": list(files)}
    service = f"self.site = {json.dumps(manifest)};\n".encode() + web.files["offline/serviceworker.js"]
    return {**files, _SERVICE_WORKER: service, PAGE: page}


def _page(web: WebVersion) -> str:
    """The page, which knows that it is alone, names nothing outside of its folder, and brings its policy with it."""
    policy = (
        f'<meta charset="utf-8">\n    <meta http-equiv="content-security-policy" content="{_CONTENT_SECURITY_POLICY}">'
    )
    preloads = "".join(
        f'    <link rel="modulepreload" href="./web/{web.version}/packs/{pack}.js">\n'
        for pack in ("offline", "localtable")
    )
    page = _PREFETCH.sub("", web.page("/", "", base=".", attributes=_OFFLINE_ATTRIBUTE))
    return page.replace('<meta charset="utf-8">', policy, 1).replace("  </head>", f"{preloads}  </head>", 1)
