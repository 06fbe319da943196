"""Violations that axe finds on a page."""

from __future__ import annotations

from typing import Any, Final

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page

_WAIT_FOR_ANIMATIONS: Final = """async () => {
    const moving = () => document.getAnimations().filter(({ effect, playState }) =>
        playState === "running" && effect.getComputedTiming().endTime !== Infinity);
    do {
        await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
        await Promise.allSettled(moving().map(({ finished }) => finished));
    } while (moving().length);
    return true;
}"""
"""Colors in transition have other contrasts."""
_FIND_VIOLATIONS: Final = (
    "(options) => axe.run({ ...options, resultTypes: ['violations'] }).then(({ violations }) => violations)"
)
"""Results that pass would be six times as much work, most of it for the transfer."""


def find_violations(page: Page, **options: Any) -> list[str]:
    """The accessibility violations of the page, once its animations have ended, with options of ``axe.run``."""
    if not page.evaluate("'axe' in globalThis"):
        page.evaluate(AXE_SCRIPT)
    page.wait_for_function(_WAIT_FOR_ANIMATIONS)
    found = page.evaluate(_FIND_VIOLATIONS, options)
    return [f"{rule['id']}: {node['html']} {node['failureSummary']}" for rule in found for node in rule["nodes"]]
