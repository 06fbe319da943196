"""Export of all finished matches as records in one archive, and of all data of one person."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final
from zipfile import ZIP_DEFLATED, ZipFile

import msgspec

from lastcard.errors import LastcardError, StoreError, wrap_os_errors
from lastcard.formats.record_files import Record
from lastcard.server.http.replays import is_sealed, record_name, record_text
from lastcard.server.store import personal_export, queries
from lastcard.server.store.backup import check_no_database, new_file, upgrade_file
from lastcard.server.store.database import Database
from lastcard.server.store.database_address import DatabaseAddress
from lastcard.server.store.maintenance import back_up
from lastcard.session.match_rows import MatchRow, MoveRow

_BATCH_MATCHES: Final = 100


def export_matches(address: str, file: Path, *, overwrite: bool = False) -> tuple[int, Sequence[str]]:
    """Write the records of all finished matches but lessons into a ZIP archive, complete or absent, while servers run.

    Returns:
        The number of records, and the ids of matches that cannot be replayed and so have no record.

    Raises:
        StoreError: if the database cannot be read or the file cannot be written.
    """
    count, broken = 0, []
    with _copied(address, file, overwrite=overwrite) as (draft, copy), ZipFile(draft, "w", ZIP_DEFLATED) as archive:
        for row, moves in _finished(copy):
            try:
                archive.writestr(record_name(row, whole=True), record_text(row, moves))
                count += 1
            except LastcardError:
                broken.append(row.id)
    return count, broken


def export_player(address: str, name: str, file: Path, *, overwrite: bool = False) -> None:
    """Write everything stored about the person with an id or a name into a JSON file, complete or absent.

    Raises:
        StoreError: if there is none or more than one, the database cannot be read or the file cannot be written.
    """
    with _copied(address, file, overwrite=overwrite) as (draft, copy):
        database = Database(copy)
        try:
            with database.engine.connect() as connection:
                found = personal_export.find_players(connection, name)
                if len(found) != 1:
                    ids = ", ".join(player.id for player in found)
                    raise StoreError(
                        f"{len(found)} persons are called {name}" + (f": give an id of {ids}" if ids else "")
                    )
                data = personal_export.export_player(connection, found[0].id)
        finally:
            database.close()
        draft.write_bytes(msgspec.json.format(msgspec.json.encode(data), indent=1))


@contextmanager
def _copied(address: str, file: Path, *, overwrite: bool) -> Iterator[tuple[Path, str]]:
    """Give the block a new file to write, and the address of a copy of the database with the newest schema."""
    check_no_database(file, DatabaseAddress(address))
    with new_file(file, overwrite=overwrite) as draft, TemporaryDirectory() as folder:
        copy = Path(folder, "copy.sqlite")
        back_up(address, copy)
        with wrap_os_errors(copy, "cannot be written", StoreError):
            upgrade_file(copy, str(copy))
        yield draft, f"sqlite:///{copy}"


def read_finished(address: str) -> Iterator[Record]:
    """Yield the records of a database's finished matches, ordered by id, but of those that cannot be replayed.

    Records of daily deals whose day is not over have no seed.
    """
    for row, moves in _finished(address):
        with suppress(LastcardError):
            yield Record.parse(record_text(row, moves, sealed=is_sealed(row)))


def _finished(address: str) -> Iterator[tuple[MatchRow, list[MoveRow]]]:
    """Yield the finished matches with their logs, ordered by id."""
    database = Database(address)
    try:
        with database.engine.connect() as connection:
            last = ""
            while rows := queries.finished_matches(connection, last, _BATCH_MATCHES):
                for row in rows:
                    yield row, queries.read_moves(connection, row.id)
                last = rows[-1].id
    finally:
        database.close()
