"""Parser of input: a number of the list, a move in notation, or a command, optionally for another seat."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from lastcard.errors import NotationError
from lastcard.game.moves import Move, parse_move
from lastcard.terminal.choices import Choice
from lastcard.text.locale import Catalog

COMMANDS: Final = ("help", "hint", "hand", "log", "rules", "save", "quit")
_ALIASES: Final = {"?": "help", "h": "help", "q": "quit", "exit": "quit"}
_NUMBER: Final = re.compile(r"(\d+)\s*(!?)")


class UnclearInput(Exception):
    """Input that cannot be understood; the text says so in the language of the table."""


@dataclass(frozen=True, slots=True)
class ParsedInput:
    """One parsed line."""

    command: str = ""
    """One of ``COMMANDS``; empty for a move."""
    choice: Choice | None = None
    """Picked line of the list."""
    move: Move | None = None
    """Move in notation."""
    uno: bool = False
    """Whether UNO is called with it."""
    seat: int | None = None
    """Seat that moves; None for the one that was asked."""


def parse_input(text: str, choices: Sequence[Choice], players: Sequence[str], texts: Catalog) -> ParsedInput:
    """Parse a line that is not empty, after the choices were shown; raises UnclearInput if it cannot be understood."""
    command = parse_command(text, texts)
    if command:
        return ParsedInput(command=command)
    head, colon, rest = text.partition(":")
    if colon and rest.strip():
        seat = find_seat(head, players, texts)
        return replace(parse_input(rest.strip(), choices, players, texts), seat=seat)
    number = _NUMBER.fullmatch(text)
    if number:
        index = int(number[1]) if len(number[1]) < 4 else 0
        if not 1 <= index <= len(choices):
            raise UnclearInput(texts.text("play.no_number", number=number[1]))
        return ParsedInput(choice=choices[index - 1], uno=bool(number[2]))
    first, _, rest = text.partition(" ")
    if first.lower() in ("catch", texts.text("command.catch")) and rest.strip():
        return ParsedInput(move=Move("catch", target=find_seat(rest, players, texts)))
    if first.lower() == "uno" and rest.strip():
        return replace(parse_input(rest.strip(), choices, players, texts), uno=True)
    return _parse_move_input(text, choices, texts)


def parse_command(text: str, texts: Catalog) -> str:
    """Returns the command of a line: one of ``COMMANDS``, empty for anything else."""
    word = text.lower()
    for command in COMMANDS:
        if word in (command, texts.text(f"command.{command}")):
            return command
    return _ALIASES.get(word, "")


def _parse_move_input(text: str, choices: Sequence[Choice], texts: Catalog) -> ParsedInput:
    """Returns a move in notation, or the line of the list with these words."""
    called = text.endswith("!")
    for choice in choices:
        if choice.text.casefold() == text.rstrip("! ").casefold():
            return ParsedInput(choice=choice, uno=called)
    try:
        move = parse_move(text)
    except NotationError:
        raise UnclearInput(texts.text("play.unclear", text=text)) from None
    for choice in choices:
        # "W" alone picks the line; the color is asked for later.
        if len(choice.moves) > 1 and replace(move, uno=False) == Move("play", choice.moves[0].card):
            return ParsedInput(choice=choice, uno=move.uno)
    return ParsedInput(move=replace(move, uno=False), uno=move.uno)


def find_seat(text: str, players: Sequence[str], texts: Catalog) -> int:
    """Returns the seat of a name, of the beginning of one, or of a number; raises UnclearInput for none or several."""
    name = text.strip().casefold()
    if name.isascii() and name.isdigit() and len(name) <= 2 and int(name) < len(players):
        return int(name)
    exact = [seat for seat, player in enumerate(players) if player.casefold() == name]
    found = exact or [seat for seat, player in enumerate(players) if name and player.casefold().startswith(name)]
    if len(found) != 1:
        raise UnclearInput(texts.text("play.nobody", name=text.strip()))
    return found[0]
