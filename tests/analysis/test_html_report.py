"""The HTML page of a report: one well-formed file for every language and screen."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from xml.etree import ElementTree

import pytest

from lastcard.analysis.html_report import report_page
from lastcard.analysis.report_model import Report
from lastcard.analysis.report_text import ReportTexts
from lastcard.bots.statistics import Estimate
from lastcard.game.moves import Move
from lastcard.text.locale import LANGUAGES, catalog
from support.report_samples import play_match, quick_report

SVG = ".//svg[@class='chart']"


@cache
def make_report() -> Report:
    """A report of two rounds with a lever, mistakes and missed calls."""
    return quick_report(play_match("wild-jackpot", "learner,casual,learner", 2, seed="page"))


def parse_page(page: str) -> ElementTree.Element:
    """The page as a tree; except for its first line it is well-formed XML."""
    first, rest = page.split("\n", 1)
    assert first == "<!DOCTYPE html>"
    return ElementTree.fromstring(rest)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_is_well_formed_and_self_contained(language: str) -> None:
    page = report_page(make_report(), language)
    tree = parse_page(page)
    assert tree.get("lang") == language
    assert not re.search(r"https?:|//\w|src=|url\(|@import|<script|<link|<img|style=|\son\w+=", page)
    assert all(link.get("href", "").startswith("#r") for link in tree.iter("a"))
    assert not re.search(r"\{\w+\}|None", page.partition("</style>")[2])


def test_ids_are_unique_and_references_resolve() -> None:
    tree = parse_page(report_page(make_report(), "en"))
    ids = [element.get("id") for element in tree.iter() if element.get("id")]
    assert len(ids) == len(set(ids))
    named = " ".join(svg.get("aria-labelledby", "") for svg in tree.iterfind(SVG)).split()
    targets = [link.get("href", "")[1:] for link in tree.iter("a")]
    assert named and targets
    assert {*named, *targets} <= set(ids)


def test_each_round_has_a_chart_with_words_and_figures() -> None:
    report = make_report()
    tree = parse_page(report_page(report, "en"))
    charts = tree.findall(SVG)
    assert len(charts) == len(report.rounds) == 2
    for one, svg in zip(report.rounds, charts, strict=True):
        assert svg.findtext("title") == f"Chances to win round {one.number + 1}"
        assert f"{len(one.steps)} in all" in (svg.findtext("desc") or "")
        lines = svg.findall("g/polyline")
        assert len(lines) == len(report.players)
        assert all(len(line.get("points", "").split()) == len(one.steps) + 1 for line in lines)
    sections = tree.findall(".//section[@class='round']")
    for one, section in zip(report.rounds, sections, strict=True):
        rows = section.findall(".//tbody/tr")
        assert len(rows) == len(one.steps) + 1
        assert rows[-1].findall("td")[1 + (one.winner or 0)].text == "100.0\N{NO-BREAK SPACE}±0.0\N{NO-BREAK SPACE}%"


def test_a_chart_stays_within_its_frame() -> None:
    tree = parse_page(report_page(make_report(), "en"))
    for shape in (*tree.iterfind(f"{SVG}/g/polyline"), *tree.iterfind(f"{SVG}/g/polygon")):
        for point in shape.get("points", "").split():
            x, y = map(float, point.split(","))
            assert 36 <= x <= 352 and 8 <= y <= 192


def test_marks_are_placed_at_mistakes_and_finds() -> None:
    report = make_report()
    tree = parse_page(report_page(report, "en"))
    mistakes = sum(decision.loss.is_positive for one in report.rounds for decision in one.decisions)
    assert len(tree.findall(f"{SVG}/circle")) >= mistakes > 0


def test_mistakes_are_counted_by_kind() -> None:
    """The sum over the kinds equals the column of all mistakes and the calls that were caught."""
    report = make_report()
    heads, rows = ReportTexts(report, catalog("en")).mistake_table()
    assert heads[1:] == list(report.players)
    for seat, account in enumerate(report.accounts):
        caught = sum(call.seat == seat and call.by is not None for call in report.calls())
        assert sum(int(row[1 + seat][0]) for row in rows) == account.mistakes + caught
    assert rows
    assert "<h3>Mistakes by kind</h3>" in report_page(report, "en")


def test_names_cannot_be_markup() -> None:
    names = ('<b>&"x', "'><script>", "C")
    page = report_page(replace(make_report(), players=names), "en")
    parse_page(page)
    assert "<b>" not in page and "<script>" not in page
    assert "&lt;b&gt;&amp;" in page


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_move_has_words(language: str) -> None:
    words = ReportTexts(make_report(), catalog(language))
    moves = [
        None, Move("play", 5), Move("play", 64, color=1), Move("play", 64, target=1), Move("draw"), Move("pass"),
        Move("challenge"), Move("accept"), Move("color", color=2), Move("choose", target=0), Move("pull"),
        Move("throw", 5), Move("stop"), Move("bury", 5), Move("take", target=2), Move("done"), Move("uno"),
        Move("catch", target=1),
    ]  # fmt: skip
    said = [words.move(move) for move in moves]
    assert len(set(said)) == len(said)
    assert not [line for line in said if "{" in line or "None" in line]


def test_numbers_have_the_format_of_the_language() -> None:
    english, french = (ReportTexts(make_report(), catalog(language)) for language in ("en", "fr"))
    tied = "\N{NO-BREAK SPACE}"
    assert english.percent(Estimate(-0.1234, 0.05), signed=True) == f"−12.3{tied}±5.0{tied}%"
    assert french.percent(Estimate(0.1234, 0.05), signed=True) == f"+12,3{tied}±5,0{tied}%"
    assert english.rounds(Estimate(-0.001, 0.0)) == ("0.00", "±0.00")
