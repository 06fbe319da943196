"""The log of moves and the tables: group commit, idempotent commands, one winner for a ply."""

from __future__ import annotations

import asyncio
import random
import secrets
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lastcard.errors import StoreError
from lastcard.server.store.rows import Appended
from lastcard.server.store.store import Store
from lastcard.session.match_rows import MoveRow
from support.store_samples import make_match_row, put_match

pytestmark = pytest.mark.real_time


COMMITTED, DUPLICATE, TAKEN = Appended.COMMITTED, Appended.DUPLICATE, Appended.TAKEN


def a_row(ply: int, command: str, match: str = "match-1", seat: int = 0) -> MoveRow:
    return MoveRow(match, ply, command, seat, action=1000 + ply, at=1_700_000_000_000 + ply)


async def test_a_row_is_appended_once(store: Store) -> None:
    """A repeated command is in the log once and is answered with its ply."""
    row = a_row(0, "command-a")
    assert await store.append(row) == (COMMITTED, 0)
    assert await store.append(row) == (DUPLICATE, 0)
    assert await store.append(row._replace(ply=1)) == (DUPLICATE, 0)
    assert await store.append(a_row(0, "command-b")) == (TAKEN, 0)
    assert await store.read_moves("match-1") == [row]


async def test_concurrent_commands_in_one_batch(store: Store) -> None:
    """Of many commands for one ply at once one wins, whatever else is in the same group commit."""
    for ply in range(5):
        rivals = [a_row(ply, f"command-{ply}-{i}") for i in range(20)]
        others = [a_row(ply, f"command-{ply}", match=f"match-{i + 2}") for i in range(20)]
        answers = await asyncio.gather(*map(store.append, [*rivals, *others]))
        assert Counter(answer for answer, _ in answers[:20]) == {COMMITTED: 1, TAKEN: 19}
        assert answers[20:] == [(COMMITTED, ply)] * 20
        winner = rivals[[answer for answer, _ in answers].index(COMMITTED)]
        assert (await store.read_moves("match-1", ply)) == [winner]


async def test_a_command_twice_in_one_batch(store: Store) -> None:
    """A double click is one move."""
    answers = await asyncio.gather(*[store.append(a_row(0, "command-a")) for _ in range(10)])
    assert Counter(answer for answer, _ in answers) == {COMMITTED: 1, DUPLICATE: 9}


async def test_two_workers_write_one_log(postgres_database: str) -> None:
    """Two workers that play the same matches at once leave a log without gaps, with one winner for each ply."""
    seed = 4711
    matches = [f"match-{i}" for i in range(8)]

    async def work(store: Store, worker: int, chance: random.Random) -> dict[str, list[MoveRow]]:
        won: dict[str, list[MoveRow]] = {match: [] for match in matches}

        async def play(match: str) -> None:
            for ply in range(40):
                row = a_row(ply, f"command-{worker}-{ply}", match, seat=worker)
                answer, _ = await store.append(row)
                if answer is COMMITTED:
                    won[match].append(row)

        await asyncio.gather(*map(play, chance.sample(matches, len(matches))))
        return won

    with closing(Store.open(postgres_database)) as one, closing(Store.open(postgres_database)) as two:
        wins = await asyncio.gather(work(one, 1, random.Random(seed)), work(two, 2, random.Random(seed + 1)))
        for match in matches:
            log = await one.read_moves(match)
            assert [row.ply for row in log] == list(range(40)), f"seed {seed}"
            assert sorted(wins[0][match] + wins[1][match]) == log


@pytest.mark.parametrize("command", ["", "ż" * 40, "a'b\"c\\d{}%s?"])
async def test_any_text_is_stored_unchanged(store: Store, command: str) -> None:
    """Rows go to the database as one piece of JSON, and nothing in them is interpreted."""
    row = a_row(0, command)
    await store.append(row)
    assert await store.read_moves("match-1") == [row]


@pytest.fixture(scope="module")
def shared_store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """A store for many examples."""
    with closing(Store.open(f"sqlite:///{tmp_path_factory.mktemp('log')}/tables.db")) as opened:
        yield opened


@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 3), st.integers(0, 5)), max_size=40), st.integers(1, 10))
def test_the_log_equals_its_model(shared_store: Store, offers: list[tuple[int, int, int]], size: int) -> None:
    """In any groups of commands, the first for a free ply with a new id is accepted, and no other."""
    example = secrets.token_hex(8)
    rows = [MoveRow(f"match-{example}-{m}", ply, f"command-{c}", 0, i, i) for i, (m, ply, c) in enumerate(offers)]
    log: dict[tuple[str, int], MoveRow] = {}

    def same(row: MoveRow) -> list[int]:
        return [old.ply for old in log.values() if (old.match, old.command) == (row.match, row.command)]

    def expect(batch: Sequence[MoveRow], answers: Sequence[tuple[Appended, int]]) -> None:
        committed = [row for row, (answer, _) in zip(batch, answers, strict=True) if answer is COMMITTED]
        for row in committed:
            assert not same(row) and (row.match, row.ply) not in log
            log[row.match, row.ply] = row
        for row, (answer, ply) in zip(batch, answers, strict=True):
            assert same(row) == ([] if answer is TAKEN else [ply])
            assert (row.match, row.ply) in log or answer is DUPLICATE

    async def play() -> None:
        for start in range(0, len(rows), size):
            batch = rows[start : start + size]
            expect(batch, await asyncio.gather(*map(shared_store.append, batch)))
        for match in {row.match for row in rows}:
            assert await shared_store.read_moves(match) == sorted(row for row in log.values() if row.match == match)

    asyncio.run(play())


