"""The parameters of a game in OpenSpiel, checked, and the data that all states of one game share."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from typing import Any, Final

import numpy as np

from lastcard.ai.opponent_memory import MEMORY_COLUMNS
from lastcard.bots.weights import heuristic_weights
from lastcard.envs.batch import DEFAULT_MAX_STEPS, REWARDS, EnvConfig
from lastcard.envs.compiled import tree
from lastcard.envs.compiled.tree import NODE_RECORD, TREE_CONFIG
from lastcard.envs.features import Features
from lastcard.envs.reuse import is_unused
from lastcard.errors import UsageError
from lastcard.game.cards import (
    CARD_SLOTS,
    card_name,
    card_points,
    number_copies,
    wild_jackpot_deck,
)
from lastcard.game.numbers import require_int
from lastcard.game.options import ALL_WILD_GAME, LEVER_OUTCOMES
from lastcard.game.rulesets import SECRET_NUMBERS, possible_deck, ruleset
from lastcard.game.seeds import SEED_BYTES
from lastcard.kernel.arrays import copy, zeros
from lastcard.kernel.jit import bind, enable_native
from lastcard.match.setup import default_rule_cards, pack_deck, pack_rules
from lastcard.rules.history import MOVE_RECORD_WORDS
from lastcard.rules.layout import MAX_ACTIONS, MAX_SEATS
from lastcard.rules.round_state import ROUND_STATE, new_round_states

RETURNS: Final = {"wins": "win", "points": "points"}
"""The kinds of returns, with their names in ``batch.REWARDS``."""

_SECRET_NUMBER_SETS: Final = tuple(combinations(range(1, 10), 5))
"""Numbers that may exist twice if they are drawn in secret (LC-24), each choice equally likely."""


@dataclass(frozen=True, slots=True)
class GameParameters:
    """The parameters of a game, as plain values."""

    game: str
    """``all-wild``, ``classic`` or ``wild-jackpot``."""
    players: int = 2
    """Number of players, 2 to 10."""
    rules: str = ""
    """Presets and options joined by ``+`` as in the name of a ruleset, without the game; a colon may replace ``=``,
    which means something else in the names of OpenSpiel's games.
    """
    returns: str = "wins"
    """``wins``: 1 shared by the winners, -1 by the others, 0 for all if nobody wins; ``points``: as scored (AW-51,
    CL-51, WJ-61), negative if they count against a seat (CL-52).
    """
    deck: str = ""
    """Cards in our notation, such as ``R1 R2 B1 W*2``; empty for the deck of the game."""
    hand_size: int = 0
    """Number of cards dealt to each seat; 0 for that of the rules."""
    dealer: int = 0
    max_steps: int = DEFAULT_MAX_STEPS
    """Number of moves after which a round is truncated, with returns of 0."""
    history: int = 16
    """Number of latest moves that the information-state tensor adds to the observation."""

    def __post_init__(self) -> None:
        # The order is a cache key, so 2.0 or True would find the entry of 2 or 1.
        for name in ("players", "hand_size", "dealer", "max_steps", "history"):
            object.__setattr__(self, name, require_int(name, getattr(self, name), 0))


class NodeBlock:
    """Arrays of nodes: a NumPy array for a single one takes longer to make than a whole step.

    Args:
        states, nodes: round states, and as many NODE_RECORD.
        scratch: that of the thread in whose memory they lie.
    """

    __slots__ = ("legal_counts", "legal_ids", "nodes", "probabilities", "scratch", "states")

    def __init__(self, states: Any, nodes: Any, scratch: Scratch) -> None:
        self.states, self.nodes, self.scratch = states, nodes, scratch
        # Fields are looked up once, because that takes longer than to read them.
        self.legal_counts = memoryview(nodes["legal_n"])
        self.legal_ids, self.probabilities = nodes["legal_ids"], nodes["probabilities"]


_BLOCK_NODES: Final = 16
"""Number of nodes in a block; larger blocks would not reuse freed memory."""
_MAX_RECENT: Final = 4
"""Number of blocks that are used again."""
_FIRST_WORDS: Final = 256
"""Number of words of the event log for which memory is allocated at first."""


class Scratch:
    """Scratch of one thread for compiled code, and that code, bound to it."""

    def __init__(self, features: Features, configs: Any) -> None:
        actions, players = features.action_space, features.players
        self.thread = threading.get_ident()
        self.points: Any = zeros(MAX_SEATS, np.int64)
        events: Any = zeros(MOVE_RECORD_WORDS, np.int32)
        self.events = memoryview(events)
        """The words that a move added to the event log: their number, and the words."""
        self._used = _BLOCK_NODES
        self._recent: list[NodeBlock] = []
        block, _ = self.allocate()
        mask, out, indices = zeros(len(actions), np.uint8), zeros(MAX_ACTIONS, np.int64), zeros(2, np.int64)
        self.indices = memoryview(indices)
        """The index of a node, and of the next one, for ``step``."""
        tree_scratch = tree.TreeScratch(
            copy(configs), copy(actions.actions), copy(features.kinds), copy(actions.ids), mask, out, indices, events
        )
        self.step = bind(tree.step, (tree_scratch,), (block.states, block.nodes, block.states, block.nodes, 0))
        """``tree.step`` between nodes."""
        self.observation: Any = zeros(features.size, np.uint8)
        self.observation[features.changing_size :] = features.options
        self.observed: object = None
        """The history whose knowledge ``_knowledge`` is."""
        self._knowledge: tuple[Any, ...] = (
            zeros((MAX_SEATS, MEMORY_COLUMNS), np.int64),
            zeros((players, players, features.padded_kinds), np.uint8),
        )
        words = zeros(_FIRST_WORDS, np.int32)
        self._observation_scratch = tree.ObservationScratch(
            new_round_states(1), zeros(features.padded_kinds, np.uint8), words, copy(words), *self._knowledge,
            zeros(MAX_SEATS, np.int64), features.observation_buffer(self.observation),
        )  # fmt: skip
        self._bind_observe()

    def _bind_observe(self) -> None:
        block = self._block
        self._observe = bind(tree.observe, (self._observation_scratch,), (block.states, block.nodes, 0, 0, 0))

    def allocate(self) -> tuple[NodeBlock, int]:
        """A block, and the index of an unused node in it, not initialized."""
        if self._used == _BLOCK_NODES:
            self._block, self._used = self._find_block(), 0
        self._used += 1
        return self._block, self._used - 1

    def _find_block(self) -> NodeBlock:
        """A recent block whose states nobody has any more, or a new one."""
        for i in range(len(self._recent)):
            if is_unused(self._recent, i):
                return self._recent[i]
        made = NodeBlock(zeros(_BLOCK_NODES, ROUND_STATE), zeros(_BLOCK_NODES, NODE_RECORD), self)
        self._recent = [made, *self._recent][:_MAX_RECENT]
        return made

    def add(self, state: Any, node: Any) -> tuple[NodeBlock, int]:
        """A block with a copy of a node, and its index; ``state`` and ``node`` are arrays of one."""
        block, i = self.allocate()
        for target, source in ((block.states, state), (block.nodes, node)):
            target[i : i + 1].view(np.uint8)[:] = source.view(np.uint8)
        return block, i

    def load_knowledge(self, knowledge: SeatKnowledge | None) -> None:
        """Go on from what the seats knew; None: nothing."""
        for array, saved in zip(self._knowledge, knowledge or (b"", b""), strict=True):
            array.reshape(-1)[:] = np.frombuffer(saved, array.dtype) if knowledge else 0

    def save_knowledge(self) -> SeatKnowledge:
        """What the seats know."""
        memory, known_cards = self._knowledge
        return memory.tobytes(), known_cards.tobytes()

    def observe(self, block: NodeBlock, i: int, seat: int, new_words: bytes) -> None:
        """Write the observation of a seat; see ``tree.observe``."""
        scratch = self._observation_scratch
        count = len(new_words) // scratch.words.itemsize
        if count > len(scratch.words):
            words = zeros(2 * count, np.int32)
            self._observation_scratch = scratch = scratch._replace(words=words, history=copy(words))
            self._bind_observe()
        scratch.words[:count] = np.frombuffer(new_words, np.int32)
        self._observe.call(block.states, block.nodes, i, seat, count)


SeatKnowledge = tuple[bytes, bytes]
"""Memory of opponents and known cards of all seats; see ``tree.ObservationScratch``."""


class _ThreadScratch(threading.local):
    """Scratch for each thread."""

    def __init__(self, features: Features, configs: Any) -> None:
        self.scratch = Scratch(features, configs)


class GameConfig:
    """The data that all states of one game share. Make one with ``load_config``."""

    def __init__(self, parameters: GameParameters) -> None:
        self.parameters = parameters
        name = "+".join(part for part in (parameters.game, parameters.rules.replace(":", "=")) if part)
        self.env_config = EnvConfig(
            ruleset(name),
            parameters.players,
            max_steps=parameters.max_steps,
            deck=parameters.deck,
            hand_size=parameters.hand_size,
        )
        self.rules, self.players = self.env_config.ruleset, parameters.players
        self.features, self.action_space = self.env_config.features, self.env_config.features.action_space
        self.rule_cards = default_rule_cards(self.rules)
        self.hand_size, self.deck = self.env_config.dealt_cards, self.env_config.build_deck(bytes(SEED_BYTES))
        drawn = not parameters.deck and self.rules.options.wj_number_distribution == SECRET_NUMBERS
        self.secret_numbers = _SECRET_NUMBER_SETS if drawn else ()
        """The decks between which chance chooses first (LC-24)."""
        self._check()
        self.outcomes = self._name_outcomes()
        """The possible outcomes of chance, as text, by id."""
        self.tree_configs: Any = self._make_tree_configs()
        self.counts: Any = np.bincount(
            self.deck if parameters.deck else possible_deck(self.rules), minlength=CARD_SLOTS
        )
        """int64 by card: the number of each card, as far as players know."""
        self.weights: Any = heuristic_weights(str(self.rules), self.players)
        """The beliefs by which hidden cards are sampled."""
        enable_native()
        self._thread_scratch = _ThreadScratch(self.features, self.tree_configs)

    def _check(self) -> None:
        parameters, players = self.parameters, self.players
        if not 0 <= parameters.dealer < players:
            raise UsageError(f"the dealer is one of the seats 0 to {players - 1}, not {parameters.dealer}")
        if parameters.returns not in RETURNS:
            raise UsageError(f"returns is one of {', '.join(RETURNS)}, not {parameters.returns!r}")

    def _name_outcomes(self) -> tuple[str, ...]:
        cards = [card_name(card) for card in self.features.cards]
        levers = [f"lever {outcome}" for outcome in LEVER_OUTCOMES]
        rules = [f"rule {i + 1}: {card.text}" for i, card in enumerate(self.rule_cards)]
        numbers = [f"numbers {''.join(map(str, second))}" for second in self.secret_numbers]
        return (*cards, *levers, *rules, *numbers)

    def _make_tree_configs(self) -> Any:
        configs = zeros(1, TREE_CONFIG)
        config = configs[0]
        config["dealer"], config["max_steps"] = self.parameters.dealer, self.parameters.max_steps
        config["wait_id"] = self.action_space.wait
        config["dealt_cards"] = self.players * self.hand_size
        config["first_lever_id"] = len(self.features.cards)
        config["first_rule_id"] = config["first_lever_id"] + len(LEVER_OUTCOMES)
        config["outcome_count"] = config["first_rule_id"] + len(self.rule_cards)
        return configs

    @property
    def scratch(self) -> Scratch:
        """The scratch of this thread."""
        return self._thread_scratch.scratch

    @property
    def first_secret_id(self) -> int:
        """The id of the first choice between decks."""
        return len(self.outcomes) - len(self.secret_numbers)

    @property
    def reward(self) -> int:
        """The kernel's number for the kind of returns."""
        return REWARDS[RETURNS[self.parameters.returns]]

    @property
    def max_points(self) -> int:
        """The most points that a round can give."""
        return sum(card_points(card, self.parameters.game == ALL_WILD_GAME) for card in self.deck)

    def new_state(self, secret: int = 0) -> Any:
        """A table with its rules and its deck (of index ``secret`` if chance chooses it) before the deal."""
        states = new_round_states(1)
        state = states[0]
        pack_rules(state, self.rules, self.players, bytes(SEED_BYTES), self.rule_cards)
        pack_deck(
            state, wild_jackpot_deck(number_copies(self.secret_numbers[secret])) if self.secret_numbers else self.deck
        )
        state["hand_size"] = self.hand_size
        return states


@cache
def load_config(parameters: GameParameters) -> GameConfig:
    """The config of parameters; for unknown values a RulesError, NotationError or UsageError lists the known ones."""
    return GameConfig(parameters)
