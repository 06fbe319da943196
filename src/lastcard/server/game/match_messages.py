"""A match in messages to the people at its table."""

from __future__ import annotations

from collections.abc import Sequence

from lastcard.game.moves import action_to_move
from lastcard.match.events import Event
from lastcard.server.game.presence import Presence
from lastcard.server.game.refusal_messages import refuse_command
from lastcard.server.wire.messages import MatchSnapshot, game_of, happenings, moved_texts
from lastcard.server.wire.parts import Game
from lastcard.server.wire.protocol import Dealt, Done, encode
from lastcard.session.match_play import MatchPlay
from lastcard.session.table_effects import HeldMoveRefused, MoveFollowed


def send_move(play: MatchPlay, presence: Presence, effect: MoveFollowed, now: float) -> None:
    """Send everybody a move and the match after it; to the person who made it in the same write as the answer."""
    row, viewers = effect.row, presence.viewers
    if viewers:
        texts = moved_texts(_snapshot(play, now), row.seat, str(action_to_move(row.action)), effect.events, viewers)
        done = encode(Done(row.command, play.log.ply)) if effect.answers else None
        presence.send_to_viewers(texts, row.seat, done)


def send_refusal(play: MatchPlay, presence: Presence, effect: HeldMoveRefused) -> None:
    """Send the person in a seat why a held move cannot be made any more."""
    presence.send_to_seat(
        effect.seat, lambda language: refuse_command(effect.command, effect.error, language, play.match)
    )


def send_deal(play: MatchPlay, presence: Presence, events: Sequence[Event], now: float) -> None:
    """Send everybody the whole game with the events of a deal; viewers already have the earlier ones."""
    for viewer in presence.viewers:
        game = game_for(play, viewer, now, whole=not events)
        presence.send_to_view(viewer, encode(Dealt(game, happenings(events, play.match, viewer))))


def game_for(play: MatchPlay, viewer: int | None, now: float, *, whole: bool = True) -> Game:
    """Return the match as a seat or spectator (None) may see it, with events of the whole match or the last round."""
    return game_of(_snapshot(play, now), viewer, happenings(play.log.events(whole=whole), play.match, viewer))


def _snapshot(play: MatchPlay, now: float) -> MatchSnapshot:
    log = play.log
    return MatchSnapshot(
        play.id, play.match, play.public_state, log.ply, log.promise, play.clock(now), play.lesson_state()
    )
