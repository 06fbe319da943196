"""All errors that lastcard raises.

    LastcardError
    ├── RulesError        an invalid ruleset, option or combination of options
    ├── NotationError     text that is not a card, move, position, case or rule card
    ├── IllegalMove       a move that the rules do not allow, with a stable code and a clause
    ├── RecordError       a match record that is damaged, edited or of another version
    │   └── RecordFormatError  a file that cannot be read as one at all
    ├── UsageError        a wrong number of players, an unknown bot or language, a finished round
    ├── PlayerError       a program that played and has ended, or made too many errors
    └── StoreError        a database that cannot be opened, read or written

Each class has a stable ``code`` for the wire; ``IllegalMove`` has one for every reason. All can be copied and pickled
(``PicklableError``).
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any


def _restore(error_class: type[BaseException], *args: Any) -> BaseException:
    """Returns an exception with these ``args`` without calling its constructor; its fields are set later."""
    return error_class.__new__(error_class, *args)


class PicklableError(Exception):
    """An exception that ``copy`` and ``pickle`` restore with all fields, independent of its constructor.

    Python would call the constructor with ``args``, which is only the message. A copy would then lack fields, and a
    pool whose worker raises an exception that cannot be unpickled would wait forever.
    """

    def __reduce__(self) -> tuple[Any, ...]:
        """Returns the class, its ``args`` and its fields."""
        reduced: Any = super().__reduce__()
        kind, args, *fields = reduced
        return _restore, (kind, *args), *fields


class LastcardError(PicklableError):
    """Base class of all errors, with a message for people.

    >>> try:
    ...     Round.deal("classic", 11)
    ... except LastcardError as error:
    ...     print(error)
    classic is for 2 to 10 players, not 11 (CO-47)
    """

    code = "error"


class RulesError(LastcardError):
    """An invalid ruleset, option or combination of options.

    >>> ruleset("clasic")
    Traceback (most recent call last):
    lastcard.errors.RulesError: ...

    Args:
        message: the error and how to correct it.
        pairs: options with values that contradict each other; empty if the text could not be parsed.
        game: game in which they do; None for any game.
        word: word of the text that could not be parsed; None if there is none.
        option: option of which the word should be a value; None if it should be something else.
    """

    code = "rules"

    def __init__(
        self,
        message: str,
        pairs: tuple[tuple[str, bool | int | str | tuple[int, ...]], ...] = (),
        game: str | None = None,
        *,
        word: str | None = None,
        option: str | None = None,
    ) -> None:
        super().__init__(message)
        self.pairs = pairs
        self.game = game
        self.word = word
        self.option = option


class NotationError(LastcardError):
    """Text that could not be parsed.

    ``reason`` is the message without the place.

    >>> parse_move("R55")
    Traceback (most recent call last):
    lastcard.errors.NotationError: ...

    Args:
        message: the error and what was expected.
        text: the whole text.
        column: column of the error, from 0; None for the whole text.
    """

    code = "notation"

    def __init__(self, message: str, text: str | None = None, column: int | None = None) -> None:
        self.reason = message
        self.text = text
        self.column = column
        if text is not None and column is not None:
            message = f"{message} (at column {column + 1} of {text!r})"
        elif text is not None:
            message = f"{message} (in {text!r})"
        super().__init__(message)


class IllegalMove(LastcardError):
    """A move that the rules do not allow; nothing has changed (CO-5).

    >>> try:
    ...     Round.deal("classic", 2, seed=1).do(0, "draw")
    ... except IllegalMove as refused:
    ...     print(refused.code, refused.clause)
    not-your-turn CO-3

    Args:
        code: stable name of the reason, as in ``rules.refusal_reasons.ALL``.
        clause: id of the clause that forbids it, such as ``CL-30``.
        message: the reason in words, with the clause.
        variant: variant of the text, ``refused.<code>.<variant>`` in the catalog; empty for ``refused.<code>``.
    """

    def __init__(self, code: str, clause: str, message: str, variant: str = "") -> None:
        super().__init__(message)
        self._code = code
        self.clause = clause
        self.variant = variant

    @property
    def code(self) -> str:  # type: ignore[override]
        """Stable name of the reason.

        It is a property for Ray: Ray raises a subclass without these fields, which asks the original error only for
        attributes that no class has. It would find the class attribute ``code`` of ``LastcardError`` first.
        """
        return self._code


class RecordError(LastcardError):
    """A match record that is damaged or was changed; the message names the place.

    >>> Record.parse("not a record")
    Traceback (most recent call last):
    lastcard.errors.RecordFormatError: ...
    """

    code = "record"


class RecordFormatError(RecordError):
    """A file that is no match record."""


class UsageError(LastcardError):
    """A call with invalid arguments or at the wrong time: wrong number of players, unknown bot, finished round.

    >>> make_bot("clever")
    Traceback (most recent call last):
    lastcard.errors.UsageError: ...

    Args:
        message: the error and how to correct it.
        pairs: options with the values that cause the error, if any.
    """

    code = "usage"

    def __init__(self, message: str, pairs: tuple[tuple[str, bool | int | str | tuple[int, ...]], ...] = ()) -> None:
        super().__init__(message)
        self.pairs = pairs


class PlayerError(LastcardError):
    """A program that cannot play: it has ended, does not respond correctly, or made too many errors."""

    code = "player"


class StoreError(LastcardError):
    """A database that cannot be used: full, read-only, gone, in use, or of a newer lastcard.

    Args:
        message: the error, without any password.
        outcome_unknown: whether the data may have been written nevertheless; a retry with the same command id
            finds out.
    """

    code = "storage"

    def __init__(self, message: str, *, outcome_unknown: bool = False) -> None:
        super().__init__(message)
        self.outcome_unknown = outcome_unknown


def suggest(word: str, names: Iterable[str], typed: Mapping[str, str] | None = None) -> str:
    """Returns a suggestion for a wrong word, to be appended to an error message, such as
    ``; did you mean 'classic'?``, or an empty text if no name is similar or begins with it.

    Args:
        word: the wrong word.
        names: words that may be similar.
        typed: what to suggest for each of them; None for the words themselves.
    """
    from difflib import get_close_matches  # its import takes long, and only a wrong word needs it

    known, start = list(names), word.lower()
    near = get_close_matches(start, known, n=1) or [name for name in known if start and name.startswith(start)]
    return f"; did you mean {near[0] if typed is None else typed[near[0]]!r}?" if near else ""


@contextmanager
def wrap_os_errors(path: Path | str, what: str, error_class: type[LastcardError] = UsageError) -> Iterator[None]:
    """Convert errors of the system to errors that name the file and what happened, such as ``cannot be written``."""
    try:
        yield
    except OSError as error:
        raise error_class(f"{path}: {what}: {error.strerror or error}") from None


@contextmanager
def prefix_errors(path: Path | str, *error_classes: type[LastcardError]) -> Iterator[None]:
    """Prefix errors of some classes, in the content of a file, with its name; others are unchanged."""
    try:
        yield
    except error_classes as error:
        error.args = (f"{path}: {error}", *error.args[1:])
        raise


def check_different_files(path: Path, source: Path, what: str, error_class: type[LastcardError] = UsageError) -> None:
    """Check that a file to be written is not, through any links, the file that is read.

    Raises:
        LastcardError: of the given class, if both are the same file; ``what`` is its message, such as
            ``the report needs another file than the record``.
    """
    same = os.path.realpath(path) == os.path.realpath(source)
    with suppress(OSError):  # one of them does not exist
        same = same or path.samefile(source)
    if same:
        raise error_class(f"{path}: {what}")
