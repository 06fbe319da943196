"""A table on a device beside one of the server: the same people do the same at the same time, and hear the same.

``hunt`` lets random tables of the server be played in Node too; where they say something else, that is a mistake of
``web/device``. What differs on purpose is taken out on both sides by ``_comparable``.

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

from lastcard.bots import advice
from lastcard.bots.registry import styles_of
from lastcard.bots.search import Effort
from lastcard.bundle.texts import screen_texts
from lastcard.game.rulesets import GAMES, Ruleset
from lastcard.server.game import thinking
from lastcard.server.http.replays import record_text, replay_text
from lastcard.server.seats import dealing
from lastcard.server.seats.document import Person as Guest
from lastcard.server.seats.lessons import LESSONS
from lastcard.server.store.rows import TAKE_BACK, MatchRow, MoveRow
from lastcard.server.table.registry import TableRegistry
from lastcard.server.table.table import LiveTable
from lastcard.server.wire import protocol
from lastcard.server.wire.parts import QUICK, WantedSettings
from lastcard.server.wire.protocol import ClientMessage
from lastcard.text.locale import LANGUAGES
from support.fakes import AtOnce, MemoryStore, Person, instantly, new_registry
from support.node import Node, as_json
from support.randomly import random_move
from support.tables import WRITTEN, random_options

START: Final = 1000.0
"""When it begins, by the clock of ``InstantLoop``."""
HINT: Final = Effort(rollouts=60, deals=8), Effort(deals=4, thin=2)
"""How hard hints are thought about here: finding and measuring."""
_PLAIN: Final = ("learner", "casual", "sharp")
_STYLED: Final = [level for level in _PLAIN if styles_of(level)]
_SEARCHING: Final = ("expert", "master")
_PARTS: Final = ("", "device", "options", "report", "me")
_END: Final = {"at": 0.0, "type": "end"}
_HAIR: Final = 1e-6
"""Seconds by which clocks may differ: sums of fractions are rounded."""


class Listener(Person):
    """A person who notes when something was said."""

    def __init__(self, name: str, language: str) -> None:
        super().__init__(name, language)
        self.times: list[float] = []

    def send(self, text: bytes) -> None:
        super().send(text)
        self.times.append(asyncio.get_running_loop().time())


@dataclass
class Told:
    """What happened at a table of the server.

    Args:
        task: the same for Node.
        heard: what whoever looked was told, with a mark before every step.
        finished: the matches that have ended, with their records and replays.
    """

    task: dict[str, Any]
    heard: list[dict[str, Any]]
    finished: list[dict[str, Any]]


@dataclass
class Story:
    """A table of the server that is played at random, and what is noted of it."""

    rng: random.Random
    store: MemoryStore
    house: TableRegistry
    table: LiveTable
    people: list[Listener]
    eyes: Listener
    searching: bool
    steps: list[dict[str, Any]] = field(default_factory=list)
    heard: list[dict[str, Any]] = field(default_factory=list)
    _read: int = 0
    """How much of what the eyes were told is noted."""

    @property
    def now(self) -> float:
        return asyncio.get_running_loop().time()

    async def begin(self) -> None:
        """All sit down and one of them looks."""
        await asyncio.sleep(3)
        if len(self.people) == 1:
            self.step("hello")
            await self.eyes.join(self.table)
            return
        for seat, person in enumerate(self.people):
            await person.join(self.table)
            await person.say(protocol.Sit(seat))
        self.skip()
        self.step("hello")
        self.heard.append(self.covered())
        await asyncio.sleep(1)
        self.look(self.eyes)

    def note(self) -> None:
        """Take down what was said to whoever looks."""
        new = zip(self.eyes.texts[self._read :], self.eyes.times[self._read :], strict=True)
        self.heard += [{"at": at, **json.loads(text)} for text, at in new]
        self.skip()

    def skip(self) -> None:
        """What was said does not concern the device."""
        self._read = len(self.eyes.texts)

    def step(self, act: str, **what: Any) -> None:
        """Something is about to be done on both sides."""
        self.note()
        self.heard.append({"at": self.now, "type": "step"})
        self.steps.append({"at": self.now, "act": act, **what})

    async def say(self, message: ClientMessage) -> None:
        """Whoever looks says something."""
        self.step("say", message=msgspec.to_builtins(message))
        await self.eyes.say(message)
        await asyncio.sleep(0)

    def look(self, person: Listener) -> None:
        """The device is handed on, sometimes covered for a moment."""
        if self.rng.random() < 0.3:
            self.step("look", player=None)
            self.heard.append(self.covered())
        self.step("look", player=person.id)
        self.eyes = person
        self.skip()
        self.heard.append(self.welcome())

    def welcome(self) -> dict[str, Any]:
        """What the server would say to the eyes if they came now."""
        person = self.table.presence.person(self.eyes)
        return {"at": self.now, **_as_read(self.table._welcome(self.eyes, person))}

    def covered(self) -> dict[str, Any]:
        """What nobody's eyes see; the time stands still meanwhile."""
        welcome, live = self.welcome(), self.table.live
        table = {**welcome["table"], "next_in": None}
        return {**welcome, "you": None, "table": table, "game": None if live is None else _as_read(live.game(None))}

    def told_once(self) -> None:
        """What the server has told in several steps comes from the device in one."""
        self.skip()
        self.heard.append({"at": self.now, "type": "table", "table": _as_read(self.table.state())})

    async def come_back(self) -> None:
        """The line breaks, or the page is closed and opened again."""
        again = self.rng.random() < 0.5
        self.step("again" if again else "hangUp")
        if again:
            await self.house.close()
            self.house = new_registry(self.store)
            found = await self.house.find(self.table.code)
            assert found is not None
            self.table = found
        else:
            for person in self.people:
                person.vanish()
        await asyncio.sleep(self.rng.uniform(0, 2))
        self.skip()
        self.step("hello")
        for person in self.people:
            await person.join(self.table)
        if len(self.people) == 1:
            return
        self.skip()
        self.heard.append(self.covered() if again else self.welcome())
        if again:
            self.look(self.eyes)

    async def change_people(self) -> None:
        """Somebody comes, goes, or has another name."""
        stay = (self.eyes.id, self.table.document.host.id)
        others = [person for person in self.people if person.id not in stay]
        kind = self.rng.random()
        name = self.rng.choice(("Bea", "Bеa", "Ana", "Juno", "Kit 2"))
        if kind < 0.4:
            await self._add(name)
        elif kind < 0.7 and others:
            await self._remove(self.rng.choice(others))
        elif self.table.document.phase != "playing":
            person = self.rng.choice(self.people)
            self.step("rename", player=person.id, name=name)
            person.player = replace(person.player, name=name)
            await self.table.rename(Guest(person.id, name))
            self.told_once()

    async def _add(self, name: str) -> None:
        seats = self.table.document.seats
        free = [seat for seat, place in enumerate(seats) if place is None or (place.bot and place.heir is None)]
        if len(self.people) == 4:
            return
        seat = self.rng.choice((None, *free))
        person = Listener(f"{name}-{len(self.steps)}", self.eyes.language)
        person.player = replace(person.player, name=name)
        self.step("add", person={"id": person.id, "name": name}, seat=seat)
        await person.join(self.table)
        await person.say(protocol.Sit(seat))
        self.people.append(person)
        self.told_once()

    async def _remove(self, person: Listener) -> None:
        self.step("remove", player=person.id)
        self.people.remove(person)
        await person.say(protocol.Stand())
        person.vanish()
        await asyncio.sleep(0)
        self.told_once()


