"""What is evaluated: a model of a server, a program, or one of our bots."""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from lastcard.agents.agent_seat import MAX_TRIES
from lastcard.agents.benchmark.answer_cache import AnswerCache
from lastcard.agents.benchmark.model_client import KEY_VARIABLE, Message, ModelClient, Reply
from lastcard.agents.text_round import TextRound, describe_refusal
from lastcard.bots.external import ExternalBot
from lastcard.bots.own_bots import BotSource
from lastcard.bots.registry import make_bot
from lastcard.errors import UsageError

_MODEL: Final = "openai:"
_PROGRAM: Final = "command:"
ANSWERS_FILE: Final = "answers.jsonl"
PROGRAM_TIME_LIMIT_S: Final = 60.0
"""Time limit of a program for an answer, in seconds."""

Ask = Callable[[Sequence[Message]], Reply]


@dataclass(frozen=True, slots=True)
class Agent:
    """What is evaluated.

    Args:
        name: the text of ``--agent``; it has no key in it.
        ask: asks a model; None for a program or a bot.
        command: the command of a program.
        parameters: parameters of every request to a model.
        max_tries: number of bad answers in a row after which the first legal move is made.
    """

    name: str
    ask: Ask | None = None
    command: tuple[str, ...] = ()
    parameters: Mapping[str, Any] | None = None
    max_tries: int = MAX_TRIES

    @contextmanager
    def open_bot(self) -> Iterator[BotSource | None]:
        """Yield the bot for one seat of a round; None for a model. A program is started for every round."""
        if not self.command:
            yield None if self.ask else self.name
            return
        with ExternalBot(self.command, seconds=PROGRAM_TIME_LIMIT_S) as program:
            yield program

    def as_dict(self) -> dict[str, Any]:
        """What the results depend on, as plain values."""
        return {"agent": self.name, "parameters": dict(self.parameters or {}), "tries": self.max_tries}


@contextmanager
def open_agent(
    name: str, folder: Path, parameters: Mapping[str, Any] | None = None, max_tries: int = MAX_TRIES
) -> Iterator[Agent]:
    """Yield an agent; a model's answers are stored in a folder.

    Args:
        name: ``openai:URL#model``, ``command:PROGRAM ARGUMENTS``, or a bot by name.

    Raises:
        UsageError: for another name, and for parameters of what is no model.
    """
    if name.startswith(_MODEL):
        url, _, model = name.removeprefix(_MODEL).partition("#")
        if not model:
            raise UsageError("the model is missing: openai:http://127.0.0.1:8000/v1#model")
        client = ModelClient(url, model, parameters, key=os.environ.get(KEY_VARIABLE) or None)
        cache = AnswerCache(folder / ANSWERS_FILE, client)
        try:
            yield Agent(name, cache.ask, parameters=parameters, max_tries=max_tries)
        finally:
            cache.close()
        return
    if parameters:
        raise UsageError(f"only a model has parameters, not {name}")
    if name.startswith(_PROGRAM):
        try:
            command = tuple(shlex.split(name.removeprefix(_PROGRAM)))
        except ValueError as error:
            raise UsageError(f"{name}: {error}") from None
        if not command:
            raise UsageError("the program is missing: command:python3 my_bot.py")
        yield Agent(name, command=command)
        return
    make_bot(name)
    yield Agent(name)


def answer_questions(table: TextRound, ask: Ask) -> list[Reply]:
    """Let a model answer all questions of a round; returns its answers.

    Raises:
        PlayerError: if it cannot be asked.
    """
    replies, system = [], {"role": "system", "content": table.system_prompt()}
    while (question := table.question) is not None:
        messages: list[Message] = [system, {"role": "user", "content": question.prompt}]
        while table.question is question:
            replies.append(ask(messages))
            outcome = table.answer(replies[-1].text)
            messages += [
                {"role": "assistant", "content": replies[-1].text},
                {"role": "user", "content": describe_refusal(outcome)},
            ]
    return replies
