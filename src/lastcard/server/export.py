"""All matches that are over, as records in one archive."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final
from zipfile import ZIP_DEFLATED, ZipFile

from lastcard.errors import LastcardError, StoreError, named
from lastcard.server.http.replays import record_name, record_text
from lastcard.server.store import queries
from lastcard.server.store.backup import bring_up, check_no_database, new_file
from lastcard.server.store.care import back_up
from lastcard.server.store.database import Database
from lastcard.server.store.place import Place
from lastcard.server.store.rows import MatchRow, MoveRow

_AT_ONCE: Final = 100
"""Matches that are read at once."""


def export_matches(address: str, file: Path, *, overwrite: bool = False) -> tuple[int, Sequence[str]]:
    """Write the records of all matches that are over into a ZIP archive, while servers run; lessons have none.

    Args:
        address: of the database, as for a server.
        file: the archive; it is there whole or not at all.
        overwrite: whether it may take the place of another one.

    Returns:
        How many records there are, and the ids of matches that cannot be played again, so that no record can be made.

    Raises:
        StoreError: where the database cannot be read, or the file not be written.
    """
    check_no_database(file, Place(address))
    count, broken = 0, []
    with new_file(file, overwrite=overwrite) as draft, TemporaryDirectory() as folder:
        copy = Path(folder, "copy.sqlite")
        back_up(address, copy)
        with named(copy, "cannot be written", StoreError):
            bring_up(copy, str(copy))
        with ZipFile(draft, "w", ZIP_DEFLATED) as archive:
            for row, moves in _finished(f"sqlite:///{copy}"):
                try:
                    archive.writestr(record_name(row, whole=True), record_text(row, moves))
                    count += 1
                except LastcardError:
                    broken.append(row.id)
    return count, broken


def _finished(address: str) -> Iterator[tuple[MatchRow, list[MoveRow]]]:
    """The matches that are over, with their logs, in the order of their ids."""
    database = Database(address)
    try:
        with database.engine.connect() as connection:
            last = ""
            while rows := queries.finished_matches(connection, last, _AT_ONCE):
                for row in rows:
                    yield row, queries.read_moves(connection, row.id)
                last = rows[-1].id
    finally:
        database.close()
