"""Benchmarks the time from a press to its command against another checkout: pages of both alternate.

    python benchmarks/presses.py --before DIR [--presses 40] [--slower 4]

It presses the UNO button in the race, a card and the draw pile, on a phone whose processor is slowed down by
``--slower``. The pointer is over the control before the press. The time is from its ``pointerdown`` to the call of
``WebSocket.send``, in milliseconds; a figure is the median of ``--presses`` presses. The ratio is that of the medians,
with the quartiles of the ratios of neighboring presses.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median, quantiles
from typing import Any, Final

from machine import HERE, describe_machine

PHONE_SIZE_PX: Final = {"width": 390, "height": 844}
CONTROLS: Final = {
    "uno": ".uno-button",
    "card": '.hand-card.can:not([data-card^="W"])',
    "draw": ".draw-pile",
}
POSITION: Final = {"x": 14.0, "y": 30.0}
HOVER_MS: Final = 100
"""Milliseconds that the pointer hovers before the press, so that hover styles are already computed."""
MEASURE_PRESSES: Final = """() => {
    let began = 0;
    globalThis.took = [];
    addEventListener("pointerdown", ({ timeStamp }) => (began = timeStamp), true);
    const send = WebSocket.prototype.send;
    WebSocket.prototype.send = function (text) {
        if (String(text).includes('"act"')) took.push(performance.now() - began);
        return send.call(this, text);
    };
}"""


def serve_presses(slower: float) -> None:
    """Press a control for each name read, and print the milliseconds; in the checkout that is imported."""
    from playwright.sync_api import sync_playwright

    from support.browser import launch_options
    from support.mock_screen import MockScreen
    from support.threaded_server import run_threaded_server

    with (
        tempfile.TemporaryDirectory() as folder,
        run_threaded_server(Path(folder)) as server,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(**launch_options())
        page = browser.new_context(viewport=PHONE_SIZE_PX, reduced_motion="reduce").new_page()  # type: ignore[arg-type]
        screen = MockScreen(page, server)
        screen.open("/about")
        page.evaluate(MEASURE_PRESSES)
        page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": slower})
        for line in sys.stdin:
            print(press(screen, line.strip()), flush=True)
        browser.close()


def press(screen: Any, name: str) -> float:
    """Press once at a newly opened table; returns the milliseconds."""
    from support.situations import holds, reach

    screen.play(reach("classic", 3, two_cards) if name == "uno" else reach("classic", 4, holds("W")))
    screen.page.evaluate("globalThis.took = []")
    screen.page.wait_for_timeout(1000)  # a new control ignores presses for a moment
    control = screen.page.locator(CONTROLS[name]).first
    control.hover(position=POSITION)
    screen.page.wait_for_timeout(HOVER_MS)
    control.click(position=POSITION)
    screen.page.wait_for_function("() => took.length > 0")
    return float(screen.page.evaluate("took[0]"))


def two_cards(match: Any) -> bool:
    """Whether the player on turn holds two cards and can play one, so that a call counts."""
    table = match.round
    fits = [move for move in map(str, table.legal()) if move[0] in "RYGB"]
    return bool(table.decision == "play" and len(table.hand(table.turn)) == 2 and fits)


def start(checkout: Path, slower: float) -> subprocess.Popen[str]:
    """Start ``serve_presses`` in a process that imports a checkout."""
    command = [sys.executable, __file__, "--serve", "--slower", str(slower)]
    environment = {**os.environ, "PYTHONPATH": f"{checkout / 'src'}:{checkout / 'tests'}"}
    return subprocess.Popen(command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def ask(process: subprocess.Popen[str], name: str) -> float:
    """Returns the milliseconds of one press; raises a RuntimeError if the process has ended."""
    assert process.stdin is not None
    assert process.stdout is not None
    print(name, file=process.stdin, flush=True)
    answer = process.stdout.readline()
    if not answer:
        raise RuntimeError(f"a page has failed, see above; its process ended with {process.wait()}")
    return float(answer)


def main() -> None:
    """Measure, and print one line a control."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--before", type=Path, metavar="DIR", help="the other checkout")
    parser.add_argument("--presses", type=int, default=40, help="presses of each control (default 40)")
    parser.add_argument("--slower", type=float, default=4, help="how much slower the device is (default 4)")
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.serve:
        serve_presses(args.slower)
        return
    if args.before is None or not (args.before / "src").is_dir():
        parser.error("--before names the other checkout, a folder that has src and tests")
    if args.presses < 2:
        parser.error("--presses is 2 or more")
    machine = describe_machine()
    print(f"{machine['processor']}, commit {machine['commit']}, {args.slower:g} times slower")
    with start(args.before.resolve(), args.slower) as other, start(HERE.parent, args.slower) as own:
        for name in CONTROLS:
            ask(other, name), ask(own, name)  # the first press includes compilation and layout
            pairs = []
            for i in range(args.presses):
                first, second = (other, own) if i % 2 else (own, other)
                times = ask(first, name), ask(second, name)
                pairs.append(times if i % 2 else times[::-1])
            before, now = (median(times) for times in zip(*pairs, strict=True))
            low, _, high = quantiles([new / old for old, new in pairs])
            line = f"{before:.1f} ms before, {now:.1f} ms now, ratio {now / before:.2f}"
            print(f"{name}: {line} ({low:.2f}-{high:.2f})", flush=True)


if __name__ == "__main__":
    main()
