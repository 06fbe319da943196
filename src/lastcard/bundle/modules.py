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

HOME: Final = "home"
"""The pack in which every page begins."""
START: Final = "pages/main.js"
CONSTANTS: Final = "local/constants.js"
"""The constants of all modules."""
GROUPS: Final = {
    HOME: (START, "pages/home.js"),
    "table": ("pages/table.js", "game/game.js"),
    "play": (
        *(
            "motion/events.js",
            "motion/lever.js",
            "motion/confetti.js",
            "game/drag.js",
            "game/course.js",
            "game/scores.js",
        ),
        *("guide/press.js", "lobby/notices.js", "ui/awake.js"),
    ),
    "panels": ("game/advice.js", "lobby/chat.js", "lobby/menu.js"),
    "alone": ("alone/welcome.js", "alone/offline.js"),
    "device": ("device/offices.js", "alone/answers.js", "alone/tables.js", "alone/cover.js", "alone/people.js"),
    "me": ("pages/me.js", "pages/career.js", "pages/matches.js"),
}
"""Modules that are wanted together. Any other that is imported later is a pack by itself, with what it imports."""

_NOTE: Final = re.compile(r"/\*\*.*?\*/ ?", re.S)
_REMARK: Final = re.compile(r"^ *// .*$| +// [^\"'`\n]*$", re.M)
"""A comment to the end of its line. After code it has no quotation mark, which might be the end of a text around it."""
_INDENT: Final = re.compile(r"^ +", re.M)
_IMPORT: Final = re.compile(r'^import (?:(\{[\w\s,]+\}|\* as \w+) from )?"(\.[^"]+)";', re.M)
_PASS_ON: Final = re.compile(r'^export \{([\w\s,]+)\} from "(\.[^"]+)";', re.M)
_EXPORT: Final = re.compile(r"^export (?=(?:async )?(?:function\*?|class|const) (\w+))", re.M)
_OTHER: Final = re.compile(r"^(?:import|export) .*|^await .*", re.M)
_CONSTANT: Final = re.compile(r"^export const (\w+) = +\(?(.*?)\)?;\n", re.M | re.S)
_BREAK: Final = re.compile(r"\n *")
_LATER: Final = re.compile(r'\bimport\("(\.[^"]+)"\)')
_SHEET: Final = re.compile(r'\bstylesheet\("([\w./-]+)"\)')
_TEXTS: Final = re.compile(r'\buseTexts\("(\w+)"\)')
_WORKER: Final = re.compile(r'\bnew URL\("(\./\w+\.js)", import\.meta\.url\)')
"""A worker stands beside whoever starts it, as a module or as a pack."""

