"""Training what the bots of a game have learned: the network that judges and the one that chooses.

Needs PyTorch (extra ``learn``). What was made stays in a folder: positions and decisions, a checkpoint after every
epoch, in the end ``network-GAME.npy`` and ``policy-GAME.npy``. Training that was stopped goes on from there.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, Final

import numpy as np

from lastcard.errors import UsageError
from lastcard.learning.fit import BATCH, Progress, fit_actor, fit_judge, import_torch, parameters
from lastcard.learning.lessons import PARTS, Drills, drills, lessons
from lastcard.rulesets import GAMES

_DECISIONS: Final = 2
"""One decision played out by rules of thumb to so many positions."""
_REPLIES: Final = {
    "all-wild": (1,) * 10,
    "classic": (8, 8, 8, 2, 4, 4, 2, 2, 2, 2),
    "wild-jackpot": (1,) * 10,
}
_REPLIES_SHARE: Final = 80
"""Of each part, how many decisions are played out by what was learned from those: one to so many positions. Classic,
which has most to win by choosing well, has more of them, and most at two seats."""
_FEWEST: Final = 16 * BATCH
"""Positions with which there is a batch of replies to learn from."""
_TRIES: Final = 16
_REPLY_TRIES: Final = 4
"""How often each act of a decision is played out; what was learned takes longer than rules of thumb."""


def train(
    game: str,
    folder: Path,
    positions: int = 1_000_000,
    epochs: int = 10,
    seed: int = 1,
    progress: Progress = lambda what, done, of: None,
) -> dict[str, float]:
    """Train the networks of a game, or go on with it.

    One judges positions; one chooses, taught by rounds that rules of thumb played out; one advises search, taught by
    rounds that the second played out.

    Args:
        game: one of the three games.
        folder: where everything is kept; made where it is missing.
        positions: how many to learn from; the two others learn from about half as many decisions, or fewer.
        epochs: how often each is seen.
        seed: of all chance; the same seed on the same machine gives the same networks.
        progress: told what is done, how far, and how far it goes.

    Returns:
        What ``fit_judge`` and ``fit_actor`` say of those held back; of the adviser the ``advice``, its ``gain``.

    Raises:
        UsageError: for an unknown game, numbers that make no sense, a folder that holds other training, or
            where PyTorch is missing.
    """
    import_torch()
    if game not in GAMES:
        raise UsageError(f"there is no game {game!r}; there are {', '.join(GAMES)}")
    if positions < _FEWEST or epochs < 1:
        raise UsageError(f"training takes at least {_FEWEST} positions and one epoch")
    folder.mkdir(parents=True, exist_ok=True)
    _claim(folder / f"training-{game}.json", {"game": game, "positions": positions, "epochs": epochs, "seed": seed})
    parts = PARTS[game]

    def make(what: str, chance: int, work: Callable[[int, str, int, int], tuple[Any, ...]]) -> list[Any]:
        """All parts of something, from files where they are there, as arrays."""
        made = []
        for number, (rules, players) in enumerate(parts):
            file = folder / f"{what}-{game}-{number}.npz"
            made.append(_keep(file, partial(work, number, rules, players, seed * chance + number)))
            progress(what, number + 1, len(parts))
        return made

    each = positions // len(parts)
    seen = make("positions", 1000, lambda number, *how: lessons(each, *how))
    xs, ys = (np.concatenate(arrays) for arrays in zip(*seen, strict=True))
    judge, said = fit_judge(folder / f"network-{game}.pt", xs, ys, epochs, seed, progress)
    np.save(folder / f"network-{game}.npy", parameters(judge))
    nobody = np.zeros(0, np.float32)
    faced = make("decisions", 1000, lambda number, *how: drills(each // _DECISIONS, _TRIES, nobody, *how))
    actor, more = fit_actor(folder / f"policy-{game}.pt", Drills.join(faced), None, epochs, seed, progress)
    learned = parameters(actor)
    np.save(folder / f"policy-{game}.npy", learned)
    some = positions // _REPLIES_SHARE
    faced = make(
        "replies", 7000, lambda number, *how: drills(some * _REPLIES[game][number], _REPLY_TRIES, learned, *how)
    )
    adviser, most = fit_actor(folder / f"adviser-{game}.pt", Drills.join(faced), actor, epochs, seed, progress)
    np.save(folder / f"adviser-{game}.npy", parameters(adviser))
    return said | more | {"advice": most["gain"]}


def _claim(file: Path, settings: dict[str, Any]) -> None:
    """Refuse a folder in which something else is being trained."""
    if file.exists():
        found = json.loads(file.read_text(encoding="utf-8"))
        if found != settings:
            raise UsageError(f"{file} is of other training ({found}); name another folder")
    file.write_text(json.dumps(settings) + "\n", encoding="utf-8")


def _keep(file: Path, work: Callable[[], tuple[Any, ...]]) -> list[Any]:
    """The arrays in a file, made first where it is missing."""
    if not file.exists():
        unfinished = file.with_suffix(".part.npz")
        np.savez(unfinished, *work())
        unfinished.replace(file)
    with np.load(file) as kept:
        return [kept[name] for name in kept.files]
