"""OpenSpiel's games in tests: made, played at random, walked through, and told to the referee."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from typing import TypeVar

import pyspiel

from lastcard.envs.compiled.forks import CHANCE, ENDED
from lastcard.envs.openspiel import State
from lastcard.envs.openspiel.spots import Spot
from lastcard.game.cards import number_copies, wild_jackpot_deck
from lastcard.game.options import LEVER_OUTCOMES

_Card = TypeVar("_Card")


def load(game: str, **parameters: object) -> pyspiel.Game:
    return pyspiel.load_game(f"python_lastcard_{game}", parameters)


def choose(spot: Spot, rng: random.Random) -> int:
    """Something that may be done, or comes by chance."""
    if spot.seat != CHANCE:
        return rng.choice(spot.legal())
    events, shares = zip(*spot.outcomes(), strict=True)
    return int(rng.choices(events, shares)[0])


def play(state: State, seed: int, limit: int = 100_000) -> Iterator[Spot]:
    """Play a state at random; yields every spot on the way, the last one too."""
    rng = random.Random(seed)
    for _ in range(limit):
        yield state.spot
        if state.is_terminal():
            return
        state.apply_action(choose(state.spot, rng))


def walk(spot: Spot) -> Iterator[Spot]:
    """Every spot of a tree."""
    yield spot
    if spot.seat != ENDED:
        for chosen in spot.legal():
            yield from walk(spot.step(chosen))


class Told:
    """The chance of a round that was played, for the referee to play it once more."""

    def __init__(self, spots: list[Spot], chosen: list[int]) -> None:
        own = spots[0].own
        cards, levers = len(own.features.cards), len(LEVER_OUTCOMES)
        texts = [card.text for card in own.rule_cards]
        self.deck = own.deck
        self.drawn: list[int] = []
        self.levers: list[str] = []
        self.rules: list[str] = []
        self.blinds: list[float] = []
        for spot, event in zip(spots, chosen, strict=False):
            if spot.source == "pile":
                self.drawn.append(own.features.cards[event])
            elif spot.source == "hand":
                self.blinds.append(sum(share for k, share in spot.outcomes() if k < event))
            elif spot.source == "rules":
                self.rules.append(texts[event - cards - levers])
            elif spot.source == "lever":
                self.levers.append(LEVER_OUTCOMES[event - cards])
            elif spot.seat == CHANCE:
                self.deck = wild_jackpot_deck(number_copies(own.secrets[event - own.first_secret]))

    def _order(self, cards: list[_Card], coming: list[_Card]) -> list[_Card]:
        """Cards in the order in which they came; those that never did are last."""
        came: list[_Card] = coming[: len(cards)]
        del coming[: len(cards)]
        left: Counter[_Card] = Counter(cards) - Counter(came)
        assert len(came) + left.total() == len(cards)
        return [*came, *left.elements()]

    def shuffle(self) -> list[int]:
        """The deck as it was dealt."""
        return self._order(self.deck, self.drawn)

    def reshuffle(self, cards: list[int], index: int) -> list[int]:
        return self._order(cards, self.drawn)

    def rule_stack(self, cards: list[str], index: int) -> list[str]:
        return self._order(cards, self.rules)

    def lever(self) -> str:
        return self.levers.pop(0)

    def blind(self, count: int) -> int:
        return round(self.blinds.pop(0) * count)

    def redraw(self, pile: list[int]) -> int:
        raise AssertionError("a first card was returned, which is no event here")
