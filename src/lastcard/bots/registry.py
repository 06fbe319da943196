"""The bots there are, by name."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from typing import Final

from lastcard.bots.base import ATTENTIVE, Bot, Manners
from lastcard.bots.heuristic import HeuristicBot
from lastcard.bots.random import RandomBot
from lastcard.errors import UsageError

BOTS: Final[dict[str, Callable[[bytes, Manners], Bot]]] = {
    "random": RandomBot,
    "heuristic": HeuristicBot,
}
"""Every kind of bot: name and what makes one of a seed and manners."""

DEFAULT_BOT: Final = "heuristic"


def make_bot(name: str, seed: bytes, seat: int, manners: Manners = ATTENTIVE) -> Bot:
    """A bot of a kind.

    Args:
        name: one of ``BOTS``.
        seed: of the match; each seat gets dice of its own from it, which tell nothing about the deal.
        seat: where it sits.
        manners: how attentive it is.

    Raises:
        UsageError: for an unknown name; lists those there are.
    """
    if name not in BOTS:
        raise UsageError(f"there is no bot {name!r}; there are {', '.join(BOTS)}")
    secret = hashlib.sha256(b"lastcard bot" + bytes([seat]) + seed).digest()
    return BOTS[name](secret, manners)


def make_bots(names: Sequence[str], seed: bytes, manners: Manners = ATTENTIVE) -> list[Bot]:
    """Bots for the seats 0, 1, … ; see ``make_bot``."""
    return [make_bot(name, seed, seat, manners) for seat, name in enumerate(names)]
