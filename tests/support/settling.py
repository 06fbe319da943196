"""From page to page, and when one can be looked at and used: everything it has asked for is there, and drawn."""

from __future__ import annotations

from typing import Final

from playwright.sync_api import Page


def imported(name: str) -> str:
    """What imports a module that an open page has, in JavaScript."""
    return f'import(new URL("../{name}", document.querySelector("script[type=module]").src))'


FOLLOW: Final = f"async (path) => (await {imported('ui/router.js')}).go(path)"
"""What a link within the site does."""
_WHOLE: Final = "() => !document.documentElement.hasAttribute('data-loading')"
_AWAKE: Final = "() => !document.querySelector('[data-rests]')"
_DRAWN: Final = "() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))"


def settle(page: Page) -> None:
    """Wait until all modules that are on their way have come (``ui/needs.js``), and a frame was drawn with them."""
    page.wait_for_function(_WHOLE)
    page.evaluate(_DRAWN)


def awake(page: Page) -> None:
    """Wait until all controls take a press: what has just come, or was pressed, rests a little (``ui/rest.js``)."""
    settle(page)
    page.wait_for_function(_AWAKE)
