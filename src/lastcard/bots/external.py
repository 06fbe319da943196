"""External bots: programs in any language that speak the protocol of docs/bot-protocol.md over pipes."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, TextIO

from lastcard.bots.external_process import LINE_LIMIT_BYTES, ChildProcess, LineTooLong
from lastcard.errors import NotationError, PicklableError, PlayerError
from lastcard.formats.values import card_names, public_values
from lastcard.game.moves import CALLS, Move, parse_move
from lastcard.game.numbers import require_number
from lastcard.match.view import View

PROTOCOL_VERSION: Final = 1
"""Version of the protocol. New fields and messages do not change it; everything else does."""
TIME_LIMIT_S: Final = 2.0
"""Default time limit of a program for an answer, in seconds."""
MIN_TIME_LIMIT_S: Final = 0.001
MAX_TIME_LIMIT_S: Final = 3600
"""Range of time limits, in seconds."""
START_LIMIT_S: Final = 20.0
"""Time limit for a program's ``ready``, in seconds."""
MAX_FAULTS: Final = 10
"""Number of faults after which a program is stopped; at a server's table, within one match."""
_MAX_NAME_CHARS: Final = 24
_MAX_MOVE_CHARS: Final = 24
_EXCERPT_CHARS: Final = 60
"""Characters of a wrong line that are shown."""
_FLUSH_HINT: Final = "a line counts once it is flushed"


class Fault(PicklableError):
    """An invalid answer, with a stable code from docs/bot-protocol.md. The decision is made for the program."""

    def __init__(self, code: str, text: str, move: Move | None = None) -> None:
        super().__init__(text)
        self.code = code
        self.move = move
        """The move that was refused; None for other faults."""


