"""When to challenge, what a forgotten call costs, and when to hold wilds."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any, Final

from lastcard.ai.estimates import NORMAL_95
from lastcard.arena.studies.design import (
    GAME_TITLES,
    Figure,
    Findings,
    Sample,
    Series,
    Study,
    Table,
    join_names,
    percent_text,
)
from lastcard.arena.studies.inference import Moments, Sums, add_sums
from lastcard.arena.studies.positions import Positions, group_cards
from lastcard.bots.statistics import Estimate
from lastcard.game.action_codes import ACCEPT, ARG_SHIFT, CATCH, CHALLENGE, NO_ARG_BITS
from lastcard.game.rulesets import ruleset
from lastcard.rules import phases

_ROLLOUTS: Final = 40
_ALL_WILDS: Final = -1
"""A mask of all wilds."""
_WITH_COLORS: Final = ("classic", "wild-jackpot")
_CARD_GROUPS: Final = {"challenge": (1, 2, 4, 6), "call": (1, 2, 4, 6), "wild": (1, 2, 3, 4, 6)}
"""Groups of the number of cards: of the challenged player, of the other player with the fewest, of one's own."""
_SIZES: Final = {
    kind: [*dict.fromkeys(group_cards(count, ends) for count in range(1, ends[-1] + 2))]
    for kind, ends in _CARD_GROUPS.items()
}


@lru_cache(maxsize=16)
def _positions(game: str, players: int) -> Positions:
    return Positions(ruleset(game), players, _ROLLOUTS)


def _measure(sample: Sample) -> Sums:
    kind, game, players = str(sample.cell[0]), str(sample.cell[1]), int(sample.cell[2])
    is_wanted, weigh = _KINDS[kind]
    positions, sums = _positions(game, players), Sums()
    for number, states in positions.find_each(sample, is_wanted):
        size, values = weigh(positions, states, number)
        group = group_cards(size, _CARD_GROUPS[kind])
        more = {f"{kind}|{game}|{players}|{group}|{name}": Moments.of([value]) for name, value in values.items()}
        add_sums(sums, more)
    return sums


def _may_challenge(state: Any) -> bool:
    return bool(state["phase"] == phases.CHALLENGE)


def _weigh_challenge(positions: Positions, states: Any, number: int) -> tuple[int, dict[str, float]]:
    """How much more the player who may challenge wins by it, and whether the card was a bluff."""
    seat, is_bluff = int(states["turn"][0]), bool(states["was_bluff"][0])
    won = positions.play_moves(states, seat, [CHALLENGE | NO_ARG_BITS, ACCEPT | NO_ARG_BITS], number) == seat
    gain = float(won[0].mean() - won[1].mean())
    size = int(states["held"][0, states["challenged_seat"][0]])
    return size, {"gain": gain, "bluff": is_bluff, "guilty" if is_bluff else "innocent": gain}


def _must_call(state: Any) -> bool:
    return bool(state["phase"] == phases.PLAY and state["held"][state["turn"]] == 2)


def _weigh_call(positions: Positions, states: Any, number: int) -> tuple[int, dict[str, float]]:
    """How much less a player wins who lays the second last card without a call and is caught at once."""
    seat = int(states["turn"][0])
    others = [other for other in range(positions.players) if other != seat]
    fewest = min(int(states["held"][0, other]) for other in others)
    played = positions.apply(states, seat, positions.heuristic_action(states))
    if not int(played["exposed"][0]) >> seat & 1:
        return fewest, {}
    caught = positions.apply(played, others[0], CATCH | seat << ARG_SHIFT)
    won = positions.play_states([played, caught], number) == seat
    return fewest, {"gain": float(won[0].mean() - won[1].mean())}


def _may_hold(state: Any) -> bool:
    seat = state["turn"]
    return bool(state["phase"] == phases.PLAY and state["wilds"][seat] and state["colored"][seat] & state["matching"])


def _weigh_wild(positions: Positions, states: Any, number: int) -> tuple[int, dict[str, float]]:
    """How much more a player wins who holds the wilds and lays a colored card, than by a wild."""
    seat = int(states["turn"][0])
    size = int(states["held"][0, seat])
    colored = positions.choose_card(states, colored=True, wilds=0)
    wild = positions.choose_card(states, colored=False, wilds=_ALL_WILDS)
    if colored is None or wild is None:
        return size, {}
    won = positions.play_moves(states, seat, [colored, wild], number) == seat
    return size, {"gain": float(won[0].mean() - won[1].mean())}


_KINDS: Final[dict[str, Any]] = {
    "challenge": (_may_challenge, _weigh_challenge),
    "call": (_must_call, _weigh_call),
    "wild": (_may_hold, _weigh_wild),
}


def _conclude(sums: Sums) -> Findings:
    cells = [(str(kind), str(game), int(players)) for kind, game, players in _CELLS]
    gains: dict[tuple[str, str, int, str], Estimate] = {}
    rows: dict[str, list[tuple[Any, ...]]] = {kind: [] for kind in _KINDS}
    for kind, game, players in cells:
        for size in _SIZES[kind]:
            key = f"{kind}|{game}|{players}|{size}"
            if f"{key}|gain" not in sums:
                continue
            gains[kind, game, players, size] = sums[f"{key}|gain"].estimate
            row: tuple[Any, ...] = (game, players, size, sums[f"{key}|gain"].count, sums[f"{key}|gain"].estimate)
            rows[kind].append(row + (_challenge_columns(sums, key) if kind == "challenge" else ()))
    head = ("game", "seats", "cards", "positions")
    tables = [
        Table(
            "challenge",
            "What a challenge adds to the chance of the player who must draw, by the cards of the challenged one, in"
            " percentage points.",
            (*head, "gain", "bluffs", "if it was a bluff", "if it was none", "worth it from"),
            rows["challenge"],
            percent=True,
        ),
        Table(
            "call",
            "What it costs to be caught without a call, by the cards of the other player with the fewest, in"
            " percentage points.",
            (*head, "loss"), rows["call"], percent=True,
        ),
        Table(
            "wild",
            "What it adds to hold the wilds and lay a colored card instead, by the cards of one's own hand, in"
            " percentage points.",
            (*head, "gain"), rows["wild"], percent=True,
        ),
    ]  # fmt: skip
    return _write(sums, gains, tables)


