"""Rounds on an OpenEnv server, played by its client with a scripted model on loopback.

Needs the extra ``openenv``: ``make test-extras EXTRAS=openenv``.
"""

from __future__ import annotations

import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("openenv", reason="the extra openenv is tested in an environment of its own")

import uvicorn

from lastcard.agents.openenv_server import LastcardAction, LastcardClient, LastcardObservation, create_app
from support.adapter_runs import OPPONENT, RULES, play_known
from support.model_servers import Script, play_like, serve_model

EXAMPLE = Path(__file__).parents[2] / "examples" / "agents" / "openenv_rounds.py"
START_S = 60.0


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    """The address of a server in a thread."""
    server = uvicorn.Server(uvicorn.Config(create_app(), log_level="warning"))
    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        end = time.monotonic() + START_S
        while not server.started and time.monotonic() < end:
            time.sleep(0.05)
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        server.should_exit = True
        thread.join()


def play(url: str, script: Script, bots: tuple[str, ...], seed: int) -> tuple[LastcardObservation, list[str], set[int]]:
    """The last observation of a round, its moves, and the seats that were asked."""
    with LastcardClient(base_url=url).sync() as client:
        result = client.reset(seed=seed, rules=RULES, bots=list(bots))
        assert "Forced Swap" in result.observation.system
        seats = set()
        while not result.done:
            assert result.observation.rewards == []
            seats.add(result.observation.seat)
            result = client.step(LastcardAction(text=script([{"role": "user", "content": result.observation.prompt}])))
        state = client.state()
        assert state.step_count > 0 and state.bots == list(bots)
        return result.observation, state.moves, seats


@pytest.mark.parametrize("bot", ["sharp", "random"])
@pytest.mark.parametrize("bots", [("", OPPONENT), ("", OPPONENT, "")])
def test_rewards_are_those_of_the_bot_that_the_model_plays_like(url: str, bot: str, bots: tuple[str, ...]) -> None:
    for seed in range(4):
        with play_like(bot) as script:
            seen, moves, seats = play(url, script, bots, seed)
        known = play_known(bot, bots, seed)
        assert tuple(moves) == known.match.moves and tuple(seen.rewards) == known.rewards()
        assert len(seen.adjusted) == len(bots) and seats <= {0, 2}


def test_bad_answers_are_explained(url: str) -> None:
    with LastcardClient(base_url=url).sync() as client:
        first = client.reset(seed=1, bots=["", "sharp"], rules="classic").observation
        refused = client.step(LastcardAction(text="B1"))
        assert refused.observation.prompt == first.prompt and "Not possible" in refused.observation.refused
        assert client.step(LastcardAction(text="1")).observation.refused == ""


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"bots": ["sharp", "sharp"]}, "no seat of a model"),
        ({"bots": ["", "nobody"]}, "there is no bot"),
        ({"rules": "clasic"}, "clasic"),
        ({"bots": [""]}, "2 to 10 players"),
    ],
)
def test_rounds_that_are_refused(url: str, options: dict[str, object], reason: str) -> None:
    with LastcardClient(base_url=url).sync() as client, pytest.raises(RuntimeError, match=reason):
        client.reset(**options)


def test_a_step_needs_a_question(url: str) -> None:
    with LastcardClient(base_url=url).sync() as client, pytest.raises(RuntimeError, match="reset first"):
        client.step(LastcardAction(text="1"))


def test_the_example_is_short_and_runs(url: str) -> None:
    assert len(EXAMPLE.read_text(encoding="utf-8").splitlines()) <= 40
    with serve_model(lambda messages: '{"move": 1}') as server:
        command = [sys.executable, str(EXAMPLE), url, server.url, "m"]
        done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("without luck") == 3
