"""All doors of the kernel: to import this is to know them."""

from __future__ import annotations

from lastcard.engine import batch, chance, doors
from lastcard.engine.functions import Door
from lastcard.engine.jit import DOORS
from lastcard.envs.compiled import acts, features, forks, vector
from lastcard.learning.compiled import drills, duel, habits, lessons, selfplay
from lastcard.mind import chances, decision, hindsight, mixed, rounds, search

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
