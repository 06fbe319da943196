"""Solve an endgame with open cards: the winner after each first move, if both play as well as they can."""

from lastcard import Round, parse_position


def rate_moves(round_: Round, plies: int) -> dict[str, int]:
    """Returns for each move 1 if the seat on turn wins by it within so many plies, -1 if the other does, else 0."""
    ratings = {}
    for move in round_.legal():
        after = round_.copy()
        after.do(round_.turn, move)
        rating = after.over or (max(rate_moves(after, plies - 1).values()) if plies > 1 else 0)
        ratings[str(move)] = int(rating) if after.over or after.turn == round_.turn else -int(rating)
    return ratings


hands = ["R5 Rs", "B7 B1"]
position = parse_position({"rules": "classic", "hands": hands, "discard": "R9", "draw": "Y1 G8 Y7 B2"})
print(rate_moves(Round.from_position(position), plies=7))
