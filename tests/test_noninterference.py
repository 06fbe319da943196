"""Nobody learns what he may not know.

Two tables that differ only in what a viewer cannot know look the same to that viewer, answer every try of
his alike, and go on looking the same when the same act is done at both, unless that act reveals something.
"""

from __future__ import annotations

import random
from collections import Counter

import pytest

from lastcard.engine import doors
from lastcard.errors import Refused
from lastcard.game.actions import move_action, parse_move
from lastcard.game.cards import CARD_SLOTS
from lastcard.play.events import Drew, Event, HandsPassed, Swapped, Took
from lastcard.play.round import Round
from lastcard.play.setup import fill_hand
from support.differential import random_move
from support.randomly import all_moves, seeded, seeds, walk

ACTIONS = [move_action(move) for move in all_moves()]


def twin_of(table: Round, viewer: int | None, rng: random.Random, keep: tuple[int, int] | None = None) -> Round:
    """A table that differs from this one only in what the viewer does not know.

    All cards in other hands and in the draw pile change places, and everything chance will do is different.

    Args:
        viewer: a seat, or None for a spectator.
        keep: a seat and a card it still has, if it has one now.
    """
    twin = table.copy()
    record = twin._tables[0]
    pile = record["pile"][: record["pile_n"]].tolist()
    hidden = [seat for seat in range(table.players) if seat != viewer]
    pool = pile + [card for seat in hidden for card in table.hand(seat)]
    hands: dict[int, list[int]] = {seat: [] for seat in hidden}
    if keep is not None and keep[0] in hands and keep[1] in table.hand(keep[0]):
        hands[keep[0]].append(keep[1])
        pool.remove(keep[1])
    rng.shuffle(pool)
    for seat, size in enumerate(table.counts):
        if seat != viewer:
            hands[seat] += [pool.pop() for _ in range(size - len(hands[seat]))]
            record["counts"][seat] = record["colored"][seat] = record["wilds"][seat] = 0
            fill_hand(record, seat, hands[seat])
    record["pile"][: len(pool)] = pool
    record["key"] = np_words(rng)
    record["block"] = np_words(rng, 64)
    record["script"] = [rng.randrange(6) for _ in record["script"]]
    stack = record["stack"][: record["stack_n"]].tolist()
    rng.shuffle(stack)
    record["stack"][: len(stack)] = stack
    if viewer != record["accused"]:
        record["guilty"] = rng.randrange(2)
    if table.decision == "drawn" and viewer != table.turn and record["drawn"] not in hands[table.turn]:
        record["drawn"] = rng.choice(hands[table.turn])
    return twin


def np_words(rng: random.Random, count: int = 8) -> list[int]:
    """Random 32-bit words."""
    return [rng.getrandbits(32) for _ in range(count)]


def check_looks_alike(one: Round, two: Round, viewer: int | None) -> None:
    """Equal views, and every act the viewer could try is answered alike: accepted, or refused in the same words."""
    assert one.view(viewer) == two.view(viewer)
    if viewer is None:
        return
    answers = [[doors.check_action(t._tables, 0, viewer, action) for action in ACTIONS] for t in (one, two)]
    assert answers[0] == answers[1]


@pytest.mark.parametrize("block", range(8))
def test_views_hide_what_is_hidden(block: int) -> None:
    """At random moments of random rounds, for every seat and for a spectator."""
    for seed in seeds(20, block):
        with seeded(seed) as rng:
            for table in walk(seed, rng, 120):
                if table.over or rng.random() > 0.15:
                    continue
                for viewer in (None, *range(table.players)):
                    check_looks_alike(table, twin_of(table, viewer, rng), viewer)


def test_refusals_hide_what_is_hidden() -> None:
    """The words of a refusal too say nothing that its reader does not know."""
    texts: Counter[str] = Counter()
    moves = all_moves()
    for seed in seeds(60):
        with seeded(seed) as rng:
            for table in walk(seed, rng, 40):
                if rng.random() > 0.2 or table.over:
                    continue
                viewer = rng.randrange(table.players)
                twin = twin_of(table, viewer, rng)
                for move in rng.sample(moves, 40):
                    answers = []
                    for one in (table, twin):
                        try:
                            one.verify(viewer, move)
                            answers.append(("", "", ""))
                        except Refused as error:
                            answers.append((error.code, error.clause, str(error)))
                    assert answers[0] == answers[1]
                    texts[answers[0][0]] += 1
    assert len(texts) > 10


REVEALING = {"draw", "challenge", "pull", "throw", "stop", "bury", "choose", "take", "done", "color"}
"""Acts that may show something of hands or chance: whether a drawn card can be played, whether it was a bluff,
what the lever says, whether there is anything left to throw. A play in a row too, and the end of a round."""


def learns(events: list[Event], viewer: int | None) -> bool:
    """Whether the viewer got cards to see."""
    return any(
        (isinstance(event, Drew) and event.seat == viewer)
        or (isinstance(event, Took) and viewer in (event.seat, event.giver))
        or (isinstance(event, Swapped) and viewer in (event.seat, event.other))
        or isinstance(event, HandsPassed)
        for event in events
    )


@pytest.mark.parametrize("block", range(8))
def test_acts_hide_what_is_hidden(block: int) -> None:
    """The same act at both tables looks the same to the viewer, and leaves tables that look the same."""
    done: Counter[str] = Counter()
    for seed in seeds(60, block):
        with seeded(seed) as rng:
            for table in walk(seed, rng, 120):
                if not table.over and rng.random() < 0.4:
                    done[act_at_both(table, rng)] += 1
    assert done["alike"] > 100 and done["events alike"] > 10, done


def act_at_both(table: Round, rng: random.Random) -> str:
    """Do one act at a table and at a twin; how far the two could be compared."""
    viewer = rng.choice((None, *range(table.players)))
    seat, text = random_move(table, rng)
    move = parse_move(text)
    one = table.copy()
    two = twin_of(table, viewer, rng, None if move.card is None else (seat, move.card))
    if not (one.can(seat, move) and two.can(seat, move)):
        return "not possible"
    streak = one.decision == "streak"
    events, others = one.do(seat, move), two.do(seat, move)
    if one.over or two.over:
        return "over"
    reveals = move.verb in REVEALING or streak
    if reveals and (one.decision, one.turn, list(map(type, events))) != (
        two.decision,
        two.turn,
        list(map(type, others)),
    ):
        return "revealed"
    if learns(events, viewer):
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
    """A card drawn or taken is seen by its new owner, a card taken also by its giver, and by nobody else."""
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


def test_a_twin_is_different() -> None:
    """The twins of these tests do differ, or they would prove nothing."""
    differ = 0
    for seed in seeds(40):
        with seeded(seed) as rng:
            for table in walk(seed, rng, 5):
                twin = twin_of(table, 0, rng)
                assert twin.counts == table.counts and twin.hand(0) == table.hand(0)
                differ += twin.hands != table.hands and max(table.hand(0), default=0) < CARD_SLOTS
    assert differ > 60
