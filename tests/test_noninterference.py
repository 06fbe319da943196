"""Hidden information never reaches a viewer.

Two tables that differ only in what a viewer cannot know look the same to that viewer, answer every attempt alike, and
still look the same after the same move at both, unless that move reveals something.
"""

from __future__ import annotations

import asyncio
import random
from collections import Counter

import pytest

from lastcard.agents import AgentSeat, describe_view
from lastcard.agents.agent_seat import MAX_TRIES
from lastcard.agents.game_tables import MODEL_SEAT, LocalTable
from lastcard.agents.prompts import FORMATS
from lastcard.agents.toolbox import Toolbox, result_text
from lastcard.errors import IllegalMove
from lastcard.game.cards import CARD_SLOTS
from lastcard.game.moves import move_to_action
from lastcard.game.rulesets import GAMES
from lastcard.match.events import Drew, Took
from lastcard.match.match import Match
from lastcard.match.round import Round
from lastcard.rules import exports
from lastcard.server.wire.protocol import VERSION, Advise, ClientUnion, Hello, Why
from lastcard.session.commands import MakeMove
from support.information_sets import REVEALING_VERBS, random_move_for_both, resample_hidden, reveals_cards
from support.random_play import all_moves, random_round, seeded, seeds, walk

PERSON_SEAT = 1
"""The seat of the person at a local table."""
ACTIONS = [move_to_action(move) for move in all_moves()]


