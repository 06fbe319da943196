"""What is said at a table: the last notes, and who may say something."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from typing import Final

from lastcard.server.guard.security import Bucket, clean_text
from lastcard.server.seats.document import Denied, Document, Person
from lastcard.server.seats.seating import shown_name
from lastcard.server.table.warden import Warden
from lastcard.server.wire.parts import QUICK, Note
from lastcard.server.wire.protocol import Quick, Say

KEPT: Final = 50
RATE: Final = 0.7
"""Notes a second that one person may go on saying; for a moment more."""
BURST: Final = 6


class Chat:
    """The notes of a table. They are never saved, except with a complaint.

    Args:
        warden: says what may be said.
    """

    def __init__(self, warden: Warden) -> None:
        self._warden = warden
        self._notes: deque[Note] = deque(maxlen=KEPT)
        self._buckets: dict[str, Bucket] = {}

    @property
    def notes(self) -> tuple[Note, ...]:
        """The last of them, oldest first."""
        return tuple(self._notes)

    def say(self, table: Document, person: Person, message: Say | Quick, here: Mapping[str, str]) -> Note:
        """A note of what somebody says.

        Args:
            table: as it stands.
            person: who is here and says it.
            message: what is said.
            here: the names of connected persons by id.

        Raises:
            Denied: for one who is muted or says too much, where chat is off, for nothing said, and for what is
                thrown at nobody.
        """
        if person.id in table.muted:
            raise Denied("muted")
        note = self._read(table, person, message, here)
        if not self._buckets.setdefault(person.id, Bucket(RATE, BURST)).take():
            raise Denied("flood")
        self.add(note)
        return note

    def add(self, note: Note) -> None:
        """Keep a note."""
        self._notes.append(note)

    def forget(self, player: str) -> None:
        """Drop all that a person has said."""
        self._buckets.pop(player, None)
        self._notes = deque((note for note in self._notes if note.player != player), maxlen=KEPT)

    def _read(self, table: Document, person: Person, message: Say | Quick, here: Mapping[str, str]) -> Note:
        if isinstance(message, Quick):
            if message.quick not in QUICK:
                raise Denied("no-such-phrase")
            if message.at is not None and (message.at >= len(table.seats) or table.seats[message.at] is None):
                raise Denied("no-such-player")
            return Note(person.id, shown_name(table, person, here), None, message.quick, message.at)
        if not table.settings.chat or self._warden.chat == "never":
            raise Denied("chat-off")
        text = clean_text(message.text)
        self._warden.check_words(text, "words")
        if not text:
            raise Denied("nothing-said")
        return Note(person.id, shown_name(table, person, here), text, None)
