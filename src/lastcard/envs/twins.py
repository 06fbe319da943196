"""Rounds beside compiled tables, for whoever needs a view: bots that do not play in compiled code."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lastcard.bots.base import Bot
from lastcard.envs.tables import Tables
from lastcard.match.round import Round


class Twins:
    """A ``Round`` for every table, dealt by the same chance and led by the same acts.

    Args:
        tables: the tables.
    """

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._rounds: list[Round | None] = [None] * tables.count
        self._dealt: list[tuple[bytes, int]] = [(b"", -1)] * tables.count

    def round(self, i: int) -> Round:
        """The round at a table as it stands."""
        number, dealer, key = self._tables.deal_of(i)
        twin = self._rounds[i]
        if twin is None or self._dealt[i] != (key, number):
            terms = self._tables.terms
            twin = Round.deal(terms.ruleset, terms.players, seed=key, dealer=dealer, number=number)
            self._rounds[i], self._dealt[i] = twin, (key, number)
        return twin

    def forget(self, chosen: Any) -> None:
        """Have the rounds at some tables (int64 numbers) dealt anew: a seed given again deals what it dealt before."""
        for i in chosen.tolist():
            self._rounds[i] = None

    def step(self, chosen: Any, partly: bool = False) -> None:
        """Do the same at the tables and at their twins; see ``Tables.step``."""
        tables = self._tables
        tables.check(chosen, partly)
        seats, over, players = tables.seats.tolist(), tables.over.tolist(), tables.terms.players
        for i, number in enumerate(chosen.tolist()):
            move = tables.actions.decode(number, seats[i], players) if number >= 0 and not over[i] else None
            if move is not None:
                self.round(i).do(seats[i], move)
        tables.step(chosen, partly)

    def ask(self, i: int, bots: Mapping[int, Bot]) -> int:
        """The number of what a bot does at a table."""
        tables = self._tables
        seat = int(tables.seats[i])
        view = self.round(i).view(seat)
        reacts = bool(tables.reacting[i])
        move = bots[seat].react(view) if reacts else bots[seat].choose(view)
        return tables.actions.encode(move, seat, tables.terms.players)
