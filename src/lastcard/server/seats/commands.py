"""What a command of a person makes of a table: from one document to the next."""

from __future__ import annotations

from collections.abc import Mapping

from lastcard.server.seats import dealing, hosting, seating, voting
from lastcard.server.seats.document import Denied, Document, Person, replace
from lastcard.server.wire import protocol


def obey(table: Document, person: Person, message: protocol.ClientUnion, here: Mapping[str, str]) -> Document:
    """The table after a command that changes the document and nothing else.

    Args:
        table: as it stands.
        person: who sent it.
        message: the command.
        here: the names of all connected persons by id.

    Raises:
        Denied: where it is out of place, or no such command.
    """
    player = person.id
    match message:
        case protocol.Sit(seat):
            return seating.sit(table, person, seat)
        case protocol.Stand():
            return seating.leave(table, player)
        case protocol.Back():
            return seating.come_back(table, player)
        case protocol.Configure(settings):
            return hosting.configure(table, player, settings)
        case protocol.SetBot(seat, level, style):
            return hosting.change_bot(table, player, seat, level, style)
        case protocol.Number(promise, number):
            # One for another promise comes too late to matter: a match has been dealt since. No fault of anybody's.
            counts = promise == table.promise and table.seat_of(player) is not None
            return replace(table, numbers={**table.numbers, player: number}) if counts else table
        case protocol.Look(look):
            return seating.dress(table, player, look)
        case protocol.Write(cards):
            return dealing.write_cards(table, player, cards)
        case protocol.Ready():
            return dealing.be_ready(table, player)
        case protocol.Pause(on):
            return voting.ask_pause(table, player, here.keys()) if on else voting.end_pause(table, player)
        case protocol.Kick(target):
            return voting.ask_kick(table, player, target, here.keys())
        case protocol.Mute(target, on):
            return hosting.mute(table, player, target, on)
        case protocol.Appoint(target):
            return hosting.appoint(table, player, target, here)
    raise Denied("not-now")