def _as_read(value: Any) -> Any:
    """What somebody reads who is sent a value."""
    return json.loads(msgspec.json.encode(value))


# --- a table of the server --------------------------------------------------------------------------------


def play(seed: int, acts: int = 60) -> Told:
    """Play at a random table of the server.

    Args:
        seed: of everything random in it.
        acts: after how many it is left.
    """
    with _alike():
        return instantly(_play(seed, acts))


@contextmanager
def _alike() -> Iterator[None]:
    """Ids count, thoughts take no time, and hints no time to speak of."""
    ids, count_playing = count(1), dealing.count_playing
    with (
        patch("lastcard.server.seats.dealing.new_id", lambda: f"match-{next(ids)}"),
        patch.object(thinking, "POOL", AtOnce()),
        patch("lastcard.server.game.advice.weigh", _weigh),
        # Those at one device do not wait for each other.
        patch.object(dealing, "count_playing", lambda table, here: min(1, count_playing(table, here))),
    ):
        yield


def _weigh(view: Any) -> advice.Weighed:
    return advice.weigh(view, *HINT)


async def _play(seed: int, acts: int) -> Told:
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
    house = new_registry(store)
    table = await house.create(people[0].player, settings, quick=quick, lesson=lesson)
    story = Story(rng, store, house, table, people, people[0], searching=rng.random() < 0.15)
    await story.begin()
    if not table.document.quick and len(people) < settings.seats:
        level = rng.choice(_STYLED)
        await story.say(protocol.SetBot(settings.seats - 1, level, rng.choice(styles_of(level))))
    while len(story.steps) < acts:
        await _do_something(story)
    await asyncio.sleep(rng.uniform(0, 5))
    story.step("hangUp")
    await story.house.close()
    rows = [(row, store.log.get(row.id, [])) for row in store.matches.values() if row.finished is not None]
    return Told(_task(language, setup, story.steps), story.heard, [_finished(row, moves) for row, moves in rows])


