"""The MCP server as a client of the official SDK sees it: by stdio, by HTTP, alone and at a table with two people.

Needs the extra ``mcp``: ``make test-extras``.
"""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from typing import Any

import httpx
import pytest

pytest.importorskip("mcp", reason="the extra mcp is tested in an environment of its own")

from mcp import Client, MCPError

from lastcard.agents.mcp_server import make_server
from lastcard.agents.toolbox import Toolbox
from support.mcp_servers import http_server, stdio_server
from support.threaded_server import ThreadedServer, run_threaded_server

TOOLS = ["new_match", "join", "view", "make_move", "wait_turn", "hint", "explain", "record"]


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ThreadedServer]:
    with run_threaded_server(tmp_path_factory.mktemp("server")) as server:
        yield server


async def call(client: Client, tool: str, **arguments: Any) -> dict[str, Any]:
    """The structured result of a tool."""
    result = await client.call_tool(tool, arguments)
    assert isinstance(result.structured_content, dict)
    return result.structured_content


async def play_match(client: Client) -> dict[str, Any]:
    """Play a local match to its end."""
    rules = "all-wild+match_mode=single_round"
    result = await call(client, "new_match", rules=rules, players=3, bots="learner")
    while "match_winners" not in result["view"] or result["view"]["match_winners"] is None:
        tool: dict[str, Any] = {"move": "1"} if result["view"]["your_turn"] else {}
        result = await call(client, "make_move" if tool else "wait_turn", match=result["match"], **tool)
        assert result["ok"] is True
    return result


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_a_match_by_stdio(mode: Any) -> None:
    async def play() -> None:
        async with Client(stdio_server(), mode=mode) as client:
            assert [tool.name for tool in (await client.list_tools()).tools] == TOOLS
            assert (await play_match(client))["view"]["decision"] == "over"

    asyncio.run(play())


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_a_match_by_http(mode: Any) -> None:
    async def play(url: str) -> None:
        async with Client(url, mode=mode) as client:
            assert (await play_match(client))["view"]["decision"] == "over"

    with http_server() as url:
        asyncio.run(play(url))


def test_http_checks_origin_and_host() -> None:
    ping = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
    accept = {"accept": "application/json, text/event-stream"}
    with http_server("--allow-origin", "https://cards.example") as url:
        for headers, status in (
            ({"origin": "https://evil.example"}, 403),
            ({"origin": "http://127.0.0.1:1"}, 403),
            ({"host": "evil.example"}, 421),
        ):
            assert httpx.post(url, json=ping, headers=accept | headers).status_code == status, headers
        assert httpx.post(url, json=ping, headers=accept | {"origin": "https://cards.example"}).status_code < 403
        big = {**ping, "params": {"x": "x" * 70_000}}
        assert httpx.post(url, json=big, headers=accept).status_code == 413


def test_refusals_are_results_and_texts_are_not_hidden() -> None:
    async def ask() -> None:
        async with Client(make_server(Toolbox(), "1")) as client:
            match = (await call(client, "new_match", players=2))["match"]
            for arguments, reason in (
                ({"match": match, "move": 1}, "Expected `str`, got `int`"),
                ({"match": match, "move": "1", "card": "R5"}, "unknown field `card`"),
                ({"match": "x", "move": "1"}, "no such match"),
            ):
                refused = await client.call_tool("make_move", arguments)
                assert refused.is_error and reason in refused.structured_content["reason"]
                assert reason in refused.content[0].text
            illegal = await client.call_tool("make_move", {"match": match, "move": "catch>0"})
            assert not illegal.is_error
            outcome = illegal.structured_content["outcome"]
            assert outcome["status"] == "illegal" and outcome["clause"] and outcome["reason"]
            with pytest.raises(MCPError, match="no tool"):
                await client.call_tool("peek", {})

    asyncio.run(ask())


def test_results_fit_their_schemas() -> None:
    """The SDK's client checks each of them, and plain JSON has the same values: no number has become a text."""

    async def ask() -> None:
        async with Client(make_server(Toolbox(), "1")) as client:
            await client.list_tools()
            result = await call(client, "new_match", players=2)
            while not result["view"]["your_turn"]:
                result = await call(client, "wait_turn", match=result["match"])
            hint = await call(client, "hint", match=result["match"])
            assert isinstance(hint["moves"][0]["chance"], float)
            assert all(type(seat["cards"]) is int for seat in result["view"]["seats"])
            assert json.loads(json.dumps(result)) == result

    asyncio.run(ask())


