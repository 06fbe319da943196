"""Bundler of the browser's modules: a screen requests one file of scripts and one of styles instead of forty.

Browsers open six connections to a server of HTTP/1.1, so forty small files take seven round trips, however early they
are requested. The modules in the package do not change (docs/decisions/0029). The bundler puts those of a screen into
one bundle: each module becomes a function that runs once, when it is first imported, as in the standard.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from posixpath import dirname, join, normpath
from typing import Final

HOME_BUNDLE: Final = "home"
"""The bundle that every page starts with."""
START_MODULE: Final = "pages/main.js"
CONSTANTS_MODULE: Final = "bindings/constants.js"
BUNDLE_ENTRIES: Final = {
    HOME_BUNDLE: (START_MODULE, "pages/home.js"),
    "table": ("pages/table.js", "game/game.js"),
    "play": (
        *(
            "motion/events.js",
            "motion/lever.js",
            "motion/confetti.js",
            "game/drag.js",
            "game/keys.js",
            "game/scoreboard.js",
            "game/scores.js",
            "game/tips.js",
        ),
        *("guide/longpress.js", "pages/tableparts.js"),
    ),
    "panels": ("game/advice.js", "lobby/chat.js", "lobby/menu.js"),
    "offline": ("offline/homepanels.js", "offline/install.js"),
    "localtable": (
        "localtable/workerpool.js",
        "offline/localapi.js",
        "offline/openedtable.js",
        "offline/passdevice.js",
    ),
    "me": ("pages/me.js", "pages/career.js", "pages/matches.js"),
}
"""Modules that are used together. Any other dynamic import is a bundle of its own, with its imports."""

_BLOCK_COMMENT: Final = re.compile(r"/\*\*.*?\*/ ?", re.S)
_LINE_COMMENT: Final = re.compile(r"^ *// .*$| +// [^\"'`\n]*$", re.M)
"""A comment to the end of its line. After code it has no quotation mark, which might end a string around it."""
_INDENT: Final = re.compile(r"^ +", re.M)
_PRIVATE_MEMBER: Final = re.compile(r"(^ *(?:static |async |get |set |\*)*)(#\w+)(?=[ (;])", re.M)
_IMPORT: Final = re.compile(r'^import (?:(\{[\w\s,]+\}|\* as \w+) from )?"(\.[^"]+)";', re.M)
_REEXPORT: Final = re.compile(r'^export \{(\s*\w+(?:,\s*\w+)*,?\s*)\} from "(\.[^"]+)";', re.M)
_EXPORT: Final = re.compile(r"^export (?=(?:async )?(?:function\*?|class|const) (\w+))", re.M)
_UNSUPPORTED: Final = re.compile(r"^(?:import|export) .*|^await .*", re.M)
_CONSTANT: Final = re.compile(r"^export const (\w+) = +\(?(.*?)\)?;\n", re.M | re.S)
_LINE_BREAK: Final = re.compile(r"\n *")
_DYNAMIC_IMPORT: Final = re.compile(r'\bimport\("(\.[^"]+)"\)')
_STYLESHEET: Final = re.compile(r'\bstylesheet\("([\w./-]+)"\)')
_TEXTS: Final = re.compile(r'\buseTexts\("(\w+)"\)')
_WORKER: Final = re.compile(r'\bnew URL\("(\./\w+\.js)", import\.meta\.url\)')
"""A worker, in the folder of the module or bundle that starts it."""

MODULE_REGISTRY: Final = """\
const $makers = new Map();
const $made = new Map();
const $define = (name, make) => void ($makers.has(name) || $makers.set(name, make));
const $use = (name) => {
  if (!$made.has(name)) $made.set(name, $makers.get(name)());
  return $made.get(name);
};
"""
"""JavaScript registry of the modules by name, and of the exports of each after it has run."""
_LOADER: Final = """\
const $later = (name) => {
  const [pack, sheets = [], texts = []] = $wanted[name];
  sheets.forEach($use("ui/dom.js").stylesheet);
  texts.forEach($use("ui/texts.js").useTexts);
  return import(`./${pack}.js`).then(() => $use(name));
};
export { $define, $later, $use };
"""
"""JavaScript at the start of the first bundle, which loads dynamic imports together with their styles and texts."""


class Module:
    """A module of the package, named by its path below ``web/``, with its imports, exports and assets.

    Raises:
        ValueError: if its imports or exports cannot be bundled.
    """

    def __init__(self, name: str, text: str) -> None:
        self.name = name
        # Comments are removed, but not their lines: line numbers in a bundle match the module.
        self.text = _LINE_COMMENT.sub("", _BLOCK_COMMENT.sub(lambda note: "\n" * note[0].count("\n"), text))
        passed_on = [names for names, _ in _REEXPORT.findall(self.text)]
        self.exports = [*_EXPORT.findall(self.text), *(name for names in passed_on for name in _names(names))]
        self.imports = [self.resolve(path) for _, path in (*_IMPORT.findall(self.text), *_REEXPORT.findall(self.text))]
        self.dynamic_imports = [self.resolve(path) for path in _DYNAMIC_IMPORT.findall(self.text)]
        self.stylesheets = _STYLESHEET.findall(self.text)
        self.texts = _TEXTS.findall(self.text)
        self.workers = [self.resolve(path) for path in _WORKER.findall(self.text)]
        rest = _UNSUPPORTED.search(_EXPORT.sub("", _REEXPORT.sub("", _IMPORT.sub("", self.text))))
        if rest:
            raise ValueError(f"{name}: {rest[0]!r} cannot be put into a pack")

    def resolve(self, path: str) -> str:
        """Returns the module that a path in this one names."""
        return normpath(join(dirname(self.name), path))


def _names(listed: str) -> list[str]:
    return [name.strip() for name in listed.split(",") if name.strip()]


def read_modules(files: Mapping[str, bytes], start: str = START_MODULE) -> dict[str, Module]:
    """Returns the modules that the page or a worker uses, by name; other files are for other programs.

    Raises:
        KeyError: if a module imports a missing one.
        ValueError: if one cannot be bundled.
    """
    modules: dict[str, Module] = {}
    wanted = [start]
    while wanted:
        name = wanted.pop()
        if name not in modules:
            modules[name] = Module(name, files[name].decode())
            wanted += [*modules[name].imports, *modules[name].dynamic_imports]
    return modules


def inline_constants(modules: Mapping[str, Module]) -> dict[str, Module]:
    """Returns the modules with inlined constants, so that a bundle contains only the constants it uses."""
    values = {name: _LINE_BREAK.sub("", value) for name, value in _CONSTANT.findall(modules[CONSTANTS_MODULE].text)}

    def write(module: Module, found: re.Match[str]) -> str:
        if module.resolve(found[2]) != CONSTANTS_MODULE:
            return found[0]
        return "\n" * found[0].count("\n") + " ".join(
            f"const {name} = {values[name]};" for name in _names(found[1][1:-1])
        )

    return {
        name: Module(name, _IMPORT.sub(partial(write, module), module.text))
        for name, module in modules.items()
        if name != CONSTANTS_MODULE
    }


def list_closure(modules: Mapping[str, Module], entries: Iterable[str], seen: set[str] | None = None) -> Iterator[str]:
    """Yields modules with all their imports, each after its imports."""
    seen = set() if seen is None else seen
    for name in entries:
        if name not in seen:
            seen.add(name)
            yield from list_closure(modules, modules[name].imports, seen)
            yield name


@dataclass(frozen=True)
class Bundle:
    """The modules, styles and texts of one screen that are not loaded before it."""

    name: str
    entries: tuple[str, ...]
    modules: tuple[str, ...]
    """In execution order."""
    stylesheets: tuple[str, ...]
    """The style sheets that only it needs, in order; they become one sheet of its name."""
    shared_stylesheets: tuple[str, ...]
    """Style sheets that other bundles need too."""
    texts: tuple[str, ...]
    """Parts of the catalog."""


class Bundler:
    """All bundles of a folder of modules; the document itself names the style sheets."""

    def __init__(self, modules: Mapping[str, Module], stylesheets: Iterable[str] = ()) -> None:
        self._modules = modules
        self._document_stylesheets = tuple(stylesheets)
        self._entries = {name: entries for name, entries in BUNDLE_ENTRIES.items() if set(entries) <= modules.keys()}
        grouped = {entry for entries in self._entries.values() for entry in entries}
        for entry in sorted({name for module in modules.values() for name in module.dynamic_imports} - grouped):
            self._entries[entry.removesuffix(".js").replace("/", "-")] = (entry,)
        self._bundle_of_entry = {entry: name for name, entries in self._entries.items() for entry in entries}
        self._closures = {name: tuple(list_closure(modules, entries)) for name, entries in self._entries.items()}

    @cached_property
    def _already_loaded(self) -> Mapping[str, set[str]]:
        """The modules that are certainly loaded before a bundle, on any path to it."""
        loaded = {name: set() if name == HOME_BUNDLE else set(self._modules) for name in self._entries}
        while True:
            known = {name: loaded[name] | set(reached) for name, reached in self._closures.items()}
            found: dict[str, set[str]] = {HOME_BUNDLE: set()}
            for name, reached in self._closures.items():
                for target in {target for module in reached for target in self._modules[module].dynamic_imports}:
                    bundle = self._bundle_of_entry[target]
                    found[bundle] = found[bundle] & known[name] if bundle in found else set(known[name])
            if found == loaded:
                return loaded
            loaded = found

    @cached_property
    def bundles(self) -> Mapping[str, Bundle]:
        """All bundles by name. A module that two of them need and neither can rely on is in both, and runs once."""
        own = {
            name: tuple(module for module in reached if module not in self._already_loaded[name])
            for name, reached in self._closures.items()
        }
        wanted = {name: self._stylesheets_of(modules) for name, modules in own.items()}
        wanted[HOME_BUNDLE] = dict.fromkeys((*self._document_stylesheets, *wanted[HOME_BUNDLE]))
        for name, sheets in wanted.items():
            there = (
                {*wanted[HOME_BUNDLE], *self._stylesheets_of(self._already_loaded[name])} if name != HOME_BUNDLE else ()
            )
            wanted[name] = {sheet: None for sheet in sheets if sheet not in there}
        shared = Counter(sheet for sheets in wanted.values() for sheet in sheets)
        return {
            name: Bundle(
                name,
                self._entries[name],
                modules,
                tuple(sheet for sheet in wanted[name] if shared[sheet] == 1),
                tuple(sheet for sheet in wanted[name] if shared[sheet] > 1),
                tuple(dict.fromkeys(part for module in modules for part in self._modules[module].texts)),
            )
            for name, modules in own.items()
        }

    def _stylesheets_of(self, modules: Iterable[str]) -> dict[str, None]:
        return dict.fromkeys(sheet for module in modules for sheet in self._modules[module].stylesheets)

    @cached_property
    def _bundle_of_stylesheet(self) -> Mapping[str, str]:
        return {sheet: pack.name for pack in self.bundles.values() for sheet in pack.stylesheets}

    @cached_property
    def _bundle_of_module(self) -> Mapping[str, str]:
        """A bundle that contains each module."""
        return {module: pack.name for pack in reversed([*self.bundles.values()]) for module in pack.modules}

    def bundle_of(self, entry: str) -> Bundle:
        """Returns the bundle of a dynamically imported module."""
        return self.bundles[self._bundle_of_entry[entry]]

    def script(self, bundle: Bundle) -> str:
        """Returns a bundle as one JavaScript module."""
        head = (
            self._loader()
            if bundle.name == HOME_BUNDLE
            else f'import {{ $define, $later, $use }} from "./{HOME_BUNDLE}.js";\n'
        )
        tail = f'$use("{START_MODULE}");\n' if bundle.name == HOME_BUNDLE else ""
        modules = "".join(define_module(self._modules[name], self._stylesheet_path) for name in bundle.modules)
        return head + modules + tail

    def _loader(self) -> str:
        """Returns the code before all modules."""
        wanted = {}
        for entry, name in self._bundle_of_entry.items():
            if entry == START_MODULE:
                continue  # never imported
            modules = [
                module for module in list_closure(self._modules, [entry]) if module in self.bundles[name].modules
            ]
            texts = dict.fromkeys(part for module in modules for part in self._modules[module].texts)
            asked = (
                sheet for sheet in self._stylesheets_of(modules) if sheet not in self.bundles[HOME_BUNDLE].stylesheets
            )
            sheets = dict.fromkeys(map(self._stylesheet_path, asked))
            wanted[entry] = [name, [*sheets], [*texts]] if texts else [name, [*sheets]] if sheets else [name]
        return f"const $wanted = {json.dumps(wanted, separators=(',', ':'))};\n{MODULE_REGISTRY}{_LOADER}"

    def _stylesheet_path(self, name: str) -> str:
        bundle = self._bundle_of_stylesheet.get(name)
        return name if bundle is None else f"packs/{bundle}.css"

    def module_stub(self, name: str) -> str:
        """Returns a module that reexports a bundled one from the bundles that contain it and its imports."""
        packs = dict.fromkeys(self._bundle_of_module[module] for module in list_closure(self._modules, [name]))
        up = "../" * name.count("/")
        lines = [
            f'import {{ $use }} from "{up}packs/{HOME_BUNDLE}.js";',
            *(f'import "{up}packs/{pack}.js";' for pack in packs),
        ]
        lines.append(f'export const {{ {", ".join(self._modules[name].exports)} }} = $use("{name}");')
        return "".join(f"{line}\n" for line in lines)


def worker_script(modules: Mapping[str, Module], start: str) -> str:
    """Returns a worker with all its imports (``read_modules``) as one module, which shares nothing with the page.

    Raises:
        ValueError: if it has dynamic imports.
    """
    order = list(list_closure(modules, [start]))
    late = [name for name in order if modules[name].dynamic_imports]
    if late:
        raise ValueError(f"{late[0]}: a worker imports nothing later")
    return MODULE_REGISTRY + "".join(define_module(modules[name], str) for name in order) + f'$use("{start}");\n'


def define_module(module: Module, stylesheet_path: Callable[[str], str]) -> str:
    """Returns a module as a function that runs it and returns its exports."""
    text = _IMPORT.sub(lambda found: _import_statement(found[1], module.resolve(found[2])), module.text)
    text = _REEXPORT.sub(lambda found: _import_statement(found[1], module.resolve(found[2])), text)
    text = _EXPORT.sub("", text)
    text = _DYNAMIC_IMPORT.sub(lambda found: f'$later("{module.resolve(found[1])}")', text)
    text = _STYLESHEET.sub(lambda found: f'stylesheet("{stylesheet_path(found[1])}")', text)
    text = _without_indents(_shorten_private_names(text)).rstrip()
    return f'$define("{module.name}", () => {{\n{text}\nreturn {{ {", ".join(module.exports)} }};\n}});\n'


def _shorten_private_names(text: str) -> str:
    """Returns a module whose private members are called ``#a0``, ``#a1``, …; a file contains each name many times."""
    names = {name: f"#a{i}" for i, name in enumerate(dict.fromkeys(name for _, name in _PRIVATE_MEMBER.findall(text)))}
    text = _PRIVATE_MEMBER.sub(lambda found: found[1] + names[found[2]], text)
    return re.sub(r"(?<=\.)#\w+", lambda found: names[found[0]], text)


def _without_indents(text: str) -> str:
    """Returns a module without indentation, a tenth of its size; unchanged if a string spans several lines."""
    has_long_text = any(line.count("`") % 2 for line in text.split("\n"))
    return text if has_long_text else _INDENT.sub("", text)


def _import_statement(names: str | None, module: str) -> str:
    """Returns an import, with as many lines as before."""
    lines = "\n" * (names or "").count("\n")
    if not names:
        return f'$use("{module}");'
    if names.startswith("* as "):
        return f'const {names.removeprefix("* as ")} = $use("{module}");'
    renamed = ", ".join(re.sub(r"\s+as\s+", ": ", name) for name in _names(names.strip("{}")))
    return f'const {{ {renamed} }} = $use("{module}");{lines}'
