"""The icons of a home screen: ``python -m tests.support.icons`` makes them of our own ``favicon.svg``.

Systems that cut icons to a shape of their own get one without corners, with the card well inside.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Final

from playwright.sync_api import Page, sync_playwright

sys.path.insert(0, str(Path(__file__).parents[1]))

import lastcard
from support.browser import launch_options

WEB: Final = Path(lastcard.__file__).with_name("web")
SAFE: Final = 0.8
"""What part of an icon that is cut to a shape is left for sure, by the manifest's *maskable*."""
ICONS: Final[dict[str, tuple[int, float | None]]] = {
    "icons/icon-192.png": (192, None),
    "icons/icon-512.png": (512, None),
    "icons/maskable-512.png": (512, SAFE),
    "icons/apple-touch-icon.png": (180, 0.9),
}
"""Side in pixels, and for an icon that is cut to a shape how large the picture is in it."""


def draw_icon(page: Page, name: str) -> bytes:
    """An icon as PNG.

    Args:
        page: to draw it on.
        name: one of ``ICONS``.
    """
    side, scale = ICONS[name]
    picture = (WEB / "favicon.svg").read_text(encoding="utf-8")
    ground = re.search(r'<rect [^>]*fill="(#\w+)"', picture)
    assert ground is not None
    size, color = (side, "transparent") if scale is None else (side * scale, ground[1])
    style = f"margin:0;display:grid;place-items:center;height:100vh;background:{color}"
    page.set_viewport_size({"width": side, "height": side})
    page.set_content(f'<body style="{style}">{picture.replace("<svg ", f"<svg width={size} height={size} ", 1)}')
    return page.screenshot(omit_background=True)


def main() -> None:
    """Make all icons."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(**launch_options())
        page = browser.new_page()
        for name in ICONS:
            path = WEB / name
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(draw_icon(page, name))
            print(path.relative_to(WEB.parents[2]), path.stat().st_size, flush=True)
        browser.close()


if __name__ == "__main__":
    main()