async def test_moves_and_log_lengths(store: Store) -> None:
    """The tail of a log from a ply on, and the length of each log."""
    for match in ("match-1", "match-2", "match-3"):
        await put_match(store, make_match_row(match))
    for ply in range(5):
        await store.append(a_row(ply, f"command-{ply}"))
    await store.append(MoveRow("match-2", 0, "next", -1, -1, 5))
    assert [row.ply for row in await store.read_moves("match-1", 3)] == [3, 4]
    heads = await store.read_heads(["match-1", "match-2", "match-3", "nowhere"])
    assert heads == {"match-1": 5, "match-2": 1, "match-3": 0}
    assert await store.read_heads([]) == {}
    nowhere = [f"nowhere-{number}" for number in range(70_000)]  # more than a list in a query may hold
    assert list(await store.read_heads([*nowhere, "match-1"])) == ["match-1"]


async def test_a_save_of_an_old_revision_is_refused(store: Store) -> None:
    """A save names the revision it is based on; of two saves, one is first."""
    assert await store.create_table("ABC234", b"one")
    assert not await store.create_table("ABC234", b"other")
    saved = await asyncio.gather(store.save_table("ABC234", 1, b"two"), store.save_table("ABC234", 1, b"2"))
    assert sorted(saved, key=str) == [2, None]
    table = await store.load_table("ABC234")
    assert (table.rev, table.doc) == (2, b"two" if saved[0] else b"2")
    assert await store.load_table("XYZ234") is None
    assert await store.save_table("XYZ234", 1, b"") is None


async def test_a_match_begins_with_its_table_or_not_at_all(store: Store) -> None:
    """Of two that start a match at one table at once, only the first one stores a match."""
    await store.create_table("ABC234", b"lobby")
    rows = [make_match_row("match-1"), make_match_row("match-2")]
    begun = await asyncio.gather(*(store.create_match(row, 1, row.id.encode()) for row in rows))
    assert sorted(begun, key=str) == [2, None]
    first = rows[begun.index(2)]
    assert await store.matches_of("ada", 9) == [first]
    table = await store.load_table("ABC234")
    assert table is not None and table.doc == first.id.encode()


async def test_the_tables_that_know_a_player(store: Store) -> None:
    """Those whose documents contain the id."""
    for code, doc in (("ABC234", b'{"host":"ada"}'), ("DEF234", b'{"host":"ben"}'), ("GHJ234", b'["ada"]')):
        await store.create_table(code, doc)
    assert sorted(await store.tables_of("ada")) == ["ABC234", "GHJ234"]
    assert await store.tables_of("eve") == []


async def test_everything_is_there_after_opening_again(database: str) -> None:
    """A restart continues every table (docs/server.md)."""
    with closing(Store.open(database)) as store:
        await store.create_table("ABC234", b"doc")
        await put_match(store, make_match_row("match-1"))
        await store.append(a_row(0, "command-a"))
    with closing(Store.open(database)) as store:
        assert await store.load_table("ABC234") is not None
        assert await store.load_match("match-1") == make_match_row("match-1")
        assert await store.append(a_row(0, "command-a")) == (DUPLICATE, 0)
        await store.ping()


async def test_closing_writes_pending_rows(address: str) -> None:
    """No submitted row is dropped, and no more are accepted."""
    store = Store.open(address)
    rows = [a_row(ply, f"command-{ply}") for ply in range(100)]
    waiting = [asyncio.ensure_future(store.append(row)) for row in rows]
    await asyncio.sleep(0)
    store.close()
    assert {answer for answer, _ in await asyncio.gather(*waiting)} == {COMMITTED}
    with pytest.raises(StoreError, match="closed"):
        await store.append(rows[0])
    with pytest.raises(StoreError, match="closed"):
        await store.read_moves("match-1")


async def test_a_canceled_write_does_not_affect_others(address: str) -> None:
    with closing(Store.open(address)) as store:
        task = asyncio.ensure_future(store.append(a_row(0, "command-a")))
        other = asyncio.ensure_future(store.append(a_row(1, "command-b")))
        await asyncio.sleep(0)
        task.cancel()
        assert await other == (COMMITTED, 1)
        assert len(await store.read_moves("match-1")) == 2
