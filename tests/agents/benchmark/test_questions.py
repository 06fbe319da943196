"""Questions made from conformance cases: one right answer each, and a random answerer is right by chance."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path

import pytest

from lastcard.agents.benchmark.question_run import UNREADABLE, Answered, read_letter, report_answers
from lastcard.agents.benchmark.questions import LETTERS, NONE_OF_THESE, Question, read_questions
from lastcard.cli.main import main
from lastcard.formats.cases import run_case
from support.clauses import conformance_files
from support.model_servers import serve_model


@pytest.fixture(scope="module")
def questions() -> list[Question]:
    """The questions about all cases."""
    return read_questions(conformance_files())


def test_every_case_becomes_a_question(questions: list[Question]) -> None:
    cases = sum(path.read_text(encoding="utf-8").count("[[case]]") for path in map(Path, conformance_files()))
    assert len(questions) == len({question.id for question in questions}) == cases > 600
    assert all(question.clauses for question in questions)


def test_every_question_has_one_right_answer(questions: list[Question]) -> None:
    """By the engine: exactly one option's case passes, or none if the right one is none of these."""
    for question in questions:
        true = [
            letter
            for letter, case in zip(LETTERS, question.options, strict=False)
            if case is not None and not run_case(case)
        ]
        texts = [line for line in question.text.splitlines() if line[:2] in [f"{letter})" for letter in LETTERS]]
        assert len({text[3:] for text in texts}) == len(question.options) >= 2, question.id
        if question.options[-1] is None and not true:
            assert question.text.endswith(NONE_OF_THESE)
            true = [LETTERS[len(question.options) - 1]]
        assert true == [question.right], question.id


def share(questions: list[Question], answers: dict[str, str]) -> tuple[float, float, float]:
    """The share of right answers of a report with its interval."""
    right = report_answers({}, questions, [Answered(each, answers[each.id]) for each in questions])["right"]
    return right["value"], right["low"], right["high"]


def test_answers_by_chance(questions: list[Question]) -> None:
    """A random answerer, and those that always give the first or the second option, are right as often as by chance."""
    dice, chance = random.Random(1), sum(1 / len(each.options) for each in questions) / len(questions)
    strategies: list[Callable[[Question], str]] = [
        lambda each: dice.choice(LETTERS[: len(each.options)]),
        lambda each: "A",
        lambda each: "B",
    ]
    for choose in strategies:
        _, low, high = share(questions, {each.id: choose(each) for each in questions})
        assert low < chance < high < 0.4
    assert share(questions, {each.id: each.right for each in questions})[1] > 0.98


@pytest.mark.parametrize(
    ("text", "letter"),
    [
        ('{"answer": "B"}', "B"),
        ('Not {"answer": "A"} but {"answer": "c"}', "C"),
        ("I think so.\nAnswer: D", "D"),
        ("b)", "B"),
        ("A good question.", UNREADABLE),
        ('{"answer": "E"}', UNREADABLE),
        ("", UNREADABLE),
    ],
)
def test_letters(text: str, letter: str) -> None:
    assert read_letter(text) == letter


@pytest.mark.parametrize("with_rules", [True, False])
def test_a_model_is_asked(
    with_rules: bool, questions: list[Question], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """One that is always right, except in questions about team play."""
    files = [path for path in conformance_files() if Path(path).stem in ("team", "jump-in")]
    team = {question.id for question in read_questions(files[-1:])}
    by_text = {question.text: question for question in questions}

    def answer(messages: list[dict[str, str]]) -> str:
        asked = by_text[messages[-1]["content"]]
        return "?" if asked.id in team else json.dumps({"answer": asked.right})

    with serve_model(answer) as server:  # type: ignore[arg-type]
        words = ["eval", "--agent", f"openai:{server.url}#m", "--out", str(tmp_path), "--questions", *map(str, files)]
        assert main([*words, "--json", *([] if with_rules else ["--without-rules"])]) == 0
        report = json.loads(capsys.readouterr().out)
        assert main([*words, *([] if with_rules else ["--without-rules"])]) == 0
    assert len(server.requests) == report["asked"] == len(read_questions(files)), "the second time from the cache"
    assert report["unreadable"] == len(team) and report["right"]["value"] == pytest.approx(
        1 - len(team) / report["asked"]
    )
    assert any(clause["value"] == 0 for clause in report["clauses"].values())
    assert ("LC-41" in server.requests[0]["messages"][0]["content"]) == with_rules
    assert "% right" in capsys.readouterr().out
