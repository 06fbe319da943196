"""Scores after a round or a match."""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass
from functools import partial
from types import SimpleNamespace
from typing import Any, Final

import msgspec
import pytest
from playwright.sync_api import expect

from lastcard.analysis import highlights
from lastcard.analysis.report import make_report
from lastcard.bots.evaluation import MoveEvaluator
from lastcard.match.match import Match
from lastcard.server.http import reports
from lastcard.text.locale import catalog
from support.mock_screen import SIZES_PX, MockScreen
from support.node import Node
from support.report_samples import EFFORTS, ROLLOUTS, SEARCH_BUDGETS, play_match
from support.screens import SCREENS
from support.situations import Situation, reach
from tools.differential.local_table import all_texts

_MIDDLES: Final = """() => ["lc-game .scores", "lc-game .board"].map((part) => {
    const { left, right } = document.querySelector(part).getBoundingClientRect();
    return (left + right) / 2;
})"""


@pytest.mark.parametrize("size", [*SIZES_PX, (320, 568), (844, 390), (768, 1024), (1920, 1080)])
@pytest.mark.parametrize("screen", ["between", "over"])
def test_scores_lie_in_the_middle_of_the_table(stage: MockScreen, size: tuple[int, int], screen: str) -> None:
    """Scores are not centered in the window if a panel is beside the table."""
    SCREENS[screen](stage)
    scores, table = stage.page.evaluate(_MIDDLES)
    if size == (844, 390):  # a phone in landscape: the table has two halves
        table = size[0] / 2
    assert scores == pytest.approx(table, abs=1)


@pytest.mark.parametrize("size", SIZES_PX)
@pytest.mark.parametrize("rules", ["classic", "classic+scoring=tally"])
def test_scores_are_sorted_by_place(stage: MockScreen, rules: str) -> None:
    """The leader of the match is first, even if another player has won the round."""
    tally = "tally" in rules
    now = reach(rules, 4, _other_leads, first_seed=26 if tally else 1225)
    stage.show_match(now)
    match = now.match
    order = sorted(range(4), key=lambda seat: match.scores[seat] * (1 if tally else -1))
    expect(stage.page.locator(".scores tbody th")).to_have_text([match.players[seat] for seat in order])


def _other_leads(match: Match) -> bool:
    """Between rounds, all totals differ, and the winner of the round does not lead."""
    if not match.round.over or match.over or match.round.winner is None or len(set(match.scores)) < len(match.scores):
        return False
    best = min if match.rules.options.scoring == "tally" else max
    return match.scores[match.round.winner] != best(match.scores)


@pytest.mark.parametrize("size", SIZES_PX)
def test_the_match_is_sorted_by_place_too(stage: MockScreen) -> None:
    """Scores are sorted by the cards left if there are no points."""
    now = reach("all-wild+hand_size=5", 4, lambda match: match.over)
    stage.show_match(now, seat=((now.match.round.winner or 0) + 1) % 4)
    counts = now.match.round.counts
    rows = stage.page.locator(".scores tbody th").all_inner_texts()
    held = [counts[now.match.players.index(name)] for name in rows]
    assert held == sorted(held) and held[0] == 0


@pytest.mark.parametrize("size", SIZES_PX)
@pytest.mark.parametrize(("rounds", "part", "first_seed"), [(1, "", 0), (2, " (round 1)", 1146)])
@pytest.mark.parametrize(
    ("verb", "card", "said"),
    [
        ("play", "W+4", "That Wild Draw Four cut your chance to win by 22 points."),
        ("draw", None, "Drawing a card cut your chance to win by 22 points."),
        ("choose", None, "One of your choices cut your chance to win by 22 points."),
    ],
)
def test_the_worst_decision_is_named(
    stage: MockScreen, rounds: int, part: str, first_seed: int, verb: str, card: str | None, said: str
) -> None:
    """The person's worst decision of any kind is named, and of which round; how the winner won is then left out."""
    stage.open("/about")
    you, other = 1, 2
    moments = [_cost(other, "play", "W"), _cost(you, verb, card), _moment("luck", other, 30)]
    stage.mock_answer("/moments", moments)

    def is_over(match: Match) -> bool:
        return match.over and match.number == rounds - 1

    now = reach("classic+hand_size=5+winning_score=100", 4, is_over, first_seed=first_seed)
    stage.show_match(now, seat=you)
    expect(stage.page.locator(".scores-highlight")).to_have_text(said + part)


