"""How long a press takes until its command is sent, beside another checkout: pages of both take turns.

    python benchmarks/presses.py --before DIR [--pairs 6] [--presses 20] [--slower 4]

The UNO button in the race, a card and the draw pile, on a phone whose processor is slowed down by ``--slower``. The
time goes from the ``pointerdown`` of a press to the call of ``WebSocket.send``; a figure is the median of ``--presses``
presses, in milliseconds. The ratio is that of the medians of the pairs, with the lowest and the highest of them.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median
from typing import Any, Final

from machine import HERE, describe_machine

PHONE: Final = {"width": 390, "height": 844}
CONTROLS: Final = {
    "uno": ".uno-button",
    "card": '.hand-card.can:not([data-card^="W"])',
    "draw": ".draw-pile",
}
WATCH: Final = """() => {
    let began = 0;
    globalThis.took = [];
    addEventListener("pointerdown", ({ timeStamp }) => (began = timeStamp), true);
    const send = WebSocket.prototype.send;
    WebSocket.prototype.send = function (text) {
        if (String(text).includes('"act"')) took.push(performance.now() - began);
        return send.call(this, text);
    };
}"""

Medians = dict[str, float]


def measure(presses: int, slower: float) -> Medians:
    """Milliseconds from press to command by control, medians; of the checkout that is imported."""
    from playwright.sync_api import sync_playwright

    from support.browser import launch_options
    from support.serving import serving
    from support.stage import Stage

    with tempfile.TemporaryDirectory() as folder, serving(Path(folder)) as served, sync_playwright() as playwright:
        browser = playwright.chromium.launch(**launch_options())
        page = browser.new_context(viewport=PHONE, reduced_motion="reduce").new_page()  # type: ignore[arg-type]
        stage = Stage(page, served)
        stage.open("/about")
        page.evaluate(WATCH)
        page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": slower})
        found = {name: median(press(stage, name) for _ in range(presses)) for name in CONTROLS}
        browser.close()
    return found


def press(stage: Any, name: str) -> float:
    """One press at a table that is opened for it; its milliseconds."""
    from support.situations import holds, reach

    stage.play(reach("classic", 3, two_cards) if name == "uno" else reach("classic", 4, holds("W")))
    stage.page.evaluate("globalThis.took = []")
    stage.page.wait_for_timeout(1000)  # a control that has just come takes no press, and what its rest takes is over
    stage.page.locator(CONTROLS[name]).first.click(position={"x": 14, "y": 30})
    stage.page.wait_for_function("() => took.length > 0")
    return float(stage.page.evaluate("took[0]"))


def two_cards(match: Any) -> bool:
    """Who is on turn holds two cards and can play one of them, so that a call counts."""
    table = match.round
    fits = [move for move in map(str, table.legal()) if move[0] in "RYGB"]
    return bool(table.decision == "play" and len(table.hand(table.turn)) == 2 and fits)


def run(checkout: Path, args: argparse.Namespace) -> Medians:
    """``measure`` in a process that imports a checkout."""
    command = [sys.executable, __file__, "--measure", "--presses", str(args.presses), "--slower", str(args.slower)]
    environment = {**os.environ, "PYTHONPATH": f"{checkout / 'src'}:{checkout / 'tests'}"}
    printed = subprocess.run(command, env=environment, stdout=subprocess.PIPE, check=True, text=True).stdout
    found: Medians = json.loads(printed.splitlines()[-1])
    return found


def main() -> None:
    """Measure, and print one line a control."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--before", type=Path, metavar="DIR", help="the other checkout")
    parser.add_argument("--pairs", type=int, default=6, help="how often each is measured (default 6)")
    parser.add_argument("--presses", type=int, default=20, help="presses of each control (default 20)")
    parser.add_argument("--slower", type=float, default=4, help="how much slower the device is (default 4)")
    parser.add_argument("--measure", action="store_true", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.measure:
        print(json.dumps(measure(args.presses, args.slower)))
        return
    if args.before is None or not (args.before / "src").is_dir():
        parser.error("--before names the other checkout, a folder that has src and tests")
    machine = describe_machine()
    print(f"{machine['processor']}, commit {machine['commit']}, {args.slower:g} times slower")
    pairs = [(run(args.before.resolve(), args), run(HERE.parent, args)) for _ in range(args.pairs)]
    for name in CONTROLS:
        before, now = ([pair[place][name] for pair in pairs] for place in (0, 1))
        ratios = sorted(new / old for old, new in zip(before, now, strict=True))
        line = f"{median(before):.1f} ms before, {median(now):.1f} ms now, ratio {median(ratios):.2f}"
        print(f"{name}: {line} ({ratios[0]:.2f}-{ratios[-1]:.2f})")


if __name__ == "__main__":
    main()
