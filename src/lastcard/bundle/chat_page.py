"""The table as one HTML file, for a chat (MCP Apps): scripts, styles and texts are in it, and it requests nothing."""

from __future__ import annotations

import hashlib
import json
import re
from base64 import b64encode
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Final

from lastcard.bundle.bundler import MODULE_REGISTRY, Module, define_module, inline_constants, list_closure, read_modules
from lastcard.bundle.texts import screen_texts
from lastcard.bundle.web_version import minify_css
from lastcard.text.locale import LANGUAGES

_WEB: Final = Path(__file__).parents[1] / "web"
_START: Final = "chat/chatscreen.js"
_LEFT_OUT: Final = {"guide/lesson.js", "replay/verifydialog.js"}
"""Modules that a table in a chat never loads."""
_STYLESHEETS: Final = ("ui/theme.css", "ui/base.css")
_UNUSED_TEXTS: Final = re.compile(
    r"web\.(?!game|pick|score|lever|table|card|keys|side|tip|notice|net|course|uno|splash)|preset|option|level"
)
"""Texts of the home page and other screens."""
_STYLESHEET_CALL: Final = re.compile(r'\bstylesheet\("[\w./-]+"\)')
_SCRIPT: Final = """\
const $texts = %s;
const fetch = async (address) => {
  const texts = $texts[/([\\w-]+)\\.json$/.exec(address)?.[1]];
  return { ok: Boolean(texts), status: 404, json: async () => texts };
};
const $later = async (name) => $use(name);
"""
"""JavaScript before all modules: texts come from the file, and all modules are there."""
_PAGE: Final = """\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="content-security-policy" content="default-src 'none'; script-src '%s'; style-src '%s'; \
connect-src 'none'; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'">
<title>Last Card</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>%s</style>
</head>
<body>
<script type="module">%s</script>
</body>
</html>
"""


@cache
def make_chat_page() -> str:
    """Returns the page. Its policy admits its own script and styles by their hashes, and no request at all."""
    files = {path.relative_to(_WEB).as_posix(): path.read_bytes() for path in _WEB.rglob("*.*s")}
    modules = inline_constants(read_modules(files, _START))
    order = list(dict.fromkeys(_loaded(modules, _START)))
    sheets = dict.fromkeys((*_STYLESHEETS, *(sheet for name in order for sheet in modules[name].stylesheets)))
    style = b"".join(minify_css(files[sheet]) for sheet in sheets if sheet != "ui/moods.css").decode()
    parts = dict.fromkeys(("", *(part for name in order for part in modules[name].texts)))
    texts = {f"{each}{part and f'-{part}'}": _texts(each, part) for each in LANGUAGES for part in parts}
    inline = json.dumps(texts, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    script = MODULE_REGISTRY + _SCRIPT % inline + "".join(map(_define, map(modules.__getitem__, order)))
    script += f'$use("{_START}");\n'
    return _PAGE % (_hash(script), _hash(style), style, script)


def _loaded(modules: Mapping[str, Module], start: str) -> Iterator[str]:
    """Yields modules with everything that they import, each after its imports."""
    seen, waiting = set[str](), [start]
    while waiting:
        for name in list_closure(modules, [waiting.pop()], seen):
            yield name
            waiting += [other for other in modules[name].dynamic_imports if other not in seen | _LEFT_OUT]


def _define(module: Module) -> str:
    text = define_module(module, str).replace("import.meta.url", f'"https://chat.invalid/web/1/{module.name}"')
    return _STYLESHEET_CALL.sub("Promise.resolve()", text)


def _texts(language: str, part: str) -> dict[str, object]:
    texts: dict[str, object] = json.loads(screen_texts(language, part))
    return {key: text for key, text in texts.items() if not _UNUSED_TEXTS.match(key)}


def _hash(text: str) -> str:
    return f"sha256-{b64encode(hashlib.sha256(text.encode()).digest()).decode()}"
