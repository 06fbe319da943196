"""Measure a language model, a program or a bot on a fixed suite of deals, or ask it questions about the rules."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from lastcard.cli.arguments import add_shared
from lastcard.cli.command import INTERRUPTED, interrupt_on_signals

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lastcard.agents.benchmark.eval_report import Prices

EXAMPLES = (
    "lastcard eval --agent openai:http://127.0.0.1:8000/v1#my-model --out my-model",
    "lastcard eval --agent openai:https://api.example.com/v1#large --parameter temperature=0 --prices 3,15 --out large",
    "lastcard eval --agent 'command:python3 my_bot.py' --deals 20 --out my-bot",
    "lastcard eval --agent openai:http://127.0.0.1:8000/v1#small --questions tests/conformance/*.toml --out small",
)
_DEFAULT_DEALS: Final = 5


def read_parameter(text: str) -> tuple[str, Any]:
    """Return a name and its value, JSON or a text; raise an ArgumentTypeError for text without a ``=``."""
    name, mark, value = text.partition("=")
    if not mark or not name:
        raise argparse.ArgumentTypeError(f"a parameter is written as in temperature=0, not {text!r}")
    if name in ("model", "messages", "stream"):
        raise argparse.ArgumentTypeError(f"{name} is no parameter")
    try:
        return name, json.loads(value)
    except ValueError:
        return name, value


def read_prices(text: str) -> Prices:
    """Return the prices in ``3,15``; raise an ArgumentTypeError for any other text."""
    from lastcard.agents.benchmark.eval_report import Prices

    try:
        per_million_in, per_million_out = map(float, text.split(","))
    except ValueError:
        raise argparse.ArgumentTypeError(f"prices are written as in 3,15, not {text!r}") from None
    return Prices(per_million_in, per_million_out)


def positive(text: str) -> int:
    """Return a number from 1; argparse names this function where it is no number."""
    if (number := int(text)) < 1:
        raise argparse.ArgumentTypeError(f"a number from 1 is needed, not {text}")
    return number


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    add = parser.add_argument
    add(
        "--agent",
        required=True,
        metavar="AGENT",
        help="openai:URL#MODEL for a model of an OpenAI-compatible server (its key is read from $LASTCARD_API_KEY), "
        "command:PROGRAM for a program, as for lastcard bot, or one of our bots",
    )
    add_shared(
        parser,
        "--out",
        required=True,
        metavar="DIR",
        help="folder for answers, figures and records; the same command goes on there",
    )
    add("--deals", type=positive, default=_DEFAULT_DEALS, metavar="N", help="deals at each table (default %(default)s)")
    add(
        "--questions",
        nargs="+",
        type=Path,
        metavar="FILE",
        help="ask one question about each conformance case in these files instead of playing",
    )
    add("--without-rules", action="store_true", help="with --questions: leave the rules out of the prompt")
    add(
        "--parameter",
        type=read_parameter,
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="a field of every request to a model, as in temperature=0; may be given several times",
    )
    add(
        "--tries",
        type=positive,
        default=3,
        metavar="N",
        help="bad answers in a row before a move is made for the agent",
    )
    add("--prices", type=read_prices, metavar="IN,OUT", help="prices of a million tokens of questions and of answers")
    add_shared(parser, "--kernel")
    add_shared(parser, "--json")


def run(args: argparse.Namespace) -> int:
    """Evaluate an agent, and print the report; after Ctrl-C that of what was played."""
    from lastcard.agents.benchmark.eval_agents import open_agent
    from lastcard.agents.benchmark.eval_run import make_folder

    interrupt_on_signals()
    make_folder(args.out)
    with open_agent(args.agent, args.out, dict(args.parameter), args.tries) as agent:
        steps, make_report, format_report = _plan_questions(args, agent) if args.questions else _plan_suite(args, agent)
        found: list[Any] = []
        status = _collect(steps, found, args)
    report = make_report(found)
    if args.json:
        from lastcard.arena.manifest import make_manifest

        report["manifest"] = make_manifest()
    sys.stdout.write(json.dumps(report, indent=2) + "\n" if args.json else format_report(report))
    return status


def _plan_suite(args: argparse.Namespace, agent: Any) -> tuple[Iterator[Any], Any, Any]:
    """Return the deals of the suite, the function that makes their report, and that which writes it in words."""
    from lastcard.agents.benchmark.eval_report import format_report, make_report, read_scale
    from lastcard.agents.benchmark.eval_run import run_suite

    return (
        run_suite(agent, args.deals, args.out),
        lambda found: make_report(agent.as_dict(), found, args.prices),
        lambda report: format_report(report, read_scale()),
    )


def _plan_questions(args: argparse.Namespace, agent: Any) -> tuple[Iterator[Any], Any, Any]:
    """Return the same for questions."""
    from lastcard.agents.benchmark.question_run import ask_questions, format_answers, report_answers
    from lastcard.agents.benchmark.questions import read_questions

    questions = read_questions(args.questions)
    return (
        ask_questions(agent, questions, with_rules=not args.without_rules),
        lambda found: report_answers(agent.as_dict(), questions, found),
        format_answers,
    )


def _collect(steps: Iterator[Any], found: list[Any], args: argparse.Namespace) -> int:
    """Do all steps and add their results to a list; return the exit status."""
    from lastcard.agents.benchmark.eval_suite import CELLS
    from lastcard.cli.progress_bar import open_progress

    what, of = ("Questions", None) if args.questions else ("Deals", args.deals * len(CELLS))
    with open_progress() as update:
        try:
            for each in steps:
                found.append(each)
                update(what, len(found), of)
        except KeyboardInterrupt:
            sys.stderr.write(f"\nlastcard: stopped; {args.out} has all answers, and the same command goes on\n")
            return INTERRUPTED
    return 0
