"""Compares a table on a device with one of the server: the same actions at the same times give the same messages.

``run_differential`` also plays random tables of the server in Node; a difference is a bug of ``web/localtable``.
``_comparable`` removes intended differences on both sides.

``python -m tools.differential.local_table 1000``; ``make differential-js`` calls it.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import logging
import random
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Any, Final
from unittest.mock import patch

import msgspec
import structlog

from lastcard.bots.advice import rank_moves
from lastcard.bots.registry import styles_of
from lastcard.bots.search import SearchConfig
from lastcard.bundle.texts import screen_texts
from lastcard.game.rulesets import GAMES, Ruleset
from lastcard.server.game import thinking
from lastcard.server.game.match_messages import game_for
from lastcard.server.http.replays import record_text, replay_text
from lastcard.server.table.live_table import LiveTable
from lastcard.server.table.table_registry import TableRegistry
from lastcard.server.wire import protocol
from lastcard.server.wire.protocol import ClientUnion
from lastcard.session import commands, dealing
from lastcard.session.lessons import LESSONS
from lastcard.session.match_rows import TAKE_BACK, MatchRow, MoveRow
from lastcard.session.table_settings import WantedSettings
from lastcard.text.locale import LANGUAGES
from support.fakes import InlineExecutor, MemoryStore, Person, new_registry, run_instantly
from support.node import Node, as_json
from support.random_play import random_move
from support.random_states import RULE_CARD_TEXTS, random_options

START_S: Final = 1000.0
"""Start time, by the clock of ``InstantLoop``."""
HINT_CONFIG: Final = SearchConfig(rollouts=60, deals=8), SearchConfig(deals=4, thin=2)
"""Effort of hints here: the budgets of search and measurement."""
_FAST_LEVELS: Final = ("learner", "casual", "sharp")
_STYLED_LEVELS: Final = [level for level in _FAST_LEVELS if styles_of(level)]
_SEARCHING_LEVELS: Final = ("expert", "master")
_PARTS: Final = ("", "jackpot", "localtable", "options", "report", "me")
_END: Final = {"at": 0.0, "type": "end"}
_TIME_TOLERANCE_S: Final = 1e-6
"""Seconds by which clocks may differ, because sums of fractions are rounded."""


class Listener(Person):
    """A person who records the times of messages."""

    def __init__(self, name: str, language: str) -> None:
        super().__init__(name, language)
        self.times: list[float] = []

    def send(self, text: bytes) -> None:
        super().send(text)
        self.times.append(asyncio.get_running_loop().time())


@dataclass
class ServerRun:
    """Results of a table of the server."""

    task: dict[str, Any]
    """The equivalent task for Node: see ``tasks.table`` of lastcard_tasks.js."""
    messages: list[dict[str, Any]]
    """Messages to the person at the device, with a mark before every step."""
    finished: list[dict[str, Any]]
    """Finished matches, with their records and replays."""


@dataclass
class TableRun:
    """A table of the server with random play, and its recorded messages."""

    rng: random.Random
    store: MemoryStore
    registry: TableRegistry
    table: LiveTable
    people: list[Listener]
    viewer: Listener
    searching: bool
    steps: list[dict[str, Any]] = field(default_factory=list)
    messages: list[dict[str, Any]] = field(default_factory=list)
    _read: int = 0
    """Number of the viewer's messages that are recorded."""

    @property
    def now(self) -> float:
        return asyncio.get_running_loop().time()

    async def begin(self) -> None:
        """Seat all people, one of them as the viewer."""
        await asyncio.sleep(3)
        if len(self.people) == 1:
            self.step("hello")
            await self.viewer.join(self.table)
            if self.table.state.quick:  # the page sends its number at once, and its table waits for it
                await self.say(commands.Number(self.table.state.promise, "1" * 32))
            return
        for seat, person in enumerate(self.people):
            await person.join(self.table)
            await person.send_command(commands.Sit(seat))
        self.skip_messages()
        self.step("hello")
        self.messages.append(self.covered())
        await asyncio.sleep(1)
        self.hand_over(self.viewer)

    def record_messages(self) -> None:
        """Record the messages to the viewer."""
        new = zip(self.viewer.texts[self._read :], self.viewer.times[self._read :], strict=True)
        self.messages += [{"at": at, **json.loads(text)} for text, at in new]
        self.skip_messages()

    def skip_messages(self) -> None:
        """Skip messages that do not concern the device."""
        self._read = len(self.viewer.texts)

    def step(self, kind: str, **what: Any) -> None:
        """Record the next step of both sides."""
        self.record_messages()
        self.messages.append({"at": self.now, "type": "step"})
        self.steps.append({"at": self.now, "act": kind, **what})

    async def say(self, message: ClientUnion) -> None:
        """Send a message of the viewer."""
        self.step("say", message=msgspec.to_builtins(message))
        await self.viewer.send_command(message)
        await asyncio.sleep(0)

    def hand_over(self, person: Listener) -> None:
        """Pass the device on to another person, sometimes covered for a moment."""
        if self.rng.random() < 0.3:
            self.step("setViewer", player=None)
            self.messages.append(self.covered())
        self.step("setViewer", player=person.id)
        self.viewer = person
        self.skip_messages()
        self.messages.append(self.welcome())

    def welcome(self) -> dict[str, Any]:
        """Returns the server's message to the viewer on a connection now."""
        person = self.table.presence.person(self.viewer)
        return {"at": self.now, **_as_read(self.table._welcome(self.viewer, person))}

    def covered(self) -> dict[str, Any]:
        """Returns the state of a covered device, during which time is stopped."""
        welcome, play = self.welcome(), self.table.play
        game = None if play is None else _as_read(game_for(play, None, self.table.jobs.timers.now))
        return {**welcome, "you": None, "game": game}

    def record_table(self) -> None:
        """Record as one message of the device what the server has sent in several."""
        self.skip_messages()
        self.messages.append({"at": self.now, "type": "table", "table": _as_read(self.table.describe())})

    async def reconnect(self) -> None:
        """Simulate a lost connection, or a page closed and opened again."""
        again = self.rng.random() < 0.5
        self.step("again" if again else "hangUp")
        if again:
            await self.registry.close()
            self.registry = new_registry(self.store)
            found = await self.registry.find(self.table.code)
            assert found is not None
            self.table = found
        else:
            for person in self.people:
                person.disconnect()
        await asyncio.sleep(self.rng.uniform(0, 2))
        self.skip_messages()
        self.step("hello")
        for person in self.people:
            await person.join(self.table)
        if len(self.people) == 1:
            return
        self.skip_messages()
        self.messages.append(self.covered() if again else self.welcome())
        if again:
            self.hand_over(self.viewer)

    async def change_people(self) -> None:
        """Add or remove a person in the lobby."""
        staying = (self.viewer.id, self.table.state.host.id)
        others = [person for person in self.people if person.id not in staying]
        if others and self.rng.random() < 0.5:
            await self._remove(self.rng.choice(others))
        elif len(self.people) < min(4, len(self.table.state.seats)):
            await self._add(self.rng.choice(("Bea", "Bеa", "Ana", "Juno", "Kit 2")))

    async def _add(self, name: str) -> None:
        person = Listener(f"{name}-{len(self.steps)}", self.viewer.language)
        person.player = replace(person.player, name=name)
        self.step("add", person={"id": person.id, "name": name})
        await person.join(self.table)
        await person.send_command(commands.Sit())
        self.people.append(person)
        self.record_table()

    async def _remove(self, person: Listener) -> None:
        self.step("remove", player=person.id)
        self.people.remove(person)
        await person.send_command(commands.LeaveSeat())
        person.disconnect()
        await asyncio.sleep(0)
        self.record_table()


