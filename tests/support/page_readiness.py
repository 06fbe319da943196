"""Navigation between pages, and when a page is ready: everything it has requested is loaded and drawn."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import wraps
from typing import Any, Final
from unittest import mock

from playwright.sync_api import Error, Locator, Page


def import_expression(name: str) -> str:
    """A JavaScript expression that imports a module the open page has."""
    return f'import(new URL("../{name}", document.querySelector("script[type=module]").src))'


FOLLOW_LINK: Final = f"async (path) => (await {import_expression('ui/router.js')}).go(path)"
"""Follows a link within the site."""
_WAIT_MS: Final = 60_000
"""Limit for a script in a page: ``Page.evaluate`` waits forever for a page that draws no more frames."""
_POLL_MS: Final = 10
_FRAME: Final = """() => new Promise((drawn) => {
        requestAnimationFrame(() => setTimeout(drawn));
        setTimeout(drawn, 1000);
    })"""
"""Waits for a frame and the timeout after it, in which a page finds out which controls have moved (``ui/cooldown.js``).

At most a second: no frame comes in a page that is hidden.
"""
_WAIT_UNTIL_READY: Final = """async ({ awake, path, shown }) => {
    if (path) await (FOLLOW)(path);
    const frame = FRAME;
    const { documentElement } = document;
    let frames = 0;
    const until = async (true_) => {
        while (!true_()) {
            if (++frames > 3600) throw new Error("the page is never ready");
            await frame();
        }
    };
    // A heading may be there for the ears alone.
    const isShown = (node) => node && (shown === "h1" || node.checkVisibility());
    if (shown) await until(() => isShown(document.querySelector(shown)));
    await until(() => !documentElement.hasAttribute("data-loading"));
    await frame();
    await frame();
    if (awake) await until(() => !document.querySelector("[data-cooldown]"));
    return true;
}""".replace("FOLLOW", FOLLOW_LINK).replace("FRAME", _FRAME)
"""Waits in the page, which takes one message instead of one for each poll; a page draws 60 frames a second."""
_NAVIGATION_ERRORS: Final = ("Execution context was destroyed", "Cannot find context with specified id")
"""Playwright's errors if the page went to another address meanwhile."""


_WAIT_UNTIL_PRESSABLE: Final = """async (node) => {
    const frame = FRAME;
    if (window.lastPress === undefined) {
        window.lastPress = null;
        addEventListener("pointerdown", (event) => (window.lastPress = event), { capture: true });
    }
    const isSecondHalf = () => {
        const press = window.lastPress;
        if (!press || performance.now() - press.timeStamp >= 500 || node.closest("[data-quick]")) return false;
        const { left, right, top, bottom } = node.getBoundingClientRect();
        return Math.hypot((left + right) / 2 - press.clientX, (top + bottom) / 2 - press.clientY) < 24;
    };
    node.scrollIntoViewIfNeeded?.(); // a press in the frame of a scroll would come before the scroll event
    for (let frames = 0; frames < 600 && node.isConnected; frames++) {
        await frame();
        if (frames > 1 && node.checkVisibility() && !node.closest("[data-cooldown]") && !isSecondHalf()) break;
    }
}""".replace("FRAME", _FRAME)
"""Waits until an element is visible and takes presses; then gives up, because Playwright reports the reason best."""


@contextmanager
def wait_before_clicks() -> Iterator[None]:
    """Make Playwright wait before it presses something, as a person does who has to see it first.

    Playwright cannot see two reasons why a control takes no press: it appeared or moved within the frame
    (``ui/cooldown.js``), or it is at the place of the last press, half a second after it (``ui/repeats.js``).
    """
    with ExitStack() as stack:
        for name in ("click", "check", "uncheck"):
            stack.enter_context(mock.patch.object(Locator, name, _waiting(getattr(Locator, name))))
        yield


def _waiting(press: Callable[..., None]) -> Callable[..., None]:
    @wraps(press)
    def wait_and_press(self: Locator, **options: Any) -> None:
        self.evaluate(_WAIT_UNTIL_PRESSABLE, timeout=options.get("timeout"))  # ``wait_for_function`` awaits no promise
        press(self, **options)

    return wait_and_press


def wait_until_ready(page: Page, *, pressable: bool = False) -> None:
    """Wait until all requested modules are loaded (``ui/resources.js``), and a frame was drawn with them.

    With ``pressable``, wait until all controls take a press, too.
    """
    while True:
        try:
            page.wait_for_function(_WAIT_UNTIL_READY, arg={"awake": pressable}, timeout=_WAIT_MS)
            return
        except Error as error:
            if not any(words in error.message for words in _NAVIGATION_ERRORS):
                raise


def follow_link(page: Page, path: str, shown: str) -> None:
    """Go on within the site as a link does, and wait until all is loaded and an element is visible (its selector)."""
    page.wait_for_function(_WAIT_UNTIL_READY, arg={"path": path, "shown": shown}, timeout=_WAIT_MS)


def wait_until_pressable(page: Page) -> None:
    """Wait until all controls take a press: a new or just pressed control has a cooldown (``ui/cooldown.js``)."""
    wait_until_ready(page, pressable=True)


def wait_for_condition(
    page: Page, condition: Callable[[], object], timeout_s: float, complaint: Callable[[], str]
) -> None:
    """Wait until a condition holds that follows from what the page does; ``complaint`` says that it never did."""
    for _ in range(round(1000 * timeout_s / _POLL_MS)):
        if condition():
            return
        page.wait_for_timeout(_POLL_MS)
    raise AssertionError(complaint())
