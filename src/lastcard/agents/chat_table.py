"""A local match on the page inside a chat: the messages of a table server to a person, or to one who watches."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, Final, TypeVar

import msgspec

from lastcard.errors import IllegalMove, UsageError
from lastcard.game.moves import parse_move
from lastcard.match.events import Event
from lastcard.match.match import Match
from lastcard.server.game.advice import make_observation
from lastcard.server.game.refusal_messages import refusal_text
from lastcard.server.security.security import new_id
from lastcard.server.wire.messages import MatchSnapshot, game_of, happenings, moved_texts
from lastcard.server.wire.parts import Game, SeatInfo, TableInfo
from lastcard.server.wire.protocol import (
    VERSION,
    Advise,
    ClientUnion,
    Dealt,
    Done,
    Hello,
    Refused,
    SeatObservation,
    TableChanged,
    Welcome,
    Why,
    encode,
)
from lastcard.session.commands import MakeMove, Ready
from lastcard.session.table_settings import Settings
from lastcard.text.explanation import make_rules_page
from lastcard.text.locale import catalog
from lastcard.text.narration import Narrator

T = TypeVar("T")
MAX_MESSAGES: Final = 200
"""Number of messages that wait for the page; when older ones are dropped, it asks for the whole game."""
PERSON: Final = "person"
"""The player id of the person."""


class ChatTable:
    """What the page is sent about a match.

    Args:
        seats: the players, of whom the person has the player id ``PERSON``.
        language: language of refusals.
    """

    def __init__(self, match: Match, seats: Sequence[SeatInfo], language: str) -> None:
        self.key = new_id()
        """Secret of the page: anybody who has it sees the person's cards."""
        self.seat = next((seat for seat, info in enumerate(seats) if info.player == PERSON), None)
        """The seat of the person; None if they watch."""
        self._match, self._seats = match, tuple(seats)
        self._texts = catalog(language)
        self._narrator = Narrator(match, self._texts)
        self._id = new_id()
        self._ply = 0
        self._messages: list[Any] = []
        self._is_shown = False
        self._changed = asyncio.Event()

    def follow(self, events: Sequence[Event]) -> None:
        """Add the last move, or a deal, to the messages."""
        match, seat = self._match, self.seat
        if match.moves:
            self._ply += 1
            mover, _, move = match.moves[-1].partition(":")
            self._send(moved_texts(self._snapshot(), int(mover), move, events, (seat,))[seat])
        else:
            self._send(encode(Dealt(self._game(), happenings(events, match, seat))))
        if match.round.over or not match.moves:
            self._send(encode(TableChanged(self._table())))

    def answer(self, message: ClientUnion | None) -> Sequence[Event]:
        """Carry out a message of the page, and return the events of the move that it made, or of its deal.

        Raises:
            UsageError: for a message that has no place here.
        """
        match message:
            case None:
                return ()
            case Hello():
                you = None if self.seat is None else PERSON
                self._is_shown = True
                self._messages.clear()
                self._send(encode(Welcome(VERSION, you, self._table(), self._game(), ())))
                return ()
            case Why(id=command, move=move) if self.seat is not None:
                return self._try(command, move, self._match.round.verify) or ()
            case Advise(id=command) if self.seat is not None:
                self._send(encode(self._observation(command, message.here)))
                return ()
            case MakeMove(id=command, move=move) if self.seat is not None:
                return self._try(command, move, self._match.do) or ()
            case Ready() if self.seat is not None:
                if self._match.round.over and not self._match.over:
                    return self._match.next_round().events()
                return ()
        raise UsageError("a page in a chat does not send this")

    async def wait(self, is_due: Callable[[], bool], seconds: float) -> None:
        """Wait until something is due, at most for some seconds."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while not is_due():
                    await self._changed.wait()

    async def take_messages(self, seconds: float) -> list[Any]:
        """Return the messages since the last call; wait for one at most for some seconds."""
        await self.wait(lambda: bool(self._messages), seconds)
        messages, self._messages = self._messages, []
        return messages

    def describe_cards(self, language: str) -> dict[str, Any]:
        """Return the ``effects`` of the kinds of cards by the rules of the match, and the ``cites`` of each."""
        page = make_rules_page(self._match.rules, catalog(language))
        return {"effects": page.effects, "cites": page.cites}

    def _try(self, command: str, move: str, do: Callable[[int, str], T]) -> T | None:
        """Return the result of ``do`` for the person's move; None, after a refusal, if the rules do not allow it."""
        assert self.seat is not None
        try:
            done = do(self.seat, move)
        except IllegalMove as error:
            text = self._narrator.refusal(self._match.round, self.seat, parse_move(move), error)
            self._send(encode(Refused(command, error.code, error.clause, text)))
            return None
        self._send(encode(Done(command, self._ply)))
        return done

    def _observation(self, command: str, is_here: bool) -> SeatObservation | Refused:
        """Return what the person knows on their turn, for a page that computes its own hints."""
        assert self.seat is not None
        round_ = self._match.round
        if round_.over or round_.turn != self.seat or not is_here:
            code = "not-your-turn" if is_here else "no-hints"
            return Refused(command, code, None, refusal_text(self._texts, code, {}))
        return make_observation(command, self._ply, round_.view(self.seat))

    def _send(self, message: bytes) -> None:
        if self._is_shown:  # else nobody asks for them
            self._messages.append(msgspec.json.decode(message))
            del self._messages[:-MAX_MESSAGES]
        self._changed.set()
        self._changed = asyncio.Event()

    def _snapshot(self) -> MatchSnapshot:
        return MatchSnapshot(self._id, self._match, self._match.round.public_state(), self._ply, "")

    def _game(self) -> Game:
        return game_of(self._snapshot(), self.seat, happenings(self._match.round.events(), self._match, self.seat))

    def _table(self) -> TableInfo:
        match = self._match
        return TableInfo(
            code="",
            phase="over" if match.over else "between" if match.round.over else "playing",
            host="",
            settings=Settings(rules=match.rules_name, seats=len(self._seats), chat=False, voice=False),
            seats=self._seats,
            guests=(),
            match=self._id,
            played=0,
            wins={},
            promise="",
            paused=False,
            vote=None,
            muted=(),
            cards_each=0,
            next_in=None,
            hints=False,
            take_backs=False,
            join_url="",
        )
