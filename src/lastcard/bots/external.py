"""Players from outside: a program in any language, spoken to over its pipes as docs/bot-protocol.md says."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, TextIO

from lastcard.bots.external_process import LONGEST_LINE, Child, TooLong
from lastcard.errors import NotationError, PlayerError, Portable
from lastcard.formats.values import card_names, open_values
from lastcard.game.actions import CALLS, Move, parse_move
from lastcard.game.cards import CARD_NAMES
from lastcard.game.numbers import as_number
from lastcard.match.view import View

PROTOCOL: Final = 1
"""The version of the protocol. New fields and messages leave it as it is; anything else makes it another."""
TIME_LIMIT: Final = 2.0
"""Seconds a program has for an answer, unless it is told otherwise."""
LEAST_SECONDS: Final = 0.001
MOST_SECONDS: Final = 3600
"""Between these is every time limit."""
START_SECONDS: Final = 20.0
"""How long a program may take to say that it is ready."""
MOST_FAULTS: Final = 10
"""With so many faults a program is stopped; at a table of a server, with so many in one match."""
_LONGEST_NAME: Final = 24
_LONGEST_MOVE: Final = 24
_SHOWN: Final = 60
"""Characters of a wrong line that are shown."""
_FLUSHED: Final = "a line counts once it is flushed"


class Fault(Portable):
    """An answer that is none. The decision is made for the program.

    Args:
        code: stable, as docs/bot-protocol.md lists it.
        text: what was wrong, and what would be right.
    """

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code = code


class Program:
    """The protocol, spoken with one program. ``close`` it.

    Args:
        child: the program; it is not yet known whether it understands.
        seconds: it has for an answer.
        note: is told of every fault, in words.
    """

    def __init__(self, child: Child, seconds: float, note: Callable[[str], None]) -> None:
        self._child = child
        self._seconds = seconds
        self._note = note
        self._id = 0
        self._dropped = 0
        self.name = ""
        self.faults: Counter[str] = Counter()
        """How many of each kind there were."""
        self._match = ""
        self._forgotten = 0

    @classmethod
    async def open(
        cls,
        command: Sequence[str],
        *,
        seconds: float = TIME_LIMIT,
        note: Callable[[str], None] = lambda text: None,
        log: TextIO | None = None,
    ) -> Program:
        """Start a program and let it introduce itself.

        Args:
            command: the program and its arguments.
            seconds: it has for an answer.
            note: is told of every fault, in words.
            log: where every line is written.

        Raises:
            UsageError: where it cannot be started, and for seconds that make no sense.
            PlayerError: where it does not say that it is ready.
        """
        seconds = as_number("a time limit in seconds", seconds, LEAST_SECONDS, MOST_SECONDS)
        program = cls(await Child.start(command, log), seconds, note)
        try:
            await program.greet()
        except BaseException:
            await program._child.stop()
            raise
        return program

    async def greet(self) -> None:
        """Say hello and wait for ``ready``.

        Raises:
            PlayerError: says what came instead.
        """
        await self.tell({"type": "hello", "protocol": PROTOCOL, "game": "lastcard", "seconds": self._seconds})
        right = f'its first line must be {{"type": "ready", "protocol": {PROTOCOL}, "name": "…"}}'
        try:
            async with asyncio.timeout(START_SECONDS):
                ready = await self._hear()
        except TimeoutError:
            raise PlayerError(
                f"nothing was said within {START_SECONDS:g} s of the start; {right}; {_FLUSHED}"
            ) from None
        except Fault as fault:
            raise PlayerError(f"{fault}; {right}") from None
        name = ready.get("name")
        if ready.get("type") != "ready" or not isinstance(name, str):
            raise PlayerError(f"the program did not say that it is ready; {right}")
        if ready.get("protocol") != PROTOCOL:
            spoken = repr(ready.get("protocol"))[:_SHOWN]
            raise PlayerError(f"the program speaks protocol {spoken}, lastcard {PROTOCOL}")
        if not (0 < len(name) <= _LONGEST_NAME and name.isprintable() and name == name.strip()):
            raise PlayerError(
                f"the program cannot be called {name[:_SHOWN]!r}; a name has 1 to 24 printable characters"
            )
        self.name = name

    async def tell(self, message: Mapping[str, Any]) -> None:
        """Send a message that needs no answer.

        Raises:
            PlayerError: where the program has ended, or does not read.
        """
        await self._child.say(json.dumps(message, separators=(",", ":")).encode())

    async def ask(
        self, kind: str, view: Mapping[str, Any], legal: Sequence[str], seconds: float | None = None
    ) -> Move | None:
        """What the program does; where it does not answer as it should, the first legal move or (``react``) nothing.

        Args:
            kind: ``choose``, or ``react``, where it may also do nothing.
            view: what it may know, as ``view_values`` gives it.
            legal: the moves it may choose from.
            seconds: it has; as at the start by default.

        Raises:
            PlayerError: where it has ended, does not read, or has made too many faults.
        """
        self._id += 1
        seconds = self._seconds if seconds is None else seconds
        await self.tell({"type": kind, "id": self._id, "seconds": seconds, "legal": [*legal], "view": view})
        self._dropped = 0
        try:
            async with asyncio.timeout(seconds):
                return read_answer(await self._answer(), kind, legal)
        except TimeoutError:
            older = f", only one to {self._dropped}, which is not open any more" if self._dropped else ""
            fault = Fault("late", f"no answer to {self._id} within {seconds:g} s{older}; {_FLUSHED}")
        except Fault as error:
            fault = error
        await self._forgive(fault, instead := legal[0] if kind == "choose" else None)
        return None if instead is None else parse_move(instead)

    def enter(self, match: str) -> None:
        """It plays in a match: faults made in another one before count towards its end no more.

        Args:
            match: by its id.
        """
        if match != self._match:
            self._match, self._forgotten = match, self.faults.total()

    async def close(self) -> None:
        """Say goodbye and end the program, by force where it does not listen."""
        try:
            await self.tell({"type": "bye"})
        except PlayerError:
            pass
        finally:
            await self._child.stop()

    async def _hear(self) -> dict[str, Any]:
        try:
            line = await self._child.hear()
        except TooLong:
            raise Fault("too-long", f"a line of more than {LONGEST_LINE} bytes; answers are short") from None
        try:
            said = json.loads(line)
        except (ValueError, RecursionError):
            said = None
        if not isinstance(said, dict):
            shown = line.decode("utf-8", "backslashreplace").strip()[:_SHOWN]
            raise Fault(
                "not-json", f"{shown!r} is not a JSON object on one line; other output belongs on standard error"
            )
        return said

    async def _answer(self) -> dict[str, Any]:
        """The answer to the open question.

        An answer to an earlier question is dropped: that question was answered, or its fault was counted. A program
        thus goes on after an extra line, which takes the place of an answer.

        Raises:
            Fault: for a line that answers no question so far.
        """
        while True:
            answer = await self._hear()
            id_ = answer.get("id")
            if type(id_) is not int or not 0 < id_ <= self._id:
                shown = json.dumps(id_)[:_SHOWN]
                raise Fault("unknown-id", f"an answer with the id {shown}; the open question is {self._id}")
            if id_ == self._id:
                return answer
            self._dropped = id_

    async def _forgive(self, fault: Fault, instead: str | None) -> None:
        self.faults[fault.code] += 1
        count = self.faults.total() - self._forgotten
        self._note(f"fault {count} of {MOST_FAULTS}, {fault.code}: {fault}; it does {instead or 'nothing'} instead")
        if count >= MOST_FAULTS:
            raise PlayerError(f"{self.name} made {count} faults and is stopped; the last was {fault.code}: {fault}")
        left = MOST_FAULTS - count
        about = {"id": self._id, "error": fault.code, "text": str(fault), "move": instead, "left": left}
        await self.tell({"type": "fault", **about})


def read_answer(answer: Mapping[str, Any], kind: str, legal: Sequence[str]) -> Move | None:
    """The move of an answer.

    Args:
        answer: with the right id.
        kind: of the question.
        legal: the moves to choose from; a play may be made with a call.

    Raises:
        Fault: says what is wrong with it.
    """
    text = answer.get("move")
    if text is None and kind == "react" and "move" in answer:
        return None
    right = f"legal are {', '.join(legal)}" + (" and null" if kind == "react" else "")
    if not isinstance(text, str):
        raise Fault("no-move", f'no text under "move"; {right}')
    try:
        move = parse_move(text[: _LONGEST_MOVE + 1])
    except NotationError as error:
        raise Fault("unknown-move", f"{error}; {right}") from None
    if str(replace(move, uno=False)) not in legal:
        raise Fault("illegal", f"{move} is not legal now; {right}")
    return move


# --- what a program is told, as docs/bot-protocol.md has it --------------------------------------


def decisions(legal: Iterable[Move]) -> list[str]:
    """The moves with which a seat on turn may decide; calls and catches are chances."""
    return [str(move) for move in legal if move.verb not in CALLS]


def chances(legal: Iterable[Move], seat: int, turn: int, exposed: Container[int | None]) -> list[str]:
    """The moves a seat may make out of turn that do some good: its call, catches, jump-ins."""
    return [
        str(move)
        for move in legal
        if (move.verb == "uno" and seat in exposed)
        or (move.verb == "catch" and move.target in exposed)
        or (move.verb == "play" and seat != turn)
    ]


def round_message(number: int, players: Sequence[str], view: Mapping[str, Any]) -> dict[str, Any]:
    """A round begins, or the program comes to it later."""
    return {"type": "round", "number": number, "players": [*players], "view": view}


def event_message(happening: Mapping[str, Any]) -> dict[str, Any]:
    """What happened as a message; what does not belong to it is left out."""
    return {"type": "event", **{key: value for key, value in happening.items() if value is not None}}


def over_message(
    winner: int | None, void: bool, hands: Sequence[Sequence[str]] | None, points: Sequence[int] | None
) -> dict[str, Any]:
    """A round is over: who has won it, and what everybody held."""
    return {"type": "over", "winner": winner, "void": void, "hands": hands, "points": points}


VIEW: Final = (
    "rules", "seat", "dealer", "decision", "turn", "direction", "top", "color", "hand", "drawn", "early", "counts",
    "exposed", "called", "candidates", "pending", "pile", "discard_count", "draw_count", "rule", "performer",
)  # fmt: skip
"""The fields of the view a program is sent, in their order."""


def view_values(view: View) -> dict[str, Any]:
    """A view as plain values, in the words the table server uses too."""
    values = open_values(view) | {
        "rules": view.rules,
        "seat": view.seat,
        "hand": card_names(view.hand or ()),
        "drawn": None if view.drawn is None else CARD_NAMES[view.drawn],
        "early": view.seat in view.early,
        "pile": card_names(view.discard),
    }
    return {name: values[name] for name in VIEW}


# --- a program as a bot --------------------------------------------------------------------------


class ExternalBot:
    """A program as a bot, for the lab and for Python. ``close`` it, or use it in ``with``. Not inside an event loop.

    Everything it needs to choose stands in the view; ``begin``, ``tell`` and ``over`` are for programs that remember.

    Args:
        command: the program and its arguments.
        seconds: it has for an answer.
        note: is told of every fault, in words.
        log: where every line is written.

    Raises:
        UsageError, PlayerError: here and in all methods, as ``Program`` does.
    """

    def __init__(
        self,
        command: Sequence[str],
        *,
        seconds: float = TIME_LIMIT,
        note: Callable[[str], None] = lambda text: None,
        log: TextIO | None = None,
    ) -> None:
        self._runner = asyncio.Runner()
        try:
            self._program = self._runner.run(Program.open(command, seconds=seconds, note=note, log=log))
        except BaseException:
            self._runner.close()
            raise
        self.name = self._program.name

    def __enter__(self) -> ExternalBot:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def faults(self) -> Counter[str]:
        """How many faults of each kind it has made."""
        return self._program.faults

    def choose(self, view: View) -> Move:
        """What the program decides."""
        move = self._runner.run(self._program.ask("choose", view_values(view), decisions(view.legal)))
        assert move is not None, "only a reaction may be nothing"
        return move

    def react(self, view: View) -> Move | None:
        """What the program does out of turn; it is asked only where there is something to do."""
        assert view.seat is not None, "spectators do not play"
        legal = chances(view.legal, view.seat, view.turn, view.exposed)
        return self._runner.run(self._program.ask("react", view_values(view), legal)) if legal else None

    def begin(self, number: int, players: Sequence[str], view: View) -> None:
        """A round begins.

        Args:
            number: of the round, from 0.
            players: their names by seat.
            view: the first.
        """
        self._tell(round_message(number, players, view_values(view)))

    def tell(self, happenings: Iterable[Mapping[str, Any]]) -> None:
        """Tell what happened, as ``happening_values`` gives it of events its seat has seen."""
        for happening in happenings:
            self._tell(event_message(happening))

    def over(self, view: View) -> None:
        """The round is over, or was given up."""
        hands = None if view.hands is None else [card_names(hand) for hand in view.hands]
        self._tell(over_message(view.winner, view.void, hands, view.points))

    def close(self) -> None:
        """Say goodbye and end the program."""
        for task in asyncio.all_tasks(self._runner.get_loop()):
            task.cancel()  # a question that a signal has broken off
        try:
            self._runner.run(self._program.close())
        finally:
            self._runner.close()

    def _tell(self, message: Mapping[str, Any]) -> None:
        self._runner.run(self._program.tell(message))
