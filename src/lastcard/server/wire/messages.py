"""Messages from a match: events, the public table, and each seat's private part.

Only this module turns a table into messages for browsers. Public parts come from ``Round.public_state`` and are
encoded once for a move; private parts are made for each viewer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import Final, NamedTuple

import msgspec

from lastcard.formats.values import card_names, color_or_none, event_values, sorted_seats
from lastcard.game.moves import action_to_move
from lastcard.match import events as e
from lastcard.match.match import Match
from lastcard.match.view import PublicState
from lastcard.server.wire.parts import Game, Happening, Mine, Public
from lastcard.server.wire.protocol import Moved
from lastcard.session.turn_clock import Clock
from lastcard.session.tutor import LessonStep

PILE_SHOWN: Final = 5
"""Number of last discards that are shown."""

_encode: Final = msgspec.json.Encoder().encode


# --- the table ----------------------------------------------------------------------------------------


class MatchSnapshot(NamedTuple):
    """The state of a match after its last move, with what the server adds.

    Args:
        ply: number of moves in its log.
        promise: SHA-256 of the server's secret, known before the shuffle.
        lesson_state: in a lesson, the actions open to the learner and the current step.
    """

    id: str
    match: Match
    public_state: PublicState
    ply: int
    promise: str
    clock: Clock | None = None
    lesson_state: tuple[Sequence[int], LessonStep] | None = None


def public_of(match: Match, public_state: PublicState) -> Public:
    """Return the public part of the game."""
    round_ = match.round
    return Public(  # field by field, because every move makes one
        rules=match.rules_name,
        round=public_state.number,
        dealer=public_state.dealer,
        decision=public_state.decision,
        turn=public_state.turn,
        direction=public_state.direction,
        top=str(public_state.top),
        color=color_or_none(public_state.color),
        pile=card_names(round_.last_discards(PILE_SHOWN)),
        discard_count=public_state.discard_count,
        draw_count=public_state.draw_count,
        counts=public_state.counts,
        pending=public_state.pending,
        exposed=sorted_seats(public_state.exposed),
        called=sorted_seats(public_state.called),
        candidates=sorted_seats(public_state.candidates),
        rule=public_state.rule,
        performer=public_state.performer,
        scores=match.scores,
        winner=public_state.winner,
        void=public_state.void,
        hands=tuple(map(card_names, round_.hands)) if public_state.over else None,
        points=round_.held if public_state.over else None,
        winners=match.winners,
    )


def mine_of(snapshot: MatchSnapshot, seat: int, side: tuple[Iterable[int], Iterable[int]]) -> Mine:
    """Return the private part of a seat from its hand and legal actions (``side``)."""
    match, public_state, (hand, legal) = snapshot.match, snapshot.public_state, side
    lesson = None
    if snapshot.lesson_state is not None:
        legal, lesson = snapshot.lesson_state
    drawn = match.round.drawn if seat == public_state.turn and public_state.decision == "drawn" else None
    return Mine(
        seat=seat,
        hand=card_names(hand),
        legal=tuple(map(_move_text, legal)),
        drawn=None if drawn is None else str(drawn),
        early=seat in public_state.early,
        lesson=lesson,
    )


def game_of(snapshot: MatchSnapshot, viewer: int | None, recent: tuple[Happening, ...] = ()) -> Game:
    """Return the whole match as a seat or a spectator (None) may see it, with recent events as they may know them."""
    id_, match, public_state, ply, promise, clock, _ = snapshot
    mine = None
    if viewer is not None:
        mine = mine_of(snapshot, viewer, (match.round.hand(viewer), match.round.legal_actions(viewer)))
    return Game(
        match=id_,
        ply=ply,
        rules=match.rules_name,
        players=match.players,
        commitment=match.commitment,
        promise=promise,
        public=public_of(match, public_state),
        mine=mine,
        clock=clock,
        recent=recent,
    )


def moved_texts(
    snapshot: MatchSnapshot, seat: int, move: str, events: Sequence[e.Event], viewers: Iterable[int | None]
) -> dict[int | None, bytes]:
    """Return the messages about a move in JSON by viewer, for seats and (None) all spectators together.

    The snapshot is of the match after the move, and its events are unabridged.
    """
    id_, match, public_state, ply, _, clock, _ = snapshot
    sides = match.round.hands_and_actions()
    public = msgspec.Raw(_encode(public_of(match, public_state)))
    encode_events = _event_encoder(events, match)
    return {
        viewer: _encode(
            Moved(
                match=id_,
                ply=ply,
                seat=seat,
                move=move,
                events=encode_events(viewer),
                public=public,
                mine=None if viewer is None else mine_of(snapshot, viewer, sides[viewer]),
                clock=clock,
            )
        )
        for viewer in viewers
    }


@cache
def _move_text(action: int) -> str:
    return str(action_to_move(action))


# --- events -------------------------------------------------------------------------------------------


def happenings(events: Iterable[e.Event], match: Match, viewer: int | None) -> tuple[Happening, ...]:
    """Return events as a viewer may know them."""
    return tuple([happening(event.seen_by(viewer), match) for event in events])


def happening(event: e.Event, match: Match) -> Happening:
    """Return an event for the wire; the caller has filtered it with ``Event.seen_by``."""
    return Happening(**event_values(event, match.rule_cards))


def _event_encoder(events: Sequence[e.Event], match: Match) -> Callable[[int | None], msgspec.Raw]:
    """Return an encoder of events to JSON by viewer; viewers with the same knowledge share one text."""
    secret = [event for event in events if not event.is_known_to(None)]
    if not secret:
        text = msgspec.Raw(_encode(happenings(events, match, None)))
        return lambda viewer: text
    texts: dict[tuple[bool, ...], msgspec.Raw] = {}

    def encode_events(viewer: int | None) -> msgspec.Raw:
        known = tuple([event.is_known_to(viewer) for event in secret])
        if known not in texts:
            texts[known] = msgspec.Raw(_encode(happenings(events, match, viewer)))
        return texts[known]

    return encode_events
