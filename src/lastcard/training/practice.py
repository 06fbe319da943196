"""Practice, the last stage of training: a network that rates acts plays against itself and does more of what gained."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np

from lastcard.ai.actor import ROOM, WIDTH, Rater
from lastcard.ai.memory import MEMORY
from lastcard.ai.sight import ACT, STATE
from lastcard.bots.desk import count_deck
from lastcard.bots.learned import thumb_weights
from lastcard.errors import UsageError
from lastcard.rules.layout import MAX_ACTIONS, MAX_SEATS
from lastcard.training import gradients
from lastcard.training.compiled.selfplay import CASTS, ELDER, HIDDEN, THUMB, Lived, Play, play_rounds, spread
from lastcard.training.fit import ACTOR, Progress, fill, import_torch, new_actor, parameters
from lastcard.training.gradients import Lesson
from lastcard.training.kept import reading, writing
from lastcard.training.lessons import PARTS, Drills, Source, new_dice, new_tables

SIZE: Final = 65_536
"""Decisions of a step."""
BATCH: Final = 4096
_ROOM: Final = 14
"""Room for so many acts a decision, in the mean of all."""
_TWO: Final = 0.7
"""Of the decisions of a step, how many come from two seats; the rest from one of the other tables in turn."""
_SHARPNESS: Final = 100.0
"""What ratings, as shares of rounds, are multiplied by to be logarithms of chances at first."""
_RATE: Final = 3e-4
_CRITIC_RATE: Final = 1e-3
_WARM: Final = 4
"""Steps in which the critic learns alone."""
_KEEP: Final = 0.9
"""See ``selfplay.spread``."""
_MEAN: Final = 0.98
"""How much of the mean of the weights is kept at a step: it goes back some fifty."""
PAUSE: Final = 50
"""Steps between two checkpoints; after so many the network is kept as an elder to play against."""


class Plan(NamedTuple):
    """How one practices."""

    steps: int
    """How many; each takes ``SIZE`` decisions and learns from them once."""
    spread: tuple[float, float]
    """What a nat of entropy is worth, in rounds: at first, and in the end."""
    patient: bool
    """Whether two players may draw for choice on turns in succession."""


HASTY: Final = Plan(300, (0.01, 0.003), patient=False)
PATIENT: Final = Plan(800, (0.01, 0.0005), patient=True)


class Games:
    """Rounds to learn from, and the memory they are written into.

    Args:
        size: decisions a time, at most.
        patient: see ``Plan``.
    """

    def __init__(self, size: int, patient: bool) -> None:
        self._patient = patient
        self._lived = Lived(
            xs=np.zeros((size, STATE), np.float32),
            hidden=np.zeros((size, HIDDEN), np.float32),
            acts=np.zeros((size * _ROOM, ACT), np.float32),
            ends=np.zeros(size, np.int64),
            chosen=np.zeros(size, np.int64),
            chances=np.zeros(size, np.float32),
            rounds=np.zeros(size, np.int64),
            seats=np.zeros(size, np.int64),
            won=np.zeros(size, np.float32),
            tally=np.zeros((CASTS, 2), np.int64),
        )

    def play(
        self, sources: Sequence[tuple[Source, float]], learner: Any, elder: Any, critic: Any
    ) -> tuple[Lesson, Any]:
        """Play at some tables, one after the other.

        Args:
            sources: the tables, and which part of the decisions each may fill.
            learner: parameters of who learns (``mind.actor``).
            elder: the same of what it was before.
            critic: tells what was to be expected.

        Returns:
            The decisions, valid until the next call; int64[CASTS, 2], rounds that the learner played alone against
            others at the first table, and won.
        """
        whole = self._lived
        values, gains = (np.zeros_like(whole.won) for _ in range(2))
        begin, row, room, tally = 0, 0, 0.0, whole.tally
        for source, part in sources:
            room += part
            end, last = round(room * len(whole.won)), round(room * len(whole.acts))
            lived = _part(whole, slice(begin, end), slice(row, last))
            done = begin + play_rounds(self._cast(source, learner, elder), new_dice(source), lived)
            now = slice(begin, done)
            values[now] = gradients.expect(critic, whole.xs[now], whole.hidden[now])
            spread(source.players, lived, values[now], _KEEP, np.zeros(MAX_SEATS, np.int64), gains[now])
            whole.ends[now] += row
            if begin == 0:
                tally = lived.tally
            begin, row = done, int(whole.ends[done - 1])
        drills = Drills(whole.xs[:begin], whole.acts[:row], whole.ends[:begin], gains[:0])
        hoped = np.clip(values + gains, 0, 1)[:begin]
        return Lesson(drills, whole.hidden, whole.chosen, whole.chances, gains[:begin], hoped), tally

    def _cast(self, source: Source, learner: Any, elder: Any) -> Play:
        """A table, and who plays at it."""
        deck = count_deck(source.rules)

        def rater(net: Any) -> Rater:
            return Rater(np.array(net), deck, np.zeros(ROOM, np.float32), np.zeros(MAX_ACTIONS))

        return Play(
            tables=new_tables(source)[:1],
            m=np.zeros((MAX_SEATS, MEMORY), np.int64),
            waits=np.zeros((MAX_SEATS, 2), np.int64),
            learner=rater(learner),
            elder=rater(elder),
            w=thumb_weights(source.rules, source.players),
            choices=np.zeros(MAX_ACTIONS, np.int64),
            out=np.zeros(MAX_ACTIONS, np.int64),
            patient=int(self._patient),
        )


def _part(lived: Lived, decisions: slice, rows: slice) -> Lived:
    """Room for some of the decisions, and a tally of its own."""
    each = {name: array[decisions] for name, array in lived._asdict().items()}
    return Lived(**each | {"acts": lived.acts[rows], "tally": np.zeros_like(lived.tally)})


class Learner:
    """A network that learns, its critic, and what was.

    Args:
        start: parameters of the network (``mind.actor``), its ratings as logarithms of chances.
        seed: of its critic.
        plan: its steps are how many lessons there are in all: the rate of learning falls in the second half.
    """

    def __init__(self, start: Any, seed: int, plan: Plan) -> None:
        torch = import_torch()
        torch.manual_seed(seed)
        self.net, self.critic = new_actor(ACTOR), gradients.new_critic()
        fill(self.net, start)
        self._optimizer = torch.optim.Adam(self.net.parameters(), _RATE)
        self._critic_optimizer = torch.optim.Adam(self.critic.parameters(), _CRITIC_RATE)
        self._steps, self._spread = plan.steps, plan.spread
        self.done = 0
        self.mean = np.array(start)
        self.elders = [np.array(start)]
        self.curve: list[dict[str, float]] = []

    def learn(self, lesson: Lesson, rng: np.random.Generator) -> float:
        """Learn from every decision of a lesson once.

        Args:
            lesson: played by this network.
            rng: in which order.

        Returns:
            The entropy of a decision, in nats.
        """
        done = self.done / self._steps
        for optimizer, rate in ((self._optimizer, _RATE), (self._critic_optimizer, _CRITIC_RATE)):
            optimizer.param_groups[0]["lr"] = rate * min(1.0, 2 - 2 * done)
        first, last = self._spread
        entropies = []
        order = rng.permutation(len(lesson.gains))
        for at in np.array_split(order, max(1, len(order) // BATCH)):
            at.sort()
            gradients.learn_critic(self.critic, self._critic_optimizer, lesson, at)
            if self.done >= _WARM:
                spread = first + (last - first) * done
                entropies.append(gradients.learn(self.net, self._optimizer, lesson, at, spread))
        self.mean = _MEAN * self.mean + (1 - _MEAN) * parameters(self.net)
        self.done += 1
        return float(np.mean(entropies or [0.0]))

    def keep(self, file: Path) -> None:
        """Write everything into a checkpoint."""
        torch = import_torch()
        arrays = {"mean": torch.from_numpy(self.mean), "elders": torch.from_numpy(np.array(self.elders))}
        states = {name: part.state_dict() for name, part in self._parts().items()}
        with writing(file) as unfinished:
            torch.save({"steps": self._steps, "done": self.done, "curve": self.curve} | arrays | states, unfinished)

    def restore(self, file: Path) -> None:
        """Go on from a checkpoint.

        Raises:
            UsageError: where it belongs to practice of another length, or cannot be read as a checkpoint of practice.
        """
        with reading(file, "checkpoint of practice", "practice begins anew"):
            kept = import_torch().load(file, weights_only=True)
            if kept["steps"] != self._steps:
                raise UsageError(
                    f"{file} belongs to practice of {kept['steps']} steps, not {self._steps}; name another folder"
                )
            self.done, self.curve, self.elders = kept["done"], kept["curve"], list(kept["elders"].numpy())
            if any(elder.shape != self.mean.shape for elder in (kept["mean"], *self.elders)):
                raise ValueError("networks of another size")
            if (
                not 0 < self.done <= self._steps
                or self.curve[-1]["steps"] != self.done
                or "sharp" not in self.curve[-1]
            ):
                raise ValueError("a curve of other practice")
            self.mean = kept["mean"].numpy()
            for name, part in self._parts().items():
                part.load_state_dict(kept[name])

    def _parts(self) -> dict[str, Any]:
        return {
            "net": self.net,
            "critic": self.critic,
            "optimizer": self._optimizer,
            "critic_optimizer": self._critic_optimizer,
        }


@dataclass(frozen=True, slots=True)
class Practice:
    """The practice of a network that rates acts.

    Args:
        game: one of the three games.
        file: of the checkpoint; its name is what ``progress`` is told of, and that of the curve, ``.json``.
        plan: how.
        seed: of all chance.
        progress: see ``fit.Progress``.
    """

    game: str
    file: Path
    plan: Plan
    seed: int
    progress: Progress

    def run(self, start: Any) -> tuple[Any, float]:
        """Practice, from the last checkpoint on.

        Args:
            start: parameters of the network to begin with (``mind.actor``), which rates acts in shares of rounds.

        Returns:
            Parameters of the same form, the mean of the last steps; and which share of the last rounds at two seats it
            won against rules of thumb, while it drew its acts.
        """
        games, learner = Games(SIZE, self.plan.patient), Learner(sharpen(start, _SHARPNESS), self.seed, self.plan)
        steps = self.plan.steps
        if self.file.exists():
            learner.restore(self.file)
        tally, entropy = np.zeros((CASTS, 2), np.int64), 0.0
        for step in range(learner.done, steps):
            rng = np.random.default_rng([self.seed, step])
            elder = learner.elders[rng.integers(len(learner.elders))]
            lesson, counted = games.play(self._sources(step), parameters(learner.net), elder, learner.critic)
            tally += counted
            entropy = learner.learn(lesson, rng)
            if learner.done % PAUSE == 0 or learner.done == steps:
                learner.curve.append(_point(learner.done, entropy, tally))
                learner.elders.append(parameters(learner.net))
                learner.keep(self.file)
                with writing(self.file.with_suffix(".json")) as unfinished:
                    unfinished.write_text(json.dumps(learner.curve, indent=1) + "\n", encoding="utf-8")
                tally[:] = 0
            self.progress(self.file.stem, learner.done, steps)
        return sharpen(learner.mean, 1 / _SHARPNESS), learner.curve[-1]["sharp"]

    def _sources(self, step: int) -> list[tuple[Source, float]]:
        """The tables of a step: two seats, and one other; deals of their own."""
        (rules, players), *others = PARTS[self.game]
        others = [part for part in others if part != (rules, players)]
        number = 2 * (step + self.seed * 1_000_000)
        other = Source(*others[step % len(others)], number + 1)
        return [(Source(rules, players, number), _TWO), (other, 1 - _TWO)]


def _point(done: int, entropy: float, tally: Any) -> dict[str, float]:
    """A point of the curve: which shares of the rounds since the last one were won against whom."""
    shares = (tally[:, 1] / np.maximum(tally[:, 0], 1)).tolist()
    return {"steps": done, "entropy": entropy, "elder": shares[ELDER], "sharp": shares[THUMB]}


def sharpen(numbers: Any, by: float) -> Any:
    """Parameters of a network of the form of ``actor`` whose ratings are so many times as large.

    Args:
        numbers: float32, changed nowhere but in the last layer.
        by: positive.
    """
    last = len(numbers) - WIDTH
    return np.concatenate([numbers[:last], numbers[last:] * np.float32(by)])
