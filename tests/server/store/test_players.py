"""Players, their tokens, their matches, and deletion of their own data only."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from lastcard.errors import StoreError
from lastcard.server.store import queries
from lastcard.server.store.rows import Player, now_ms
from lastcard.server.store.store import Store
from lastcard.session.match_rows import MoveRow
from lastcard.session.table_state import NOBODY
from support.store_samples import make_match_row, make_move_row, put_match

pytestmark = pytest.mark.real_time

ADA = Player("ada", "Ada", "en")
BEN = Player("ben", "Ben 🃏", "pl")


async def play_a_match(store: Store, match: str, *, finished: int | None = None, **changes: object) -> None:
    """Store a match with three moves; it may be finished."""
    await put_match(store, make_match_row(match, **changes))
    for ply in range(3):
        await store.append(make_move_row(ply, match))
    if finished is not None:
        await store.finish_match(match, finished, (0, 2))


async def test_a_token_identifies_until_it_is_revoked(store: Store) -> None:
    """A token gives the newest name; a revoked token gives nothing."""
    await store.create_player(ADA, "a" * 64)
    await store.create_player(BEN, "b" * 64)
    assert await store.player_by_token("a" * 64) == ADA
    await store.save_player(Player("ada", "Ada L.", "fr"))
    assert await store.player_by_token("a" * 64) == Player("ada", "Ada L.", "fr")
    await store.revoke_token("a" * 64)
    assert await store.player_by_token("a" * 64) is None
    assert await store.player_by_token("b" * 64) == BEN


async def test_one_token_replaces_all(store: Store) -> None:
    """A new token ends the person's other sessions; nobody else's are affected."""
    await store.create_player(ADA, "a" * 64)
    await store.create_player(BEN, "b" * 64)
    await store.renew_token("ada", "c" * 64)
    assert await store.player_by_token("a" * 64) is None
    assert await store.player_by_token("c" * 64) == ADA
    assert await store.player_by_token("b" * 64) == BEN


async def test_an_existing_id_or_token_is_refused(store: Store) -> None:
    await store.create_player(ADA, "a" * 64)
    for player, token in ((BEN, "a" * 64), (Player("ada", "Eve", "en"), "e" * 64)):
        with pytest.raises(StoreError):
            await store.create_player(player, token)
    assert await store.player_by_token("a" * 64) == ADA
    assert await store.player_by_token("e" * 64) is None


async def test_a_match_comes_back_as_it_was(store: Store) -> None:
    """Every part of a match survives the database."""
    written = make_match_row(
        "match-2", rules="wild-jackpot+wj_rules=written", rule_cards=("draw 2; skip", "dare: Sing żółw!")
    )
    for row in (make_match_row("match-1"), written, make_match_row("match-3", finished=5, winners=(1,))):
        await put_match(store, row)
        assert await store.load_match(row.id) == row
    assert await store.load_match("nowhere") is None
    await store.finish_match("match-1", 9, (0, 2))
    await store.finish_match("match-1", 10, (1,))
    assert await store.load_match("match-1") == make_match_row("match-1", finished=9, winners=(0, 2))


async def test_own_matches_latest_first(store: Store) -> None:
    """My matches are those in which I had a seat."""
    for number in (1, 3, 2):
        await play_a_match(store, f"match-{number}", started=number)
    await play_a_match(store, "match-4", players=(None, None, "ben"), started=4)
    assert [row.id for row in await store.matches_of("ada", 10)] == ["match-3", "match-2", "match-1"]
    assert [row.id for row in await store.matches_of("ben", 2)] == ["match-4", "match-3"]
    assert (await store.matches_of("ben", 1))[0].names == ("Ada", "Bot", "Ben")
    assert await store.matches_of("eve", 10) == []


async def test_a_match_is_deleted_for_one_player(store: Store) -> None:
    """The others still have it, with a neutral mark for the name; the last one deletes it completely."""
    await play_a_match(store, "match-1", finished=9)
    assert not await store.delete_match_for("eve", "match-1")
    assert not await store.delete_match_for("ada", "nowhere")
    assert await store.delete_match_for("ada", "match-1")
    assert not await store.delete_match_for("ada", "match-1")
    assert await store.matches_of("ada", 10) == []
    left = await store.load_match("match-1")
    assert (left.names, left.players) == ((NOBODY, "Bot", "Ben"), (None, None, "ben"))
    assert len(await store.read_moves("match-1")) == 3
    assert await store.delete_match_for("ben", "match-1")
    assert await store.load_match("match-1") is None
    assert await store.read_moves("match-1") == []


async def test_a_match_is_imported(store: Store) -> None:
    """Several people may import it, once each, up to a limit; it counts nowhere and is deleted with the last."""
    nobody = (None, None, None)
    for match, seed in (("far-1", 1), ("far-2", 2)):
        row = make_match_row(
            match, table="", players=nobody, bots=nobody, seed=bytes([seed]) * 32, finished=9, winners=(0,)
        )
        moves = [MoveRow(match, 0, "ply-0", 0, 3, 9)]
        assert await store.import_match_for(row, moves, "ada", 1) == (match if seed == 1 else None)
        assert await store.import_match_for(row, moves, "ada", 1) == (match if seed == 1 else None)
        assert await store.import_match_for(row, moves, "ben", 2) == match
    assert [row.id for row in await store.matches_of("ada", 9)] == ["far-1"]
    assert await store.past_matches(["ada", "ben"], 1, 9) == []
    assert await store.delete_match_for("ada", "far-1")
    assert await store.load_match("far-1") is not None
    await store.delete_player("ben")
    for match in ("far-1", "far-2"):
        assert await store.load_match(match) is None and await store.read_moves(match) == []


async def test_a_running_match_is_not_deleted(store: Store) -> None:
    """A person who deletes their data during a match leaves the match to the table."""
    await play_a_match(store, "match-1", players=("ada", None, None))
    assert await store.delete_match_for("ada", "match-1")
    assert await store.load_match("match-1") is not None
    assert len(await store.read_moves("match-1")) == 3


async def test_a_successor_of_a_bot_has_the_match_too(store: Store) -> None:
    """The bot's name stays, even if the match is deleted again."""
    await play_a_match(store, "match-1", finished=9)
    await store.take_seat("match-1", 1, "eve")
    (row,) = await store.matches_of("eve", 9)
    assert (row.names, row.players, row.bots[1]) == (("Ada", "Bot", "Ben"), ("ada", "eve", "ben"), "casual")
    await store.delete_player("eve")
    row = (await store.matches_of("ada", 9))[0]
    assert (row.names, row.players) == (("Ada", "Bot", "Ben"), ("ada", None, "ben"))


