"""Hints, computed in a thread."""

from __future__ import annotations

import asyncio
from base64 import b64encode
from concurrent.futures import Future
from typing import Final

from lastcard.bots.advice import Hint, make_hints, rank_moves
from lastcard.bots.search import RatedMove
from lastcard.match.match import Match
from lastcard.match.view import View
from lastcard.server.game.refusal_messages import refusal_text
from lastcard.server.game.thinking import QUEUE
from lastcard.server.security import metrics
from lastcard.server.security.fair_queue import Owner
from lastcard.server.security.logs import note_fault
from lastcard.server.wire.parts import AdvisedMove
from lastcard.server.wire.protocol import Advice, Refused, SeatObservation
from lastcard.session.table_state import CommandError
from lastcard.text.locale import catalog
from lastcard.text.narration import Narrator

MAX_WAITING: Final = 4
"""Hints that may wait for one person; each takes a second or two."""
_measured: Final = metrics.THOUGHTS.labels("hint").time()


def make_observation(command: str, ply: int, view: View) -> SeatObservation:
    """Return what a seat knows after ``ply`` moves, for a page that computes its own hint."""
    return SeatObservation(command, ply, b64encode(view.information_state).decode(), b64encode(view.history).decode())


def hint_owner(person: str) -> Owner:
    """Return the queue owner of a person's hints, which are computed one at a time."""
    return Owner(person, is_serial=True)


def request_advice(person: str, view: View) -> Future[tuple[RatedMove, ...]]:
    """Rank the moves of the seat on turn in a thread, from the view of that seat.

    Raises:
        CommandError: if too many hints already wait for that person, at any table.
    """
    if QUEUE.waiting(hint_owner(person)) >= MAX_WAITING:
        raise CommandError("too-fast")
    return QUEUE.submit(hint_owner(person), _measured(rank_moves), view)


async def give_advice(
    weighed: Future[tuple[RatedMove, ...]], command: str, match: Match, ply: int, view: View, language: str
) -> Advice | Refused:
    """Return the best moves of the seat on turn from ``request_advice``; the table may go on meanwhile."""
    texts = catalog(language)
    try:
        choices = await asyncio.wrap_future(weighed)
        found = make_hints(view, choices, Narrator(match, texts))
    except Exception as error:
        reference = note_fault(error, "advice")
        return Refused(command, "fault", None, refusal_text(texts, "fault", {"reference": reference}))
    return Advice(command, ply, tuple(map(_advised, found)))


def _advised(hint: Hint) -> AdvisedMove:
    return AdvisedMove(str(hint.move), hint.words, round(hint.chance, 3), round(hint.error, 3), hint.why)
