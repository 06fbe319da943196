"""Training of a game's networks: value, policy, reference and prior nets.

Needs PyTorch (extra ``learn``). The folder stores positions and decisions, a checkpoint after every epoch and every
fifty steps of self-play with its curve. In the end it has ``value-GAME.npy``, ``policy-GAME.npy``,
``reference-GAME.npy`` and ``prior-GAME.npy``, for All Wild also ``habits-all-wild.npy`` and the policy net that they
belong to, ``single-draw-all-wild.npy``. Training that was stopped continues from the folder.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

import numpy as np

from lastcard.arena.task_distribution import MAX_WORKERS, count_cores, run_tasks
from lastcard.bots.network_files import write_network
from lastcard.bots.weights import GAMES_WITH_HABITS
from lastcard.errors import UsageError
from lastcard.game.numbers import require_int
from lastcard.game.text_files import read_text
from lastcard.training.checkpoints import load_examples, writing_file
from lastcard.training.habits import derive_habits
from lastcard.training.policy_gradient import REPEATED_DRAWS, SINGLE_DRAW, SelfPlayTraining, TrainingSchedule
from lastcard.training.position_data import (
    DATA_SOURCES,
    MAX_SEED,
    DataSource,
    DecisionData,
    check_game,
    make_decisions,
    make_positions,
)
from lastcard.training.search_data import make_search_decisions
from lastcard.training.supervised import (
    BATCH,
    POLICY_UNITS,
    PRIOR_UNITS,
    Progress,
    TrainingRun,
    import_torch,
    read_parameters,
    round_parameters,
    train_action_net,
    train_value_net,
)

_POSITIONS_PER_DECISION: Final = 2
"""Number of positions for one decision played out by rules of thumb."""
_REPLY_SHARES: Final = {
    "all-wild": (1,) * 10,
    "classic": (8, 8, 8, 2, 4, 4, 2, 2, 2, 2),
    "wild-jackpot": (8,) * 10,
}
_POSITIONS_PER_REPLY: Final = 80
"""For each part, number of positions for one decision played out by the policy net. More decisions improved the prior
nets of classic, with two seats, and of Wild Jackpot."""
_SEARCH_SEATS: Final = {"all-wild": (2, 4), "classic": (2,) * 6, "wild-jackpot": (2, 4)}
"""Seats of each part with decisions of searching players; most for classic with two seats, which gains most."""
_SEARCH_DECISIONS_PER_1000: Final = 113
"""Number of decisions of each such part for a thousand positions."""
_MIN_POSITIONS: Final = 16 * BATCH
"""Smallest number of positions: it gives one batch of decisions played out by the policy net."""
_NUMBERS: Final = (
    ("positions", "the number of positions", _MIN_POSITIONS, None),
    ("epochs", "the number of epochs", 1, None),
    ("seed", "the seed", 1, MAX_SEED),
    ("workers", "the number of workers", 1, MAX_WORKERS),
    ("steps", "the number of steps", 0, None),
)
"""The integer settings, with their names in words and their ranges."""
_OPTIONAL: Final = ("workers", "steps")
_ROLLOUTS: Final = 16
_REPLY_ROLLOUTS: Final = 4
"""Number of rollouts of each move of a decision; the policy net takes longer than rules of thumb."""


@dataclass(frozen=True, slots=True)
class Training:
    """The training of a game; finished stages are not repeated.

    The value net judges positions. The policy net chooses: it is trained on rounds that rules of thumb played out, then
    by self-play. The reference net is the policy net before self-play, which measures luck. The prior net guides the
    search: it is trained on the same rounds, on rounds that policy nets played out, and on decisions of searching
    players. In games with habits, a policy net is trained without repeated draws first: the habits are its own.
    """

    game: str
    """One of the three games."""
    folder: Path
    """Folder of all files; made if it is missing."""
    positions: int = 1_000_000
    """Number of positions; the other nets learn from about half as many decisions, or fewer."""
    epochs: int = 10
    """Number of passes over the examples."""
    seed: int = 1
    """Seed of all chance, from 1 on; the same seed gives the same networks on the same machine."""
    workers: int | None = None
    """Number of processes that make training data; None for one on every core."""
    progress: Progress = lambda what, done, of: None
    executor: Executor | None = None
    """Makes the data in place of such processes, with so many ``workers``."""
    steps: int | None = None
    """Number of steps of self-play, each with some 65,000 decisions; 0 for none, None for the best number."""

    def __post_init__(self) -> None:
        for name, words, *_ in _NUMBERS:
            value = getattr(self, name)
            if value is not None or name not in _OPTIONAL:
                object.__setattr__(self, name, require_int(words, value))

    def run(self) -> dict[str, float]:
        """Train all networks, one after the other.

        Returns:
            The metrics of ``train_value_net`` and ``train_action_net`` on held-out data; ``prior_gain``, the ``gain``
            of the prior net; after self-play ``won``, the share of rounds that the policy net won against rules of
            thumb in its last steps.

        Raises:
            UsageError: for an unknown game, numbers out of range, a folder with other training, a missing PyTorch, or a
            process that ended.
        """
        check_game(self.game)
        for name, words, low, high in _NUMBERS:
            value = getattr(self, name)
            if value is not None:
                require_int(words, value, low, high)
        import_torch()
        self.folder.mkdir(parents=True, exist_ok=True)
        settings = {name: getattr(self, name) for name in ("game", "positions", "epochs", "seed")}
        _claim_folder(self.file("training", ".json"), settings)
        value_net, metrics = self._train_value_net()
        policy, decisions, more = self._train_policy_net()
        reference = read_parameters(policy)
        self._write("reference", reference)
        metrics |= more | {"prior_gain": self._train_prior_net(value_net, policy, decisions)}
        if self.game in GAMES_WITH_HABITS:
            single_draw = self._train_by_self_play("single-draw-training", SINGLE_DRAW, reference, metrics)
            self._write("single-draw", single_draw)
            np.save(self.file("habits"), derive_habits(self.game, single_draw, self.seed))
        self._write("policy", self._train_by_self_play("self-play", REPEATED_DRAWS, reference, metrics))
        return metrics

    def _write(self, what: str, numbers: Any) -> None:
        """Write a network."""
        with writing_file(self.file(what)) as unfinished:
            write_network(unfinished, numbers)

    def file(self, what: str, end: str = ".npy") -> Path:
        """The path of a stored file; a network as ``.npy``, its checkpoint as ``.pt``."""
        return self.folder / f"{what}-{self.game}{end}"

    def _train_by_self_play(self, what: str, schedule: TrainingSchedule, start: Any, metrics: dict[str, float]) -> Any:
        """A policy net after self-play; adds its share of the last rounds won to ``metrics``."""
        schedule = schedule if self.steps is None else schedule._replace(steps=self.steps)
        if schedule.steps == 0:
            return start
        learned, metrics["won"] = SelfPlayTraining(
            self.game, self.file(what, ".pt"), schedule, self.seed, self.progress
        ).run(start)
        return learned

    def _train_value_net(self) -> tuple[Any, dict[str, float]]:
        """The parameters of the value net, with its metrics."""
        seen = self._load_or_make(
            "positions",
            [partial(make_positions, self._positions_per_source(), source) for source in self._sources(1000)],
        )
        xs, ys = (np.concatenate(arrays) for arrays in zip(*seen, strict=True))
        net, metrics = train_value_net(self._new_run("value"), xs, ys)
        value_net = read_parameters(net)
        self._write("value", value_net)
        return value_net, metrics

    def _train_policy_net(self) -> tuple[Any, DecisionData, dict[str, float]]:
        """The policy net, its training decisions, and its metrics."""
        count, nobody = self._positions_per_source() // _POSITIONS_PER_DECISION, np.zeros(0, np.float32)
        works = [partial(make_decisions, count, _ROLLOUTS, nobody, source) for source in self._sources(1000)]
        decisions = DecisionData.join(self._load_or_make("decisions", works))
        policy, metrics = train_action_net(self._new_run("policy"), decisions, POLICY_UNITS)
        return policy, decisions, metrics

    def _train_prior_net(self, value_net: Any, policy: Any, decisions: DecisionData) -> float:
        """Train the prior net; returns its gain. The policy net is changed on the way."""
        learned, some = read_parameters(policy), self.positions // _POSITIONS_PER_REPLY
        counted = zip(_REPLY_SHARES[self.game], self._sources(7000), strict=True)
        works = [partial(make_decisions, some * n, _REPLY_ROLLOUTS, learned, source) for n, source in counted]
        replies = self._load_or_make("replies", works)
        reply_decisions = DecisionData.join(replies)
        beginner, _ = train_action_net(self._new_run("beginner"), decisions, PRIOR_UNITS)
        student, _ = train_action_net(self._new_run("student"), reply_decisions, beginner)
        second = read_parameters(train_action_net(self._new_run("second"), reply_decisions, policy)[0])
        count, parts = self.positions * _SEARCH_DECISIONS_PER_1000 // 1000, _SEARCH_SEATS[self.game]
        first = len(parts) * (self.seed - 1) + 1
        sources = [DataSource(self.game, players, number) for number, players in enumerate(parts, first)]
        works = [
            partial(make_search_decisions, count, _REPLY_ROLLOUTS, second, value_net, source) for source in sources
        ]
        search_decisions = self._load_or_make("search-decisions", works)
        # Larger tables are included, or it would forget those.
        larger = [part for part, (_, players) in zip(replies, DATA_SOURCES[self.game], strict=True) if players > 2]
        prior_net, metrics = train_action_net(
            self._new_run("prior"), DecisionData.join([*search_decisions, *larger]), student
        )
        self._write("prior", round_parameters(read_parameters(prior_net)))
        return metrics["gain"]

    def _positions_per_source(self) -> int:
        """Number of positions of every part."""
        return self.positions // len(DATA_SOURCES[self.game])

    def _sources(self, chance: int) -> list[DataSource]:
        """The tables that give the examples of every part."""
        parts = DATA_SOURCES[self.game]
        return [
            DataSource(rules, players, self.seed * chance + number) for number, (rules, players) in enumerate(parts)
        ]

    def _new_run(self, name: str) -> TrainingRun:
        """The settings of a network's training run."""
        return TrainingRun(self.file(name, ".pt"), self.epochs, self.seed, self.progress)

    def _load_or_make(self, what: str, makers: Sequence[Callable[[], tuple[Any, ...]]]) -> list[list[Any]]:
        """All parts of the data as arrays, from files; missing ones are made first, in parallel."""
        files = [self.file(what, f"-{number}.npz") for number in range(len(makers))]
        missing = [task for task in zip(files, makers, strict=True) if not task[0].exists()]
        self.progress(what, len(files) - len(missing), len(files))
        workers = self.workers or count_cores()
        with closing(run_tasks(_make_arrays, missing, workers, executor=self.executor)) as results:
            for done, (file, arrays) in enumerate(results, len(files) - len(missing) + 1):
                with writing_file(file) as unfinished:
                    np.savez(unfinished, *arrays)
                self.progress(what, done, len(files))
        return [load_examples(file, decisions=what != "positions") for file in files]


def _claim_folder(file: Path, settings: dict[str, Any]) -> None:
    """Refuse a folder with other training."""
    if file.exists():
        try:
            found = json.loads(read_text(file, UsageError))
        except (ValueError, UsageError):
            raise UsageError(f"{file} cannot be read as what is being trained; name another folder") from None
        if found != settings:
            raise UsageError(f"{file} belongs to other training ({found}); name another folder")
    with writing_file(file) as unfinished:
        unfinished.write_text(json.dumps(settings) + "\n", encoding="utf-8")


def _make_arrays(task: tuple[Path, Callable[[], tuple[Any, ...]]]) -> tuple[Path, tuple[Any, ...]]:
    """Make the arrays of a file, which may be on another machine."""
    file, make = task
    return file, make()