async def test_a_successor_of_a_person_has_the_match_too(store: Store) -> None:
    """The person who left has it, too, and each deletes it alone; the last of them deletes it completely."""
    row = make_match_row("match-1", finished=9, players=("ada", "eve", None))
    await play_a_match(store, "match-1", finished=9, players=row.players)
    for seat, player in ((0, "dan"), (1, "dan"), (0, "ada"), (0, "dan"), (2, "eve")):
        await store.take_seat("match-1", seat, player)
    heirs = ((0, "dan"), (1, "dan"), (2, "eve"))
    for player, seat in (("ada", 0), ("eve", 1), ("dan", 0)):
        (row,) = await store.matches_of(player, 9)
        assert (row.players, row.takeovers, row.seat_of(player)) == (("ada", "eve", None), heirs, seat)
    assert await store.delete_match_for("ada", "match-1")
    await store.delete_player("eve")
    (row,) = await store.matches_of("dan", 9)
    assert (row.players, row.takeovers, row.names) == ((None, None, None), heirs[:2], (NOBODY, "Bot", "Ben"))
    assert await store.delete_match_for("dan", "match-1")
    assert not await store.delete_match_for("dan", "match-1")
    assert await store.load_match("match-1") is None


async def test_a_player_deletes_own_data(store: Store) -> None:
    """Account, tokens and name are gone everywhere; opponents' matches and moves stay."""
    for player, token in ((ADA, "a" * 64), (BEN, "b" * 64)):
        await store.create_player(player, token)
    await play_a_match(store, "with-ben", finished=9)
    await play_a_match(store, "alone", finished=9, players=("ada", None, None))
    await store.delete_player("ada")
    assert await store.player_by_token("a" * 64) is None
    assert await store.player_by_token("b" * 64) == BEN
    assert await store.matches_of("ada", 10) == []
    assert await store.load_match("alone") is None
    (match,) = await store.matches_of("ben", 10)
    assert match.names == (NOBODY, "Bot", "Ben")
    assert len(await store.read_moves("with-ben")) == 3
    await store.delete_player("ada")


