"""A seat at a table of one server, played with a program's token (docs/bot-protocol.md) over the server's socket."""

from __future__ import annotations

import asyncio
import re
from base64 import b64decode
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final

import msgspec
from msgspec.structs import asdict, replace
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from lastcard.agents.agent_seat import FALLBACK_BOT, MAX_TRIES, BadAnswers, Outcome, ask_again
from lastcard.agents.agent_view import AgentView, make_view
from lastcard.agents.answers import parse_answer
from lastcard.agents.game_tables import MAX_EVENTS, may_catch
from lastcard.agents.quoting import quote
from lastcard.bots.registry import make_bot
from lastcard.errors import PlayerError, UsageError
from lastcard.game.cards import Card, Cards, Color
from lastcard.game.moves import CALLS, parse_move
from lastcard.match.view import PublicState, View
from lastcard.server.security.security import new_id
from lastcard.server.wire import protocol
from lastcard.server.wire.parts import Game, Happening, Mine, Note, Public
from lastcard.session import commands

ANSWER_S: Final = 10.0
"""Seconds for the server's answer to a move, and for its welcome."""
PAUSE_S: Final = 0.5
"""Seconds before a move is sent again that came too fast."""
MAX_SENDS: Final = 10
_ADDRESS: Final = re.compile(r"http(s?)://([^/\s?#@]+(?:/[^/\s?#]+)*)/?")
_CODE: Final = re.compile(r"[0-9A-Za-z]{1,40}")
_TOKEN: Final = re.compile(r"[0-9A-Za-z_-]{1,200}")
_read: Final = msgspec.json.Decoder(protocol.ServerUnion).decode
_write: Final = msgspec.json.Encoder().encode


@dataclass(frozen=True, slots=True)
class SeatKey:
    """What admits a model to a table: the table's code, and the token that its host has got for a seat."""

    code: str
    token: str
    name: str
    language: str


def socket_url(server: str, code: str) -> str:
    """Returns the address of a table's socket on a server; raises a UsageError for invalid ones."""
    found = _ADDRESS.fullmatch(server)
    if found is None:
        raise UsageError(f"{server}: that is not the address of a server, such as http://192.168.1.5:8020")
    if not _CODE.fullmatch(code):
        raise UsageError("a code of a table has letters and digits only")
    return f"ws{found[1]}://{found[2]}/ws/{code}"


