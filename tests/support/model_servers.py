"""An OpenAI-compatible server on loopback whose model is a script, and scripts that play like our bots."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from unittest import mock

from lastcard.agents.text_round import TextRound
from lastcard.bots.base import ATTENTIVE
from lastcard.bots.registry import make_bot

Script = Callable[[Sequence[dict[str, str]]], str]
"""From the messages of a conversation to the answer."""
TOKENS_IN, TOKENS_OUT = 100, 7
"""Number of tokens that the server counts for every question and answer."""


@dataclass
class ModelServer:
    """A running server."""

    script: Script
    url: str = ""
    failures: list[tuple[int, dict[str, str], str]] = field(default_factory=list)
    """Status, headers and body of the next answers, before the script is asked."""
    requests: list[dict[str, Any]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)

    def answer(self, request: dict[str, Any]) -> tuple[int, dict[str, str], str]:
        """The status, the headers and the body of the answer."""
        self.requests.append(request)
        if self.failures:
            return self.failures.pop(0)
        message = {"role": "assistant", "content": self.script(request["messages"])}
        usage = {"prompt_tokens": TOKENS_IN, "completion_tokens": TOKENS_OUT, "total_tokens": TOKENS_IN + TOKENS_OUT}
        choices = [{"index": 0, "finish_reason": "stop", "message": message}]
        about = {"id": "1", "object": "chat.completion", "created": 0, "model": request["model"]}
        return 200, {}, json.dumps({**about, "choices": choices, "usage": usage})


@contextmanager
def serve_model(script: Script) -> Iterator[ModelServer]:
    """Serve a model while the block runs."""
    server = ModelServer(script)

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            server.headers.append(dict(self.headers))
            body = self.rfile.read(int(self.headers["Content-Length"]))
            status, headers, text = server.answer(json.loads(body))
            content = text.encode()
            self.send_response(status)
            for name, value in {"Content-Type": "application/json", **headers}.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: object) -> None:
            """Print nothing."""

    http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
    server.url = f"http://127.0.0.1:{http.server_port}/v1"
    try:
        yield server
    finally:
        http.shutdown()
        http.server_close()


@contextmanager
def play_like(bot: str) -> Iterator[Script]:
    """A script that answers the questions of all rounds begun in the block as a bot would.

    It finds the round of a question, because a prompt does not show all that a bot sees.
    """
    tables: list[TextRound] = []
    begin = TextRound.__init__

    def begin_and_note(table: TextRound, *args: Any, **options: Any) -> None:
        tables.append(table)
        begin(table, *args, **options)

    def answer(messages: Sequence[dict[str, str]]) -> str:
        prompt = messages[-1]["content"]
        asking = [table for table in tables if getattr(table, "question", None) is not None]
        tables[:] = asking
        table = next(each for each in reversed(asking) if each.question and each.question.prompt in prompt)
        assert table.question is not None
        seat = table.question.seat
        player, view = make_bot(bot, table.match.seed, seat, ATTENTIVE), table.match.round.view(seat)
        reaction = player.react(view) if table.match.round.allows_moves_out_of_turn else None
        if reaction is None and table.question.is_reaction:
            return '{"move": null}'
        return json.dumps({"move": str(reaction or player.choose(view))})

    with mock.patch.object(TextRound, "__init__", begin_and_note):
        yield answer
