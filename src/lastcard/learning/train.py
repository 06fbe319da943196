"""Training the network of a game on positions of self-play; needs PyTorch (extra ``learn``).

What was made stays in a folder: the positions, a checkpoint after every epoch, in the end
``network-GAME.npy``. Training that was stopped goes on from there.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import numpy as np

from lastcard.errors import UsageError
from lastcard.kernel.network import FEATURES, HIDDEN, HIDDEN_TWO
from lastcard.learning.lessons import SEATS, lessons
from lastcard.rulesets import GAMES

_BATCH: Final = 4096
_RATE: Final = 2e-3
_HELD_BACK: Final = 25
"""One position of so many is not learned from, but asked in the end."""


def train(
    game: str,
    folder: Path,
    positions: int = 1_000_000,
    epochs: int = 10,
    seed: int = 1,
    progress: Callable[[str, int, int], None] = lambda what, done, of: None,
) -> dict[str, float]:
    """Train the network of a game, or go on with it.

    Args:
        game: one of the three games.
        folder: where everything is kept; made where it is missing.
        positions: how many to learn from.
        epochs: how often each is seen.
        seed: of all chance; the same seed on the same machine gives the same network.
        progress: told what is done, how far, and how far it goes.

    Returns:
        ``loss``: mean cross entropy of the positions held back; ``error``: root mean square error of the chance.

    Raises:
        UsageError: for an unknown game, numbers that make no sense, a folder that holds other training, or
            where PyTorch is missing.
    """
    torch = _torch()
    if game not in GAMES:
        raise UsageError(f"there is no game {game!r}; there are {', '.join(GAMES)}")
    if positions < _BATCH * 2 or epochs < 1:
        raise UsageError(f"training takes at least {_BATCH * 2} positions and one epoch")
    folder.mkdir(parents=True, exist_ok=True)
    _claim(folder / f"training-{game}.json", {"game": game, "positions": positions, "epochs": epochs, "seed": seed})
    xs, ys = _positions(game, folder, positions, seed, progress)
    net, result = _learn(torch, folder / f"checkpoint-{game}.pt", xs, ys, epochs, seed, progress)
    np.save(folder / f"network-{game}.npy", parameters(net))
    return result


def _torch() -> Any:
    try:
        import torch
    except ImportError:
        raise UsageError("training needs PyTorch: install lastcard[learn]") from None
    return torch


def _claim(file: Path, settings: dict[str, Any]) -> None:
    """Refuse a folder in which something else is being trained."""
    if file.exists():
        found = json.loads(file.read_text(encoding="utf-8"))
        if found != settings:
            raise UsageError(f"{file} is of other training ({found}); name another folder")
    file.write_text(json.dumps(settings) + "\n", encoding="utf-8")


def _positions(
    game: str, folder: Path, positions: int, seed: int, progress: Callable[[str, int, int], None]
) -> tuple[Any, Any]:
    """All positions, from files where they are there."""
    parts = []
    each = positions // len(SEATS)
    for number, players in enumerate(SEATS):
        file = folder / f"positions-{game}-{number}.npz"
        if not file.exists():
            xs, ys = lessons(game, each, players, seed * 1000 + number)
            unfinished = file.with_suffix(".part.npz")
            np.savez(unfinished, xs=xs, ys=ys)
            unfinished.replace(file)
        with np.load(file) as kept:
            parts.append((kept["xs"], kept["ys"]))
        progress("positions", number + 1, len(SEATS))
    return np.concatenate([xs for xs, _ in parts]), np.concatenate([ys for _, ys in parts])


def new_net(torch: Any) -> Any:
    """The network before it has learned anything; the form ``kernel.network.judge`` computes."""
    nn = torch.nn
    return nn.Sequential(
        nn.Linear(FEATURES, HIDDEN), nn.ReLU(), nn.Linear(HIDDEN, HIDDEN_TWO), nn.ReLU(), nn.Linear(HIDDEN_TWO, 1)
    )


def parameters(net: Any) -> Any:
    """The parameters of a net in the order of ``kernel.network``: float32."""
    parts = []
    for layer in net:
        if hasattr(layer, "weight"):
            parts += [layer.weight.detach().numpy().T.ravel(), layer.bias.detach().numpy()]
    return np.concatenate(parts).astype(np.float32)


def _learn(
    torch: Any, file: Path, xs: Any, ys: Any, epochs: int, seed: int, progress: Callable[[str, int, int], None]
) -> tuple[Any, dict[str, float]]:
    """Epochs from the last checkpoint on."""
    torch.manual_seed(seed)
    net = new_net(torch)
    optimizer = torch.optim.Adam(net.parameters(), _RATE)
    held = np.arange(len(ys)) % _HELD_BACK == 0
    learned = np.flatnonzero(~held)
    batches = len(learned) // _BATCH
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, epochs * batches)
    loss_of = torch.nn.BCEWithLogitsLoss()
    done = 0
    if file.exists():
        kept = torch.load(file, weights_only=True)
        done = kept["done"]
        for part, state in ((net, "net"), (optimizer, "optimizer"), (schedule, "schedule")):
            part.load_state_dict(kept[state])
    for epoch in range(done, epochs):
        order = np.random.default_rng([seed, epoch]).permutation(learned)
        for batch in range(batches):
            at = np.sort(order[batch * _BATCH : (batch + 1) * _BATCH])
            x, y = torch.from_numpy(xs[at].astype(np.float32)), torch.from_numpy(ys[at])
            loss = loss_of(net(x).squeeze(1), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            schedule.step()
            progress("batches", epoch * batches + batch + 1, epochs * batches)
        states = {"net": net.state_dict(), "optimizer": optimizer.state_dict(), "schedule": schedule.state_dict()}
        unfinished = file.with_suffix(".part")
        torch.save({"done": epoch + 1, **states}, unfinished)
        unfinished.replace(file)
    with torch.no_grad():
        told = net(torch.from_numpy(xs[held].astype(np.float32))).squeeze(1)
        truth = torch.from_numpy(ys[held])
        error = float(((torch.sigmoid(told) - truth) ** 2).mean().sqrt())
        return net, {"loss": float(loss_of(told, truth)), "error": error}
