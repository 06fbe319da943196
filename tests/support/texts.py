"""Texts with the conventions of other systems, for every reader of texts."""

from __future__ import annotations

from collections.abc import Callable

from support.record_samples import SERVER_CONFIG, random_record

FINISHED_RECORD = random_record(SERVER_CONFIG, 0)[1]
"""A finished match."""
RUNNING_RECORD = random_record(3, 0, 20)[1]
POSITION = """\
# a position
rules = "classic"
hands = ["R5 R6", "G1"]
discard = \"""
R3 \\

  R4\"""
"""
CASES = f"""\
[[case]]
id = "one"
{POSITION}
moves = ["0:R5"]
expect = {{ turn = 1 }}
"""
RECORD_WITH_NOTES = f'# a note\n_note = """\nfirst\nsecond"""\n{FINISHED_RECORD.text()}'
ENCODED_FORMS: dict[str, Callable[[str], str]] = {
    "a mark": lambda text: "\ufeff" + text,
    "two marks": lambda text: "\ufeff\ufeff" + text,
    "CRLF": lambda text: text.replace("\n", "\r\n"),
    "CR": lambda text: text.replace("\n", "\r"),
    "a mark and CRLF": lambda text: "\ufeff" + text.replace("\n", "\r\n"),
    "a mark and CR": lambda text: "\ufeff" + text.replace("\n", "\r"),
    "one CR": lambda text: text.replace("\n", "\r", 1),
}
"""The same text as other systems write it."""
CR_INSIDE = {
    "a text": '_note = "on\re"\n',
    "a text in quotes": "_note = 'on\re'\n",
    "a comment": "# a note\ris no key\n",
    "a key": "_no\rte = 1\n",
}
"""A carriage return at a place where no line may end; a line feed there is refused, too."""
