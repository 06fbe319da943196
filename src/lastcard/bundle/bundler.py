"""The browser's modules put together: a screen asks for one file of scripts and one of styles, not for forty.

Browsers open six connections to a server of HTTP/1.1, so forty small files take seven round trips, however early they
are asked for. Modules stay what they are in the package (docs/decisions/0029); here they are read, and what a screen
needs goes into one pack: each module a function that runs when it is first imported, as in the standard, and once.
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
"""The pack in which every page begins."""
START_MODULE: Final = "pages/main.js"
CONSTANTS_MODULE: Final = "bindings/constants.js"
"""The constants of all modules."""
BUNDLE_ENTRIES: Final = {
    HOME_BUNDLE: (START_MODULE, "pages/home.js"),
    "table": ("pages/table.js", "game/game.js"),
    "play": (
        *(
            "motion/events.js",
            "motion/lever.js",
            "motion/confetti.js",
            "game/drag.js",
            "game/scoreboard.js",
            "game/scores.js",
        ),
        *("guide/longpress.js", "lobby/notices.js", "ui/wakelock.js"),
    ),
    "panels": ("game/advice.js", "lobby/chat.js", "lobby/menu.js"),
    "offline": ("offline/homepanels.js", "offline/install.js"),
    "localtable": (
        "localtable/workerpool.js",
        "offline/localapi.js",
        "offline/tables.js",
        "offline/passdevice.js",
        "offline/addpeople.js",
    ),
    "me": ("pages/me.js", "pages/career.js", "pages/matches.js"),
}
"""Modules that are wanted together. Any other that is imported later is a pack by itself, with what it imports."""

_BLOCK_COMMENT: Final = re.compile(r"/\*\*.*?\*/ ?", re.S)
_LINE_COMMENT: Final = re.compile(r"^ *// .*$| +// [^\"'`\n]*$", re.M)
"""A comment to the end of its line. After code it has no quotation mark, which might be the end of a text around it."""
_INDENT: Final = re.compile(r"^ +", re.M)
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
"""A worker stands beside whoever starts it, as a module or as a pack."""

_MODULE_REGISTRY: Final = """\
const $makers = new Map();
const $made = new Map();
const $define = (name, make) => void ($makers.has(name) || $makers.set(name, make));
const $use = (name) => {
  if (!$made.has(name)) $made.set(name, $makers.get(name)());
  return $made.get(name);
};
"""
"""The modules by name, and what each exports once it has run."""
_LOADER: Final = """\
const $later = (name) => {
  const [pack, sheets = [], texts = []] = $wanted[name];
  sheets.forEach($use("ui/dom.js").stylesheet);
  texts.forEach($use("ui/texts.js").useTexts);
  return import(`./${pack}.js`).then(() => $use(name));
};
export { $define, $later, $use };
"""
"""Stands at the head of the first pack: how a module that is imported later comes. What it needs is asked for in one go
with it."""


class Module:
    """A module as it is written, and what it names.

    Args:
        name: below ``web/``, such as ``ui/dom.js``.
        text: as in the package.

    Raises:
        ValueError: where it imports or exports in a way that cannot be put into a pack.
    """

    def __init__(self, name: str, text: str) -> None:
        self.name = name
        # Comments go, their lines stay: a line of a pack is one of the module.
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
        """The module that a path in this one names."""
        return normpath(join(dirname(self.name), path))


def _names(listed: str) -> list[str]:
    return [name.strip() for name in listed.split(",") if name.strip()]


def read_modules(files: Mapping[str, bytes], start: str = START_MODULE) -> dict[str, Module]:
    """The modules that the page uses, of all files by their names; others are there for other programs.

    Args:
        files: by name.
        start: the module in which the page begins, or a worker.

    Raises:
        KeyError: where a module imports what is not there.
        ValueError: where one cannot be put into a pack.
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
    """The modules with the constants that they import written into them: a pack contains no other."""
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


def _closure(modules: Mapping[str, Module], entries: Iterable[str], seen: set[str] | None = None) -> Iterator[str]:
    """Modules with all that they import, each behind those it imports."""
    seen = set() if seen is None else seen
    for name in entries:
        if name not in seen:
            seen.add(name)
            yield from _closure(modules, modules[name].imports, seen)
            yield name


@dataclass(frozen=True)
class Bundle:
    """What one screen needs beyond what is there already when it is asked for."""

    name: str
    entries: tuple[str, ...]
    modules: tuple[str, ...]
    """In the order in which they run."""
    stylesheets: tuple[str, ...]
    """The style sheets that only it needs, in that order: they are one sheet of its name."""
    shared_stylesheets: tuple[str, ...]
    """Style sheets that other packs need too."""
    texts: tuple[str, ...]
    """Parts of the catalog."""


