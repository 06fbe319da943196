"""The acts of a ruleset as numbers 0 … n-1: one list, the same for every seat and any number of players.

A seat is named by how far clockwise it sits from the one who acts: ``Wx>+1`` is a Forced Swap with the next seat.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from typing import Any, Final

import numpy as np

from lastcard.envs.compiled.acts import KEYS, fill_ids
from lastcard.errors import UsageError
from lastcard.game import act
from lastcard.game.actions import COLOR_CARDS, Move, action_move, move_action
from lastcard.game.cards import COLORS, SEVEN, W_SWAP, W_TARGETED, WILD, card_face, is_wild
from lastcard.game.numbers import as_int
from lastcard.game.options import ALL_WILD_GAME, WILD_JACKPOT_GAME
from lastcard.game.rulesets import MAX_PLAYERS, MIN_PLAYERS, Ruleset, as_ruleset, known_deck
from lastcard.rules.layout import NOTHING

_WAIT: Final = "wait"


class ActionSpace:
    """All acts of a ruleset, numbered. Make one with ``action_space``.

    Calls have a number where the rules want them called (``uno_window`` is not ``automatic_call``). ``R5!`` has none:
    it is ``R5``, and ``uno`` when the table asks the seat next. *Wait* lets the table go on; it is there where
    somebody may be asked out of turn.

    Args:
        rules: the ruleset.
    """

    def __init__(self, rules: Ruleset) -> None:
        self.rules = rules
        self.actions: Any = np.array(list(_list_actions(rules)), np.int64)
        """int64 by number: the acts (``lastcard.game.actions``), seats counted from the one who acts; -1 is *wait*."""
        self.ids: Any = np.full(KEYS, -1, np.int16)
        """int16 by key (``lastcard.envs.compiled.acts``): the number of an act, -1 where it has none."""
        fill_ids(self.actions, self.ids)
        self.wait = self.actions.size - 1 if self.actions[-1] == NOTHING else -1
        """The number of *wait*; -1 where nobody is asked out of turn."""
        self._moves = tuple(None if a == NOTHING else action_move(a) for a in self.actions.tolist())
        self._numbers = {move: number for number, move in enumerate(self._moves)}
        self.names = tuple(_WAIT if move is None else str(move).replace(">", ">+") for move in self._moves)
        """The acts as text, by number."""

    def __len__(self) -> int:
        return len(self.names)

    def encode(self, move: Move | None, seat: int, players: int) -> int:
        """The number of a move; a call with a play is left aside.

        Args:
            move: None for *wait*.
            seat: who makes it.
            players: how many there are.

        Raises:
            UsageError: for a move this ruleset does not have, and for a seat that is not at the table.
            NotationError, Refused: for a move that is none.
        """
        seat, players = _check_seat(seat, players)
        if move is not None:
            move_action(move)
            target = None if move.target is None else (move.target - seat) % players
            move = replace(move, target=target, uno=False)
        if move not in self._numbers:
            raise UsageError(f"{move or _WAIT} is not a move of {self.rules}; there are {', '.join(self.names)}")
        return self._numbers[move]

    def decode(self, number: int, seat: int, players: int) -> Move | None:
        """The move of a number; None for *wait*.

        Args:
            number: 0 … n-1.
            seat: who makes it.
            players: how many there are.

        Raises:
            UsageError: for a number out of range, one that names a seat which this table does not have, and for a
                seat that is not at the table.
        """
        number = as_int(f"an act of {self.rules}", number, 0, len(self) - 1)
        seat, players = _check_seat(seat, players)
        move = self._moves[number]
        if move is None or move.target is None:
            return move
        if move.target >= players:
            raise UsageError(f"{self.names[number]} names a seat too far for {players} players")
        return replace(move, target=(seat + move.target) % players)


def _check_seat(seat: int, players: int) -> tuple[int, int]:
    """A seat and how many there are, as Python's integers."""
    players = as_int("the number of players", players, MIN_PLAYERS, MAX_PLAYERS)
    return as_int("a seat", seat, 0, players - 1), players


@cache
def _space(rules: Ruleset) -> ActionSpace:
    return ActionSpace(rules)


def action_space(rules: Ruleset | str) -> ActionSpace:
    """The acts of a ruleset, numbered.

    Args:
        rules: a ruleset or its name.

    Raises:
        RulesError: for an unknown ruleset.
    """
    return _space(as_ruleset(rules))


def _list_actions(rules: Ruleset) -> Iterator[int]:
    """The acts in the order of their numbers: plays by card, then what is no play."""
    options, nothing = rules.options, act.BARE
    cards = sorted(set(known_deck(rules)))
    for card in cards:
        yield card | nothing
        yield from (card | arg << act.ARG_SHIFT for arg in _names(rules, card))
    verbs = [act.DRAW, act.PASS]
    if rules.game != ALL_WILD_GAME or options.stacking != "off":
        verbs += [act.CHALLENGE, act.ACCEPT]
    if rules.game == WILD_JACKPOT_GAME:
        verbs += [act.PULL, act.STOP, act.DONE]
    yield from (verb | nothing for verb in verbs)
    if rules.game != ALL_WILD_GAME:
        yield from (act.COLOR | color << act.ARG_SHIFT for color in COLORS)
    if rules.game == WILD_JACKPOT_GAME:
        yield from (verb | seat << act.ARG_SHIFT for verb in (act.CHOOSE, act.TAKE) for seat in range(MAX_PLAYERS))
        yield from (act.THROW | nothing | card << act.CARD_SHIFT for card in cards if not is_wild(card))
        yield from (act.BURY | nothing | card << act.CARD_SHIFT for card in cards)
    calls = options.uno_window not in ("automatic_call", "no_penalty")
    if calls:
        yield act.UNO | nothing
        yield from (act.CATCH | seat << act.ARG_SHIFT for seat in range(1, MAX_PLAYERS))
    if calls or options.jump_in or options.challenge_by == "anyone":
        yield NOTHING


def _names(rules: Ruleset, card: int) -> range:
    """The colors or seats that a play may name."""
    if rules.game == ALL_WILD_GAME:
        return range(1, MAX_PLAYERS) if card in (W_TARGETED, W_SWAP) else range(0)
    if card in COLOR_CARDS:
        return range(WILD)
    return range(1, MAX_PLAYERS) if rules.options.seven_zero and card_face(card) == SEVEN else range(0)
