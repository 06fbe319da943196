"""RLCard's door: its agents play by exact rules, unchanged.

``make`` gives an environment of RLCard's interface. Importing this module also makes ``rlcard.make`` know
``lastcard-all-wild``, ``lastcard-classic`` and ``lastcard-wild-jackpot``.
"""

from __future__ import annotations

import secrets
from collections import OrderedDict
from functools import cache, partial
from typing import Any, Final

import numpy as np

from lastcard.envs.action_space import ActionSpace
from lastcard.envs.tables import Tables, Terms
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
from lastcard.game.numbers import as_int, to_int
from lastcard.game.options import ALL_WILD_GAME, CLASSIC_GAME, WILD_JACKPOT_GAME
from lastcard.game.rulesets import GAMES, MAX_PLAYERS, Ruleset, as_ruleset
from lastcard.rules import phase

try:
    from rlcard.envs.env import Env
    from rlcard.envs.registration import register, registry
except ImportError:
    raise UsageError("this door needs RLCard: install lastcard[envs], or pip install rlcard") from None

NEAREST: Final = (
    "classic+two_player_reverse=no_effect+wd4_mode=strict+voluntary_draw=only_if_no_playable"
    "+draw_then_play=must_play_drawn"
)
"""The rules nearest to those of RLCard's own ``uno``, which its rule agents are made for."""

# --- its words --------------------------------------------------------------------------------------

_LETTERS: Final = "rygb"
"""RLCard's colors, by the numbers of ours."""
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
def card_word(card: int, color: int = 0) -> str:
    """A card in RLCard's words, such as ``g-skip``.

    Args:
        card: an integer of ``lastcard.game.cards``.
        color: 0 to 3, what a wild names; a wild that names none is written with red, as RLCard's wilds have a color
            even in the hand.
    """
    if is_wild(card):
        return f"{_LETTERS[color]}-{_WILDS[card]}"
    face = card_face(card)
    return f"{_LETTERS[card_color(card)]}-{_TRAITS.get(face, face)}"


def act_words(actions: ActionSpace) -> list[str]:
    """All acts in RLCard's words, by number.

    A seat that is named stands behind, as ``r-wild_swap>+1``. What RLCard does not know is ``x-`` and our own name,
    such as ``x-pass``: its rule agents take every act but ``draw`` apart at the dash.
    """
    words = []
    for number, name in enumerate(actions.names):
        move = actions.decode(number, 0, MAX_PLAYERS)
        if move is not None and move.verb == "play" and move.card is not None:
            seat = "" if move.target is None else f">+{move.target}"
            words.append(card_word(move.card, move.color or 0) + seat)
        elif move is not None and move.verb == "color" and move.color is not None:
            words.append(f"{_LETTERS[move.color]}-color")
        else:
            words.append(name if name == "draw" else f"x-{name}")
    return words


CARD_WORDS: Final = {card: card_word(card) for card in CARD_NAMES}
"""Every card as it stands in a hand."""


# --- the game ---------------------------------------------------------------------------------------

_CARDS: Final = np.arange(CARD_SLOTS)


