"""Replays and records from the store: all of a finished match, nothing hidden of a live one (docs/table.md)."""

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

from lastcard.formats.record_files import Record
from lastcard.formats.replay import replay, verify_record
from lastcard.game.cards import CARD_NAMES
from lastcard.match.events import Drew, Event, Shown, Took
from lastcard.match.match import Match
from lastcard.server.http import replays
from lastcard.server.http.replays import ByteCache, record_name, record_text, replay_moves, replay_text
from lastcard.session.match_rows import MatchRow, MoveRow
from support.information_sets import resample_hidden
from support.matches import RULE_CARDS, random_log
from support.random_play import seeded, seeds

GAME_CONFIGS = (
    ("all-wild+match_mode=to_target+winning_score=100", 3),
    ("classic+winning_score=100", 2),
    ("classic+stacking=same+seven_zero+jump_in+winning_score=100", 4),
    ("wild-jackpot+wj_rules=written+winning_score=100", 5),
)
Log = tuple[MatchRow, list[MoveRow]]

random_log = cache(random_log)


def shown(log: Log) -> dict[str, Any]:
    """The replay as the browser gets it."""
    replay: dict[str, Any] = json.loads(replay_text(*log))
    return replay


def moments(replay: dict[str, Any]) -> list[dict[str, Any]]:
    """Every step of a replay, deals and moves."""
    return [moment for played in replay["rounds"] for moment in (played["first"], *played["steps"])]


# --- a finished match ---------------------------------------------------------------------------------


@pytest.mark.parametrize("table", GAME_CONFIGS)
def test_a_finished_match_is_sent_whole(table: tuple[str, int]) -> None:
    """Seed, secret, every hand after every step, and every move of the log with its time."""
    row, moves = random_log(*table, seed=1)
    replay = shown((row, moves))
    assert (replay["live"], replay["seed"], replay["secret"]) == (False, row.seed.hex(), row.secret.hex())
    assert replay["winners"] == list(row.winners or ())
    steps = [step for played in replay["rounds"] for step in played["steps"]]
    assert [(step["seat"], step["at"]) for step in steps] == [(m.seat, m.at) for m in moves if m.seat >= 0]
    for moment in moments(replay):
        assert [len(hand) for hand in moment["hands"]] == moment["public"]["counts"]
        for event in moment["events"]:
            assert event["e"] != "drew" or len(event["cards"]) == event["count"]


def test_a_replay_says_who_is_a_bot() -> None:
    """The table knows its bots; in an imported record, players with the names of our bots count as bots."""
    row, moves = random_log("all-wild", 4, seed=1)
    assert shown((row, moves))["bots"] == [None, None, "casual", "casual"]
    brought = replace(row, table="", names=("Nova", "Ann", "Kit", "Nova 2"), bots=(None,) * 4)
    assert shown((brought, moves))["bots"] == ["expert", None, "casual", None]


@pytest.mark.parametrize("table", GAME_CONFIGS)
def test_a_replay_is_the_record_played_back(table: tuple[str, int]) -> None:
    """A replay has the same dealers, moves, hands and scores as ``lastcard replay`` shows."""
    log = random_log(*table, seed=2)
    record = Record.parse(record_text(*log))
    verify_record(record)
    shown_replay = shown(log)
    assert [played["dealer"] for played in shown_replay["rounds"]] == [played.dealer for played in record.rounds]
    steps = [step for played in shown_replay["rounds"] for step in played["steps"]]
    for step, (match, seat, move, _events) in zip(steps, replay(record), strict=True):
        assert (step["seat"], step["move"]) == (seat, str(move))
        assert step["hands"] == [[CARD_NAMES[card] for card in hand] for hand in match.round.hands]
        assert step["public"]["scores"] == list(match.scores)


def test_the_record_holds_the_shuffle() -> None:
    row, moves = random_log(*GAME_CONFIGS[3], seed=1)
    record = Record.parse(record_text(row, moves))
    assert (record.seed, record.shuffle.secret, record.shuffle.numbers) == (row.seed, row.secret, row.numbers)
    assert [card.text for card in record.rule_cards or ()] == list(RULE_CARDS)


def test_a_record_has_a_name_to_find_it_by() -> None:
    row, _ = random_log(*GAME_CONFIGS[3], seed=1)
    assert record_name(row) == f"lastcard-2026-05-28-wild-jackpot-{row.id[:6]}.toml"


# --- a running match ----------------------------------------------------------------------------------


