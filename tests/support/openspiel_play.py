"""OpenSpiel's games in tests: create them, play them at random, walk their trees, and replay them in the referee."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TypeVar

import pyspiel

from lastcard.envs.compiled.tree import CHANCE, TERMINAL
from lastcard.envs.openspiel import State
from lastcard.envs.openspiel.game_state import GameState
from lastcard.game.cards import number_copies, wild_jackpot_deck
from lastcard.game.options import LEVER_OUTCOMES

_Card = TypeVar("_Card")


def load_game(game: str, **parameters: object) -> pyspiel.Game:
    return pyspiel.load_game(f"python_lastcard_{game}", parameters)


def choose_action(state: GameState, rng: random.Random) -> int:
    """A random legal action, or a random outcome of a chance node."""
    if state.current_player != CHANCE:
        return rng.choice(state.legal_actions())
    events, shares = zip(*state.chance_outcomes(), strict=True)
    return int(rng.choices(events, shares)[0])


def play_randomly(state: State, seed: int, max_steps: int = 100_000) -> Iterator[GameState]:
    """Play a state at random; yields every state on the way, the last one too."""
    rng = random.Random(seed)
    for _ in range(max_steps):
        yield state.game_state
        if state.is_terminal():
            return
        state.apply_action(choose_action(state.game_state, rng))


def walk_tree(state: GameState) -> Iterator[GameState]:
    """Every state of a game tree."""
    yield state
    if state.current_player != TERMINAL:
        for chosen in state.legal_actions():
            yield from walk_tree(state.child(chosen))


class RecordedChance:
    """The chance of a played round, with which the referee plays it once more."""

    def __init__(self, states: list[GameState], chosen: list[int]) -> None:
        own = states[0].config
        cards, levers = len(own.features.cards), len(LEVER_OUTCOMES)
        texts = [card.text for card in own.rule_cards]
        self.deck = own.deck
        self.drawn: list[int] = []
        self.lever_outcomes: list[str] = []
        self.rule_cards: list[str] = []
        self.blinds: list[float] = []
        for state, event in zip(states, chosen, strict=False):
            if state.chance_source == "pile":
                self.drawn.append(own.features.cards[event])
            elif state.chance_source == "hand":
                self.blinds.append(sum(share for k, share in state.chance_outcomes() if k < event))
            elif state.chance_source == "rules":
                self.rule_cards.append(texts[event - cards - levers])
            elif state.chance_source == "lever":
                self.lever_outcomes.append(LEVER_OUTCOMES[event - cards])
            elif state.current_player == CHANCE:
                self.deck = wild_jackpot_deck(number_copies(own.secret_numbers[event - own.first_secret_id]))

    def _order(self, cards: Sequence[_Card], coming: list[_Card]) -> list[_Card]:
        """Cards in the order in which they came; those that never came are last."""
        came: list[_Card] = coming[: len(cards)]
        del coming[: len(cards)]
        left: Counter[_Card] = Counter(cards) - Counter(came)
        assert len(came) + left.total() == len(cards)
        return [*came, *left.elements()]

    def shuffle(self) -> list[int]:
        """The deck in the order of the deal."""
        return self._order(self.deck, self.drawn)

    def reshuffle(self, cards: list[int], index: int) -> list[int]:
        return self._order(cards, self.drawn)

    def rule_stack(self, cards: list[str], index: int) -> list[str]:
        return self._order(cards, self.rule_cards)

    def lever(self) -> str:
        return self.lever_outcomes.pop(0)

    def blind(self, count: int) -> int:
        return round(self.blinds.pop(0) * count)

    def redraw(self, pile: list[int]) -> int:
        raise AssertionError("a first card was returned, which is no event here")
