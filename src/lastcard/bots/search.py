"""Search for every decision: hidden cards are determinized by the event log, and every choice is played out on them.

Deals are drawn by how likely they make the moves of others (``ai.determinize``). Sequential halving then gives the
better choices more deals: Z. Karnin, T. Koren, O. Somekh, "Almost Optimal Exploration in Multi-Armed Bandits" (2013).
All choices meet the same deals and the same chance.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from lastcard.ai import decision, search
from lastcard.ai.decision_input import new_scratch
from lastcard.ai.estimates import share_margin
from lastcard.ai.search import SearchSettings
from lastcard.bots.base import ATTENTIVE, Behavior, Dice, SeededBot
from lastcard.bots.thread_pool import ThreadPool
from lastcard.bots.weights import WeightLoader, habits, load_prior_net, load_value_net, no_habits, no_network
from lastcard.bots.workspace import Workspace
from lastcard.game.moves import Move, action_to_move, move_to_action
from lastcard.game.numbers import require_int, require_number
from lastcard.rules.layout import NOTHING

if TYPE_CHECKING:
    from lastcard.match.view import View

_CHUNK_DEALS: Final = 64
"""Number of deals between two checks of the clock."""
_ALL_DEALS: Final = 1 << 40
"""Number of deals above that of any stage of sequential halving."""
MAX_SEED: Final = 2**32 - 1
"""The largest seed of a search."""


_LIMITS: Final = (
    ("rollouts", 1, 10**9),
    ("milliseconds", 0.1, 3_600_000),
    ("burn", 0, 65536),
    ("thin", 1, 65536),
    ("horizon", 0, 1000),
    ("deals", 1, 65536),
    ("likelihood_plays", 0, 1000),
    ("rationality", 0, 1),
    ("deviation", 0, 1),
    ("threads", 1, 256),
    ("prior", 0, 1000),
    ("habits", 0, 1),
)


@dataclass(frozen=True, slots=True)
class SearchConfig:
    """The effort of a search.

    Args:
        rollouts: number of rollouts for one decision, for all choices together.
        milliseconds: time limit, after which the answer depends on the machine; None: none.
        horizon: turns of every seat before the value net judges; 0 plays to the end. Few rounds last 30 turns, except
            those of two players with thirty wilds.
        deals: number of different deals.
        burn: changes made to a deal before the first one counts, and ``thin`` between any two.
        thin: see ``burn``.
        likelihood_plays: number of latest plays of every hand by which a deal is judged; 0 for none.
        rationality: assumed share, 0 to 1, of the others' plays that follow the rules of thumb.
        deviation: assumed share, 0 to 1, of others who follow them in six plays of ten, whatever ``rationality`` is.
        threads: number of threads for rollouts; they change nothing but the time.
        prior: weight of the prior net's rating in the choice of the best move.
        habits: 1 to play rounds out by ``ai.habits`` in games for which they are known; 0 for by rules of thumb.

    Raises:
        UsageError: if a number is out of range.
    """

    rollouts: int = 4000
    milliseconds: float | None = None
    horizon: float = 30.0
    deals: int = 512
    burn: int = 300
    thin: int = 5
    likelihood_plays: int = 16
    rationality: float = 0.85
    deviation: float = 0.0
    threads: int = 1
    prior: float = 0.0
    habits: int = 0

    def __post_init__(self) -> None:
        whole = {each.name for each in fields(self) if each.type == "int"}
        for name, low, high in _LIMITS:
            value = getattr(self, name)
            if value is None and name == "milliseconds":
                continue
            if name in whole:
                object.__setattr__(self, name, require_int(name, value, int(low), int(high)))
            else:
                object.__setattr__(self, name, require_number(name, value, low, high))

    def settings(self, rollouts: int) -> SearchSettings:
        """The settings of a compiled search; see ``SearchSettings``."""
        return SearchSettings(
            rollouts,
            0,
            float(self.horizon),
            self.burn,
            self.thin,
            self.likelihood_plays,
            float(self.rationality),
            float(self.deviation),
            float(self.prior),
            self.habits,
        )


@dataclass(frozen=True, slots=True)
class RatedMove:
    """The rating of a move."""

    move: Move | None
    """The move; None stands for no reaction out of turn."""
    chance: float
    """Chance to win the round, 0 to 1, if everybody goes on by rules of thumb."""
    error: float
    """Half of the 95 % interval of ``chance``."""
    rollouts: int
    prior: float = 0.0
    """The prior net's rating, in parts of a round; 0 for all moves if the net is not used."""


def action_or_nothing(move: Move | None) -> int:
    """The action of a move; NOTHING for no reaction out of turn."""
    return NOTHING if move is None else move_to_action(move)


