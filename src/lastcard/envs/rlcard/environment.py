"""The RLCard environment: unchanged RLCard agents play by exact rules.

``make`` gives an environment with RLCard's interface. Importing this module also registers ``lastcard-all-wild``,
``lastcard-classic`` and ``lastcard-wild-jackpot`` with ``rlcard.make``.
"""

from __future__ import annotations

import secrets
from collections import OrderedDict
from functools import cache, partial
from operator import itemgetter
from typing import Any, Final

import numpy as np

from lastcard.envs.action_space import ActionSpace
from lastcard.envs.batch import DEFAULT_RULES, Batch, EnvConfig, describe
from lastcard.errors import UsageError
from lastcard.game.cards import (
    CARD_NAMES,
    CARD_SLOTS,
    DRAW_TWO,
    JACKPOT,
    REVERSE,
    SKIP,
    W_DRAW_FOUR,
    W_DRAW_TWO,
    W_JACKPOT,
    W_REVERSE,
    W_SKIP,
    W_SKIP_TWO,
    W_SWAP,
    W_TARGETED,
    W,
    card_color,
    card_face,
    is_wild,
)
from lastcard.game.numbers import require_int, to_int
from lastcard.game.options import ALL_WILD_GAME, CLASSIC_GAME, WILD_JACKPOT_GAME
from lastcard.game.rulesets import GAMES, MAX_PLAYERS, Ruleset, as_ruleset
from lastcard.kernel.arrays import zeros
from lastcard.rules import phases
from lastcard.rules.round_state import WORD_INDEX

try:
    from rlcard.envs.env import Env
    from rlcard.envs.registration import register, registry
except ImportError:
    raise UsageError("this adapter needs RLCard: install lastcard[envs], or pip install rlcard") from None

NEAREST_RULES: Final = (
    "classic+two_player_reverse=no_effect+wd4_mode=strict+voluntary_draw=only_if_no_playable"
    "+draw_then_play=must_play_drawn"
)
"""The rules nearest to those of RLCard's own ``uno``, for which its rule agents are made."""

# --- RLCard's names ---------------------------------------------------------------------------------

_LETTERS: Final = "rygb"
"""RLCard's colors, by our color numbers."""
_TRAITS: Final = {SKIP: "skip", REVERSE: "reverse", DRAW_TWO: "draw_2", JACKPOT: "jackpot"}
_WILDS: Final = {
    W: "wild",
    W_DRAW_FOUR: "wild_draw_4",
    W_SKIP: "wild_skip",
    W_SKIP_TWO: "wild_skip_two",
    W_REVERSE: "wild_reverse",
    W_DRAW_TWO: "wild_draw_2",
    W_TARGETED: "wild_targeted_draw_2",
    W_SWAP: "wild_swap",
    W_JACKPOT: "wild_jackpot",
}


@cache
def card_name(card: int, color: int = 0) -> str:
    """A card by RLCard's name, such as ``g-skip``.

    Args:
        color: color that a wild names, 0 to 3; a wild that names none is written with red, as RLCard's wilds have a
            color even in the hand.
    """
    if is_wild(card):
        return f"{_LETTERS[color]}-{_WILDS[card]}"
    face = card_face(card)
    return f"{_LETTERS[card_color(card)]}-{_TRAITS.get(face, face)}"


def list_action_names(actions: ActionSpace) -> list[str]:
    """All moves by RLCard's names, in the order of their ids.

    A named seat follows, as in ``r-wild_swap>+1``. Moves that RLCard lacks are ``x-`` and our name, such as ``x-pass``:
    its rule agents split every move but ``draw`` at the dash.
    """
    words = []
    for number, name in enumerate(actions.names):
        move = actions.decode(number, 0, MAX_PLAYERS)
        if move is not None and move.verb == "play" and move.card is not None:
            seat = "" if move.target is None else f">+{move.target}"
            words.append(card_name(move.card, move.color or 0) + seat)
        elif move is not None and move.verb == "color" and move.color is not None:
            words.append(f"{_LETTERS[move.color]}-color")
        else:
            words.append(name if name == "draw" else f"x-{name}")
    return words


