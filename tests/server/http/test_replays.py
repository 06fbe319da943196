"""Replays and records from the store: all of a match that is over, nothing hidden of a live one (docs/table.md)."""

from __future__ import annotations

import base64
import copy
import json
import random
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import cache
from typing import Any

import pytest
from msgspec import structs

from lastcard.formats.record import Record
from lastcard.formats.replay import replay, verify_record
from lastcard.game.cards import CARD_NAMES
from lastcard.match.events import Drew, Event, Shown, Took
from lastcard.match.match import Match
from lastcard.server.http import replays
from lastcard.server.http.replays import ReplayCache, fold, record_name, record_text, replay_text
from lastcard.server.store.rows import MatchRow, MoveRow
from support.matches import CARDS, random_log
from support.randomly import seeded, seeds
from support.twins import twin_of

TABLES = (
    ("all-wild+match_mode=to_target+winning_score=100", 3),
    ("classic+winning_score=100", 2),
    ("classic+stacking=same+seven_zero+jump_in+winning_score=100", 4),
    ("wild-jackpot+wj_rules=written+winning_score=100", 5),
)
Log = tuple[MatchRow, list[MoveRow]]

random_log = cache(random_log)


def shown(log: Log) -> dict[str, Any]:
    """What the browser gets."""
    told: dict[str, Any] = json.loads(replay_text(*log))
    return told


def moments(told: dict[str, Any]) -> list[dict[str, Any]]:
    """Every picture of a replay, deals and moves."""
    return [moment for played in told["rounds"] for moment in (played["first"], *played["steps"])]


# --- a match that is over -----------------------------------------------------------------------------


@pytest.mark.parametrize("table", TABLES)
def test_a_match_that_is_over_is_given_whole(table: tuple[str, int]) -> None:
    """Seed, secret, every hand after every step, and every move of the log with its time."""
    row, moves = random_log(*table, seed=1)
    told = shown((row, moves))
    assert (told["live"], told["seed"], told["secret"]) == (False, row.seed.hex(), row.secret.hex())
    assert told["winners"] == list(row.winners or ())
    steps = [step for played in told["rounds"] for step in played["steps"]]
    assert [(step["seat"], step["at"]) for step in steps] == [(m.seat, m.at) for m in moves if m.seat >= 0]
    for moment in moments(told):
        assert [len(hand) for hand in moment["hands"]] == moment["public"]["counts"]
        for event in moment["events"]:
            assert event["e"] != "drew" or len(event["cards"]) == event["count"]


def test_a_replay_says_who_is_a_bot() -> None:
    """As the table knew it; of a record that was brought in, whoever is called as one of the regulars."""
    row, moves = random_log("all-wild", 4, seed=1)
    assert shown((row, moves))["bots"] == [None, None, "casual", "casual"]
    brought = replace(row, table="", names=("Nova", "Ann", "Kit", "Nova 2"), bots=(None,) * 4)
    assert shown((brought, moves))["bots"] == ["expert", None, "casual", None]


@pytest.mark.parametrize("table", TABLES)
def test_a_replay_is_the_record_played_back(table: tuple[str, int]) -> None:
    """The same dealers, moves, hands and scores as ``lastcard replay`` shows."""
    log = random_log(*table, seed=2)
    record = Record.parse(record_text(*log))
    verify_record(record)
    told = shown(log)
    assert [played["dealer"] for played in told["rounds"]] == [played.dealer for played in record.rounds]
    steps = [step for played in told["rounds"] for step in played["steps"]]
    for step, (match, seat, move, _events) in zip(steps, replay(record), strict=True):
        assert (step["seat"], step["move"]) == (seat, str(move))
        assert step["hands"] == [[CARD_NAMES[card] for card in hand] for hand in match.round.hands]
        assert step["public"]["scores"] == list(match.scores)


def test_the_record_holds_the_shuffle() -> None:
    row, moves = random_log(*TABLES[3], seed=1)
    record = Record.parse(record_text(row, moves))
    assert record.shuffle is not None
    assert (record.seed, record.shuffle.secret, record.shuffle.numbers) == (row.seed, row.secret, row.numbers)
    assert [card.text for card in record.rule_cards or ()] == list(CARDS)


def test_a_record_has_a_name_to_find_it_by() -> None:
    row, _ = random_log(*TABLES[3], seed=1)
    assert record_name(row) == f"lastcard-2026-05-28-wild-jackpot-{row.id[:6]}.toml"


# --- a match still going on ---------------------------------------------------------------------------