def _as_read(value: Any) -> Any:
    """Returns a value as its receiver decodes it."""
    return json.loads(msgspec.json.encode(value))


# --- a table of the server --------------------------------------------------------------------------------


def run_table(seed: int, steps: int = 60) -> ServerRun:
    """Play at a random table of the server."""
    with _deterministic():
        return run_instantly(_run_table(seed, steps))


@contextmanager
def _deterministic() -> Iterator[None]:
    """Make ids sequential, bots instant, and hints nearly so."""
    ids = count(1)
    with (
        patch("lastcard.server.table.live_table.new_id", lambda: f"match-{next(ids)}"),
        patch.object(thinking, "POOL", InlineExecutor()),
        patch("lastcard.server.game.advice.rank_moves", lambda view: rank_moves(view, *HINT_CONFIG, None)),
        # People at one device do not wait for each other.
        patch.object(dealing, "count_playing", lambda table, here: 1),
    ):
        yield


async def _run_table(seed: int, steps: int) -> ServerRun:
    rng = random.Random(seed)
    language = rng.choice(LANGUAGES)
    settings, lesson, quick = _random_settings(rng)
    most = 1 if lesson or quick else min(settings.seats, rng.choice((1, 1, 2, 3)))
    people = [Listener(name, language) for name in ("Ana", "Zoë", "ana")[:most]]
    setup = {
        "settings": msgspec.to_builtins(settings),
        "people": [{"id": person.id, "name": person.player.name} for person in people],
        "quick": quick,
        "lesson": lesson,
    }
    store = MemoryStore()
    registry = new_registry(store)
    table = await registry.create(people[0].player, settings, quick=quick, lesson=lesson)
    run = TableRun(rng, store, registry, table, people, people[0], searching=rng.random() < 0.15)
    await run.begin()
    if not table.state.quick and len(people) < settings.seats:
        level = rng.choice(_STYLED_LEVELS)
        await run.say(commands.SetBot(settings.seats - 1, level, rng.choice(styles_of(level))))
    while len(run.steps) < steps:
        await _do_something(run)
    await asyncio.sleep(rng.uniform(0, 5))
    run.step("hangUp")
    await run.registry.close()
    rows = [(row, store.log.get(row.id, [])) for row in store.matches.values() if row.finished is not None]
    task = {**hint_task(language), "start": START_S, "setup": setup, "steps": run.steps}
    return ServerRun(task, run.messages, [_finished(row, moves) for row, moves in rows])