RLCARD_CARD_NAMES: Final = {card: card_name(card) for card in CARD_NAMES}
"""Every card by its name in a hand."""


# --- the game ---------------------------------------------------------------------------------------

_CARD_NAMES: Final = np.array([RLCARD_CARD_NAMES.get(card, "") for card in range(CARD_SLOTS)], object)
_pick: Final = itemgetter(
    *(WORD_INDEX[name] for name in ("top", "color", "topless", "discard_n", "phase", "direction", "pending"))
)
_HELD: Final = WORD_INDEX["held"]


class Game:
    """The game that RLCard's ``Env`` asks for: one table, with RLCard's names of moves and cards."""

    allow_step_back = False

    def __init__(self, config: EnvConfig) -> None:
        self.batch = Batch(config, 1, autoreset=False)
        self.is_dealt = False
        """Whether a game was dealt."""
        self.player = 0
        """The player to move; the last to move, once the game is over."""
        self.legal: dict[str, int] = {}
        """The legal action ids of the player to move, by name."""
        self.history: list[tuple[Any, ...]] = []
        self._action_names = list_action_names(self.batch.action_space)
        self._bind_batch()

    def _bind_batch(self) -> None:
        """Look up what every step reads, which takes longer than to read it."""
        batch = self.batch
        actions: Any = zeros(1, np.int64)
        self._words, self._action = batch.state_words(0), memoryview(actions)
        self._counts, self._discard = batch.state(0)["counts"], batch.state(0)["discard"]
        self._observation, self._mask = batch.observations[0], batch.action_mask[0]
        self._current_player, self._done = memoryview(batch.current_player), memoryview(batch.is_done)
        self._bound_step = batch.bind_step(actions)

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name not in _BOUND}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._bind_batch()

    def seed(self, seed: int) -> None:
        """Seed all chance from the next deal on."""
        self.batch.seed(seed)
        self.is_dealt = False

    def init_game(self) -> tuple[dict[str, Any], int]:
        """Deal; returns the state of the first player, and their number."""
        self.batch.reset()
        self.is_dealt = True
        self.history.clear()
        return self._update_turn()

    def step(self, action: str) -> tuple[dict[str, Any], int]:
        """Make a move that ``parse_action`` has accepted; returns the state of the next player, and their number."""
        if self.allow_step_back:
            self.history.append(self.batch.snapshot())
        self._action[0] = self.legal[action]
        self._bound_step.call()
        return self._update_turn()

    def step_back(self) -> bool:
        """Undo the last move; False if there is none."""
        if not self.history:
            return False
        self.batch.restore(self.history.pop())
        self._update_turn()
        return True

    def _update_turn(self) -> tuple[dict[str, Any], int]:
        """Update the player to move and the legal actions."""
        self.player = self._current_player[0]
        names = self._action_names
        self.legal = {names[number]: number for number in self._mask.nonzero()[0].tolist()}
        return self.get_state(self.player), self.player

    def parse_action(self, action: Any) -> str:
        """The name of a move of the player to move, from its name or its id.

        Raises:
            UsageError: for an illegal action, or if there is no game; lists the legal ones.
        """
        if self.is_over():
            raise UsageError("no game is going on; reset() deals the next")
        if isinstance(action, str):
            if action in self.legal:
                return str(action)
        elif (chosen := to_int(action)) is not None and 0 <= chosen < len(self._mask) and self._mask[chosen]:
            return self._action_names[chosen]
        legal = ", ".join(f"{number} ({word})" for word, number in self.legal.items())
        raise UsageError(f"{action!r} is not legal for player {self.player}, who may do {legal}")

    def get_state(self, player_id: int) -> dict[str, Any]:
        """The observation of a player, with RLCard's names (``raw_obs``).

        Raises:
            UsageError: for an unknown player, or before a game is dealt.
        """
        if not self.is_dealt:
            raise UsageError("nothing is dealt yet; reset() deals")
        players = self.get_num_players()
        player_id = require_int("a player", player_id, 0, players - 1)
        top, color, topless, discard_count, phase, direction, pending = _pick(self._words)
        target = card_name(top, max(color, 0))
        played = _CARD_NAMES.take(self._discard[:discard_count]).tolist()
        if played and not topless:
            played[-1] = target
        return {
            "hand": self.hand(player_id),
            "target": target,
            "played_cards": played,
            "legal_actions": list(self.legal) if player_id == self.player else [],
            "num_cards": self._words[_HELD : _HELD + players].tolist(),
            "num_players": players,
            "current_player": self.player,
            "player": player_id,
            "decision": phases.NAMES[phase],
            "direction": direction,
            "pending": pending,
        }

    def hand(self, player_id: int) -> list[str]:
        """The cards of a player. They are hidden from other players."""
        player_id = require_int("a player", player_id, 0, self.get_num_players() - 1)
        names: list[str] = _CARD_NAMES.repeat(self._counts[player_id]).tolist()
        return names

    def observe(self, player_id: int) -> Any:
        """The observation of a player, see ``lastcard.envs.features``: float32 of shape (size,)."""
        observation = self._observation.copy()
        if player_id != self.player:
            self.batch.observe(0, player_id, observation)
        return observation

    def is_over(self) -> bool:
        """Whether no game is going on."""
        return not self.is_dealt or self._done[0] == 1

    def get_player_id(self) -> int:
        """The player to move; the last to move, once the game is over."""
        return self.player

    def get_num_players(self) -> int:
        """Number of players."""
        return self.batch.config.players

    def get_num_actions(self) -> int:
        """Number of action ids of these rules."""
        return len(self.batch.action_space)


