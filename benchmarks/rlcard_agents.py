"""RLCard's agents for its own environment and, as bots, for lastcard; and the conversion of cards and moves."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, Final

import numpy as np
from rlcard.games.uno.utils import ACTION_LIST, ACTION_SPACE, encode_hand, encode_target
from rlcard.models.uno_rule_models import UNORuleAgentV1

from lastcard.bots.base import Behavior, view_dice
from lastcard.envs.rlcard.environment import RLCARD_CARD_NAMES, card_name
from lastcard.errors import UsageError
from lastcard.game.cards import FACES_PER_COLOR, W_DRAW_FOUR, WILD, W
from lastcard.game.moves import Move
from lastcard.match.view import View

RULE: Final = "uno-rule-v1"
DMC: Final = "dmc"
COLORS: Final = {"r": 0, "y": 1, "g": 2, "b": 3}
_FACES: Final = {**{str(n): n for n in range(10)}, "skip": 10, "reverse": 11, "draw_2": 12}
_WILDS: Final = {"wild": W, "wild_draw_4": W_DRAW_FOUR}


def card_of(name: str) -> int:
    """Returns the card of an RLCard name; the color before a wild has no meaning."""
    color, trait = name.split("-")
    return _WILDS[trait] if trait in _WILDS else COLORS[color] * FACES_PER_COLOR + _FACES[trait]


def move_of(action: str) -> Move:
    """Returns the move of an RLCard action."""
    if action == "draw":
        return Move("draw")
    card = card_of(action)
    return Move("play", card, COLORS[action[0]] if card >= WILD * FACES_PER_COLOR else None)


_ACTION_OF: Final = {
    **{Move("play", card): f"r-{trait}" for trait, card in _WILDS.items()},  # as a last card it names no color
    **{move_of(action): action for action in ACTION_LIST},
}


class RandomAgent:
    """RLCard's random agent."""

    use_raw = True

    def step(self, state: dict[str, Any]) -> str:
        """Returns a random legal action."""
        return str(np.random.choice(state["raw_legal_actions"]))


class DmcAgent:
    """RLCard's Deep Monte Carlo agent as ``rlcard_dmc.py`` trains it, by the seat's model of the last pair."""

    use_raw = True

    def __init__(self, folder: Path, seat: int) -> None:
        self._model = load_model(folder, seat)

    def step(self, state: dict[str, Any]) -> str:
        """Returns the action that the network rates highest."""
        planes = np.zeros((4, 4, 15), int)
        encode_hand(planes[:3], state["raw_obs"]["hand"])
        encode_target(planes[3], state["raw_obs"]["target"])
        legal = OrderedDict((ACTION_SPACE[action], None) for action in state["raw_legal_actions"])
        numbers, values = self._model.predict({"obs": planes, "legal_actions": legal})
        return str(ACTION_LIST[numbers[np.argmax(values)]])


def frames_of(folder: Path) -> int:
    """Returns the number of training frames of the last pair of models in a folder, or raises a ``UsageError``."""
    pairs = [int(file.stem[2:]) for file in folder.glob("0_*.pth") if (folder / f"1{file.name[1:]}").exists()]
    if not pairs:
        raise UsageError(f"{folder} holds no models; train them with rlcard_dmc.py")
    return max(pairs)


@cache
def load_model(folder: Path, seat: int) -> Any:
    """Returns the last complete model of a seat."""
    import torch

    torch.set_num_threads(1)
    torch.set_grad_enabled(False)
    return torch.load(folder / f"{seat}_{frames_of(folder)}.pth", map_location="cpu", weights_only=False)


def make_agent(name: str, seat: int, folder: Path | None) -> Any:
    """Returns an agent of RLCard: ``random``, ``uno-rule-v1`` or ``dmc``, whose models are in the folder."""
    if name == DMC:
        assert folder is not None, "dmc needs its folder"
        return DmcAgent(folder, seat)
    return UNORuleAgentV1() if name == RULE else RandomAgent()


class RlcardBot:
    """An agent of RLCard as a bot of lastcard, which does not call.

    Decisions that RLCard does not have are random. ``make`` returns the agent of a seat.
    """

    def __init__(self, name: str, make: Callable[[int], Any], secret: bytes, behavior: Behavior) -> None:
        self.name, self._make, self._secret, self.behavior = name, make, secret, behavior
        self._agents: dict[int, Any] = {}

    def choose(self, view: View) -> Move:
        """Returns the agent's move."""
        assert view.seat is not None and view.hand is not None
        legal = {_ACTION_OF[move]: move for move in view.legal if move in _ACTION_OF}
        if not legal:
            return view.legal[view_dice(self._secret, view).below(len(view.legal))]
        if len(legal) == 1:
            return next(iter(legal.values()))
        if view.seat not in self._agents:
            self._agents[view.seat] = self._make(view.seat)
        seen = {
            "hand": [RLCARD_CARD_NAMES[card] for card in view.hand],
            "target": card_name(view.top, max(0, view.color)),
        }
        return legal[self._agents[view.seat].step({"raw_obs": seen, "raw_legal_actions": list(legal)})]

    def react(self, view: View) -> Move | None:
        """Returns None."""
        return None
