"""Fitting networks to what was seen in self-play, with PyTorch; stopped work goes on from its last checkpoint."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from lastcard.ai import adviser
from lastcard.ai.actor import INPUTS, WIDTH
from lastcard.ai.network import FEATURES, HIDDEN, HIDDEN_TWO
from lastcard.errors import UsageError
from lastcard.training.kept import reading, writing
from lastcard.training.lessons import Drills

Progress = Callable[[str, int, int], None]
"""Told what is done, how far, and how far it goes."""

BATCH: Final = 4096
_RATE: Final = 2e-3
_HELD_BACK: Final = 25
"""One example of so many is not learned from, but asked in the end."""


def import_torch() -> Any:
    """PyTorch.

    Raises:
        UsageError: where it is missing.
    """
    try:
        import torch
    except ImportError:
        raise UsageError("training needs PyTorch: install lastcard[learn]") from None
    return torch


def parameters(net: Any) -> Any:
    """The parameters of a net in the order of the kernel: layer after layer, weights by input, then biases; float32."""
    parts = []
    for layer in net:
        if hasattr(layer, "weight"):
            parts.append(layer.weight.detach().numpy().T.ravel())
            if layer.bias is not None:
                parts.append(layer.bias.detach().numpy())
    return np.concatenate(parts).astype(np.float32)


def shorten(numbers: Any) -> Any:
    """The same numbers with 14 bits behind the first, rounded to even: they pack a fifth smaller, and advise as before.

    Args:
        numbers: float32, finite.
    """
    bits = numbers.view(np.uint32).astype(np.uint64)
    bits = (bits + _HALF - 1 + (bits >> _DROPPED & 1)) >> _DROPPED << _DROPPED
    return bits.astype(np.uint32).view(np.float32)


def fill(net: Any, numbers: Any) -> None:
    """Give a net the parameters that ``parameters`` has read from one of the same form.

    Args:
        net: changed.
        numbers: float32, in the order of the kernel.
    """
    torch, at = import_torch(), 0
    with torch.no_grad():
        for layer in net:
            if hasattr(layer, "weight"):
                for part in (layer.weight.T, layer.bias):
                    if part is not None:
                        part.copy_(torch.from_numpy(numbers[at : at + part.numel()]).view(part.shape))
                        at += part.numel()


@dataclass(frozen=True, slots=True)
class Fitting:
    """How a network is fitted.

    Args:
        file: of the checkpoint; its name is what ``progress`` is told of.
        epochs: how often each example is seen.
        seed: of all chance.
        progress: see ``Progress``.
        rate: of learning, at first.
    """

    file: Path
    epochs: int
    seed: int
    progress: Progress
    rate: float = _RATE


def fit_judge(how: Fitting, xs: Any, ys: Any) -> tuple[Any, dict[str, float]]:
    """Fit the network that judges positions (``mind.network``).

    Args:
        how: it is fitted.
        xs: float16 of shape (n, FEATURES).
        ys: float32 of shape (n,), shares of rounds won.

    Returns:
        The net; ``loss``: mean cross entropy of the positions held back, ``error``: root mean square error of their
        chances.
    """
    torch = import_torch()
    torch.manual_seed(how.seed)
    nn = torch.nn
    net = nn.Sequential(
        nn.Linear(FEATURES, HIDDEN), nn.ReLU(), nn.Linear(HIDDEN, HIDDEN_TWO), nn.ReLU(), nn.Linear(HIDDEN_TWO, 1)
    )
    loss_of = nn.BCEWithLogitsLoss()

    def told(at: Any) -> tuple[Any, Any]:
        return net(torch.from_numpy(xs[at].astype(np.float32))).squeeze(1), torch.from_numpy(ys[at])

    held = _fit(how, net, lambda at: loss_of(*told(at)), len(ys))
    with torch.no_grad():
        answers, truth = told(held)
        error = float(((torch.sigmoid(answers) - truth) ** 2).mean().sqrt())
        return net, {"loss": float(loss_of(answers, truth)), "error": error}


ACTOR: Final = (WIDTH,)
"""Units by layer of the network that chooses (``mind.actor``)."""
_DROPPED: Final = np.uint64(23 - 14)
_HALF: Final = np.uint64(1 << 8)
ADVISER: Final = (adviser.WIDTH, adviser.WIDTH_TWO)
"""Units by layer of the network that advises (``mind.adviser``)."""


def fit_actor(how: Fitting, drills: Drills, start: Any) -> tuple[Any, dict[str, float]]:
    """Fit a network that rates acts: to how much better each act is than the mean of all.

    Args:
        how: it is fitted.
        drills: the decisions.
        start: the net to begin with, or the units of a new one: ``ACTOR`` or ``ADVISER``.

    Returns:
        The net; ``gain``: by how much its choice wins more often than the mean of the acts, in decisions held back, and
        ``best``: the same for the act that did best in them, which luck makes too good.
    """
    torch = import_torch()
    torch.manual_seed(how.seed)
    net = new_actor(start) if isinstance(start, tuple) else start

    def told(at: Any) -> tuple[Any, Any, Any]:
        """Of each act how much better it is than the mean, as told and in truth; and its decision."""
        x, y, decision = drills.rows(at)
        groups, counts = torch.from_numpy(decision), torch.from_numpy(np.bincount(decision).astype(np.float32))
        answers = net(torch.from_numpy(x)).squeeze(1)
        truth = torch.from_numpy(y)

        def centered(values: Any) -> Any:
            return values - (torch.zeros(len(at)).index_add_(0, groups, values) / counts)[groups]

        return centered(answers), centered(truth), groups

    def loss(at: Any) -> Any:
        answers, truth, _ = told(at)
        return ((answers - truth) ** 2).mean()

    held = _fit(how, net, loss, len(drills.ends))
    with torch.no_grad():
        answers, truth, groups = told(held)

        def of_the_most(values: Any) -> float:
            most = torch.full((len(held),), -2.0).scatter_reduce(0, groups, values, "amax")
            return float(truth[values >= most[groups]].mean())

        return net, {"gain": of_the_most(answers), "best": of_the_most(truth)}


def new_actor(units: tuple[int, ...]) -> Any:
    """A net that rates acts: rectified units, and their sum by weight."""
    nn = import_torch().nn
    layers, size = [], INPUTS
    for width in units:
        layers += [nn.Linear(size, width), nn.ReLU(inplace=True)]
        size = width
    return nn.Sequential(*layers, nn.Linear(size, 1, bias=False))


def _fit(how: Fitting, net: Any, loss_of: Callable[[Any], Any], size: int) -> Any:
    """Epochs from the last checkpoint on; returns the numbers of the examples held back."""
    torch = import_torch()
    held = np.arange(size) % _HELD_BACK == 0
    learned = np.flatnonzero(~held)
    batches = len(learned) // BATCH
    optimizer, length = torch.optim.Adam(net.parameters(), how.rate), how.epochs * batches
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, length)
    parts = {"net": net, "optimizer": optimizer, "schedule": schedule}
    done = 0
    if how.file.exists():
        with reading(how.file, "checkpoint", "this network is fitted from the start"):
            kept = torch.load(how.file, weights_only=True)
            done = kept["done"]
            for name, part in parts.items():
                part.load_state_dict(kept[name])
            if not 0 < done <= how.epochs or schedule.T_max != length:
                raise ValueError("of other length")
    for epoch in range(done, how.epochs):
        order = np.random.default_rng([how.seed, epoch]).permutation(learned)
        for batch in range(batches):
            loss = loss_of(np.sort(order[batch * BATCH : (batch + 1) * BATCH]))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            schedule.step()
            how.progress(how.file.stem, epoch * batches + batch + 1, length)
        with writing(how.file) as unfinished:
            torch.save({"done": epoch + 1} | {name: part.state_dict() for name, part in parts.items()}, unfinished)
    return np.flatnonzero(held)
