"""Lessons: every path through each of them is legal and has all its steps, and none of them counts."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from random import Random

import pytest

from lastcard.errors import UsageError
from lastcard.game.moves import action_to_move, parse_seat_move
from lastcard.match.match import Match
from lastcard.match.setup import build_deck
from lastcard.server.game import thinking
from lastcard.server.table.live_table import LiveTable
from lastcard.server.wire.parts import Mine
from lastcard.server.wire.protocol import Dealt, Moved, Why
from lastcard.session.commands import Configure, SetBot, Start
from lastcard.session.lessons import LEARNER, LESSONS, Lesson, find_lesson
from lastcard.session.table_settings import Settings, WantedSettings
from lastcard.session.tutor import LessonStep, find_tutor
from lastcard.text.locale import LANGUAGES, catalog
from support.arranged_decks import play_moves
from support.fakes import InlineExecutor, MemoryStore, Person, new_registry, refusal_code

NAMES = ["Ann", "Ada", "Ben"]
ALL = [(game, number) for game, lessons in LESSONS.items() for number in range(1, len(lessons) + 1)]
"""The game and the number of every lesson."""


def numbered(game: str, number: int) -> Lesson:
    """A lesson that exists."""
    lesson = find_lesson(game, number)
    assert lesson is not None
    return lesson


def begun(lesson: Lesson, moves: tuple[str, ...] = ()) -> Match:
    """A lesson after some moves."""
    return play_moves(Match(lesson.start.rules, NAMES, seed=1, position=lesson.start), *moves)


def lesson_paths(lesson: Lesson, moves: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """Every path of the learner through a lesson, as the moves of all seats."""
    match = begun(lesson, moves)
    tutor = find_tutor(match)
    if match.round.over:
        yield moves
        return
    if tutor.is_waiting:
        for action in tutor.open_actions(match.round.legal_actions(LEARNER)):
            yield from lesson_paths(lesson, (*moves, f"{LEARNER}:{action_to_move(action)}"))
        return
    seat = match.round.turn
    move = tutor.bot_move(seat, match.round)
    assert move is not None, f"the script of seat {seat} says nothing possible after {moves}"
    yield from lesson_paths(lesson, (*moves, f"{seat}:{move}"))


@pytest.mark.parametrize(("game", "number"), ALL)
def test_every_way_through_a_lesson_is_legal_and_ends_well(game: str, number: int) -> None:
    """The engine itself refuses illegal moves (CO-5); each path has all steps, and the learner wins."""
    lesson = numbered(game, number)
    found = list(lesson_paths(lesson))
    for moves in found:
        match = begun(lesson, moves)
        assert match.round.over and match.round.winner == LEARNER, moves
        assert sum(parse_seat_move(text)[0] == LEARNER for text in moves) == len(lesson.steps)
    for i, step in enumerate(lesson.steps):
        taken = {[text for text in moves if text[0] == "0"][i].removeprefix("0:") for moves in found}
        assert taken == set(step.moves), f"step {step.say} leaves open what nobody can do"
    assert [step.beat for step in lesson.steps] == sorted(step.beat for step in lesson.steps)
    assert lesson.beats == {("classic", 1): 5, ("classic", 2): 4}.get((game, number), 3)


@pytest.mark.parametrize(("game", "number"), ALL)
def test_the_cards_of_a_lesson_are_in_its_deck(game: str, number: int) -> None:
    """No card is more frequent than in a box."""
    start = numbered(game, number).start
    box = build_deck(start.rules, b"")
    cards = [card for pile in (*start.hands, start.discard, start.draw) for card in pile]
    assert all(cards.count(card) <= box.count(card) for card in cards)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_lesson_has_words_for_all_it_says(language: str) -> None:
    texts = catalog(language).texts
    for game, number in ALL:
        lesson = numbered(game, number)
        said = {name for step in lesson.steps for name in (step.say, step.then)} - {None}
        assert {f"lesson.{game}.{name}" for name in said | {lesson.done}} <= texts.keys()


def own_part(person: Person) -> Mine:
    """The person's own part of the last message about the match."""
    message = next(message for message in reversed(person.received) if isinstance(message, Dealt | Moved))
    mine = message.game.mine if isinstance(message, Dealt) else message.mine
    assert mine is not None
    return mine


