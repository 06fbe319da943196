"""Benchmarks the page on a slow device: frames while cards are dealt and played, and the time to the first move.

    python benchmarks/page.py [--slower 4] [--seconds 12] [--runs 3] [--width 390 --height 844]

It uses a local server and chromium with a processor slowed down by ``--slower``, with all motion: *Play now* with
three bots, in which the person plays too; a deal to ten, one person and nine bots; and an empty page, which shows what
the machine itself costs. Frames are those that the page can draw; a long task blocks it for more than 50 ms.
On a busy machine all of them take longer. ``measure_work`` therefore plays at full speed and counts the tasks that use
more than 33 ms of the processor when multiplied by ``--slower``, as a share of the frames at 60 Hz.
The time to the first move is that of a new visitor on a warm server: seconds until cards are shown.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from statistics import median
from typing import Any, Final

from machine import describe_machine
from playwright.sync_api import Browser, Page, sync_playwright

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from support.browser import launch_options

LONG_FRAME_MS: Final = 33.5
"""Two frames at 60 Hz, and what their times vary."""
PLAY: Final = """() => void setInterval(() => {
    const choices = [".action-bar-answers button", ".hand-card.can", ".draw-pile.can", ".scores .primary"];
    choices.map((choice) => document.querySelector(choice)).find(Boolean)?.click();
}, 900)"""
"""The person's moves, one at most every 900 ms."""
COUNT_FRAMES: Final = """() => {
    window.frames_ = [];
    window.long_ = [];
    new PerformanceObserver((list) => window.long_.push(...list.getEntries().map((task) => task.duration)))
        .observe({ entryTypes: ["longtask"] });
    const frame = (now) => { window.frames_.push(now); requestAnimationFrame(frame); };
    requestAnimationFrame(frame);
}"""


def main() -> None:
    """Measure, and print one line a figure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--slower", type=float, default=4, metavar="N", help="how much slower the device is (default 4)"
    )
    parser.add_argument("--seconds", type=float, default=12, help="how long frames are counted (default 12)")
    parser.add_argument("--runs", type=int, default=3, metavar="N", help="how often (default 3)")
    parser.add_argument("--width", type=int, default=390)
    parser.add_argument("--height", type=int, default=844)
    args = parser.parse_args()
    machine = describe_machine()
    print(f"{machine['processor']}, commit {machine['commit']}")
    print(f"{args.width} x {args.height}, {args.slower:g} times slower")
    with run_server() as url, sync_playwright() as playwright:
        browser = playwright.chromium.launch(**launch_options())
        first = [first_move(open_page(browser, args, url)) for _ in range(args.runs)]
        print(f"first move: 2 taps, {median(first):.2f} s (full speed)")
        for _ in range(args.runs):
            for measure in (measure_work, measure_play, measure_frames, measure_nothing):
                print(f"{measure.__name__}: {measure(open_page(browser, args, url), args)}")
        browser.close()


@contextmanager
def run_server() -> Iterator[str]:
    """Run a local server; yields its address."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "lastcard", "serve", "--port", "0", "--host", "127.0.0.1"]
        env = os.environ | {"XDG_DATA_HOME": folder}
        with subprocess.Popen(command, env=env, cwd=folder, stdout=subprocess.PIPE, text=True) as server:
            assert server.stdout is not None
            url = next(line.split()[-1] for line in server.stdout if "http://" in line)
            try:
                yield url
            finally:
                server.terminate()


def open_page(browser: Browser, args: argparse.Namespace, url: str) -> Page:
    """Returns the first page, opened by a new visitor."""
    page = browser.new_context(viewport={"width": args.width, "height": args.height}, locale="en-US").new_page()
    page.goto(url)
    return page


