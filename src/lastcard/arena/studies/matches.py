"""Matches made of rounds that were played before: for options that change no round."""

from __future__ import annotations

import hashlib
from typing import Any, Final

import numpy as np

from lastcard.ai.rounds import PLIES, SEATS, WINNER
from lastcard.arena.compiled_rounds import CompiledRounds, compiled_kind, point_shares
from lastcard.arena.studies.design import Sample
from lastcard.bots.base import ATTENTIVE
from lastcard.game.rulesets import Ruleset, ruleset
from lastcard.match.match import draw_for_dealer, match_result, next_dealer

_ROUNDS_OF_MATCH: Final = 40
"""Number of rounds that are played for each match; a longer match begins again with its first."""
_MAX_ROUNDS: Final = 400
"""Number of rounds after which a match is given up."""


def play_matches(rules: str, bots: tuple[str, ...], sample: Sample) -> dict[str, Any]:
    """Returns measures of matches: rounds, moves, cards drawn, the winner's score, and who won.

    Equal bots play the same at every seat. So a round counts for a match by the seats' distance from the dealer,
    for any dealer. The first bot sits on another seat in each match; the same matches have the same rounds in every
    ruleset.

    Args:
        rules: name of a ruleset that differs from its game only in how rounds make a match.
        bots: one strong bot first, the others equal; or all equal.
    """
    chosen, players = ruleset(rules), len(bots)
    kinds = [kind for name in bots if (kind := compiled_kind(name, ATTENTIVE)) is not None]
    seed = hashlib.sha256(b"matches" + sample.seed).digest()
    table = CompiledRounds(ruleset(chosen.game), players, seed)
    played = []
    for number in range(sample.first, sample.first + sample.count):
        first = number * _ROUNDS_OF_MATCH
        rounds = _Rounds(table.play(first, _ROUNDS_OF_MATCH, kinds), first, players)
        played.append(_play_match(chosen, rounds, number, seed))
    names = ("rounds", "plies", "drawn", "points", "first", "skill")
    return dict(zip(names, np.array(played, np.float64).T, strict=True))


class _Rounds:
    """The rounds of one match, by the distance of the first bot from the dealer."""

    def __init__(self, rows: Any, first: int, players: int) -> None:
        self.players, self._used = players, [0] * players
        self._choices: list[list[tuple[list[int], int]]] = [[] for _ in range(players)]
        for number, row in enumerate(rows.tolist(), first):
            self._choices[-number % players].append((row, number % players))

    def next(self, distance: int) -> tuple[int | None, list[int], int, int]:
        """The winner's place, the points left at each place, the moves and the cards drawn; the dealer has place 0."""
        choices, players = self._choices[distance], self.players
        row, dealer = choices[self._used[distance] % len(choices)]
        self._used[distance] += 1
        held = row[SEATS + players :]
        won = None if row[WINNER] < 0 else (row[WINNER] - dealer) % players
        return won, held[dealer:] + held[:dealer], row[PLIES], sum(row[SEATS : SEATS + players])


def _play_match(rules: Ruleset, rounds: _Rounds, number: int, seed: bytes) -> tuple[float, ...]:
    """The measures of a match."""
    options, players = rules.options, rounds.players
    secret = hashlib.sha256(seed + number.to_bytes(8, "big")).digest()
    strong = number % players
    is_fixed = options.first_dealer in ("seat_0", "host")
    dealer = 0 if is_fixed else draw_for_dealer(rules, players, secret, 0)
    shares, scores = point_shares(rules, players), np.zeros(players, np.int64)
    plies = drawn = count = 0
    winners = None
    while not winners and count < _MAX_ROUNDS:
        won, places, more, cards = rounds.next((strong - dealer) % players)
        plies, drawn, count = plies + more, drawn + cards, count + 1
        held = [places[(seat - dealer) % players] for seat in range(players)]
        winner = None if won is None else (won + dealer) % players
        if winner is not None:
            scores += held @ shares[winner]
        if options.match_mode == "single_round" or scores.max() >= options.winning_score:
            winners = match_result(rules, tuple(scores.tolist()), winner)
        if options.next_dealer == "left":
            dealer = (dealer + 1) % players
        elif not winners:
            following = next_dealer(rules, dealer, players, winner, held)
            dealer = draw_for_dealer(rules, players, secret, count) if following is None else following
    shared = 1 / len(winners) if winners else 0.0
    best = int(scores[winners[0]]) if winners else 0
    return count, plies, drawn, best, shared * (1 in (winners or ())), shared * (strong in (winners or ()))
