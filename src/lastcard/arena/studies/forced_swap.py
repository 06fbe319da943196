"""Forced Swap in All Wild: with whom to swap, by the sizes of both hands."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final

from lastcard.arena.studies.design import Figure, Findings, Sample, Series, Study, Table, join_names
from lastcard.arena.studies.inference import Moments, Sums, add_sums
from lastcard.arena.studies.positions import Positions, group_cards
from lastcard.bots.statistics import Estimate
from lastcard.game.action_codes import ARG_SHIFT, NO_ARG
from lastcard.game.cards import W_SWAP, WILDS_FROM
from lastcard.game.rulesets import ALL_WILD
from lastcard.rules import phases

_ROLLOUTS: Final = 40
_SEATS: Final = (2, 3, 4, 6)
_ENDS: Final = (1, 2, 3, 4, 5, 6)
_SIZES: Final = [group_cards(count, _ENDS) for count in range(1, 8)]
_SWAP_BIT: Final = 1 << W_SWAP - WILDS_FROM


@lru_cache(maxsize=8)
def _positions(players: int) -> Positions:
    return Positions(ALL_WILD, players, _ROLLOUTS)


def _may_swap(state: Any) -> bool:
    seat = state["turn"]
    return bool(state["phase"] == phases.PLAY and state["wilds"][seat] & _SWAP_BIT and state["held"][seat] > 1)


def _measure(sample: Sample) -> Sums:
    players = int(sample.cell[0])
    positions, sums = _positions(players), Sums()
    for number, states in positions.find_each(sample, _may_swap):
        add_sums(sums, _weigh_swaps(positions, states, number))
    return sums


def _weigh_swaps(positions: Positions, states: Any, number: int) -> Sums:
    """How much more the player wins by each swap than by another card, by the cards that both then have."""
    seat = int(states["turn"][0])
    other = positions.choose_card(states, colored=False, wilds=~_SWAP_BIT)
    if other is None:
        return {}
    swaps = [action for action in positions.legal_actions(states) if action & 0xFF == W_SWAP]
    shares = (positions.play_moves(states, seat, [other, *swaps], number) == seat).mean(axis=1)
    own = group_cards(int(states["held"][0, seat]) - 1, _ENDS)
    sums: Sums = {}
    for action, share in zip(swaps, shares[1:], strict=True):
        target = action >> ARG_SHIFT & NO_ARG
        size = group_cards(int(states["held"][0, target]), _ENDS)
        gain = Moments.of([float(share - shares[0])])
        add_sums(sums, {f"{positions.players}|{own}|{size}": gain})
    return sums


def _conclude(sums: Sums) -> Findings:
    rows = []
    gains: dict[tuple[int, str, str], Estimate] = {}
    for players in _SEATS:
        for own in _SIZES:
            for size in _SIZES:
                found = sums.get(f"{players}|{own}|{size}")
                if found is not None and found.estimate.has_interval:
                    gains[players, own, size] = found.estimate
                    rows.append((players, own, size, found.count, found.estimate))
    table = Table(
        "forced-swap",
        "What a swap adds to the chance to win, compared with another card, in percentage points.",
        ("seats", "own cards, after the swap card", "cards of the other", "swaps", "gain"),
        rows,
        percent=True,
    )
    return _write(gains, table)


def _write(gains: dict[tuple[int, str, str], Estimate], table: Table) -> Findings:
    def rank(size: str) -> int:
        return _SIZES.index(size)

    choices: dict[tuple[int, str], list[str]] = {}
    for players, own, size in gains:
        choices.setdefault((players, own), []).append(size)
    best = {case: max(sizes, key=lambda size: gains[*case, size].value) for case, sizes in choices.items()}
    agree = sum(best[case] == min(sizes, key=rank) for case, sizes in choices.items())
    clear = {
        step: [gains[key].low > 0 for key in gains if rank(key[1]) - rank(key[2]) == step] for step in range(-2, 5)
    }
    worth = [step for step, found in clear.items() if found and 2 * sum(found) > len(found)]
    if not worth:
        advice = "; but another card is usually better."
    elif min(worth) > 0:
        advice = (
            f", and it is usually better than any other card if they have at least {min(worth)} fewer than you would"
            " have."
        )
    else:
        advice = ", and it is usually better than any other card even without a smaller hand."
    answer = (
        f"Swap with the player who has the fewest cards: that is best in {agree} of {len(best)} cases of seats and own"
        f" cards{advice}"
    )
    extremes = sorted(gains, key=lambda key: gains[key].value)
    paragraphs = [
        "The best swaps: " + join_names([_describe(key, gains[key]) for key in extremes[::-1][:3]]) + ".",
        "The worst: " + join_names([_describe(key, gains[key]) for key in extremes[:3]]) + ".",
    ]
    series = [
        Series(f"{own} own", [(size, gains[4, own, size]) for size in _SIZES if (4, own, size) in gains])
        for own in ("2", "4", "6")
    ]
    figure = Figure(
        "A swap with four seats, by the cards of the other", "change of the chance to win, percentage points", series,
        base="cards of the other", reference=0.0, percent=True,
    )  # fmt: skip
    return Findings(answer, paragraphs, figure, [table])


def _describe(key: tuple[int, str, str], gain: Estimate) -> str:
    players, own, size = key
    return f"{100 * gain.value:+.0f} percentage points with {own} against {size} cards ({players} seats)"


FORCED_SWAP: Final = Study(
    "forced-swap",
    "Forced Swap in All Wild",
    "With whom should one swap, and when?",
    "*Sharp* bots play rounds of All Wild. One position of each round is chosen at random among those in which the"
    f" player on turn has a Forced Swap and another card. Each swap, and the other card that rules of thumb choose, is"
    f" played {_ROLLOUTS} times to the end, from the real hands and with the same chance. Cases with fewer than 30"
    " swaps are left out. Intervals are those of each row by itself.",
    tuple((players,) for players in _SEATS),
    5000,
    _measure,
    _conclude,
    250,
)
