"""A round as a game tree: states in which a seat or chance moves. A state never changes."""

from __future__ import annotations

from threading import get_ident
from typing import Any, Final

import numpy as np

from lastcard.ai import search
from lastcard.ai.belief import BELIEF
from lastcard.ai.determinize import DEAL_BYTES, Chain, OpponentModel
from lastcard.bots.search import MAX_SEED
from lastcard.envs.compiled import tree
from lastcard.envs.compiled.tree import CHANCE, DEALER, ILLEGAL, NODE_RECORD, TERMINAL, WAITING_EVENT
from lastcard.envs.openspiel.config import (
    GameConfig,
    GameParameters,
    NodeBlock,
    Scratch,
    SeatKnowledge,
    load_config,
)
from lastcard.errors import UsageError
from lastcard.game.numbers import require_int
from lastcard.game.seeds import Seed, parse_seed
from lastcard.kernel.arrays import pack, read_records, unpack, zeros
from lastcard.match.round import Round
from lastcard.match.view import PublicState, read_information_state, read_public_state
from lastcard.rules import phases
from lastcard.rules.forced_chance import SOURCES
from lastcard.rules.layout import MAX_SEATS
from lastcard.rules.round_state import ROUND_STATE


class HistoryNode:
    """The event log as a linked list, latest first; ``events`` are the words of the last move (``rules.history``)."""

    __slots__ = ("events", "parent", "seat_knowledge")

    def __init__(self, parent: HistoryNode | None, events: bytes) -> None:
        self.parent, self.events = parent, events
        self.seat_knowledge: SeatKnowledge | None = None
        """The knowledge of the seats, once an observation of one was made."""


_EMPTY_HISTORY: Final = HistoryNode(None, b"")
_BURN_IN_STEPS: Final = 200
"""Number of changes after which a sampled deal is as likely as any other."""


