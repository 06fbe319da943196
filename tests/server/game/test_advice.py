"""Hints at a table: to whom, when, and from what (docs/table.md, "Hints")."""

from __future__ import annotations

import asyncio
from base64 import b64decode
from collections import Counter
from typing import Any

import pytest

from lastcard.bots import advice
from lastcard.bots.search import Choice, Effort
from lastcard.game.rulesets import GAMES
from lastcard.match.match import Match
from lastcard.match.round import Round
from lastcard.match.view import View
from lastcard.server.game import thinking as threads
from lastcard.server.game.advice import show_sight
from lastcard.server.guard import metrics
from lastcard.server.http.socket import BadMessage, MessageLimits
from lastcard.server.table.table import LiveTable
from lastcard.server.wire.parts import WantedSettings
from lastcard.server.wire.protocol import (
    Act,
    Advice,
    Advise,
    Configure,
    Pause,
    Refused,
    Sight,
    Stand,
    Start,
    TableChanged,
)
from lastcard.text.locale import LANGUAGES, catalog
from lastcard.text.narrate import Narrator
from support.fakes import AtOnce, ByHand, Person, instantly, lay, new_table, playing_table, refusal
from support.randomly import seeded, seeds, walk
from support.twins import twin_of

HANDS = ("R1 W G2 Rs", "R4 R5 R6", "R8 R9", "Y1 Y2 Y3")
QUICK = Effort(rollouts=48, deals=16), Effort(deals=4)


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hints that take no time."""

    def weigh(view: View) -> advice.Weighed:
        return advice.weigh(view, *QUICK)

    monkeypatch.setattr(threads, "POOL", AtOnce())
    monkeypatch.setattr("lastcard.server.game.advice.weigh", weigh)


async def ask(person: Person, command: str = "question-1") -> Advice:
    """Ask for a hint and get one."""
    before = person.count(Advice)
    await person.say(Advise(command))
    await asyncio.sleep(0.1)
    assert person.count(Advice) == before + 1, person.heard[-1]
    return person.last(Advice)


async def refused(person: Person) -> str:
    """Ask for a hint and get none: the code."""
    before = person.count(Advice)
    await person.say(Advise("question-2"))
    await asyncio.sleep(0.1)
    assert person.count(Advice) == before and person.last(Refused).id == "question-2"
    return refusal(person)


async def alone(ada: Person, **settings: Any) -> LiveTable:
    """Ada and three bots; it is her turn."""
    usual: dict[str, Any] = {"seats": 4, "rules": "classic", "pace": "untimed"}
    table = await playing_table(ada, **(usual | settings))
    lay(table, *HANDS)
    return table


@pytest.mark.parametrize("language", LANGUAGES)
def test_three_moves_with_their_chances_and_why(language: str) -> None:
    """In the person's own words, for the table as it is; nothing changes, and nobody else hears of it."""

    async def play() -> None:
        ada, eve = Person("Ada", language), Person("Eve")
        table = await alone(ada)
        await eve.join(table)
        told = len(eve.texts)
        found = await ask(ada)
        assert (found.id, found.ply, len(found.moves)) == ("question-1", 0, 3)
        legal = {str(move) for move in table.live.match.round.view(0).legal}
        for advised in found.moves:
            assert advised.move in legal and advised.words and advised.why.endswith(".")
            assert 0 <= advised.chance <= 1 and 0 < advised.error < 0.5
        assert table.live.log.ply == 0 and len(eve.texts) == told

    instantly(play())


def test_a_page_that_thinks_itself_is_told_what_the_seat_knows() -> None:
    """Byte for byte the seat's view, and to nobody else; where no hint is given there is no such answer either."""

    async def play() -> None:
        ada, eve = Person("Ada"), Person("Eve")
        table = await alone(ada)
        await eve.join(table)
        told = len(eve.texts)
        await ada.say(Advise("question-1", here=True))
        sight, view = ada.last(Sight), table.live.match.round.view(0)
        assert (sight.id, sight.ply, b64decode(sight.table), b64decode(sight.past)) == (
            "question-1",
            0,
            view.table,
            view.past,
        )
        assert not ada.count(Advice) and len(eve.texts) == told
        await ada.act("R1")
        await ada.say(Advise("question-2", here=True))
        assert refusal(ada) == "not-your-turn" and ada.count(Sight) == 1

    instantly(play())


@pytest.mark.parametrize("block", range(2))
def test_what_a_page_is_told_hides_what_is_hidden(block: int) -> None:
    """The same bytes at tables that differ only in what the seat does not know."""
    games: Counter[str] = Counter()
    for seed in seeds(20, block):
        with seeded(seed) as rng:
            for table in walk(seed, rng, 120):
                if not table.over and rng.random() < 0.2:
                    twin = twin_of(table, table.turn, rng)
                    one, other = (show_sight("question", 0, each.view(table.turn)) for each in (table, twin))
                    assert one == other
                    games[table.rules.game] += 1
    assert set(games) == set(GAMES)


def test_who_plays_on_does_not_wait() -> None:
    """The answer says for which table it was: another move may have come first."""

    async def play() -> None:
        ada = Person("Ada")
        table = await alone(ada)
        await ada.say(Advise("question-1"))
        await ada.act("R1")
        await asyncio.sleep(0.1)
        assert ada.last(Advice).ply == 0 and table.live.log.ply == 1

    instantly(play())


