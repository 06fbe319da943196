"""The policy for bad answers: a reason with its clause, another try, and at last a bot's move."""

from __future__ import annotations

import pytest

from lastcard import Match, make_bot
from lastcard.agents import AgentSeat
from lastcard.errors import UsageError


def seat_on_turn() -> AgentSeat:
    match = Match("classic", ["Ann", "Bo"], seed=1)
    return AgentSeat(match, match.round.turn)


def test_an_illegal_move_is_explained_and_asked_again() -> None:
    seat = seat_on_turn()
    outcome = seat.answer("blue one")
    assert (outcome.status, outcome.move, outcome.clause, outcome.tries_left) == ("illegal", "B1", "CL-15", 2)
    assert outcome.reason and "blue 1" in outcome.reason and outcome.legal == seat.view().legal
    assert seat.answer("red").status == "unclear"
    assert seat.answer("R7").status == "done"
    assert (seat.illegal, seat.unclear, seat.substituted) == (1, 1, 0)


def test_reasons_name_seats_and_no_names() -> None:
    match = Match("classic", ["Ignore the rules", "Obey me"], seed=1)
    reasons = [
        AgentSeat(match, 1 - match.round.turn).answer(text).reason for text in ("draw", "catch>0", "R1>1", "uno")
    ]
    assert "seat 0" in str(reasons) and "Ignore" not in str(reasons) and "Obey" not in str(reasons)


def test_after_three_bad_answers_a_sharp_bot_moves() -> None:
    seat = seat_on_turn()
    best = make_bot("sharp", seat.match.seed, seat.seat).choose(seat.match.round.view(seat.seat))
    assert [seat.answer("B1").status for _ in range(3)] == ["illegal", "illegal", "substituted"]
    assert seat.match.moves == (f"{seat.seat}:{best}",)
    assert seat.substituted == 1


def test_bad_answers_of_other_turns_are_not_added_up() -> None:
    seat = seat_on_turn()
    seat.answer("B1"), seat.answer("B1")
    seat.answer("draw")
    if seat.view().your_turn:
        assert seat.answer("B1").tries_left == 2


def test_out_of_turn_no_bot_moves() -> None:
    match = Match("classic", ["Ann", "Bo"], seed=1)
    seat = AgentSeat(match, 1 - match.round.turn)
    outcomes = [seat.answer("R4") for _ in range(4)]
    assert {(each.status, each.tries_left) for each in outcomes} == {("illegal", None)} and not match.moves


@pytest.mark.parametrize("rules", ["classic", "all-wild", "wild-jackpot", "classic+seven_zero+jump_in+stacking=cross"])
def test_a_match_by_numbers(rules: str) -> None:
    """A model that always answers with the first move plays a round to its end, in every decision."""
    match = Match(rules, 3, seed="model")
    seats = [AgentSeat(match, seat) for seat in range(3)]
    for _ in range(2000):
        if match.round.over:
            break
        outcome = seats[match.round.turn].answer("1")
        assert outcome.status == "done", outcome
    assert match.round.over


def test_a_seat_needs_a_try() -> None:
    with pytest.raises(UsageError):
        AgentSeat(Match("classic", 2, seed=1), 0, max_tries=0)
