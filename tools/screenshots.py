"""Writes screenshots of the main screens to ``docs/screenshots``: ``python -m tools.screenshots``.

Every screenshot shows a match from a fixed seed, so only changes of the page change it. With ``--review FOLDER`` it
writes every screen in every size and language to another folder, to be looked at.
"""

from __future__ import annotations

import argparse
import re
from base64 import b64decode
from collections.abc import Callable
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from playwright.sync_api import Browser, sync_playwright

from lastcard.match.match import Match
from lastcard.text.locale import LANGUAGES
from support.browser import launch_options
from support.mock_screen import MockScreen
from support.screens import SCREENS
from support.situations import reach
from support.threaded_server import ThreadedServer, run_threaded_server

FOLDER: Final = Path(__file__).parents[1] / "docs" / "screenshots"
PHONE_PX: Final = (390, 844)
DESKTOP_PX: Final = (1280, 800)
TV_PX: Final = (1280, 720)
SIX_SIZES_PX: Final = ((320, 568), PHONE_PX, (844, 390), (768, 1024), DESKTOP_PX, (1920, 1080))
"""Sizes for a review."""
WEBP_QUALITY: Final = 85
"""Quality of WebP; the gradient of the table makes a PNG many times as large."""


def is_lively(match: Match) -> bool:
    """Whether a round is in its middle, a player has few cards, and there is a choice."""
    round_ = match.round
    counts = [len(round_.hand(seat)) for seat in range(len(match.players))]
    choices = {str(move)[:2] for move in round_.legal() if str(move)[0] in "RYGBW"}
    return round_.decision == "play" and 5 <= counts[round_.turn] <= 8 and min(counts) <= 2 and len(choices) >= 4


def game(rules: str, players: int = 4, *, tv: bool = False) -> Callable[[MockScreen], None]:
    """Returns a function that shows a match in progress."""
    return lambda stage: stage.show_match(reach(rules, players, is_lively), tv=tv)


PICTURES: Final[dict[str, tuple[tuple[int, int], str, Callable[[MockScreen], None]]]] = {
    "home-phone": (PHONE_PX, "light", SCREENS["home"]),
    "lobby-phone": (PHONE_PX, "light", SCREENS["lobby"]),
    "all-wild-phone": (PHONE_PX, "light", game("all-wild")),
    "challenge-phone": (PHONE_PX, "light", SCREENS["challenge"]),
    "color-phone": (PHONE_PX, "light", SCREENS["pick a color"]),
    "jackpot-phone": (PHONE_PX, "light", SCREENS["pull"]),
    "scores-phone": (PHONE_PX, "dark", SCREENS["between"]),
    "verify-phone": (PHONE_PX, "light", SCREENS["verify"]),
    "all-wild-desktop": (DESKTOP_PX, "light", game("all-wild", 5)),
    "lobby-desktop": (DESKTOP_PX, "dark", SCREENS["lobby"]),
    "replay-desktop": (DESKTOP_PX, "light", SCREENS["replay"]),
    "tv": (TV_PX, "light", game("classic", 6, tv=True)),
}
"""Size, theme and screen by file name."""


def take_screenshot(browser: Browser, served: ThreadedServer, name: str) -> Path:
    """Take one screenshot."""
    (width, height), theme, screen = PICTURES[name]
    context = browser.new_context(
        viewport={"width": width, "height": height},
        device_scale_factor=1.5 if width < height else 1,
        locale="en",
        timezone_id="UTC",
        reduced_motion="reduce",
    )
    page = context.new_page()
    screen(MockScreen(page, served, theme=theme))
    page.wait_for_load_state("networkidle")
    wanted = {"format": "webp", "quality": WEBP_QUALITY}
    picture = context.new_cdp_session(page).send("Page.captureScreenshot", wanted)["data"]
    context.close()
    path = FOLDER / f"{name}.webp"
    path.write_bytes(b64decode(picture))
    return path


def review(browser: Browser, served: ThreadedServer, language: str, folder: Path, wanted: re.Pattern[str]) -> None:
    """Take every screen whose name and size match, in a language: ``fr-320x568-hint.png``."""
    context = browser.new_context(locale=language, timezone_id="UTC", reduced_motion="reduce")
    stage = MockScreen(context.new_page(), served, language=language)
    for (width, height), (name, screen) in product(SIX_SIZES_PX, SCREENS.items()):
        file = f"{language}-{width}x{height}-{name.replace(' ', '-')}.png"
        if wanted.search(file):
            stage.page.set_viewport_size({"width": width, "height": height})
            screen(stage)
            stage.page.wait_for_function("() => !document.querySelector('lc-game[dealing], .motion-layer > *')")
            stage.page.screenshot(path=folder / file)
            stage.reset()
    context.close()


def main() -> None:
    """Take all screenshots."""
    parser = argparse.ArgumentParser(prog="python -m tools.screenshots", description=__doc__)
    parser.add_argument("--review", type=Path, metavar="FOLDER", help="write every screen to this folder instead")
    parser.add_argument("--only", type=re.compile, default="", metavar="REGEX", help="the file names of a review")
    arguments = parser.parse_args()
    FOLDER.mkdir(exist_ok=True)
    with (
        TemporaryDirectory() as folder,
        run_threaded_server(Path(folder), open_tables=arguments.review is not None) as served,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(**launch_options())
        if arguments.review:
            arguments.review.mkdir(exist_ok=True)
            for language in LANGUAGES:
                review(browser, served, language, arguments.review, arguments.only)
        for name in PICTURES if not arguments.review else ():
            path = take_screenshot(browser, served, name)
            print(path.relative_to(FOLDER.parents[1]), f"{path.stat().st_size / 1000:.0f} KB", flush=True)
        browser.close()


if __name__ == "__main__":
    main()
