"""From a match to what is said of it: events, the open table and each seat's own part, as messages.

The only way from a table to a browser. What everybody may know is made and encoded once a move, from ``Round.face``;
what is private is made for each viewer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import Final, NamedTuple

import msgspec

from lastcard.formats.values import card_names, color_in_force, happening_values, in_order
from lastcard.game.actions import action_move
from lastcard.game.cards import CARD_NAMES
from lastcard.match import events as e
from lastcard.match.match import Match
from lastcard.match.view import Face
from lastcard.server.wire.parts import Clock, Game, Happening, LessonStep, Mine, Public
from lastcard.server.wire.protocol import Moved

PILE: Final = 5
"""How many of the last discards are shown."""

_encode: Final = msgspec.json.Encoder().encode


# --- the table ----------------------------------------------------------------------------------------


class Standing(NamedTuple):
    """A match as it stands, with what the server knows of it.

    Args:
        id: of the match, in the store.
        match: after its last move.
        face: of its round.
        ply: how many moves its log has.
        promise: SHA-256 of the server's secret, from before the shuffle.
        clock: of the seat on turn.
        taught: in a lesson, which actions are open to the learner, and where it is.
    """

    id: str
    match: Match
    face: Face
    ply: int
    promise: str
    clock: Clock | None = None
    taught: tuple[Sequence[int], LessonStep] | None = None


def public_of(match: Match, face: Face) -> Public:
    """The game as everybody at the table sees it.

    Args:
        match: as it stands.
        face: of its round.
    """
    table = match.round
    return Public(  # field by field: every move makes one
        rules=match.rules_name,
        round=face.number,
        dealer=face.dealer,
        decision=face.decision,
        turn=face.turn,
        direction=face.direction,
        top=CARD_NAMES[face.top],
        color=color_in_force(face.color),
        pile=card_names(table.last_discards(PILE)),
        discard_count=face.discard_count,
        draw_count=face.draw_count,
        counts=face.counts,
        pending=face.pending,
        exposed=in_order(face.exposed),
        called=in_order(face.called),
        candidates=in_order(face.candidates),
        rule=face.rule,
        performer=face.performer,
        scores=match.scores,
        winner=face.winner,
        void=face.void,
        hands=tuple(map(card_names, table.hands)) if face.over else None,
        points=table.held if face.over else None,
        winners=match.winners,
    )


def mine_of(standing: Standing, seat: int, side: tuple[Iterable[int], Iterable[int]]) -> Mine:
    """What only the person in a seat may know.

    Args:
        standing: the match.
        seat: the person's.
        side: hand and legal actions of that seat.
    """
    match, face, (hand, legal) = standing.match, standing.face, side
    lesson = None
    if standing.taught is not None:
        legal, lesson = standing.taught
    drawn = match.round.drawn if seat == face.turn and face.decision == "drawn" else None
    return Mine(
        seat=seat,
        hand=card_names(hand),
        legal=tuple(map(_move_text, legal)),
        drawn=None if drawn is None else CARD_NAMES[drawn],
        early=seat in face.early,
        lesson=lesson,
    )


def game_of(standing: Standing, viewer: int | None, recent: tuple[Happening, ...] = ()) -> Game:
    """A match as one viewer may see it, whole.

    Args:
        standing: the match.
        viewer: a seat, or None for a spectator.
        recent: what moves did, as that viewer may know it.
    """
    id_, match, face, ply, promise, clock, _ = standing
    mine = None
    if viewer is not None:
        mine = mine_of(standing, viewer, (match.round.hand(viewer), match.round.legal_actions(viewer)))
    return Game(
        match=id_,
        ply=ply,
        rules=match.rules_name,
        players=match.players,
        commitment=match.commitment,
        promise=promise,
        public=public_of(match, face),
        mine=mine,
        clock=clock,
        recent=recent,
    )


def moved_texts(
    standing: Standing, seat: int, move: str, events: Sequence[e.Event], viewers: Iterable[int | None]
) -> dict[int | None, bytes]:
    """A move that has been made, in JSON for each viewer.

    Args:
        standing: the match after it.
        seat: who made it.
        move: its text.
        events: what it did, unabridged.
        viewers: seats, and None for all spectators together.
    """
    id_, match, face, ply, _, clock, _ = standing
    sides = match.round.sides()
    public = msgspec.Raw(_encode(public_of(match, face)))
    tell = _teller(events, match)
    return {
        viewer: _encode(
            Moved(
                match=id_,
                ply=ply,
                seat=seat,
                move=move,
                events=tell(viewer),
                public=public,
                mine=None if viewer is None else mine_of(standing, viewer, sides[viewer]),
                clock=clock,
            )
        )
        for viewer in viewers
    }


@cache
def _move_text(action: int) -> str:
    return str(action_move(action))


# --- events -------------------------------------------------------------------------------------------


def happenings(events: Iterable[e.Event], match: Match, viewer: int | None) -> tuple[Happening, ...]:
    """What happened, as a viewer may know it."""
    return tuple([happening(event.seen_by(viewer), match) for event in events])


def happening(event: e.Event, match: Match) -> Happening:
    """One event for the wire, which somebody has already seen through ``Event.seen_by``."""
    return Happening(**happening_values(event, match.rule_cards))


def _teller(events: Sequence[e.Event], match: Match) -> Callable[[int | None], msgspec.Raw]:
    """Events as JSON by viewer; those who may know the same share one text."""
    secret = [event for event in events if not event.is_known_to(None)]
    if not secret:
        text = msgspec.Raw(_encode(happenings(events, match, None)))
        return lambda viewer: text
    texts: dict[tuple[bool, ...], msgspec.Raw] = {}

    def tell(viewer: int | None) -> msgspec.Raw:
        known = tuple([event.is_known_to(viewer) for event in secret])
        if known not in texts:
            texts[known] = msgspec.Raw(_encode(happenings(events, match, viewer)))
        return texts[known]

    return tell