def hint_task(language: str) -> dict[str, Any]:
    """Returns the effort and the texts of hints for Node."""
    search, measure = (msgspec.to_builtins(effort) for effort in HINT_CONFIG)
    hint = {"seconds": None, "searchBudget": search, "measureBudget": measure}
    return {"language": language, "texts": all_texts(language), "hint": hint}


def all_texts(language: str) -> dict[str, Any]:
    """Returns all texts that a table on a device may need."""
    return {key: text for part in _PARTS for key, text in json.loads(screen_texts(language, part)).items()}


def _finished(row: MatchRow, moves: Sequence[MoveRow]) -> dict[str, Any]:
    """Returns a finished match as the device reports it."""
    lesson = row.position is not None
    replay = None if lesson else json.loads(replay_text(row, moves))
    if replay is not None:
        replay["taken_back"] = 0  # not in a record
        for step in (step for played in replay["rounds"] for step in played["steps"]):
            step["at"] = 0
    return {
        "id": row.id,
        "rules": row.rules,
        "names": row.names,
        "players": row.players,
        "bots": row.bots,
        "winners": row.winners,
        "takenBack": any(move.action == TAKE_BACK for move in moves),
        "record": None if lesson else record_text(row, moves),
        "replay": replay,
    }


def _random_settings(rng: random.Random) -> tuple[WantedSettings, int, bool]:
    """Returns settings, the number of their lesson or 0, and whether their table starts by itself."""
    kind = rng.random()
    if kind < 0.05:
        game, lessons = rng.choice(list(LESSONS.items()))
        return WantedSettings(rules=game, pace="untimed", chat=False, voice=False), rng.randint(1, len(lessons)), False
    game = rng.choice(GAMES)
    options = random_options(game, rng)
    seats = 4 if options.team_play else rng.choice((2, 2, 3, 4, 4, 5, 7, 10))
    settings = WantedSettings(
        rules=str(Ruleset(game, options)),
        seats=seats,
        pace="untimed",
        grace=rng.choice((0, 500, 1000, 3000)),
        chat=False,
        voice=False,
        hints=rng.random() < 0.5,
        take_backs=rng.random() < 0.5,
        bots=rng.choice(("slow", "normal", "quick")),
    )
    return settings, 0, kind < 0.2


