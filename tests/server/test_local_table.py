"""A table in the page sends the same messages as the server's, in the same words and at the same moment."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import asdict
from functools import partial
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest

from lastcard.analysis import highlights as analysis
from lastcard.analysis.report import estimate_match_chances, make_report
from lastcard.bots import advice
from lastcard.bots.evaluation import MoveEvaluator
from lastcard.game.rulesets import GAMES, PRESETS, ruleset
from lastcard.match.match import Match
from lastcard.server.game.advice import _advised, make_observation
from lastcard.server.game.career import career, rank_players
from lastcard.server.http import reports
from lastcard.server.store.rows import PastMatch, Sitter
from lastcard.text.locale import LANGUAGES, catalog
from lastcard.text.narration import Narrator
from support import report_samples
from support.node import Node
from support.random_play import seeded, seeds, walk
from support.report_samples import EFFORTS, ROLLOUTS, SEARCH_BUDGETS
from tools.differential.local_table import (
    HINT_CONFIG,
    ServerRun,
    all_texts,
    differences,
    hint_task,
    in_order,
    run_table,
)

TABLE_SEEDS = (3, 5, 6, 7, 10, 17, 25, 26, 39, 45, 67, 68, 78, 80, 84, 95, 96, 112)
"""Seeds of tables at which every kind of message occurs."""


@pytest.fixture(scope="module")
def tables(node: Node) -> list[tuple[ServerRun, dict[str, Any]]]:
    """Tables of all kinds, on both sides; ``make differential-js`` tests more of them."""
    played_tables = [run_table(seed) for seed in TABLE_SEEDS]
    return [(each, node.ask("table", **each.task)) for each in played_tables]


def test_every_message_is_the_same(tables: list[tuple[ServerRun, dict[str, Any]]]) -> None:
    for seed, (expected, answer) in zip(TABLE_SEEDS, tables, strict=True):
        wrong = differences(expected, answer)
        assert not wrong, "\n".join([f"table {seed}", *wrong])


def test_the_tables_cover_much(tables: list[tuple[ServerRun, dict[str, Any]]]) -> None:
    """The tables have whole matches of all games, for one person and several, with many refusals and hints."""
    messages = [message for expected, _ in tables for message in expected.messages]
    kinds = Counter(message["type"] for message in messages)
    assert min(kinds[kind] for kind in ("welcome", "table", "dealt", "moved", "done", "refused", "advice")) > 0
    assert len({message["code"] for message in messages if message["type"] == "refused"}) > 15
    assert {run.task["setup"]["settings"]["rules"].partition("+")[0] for run, _ in tables} == {
        "all-wild",
        "classic",
        "wild-jackpot",
    }
    assert {len(run.task["setup"]["people"]) for run, _ in tables} >= {1, 2, 3}
    assert sum(len(run.finished) for run, _ in tables) >= 3
    seats = [seat for message in messages if message["type"] == "table" for seat in message["table"]["seats"]]
    assert {seat["style"] for seat in seats if seat} == {"", "cautious", "aggressive", "hoarder"}
    step_counts = Counter(step["act"] for run, _ in tables for step in run.task["steps"])
    assert min(step_counts[name] for name in ("setViewer", "again", "hello", "hangUp", "add", "remove")) > 0


@pytest.mark.parametrize("path", [("text",), ("public", "top"), ("ply",)])
def test_a_difference_is_found(tables: list[tuple[ServerRun, dict[str, Any]]], path: tuple[str, ...]) -> None:
    expected, answer = tables[0]
    changed = [dict(message) for message in answer["messages"]]
    place = next(message for message in changed if path[0] in message)
    if len(path) == 2:
        place[path[0]] = {**place[path[0]], path[1]: "?"}
    else:
        place[path[0]] = "?"
    assert differences(expected, {**answer, "messages": changed})


def test_a_missing_message_is_found(tables: list[tuple[ServerRun, dict[str, Any]]]) -> None:
    expected, answer = tables[0]
    last = max(i for i, message in enumerate(answer["messages"]) if message["type"] != "step")
    assert differences(expected, {**answer, "messages": answer["messages"][:last] + answer["messages"][last + 1 :]})


def test_a_bot_that_thinks_past_its_time_ends_the_match(node: Node) -> None:
    """A late search moves by a timer, after which the table sees the end; the match was not saved in that case."""
    setup = {"settings": {"rules": "all-wild+hand_size=5", "seats": 3}, "people": [{"id": "ann", "name": "Ann"}]}
    assert node.ask("late", setup=setup, language="en", texts=all_texts("en")) == 1


@pytest.mark.parametrize("block", range(2))
def test_hints_are_the_same_from_what_the_seat_knows(block: int, node: Node) -> None:
    """A page with a seat's view computes the server's hint for it: moves, figures, words."""
    decisions: Counter[str] = Counter()
    for seed in seeds(12, block):
        with seeded(seed) as rng:
            language = rng.choice(LANGUAGES)
            for table in walk(seed, rng, 80):
                if table.over or rng.random() > 0.1:
                    continue
                match = Match(table.rules, table.players, seed=0)
                view = table.view(table.turn)
                observation = make_observation("question", 0, view)
                seen = {
                    "rules": str(table.rules),
                    "players": match.players,
                    "seat": table.turn,
                    "rule": view.rule,
                    "table": observation.table,
                    "past": observation.past,
                }
                ranked = advice.rank_moves(view, *HINT_CONFIG, None)
                found = advice.make_hints(view, ranked, Narrator(match, catalog(language)))
                expected = [msgspec.to_builtins(_advised(hint)) for hint in found]
                assert in_order(node.ask("hint", seen=seen, **hint_task(language))) == in_order(expected)
                decisions[table.decision] += 1
    assert decisions["play"] > 10 and len(decisions) > 2


# --- results of matches ---------------------------------------------------------------------------------


TEAM_PLAY = ("classic+team_play", "classic+harsh+team_play")


def random_rules(rng: random.Random) -> str:
    """A ruleset of any game and preset."""
    return f"{rng.choice(list(GAMES))}+{rng.choice(list(PRESETS))}"


def past_match(number: int, rng: random.Random) -> tuple[PastMatch, dict[str, Any]]:
    """A finished match, as the server and as a device store it: by one person, or by several with their names."""
    options = ruleset(rng.choice((*TEAM_PLAY, random_rules(rng))))
    rules, seats = str(options), 4 if options.options.team_play else rng.randrange(2, 11)
    persons = sorted(rng.sample(range(seats), rng.randrange(1, min(4, seats) + 1)))
    names = rng.sample(("Ann", "Ben", "Cleo", "Dan"), len(persons)) if len(persons) > 1 else ["Ann"]
    named = dict(zip(persons, names, strict=True))
    won = rng.randrange(seats)
    winners = (won, (won + 2) % 4) if options.options.team_play else (won,)
    sitters = tuple(Sitter(seat, named.get(seat), named.get(seat), seat in named or None) for seat in range(seats))
    stored = {
        "rules": rules,
        "names": [named.get(seat, f"Bot {seat}") for seat in range(seats)],
        "seats": persons,
        "finished": number,
        "winners": winners,
        "takenBack": False,
    }
    return PastMatch(f"m{number}", rules, number, winners, sitters, (), ()), stored


@pytest.mark.parametrize("seed", range(20))
def test_careers_are_the_same(seed: int, node: Node) -> None:
    """Shares won, chance, streaks and course of a single player; the leaderboard of people who share a device."""
    rng = random.Random(seed)
    matches = [past_match(number, rng) for number in range(rng.randrange(40))]
    unfinished = {**past_match(99, rng)[1], "winners": None}
    practice = {**past_match(99, rng)[1], "takenBack": True}
    listed = [*(stored for _, stored in matches), unfinished, practice]
    rng.shuffle(listed)
    found = node.ask("careers", matches=listed)
    latest = [past for past, _ in reversed(matches)]
    alone = [past for past in latest if sum(sitter.player is not None for sitter in past.sitters) == 1]
    if alone:
        expected = msgspec.to_builtins(career(alone, "Ann"))
        for figure in ("total", "shares", "streak", "longest", "course", "rivals"):
            assert in_order(found["career"][figure]) == in_order(expected[figure]), figure
    assert in_order(found["honors"]) == in_order(msgspec.to_builtins(rank_players(latest)))


# --- highlights of a match --------------------------------------------------------------------------------


@pytest.mark.parametrize("rules", ["all-wild", "classic+jump_in+stacking=same", "wild-jackpot", "classic+team_play"])
def test_highlights_are_the_same(rules: str, node: Node, monkeypatch: pytest.MonkeyPatch) -> None:
    """Costly decisions, luck, a comeback or a lead, from the record alone."""
    monkeypatch.setattr(analysis, "ROLLOUTS", ROLLOUTS)
    monkeypatch.setattr(analysis, "COSTLY", 0.01)
    monkeypatch.setattr(analysis, "MoveEvaluator", lambda: MoveEvaluator(*EFFORTS))
    constants = {"moments": {"rollouts": ROLLOUTS, "costly": 0.01}, "judge": SEARCH_BUDGETS}
    kinds, seats = set(), [0, 2]
    for seed in range(2):
        match = report_samples.play_match(rules, "casual,learner,sharp,casual", rounds=99, seed=seed)
        found = [asdict(moment) for moment in analysis.find_highlights(match, seats)]
        assert node.ask("moments", record=match.record().text(), seats=seats, set=constants) == found, seed
        kinds |= {moment["kind"] for moment in found}
    assert len(kinds) >= 2


@pytest.mark.parametrize(
    ("rules", "language", "seed"),
    [
        ("all-wild", "en", 1),
        ("classic+jump_in+stacking=same", "pl", 6),
        ("wild-jackpot", "fr", 3),
        ("classic+team_play", "es", 1),
    ],
)
def test_reports_are_the_same(
    rules: str, language: str, seed: int, node: Node, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Luck and skill from the record alone: every figure, curve and sentence."""
    match = report_samples.play_match(rules, "casual,learner,sharp,casual", rounds=2, seed=seed)
    search, measure = EFFORTS
    quick = partial(make_report, rollouts=ROLLOUTS, search_config=search, measure_config=measure, threads=1)
    monkeypatch.setattr(reports, "make_report", quick)
    monkeypatch.setattr(reports, "estimate_match_chances", partial(estimate_match_chances, rollouts=ROLLOUTS))
    monkeypatch.setattr(reports, "replay_match", lambda row, moves: match)
    row: Any = SimpleNamespace(id=f"report {rules}", names=())
    constants = {"report": {"rollouts": ROLLOUTS, "firstRollouts": ROLLOUTS}, "judge": SEARCH_BUDGETS}
    texts = all_texts(language)
    asked = {"record": match.record().text(), "set": constants, "language": language, "texts": texts}
    pages = []
    for make in (reports.make_first_page, reports.make_page):
        page = msgspec.to_builtins(make(row, [], catalog(language)))
        found = node.ask("report", **asked, first=make is reports.make_first_page)
        for key, expected in page.items():
            assert in_order(found[key]) == in_order(expected), key
        pages.append(page)
    first, page = pages
    assert first["lists"] == page["lists"][:1], "made of as many rollouts"
    assert sum(len(each["lines"]) for each in page["lists"]) > 7
    has_winning_line = any(" → " in text for _, _, text in page["lists"][1]["lines"])
    is_said = rules in ("all-wild", "wild-jackpot", "classic+team_play")
    assert has_winning_line == is_said, "of these matches it is said"