def _challenge_columns(sums: Sums, key: str) -> tuple[Any, ...]:
    """How often it was a bluff, the gain if it was and was not, and the share of bluffs from which to challenge."""
    bluff, guilty, innocent = (sums.get(f"{key}|{name}", Moments()) for name in ("bluff", "guilty", "innocent"))
    return (
        bluff.estimate,
        guilty.estimate if guilty.count else None,
        innocent.estimate if innocent.count else None,
        _find_threshold(guilty, innocent),
    )


def _find_threshold(guilty: Moments, innocent: Moments) -> Estimate | None:
    """The share of bluffs from which a challenge is worth it; None if only one of both cases is known.

    Args:
        guilty: gains by challenging bluffs.
        innocent: gains by challenging others; negative, as a rule.
    """
    span = guilty.mean - innocent.mean
    if not guilty.count or not innocent.count or span <= 0:
        return None
    # The error of a ratio, to first order.
    error = math.hypot(guilty.mean * innocent.error, innocent.mean * guilty.error) / span**2
    return Estimate(min(1.0, max(0.0, -innocent.mean / span)), NORMAL_95 * error)


def _merge(sums: Sums, kind: str, name: str, game: str = "", players: int = 0) -> Moments:
    """The values of a kind of positions over all groups, of a game with a number of seats, or of all."""
    found = Moments()
    for key, values in sums.items():
        its_kind, its_game, its_players, _, its_name = key.split("|")
        if (its_kind, its_name) == (kind, name) and game in ("", its_game) and str(players) in ("0", its_players):
            found.add(values)
    return found


def _write(sums: Sums, gains: dict[tuple[str, str, int, str], Estimate], tables: list[Table]) -> Findings:
    needed = []
    for game in _WITH_COLORS:
        for players in (2, 4):
            guilty, innocent = (_merge(sums, "challenge", name, game, players) for name in ("guilty", "innocent"))
            share = _find_threshold(guilty, innocent)
            if share:
                needed.append(f"{percent_text(share.value, 0)} ({GAME_TITLES[game]}, {players} seats)")
    cost, held = _merge(sums, "call", "gain"), _merge(sums, "wild", "gain")
    known = [key for key, gain in gains.items() if key[0] == "challenge" and gain.has_interval]
    best = max(known, key=lambda key: gains[key].value, default=None)
    endgame = [gains[key] for key in gains if key[0] == "wild" and key[3] == "2"]
    answer = (
        "Challenge a Wild Draw Four if it is a bluff with a probability of at least "
        + join_names(needed)
        + f"; always call, because being caught costs {percent_text(cost.mean)} of rounds; and"
        + (" hold wilds while another card fits." if held.estimate.low > 0 else " holding wilds gains little.")
    )
    paragraphs = [
        f"In these rounds {percent_text(_merge(sums, 'challenge', 'bluff').mean, 0)} of the Wild Draw Fours were"
        f" bluffs, and a challenge changed the chance to win by {100 * _merge(sums, 'challenge', 'gain').mean:+.1f}"
        " percentage points. People bluff more or less often. So the share from which a challenge is worth it is the"
        " useful figure: it depends only on what a challenge wins and loses."
        + (
            f" A challenge gains most ({100 * gains[best].value:+.1f}) if the player of the card has"
            f" {best[3]} left ({GAME_TITLES[best[1]]}, {best[2]} seats)."
            if best
            else ""
        ),
        "A call costs nothing, so call with the second last card, and call early as soon as a card of two fits. With"
        " two cards of which none fits, an early call is void whatever is drawn, and costs two cards where"
        " `false_uno_penalty` is 2.",
        f"Holding the wilds adds {100 * held.mean:+.1f} percentage points on average. With two cards left it is "
        + join_names([f"{100 * each.value:+.1f}" for each in endgame])
        + " (by game and seats, in the order of the table).",
    ]
    series = [
        Series(
            f"{GAME_TITLES[game]}, {players} seats",
            [(size, gains["wild", game, players, size]) for size in _SIZES["wild"]
             if ("wild", game, players, size) in gains],
        )
        for game in _WITH_COLORS
        for players in (2, 4)
    ]  # fmt: skip
    figure = Figure(
        "What it adds to hold wilds, by the cards in hand", "change of the chance to win, percentage points", series,
        reference=0.0, percent=True,
    )  # fmt: skip
    return Findings(answer, paragraphs, figure, tables)


_CELLS: Final = tuple(
    (kind, game, players)
    for kind in _KINDS
    for game in (GAME_TITLES if kind == "call" else _WITH_COLORS)
    for players in (2, 4)
)

DECISIONS: Final = Study(
    "decisions",
    "When to challenge, call and hold wilds",
    "When is a challenge worth it, what does a forgotten call cost, and when should one hold wilds?",
    "*Sharp* bots play rounds. One position of each round is chosen at random among those with the decision. Each move"
    f" is then played {_ROLLOUTS} times to the end, from the real hands and with the same chance for all moves. Rules"
    " of thumb choose the colored card, and the wild with its color. A chance to win is that of *sharp* bots."
    " Intervals are those of the mean over positions, for each row by itself.",
    _CELLS,
    3000,
    _measure,
    _conclude,
    250,
)