def live(table: tuple[str, int], seed: int) -> Log:
    """A match in the middle, in its first round or a later one."""
    row, moves = random_log(*table, seed=seed)
    return replace(row, finished=None, winners=None), moves[: len(moves) * (seed % 3 + 1) // 4]


def traces(row: MatchRow) -> list[bytes]:
    """The secrets of a match in the spellings they might leak in."""
    found: list[bytes] = []
    for secret in (row.seed, row.secret):
        found += [secret.hex().encode(), base64.b64encode(secret)[:40], base64.urlsafe_b64encode(secret)[:40]]
        found += [str(list(secret))[1:40].encode(), json.dumps(list(secret), separators=(",", ":"))[1:40].encode()]
    return found


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("seed", range(3))
def test_nothing_hidden_is_in_a_live_match(table: tuple[str, int], seed: int) -> None:
    """Hidden from spectators: no seed, no secret, no hand, no card drawn, no rule card nobody has pulled."""
    row, moves = live(table, seed)
    told, record = shown((row, moves)), Record.parse(record_text(row, moves))
    for text in (replay_text(row, moves), record_text(row, moves).encode()):
        assert not [trace for trace in traces(row) if trace in text]
    assert told["live"] and (told["seed"], told["secret"], told["rule_cards"]) == (None, None, None)
    assert told["promise"] and told["commitment"] and told["numbers"] == list(row.numbers)
    for moment in moments(told):
        assert moment["hands"] is None
        assert (moment["public"]["hands"] is None) == (moment["public"]["decision"] != "over")
        for event in moment["events"]:
            assert event["e"] not in ("drew", "shown") or "cards" not in event
            assert event["e"] != "took" or "card" not in event
    assert (record.seed, record.rule_cards) == (None, None)
    assert record.shuffle is not None and record.shuffle.secret is None
    assert record.view is not None and record.view.seat is None


def disguised(event: Event, rng: random.Random) -> Event:
    """An event with other cards where a spectator does not see them."""
    cards = list(CARD_NAMES)
    if isinstance(event, Drew | Shown) and event.cards is not None:
        return structs.replace(event, cards=tuple(rng.choices(cards, k=len(event.cards))))
    return structs.replace(event, card=rng.choice(cards)) if isinstance(event, Took) else event


@pytest.mark.parametrize("table", TABLES)
def test_a_live_match_looks_the_same_whatever_is_hidden(
    table: tuple[str, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where hands, piles, chance and the cards of events are others, every byte of the replay is the same."""
    for seed in seeds(3):
        with seeded(seed) as rng:
            row, moves = live(table, seed)
            moves = moves[:80]
            honest = replay_text(row, moves)

            def twins(row: MatchRow, moves: Sequence[MoveRow], rng: random.Random = rng) -> Iterator[Any]:
                for match, move, events in fold(row, moves):
                    twin: Match = copy.copy(match)
                    twin.round = match.round if match.round.over else twin_of(match.round, None, rng)
                    yield twin, move, [disguised(event, rng) for event in events]

            with monkeypatch.context() as patched:
                patched.setattr(replays, "fold", twins)
                assert replay_text(row, moves) == honest
                hidden = replace(row, secret=row.secret, finished=row.started)
                assert replay_text(hidden, moves) != replay_text(hidden, moves)


def test_a_match_is_live_until_its_end_is_in_the_store() -> None:
    """Between the winning move and ``finish_match`` a replay says too little rather than too much."""
    row, moves = random_log(*TABLES[1], seed=1)
    told = shown((replace(row, finished=None), moves))
    assert told["live"] and told["seed"] is None and told["winners"] == list(row.winners or ())


# --- the shelf ----------------------------------------------------------------------------------------


def test_the_shelf_keeps_what_was_asked_for_last() -> None:
    shelf = ReplayCache(room=10)
    shelf.put("a", b"1234")
    shelf.put("b", b"1234")
    assert shelf.get("a") == b"1234"
    shelf.put("c", b"1234")
    assert (shelf.get("a"), shelf.get("b"), shelf.get("c")) == (b"1234", None, b"1234")
    shelf.put("d", b"12345678901")
    assert shelf.get("d") is None and shelf.get("c") == b"1234"
    shelf.put("e", b"1234567890")
    assert (shelf.get("a"), shelf.get("c"), shelf.get("e")) == (None, None, b"1234567890")


class Yielding(int):
    """A key that lets other threads go on whenever it is looked for."""

    def __hash__(self) -> int:
        time.sleep(0)
        return super().__hash__()


def test_the_shelf_is_for_any_thread() -> None:
    """What makes replays looks there too, while others come and go."""
    shelf = ReplayCache(room=8)

    def use(keys: Sequence[int]) -> None:
        for key in [*keys] * 200:
            shelf.put(Yielding(key), b"1234")
            shelf.get(Yielding(key))

    with ThreadPoolExecutor(4) as threads:
        list(threads.map(use, ([0, 1], [1, 2], [2, 3], [3, 0])))
    assert shelf._used == sum(map(len, shelf._kept.values())) <= 8