def check_same_view(one: Round, two: Round, viewer: int | None, rng: random.Random) -> None:
    """Check that views are equal, and the viewer's possible moves are accepted at both or refused in the same words.

    Each call tries another fifth of all moves.
    """
    assert one.view(viewer) == two.view(viewer)
    if viewer is None:
        return
    tried = rng.sample(ACTIONS, len(ACTIONS) // 5)
    answers = [[exports.check_action(t._states, 0, viewer, action) for action in tried] for t in (one, two)]
    assert answers[0] == answers[1]


@pytest.mark.parametrize("block", range(4))
def test_views_hide_what_is_hidden(block: int) -> None:
    """At random moments of random rounds, for every seat and for a spectator."""
    for seed in seeds(20, block):
        with seeded(seed) as rng:
            for table in walk(seed, rng, 120):
                if table.over or rng.random() > 0.15:
                    continue
                for viewer in (None, *range(table.players)):
                    check_same_view(table, resample_hidden(table, viewer, rng), viewer, rng)


@pytest.mark.parametrize("layout", FORMATS)
def test_texts_for_models_hide_what_is_hidden(layout: str) -> None:
    """A language model reads the same at both tables, and gets the same outcome for an answer that is refused."""
    texts: Counter[str] = Counter()
    for seed in seeds(40):
        with seeded(seed) as rng:
            match = Match(random_round(seed).rules, random_round(seed).players, seed=seed)
            for table in walk(seed, rng, 60):
                if rng.random() > 0.2 or table.over:
                    continue
                viewer = rng.randrange(table.players)
                read = []
                for one in (table, resample_hidden(table, viewer, rng)):
                    match.round = one
                    seat = AgentSeat(match, viewer)
                    outcomes = [seat.answer(text) for text in ("B9", "Wx", "catch>1", "what?")[: MAX_TRIES - 1]]
                    read.append((describe_view(seat.view(), layout), outcomes))
                assert read[0] == read[1]
                texts[read[0][0]] += 1
    assert len(texts) > 50


def test_tools_for_models_hide_what_is_hidden() -> None:
    """The results of tools are the same at both tables, as values and as text."""
    compared = 0
    for seed in range(20):
        with seeded(seed) as rng:
            person = "Ann" if seed % 2 else ""  # who sits in seat 1, and plays on a page in the chat
            rules = rng.choice(("classic", "all-wild", "wild-jackpot"))
            table = LocalTable(rules, 3, "sharp", "en", person, seed=str(seed))
            toolbox = Toolbox()
            toolbox._tables["match"] = table
            while table.view().decision != "over" and compared < 40 * (seed + 1):
                here = table._match.round
                table.take_events()
                results = []
                for one in (here, resample_hidden(here, MODEL_SEAT, rng)):
                    table._match.round = one
                    calls = [
                        ("view", {}),
                        ("make_move", {"move": "B9>1"}),
                        ("record", {}),
                        ("table_page", {"key": "guessed"}),
                    ]
                    shown = [asyncio.run(toolbox.call(tool, {"match": "match", **more})) for tool, more in calls]
                    table._seat._bad_answers.forget()
                    results.append([(each, result_text(each)) for each in shown])
                assert results[0] == results[1]
                compared += 1
                table._match.round = here
                if person and here.turn == 1 and not here.over:
                    move = str(rng.choice(here.legal(1)))
                    asyncio.run(table.serve_page(MakeMove(id="person-1", match="chat", move=move), 0))
                else:
                    legal = table.view().legal
                    asyncio.run(table.answer(rng.choice(legal).move) if legal else table.wait(0))
    assert compared > 100


def test_the_page_in_a_chat_hides_what_is_hidden() -> None:
    """The messages to a person's page, and what it computes hints from, are the same at both tables."""
    messages: list[ClientUnion] = [
        Hello(v=VERSION),
        Advise(id="question-1", here=True),
        Why(id="question-2", move="B9"),
    ]
    kinds: Counter[str] = Counter()
    for seed in range(20):
        with seeded(seed) as rng:
            table = LocalTable(rng.choice(GAMES), 3, "sharp", "en", "Ann", seed=str(seed))
            for _ in range(60):
                here = table._match.round
                if here.over:
                    break
                sent = []
                for one in (here, resample_hidden(here, PERSON_SEAT, rng)):
                    table._match.round = one
                    sent.append([asyncio.run(table.serve_page(message, 0)) for message in messages])
                assert sent[0] == sent[1]
                kinds.update(each["type"] for answers in sent for answer in answers for each in answer)
                table._match.round = here
                table._advance(here.do(here.turn, rng.choice(here.legal(here.turn))))
    assert kinds["welcome"] > 400 and kinds["sight"] > 50 and kinds["refused"] > 400, kinds


def test_refusals_hide_what_is_hidden() -> None:
    """The words of a refusal reveal nothing to its reader either."""
    texts: Counter[str] = Counter()
    moves = all_moves()
    for seed in seeds(60):
        with seeded(seed) as rng:
            for table in walk(seed, rng, 40):
                if rng.random() > 0.2 or table.over:
                    continue
                viewer = rng.randrange(table.players)
                resampled = resample_hidden(table, viewer, rng)
                for move in rng.sample(moves, 40):
                    answers = []
                    for one in (table, resampled):
                        try:
                            one.verify(viewer, move)
                            answers.append(("", "", ""))
                        except IllegalMove as error:
                            answers.append((error.code, error.clause, str(error)))
                    assert answers[0] == answers[1]
                    texts[answers[0][0]] += 1
    assert len(texts) > 10


@pytest.mark.parametrize("block", range(4))
def test_moves_hide_what_is_hidden(block: int) -> None:
    """The same move at both tables looks the same to the viewer, and leaves tables that look the same."""
    done: Counter[str] = Counter()
    for seed in seeds(60, block):
        with seeded(seed) as rng:
            for table in walk(seed, rng, 120):
                if not table.over and rng.random() < 0.4:
                    done[move_in_both(table, rng)] += 1
    assert done["alike"] > 100 and done["events alike"] > 10, done


def move_in_both(table: Round, rng: random.Random) -> str:
    """Make one move at a table and at its indistinguishable copy; returns how far the two could be compared."""
    found = random_move_for_both(table, rng)
    if found is None:
        return "not possible"
    one, two, viewer, seat, move = found
    streak = one.decision == "streak"
    events, others = one.do(seat, move), two.do(seat, move)
    if one.over or two.over:
        return "over"
    reveals = move.verb in REVEALING_VERBS or streak
    if reveals and (one.decision, one.turn, list(map(type, events))) != (
        two.decision,
        two.turn,
        list(map(type, others)),
    ):
        return "revealed"
    if reveals_cards(events, viewer):
        assert list(map(type, events)) == list(map(type, others))
        return "learned"
    if reveals and (move.verb != "draw" or table.rules.options.draw_mode == "until_playable"):
        return "not compared"
    assert [e.seen_by(viewer) for e in events] == [e.seen_by(viewer) for e in others]
    if not reveals:
        assert one.view(viewer) == two.view(viewer)
        return "alike"
    return "events alike"


def test_events_hide_cards() -> None:
    """A drawn or taken card is seen by its new owner, a taken card also by its giver, and by nobody else."""
    seen: Counter[type] = Counter()
    for seed in seeds(200):
        with seeded(seed) as rng:
            table = None
            for table in walk(seed, rng, 80):
                for event in table.events():
                    for viewer in (None, *range(table.players)):
                        shown = event.seen_by(viewer)
                        assert type(shown) is type(event)
                        if isinstance(event, Drew):
                            assert isinstance(shown, Drew) and shown.count == len(event.cards or ())
                            assert shown.cards == (event.cards if viewer == event.seat else None)
                        elif isinstance(event, Took):
                            assert isinstance(shown, Took)
                            assert shown.card == (event.card if viewer in (event.seat, event.giver) else None)
                        seen[type(event)] += 1
    assert seen[Drew] and seen[Took]


def test_resampled_states_are_different() -> None:
    """If they were equal, these tests would prove nothing."""
    differ = 0
    for seed in seeds(40):
        with seeded(seed) as rng:
            for table in walk(seed, rng, 5):
                resampled = resample_hidden(table, 0, rng)
                assert resampled.counts == table.counts and resampled.hand(0) == table.hand(0)
                differ += resampled.hands != table.hands and max(table.hand(0), default=0) < CARD_SLOTS
    assert differ > 60