_BOUND: Final = (
    "_words", "_action", "_counts", "_discard", "_observation", "_mask", "_current_player", "_done", "_bound_step"
)  # fmt: skip
"""What ``Game._bind_batch`` sets."""


# --- the environment --------------------------------------------------------------------------------


class RlcardEnv(Env):  # type: ignore[misc]
    """RLCard's ``Env`` over a table of lastcard. Make one with ``make``, or with ``rlcard.make``.

    A state has ``obs``, the observation of ``lastcard.envs.features`` as float32; ``legal_actions``, the legal ids of
    ``lastcard.envs.action_space``; the same by name as ``raw_obs`` and ``raw_legal_actions``; and ``action_record``. A
    player who is not to move has no legal actions.

    Args:
        allow_step_back: whether moves can be undone.
        seed: seed of all chance, 0 or more; None for a fresh one.
    """

    def __init__(self, config: EnvConfig, *, allow_step_back: bool = False, seed: int | None = None) -> None:
        self.name = f"lastcard-{config.ruleset.game}"
        self.game = Game(config)
        super().__init__({"allow_step_back": allow_step_back, "seed": seed})
        self.state_shape = [[config.features.size] for _ in range(config.players)]
        self.action_shape = [None] * config.players

    def __repr__(self) -> str:
        return describe(self, self.game.batch.config)

    def seed(self, seed: int | None = None) -> int:
        """Seed all chance from the next ``reset`` on; returns the seed. Raises a UsageError for an invalid one."""
        chosen = secrets.randbits(32) if seed is None else require_int("a seed", seed, 0)
        self.game.seed(chosen)
        return chosen

    def step(self, action: Any, raw_action: bool = False) -> tuple[dict[str, Any], int]:
        """Make a move of the player to move; returns the state of the next player, and their number.

        Args:
            action: legal action id, or its name if ``raw_action`` is true.

        Raises:
            UsageError: for an illegal action, and once the game is over.
        """
        if raw_action != isinstance(action, str):
            raise UsageError(f"an action is a number, or a word with raw_action=True, not {action!r}")
        state: tuple[dict[str, Any], int] = super().step(self.game.parse_action(action), True)
        return state

    def step_back(self) -> Any:
        """Undo the last move; chance repeats itself afterwards.

        Returns:
            The state of the player now to move, and their number; False at the start of a game.

        Raises:
            UsageError: if the environment was made without ``allow_step_back``.
        """
        if not self.allow_step_back:
            raise UsageError("step_back needs an environment made with allow_step_back=True")
        if not self.game.history:
            return False
        self.action_recorder.pop()
        return super().step_back()

    def get_payoffs(self) -> Any:
        """The payoff of each player, float64 of shape (players,); zeros until the game is over."""
        return self.game.batch.rewards[0].astype(np.float64)

    def get_perfect_information(self) -> dict[str, Any]:
        """The table with all hands open, with RLCard's names."""
        state = self.game.get_state(self.game.player)
        shown = ("num_players", "played_cards", "target", "current_player", "legal_actions")
        hands = [self.game.hand(player) for player in range(self.num_players)]
        return {"hand_cards": hands, **{name: state[name] for name in shown}}

    def _extract_state(self, state: dict[str, Any]) -> dict[str, Any]:
        on_turn = state["player"] == state["current_player"]
        return {
            "obs": self.game.observe(state["player"]),
            "legal_actions": OrderedDict.fromkeys(self.game.legal.values() if on_turn else ()),
            "raw_obs": state,
            "raw_legal_actions": list(state["legal_actions"]),
            "action_record": self.action_recorder,
        }