def _task(language: str, setup: dict[str, Any], steps: list[dict[str, Any]]) -> dict[str, Any]:
    """What Node is to do: see ``tasks.table`` of lastcard_tasks.js."""
    return {**hint_task(language), "start": START, "setup": setup, "steps": steps}


def hint_task(language: str) -> dict[str, Any]:
    """How hard Node is to think about hints, and in what words to say them."""
    finding, measuring = (msgspec.to_builtins(effort) for effort in HINT)
    hint = {"seconds": None, "finding": finding, "measuring": measuring}
    return {"language": language, "texts": all_texts(language), "hint": hint}


def all_texts(language: str) -> dict[str, Any]:
    """Every text that a table on a device may need."""
    return {key: text for part in _PARTS for key, text in json.loads(screen_texts(language, part)).items()}


def _finished(row: MatchRow, moves: Sequence[MoveRow]) -> dict[str, Any]:
    """A match that is over, as the device tells of it."""
    lesson = row.position is not None
    replay = None if lesson else json.loads(replay_text(row, moves))
    if replay is not None:
        replay["taken_back"] = 0  # which a record does not tell
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


def _random_settings(rng: random.Random) -> tuple[WantedSettings, bool, bool]:
    """Settings, and whether they are for a lesson, or a table that starts by itself."""
    kind = rng.random()
    if kind < 0.05:
        return WantedSettings(rules=rng.choice(list(LESSONS)), pace="untimed", chat=False), True, False
    game = rng.choice(GAMES)
    options = random_options(game, rng)
    seats = 4 if options.team_play else rng.choice((2, 2, 3, 4, 4, 5, 7, 10))
    settings = WantedSettings(
        rules=str(Ruleset(game, options)),
        seats=seats,
        pace="untimed",
        grace=rng.choice((0, 500, 1000, 3000)),
        chat=False,
        hints=rng.random() < 0.5,
        take_backs=rng.random() < 0.5,
        bots=rng.choice(("slow", "normal", "quick")),
    )
    return settings, False, kind < 0.2


# --- what people do ---------------------------------------------------------------------------------------


async def _do_something(story: Story) -> None:
    """Some time passes, and whoever looks (maybe somebody else now) does something."""
    rng, table = story.rng, story.table
    await asyncio.sleep(rng.choice((rng.uniform(0.01, 0.4), rng.uniform(0.3, 3), rng.expovariate(0.2))))
    document = table.document
    if len(story.people) > 1:
        turn = None if table.live is None else table.live.match.round.turn
        on_turn = [person for person in story.people if document.playing_seat(person.id) == turn]
        person = rng.choice(on_turn if on_turn and rng.random() < 0.8 else story.people)
        if person is not story.eyes or rng.random() < 0.05:
            story.look(person)
    alone = len(story.people) == 1
    if rng.random() < 0.04 and (alone or document.phase not in ("writing", "between", "over")):
        await story.come_back()  # the server does not wait for those who come later
    elif not alone and document.phase != "writing" and rng.random() < 0.08:
        await story.change_people()
    elif rng.random() < 0.08:
        await _do_anything(story)
    elif document.paused:
        await story.say(protocol.Pause(False))
    elif document.phase == "lobby":
        await _do_in_lobby(story)
    elif document.phase == "writing":
        await story.say(protocol.Write(tuple(_random_cards(rng))))
    elif document.phase in ("between", "over"):
        await _do_between(story)
    else:
        await _act(story)


async def _do_in_lobby(story: Story) -> None:
    rng, table, person = story.rng, story.table, story.eyes
    document = table.document
    is_host = document.host.id == person.id
    level = rng.choice(_SEARCHING if story.searching and rng.random() < 0.4 else _PLAIN)
    kind = rng.random()
    if kind < 0.35:
        await story.say(protocol.Number(document.promise, f"{rng.getrandbits(128):032x}"))
    elif kind < 0.4:
        await story.say(protocol.Sit(rng.choice((None, *range(10)))))
    elif kind < 0.45:
        # Who stands at a lesson of the server sees no more of it; a device has no spectators to turn away.
        leave = protocol.Stand() if document.settings.spectators else protocol.Sit()
        await story.say(rng.choice((leave, protocol.Back(), protocol.Sit())))
    elif not is_host:
        await story.say(protocol.Ready())
    elif kind < 0.7:
        await story.say(protocol.SetBot(rng.randrange(11) % 10, level, rng.choice(("", *styles_of(level)))))
    elif kind < 0.75:
        await story.say(protocol.Configure(_random_settings(rng)[0]))
    else:
        await story.say(protocol.Start(level))


