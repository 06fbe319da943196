"""A site without a server, on a web host below some folder; in tests its delays are zero."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any, Final

from playwright.sync_api import Browser, BrowserContext, expect

from lastcard.bundle.site import read_web, write_site
from lastcard.bundle.web_version import WebVersion
from support.mock_site import WEB
from support.player import BrowserPlayer, clear_storage
from support.web_host import run_web_host

SITE_FOLDER: Final = "games/cards"
"""The folder of the site on the host."""
_FAST_CONSTANTS: Final = (
    ("bindings/constants.js", "quick: 0.5", "quick: 0.02"),
    ("bindings/constants.js", "pause: 0.7", "pause: 0.02"),
    ("offline/install.js", "INSTALL_DELAY_MS = 8000", "INSTALL_DELAY_MS = 0"),
)
USE_MODULE: Final = "(await import(document.querySelector('script[type=module]').src)).$use"
"""A module that the page has loaded, by name."""
MAKE_TABLE: Final = f"""async ([name, settings]) => {{
    const use = {USE_MODULE};
    use("ui/prefs.js").prefs.set("name", name);
    use("net/me.js").forgetMe();
    return (await use("net/api.js").post("/api/tables", {{ settings }})).code;
}}"""
"""Makes a table with settings, for a name; returns its code."""

_THROW_ON_POLICY_VIOLATION: Final = (
    "addEventListener('securitypolicyviolation', (event) => { throw new Error(event.violatedDirective); })"
)


@cache
def fast_web(mark: str = "", *changes: tuple[str, str, str]) -> WebVersion:
    """The web files of a site with very fast bots, which the device caches at once.

    A mark makes another version of them; each other change is a file, a text of it, and its replacement.
    """
    changes += _FAST_CONSTANTS
    texts = {name: (WEB / name).read_text(encoding="utf-8") for name, _, _ in changes}
    for name, before, after in changes:
        assert texts[name].count(before) == 1
        texts[name] = texts[name].replace(before, after)
    return read_web({name: f"{text}// {mark}\n".encode() for name, text in texts.items()})


class StaticHost:
    """A web host with a site, until it is shut down; ``web`` is None if its files are already in the folder."""

    def __init__(self, root: Path, web: WebVersion | None) -> None:
        self._root = root
        self.version = write_site(root / SITE_FOLDER, web) if web else ""
        self.idle_contexts: dict[str, list[BrowserContext]] | None = None
        """Browser contexts that are not in use, by their options; None to reuse none."""
        self._stack = ExitStack()
        self._host = self._stack.enter_context(run_web_host(root))
        self.url = self._host.url + SITE_FOLDER

    def second_host(self) -> StaticHost:
        """Another host with the same site."""
        return StaticHost(self._root, None)

    def deploy(self, web: WebVersion) -> None:
        self.version = write_site(self._root / SITE_FOLDER, web)

    @property
    def sent(self) -> list[tuple[str, int]]:
        """Requested paths with the bytes of the answers, headers included."""
        return self._host.sent

    def shut_down(self) -> None:
        for context in chain.from_iterable((self.idle_contexts or {}).values()):
            context.close()
        self._stack.close()


class OfflinePlayer(BrowserPlayer):
    """A person at the page of a site, whose table has no connection that could be observed."""

    has_failed = False
    """Whether the test failed, after which its device is not used again."""

    def wait_until_cached(self) -> None:
        """Wait until the device has cached the whole site."""
        self.page.goto(f"{self.url}/")
        self.page.evaluate("navigator.serviceWorker.ready.then(() => undefined)")

    def make_table(self, rules: str, seats: int = 2, **settings: object) -> str:
        """Make a table with settings of the test, without clicks; returns its code."""
        wanted = {"rules": rules, "seats": seats, "bots": "quick", **settings}
        code = str(self.page.evaluate(MAKE_TABLE, [self.name, wanted]))
        self.open_table(code)
        # The page starts a worker and compiles the module first, on a machine that may be busy.
        expect(self.page.get_by_role("button", name="Start")).to_be_visible(timeout=60_000)
        return code

    def begin(self, rules: str, seats: int = 2, others: Sequence[str] = ()) -> str:
        """Make a table on a device that has cached the site, maybe with others on it, and start; returns its code."""
        self.wait_until_cached()
        code = self.make_table(rules, seats)
        self.share_with(*others)
        self.start()
        return code

    def open_table(self, code: str) -> None:
        """Go to a table on this device."""
        self.page.goto(f"{self.url}/?/t/{code}")

    def share_with(self, *names: str) -> None:
        """Other people join on the device."""
        for name in names:
            self.page.get_by_label("Name of a player").fill(name)
            self.page.get_by_role("button", name="Add", exact=True).click()
            self.wait_until_seated(name)

    def send_move(self, press: Callable[[], None]) -> dict[str, Any]:
        """Press something that makes a move, and wait until the page shows one more."""
        before = self.screen_state().ply
        press()
        self.wait_for_ply(before + 1)
        return {}


@contextmanager
def open_offline_player(
    browser: Browser, host: StaticHost, name: str, *, new: bool = False, **options: Any
) -> Iterator[OfflinePlayer]:
    """A person with a device; no page of it may report an error or break the policy.

    A device that is not new may have cached the files of the site, but nothing else.
    """
    options = {"locale": "en-US", "reduced_motion": "reduce", **options}
    idle = None if host.idle_contexts is None or new else host.idle_contexts[json.dumps(options, sort_keys=True)]
    if idle:
        context = idle.pop()
        page = context.new_page()
        clear_storage(page, host.url, installed=True)
    else:
        context = browser.new_context(**options)
        context.add_init_script(_THROW_ON_POLICY_VIOLATION)
        page = context.new_page()
    is_clean = False
    try:
        player = OfflinePlayer(page, host.url, name)
        yield player
        assert not player.errors, player.errors
        is_clean = not player.has_failed
    finally:
        if is_clean and idle is not None:
            player.close()
            idle.append(context)
        else:
            context.close()
