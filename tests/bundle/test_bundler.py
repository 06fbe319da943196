"""Bundles of modules: their contents, and sources that cannot be bundled."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Final

import pytest

import lastcard
from lastcard.bundle.bundler import BUNDLE_ENTRIES, HOME_BUNDLE, START_MODULE, Bundler, Module, read_modules
from lastcard.bundle.web_version import minify_css

WEB: Final = Path(lastcard.__file__).with_name("web")


@cache
def modules() -> dict[str, Module]:
    """The modules of the package; not to be changed."""
    return read_modules({file.relative_to(WEB).as_posix(): file.read_bytes() for file in WEB.rglob("*.js")})


@cache
def bundler() -> Bundler:
    """The bundles of the package; not to be changed."""
    return Bundler(modules())


def small_bundles(**texts: str) -> Bundler:
    """Bundles of the start module and of a few modules in one folder."""
    whole = {
        START_MODULE: 'import("./home.js");',
        "pages/home.js": "",
        **{f"pages/{name}.js": text for name, text in texts.items()},
    }
    return Bundler({name: Module(name, text) for name, text in whole.items()})


def test_every_module_is_in_a_bundle() -> None:
    assert {module for pack in bundler().bundles.values() for module in pack.modules} == set(modules())
    assert {entry for entries in BUNDLE_ENTRIES.values() for entry in entries} <= set(modules())


def test_dependencies_of_a_bundle_are_included_and_come_first() -> None:
    """The imports of each module come before it, whichever page requests the bundle first."""
    loaded = bundler()._already_loaded
    for name, pack in bundler().bundles.items():
        there = set(loaded[name])
        for module in pack.modules:
            assert set(modules()[module].imports) <= there, (name, module)
            there.add(module)
        for asking, closure in bundler()._closures.items():
            if any(target in pack.entries for module in closure for target in modules()[module].dynamic_imports):
                assert loaded[name] <= {*closure, *loaded[asking]}, (name, asking)


def test_the_first_bundle_is_small() -> None:
    """The first page needs neither the table nor its connection."""
    home = bundler().bundles[HOME_BUNDLE].modules
    assert not [
        name for name in home if name.startswith(("game/", "lobby/", "motion/", "replay/")) or "session" in name
    ]
    assert not bundler().bundles[HOME_BUNDLE].texts


def test_a_style_sheet_comes_once() -> None:
    """Each sheet is in one bundle, or separate if two need it."""
    packed = [sheet for pack in bundler().bundles.values() for sheet in pack.stylesheets]
    apart = {sheet for pack in bundler().bundles.values() for sheet in pack.shared_stylesheets}
    assert len(packed) == len(set(packed))
    assert apart.isdisjoint(packed)
    assert {*packed, *apart} == {sheet for module in modules().values() for sheet in module.stylesheets}


def test_a_module_shared_by_two_bundles_is_in_both_unless_already_loaded() -> None:
    packs = small_bundles(
        home='import { a } from "./a.js"; import("./b.js"); import("./c.js");'.replace("; ", ";\n"),
        a="export const a = 1;",
        b='import { a } from "./a.js";\nimport { d } from "./d.js";\nimport("./e.js");',
        c='import { d } from "./d.js";',
        d="export const d = 1;",
        e='import { d } from "./d.js";\nexport const e = d;',
    )
    found = {name: [module[6:-3] for module in pack.modules] for name, pack in packs.bundles.items()}
    assert found == {"home": ["main", "a", "home"], "pages-b": ["d", "b"], "pages-c": ["d", "c"], "pages-e": ["e"]}


def test_a_module_has_the_same_line_numbers() -> None:
    """A line of an error is the line of the module: removed comments and imports leave their lines."""
    text = (
        'import {\n  a as b,\n  c,\n} from "./a.js";\n/**\n * D.\n */\nexport class D {}\nexport { e } from "./a.js";\n'
    )
    packs = small_bundles(home='import "./d.js";', a="export const a = 1, c = 2, e = 3;", d=text)
    script = packs.script(packs.bundles[HOME_BUNDLE])
    packed = script.split('$define("pages/d.js", () => {\n')[1].split("\nreturn ")[0]
    assert packed.split("\n") == [
        'const { a: b, c } = $use("pages/a.js");',
        *([""] * 6),
        "class D {}",
        'const { e } = $use("pages/a.js");',
    ]
    assert "return { D, e };" in script


def test_comments_are_removed() -> None:
    """Comments of every kind are removed, but no text that resembles one."""
    text = (
        "  // a line\nuse(1); // after code\n/** a note */\n"
        'const at = "x // y", url = "https://a.b"; // its "name"\nconst both = `a // b`;\n'
    )
    assert Module("pages/a.js", text).text == (
        '\nuse(1);\n\nconst at = "x // y", url = "https://a.b"; // its "name"\nconst both = `a // b`;\n'
    )


def test_indentation_is_removed() -> None:
    """Indents are removed except where they may be part of a text."""
    plain, long = "if (1) {\n  use(`a  b`);\n}", "use(`\n  a\n`);\n  use(1);"
    packs = small_bundles(home='import "./a.js";\nimport "./b.js";', a=plain, b=long)
    script = packs.script(packs.bundles[HOME_BUNDLE])
    assert "\nif (1) {\nuse(`a  b`);\n}\n" in script
    assert f"\n{long}\n" in script


def test_no_multiline_text_contains_a_comment_marker() -> None:
    """Such a marker would be removed from the text."""
    for file in WEB.rglob("*.js"):
        code = re.sub(r"/\*\*.*?\*/", "", file.read_text(encoding="utf-8"), flags=re.S)
        texts = re.findall(r"`[^`]*`", code)
        assert not [text for text in texts if re.search(r"^ *// | // .*\n", text, re.M)], file


def test_a_style_sheet_has_no_comments_and_few_blanks() -> None:
    """Those between the parts of a selector or a value stay."""
    sheet = b'/* A */\n.a,\n.b :is(c) > d:hover {\n  margin: 0 calc(1px + 2px);\n  grid: "a b" auto\n    "c" auto;\n}\n'
    assert minify_css(sheet) == b'.a,.b :is(c) > d:hover{margin:0 calc(1px + 2px);grid:"a b" auto "c" auto;}'
    texts = [text for file in WEB.rglob("*.css") for text in re.findall(rb'"[^"\n]*"', file.read_bytes())]
    assert texts and not [text for text in texts if minify_css(text) != text]


@pytest.mark.parametrize(
    "line",
    [
        "export default 1;",
        "export let a = 1;",
        "const a = 1;\nexport { a };",
        'import a from "./home.js";',
        'export * from "./home.js";',
        'export { a as b } from "./home.js";',
        "await 1;",
    ],
)
def test_unsupported_syntax_is_refused(line: str) -> None:
    with pytest.raises(ValueError, match=re.escape(f"pages/a.js: {line.splitlines()[-1]!r}")):
        small_bundles(a=line)


def test_private_members_get_short_names() -> None:
    """In code, and not in the text of a selector."""
    written = 'export class A {\n  #first = "main #first";\n  #second() {\n    return this.#first + "#second";\n  }\n}'
    packs = small_bundles(home='import "./a.js";', a=written)
    packed = packs.script(packs.bundle_of("pages/home.js"))
    assert '#a0 = "main #first";' in packed
    assert '#a1() {\nreturn this.#a0 + "#second";' in packed
