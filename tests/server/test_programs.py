"""Programs at a table of the server (docs/bot-protocol.md; decision 18): a seat, a token, and no more."""

from __future__ import annotations

import asyncio
import re
import sys
import threading
from base64 import b64decode
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any, cast

import msgspec
import pytest

from lastcard.bots.external import MAX_FAULTS, Program
from lastcard.errors import PlayerError, UsageError
from lastcard.server import client
from lastcard.server.http import table_socket
from lastcard.server.security.security import hash_token
from lastcard.server.table.live_table import LiveTable
from lastcard.server.wire import peer
from lastcard.server.wire.parts import Game
from lastcard.server.wire.protocol import VERSION, Advise, Dealt, Moved, Notice, Say, SeatObservation, Welcome
from lastcard.session.commands import MakeMove, Ready, SetBot, Sit, Start
from lastcard.session.match_play import MatchPlay
from lastcard.session.table_state import CommandError, SeatedProgram
from support.fakes import MemoryStore, Person, ProgramClient, make_first_move, new_table, run_instantly
from support.services import free_port
from support.threaded_server import TIMEOUT_S, Client, Socket, ThreadedServer

GREEDY = (sys.executable, str(Path(__file__).parents[2] / "examples" / "bots" / "greedy.py"))

RUBBISH = (
    sys.executable,
    "-c",
    """
for line in open(0):
    if '"hello"' in line:
        print('{"type": "ready", "protocol": 1, "name": "rogue"}', flush=True)
    elif '"choose"' in line:
        print("?", flush=True)
""",
)
"""A program that sends something else than a move."""
CHATTY = """
import json
for line in open(0):
    said = json.loads(line)
    if said["type"] == "hello":
        print('{"type": "ready", "protocol": 1, "name": "chatty"}', flush=True)
    elif said["type"] in ("choose", "react"):
        answer = json.dumps({"id": said["id"], "move": said["legal"][0]})
        if said["id"] == 1:
            EXTRA
        print(answer, flush=True)
"""
"""A program that sends one line too many."""


async def table_with_robot(ann: Person, **settings: Any) -> tuple[LiveTable, ProgramClient]:
    """A table of two, with a connected program in the second seat."""
    table = await new_table(ann, **{"rules": "classic", "pace": "normal", **settings})
    robot = ProgramClient(await table.open_seat(ann.id, 1))
    await robot.enter(table)
    return table, robot


async def play_until_the_robot(table: LiveTable, ann: Person, robot: ProgramClient) -> MatchPlay:
    """Start the match; returns it as soon as the program is on turn."""
    await ann.send_command(Start())
    play = table.play
    assert play is not None
    while play.match.round.turn != 1:
        await make_first_move(table, ann, robot)
    return play


def seat_of(person: Person, seat: int = 1) -> Any:
    """A seat as a person sees it."""
    return person.table.describe().seats[seat]


# --- the seat and its token -----------------------------------------------------------------------------------


async def test_the_host_opens_a_seat_and_only_a_hash_is_stored(ann: Person, store: MemoryStore) -> None:
    table = await new_table(ann, store=store)
    token = await table.open_seat(ann.id, 1)
    row = await store.load_table(table.code)
    assert row is not None and token.encode() not in row.doc and hash_token(token).encode() in row.doc
    info = seat_of(ann)
    assert (info.program, info.here, info.bot, info.player) == (True, False, "casual", None)
    assert all(token.encode() not in text and hash_token(token).encode() not in text for text in ann.texts)
    assert table.find_program(token, "x") == SeatedProgram(hash_token(token), "x")
    assert table.find_program("wrong", "x") is None
    assert table.find_program("", "x") is None


async def test_nobody_else_opens_a_seat_nor_one_that_is_taken(ann: Person, bob: Person) -> None:
    table = await new_table(ann, bob, seats=3)
    for player, seat, code in ((bob.id, 2, "not-host"), (ann.id, 1, "seat-person"), (ann.id, 9, "no-such-seat")):
        with pytest.raises(CommandError, match=code):
            await table.open_seat(player, seat)
    await ann.send_command(Start())
    with pytest.raises(CommandError, match="in-match"):
        await table.open_seat(ann.id, 2)


@pytest.mark.parametrize("take", ["level", "free", "person", "anew"])
async def test_a_seat_that_is_given_away_ends_the_token(ann: Person, bob: Person, take: str) -> None:
    table, robot = await table_with_robot(ann)
    assert seat_of(ann).name == "greedy"
    if take == "person":
        await bob.join_and_sit(table, 1)
    elif take == "anew":
        assert await table.open_seat(ann.id, 1) != robot.token
    else:
        await ann.send_command(SetBot(1, "sharp" if take == "level" else None))
    assert robot.closed == "gone" and table.find_program(robot.token, "") is None
    info = seat_of(ann)
    assert (info is None) == (take == "free")
    assert info is None or (info.program, info.name == "greedy") == (take == "anew", False)


