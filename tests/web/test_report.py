"""Luck and skill beside the replay: the chart and the lists link to their moves."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from lastcard.analysis.html_report import report_page
from lastcard.analysis.report_model import Report
from lastcard.text.locale import LANGUAGES
from support.matches import wild_jackpot_replay
from support.mock_site import MockSite
from support.pointers import box_of
from support.report_samples import play_match, quick_report

HEADS = ["Won", "Before", "Deal", "Draws", "Hidden cards", "Own choices", "Others"]
LONG_NAME = "W" * 24
CUT_OFF = "all => all.filter(table => table.scrollWidth > table.clientWidth).length"


def report_of(replay: dict[str, Any]) -> dict[str, Any]:
    """A report that fits a replay; only its display matters."""
    seats = range(len(replay["names"]))
    rounds = [len(one["steps"]) + 1 for one in replay["rounds"]]
    curve = {
        "title": "Somebody wins",
        "marks": [{"ply": 2, "seat": 1, "kind": "mistake"}, {"ply": 3, "seat": 0, "kind": "find"}],
    }
    return {
        "notes": ["In this model everybody follows a simple strategy."],
        "marks": "A dot is a mistake.",
        "curves": [
            {**curve, "chances": [[0.1 * (seat + 1) for seat in seats]] * n, "errors": [[0.02 for _ in seats]] * n}
            for n in rounds
        ],
        "tables": [
            {"title": "Accounts", "about": "In rounds.", "heads": ["Player", *HEADS],
             "rows": [[[LONG_NAME, ""], *[["+0.10", "±0.02"]] * len(HEADS)]]}
        ],
        "lists": [
            {"title": "Worst decisions", "none": "None.", "lines": [[0, 3, "Ada: red 5. Better: a card."]]},
            {"title": "Missed calls", "none": "Nobody missed a call.", "lines": []},
        ],
    }  # fmt: skip


@pytest.fixture
def site(shared_site: MockSite) -> MockSite:
    """The replay of a finished match, with a report."""
    site = shared_site
    site.page.set_viewport_size({"width": 390, "height": 844})
    replay = wild_jackpot_replay()
    site.answers = {
        "/api/matches/m7/replay": replay,
        "/api/matches/m7/report": report_of(replay),
    }
    site.open("/match/m7")
    return site


@cache
def written() -> Report:
    """A quick report of a real round."""
    return quick_report(play_match("classic", "sharp,sharp,sharp,sharp"))


def open_report(site: MockSite) -> None:
    """Press the button, unfold all figures and wait for the chart."""
    site.page.get_by_role("button", name="Luck and skill").click()
    site.page.locator(".report-figures").wait_for()
    site.page.locator(".report-figures").evaluate("figures => figures.open = true")
    site.page.locator(".report-chart").wait_for()


def test_the_report_is_loaded_on_request(site: MockSite) -> None:
    assert ("GET", "/api/matches/m7/report") not in site.calls
    open_report(site)
    assert ("GET", "/api/matches/m7/report") in site.calls
    expect(site.page.get_by_text("Nobody missed a call.")).to_be_visible()
    expect(site.page.get_by_text("everybody follows a simple strategy")).to_be_visible()
    assert not site.errors


def test_the_chances_are_shown_first_and_replaced_in_place(site: MockSite) -> None:
    whole = site.answers["/api/matches/m7/report"]
    changes = {"title": "Largest changes", "none": "None.", "lines": [[0, 2, "Ada: draw a card."]]}
    first = {**whole, "tables": [], "marks": "", "lists": [changes]}
    site.answers["/api/matches/m7/report"] = {**whole, "lists": [changes, *whole["lists"]]}
    held: list[Route] = []
    site.page.route(lambda url: url.endswith("report?first"), lambda route: route.fulfill(json=first))
    site.page.route(lambda url: url.endswith("report"), lambda route: held.append(route))
    open_report(site)
    report = site.page.locator(".report")
    expect(report.get_by_role("status")).to_be_visible()
    expect(report.get_by_text("Nobody missed a call.")).to_have_count(0)
    report.get_by_role("button", name="Ada: draw a card.").click()
    expect(site.page.locator(".slider")).to_have_value("2")
    chart = report.locator(".report-chart")
    before = chart.bounding_box()
    held[0].fallback()
    expect(report.get_by_text("Nobody missed a call.")).to_be_visible()
    expect(report.get_by_role("status")).to_have_count(0)
    assert chart.count() == 1 and chart.bounding_box() == before
    site.page.keyboard.press("Home")
    expect(report.get_by_text("10.0% ±2.0%")).to_be_visible()
    assert not site.errors


def test_three_moments_come_first(site: MockSite) -> None:
    """Each has a picture and a sentence without figures, and leads to its move; others' moves are luck."""
    replay = site.answers["/api/matches/m7/replay"]
    seat, steps = replay["bots"].index(None), replay["rounds"][0]["steps"]
    own = [i + 1 for i, step in enumerate(steps) if step["seat"] == seat and step["move"] != "draw"]
    others = [i + 1 for i, step in enumerate(steps) if step["seat"] != seat]
    changes = {own[0]: 0.3, own[1]: -0.2, others[0]: 0.1}
    chances = [0.4 + sum(change for ply, change in changes.items() if ply <= i) for i in range(len(steps) + 1)]
    curve = site.answers["/api/matches/m7/report"]["curves"][0]
    curve["chances"] = [[chance if one == seat else 0.1 for one in range(len(replay["names"]))] for chance in chances]
    site.page.get_by_role("button", name="Luck and skill").click()
    moments = site.page.locator(".report-moment")
    expect(moments).to_have_count(3)
    expect(site.page.locator(".report-chart")).to_be_hidden()
    assert moments.locator("svg.card").count() == 3
    assert not re.search(r"±|\d%|imagined|points of chance", site.page.locator(".report-moments").inner_text())
    for name, ply in zip(("Best moment", "Worst moment", "Luckiest moment"), (own[0], own[1], others[0]), strict=True):
        moments.filter(has_text=name).click()
        expect(site.page.locator(".slider")).to_have_value(str(ply))


