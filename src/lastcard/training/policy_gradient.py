"""Self-play, the last stage of training: a network that rates moves plays itself and repeats what gained."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np

from lastcard.ai.opponent_memory import MEMORY_COLUMNS
from lastcard.ai.policy_features import ACTION, STATE
from lastcard.ai.policy_net import HIDDEN_UNITS
from lastcard.bots.weights import heuristic_weights
from lastcard.errors import UsageError
from lastcard.rules.layout import MAX_ACTIONS, MAX_SEATS
from lastcard.training import ppo
from lastcard.training.checkpoints import reading_checkpoint, writing_file
from lastcard.training.compiled.selfplay import (
    HEURISTIC,
    HIDDEN_INPUTS,
    OPPONENTS,
    SNAPSHOT,
    SelfPlay,
    Trajectories,
    compute_advantages,
    play_rounds,
)
from lastcard.training.position_data import DATA_SOURCES, DataSource, DecisionData, new_dice, new_rater, new_states
from lastcard.training.ppo import PolicyBatch
from lastcard.training.supervised import (
    POLICY_UNITS,
    Progress,
    import_torch,
    load_parameters,
    new_action_net,
    read_parameters,
)

STEP_DECISIONS: Final = 65_536
"""Number of decisions in a step."""
BATCH_DECISIONS: Final = 4096
_ACTIONS_PER_DECISION: Final = 14
"""Array space for moves, as their mean number in a decision."""
_TWO_SEAT_SHARE: Final = 0.7
"""Share of a step's decisions from tables of two; the rest come from one of the larger tables in turn."""
_LOGIT_SCALE: Final = 100.0
"""Factor that turns ratings in shares of rounds into logarithms of probabilities at first."""
_LEARNING_RATE: Final = 3e-4
_CRITIC_LEARNING_RATE: Final = 1e-3
_CRITIC_WARM_UP_STEPS: Final = 4
"""Number of steps in which only the critic learns."""
_GAE_LAMBDA: Final = 0.9
"""The lambda of ``selfplay.compute_advantages``."""
_AVERAGE_DECAY: Final = 0.98
"""Decay of the mean of the weights: it spans some fifty steps."""
CHECKPOINT_STEPS: Final = 50
"""Number of steps between two checkpoints, each of which also saves a snapshot to play against."""


class TrainingSchedule(NamedTuple):
    """The schedule of self-play."""

    steps: int
    """Number of steps; each takes ``STEP_DECISIONS`` decisions and learns from them once."""
    entropy_coefficients: tuple[float, float]
    """Value of a nat of entropy, in rounds: at first, and in the end."""
    may_repeat_draws: bool
    """Whether two players may draw voluntarily on turns in succession."""


SINGLE_DRAW: Final = TrainingSchedule(300, (0.01, 0.003), may_repeat_draws=False)
REPEATED_DRAWS: Final = TrainingSchedule(800, (0.01, 0.0005), may_repeat_draws=True)


class RolloutCollector:
    """Plays rounds for training, and owns the arrays of their decisions, at most ``size``."""

    def __init__(self, size: int, may_repeat_draws: bool) -> None:
        self._may_repeat_draws = may_repeat_draws
        self._trajectories = Trajectories(
            xs=np.zeros((size, STATE), np.float32),
            hidden=np.zeros((size, HIDDEN_INPUTS), np.float32),
            action_inputs=np.zeros((size * _ACTIONS_PER_DECISION, ACTION), np.float32),
            ends=np.zeros(size, np.int64),
            chosen=np.zeros(size, np.int64),
            probabilities=np.zeros(size, np.float32),
            round_numbers=np.zeros(size, np.int64),
            seats=np.zeros(size, np.int64),
            won=np.zeros(size, np.float32),
            tally=np.zeros((OPPONENTS, 2), np.int64),
        )

    def collect(
        self, sources: Sequence[tuple[DataSource, float]], learner: Any, snapshot: Any, critic: Any
    ) -> tuple[PolicyBatch, Any]:
        """Play rounds of several sources, one after the other.

        Args:
            sources: sources of rounds, each with its share of the decisions.

        Returns:
            The decisions, valid until the next call; int64[OPPONENTS, 2]: the learner's rounds against each kind of
            opponent in the first source, and its wins in them.
        """
        whole = self._trajectories
        values, advantages = (np.zeros_like(whole.won) for _ in range(2))
        begin, row, share, tally = 0, 0, 0.0, whole.tally
        for source, part in sources:
            share += part
            end, last = round(share * len(whole.won)), round(share * len(whole.action_inputs))
            trajectories = _slice_trajectories(whole, slice(begin, end), slice(row, last))
            self_play = new_self_play(source, learner, snapshot, self._may_repeat_draws)
            done = begin + play_rounds(self_play, new_dice(source), trajectories)
            now = slice(begin, done)
            values[now] = ppo.predict_values(critic, whole.xs[now], whole.hidden[now])
            compute_advantages(
                source.players, trajectories, values[now], _GAE_LAMBDA, np.zeros(MAX_SEATS, np.int64), advantages[now]
            )
            whole.ends[now] += row
            if begin == 0:
                tally = trajectories.tally
            begin, row = done, int(whole.ends[done - 1])
        decisions = DecisionData(whole.xs[:begin], whole.action_inputs[:row], whole.ends[:begin], advantages[:0])
        value_targets = np.clip(values + advantages, 0, 1)[:begin]
        return PolicyBatch(
            decisions, whole.hidden, whole.chosen, whole.probabilities, advantages[:begin], value_targets
        ), tally


