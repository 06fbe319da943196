"""Benchmarks page loads: waves of requests, transferred bytes, and seconds on a slow connection.

    python benchmarks/loading.py [--delay 400] [--runs 3] [--language en] [--requests]

It uses a local server and chromium, in which every response takes ``--delay`` milliseconds longer. A new visitor opens
the first page and presses *Play now*; a returning one loads the first page and the table again. A wave is the set of
requests sent before a response to any of them: requests are grouped by send time, over six connections. Bytes are those
of responses with their heads, before the first card is shown.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from statistics import median
from typing import Any, Final

from machine import describe_machine
from page import make_table, run_server
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


class NetworkLog:
    """Log of the requests of a page, whose responses take ``delay_ms`` longer."""

    def __init__(self, page: Page, delay_ms: float) -> None:
        self._delay_ms = delay_ms
        self._clock_offset_s = 0.0
        self._cdp: CDPSession = page.context.new_cdp_session(page)
        self._cdp.on("Network.requestWillBeSent", lambda event: self._on_request(event, event["request"]["url"]))
        self._cdp.on("Network.webSocketWillSendHandshakeRequest", lambda event: self._on_request(event, "a line"))
        self._cdp.on("Network.loadingFinished", lambda event: self._count_bytes(event, event["encodedDataLength"]))
        self._cdp.on("Network.webSocketFrameReceived", self._on_frame)
        self._cdp.on("Network.requestServedFromCache", lambda event: self._discard_request(event["requestId"]))
        self._cdp.on("Network.responseReceived", self._on_response)
        self._cdp.send("Network.enable")
        conditions = {"offline": False, "latency": delay_ms, "downloadThroughput": -1, "uploadThroughput": -1}
        self._cdp.send("Network.emulateNetworkConditions", conditions)
        self.restart()

    def restart(self) -> None:
        """Restart the log."""
        self._requests: dict[str, tuple[float, str]] = {}
        self._received: list[tuple[float, int]] = []
        self._began = time.time()

    @property
    def received(self) -> int:
        """Bytes received so far."""
        return sum(size for _, size in self._received)

    def figures(self, until: float | None = None, *, verbose: bool = False) -> dict[str, float]:
        """Returns seconds, waves, requests and kilobytes until a time in seconds since 1970, or until now."""
        until = time.time() if until is None else until
        waves, next_wave = 0, 0.0
        asked = sorted((at, url) for at, url in self._requests.values() if at <= until)
        for at, url in asked:
            if at >= next_wave:
                waves, next_wave = waves + 1, at + self._delay_ms / 1000
            if verbose:
                print(f"    {waves} {url}")
        size = sum(size for at, size in self._received if at <= until)
        seconds = round(until - self._began, 2)
        return {"seconds": seconds, "waves": waves, "requests": len(asked), "KB": round(size / 1000, 1)}

    def _on_request(self, event: dict[str, Any], url: str) -> None:
        if url.startswith(("http", "a line")):
            self._clock_offset_s = event["wallTime"] - event["timestamp"]
            self._requests[event["requestId"]] = event["wallTime"], url

    def _on_response(self, event: dict[str, Any]) -> None:
        if event["response"].get("fromDiskCache") or event["response"].get("fromPrefetchCache"):
            self._discard_request(event["requestId"])

    def _on_frame(self, event: dict[str, Any]) -> None:
        self._count_bytes(event, len(event["response"]["payloadData"]))

    def _count_bytes(self, event: dict[str, Any], size: int) -> None:
        self._received.append((event["timestamp"] + self._clock_offset_s, size))

    def _discard_request(self, request: str) -> None:
        self._requests.pop(request, None)


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
    with run_server() as url, sync_playwright() as playwright:
        browser = playwright.chromium.launch(**launch_options())
        runs = [measure_visit(browser, url, args) for _ in range(args.runs)]
        browser.close()
    for name in runs[0]:
        print(f"{name:<28}", {figure: median(run[name][figure] for run in runs) for figure in runs[0][name]})


def measure_visit(browser: Browser, url: str, args: argparse.Namespace) -> dict[str, dict[str, float]]:
    """Measure a first visit up to the first card, and a second visit."""
    context = browser.new_context(viewport={"width": 390, "height": 844}, locale=args.language)
    page = context.new_page()
    line = NetworkLog(page, args.delay)
    found: dict[str, Any] = {}
    page.goto(url, wait_until="commit")
    page.locator("form button.primary").wait_for()
    found["first page"] = line.figures(verbose=args.requests)
    page.wait_for_load_state("networkidle")
    found["first page, all of it"] = line.figures(verbose=args.requests)
    first_page = line.received / 1000
    page.evaluate(_WATCH)
    line.restart()
    page.locator("form button.primary").click()
    page.locator(_CARD).first.wait_for()
    found["first card"] = line.figures(until=page.evaluate("window.playable"), verbose=args.requests)
    found["first card"]["KB with first page"] = round(first_page + found["first card"]["KB"], 1)
    page.wait_for_load_state("networkidle")
    found |= measure_reload(line, page, args)
    context.close()
    found |= measure_invitation(browser, url, args)
    return found


def measure_reload(line: NetworkLog, page: Page, args: argparse.Namespace) -> dict[str, dict[str, float]]:
    """Measure reloads of the table and of the first page."""
    line.restart()
    page.reload(wait_until="commit")
    page.locator(_CARD).first.wait_for()
    table = line.figures(verbose=args.requests)
    page.wait_for_load_state("networkidle")
    page.goto(page.evaluate("location.origin"), wait_until="commit")
    page.locator("form button.primary").wait_for()
    page.wait_for_load_state("networkidle")
    line.restart()
    page.reload(wait_until="commit")
    page.locator("form button.primary").wait_for()
    return {"the table, again": table, "first page, again": line.figures(verbose=args.requests)}


def measure_invitation(browser: Browser, url: str, args: argparse.Namespace) -> dict[str, dict[str, float]]:
    """Measure a first visit by a link to the lobby of a table."""
    host: BrowserContext = browser.new_context()
    maker = host.new_page()
    maker.goto(url)
    code = make_table(maker, {})
    host.close()
    context = browser.new_context(viewport={"width": 390, "height": 844}, locale=args.language)
    page = context.new_page()
    line = NetworkLog(page, args.delay)
    page.goto(f"{url}/t/{code}", wait_until="commit")
    page.locator("form button.primary").wait_for()
    found = {"invited": line.figures(verbose=args.requests)}
    page.wait_for_load_state("networkidle")
    page.locator("form input").fill("Ben")
    line.restart()
    page.locator("form button.primary").click()
    page.locator(".bar-title").wait_for()
    page.locator(".stage button").first.wait_for()
    found["the lobby"] = line.figures(verbose=args.requests)
    context.close()
    return found


if __name__ == "__main__":
    main()
