"""The moves of a ruleset as action ids 0 … n-1: one list for every seat and any number of players.

A seat is named by its distance clockwise from the seat that moves: ``Wx>+1`` is a Forced Swap with the next seat.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from typing import Any, Final

import numpy as np

from lastcard.envs.compiled.action_ids import KEYS, fill_action_ids
from lastcard.errors import UsageError
from lastcard.game import action_codes
from lastcard.game.cards import COLORS, SEVEN, W_SWAP, W_TARGETED, WILD, card_face, is_wild
from lastcard.game.moves import COLOR_CARDS, Move, action_to_move, move_to_action
from lastcard.game.numbers import require_int
from lastcard.game.options import ALL_WILD_GAME, WILD_JACKPOT_GAME
from lastcard.game.rulesets import MAX_PLAYERS, MIN_PLAYERS, Ruleset, as_ruleset, possible_deck
from lastcard.rules.layout import NOTHING

_WAIT: Final = "wait"


class ActionSpace:
    """All moves of a ruleset with their action ids. Make one with ``action_space``.

    Calls have an id if the rules want them called (``uno_window`` is not ``automatic_call``). ``R5!`` has none: it is
    ``R5``, and ``uno`` when the table asks the seat next. *Wait* means no reaction; it exists if rules may ask a seat
    out of turn.
    """

    def __init__(self, rules: Ruleset) -> None:
        self.rules = rules
        self.actions: Any = np.array(list(_list_actions(rules)), np.int64)
        """int64 by id: the moves (``lastcard.game.moves``), with seats relative to the one that moves; -1 is *wait*."""
        self.ids: Any = np.full(KEYS, -1, np.int16)
        """int16 by key (``lastcard.envs.compiled.action_ids``): the id of a move, -1 if it has none."""
        fill_action_ids(self.actions, self.ids)
        self.wait = self.actions.size - 1 if self.actions[-1] == NOTHING else -1
        """The id of *wait*; -1 if nobody is asked out of turn."""
        self._moves = tuple(None if a == NOTHING else action_to_move(a) for a in self.actions.tolist())
        self._ids_by_move = {move: number for number, move in enumerate(self._moves)}
        self.names = tuple(_WAIT if move is None else str(move).replace(">", ">+") for move in self._moves)
        """The moves as text, by id."""

    def __len__(self) -> int:
        return len(self.names)

    def encode(self, move: Move | None, seat: int, players: int) -> int:
        """The action id of a move, or of *wait* (None); a call with a play is left out.

        Raises:
            UsageError: for a move that this ruleset lacks, and for a seat that is not at the table.
            NotationError, IllegalMove: for an invalid move.
        """
        seat, players = _check_seat(seat, players)
        if move is not None:
            move_to_action(move)
            target = None if move.target is None else (move.target - seat) % players
            move = replace(move, target=target, uno=False)
        if move not in self._ids_by_move:
            raise UsageError(f"{move or _WAIT} is not a move of {self.rules}; there are {', '.join(self.names)}")
        return self._ids_by_move[move]

    def decode(self, action_id: int, seat: int, players: int) -> Move | None:
        """The move of an action id; None for *wait*.

        Raises:
            UsageError: for an id out of range or of a seat that this table lacks, and for a seat that is not at the
                table.
        """
        action_id = require_int(f"an action of {self.rules}", action_id, 0, len(self) - 1)
        seat, players = _check_seat(seat, players)
        move = self._moves[action_id]
        if move is None or move.target is None:
            return move
        if move.target >= players:
            raise UsageError(f"{self.names[action_id]} names a seat too far for {players} players")
        return replace(move, target=(seat + move.target) % players)


def _check_seat(seat: int, players: int) -> tuple[int, int]:
    """A seat and the number of players, as Python's integers."""
    players = require_int("the number of players", players, MIN_PLAYERS, MAX_PLAYERS)
    return require_int("a seat", seat, 0, players - 1), players


@cache
def _space(rules: Ruleset) -> ActionSpace:
    return ActionSpace(rules)


def action_space(rules: Ruleset | str) -> ActionSpace:
    """The moves of a ruleset with their action ids; raises a RulesError for an unknown ruleset."""
    return _space(as_ruleset(rules))


def _list_actions(rules: Ruleset) -> Iterator[int]:
    """The moves in the order of their ids: plays by card, then all others."""
    options, nothing = rules.options, action_codes.NO_ARG_BITS
    cards = sorted(set(possible_deck(rules)))
    for card in cards:
        yield card | nothing
        yield from (card | arg << action_codes.ARG_SHIFT for arg in _list_arguments(rules, card))
    verbs = [action_codes.DRAW, action_codes.PASS]
    if rules.game != ALL_WILD_GAME or options.stacking != "off":
        verbs += [action_codes.CHALLENGE, action_codes.ACCEPT]
    if rules.game == WILD_JACKPOT_GAME:
        verbs += [action_codes.PULL, action_codes.STOP, action_codes.DONE]
    yield from (verb | nothing for verb in verbs)
    if rules.game != ALL_WILD_GAME:
        yield from (action_codes.COLOR | color << action_codes.ARG_SHIFT for color in COLORS)
    if rules.game == WILD_JACKPOT_GAME:
        yield from (
            verb | seat << action_codes.ARG_SHIFT
            for verb in (action_codes.CHOOSE, action_codes.TAKE)
            for seat in range(MAX_PLAYERS)
        )
        yield from (
            action_codes.THROW | nothing | card << action_codes.CARD_SHIFT for card in cards if not is_wild(card)
        )
        yield from (action_codes.BURY | nothing | card << action_codes.CARD_SHIFT for card in cards)
    calls = options.uno_window not in ("automatic_call", "no_penalty")
    if calls:
        yield action_codes.UNO | nothing
        yield from (action_codes.CATCH | seat << action_codes.ARG_SHIFT for seat in range(1, MAX_PLAYERS))
    if calls or options.jump_in or options.challenge_by == "anyone":
        yield NOTHING


def _list_arguments(rules: Ruleset, card: int) -> range:
    """The colors or seats that a play may name."""
    if rules.game == ALL_WILD_GAME:
        return range(1, MAX_PLAYERS) if card in (W_TARGETED, W_SWAP) else range(0)
    if card in COLOR_CARDS:
        return range(WILD)
    return range(1, MAX_PLAYERS) if rules.options.seven_zero and card_face(card) == SEVEN else range(0)
