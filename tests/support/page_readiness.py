"""From page to page, and when one can be looked at and used: everything it has asked for is there, and drawn."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import wraps
from typing import Any, Final
from unittest import mock

from playwright.sync_api import Error, Locator, Page


def import_expression(name: str) -> str:
    """What imports a module that an open page has, in JavaScript."""
    return f'import(new URL("../{name}", document.querySelector("script[type=module]").src))'


FOLLOW_LINK: Final = f"async (path) => (await {import_expression('ui/router.js')}).go(path)"
"""What a link within the site does."""
_WAIT_MS: Final = 60_000
"""How long a script in a page may wait: ``Page.evaluate`` waits without end for a page that draws no more."""
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
            if (++frames > 3600) throw new Error("the page does not settle");
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
"""Waits in the page, which takes one message instead of one for each look; a page draws 60 frames a second."""
_NAVIGATION_ERRORS: Final = ("Execution context was destroyed", "Cannot find context with specified id")
"""What Playwright says where the page went to another address meanwhile."""


_WAIT_UNTIL_PRESSABLE: Final = """async (node) => {
    const frame = FRAME;
    if (!window.presses) {
        window.presses = [];
        addEventListener("pointerdown", (event) => window.presses.push(event), { capture: true });
    }
    const isSecondHalf = () => {
        const press = window.presses.at(-1);
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
"""Waits until an element is seen and takes presses; not for ever, as Playwright says best why it cannot be pressed."""


@contextmanager
def wait_before_clicks() -> Iterator[None]:
    """Let Playwright wait before it presses something, as a person does who has to see it first.

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
    """Wait until all modules that are on their way have come (``ui/resources.js``), and a frame was drawn with them.

    Args:
        page: of Playwright.
        pressable: wait until all controls take a press, too.
    """
    while True:
        try:
            page.wait_for_function(_WAIT_UNTIL_READY, arg={"awake": pressable}, timeout=_WAIT_MS)
            return
        except Error as error:
            if not any(words in error.message for words in _NAVIGATION_ERRORS):
                raise


def follow_link(page: Page, path: str, shown: str) -> None:
    """Go on within the site as a link does, and wait until all is there.

    Args:
        page: one of the site.
        path: of another page.
        shown: a selector of what is seen then.
    """
    page.wait_for_function(_WAIT_UNTIL_READY, arg={"path": path, "shown": shown}, timeout=_WAIT_MS)


def wait_until_pressable(page: Page) -> None:
    """Wait until all controls take a press: what has just come, or was pressed, rests a little (``ui/cooldown.js``)."""
    wait_until_ready(page, pressable=True)
