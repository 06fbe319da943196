"""Results of rounds in compiled code, seen from the dealer or from one player."""

from __future__ import annotations

from functools import lru_cache
from threading import get_ident
from typing import Any, NamedTuple

import numpy as np

from lastcard.ai.rounds import PLIES, SEATS, WINNER
from lastcard.arena.compiled_rounds import CompiledRounds, compiled_kind
from lastcard.arena.simulation import score_rounds
from lastcard.arena.studies.design import Sample
from lastcard.bots.base import ATTENTIVE
from lastcard.errors import UsageError
from lastcard.game.rulesets import Ruleset, ruleset


class Outcomes(NamedTuple):
    """Rounds as arrays with one value for each."""

    plies: Any
    drawn: Any
    """Number of cards drawn by all."""
    points: Any
    """Score of the winner, or in tally scoring of all together."""
    winner: Any
    """Places to the left of the dealer that the winner sits, 0 for the dealer; -1 for none."""
    player: Any
    """The same to the left of the first bot."""


def play_outcomes(rules: str, bots: tuple[str, ...], sample: Sample) -> Outcomes:
    """Returns the outcomes of a sample of rounds; the same seed and number give the same shuffle in every ruleset.

    Args:
        rules: name of a ruleset.
        bots: attentive ``sharp``, ``casual`` or ``random`` bots by seat. They move on a seat after every full rotation
            of the dealer.
    """
    players = len(bots)
    kinds = [compiled_kind(name, ATTENTIVE) for name in bots]
    if None in kinds:
        raise UsageError(f"compiled rounds are between sharp, casual and random bots, not {', '.join(bots)}")
    table = _new_table(rules, players, sample.seed, get_ident())
    known = [kind for kind in kinds if kind is not None]
    rows = table.play(sample.first, sample.count, known, rotates_seats=True)
    won, number = rows[:, WINNER], sample.first + np.arange(sample.count)
    first_seat = number // players % players

    def places_from(seats: Any) -> Any:
        return np.where(won >= 0, (won - seats) % players, -1)

    points = score_rounds(_parse(rules), won, rows[:, SEATS + players :]).sum(axis=1)
    drawn = rows[:, SEATS : SEATS + players].sum(axis=1)
    return Outcomes(rows[:, PLIES], drawn, points, places_from(number % players), places_from(first_seat))


@lru_cache(maxsize=256)
def _parse(rules: str) -> Ruleset:
    return ruleset(rules)


@lru_cache(maxsize=128)
def _new_table(rules: str, players: int, seed: bytes, thread: int) -> CompiledRounds:
    """The table at which a thread plays."""
    return CompiledRounds(_parse(rules), players, seed)