async def test_people_take_no_seat_of_a_program_by_chance(ann: Person, bob: Person) -> None:
    """Only a person who taps that very seat gets it."""
    table, robot = await table_with_robot(ann)
    await bob.join_and_sit(table)
    assert table.state.queue and robot.closed is None and seat_of(ann).program


async def test_a_token_is_good_for_its_own_table_only(ann: Person, bob: Person) -> None:
    _, robot = await table_with_robot(ann)
    assert (await new_table(bob)).find_program(robot.token, "") is None


# --- differences between programs and people --------------------------------------------------------------------


async def test_a_program_is_no_person(ann: Person) -> None:
    """A program is no host, has no vote, and nobody waits for it between rounds."""
    table, robot = await table_with_robot(ann, rules="classic+winning_score=1000")
    assert robot.last(Welcome).you is None
    assert table.describe().guests == () and table.presence.people.here == {ann.id: "Ann"}
    await ann.send_command(Start())
    for message in (Say("hello"), Ready(), SetBot(0, None), Start(), Sit(0), Advise("advice-1")):
        assert await robot.refusal(message) == "program"
    ann.disconnect()
    await asyncio.sleep(600)
    assert table.state.host.id == ann.id and table.jobs.timers.is_paused, "nothing goes on without people"


async def test_a_program_may_ask_for_what_its_seat_knows(ann: Person) -> None:
    """On its turn, where nobody gets hints too: a bot in it decides as any other."""
    table, robot = await table_with_robot(ann, hints=False)
    play = await play_until_the_robot(table, ann, robot)
    await robot.send_command(Advise("advice-1", here=True))
    view = play.match.round.view(1)
    known = robot.last(SeatObservation)
    assert (b64decode(known.table), b64decode(known.past)) == (view.information_state, view.history)
    await make_first_move(table, ann, robot)
    if play.match.round.turn == 0:
        assert await robot.refusal(Advise("advice-2", here=True)) == "not-your-turn"


async def test_a_program_sees_its_own_hand(ann: Person) -> None:
    table, robot = await table_with_robot(ann)
    await ann.send_command(Start())
    await make_first_move(table, ann, robot)
    mine = robot.last(Moved).mine
    assert mine is not None and mine.seat == 1 and len(mine.hand) == table.play.match.round.counts[1]


# --- turns of programs and bots -----------------------------------------------------------------------------------


async def test_the_bot_plays_only_while_the_program_does_not(ann: Person) -> None:
    """While it is connected no bot moves for it; without it a bot does at once; with the token it continues."""
    table, robot = await table_with_robot(ann, pace="untimed")
    play = await play_until_the_robot(table, ann, robot)
    ply = play.log.ply
    await asyncio.sleep(3600)
    assert play.log.ply == ply and play.levels == {}
    robot.disconnect()
    await asyncio.sleep(60)
    assert play.log.ply > ply and play.levels == {1: "casual"} and not seat_of(ann).here
    back = ProgramClient(robot.token)
    await back.enter(table)
    assert play.levels == {} and seat_of(ann).here
    second = ProgramClient(robot.token)
    await second.enter(table)
    assert back.closed == "elsewhere"


async def test_the_time_of_the_table_applies(ann: Person) -> None:
    """A bot plays for a program whose time is up, until it moves again."""
    table, robot = await table_with_robot(ann, pace="fast")
    play = await play_until_the_robot(table, ann, robot)
    ply = play.log.ply
    await asyncio.sleep(60)
    assert robot.last(Notice).what == "standin" and play.log.ply > ply and seat_of(ann).standin
    await robot.send_command(MakeMove("12345678", play.id, "uno"))
    assert robot.last(Notice).what == "back" and play.levels == {} and not seat_of(ann).standin


# --- over the wire ------------------------------------------------------------------------------------------------


def open_seat(ann: Client, code: str) -> str:
    """The token of the second seat."""
    answer = ann.post(f"/api/tables/{code}/programs", {"seat": 1})
    assert answer.status_code == 201 and answer.json()["table"].endswith(f"/t/{code}")
    return str(answer.json()["token"])


def connect_with_token(served: ThreadedServer, code: str, token: str, origin: str | None = None) -> Socket:
    """A WebSocket that sends a token."""
    stranger = served.new_client(None)
    return stranger.connect(code, origin, Authorization=f"Bearer {token}")