def test_a_finding_leads_to_its_move(site: MockSite) -> None:
    open_report(site)
    site.page.get_by_role("button", name="Ada: red 5.").click()
    expect(site.page.locator(".slider")).to_have_value("3")


def test_a_tap_on_the_chart_leads_there_and_the_line_follows_the_slider(site: MockSite) -> None:
    open_report(site)
    chart = site.page.locator(".report-chart")
    box = box_of(chart)
    chart.click(position={"x": box["width"] - 2, "y": box["height"] / 2})
    steps = len(site.answers["/api/matches/m7/replay"]["rounds"][0]["steps"])
    expect(site.page.locator(".slider")).to_have_value(str(steps))
    at_end = chart.locator(".now").get_attribute("d") or ""
    site.page.keyboard.press("Home")
    expect(chart.locator(".now")).not_to_have_attribute("d", at_end)
    expect(site.page.locator(".report").get_by_text("10.0% ±2.0%")).to_be_visible()
    assert chart.locator("polyline").count() == len(site.answers["/api/matches/m7/replay"]["names"])
    assert chart.locator("circle.mistake, circle.find").count() == 2


@pytest.mark.parametrize("width", [320, 390])
def test_it_fits_a_phone(site: MockSite, width: int) -> None:
    site.page.set_viewport_size({"width": width, "height": 844})
    open_report(site)
    site.page.locator(".report summary", has_text="Accounts").click()
    expect(site.page.get_by_role("cell", name="+0.10 ±0.02")).to_have_count(len(HEADS))
    assert site.page.locator(".report .wide-table").evaluate_all(CUT_OFF) == 0
    assert site.page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_that_is_written_fits_a_phone(page: Page, language: str) -> None:
    """All figures are on the screen; only the moves of a round, collapsed at first, may be wider."""
    page.set_viewport_size({"width": 320, "height": 568})
    page.set_content(report_page(replace(written(), players=(LONG_NAME, "Ada", "Bo", "Chloe")), language))
    assert page.locator(".stacked").count() == 2
    assert page.locator(".stacked").evaluate_all(CUT_OFF) == 0
    assert page.evaluate("document.documentElement.scrollWidth") <= 320


def test_an_error_is_shown_and_can_be_retried(site: MockSite) -> None:
    found = site.answers.pop("/api/matches/m7/report")
    site.page.get_by_role("button", name="Luck and skill").click()
    expect(site.page.get_by_role("alert").filter(has_text="not found")).to_be_visible()
    site.answers["/api/matches/m7/report"] = found
    held: list[Route] = []
    site.page.route(lambda url: "/api/matches/m7/report" in url, lambda route: held.append(route))
    again = site.page.get_by_role("button", name="Try again")
    again.click()
    expect(again).to_have_count(0)  # it is in progress, and must not be requested twice
    expect(site.page.locator(".report").get_by_role("status")).to_be_visible()
    held[0].fallback()
    site.page.locator(".report-figures").wait_for()


def test_a_match_going_on_has_none(shared_site: MockSite) -> None:
    site = shared_site
    site.answers = {"/api/matches/m9/replay": wild_jackpot_replay(players=3, live=True)}
    site.open("/match/m9")
    expect(site.page.get_by_role("button", name="Luck and skill")).to_have_count(0)
