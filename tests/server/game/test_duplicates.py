"""Duplicate matches: seats that change in a balanced way, match points, and what counts."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import pytest

from lastcard.game.seeds import deal_secret
from lastcard.server.game.duplicates import complete_deals, count_result, match_points, play_deal, rank_players
from lastcard.server.store.rows import DuplicateResultRow
from lastcard.session.hosting import new_duplicate_table
from lastcard.session.movement import count_orders, seat_order
from lastcard.session.table_settings import Settings
from lastcard.session.table_state import CommandError, DuplicateTable, Person, TableState

SECRET = "5a" * 32


def table(number: int, level: str = "sharp", rules: str = "classic", deals: int = 2) -> TableState:
    part = DuplicateTable("ABC234", number, deals, SECRET)
    return new_duplicate_table(Person("p-ann", "Ann"), Settings(rules=rules), level, part)


def result(deal: int, table: str, points: list[int], luck: float = 0.0) -> DuplicateResultRow:
    winner = points.index(max(points))
    return DuplicateResultRow("ABC234", deal, table, f"{table}-{deal}", points, [winner], [luck] * len(points))


@pytest.mark.parametrize("seats", range(2, 11))
def test_the_movement_is_balanced(seats: int) -> None:
    """Everybody has each seat equally often, and follows each other person equally often."""
    orders = [seat_order(seats, deal) for deal in range(1, count_orders(seats) + 1)]
    assert orders[0] == tuple(range(seats)) == seat_order(seats, count_orders(seats) + 1)
    assert {tuple(sorted(order)) for order in orders} == {tuple(range(seats))}
    had = Counter((seat, place) for order in orders for seat, place in enumerate(order))
    assert set(had.values()) == {len(orders) // seats}
    followed = Counter(pair for order in orders for pair in pairwise(order))
    assert len(followed) == seats * (seats - 1) and len(set(followed.values())) == 1


def test_match_points_are_two_for_each_table_beaten_and_one_for_a_tie() -> None:
    assert match_points([10, 10, -5]) == [3, 3, 0]
    assert match_points([1, 2, 3, 4]) == [0, 2, 4, 6]
    assert match_points([7, 7]) == [1, 1]


def test_players_are_compared_in_the_seats_that_they_had() -> None:
    """In the second deal of two seats everybody sits in the other one; luck at one table alone changes ``adjusted``."""
    deals = {
        1: (result(1, "T1", [50, -50], luck=0.25), result(1, "T2", [20, -20])),
        2: (result(2, "T1", [-30, 30]), result(2, "T2", [-30, 30])),
    }
    totals = {(total.table, total.place): total for total in rank_players(deals, tables=2, seats=2)}
    assert {key: total.match_points for key, total in totals.items()} == {(1, 0): 3, (1, 1): 1, (2, 0): 1, (2, 1): 3}
    assert totals[1, 0].adjusted == totals[1, 1].adjusted == -0.125
    assert totals[2, 0].adjusted == totals[2, 1].adjusted == 0.125


def test_only_deals_of_all_tables_count() -> None:
    results = [result(1, "T1", [1, 0]), result(2, "T1", [1, 0]), result(2, "T2", [1, 0])]
    assert list(complete_deals(results, ["T1", "T2"])) == [2]
    assert complete_deals(results, ["T1", "T2", "T3"]) == {}


@pytest.mark.parametrize("rules", ["all-wild", "classic", "wild-jackpot", "classic+team_play"])
def test_all_tables_get_the_same_deals(rules: str) -> None:
    """Whatever the names; the winners' points are those of the other hands, and a run is the same each time."""
    states = [table(number, rules=rules) for number in (1, 2)]
    for deal in (1, 2):
        runs = [play_deal(state, f"T{number}", f"m{number}") for number, state in enumerate(states)]
        states = [state for _, _, state in runs]
        (row, moves, _), (other, others, _) = runs
        assert row.seed == other.seed and row.secret == deal_secret(bytes.fromhex(SECRET), deal)
        assert row.host == 0 and row.deal == deal and row.winners == other.winners
        assert [move[2:5] for move in moves] == [move[2:5] for move in others]
        counted = count_result(row, moves)
        losers = -sum(points for points in counted.points if points <= 0)
        assert all(counted.points[seat] == losers for seat in counted.winners)
        assert abs(sum(counted.luck)) < 1e-3 or row.rules.endswith("team_play+match_mode=single_round")
    assert not states[0].has_next_deal
    with pytest.raises(CommandError, match="duplicate"):
        play_deal(states[0], "T1", "m3")
