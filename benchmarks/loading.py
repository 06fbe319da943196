"""What a page asks for until it can be used: waves of requests, bytes over the wire, and seconds on a slow line.

    python benchmarks/loading.py [--delay 400] [--runs 3] [--language en] [--requests]

A server of its own and chromium, in which every answer takes ``--delay`` milliseconds longer. Somebody new opens the
first page and presses *Play now*; somebody known loads the first page and the table again. A wave is what the browser
asks for before an answer to it has come: requests are counted by when they were sent, and six connections carry them.
Bytes are those of answers with their heads, before the first card is seen.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from statistics import median
from typing import Any, Final

from machine import describe_machine
from page import serving
from playwright.sync_api import Browser, BrowserContext, CDPSession, Page, sync_playwright

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from support.browser import launch_options

_CARD: Final = "lc-game .hand [data-card]"
_WATCH: Final = """() => {
    const watch = new MutationObserver(() => {
        if (!document.querySelector("lc-game .hand [data-card]")) return;
        watch.disconnect();
        window.playable = Date.now() / 1000;
    });
    watch.observe(document, { childList: true, subtree: true });
}"""


class Line:
    """What a page asks for, and when.

    Args:
        page: of Playwright.
        delay: milliseconds until an answer comes.
    """

    def __init__(self, page: Page, delay: float) -> None:
        self._delay = delay
        self._ahead = 0.0
        self._cdp: CDPSession = page.context.new_cdp_session(page)
        self._cdp.on("Network.requestWillBeSent", lambda told: self._ask(told, told["request"]["url"]))
        self._cdp.on("Network.webSocketWillSendHandshakeRequest", lambda told: self._ask(told, "a line"))
        self._cdp.on("Network.loadingFinished", lambda told: self._took(told, told["encodedDataLength"]))
        self._cdp.on("Network.webSocketFrameReceived", self._hear)
        self._cdp.on("Network.requestServedFromCache", lambda told: self._keep(told["requestId"]))
        self._cdp.on("Network.responseReceived", self._answer)
        self._cdp.send("Network.enable")
        conditions = {"offline": False, "latency": delay, "downloadThroughput": -1, "uploadThroughput": -1}
        self._cdp.send("Network.emulateNetworkConditions", conditions)
        self.restart()

    def restart(self) -> None:
        """Count from now on."""
        self._asked: dict[str, tuple[float, str]] = {}
        self._came: list[tuple[float, int]] = []
        self._began = time.time()

    @property
    def received(self) -> int:
        """Bytes so far."""
        return sum(size for _, size in self._came)

    def figures(self, until: float | None = None, *, told: bool = False) -> dict[str, float]:
        """Seconds, waves, requests and kilobytes.

        Args:
            until: seconds since 1970; without, until now.
            told: whether to print every request.
        """
        until = time.time() if until is None else until
        waves, next_wave = 0, 0.0
        asked = sorted((at, url) for at, url in self._asked.values() if at <= until)
        for at, url in asked:
            if at >= next_wave:
                waves, next_wave = waves + 1, at + self._delay / 1000
            if told:
                print(f"    {waves} {url}")
        size = sum(size for at, size in self._came if at <= until)
        seconds = round(until - self._began, 2)
        return {"seconds": seconds, "waves": waves, "requests": len(asked), "KB": round(size / 1000, 1)}

    def _ask(self, told: dict[str, Any], url: str) -> None:
        if url.startswith(("http", "a line")):
            self._ahead = told["wallTime"] - told["timestamp"]
            self._asked[told["requestId"]] = told["wallTime"], url

    def _answer(self, told: dict[str, Any]) -> None:
        if told["response"].get("fromDiskCache") or told["response"].get("fromPrefetchCache"):
            self._keep(told["requestId"])

    def _hear(self, told: dict[str, Any]) -> None:
        self._took(told, len(told["response"]["payloadData"]))

    def _took(self, told: dict[str, Any], size: int) -> None:
        self._came.append((told["timestamp"] + self._ahead, size))

    def _keep(self, request: str) -> None:
        self._asked.pop(request, None)


def main() -> None:
    """Measure, and print one line a figure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--delay", type=float, default=400, metavar="MS", help="of every answer (default 400)")
    parser.add_argument("--runs", type=int, default=3, metavar="N", help="how often (default 3)")
    parser.add_argument("--language", default="en", help="of the browser (default en)")
    parser.add_argument("--requests", action="store_true", help="print every request, by waves")
    args = parser.parse_args()
    machine = describe_machine()
    print(f"{machine['processor']}, commit {machine['commit']}, {args.delay:g} ms, {args.language}")
    with serving() as url, sync_playwright() as playwright:
        browser = playwright.chromium.launch(**launch_options())
        runs = [walk(browser, url, args) for _ in range(args.runs)]
        browser.close()
    for name in runs[0]:
        print(f"{name:<28}", {figure: median(run[name][figure] for run in runs) for figure in runs[0][name]})