async def test_no_trace_of_a_deleted_player_in_the_file(tmp_path: Path) -> None:
    """A deleted name is not in the database file either, once it is closed."""
    name = "Adalbertina-Unmistakable"
    with closing(Store.open(f"sqlite:///{tmp_path}/tables.db")) as store:
        await store.create_player(Player("ada", name, "en"), "a" * 64)
        await store.delete_player("ada")
    assert name.encode() not in (tmp_path / "tables.db").read_bytes()


async def test_abandoned_tables_are_swept(store: Store) -> None:
    """Tables that nobody came back to are deleted. Their matches end and stay, so that secrets can be shown."""
    for code in ("OLD234", "PLAYED", "FRESH2"):
        await store.create_table(code, b"doc")
    await play_a_match(store, "finished", table="OLD234", finished=9)
    await play_a_match(store, "unfinished", table="OLD234")
    await play_a_match(store, "nobody's", table="OLD234", players=(None, None, None))
    await play_a_match(store, "elsewhere", table="FRESH2")
    assert await store.sweep(0, 20) == 0
    table = await store.load_table("OLD234")
    later = table.touched + 3_600_000
    # Somebody moved at this one after it was last saved.
    await play_a_match(store, "going-on", table="PLAYED")
    await store.append(make_move_row(3, "going-on")._replace(at=later))
    assert await store.count_tables() == (3, (await store.load_table("PLAYED") or table).touched)
    assert [await store.sweep(later, 1) for _ in range(3)] == [1, 1, 0], "a few at a time"
    await store.touch_tables(["PLAYED", "NOTHING"])
    assert (await store.load_table("PLAYED") or table).touched < later
    assert await store.count_tables() == (1, (await store.load_table("PLAYED") or table).touched)
    assert await store.load_table("OLD234") is None
    assert await store.load_table("PLAYED") is not None
    assert await store.load_match("nobody's") is None
    assert await store.read_moves("nobody's") == []
    abandoned = await store.load_match("unfinished")
    assert abandoned is not None and abandoned.finished is not None and abandoned.winners is None
    assert len(await store.read_moves("unfinished")) == 3
    assert {match.id for match in await store.past_matches(["ada"], 1, 10)} == {"finished"}, "it does not count"
    assert await store.load_match("finished") is not None
    assert len(await store.read_moves("finished")) == 3
    assert len(await store.read_moves("going-on")) == 4


async def test_a_timestamp_in_the_future_is_ignored(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise nothing would ever be deleted again."""
    await store.create_table("ABC234", b"doc")
    table = await store.load_table("ABC234")
    with monkeypatch.context() as ahead:
        ahead.setattr(queries, "now_ms", lambda: now_ms() + 365 * 86_400_000)
        await store.create_table("AHEAD2", b"doc")
    assert table is not None and await store.count_tables() == (2, table.touched)
