"""Duplicate matches: the result of a deal, the comparison of tables by match points, and deals that bots play at once.

Match points are those of duplicate bridge: each seat gets two for every other table where the same seat has fewer
points in the same deal, and one for every table where it has as many.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Final

from msgspec import Struct

from lastcard.analysis.luck import measure_luck
from lastcard.bots.base import choose_move
from lastcard.bots.registry import make_bots
from lastcard.game.moves import action_to_move, move_to_action
from lastcard.server.store.rows import DuplicateResultRow, now_ms
from lastcard.session import dealing
from lastcard.session.match_log import drop_taken_back, new_match, replay_match
from lastcard.session.match_rows import NEXT_ROUND, MatchRow, MoveRow
from lastcard.session.movement import seat_order
from lastcard.session.table_state import Occupant, TableState

MAX_TABLES: Final = 10
RUN_LEVEL: Final = "master"
"""The level of the bots whose run is compared with a single table."""


class Total(Struct, frozen=True):
    """What a player of a duplicate match has made of the deals that all tables have played."""

    table: int
    """The number of the table, from 1."""
    place: int
    """The player's seat in the first deal."""
    match_points: int
    adjusted: float
    """Rounds won more than in the same seats at the other tables, without luck, in the mean of all deals."""


def count_result(row: MatchRow, moves: Sequence[MoveRow]) -> DuplicateResultRow:
    """Return the result of a finished deal. Winners get the points of all other hands; the others lose theirs."""
    log = drop_taken_back(moves)
    match = replay_match(row, log)
    winners, held = match.winners or (), match.round.held
    won = sum(points for seat, points in enumerate(held) if seat not in winners)
    dealt = 1 + max((ply for ply, move in enumerate(log) if move.action == NEXT_ROUND), default=-1)
    played = [(move.seat, action_to_move(move.action)) for move in log[dealt:]]
    luck = measure_luck(replay_match(row, log[:dealt]).round, played)
    points = [won if seat in winners else -left for seat, left in enumerate(held)]
    assert row.duplicate is not None
    return DuplicateResultRow(row.duplicate, row.deal, row.table, row.id, points, list(winners), list(luck))


def complete_deals(
    results: Sequence[DuplicateResultRow], tables: Sequence[str]
) -> dict[int, tuple[DuplicateResultRow, ...]]:
    """Return the results of each deal that all tables have played, in their order; no other may be shown to anybody."""
    found = {(result.deal, result.table): result for result in results}
    deals = sorted({result.deal for result in results})
    complete = [deal for deal in deals if all((deal, table) in found for table in tables)]
    return {deal: tuple(found[deal, table] for table in tables) for deal in complete}


def match_points(points: Sequence[int]) -> list[int]:
    """Return the match points of a seat at each table, from its points at each table."""
    return [sum((own > other) + (own >= other) for other in points) - 1 for own in points]


def rank_players(deals: Mapping[int, Sequence[DuplicateResultRow]], tables: int, seats: int) -> list[Total]:
    """Return the totals of all players, those with most match points first, from the results of complete deals."""
    points = [[0] * seats for _ in range(tables)]
    adjusted = [[0.0] * seats for _ in range(tables)]
    for deal, results in deals.items():
        for seat, place in enumerate(seat_order(seats, deal)):
            shares = [(seat in result.winners) - result.luck[seat] for result in results]
            for table, earned in enumerate(match_points([result.points[seat] for result in results])):
                points[table][place] += earned
                others = sum(shares) - shares[table]
                adjusted[table][place] += (shares[table] - others / (tables - 1)) / len(deals)
    totals = [
        Total(table + 1, place, points[table][place], round(adjusted[table][place], 4))
        for table in range(tables)
        for place in range(seats)
    ]
    return sorted(totals, key=lambda total: (-total.match_points, -total.adjusted))


def by_place(table: TableState) -> list[Occupant | None]:
    """Return who plays at a table of a duplicate match, by their seats in the first deal."""
    part = table.duplicate
    order = seat_order(len(table.seats), max(1, 0 if part is None else part.deal))
    occupants = dict(zip(order, table.seats, strict=True))
    return [occupants[place] for place in sorted(occupants)]


def play_deal(table: TableState, code: str, match: str) -> tuple[MatchRow, list[MoveRow], TableState]:
    """Let bots play the next deal of a table at once; return the match, its log, and the table after it.

    The same deal gives the same moves.
    """
    table = dealing.begin_match(table, table.level, ())
    row = dealing.new_match_row(code, table, match)
    game, moves, now = new_match(row), list[MoveRow](), now_ms()
    bots = make_bots([bot or table.level for bot in row.bots], row.seed)

    def note(seat: int, action: int) -> None:
        moves.append(MoveRow(row.id, len(moves), f"run:{len(moves)}", seat, action, now))

    while not game.over:
        if game.round.over:
            game.next_round()
            note(NEXT_ROUND, NEXT_ROUND)
        seat, move = choose_move(game.round, bots)
        game.do(seat, move)
        note(seat, move_to_action(move))
    dealt = dealing.mark_dealt(table, row.id, "")
    winners = game.winners or ()
    ended = dealing.end_match(dealt, row.id, winners, {})
    finished = dataclasses.replace(row, started=now, finished=now, winners=tuple(winners))
    return finished, moves, ended