class Program:
    """The protocol with one program. ``close`` it.

    Args:
        child: the program; it has not shown yet that it understands the protocol.
        seconds: time limit for an answer.
        on_fault: callback for the text of every fault.
    """

    def __init__(self, child: ChildProcess, seconds: float, on_fault: Callable[[str], None]) -> None:
        self._child = child
        self._seconds = seconds
        self._on_fault = on_fault
        self._id = 0
        self._dropped_id = 0
        self.name = ""
        self.faults: Counter[str] = Counter()
        """Number of faults by code."""
        self.refused: list[Move] = []
        """The illegal moves, in order."""
        self._match = ""
        self._earlier_faults = 0

    @classmethod
    async def open(
        cls,
        command: Sequence[str],
        *,
        seconds: float = TIME_LIMIT_S,
        on_fault: Callable[[str], None] = lambda text: None,
        log: TextIO | None = None,
    ) -> Program:
        """Start a program and shake hands; the log gets every line.

        Raises:
            UsageError: if it cannot be started, or ``seconds`` is out of range.
            PlayerError: if it does not say that it is ready.
        """
        seconds = require_number("a time limit in seconds", seconds, MIN_TIME_LIMIT_S, MAX_TIME_LIMIT_S)
        program = cls(await ChildProcess.start(command, log), seconds, on_fault)
        try:
            await program.handshake()
        except BaseException:
            await program._child.stop()
            raise
        return program

    async def handshake(self) -> None:
        """Send ``hello`` and wait for ``ready``; raises a PlayerError that says what came instead."""
        await self.send({"type": "hello", "protocol": PROTOCOL_VERSION, "game": "lastcard", "seconds": self._seconds})
        expected = f'its first line must be {{"type": "ready", "protocol": {PROTOCOL_VERSION}, "name": "…"}}'
        try:
            async with asyncio.timeout(START_LIMIT_S):
                ready = await self._receive()
        except TimeoutError:
            raise PlayerError(
                f"nothing was said within {START_LIMIT_S:g} s of the start; {expected}; {_FLUSH_HINT}"
            ) from None
        except Fault as fault:
            raise PlayerError(f"{fault}; {expected}") from None
        name = ready.get("name")
        if ready.get("type") != "ready" or not isinstance(name, str):
            raise PlayerError(f"the program did not say that it is ready; {expected}")
        if ready.get("protocol") != PROTOCOL_VERSION:
            version = repr(ready.get("protocol"))[:_EXCERPT_CHARS]
            raise PlayerError(f"the program speaks protocol {version}, lastcard {PROTOCOL_VERSION}")
        if not (0 < len(name) <= _MAX_NAME_CHARS and name.isprintable() and name == name.strip()):
            raise PlayerError(
                f"the program cannot be called {name[:_EXCERPT_CHARS]!r}; a name has 1 to 24 printable characters"
            )
        self.name = name

    async def send(self, message: Mapping[str, Any]) -> None:
        """Send a message that needs no answer; raises a PlayerError if the program has ended or does not read."""
        await self._child.write_line(json.dumps(message, separators=(",", ":")).encode())

    async def request_move(
        self, kind: str, view: Mapping[str, Any], legal: Sequence[str], seconds: float | None = None
    ) -> Move | None:
        """The program's move; after a fault the first legal move or, for ``react``, nothing.

        Args:
            kind: ``choose``, or ``react``, which allows doing nothing.
            view: view of its seat, from ``view_values``.
            seconds: time limit; by default that of the start.

        Raises:
            PlayerError: if it has ended, does not read, or has made too many faults.
        """
        self._id += 1
        seconds = self._seconds if seconds is None else seconds
        await self.send({"type": kind, "id": self._id, "seconds": seconds, "legal": [*legal], "view": view})
        self._dropped_id = 0
        try:
            async with asyncio.timeout(seconds):
                return read_answer(await self._receive_answer(), kind, legal)
        except TimeoutError:
            older = f", only one to {self._dropped_id}, which is not open any more" if self._dropped_id else ""
            fault = Fault("late", f"no answer to {self._id} within {seconds:g} s{older}; {_FLUSH_HINT}")
        except Fault as error:
            fault = error
        await self._count_fault(fault, fallback := legal[0] if kind == "choose" else None)
        return None if fallback is None else parse_move(fallback)

    def start_match(self, match: str) -> None:
        """Begin the match of this id: only the faults of one match count together."""
        if match != self._match:
            self._match, self._earlier_faults = match, self.faults.total()

    async def close(self) -> None:
        """Say goodbye and end the program, by force if it does not react."""
        try:
            await self.send({"type": "bye"})
        except PlayerError:
            pass
        finally:
            await self._child.stop()

    async def _receive(self) -> dict[str, Any]:
        try:
            line = await self._child.read_line()
        except LineTooLong:
            raise Fault("too-long", f"a line of more than {LINE_LIMIT_BYTES} bytes; answers are short") from None
        try:
            message = json.loads(line)
        except (ValueError, RecursionError):
            message = None
        if not isinstance(message, dict):
            shown = line.decode("utf-8", "backslashreplace").strip()[:_EXCERPT_CHARS]
            raise Fault(
                "not-json", f"{shown!r} is not a JSON object on one line; other output belongs on standard error"
            )
        return message

    async def _receive_answer(self) -> dict[str, Any]:
        """The answer to the open question.

        An answer to an earlier question is dropped, because that question was answered or its fault was counted. So an
        extra line does not take the place of an answer.

        Raises:
            Fault: for a line that answers no question so far.
        """
        while True:
            answer = await self._receive()
            id_ = answer.get("id")
            if type(id_) is not int or not 0 < id_ <= self._id:
                shown = json.dumps(id_)[:_EXCERPT_CHARS]
                raise Fault("unknown-id", f"an answer with the id {shown}; the open question is {self._id}")
            if id_ == self._id:
                return answer
            self._dropped_id = id_

    async def _count_fault(self, fault: Fault, fallback: str | None) -> None:
        self.faults[fault.code] += 1
        self.refused += [] if fault.move is None else [fault.move]
        count = self.faults.total() - self._earlier_faults
        self._on_fault(f"fault {count} of {MAX_FAULTS}, {fault.code}: {fault}; it does {fallback or 'nothing'} instead")
        if count >= MAX_FAULTS:
            raise PlayerError(f"{self.name} made {count} faults and is stopped; the last was {fault.code}: {fault}")
        left = MAX_FAULTS - count
        details = {"id": self._id, "error": fault.code, "text": str(fault), "move": fallback, "left": left}
        await self.send({"type": "fault", **details})


def read_answer(answer: Mapping[str, Any], kind: str, legal: Sequence[str]) -> Move | None:
    """The move in an answer with the right id; a play may carry a call. Raises a Fault that says what is wrong."""
    text = answer.get("move")
    if text is None and kind == "react" and "move" in answer:
        return None
    expected = f"legal are {', '.join(legal)}" + (" and null" if kind == "react" else "")
    if not isinstance(text, str):
        raise Fault("no-move", f'no text under "move"; {expected}')
    try:
        move = parse_move(text[: _MAX_MOVE_CHARS + 1])
    except NotationError as error:
        raise Fault("unknown-move", f"{error}; {expected}") from None
    if str(replace(move, uno=False)) not in legal:
        raise Fault("illegal", f"{move} is not legal now; {expected}", move)
    return move


# --- the messages to a program, see docs/bot-protocol.md -----------------------------------------


