"""Hints at a table: who gets them, when, and from what data (docs/table.md, "Hints")."""

from __future__ import annotations

import asyncio
from base64 import b64decode
from collections import Counter

import pytest

from lastcard.bots import advice
from lastcard.bots.search import RatedMove, SearchConfig
from lastcard.game.rulesets import GAMES
from lastcard.match.match import Match
from lastcard.match.round import Round
from lastcard.match.view import View
from lastcard.server.game import thinking as threads
from lastcard.server.game.advice import make_observation
from lastcard.server.http.table_socket import MessageLimits, ProtocolError
from lastcard.server.security import metrics
from lastcard.server.table.live_table import LiveTable
from lastcard.server.wire.protocol import Advice, Advise, Refused, SeatObservation, TableChanged
from lastcard.session.commands import Configure, LeaveSeat, MakeMove, Pause, Start
from lastcard.session.table_settings import WantedSettings
from lastcard.text.locale import LANGUAGES, catalog
from lastcard.text.narration import Narrator
from support.fakes import InlineExecutor, ManualExecutor, Person, new_table, playing_table, refusal_code, set_position
from support.information_sets import resample_hidden
from support.random_play import seeded, seeds, walk

HANDS = ("R1 W G2 Rs", "R4 R5 R6", "R8 R9", "Y1 Y2 Y3")
QUICK = SearchConfig(rollouts=48, deals=16), SearchConfig(deals=4), None


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hints take no time."""
    monkeypatch.setattr(threads, "POOL", InlineExecutor())
    monkeypatch.setattr("lastcard.server.game.advice.rank_moves", lambda view: advice.rank_moves(view, *QUICK))


async def ask(person: Person, command: str = "question-1") -> Advice:
    """Ask for a hint and return it."""
    before = person.count(Advice)
    await person.send_command(Advise(command))
    await asyncio.sleep(0.1)
    assert person.count(Advice) == before + 1, person.received[-1]
    return person.last(Advice)


async def refused(person: Person) -> str:
    """Ask for a hint that is refused; returns the code."""
    before = person.count(Advice)
    await person.send_command(Advise("question-2"))
    await asyncio.sleep(0.1)
    assert person.count(Advice) == before and person.last(Refused).id == "question-2"
    return refusal_code(person)


async def alone(ada: Person) -> LiveTable:
    """Ada and three bots; it is her turn."""
    table = await playing_table(ada, seats=4, rules="classic", pace="untimed")
    set_position(table, *HANDS)
    return table


@pytest.mark.parametrize("language", LANGUAGES)
async def test_three_moves_with_their_chances_and_why(language: str) -> None:
    """Hints are in the person's language, for the current state; nothing changes, and nobody else is informed."""
    ada, eve = Person("Ada", language), Person("Eve")
    table = await alone(ada)
    await eve.join(table)
    message_count = len(eve.texts)
    found = await ask(ada)
    assert (found.id, found.ply, len(found.moves)) == ("question-1", 0, 3)
    legal = {str(move) for move in table.play.match.round.view(0).legal}
    for advised in found.moves:
        assert advised.move in legal and advised.words and advised.why.endswith(".")
        assert 0 <= advised.chance <= 1 and 0 < advised.error < 0.5
    assert table.play.log.ply == 0 and len(eve.texts) == message_count


async def test_a_searching_page_gets_the_seats_view(ada: Person, eve: Person) -> None:
    """The answer is byte for byte the seat's view, sent to nobody else; without hints there is no answer."""
    table = await alone(ada)
    await eve.join(table)
    message_count = len(eve.texts)
    await ada.send_command(Advise("question-1", here=True))
    observation, view = ada.last(SeatObservation), table.play.match.round.view(0)
    assert (observation.id, observation.ply) == ("question-1", 0)
    assert b64decode(observation.table) == view.information_state and b64decode(observation.past) == view.history
    assert not ada.count(Advice) and len(eve.texts) == message_count
    await ada.make_move("R1")
    assert await ada.refusal(Advise("question-2", here=True)) == "not-your-turn" and ada.count(SeatObservation) == 1


@pytest.mark.parametrize("block", range(2))
def test_a_searching_page_gets_no_hidden_cards(block: int) -> None:
    """The bytes are the same at tables that differ only in what the seat does not know."""
    games: Counter[str] = Counter()
    for seed in seeds(20, block):
        with seeded(seed) as rng:
            for table in walk(seed, rng, 120):
                if not table.over and rng.random() < 0.2:
                    resampled = resample_hidden(table, table.turn, rng)
                    one, other = (make_observation("question", 0, each.view(table.turn)) for each in (table, resampled))
                    assert one == other
                    games[table.rules.game] += 1
    assert set(games) == set(GAMES)


async def test_a_move_can_overtake_its_hint(ada: Person) -> None:
    """The answer has the ply it is for: another move may have come first."""
    table = await alone(ada)
    await ada.send_command(Advise("question-1"))
    await ada.make_move("R1")
    await asyncio.sleep(0.1)
    assert ada.last(Advice).ply == 0 and table.play.log.ply == 1


