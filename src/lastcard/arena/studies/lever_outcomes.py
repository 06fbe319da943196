"""The lever of Wild Jackpot: what each outcome is worth to the player who pulls it, and to the next."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final

import numpy as np

from lastcard.arena.studies.design import Figure, Findings, Sample, Series, Study, Table, join_names
from lastcard.arena.studies.inference import DIFFERENT, Moments, Sums, add_sums, judge_differences
from lastcard.arena.studies.positions import Positions, group_cards
from lastcard.game.action_codes import NO_ARG_BITS, PULL
from lastcard.game.options import LEVER_OUTCOMES
from lastcard.game.rulesets import WILD_JACKPOT
from lastcard.kernel import arrays
from lastcard.rules import phases

_ROLLOUTS: Final = 40
_SEATS: Final = (2, 3, 4, 6)
_ENDS: Final = (2, 4)
_HANDS: Final = [*dict.fromkeys(["all", *(group_cards(count, _ENDS) for count in range(1, 6))])]
_TITLES: Final = dict(zip(LEVER_OUTCOMES, ("CHOOSE", "RIGHT", "LEFT", "ALL", "DISCARD", "DRAW4"), strict=True))


@lru_cache(maxsize=8)
def _positions(players: int) -> Positions:
    return Positions(WILD_JACKPOT, players, _ROLLOUTS)


def _may_pull(state: Any) -> bool:
    return bool(state["phase"] == phases.PULL)


def _measure(sample: Sample) -> Sums:
    players = int(sample.cell[0])
    positions, sums = _positions(players), Sums()
    for number, states in positions.find_each(sample, _may_pull):
        add_sums(sums, _weigh_outcomes(positions, states, number))
    return sums


def _weigh_outcomes(positions: Positions, states: Any, number: int) -> Sums:
    """The chance of the puller and the next player after each outcome, beyond the mean of all outcomes."""
    seat = int(states["turn"][0])
    following = (seat + int(states["direction"][0])) % positions.players
    pulled = [positions.apply(_script(states, outcome), seat, PULL | NO_ARG_BITS) for outcome in range(len(_TITLES))]
    winners = positions.play_states(pulled, number)
    hand = group_cards(int(states["held"][0, seat]), _ENDS)
    sums: Sums = {}
    for who, player in (("puller", seat), ("next", following)):
        shares = (winners == player).mean(axis=1)
        for outcome, value in zip(LEVER_OUTCOMES, shares - np.mean(shares), strict=True):
            for group in ("all", hand):
                add_sums(sums, {f"{positions.players}|{group}|{outcome}|{who}": Moments.of([value])})
    return sums


def _script(states: Any, outcome: int) -> Any:
    """Returns a copy of a state in which the next pull has an outcome."""
    copied = arrays.copy(states)
    copied["lever_script"][0, 0] = outcome
    copied["lever_script_n"], copied["lever_script_at"] = 1, 0
    return copied


def _conclude(sums: Sums) -> Findings:
    keys = list(sums)
    verdicts = dict(zip(keys, judge_differences([(sums[key], 0.0) for key in keys]), strict=True))
    rows = []
    for players in _SEATS:
        for hand in _HANDS:
            for outcome in LEVER_OUTCOMES:
                puller, following = (f"{players}|{hand}|{outcome}|{who}" for who in ("puller", "next"))
                if puller in sums:
                    values = (sums[puller].count, sums[puller].estimate, sums[following].estimate)
                    rows.append((players, hand, _TITLES[outcome], *values))
    table = Table(
        "lever",
        "Change of the chance to win by each outcome, beside the mean of all six, in percentage points.",
        ("seats", "cards of the puller", "outcome", "pulls", "puller", "next player"),
        rows,
        percent=True,
    )
    worth = {outcome: sums[f"4|all|{outcome}|puller"] for outcome in LEVER_OUTCOMES}
    ranked = sorted(worth, key=lambda outcome: -worth[outcome].mean)
    clear = [outcome for outcome in ranked if verdicts[f"4|all|{outcome}|puller"] == DIFFERENT]
    answer = (
        f"With four seats {_TITLES[ranked[0]]} is worth most to the player who pulls"
        f" ({100 * worth[ranked[0]].mean:+.1f} percentage points), and {_TITLES[ranked[-1]]} least"
        f" ({100 * worth[ranked[-1]].mean:+.1f})."
    )
    paragraphs = [
        "In order, with four seats: "
        + join_names([f"{_TITLES[outcome]} {100 * worth[outcome].mean:+.1f}" for outcome in ranked])
        + f". Certainly different from the mean: {join_names([_TITLES[outcome] for outcome in clear])}.",
        "The next player: "
        + join_names([
            f"{_TITLES[outcome]} {100 * sums[f'4|all|{outcome}|next'].mean:+.1f}" for outcome in ranked
        ]) + ".",
    ]  # fmt: skip
    series = [
        Series(
            f"{players} seats",
            [(_TITLES[outcome], sums[f"{players}|all|{outcome}|puller"].estimate) for outcome in ranked],
        )
        for players in _SEATS
    ]
    figure = Figure(
        "What each outcome is worth to the puller",
        "change of the chance to win, percentage points",
        series,
        reference=0.0,
        percent=True,
    )
    return Findings(answer, paragraphs, figure, [table])


LEVER: Final = Study(
    "lever",
    "The lever",
    "What is each outcome of the lever worth?",
    "*Sharp* bots play rounds of Wild Jackpot. One pull of each round is chosen at random. Each of the six outcomes is"
    f" then played {_ROLLOUTS} times to the end, from the real hands and with the same chance. A difference from the"
    " mean is certain if a z test finds it at 5 %, corrected for the number of all tests (Holm).",
    tuple((players,) for players in _SEATS),
    5000,
    _measure,
    _conclude,
    250,
)
