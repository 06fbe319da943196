"""lastcard.js in a browser: the same files as in Node.js, with the module fetched."""

from __future__ import annotations

import json

from playwright.sync_api import Page

from lastcard.kernel.wasm_backend import MODULE_FILE
from support.clauses import conformance_files
from support.mock_site import ORIGIN, MockSite
from support.node import as_json
from tools.differential.javascript import play_match

PLAY = """async ([setup, acts, cases]) => {
  const { load, Match, readCases, runCase } = await import("/web/bindings/lastcard.js");
  await load(new URL("/kernel/lastcard.wasm", location.href));
  const { rules, ...others } = JSON.parse(setup);
  const match = new Match(rules, others);
  for (const { seat, move } of JSON.parse(acts)) {
    try {
      if (move === "next") match.nextRound();
      else match.do(seat, move);
    } catch (error) {
      if (!("code" in error)) throw error;
    }
  }
  return [match.record(), JSON.stringify(match.view(1)), readCases(cases).flatMap((table) => runCase(table))];
}"""


def test_a_match_in_the_page(own_site: MockSite, page: Page) -> None:
    """The record and the view of a seat are those of the library, and cases pass."""
    played = next(match for match in map(play_match, range(1, 60)) if match.expected["record"])
    page.route(
        f"{ORIGIN}/kernel/**", lambda route: route.fulfill(path=MODULE_FILE.parent / route.request.url.split("/")[-1])
    )
    cases = conformance_files()[0].read_text(encoding="utf-8")
    record, view, wrong = page.evaluate(PLAY, [json.dumps(played.setup), json.dumps(played.moves), cases])
    assert (record, view) == (played.expected["record"], as_json(played.expected["seen"][2]["view"]))
    assert not wrong
    assert not own_site.errors
