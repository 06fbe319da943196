"""The archive of a duplicate match: one file with the secret of all deals, then the record of each deal at each table.

``docs/records.md`` specifies the format. The SHA-256 of the secret was shown before the first deal, and the secret of
each deal follows from it, so the file proves that all tables played the same deals and that nobody chose them later.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from lastcard.errors import NotationError, RecordError, RecordFormatError, prefix_errors
from lastcard.formats.record_files import read_texts
from lastcard.formats.replay import verify_record
from lastcard.game.rulesets import Ruleset, stored_name, stored_ruleset
from lastcard.game.seeds import commitment, deal_secret
from lastcard.game.toml import Fields, expect_number, expect_text, faults_text, parse_toml, toml_lines
from lastcard.match.record import Record

VERSION: Final = 1
_KEYS: Final = ("duplicate", "rules", "tables", "deals", "promise", "secret")


@dataclass(frozen=True, slots=True, kw_only=True)
class DuplicateArchive:
    """A duplicate match that is over."""

    rules: Ruleset
    tables: int
    deals: int
    promise: str
    """SHA-256 of the secret in hex, shown before the first deal."""
    secret: bytes
    records: tuple[Record, ...]
    """By deal, then by table."""

    def text(self) -> str:
        """Returns the archive as one file."""
        head: dict[str, Any] = {
            "duplicate": VERSION,
            "rules": stored_name(self.rules),
            "tables": self.tables,
            "deals": self.deals,
            "promise": self.promise,
            "secret": self.secret.hex(),
        }
        return "\n".join([toml_lines(head), *(record.text() for record in self.records)])

    def verify(self) -> None:
        """Prove the archive: each table played each deal, whose secret follows from the one that was promised.

        Raises:
            RecordError: at the first false statement; names the deal and the table.
        """
        if commitment(self.secret) != self.promise:
            raise RecordError("head: the promise does not match the secret")
        if len(self.records) != self.deals * self.tables:
            wanted = f"{self.deals} deals at {self.tables} tables are {self.deals * self.tables}"
            raise RecordError(f"{len(self.records)} records; {wanted}")
        for number, record in enumerate(self.records):
            deal, table = divmod(number, self.tables)
            with prefix_errors(f"deal {deal + 1}, table {table + 1}", RecordError):
                self._verify_deal(record, deal + 1)

    def _verify_deal(self, record: Record, deal: int) -> None:
        if record.rules != self.rules:
            raise RecordError(f"head: rules: {record.rules}; the duplicate match is one of {self.rules}")
        shuffle = record.shuffle
        if shuffle is None or shuffle.secret != deal_secret(self.secret, deal) or any(shuffle.numbers):
            raise RecordError("head: secret: it does not follow from the secret of the duplicate match")
        if record.host != 0 or record.winners is None:
            raise RecordError("result: every deal begins with the host in seat 0, and is played to its end")
        verify_record(record)


def read_archive(path: str | Path) -> DuplicateArchive | None:
    """Returns the archive in a file; None if the file is no archive, but perhaps a record.

    Raises:
        RecordError: if it is damaged or was changed; names the file and the place.
    """
    texts = read_texts(path)
    head = next(texts)
    if not head.lstrip("\ufeff").startswith("duplicate"):
        return None
    with prefix_errors(path, RecordError):
        records = []
        for number, text in enumerate(texts, start=1):
            with prefix_errors(f"record {number}", RecordError):
                records.append(Record.parse(text))
        return _read_head(head, records)


def _read_head(text: str, records: Sequence[Record]) -> DuplicateArchive:
    try:
        fields = Fields(parse_toml(text), _KEYS, "head: ")
    except NotationError as error:
        raise RecordFormatError(f"the archive is not TOML: {error}") from None
    if fields.read("duplicate", expect_number, 0, required=True) != VERSION:
        raise RecordFormatError(f"head: duplicate: this lastcard reads version {VERSION} of archives")
    rules = fields.read("rules", lambda value: stored_ruleset(expect_text(value)), None, required=True)
    tables = fields.read("tables", expect_number, 0, required=True)
    deals = fields.read("deals", expect_number, 0, required=True)
    promise = fields.read("promise", expect_text, "", required=True)
    secret = fields.read("secret", lambda value: bytes.fromhex(expect_text(value)), b"", required=True)
    if fields.faults or rules is None:
        raise RecordError(faults_text(fields.faults))
    return DuplicateArchive(
        rules=rules, tables=tables, deals=deals, promise=promise, secret=secret, records=tuple(records)
    )
