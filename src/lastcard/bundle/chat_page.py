"""The table as one HTML file for a chat (MCP Apps), which requests nothing: scripts, styles, texts and the module."""

from __future__ import annotations

import hashlib
import json
import re
import zlib
from base64 import b64encode
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Final

from lastcard.bundle.bundler import MODULE_REGISTRY, Module, define_module, inline_constants, list_closure, read_modules
from lastcard.bundle.kernel_files import read_kernel_files
from lastcard.bundle.texts import screen_texts
from lastcard.bundle.web_version import minify_css
from lastcard.text.locale import LANGUAGES

_WEB: Final = Path(__file__).parents[1] / "web"
_START: Final = "chat/chatscreen.js"
_LEFT_OUT: Final = {"guide/lesson.js", "replay/verifydialog.js"}
"""Modules that a table in a chat never loads."""
_STYLESHEETS: Final = ("ui/theme.css", "ui/base.css")
_UNUSED_TEXTS: Final = re.compile(
    r"web\.(?!game|pick|score|lever|table|card|keys|side|tip|notice|net|course|uno|splash|dialog"
    r"|replay|report|advice|me\.mistake|page\.unknown|page\.wrong)|preset|option|level|refused|decision"
)
"""Texts of the home page and other screens."""
_FIRST_TEXTS: Final = {"", "unknown", "jackpot", "notice"}
"""Parts of the texts that the first picture may need."""
_MODULE_FILES: Final = {"kernel/lastcard.wasm", "kernel/lastcard.json", "kernel/heuristic.json"}
"""What hints and reports need of every game. The page gets the networks of its game from the server, 190 kB."""
_STYLESHEET_CALL: Final = re.compile(r'\bstylesheet\("[\w./-]+"\)')
_SCRIPT: Final = """\
const $texts = %s;
const $inflate = (data) => {
  const bytes = Uint8Array.from(atob(data), (char) => char.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate")));
};
const fetch = async (address) => {
  const name = String(address).slice("https://chat.invalid/web/1/".length);
  if ($texts[name]) return { ok: true, json: async () => $texts[name] };
  const data = document.querySelector(`[data-file="${CSS.escape(name)}"]`);
  return data ? $inflate(data.textContent) : { ok: false, status: 404 };
};
const $later = async (name) => $use(name);
"""
"""JavaScript before all modules: files come from the page, and all modules are there."""
_PAGE: Final = """\
<!doctype html>
<html lang="en" data-static-site>
<head>
<meta charset="utf-8">
<meta http-equiv="content-security-policy" content="default-src 'none'; script-src '%s' 'wasm-unsafe-eval'; \
style-src '%s'; connect-src 'none'; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; \
trusted-types 'none'">
<title>Last Card</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>%s</style>
</head>
<body>
<script type="module">%s</script>
%s</body>
</html>
"""


@cache
def make_chat_page() -> str:
    """Returns the page. Its policy admits its own script and styles by their hashes, the module, and no request at all.

    The first picture needs the script, the styles and the first texts. The other files are compressed, in elements of
    which the browser only stores the text.
    """
    files = {path.relative_to(_WEB).as_posix(): path.read_bytes() for path in _WEB.rglob("*.*s")}
    modules = inline_constants(read_modules(files, _START))
    order = list(dict.fromkeys(_loaded(modules, _START)))
    sheets = dict.fromkeys((*_STYLESHEETS, *(sheet for name in order for sheet in modules[name].stylesheets)))
    style = b"".join(minify_css(files[sheet]) for sheet in sheets if sheet != "ui/moods.css").decode()
    parts = dict.fromkeys(("", *(part for name in order for part in modules[name].texts)))
    texts = {f"texts/{each}{part and f'-{part}'}.json": _texts(each, part) for each in LANGUAGES for part in parts}
    first = {f"texts/{each}{part and f'-{part}'}.json" for each in LANGUAGES for part in _FIRST_TEXTS}
    inline = _json({name: texts[name] for name in texts if name in first}).replace("<", "\\u003c")
    later = {name: _json(texts[name]).encode() for name in texts if name not in first}
    later |= {name: body for name, body in read_kernel_files().items() if name in _MODULE_FILES}
    script = MODULE_REGISTRY + _SCRIPT % inline + "".join(map(_define, map(modules.__getitem__, order)))
    script += f'$use("{_START}");\n'
    return _PAGE % (_hash(script), _hash(style), style, script, "".join(map(_data_element, later, later.values())))


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


def _data_element(name: str, body: bytes) -> str:
    """Returns an element with a compressed file."""
    return f'<script type="text/plain" data-file="{name}">{b64encode(zlib.compress(body, 9)).decode()}</script>\n'


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _texts(language: str, part: str) -> dict[str, object]:
    texts: dict[str, object] = json.loads(screen_texts(language, part))
    return {key: text for key, text in texts.items() if not _UNUSED_TEXTS.match(key)}


def _hash(text: str) -> str:
    return f"sha256-{b64encode(hashlib.sha256(text.encode()).digest()).decode()}"
