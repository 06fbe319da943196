"""The web client as files for any web host, which play without a server: ``lastcard build-site``."""

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
"""The server's policy, plus WebAssembly. Only a host can restrict framing."""
OFFLINE_ATTRIBUTE: Final = " data-static-site"
_SITE_MARK: Final = f'<html lang="en"{OFFLINE_ATTRIBUTE}>'
_HEAD_BYTES: Final = 64 * 1024
_SERVICE_WORKER: Final = "service.js"
MODEL_TEXT: Final = Path(__file__).with_name("llms.txt")
"""What a language model may know about a site; it is sent as ``/llms.txt``."""
_PREFETCH: Final = re.compile(r' *<link rel="prefetch"[^>]+>\n')
"""Removed, because a host may prevent caching of prefetched files; the first page requests the table itself."""


def write_site(folder: Path, web: WebVersion | None = None) -> str:
    """Write or update a site, and return its version; the previous one remains for open pages.

    Args:
        folder: path of a folder that is empty, missing, or contains a site.
        web: result of ``read_web``; None for that of this package.

    Raises:
        UsageError: for a folder that contains other files, or cannot be written.
    """
    _check_folder(folder)
    web = web or read_web()
    try:
        before = _versions(folder)
        # The page is written last, so that all files it names exist.
        for name, body in make_site(web).items():
            file = folder / name
            file.parent.mkdir(parents=True, exist_ok=True)
            draft = file.with_name(f"{file.name}.new")
            draft.write_bytes(body)
            draft.replace(file)
        for old in [path for path in before if path.name != web.version][1:]:
            shutil.rmtree(old)
    except OSError as error:
        raise UsageError(f"cannot write {error.filename or folder}: {error.strerror or error}") from None
    return web.version


def _check_folder(folder: Path) -> None:
    """Refuse a folder in which files could be lost or mixed up."""
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
    """Whether a page belongs to such a site; its mark is near the start."""
    with page.open("rb") as file:
        return _SITE_MARK.encode() in file.read(_HEAD_BYTES)


def _versions(folder: Path) -> list[Path]:
    """Returns the versions in a folder, latest first."""
    try:
        return sorted((folder / "web").iterdir(), key=lambda path: path.stat().st_mtime_ns, reverse=True)
    except FileNotFoundError:
        return []


def read_web(changes: Mapping[str, bytes] | None = None) -> WebVersion:
    """Returns the web client with all it needs without a server; ``changes`` replaces files, by path below ``web/``."""
    folder = _PACKAGE / "web"
    paths = [path for path in sorted(folder.rglob("*")) if path.suffix in MEDIA_TYPES]
    own = {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}
    return WebVersion(own | dict(changes or {}), read_kernel_files() | rules_and_options())


def rules_and_options() -> dict[str, bytes]:
    """Returns the server's answers about options and rules, in all languages."""
    options = {f"options/{game}-{each}.json": game_options_json(game, each) for game in GAMES for each in LANGUAGES}
    names = [game if preset == "official" else f"{game}+{preset}" for game in GAMES for preset in PRESETS]
    return options | {f"rules/{name}-{each}.json": rules_page_json(name, each) for name in names for each in LANGUAGES}


def make_site(web: WebVersion) -> dict[str, bytes]:
    """Returns the files of a site, in the order in which they are written."""
    at = f"web/{web.version}"
    page = _page(web).encode()
    files = {f"{at}/{name}": web.files[name] for name in web.requested_files} | {f"{at}/{PAGE}": page}
    manifest = {"version": web.version, "page": f"{at}/{PAGE}", "files": list(files)}
    service = f"self.site = {json.dumps(manifest)};\n".encode() + web.files["offline/serviceworker.js"]
    return {**files, MODEL_TEXT.name: MODEL_TEXT.read_bytes(), _SERVICE_WORKER: service, PAGE: page}


def _page(web: WebVersion) -> str:
    """Returns the page, marked as serverless, without references outside its folder, and with its security policy."""
    policy = (
        f'<meta charset="utf-8">\n    <meta http-equiv="content-security-policy" content="{_CONTENT_SECURITY_POLICY}">'
    )
    preloads = "".join(
        f'    <link rel="modulepreload" href="./web/{web.version}/packs/{pack}.js">\n'
        for pack in ("offline", "localtable")
    )
    page = _PREFETCH.sub("", web.page("/", "", base=".", attributes=OFFLINE_ATTRIBUTE))
    return page.replace('<meta charset="utf-8">', policy, 1).replace("  </head>", f"{preloads}  </head>", 1)