class Game:
    """What RLCard's ``Env`` asks of a game: one table, its acts and cards in RLCard's words.

    Args:
        terms: what is played.
    """

    allow_step_back = False

    def __init__(self, terms: Terms) -> None:
        self.tables = Tables(terms, 1, at_once=False)
        self.dealt = False
        """Whether there is a game to look at."""
        self.player = 0
        """Who is on turn; who acted last, once the game is over."""
        self.legal: dict[str, int] = {}
        """What the seat on turn may do: the numbers of the acts by their words."""
        self.history: list[tuple[Any, ...]] = []
        self._words = act_words(self.tables.actions)

    def seed(self, seed: int) -> None:
        """Choose all chance from the next deal on."""
        self.tables.seed(seed)
        self.dealt = False

    def init_game(self) -> tuple[dict[str, Any], int]:
        """Deal; returns the state of the first player, and who that is."""
        self.tables.begin()
        self.dealt = True
        self.history.clear()
        return self._go_on()

    def step(self, action: str) -> tuple[dict[str, Any], int]:
        """Do an act that ``read`` has let pass; returns the state of the next player, and who that is."""
        if self.allow_step_back:
            self.history.append(self.tables.snapshot())
        self.tables.step(np.array([self.legal[action]], np.int64))
        return self._go_on()

    def step_back(self) -> bool:
        """Take the last act back; False where there is none."""
        if not self.history:
            return False
        self.tables.restore(self.history.pop())
        self._go_on()
        return True

    def _go_on(self) -> tuple[dict[str, Any], int]:
        """Take in who is on turn and what is legal."""
        self.player = int(self.tables.seats[0])
        words = self._words
        self.legal = {words[number]: number for number in self.tables.masks[0].nonzero()[0].tolist()}
        return self.get_state(self.player), self.player

    def read(self, action: Any) -> str:
        """An act of the player on turn, by its word or its number, as the word.

        Raises:
            UsageError: for an act that is not legal, or where there is no game; says what is legal.
        """
        if self.is_over():
            raise UsageError("no game is going on; reset() deals the next")
        if isinstance(action, str):
            if action in self.legal:
                return str(action)
        elif (chosen := to_int(action)) is not None:
            for word, number in self.legal.items():
                if number == chosen:
                    return word
        legal = ", ".join(f"{number} ({word})" for word, number in self.legal.items())
        raise UsageError(f"{action!r} is not legal for player {self.player}, who may do {legal}")

    def get_state(self, player_id: int) -> dict[str, Any]:
        """What a player sees, in RLCard's words (``raw_obs``).

        Raises:
            UsageError: for a player there is none of, or before a game is dealt.
        """
        if not self.dealt:
            raise UsageError("nothing is dealt yet; reset() deals")
        players = self.get_num_players()
        player_id = as_int("a player", player_id, 0, players - 1)
        table = self.tables.state(0)
        target = card_word(int(table["top"]), max(int(table["color"]), 0))
        played = [CARD_WORDS[card] for card in table["discard"][: table["discard_n"]].tolist()]
        if played and not table["topless"]:
            played[-1] = target
        return {
            "hand": self.hand(player_id),
            "target": target,
            "played_cards": played,
            "legal_actions": list(self.legal) if player_id == self.player else [],
            "num_cards": table["held"][:players].tolist(),
            "num_players": players,
            "current_player": self.player,
            "player": player_id,
            "decision": phase.NAMES[table["phase"]],
            "direction": int(table["direction"]),
            "pending": int(table["pending"]),
        }

    def hand(self, player_id: int) -> list[str]:
        """The cards of a player. The truth: show others their own alone."""
        player_id = as_int("a player", player_id, 0, self.get_num_players() - 1)
        return [CARD_WORDS[card] for card in _CARDS.repeat(self.tables.state(0)["counts"][player_id]).tolist()]

    def look(self, player_id: int) -> Any:
        """What a player sees as a row of ``lastcard.envs.features``: float32 of shape (size,)."""
        row = self.tables.rows[0].copy()
        if player_id != self.player:
            self.tables.look(0, player_id, row)
        return row

    def is_over(self) -> bool:
        """Whether no game is going on."""
        return not self.dealt or bool(self.tables.over[0])

    def get_player_id(self) -> int:
        """Who is on turn; who acted last, once the game is over."""
        return self.player

    def get_num_players(self) -> int:
        """How many play."""
        return self.tables.terms.players

    def get_num_actions(self) -> int:
        """How many acts there are in these rules."""
        return len(self.tables.actions)


# --- the environment --------------------------------------------------------------------------------