def lesson_step(person: Person) -> LessonStep:
    """The step in the learner's last message."""
    step = own_part(person).lesson
    assert step is not None
    return step


def legal(person: Person) -> tuple[str, ...]:
    """The moves that the screen offers."""
    return own_part(person).legal


async def lesson_of(ann: Person, game: str, store: MemoryStore, level: str = "casual", number: int = 1) -> LiveTable:
    """A table whose lesson has just begun, with a bot of some level in the next seat."""
    table = await new_registry(store).create(ann.player, Settings(rules=game), lesson=number)
    await ann.join(table)
    await ann.send_command(SetBot(1, level))
    await ann.give_number()
    assert table.state.phase == "playing"
    return table


@pytest.mark.parametrize("level", ["casual", "expert"])
@pytest.mark.parametrize(("game", "number"), ALL)
async def test_a_lesson_is_played_at_a_real_table(
    ann: Person, store: MemoryStore, game: str, number: int, level: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Bots wait for the learner and then follow the script; other moves than those of the step are refused in words."""
    rng = Random(22)
    monkeypatch.setattr(thinking, "POOL", InlineExecutor())
    lesson = numbered(game, number)
    table = await lesson_of(ann, game, store, level, number)
    play = table.play
    beats = {lesson_step(ann).beat}
    while not play.match.round.over:
        for _ in range(200):
            if legal(ann):
                break
            await asyncio.sleep(0.1)
        before = play.log.ply
        await asyncio.sleep(60)
        assert play.log.ply == before, "nobody plays on while the learner reads"
        for move in {str(move) for move in play.match.round.legal(LEARNER)} - set(legal(ann)):
            await ann.make_move(move)
            assert refusal_code(ann) == "lesson"
            assert await ann.refusal(Why("why-12345", move)) == "lesson"
        await ann.make_move(rng.choice(legal(ann)))
        beats.add(lesson_step(ann).beat)
    assert beats >= set(range(1, lesson.beats + 2))
    assert lesson_step(ann).say == lesson.done
    assert lesson_step(ann).next == (2 if (game, number) == ("classic", 1) else 0)
    assert table.state.phase == "over" and (table.state.played, table.state.wins) == (0, {})
    assert [row.position for row in store.matches.values()] == [str(lesson.start)]


async def test_after_its_lesson_a_table_is_like_any_other(store: MemoryStore, ann: Person) -> None:
    """The next match is shuffled and counts."""
    table = await lesson_of(ann, "wild-jackpot", store)
    while table.play is not None and not table.play.match.over:
        await asyncio.sleep(20)
        await ann.make_move(legal(ann)[0])
    await ann.send_command(Start())
    assert table.play is not None and table.play.match.position is None
    assert own_part(ann).lesson is None


@pytest.mark.parametrize("change", [Configure(WantedSettings(rules="classic+stacking=same", seats=3)), SetBot(2, None)])
async def test_a_table_that_was_changed_before_its_lesson_gives_none(
    ann: Person, bob: Person, change: Configure | SetBot
) -> None:
    """The lesson's cards are for other rules, or for other seats."""
    table = await new_registry().create(ann.player, Settings(rules="classic"), lesson=1)
    await ann.join(table)
    await ann.send_command(change)
    if isinstance(change, SetBot):
        await bob.join_and_sit(table, 2)
    await ann.give_number()
    assert table.play is not None and table.play.match.position is None


def test_a_prepared_round_has_no_record() -> None:
    """Nothing may claim that it was shuffled."""
    with pytest.raises(UsageError, match="not shuffled"):
        begun(numbered("classic", 1)).record()