async def _do_between(story: Story) -> None:
    """On with it: at the server all say so, at one device whoever looks."""
    rng, table = story.rng, story.table
    if rng.random() < 0.3:
        await story.say(protocol.Number(table.document.promise, f"{rng.getrandbits(128):032x}"))
    if table.document.playing_seat(story.eyes.id) is None:
        await story.say(protocol.Ready())
        return
    story.note()
    for person in story.people:
        if person is not story.eyes and table.document.playing_seat(person.id) is not None:
            await person.say(protocol.Ready())
    story.skip()
    if table.document.phase in ("between", "over"):
        await story.say(protocol.Ready())


async def _act(story: Story) -> None:
    """Something of the match: mostly a sensible move on one's turn."""
    rng, table, person = story.rng, story.table, story.eyes
    live, seat = table.live, table.document.playing_seat(person.id)
    assert live is not None
    if seat is None:
        await story.say(rng.choice((protocol.Back(), protocol.Back(), protocol.Why(_command(rng), "draw"))))
        return
    face = live.match.round
    kind = rng.random()
    moves = [str(move) for move in face.legal(seat)]
    if kind < 0.06:
        await story.say(protocol.Advise(_command(rng)))
    elif kind < 0.1:
        await story.say(protocol.TakeBack(_command(rng), live.id))
    elif kind < 0.15:
        await story.say(protocol.Why(_command(rng), _any_move(story)))
    elif kind < 0.3 or not moves:
        await story.say(protocol.Act(_command(rng), live.id, _any_move(story)))
    else:
        calls = [move for move in moves if move.startswith(("uno", "catch"))]
        move = rng.choice(calls if calls and rng.random() < 0.4 else moves)
        if rng.random() < 0.2 and not calls:
            move += "!"
        await story.say(protocol.Act(_command(rng), live.id, move))


async def _do_anything(story: Story) -> None:
    """What may come at any time, in place or out of it."""
    rng, table = story.rng, story.table
    document = table.document
    match = "" if table.live is None else table.live.id
    others = [person for person in story.people if person is not story.eyes]
    is_host = document.host.id == story.eyes.id
    choices: list[ClientMessage] = [
        protocol.Act(_command(rng), rng.choice((match or "none", "match-99")), rng.choice(("R5", "draw", "x", "R5=G"))),
        protocol.Advise(_command(rng)),
        protocol.Why(_command(rng), rng.choice(("pull", "W", "catch 1", "uno", "what", "0:R5"))),
        protocol.Write(("draw 1",)),
        protocol.Say("hello"),
        protocol.Quick(rng.choice((*QUICK, "nonsense")), rng.choice((None, *range(10)))),
        protocol.Report("id-Ana", "words"),
        protocol.Sit(rng.choice((None, *range(10)))),
        protocol.Kick(story.eyes.id),
        protocol.Number("0" * 64, "1" * 32),
    ]
    if not others:
        choices += [protocol.Pause(rng.random() < 0.7), protocol.Ready(), protocol.Back(), protocol.Kick("nobody")]
        if document.settings.spectators:
            choices.append(protocol.Stand())
    if is_host:
        settings = WantedSettings(**msgspec.structs.asdict(document.settings))
        choices += [
            protocol.Start(rng.choice((*_PLAIN, "none"))),
            protocol.SetBot(
                rng.randrange(10), rng.choice((None, *_PLAIN, "none")), rng.choice(("", "hoarder", "rude"))
            ),
            protocol.Configure(msgspec.structs.replace(settings, bots=rng.choice(("slow", "quick")))),
            protocol.Configure(_random_settings(rng)[0]),
            protocol.Configure(msgspec.structs.replace(settings, rules=rng.choice(_NONSENSE))),
            protocol.Look(rng.choice(("", "01234"))),
            *(protocol.Kick(other.id) for other in others),
        ]
    await story.say(rng.choice(choices))


