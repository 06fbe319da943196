"""What studies play: compiled rounds, watched rounds, matches, and positions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from lastcard.ai.decision import BY_HEURISTIC
from lastcard.ai.rounds import OVERTAKINGS, SUMS, Players, RoundRange, watch_rounds
from lastcard.arena.studies.card_values import _exchange
from lastcard.arena.studies.design import Sample
from lastcard.arena.studies.matches import play_matches
from lastcard.arena.studies.outcomes import play_outcomes
from lastcard.arena.studies.positions import Positions, group_cards
from lastcard.arena.studies.variants import list_house_rules, list_variants
from lastcard.arena.studies.watched_round import Watcher
from lastcard.bots.weights import heuristic_weights
from lastcard.game.cards import WILDS_FROM
from lastcard.game.rulesets import GAMES, ruleset
from lastcard.match.round import Round
from lastcard.rules import phases
from lastcard.rules.layout import DICE, MAX_ACTIONS, MAX_SEATS

SAMPLE = Sample((), bytes(range(32)), 5, 25)


def count_overtakings(rules: str) -> int:
    """The changes of the lead in the rounds of the sample, counted in compiled code."""
    states = Round.deal(rules, 3, seed=SAMPLE.seed).states()
    players = Players(np.zeros(3, np.int64) + BY_HEURISTIC, 1, heuristic_weights(rules, 3), np.zeros(3, np.int64))
    sums = np.zeros(SUMS + MAX_SEATS, np.int64)
    scratch = np.zeros(MAX_ACTIONS + DICE, np.int64)
    watch_rounds(states, RoundRange(SAMPLE.first, SAMPLE.count), players, scratch, sums, 3000)
    return int(sums[OVERTAKINGS])


@pytest.mark.parametrize("rules", [*GAMES, "classic+stacking=same"])
def test_watched_rounds_are_the_compiled_ones(rules: str) -> None:
    watcher = Watcher(ruleset(rules), 3)
    seen = [watcher.watch(SAMPLE.seed, SAMPLE.first + i) for i in range(SAMPLE.count)]
    played = play_outcomes(rules, ("sharp",) * 3, SAMPLE)
    for name in ("drawn", "points", "winner"):
        assert [getattr(each, name) for each in seen] == getattr(played, name).tolist(), name
    calls = played.plies - [each.plies for each in seen]  # that were no part of a play, as after a discard
    assert set(calls) <= ({0, 1} if rules == "wild-jackpot" else {0})
    assert all(each.is_one_sided <= (each.overtakings == 0) for each in seen)
    assert sum(each.overtakings for each in seen) == count_overtakings(rules)
    assert any(each.is_comeback for each in seen)


def test_forgotten_calls_are_caught_only_if_noticed() -> None:
    def drawn(forgotten: int, noticed: int) -> int:
        watcher = Watcher(ruleset("classic"), 3, forgotten, noticed)
        return sum(watcher.watch(SAMPLE.seed, number).drawn for number in range(20))

    assert drawn(100, 0) == drawn(0, 100) < drawn(100, 100)


@pytest.mark.proves("false_uno_penalty=2", "false_catch_penalty=2")
@pytest.mark.parametrize("penalty", ["false_uno_penalty", "false_catch_penalty"])
def test_hasty_players_draw_for_false_calls(penalty: str) -> None:
    def drawn(rules: str, hasty: int) -> int:
        watcher = Watcher(ruleset(rules), 3, hasty=hasty)
        return sum(watcher.watch(SAMPLE.seed, number).drawn for number in range(20))

    costly = f"classic+{penalty}=2"
    assert drawn("classic", 0) == drawn(costly, 0) == drawn("classic", 20) < drawn(costly, 20)


def test_jump_ins_shorten_waits() -> None:
    watched = {
        rules: [Watcher(ruleset(rules), 4).watch(SAMPLE.seed, number).plies for number in range(10)]
        for rules in ("all-wild", "all-wild+jump_in")
    }
    assert watched["all-wild"] != watched["all-wild+jump_in"]


def test_places_are_counted_from_the_dealer_and_from_the_first_bot() -> None:
    played = play_outcomes("classic", ("sharp", "random", "random"), Sample((), SAMPLE.seed, 0, 9))
    number = np.arange(9)
    winner = (played.winner + number % 3) % 3
    assert ((played.player + number // 3 % 3) % 3).tolist() == winner.tolist()


def test_a_match_of_one_round_is_that_round() -> None:
    matches = play_matches("classic+match_mode=single_round", ("sharp",) * 3, SAMPLE)
    assert set(matches["rounds"]) == {1}
    assert set(matches["first"]) <= {0, 1}
    longer = play_matches("classic", ("sharp",) * 3, SAMPLE)
    assert (longer["points"] >= 500).all()
    assert (longer["plies"] >= matches["plies"]).all()
    shorter = play_matches("classic+winning_score=100", ("sharp",) * 3, SAMPLE)
    assert (shorter["rounds"] <= longer["rounds"]).all() and shorter["rounds"].sum() < longer["rounds"].sum()


def test_variants_are_compared_with_what_they_change() -> None:
    readings = list_variants("classic", 4, ("tally_tie", "hand_size"))
    assert readings["tally_tie=shared"] == ("classic+scoring=tally+tally_tie=shared", "classic+scoring=tally")
    assert readings["hand_size=5"] == ("classic+hand_size=5", "classic")
    assert "team_play=true" in list_house_rules("classic", 4)
    assert "team_play=true" not in list_house_rules("classic", 2)


def test_exchanged_cards_leave_a_consistent_hand() -> None:
    positions = Positions(ruleset("wild-jackpot"), 2, 4)
    states = positions.find(SAMPLE.seed, 3, lambda state: state["phase"] == phases.PLAY)
    seat = int(states["turn"][0])
    given = int(np.flatnonzero(states["counts"][0, seat])[0])
    for place in range(0, int(states["pile_n"][0]), 7):
        state = _exchange(states, seat, given, place)[0]
        held = np.flatnonzero(state["counts"][seat])
        assert state["counts"][seat].sum() == states["held"][0, seat]
        assert state["colored"][seat] == sum(1 << int(card) for card in held if card < WILDS_FROM)
        assert state["wilds"][seat] == sum(1 << int(card) - WILDS_FROM for card in held if card >= WILDS_FROM)
        assert state["pile"][place] == given


def test_cards_are_chosen_without_hidden_cards() -> None:
    """The colored card and the wild are those of the rules of thumb, whatever the others hold."""
    positions = Positions(ruleset("classic"), 2, 4)

    def is_wanted(state: Any) -> bool:
        seat = state["turn"]
        fits = state["colored"][seat] & state["matching"]
        return bool(state["phase"] == phases.PLAY and state["wilds"][seat] and fits)

    found = (positions.find(SAMPLE.seed, number, is_wanted) for number in range(20))
    for states in filter(lambda states: states is not None, found):
        colored, wild = positions.choose_card(states, True, 0), positions.choose_card(states, False, -1)
        assert colored is not None and wild is not None
        assert colored & 0xFF < WILDS_FROM <= wild & 0xFF
        assert {colored, wild} <= set(positions.legal_actions(states))
        assert positions.heuristic_action(states) in (colored, wild)


def test_groups_of_cards() -> None:
    assert [group_cards(count, (1, 3)) for count in (1, 2, 3, 4, 9)] == ["1", "2-3", "2-3", "4+", "4+"]