def new_self_play(source: DataSource, learner: Any, snapshot: Any, may_repeat_draws: bool) -> SelfPlay:
    """The self-play data of a table, for the parameters of two policy nets (``ai.policy_net``)."""
    return SelfPlay(
        states=new_states(source)[:1],
        opponent_memory=np.zeros((MAX_SEATS, MEMORY_COLUMNS), np.int64),
        draw_history=np.zeros((MAX_SEATS, 2), np.int64),
        learner=new_rater(learner, source.rules),
        snapshot=new_rater(snapshot, source.rules),
        w=heuristic_weights(source.rules, source.players),
        choices=np.zeros(MAX_ACTIONS, np.int64),
        out=np.zeros(MAX_ACTIONS, np.int64),
        may_repeat_draws=int(may_repeat_draws),
    )


def _slice_trajectories(trajectories: Trajectories, decisions: slice, rows: slice) -> Trajectories:
    """The arrays of some decisions, with a separate tally."""
    each = {name: array[decisions] for name, array in trajectories._asdict().items()}
    own = {"action_inputs": trajectories.action_inputs[rows], "tally": np.zeros_like(trajectories.tally)}
    return Trajectories(**each | own)


class PolicyLearner:
    """A network that learns, its critic, and its snapshot.

    Args:
        start: parameters of the network (``ai.policy_net``), with ratings as logarithms of probabilities.
        schedule: schedule whose steps set the number of updates: the learning rate falls in the second half.
    """

    def __init__(self, start: Any, seed: int, schedule: TrainingSchedule) -> None:
        torch = import_torch()
        torch.manual_seed(seed)
        self.policy, self.critic = new_action_net(POLICY_UNITS), ppo.new_critic()
        load_parameters(self.policy, start)
        self._optimizer = torch.optim.Adam(self.policy.parameters(), _LEARNING_RATE)
        self._critic_optimizer = torch.optim.Adam(self.critic.parameters(), _CRITIC_LEARNING_RATE)
        self._steps, self._entropy_coefficients = schedule.steps, schedule.entropy_coefficients
        self.steps_done = 0
        self.average = np.array(start)
        self.snapshots = [np.array(start)]
        self.curve: list[dict[str, float]] = []

    def update(self, batch: PolicyBatch, rng: np.random.Generator) -> float:
        """Learn once from every decision of a batch; returns the mean entropy of a decision, in nats."""
        done = self.steps_done / self._steps
        for optimizer, rate in ((self._optimizer, _LEARNING_RATE), (self._critic_optimizer, _CRITIC_LEARNING_RATE)):
            optimizer.param_groups[0]["lr"] = rate * min(1.0, 2 - 2 * done)
        first, last = self._entropy_coefficients
        entropies = []
        order = rng.permutation(len(batch.advantages))
        for at in np.array_split(order, max(1, len(order) // BATCH_DECISIONS)):
            at.sort()
            ppo.update_critic(self.critic, self._critic_optimizer, batch, at)
            if self.steps_done >= _CRITIC_WARM_UP_STEPS:
                entropy_coefficient = first + (last - first) * done
                entropies.append(ppo.update_policy(self.policy, self._optimizer, batch, at, entropy_coefficient))
        self.average = _AVERAGE_DECAY * self.average + (1 - _AVERAGE_DECAY) * read_parameters(self.policy)
        self.steps_done += 1
        return float(np.mean(entropies or [0.0]))

    def save(self, file: Path) -> None:
        """Write the whole state into a checkpoint."""
        torch = import_torch()
        arrays = {"average": torch.from_numpy(self.average), "snapshots": torch.from_numpy(np.array(self.snapshots))}
        states = {name: part.state_dict() for name, part in self._parts().items()}
        with writing_file(file) as unfinished:
            torch.save(
                {"steps": self._steps, "done": self.steps_done, "curve": self.curve} | arrays | states, unfinished
            )

    def restore(self, file: Path) -> None:
        """Restore the state from a checkpoint of self-play of this length; raises a UsageError for any other file."""
        with reading_checkpoint(file, "checkpoint of practice", "practice begins anew"):
            checkpoint = import_torch().load(file, weights_only=True)
            if checkpoint["steps"] != self._steps:
                raise UsageError(
                    f"{file} belongs to practice of {checkpoint['steps']} steps, not {self._steps}; name another folder"
                )
            self.steps_done, self.curve = checkpoint["done"], checkpoint["curve"]
            self.snapshots = list(checkpoint["snapshots"].numpy())
            if any(snapshot.shape != self.average.shape for snapshot in (checkpoint["average"], *self.snapshots)):
                raise ValueError("networks of another size")
            if (
                not 0 < self.steps_done <= self._steps
                or self.curve[-1]["steps"] != self.steps_done
                or "sharp" not in self.curve[-1]
            ):
                raise ValueError("a curve of other practice")
            self.average = checkpoint["average"].numpy()
            for name, part in self._parts().items():
                part.load_state_dict(checkpoint[name])

    def _parts(self) -> dict[str, Any]:
        return {
            "net": self.policy,
            "critic": self.critic,
            "optimizer": self._optimizer,
            "critic_optimizer": self._critic_optimizer,
        }


@dataclass(frozen=True, slots=True)
class SelfPlayTraining:
    """The self-play of a network that rates moves."""

    game: str
    file: Path
    """Path of the checkpoint; its name is passed to ``progress``, and the curve has that name with ``.json``."""
    schedule: TrainingSchedule
    seed: int
    progress: Progress

    def run(self, start: Any) -> tuple[Any, float]:
        """Train by self-play, from the last checkpoint on.

        Args:
            start: parameters of the initial network (``ai.policy_net``), with ratings in shares of rounds.

        Returns:
            Parameters of the same form, the mean of the last steps; and the share of the last rounds of two that it won
            against rules of thumb, while it sampled its moves.
        """
        collector = RolloutCollector(STEP_DECISIONS, self.schedule.may_repeat_draws)
        learner = PolicyLearner(scale_ratings(start, _LOGIT_SCALE), self.seed, self.schedule)
        steps = self.schedule.steps
        if self.file.exists():
            learner.restore(self.file)
        tally, entropy = np.zeros((OPPONENTS, 2), np.int64), 0.0
        for step in range(learner.steps_done, steps):
            rng = np.random.default_rng([self.seed, step])
            snapshot = learner.snapshots[rng.integers(len(learner.snapshots))]
            batch, counted = collector.collect(
                self._sources(step), read_parameters(learner.policy), snapshot, learner.critic
            )
            tally += counted
            entropy = learner.update(batch, rng)
            if learner.steps_done % CHECKPOINT_STEPS == 0 or learner.steps_done == steps:
                learner.curve.append(_curve_point(learner.steps_done, entropy, tally))
                learner.snapshots.append(read_parameters(learner.policy))
                learner.save(self.file)
                with writing_file(self.file.with_suffix(".json")) as unfinished:
                    unfinished.write_text(json.dumps(learner.curve, indent=1) + "\n", encoding="utf-8")
                tally[:] = 0
            self.progress(self.file.stem, learner.steps_done, steps)
        return scale_ratings(learner.average, 1 / _LOGIT_SCALE), learner.curve[-1]["sharp"]

    def _sources(self, step: int) -> list[tuple[DataSource, float]]:
        """The tables of a step: two seats, and one other; each with its own deals."""
        (rules, players), *others = DATA_SOURCES[self.game]
        others = [part for part in others if part != (rules, players)]
        number = 2 * (step + self.seed * 1_000_000)
        other = DataSource(*others[step % len(others)], number + 1)
        return [(DataSource(rules, players, number), _TWO_SEAT_SHARE), (other, 1 - _TWO_SEAT_SHARE)]


def _curve_point(done: int, entropy: float, tally: Any) -> dict[str, float]:
    """A point of the curve: the shares of rounds won since the last point, by opponent."""
    shares = (tally[:, 1] / np.maximum(tally[:, 0], 1)).tolist()
    return {"steps": done, "entropy": entropy, "snapshot": shares[SNAPSHOT], "sharp": shares[HEURISTIC]}


def scale_ratings(numbers: Any, by: float) -> Any:
    """Parameters of a policy net with its ratings multiplied by a positive factor: a copy with another last layer."""
    last = len(numbers) - HIDDEN_UNITS
    return np.concatenate([numbers[:last], numbers[last:] * np.float32(by)])
