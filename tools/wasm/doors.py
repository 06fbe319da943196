"""All doors of the kernel: to import this is to know them."""

from __future__ import annotations

from lastcard.ai import chances, decision, hindsight, mixed, rounds, search
from lastcard.envs.compiled import acts, features, forks, vector
from lastcard.kernel.functions import Door
from lastcard.kernel.jit import DOORS
from lastcard.rules import batch, chance, doors
from lastcard.training.compiled import drills, duel, habits, lessons, selfplay

_ROOMS = (
    chance,
    doors,
    batch,
    chances,
    decision,
    hindsight,
    mixed,
    rounds,
    search,
    acts,
    features,
    forks,
    vector,
    drills,
    duel,
    habits,
    lessons,
    selfplay,
)


def all_doors() -> list[Door]:
    """Every door, in the order of their names."""
    names = {room.__name__ for room in _ROOMS}
    return [door for _, door in sorted(DOORS.items()) if door.function.__module__ in names]
