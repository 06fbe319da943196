"""The store: players, tables, matches and the log of moves, in SQLite or PostgreSQL.

All writes use one thread (``writer.py``) and reads use a few others, so the event loop never waits for a disk. The
state of a match is its row with its moves folded.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from functools import wraps
from typing import Any, Concatenate, Final, ParamSpec, TypeVar, cast

from sqlalchemy import Connection, text
from sqlalchemy.exc import DBAPIError

from lastcard.errors import StoreError
from lastcard.server.store import (
    daily_queries,
    day_queries,
    duplicate_queries,
    moderation_queries,
    notification_queries,
    open_queries,
    passkey_queries,
    personal_data,
    personal_export,
    queries,
)
from lastcard.server.store.database import OUTAGE_LIMIT_S, Database
from lastcard.server.store.rows import Appended
from lastcard.server.store.writer import RETRY_S, Writer
from lastcard.session.match_rows import MoveRow

READERS: Final = 4
"""Number of threads that read."""

P = ParamSpec("P")
T = TypeVar("T")


def _reading(query: Callable[Concatenate[Connection, P], T]) -> Callable[Concatenate[Store, P], Coroutine[Any, Any, T]]:
    """Return a query as a method of the store, run by a reader."""

    @wraps(query)
    async def method(store: Store, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return await store._read(lambda connection: query(connection, *args, **kwargs))

    return method


def _writing(query: Callable[Concatenate[Connection, P], T]) -> Callable[Concatenate[Store, P], Coroutine[Any, Any, T]]:
    """Return a query as a method of the store, run by the writer."""

    @wraps(query)
    async def method(store: Store, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return await store._write(lambda connection: query(connection, *args, **kwargs))

    return method


class Store:
    """All data that outlives the process. Create one with ``Store.open``.

    The queries are in ``queries``. Every method may raise ``StoreError``; then nothing was written, unless the error
    says ``unknown``.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._writer = Writer(database)
        self._readers = ThreadPoolExecutor(READERS, thread_name_prefix="store-reader")

    @classmethod
    def open(cls, url: str) -> Store:
        """Return the store at ``sqlite:///FILE`` (one process) or ``postgresql://…``, with the newest schema.

        Raises:
            StoreError: for a bad address, a read-only folder, no server, another server on the file, or a database of a
                newer lastcard. The message never contains a password.
        """
        return cls(Database(url))

    @property
    def shared(self) -> bool:
        """Return whether other workers may write to the same log."""
        return self._database.shared

    def close(self) -> None:
        """Write what is waiting and close the database."""
        self._writer.close()
        self._readers.shutdown()
        self._database.close()

    async def ping(self) -> None:
        """Check that the database answers; a file must also accept a write, because no server checks it."""
        await self._read(_ping, patience=0.0)
        if not self.shared:
            nothing_new = text("UPDATE alembic_version SET version_num = version_num")
            await self._write(lambda connection: connection.execute(nothing_new))

    # --- the log -------------------------------------------------------------------------------------

    async def append(self, row: MoveRow) -> tuple[Appended, int]:
        """Append a row, whose ply is the number of rows of its match, to the log and wait until it is on disk.

        Returns:
            Result, and the ply of its command, or for ``TAKEN`` of another one. After anything but ``COMMITTED`` the
            log has rows that the caller does not know. ``DUPLICATE`` may be this very row, if the database went away
            between commit and answer.

        Raises:
            StoreError: if the database fails. With ``unknown`` the row may have been written; a second attempt then
                returns ``DUPLICATE``.
        """
        return cast(tuple[Appended, int], await self._writer.write(row))

    read_moves = _reading(queries.read_moves)
    read_heads = _reading(queries.read_heads)

    # --- tables and matches --------------------------------------------------------------------------

    create_table = _writing(queries.create_table)
    load_table = _reading(queries.load_table)
    save_table = _writing(queries.save_table)
    tables_of = _reading(queries.tables_of)
    count_tables = _reading(queries.count_tables)
    touch_tables = _writing(queries.touch_tables)
    sweep = _writing(queries.sweep)
    sweep_matches = _writing(queries.sweep_matches)
    count_finished = _reading(queries.count_finished)
    create_match = _writing(queries.create_match)
    import_match = _writing(queries.import_match)
    import_match_for = _writing(queries.import_match_for)
    load_match = _reading(queries.load_match)
    take_seat = _writing(queries.take_seat)
    finish_match = _writing(queries.finish_match)
    matches_of = _reading(queries.matches_of)
    taken_back = _reading(queries.taken_back)
    delete_match_for = _writing(queries.delete_match_for)
    past_matches = _reading(queries.past_matches)
    save_calls = _writing(queries.save_calls)
    save_findings = _writing(queries.save_findings)

    # --- daily deals ---------------------------------------------------------------------------------

    daily_secret = _writing(daily_queries.daily_secret)
    find_daily_secret = _reading(daily_queries.find_daily_secret)
    find_daily_try = _reading(daily_queries.find_daily_try)
    begin_daily_try = _writing(daily_queries.begin_daily_try)
    daily_tries = _reading(daily_queries.daily_tries)
    uncounted_dailies = _reading(daily_queries.uncounted_dailies)
    save_daily_results = _writing(daily_queries.save_daily_results)
    daily_standings = _reading(daily_queries.daily_standings)

    # --- duplicate matches ---------------------------------------------------------------------------

    create_duplicate = _writing(duplicate_queries.create_duplicate)
    find_duplicate = _reading(duplicate_queries.find_duplicate)
    start_duplicate = _writing(duplicate_queries.start_duplicate)
    finish_duplicate = _writing(duplicate_queries.finish_duplicate)
    open_duplicates = _reading(duplicate_queries.open_duplicates)
    stalled_tables = _reading(duplicate_queries.stalled_tables)
    join_duplicate = _writing(duplicate_queries.join_duplicate)
    leave_duplicate = _writing(duplicate_queries.leave_duplicate)
    uncounted_duplicates = _reading(duplicate_queries.uncounted_duplicates)
    save_duplicate_result = _writing(duplicate_queries.save_duplicate_result)
    save_duplicate_run = _writing(duplicate_queries.save_duplicate_run)
    duplicate_results = _reading(duplicate_queries.duplicate_results)
    duplicate_matches = _reading(duplicate_queries.duplicate_matches)

    # --- open tables ---------------------------------------------------------------------------------

    list_open_tables = _reading(open_queries.list_open_tables)
    read_open_counts = _reading(open_queries.read_open_counts)
    save_open_table = _writing(open_queries.save_open_table)
    close_open_table = _writing(open_queries.close_open_table)
    save_departures = _writing(open_queries.save_departures)
    list_departures = _reading(open_queries.list_departures)
    sweep_departures = _writing(open_queries.sweep_departures)
    block = _writing(open_queries.block)
    unblock_all = _writing(open_queries.unblock_all)
    find_blocked = _reading(open_queries.find_blocked)

    # --- tables by the day and notifications ---------------------------------------------------------

    save_day_turn = _writing(day_queries.save_day_turn)
    list_day_tables = _reading(day_queries.list_day_tables)
    list_due_tables = _reading(day_queries.list_due_tables)
    list_day_turns = _reading(day_queries.list_day_turns)
    claim_turn_notices = _writing(day_queries.claim_turn_notices)
    claim_closing_notices = _writing(day_queries.claim_closing_notices)
    note_service = _writing(day_queries.note_service)
    notification_addresses = _reading(notification_queries.notification_addresses)
    language_of = _reading(notification_queries.language_of)
    has_day_tables = _reading(day_queries.has_day_tables)
    add_notification_address = _writing(notification_queries.add_notification_address)
    set_notification_address = _writing(notification_queries.set_notification_address)
    delete_notification_address = _writing(notification_queries.delete_notification_address)
    note_delivery = _writing(notification_queries.note_delivery)
    server_key = _writing(notification_queries.server_key)

    # --- players -------------------------------------------------------------------------------------

    create_player = _writing(queries.create_player)
    save_player = _writing(queries.save_player)
    load_player = _reading(queries.load_player)
    player_by_token = _reading(queries.player_by_token)
    add_token = _writing(queries.add_token)
    renew_token = _writing(queries.renew_token)
    revoke_token = _writing(queries.revoke_token)
    add_one_time = _writing(personal_data.add_one_time)
    find_one_time = _reading(personal_data.find_one_time)
    use_one_time = _writing(personal_data.use_one_time)
    count_own_matches = _reading(personal_data.count_own_matches)
    shares_duplicate = _reading(personal_data.shares_duplicate)
    merge_players = _writing(personal_data.merge_players)
    export_player = _reading(personal_export.export_player)
    delete_player = _writing(personal_data.delete_player)

    # --- passkeys ------------------------------------------------------------------------------------

    list_passkeys = _reading(passkey_queries.list_passkeys)
    find_passkey = _reading(passkey_queries.find_passkey)
    add_passkey = _writing(passkey_queries.add_passkey)
    rename_passkey = _writing(passkey_queries.rename_passkey)
    delete_passkey = _writing(passkey_queries.delete_passkey)
    use_passkey = _writing(passkey_queries.use_passkey)

    # --- moderation ----------------------------------------------------------------------------------

    read_admin_settings = _reading(moderation_queries.read_admin_settings)
    save_admin_settings = _writing(moderation_queries.save_admin_settings)
    ban = _writing(moderation_queries.ban)
    lift_ban = _writing(moderation_queries.lift_ban)
    add_complaint = _writing(moderation_queries.add_complaint)
    list_complaints = _reading(moderation_queries.list_complaints)
    resolve_complaint = _writing(moderation_queries.resolve_complaint)
    sweep_moderation = _writing(moderation_queries.sweep_moderation)
    save_worker = _writing(moderation_queries.save_worker)
    list_workers = _reading(moderation_queries.list_workers)
    latest_tables = _reading(moderation_queries.latest_tables)

    # --- writing and reading -------------------------------------------------------------------------

    async def _write(self, work: Callable[[Connection], T]) -> T:
        """Return the result of a writing function after its commit."""
        try:
            return cast(T, await self._writer.write(work))
        except DBAPIError as error:  # the row exists, or refers to one that does not
            raise self._database.failure(error) from None

    async def _read(self, work: Callable[[Connection], T], patience: float = OUTAGE_LIMIT_S) -> T:
        """Return the result of a reading function; wait for a database that is gone."""
        loop = asyncio.get_running_loop()
        try:
            return await loop.run_in_executor(self._readers, self._reading, time.monotonic() + patience, work)
        except RuntimeError:
            raise StoreError("the store is closed") from None

    def _reading(self, until: float, work: Callable[[Connection], Any]) -> Any:
        while True:
            try:
                with self._database.engine.connect() as connection:
                    found = work(connection)
                self._database.note_answer()
                return found
            except DBAPIError as error:
                if not self._database.should_retry(error, until):
                    raise self._database.failure(error) from None
            time.sleep(RETRY_S)


def _ping(connection: Connection) -> None:
    connection.execute(text("SELECT 1"))
