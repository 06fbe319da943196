"""Figures of rules: the sums of compiled rounds, and what they say (``analysis.rule_figures``)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any, Final

import numpy as np
import pytest

from lastcard.ai import rounds
from lastcard.ai.rounds import Players, RoundRange, play_rounds, read_figures, watch_rounds
from lastcard.analysis import rule_figures
from lastcard.analysis.rule_figures import DICE_KEY, KINDS, MAX_PLIES, SEED, measure_rules
from lastcard.bots.weights import heuristic_weights
from lastcard.errors import LastcardError
from lastcard.match.round import Round
from lastcard.rules import phases
from lastcard.rules.layout import DICE, MAX_ACTIONS, MAX_SEATS
from support.node import Node

TABLES: Final = [("all-wild", 4), ("classic", 2), ("classic", 3), ("wild-jackpot", 5), ("classic+team_play", 4)]


class Rounds:
    """Compiled rounds of players of both kinds, and what they count."""

    def __init__(self, rules: str, players: int) -> None:
        self.players = players
        self.states: Any = Round.deal(rules, players, seed=SEED).states()
        weights = np.array(heuristic_weights(rules, players))
        self.at_table = Players(np.array(KINDS[1] * 5, np.int64), 1, weights, np.array(DICE_KEY, np.int64))
        self.scratch = np.zeros(MAX_ACTIONS + DICE, np.int64)

    def watch(self, first: int, count: int) -> list[int]:
        """The sums of some rounds."""
        sums = np.zeros(rounds.SUMS + MAX_SEATS, np.int64)
        watch_rounds(self.states, RoundRange(first, count), self.at_table, self.scratch, sums, MAX_PLIES)
        found: list[int] = sums[: rounds.SUMS].tolist()
        return found

    def play(self, number: int, limit: int = MAX_PLIES) -> list[int]:
        """The outcome of a round by ``play_rounds``, which leaves its last state."""
        outcomes = np.zeros((1, rounds.SEATS + 2 * self.players), np.int16)
        play_rounds(self.states, number, self.at_table, self.scratch, outcomes, limit)
        found: list[int] = outcomes[0].tolist()
        return found

    def states_of(self, number: int) -> Iterator[Any]:
        """A copy of every state of a round, by playing it once for each."""
        for plies in range(self.play(number)[rounds.PLIES] + 1):
            self.play(number, plies)
            yield self.states[0].copy()


def count_by_hand(states: list[Any], players: int) -> tuple[int, int, int]:
    """The turns, the long waits and the changes of the lead in a round, from its states alone."""
    turns: list[int] = []
    leaders: list[int] = []
    for before, state in pairwise([None, *states[:-1]]):
        if before is None or before["turn"] != state["turn"]:
            turns.append(int(state["turn"]))
        elif state["phase"] == phases.PLAY and before["phase"] not in (phases.CHALLENGE, phases.STACK):
            # A call changes neither the phase nor a pile: it is no turn.
            is_call = all(before[name] == state[name] for name in ("phase", "pile_n", "discard_n"))
            turns += [] if is_call else [int(state["turn"])]
    for state in states[1:]:
        held = state["held"][:players].tolist()
        if min(held) <= state["hand_size"] // 2 and held.count(min(held)) == 1:
            leaders.append(held.index(min(held)))
    waits = 0
    for i, seat in enumerate(turns):
        earlier = [k for k in range(i) if turns[k] == seat]
        waits += bool(earlier) and i - earlier[-1] > players
    return len(turns), waits, sum(one != other for one, other in pairwise(leaders))


@pytest.mark.parametrize(("rules", "players"), TABLES)
def test_the_sums_are_those_of_the_states(rules: str, players: int) -> None:
    at = Rounds(rules, players)
    waited = 0
    for number in range(6):
        turns, waits, overtakings = count_by_hand(list(at.states_of(number)), players)
        played = at.watch(number, 1)
        assert played[rounds.TURNS] == turns
        assert played[rounds.WAITS] == waits
        assert played[rounds.OVERTAKINGS] == overtakings
        waited += waits
    assert waited


@pytest.mark.parametrize(("rules", "players"), TABLES)
def test_rounds_are_those_of_the_arena(rules: str, players: int) -> None:
    at = Rounds(rules, players)
    outcomes = [at.play(number) for number in range(60)]
    sums = at.watch(0, 60)
    assert sums[rounds.PLAYED] == 60 and sums[rounds.MOVES] == sum(played[rounds.PLIES] for played in outcomes)
    wins = [0, 0]
    for number, played in enumerate(outcomes):
        if played[rounds.WINNER] >= 0:
            wins[(played[rounds.WINNER] - number // players) % players % 2] += 1
    assert [sums[rounds.EVEN_WINS], sums[rounds.ODD_WINS]] == wins


def test_the_figures_of_sums() -> None:
    equal, mixed, out = np.zeros(7, np.int64), np.zeros(7, np.int64), np.zeros(rounds.FIGURES)
    equal[:5] = 10, 420, 400, 60, 25
    mixed[:7] = 10, 400, 380, 0, 0, 6, 2  # by three players, two of whom are stronger
    read_figures(equal, mixed, 3, out)
    assert out.tolist() == [42, 40, 0.15, 2.5, 0.6]
    mixed[5:7] = 0
    read_figures(equal, mixed, 3, out)
    assert out[rounds.SKILL] == 0.5


def test_rules_differ_in_what_they_change() -> None:
    """Stacking makes rounds longer, swapping hands changes the lead, and All Wild skips players."""
    classic, stacked, swapped, wild = (
        measure_rules(rules, 4, 10_000)
        for rules in ("classic", "classic+living-room", "classic+seven_zero", "all-wild")
    )
    assert stacked.moves > 1.5 * classic.moves
    assert swapped.overtakings > 1.4 * classic.overtakings
    assert wild.waits > 1.5 * classic.waits
    assert classic.skill > 0.54
    assert measure_rules("classic", 4, 10_000) == classic


def test_the_time_ends_the_measurement(monkeypatch: pytest.MonkeyPatch) -> None:
    """After the first rounds of each sort; there are figures even if time is short."""
    counts = []

    def watch(states: Any, played: RoundRange, *more: Any) -> None:
        counts.append(played.count)
        watch_rounds(states, played, *more)

    monkeypatch.setattr(rule_figures, "watch_rounds", watch)
    assert measure_rules("classic+harsh", 8, budget_ms=0).moves > 20
    assert len(counts) == 2


def test_rules_that_do_not_fit_are_refused() -> None:
    for rules, players in (("poker", 4), ("classic", 11), ("classic+team_play", 3)):
        with pytest.raises(LastcardError):
            measure_rules(rules, players)


def test_the_page_measures_the_same() -> None:
    node = Node()
    for rules, players in (("classic+living-room+jump_in", 3), ("all-wild", 2), ("wild-jackpot+wj_rules=written", 4)):
        found = node.ask("figures", rules=rules, seats=players)
        expected = measure_rules(rules, players, 60_000)
        assert found == {name: getattr(expected, name) for name in expected.__struct_fields__}
    node.close()
