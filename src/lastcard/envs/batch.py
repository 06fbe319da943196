"""Tables side by side in compiled code: the base of every environment."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any, Final, NoReturn

import numpy as np

from lastcard.ai.policy_net import SCRATCH, Rater
from lastcard.bots import weights
from lastcard.envs.compiled import vector as kernel
from lastcard.envs.compiled.episodes import POINTS, RANK, WIN
from lastcard.envs.features import Features, check_array, features
from lastcard.envs.parallel import BoundStep, ThreadedStepper
from lastcard.errors import UsageError, suggest
from lastcard.game.cards import CARD_SLOTS, cards_text, parse_cards
from lastcard.game.numbers import require_int
from lastcard.game.options import ALL_WILD_GAME, CLASSIC_GAME, WILD_JACKPOT_GAME, with_options
from lastcard.game.rulesets import SECRET_NUMBERS, Ruleset, as_ruleset, possible_deck
from lastcard.game.seeds import SEED_BYTES, Seed, parse_seed
from lastcard.kernel.arrays import copy, pack, unpack, zeros
from lastcard.kernel.jit import BoundExport, backend, bind, enable_native
from lastcard.match.setup import build_deck, check_players, default_rule_cards, pack_deck, pack_rules
from lastcard.match.view import PublicState, read_public_state
from lastcard.rules import chance
from lastcard.rules.layout import DICE, MAX_ACTIONS, MAX_DECK, NOTHING
from lastcard.rules.round_state import ROUND_STATE, new_round_states, state_words

REWARDS: Final = {"win": WIN, "points": POINTS, "rank": RANK}
EPISODES: Final = ("round", "match")
CALLS: Final = ("automatic", "decisions")
DEFAULT_RULES: Final = "classic+voluntary_draw=only_if_no_playable"
"""Rules in which learning works: in ``classic`` a random policy, which draws by choice, needs 980 moves for a round
instead of 94."""
REGISTRY_IDS: Final = {
    "lastcard/AllWild-v1": ALL_WILD_GAME,
    "lastcard/Classic-v1": CLASSIC_GAME,
    "lastcard/WildJackpot-v1": WILD_JACKPOT_GAME,
}
"""The ruleset of each id in the registries of Gymnasium and PettingZoo."""
BOTS: Final = {
    None: kernel.AGENT,
    "random": kernel.RANDOM,
    "heuristic": kernel.HEURISTIC,
    "sharp": kernel.HEURISTIC,
    "trained": kernel.TRAINED,
}
"""The bots that play in compiled code; None stands for an agent."""
DTYPES: Final = {"uint8": np.uint8, "float32": np.float32}
DEFAULT_MAX_STEPS: Final = 5000
"""Default number of moves after which an episode is truncated."""
LARGEST_MAX_STEPS: Final = 2**63 - 1


@dataclass(frozen=True, slots=True)
class EnvConfig:
    """The game and the terms of an environment.

    Args:
        players: number of players, 2 to 10.
        reward: ``win``: 1 shared by the winners and -1 by the others; ``points``: as scored, a tally as a loss (AW-51,
            CL-51, CL-52, WJ-61); ``rank``: from 1 for the first to -1 for the last.
        episode: ``round``, or ``match``: rounds until the winning score.
        calls: ``automatic``: the table calls UNO for everybody; ``decisions``: calls and catches are moves.
        max_steps: number of moves after which an episode is truncated.
        deck: cards in our notation, such as ``R1 R2 B1 W*2``; empty for the deck of the rules.
        hand_size: number of cards dealt to each seat; 0 for that of the rules.
        open_hands: whether observations show every hand, in the fields ``known``.

    Raises:
        RulesError, NotationError, UsageError: for unknown values; lists the known ones. Also for a deck that is too
            small for the hands, or has cards that the game lacks.
    """

    rules: Ruleset | str = DEFAULT_RULES
    players: int = 2
    reward: str = "win"
    episode: str = "round"
    calls: str = "automatic"
    max_steps: int = DEFAULT_MAX_STEPS
    deck: str = ""
    hand_size: int = 0
    open_hands: bool = False

    def __post_init__(self) -> None:
        rules = as_ruleset(self.rules)
        players = require_int("the number of players", self.players)
        check_players(rules, players)
        for name, choices in (("reward", tuple(REWARDS)), ("episode", EPISODES), ("calls", CALLS)):
            value = getattr(self, name)
            if value not in choices:
                raise UsageError(f"{name} is one of {', '.join(choices)}, not {value!r}")
        max_steps = require_int("max_steps", self.max_steps, 1, LARGEST_MAX_STEPS)
        if self.calls == "automatic":
            penalties = {"false_uno_penalty": "none", "false_catch_penalty": "none"}
            rules = Ruleset(rules.game, with_options(rules.options, uno_window="automatic_call", **penalties))
        hand_size = require_int("hand_size", self.hand_size, 0)
        for name, made in zip(_CHECKED, (rules, players, max_steps, hand_size), strict=True):
            object.__setattr__(self, name, made)
        self._check_deck()

    def _check_deck(self) -> None:
        """Refuse a deck of cards that the game lacks, or that is too small for the hands."""
        rules, deck, hand_size = self.ruleset, self.build_deck(bytes(SEED_BYTES)), self.dealt_cards
        known = set(possible_deck(rules))
        strange = sorted(set(deck) - known)
        if strange:
            raise UsageError(f"{rules.game} has no {cards_text(strange)}; it has {cards_text(sorted(known))}")
        if self.players * hand_size >= MAX_DECK:
            most = (MAX_DECK - 1) // self.players
            raise UsageError(
                f"{self.players} hands of {hand_size} need more than the {MAX_DECK} cards a deck may have; "
                f"hand_size is {most} at most"
            )
        if not self.players * hand_size < len(deck) <= MAX_DECK:
            needed = f"{self.players * hand_size + 1} to {MAX_DECK}"
            raise UsageError(f"{self.players} hands of {hand_size} need a deck of {needed} cards, not {len(deck)}")

    def build_deck(self, seed: bytes) -> list[int]:
        """The cards of the deck; see ``match.setup.build_deck`` for ``seed``."""
        return list[int](parse_cards(self.deck)) if self.deck else build_deck(self.ruleset, seed)

    @property
    def dealt_cards(self) -> int:
        """Number of cards dealt to each seat."""
        return self.hand_size or self.ruleset.options.hand_size

    @property
    def has_own_deal(self) -> bool:
        """Whether the deck or the hands are not those of the rules."""
        return bool(self.deck) or self.dealt_cards != self.ruleset.options.hand_size

    @classmethod
    def from_settings(
        cls, rules: Ruleset | str, players: int, settings: Mapping[str, Any], other_names: Sequence[str]
    ) -> EnvConfig:
        """A config from settings by name; ``other_names`` are further names that the caller accepts, for the error.

        Raises:
            UsageError: for an unknown name; lists the known ones.
        """
        names = [field.name for field in fields(cls)]
        for name in settings:
            if name not in names:
                right = [*names, *other_names]
                raise UsageError(f"there is no setting {name!r}; there are {', '.join(right)}{suggest(name, right)}")
        return cls(rules, players, **settings)

    @property
    def ruleset(self) -> Ruleset:
        """The rules in force."""
        assert isinstance(self.rules, Ruleset)
        return self.rules

    @property
    def features(self) -> Features:
        """The layout of observations, and the action ids."""
        return features(self.ruleset, self.players)


def describe(env: object, config: EnvConfig) -> str:
    """The ``repr`` of an environment: its rules, and the backend that runs it now."""
    return f"<{type(env).__name__} of {config.ruleset} for {config.players}, on the backend {backend().name}>"


class Batch:
    """``count`` tables that are stepped together. Only ``step`` and ``reset`` change them.

    Args:
        seats: by seat a compiled bot (``random``, ``sharp``, ``trained``), or None for an agent; empty: all are agents.
        autoreset: whether the next episode begins in the step that ended one, or in the step after it.
        dtype: type of observations: ``uint8`` or ``float32``.
        threads: number of threads that step the tables, in native code; they change nothing but the time.

    Raises:
        UsageError: for invalid values, and for several threads without native code.
    """

    def __init__(
        self,
        config: EnvConfig,
        count: int,
        *,
        seats: Sequence[str | None] = (),
        autoreset: bool = True,
        dtype: str = "float32",
        seed: Seed = None,
        threads: int = 1,
    ) -> None:
        count = require_int("the number of tables", count, 1)
        threads = require_int("the number of threads", threads, 1)
        if dtype not in DTYPES:
            raise UsageError(f"dtype is one of {', '.join(DTYPES)}, not {dtype!r}")
        _check_memory(config, count, DTYPES[dtype], autoreset)
        self.config, self.count = config, count
        self.features = layout = config.features
        self.action_space = layout.action_space
        players, places, action_count = config.players, layout.padded_kinds, len(layout.action_space)
        self._states: Any = new_round_states(count)
        self._episode_states: Any = zeros(count, kernel.EPISODE_STATE)
        self._step_configs: Any = zeros(1, kernel.STEP_CONFIG)
        self._known_cards: Any = zeros((count, players, players, places), np.uint8)
        self._discard_counts: Any = zeros((count, places), np.uint8)
        self._weights: Any = copy(weights.heuristic_weights(str(config.ruleset), players))
        self._seats = fill_seats(seats, players)
        self._rater = _new_rater(config.ruleset, "trained" in self._seats)
        self._out: Any = zeros(MAX_ACTIONS, np.int64)
        self._dice: Any = zeros(DICE, np.int64)
        self._sampled: Any = zeros(count, np.int64)
        self._actions: Any = zeros(count, np.int64)
        is_float = dtype != "uint8"
        self._byte_observations = self._new_observations(count, np.uint8)
        """Observations as compiled code writes them; also those that are shown if the dtype is ``uint8``."""
        self._observed = self._new_observations(1, np.uint8)[0]
        """Scratch for an observation: see ``observe``."""
        self.observations: Any = self._new_observations(count, np.float32) if is_float else self._byte_observations
        """(count, size): the observation of the agent to move."""
        self.action_mask: Any = zeros((count, action_count), np.uint8)
        """uint8 (count, actions): 1 for every legal action."""
        self.rewards: Any = zeros((count, players), np.float32)
        """float32 (count, players): reward of each seat in the last step."""
        self.terminated: Any = zeros(count, np.uint8)
        """uint8 (count,): 1 where the last step ended an episode."""
        self.truncated: Any = zeros(count, np.uint8)
        """uint8 (count,): 1 where the last step truncated one."""
        self.final_observations: Any = copy(self.observations) if autoreset else self.observations[:0]
        """Last observations of episodes whose successors began at once; of an agent, even if a bot ended them."""
        none, none_wide = self._byte_observations[:0], self._new_observations(0, np.float32)
        self.kernel_arrays = (
            kernel.BatchArrays(self._states, self._episode_states, self._known_cards, self._discard_counts),
            kernel.SharedArrays(
                self._step_configs, copy(self.action_space.actions), copy(layout.kinds), copy(self.action_space.ids),
                copy(layout.options), self._weights, self._rater, self._out,
            ),
            kernel.StepOutputs(
                self._byte_observations, self.observations if is_float else none_wide, self.action_mask, self.rewards,
                self.terminated, self.truncated,
                none if is_float else self.final_observations, self.final_observations if is_float else none_wide,
            ),
        )  # fmt: skip
        """The arrays for compiled code."""
        enable_native()
        self._threads = threads
        self._stepper = ThreadedStepper(*self.kernel_arrays, threads) if threads > 1 else None
        self._fill_step_config()
        self._rule_cards = default_rule_cards(config.ruleset)
        self._pack_rules()
        self.seed(seed)

    def __repr__(self) -> str:
        return describe(self, self.config)

    def __reduce__(self) -> Any:
        # A copy is made and then overwritten, because compiled code refers to the arrays made here.
        parts = {name: pack(getattr(self, name)) for name in _PARTS}
        settings = {
            "seats": self._seats,
            "autoreset": self.final_observations.size > 0,
            "dtype": self.observations.dtype.name,
            "threads": self._threads,
        }
        return _restore, (self.config, self.count, settings, parts)

    def _new_observations(self, count: int, kind: Any) -> Any:
        """``count`` observations of one type, with the options in them."""
        observations = zeros((count, self.features.size), kind)
        observations[:, self.features.changing_size :] = self.features.options
        return observations

    def _fill_step_config(self) -> None:
        step_config, config = self._step_configs[0], self.config
        step_config["players"], step_config["changing_size"] = config.players, self.features.changing_size
        step_config["wait_id"] = self.action_space.wait
        step_config["kind_count"] = len(self.features.cards)
        step_config["max_steps"], step_config["reward"] = config.max_steps, REWARDS[config.reward]
        step_config["is_match"] = config.episode == "match"
        step_config["open_hands"] = config.open_hands
        step_config["winning_score"] = config.ruleset.options.winning_score
        step_config["controllers"][: config.players] = [BOTS[bot] for bot in self._seats]

    def _pack_rules(self) -> None:
        """Write rules and deck into every table, once: this takes as long as hundreds of moves."""
        rules, nothing = self.config.ruleset, bytes(SEED_BYTES)
        pack_rules(self._states[0], rules, self.config.players, nothing, self._rule_cards)
        pack_deck(self._states[0], self.config.build_deck(nothing))
        self._states[0]["hand_size"] = self.config.dealt_cards
        records = self._states.view(np.ndarray).view(np.uint8).reshape(self.count, -1)
        records[1:] = records[0]

    def seed(self, seed: Seed, indices: Any = None) -> None:
        """Seed all tables and ``sample``, or the tables with these int64 indices; the next ``reset`` deals by it."""
        root = parse_seed(seed)
        if indices is None:
            self._dice[:] = _dice(root)
        for i in range(self.count) if indices is None else indices.tolist():
            key = hashlib.sha256(root + i.to_bytes(8, "little")).digest()
            self.set_deal(i, key, 0)
            self._episode_states[i]["dice"] = _dice(key)

    def set_deal(self, i: int, key: bytes, dealer: int) -> None:
        """Make the next ``reset`` of a table deal what a match with this seed and this first dealer deals."""
        i, dealer = self._check_index(i), self._check_seat(dealer)
        state, episode, rules = self._states[i], self._episode_states[i], self.config.ruleset
        state["key"] = chance.seed_words(key)
        if rules.options.wj_number_distribution == SECRET_NUMBERS:
            pack_deck(state, self.config.build_deck(key))
        episode["round_number"], episode["first_dealer"] = 0, dealer

    def reset(self, indices: Any = None) -> None:
        """Begin the episodes of some tables (int64 indices), or of all."""
        which = slice(None) if indices is None else indices
        self._episode_states["is_done"][which] = 1  # so that the next step begins it anew
        self._actions[:] = NOTHING
        self._actions[which] = 0
        self._bound_step.call(True)

    def step(self, actions: Any, masked: bool = False) -> None:
        """Make one move at every table; where an episode is over, any action begins the next one.

        Args:
            actions: int64 (count,): legal action ids.
            masked: whether -1 leaves a table and its outputs as they are.

        Raises:
            UsageError: for an illegal action or an array of another shape or type; nothing changes then.
        """
        check_array("actions", actions, _INTEGERS, (self.count,))
        self._actions[:] = actions
        illegal = self._bound_step.call(masked)
        if illegal >= 0:
            self.raise_illegal(illegal, int(actions[illegal]))

    # Calls are bound to their tuples: finding their types takes longer than a step at one table.

    @cached_property
    def _bound_step(self) -> BoundStep:
        """Makes the moves in ``_actions``; see ``kernel.step``."""
        return self._bind(self._actions)

    @cached_property
    def _bound_observe(self) -> BoundExport:
        """Writes the observation of a seat at a table; see ``kernel.observe``."""
        return bind(kernel.observe, self.kernel_arrays[:2], (0, 0, self._observed))

    def bind_step(self, actions: Any, masked: bool = False) -> BoundStep:
        """``step`` prepared for one array that is overwritten, if every microsecond counts.

        Returns:
            Its ``call`` does the step and returns -1, or the first table with an illegal action: see ``raise_illegal``.
        """
        check_array("actions", actions, _INTEGERS, (self.count,))
        return self._bind(actions, masked)

    def _bind(self, actions: Any, *masked: bool) -> BoundStep:
        """A step of all tables; without ``masked`` its ``call`` takes it."""
        if self._stepper is not None:
            return self._stepper.bind_step(actions, *masked)
        return bind(kernel.step, (*self.kernel_arrays, actions, *masked), () if masked else (False,))

    def check_actions(self, actions: Any, masked: bool = False) -> None:
        """Raise the error that ``step`` would raise; change nothing."""
        check_array("actions", actions, _INTEGERS, (self.count,))
        illegal = kernel.find_illegal(self._episode_states, self.action_mask, actions, masked)
        if illegal >= 0:
            self.raise_illegal(illegal, int(actions[illegal]))

    def raise_illegal(self, i: int, action_id: int) -> NoReturn:
        """Raise the error of an illegal action, with the legal ones."""
        if not self.action_mask[i].any():
            raise UsageError(f"nobody is asked at table {i}; reset() deals")
        names = self.action_space.names
        legal = ", ".join(f"{k} ({names[k]})" for k in np.flatnonzero(self.action_mask[i]))
        what = f"{action_id} ({names[action_id]})" if 0 <= action_id < len(names) else str(action_id)
        seat = self.current_player[i]
        raise UsageError(f"action {what} is not legal for seat {seat} at table {i}; it may do {legal}")

    def sample(self) -> Any:
        """A uniformly random legal action for every table: int64 (count,), the same array every time."""
        kernel.sample_actions(self._episode_states, self._dice, self._sampled)
        return self._sampled

    def get_deal(self, i: int) -> tuple[int, int, bytes]:
        """The deal of the round at a table: its number, its dealer and the 32 bytes of its key."""
        state = self._states[self._check_index(i)]
        return int(state["number"]), int(state["dealer"]), state["key"].astype("<u4").tobytes()

    def state(self, i: int) -> Any:
        """The round state at a table, hidden cards included; it must not be changed."""
        return self._states[self._check_index(i)]

    def state_words(self, i: int) -> memoryview:
        """The same as int64, for ``round_state.WORD_INDEX``."""
        i = self._check_index(i)
        return state_words(self._states[i : i + 1])

    def snapshot(self) -> tuple[Any, ...]:
        """Copies of everything that a step changes except the dice, for ``restore``."""
        return tuple(getattr(self, name).copy() for name in _SNAPSHOT_PARTS)

    def restore(self, snapshot: Sequence[Any]) -> None:
        """Go back to a snapshot of these tables."""
        for name, saved in zip(_SNAPSHOT_PARTS, snapshot, strict=True):
            getattr(self, name)[:] = saved

    def observe(self, i: int, seat: int, out: Any) -> None:
        """Write the observation of any seat at a table into ``out``, a copy of a row of ``observations``.

        Raises:
            UsageError: for an unknown table or seat.
        """
        self._bound_observe.call(self._check_index(i), self._check_seat(seat), self._observed)
        out[...] = self._observed

    def hands(self, i: int) -> Any:
        """int8 (players, kinds): all hands of a table as counts. They are hidden: show others ``observations``."""
        return self._states["counts"][self._check_index(i), : self.config.players].take(self.features.cards, axis=1)

    def hidden_cards(self) -> Any:
        """uint8 (count, players, kinds): the cards that the player to act does not see, as targets of a belief.

        Row k - 1 is the hand of the k-th seat clockwise, the last row the draw pile. A policy must not see them.
        """
        states, players, kinds = self._states, self.config.players, len(self.features.cards)
        hidden = np.zeros((self.count, players, kinds), np.uint8)
        hands = states["counts"][:, :players].take(self.features.cards, axis=2)
        others = (self.current_player[:, None] + np.arange(1, players)) % players
        hidden[:, :-1] = np.take_along_axis(hands, others[:, :, None], axis=1)
        is_left = np.arange(states["pile"].shape[1]) < states["pile_n"][:, None]
        table, place = is_left.nonzero()
        kind = self.features.kinds[states["pile"][table, place]]
        hidden[:, -1] = np.bincount(table * kinds + kind, minlength=self.count * kinds).reshape(self.count, kinds)
        return hidden

    def public_state(self, i: int) -> PublicState:
        """The public state of a table."""
        i = self._check_index(i)
        return read_public_state(self._states[i : i + 1], self.config.players, self._rule_cards)

    def _check_index(self, i: int) -> int:
        """The index of a table, refused if there is no such table."""
        return require_int("a table", i, 0, self.count - 1)

    def _check_seat(self, seat: int) -> int:
        """The number of a seat, refused if there is no such seat."""
        return require_int("a seat", seat, 0, self.config.players - 1)

    @property
    def current_player(self) -> Any:
        """int64 (count,): the seat to move at every table."""
        return self._episode_states["current_player"]

    @property
    def is_done(self) -> Any:
        """int64 (count,): 1 where the episode is over."""
        return self._episode_states["is_done"]

    @property
    def is_reaction(self) -> Any:
        """int64 (count,): 1 where a seat is asked out of turn."""
        return self._episode_states["is_reaction"]

    @property
    def scores(self) -> Any:
        """int64 (count, players): points of the episode so far."""
        return self._episode_states["scores"][:, : self.config.players]


_CHECKED: Final = ("rules", "players", "max_steps", "hand_size")
"""The settings that ``EnvConfig`` replaces by their checked values."""
_PARTS: Final = (
    "_states", "_episode_states", "_step_configs", "_known_cards", "_discard_counts", "_dice", "observations",
    "action_mask", "rewards", "terminated", "truncated", "final_observations",
)  # fmt: skip
"""The arrays that a step may change, and the arrays that all tables share."""
_SNAPSHOT_PARTS: Final = tuple(name for name in _PARTS if name not in ("_step_configs", "_dice", "final_observations"))
"""The arrays of a snapshot."""


def _restore(config: EnvConfig, count: int, settings: dict[str, Any], parts: dict[str, bytes]) -> Batch:
    """A batch as it was when it was copied or pickled."""
    batch = Batch(config, count, **settings, seed=0)
    for name, part in parts.items():
        array = getattr(batch, name)
        array[...] = unpack(array.dtype, part).reshape(array.shape)
    return batch


def _new_rater(rules: Ruleset, plays: bool) -> Rater:
    """The policy net of a game with its scratch; empty arrays if it does not play."""
    if not plays:
        return Rater(*(zeros(0, kind) for kind in (np.float32, np.int64, np.float32, np.float64)))
    deck = copy(np.bincount(possible_deck(rules), minlength=CARD_SLOTS))
    net = copy(weights.load_policy_net(str(rules)))
    return Rater(net, deck, zeros(SCRATCH, np.float32), zeros(MAX_ACTIONS, np.float64))


def _dice(key: bytes) -> Any:
    """Dice for chance that is not part of the rules."""
    return np.frombuffer(hashlib.sha256(b"dice" + key).digest()[: 4 * DICE], "<u4")


def _check_memory(config: EnvConfig, count: int, dtype: Any, autoreset: bool) -> None:
    """Refuse tables that do not fit: making them would leave no memory for anything else."""
    players, places, layout = config.players, config.features.padded_kinds, config.features
    wide = np.dtype(dtype).itemsize
    observation_bytes = layout.size * ((1 if wide == 1 else 1 + wide) + (wide if autoreset else 0))
    round_bytes = (
        ROUND_STATE.itemsize + kernel.EPISODE_STATE.itemsize + (players * players + 1) * places + observation_bytes
    )
    round_bytes += (
        len(layout.action_space) + 4 * players + 2 * np.dtype(np.int64).itemsize + 2
    )  # masks, rewards, actions, flags
    available_bytes = backend().memory_limit_bytes
    if count * round_bytes > available_bytes:
        fit = int(available_bytes // round_bytes)
        raise UsageError(f"{count:,} tables of {config.ruleset} for {players} do not fit into memory; {fit:,} do")


_INTEGERS: Final = (np.dtype(np.int64),)


def fill_seats(seats: Sequence[str | None], players: int) -> tuple[str | None, ...]:
    """The controller of each seat; raises a UsageError for a wrong number of seats, an unknown bot, or no agent."""
    if isinstance(seats, str) or not isinstance(seats, Sequence):
        raise UsageError(f"seats are given one by one, as in (None, 'sharp'), not as {seats!r}")
    chosen = tuple(seats) or (None,) * players
    if len(chosen) != players:
        raise UsageError(f"seats are given for all {players} players or none, not for {len(chosen)}")
    for bot in chosen:
        if not isinstance(bot, str | None) or bot not in BOTS:
            names = ", ".join(repr(name) for name in BOTS)
            raise UsageError(f"a seat is played by one of {names} in compiled code, not by {bot!r}")
    if None not in chosen:
        raise UsageError("at least one seat must be None: the seat that is asked for moves")
    return chosen
