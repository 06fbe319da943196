"""Forced Swap in All Wild: with whom to swap, by the sizes of both hands."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final

from lastcard.arena.studies.design import Figure, Findings, Sample, Series, Study, Table, join_names
from lastcard.arena.studies.inference import Moments, Sums, add_sums
from lastcard.arena.studies.positions import Positions, best_share, group_cards
from lastcard.bots.statistics import Estimate
from lastcard.game.action_codes import ARG_SHIFT, NO_ARG
from lastcard.game.cards import CARD_SLOTS, W_SWAP, WILDS_FROM
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
    for number in range(sample.first, sample.first + sample.count):
        states = positions.find(sample.seed, number, _may_swap)
        if states is not None:
            add_sums(sums, _weigh_swaps(positions, states, number))
    return sums


def _weigh_swaps(positions: Positions, states: Any, number: int) -> Sums:
    """How much more the player wins by each swap than by the best other card, by the cards that both then have."""
    seat = int(states["turn"][0])
    plays = [action for action in positions.legal_actions(states) if action & 0xFF < CARD_SLOTS]
    swaps = [i for i, action in enumerate(plays) if action & 0xFF == W_SWAP]
    others = [i for i in range(len(plays)) if i not in swaps]
    if not others:
        return {}
    won = positions.play_moves(states, seat, plays, number) == seat
    other, half = best_share(won[others]), won.shape[1] // 2
    own = group_cards(int(states["held"][0, seat]) - 1, _ENDS)
    sums: Sums = {}
    for i in swaps:
        target = plays[i] >> ARG_SHIFT & NO_ARG
        size = group_cards(int(states["held"][0, target]), _ENDS)
        gain = Moments.of([float(won[i, half:].mean()) - other])
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
        "What a swap adds to the chance to win, compared with the best other card, in percentage points.",
        ("seats", "own cards, after the swap card", "cards of the other", "swaps", "gain"),
        rows,
        percent=True,
    )
    return _write(gains, table)


def _write(gains: dict[tuple[int, str, str], Estimate], table: Table) -> Findings:
    def rank(size: str) -> int:
        return _SIZES.index(size)

    best = {(players, own): max((s for p, o, s in gains if (p, o) == (players, own)),
                                key=lambda s: gains[players, own, s].value)
            for players, own, _ in gains}  # fmt: skip
    smallest = {key: min((s for p, o, s in gains if (p, o) == key), key=rank) for key in best}
    agree = sum(best[key] == smallest[key] for key in best)
    clear = {
        step: [gains[key].low > 0 for key in gains if rank(key[1]) - rank(key[2]) == step] for step in range(-2, 5)
    }
    worth = [step for step, found in clear.items() if found and 2 * sum(found) > len(found)]
    from_step = min(worth) if worth else None
    answer = (
        f"Swap with the player who has the fewest cards: that is best in {agree} of {len(best)} cases of seats and own"
        " cards"
        + (
            f", and it is usually better than any other card if they have at least {from_step} fewer than you would"
            " have."
            if from_step is not None and from_step > 0
            else ", and it is usually better than any other card even without a smaller hand."
            if from_step is not None
            else "; but another card is usually better."
        )
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
        "A swap with four seats, by the cards of the other", "change of the chance to win", series,
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
    f" player on turn has a Forced Swap and another card. Each swap and each other card is played {_ROLLOUTS} times to"
    " the end, from the real hands and with the same chance; the best other card is chosen by one half of these"
    " rollouts, and all are measured by the other. Cases with fewer than 30 swaps are left out. Intervals are those of"
    " each row by itself.",
    tuple((players,) for players in _SEATS),
    8000,
    _measure,
    _conclude,
    250,
)
