"""Pictures of the main screens: ``python -m tools.screenshots`` puts them into ``docs/screenshots``.

Every picture shows a match found by the engine from a fixed seed, so only a change of the page changes a picture.
"""

from __future__ import annotations

import argparse
from base64 import b64decode
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from playwright.sync_api import Browser, sync_playwright

from lastcard.match.match import Match
from support.browser import launch_options
from support.screens import SCREENS
from support.serving import Served, serving
from support.situations import reach
from support.stage import Stage

FOLDER: Final = Path(__file__).parents[1] / "docs" / "screenshots"
PHONE: Final = (390, 844)
DESKTOP: Final = (1280, 800)
TV: Final = (1280, 720)
QUALITY: Final = 85
"""Of WebP; the soft light on the table makes a PNG many times as large."""


def lively(match: Match) -> bool:
    """In the middle of a round: somebody is nearly out, and there is something to choose."""
    table = match.round
    counts = [len(table.hand(seat)) for seat in range(len(match.players))]
    choices = {str(move)[:2] for move in table.legal() if str(move)[0] in "RYGBW"}
    return table.decision == "play" and 5 <= counts[table.turn] <= 8 and min(counts) <= 2 and len(choices) >= 4


def game(rules: str, players: int = 4, *, tv: bool = False) -> Callable[[Stage], None]:
    """A match in full swing."""
    return lambda stage: stage.play(reach(rules, players, lively), tv=tv)


PICTURES: Final[dict[str, tuple[tuple[int, int], str, Callable[[Stage], None]]]] = {
    "home-phone": (PHONE, "light", SCREENS["home"]),
    "lobby-phone": (PHONE, "light", SCREENS["lobby"]),
    "all-wild-phone": (PHONE, "light", game("all-wild")),
    "challenge-phone": (PHONE, "light", SCREENS["challenge"]),
    "color-phone": (PHONE, "light", SCREENS["pick a color"]),
    "jackpot-phone": (PHONE, "light", SCREENS["pull"]),
    "scores-phone": (PHONE, "dark", SCREENS["between"]),
    "verify-phone": (PHONE, "light", SCREENS["verify"]),
    "all-wild-desktop": (DESKTOP, "light", game("all-wild", 5)),
    "lobby-desktop": (DESKTOP, "dark", SCREENS["lobby"]),
    "replay-desktop": (DESKTOP, "light", SCREENS["replay"]),
    "tv": (TV, "light", game("classic", 6, tv=True)),
}
"""Size, theme and screen by the name of the file."""


def take(browser: Browser, served: Served, name: str) -> Path:
    """Take one picture."""
    (width, height), theme, screen = PICTURES[name]
    context = browser.new_context(
        viewport={"width": width, "height": height},
        device_scale_factor=1.5 if width < height else 1,
        locale="en",
        timezone_id="UTC",
        reduced_motion="reduce",
    )
    page = context.new_page()
    screen(Stage(page, served, theme=theme))
    page.wait_for_load_state("networkidle")
    wanted = {"format": "webp", "quality": QUALITY}
    picture = context.new_cdp_session(page).send("Page.captureScreenshot", wanted)["data"]
    context.close()
    path = FOLDER / f"{name}.webp"
    path.write_bytes(b64decode(picture))
    return path


def main() -> None:
    """Take all pictures."""
    argparse.ArgumentParser(prog="python -m tools.screenshots", description=__doc__).parse_args()
    FOLDER.mkdir(exist_ok=True)
    with TemporaryDirectory() as folder, serving(Path(folder)) as served, sync_playwright() as playwright:
        browser = playwright.chromium.launch(**launch_options())
        for name in PICTURES:
            path = take(browser, served, name)
            print(path.relative_to(FOLDER.parents[1]), f"{path.stat().st_size / 1000:.0f} KB", flush=True)
        browser.close()


if __name__ == "__main__":
    main()