# --- actions of people ------------------------------------------------------------------------------------


async def _do_something(run: TableRun) -> None:
    """Let some time pass, maybe change the viewer, and let them do something."""
    rng, table = run.rng, run.table
    await asyncio.sleep(rng.choice((rng.uniform(0.01, 0.4), rng.uniform(0.3, 3), rng.expovariate(0.2))))
    document = table.state
    if len(run.people) > 1:
        turn = None if table.play is None else table.play.match.round.turn
        on_turn = [person for person in run.people if document.seat_of(person.id) == turn]
        person = rng.choice(on_turn if on_turn and rng.random() < 0.8 else run.people)
        if person is not run.viewer or rng.random() < 0.05:
            run.hand_over(person)
    alone = len(run.people) == 1
    if rng.random() < 0.04 and (alone or document.phase not in ("writing", "between", "over")):
        await run.reconnect()  # the server does not wait for people who come later
    elif not alone and document.phase == "lobby" and rng.random() < 0.2:
        await run.change_people()
    elif rng.random() < 0.08:
        await _do_anything(run)
    elif document.paused:
        await run.say(commands.Pause(False))
    elif document.phase == "lobby":
        await _do_in_lobby(run)
    elif document.phase == "writing":
        await run.say(commands.Write(tuple(_random_cards(rng))))
    elif document.phase in ("between", "over"):
        await _do_between(run)
    else:
        await _make_move(run)


async def _do_in_lobby(run: TableRun) -> None:
    rng, table, person = run.rng, run.table, run.viewer
    document = table.state
    is_host = document.host.id == person.id
    level = rng.choice(_SEARCHING_LEVELS if run.searching and rng.random() < 0.4 else _FAST_LEVELS)
    kind = rng.random()
    if kind < 0.35:
        await run.say(commands.Number(document.promise, f"{rng.getrandbits(128):032x}"))
    elif not is_host:
        await run.say(commands.Ready())
    elif kind < 0.7:
        seat = rng.randrange(len(document.seats))
        await run.say(commands.SetBot(seat, level, rng.choice(("", *styles_of(level)))))
    elif kind < 0.75:
        await run.say(commands.Configure(_random_settings(rng)[0]))
    else:
        await run.say(commands.Start(level))


async def _do_between(run: TableRun) -> None:
    """Continue after a round: at the server all agree, at one device only the viewer."""
    rng, table = run.rng, run.table
    if rng.random() < 0.3:
        await run.say(commands.Number(table.state.promise, f"{rng.getrandbits(128):032x}"))
    run.record_messages()
    for person in run.people:
        if person is not run.viewer:
            await person.send_command(commands.Ready())
    run.skip_messages()
    if table.state.phase in ("between", "over"):
        await run.say(commands.Ready())


