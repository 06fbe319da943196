"""Training what the bots of a game have learned: networks that judge, choose, advise and measure luck.

Needs PyTorch (extra ``learn``). What was made stays in a folder: positions and decisions, a checkpoint after every
epoch and every fifty steps of practice with its curve, in the end ``network-GAME.npy``, ``policy-GAME.npy``,
``yardstick-GAME.npy`` and ``adviser-GAME.npy``, for All Wild ``habits-all-wild.npy`` as well, and who has them,
``hasty-all-wild.npy``. Training that was stopped goes on from there.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

import numpy as np

from lastcard.arena.workers import MOST_WORKERS, count_cores, work
from lastcard.bots.learned import WITH_HABITS
from lastcard.bots.networks import write_network
from lastcard.errors import UsageError
from lastcard.game.files import read_text
from lastcard.game.numbers import as_int
from lastcard.training.fit import (
    ACTOR,
    ADVISER,
    BATCH,
    Fitting,
    Progress,
    fit_actor,
    fit_judge,
    import_torch,
    parameters,
    shorten,
)
from lastcard.training.habits import form_habits
from lastcard.training.kept import load_examples, writing
from lastcard.training.lessons import MOST_SEED, PARTS, Drills, Source, check_game, drills, lessons
from lastcard.training.practice import HASTY, PATIENT, Plan, Practice
from lastcard.training.sparring import spar

_DECISIONS: Final = 2
"""One decision played out by rules of thumb to so many positions."""
_REPLIES: Final = {
    "all-wild": (1,) * 10,
    "classic": (8, 8, 8, 2, 4, 4, 2, 2, 2, 2),
    "wild-jackpot": (8,) * 10,
}
_REPLIES_SHARE: Final = 80
"""Of each part, how many decisions are played out by what was learned from those: one to so many positions. More
of them made the advisers of classic, at two seats, and of Wild Jackpot better."""
_SPARRING: Final = {"all-wild": (2, 4), "classic": (2,) * 6, "wild-jackpot": (2, 4)}
"""Seats of each part with decisions of players who search; most for classic at two seats, where most is to be won."""
_SPARRED: Final = 113
"""Decisions of each such part, for a thousand positions."""
_FEWEST: Final = 16 * BATCH
"""Positions with which there is a batch of replies to learn from."""
_NUMBERS: Final = (
    ("positions", "the number of positions", _FEWEST, None),
    ("epochs", "the number of epochs", 1, None),
    ("seed", "the seed", 1, MOST_SEED),
    ("workers", "the number of workers", 1, MOST_WORKERS),
    ("steps", "the number of steps", 0, None),
)
"""The settings that are whole numbers, their names in words, and from where to where they go."""
_OPTIONAL: Final = ("workers", "steps")
_TRIES: Final = 16
_REPLY_TRIES: Final = 4
"""How often each act of a decision is played out; what was learned takes longer than rules of thumb."""


@dataclass(frozen=True, slots=True)
class Training:
    """The training of a game; what was done of it before is not done again.

    One network judges positions; one chooses, taught by rounds that rules of thumb played out, then by practice; what
    it was before practice is the yardstick of luck; one advises search, taught by the same rounds, by rounds that
    players who had learned played out, and by what players who search had to decide. In games with habits, the one that
    chooses practices without waiting first: the habits are that player's.

    Args:
        game: one of the three games.
        folder: where everything is kept; made where it is missing.
        positions: how many to learn from; the two others learn from about half as many decisions, or fewer.
        epochs: how often each is seen.
        seed: of all chance, from 1 on; the same seed gives the same networks on the same machine.
        workers: how many processes make what is learned from; None for one on every core.
        progress: told what is done, how far, and how far it goes.
        steps: of practice for who chooses, each with some 65,000 decisions; 0 for none, None for as many as were best.
    """

    game: str
    folder: Path
    positions: int = 1_000_000
    epochs: int = 10
    seed: int = 1
    workers: int | None = None
    progress: Progress = lambda what, done, of: None
    steps: int | None = None

    def __post_init__(self) -> None:
        for name, words, *_ in _NUMBERS:
            value = getattr(self, name)
            if value is not None or name not in _OPTIONAL:
                object.__setattr__(self, name, as_int(words, value))

    def run(self) -> dict[str, float]:
        """Train all networks, one after the other.

        Returns:
            What ``fit_judge`` and ``fit_actor`` say of those held back; of the adviser the ``advice``, its ``gain``;
            after practice ``won``, which share of rounds who chooses won against rules of thumb in its last steps.

        Raises:
            UsageError: for an unknown game, numbers that make no sense, a folder that holds other training, or
                where PyTorch is missing or a process ended.
        """
        check_game(self.game)
        for name, words, low, high in _NUMBERS:
            value = getattr(self, name)
            if value is not None:
                as_int(words, value, low, high)
        import_torch()
        self.folder.mkdir(parents=True, exist_ok=True)
        settings = {name: getattr(self, name) for name in ("game", "positions", "epochs", "seed")}
        _claim(self.file("training", ".json"), settings)
        judge, said = self._judge()
        policy, decisions, more = self._choose()
        learned = parameters(policy)
        self._write("yardstick", learned)
        said |= more | {"advice": self._advise(judge, policy, decisions)}
        if self.game in WITH_HABITS:
            hasty = self._practice("practice", HASTY, learned, said)
            self._write("hasty", hasty)
            np.save(self.file("habits"), form_habits(self.game, hasty, self.seed))
        self._write("policy", self._practice("patience", PATIENT, learned, said))
        return said

    def _write(self, what: str, numbers: Any) -> None:
        """Write a network."""
        with writing(self.file(what)) as unfinished:
            write_network(unfinished, numbers)

    def file(self, what: str, end: str = ".npy") -> Path:
        """Where something is kept; a network as ``.npy``, its checkpoint as ``.pt``."""
        return self.folder / f"{what}-{self.game}{end}"

    def _practice(self, what: str, plan: Plan, start: Any, said: dict[str, float]) -> Any:
        """A network that chooses after practice; which share of its last rounds it won is added to what is said."""
        plan = plan if self.steps is None else plan._replace(steps=self.steps)
        if plan.steps == 0:
            return start
        learned, said["won"] = Practice(self.game, self.file(what, ".pt"), plan, self.seed, self.progress).run(start)
        return learned

    def _judge(self) -> tuple[Any, dict[str, float]]:
        """The network that judges, as its parameters."""
        seen = self._make("positions", [partial(lessons, self._each(), source) for source in self._sources(1000)])
        xs, ys = (np.concatenate(arrays) for arrays in zip(*seen, strict=True))
        net, said = fit_judge(self._fitting("network"), xs, ys)
        judge = parameters(net)
        self._write("network", judge)
        return judge, said

    def _choose(self) -> tuple[Any, Drills, dict[str, float]]:
        """The network that chooses, and the decisions it has learned from."""
        count, nobody = self._each() // _DECISIONS, np.zeros(0, np.float32)
        works = [partial(drills, count, _TRIES, nobody, source) for source in self._sources(1000)]
        decisions = Drills.join(self._make("decisions", works))
        policy, said = fit_actor(self._fitting("policy"), decisions, ACTOR)
        return policy, decisions, said

    def _advise(self, judge: Any, policy: Any, decisions: Drills) -> float:
        """The network that advises; what its choice gains. The one that chooses is changed on the way."""
        learned, some = parameters(policy), self.positions // _REPLIES_SHARE
        counted = zip(_REPLIES[self.game], self._sources(7000), strict=True)
        works = [partial(drills, some * n, _REPLY_TRIES, learned, source) for n, source in counted]
        replies = self._make("replies", works)
        faced = Drills.join(replies)
        beginner, _ = fit_actor(self._fitting("beginner"), decisions, ADVISER)
        student, _ = fit_actor(self._fitting("student"), faced, beginner)
        second = parameters(fit_actor(self._fitting("second"), faced, policy)[0])
        count, parts = self.positions * _SPARRED // 1000, _SPARRING[self.game]
        first = len(parts) * (self.seed - 1) + 1
        sources = [Source(self.game, players, number) for number, players in enumerate(parts, first)]
        works = [partial(spar, count, _REPLY_TRIES, second, judge, source) for source in sources]
        sparring = self._make("sparring", works)
        # Larger tables with them, or it would forget those.
        larger = [part for part, (_, players) in zip(replies, PARTS[self.game], strict=True) if players > 2]
        adviser, said = fit_actor(self._fitting("adviser"), Drills.join([*sparring, *larger]), student)
        self._write("adviser", shorten(parameters(adviser)))
        return said["gain"]

    def _each(self) -> int:
        """Positions of every part."""
        return self.positions // len(PARTS[self.game])

    def _sources(self, chance: int) -> list[Source]:
        """Where the examples of every part come from."""
        parts = PARTS[self.game]
        return [Source(rules, players, self.seed * chance + number) for number, (rules, players) in enumerate(parts)]

    def _fitting(self, name: str) -> Fitting:
        """How a network is fitted."""
        return Fitting(self.file(name, ".pt"), self.epochs, self.seed, self.progress)

    def _make(self, what: str, works: Sequence[Callable[[], tuple[Any, ...]]]) -> list[list[Any]]:
        """All parts of something as arrays, from files; those that are missing are made first, side by side."""
        files = [self.file(what, f"-{number}.npz") for number in range(len(works))]
        missing = [task for task in zip(files, works, strict=True) if not task[0].exists()]
        self.progress(what, len(files) - len(missing), len(files))
        with closing(work(_keep, missing, self.workers or count_cores())) as kept:
            for done, _ in enumerate(kept, len(files) - len(missing) + 1):
                self.progress(what, done, len(files))
        return [load_examples(file, decisions=what != "positions") for file in files]


def _claim(file: Path, settings: dict[str, Any]) -> None:
    """Refuse a folder in which something else is being trained."""
    if file.exists():
        try:
            found = json.loads(read_text(file, UsageError))
        except (ValueError, UsageError):
            raise UsageError(f"{file} cannot be read as what is being trained; name another folder") from None
        if found != settings:
            raise UsageError(f"{file} belongs to other training ({found}); name another folder")
    with writing(file) as unfinished:
        unfinished.write_text(json.dumps(settings) + "\n", encoding="utf-8")


def _keep(task: tuple[Path, Callable[[], tuple[Any, ...]]]) -> None:
    """Make arrays and keep them in a file."""
    file, make = task
    arrays = make()
    with writing(file) as unfinished:
        np.savez(unfinished, *arrays)
