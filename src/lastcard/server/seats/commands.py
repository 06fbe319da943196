"""Commands that change only the table state."""

from __future__ import annotations

from collections.abc import Mapping

from lastcard.server.seats import dealing, hosting, seating, voting
from lastcard.server.seats.table_state import CommandError, Person, TableState, replace
from lastcard.server.wire import protocol


def apply_command(
    table: TableState, person: Person, message: protocol.ClientUnion, here: Mapping[str, str]
) -> TableState:
    """Return the table after a command that changes only the table state.

    Args:
        table: the current table state.
        person: the person who sent it.
        message: the command.
        here: the names of all connected persons by id.

    Raises:
        CommandError: if the command is refused or unknown.
    """
    player = person.id
    match message:
        case protocol.Sit(seat):
            return seating.sit(table, person, seat)
        case protocol.LeaveSeat():
            return seating.leave(table, player)
        case protocol.Back():
            return seating.come_back(table, player)
        case protocol.Configure(settings):
            return hosting.configure(table, player, settings)
        case protocol.SetBot(seat, level, style):
            return hosting.change_bot(table, player, seat, level, style)
        case protocol.Number(promise, number):
            # A number for another promise came after the deal. It is ignored, because it is nobody's fault.
            counts = promise == table.promise and table.seat_of(player) is not None
            return replace(table, numbers={**table.numbers, player: number}) if counts else table
        case protocol.SetAvatar(avatar):
            return seating.set_avatar(table, player, avatar)
        case protocol.Write(cards):
            return dealing.write_cards(table, player, cards)
        case protocol.Ready():
            return dealing.set_ready(table, player)
        case protocol.Pause(on):
            return voting.ask_pause(table, player, here.keys()) if on else voting.end_pause(table, player)
        case protocol.Kick(target):
            return voting.ask_kick(table, player, target, here.keys())
        case protocol.Mute(target, on):
            return hosting.mute(table, player, target, on)
        case protocol.Appoint(target):
            return hosting.appoint(table, player, target, here)
    raise CommandError("not-now")