_NONSENSE: Final = (
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


def _any_move(story: Story) -> str:
    """A move that may be right, or of another seat, or no move at all."""
    rng, live = story.rng, story.table.live
    assert live is not None
    if rng.random() < 0.15:
        return rng.choice(
            ("R5=G", "W+4", "uno", f"catch {rng.randrange(10)}", "pull", "play R5", "Q9", "W=R!", "accept")
        )
    if live.match.round.over:
        return "draw"
    return random_move(live.match.round, rng)[1]


def _random_cards(rng: random.Random) -> list[str]:
    lines = rng.sample(WRITTEN, rng.randrange(4))
    if rng.random() < 0.3:
        lines.append(
            rng.choice(("draw", "draw 2 cards now", "dare: sing", "dare:", "dare: " + "x" * 150, "hop", "R2", ";"))
        )
    return lines


def _command(rng: random.Random) -> str:
    return f"command-{rng.getrandbits(32)}"


# --- comparing --------------------------------------------------------------------------------------------


def differences(told: Told, answer: dict[str, Any]) -> list[str]:
    """The first place where the device says something else, in words."""
    alone = len(told.task["setup"]["people"]) == 1
    ours, theirs = (list(_comparable(heard, alone=alone)) for heard in (told.heard, answer["told"]))
    step = 0
    for one, other in zip([*ours, {**_END}], [*theirs, {**_END}], strict=False):
        late = abs(one.pop("at") - other.pop("at"))
        if as_json(one) != as_json(other) or late > _HAIR:
            done = told.task["steps"][max(0, step - 1)]
            return [
                f"step {step}: {as_json(done)}",
                f"{late} s apart",
                *_apart(one, other),
                as_json(told.task["setup"]),
            ]
        step += one == {"type": "step"}
    for one, other in zip(told.finished, answer["finished"], strict=True):
        if in_order(one) != in_order({key: other[key] for key in one}):
            return ["finished", *_apart(in_order(one), in_order(other)), as_json(told.task["setup"])]
    return []


def _apart(one: Any, other: Any, path: str = "") -> list[str]:
    """Where two values differ."""
    if one != other and isinstance(one, dict) and isinstance(other, dict) and one.get("type") == other.get("type"):
        keys = [*one, *(key for key in other if key not in one)]
        key = next(
            key for key in keys if as_json(one.get(key)) != as_json(other.get(key)) or (key in one) != (key in other)
        )
        return _apart(one.get(key), other.get(key), f"{path}/{key}")
    return [f"{path}", f"server: {as_json(one)}", f"device: {as_json(other)}"]


def _comparable(heard: list[dict[str, Any]], *, alone: bool) -> Iterator[dict[str, Any]]:
    """Messages without what differs on purpose, and without pictures of the table that say nothing new.

    Args:
        heard: the messages.
        alone: whether there is one person.
    """
    last = None
    for message in heard:
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
    """Without a code, without spectators, and where whoever looks does all alone, without who is host and ready."""
    plain = {**table, "code": "", "join_url": "", "settings": {**table["settings"], "spectators": False}}
    if not alone:
        plain["host"] = ""
        plain["seats"] = [seat and {**seat, "ready": False} for seat in table["seats"]]
    return plain


def in_order(value: Any) -> Any:
    """With keys in order: objects have none."""
    if isinstance(value, dict):
        return {key: in_order(value[key]) for key in sorted(value)}
    if isinstance(value, float) and value.is_integer():
        return int(value)  # JSON has one kind of numbers
    return [in_order(each) for each in value] if isinstance(value, list | tuple) else value


def hunt(node: Node, first: int, tables: int) -> tuple[int, int]:
    """Play tables on both sides.

    Args:
        first: seed of the first one.
        tables: how many.

    Returns:
        How many messages were compared, and how many matches came to their end.

    Raises:
        AssertionError: where they differ.
    """
    messages = over = 0
    for seed in range(first, first + tables):
        told = play(seed)
        wrong = differences(told, node.ask("table", **told.task))
        assert not wrong, "\n".join([f"table {seed}", *wrong])
        messages, over = messages + len(told.heard) - len(told.task["steps"]), over + len(told.finished)
    return messages, over


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(prog="python -m tools.differential.local_table", description=__doc__)
    parser.add_argument("tables", type=int, help="how many tables to play at")
    tables = parser.parse_args().tables
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))
    node, first = Node(), random.SystemRandom().randrange(1 << 40)
    messages, matches = hunt(node, first, tables)
    print(f"{messages:,} messages at {tables:,} tables (from {first} on), {matches} whole matches, no difference")
    node.close()


if __name__ == "__main__":
    main()
