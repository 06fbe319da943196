"""What happens in a world, drawn from a seed: its tables, and every step of its people and faults in advance."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from lastcard.errors import RulesError
from lastcard.game.rulesets import GAMES, Ruleset
from lastcard.session.open_table import SEATS
from lastcard.session.table_settings import Settings
from support.random_states import random_options

_RULES: Final = (
    "classic",
    "classic+uno_window=automatic_call",
    "classic+jump_in+stacking=same",
    "classic+winning_score=100",
    "all-wild",
    "wild-jackpot",
    "wild-jackpot+wj_rules=written",
)
_ACTIONS: Final = {
    "act": 1000,
    "press twice": 150,
    "hold a key": 150,
    "press wrong": 150,
    "undo": 15,
    "leave": 3,
    "come back": 6,
    "sit elsewhere": 3,
    "reload": 6,
    "open another tab": 4,
    "close": 3,
    "suspend": 3,
    "pause": 3,
    "kick": 2,
    "appoint": 1,
    "mute": 1,
    "speak": 8,
    "talk": 8,
    "signal": 60,
    "silence": 1,
    "configure": 3,
    "start": 2,
}
"""What people do, with weights."""
_CONNECTION_FAULTS: Final = ("connection dropped", "connection dark", "connection stalled")
_FAULTS: Final = {
    **dict.fromkeys(_CONNECTION_FAULTS, 6),
    "worker crashed": 3,
    "worker stopped": 1,
    "worker frozen": 2,
    "clock wrong": 1,
    "database away": 2,
    "database slow": 2,
    "answers of the database lost": 2,
    "bus down": 2,
    "bus wild": 2,
}
"""Faults, with weights."""
_FAULT_PAUSE_S: Final = 45.0
"""Mean seconds between two faults."""
_SQLITE_SHARE: Final = 0.1
_OPEN_SHARE: Final = 0.3
"""Share of worlds with an open table."""
_OPEN_RULES: Final = "classic"
DURATION_S: Final = 1200.0
CALM_S: Final = 120.0
"""Seconds without faults at the end, in which every table must go on."""


class Step(NamedTuple):
    """One thing that happens; ``dice``, from 0 to 1, decides all details."""

    at: float
    """Seconds after the start."""
    what: str
    """An action of a person (``people``), or a fault (``faults``)."""
    who: int
    """The number of the person; for a fault also of the worker, modulo their number."""
    dice: float

    def __str__(self) -> str:
        return f"{self.at}\t{self.what}\t{self.who}\t{self.dice}"


class TablePlan(NamedTuple):
    """A table, with people who play, people who watch, and big screens."""

    settings: Settings
    people: int
    watchers: int
    screens: int
    is_open: bool = False
    """Whether the people get their seats at an open table, each from another worker."""


class Scenario(NamedTuple):
    """A world before it begins."""

    seed: int
    tables: Sequence[TablePlan]
    workers: int
    uses_sqlite: bool
    steps: Sequence[Step]


def draw_scenario(seed: int) -> Scenario:
    """Return the scenario of a seed."""
    rng = random.Random(f"{seed}/scenario")
    uses_sqlite = rng.random() < _SQLITE_SHARE
    tables = [_draw_table(rng) for _ in range(rng.randint(3, 8))]
    if random.Random(f"{seed}/open").random() < _OPEN_SHARE:
        tables[0] = tables[0]._replace(settings=Settings(rules=_OPEN_RULES, seats=SEATS), is_open=True)
    pauses = [pause for table in tables for pause in _draw_pauses(rng, table)]
    steps = sorted([*_draw_actions(rng, pauses), *_draw_faults(rng, len(pauses))])
    workers = 1 if uses_sqlite else rng.choice((1, 2, 2, 3))
    return Scenario(seed, tables, workers, uses_sqlite, steps)


def _draw_table(rng: random.Random) -> TablePlan:
    rules = rng.choice(_RULES) if rng.random() < 0.7 else _draw_rules(rng)
    seats = 4 if "team_play" in rules else rng.choice((2, 3, 3, 4))
    people = rng.randint(1, seats)
    settings = Settings(
        rules=rules,
        seats=seats,
        pace=rng.choice(("relaxed", "normal", "fast", "untimed")),
        grace=rng.choice((0, 300, 1000)),
        spectators=rng.random() < 0.7,
        take_backs=rng.random() < 0.5,
        bots=rng.choice(("slow", "slow", "normal", "quick")),
    )
    return TablePlan(settings, people, rng.choice((0, 0, 1)), rng.choice((0, 0, 1)))


def _draw_rules(rng: random.Random) -> str:
    while True:
        game = rng.choice(GAMES)
        try:
            return str(Ruleset(game, random_options(game, rng)))
        except RulesError:
            continue


def _draw_pauses(rng: random.Random, table: TablePlan) -> list[float]:
    """Return the mean seconds between two steps of each person, so that tables have some moves a minute."""
    players = [rng.uniform(8, 12) * table.settings.seats / table.people for _ in range(table.people)]
    return [*players, *(rng.uniform(20, 60) for _ in range(table.watchers))]


def _draw_actions(rng: random.Random, pauses: Sequence[float]) -> Iterator[Step]:
    """Yield what people do."""
    for who, pause in enumerate(pauses):
        at = 0.0
        while (at := at + rng.expovariate(1 / pause)) < DURATION_S - CALM_S:
            yield _step(at, rng.choices([*_ACTIONS], [*_ACTIONS.values()])[0], who, rng)


def _draw_faults(rng: random.Random, people: int) -> Iterator[Step]:
    at = 0.0
    while (at := at + rng.expovariate(1 / _FAULT_PAUSE_S)) < DURATION_S - CALM_S:
        what = rng.choices([*_FAULTS], [*_FAULTS.values()])[0]
        yield _step(at, what, rng.randrange(people), rng)


def _step(at: float, what: str, who: int, rng: random.Random) -> Step:
    return Step(round(at, 3), what, who, round(rng.random(), 6))