async def test_hints_need_the_consent_of_others(ada: Person, bob: Person) -> None:
    """With other people at the table there are hints only if the host turned them on before the match."""
    table = await new_table(ada, bob, rules="classic", pace="untimed")
    assert bob.last(TableChanged).table.hints is False
    await ada.send_command(Start())
    set_position(table, *HANDS[:2])
    assert await refused(ada) == "no-hints"
    late = await ada.refusal(Configure(WantedSettings(rules="classic", seats=2, hints=True)))
    assert late == "in-match", "nobody can turn them on in the middle"
    table = await new_table(ada, bob, rules="classic", pace="untimed")
    await ada.send_command(Configure(WantedSettings(rules="classic", seats=2, pace="untimed", hints=True)))
    assert bob.last(TableChanged).table.settings.hints and bob.last(TableChanged).table.hints
    await ada.send_command(Start())
    set_position(table, *HANDS[:2])
    await ask(ada)


async def test_a_hand_may_be_reclaimed_before_a_hint(ada: Person, bob: Person) -> None:
    """A bot plays on for a person who stood up, and there are no hints against that person's hand."""
    table = await playing_table(ada, bob, rules="classic", pace="untimed")
    set_position(table, *HANDS[:2])
    await bob.send_command(LeaveSeat())
    assert await refused(ada) == "no-hints"


async def test_hints_are_refused_with_a_reason(ada: Person, eve: Person) -> None:
    """Each refusal has a code of its own, and words."""
    table = await new_table(ada, seats=4, rules="classic", pace="untimed")
    assert await refused(ada) == "stale"
    await ada.send_command(Start())
    set_position(table, *HANDS, turn=1)
    assert await refused(ada) == "not-your-turn"
    set_position(table, *HANDS)
    await eve.join(table)
    assert await refused(eve) == "not-seated"
    await ada.send_command(Pause(True))
    assert await refused(ada) == "paused"
    await ada.send_command(Pause(False))
    set_position(table, "R1", *HANDS[1:], called=[0])
    await ada.make_move("R1")
    assert table.play.round_over and await refused(ada) == "not-your-turn"


async def test_a_fault_is_answered(ada: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    """The person gets an error with the reference of the log; the table does not change."""

    def fail(view: View) -> list[RatedMove]:
        raise ZeroDivisionError

    monkeypatch.setattr("lastcard.server.game.advice.rank_moves", fail)
    before = metrics.FAULTS._value.get()
    await alone(ada)
    assert await refused(ada) == "fault"
    assert metrics.FAULTS._value.get() == before + 1


def test_hints_are_asked_for_one_by_one() -> None:
    """A few are allowed at once, then one in two seconds; moves are not slowed down."""
    patience = MessageLimits()
    for _ in range(5):
        assert isinstance(patience.read('{"type":"advise","id":"question-1"}'), Advise)
    with pytest.raises(ProtocolError) as unfit:
        patience.read('{"type":"advise","id":"question-2"}')
    assert (unfit.value.code, unfit.value.command) == ("too-fast", "question-2")
    assert isinstance(patience.read('{"type":"act","id":"command-1","match":"m","move":"R1"}'), MakeMove)


async def test_hints_of_one_person_do_not_pile_up(ada: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    """One hint is computed, four wait, over all connections; those of a closed connection are dropped."""
    threads_busy = ManualExecutor()
    monkeypatch.setattr(threads, "POOL", threads_busy)
    table = await alone(ada)
    for _ in range(3):
        for n in range(6):
            await ada.send_command(Advise(f"question-{n}"))
            await asyncio.sleep(0.1)
        assert refusal_code(ada) == "too-fast" and len(threads.QUEUE) == 4
        ada.disconnect()
        assert len(threads.QUEUE) == 0
        ada = Person("Ada")
        await ada.join(table)
    await ada.send_command(Advise("question-6"))
    threads_busy.run_pending()
    await asyncio.sleep(0.1)
    assert ada.last(Advice).id == "question-6" and ada.count(Refused) == 0


@pytest.mark.parametrize("block", range(2))
def test_a_hint_hides_what_is_hidden(block: int) -> None:
    """Two tables that differ only in hidden cards get the same hint, to the last letter."""
    seen: Counter[str] = Counter()
    for seed in seeds(8, block):
        with seeded(seed) as rng:
            for table in walk(seed, rng, 80):
                if not table.over and rng.random() < 0.2:
                    assert hint_at(table) == hint_at(resample_hidden(table, table.turn, rng))
                    seen[table.decision] += 1
    assert seen["play"] > 20 and len(seen) > 2


def hint_at(table: Round) -> list[advice.Hint]:
    """The hints of the seat on turn."""
    view = table.view(table.turn)
    return advice.make_hints(
        view, advice.rank_moves(view, *QUICK), Narrator(Match(table.rules, table.players, seed=0), catalog("en"))
    )
