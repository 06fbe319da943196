"""The chat of a table: its last notes, and the checks on who may write."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from typing import Final

from lastcard.server.security.security import Bucket
from lastcard.server.table.moderation import Moderation
from lastcard.server.wire.parts import QUICK, Note
from lastcard.server.wire.protocol import Quick, Say
from lastcard.session.names import clean_text
from lastcard.session.seating import shown_name
from lastcard.session.table_state import CommandError, Person, TableState, replace

MAX_NOTES: Final = 50
RATE_PER_S: Final = 0.7
"""Notes a second that one person may write in the long run; bursts may be faster."""
BURST: Final = 6


class Chat:
    """The last notes of a table's chat. They are saved only with a complaint."""

    def __init__(self, moderation: Moderation) -> None:
        self._moderation = moderation
        self._notes: deque[Note] = deque(maxlen=MAX_NOTES)
        self._buckets: dict[str, Bucket] = {}

    @property
    def notes(self) -> tuple[Note, ...]:
        """The last notes, oldest first."""
        return tuple(self._notes)

    def say(self, table: TableState, person: Person, message: Say | Quick, here: Mapping[str, str]) -> Note:
        """Return a new chat note, after checking that the person may write it.

        Raises:
            CommandError: if the person is muted or writes too much, chat is off, the text is empty, or the target of
                a thrown item is nobody.
        """
        if person.id in table.muted:
            raise CommandError("muted")
        note = self._read(table, person, message, here)
        if not self._buckets.setdefault(person.id, Bucket(RATE_PER_S, BURST)).take():
            raise CommandError("flood")
        self.add(note)
        return note

    def add(self, note: Note) -> None:
        """Add a note."""
        self._notes.append(note)

    def forget(self, player: str) -> None:
        """Remove all notes of a person."""
        self._buckets.pop(player, None)
        self._notes = deque((note for note in self._notes if note.player != player), maxlen=MAX_NOTES)

    def merge(self, player: str, into: str) -> None:
        """Give all notes of a person to another profile of theirs."""
        notes = (replace(note, player=into) if note.player == player else note for note in self._notes)
        self._notes = deque(notes, maxlen=MAX_NOTES)

    def _read(self, table: TableState, person: Person, message: Say | Quick, here: Mapping[str, str]) -> Note:
        if isinstance(message, Quick):
            if message.quick not in QUICK:
                raise CommandError("no-such-phrase")
            if message.at is not None and (message.at >= len(table.seats) or table.seats[message.at] is None):
                raise CommandError("no-such-player")
            return Note(person.id, shown_name(table, person, here), None, message.quick, message.at)
        if not table.settings.chat or self._moderation.chat == "never":
            raise CommandError("chat-off")
        text = clean_text(message.text)
        self._moderation.check_words(text, "words")
        if not text:
            raise CommandError("nothing-said")
        return Note(person.id, shown_name(table, person, here), text, None)
