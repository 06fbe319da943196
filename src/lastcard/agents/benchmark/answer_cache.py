"""A file of a model's answers, so that no question is paid for twice."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path

import msgspec

from lastcard.agents.benchmark.model_client import Message, ModelClient, Reply
from lastcard.arena.line_file import LineFile


class _Line(msgspec.Struct):
    """An answer as it is stored."""

    key: str
    reply: Reply


class AnswerCache:
    """The answers of a client. Close it.

    An answer is found by its question, the model and the parameters: the same conversation is sent once, whatever the
    match. Each answer is written before it is used.

    Raises:
        UsageError: for another file, or one that cannot be written.
    """

    def __init__(self, path: Path, client: ModelClient) -> None:
        self._client = client
        self._file = LineFile(path, "cache of answers", {}, msgspec.json.Decoder(_Line).decode)
        self._replies = {line.key: line.reply for line in self._file.items}
        self.close = self._file.close
        self.sent = 0
        """Number of questions that were sent to the server."""

    def ask(self, messages: Sequence[Message]) -> Reply:
        """Returns the answer to a conversation; raises a PlayerError as ``ModelClient.ask``."""
        asked = [self._client.model, self._client.parameters, list(messages)]
        key = hashlib.sha256(json.dumps(asked, sort_keys=True).encode()).hexdigest()
        if key not in self._replies:
            reply = self._client.ask(messages)
            self.sent += 1
            self._file.add(msgspec.json.encode(_Line(key, reply)))
            self._replies[key] = reply
        return self._replies[key]