def list_decisions(legal: Iterable[Move]) -> list[str]:
    """The moves between which a seat on turn decides: all but calls and catches."""
    return [str(move) for move in legal if move.verb not in CALLS]


def list_reactions(legal: Iterable[Move], seat: int, turn: int, exposed: Container[int | None]) -> list[str]:
    """The useful moves of a seat out of turn: its call, catches, jump-ins."""
    return [
        str(move)
        for move in legal
        if (move.verb == "uno" and seat in exposed)
        or (move.verb == "catch" and move.target in exposed)
        or (move.verb == "play" and seat != turn)
    ]


def round_message(number: int, players: Sequence[str], view: Mapping[str, Any]) -> dict[str, Any]:
    """The message that a round begins, or that the program joins it later."""
    return {"type": "round", "number": number, "players": [*players], "view": view}


def event_message(event: Mapping[str, Any]) -> dict[str, Any]:
    """An event as a message, with the fields that belong to it."""
    return {"type": "event", **{key: value for key, value in event.items() if value is not None}}


def over_message(
    winner: int | None, void: bool, hands: Sequence[Sequence[str]] | None, points: Sequence[int] | None
) -> dict[str, Any]:
    """The message that a round is over: the winner, and all hands."""
    return {"type": "over", "winner": winner, "void": void, "hands": hands, "points": points}


VIEW_FIELDS: Final = (
    "rules", "seat", "dealer", "decision", "turn", "direction", "top", "color", "hand", "drawn", "early", "counts",
    "exposed", "called", "candidates", "pending", "pile", "discard_count", "draw_count", "rule", "performer",
)  # fmt: skip
"""The fields of the view that a program gets, in their order."""


def view_values(view: View) -> dict[str, Any]:
    """A view as plain values, in the words of the table server."""
    values = public_values(view) | {
        "rules": view.rules,
        "seat": view.seat,
        "hand": card_names(view.hand or ()),
        "drawn": None if view.drawn is None else str(view.drawn),
        "early": view.seat in view.early,
        "pile": card_names(view.discard),
    }
    return {name: values[name] for name in VIEW_FIELDS}


# --- a program as a bot --------------------------------------------------------------------------


class ExternalBot:
    """An external program as a bot. ``close`` it, or use it in ``with``. Do not use it inside an event loop.

    The arguments are those of ``Program.open``. The view contains everything it needs to choose. ``start_round``,
    ``send_events`` and ``end_round`` are for programs that remember.

    Raises:
        UsageError, PlayerError: here and in all methods, as in ``Program``.
    """

    def __init__(
        self,
        command: Sequence[str],
        *,
        seconds: float = TIME_LIMIT_S,
        on_fault: Callable[[str], None] = lambda text: None,
        log: TextIO | None = None,
    ) -> None:
        self._runner = asyncio.Runner()
        try:
            self._program = self._runner.run(Program.open(command, seconds=seconds, on_fault=on_fault, log=log))
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
        """Number of faults by code."""
        return self._program.faults

    @property
    def refused(self) -> list[Move]:
        """Its illegal moves, in order."""
        return self._program.refused

    def choose(self, view: View) -> Move:
        """The program's decision."""
        move = self._runner.run(self._program.request_move("choose", view_values(view), list_decisions(view.legal)))
        assert move is not None, "only a reaction may be nothing"
        return move

    def react(self, view: View) -> Move | None:
        """The program's move out of turn; it is asked only if there is a useful one."""
        assert view.seat is not None, "spectators do not play"
        legal = list_reactions(view.legal, view.seat, view.turn, view.exposed)
        return self._runner.run(self._program.request_move("react", view_values(view), legal)) if legal else None

    def start_round(self, number: int, players: Sequence[str], view: View) -> None:
        """Announce a round, numbered from 0, with the players' names by seat and its first view."""
        self._send(round_message(number, players, view_values(view)))

    def send_events(self, events: Iterable[Mapping[str, Any]]) -> None:
        """Send events that its seat has seen, as ``event_values`` gives them."""
        for event in events:
            self._send(event_message(event))

    def end_round(self, view: View) -> None:
        """Announce that the round is over or was given up."""
        hands = None if view.hands is None else [card_names(hand) for hand in view.hands]
        self._send(over_message(view.winner, view.void, hands, view.points))

    def close(self) -> None:
        """Say goodbye and end the program."""
        for task in asyncio.all_tasks(self._runner.get_loop()):
            task.cancel()  # a question that a signal has interrupted
        try:
            self._runner.run(self._program.close())
        finally:
            self._runner.close()

    def _send(self, message: Mapping[str, Any]) -> None:
        self._runner.run(self._program.send(message))
