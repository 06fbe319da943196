"""The kinds of bots that search nothing: by chance, by rules of thumb, by what was learned from play."""

from __future__ import annotations

from lastcard.ai import decision
from lastcard.bots.base import ATTENTIVE, Manners, SeededBot
from lastcard.bots.learned import Library, policy


class RandomBot(SeededBot):
    """Lays any card that fits: the yardstick that every other bot is measured by."""

    name = "random"
    kind = decision.BY_CHANCE


class HeuristicBot(SeededBot):
    """Lays the card that is worth most by ``mind.policy``, which remembers nothing.

    It keeps its wilds, minds who is nearly out, and hits the next player then.

    Args:
        seed, manners, slips: see ``SeededBot``.
        style: how it likes to play, one of ``learned.styles``; empty for as well as it can.
    """

    name = "heuristic"
    kind = decision.BY_THUMB

    def __init__(self, seed: bytes = b"", manners: Manners = ATTENTIVE, slips: int = 0, style: str = "") -> None:
        self.library = Library(style=style)
        super().__init__(seed, manners, slips)


class TrainedBot(SeededBot):
    """Chooses by a small network that has learned from play (``mind.actor``).

    What that was not taught, as team play, it decides by rules of thumb.

    It has learned that drawing may be better than laying a card. Two that both think so would wait for each other
    for ever, so it does not draw for choice late in a round, nor, at tables for more than two, on turns in succession.
    """

    name = "trained"
    kind = decision.LEARNED
    library = Library(player=policy)