class Bundler:
    """All packs of a folder of modules.

    Args:
        modules: by name.
        stylesheets: that the document itself names.
    """

    def __init__(self, modules: Mapping[str, Module], stylesheets: Iterable[str] = ()) -> None:
        self._modules = modules
        self._document_stylesheets = tuple(stylesheets)
        self._entries = {name: entries for name, entries in BUNDLE_ENTRIES.items() if set(entries) <= modules.keys()}
        grouped = {entry for entries in self._entries.values() for entry in entries}
        for entry in sorted({name for module in modules.values() for name in module.dynamic_imports} - grouped):
            self._entries[entry.removesuffix(".js").replace("/", "-")] = (entry,)
        self._bundle_of_entry = {entry: name for name, entries in self._entries.items() for entry in entries}
        self._closures = {name: tuple(_closure(modules, entries)) for name, entries in self._entries.items()}

    @cached_property
    def _already_loaded(self) -> Mapping[str, set[str]]:
        """The modules that are surely there when a pack is asked for, whoever asks."""
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
        """Every pack by its name. What two of them need and neither can count on stands in both, and runs once."""
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
        """Where a module is found, in any case."""
        return {module: pack.name for pack in reversed([*self.bundles.values()]) for module in pack.modules}

    def bundle_of(self, entry: str) -> Bundle:
        """The pack in which a module that is imported later lies."""
        return self.bundles[self._bundle_of_entry[entry]]

    def script(self, bundle: Bundle) -> str:
        """A pack as one module of the browser."""
        head = (
            self._loader()
            if bundle.name == HOME_BUNDLE
            else f'import {{ $define, $later, $use }} from "./{HOME_BUNDLE}.js";\n'
        )
        tail = f'$use("{START_MODULE}");\n' if bundle.name == HOME_BUNDLE else ""
        return head + "".join(map(self._module_definition, bundle.modules)) + tail

    def _loader(self) -> str:
        """What stands before all modules."""
        wanted = {}
        for entry, name in self._bundle_of_entry.items():
            if entry == START_MODULE:
                continue  # nobody imports it
            modules = [module for module in _closure(self._modules, [entry]) if module in self.bundles[name].modules]
            texts = dict.fromkeys(part for module in modules for part in self._modules[module].texts)
            asked = (
                sheet for sheet in self._stylesheets_of(modules) if sheet not in self.bundles[HOME_BUNDLE].stylesheets
            )
            sheets = dict.fromkeys(map(self._stylesheet_path, asked))
            wanted[entry] = [name, [*sheets], [*texts]] if texts else [name, [*sheets]] if sheets else [name]
        return f"const $wanted = {json.dumps(wanted, separators=(',', ':'))};\n{_MODULE_REGISTRY}{_LOADER}"

    def _module_definition(self, name: str) -> str:
        return _define_module(self._modules[name], self._stylesheet_path)

    def _stylesheet_path(self, name: str) -> str:
        bundle = self._bundle_of_stylesheet.get(name)
        return name if bundle is None else f"packs/{bundle}.css"

    def module_stub(self, name: str) -> str:
        """A module at an address of its own: what the packs in which it and its imports lie have of it."""
        packs = dict.fromkeys(self._bundle_of_module[module] for module in _closure(self._modules, [name]))
        up = "../" * name.count("/")
        lines = [
            f'import {{ $use }} from "{up}packs/{HOME_BUNDLE}.js";',
            *(f'import "{up}packs/{pack}.js";' for pack in packs),
        ]
        lines.append(f'export const {{ {", ".join(self._modules[name].exports)} }} = $use("{name}");')
        return "".join(f"{line}\n" for line in lines)


def worker_script(modules: Mapping[str, Module], start: str) -> str:
    """A worker with all that it imports as one module, which runs beside the page and shares nothing with it.

    Args:
        modules: of ``read_modules`` from there.
        start: the module in which it begins.

    Raises:
        ValueError: where something is imported later.
    """
    order = list(_closure(modules, [start]))
    late = [name for name in order if modules[name].dynamic_imports]
    if late:
        raise ValueError(f"{late[0]}: a worker imports nothing later")
    return _MODULE_REGISTRY + "".join(_define_module(modules[name], str) for name in order) + f'$use("{start}");\n'


def _define_module(module: Module, stylesheet_path: Callable[[str], str]) -> str:
    """A module as a function that runs it and returns what it exports.

    Args:
        module: as it is written.
        stylesheet_path: where a style sheet is.
    """
    text = _IMPORT.sub(lambda found: _import_statement(found[1], module.resolve(found[2])), module.text)
    text = _REEXPORT.sub(lambda found: _import_statement(found[1], module.resolve(found[2])), text)
    text = _EXPORT.sub("", text)
    text = _DYNAMIC_IMPORT.sub(lambda found: f'$later("{module.resolve(found[1])}")', text)
    text = _STYLESHEET.sub(lambda found: f'stylesheet("{stylesheet_path(found[1])}")', text)
    text = _without_indents(text).rstrip()
    return f'$define("{module.name}", () => {{\n{text}\nreturn {{ {", ".join(module.exports)} }};\n}});\n'


def _without_indents(text: str) -> str:
    """A module without the indents of its lines, a tenth of it; all of it where a text goes over several lines."""
    has_long_text = any(line.count("`") % 2 for line in text.split("\n"))
    return text if has_long_text else _INDENT.sub("", text)


def _import_statement(names: str | None, module: str) -> str:
    """An import, in as many lines as it had."""
    lines = "\n" * (names or "").count("\n")
    if not names:
        return f'$use("{module}");'
    if names.startswith("* as "):
        return f'const {names.removeprefix("* as ")} = $use("{module}");'
    renamed = ", ".join(re.sub(r"\s+as\s+", ": ", name) for name in _names(names.strip("{}")))
    return f'const {{ {renamed} }} = $use("{module}");{lines}'