def move_or_none(action: int) -> Move | None:
    """The move of an action; None for no reaction out of turn."""
    return None if action == NOTHING else action_to_move(action)


class Search:
    """Searches decisions one after another; it has scratch memory but no state between them.

    Args:
        value_net: function that loads the value net of a ruleset by name, which judges at the horizon.
    """

    def __init__(self, config: SearchConfig = SearchConfig(), value_net: Callable[[str], Any] = load_value_net) -> None:
        self.config, self._value_net = config, value_net
        self.workspace = Workspace(
            WeightLoader(
                value_net,
                prior_net=load_prior_net if config.prior else no_network,
                habits=habits if config.habits else no_habits,
            )
        )
        self._scratches = [self.workspace.scratch, *(new_scratch() for _ in range(config.threads - 1))]
        self._search_buffers = search.new_search_arrays(self.workspace.search_states, config.deals)
        self._threads = ThreadPool(config.threads) if config.threads > 1 else None

    def __reduce__(self) -> Any:
        return Search, (self.config, self._value_net)

    def rank_moves(self, view: View, moves: Sequence[Move | None], seed: int) -> list[RatedMove]:
        """Rate several moves, best first; the same seed gives the same answer.

        Args:
            moves: one or more legal moves; None stands for no reaction out of turn.
            seed: of all chance, 0 to 2**32 - 1.
        """
        state = self.load_decision(view, moves, seed)
        self.run()
        ranked = []
        for i in state["order"][: len(moves)].tolist():
            share, tried = float(state["win_rate"][i]), int(state["visits"][i])
            rating = float(state["prior"][i]) / self.config.prior if self.config.prior else 0.0
            ranked.append(RatedMove(moves[i], share, share_margin(share, tried), tried, rating))
        return ranked

    def run(self) -> None:
        """Rate the choices in the workspace until all deals are played or the time is up."""
        started, limit, state = time.perf_counter(), self.config.milliseconds, self._state
        self._start_search(self.config.rollouts)
        done = False
        while not done:
            halving = int(state["halving"])
            done = self._play_deals(_ALL_DEALS if limit is None else _CHUNK_DEALS)
            if limit is not None and halving == state["halving"]:
                is_late = time.perf_counter() - started > limit / 1000 * halving / state["halvings"]
                done = search.end_halving_early(self.workspace.search_states) if is_late else done

    @property
    def _state(self) -> Any:
        return self.workspace.search_states[0]

    def load_decision(self, view: View, moves: Sequence[Move | None], seed: int) -> Any:
        """Load a decision into the workspace; returns its search state."""
        self.workspace.load_view(view)
        state = self._state
        state["choices"], state["seed"] = len(moves), require_int("a seed", seed, 0, MAX_SEED)
        state["actions"][: len(moves)] = [action_or_nothing(move) for move in moves]
        return state

    def _start_search(self, rollouts: int) -> None:
        """Begin a search of the loaded decision, on newly determinized deals."""
        workspace = self.workspace
        search.begin_search(
            workspace.decision_input,
            workspace.weights,
            self.config.settings(rollouts),
            self._search_buffers,
            workspace.scratch,
        )

    def _play_deals(self, deals: int) -> bool:
        """Play up to ``deals`` more deals of a stage; returns whether the search is done."""
        decision_input, weights, buffers = self.workspace.decision_input, self.workspace.weights, self._search_buffers
        if self._threads is None:
            return search.continue_search(decision_input, weights, buffers, self.workspace.scratch, deals)
        first, end = int(self._state["deals"]), int(self._state["halving_end"])
        last = min(end, first + deals)
        parts = np.linspace(first, last, len(self._scratches) + 1).astype(int).tolist()
        play = partial(search.play_deal_range, decision_input, weights, buffers)
        list(self._threads.executor.map(play, self._scratches, parts[:-1], parts[1:]))
        return search.add_results(
            self.workspace.search_states, np.sum([scratch.wins for scratch in self._scratches], axis=0), last
        )


class SearchBot(SeededBot):
    """Searches every decision, including jump-ins; see ``Search``."""

    name = "search"
    kind = decision.BY_SEARCH

    def __init__(
        self,
        seed: bytes = b"",
        behavior: Behavior = ATTENTIVE,
        blunder_rate: int = 0,
        config: SearchConfig = SearchConfig(),
        value_net: Callable[[str], Any] = load_value_net,
    ) -> None:
        super().__init__(seed, behavior, blunder_rate)
        self.config = config
        self._search = Search(config, value_net)
        self._workspace = self._search.workspace

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._workspace = self._search.workspace

    def _resolve_choice(self, view: View, dice: Dice) -> None:
        self._search.run()
