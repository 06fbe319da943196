"""Modules behave the same in bundles as by themselves."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page

from lastcard.bundle.bundler import read_modules
from support.mock_site import ASSETS, WEB, MockSite

MODULES = sorted(read_modules({file.relative_to(WEB).as_posix(): file.read_bytes() for file in WEB.rglob("*.js")}))


def test_modules_export_the_same(own_site: MockSite, page: Page) -> None:
    """At its versioned address, out of its bundle, each has the names and kinds of its source."""
    kinds = """async ([at, names]) => {
        const { load } = await import(`${at}ui/resources.js`);
        const kind = (value) => typeof value + (typeof value === "function" ? value.name + value.length : "");
        const exported = async (name) => Object.entries(await load(import(at + name)));
        const told = async (name) => (await exported(name)).map(([key, value]) => key + kind(value));
        return Promise.all(names.filter((name) => name !== "pages/main.js").map(told));
    }"""
    packed: Any = page.evaluate(kinds, [f"/web/{ASSETS.version}/", MODULES])
    own_site.open_blank()
    plain: Any = page.evaluate(kinds, ["/web/", MODULES])
    assert packed == plain
    assert len(packed) == len(MODULES) - 1


def test_a_module_is_there_once(own_site: MockSite, page: Page) -> None:
    """This holds for a module from its bundle, from another bundle that needs it, too, or from its own address."""
    own_site.open("/rules/classic")
    at = f"/web/{ASSETS.version}"
    same = """async (at) => {
        const { prefs } = await import(`${at}/ui/prefs.js`);
        prefs.set("theme", "dark");
        const packs = ["lobby-lobby", "pages-about", "lobby-avatarbuilder"];
        await Promise.all(packs.map((name) => import(`${at}/packs/${name}.js`)));
        const { $use } = await import(`${at}/packs/home.js`);
        return [(await import(`${at}/ui/dialog.js`)).openDialog === $use("ui/dialog.js").openDialog,
            document.documentElement.dataset.theme];
    }"""
    assert page.evaluate(same, at) == [True, "dark"]
