"""Questions about the rules put to a model, and the share of right answers by clause."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from statistics import fmean
from typing import Any, Final

from lastcard.agents.benchmark.eval_agents import Agent
from lastcard.agents.benchmark.eval_report import CONFIDENCE
from lastcard.agents.benchmark.questions import LETTERS, Question
from lastcard.arena.confidence_sequences import BettingSequence
from lastcard.bots.statistics import Estimate
from lastcard.errors import UsageError
from lastcard.text.explanation import explain_ruleset

HOW_TO_ANSWER: Final = """\
You are asked what happens in a card game of the UNO family. All hands are open. Answer with the letter of the one right
option, as JSON: {"answer": "A"}

Cards: R Y G B are red, yellow, green and blue; s is Skip, ss Skip Two, r Reverse, +2 Draw Two, j Jackpot: R5, Ys, B+2.
W is a Wild, W+4 a Wild Draw Four, Wx a Forced Swap, W@2 a Targeted Draw Two; W*3 is three Wilds.
Moves: R5 plays a card, W=G a wild that becomes green, Wx>2 a card at a seat, R5! a card with an UNO call; draw, pass
(keep the drawn card), accept (draw what is waiting), challenge, uno, catch>2 (catch seat 2), color=G, choose>3, pull
(the lever), throw R5, stop, bury R5, take>1, done. 0:R5 is a move of seat 0; seats are numbered clockwise from 0.
The last card of discard is the top, the first of draw is drawn next; direction is cw (clockwise) or ccw. Seat 0 plays
first unless turn names another.
"""
_LABELED: Final = re.compile(r'"answer"\s*:\s*"\s*([A-D])\b', re.IGNORECASE)
_LONELY: Final = re.compile(r"\W*(?:answer|option)?\W*([A-D])\b\W*", re.IGNORECASE)
UNREADABLE: Final = ""
"""The letter of an answer in which none was found."""


@dataclass(frozen=True, slots=True)
class Answered:
    """A question and the letter that was answered."""

    question: Question
    letter: str

    @property
    def is_right(self) -> bool:
        """Whether it is the right one."""
        return self.letter == self.question.right


def read_letter(text: str) -> str:
    """Returns the letter in an answer, the last one if several are labeled; ``UNREADABLE`` if there is none."""
    labeled = _LABELED.findall(text)
    if labeled:
        return str(labeled[-1]).upper()
    lonely = _LONELY.fullmatch(text.strip().splitlines()[-1]) if text.strip() else None
    return lonely[1].upper() if lonely else UNREADABLE


@cache
def _system_prompt(rules: str, *, with_rules: bool) -> str:
    return HOW_TO_ANSWER + (f"\n{explain_ruleset(rules)}" if with_rules else "")


def ask_questions(agent: Agent, questions: Sequence[Question], *, with_rules: bool = True) -> Iterator[Answered]:
    """Yield questions with a model's answers.

    Args:
        with_rules: whether the prompt has the rules of the table.

    Raises:
        UsageError: for an agent that is no model.
        PlayerError: if the model cannot be asked.
    """
    if agent.ask is None:
        raise UsageError(f"only a model answers questions, not {agent.name}")
    for question in questions:
        system = _system_prompt(question.rules, with_rules=with_rules)
        messages = [{"role": "system", "content": system}, {"role": "user", "content": question.text}]
        yield Answered(question, read_letter(agent.ask(messages).text))


def name_questions(questions: Sequence[Question]) -> str:
    """Returns the name of a set of questions, which changes with any of them."""
    digest = hashlib.sha256("\n".join(question.text for question in questions).encode()).hexdigest()
    return f"lastcard-questions-{len(questions)}-{digest[:8]}"


def report_answers(
    agent: Mapping[str, Any], questions: Sequence[Question], found: Sequence[Answered]
) -> dict[str, Any]:
    """Returns the report of answers as plain values.

    Intervals treat the cases as a random sample of such cases, and hold at every number of questions together.

    Args:
        agent: ``Agent.as_dict``.
        questions: all questions, in their order.
    """
    clauses = sorted({clause for each in found for clause in each.question.clauses})
    return {
        "suite": name_questions(questions),
        **agent,
        "confidence": CONFIDENCE,
        "asked": len(found),
        "right": _share([each.is_right for each in found]),
        "by_chance": round(fmean(1 / len(each.options) for each in questions), 6),
        "unreadable": sum(each.letter == UNREADABLE for each in found),
        "clauses": {
            clause: _share([each.is_right for each in found if clause in each.question.clauses]) for clause in clauses
        },
    }


def _share(right: Sequence[bool]) -> dict[str, Any]:
    """Returns the share of right answers with its interval, and their number."""
    if not right:
        return {"asked": 0, "value": None, "low": None, "high": None}
    sequence = BettingSequence(CONFIDENCE)
    for value in right:
        sequence.add(float(value))
    low, high = sequence.interval()
    return {"asked": len(right), **Estimate(fmean(right), (high - low) / 2, (low, high)).as_dict()}


def format_answers(report: dict[str, Any]) -> str:
    """Returns a report in words, the clauses with most wrong answers first."""
    if not report["asked"]:
        return f"{report['suite']}: no question was answered yet\n"
    right = report["right"]
    wrong = {
        clause: (round(each["asked"] * (1 - each["value"])), each["asked"])
        for clause, each in report["clauses"].items()
    }
    worst = sorted((clause for clause in wrong if wrong[clause][0]), key=lambda clause: -wrong[clause][0])
    lines = [
        f"{report['suite']}: {report['asked']} questions, options {LETTERS[0]} to {LETTERS[-1]}",
        f"{report['agent'].rpartition('#')[2]}: {100 * right['value']:.1f} % right ({100 * right['low']:.1f} to"
        f" {100 * right['high']:.1f}), by chance {100 * report['by_chance']:.1f} %; {report['unreadable']} unreadable",
        "Wrong answers by clause: "
        + (", ".join(f"{clause} {wrong[clause][0]} of {wrong[clause][1]}" for clause in worst) or "none"),
    ]
    return "\n".join(lines) + "\n"
