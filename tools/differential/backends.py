"""The kernel as a module against the kernel as native code: the same acts on both, every byte compared after each.

No referee plays, and no Python lies between the acts and the doors: two million acts take minutes.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import cache
from typing import Any, Final, NamedTuple

import numpy as np

from lastcard.game import act
from lastcard.game.cards import CARD_NAMES, CARD_SLOTS, WILD
from lastcard.match.round import Round
from lastcard.rules import doors, layout, past, phase, reason
from lastcard.rules.table import TABLE
from lastcard.rules.turn import UNO_CALLED
from support.randomly import random_deal, random_short_position
from tools.differential.pair import Tally

_CARDS: Final = list(CARD_NAMES)
_VERBS: Final = list(act.VERBS.values())


class Side:
    """A table in one form of the kernel.

    Args:
        form: a ``jit.Form``, which plays on it.
    """

    def __init__(self, form: Any) -> None:
        self.tables, self.used, self.known = (form.zeros(1, TABLE) for _ in range(3))
        self.bytes, self.copied = self.tables.view(np.uint8), self.used.view(np.uint8)
        self.notes = form.zeros(past.NOTES, np.int32)
        self.seats = form.zeros(layout.MAX_DECK + layout.MAX_SEATS * (2 + layout.MAX_ACTIONS), np.int64)
        table, at = (self.tables, 0), 0

        def bind(door: Any, first: Sequence[Any], others: Sequence[Any]) -> Any:
            return form.bind(door, first, others, lambda: None)  # a form that stays

        self.deal = bind(doors.deal_table, table, (at, at, at))
        self.do = bind(doors.do_noted, table, (at, at, self.notes))
        self.find = bind(doors.find_actions, table, (at, self.seats))
        self.show = bind(doors.show_seats, table, (self.seats,))
        self.count = bind(doors.count_points, table, (self.seats,))
        self.unroll = bind(doors.unroll_pile, (self.used, 0), (self.seats,))
        self.reveal = bind(doors.show_own, (self.tables, self.known), (at,))

    def list_acts(self, seat: int) -> list[int]:
        """What a seat may do."""
        return list(self.seats[: self.find(seat, self.seats)].tolist())

    def apply(self, seat: int, action: int) -> tuple[int, bytes, bytes]:
        """Do an act: the reason it is refused for, what was noted of it, and the table behind it."""
        why = int(self.do(seat, action, self.notes))
        return why, self.notes.tobytes(), self.bytes.tobytes()

    def look(self, players: int) -> list[Any]:
        """What all the doors say that only read."""
        seen: list[Any] = [self.seats[: self.show(self.seats)].tolist()]
        self.count(self.seats)
        seen.append(self.seats[:players].tolist())
        self.copied[:] = self.bytes
        seen += [self.seats[: self.unroll(self.seats)].tolist(), self.copied.tobytes()]
        for seat in range(-1, players):
            self.known.view(np.uint8)[:] = 0
            self.reveal(seat)
            seen.append(self.known.tobytes())
        return seen


class Sides(NamedTuple):
    """The same table in both forms."""

    module: Side
    native: Side


@cache
def _sides() -> Sides:
    """Room for one table, for all rounds of a process."""
    from lastcard.kernel.module import ModuleKernel
    from lastcard.kernel.native import NativeKernel

    return Sides(Side(ModuleKernel()), Side(NativeKernel()))


def lay_out(seed: int, rng: random.Random) -> Sides:
    """A random round on both sides: a deal, dealt by each of them, or every other time a short position."""
    module, native = sides = _sides()
    if seed % 2 == 0:
        position, secret = random_short_position(rng)
        written = Round.from_position(position, seed=secret).table_bytes()
    else:
        dealt = random_deal(rng)
        written = dealt.round().table_bytes()
    for side in sides:
        side.bytes[:] = np.frombuffer(written, np.uint8)
        if seed % 2:
            side.deal(dealt.dealer, dealt.number, 0)
    assert module.bytes.tobytes() == native.bytes.tobytes(), f"seed {seed}: dealt in two ways"
    return sides


def random_act(side: Side, table: Any, acts: list[int], rng: random.Random) -> int:
    """Mostly one of some acts, often with a call, sometimes a mistake or nonsense."""
    kind = rng.random()
    if kind < 0.04 or not acts:
        held = np.flatnonzero(table["counts"][table["turn"]][:CARD_SLOTS]).tolist()
        return _make_up(rng.choice(held or _CARDS), int(table["players"]), rng)
    if kind < 0.07:
        return _make_up(rng.choice(_CARDS), int(table["players"]), rng)
    plays = [action for action in acts if action & 255 < CARD_SLOTS]
    if plays and rng.random() < 0.85:
        acts = plays
    elif rng.random() < 0.7:
        acts = [action for action in acts if action & 255 != act.UNO] or acts
    action = rng.choice(acts)
    return action | UNO_CALLED if action & 255 < CARD_SLOTS and rng.random() < 0.3 else action


def _make_up(card: int, players: int, rng: random.Random) -> int:
    """Any act that can be written down: a card or a verb, with a color, a seat or nothing."""
    arg = rng.choice((act.NO_ARG, rng.randrange(WILD), rng.randrange(players)))
    code = card if rng.random() < 0.6 else rng.choice(_VERBS)
    return code | arg << act.ARG_SHIFT | (card << act.CARD_SHIFT if code in (act.THROW, act.BURY) else 0)


def play_both(seed: int, limit: int, every: int, tally: Tally) -> None:
    """Play a random round on both sides.

    Args:
        seed: of everything random in it.
        limit: acts after which the round is given up.
        every: at one act in so many all that can be read of the table is compared too.
        tally: what was seen is added to it.

    Raises:
        AssertionError: where they differ.
    """
    rng = random.Random(seed)
    module, native = lay_out(seed, rng)
    table = module.tables[0]
    done: list[tuple[int, int]] = []
    while table["phase"] != phase.OVER and len(done) < limit:
        tally.seen[phase.NAMES[table["phase"]]] += 1
        seat = int(table["turn"]) if rng.random() < 0.85 else rng.randrange(int(table["players"]))
        acts = module.list_acts(seat)
        assert acts == native.list_acts(seat), f"seed {seed}: what seat {seat} may do after {done}"
        action = random_act(module, table, acts, rng)
        done.append((seat, action))
        one, other = module.apply(seat, action), native.apply(seat, action)
        assert one == other, f"seed {seed}: the last of {done}"
        tally.seen[reason.ALL[one[0]][0] if one[0] else ""] += 1
        if rng.randrange(every) == 0:
            players = int(table["players"])
            assert module.look(players) == native.look(players), f"seed {seed}: what can be read after {done}"
    tally.plies += len(done)
    tally.rounds += 1
    tally.void += bool(table["phase"] == phase.OVER and table["winner"] < 0)
    tally.stuck += bool(table["phase"] != phase.OVER)
    if len(done) > tally.longest:
        tally.longest, tally.longest_seed = len(done), seed