async def _make_move(run: TableRun) -> None:
    """Make a move, mostly a sensible one on the viewer's turn."""
    rng, table, person = run.rng, run.table, run.viewer
    play, seat = table.play, table.state.seat_of(person.id)
    assert play is not None and seat is not None
    round_ = play.match.round
    kind = rng.random()
    moves = [str(move) for move in round_.legal(seat)]
    if kind < 0.06:
        await run.say(protocol.Advise(_command(rng)))
    elif kind < 0.1:
        await run.say(commands.TakeBack(_command(rng), play.id))
    elif kind < 0.15:
        await run.say(protocol.Why(_command(rng), _any_move(run)))
    elif kind < 0.3 or not moves:
        await run.say(commands.MakeMove(_command(rng), play.id, _any_move(run)))
    else:
        calls = [move for move in moves if move.startswith(("uno", "catch"))]
        move = rng.choice(calls if calls and rng.random() < 0.4 else moves)
        if rng.random() < 0.2 and not calls:
            move += "!"
        await run.say(commands.MakeMove(_command(rng), play.id, move))


async def _do_anything(run: TableRun) -> None:
    """Send any command, valid or not."""
    rng, table = run.rng, run.table
    document = table.state
    match = "" if table.play is None else table.play.id
    is_host = document.host.id == run.viewer.id
    choices: list[ClientUnion] = [
        commands.MakeMove(
            _command(rng), rng.choice((match or "none", "match-99")), rng.choice(("R5", "draw", "x", "R5=G"))
        ),
        protocol.Advise(_command(rng)),
        protocol.Why(_command(rng), rng.choice(("pull", "W", "catch 1", "uno", "what", "0:R5"))),
        commands.Write(("draw 1",)),
        commands.Number("0" * 64, "1" * 32),
    ]
    if len(run.people) == 1:
        # During a pause, the server's table waits for its end to go on, and the device's refuses.
        choices += [commands.Pause(rng.random() < 0.7), *([] if document.paused else [commands.Ready()])]
    if is_host:
        settings = WantedSettings(**msgspec.structs.asdict(document.settings))
        choices += [
            commands.Start(rng.choice(_FAST_LEVELS)),
            commands.Configure(msgspec.structs.replace(settings, bots=rng.choice(("slow", "quick")))),
            commands.Configure(_random_settings(rng)[0]),
            commands.Configure(msgspec.structs.replace(settings, rules=rng.choice(_INVALID_RULES))),
            commands.SetAvatar(rng.choice(("", "01234"))),
        ]
        if document.phase != "over":  # a change of bots opens the lobby of a device
            choices.append(commands.SetBot(rng.randrange(len(document.seats)), rng.choice((None, *_FAST_LEVELS))))
    await run.say(rng.choice(choices))


_INVALID_RULES: Final = (
    "ludo",
    "classic+nonsense",
    "classic+stacking=sometimes",
    "classic+stacking=same+stacking=off",
    "all-wild+stacking=same+wd4_mode=challenge",
    "classic+deflect+stacking=same+jump_in+seven_zero+wd4_mode=free+target=500",
    "wild-jackpot+wj_lever_weights=1/2",
    "classic+team_play",
    "classic+decks=9",
)


def _any_move(run: TableRun) -> str:
    """Returns a move that may be legal, of another seat, or no move at all."""
    rng, play = run.rng, run.table.play
    assert play is not None
    if rng.random() < 0.15:
        return rng.choice(
            ("R5=G", "W+4", "uno", f"catch {rng.randrange(10)}", "pull", "play R5", "Q9", "W=R!", "accept")
        )
    if play.match.round.over:
        return "draw"
    return random_move(play.match.round, rng)[1]


def _random_cards(rng: random.Random) -> list[str]:
    lines = rng.sample(RULE_CARD_TEXTS, rng.randrange(4))
    if rng.random() < 0.3:
        lines.append(
            rng.choice(("draw", "draw 2 cards now", "dare: sing", "dare:", "dare: " + "x" * 150, "hop", "R2", ";"))
        )
    return lines


def _command(rng: random.Random) -> str:
    return f"command-{rng.getrandbits(32)}"


# --- comparison -------------------------------------------------------------------------------------------


