"""Help at a table: hints, worked out in a thread, and taking moves back; and who may have it."""

from __future__ import annotations

import asyncio
from base64 import b64encode
from concurrent.futures import Future
from typing import Final

from lastcard.bots.advice import Hint, Weighed, hints, weigh
from lastcard.match.match import Match
from lastcard.match.view import View
from lastcard.server.game.live_match import LiveMatch
from lastcard.server.game.refusals import refused_text
from lastcard.server.game.thinking import QUEUE
from lastcard.server.guard import metrics
from lastcard.server.guard.fair import Owner
from lastcard.server.guard.logs import note_fault
from lastcard.server.seats.document import Denied, Document
from lastcard.server.wire.parts import AdvisedMove
from lastcard.server.wire.protocol import Advice, Refused, Sight
from lastcard.text.locale import catalog
from lastcard.text.narrate import Narrator

MOST_WAITING: Final = 4
"""Hints that may wait for one person; each takes a second or two."""
_measured: Final = metrics.THOUGHTS.labels("hint").time()


def allows_hints(table: Document) -> bool:
    """Whether hints are fair: only bots play against the person, or everybody sat down knowing of them."""
    return table.settings.hints or sum(player is not None for player in table.players) <= 1


def allows_take_backs(table: Document) -> bool:
    """Whether moves may be taken back: the host lets a person practice, and nobody but bots plays along."""
    persons = sum(player is not None for player in table.players)
    programs = any(place is not None and place.program for place in table.seats)
    return table.settings.take_backs and persons <= 1 and not programs


def check_take_back(table: Document) -> None:
    """Refuse to take moves back where that is not allowed.

    Raises:
        Denied: says why.
    """
    if not allows_take_backs(table):
        raise Denied("no-take-backs")
    if table.paused:
        raise Denied("paused")


def check_advice(table: Document, live: LiveMatch, seat: int) -> View:
    """Refuse a hint that would not be fair, or not of use.

    Returns:
        What the seat sees; the hint comes from nothing else.

    Raises:
        Denied: says why.
    """
    if not allows_hints(table):
        raise Denied("no-hints")
    if table.paused:
        raise Denied("paused")
    if live.round_over or live.match.round.turn != seat:
        raise Denied("not-your-turn")
    return live.match.round.view(seat)


def show_sight(command: str, ply: int, view: View) -> Sight:
    """What a seat knows, for a page that works its hint out itself.

    Args:
        command: the id of the question.
        ply: how many moves the log had.
        view: of the seat.
    """
    return Sight(command, ply, b64encode(view.table).decode(), b64encode(view.past).decode())


def asker(person: str) -> Owner:
    """For whom hints are worked out: one at a time for each person."""
    return Owner(person, alone=True)


def seek_advice(person: str, view: View) -> Future[Weighed]:
    """Have the moves of the seat on turn weighed, in a thread.

    Args:
        person: the id of whoever asks.
        view: of that seat.

    Raises:
        Denied: where so many hints wait for that person, be it at other tables, that it must be for their own sake.
    """
    if QUEUE.waiting(asker(person)) >= MOST_WAITING:
        raise Denied("too-fast")
    return QUEUE.submit(asker(person), _measured(weigh), view)


async def give_advice(
    weighed: Future[Weighed], command: str, match: Match, ply: int, view: View, language: str
) -> Advice | Refused:
    """The best moves of the seat on turn.

    Args:
        weighed: what ``seek_advice`` has begun.
        command: the id of the question.
        match: for the words.
        ply: how many moves the log had.
        view: of that seat then; the table may move on meanwhile.
        language: to speak.
    """
    texts = catalog(language)
    try:
        choices = await asyncio.wrap_future(weighed)
        found = hints(view, choices, Narrator(match, texts))
    except Exception as error:
        reference = note_fault(error, "advice")
        return Refused(command, "fault", None, refused_text(texts, "fault", {"reference": reference}))
    return Advice(command, ply, tuple(map(_advised, found)))


def _advised(hint: Hint) -> AdvisedMove:
    return AdvisedMove(str(hint.move), hint.words, round(hint.chance, 3), round(hint.error, 3), hint.why)
