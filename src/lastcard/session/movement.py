"""Who sits where in the deals of a duplicate match: a Williams design, in which everybody has every seat equally often.

Each person sits behind each other person equally often too, because the neighbor decides which cards one gets; only the
step from the last seat to the first is not counted. E. J. Williams (1949), as described for the package crossdes of R.
"""

from __future__ import annotations


def count_orders(seats: int) -> int:
    """Return the number of deals after which everything is balanced: the seats, or twice as many if they are odd."""
    return seats if seats % 2 == 0 else 2 * seats


def seat_order(seats: int, deal: int) -> tuple[int, ...]:
    """Return who has each seat, as the seat that they had in the first deal.

    Args:
        seats: number of seats.
        deal: the number of the deal, from 1; after ``count_orders`` deals the orders repeat.
    """
    first = _zigzag(seats)
    row = (deal - 1) % count_orders(seats)
    order = [(place + row) % seats for place in (first if row < seats else first[::-1])]
    return tuple(map(first.index, order))


def _zigzag(seats: int) -> list[int]:
    """Return 0, 1, n - 1, 2, n - 2 and so on, whose neighbors have all differences."""
    return [(i + 1) // 2 if i % 2 else (seats - i // 2) % seats for i in range(seats)]
