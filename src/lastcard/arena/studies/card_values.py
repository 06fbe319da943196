"""What a card is worth by game, seats and time."""

from __future__ import annotations

from functools import lru_cache
from random import Random
from typing import Any, Final

import numpy as np

from lastcard.arena.studies.design import GAME_TITLES, Figure, Findings, Sample, Series, Study, Table, join_names
from lastcard.arena.studies.inference import Moments, Sums, add_sums
from lastcard.arena.studies.positions import Positions
from lastcard.arena.studies.variants import games_and_seats
from lastcard.game.cards import CARD_SLOTS, WILDS_FROM, card_name, is_number, is_wild
from lastcard.game.rulesets import ruleset
from lastcard.kernel import arrays
from lastcard.rules import phases

_ROLLOUTS: Final = 40
_TIMES: Final = {"early": range(6, 8), "middle": range(4, 6), "late": range(2, 4)}
"""Numbers of cards in the hand of the player on turn."""
_SEATS: Final = (2, 4)
_TITLES: Final = {
    "number": "number", "s": "Skip", "r": "Reverse", "+2": "Draw Two", "j": "Jackpot", "W": "Wild",
    "W+4": "Wild Draw Four", "Wss": "Wild Skip Two", "W@2": "Wild Targeted Draw Two", "Wx": "Wild Forced Swap",
    "Ws": "Wild Skip", "Wr": "Wild Reverse", "W+2": "Wild Draw Two", "Wj": "Wild Jackpot",
}  # fmt: skip
"""Names of the kinds of cards."""


@lru_cache(maxsize=8)
def _positions(game: str, players: int) -> Positions:
    return Positions(ruleset(game), players, _ROLLOUTS)


def _kind_of(card: int) -> str:
    name = card_name(card)
    return "number" if is_number(card) else name if is_wild(card) else name[1:]


def _measure(sample: Sample) -> Sums:
    game, players = str(sample.cell[0]), int(sample.cell[1])
    positions, sums = _positions(game, players), Sums()
    for number in range(sample.first, sample.first + sample.count):
        time = list(_TIMES)[number % len(_TIMES)]

        def is_wanted(state: Any, sizes: range = _TIMES[time]) -> bool:
            return bool(state["phase"] == phases.PLAY and state["held"][state["turn"]] in sizes)

        states = positions.find(sample.seed, number, is_wanted)
        if states is not None:
            found = _weigh_cards(positions, states, number)
            add_sums(sums, {f"{game}|{players}|{time}|{kind}": Moments.of([gain]) for kind, gain in found.items()})
    return sums


def _weigh_cards(positions: Positions, states: Any, number: int) -> dict[str, float]:
    """How much more the player on turn wins if a random card of the hand becomes one of each kind in the draw pile."""
    seat, dice = int(states["turn"][0]), Random(number)
    hand = np.repeat(np.arange(CARD_SLOTS), states["counts"][0, seat]).tolist()
    pile = states["pile"][0, : states["pile_n"][0]].tolist()
    places: dict[str, list[int]] = {}
    for place, card in enumerate(pile):
        places.setdefault(_kind_of(card), []).append(place)
    given = dice.choice(hand)
    changed = [_exchange(states, seat, given, dice.choice(found)) for found in places.values()]
    won = (positions.play_states([states, *changed], number) == seat).mean(axis=1)
    return dict(zip(places, (won[1:] - won[0]).tolist(), strict=True))


def _exchange(states: Any, seat: int, given: int, place: int) -> Any:
    """Returns a copy of a state in which a card of a hand and one of the draw pile have changed places."""
    copied = arrays.copy(states)
    state = copied[0]
    taken = int(state["pile"][place])
    state["pile"][place] = given
    for card, change in ((given, -1), (taken, 1)):
        state["counts"][seat, card] += change
        mask, bit = ("wilds", card - WILDS_FROM) if is_wild(card) else ("colored", card)
        has_card = state["counts"][seat, card] > 0
        state[mask][seat] = int(state[mask][seat]) & ~(1 << bit) | has_card << bit
    return copied


def _conclude(sums: Sums) -> Findings:
    rows = []
    for game, players in _CELLS:
        for kind, title in _TITLES.items():
            values = [sums.get(f"{game}|{players}|{time}|{kind}") for time in _TIMES]
            if any(values):
                rows.append((game, players, title, *(each.estimate if each else None for each in values)))
    table = Table(
        "cards",
        "Change of the chance to win if a random card of the hand becomes such a card, in percentage points.",
        ("game", "seats", "card", *_TIMES),
        rows,
        percent=True,
    )
    best = {}
    for game in GAME_TITLES:
        found = {kind: sums[key] for kind in _TITLES if (key := f"{game}|4|middle|{kind}") in sums}
        best[game] = sorted(found, key=lambda kind, found=found: -found[kind].mean), found  # type: ignore[misc]
    answer = "With four seats the most valuable card is " + join_names([
        f"{_TITLES[order[0]]} in {GAME_TITLES[game]} ({100 * found[order[0]].mean:+.1f} percentage points)"
        for game, (order, found) in best.items()
    ]) + "."  # fmt: skip
    paragraphs = [
        f"{GAME_TITLES[game]}, four seats, in the middle of a round: "
        + join_names([f"{_TITLES[kind]} {100 * found[kind].mean:+.1f}" for kind in order])
        + " percentage points."
        for game, (order, found) in best.items()
    ] + ["A card counts beside a random card of the same hand, so the values of a game have a mean near zero."]
    series = [
        Series(
            time,
            [(f"{_TITLES[kind]}, {GAME_TITLES[game]}", sums[key].estimate)
             for game, (order, _) in best.items() for kind in order if (key := f"{game}|4|{time}|{kind}") in sums],
        )
        for time in _TIMES
    ]  # fmt: skip
    figure = Figure(
        "What a card is worth, four seats",
        "change of the chance to win, percentage points",
        series,
        reference=0.0,
        percent=True,
    )
    return Findings(answer, paragraphs, figure, [table])


_CELLS: Final = games_and_seats(*_SEATS)

CARD_VALUES: Final = Study(
    "cards",
    "What a card is worth",
    "How much does a card add to the chance to win, by game, number of seats and time?",
    "*Sharp* bots play rounds. One turn of each round is chosen at random, early (6 or 7 cards in hand), in the middle"
    " (4 or 5) or late (2 or 3). A random card of the hand changes places with one of each kind in the draw pile, and"
    f" each hand is played {_ROLLOUTS} times to the end, from the real hands of the others and with the same chance."
    " Intervals are those of each row by itself.",
    _CELLS,
    6000,
    _measure,
    _conclude,
    300,
)