class ServerTable:
    """A seat at a table of a server. Get one from ``join``, and ``close`` it."""

    def __init__(self, key: SeatKey, connection: ClientConnection) -> None:
        self._key = key
        self._connection = connection
        self._players: tuple[str, ...] = ()
        self._match = ""
        self._public: Public | None = None
        self._mine: Mine | None = None
        self._events: list[dict[str, Any]] = []
        self._chat: list[tuple[str, str]] = []
        self._answers: dict[str, asyncio.Future[protocol.Refused | protocol.SeatObservation | None]] = {}
        self._changed = asyncio.Event()
        self._bad_answers = BadAnswers(MAX_TRIES)
        self._bot = make_bot(FALLBACK_BOT, key.token.encode())
        self.substituted = 0
        """Number of moves so far that a bot made."""
        self._ended = ""
        """The last match whose end was reported."""
        self._end: str | None = None
        self._listening = asyncio.create_task(self._listen())

    @classmethod
    async def join(cls, server: str, key: SeatKey) -> ServerTable:
        """Take the seat of a token.

        Raises:
            UsageError: for an invalid address, code or token.
            PlayerError: if the server cannot be reached or does not admit the model.
        """
        url = socket_url(server, key.code)
        if not _TOKEN.fullmatch(key.token):
            raise UsageError("a token has letters, digits, - and _ only")
        table = None
        try:
            async with asyncio.timeout(ANSWER_S):
                connection = await connect(url, additional_headers={"Authorization": f"Bearer {key.token}"})
                table = cls(key, connection)
                await table._send(protocol.Hello(protocol.VERSION, name=key.name))
                await table._changed.wait()
        except (OSError, InvalidHandshake, TimeoutError):
            if table is not None:
                await table.close()
            raise PlayerError("the server cannot be reached, or has no such table") from None
        if table._end is not None:
            await table.close()
            raise PlayerError("the server does not admit this token at this table; ask the host of the table for one")
        return table

    async def close(self) -> None:
        """Leave the table; the bot of the seat plays on."""
        self._listening.cancel()
        await self._connection.close()

    # --- what the server says ---------------------------------------------------------------------------

    async def _listen(self) -> None:
        with suppress(ConnectionClosed):
            async for text in self._connection:
                with suppress(msgspec.ValidationError):  # of a newer server
                    self._handle(_read(text))
        self._end = self._end or "the connection to the table is lost; join again"
        for answer in self._answers.values():
            if not answer.done():
                answer.set_exception(PlayerError(self._end))
        self._changed.set()

    async def _send(self, message: protocol.ClientUnion) -> None:
        with suppress(ConnectionClosed):  # the listener sees it too, and knows why
            await self._connection.send(_write(message).decode())

    def _handle(self, message: protocol.ServerUnion) -> None:
        match message:
            case protocol.Welcome(game=game, notes=notes):
                self._chat += [(note.name, note.text) for note in notes if note.text]
                self._begin(game, ())
            case protocol.Dealt(game=game, events=events):
                self._begin(game, events)
            case protocol.Moved(public=public, mine=mine, events=events):
                assert not isinstance(events, msgspec.Raw) and not isinstance(public, msgspec.Raw)
                self._public, self._mine = public, mine
                self._note(events)
            case protocol.Done(id=id_):
                self._resolve(id_, None)
            case protocol.Refused(id=str(id_)) | protocol.SeatObservation(id=id_):
                self._resolve(id_, message)
            case protocol.NotePosted(note=Note(name=name, text=str(text))):
                self._chat.append((name, text))
                del self._chat[:-MAX_EVENTS]
            case protocol.Bye(why=why):
                self._end = f"the server has ended the connection: {why}"
            case _:
                return
        self._changed.set()

    def _begin(self, game: Game | None, events: tuple[Happening, ...]) -> None:
        if game is not None:
            self._players, self._match = game.players, game.match
            self._public, self._mine = game.public, game.mine
        self._note(events)

    def _note(self, events: tuple[Happening, ...]) -> None:
        self._events += [{k: v for k, v in asdict(event).items() if v is not None} for event in events]
        del self._events[:-MAX_EVENTS]

    def _resolve(self, id_: str, message: protocol.Refused | protocol.SeatObservation | None) -> None:
        answer = self._answers.get(id_)
        if answer is not None and not answer.done():
            answer.set_result(message)

    # --- the model's side -------------------------------------------------------------------------------

    def view(self) -> AgentView:
        """Return the view of the seat.

        Raises:
            PlayerError: while no match is played, or after the end of the connection.
        """
        if self._end is not None:
            raise PlayerError(self._end)
        if self._public is None or self._mine is None:
            raise PlayerError("no match is being played with this seat yet; use wait_turn")
        return make_view(asdict(self._public) | asdict(self._mine), self._players, self._mine.legal, self._key.language)

    def take_events(self) -> list[dict[str, Any]]:
        """Return what happened since the last call, as the seat may see it."""
        events, self._events = self._events, []
        return events

    def take_chat(self) -> list[tuple[str, str]]:
        """Return what people wrote since the last call."""
        chat, self._chat = self._chat, []
        return chat

    async def answer(self, text: str) -> Outcome:
        """Make the move that an answer names; after too many bad ones that of a bot."""
        view = self.view()
        answer = parse_answer(text, view)
        if answer.move is None:
            return await self._refuse(view, ask_again(answer))
        refused = await self._make_move(answer.move)
        if refused is None:
            if parse_move(answer.move).verb not in CALLS:
                self._bad_answers.forget()
            return Outcome(status="done", move=answer.move)
        outcome = Outcome(status="illegal", move=answer.move, reason=quote(refused.text), clause=refused.clause)
        return await self._refuse(self.view(), outcome)

    async def wait(self, seconds: float) -> None:
        """Wait until the seat can decide something, a match begins or a round ends."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while self._end is None and not self._has_decision():
                    self._changed.clear()
                    await self._changed.wait()

    async def hint(self) -> list[dict[str, Any]]:
        """Raise a UsageError: a server gives no hints to programs."""
        raise UsageError("there are no hints at a table of a server")

    def record(self) -> str:
        """Raise a UsageError: the record belongs to the people at the table."""
        raise UsageError("people at the table find the record on the server's page of the match")

    def _has_decision(self) -> bool:
        if self._public is None or self._mine is None:
            return False
        view = self.view()
        ended = view.match_winners is not None and self._match != self._ended
        self._ended = self._match if ended else self._ended
        return view.your_turn or ended or may_catch(view)

    async def _make_move(self, move: str) -> protocol.Refused | None:
        """Make a move; return the server's refusal, None if it was made. A move that comes too fast is sent again."""
        for number in range(MAX_SENDS):
            await asyncio.sleep(PAUSE_S if number else 0)
            answer = await self._request(commands.MakeMove(new_id(), self._match, move))
            if not isinstance(answer, protocol.Refused) or answer.code != "too-fast":
                break
        return answer if isinstance(answer, protocol.Refused) else None

    async def _request(self, message: commands.MakeMove | protocol.Advise) -> Any:
        """Send a message, and return the server's answer to it; None says that it is done."""
        if self._end is not None:
            raise PlayerError(self._end)
        self._answers[message.id] = asyncio.get_running_loop().create_future()
        try:
            async with asyncio.timeout(ANSWER_S):
                await self._send(message)
                return await self._answers[message.id]
        except TimeoutError:
            raise PlayerError("the server did not answer; look at the view before you move again") from None
        finally:
            del self._answers[message.id]

    async def _refuse(self, view: AgentView, outcome: Outcome) -> Outcome:
        """Return a refusal with the legal moves; on the last try make the move of a bot."""
        refused = self._bad_answers.refuse(view, outcome)
        if refused is not None:
            return refused
        observation = await self._request(protocol.Advise(new_id(), here=True))
        if isinstance(observation, protocol.SeatObservation) and self._public is not None and self._mine is not None:
            move = str(self._bot.choose(_seat_view(self._public, self._mine, observation)))
            if await self._make_move(move) is None:
                self.substituted += 1
                return replace(outcome, status="substituted", move=move)
        return replace(outcome, legal=self.view().legal, tries_left=MAX_TRIES)


def _seat_view(public: Public, mine: Mine, observation: protocol.SeatObservation) -> View:
    """Returns what a seat knows as a bot gets it; of the discard pile the last cards."""
    fields = {name: getattr(public, name) for name in PublicState.__struct_fields__ if hasattr(public, name)}
    return View(
        **fields
        | {
            "number": public.round,
            "top": Card(public.top),
            "color": Color(-1 if public.color is None else public.color),
            **{name: frozenset(getattr(public, name)) for name in ("exposed", "called", "candidates")},
            "early": frozenset({mine.seat} if mine.early else ()),
        },
        rules=public.rules,
        seat=mine.seat,
        hand=Cards(" ".join(mine.hand)),
        hands=None,
        discard=Cards(" ".join(public.pile)),
        drawn=None if mine.drawn is None else Card(mine.drawn),
        legal=tuple(map(parse_move, mine.legal)),
        points=None,
        information_state=b64decode(observation.table),
        history=b64decode(observation.past),
    )