@dataclass(frozen=True)
class _Analysis:
    """The highlights and the report of a match for the person in a seat."""

    match: Match
    seat: int
    highlights: list[dict[str, Any]]
    report: dict[str, Any]


@pytest.fixture(params=["server", "page"])
def analysis(request: pytest.FixtureRequest, node: Node, monkeypatch: pytest.MonkeyPatch) -> _Analysis:
    """A match of two rounds, with costly decisions of a person in both, analyzed with a server and without."""
    seat = 2
    match = play_match("classic+hand_size=5+winning_score=100", "casual,learner,sharp,casual", rounds=99, seed=45)
    assert match.over and match.number == 1
    if request.param == "page":
        record, constants = match.record().text(), {"judge": SEARCH_BUDGETS}
        sizes = {"rollouts": ROLLOUTS}
        found = node.ask("moments", record=record, seats=[seat], set=constants | {"moments": sizes})
        texts = all_texts("en")
        page = node.ask("report", record=record, set=constants | {"report": sizes}, language="en", texts=texts)
        return _Analysis(match, seat, found, page)
    search, measure = EFFORTS
    monkeypatch.setattr(highlights, "ROLLOUTS", ROLLOUTS)
    monkeypatch.setattr(highlights, "MoveEvaluator", lambda: MoveEvaluator(search, measure))
    quick = partial(make_report, rollouts=ROLLOUTS, search_config=search, measure_config=measure, threads=1)
    monkeypatch.setattr(reports, "make_report", quick)
    monkeypatch.setattr(reports, "replay_match", lambda row, moves: match)
    row: Any = SimpleNamespace(id="worst decision", names=())
    page = msgspec.to_builtins(reports.make_page(row, [], catalog("en")))
    reports._REPORTS.clear()
    return _Analysis(match, seat, [asdict(one) for one in highlights.find_highlights(match, [seat])], page)


@pytest.mark.parametrize("size", SIZES_PX)
def test_the_sentence_and_the_report_name_the_same_decision(stage: MockScreen, analysis: _Analysis, node: Node) -> None:
    """Both name the person's worst decision of the match, which is not in its last round."""
    match, seat = analysis.match, analysis.seat
    stage.open("/about")
    stage.mock_answer("/moments", analysis.highlights)
    stage.mock_answer("/report", analysis.report)
    stage.mock_answer("/replay", node.ask("replay", record=match.record().text()))
    stage.show_match(Situation(match), seat=seat, names=match.players)
    sentence = stage.page.locator(".scores-highlight")
    expect(sentence).to_have_text(re.compile("cut your chance to win by"))
    said = sentence.inner_text()
    stage.open("/match/m1", ".slider")
    stage.press("web.report.title")
    stage.page.get_by_text(stage.text("web.report.figures")).click()
    worst = stage.page.locator(".report h3", has_text="Worst decisions").locator("xpath=..").locator("li")
    line = worst.filter(has_text=match.players[seat]).first.inner_text()
    parts = re.fullmatch(r"(\d+)·\d+ [^:]+: (.+) \(\w+\)\. Better by ([\d.]+)\s.*", line)
    assert parts is not None, line
    round_number, card, loss = parts.groups()
    assert said == f"That {card} cut your chance to win by {float(loss):.0f} points. (round {round_number})"
    assert round_number == "1"


@pytest.mark.parametrize("size", SIZES_PX)
def test_how_the_winner_won_names_its_round(stage: MockScreen) -> None:
    """A person without a costly decision reads about the last round."""
    stage.open("/about")
    stage.mock_answer("/moments", [_moment("luck", 2, 30) | {"round": 1}])
    now = reach(
        "classic+hand_size=5+winning_score=100", 4, lambda match: match.over and match.number == 1, first_seed=1146
    )
    stage.show_match(now, seat=1)
    expect(stage.page.locator(".scores-highlight")).to_have_text(re.compile(r" got lucky at the end\. \(round 2\)$"))


def _cost(seat: int, verb: str, card: str | None) -> dict[str, Any]:
    return _moment("cost", seat, 22) | {"ply": 5, "verb": verb, "card": card}


def _moment(kind: str, seat: int, points: int) -> dict[str, Any]:
    others = dict.fromkeys(("ply", "verb", "card", "chance"))
    return {"kind": kind, "round": 0, "seat": seat, "points": points} | others
