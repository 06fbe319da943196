"""Tables that a viewer cannot distinguish, and moves that may reveal the difference."""

from __future__ import annotations

import random
from typing import Final

from lastcard.game.moves import Move, parse_move
from lastcard.match.events import Drew, Event, HandsPassed, Swapped, Took
from lastcard.match.round import Round
from lastcard.match.setup import fill_hand
from support.random_play import random_move

REVEALING_VERBS: Final = {"draw", "challenge", "pull", "throw", "stop", "bury", "choose", "take", "done", "color"}
"""Moves that may reveal hands or chance: whether a drawn card can be played, whether it was a bluff, the outcome of the
lever, whether there is a card left to discard. A play in a chain and the end of a round may, too."""


def resample_hidden(
    table: Round, viewer: int | None, rng: random.Random, fixed_card: tuple[int, int] | None = None
) -> Round:
    """A table that differs from this one only in what the viewer does not know.

    Cards in other hands and in the draw pile are exchanged in the copy, and all future chance is different.

    The viewer is a seat, or None for a spectator. The seat of ``fixed_card`` still has that card, if it has one now.
    """
    copy = table.copy()
    record = copy._states[0]
    pile = record["pile"][: record["pile_n"]].tolist()
    hidden = [seat for seat in range(table.players) if seat != viewer]
    pool = pile + [card for seat in hidden for card in table.hand(seat)]
    hands: dict[int, list[int]] = {seat: [] for seat in hidden}
    if fixed_card is not None and fixed_card[0] in hands and fixed_card[1] in table.hand(fixed_card[0]):
        hands[fixed_card[0]].append(fixed_card[1])
        pool.remove(fixed_card[1])
    rng.shuffle(pool)
    for seat, size in enumerate(table.counts):
        if seat != viewer:
            hands[seat] += [pool.pop() for _ in range(size - len(hands[seat]))]
            record["counts"][seat] = record["colored"][seat] = record["wilds"][seat] = 0
            fill_hand(record, seat, hands[seat])
    record["pile"][: len(pool)] = pool
    record["key"] = _words(rng)
    record["block"] = _words(rng, 64)
    record["lever_script"] = [rng.randrange(6) for _ in record["lever_script"]]
    stack = record["dispenser"][: record["dispenser_n"]].tolist()
    rng.shuffle(stack)
    record["dispenser"][: len(stack)] = stack
    if viewer != record["challenged_seat"]:
        record["was_bluff"] = rng.randrange(2)
    if table.decision == "drawn" and viewer != table.turn and record["drawn"] not in hands[table.turn]:
        record["drawn"] = rng.choice(hands[table.turn])
    return copy


def random_move_for_both(table: Round, rng: random.Random) -> tuple[Round, Round, int | None, int, Move] | None:
    """A random move that is legal at a table and at its indistinguishable copy.

    Returns:
        Both tables, the viewer who cannot distinguish them, the seat that moves, and its move; None if only one of
        the two allows it.
    """
    viewer = rng.choice((None, *range(table.players)))
    seat, text = random_move(table, rng)
    move = parse_move(text)
    one = table.copy()
    two = resample_hidden(table, viewer, rng, None if move.card is None else (seat, move.card))
    return (one, two, viewer, seat, move) if one.can(seat, move) and two.can(seat, move) else None


def _words(rng: random.Random, count: int = 8) -> list[int]:
    """Random 32-bit words."""
    return [rng.getrandbits(32) for _ in range(count)]


def reveals_cards(events: list[Event], viewer: int | None) -> bool:
    """Whether the events show cards to the viewer."""
    return any(
        (isinstance(event, Drew) and event.seat == viewer)
        or (isinstance(event, Took) and viewer in (event.seat, event.giver))
        or (isinstance(event, Swapped) and viewer in (event.seat, event.other))
        or isinstance(event, HandsPassed)
        for event in events
    )
