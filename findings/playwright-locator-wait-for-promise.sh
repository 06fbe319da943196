#!/usr/bin/env bash
# Playwright 1.65.2 (Python): Locator.wait_for_function takes the promise of an async function for a truthy value.
#
# The method's docstring says that it waits for a promise to resolve before it checks the value. It returns at once instead,
# whether the promise resolves to true after a second, to false, or never. Page.wait_for_function waits until a promise has
# resolved, but does not check the value either. A synchronous function that returns false times out in both, as it should.
#
# Each function below is waited for with a limit of two seconds. Seen with Python 3.11 and chromium 156:
#
#     false                              Locator timed out        Page timed out
#     promise of false                   Locator returned early   Page returned early
#     promise of true, after a second    Locator returned early   Page waited
#
# Right would be "timed out" in the first two rows and "waited" in the third. This script fails when Playwright 1.65.2 does
# anything else. It needs chromium on the PATH, or lets Playwright install it.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check playwright==1.65.2
browser=$(command -v chromium-headless-shell || command -v chromium || true)
if [ -z "$browser" ]; then "$folder/venv/bin/playwright" install chromium-headless-shell; fi
cat >"$folder/run.py" <<'PYTHON'
import sys
import time

from playwright.sync_api import TimeoutError as Late
from playwright.sync_api import sync_playwright

FUNCTIONS = {
    "false": "() => false",
    "promise of false": "async () => false",
    "promise of true, after a second": "() => new Promise((done) => setTimeout(() => done(true), 1000))",
}


def waited(target, function):
    start = time.monotonic()
    try:
        target.wait_for_function(function, timeout=2000)
    except Late:
        return "timed out"
    return "waited" if time.monotonic() - start >= 1 else "returned early"


with sync_playwright() as playwright:
    browser = playwright.chromium.launch(executable_path=sys.argv[1] or None, args=["--no-sandbox"])
    page = browser.new_page()
    page.set_content("<button>a button</button>")
    for name, function in FUNCTIONS.items():
        locator, whole = waited(page.locator("button"), function), waited(page, function)
        print(f"{name:<34} Locator {locator:<16} Page {whole}")
PYTHON
"$folder/venv/bin/python" "$folder/run.py" "$browser" >"$folder/seen"
cat "$folder/seen"
diff "$folder/seen" - <<'SEEN'
false                              Locator timed out        Page timed out
promise of false                   Locator returned early   Page returned early
promise of true, after a second    Locator returned early   Page waited
SEEN
echo "as described"
