"""The bots that do not search: random, by rules of thumb, and by a policy net."""

from __future__ import annotations

from lastcard.ai import decision
from lastcard.bots.base import ATTENTIVE, Behavior, SeededBot
from lastcard.bots.weights import WeightLoader, load_policy_net


class RandomBot(SeededBot):
    """Lays any card that fits: the baseline of every other bot."""

    name = "random"
    kind = decision.BY_CHANCE


class HeuristicBot(SeededBot):
    """Lays the card that ``ai.heuristic_policy`` values most, without memory.

    It saves its wilds, watches who is nearly out, and attacks the next player then.

    Args:
        seed, behavior, blunder_rate: see ``SeededBot``.
        style: one of ``bots.weights.styles``; empty for its best play.
    """

    name = "heuristic"
    kind = decision.BY_HEURISTIC

    def __init__(
        self, seed: bytes = b"", behavior: Behavior = ATTENTIVE, blunder_rate: int = 0, style: str = ""
    ) -> None:
        self.weight_loader = WeightLoader(style=style)
        super().__init__(seed, behavior, blunder_rate)


class TrainedBot(SeededBot):
    """Chooses by a small network trained by play (``ai.policy_net``).

    It decides by rules of thumb in cases that the training left out, such as team play.

    It has learned that drawing may be better than laying a card. Two players who both draw would go on forever. So
    it makes no voluntary draw late in a round, nor, with more than two players, on turns in succession.
    """

    name = "trained"
    kind = decision.BY_POLICY_NET
    weight_loader = WeightLoader(policy_net=load_policy_net)
