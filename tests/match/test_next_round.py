"""Going on to the next round, and the end of a match."""

from __future__ import annotations

import random

import pytest

from lastcard.errors import IllegalMove, UsageError
from lastcard.game.rulesets import ruleset
from lastcard.match.match import Match, match_result
from support.arranged_decks import DECKS, all_cards, play_to_end, turn_state
from support.clauses import proves


@proves("CO-44", "CO-45", "AW-4")
@pytest.mark.parametrize("players", [2, 3, 5])
def test_next_round(players: int) -> None:
    """CL-C19: the deal passes left, seven new cards, clockwise again, no call and no window left; scores stay."""
    match, rng = Match("all-wild+match_mode=to_target", players, seed=players), random.Random(3)
    for _ in range(3):
        dealer = match.dealer
        last = play_to_end(match, rng)
        if match.over:
            break
        scores = match.scores
        table = match.next_round()
        assert match.dealer == table.dealer == (dealer + 1) % players
        assert turn_state(table) == ((match.dealer + 1) % players, 1, "play")
        assert table.counts == (7,) * players and all_cards(table) == sorted(DECKS["all-wild"])
        assert not table.exposed and not table.called and not table.early
        assert match.scores == scores and sum(scores) > 0
        assert table.hands != last.hands


@proves("LC-14", "next_dealer=redraw")
@pytest.mark.parametrize("game", ["all-wild+match_mode=to_target+winning_score=1000", "classic+winning_score=1000"])
def test_dealer_drawn_anew(game: str) -> None:
    """next_dealer = redraw: chance names the next dealer, the same from the same seed."""
    dealers = []
    for seed in [*range(12), *range(12)]:
        match = Match(f"{game}+next_dealer=redraw+first_dealer=seat_0", 3, seed=seed)
        play_to_end(match, random.Random(seed))
        match.next_round()
        dealers.append(match.dealer)
    assert dealers[:12] == dealers[12:]
    assert set(dealers) == {0, 1, 2}


@proves("AW-50", "LC-32", "CO-46", "CL-51")
@pytest.mark.parametrize("rules", ["all-wild", "all-wild+match_mode=to_target", "classic+winning_score=100"])
def test_match_ends(rules: str) -> None:
    """A match ends at the target or after one round, and then takes no more moves."""
    match, rng = Match(rules, 3, seed=2), random.Random(2)
    play_to_end(match, rng)
    while not match.over:
        match.next_round()
        play_to_end(match, rng)
    assert match.winners == (match.round.winner,)
    assert match.scores[match.winners[0]] == max(match.scores)
    assert (match.number == 0) == (rules == "all-wild") or rules.startswith("classic")
    with pytest.raises(UsageError):
        match.next_round()
    with pytest.raises(IllegalMove):
        match.do(0, "draw")


@proves("LC-33", "LC-46", "CL-53")
def test_winning_together() -> None:
    """A shared tally and a team have several winners; an extra round has none yet."""
    tally = "classic+scoring=tally"
    assert match_result(ruleset(f"{tally}+tally_tie=shared"), (240, 240, 510), 0) == (0, 1)
    assert match_result(ruleset(tally), (240, 240, 510), 0) is None
    assert match_result(ruleset(tally), (240, 239, 510), 0) == (1,)
    assert match_result(ruleset("classic+team_play"), (500, 30, 500, 30), 2) == (0, 2)
    assert match_result(ruleset("all-wild+team_play"), (0, 80, 0, 80), 3) == (1, 3)
