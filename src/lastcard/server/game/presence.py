"""The people at a table on all workers, and the messages to them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from lastcard.server.wire.frames import text_frame
from lastcard.server.wire.peer import Peer
from lastcard.server.wire.protocol import ServerMessage, encode
from lastcard.server.wire.worker_bus import PeopleHere
from lastcard.session.table_people import People
from lastcard.session.table_state import Person, SeatedProgram, TableState

SPECTATORS: Final = 50
"""Default maximum number of persons without a seat."""
SCREENS: Final = 10
"""Maximum number of big screens at a table, for each worker."""


class Presence:
    """The peers of a table: one tab for each person, big screens, and at most ``spectators`` persons without a seat."""

    def __init__(self, spectators: int = SPECTATORS) -> None:
        self._spectators = spectators
        self._peers: dict[Peer, Person | None] = {}
        self._tabs: dict[str, Peer] = {}
        self._elsewhere: dict[str, tuple[PeopleHere, float]] = {}
        self._views: list[tuple[Peer, int | None]] = []
        self._without_view: set[Peer] = set()
        self.viewers: set[int | None] = set()
        """The seats whose view somebody has; None for the spectators' view."""
        self.people = People()
        """The people on all workers."""
        self.voices: set[str] = set()
        """Ids of persons of this worker who have turned voice on."""
        self.voices_elsewhere: set[str] = set()
        """Ids of persons of other workers who have."""

    @property
    def peers(self) -> list[Peer]:
        """All peers of this worker."""
        return list(self._peers)

    @property
    def local(self) -> dict[str, str]:
        """The names of persons connected to this worker, by id."""
        return {
            person.id: person.name
            for person in self._peers.values()
            if person is not None and not isinstance(person, SeatedProgram)
        }

    @property
    def own_programs(self) -> dict[str, Peer]:
        """The programs connected to this worker, by id. They do not count as persons."""
        return {person.id: peer for peer, person in self._peers.items() if isinstance(person, SeatedProgram)}

    def person(self, peer: Peer) -> Person | None:
        """Return the person of a peer; None for a big screen or a replaced tab."""
        return self._peers.get(peer)

    def has_capacity(self, table: TableState, person: Person | None) -> bool:
        """Return whether a peer may enter (None: big screen): those seated or queued, and a limited number more."""
        if person is None:
            return sum(other is None for other in self._peers.values()) < SCREENS
        known = {table.host.id, *(waiting.id for waiting in table.queue), *self.people.here}
        if isinstance(person, SeatedProgram) or person.id in known or table.seat_of(person.id) is not None:
            return True
        return sum(table.seat_of(other) is None for other in self.people.here) < self._spectators

    def enter(self, peer: Peer, person: Person | None) -> Peer | None:
        """Add a peer; return the replaced tab of the same person, if any."""
        other = None
        if person is not None:
            other = self._tabs.get(person.id)
            if other is not None:
                del self._peers[other]
            self._tabs[person.id] = peer
            self.voices.discard(person.id)  # the new page has not turned it on yet
        self._peers[peer] = person
        self._refresh_people()
        return other

    def leave(self, peer: Peer, now: float) -> Person | None:
        """Remove a peer; return the person who is no longer here, or None if nobody is missing."""
        person = self._peers.pop(peer, None)
        if person is None:
            return None
        del self._tabs[person.id]
        self.voices.discard(person.id)
        self.people.gone[person.id] = now
        self._refresh_people()
        return person

    def rename(self, person: Person) -> None:
        """Change the name of a connected person."""
        peer = self._tabs.get(person.id)
        if peer is not None:
            self._peers[peer] = person
            self._refresh_people()

    def close_all(self, why: str) -> None:
        """Disconnect everybody."""
        for peer in self.peers:
            peer.close(why)

    def close_unseated_programs(self, table: TableState) -> None:
        """Disconnect programs whose token is good for no seat any more."""
        for program, peer in self.own_programs.items():
            if table.seat_of(program) is None:
                peer.close("gone")

    def remove_person(self, player: str) -> Peer | None:
        """Remove a person for good; return the peer to disconnect."""
        peer = self._tabs.pop(player, None)
        if peer is not None:
            del self._peers[peer]
        self.people.standins.discard(player)
        self.voices.discard(player)
        self._refresh_people()
        return peer

    def disconnect(self, player: str) -> None:
        """Close the connection of a person, who may reconnect at once."""
        peer = self._tabs.get(player)
        if peer is not None:
            peer.close("restart")

    def announcement(self, code: str, worker: str) -> PeopleHere:
        """Return the announcement of the people on this worker."""
        local, programs = self.local, tuple(self.own_programs)
        idle = tuple(player for player in (*local, *programs) if player in self.people.standins)
        return PeopleHere(code, worker, local, idle, programs, tuple(sorted(self.voices)))

    def merge_worker(self, others: PeopleHere, until: float) -> PeopleHere | None:
        """Record the people on another worker until a table time; return what that worker announced before, if it did.

        Another worker decides whether a bot plays for them, unless they are connected to this one too.
        """
        self.people.standins -= {*others.people, *others.programs} - self.local.keys() - self.own_programs.keys()
        before, _ = self._elsewhere.get(others.worker, (None, 0.0))
        self._elsewhere[others.worker] = others, until
        self._refresh_people()
        return before

    def expire_workers(self, now: float) -> bool:
        """Remove workers whose announcement has expired; return whether there were any."""
        silent = [worker for worker, (_, until) in self._elsewhere.items() if until <= now]
        for worker in silent:
            del self._elsewhere[worker]
        if silent:
            self._refresh_people()
        return bool(silent)

    def update_views(self, table: TableState) -> list[tuple[Peer, int | None]]:
        """Recompute the views of all peers; return the peers whose view has changed, with the new one; no new peers."""
        before, without_view = dict(self._views), self._without_view
        self._views, self._without_view = [], set()
        for peer, person in self._peers.items():
            seat = None if person is None else table.playing_seat(person.id)
            if seat is not None or table.settings.spectators:
                self._views.append((peer, seat))
            else:
                self._without_view.add(peer)
        self.viewers = {seat for _, seat in self._views}
        return [(peer, seat) for peer, seat in self._views if peer in without_view or before.get(peer, seat) != seat]

    def broadcast(self, message: ServerMessage) -> None:
        """Send a message to everybody."""
        frame = text_frame(encode(message))
        for peer in self._peers:
            peer.write(frame)

    def broadcast_by_access(self, message: ServerMessage, others: ServerMessage) -> None:
        """Send one message to those who may see the game, and another to the rest."""
        viewers = {peer for peer, _ in self._views}
        frame = text_frame(encode(message))
        others_frame = frame if len(viewers) == len(self._peers) else text_frame(encode(others))
        for peer in self._peers:
            peer.write(frame if peer in viewers else others_frame)

    def send_to_viewers(self, texts: Mapping[int | None, bytes], actor: int, done: bytes | None) -> None:
        """Send seats and spectators (None) their version of a move, and the actor the answer in the same write."""
        frames: dict[int | None, bytes] = {seat: text_frame(text) for seat, text in texts.items()}
        if done is not None and actor in frames:
            frames[actor] += text_frame(done)
        for peer, seat in self._views:
            peer.write(frames[seat])

    def send_to_view(self, viewer: int | None, text: bytes) -> None:
        """Send a message to the viewers of a seat, or (None) to spectators."""
        frame = text_frame(text)
        for peer, seat in self._views:
            if seat == viewer:
                peer.write(frame)

    def send_to_seat(self, seat: int, make_message: Callable[[str], ServerMessage]) -> None:
        """Send a message to the person in a seat, in their language."""
        for peer, viewed_seat in self._views:
            if viewed_seat == seat:
                peer.send(encode(make_message(peer.language)))

    def send_to_player(self, player: str, message: ServerMessage) -> None:
        """Send a message to one person."""
        peer = self._tabs.get(player)
        if peer is not None:
            peer.send(encode(message))

    def view_of(self, peer: Peer) -> tuple[bool, int | None]:
        """Return whether a peer may see the game, and from which seat."""
        return next(((True, seat) for other, seat in self._views if other is peer), (False, None))

    def _refresh_people(self) -> None:
        """Update ``people`` after somebody came or left on any worker."""
        people, local, own_programs = self.people, self.local, self.own_programs.keys()
        others = [others for others, _ in self._elsewhere.values()]
        here = {id_: name for other in others for id_, name in other.people.items()}
        people.here = {**here, **local}
        people.elsewhere = here.keys() - local.keys()
        people.programs = {id_ for other in others for id_ in other.programs} | own_programs
        people.active_elsewhere = {id_ for other in others for id_ in {*other.people, *other.programs} - {*other.idle}}
        people.idle_elsewhere = {id_ for other in others for id_ in other.idle} - local.keys() - own_programs
        self.voices_elsewhere = {id_ for other in others for id_ in other.voices}
        for player in people.here:
            people.gone.pop(player, None)
