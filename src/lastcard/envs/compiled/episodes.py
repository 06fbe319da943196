"""Episodes for learners, of one round or a whole match: rewards, scores, and the next round."""

from typing import Any, Final

from lastcard.kernel.jit import kernel
from lastcard.kernel.records import Int64s
from lastcard.rules import chance, option_codes, piles, scoring
from lastcard.rules.round_state import RoundState

# Kinds of rewards.
WIN: Final = 0
POINTS: Final = 1
RANK: Final = 2


@kernel
def find_dealer(t: RoundState, dice: Int64s, held: Int64s) -> int:
    """The dealer of the next round (CO-44, LC-14); a draw gives every seat the same chance. ``held`` is scratch."""
    scoring.count_hands(t, held)
    dealer = scoring.find_dealer(t, held)
    return chance.roll_below(dice, t.players) if dealer == scoring.BY_DRAW else dealer


@kernel
def count_points(t: RoundState, points: Int64s) -> None:
    """Write the points that each seat scores in a finished round."""
    scoring.count_hands(t, points)
    scoring.score_round(t, points)


@kernel
def reward_winners(winners: int, rewards: Any) -> None:
    """Write rewards: 1 shared by the winners and -1 by the others; nothing if nobody won."""
    n = 0
    for seat in range(rewards.size):
        n += winners >> seat & 1
    for seat in range(rewards.size):
        if n == 0 or n == rewards.size:
            rewards[seat] = 0.0
        elif winners >> seat & 1 != 0:
            rewards[seat] = 1.0 / n
        else:
            rewards[seat] = -1.0 / (rewards.size - n)


@kernel
def reward_points(t: RoundState, points: Int64s, rewards: Any) -> None:
    """Write the points of each seat; a tally counts against it (CL-52)."""
    for seat in range(t.players):
        rewards[seat] = -points[seat] if t.scoring == option_codes.TALLY else points[seat]


@kernel
def reward_ranks(values: Int64s, rewards: Any) -> None:
    """Write rewards from 1 for the highest value down to -1 for the lowest; ties share."""
    for seat in range(rewards.size):
        below = 0
        above = 0
        for other in range(rewards.size):
            if values[other] < values[seat]:
                below += 1
            elif values[other] > values[seat]:
                above += 1
        rewards[seat] = (below - above) / (rewards.size - 1.0)


@kernel
def rank_round(t: RoundState, values: Int64s) -> None:
    """Write the values that rank the seats at the end of a round: the winner, then fewest points in hand."""
    for seat in range(t.players):
        values[seat] = 1 if scoring.wins_with(t, seat, t.winner) else -piles.hand_points(t, seat)