class GameState:
    """A node of the game tree: the player to move, and the legal moves or possible outcomes.

    Args:
        block, index: the table (while a move waits for chance, the one before that move) and its NODE_RECORD.
        current_player: player to move: a seat, CHANCE or TERMINAL.
    """

    __slots__ = ("_block", "_history", "_index", "config", "current_player")

    def __init__(
        self, config: GameConfig, block: NodeBlock, index: int, history: HistoryNode, current_player: int
    ) -> None:
        self.config, self.current_player = config, current_player
        self._block, self._index, self._history = block, index, history

    @property
    def _states(self) -> Any:
        return self._block.states[self._index : self._index + 1]

    @property
    def _node(self) -> Any:
        return self._block.nodes[self._index : self._index + 1]

    def __deepcopy__(self, memo: Any) -> GameState:
        return self  # a state is immutable

    def __reduce__(self) -> Any:
        parts = pack(self._states), pack(self._node), self.history().tobytes()
        return _restore, (type(self), self.config.parameters, *parts, self.current_player)

    def child(self, action: int) -> GameState:
        """The state after a legal move or a possible outcome, given by its id; raises a UsageError for any other."""
        config = self.config
        if type(action) is not int:  # OpenSpiel's own are always int
            action = require_int("an action or outcome", action)
        block, index = self._block, self._index
        scratch = block.scratch
        if scratch.thread != get_ident():
            scratch = config.scratch
            block, index = self._copy_to(scratch)
        into, at = scratch.allocate()
        indices = scratch.indices
        indices[0], indices[1] = index, at
        seat = scratch.step.call(block.states, block.nodes, into.states, into.nodes, action)
        if seat == ILLEGAL:
            raise UsageError(self._describe_illegal(action))
        added, history = scratch.events[0], self._history
        if added:
            history = HistoryNode(history, scratch.events[1 : 1 + added].tobytes())
        return GameState(config, into, at, history, seat)

    def _copy_to(self, scratch: Scratch) -> tuple[NodeBlock, int]:
        """Copy a node to a block of this thread: the module would copy all nodes of another thread's."""
        return scratch.add(self._states, self._node)

    def _describe_illegal(self, chosen: int) -> str:
        """The error of an illegal action, with the legal ones."""
        if self.current_player == TERMINAL:
            return f"the round is over; {chosen} cannot be done"
        names = self.config.outcomes if self.current_player == CHANCE else self.config.action_space.names
        legal = ", ".join(f"{k} ({names[k]})" for k in self.legal_actions())
        return f"{chosen} is not among {legal}"

    def legal_actions(self) -> list[int]:
        """The ids of legal moves or of possible outcomes, in order."""
        block, i = self._block, self._index
        legal: list[int] = block.legal_ids[i, : block.legal_counts[i]].tolist()
        return legal

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The ids of possible outcomes, in order, and their probabilities."""
        block, i = self._block, self._index
        count = block.legal_counts[i]
        return list(zip(block.legal_ids[i, :count].tolist(), block.probabilities[i, :count].tolist(), strict=True))

    @property
    def is_reaction(self) -> bool:
        """Whether the seat to move is asked out of turn."""
        return self.current_player >= 0 and bool(self._node["is_reaction"][0])

    @property
    def is_dealt(self) -> bool:
        """Whether the deal is over."""
        return self._history is not _EMPTY_HISTORY

    @property
    def chance_source(self) -> str:
        """The source of chance: ``pile``, ``hand``, ``rules`` or ``lever``; empty if it chooses the deck."""
        return SOURCES[self._node["chance_source"][0]] if self.current_player == CHANCE else ""

    @property
    def forced_count(self) -> int:
        """Number of chance outcomes of the current move so far."""
        return int(self._node["forced_count"][0])

    def returns(self) -> list[float]:
        """The returns of the seats; zeros while the round goes on, or if it was truncated."""
        rewards = np.zeros(self.config.players)
        if self.current_player == TERMINAL:
            tree.write_returns(self._states, self.config.reward, self.config.scratch.points, rewards)
        payoffs: list[float] = rewards.tolist()
        return payoffs

    def history(self) -> Any:
        """int32: the event log, as words of ``rules.history``. It shows hidden cards."""
        return np.frombuffer(self._join_history(unobserved_only=False)[0], np.int32)

    def _join_history(self, unobserved_only: bool) -> tuple[bytes, HistoryNode | None]:
        """All words, or those since the last observation; and the list at that observation."""
        parts: list[bytes] = []
        node: HistoryNode | None = self._history
        while node is not None and not (unobserved_only and node.seat_knowledge):
            parts.append(node.events)
            node = node.parent
        return b"".join(reversed(parts)), node

    def observed_history(self, seat: int | None) -> Any:
        """int32: the redacted event log of a seat or a spectator."""
        history, viewer = self.history(), -1 if seat is None else self._find_seat(seat)
        out = np.empty_like(history)
        return out[: tree.copy_redacted(history, viewer, out)]

    def hand(self, seat: int) -> list[int]:
        """The cards of a seat, sorted. They are hidden from other seats."""
        counts = self._states["counts"][0, self._find_seat(seat)]
        return [card for card in counts.nonzero()[0].tolist() for _ in range(counts[card])]

    def public_state(self) -> PublicState:
        """The public state."""
        self._check_dealt()
        return read_public_state(self._states, self.config.players, self.config.rule_cards)

    def discards(self) -> list[int]:
        """The discard pile, oldest first."""
        discards: list[int] = self._states["discard"][0, : self._states["discard_n"][0]].tolist()
        return discards

    def drawn(self, seat: int) -> int | None:
        """The card that a seat has just drawn, while it decides on it."""
        states, seat = self._states, self._find_seat(seat)
        return int(states["drawn"][0]) if states["phase"][0] == phases.DRAWN and states["turn"][0] == seat else None

    def make_round(self, seed: Seed = 0) -> Round:
        """A separate round in this state, or before a move that waits for chance; all further chance is from the seed.

        Raises:
            UsageError: during the deal.
        """
        self._check_dealt()
        config = self.config
        game_round = Round(config.rules, config.players, parse_seed(seed), config.rule_cards)
        key = game_round._states["key"].copy()
        tree.copy_state(self._states, game_round._states)
        game_round._states["key"] = key
        game_round._states["first_words_end"] = 0  # they belonged to another key
        history = self.history()
        game_round._history.frombytes(history[history & 255 != WAITING_EVENT].tobytes())
        return game_round

    def _find_seat(self, seat: int) -> int:
        """The number of a seat, refused if there is no such seat."""
        return require_int("a seat", seat, 0, self.config.players - 1)

    def _check_dealt(self) -> None:
        if not self.is_dealt:
            raise UsageError("the cards are still being dealt")

    def observe(self, seat: int) -> Any:
        """The observation of a seat, see ``lastcard.envs.features``; during the deal only options, with zeros before.

        Returns:
            float32 (size,), the same array every time.

        Raises:
            UsageError: for a seat that is not at the table.
        """
        config, seat = self.config, self._find_seat(seat)
        scratch, history = config.scratch, self._history
        if history is _EMPTY_HISTORY:
            scratch.observation[: config.features.changing_size] = 0
            return scratch.observation
        block, index = self._block, self._index
        if block.scratch is not scratch:
            block, index = self._copy_to(scratch)
        new_words, since = self._join_history(unobserved_only=True)
        if since is None or since is not scratch.observed:
            scratch.load_knowledge(since.seat_knowledge if since else None)
        scratch.observed = None  # until it is known
        scratch.observe(block, index, seat, new_words)
        if since is not history:
            history.seat_knowledge = scratch.save_knowledge()
        scratch.observed = history
        return scratch.observation

    def write_recent_actions(self, seat: int, out: Any) -> None:
        """Write the last moves a seat knows of; see ``envs.compiled.tree.write_recent_actions``."""
        seat = self._find_seat(seat)
        out[:] = 0
        actions = self.config.action_space
        tree.write_recent_actions(
            self.observed_history(seat), seat, self.config.players, actions.wait, actions.ids, out
        )

    def resample(self, seed: int) -> GameState:
        """The same state for the seat to move, with hidden cards resampled; ``seed`` is 0 to 2**32 - 1.

        The other seats have seen only what this seat saw them see, and the hands they now hold.

        Raises:
            UsageError: if no seat is to move.
        """
        if self.current_player < 0:
            raise UsageError("hidden cards are resampled for the seat that is to act; there is none")
        seed = require_int("a seed", seed, 0, MAX_SEED)
        config, observed = self.config, self.observed_history(self.current_player)
        states = read_records(ROUND_STATE, 2 * read_information_state(self._states, self.current_player))
        beliefs = zeros(1, BELIEF)
        deals, dice = np.zeros((1, DEAL_BYTES), np.int8), np.array([seed, 1, 2, 3], np.int64)
        others = OpponentModel(observed, config.weights, 0, 0.0, 0.0)
        chain = Chain(deals, np.zeros(MAX_SEATS), dice, _BURN_IN_STEPS, 1)
        search.determinize_deals(states, beliefs, self.current_player, config.counts, others, chain)
        tree.determinize_state(states, beliefs, deals, dice)
        block, index = config.scratch.add(states[:1], self._node)
        return GameState(config, block, index, HistoryNode(None, observed.tobytes()), self.current_player)


class DeckChoice(GameState):
    """The first state if the deck itself is chance (LC-24)."""

    __slots__ = ()

    def child(self, action: int) -> GameState:
        """See ``GameState.child``."""
        action = require_int("an event", action)
        if action not in self.legal_actions():
            raise UsageError(self._describe_illegal(action))
        return start_deal(self.config, action - self.config.first_secret_id)


def _restore(
    kind: type[GameState], parameters: GameParameters, state: bytes, node: bytes, history: bytes, seat: int
) -> GameState:
    """A state that was pickled."""
    config = load_config(parameters)
    block, index = config.scratch.add(unpack(ROUND_STATE, state), unpack(NODE_RECORD, node))
    return kind(config, block, index, HistoryNode(None, history) if history else _EMPTY_HISTORY, seat)


def make_initial_state(config: GameConfig) -> GameState:
    """The first state of a round."""
    if not config.secret_numbers:
        return start_deal(config, 0)
    node = zeros(1, NODE_RECORD)
    count = len(config.secret_numbers)
    node["legal_n"] = count
    node["legal_ids"][0, :count] = range(config.first_secret_id, config.first_secret_id + count)
    node["probabilities"][0, :count] = 1 / count
    return DeckChoice(config, *config.scratch.add(config.new_state(), node), _EMPTY_HISTORY, CHANCE)


def start_deal(config: GameConfig, secret: int) -> GameState:
    """The state in which the deal begins, from one of the decks that chance may choose."""
    node = zeros(1, NODE_RECORD)
    node["current_player"] = DEALER
    block, index = config.scratch.add(config.new_state(secret), node)
    return GameState(config, block, index, _EMPTY_HISTORY, DEALER).child(0)