def walk(browser: Browser, url: str, args: argparse.Namespace) -> dict[str, dict[str, float]]:
    """The way of somebody new to the first card, and back again."""
    context = browser.new_context(viewport={"width": 390, "height": 844}, locale=args.language)
    page = context.new_page()
    line = Line(page, args.delay)
    found: dict[str, Any] = {}
    page.goto(url, wait_until="commit")
    page.locator("form button.primary").wait_for()
    found["first page"] = line.figures(told=args.requests)
    page.wait_for_load_state("networkidle")
    found["first page, all of it"] = line.figures(told=args.requests)
    first_page = line.received / 1000
    page.evaluate(_WATCH)
    line.restart()
    page.locator("form button.primary").click()
    page.locator(_CARD).first.wait_for()
    found["first card"] = line.figures(until=page.evaluate("window.playable"), told=args.requests)
    found["first card"]["KB with first page"] = round(first_page + found["first card"]["KB"], 1)
    page.wait_for_load_state("networkidle")
    found |= again(line, page, args)
    context.close()
    found |= invited(browser, url, args)
    return found


def again(line: Line, page: Page, args: argparse.Namespace) -> dict[str, dict[str, float]]:
    """The table and the first page, loaded again."""
    line.restart()
    page.reload(wait_until="commit")
    page.locator(_CARD).first.wait_for()
    table = line.figures(told=args.requests)
    page.wait_for_load_state("networkidle")
    page.goto(page.evaluate("location.origin"), wait_until="commit")
    page.locator("form button.primary").wait_for()
    page.wait_for_load_state("networkidle")
    line.restart()
    page.reload(wait_until="commit")
    page.locator("form button.primary").wait_for()
    return {"the table, again": table, "first page, again": line.figures(told=args.requests)}


def invited(browser: Browser, url: str, args: argparse.Namespace) -> dict[str, dict[str, float]]:
    """Somebody new follows a link to the lobby of a table."""
    host: BrowserContext = browser.new_context()
    maker = host.new_page()
    maker.goto(url)
    code = maker.evaluate(
        """async () => {
            const post = async (path, body) => (await fetch(path, { method: "POST", body: JSON.stringify(body),
                headers: { "Content-Type": "application/json" } })).json();
            await post("/api/me", { name: "Ann", language: "en" });
            return (await post("/api/tables", {})).code;
        }"""
    )
    host.close()
    context = browser.new_context(viewport={"width": 390, "height": 844}, locale=args.language)
    page = context.new_page()
    line = Line(page, args.delay)
    page.goto(f"{url}/t/{code}", wait_until="commit")
    page.locator("form button.primary").wait_for()
    found = {"invited": line.figures(told=args.requests)}
    page.wait_for_load_state("networkidle")
    page.locator("form input").fill("Ben")
    line.restart()
    page.locator("form button.primary").click()
    page.locator(".bar-title").wait_for()
    page.locator(".stage button").first.wait_for()
    found["the lobby"] = line.figures(told=args.requests)
    context.close()
    return found


if __name__ == "__main__":
    main()
