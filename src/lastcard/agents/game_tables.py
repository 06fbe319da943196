"""A table as the MCP tools need it, and a local one: a match of a model with bots and a person, without a server."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any, Final, Protocol

from lastcard.agents.agent_seat import AgentSeat, Outcome
from lastcard.agents.agent_view import AgentView
from lastcard.agents.chat_table import PERSON, ChatTable
from lastcard.bots.advice import make_hints, rank_moves
from lastcard.bots.base import find_reaction
from lastcard.bots.personas import list_persona_names
from lastcard.bots.registry import make_bot
from lastcard.errors import UsageError
from lastcard.formats.values import event_values
from lastcard.game.numbers import require_int
from lastcard.game.rulesets import MAX_PLAYERS, MIN_PLAYERS
from lastcard.match.events import Event
from lastcard.match.match import Match
from lastcard.server.wire.parts import SeatInfo
from lastcard.server.wire.protocol import ClientUnion

MAX_EVENTS: Final = 200
"""Number of events that wait to be read; older ones are dropped."""
MODEL_SEAT: Final = 0
"""The seat of the model at a local table."""


MODEL_NAME: Final = "Model"


class GameTable(Protocol):
    """A table with a seat of a model. Its methods raise a LastcardError whose text is for the model."""

    @property
    def substituted(self) -> int:
        """Number of moves so far that a bot made after bad answers."""
        ...

    def view(self) -> AgentView:
        """Return the view of the seat."""
        ...

    def take_events(self) -> list[dict[str, Any]]:
        """Return what happened since the last call, as the seat may see it (docs/bot-protocol.md)."""
        ...

    def take_chat(self) -> list[tuple[str, str]]:
        """Return what people wrote since the last call, each with the name."""
        ...

    async def answer(self, text: str) -> Outcome:
        """Make the move that an answer names."""
        ...

    async def wait(self, seconds: float) -> None:
        """Wait until the seat has a decision to make, at most for some seconds."""
        ...

    async def hint(self) -> list[dict[str, Any]]:
        """Return the best moves with their chances to win the round, best first."""
        ...

    def record(self) -> str:
        """Return the match as a record file."""
        ...

    async def close(self) -> None:
        """Leave the table."""
        ...


def may_catch(view: AgentView) -> bool:
    """Whether a seat can catch a player who forgot to call UNO."""
    exposed = {seat.seat for seat in view.seats if seat.can_be_caught}
    return any(f"catch>{seat}" == each.move for seat in exposed for each in view.legal)


class LocalTable:
    """A match of a model in seat 0 with bots of one level. The bots stop when the model can decide something.

    Args:
        level: level of the bots.
        person: name of a person who plays in seat 1, on a page in the chat; empty for none.

    Raises:
        LastcardError: for unknown rules, or a number of players that they do not allow.
    """

    def __init__(
        self, rules: str, players: int, level: str, language: str, person: str = "", *, seed: str | None = None
    ) -> None:
        require_int("players", players, MIN_PLAYERS, MAX_PLAYERS)
        people = [MODEL_NAME, person] if person else [MODEL_NAME]
        names = [*people, *list_persona_names(level, 0)][:players]
        self._match = Match(rules, names, seed=seed)
        self._seat = AgentSeat(self._match, MODEL_SEAT, language)
        self._bots = [
            None if seat < len(people) else make_bot(level, self._match.seed, seat) for seat in range(players)
        ]
        seats = [
            SeatInfo(
                name, PERSON if person and seat == 1 else None, level if bot else None, True, False, program=seat == 0
            )
            for seat, (name, bot) in enumerate(zip(names, self._bots, strict=True))
        ]
        self.page = ChatTable(self._match, seats, language)
        """The same match on a page in the chat."""
        self._may_catch = False
        self._events: list[dict[str, Any]] = []
        self._offered = (-1, -1)
        self._advance(self._match.round.events())

    @property
    def substituted(self) -> int:
        """Number of moves so far that a bot made after bad answers."""
        return self._seat.substituted

    def view(self) -> AgentView:
        """Return the view of the seat."""
        return self._seat.view()

    def take_events(self) -> list[dict[str, Any]]:
        """Return what happened since the last call, as the seat may see it."""
        events, self._events = self._events, []
        return events

    def take_chat(self) -> list[tuple[str, str]]:
        """Return nothing, because bots do not write."""
        return []

    async def answer(self, text: str) -> Outcome:
        """Make the move that an answer names, and those of the bots that follow."""
        before = len(self._match.moves)
        outcome = self._seat.answer(text)
        if len(self._match.moves) > before:
            self._advance(self._match.round.events())
        return outcome

    async def wait(self, seconds: float) -> None:
        """Pass by a catch, wait for the person, or without one deal the next round if one is over."""
        if self._match.round.over and not self._match.over and self.page.seat is None:
            self._match.next_round()
            self._advance(self._match.round.events())
        else:
            self._advance([])
        if self.page.seat is not None:
            await self.page.wait(self._is_model_due, seconds)

    async def serve_page(self, message: ClientUnion | None, seconds: float) -> list[Any]:
        """Carry out a message of the page, and return those to it; wait for one at most for some seconds."""
        events = self.page.answer(message)
        if events:
            self._advance(events)
        return await self.page.take_messages(0 if message else seconds)

    async def hint(self) -> list[dict[str, Any]]:
        """Return the best moves with their chances to win the round; raises a UsageError out of turn."""
        if not self.view().your_turn:
            raise UsageError("hints are given on your turn")
        view = self._match.round.view(MODEL_SEAT)
        ranked = await asyncio.to_thread(rank_moves, view)
        return [
            {"move": str(hint.move), "chance": float(hint.chance), "why": hint.why}
            for hint in make_hints(view, ranked, self._seat.narrator)
        ]

    def record(self) -> str:
        """Return the match as a record file; its seed, which reveals all hands, is in it only after the match."""
        record = self._match.record()
        return (record if self._match.over else record.public()).text()

    async def close(self) -> None:
        """Do nothing."""

    def _advance(self, events: Sequence[Event]) -> None:
        """Note events, then let the bots move until the model can decide something or the round is over."""
        self._note(events)
        round_ = self._match.round
        self._may_catch = False
        while not round_.over:
            moment = self._match.number, len(self._match.moves)
            if round_.turn != MODEL_SEAT and moment != self._offered and may_catch(self.view()):
                self._offered, self._may_catch = moment, True
                return
            found, bot = find_reaction(self._bots, round_), self._bots[round_.turn]
            if found is None:
                if bot is None:
                    return
                found = round_.turn, bot.choose(round_.view(round_.turn))
            self._note(self._match.do(*found))

    def _is_model_due(self) -> bool:
        round_ = self._match.round
        return self._match.over or self._may_catch or (round_.turn == MODEL_SEAT and not round_.over)

    def _note(self, events: Sequence[Event]) -> None:
        if events:
            self.page.follow(events)
        for event in events:
            values = event_values(event.seen_by(MODEL_SEAT), self._match.rule_cards)
            self._events.append({name: value for name, value in values.items() if value is not None})
        del self._events[:-MAX_EVENTS]