_SHELF: Final = """\
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
  texts.forEach($use("ui/words.js").useTexts);
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
        self.text = _REMARK.sub("", _NOTE.sub(lambda note: "\n" * note[0].count("\n"), text))
        passed_on = [names for names, _ in _PASS_ON.findall(self.text)]
        self.exports = [*_EXPORT.findall(self.text), *(name for names in passed_on for name in _names(names))]
        self.imports = [self.resolve(path) for _, path in (*_IMPORT.findall(self.text), *_PASS_ON.findall(self.text))]
        self.later = [self.resolve(path) for path in _LATER.findall(self.text)]
        self.sheets = _SHEET.findall(self.text)
        self.texts = _TEXTS.findall(self.text)
        self.workers = [self.resolve(path) for path in _WORKER.findall(self.text)]
        rest = _OTHER.search(_EXPORT.sub("", _PASS_ON.sub("", _IMPORT.sub("", self.text))))
        if rest:
            raise ValueError(f"{name}: {rest[0]!r} cannot be put into a pack")

    def resolve(self, path: str) -> str:
        """The module that a path in this one names."""
        return normpath(join(dirname(self.name), path))


def _names(listed: str) -> list[str]:
    return [name.strip() for name in listed.split(",") if name.strip()]


def read_modules(files: Mapping[str, bytes], start: str = START) -> dict[str, Module]:
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
            wanted += [*modules[name].imports, *modules[name].later]
    return modules


def with_constants(modules: Mapping[str, Module]) -> dict[str, Module]:
    """The modules with the constants that they import written into them: a pack contains no other."""
    values = {name: _BREAK.sub("", value) for name, value in _CONSTANT.findall(modules[CONSTANTS].text)}

    def write(module: Module, found: re.Match[str]) -> str:
        if module.resolve(found[2]) != CONSTANTS:
            return found[0]
        return "\n" * found[0].count("\n") + " ".join(
            f"const {name} = {values[name]};" for name in _names(found[1][1:-1])
        )

    return {
        name: Module(name, _IMPORT.sub(partial(write, module), module.text))
        for name, module in modules.items()
        if name != CONSTANTS
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
class Pack:
    """What one screen needs beyond what is there already when it is asked for."""

    name: str
    entries: tuple[str, ...]
    modules: tuple[str, ...]
    """In the order in which they run."""
    sheets: tuple[str, ...]
    """The style sheets that only it needs, in that order: they are one sheet of its name."""
    apart: tuple[str, ...]
    """Style sheets that other packs need too."""
    texts: tuple[str, ...]
    """Parts of the catalog."""


class Packs:
    """All packs of a folder of modules.

    Args:
        modules: by name.
        sheets: that the document itself names.
    """

    def __init__(self, modules: Mapping[str, Module], sheets: Iterable[str] = ()) -> None:
        self._modules = modules
        self._first_sheets = tuple(sheets)
        self._entries = {name: entries for name, entries in GROUPS.items() if set(entries) <= modules.keys()}
        grouped = {entry for entries in self._entries.values() for entry in entries}
        for entry in sorted({name for module in modules.values() for name in module.later} - grouped):
            self._entries[entry.removesuffix(".js").replace("/", "-")] = (entry,)
        self._pack_of_entry = {entry: name for name, entries in self._entries.items() for entry in entries}
        self._reached = {name: tuple(_closure(modules, entries)) for name, entries in self._entries.items()}

    @cached_property
    def _there(self) -> Mapping[str, set[str]]:
        """The modules that are surely there when a pack is asked for, whoever asks."""
        there = {name: set() if name == HOME else set(self._modules) for name in self._entries}
        while True:
            known = {name: there[name] | set(reached) for name, reached in self._reached.items()}
            found: dict[str, set[str]] = {HOME: set()}
            for name, reached in self._reached.items():
                for target in {target for module in reached for target in self._modules[module].later}:
                    pack = self._pack_of_entry[target]
                    found[pack] = found[pack] & known[name] if pack in found else set(known[name])
            if found == there:
                return there
            there = found

    @cached_property
    def all(self) -> Mapping[str, Pack]:
        """Every pack by its name. What two of them need and neither can count on stands in both, and runs once."""
        own = {
            name: tuple(module for module in reached if module not in self._there[name])
            for name, reached in self._reached.items()
        }
        wanted = {name: self._sheets_of(modules) for name, modules in own.items()}
        wanted[HOME] = dict.fromkeys((*self._first_sheets, *wanted[HOME]))
        for name, sheets in wanted.items():
            there = {*wanted[HOME], *self._sheets_of(self._there[name])} if name != HOME else ()
            wanted[name] = {sheet: None for sheet in sheets if sheet not in there}
        shared = Counter(sheet for sheets in wanted.values() for sheet in sheets)
        return {
            name: Pack(
                name,
                self._entries[name],
                modules,
                tuple(sheet for sheet in wanted[name] if shared[sheet] == 1),
                tuple(sheet for sheet in wanted[name] if shared[sheet] > 1),
                tuple(dict.fromkeys(part for module in modules for part in self._modules[module].texts)),
            )
            for name, modules in own.items()
        }

    def _sheets_of(self, modules: Iterable[str]) -> dict[str, None]:
        return dict.fromkeys(sheet for module in modules for sheet in self._modules[module].sheets)

    @cached_property
    def _pack_of_sheet(self) -> Mapping[str, str]:
        return {sheet: pack.name for pack in self.all.values() for sheet in pack.sheets}

    @cached_property
    def _pack_of_module(self) -> Mapping[str, str]:
        """Where a module is found, in any case."""
        return {module: pack.name for pack in reversed([*self.all.values()]) for module in pack.modules}

    def pack_of(self, entry: str) -> Pack:
        """The pack in which a module that is imported later lies."""
        return self.all[self._pack_of_entry[entry]]

    def script(self, pack: Pack) -> str:
        """A pack as one module of the browser."""
        head = self._loader() if pack.name == HOME else f'import {{ $define, $later, $use }} from "./{HOME}.js";\n'
        tail = f'$use("{START}");\n' if pack.name == HOME else ""
        return head + "".join(map(self._packed, pack.modules)) + tail

    def _loader(self) -> str:
        """What stands before all modules."""
        wanted = {}
        for entry, name in self._pack_of_entry.items():
            if entry == START:
                continue  # nobody imports it
            modules = [module for module in _closure(self._modules, [entry]) if module in self.all[name].modules]
            texts = dict.fromkeys(part for module in modules for part in self._modules[module].texts)
            asked = (sheet for sheet in self._sheets_of(modules) if sheet not in self.all[HOME].sheets)
            sheets = dict.fromkeys(map(self._sheet, asked))
            wanted[entry] = [name, [*sheets], [*texts]] if texts else [name, [*sheets]] if sheets else [name]
        return f"const $wanted = {json.dumps(wanted, separators=(',', ':'))};\n{_SHELF}{_LOADER}"

    def _packed(self, name: str) -> str:
        return _packed(self._modules[name], self._sheet)

    def _sheet(self, name: str) -> str:
        pack = self._pack_of_sheet.get(name)
        return name if pack is None else f"packs/{pack}.css"

    def module(self, name: str) -> str:
        """A module at an address of its own: what the packs in which it and its imports lie have of it."""
        packs = dict.fromkeys(self._pack_of_module[module] for module in _closure(self._modules, [name]))
        up = "../" * name.count("/")
        lines = [
            f'import {{ $use }} from "{up}packs/{HOME}.js";',
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
    late = [name for name in order if modules[name].later]
    if late:
        raise ValueError(f"{late[0]}: a worker imports nothing later")
    return _SHELF + "".join(_packed(modules[name], str) for name in order) + f'$use("{start}");\n'


def _packed(module: Module, sheet: Callable[[str], str]) -> str:
    """A module as a function that runs it and returns what it exports.

    Args:
        module: as it is written.
        sheet: where a style sheet is.
    """
    text = _IMPORT.sub(lambda found: _used(found[1], module.resolve(found[2])), module.text)
    text = _PASS_ON.sub(lambda found: _used(found[1], module.resolve(found[2])), text)
    text = _EXPORT.sub("", text)
    text = _LATER.sub(lambda found: f'$later("{module.resolve(found[1])}")', text)
    text = _SHEET.sub(lambda found: f'stylesheet("{sheet(found[1])}")', text)
    text = _unindented(text).rstrip()
    return f'$define("{module.name}", () => {{\n{text}\nreturn {{ {", ".join(module.exports)} }};\n}});\n'


def _unindented(text: str) -> str:
    """A module without the indents of its lines, a tenth of it; all of it where a text goes over several lines."""
    has_long_text = any(line.count("`") % 2 for line in text.split("\n"))
    return text if has_long_text else _INDENT.sub("", text)


def _used(names: str | None, module: str) -> str:
    """An import, in as many lines as it had."""
    lines = "\n" * (names or "").count("\n")
    if not names:
        return f'$use("{module}");'
    if names.startswith("* as "):
        return f'const {names.removeprefix("* as ")} = $use("{module}");'
    renamed = ", ".join(re.sub(r"\s+as\s+", ": ", name) for name in _names(names.strip("{}")))
    return f'const {{ {renamed} }} = $use("{module}");{lines}'
