"""A client of OpenAI-compatible servers: one question, one answer, with retries and errors that say what to do."""

from __future__ import annotations

import http.client
import json
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final
from urllib.parse import urlsplit

from msgspec import Struct

from lastcard.errors import PicklableError, PlayerError, UsageError

KEY_VARIABLE: Final = "LASTCARD_API_KEY"
"""The environment variable of the API key."""
TIMEOUT_S: Final = 120.0
"""Time limit for an answer, in seconds."""
MAX_TRIES: Final = 6
"""Number of times that a question is sent while the server is busy or fails."""
MAX_WAIT_S: Final = 60.0
"""Longest wait before it is sent again, in seconds."""
ANSWER_LIMIT_BYTES: Final = 4 * 1024 * 1024
_EXCERPT_CHARS: Final = 200
_BUSY: Final = (408, 425, 429)
"""Statuses after which a question is sent again, besides those from 500."""

Message = Mapping[str, str]
"""A message of a conversation, with ``role`` and ``content``."""


class Reply(Struct, frozen=True):
    """An answer of a model."""

    text: str
    tokens_in: int | None = None
    """Number of tokens of the question; None if the server does not count them."""
    tokens_out: int | None = None
    """Number of tokens of the answer, those of its reasoning included."""
    seconds: float = 0.0


class ModelClient:
    """A model of a server.

    Args:
        url: address of the interface, with ``/v1`` if the server has it; ``/chat/completions`` is added.
        model: name of the model.
        parameters: further fields of every request, such as ``temperature``.
        key: the API key. It is sent to the server, and removed from all that the server sends.
        sleep: function that waits.

    Raises:
        UsageError: for an address that is none, or that contains a key.
    """

    def __init__(
        self,
        url: str,
        model: str,
        parameters: Mapping[str, Any] | None = None,
        *,
        key: str | None = None,
        sleep: Callable[[float], object] = time.sleep,
    ) -> None:
        _check_address(url)
        if key is not None and not (key.isascii() and key.isprintable()):
            raise UsageError(f"{KEY_VARIABLE} has characters that no key has, such as a line break")
        self.url, self.model, self.parameters = url.rstrip("/"), model, dict(parameters or {})
        self._key, self._sleep = key, sleep
        self._has_answered = False
        self._opener = urllib.request.build_opener(_NoRedirect)

    def ask(self, messages: Sequence[Message]) -> Reply:
        """Returns the model's answer to a conversation; it is empty if the model wrote none.

        Raises:
            PlayerError: if there is no answer after all tries, or the server refuses the question.
        """
        body = json.dumps({**self.parameters, "model": self.model, "messages": list(messages)}).encode()
        for attempt in range(1, MAX_TRIES + 1):
            start_s = time.monotonic()
            try:
                content = self._send(body)
            except ServerBusy as busy:
                if attempt == MAX_TRIES or (busy.is_absent and not self._has_answered):
                    raise PlayerError(f"{self.url}: {busy}") from None
                self._sleep(min(MAX_WAIT_S, busy.wait_s or 2.0 ** (attempt - 1)))
            else:
                self._has_answered = True
                return self._read_reply(content, time.monotonic() - start_s)
        raise AssertionError("the last try answers or raises")

    def _send(self, body: bytes) -> str:
        """Returns the content of the server's answer; raises ServerBusy if the question may be sent again."""
        headers = {"Content-Type": "application/json", "User-Agent": "lastcard"}
        if self._key is not None:
            headers["Authorization"] = f"Bearer {self._key}"
        url = self.url if self.url.endswith("/chat/completions") else f"{self.url}/chat/completions"
        try:
            request = urllib.request.Request(url, body, headers)
            with self._opener.open(request, timeout=TIMEOUT_S) as answer:
                return self._without_key(answer.read(ANSWER_LIMIT_BYTES))
        except urllib.error.HTTPError as error:
            with error:
                reason = _server_message(self._without_key(error.read(ANSWER_LIMIT_BYTES)))
                raise self._explain(error.code, reason, error.headers.get("Retry-After", "")) from None
        except TimeoutError:
            raise ServerBusy(f"no answer within {TIMEOUT_S:g} s") from None
        except urllib.error.URLError as error:
            if isinstance(error.reason, TimeoutError):
                raise ServerBusy(f"no answer within {TIMEOUT_S:g} s") from None
            raise ServerBusy(f"no server answers: {error.reason}", is_absent=True) from None
        except (OSError, http.client.HTTPException) as error:
            raise ServerBusy(f"the connection ended: {type(error).__name__}") from None

    def _explain(self, status: int, reason: str, retry_after: str) -> Exception:
        """Returns the error of an HTTP status."""
        if status in _BUSY or status >= 500:
            return ServerBusy(f"status {status}{reason}", float(retry_after) if retry_after.isdecimal() else 0.0)
        if status in (401, 403):  # the reason may contain a part of the key
            how = "the key is refused" if self._key else "a key is needed"
            return PlayerError(f"{self.url}: {how} (status {status}); set the variable {KEY_VARIABLE}")
        if 300 <= status < 400:
            return PlayerError(f"{self.url}: the server redirects (status {status}); give the final address")
        if status == 404:
            return PlayerError(f"{self.url}: no such address, or no model {self.model!r} (status 404){reason}")
        return PlayerError(f"{self.url}: the question is refused, status {status}{reason}")

    def _without_key(self, content: bytes) -> str:
        text = content.decode("utf-8", "replace")
        return text.replace(self._key, "[key]") if self._key else text

    def _read_reply(self, content: str, seconds: float) -> Reply:
        try:
            answer = json.loads(content)
            text = answer["choices"][0]["message"].get("content")
            usage = answer.get("usage") or {}
            counts = [usage.get(name) for name in ("prompt_tokens", "completion_tokens")]
        except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
            raise PlayerError(
                f"{self.url}: the answer is no chat completion in JSON: {content[:_EXCERPT_CHARS]!r}"
            ) from None
        tokens_in, tokens_out = (count if type(count) is int and count >= 0 else None for count in counts)
        written = text.encode("utf-8", "replace").decode() if isinstance(text, str) else ""  # without lone surrogates
        return Reply(written, tokens_in, tokens_out, round(seconds, 3))


def _check_address(url: str) -> None:
    """Raise a UsageError for an address that is none, or that contains a key; it does not repeat the address."""
    try:
        parts = urlsplit(url)
        is_address = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        is_address = False
    if not is_address or not url.isascii() or not url.isprintable() or " " in url:
        raise UsageError("a model is named as in openai:http://127.0.0.1:8000/v1#model")
    if parts.username or parts.password or parts.query:
        raise UsageError(f"an address of a model has no key in it; set the variable {KEY_VARIABLE}")


class ServerBusy(PicklableError):
    """A failure after which a question may be sent again."""

    def __init__(self, text: str, wait_s: float = 0.0, *, is_absent: bool = False) -> None:
        super().__init__(text)
        self.wait_s, self.is_absent = wait_s, is_absent


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """Follows no redirect, because the key is for one server."""

    def redirect_request(self, *_: Any) -> None:
        """Returns no request, so that the redirect is an error."""


def _server_message(content: str) -> str:
    """Returns the message in the body of an error, after a colon; nothing if there is none."""
    try:
        error = json.loads(content)["error"]
        message = error["message"] if isinstance(error, dict) else error
    except (ValueError, LookupError, TypeError, RecursionError):
        message = content
    return f": {str(message)[:_EXCERPT_CHARS]}" if str(message).strip() else ""
