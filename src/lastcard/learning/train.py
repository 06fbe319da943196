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
from lastcard.learning.fit import ACTOR, ADVISER, BATCH, Progress, fit_actor, fit_judge, import_torch, parameters
from lastcard.learning.lessons import PARTS, Drills, drills, lessons
from lastcard.learning.sparring import spar
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
_SPARRED: Final = {"classic": 238}
"""Decisions of players who search, for a thousand positions."""
_SPARS: Final = 2
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
    those, by rounds that players who had learned played out, and in classic by what players who search had to decide.

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
    return _Training(game, folder, positions, epochs, seed, progress).run()


class _Training:
    """The training of a game; see ``train``."""

    def __init__(self, game: str, folder: Path, positions: int, epochs: int, seed: int, progress: Progress) -> None:
        self.game, self.folder, self.positions = game, folder, positions
        self.epochs, self.seed, self.progress = epochs, seed, progress

    def run(self) -> dict[str, float]:
        """All of it, one after the other."""
        said = self._judge()
        nobody, each = np.zeros(0, np.float32), self.positions // len(PARTS[self.game])
        decisions = Drills.join(
            self._make("decisions", 1000, lambda number, *how: drills(each // _DECISIONS, _TRIES, nobody, *how))
        )
        actor, more = self._fit("policy", decisions, ACTOR)
        learned, some = parameters(actor), self.positions // _REPLIES_SHARE
        np.save(self.folder / f"policy-{self.game}.npy", learned)
        sizes = _REPLIES[self.game]
        replies = Drills.join(
            self._make("replies", 7000, lambda number, *how: drills(some * sizes[number], _REPLY_TRIES, learned, *how))
        )
        adviser, most = self._fit("student", replies, self._fit("beginner", decisions, ADVISER)[0])
        if self.game in _SPARRED:
            second, _ = self._fit("second", replies, actor)
            adviser, most = self._fit("adviser", self._spar(parameters(second)), adviser)
        np.save(self.folder / f"adviser-{self.game}.npy", parameters(adviser))
        return said | more | {"advice": most["gain"]}

    def _judge(self) -> dict[str, float]:
        """The network that judges."""
        each, file = self.positions // len(PARTS[self.game]), self.folder / f"network-{self.game}"
        seen = self._make("positions", 1000, lambda number, *how: lessons(each, *how))
        xs, ys = (np.concatenate(arrays) for arrays in zip(*seen, strict=True))
        judge, said = fit_judge(file.with_suffix(".pt"), xs, ys, self.epochs, self.seed, self.progress)
        np.save(file.with_suffix(".npy"), parameters(judge))
        return said

    def _fit(self, name: str, faced: Drills, start: Any) -> tuple[Any, dict[str, float]]:
        """A network that rates acts."""
        file = self.folder / f"{name}-{self.game}.pt"
        return fit_actor(file, faced, start, self.epochs, self.seed, self.progress)

    def _spar(self, by: Any) -> Drills:
        """What players who search had to decide, at two seats, each act played out by a net."""
        count = self.positions * _SPARRED[self.game] // 1000 // _SPARS
        made = []
        for number in range(_SPARS):
            file = self.folder / f"sparring-{self.game}-{number}.npz"
            seed = _SPARS * (self.seed - 1) + number + 1
            made.append(_keep(file, partial(spar, count, _REPLY_TRIES, by, self.game, 2, seed)))
            self.progress("sparring", number + 1, _SPARS)
        return Drills.join(made)

    def _make(self, what: str, chance: int, work: Callable[[int, str, int, int], tuple[Any, ...]]) -> list[Any]:
        """All parts of something, from files where they are there, as arrays."""
        made, parts = [], PARTS[self.game]
        for number, (rules, players) in enumerate(parts):
            file = self.folder / f"{what}-{self.game}-{number}.npz"
            made.append(_keep(file, partial(work, number, rules, players, self.seed * chance + number)))
            self.progress(what, number + 1, len(parts))
        return made


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
