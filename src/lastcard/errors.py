"""Every error lastcard raises.

    LastcardError
    ├── RulesError        a ruleset, option or combination of options that makes no sense
    ├── NotationError     text that is not a card, move, position, case or rule card
    ├── IllegalMove       a move the rules do not allow; carries its stable code and clause
    ├── RecordError       a match record that is damaged, edited or of another version
    │   └── RecordFormatError  a file that cannot be read as one at all
    ├── UsageError        a wrong number of players, an unknown bot or language, a finished round
    ├── PlayerError       a program that was to play and has ended, or made too many faults
    └── StoreError        a database that cannot be opened, read or written

Each class has a stable ``code`` for the wire; ``IllegalMove`` has one for every reason. All of them can be copied and
pickled (``PicklableError``).
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from difflib import get_close_matches
from pathlib import Path
from typing import Any


def _restore(error_class: type[BaseException], *args: Any) -> BaseException:
    """An exception with these ``args``, without a call of its constructor; its fields come after that."""
    return error_class.__new__(error_class, *args)


class PicklableError(Exception):
    """An exception that ``copy`` and ``pickle`` restore with all its fields, whatever its constructor takes.

    Python would call the constructor with ``args``, that is with the message alone. A copy would then lack fields, and
    a pool whose worker raises what cannot be unpickled would wait for ever.
    """

    def __reduce__(self) -> tuple[Any, ...]:
        """The class, its ``args`` and its fields."""
        reduced: Any = super().__reduce__()
        kind, args, *fields = reduced
        return _restore, (kind, *args), *fields


class LastcardError(PicklableError):
    """The root of the tree: anything lastcard refuses, in words for a person."""

    code = "error"


class RulesError(LastcardError):
    """A ruleset, an option or a combination of options that makes no sense.

    Args:
        message: what is wrong and what would be right.
        pairs: options with the values that make no sense together; empty where the text could not even be read.
        game: in which they make no sense; None where they do not in any.
        word: of the text, which could not be read; None where all could.
        option: of which the word should be a value; None where it should be something else.
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
    """Text that could not be read.

    ``reason`` is the message without the place.

    Args:
        message: what is wrong and what was expected.
        text: the whole text that was read.
        column: where in it the trouble starts, from 0; None where the whole is meant.
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
    """An act the rules do not allow; nothing has changed (CO-5).

    Args:
        code: the stable name of the reason, as in ``engine.reason.ALL``.
        clause: the id of the clause that refuses it, such as ``CL-30``.
        message: the reason in words, clause included.
        variant: which words of the catalog say it, ``refused.<code>.<variant>``; empty for ``refused.<code>``.
    """

    def __init__(self, code: str, clause: str, message: str, variant: str = "") -> None:
        super().__init__(message)
        self._code = code
        self.clause = clause
        self.variant = variant

    @property
    def code(self) -> str:  # type: ignore[override]
        """The stable name of the reason.

        Ray raises a subclass that looks up in the cause only what its class lacks. It would find a class attribute of
        ``LastcardError`` before a field of this name, but it asks a property for the field that stands behind it.
        """
        return self._code


class RecordError(LastcardError):
    """A match record that cannot be trusted: the message names the place of the damage."""

    code = "record"


class RecordFormatError(RecordError):
    """A file that cannot be read as a match record at all, be it damaged or not."""


class UsageError(LastcardError):
    """A call that cannot be served: wrong number of players, unknown bot, finished round.

    Args:
        message: what is wrong and what would be right.
        pairs: options with the values that stand in the way, where they do.
    """

    code = "usage"

    def __init__(self, message: str, pairs: tuple[tuple[str, bool | int | str | tuple[int, ...]], ...] = ()) -> None:
        super().__init__(message)
        self.pairs = pairs


class PlayerError(LastcardError):
    """A program that was to play and cannot: it has ended, does not answer to its name, or made too many faults."""

    code = "player"


class StoreError(LastcardError):
    """The database cannot do what was asked: full, read-only, gone, in use, or of a newer lastcard.

    Args:
        message: what is wrong, without any password.
        outcome_unknown: whether what was to be written may have been written all the same; asking again with the same
            command id tells.
    """

    code = "storage"

    def __init__(self, message: str, *, outcome_unknown: bool = False) -> None:
        super().__init__(message)
        self.outcome_unknown = outcome_unknown


def suggest(word: str, names: Iterable[str]) -> str:
    """What a wrong word was probably meant to be, to be said behind what is wrong.

    Args:
        word: what was written.
        names: what would be right.

    Returns:
        A question such as ``; did you mean 'classic'?``, or nothing where no name is near.
    """
    near = get_close_matches(word.lower(), list(names), n=1)
    return f"; did you mean {near[0]!r}?" if near else ""


@contextmanager
def wrap_os_errors(path: Path | str, what: str, error_class: type[LastcardError] = UsageError) -> Iterator[None]:
    """Let what the system says of a file be an error that names it.

    Args:
        path: the file.
        what: went wrong, such as ``cannot be written``.
        error_class: of the error.
    """
    try:
        yield
    except OSError as error:
        raise error_class(f"{path}: {what}: {error.strerror or error}") from None


@contextmanager
def prefix_errors(path: Path | str, *error_classes: type[LastcardError]) -> Iterator[None]:
    """Let errors in what a file says name the file.

    Args:
        path: the file, which has been read.
        error_classes: of the errors; every other one is left as it is.
    """
    try:
        yield
    except error_classes as error:
        error.args = (f"{path}: {error}", *error.args[1:])
        raise


def check_different_files(path: Path, source: Path, what: str, error_class: type[LastcardError] = UsageError) -> None:
    """See that a file to be written is not, by whatever links, the very one that is read.

    Args:
        path: the file to be written.
        source: what is read.
        what: to say where it is, such as ``the report needs another file than the record``.
        error_class: of the error.

    Raises:
        LastcardError: of that kind, where it is.
    """
    same = os.path.realpath(path) == os.path.realpath(source)
    with suppress(OSError):  # one of them is not there
        same = same or path.samefile(source)
    if same:
        raise error_class(f"{path}: {what}")