def live(config: tuple[str, int], seed: int) -> Log:
    """A running match, in its first round or a later one."""
    row, moves = random_log(*config, seed=seed)
    return replace(row, finished=None, winners=None), moves[: len(moves) * (seed % 3 + 1) // 4]


def traces(row: MatchRow) -> list[bytes]:
    """The secrets of a match in all encodings in which they might leak."""
    found: list[bytes] = []
    for secret in (row.seed, row.secret):
        found += [secret.hex().encode(), base64.b64encode(secret)[:40], base64.urlsafe_b64encode(secret)[:40]]
        found += [str(list(secret))[1:40].encode(), json.dumps(list(secret), separators=(",", ":"))[1:40].encode()]
    return found


@pytest.mark.parametrize("table", GAME_CONFIGS)
@pytest.mark.parametrize("seed", range(3))
def test_nothing_hidden_is_in_a_live_match(table: tuple[str, int], seed: int) -> None:
    """A spectator's replay contains no seed, no secret, no hand, no drawn card, no rule card that was not pulled."""
    row, moves = live(table, seed)
    replay, record = shown((row, moves)), Record.parse(record_text(row, moves))
    for text in (replay_text(row, moves), record_text(row, moves).encode()):
        assert not [trace for trace in traces(row) if trace in text]
    assert replay["live"] and (replay["seed"], replay["secret"], replay["rule_cards"]) == (None, None, None)
    assert replay["promise"] and replay["commitment"] and replay["numbers"] == list(row.numbers)
    for moment in moments(replay):
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


@pytest.mark.parametrize("table", GAME_CONFIGS)
def test_a_live_match_shows_nothing_of_hidden_cards(table: tuple[str, int], monkeypatch: pytest.MonkeyPatch) -> None:
    """With other hands, piles, chance and cards of events, every byte of the replay is the same."""
    for seed in seeds(3):
        with seeded(seed) as rng:
            row, moves = live(table, seed)
            moves = moves[:80]
            honest = replay_text(row, moves)

            def resampled_matches(row: MatchRow, moves: Sequence[MoveRow], rng: random.Random = rng) -> Iterator[Any]:
                for match, move, events in replay_moves(row, moves):
                    copied: Match = copy.copy(match)
                    copied.round = match.round if match.round.over else resample_hidden(match.round, None, rng)
                    yield copied, move, [disguised(event, rng) for event in events]

            with monkeypatch.context() as patched:
                patched.setattr(replays, "replay_moves", resampled_matches)
                assert replay_text(row, moves) == honest
                hidden = replace(row, secret=row.secret, finished=row.started)
                assert replay_text(hidden, moves) != replay_text(hidden, moves)


def test_a_match_is_live_until_its_end_is_in_the_store() -> None:
    """Between the winning move and ``finish_match`` a replay shows too little rather than too much."""
    row, moves = random_log(*GAME_CONFIGS[1], seed=1)
    replay = shown((replace(row, finished=None), moves))
    assert replay["live"] and replay["seed"] is None and replay["winners"] == list(row.winners or ())


# --- the cache ----------------------------------------------------------------------------------------


def test_the_cache_holds_the_most_recently_used_replays() -> None:
    replay_cache = ByteCache(limit_bytes=10)
    replay_cache.put("a", b"1234")
    replay_cache.put("b", b"1234")
    assert replay_cache.get("a") == b"1234"
    replay_cache.put("c", b"1234")
    assert (replay_cache.get("a"), replay_cache.get("b"), replay_cache.get("c")) == (b"1234", None, b"1234")
    replay_cache.put("d", b"12345678901")
    assert replay_cache.get("d") is None and replay_cache.get("c") == b"1234"
    replay_cache.put("e", b"1234567890")
    assert (replay_cache.get("a"), replay_cache.get("c"), replay_cache.get("e")) == (None, None, b"1234567890")


class Yielding(int):
    """A key that lets other threads run at every lookup."""

    def __hash__(self) -> int:
        time.sleep(0)
        return super().__hash__()


def test_the_cache_is_thread_safe() -> None:
    """The maker of replays also reads it, while entries come and go."""
    replay_cache = ByteCache(limit_bytes=8)

    def use(keys: Sequence[int]) -> None:
        for key in [*keys] * 200:
            replay_cache.put(Yielding(key), b"1234")
            replay_cache.get(Yielding(key))

    with ThreadPoolExecutor(4) as threads:
        list(threads.map(use, ([0, 1], [1, 2], [2, 3], [3, 0])))
    assert replay_cache._used_bytes == sum(map(len, replay_cache._entries.values())) <= 8