def test_the_route_needs_a_signed_in_host(served: ThreadedServer) -> None:
    ann, bo = served.new_client("Ann"), served.new_client("Bo")
    code = ann.create_table()
    assert served.new_client(None).post(f"/api/tables/{code}/programs", {"seat": 1}).status_code == 401
    assert bo.post(f"/api/tables/{code}/programs", {"seat": 1}).json()["error"] == "not-host"
    assert ann.post(f"/api/tables/{code}/programs", {"seat": 0}).json()["error"] == "seat-person"
    assert ann.post("/api/tables/ABCDEF/programs", {"seat": 1}).status_code == 404
    foreign = ann.post(f"/api/tables/{code}/programs", {"seat": 1}, origin="http://evil.example")
    assert (foreign.status_code, foreign.json()["error"]) == (403, "foreign")


def test_a_program_may_be_silent(served: ThreadedServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """A program sends nothing until it is asked; a page that sends nothing for so long is disconnected."""
    monkeypatch.setattr(table_socket, "SILENT_S", 0.2)
    ann = served.new_client("Ann")
    code = ann.create_table()
    robot = connect_with_token(served, code, open_seat(ann, code))
    robot.send(type="hello", v=VERSION, name="Robot")
    robot.receive("welcome")
    assert ann.join(code).wait_closed() == (None, peer.GOING_AWAY)
    robot.ping()


def test_a_token_replaces_the_origin_and_a_wrong_one_is_refused(served: ThreadedServer) -> None:
    """Programs send no Origin; a page that sends one is checked by it, whatever else it sends."""
    ann = served.new_client("Ann")
    code = ann.create_table()
    token = open_seat(ann, code)
    robot = connect_with_token(served, code, token)
    robot.send(type="hello", v=VERSION, name="greedy")
    assert robot.receive("welcome")["you"] is None
    for wrong in (token[:-1] + "x", hash_token(token), "x" * 100):
        liar = connect_with_token(served, code, wrong)
        liar.send(type="hello", v=VERSION)
        assert liar.wait_closed() == (None, peer.UNKNOWN_PERSON)
    with pytest.raises(Exception, match="403"):
        connect_with_token(served, code, token, "http://evil.example")


class BotThread:
    """``lastcard bot --table`` in a thread."""

    def __init__(self, address: str, token: str, command: Sequence[str] = GREEDY) -> None:
        self.address = address
        self.notes: list[str] = []
        self.error: BaseException | None = None
        work = client.play_at_table(command, address, token, seconds=30, note=self.notes.append)
        self._thread = threading.Thread(target=self._run, args=(work,), daemon=True)
        self._thread.start()

    def _run(self, work: Any) -> None:
        try:
            asyncio.run(work)
        except BaseException as error:
            self.error = error

    def end(self) -> None:
        self._thread.join(6 * TIMEOUT_S)
        assert not self._thread.is_alive()


def wait_for_program(line: Socket, *, here: bool = True) -> None:
    """Wait until the table shows that a program is connected in the second seat, or has gone."""
    while (seat := line.receive("table")["table"]["seats"][1]) is None or seat["here"] != here:
        pass


def hang_up(served: ThreadedServer, code: str, why: str) -> None:
    """Disconnect the programs at a table with a reason."""
    for robot in [*served.table(code).presence.own_programs.values()]:
        served.run_in_loop(partial(robot.close, why))


def play_a_round(
    served: ThreadedServer, rules: str, monkeypatch: pytest.MonkeyPatch, command: Sequence[str] = GREEDY
) -> tuple[BotThread, int]:
    """Ann plays a round against a program until its seat is taken away; returns its visit and number of moves."""
    monkeypatch.setattr(client, "PAUSE_S", 0.1)  # a connection may send 20 messages a second
    ann = served.new_client("Ann")
    code = ann.create_table(settings={"rules": rules, "seats": 2, "pace": "untimed", "grace": 0})
    line = ann.join(code)
    visit = BotThread(f"{served.url}/t/{code}", open_seat(ann, code), command)
    wait_for_program(line)
    line.send(type="start")
    game = line.receive("dealt")["game"]
    public, mine, moved, n = game["public"], game["mine"], 0, 0
    while public["decision"] != "over":
        if public["turn"] == 0:
            n += 1
            move = next(text for text in mine["legal"] if not text.startswith(("uno", "catch")))
            line.send(type="act", id=f"ann-{n:05}", match=game["match"], move=move)
        message = line.receive("moved")
        moved += message["seat"] == 1
        public, mine = message["public"], message["mine"]
    hang_up(served, code, "gone")
    visit.end()
    return visit, moved


@pytest.mark.parametrize("rules", ["all-wild", "classic+jump_in", "wild-jackpot"])
def test_a_program_plays_a_round_at_a_table(
    rules: str, served: ThreadedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The program connects through the bridge, until the host gives its seat to a bot."""
    visit, moved = play_a_round(served, rules, monkeypatch)
    assert moved > 0
    assert visit.error is None and visit.notes == ["greedy is at the table", "the seat is taken away"]


@pytest.mark.parametrize(("extra", "faults"), [("print()", 1), ("print(answer)", 0)], ids=["an empty line", "twice"])
def test_a_correct_program_goes_on_after_any_one_extra_line_at_a_table(
    extra: str, faults: int, served: ThreadedServer, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    program = tmp_path / "chatty.py"
    program.write_text(CHATTY.replace("EXTRA", extra), encoding="utf-8")
    visit, moved = play_a_round(served, "classic", monkeypatch, (sys.executable, str(program)))
    assert moved > 1
    assert visit.error is None and len([note for note in visit.notes if note.startswith("fault ")]) == faults


def test_the_client_reconnects_after_a_break(served: ThreadedServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """Browsers do so, too, when the server restarts."""
    monkeypatch.setattr(client, "_MAX_WAIT_S", 0.3)  # the table must see it go before it comes
    ann = served.new_client("Ann")
    code = ann.create_table()
    line = ann.join(code)
    visit = BotThread(f"{served.url}/t/{code}", open_seat(ann, code))
    for why in ("restart", "gone"):
        wait_for_program(line)
        hang_up(served, code, why)
        wait_for_program(line, here=False)
    visit.end()
    here, broken = "greedy is at the table", "the connection is lost; it will be tried again"
    assert visit.error is None and visit.notes == [here, broken, here, "the seat is taken away"]


def test_the_client_ignores_unknown_messages(served: ThreadedServer) -> None:
    """The bridge reports them once."""
    ann = served.new_client("Ann")
    code = ann.create_table()
    line = ann.join(code)
    visit = BotThread(f"{served.url}/t/{code}", open_seat(ann, code))
    wait_for_program(line)
    (robot,) = served.table(code).presence.own_programs.values()
    for text in (b'{"type":"weather","rain":true}', b'{"type":"moved","events":[{"e":"sang"}]}'):
        served.run_in_loop(partial(robot.send, text))
    hang_up(served, code, "gone")
    visit.end()
    passed_over = "the server says things that only a newer lastcard knows; they are passed over"
    assert visit.error is None and visit.notes == ["greedy is at the table", passed_over, "the seat is taken away"]


def test_faults_of_one_match_do_not_count_in_the_next(tmp_path: Path) -> None:
    """The connection may break any number of times meanwhile."""

    async def deal() -> Game:
        ann = Person("Ann")
        _, robot = await table_with_robot(ann)
        await ann.send_command(Start())
        return robot.last(Dealt).game

    async def stay(game: Game) -> None:
        said = tmp_path / "said"
        with said.open("w", encoding="utf-8") as log:
            program = await Program.open(RUBBISH, seconds=60, log=log)
            try:
                for match in ("first", "first", "second"):
                    bridge = client.ProgramClient(program, cast(Any, None), 60, lambda text: None)
                    await bridge._begin(msgspec.structs.replace(game, match=match), ())
                    for _ in range(4):
                        await program.request_move("choose", {}, ["draw"])
                for _ in range(MAX_FAULTS - 5):
                    await program.request_move("choose", {}, ["draw"])
                with pytest.raises(PlayerError, match=f"made {MAX_FAULTS} faults"):
                    await program.request_move("choose", {}, ["draw"])
            finally:
                await program.close()
        left = [int(number) for number in re.findall(r'"left":(\d+)', said.read_text(encoding="utf-8"))]
        assert left == [9, 8, 7, 6, 5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2, 1] and program.faults.total() == 18

    asyncio.run(stay(run_instantly(deal())))


def test_the_client_gives_up_in_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client, "_MAX_WAIT_S", 0.01)
    visit = BotThread(f"http://127.0.0.1:{free_port()}/t/ABCDEF", "token")
    visit.end()
    assert str(visit.error) == f"{visit.address}: the server could not be reached any more"
    assert isinstance(visit.error, PlayerError)
    assert len(visit.notes) == 10


def test_the_client_reports_why_it_cannot_play(served: ThreadedServer) -> None:
    ann = served.new_client("Ann")
    code = ann.create_table()
    visits = {
        "the token is not, or no longer, good": BotThread(f"{served.url}/t/{code}", "wrong"),
        "there is no such table": BotThread(f"{served.url}/t/ABCDEF", "wrong"),
    }
    for said, visit in visits.items():
        visit.end()
        assert isinstance(visit.error, PlayerError) and str(visit.error).startswith(f"{visit.address}: {said}")
    visit = BotThread("http://nowhere/", "wrong")
    visit.end()
    assert isinstance(visit.error, UsageError)
