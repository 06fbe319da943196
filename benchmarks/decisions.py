"""Benchmarks single decisions: all bots choose in the same positions, and every choice is played to the end.

    python benchmarks/decisions.py [--games classic,…] [--seats 2,4,8] [--bots expert,master,…] [--positions 400]
                                   [--tries 100] [--seed 1] [--workers 2] [--save]

A position is one decision of a round between bots of mixed levels, with all cards known; one of each round, so that
positions are independent. From there every action is played to the end by the same policy and with the same chance,
once by heuristics and once by the policy net. The result is the win rate of a bot's choice minus that of *sharp*, which
varies far less than results of rounds. ``sees the hands`` is the best action by half of the tries, measured by the
other half: the possible gain of a player who knows every card.
"""

from __future__ import annotations

import argparse
import sys
from functools import partial
from statistics import NormalDist, mean, stdev
from typing import Final, NamedTuple

import numpy as np
from machine import command_line, describe_machine, publish

from lastcard.ai import rollout
from lastcard.arena.task_distribution import run_tasks
from lastcard.bots.base import Bot
from lastcard.bots.registry import make_bot
from lastcard.bots.statistics import NORMAL_95
from lastcard.bots.weights import load_policy_net
from lastcard.game.moves import move_to_action
from lastcard.game.rulesets import GAMES
from lastcard.match.round import Round
from lastcard.training.search_data import DecisionEvaluator

BASE: Final = "sharp"
CLAIRVOYANT: Final = "sees the hands"
LEVELS: Final = ("casual", "sharp", "trained", "expert:rollouts=400")
"""Levels that play the rounds of the positions, drawn again for every round."""
MODELS: Final = ("rules of thumb", "the learned player")
SAMPLE_PROBABILITY: Final = 1 / 12
"""Probability that a decision of a round is used."""
MAX_PLIES: Final = 300
"""Number of moves after which a round is aborted."""


class Case(NamedTuple):
    """A measurement: rules, seats, bots, and settings."""

    rules: str
    players: int
    bots: tuple[str, ...]
    tries: int
    seed: int


def find_position(case: Case, number: int) -> Round | None:
    """Returns a decision of a round between bots of mixed levels; None if none was drawn."""
    rng = np.random.default_rng([case.seed, number])
    table = Round.deal(case.rules, case.players, seed=f"decisions {case.seed}", number=number)
    bots = [make_bot(str(rng.choice(LEVELS)), rng.bytes(32), seat) for seat in range(case.players)]
    for _ in range(MAX_PLIES):
        if table.over:
            return None
        moves = [move for move in table.legal() if move.verb not in ("uno", "catch")]
        if len(moves) > 1 and rng.random() < SAMPLE_PROBABILITY:
            return table
        table.do(table.turn, bots[table.turn].choose(table.view(table.turn)))
    return None


def measure_gains(case: Case, number: int) -> list[dict[str, float]] | None:
    """Returns the gains of each bot's choice over that of *sharp*, for every model; None if there is no decision."""
    table = find_position(case, number)
    if table is None:
        return None
    view, seat = table.view(table.turn), table.turn
    found: list[dict[str, float]] = []
    chosen: dict[str, int] = {}
    for net in (np.zeros(0, np.float32), load_policy_net(case.rules)):
        driller = DecisionEvaluator(case.rules, case.players, net)
        drilled = [driller.evaluate(table, case.tries // 2, 2 * number + half) for half in range(2)]
        halves = [dict(zip(one.actions, map(float, one.won), strict=True)) for one in drilled if one is not None]
        if not halves:
            return None
        if not chosen:
            for name in (BASE, *case.bots):
                bot: Bot = make_bot(name, number.to_bytes(32, "big"), seat)
                made = move_to_action(bot.choose(view))
                chosen[name] = int(rollout.canonical_action(table.states(), 0, seat, made))
        won = {action: (halves[0][action] + halves[1][action]) / 2 for action in halves[0]}
        if any(act not in won for act in chosen.values()):
            return None
        gains = {name: won[chosen[name]] - won[chosen[BASE]] for name in case.bots}
        best = [max(half, key=half.__getitem__) for half in halves]
        seen = (halves[1][best[0]] + halves[0][best[1]]) / 2
        found.append({**gains, CLAIRVOYANT: seen - won[chosen[BASE]]})
    return found


def holm(ps: list[float]) -> list[bool]:
    """Returns which of many tests are significant at 5 % for all together, by Holm's method."""
    holds, order = [False] * len(ps), sorted(range(len(ps)), key=ps.__getitem__)
    for rank, i in enumerate(order):
        if ps[i] > 0.05 / (len(ps) - rank):
            break
        holds[i] = True
    return holds


def make_page(measured: dict[tuple[str, int], list[list[dict[str, float]]]]) -> str:
    """Returns all results as a page of Markdown."""
    about = describe_machine()
    rows: list[tuple[str, int, int, str, list[tuple[float, float]]]] = []
    for (game, seats), positions in measured.items():
        for name in positions[0][0]:
            values = [[100 * position[model][name] for position in positions] for model in range(len(MODELS))]
            figures = [(mean(one), stdev(one) / len(one) ** 0.5) for one in values]
            rows.append((game, seats, len(positions), name, figures))
    tests = [2 * NormalDist().cdf(-abs(value / error)) if error else 1.0 for *_, both in rows for value, error in both]
    is_significant = iter(holm(tests))
    lines = [
        f"# Decisions, {about['date']}",
        "",
        f"{about['processor']}, {about['cores']} cores; commit {about['commit']}. Command: `{command_line()}`.",
        "",
        f"By how many of 100 rounds the choice of a bot wins more than that of *{BASE}* in the same position, where"
        " from there everybody plays by rules of thumb, or as the learned player does; and half of the 95 % interval."
        f" Bold is what holds at 5 % for all {len(tests)} figures of this page together (Holm).",
        "",
        f"| game | seats | positions | bot | by {MODELS[0]} | by {MODELS[1]} |",
        "|---|--:|--:|---|--:|--:|",
    ]
    for game, seats, count, name, figures in rows:
        interval_texts = [f"{value:+.2f} ± {NORMAL_95 * error:.2f}" for value, error in figures]
        cells = [f"**{text}**" if next(is_significant) else text for text in interval_texts]
        lines.append(f"| {game} | {seats} | {count} | {name} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def main() -> None:
    """Measure and print a page."""
    parser = argparse.ArgumentParser(description="How good single decisions are, in the same positions for all bots.")
    parser.add_argument("--games", default=",".join(GAMES))
    parser.add_argument("--seats", default="2,4,8")
    parser.add_argument("--bots", default="random,casual,trained,expert,master")
    parser.add_argument("--positions", type=int, default=400, help="rounds, each with one decision (default 400)")
    parser.add_argument("--tries", type=int, default=100, help="number of rollouts of every move (default 100)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--save", action="store_true", help="write benchmarks/results/decisions-DATE.md too")
    args = parser.parse_args()
    measured = {}
    for game in args.games.split(","):
        for seats in map(int, args.seats.split(",")):
            case = Case(game, seats, tuple(args.bots.split(",")), args.tries, args.seed)
            found = run_tasks(partial(measure_gains, case), range(args.positions), args.workers)
            measured[game, seats] = [one for one in found if one is not None]
            print(f"{game}, {seats} seats: {len(measured[game, seats])} positions", file=sys.stderr)
    publish("decisions", make_page(measured), save=args.save)


if __name__ == "__main__":
    main()
