"""The client of a model: answers, retries, and an error that says what to do for every failure, without the key."""

from __future__ import annotations

import json
from typing import Any

import pytest

from lastcard.agents.benchmark import model_client
from lastcard.agents.benchmark.model_client import ModelClient
from lastcard.errors import PlayerError, UsageError
from support.model_servers import TOKENS_IN, TOKENS_OUT, ModelServer, serve_model

KEY = "sk-secret-0123456789"
QUESTION = [{"role": "user", "content": "Which card?"}]


def make_client(server: ModelServer, waits: list[float] | None = None, **options: Any) -> ModelClient:
    slept: list[float] = [] if waits is None else waits
    return ModelClient(server.url, "m", key=KEY, sleep=slept.append, **options)


def test_an_answer_with_its_tokens() -> None:
    with serve_model(lambda messages: f"R5 {KEY}") as server:
        reply = make_client(server, parameters={"temperature": 0}).ask(QUESTION)
    assert reply.text == "R5 [key]"
    assert (reply.tokens_in, reply.tokens_out) == (TOKENS_IN, TOKENS_OUT) and reply.seconds >= 0
    assert server.requests == [{"temperature": 0, "model": "m", "messages": QUESTION}]
    assert server.headers[0]["Authorization"] == f"Bearer {KEY}"


def test_a_busy_server_is_asked_again() -> None:
    waits: list[float] = []
    with serve_model(lambda messages: "R5") as server:
        server.failures = [(429, {"Retry-After": "7"}, ""), (503, {}, "{}"), (500, {"Retry-After": "9999"}, "oops")]
        assert make_client(server, waits).ask(QUESTION).text == "R5"
    assert waits == [7, 2, model_client.MAX_WAIT_S]


def completion(message: object) -> str:
    return json.dumps({"choices": [{"message": message}]})


@pytest.mark.parametrize(
    ("failure", "reason"),
    [
        ((401, {}, json.dumps({"error": {"message": f"wrong key {KEY[:9]}…{KEY[-4:]}"}})), "the key is refused"),
        ((403, {}, KEY), "LASTCARD_API_KEY"),
        ((404, {}, json.dumps({"error": {"message": "no model m"}})), "no model 'm' .status 404.: no model m"),
        ((400, {}, json.dumps({"error": f"bad {KEY}"})), r"status 400: bad \[key\]"),
        ((302, {"Location": "http://example.com"}, ""), "redirects"),
        ((200, {}, f"<html>{KEY}"), "no chat completion in JSON"),
        ((200, {}, "[1]"), "no chat completion"),
        ((200, {}, json.dumps({"choices": []})), "no chat completion"),
        ((200, {}, completion("R5")), "no chat completion"),
        ((200, {}, "[" * 100_000), "no chat completion"),
    ],
)
def test_a_failure_is_explained_without_the_key(failure: tuple[int, dict[str, str], str], reason: str) -> None:
    with serve_model(lambda messages: "R5") as server:
        server.failures = [failure]
        with pytest.raises(PlayerError, match=reason) as raised:
            make_client(server).ask(QUESTION)
    assert len(server.requests) == 1
    assert KEY not in str(raised.value) and KEY[:9] not in str(raised.value)


def test_a_server_that_stays_busy_is_given_up() -> None:
    with serve_model(lambda messages: "R5") as server:
        server.failures = [(500, {}, json.dumps({"error": {"message": "overloaded"}}))] * 10
        with pytest.raises(PlayerError, match="status 500: overloaded"):
            make_client(server).ask(QUESTION)
    assert len(server.requests) == model_client.MAX_TRIES


def test_no_server() -> None:
    with serve_model(lambda messages: "R5") as server:
        pass
    waits: list[float] = []
    with pytest.raises(PlayerError, match="no server answers"):
        make_client(server, waits).ask(QUESTION)
    assert not waits


@pytest.mark.parametrize("message", [{"content": None}, {"role": "assistant"}, {"content": ["R5"]}])
def test_an_answer_without_text_is_empty(message: object) -> None:
    with serve_model(lambda messages: "") as server:
        server.failures = [(200, {}, completion(message))]
        reply = make_client(server).ask(QUESTION)
    assert (reply.text, reply.tokens_in) == ("", None)


def test_a_lone_surrogate_is_replaced() -> None:
    with serve_model(lambda messages: "R5 \ud800") as server:
        assert make_client(server).ask(QUESTION).text == "R5 ?"


@pytest.mark.parametrize(
    "url",
    [
        "http://host:port/v1",
        "http://[::1/v1",
        "http://host/v 1",
        "http://höst/v1",
        "http://host\n/v1",
        "ftp://host/v1",
        "127.0.0.1:8000",
        f"http://me:{KEY}@host/v1",
        f"http://h/v1?key={KEY}",
    ],
)
def test_addresses_that_are_refused(url: str) -> None:
    with pytest.raises(UsageError) as raised:
        ModelClient(url, "m")
    assert KEY not in str(raised.value)


def test_a_key_is_one_line() -> None:
    with pytest.raises(UsageError, match="LASTCARD_API_KEY"):
        ModelClient("http://host", "m", key="a\nb")
