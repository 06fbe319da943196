"""Supervised training of networks on self-play data, with PyTorch; it resumes from its last checkpoint."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from lastcard.ai import prior_net
from lastcard.ai.policy_net import HIDDEN_UNITS, INPUTS
from lastcard.ai.value_net import FEATURES, HIDDEN_ONE, HIDDEN_TWO
from lastcard.errors import UsageError
from lastcard.training.checkpoints import reading_checkpoint, writing_file
from lastcard.training.position_data import DecisionData

Progress = Callable[[str, int, int], None]
"""Callback for the name of the work, its progress and its total."""

BATCH: Final = 4096
_LEARNING_RATE: Final = 2e-3
_HOLDOUT_EVERY: Final = 25
"""One of this many examples is held out for validation."""


def import_torch() -> Any:
    """Returns the module of PyTorch; raises a UsageError if it is missing."""
    try:
        import torch
    except ImportError:
        raise UsageError("training needs PyTorch: install lastcard[learn]") from None
    return torch


def read_parameters(net: Any) -> Any:
    """The parameters of a net in the order of the kernel: layer after layer, weights by input, then biases; float32."""
    parts = []
    for layer in net:
        if hasattr(layer, "weight"):
            parts.append(layer.weight.detach().numpy().T.ravel())
            if layer.bias is not None:
                parts.append(layer.bias.detach().numpy())
    return np.concatenate(parts).astype(np.float32)


def round_parameters(numbers: Any) -> Any:
    """The float32 numbers rounded to even with 14 fraction bits: they compress a fifth better, with the same play."""
    bits = numbers.view(np.uint32).astype(np.uint64)
    bits = (bits + _HALF_STEP - 1 + (bits >> _DROPPED_BITS & 1)) >> _DROPPED_BITS << _DROPPED_BITS
    return bits.astype(np.uint32).view(np.float32)


def load_parameters(net: Any, numbers: Any) -> None:
    """Set the parameters of a net to those that ``read_parameters`` read from one of the same form."""
    torch, at = import_torch(), 0
    with torch.no_grad():
        for layer in net:
            if hasattr(layer, "weight"):
                for part in (layer.weight.T, layer.bias):
                    if part is not None:
                        part.copy_(torch.from_numpy(numbers[at : at + part.numel()]).view(part.shape))
                        at += part.numel()


@dataclass(frozen=True, slots=True)
class TrainingRun:
    """The settings of a training run."""

    file: Path
    """Path of the checkpoint; its name is passed to ``progress``."""
    epochs: int
    """Number of passes over the examples."""
    seed: int
    progress: Progress
    learning_rate: float = _LEARNING_RATE


def train_value_net(run: TrainingRun, xs: Any, ys: Any) -> tuple[Any, dict[str, float]]:
    """Train a value net (``ai.value_net``).

    Args:
        xs: float16 of shape (n, FEATURES).
        ys: float32 of shape (n,), shares of rounds won.

    Returns:
        The net; ``loss``: mean cross entropy of the held-out positions, ``error``: root mean square error of their
        chances.
    """
    torch = import_torch()
    torch.manual_seed(run.seed)
    nn = torch.nn
    net = nn.Sequential(
        nn.Linear(FEATURES, HIDDEN_ONE),
        nn.ReLU(),
        nn.Linear(HIDDEN_ONE, HIDDEN_TWO),
        nn.ReLU(),
        nn.Linear(HIDDEN_TWO, 1),
    )
    loss_of = nn.BCEWithLogitsLoss()

    def predict(at: Any) -> tuple[Any, Any]:
        return net(torch.from_numpy(xs[at].astype(np.float32))).squeeze(1), torch.from_numpy(ys[at])

    holdout = _train(run, net, lambda at: loss_of(*predict(at)), len(ys))
    with torch.no_grad():
        predictions, truth = predict(holdout)
        error = float(((torch.sigmoid(predictions) - truth) ** 2).mean().sqrt())
        return net, {"loss": float(loss_of(predictions, truth)), "error": error}


POLICY_UNITS: Final = (HIDDEN_UNITS,)
"""Units by layer of the policy net (``ai.policy_net``)."""
_DROPPED_BITS: Final = np.uint64(23 - 14)
_HALF_STEP: Final = np.uint64(1 << 8)
PRIOR_UNITS: Final = (prior_net.HIDDEN_UNITS, prior_net.SECOND_UNITS)
"""Units by layer of the prior net (``ai.prior_net``)."""


def train_action_net(run: TrainingRun, decisions: DecisionData, start: Any) -> tuple[Any, dict[str, float]]:
    """Train a network that rates moves by how much better each is than the mean of all.

    Args:
        start: initial net, or the units of a new one: ``POLICY_UNITS`` or ``PRIOR_UNITS``.

    Returns:
        The net; ``gain``: how much more often than the mean of the moves its choice wins in held-out decisions, and
        ``best``: the same for the best move in hindsight, which is biased upwards.
    """
    torch = import_torch()
    torch.manual_seed(run.seed)
    net = new_action_net(start) if isinstance(start, tuple) else start

    def predict(at: Any) -> tuple[Any, Any, Any]:
        """For each move its lead over the mean, predicted and true, and its decision."""
        x, y, decision = decisions.rows(at)
        groups, counts = torch.from_numpy(decision), torch.from_numpy(np.bincount(decision).astype(np.float32))
        answers = net(torch.from_numpy(x)).squeeze(1)
        truth = torch.from_numpy(y)

        def centered(values: Any) -> Any:
            return values - (torch.zeros(len(at)).index_add_(0, groups, values) / counts)[groups]

        return centered(answers), centered(truth), groups

    def loss(at: Any) -> Any:
        answers, truth, _ = predict(at)
        return ((answers - truth) ** 2).mean()

    holdout = _train(run, net, loss, len(decisions.ends))
    with torch.no_grad():
        answers, truth, groups = predict(holdout)

        def share_of_best(values: Any) -> float:
            most = torch.full((len(holdout),), -2.0).scatter_reduce(0, groups, values, "amax")
            return float(truth[values >= most[groups]].mean())

        return net, {"gain": share_of_best(answers), "best": share_of_best(truth)}


def new_action_net(units: tuple[int, ...]) -> Any:
    """A net that rates moves: rectified units, and their weighted sum."""
    nn = import_torch().nn
    layers, size = [], INPUTS
    for width in units:
        layers += [nn.Linear(size, width), nn.ReLU(inplace=True)]
        size = width
    return nn.Sequential(*layers, nn.Linear(size, 1, bias=False))


def take_step(optimizer: Any, loss: Any) -> None:
    """Change the parameters of an optimizer by the gradient of a loss."""
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()


def _train(run: TrainingRun, net: Any, loss_of: Callable[[Any], Any], size: int) -> Any:
    """Run the epochs after the last checkpoint; returns the indices of the held-out examples."""
    torch = import_torch()
    is_holdout = np.arange(size) % _HOLDOUT_EVERY == 0
    training = np.flatnonzero(~is_holdout)
    batches = len(training) // BATCH
    optimizer, length = torch.optim.Adam(net.parameters(), run.learning_rate), run.epochs * batches
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, length)
    parts = {"net": net, "optimizer": optimizer, "schedule": schedule}
    done = 0
    if run.file.exists():
        with reading_checkpoint(run.file, "checkpoint", "this network is fitted from the start"):
            checkpoint = torch.load(run.file, weights_only=True)
            done = checkpoint["done"]
            for name, part in parts.items():
                part.load_state_dict(checkpoint[name])
            if not 0 < done <= run.epochs or schedule.T_max != length:
                raise ValueError("of other length")
    for epoch in range(done, run.epochs):
        order = np.random.default_rng([run.seed, epoch]).permutation(training)
        for batch in range(batches):
            take_step(optimizer, loss_of(np.sort(order[batch * BATCH : (batch + 1) * BATCH])))
            schedule.step()
            run.progress(run.file.stem, epoch * batches + batch + 1, length)
        with writing_file(run.file) as unfinished:
            torch.save({"done": epoch + 1} | {name: part.state_dict() for name, part in parts.items()}, unfinished)
    return np.flatnonzero(is_holdout)
