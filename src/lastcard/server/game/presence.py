"""Who is at a table now, on this worker and on others, who of them plays, and telling them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from lastcard.bots.registry import DEFAULT_LEVEL, name_bot
from lastcard.server.seats.document import Document, Person, SeatedProgram
from lastcard.server.wire.frames import text_frame
from lastcard.server.wire.peer import Peer
from lastcard.server.wire.protocol import ServerMessage, encode
from lastcard.server.wire.workers import PeopleHere

SPECTATORS: Final = 50
"""Persons without a seat that a table has room for, unless the server says otherwise."""
SCREENS: Final = 10
"""Big screens that a table has room for on each worker."""


class Presence:
    """The peers of a table: persons, one tab each, and big screens.

    Args:
        spectators: how many persons without a seat there is room for.
    """

    def __init__(self, spectators: int = SPECTATORS) -> None:
        self._spectators = spectators
        self._peers: dict[Peer, Person | None] = {}
        self._tabs: dict[str, Peer] = {}
        self._elsewhere: dict[str, tuple[PeopleHere, float]] = {}
        self._views: list[tuple[Peer, int | None]] = []
        self._shut_out: set[Peer] = set()
        self.viewers: set[int | None] = set()
        """Whose eyes look at the game: seats, and None for all spectators."""
        self.gone: dict[str, float] = {}
        """Since when persons are not connected."""
        self.here: dict[str, str] = {}
        """The names of connected persons by id, on any worker."""
        self.standins: set[str] = set()
        """Ids of persons, and programs, for whom a bot plays because they do not."""

    @property
    def peers(self) -> list[Peer]:
        """Everybody connected to this worker."""
        return list(self._peers)

    @property
    def local(self) -> dict[str, str]:
        """The names of persons connected to this worker by id."""
        return {
            person.id: person.name
            for person in self._peers.values()
            if person is not None and not isinstance(person, SeatedProgram)
        }

    @property
    def own_programs(self) -> dict[str, Peer]:
        """The programs connected to this worker by id. They do not count as persons."""
        return {person.id: peer for peer, person in self._peers.items() if isinstance(person, SeatedProgram)}

    @property
    def programs(self) -> set[str]:
        """The ids of connected programs, on any worker."""
        return {id_ for others, _ in self._elsewhere.values() for id_ in others.programs} | self.own_programs.keys()

    def person(self, peer: Peer) -> Person | None:
        """Who a peer is; None for a big screen, and for a tab that was replaced."""
        return self._peers.get(peer)

    def has_room(self, table: Document, person: Person | None) -> bool:
        """Whether somebody may come in: whoever has a seat or waits for one, and so many others.

        Args:
            table: as it stands.
            person: who wants to; None for a big screen.
        """
        if person is None:
            return sum(other is None for other in self._peers.values()) < SCREENS
        known = {table.host.id, *(waiting.id for waiting in table.queue), *self.here}
        if isinstance(person, SeatedProgram) or person.id in known or table.seat_of(person.id) is not None:
            return True
        return sum(table.seat_of(other) is None for other in self.here) < self._spectators

    def enter(self, peer: Peer, person: Person | None) -> Peer | None:
        """Let a peer in.

        Returns:
            The other tab of the same person that had to go.
        """
        other = None
        if person is not None:
            other = self._tabs.get(person.id)
            if other is not None:
                del self._peers[other]
            self._tabs[person.id] = peer
        self._peers[peer] = person
        self._count()
        return other

    def leave(self, peer: Peer, now: float) -> Person | None:
        """Let a peer go.

        Returns:
            The person who is not here any more; None where nobody is missed.
        """
        person = self._peers.pop(peer, None)
        if person is None:
            return None
        del self._tabs[person.id]
        self.gone[person.id] = now
        self._count()
        return person

    def rename(self, person: Person) -> None:
        """A person who is connected has another name."""
        peer = self._tabs.get(person.id)
        if peer is not None:
            self._peers[peer] = person
            self._count()

    def send_away(self, why: str) -> None:
        """Say goodbye to everybody."""
        for peer in self.peers:
            peer.close(why)

    def dismiss_programs(self, table: Document) -> None:
        """Say goodbye to programs whose token is good for no seat any more."""
        for program, peer in self.own_programs.items():
            if table.seat_of(program) is None:
                peer.close("gone")

    def dismiss(self, player: str) -> Peer | None:
        """Let a person go who will never come back.

        Returns:
            The peer to hang up on.
        """
        peer = self._tabs.pop(player, None)
        if peer is not None:
            del self._peers[peer]
        self.standins.discard(player)
        self._count()
        return peer

    def hang_up(self, player: str) -> None:
        """End the connection of a person, who may come back at once."""
        peer = self._tabs.get(player)
        if peer is not None:
            peer.close("restart")

    @property
    def idle(self) -> set[str]:
        """Persons and programs for whom a bot plays, here or on the worker they are connected to."""
        elsewhere = {player for others, _ in self._elsewhere.values() for player in others.idle}
        return self.standins | (elsewhere - self.local.keys() - self.own_programs.keys())

    def announcement(self, code: str, worker: str) -> PeopleHere:
        """Who is connected to this worker, and for whom of them a bot plays.

        Args:
            code: of the table.
            worker: this one.
        """
        local, programs = self.local, tuple(self.own_programs)
        idle = tuple(player for player in (*local, *programs) if player in self.standins)
        return PeopleHere(code, worker, local, idle, programs)

    def meet(self, others: PeopleHere, until: float) -> bool:
        """Take note of who is connected to another worker, which decides for whom of them a bot plays.

        Args:
            others: who.
            until: when this is no longer true unless it is said again.

        Returns:
            Whether that worker was unknown.
        """
        self.standins -= {*others.people, *others.programs}
        known = others.worker in self._elsewhere
        self._elsewhere[others.worker] = others, until
        self._count()
        return not known

    def lapse(self, now: float) -> None:
        """Forget workers that have fallen silent."""
        silent = [worker for worker, (_, until) in self._elsewhere.items() if until <= now]
        for worker in silent:
            del self._elsewhere[worker]
        if silent:
            self._count()

    def staff(self, table: Document, now: float) -> tuple[dict[int, str], dict[int, float]]:
        """Who plays.

        Args:
            table: as it stands.
            now: table time.

        Returns:
            The bots that play, by seat, as ``name_bot`` calls them, and since when persons in other seats are not
            connected.
        """
        levels: dict[int, str] = {}
        missing: dict[int, float] = {}
        idle = self.idle
        programs = self.programs - idle
        for seat, place in enumerate(table.seats):
            if place is not None and place.bot is not None:
                if place.program not in programs:
                    levels[seat] = name_bot(place.bot, place.style)
            elif place is not None and (place.away is not None or place.player in idle):
                levels[seat] = DEFAULT_LEVEL
            elif place is not None and place.player is not None and place.player not in self.here:
                missing[seat] = self.gone.setdefault(place.player, now)
        return levels, missing

    def arrange(self, table: Document) -> list[tuple[Peer, int | None]]:
        """Find out who looks from which seat, after any change.

        Returns:
            Those who look from another seat than before, or could not look at all, with it; nobody new.
        """
        before, shut_out = dict(self._views), self._shut_out
        self._views, self._shut_out = [], set()
        for peer, person in self._peers.items():
            seat = None if person is None else table.playing_seat(person.id)
            if seat is not None or table.settings.spectators:
                self._views.append((peer, seat))
            else:
                self._shut_out.add(peer)
        self.viewers = {seat for _, seat in self._views}
        return [(peer, seat) for peer, seat in self._views if peer in shut_out or before.get(peer, seat) != seat]

    def tell(self, message: ServerMessage) -> None:
        """Say something to everybody."""
        frame = text_frame(encode(message))
        for peer in self._peers:
            peer.write(frame)

    def tell_apart(self, message: ServerMessage, others: ServerMessage) -> None:
        """Say something to those who may see the game, and something else to those who may not."""
        viewers = {peer for peer, _ in self._views}
        frame = text_frame(encode(message))
        others_frame = frame if len(viewers) == len(self._peers) else text_frame(encode(others))
        for peer in self._peers:
            peer.write(frame if peer in viewers else others_frame)

    def tell_viewers(self, texts: Mapping[int | None, bytes], actor: int, done: bytes | None) -> None:
        """Say to everybody who may see the game what his eyes may see.

        Args:
            texts: for each seat, and for all spectators.
            actor: the seat that has moved.
            done: the answer to it, in one go with the move; None for a bot.
        """
        frames: dict[int | None, bytes] = {seat: text_frame(text) for seat, text in texts.items()}
        if done is not None and actor in frames:
            frames[actor] += text_frame(done)
        for peer, seat in self._views:
            peer.write(frames[seat])

    def tell_view(self, viewer: int | None, text: bytes) -> None:
        """Say something to those who look from a seat, or (None) without one."""
        frame = text_frame(text)
        for peer, seat in self._views:
            if seat == viewer:
                peer.write(frame)

    def tell_seat(self, seat: int, say: Callable[[str], ServerMessage]) -> None:
        """Say something to the person in a seat, in that person's language."""
        for peer, place in self._views:
            if place == seat:
                peer.send(encode(say(peer.language)))

    def tell_player(self, player: str, message: ServerMessage) -> None:
        """Say something to one person."""
        peer = self._tabs.get(player)
        if peer is not None:
            peer.send(encode(message))

    def sees(self, peer: Peer) -> tuple[bool, int | None]:
        """Whether a peer may see the game, and from which seat."""
        return next(((True, seat) for other, seat in self._views if other is peer), (False, None))

    def _count(self) -> None:
        self.here = self.local
        for others, _ in self._elsewhere.values():
            self.here = {**others.people, **self.here}
        for player in self.here:
            self.gone.pop(player, None)