class TableEnv(Env):  # type: ignore[misc]
    """RLCard's ``Env`` over a table of lastcard. Make one with ``make``, or with ``rlcard.make``.

    A state has ``obs``, the row of ``lastcard.envs.features`` as float32; ``legal_actions``, the numbers of what is
    legal (``lastcard.envs.action_space``); the same in words as ``raw_obs`` and ``raw_legal_actions``; and
    ``action_record``. Nothing is legal for a player who is not on turn.

    Args:
        terms: what is played.
        allow_step_back: whether acts can be taken back.
        seed: of all chance, 0 or more; None for a fresh one.
    """

    def __init__(self, terms: Terms, *, allow_step_back: bool = False, seed: int | None = None) -> None:
        self.name = f"lastcard-{terms.ruleset.game}"
        self.game = Game(terms)
        super().__init__({"allow_step_back": allow_step_back, "seed": seed})
        self.state_shape = [[terms.features.size] for _ in range(terms.players)]
        self.action_shape = [None] * terms.players

    def seed(self, seed: int | None = None) -> int:
        """Choose all chance from the next ``reset`` on; returns the seed.

        Raises:
            UsageError: for what is no seed.
        """
        chosen = secrets.randbits(32) if seed is None else as_int("a seed", seed, 0)
        self.game.seed(chosen)
        return chosen

    def step(self, action: Any, raw_action: bool = False) -> tuple[dict[str, Any], int]:
        """Do an act of the player on turn.

        Args:
            action: the number of a legal act; its word where ``raw_action`` is true.
            raw_action: whether it is a word.

        Returns:
            The state of the next player, and who that is.

        Raises:
            UsageError: for an act that is not legal, and once the game is over.
        """
        if raw_action != isinstance(action, str):
            raise UsageError(f"an action is a number, or a word with raw_action=True, not {action!r}")
        state: tuple[dict[str, Any], int] = super().step(self.game.read(action), True)
        return state

    def step_back(self) -> Any:
        """Take the last act back; chance will repeat itself.

        Returns:
            The state of the player now on turn, and who that is; False at the start of a game.

        Raises:
            UsageError: where the environment was made without ``allow_step_back``.
        """
        if not self.allow_step_back:
            raise UsageError("step_back needs an environment made with allow_step_back=True")
        if not self.game.history:
            return False
        self.action_recorder.pop()
        return super().step_back()

    def get_payoffs(self) -> Any:
        """What the game brought each player, float64 of shape (players,); zeros until it is over."""
        return self.game.tables.rewards[0].astype(np.float64)

    def get_perfect_information(self) -> dict[str, Any]:
        """The table with all hands open, in RLCard's words."""
        state = self.game.get_state(self.game.player)
        shown = ("num_players", "played_cards", "target", "current_player", "legal_actions")
        hands = [self.game.hand(player) for player in range(self.num_players)]
        return {"hand_cards": hands, **{name: state[name] for name in shown}}

    def _extract_state(self, state: dict[str, Any]) -> dict[str, Any]:
        on_turn = state["player"] == state["current_player"]
        return {
            "obs": self.game.look(state["player"]),
            "legal_actions": OrderedDict.fromkeys(self.game.legal.values() if on_turn else ()),
            "raw_obs": state,
            "raw_legal_actions": list(state["legal_actions"]),
            "action_record": self.action_recorder,
        }


def make(
    rules: Ruleset | str = "classic",
    players: int = 2,
    *,
    allow_step_back: bool = False,
    seed: int | None = None,
    **terms: Any,
) -> TableEnv:
    """An environment for RLCard's agents.

    Args:
        rules: a ruleset or its name.
        players: 2 to 10.
        allow_step_back: whether acts can be taken back.
        seed: of all chance, 0 or more; None for a fresh one.
        terms: ``reward``, ``episode``, ``calls`` and ``longest`` of ``lastcard.envs.tables.Terms``.

    Raises:
        RulesError, UsageError: for what does not exist; says what does.
    """
    return TableEnv(
        Terms.of(rules, players, terms, ("allow_step_back", "seed")), allow_step_back=allow_step_back, seed=seed
    )


# --- what rlcard.make knows -------------------------------------------------------------------------

_SETTINGS: Final = {
    "game_rules": "rules",
    "game_num_players": "players",
    "game_reward": "reward",
    "game_episode": "episode",
    "game_calls": "calls",
    "game_longest": "longest",
    "allow_step_back": "allow_step_back",
    "seed": "seed",
}
"""The settings of ``rlcard.make`` and what ``make`` calls them."""


def _make_game(game: str, config: dict[str, Any]) -> TableEnv:
    """An environment of a game by RLCard's settings."""
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
"""``rlcard.make("lastcard-wild-jackpot", config)``; so the others."""

for _game in GAMES:
    if f"lastcard-{_game}" not in registry.env_specs:
        register(f"lastcard-{_game}", f"{__name__}:make_{_game.replace('-', '_')}")
