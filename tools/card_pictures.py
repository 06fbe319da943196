"""Draws the page's cards for Python: ``python -m tools.card_pictures`` writes ``game/card_pictures.tsv``.

The page's own modules draw them in a browser; what its style sheets add is written into the pictures.
"""

from __future__ import annotations

import argparse
import re
from pathlib import Path
from typing import Final

from playwright.sync_api import Page, Route, sync_playwright

import lastcard
from lastcard.game.card_pictures import ALL_WILD_PREFIX, BACK, PICTURES_FILE
from lastcard.game.cards import ALL_WILD_COUNTS, CARD_NAMES
from support.browser import launch_options

WEB: Final = Path(lastcard.__file__).with_name("web")
_SITE: Final = "http://cards.invalid/"
_PAGE: Final = """<!doctype html>
<link rel="stylesheet" href="/ui/theme.css">
<link rel="stylesheet" href="/cards/art.css">
<body></body>"""
_TYPES: Final = {".js": "text/javascript", ".css": "text/css"}
_DRAW: Final = """async (wanted) => {
    const { cardFace } = await import("/cards/art.js");
    const usual = { fill: "rgb(0, 0, 0)", stroke: "none", "fill-opacity": "1", "stroke-width": "1px",
        "stroke-linecap": "butt", "stroke-linejoin": "miter" };
    const pictures = {};
    for (const [name, code, game] of wanted) {
        const card = cardFace(code, { game });
        document.body.replaceChildren(card);
        for (const part of card.querySelectorAll("*")) {
            const style = getComputedStyle(part);
            if (part.localName !== "g") {
                for (const [key, value] of Object.entries(usual)) {
                    const given = style.getPropertyValue(key);
                    if (given !== value) part.setAttribute(key, given.replace("px", ""));
                }
            }
            part.removeAttribute("class");
        }
        pictures[name] = card.innerHTML;
    }
    return pictures;
}"""
"""JavaScript that returns the inner markup of each wanted card, with the style of every part as attributes."""


def serve_file(route: Route) -> None:
    """Answer a request with a file of the page, or with an empty page that has its styles."""
    path = route.request.url.removeprefix(_SITE)
    if not path:
        route.fulfill(body=_PAGE, content_type="text/html")
        return
    file = WEB / path
    route.fulfill(body=file.read_text(encoding="utf-8"), content_type=_TYPES[file.suffix])


def draw_cards(page: Page) -> dict[str, str]:
    """Returns the inner SVG of each card, 100 wide and 150 high, by its name in the file."""
    wanted = [(name, name, "") for name in CARD_NAMES.values()]
    wanted += [(ALL_WILD_PREFIX + CARD_NAMES[card], CARD_NAMES[card], "all-wild") for card in ALL_WILD_COUNTS]
    wanted.append((BACK, BACK, ""))
    page.route(f"{_SITE}**", serve_file)
    page.goto(_SITE)
    found: dict[str, str] = page.evaluate(_DRAW, wanted)
    pictures = {}
    for name, markup in found.items():
        usual = name.removeprefix(ALL_WILD_PREFIX)
        if name == usual or markup != found[usual]:
            pictures[name] = _shorten(markup)
    return pictures


def _shorten(markup: str) -> str:
    """Returns markup with short colors and numbers of at most two decimals, and without end tags."""
    markup = re.sub(r"rgb\((\d+), (\d+), (\d+)\)", lambda found: "#" + bytes(map(int, found.groups())).hex(), markup)
    markup = re.sub(r"-?\d+\.\d{3,}", lambda found: f"{float(found[0]):.2f}".rstrip("0").rstrip("."), markup)
    return re.sub(r"></(?:path|rect|circle)>", "/>", markup)


def main() -> None:
    """Draw all cards."""
    argparse.ArgumentParser(prog="python -m tools.card_pictures", description=__doc__).parse_args()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(**launch_options())
        pictures = draw_cards(browser.new_page())
        browser.close()
    PICTURES_FILE.write_text("".join(f"{name}\t{picture}\n" for name, picture in pictures.items()), encoding="utf-8")
    print(f"{len(pictures)} cards, {PICTURES_FILE.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
