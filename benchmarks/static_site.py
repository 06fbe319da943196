"""Benchmarks the page without a server on a slow connection and device: first card, memory over rounds, frames.

    python benchmarks/static_site.py [--runs 3] [--rounds 50] [--slower 4] [--seconds 20]

The setup is a site written by ``lastcard build-site``, a local web host, and chromium at 390 x 844 with all motion.
First card: empty cache, 1.6 Mbit/s, 150 ms for every response and every new connection, *Play now* pressed as soon as
it is shown. Memory: rounds of classic against three bots without pauses; the page's heap after a collection, its
elements, and the resident memory of the process of page and worker. Frames: those that the page can draw on a processor
slowed down by ``--slower``, while three *experts* play, and then three *casual* bots, which do not search, so frames
missing with both are not caused by search.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path
from typing import Final

from machine import describe_machine
from page import COUNT_FRAMES, frame_figures
from playwright.sync_api import Browser, Page, sync_playwright

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from lastcard.bundle.site import read_web, write_site
from support.browser import launch_options
from support.static_site import OfflinePlayer, StaticHost, fast_web
from support.web_host import SlowLink, run_web_host

_RATE_BYTES_S: Final = 1.6e6 / 8
_DELAY_S: Final = 0.15
_CARD: Final = "lc-game .hand [data-card]"
_MEMORY_SAMPLES: Final = 5
"""Number of samples of memory."""
_PLAY: Final = """(rounds) => new Promise((done) => {
    const { session } = document.querySelector("lc-game");
    let [over, ended] = [0, ""];
    const go = () => {
        const { game, table, seat } = session;
        const legal = (game.public.turn === seat && game.mine?.legal) || [];
        const move = legal.find((each) => !/^(uno|catch)/.test(each));
        if (table.phase === "playing" && move) session.makeMove(move);
        else if (table.phase !== "playing") {
            const round = `${game.match} ${game.public.round}`;
            if (round !== ended && ++over >= rounds) return done(clearInterval(ticking));
            ended = round;
            session.send({ type: "ready" });
        }
    };
    const ticking = setInterval(go, 20);
})"""


def main() -> None:
    """Measure, and print one line a figure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=3, metavar="N", help="how often the first card (default 3)")
    parser.add_argument("--rounds", type=int, default=50, metavar="N", help="rounds for memory (default 50)")
    parser.add_argument(
        "--slower", type=float, default=4, metavar="N", help="how much slower the device is (default 4)"
    )
    parser.add_argument("--seconds", type=float, default=20, help="how long frames are counted (default 20)")
    args = parser.parse_args()
    machine = describe_machine()
    print(f"{machine['processor']}, commit {machine['commit']}")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(**launch_options())
        print(f"chromium {browser.version}")
        write_site(Path(folder, "plain"), read_web())
        for _ in range(args.runs):
            print("first card:", measure_first_card(browser, Path(folder, "plain")))
        host = StaticHost(Path(folder, "quick"), fast_web())
        for line in measure_memory(browser, host, args.rounds):
            print("memory:", line)
        for level in ("Expert", "Casual"):
            print(f"frames, {level.lower()}:", measure_frames(browser, host, args, level))
        host.shut_down()
        browser.close()


def measure_first_card(browser: Browser, folder: Path) -> dict[str, float]:
    """Returns the times of a first visit over a slow connection, from the address to a hand."""
    page = new_page(browser)
    with run_web_host(folder, SlowLink(_RATE_BYTES_S, _DELAY_S)) as host:
        began = time.perf_counter()
        page.goto(host.url, wait_until="commit")
        page.get_by_role("button", name="Play now").click()
        pressed = time.perf_counter()
        page.locator(_CARD).first.wait_for()
        seen = time.perf_counter()
        sent = [*host.sent]
        page.context.close()
    return {
        "seconds": round(seen - began, 2),
        "of them after the press": round(seen - pressed, 2),
        "requests": len(sent),
        "KB": round(sum(size for _, size in sent) / 1000, 1),
    }


def measure_memory(browser: Browser, host: StaticHost, rounds: int) -> list[dict[str, float]]:
    """Returns samples of memory during rounds."""
    page = new_page(browser)
    ann = OfflinePlayer(page, host.url, "Ann")
    ann.open_home()
    ann.make_table("classic", 4)
    ann.start()
    page.locator(_CARD).first.wait_for()
    found = []
    for sample in range(_MEMORY_SAMPLES):
        page.evaluate(_PLAY, rounds // _MEMORY_SAMPLES)
        found.append({"rounds": (sample + 1) * (rounds // _MEMORY_SAMPLES)} | memory_in_use(browser, page))
    page.context.close()
    return found


def memory_in_use(browser: Browser, page: Page) -> dict[str, float]:
    """Returns the memory of the page now."""
    cdp = page.context.new_cdp_session(page)
    cdp.send("Performance.enable")
    cdp.send("HeapProfiler.collectGarbage")
    metrics = {each["name"]: each["value"] for each in cdp.send("Performance.getMetrics")["metrics"]}
    processes = browser.new_browser_cdp_session().send("SystemInfo.getProcessInfo")["processInfo"]
    resident = max(resident_of(each["id"]) for each in processes if each["type"] == "renderer")
    return {"heap MB": round(metrics["JSHeapUsedSize"] / 1e6, 2), "elements": metrics["Nodes"], "process MB": resident}


def resident_of(process: int) -> float:
    """Returns the resident memory of a process in megabytes."""
    lines = Path(f"/proc/{process}/status").read_text(encoding="ascii").splitlines()
    return round(next(int(line.split()[1]) for line in lines if line.startswith("VmRSS")) / 1000, 1)


def measure_frames(browser: Browser, host: StaticHost, args: argparse.Namespace, level: str) -> dict[str, float]:
    """Returns the frames on a slow device while three bots of a level play."""
    page = new_page(browser)
    ann = OfflinePlayer(page, host.url, "Ann")
    ann.open_home()
    ann.make_table("classic", 4, bots="normal")
    page.get_by_role("radio", name=level).check()
    page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": args.slower})
    ann.start()
    page.locator(_CARD).first.wait_for()
    page.evaluate(COUNT_FRAMES)
    page.evaluate(f"void ({_PLAY})(1000)")
    page.wait_for_timeout(args.seconds * 1000)
    figures = frame_figures(page) | {"moves": ann.screen_state().ply}
    page.context.close()
    return figures


def new_page(browser: Browser) -> Page:
    """Returns a page of a new visitor."""
    return browser.new_context(viewport={"width": 390, "height": 844}, locale="en-US").new_page()


if __name__ == "__main__":
    main()
