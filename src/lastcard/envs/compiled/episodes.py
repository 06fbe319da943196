"""Episodes of play for learners: rewards, scores, and the round after the last; one round or a whole match."""

from typing import Any, Final

from lastcard.engine import chance, choice, piles
from lastcard.engine.jit import kernel
from lastcard.engine.records import Int64s
from lastcard.engine.table import Table
from lastcard.mind import worth

# What a reward is.
WIN: Final = 0
POINTS: Final = 1
RANK: Final = 2

TALLY: Final = choice.option_code("scoring", "tally")
_SHARED: Final = choice.option_code("tally_tie", "shared")
_SINGLE: Final = choice.option_code("match_mode", "single_round")
_WINNER_DEALS: Final = choice.option_code("next_dealer", "winner")
_LOSER_DEALS: Final = choice.option_code("next_dealer", "loser")
_REDRAW: Final = choice.option_code("next_dealer", "redraw")


@kernel
def wins_with(t: Table, seat: int, winner: int) -> bool:
    """Whether a seat wins when ``winner`` does (6.8)."""
    return winner >= 0 and not worth.is_foe(t, winner, seat)


@kernel
def round_winners(t: Table) -> int:
    """Mask of the seats that have won the round that is over."""
    winners = 0
    for seat in range(t.players):
        if wins_with(t, seat, t.winner):
            winners |= 1 << seat
    return winners


@kernel
def count_points(t: Table, points: Int64s) -> None:
    """The points each seat scores by the round that is over (AW-51, CL-51, CL-52, WJ-61, LC-46)."""
    collected = 0
    for seat in range(t.players):
        held = piles.hand_points(t, seat)
        points[seat] = held if t.scoring == TALLY and t.winner >= 0 and seat != t.winner else 0
        if not wins_with(t, seat, t.winner):
            collected += held
    if t.scoring != TALLY:
        for seat in range(t.players):
            if wins_with(t, seat, t.winner):
                points[seat] = collected


@kernel
def find_winners(t: Table, scores: Int64s) -> int:
    """Mask of the seats that have won the match by now; 0 while it goes on (AW-50, CO-46, CL-52, CL-53)."""
    if t.winner < 0:
        return 0
    if t.match_mode == _SINGLE:
        return round_winners(t)
    most = scores[0]
    least = scores[0]
    for seat in range(t.players):
        most = max(most, scores[seat])
        least = min(least, scores[seat])
    if most < t.winning_score:
        return 0
    winners = 0
    tied = 0
    for seat in range(t.players):
        if scores[seat] == (least if t.scoring == TALLY else most):
            winners |= 1 << seat
            tied += 1
    return 0 if t.scoring == TALLY and tied > 1 and t.tally_tie != _SHARED else winners


@kernel
def find_dealer(t: Table, dice: Int64s) -> int:
    """Who deals the next round (CO-44, LC-14); a draw for it is as likely to fall on every seat."""
    left = (t.dealer + 1) % t.players
    if t.next_dealer == _REDRAW:
        return chance.roll_below(dice, t.players)
    if t.winner < 0:
        return left
    if t.next_dealer == _WINNER_DEALS:
        return int(t.winner)
    if t.next_dealer != _LOSER_DEALS:
        return left
    best = left
    for i in range(t.players):
        seat = (left + i) % t.players
        if piles.hand_points(t, seat) > piles.hand_points(t, best):
            best = seat
    return best


@kernel
def reward_winners(winners: int, rewards: Any) -> None:
    """1 shared by the winners and -1 by the others; nothing where nobody won."""
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
def reward_points(t: Table, points: Int64s, rewards: Any) -> None:
    """The points of each seat; a tally counts against it (CL-52)."""
    for seat in range(t.players):
        rewards[seat] = -points[seat] if t.scoring == TALLY else points[seat]


@kernel
def reward_ranks(values: Int64s, rewards: Any) -> None:
    """From 1 for the highest value down to -1 for the lowest; who ties shares."""
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
def rank_round(t: Table, values: Int64s) -> None:
    """What ranks the seats at the end of a round: who won, then how few points are left in a hand."""
    for seat in range(t.players):
        values[seat] = 1 if wins_with(t, seat, t.winner) else -piles.hand_points(t, seat)
