"""What axe finds on a page."""

from __future__ import annotations

from typing import Any, Final

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page

_FIND: Final = "(options) => axe.run({ ...options, resultTypes: ['violations'] }).then(({ violations }) => violations)"
"""All that is right would be six times as much work, most of it to carry it here."""


def violations(page: Page, **options: Any) -> list[str]:
    """What is wrong with the page that is shown.

    Args:
        page: of Playwright.
        options: of ``axe.run``.
    """
    if not page.evaluate("'axe' in globalThis"):
        page.evaluate(AXE_SCRIPT)
    found = page.evaluate(_FIND, options)
    return [f"{rule['id']}: {node['html']} {node['failureSummary']}" for rule in found for node in rule["nodes"]]