def make_table(page: Page, settings: dict[str, Any]) -> str:
    """Make a table by a person called Ann; returns its code."""
    code: str = page.evaluate(
        """async (settings) => {
            const post = async (path, body) => (await fetch(path, { method: "POST", body: JSON.stringify(body),
                headers: { "Content-Type": "application/json" } })).json();
            await post("/api/me", { name: "Ann", language: "en" });
            return (await post("/api/tables", { settings })).code;
        }""",
        settings,
    )
    return code


def first_move(page: Page) -> float:
    """Returns seconds from opening the first page to a hand in which a card can be tapped."""
    began = time.perf_counter()
    page.reload()
    page.get_by_role("button", name="Play now").click()
    page.locator("[role=group] [data-card]").first.wait_for()
    page.context.close()
    return time.perf_counter() - began


def measure_frames(page: Page, args: argparse.Namespace) -> dict[str, float]:
    """Deal to ten on a slow device, let bots play, and count frames."""
    code = make_table(page, {"seats": 10})
    page.goto(f"{page.evaluate('location.origin')}/t/{code}")
    deal = page.get_by_role("button", name="Start", exact=True)
    deal.wait_for()
    return count_frames(page, args, deal.click)


def measure_play(page: Page, args: argparse.Namespace) -> dict[str, float]:
    """Play against three bots on a slow device, and count frames from the first card on."""
    page.get_by_role("button", name="Play now").click()
    page.locator("lc-game .hand [data-card]").first.wait_for()
    return count_frames(page, args, lambda: page.evaluate(PLAY))


def measure_work(page: Page, args: argparse.Namespace) -> dict[str, float]:
    """Play against three bots at full speed, and measure the processor time of the page's tasks."""
    page.get_by_role("button", name="Play now").click()
    page.locator("lc-game .hand [data-card]").first.wait_for()
    browser = page.context.browser
    assert browser is not None
    browser.start_tracing(page=page, categories=["toplevel"])
    page.evaluate(PLAY)
    page.wait_for_timeout(args.seconds * 1000)
    events = json.loads(browser.stop_tracing())["traceEvents"]
    page.context.close()
    main = {event["tid"] for event in events if event.get("args", {}).get("name") == "CrRendererMain"}
    tasks = [
        args.slower * event.get("tdur", 0) / 1000
        for event in events
        if event.get("tid") in main and event["name"] == "ThreadControllerImpl::RunTask"
    ]
    frames = 60 * args.seconds
    return {
        "% longer than 33 ms": round(100 * sum(ms > LONG_FRAME_MS for ms in tasks) / frames, 1),
        "longest task, ms": round(max(tasks)),
        "busy %": round(100 * sum(tasks) / (1000 * args.seconds)),
    }


def measure_nothing(page: Page, args: argparse.Namespace) -> dict[str, float]:
    """Count the frames of an empty page on a slow device."""
    page.goto("about:blank")
    return count_frames(page, args, lambda: None)


def count_frames(page: Page, args: argparse.Namespace, begin: Callable[[], None]) -> dict[str, float]:
    """Returns the figures of the frames after something begins on a slow device."""
    page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": args.slower})
    page.evaluate(COUNT_FRAMES)
    begin()
    page.wait_for_timeout(args.seconds * 1000)
    figures = frame_figures(page)
    page.context.close()
    return figures


def frame_figures(page: Page) -> dict[str, float]:
    """Returns the figures of the frames and long tasks counted by ``COUNT_FRAMES``."""
    times: list[float] = page.evaluate("window.frames_")
    tasks: list[float] = page.evaluate("window.long_")
    gaps = sorted(b - a for a, b in pairwise(times))
    return {
        "frames a second": round(1000 * len(gaps) / (times[-1] - times[0]), 1),
        "median ms": round(median(gaps), 1),
        "% longer than 33 ms": round(100 * sum(gap > LONG_FRAME_MS for gap in gaps) / len(gaps), 1),
        "99 of 100 within ms": round(gaps[int(0.99 * len(gaps))], 1),
        "longest task, ms": round(max(tasks, default=0)),
    }


if __name__ == "__main__":
    main()