def make(
    rules: Ruleset | str = DEFAULT_RULES,
    players: int = 2,
    *,
    allow_step_back: bool = False,
    seed: int | None = None,
    **settings: Any,
) -> RlcardEnv:
    """An environment for RLCard's agents.

    Args:
        players: number of players, 2 to 10.
        allow_step_back: whether moves can be undone.
        seed: seed of all chance, 0 or more; None for a fresh one.
        settings: those of ``lastcard.envs.batch.EnvConfig``.

    Raises:
        RulesError, UsageError: for unknown values; lists the known ones.
    """
    return RlcardEnv(
        EnvConfig.from_settings(rules, players, settings, ("allow_step_back", "seed")),
        allow_step_back=allow_step_back,
        seed=seed,
    )


# --- registration with rlcard.make ------------------------------------------------------------------

_SETTINGS: Final = {
    "game_rules": "rules",
    "game_num_players": "players",
    "game_reward": "reward",
    "game_episode": "episode",
    "game_calls": "calls",
    "game_max_steps": "max_steps",
    "game_deck": "deck",
    "game_hand_size": "hand_size",
    "game_open_hands": "open_hands",
    "allow_step_back": "allow_step_back",
    "seed": "seed",
}
"""The settings of ``rlcard.make`` with their names in ``make``."""


def _make_game(game: str, config: dict[str, Any]) -> RlcardEnv:
    """An environment of a game from RLCard's settings."""
    for name in config:
        if name not in _SETTINGS:
            raise UsageError(f"{name!r} is not a setting of lastcard-{game}; there are {', '.join(_SETTINGS)}")
    settings: dict[str, Any] = {"rules": game} | {_SETTINGS[name]: value for name, value in config.items()}
    if as_ruleset(settings["rules"]).game != game:
        raise UsageError(f"game_rules of lastcard-{game} are rules of {game}, not {settings['rules']}")
    return make(**settings)


make_all_wild = partial(_make_game, ALL_WILD_GAME)
make_classic = partial(_make_game, CLASSIC_GAME)
make_wild_jackpot = partial(_make_game, WILD_JACKPOT_GAME)
"""``rlcard.make("lastcard-wild-jackpot", config)``; the others alike."""

for _game in GAMES:
    if f"lastcard-{_game}" not in registry.env_specs:
        register(f"lastcard-{_game}", f"{__name__}:make_{_game.replace('-', '_')}")