def test_resources_and_prompts() -> None:
    async def ask() -> None:
        async with Client(make_server(Toolbox(), "1")) as client:
            for resource in (await client.list_resources()).resources:
                assert (await client.read_resource(resource.uri)).contents
            match = (await call(client, "new_match"))["match"]
            shown = (await client.read_resource(f"lastcard://match/{match}")).contents[0]
            assert "you: seat 0" in shown.text
            for uri in ("lastcard://match/x", "lastcard://rules/x", "file:///etc/passwd"):
                with pytest.raises(MCPError):
                    await client.read_resource(uri)
            prompts = [prompt.name for prompt in (await client.list_prompts()).prompts]
            assert sorted(prompts) == ["all-wild", "classic", "wild-jackpot"]
            message = (await client.get_prompt("classic", {"language": "fr"})).messages[0]
            assert "Vous jouez" in message.content.text
            with pytest.raises(MCPError):
                await client.get_prompt("classic", {"language": "xx"})

    asyncio.run(ask())


# --- at a table with two people -----------------------------------------------------------------------------


@pytest.mark.parametrize("transport", ["stdio", "http"])
def test_a_match_at_a_table_with_two_people(served: ThreadedServer, transport: str) -> None:
    """Two people and a model play a match of one round; everybody sees the seat as a program's."""
    names = ("Ann", "Bo")
    ann, bo = (served.new_client(name) for name in names)
    code = ann.create_table(settings={"rules": "classic+match_mode=single_round", "seats": 3})
    lines = [ann.join(code), bo.join(code)]
    lines[1].send(type="sit", seat=None)
    token = ann.post(f"/api/tables/{code}/programs", {"seat": 2}).json()["token"]

    async def play(client: Client) -> None:
        match = (await call(client, "join", code=code, token=token, name="Claude"))["match"]
        people = [asyncio.create_task(asyncio.to_thread(play_person, line)) for line in lines]
        seat = served.table(code).describe().seats[2]
        assert seat is not None and (seat.name, seat.program, seat.here) == ("Claude", True, True)
        lines[0].send(type="start", level="casual")
        done = 0
        while True:
            result = await call(client, "wait_turn", match=match, seconds=20)
            if result.get("view", {}).get("match_winners"):
                break
            if "view" in result and result["view"]["your_turn"]:
                result = await call(client, "make_move", match=match, move="1")
                done += result["outcome"]["status"] == "done"
        await asyncio.gather(*people)
        assert done > 0

    async def connect(client: Callable[[], Client]) -> None:
        async with asyncio.timeout(120), client() as connected:
            await play(connected)

    if transport == "stdio":
        asyncio.run(connect(lambda: Client(stdio_server("--server", served.url))))
    else:
        with http_server("--server", served.url) as url:
            asyncio.run(connect(lambda: Client(url)))


def play_person(line: Any) -> None:
    """Make the first legal move on each turn, until the round is over."""
    game = line.receive("dealt")["game"]
    match, ply, public, mine = game["match"], game["ply"], game["public"], game["mine"]
    while public["decision"] != "over":
        if public["turn"] == mine["seat"]:
            move = next(text for text in mine["legal"] if not text.startswith(("uno", "catch")))
            line.send(type="act", id=f"person-{mine['seat']}-{ply:05}", match=match, move=move)
        moved = line.receive("moved")
        ply, public, mine = moved["ply"], moved["public"], moved["mine"]


def test_a_host_that_gives_the_seat_away_ends_it(served: ThreadedServer) -> None:
    ann = served.new_client("Ann")
    code = ann.create_table(settings={"rules": "classic", "seats": 2})
    line = ann.join(code)
    token = ann.post(f"/api/tables/{code}/programs", {"seat": 1}).json()["token"]

    async def ask() -> None:
        async with Client(make_server(Toolbox(served.url), "1")) as client:
            match = (await call(client, "join", code=code, token=token))["match"]
            line.send(type="setbot", seat=1, level="sharp")
            result = await call(client, "wait_turn", match=match, seconds=20)
            assert "gone" in str(result["reason"])
            assert (await call(client, "make_move", match=match, move="1"))["ok"] is False

    asyncio.run(ask())


def test_bad_addresses_are_refused() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "lastcard", "mcp", "--server", "ftp://x"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 2 and "not the address of a server" in done.stderr