def differences(run: ServerRun, answer: dict[str, Any]) -> list[str]:
    """Returns the first difference of the device's messages, in words."""
    alone = len(run.task["setup"]["people"]) == 1
    ours, theirs = (list(_comparable(messages, alone=alone)) for messages in (run.messages, answer["messages"]))
    step = 0
    for one, other in zip([*ours, {**_END}], [*theirs, {**_END}], strict=False):
        late = abs(one.pop("at") - other.pop("at"))
        if as_json(one) != as_json(other) or late > _TIME_TOLERANCE_S:
            done = run.task["steps"][max(0, step - 1)]
            return [
                f"step {step}: {as_json(done)}",
                f"{late} s apart",
                *_first_difference(one, other),
                as_json(run.task["setup"]),
            ]
        step += one == {"type": "step"}
    for one, other in zip(run.finished, answer["finished"], strict=True):
        if in_order(one) != in_order({key: other[key] for key in one}):
            return ["finished", *_first_difference(in_order(one), in_order(other)), as_json(run.task["setup"])]
    return []


def _first_difference(one: Any, other: Any, path: str = "") -> list[str]:
    if one != other and isinstance(one, dict) and isinstance(other, dict) and one.get("type") == other.get("type"):
        keys = [*one, *(key for key in other if key not in one)]
        key = next(
            key for key in keys if as_json(one.get(key)) != as_json(other.get(key)) or (key in one) != (key in other)
        )
        return _first_difference(one.get(key), other.get(key), f"{path}/{key}")
    return [f"{path}", f"server: {as_json(one)}", f"device: {as_json(other)}"]


def _comparable(messages: list[dict[str, Any]], *, alone: bool) -> Iterator[dict[str, Any]]:
    """Yields messages without intended differences, and without table states that contain nothing new."""
    last = None
    for message in messages:
        if message["type"] in ("welcome", "table"):
            table = _plain_table(message["table"], alone=alone)
            if message["type"] == "table" and table == last:
                continue
            last = table
            message = {**message, "table": table}
            if message["type"] == "welcome":
                message["notes"] = []
        yield in_order(message)


def _plain_table(table: dict[str, Any], *, alone: bool) -> dict[str, Any]:
    """Returns a table without code, spectators and ready marks; those of a single person who writes are compared."""
    plain = {**table, "code": "", "join_url": "", "settings": {**table["settings"], "spectators": False}}
    if not alone:
        plain["host"] = ""
    if not alone or table["phase"] != "writing":
        plain["seats"] = [seat and {**seat, "ready": False} for seat in table["seats"]]
    return plain


def in_order(value: Any) -> Any:
    """Returns a value with sorted keys, because the order of objects does not matter."""
    if isinstance(value, dict):
        return {key: in_order(value[key]) for key in sorted(value)}
    if isinstance(value, float) and value.is_integer():
        return int(value)  # JSON has one type of numbers
    return [in_order(each) for each in value] if isinstance(value, list | tuple) else value


def run_differential(node: Node, first: int, tables: int) -> tuple[int, int]:
    """Play some tables on both sides, from a first seed on; a difference raises an AssertionError.

    Returns the numbers of compared messages and of matches.
    """
    messages = over = 0
    for seed in range(first, first + tables):
        run = run_table(seed)
        wrong = differences(run, node.ask("table", **run.task))
        assert not wrong, "\n".join([f"table {seed}", *wrong])
        messages, over = messages + len(run.messages) - len(run.task["steps"]), over + len(run.finished)
    return messages, over


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(prog="python -m tools.differential.local_table", description=__doc__)
    parser.add_argument("tables", type=int, help="how many tables to play at")
    tables = parser.parse_args().tables
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))
    node, first = Node(), random.SystemRandom().randrange(1 << 40)
    messages, matches = run_differential(node, first, tables)
    print(f"{messages:,} messages at {tables:,} tables (from {first} on), {matches} whole matches, no difference")
    node.close()


if __name__ == "__main__":
    main()
