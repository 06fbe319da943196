"""No secret is on the wire: two tables that differ only in what a viewer may not know give identical bytes.

As tests/test_noninterference.py, one layer further out: it compares the bytes that a browser gets.
"""

from __future__ import annotations

import random
from collections import Counter

import msgspec
import pytest

from lastcard.game.position import parse_position
from lastcard.game.rulesets import GAMES
from lastcard.match.events import Event, Shown, Took
from lastcard.match.match import Match
from lastcard.match.round import Round
from lastcard.server.game.thinking import Thoughts
from lastcard.server.wire.messages import MatchSnapshot, game_of, moved_texts
from lastcard.session.table_bots import TableBots
from lastcard.session.turn_clock import PACES, TurnClock
from lastcard.session.uno_race import UnoRace
from support.information_sets import REVEALING_VERBS, random_move_for_both, resample_hidden, reveals_cards
from support.random_play import seeded, seeds, walk


def snapshot_of(table: Round) -> MatchSnapshot:
    """A match with this round on the table, and the server's own data."""
    match = Match(table.rules, table.players, seed=0)
    match.rule_cards, match.round = table.rule_cards, table
    return MatchSnapshot("m1", match, table.public_state(), 3, "p")


def snapshot_bytes(table: Round, viewer: int | None) -> bytes:
    """The snapshot for a viewer who joins."""
    return msgspec.json.encode(game_of(snapshot_of(table), viewer))


def move_bytes(table: Round, seat: int, move: str, events: list[Event], viewer: int | None) -> bytes:
    """The message to a viewer about a move."""
    viewers = [None, *range(table.players)]
    return moved_texts(snapshot_of(table), seat, move, events, viewers)[viewer]


@pytest.mark.parametrize("block", range(2))
def test_a_snapshot_hides_what_is_hidden(block: int) -> None:
    games: Counter[str] = Counter()
    for seed in seeds(20, block):
        with seeded(seed) as rng:
            for table in walk(seed, rng, 120):
                if table.over or rng.random() > 0.15:
                    continue
                for viewer in (None, *range(table.players)):
                    assert snapshot_bytes(table, viewer) == snapshot_bytes(resample_hidden(table, viewer, rng), viewer)
                    games[table.rules.game] += 1
    assert set(games) == set(GAMES)


@pytest.mark.parametrize("block", range(2))
def test_a_move_hides_what_is_hidden(block: int) -> None:
    """The same move at both tables is sent in the same bytes, unless it revealed something to the viewer."""
    done: Counter[str] = Counter()
    for seed in seeds(60, block):
        with seeded(seed) as rng:
            for table in walk(seed, rng, 120):
                if not table.over and rng.random() < 0.3:
                    done[compare_messages(table, rng)] += 1
    assert done["alike"] > 100, done


def compare_messages(table: Round, rng: random.Random) -> str:
    """Make one move at a table and at its indistinguishable copy; returns how far the two could be compared."""
    found = random_move_for_both(table, rng)
    if found is None:
        return "not possible"
    one, two, viewer, seat, move = found
    if move.verb in REVEALING_VERBS or one.decision == "streak":
        return "reveals"
    events, others = one.do(seat, move), two.do(seat, move)
    if one.over or two.over or reveals_cards(events, viewer):
        return "learned"
    assert move_bytes(one, seat, str(move), events, viewer) == move_bytes(two, seat, str(move), others, viewer)
    return "alike"


def delay(table: Round, level: str) -> tuple[float, str]:
    """The time and the move of the bots if nothing else happens first: the bot on turn, or another seat's."""
    names = ["Ada", "Kit", "Odo", "Nova", "Sol", "Fay", "Gus", "Ivy", "Jo", "Lu"]
    bots = TableBots(bytes(32), names, Thoughts(bytes(32), lambda: None))
    face, race = table.public_state(), UnoRace(1.0)
    race.follow(face.exposed, face.called, 90.0)
    plan = bots.plan(table, 7, {table.turn: level}, race, TurnClock(PACES["normal"], table.players, 95.0), 100.0)
    return plan.when, "" if plan.move is None else str(plan.move)


@pytest.mark.parametrize("level", ["learner", "casual", "sharp"])
def test_the_time_a_bot_takes_hides_what_it_holds(level: str) -> None:
    """A substitute's does not either, because it is a bot: with all hidden cards dealt anew it takes as long."""
    seen: Counter[str] = Counter()
    for seed in seeds(20, 0):
        with seeded(seed) as rng:
            for table in walk(seed, rng, 120):
                if table.over or rng.random() > 0.3:
                    continue
                (when, move), (other, other_move) = delay(table, level), delay(resample_hidden(table, None, rng), level)
                if move == other_move:  # a bot's move out of turn is visible when it makes it
                    assert when == other
                    seen[table.decision] += 1
    assert seen["play"] > 100 and len(seen) > 3


def blind(table: Round, seat: int, move: str, viewer: int | None, rng: random.Random) -> tuple[set[bytes], list[Event]]:
    """The messages to a viewer about a move, over many tables that were indistinguishable before it."""
    texts = set()
    events: list[Event] = []
    for _ in range(12):
        resampled = resample_hidden(table, viewer, rng)
        for open_now in ("was_bluff", "lever_script", "dispenser"):  # the verdict and the lever are announced to all
            resampled._states[open_now] = table._states[open_now]
        events = resampled.do(seat, move)
        texts.add(move_bytes(resampled, seat, move, events, viewer))
    return texts, events


def test_a_challenged_hand_is_shown_to_its_challenger_alone() -> None:
    """CL-34: the others are informed of the challenge, in the same bytes for any hand."""
    keys = {"rules": "classic", "hands": ["W+4 R1 G2 G5", "B1 B2 B3", "Y1 Y2 Y3", "G7 G8"], "discard": "R3"}
    table = Round.from_position(parse_position({**keys, "draw": "Y4 Y5 Y6 Y7 Y8 Y9 B4 B5 B6"}))
    table.do(0, "W+4=B")
    assert table.decision == "challenge"
    rng = random.Random(1)
    for viewer in (None, 2, 3):
        texts, events = blind(table, 1, "challenge", viewer, rng)
        assert any(isinstance(event, Shown) for event in events)
        assert len(texts) == 1 and b'"shown","seat":0,"other":1}' in texts.pop()
    texts, _ = blind(table, 1, "challenge", 1, rng)
    assert len(texts) > 1 and all(b'"shown","seat":0,"other":1,"cards":[' in text for text in texts)


def test_a_card_taken_blind_is_known_to_the_two_alone() -> None:
    """LC-52: a third player and a spectator learn that a card changed hands, not which."""
    keys = {
        "rules": "wild-jackpot+wj_rules=written",
        "hands": ["Rj R1 R2 R4", "G1 G2", "Y1 Y2"],
        "discard": "R7",
        "draw": "B1 B2 B3 B4 B5 B6 B7 B8",
        "lever": ["left"],
        "rule_cards": ["take 1 right"],
    }
    table = Round.from_position(parse_position(keys))
    table.do(0, "Rj")
    rng = random.Random(1)
    for viewer in (None, 2):
        texts, events = blind(table, 0, "pull", viewer, rng)
        assert any(isinstance(event, Took) for event in events)
        assert len(texts) == 1 and b'"took","seat":1,"other":0}' in texts.pop()
    for viewer in (0, 1):
        texts, _ = blind(table, 0, "pull", viewer, rng)
        assert len(texts) > 1 and all(b'"took","seat":1,"other":0,"card":' in text for text in texts)
