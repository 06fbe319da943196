"""Makes the icons of a home screen from ``favicon.svg``: ``python -m tools.icons``.

For systems that crop icons, there is one without rounded corners, with the card well inside.
"""

from __future__ import annotations

import argparse
import base64
import re
from pathlib import Path
from typing import Final

from playwright.sync_api import Page, sync_playwright

import lastcard
from support.browser import launch_options

WEB: Final = Path(lastcard.__file__).with_name("web")
SAFE_SHARE: Final = 0.8
"""Share of a *maskable* icon that is never cropped."""
ICONS: Final[dict[str, tuple[int, float | None]]] = {
    "icons/icon-192.png": (192, None),
    "icons/icon-512.png": (512, None),
    "icons/maskable-512.png": (512, SAFE_SHARE),
    "icons/apple-touch-icon.png": (180, 0.9),
}
"""Size in pixels, and for a maskable icon the share of the picture."""
_DRAW: Final = """async ([picture, side, size, color]) => {
    const image = new Image();
    image.src = `data:image/svg+xml,${encodeURIComponent(picture)}`;
    await image.decode();
    const canvas = new OffscreenCanvas(side, side);
    const pen = canvas.getContext("2d");
    if (color) {
        pen.fillStyle = color;
        pen.fillRect(0, 0, side, side);
    }
    pen.drawImage(image, (side - size) / 2, (side - size) / 2, size, size);
    const bytes = new Uint8Array(await (await canvas.convertToBlob()).arrayBuffer());
    return btoa(String.fromCharCode(...bytes));
}"""
"""JavaScript that draws the picture in the middle of a square of one color, as PNG in base64."""


def draw_icon(page: Page, name: str) -> bytes:
    """Returns one of ``ICONS`` as PNG, drawn by a page whose content does not change."""
    side, scale = ICONS[name]
    picture = (WEB / "favicon.svg").read_text(encoding="utf-8")
    ground = re.search(r'<rect [^>]*fill="(#\w+)"', picture)
    assert ground is not None
    size, color = (side, None) if scale is None else (side * scale, ground[1])
    sized = picture.replace("<svg ", f"<svg width='{size}' height='{size}' ", 1)
    return base64.b64decode(page.evaluate(_DRAW, [sized, side, size, color]))


def main() -> None:
    """Make all icons."""
    argparse.ArgumentParser(prog="python -m tools.icons", description=__doc__).parse_args()
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