def test_people_are_asked_before() -> None:
    """With other people at the table there are hints only if the host turned them on before the match."""

    async def play() -> None:
        ada, bob = Person("Ada"), Person("Bob")
        table = await new_table(ada, bob, rules="classic", pace="untimed")
        assert bob.last(TableChanged).table.hints is False
        await ada.say(Start())
        lay(table, *HANDS[:2])
        assert await refused(ada) == "no-hints"
        await ada.say(Configure(WantedSettings(rules="classic", seats=2, hints=True)))
        assert refusal(ada) == "in-match", "nobody can turn them on in the middle"
        table, others = await new_table(ada, bob, rules="classic", pace="untimed"), bob
        await ada.say(Configure(WantedSettings(rules="classic", seats=2, pace="untimed", hints=True)))
        assert others.last(TableChanged).table.settings.hints and others.last(TableChanged).table.hints
        await ada.say(Start())
        lay(table, *HANDS[:2])
        await ask(ada)

    instantly(play())


def test_who_has_left_may_come_back() -> None:
    """A bot plays on for a person who stood up, and there are no hints against that person's hand."""

    async def play() -> None:
        ada, bob = Person("Ada"), Person("Bob")
        table = await playing_table(ada, bob, rules="classic", pace="untimed")
        lay(table, *HANDS[:2])
        await bob.say(Stand())
        assert await refused(ada) == "no-hints"

    instantly(play())


def test_hints_out_of_place() -> None:
    """Each refusal has a code of its own, and words."""

    async def play() -> None:
        ada, eve = Person("Ada"), Person("Eve")
        table = await new_table(ada, seats=4, rules="classic", pace="untimed")
        assert await refused(ada) == "stale"
        await ada.say(Start())
        lay(table, *HANDS, turn=1)
        assert await refused(ada) == "not-your-turn"
        lay(table, *HANDS)
        await eve.join(table)
        assert await refused(eve) == "not-seated"
        await ada.say(Pause(True))
        assert await refused(ada) == "paused"
        await ada.say(Pause(False))
        lay(table, "R1", *HANDS[1:], called=[0])
        await ada.act("R1")
        assert table.live.round_over and await refused(ada) == "not-your-turn"

    instantly(play())


def test_a_fault_is_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever asked hears of it, with the reference of the log; the table is as it was."""

    def fail(view: View) -> list[Choice]:
        raise ZeroDivisionError

    async def play() -> None:
        ada = Person("Ada")
        await alone(ada)
        assert await refused(ada) == "fault"

    monkeypatch.setattr("lastcard.server.game.advice.weigh", fail)
    before = metrics.FAULTS._value.get()
    instantly(play())
    assert metrics.FAULTS._value.get() == before + 1


def test_hints_are_asked_for_one_by_one() -> None:
    """A few at once, then one in two seconds; moves are not slowed down by it."""
    patience = MessageLimits()
    for _ in range(5):
        assert isinstance(patience.hear('{"type":"advise","id":"question-1"}'), Advise)
    with pytest.raises(BadMessage) as unfit:
        patience.hear('{"type":"advise","id":"question-2"}')
    assert (unfit.value.code, unfit.value.command) == ("too-fast", "question-2")
    assert isinstance(patience.hear('{"type":"act","id":"command-1","match":"m","move":"R1"}'), Act)


def test_hints_of_one_person_do_not_pile_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """One is worked out, four wait, be it over how many connections; those of a connection that has ended do not."""
    threads_busy = ByHand()
    monkeypatch.setattr(threads, "POOL", threads_busy)

    async def play() -> None:
        ada = Person("Ada")
        table = await alone(ada)
        for _ in range(3):
            for n in range(6):
                await ada.say(Advise(f"question-{n}"))
                await asyncio.sleep(0.1)
            assert refusal(ada) == "too-fast" and len(threads.QUEUE) == 4
            ada.vanish()
            assert len(threads.QUEUE) == 0
            ada = Person("Ada")
            await ada.join(table)
        await ada.say(Advise("question-6"))
        threads_busy.work_off()
        await asyncio.sleep(0.1)
        assert ada.last(Advice).id == "question-6" and ada.count(Refused) == 0

    instantly(play())


@pytest.mark.parametrize("block", range(2))
def test_a_hint_hides_what_is_hidden(block: int) -> None:
    """Two tables that differ only in hidden cards get the same hint, to the last letter."""
    seen: Counter[str] = Counter()
    for seed in seeds(8, block):
        with seeded(seed) as rng:
            for table in walk(seed, rng, 80):
                if not table.over and rng.random() < 0.2:
                    assert hint_at(table) == hint_at(twin_of(table, table.turn, rng))
                    seen[table.decision] += 1
    assert seen["play"] > 20 and len(seen) > 2


def hint_at(table: Round) -> list[advice.Hint]:
    """All the seat on turn is told."""
    view = table.view(table.turn)
    return advice.hints(
        view, advice.weigh(view, *QUICK), Narrator(Match(table.rules, table.players, seed=0), catalog("en"))
    )
