"""External opponent: OpenSpiel's information-set Monte Carlo tree search against lastcard's bots.

    pip install 'lastcard[openspiel,native]'
    python benchmarks/ismcts.py [--bots sharp,…] [--rollouts random,thumb] [--simulations 50,200] [--minutes 5] [--save]

The game is classic with two seats, every deal played from both. ``ISMCTSBot`` (Python) with exploration 1.4 samples
hidden cards by ``resample_from_infostate``. Rollouts are random moves, as in OpenSpiel, or lastcard's compiled
heuristics. Random moves draw more often than they lay a card, for a thousand moves a round; so players may draw only if
they must (``voluntary_draw=only_if_no_playable``). Each row plays as many deals as fit in its CPU minutes.
"""

from __future__ import annotations

import argparse
import math
import random
import sys
import time
from collections.abc import Callable
from functools import partial
from importlib.metadata import version
from itertools import product
from statistics import median
from typing import Any, Final, NamedTuple

import numpy as np
import pyspiel
from machine import command_line, describe_machine, publish
from open_spiel.python.algorithms import ismcts, mcts

import lastcard.envs.openspiel  # noqa: F401 - registers the games
from lastcard.ai import rollout
from lastcard.bots.registry import make_bot
from lastcard.bots.statistics import MIN_DEALS, Estimate, mean
from lastcard.bots.weights import heuristic_weights
from lastcard.envs.openspiel.policies import OpenSpielBot
from lastcard.errors import LastcardError
from lastcard.rules.layout import DICE, MAX_ACTIONS, NOTHING

RULES: Final = "voluntary_draw:only_if_no_playable"
EXPLORATION: Final = 1.4


class HeuristicEvaluator(mcts.Evaluator):  # type: ignore[misc]
    """One rollout by lastcard's heuristics from every leaf."""

    def __init__(self, dice: np.random.RandomState) -> None:
        self._dice, self._out = dice, np.zeros(MAX_ACTIONS + DICE, np.int64)

    def evaluate(self, state: Any) -> list[float]:
        """Returns the return of each seat."""
        states = state.game_state.make_round().states(2)
        jobs, winners = np.array([[0, 0, NOTHING]]), np.zeros((1, 1), np.int8)
        scratch = rollout.RolloutScratch(states[1:], self._out)
        part = rollout.JobRange(0, 1, int(self._dice.randint(1 << 30)))
        rollout.run_rollouts(states[:1], jobs, winners, heuristic_weights("classic", 2), scratch, part)
        won = int(winners[0, 0])
        return [0.0, 0.0] if won < 0 else [1.0 - 2 * won, 2 * won - 1.0]

    def prior(self, state: Any) -> list[tuple[int, float]]:
        """Returns a uniform prior."""
        actions = state.legal_actions()
        return [(action, 1 / len(actions)) for action in actions]


EVALUATORS: Final[dict[str, Callable[[np.random.RandomState], Any]]] = {
    "random": partial(mcts.RandomRolloutEvaluator, 1),
    "thumb": HeuristicEvaluator,
}


class Row(NamedTuple):
    """Results of a row."""

    bot: str
    rollouts: str
    simulations: int
    shares: list[float]
    """Share of each deal that the search won."""
    times: dict[str, list[float]]
    """CPU milliseconds of decisions with more than one action, of the search and of the bot."""

    def __str__(self) -> str:
        """Returns a line of the table."""
        won = mean(self.shares) if self.shares else Estimate(0.0, math.inf)
        sure = f"{won.low:.1%} – {won.high:.1%}" if won.has_interval else ""
        search, ours = (median(self.times[who]) if self.times[who] else 0.0 for who in ("search", "ours"))
        return (
            f"| {self.rollouts} | {self.simulations} | {self.bot} | **{won.value:.1%}** | {sure} | {len(self.shares)} "
            f"| {search:,.0f} / {ours:.2f} |"
        )


def play(game: Any, players: list[tuple[str, Any]], number: int, times: dict[str, list[float]]) -> list[float]:
    """Play a round; returns the return of each seat. The number seeds the deal."""
    state, rng = game.new_initial_state(), random.Random(number)
    while not state.is_terminal():
        legal = state.legal_actions()
        if state.is_chance_node():
            events, shares = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(rng.choices(events, shares)[0])
        elif len(legal) == 1:
            state.apply_action(legal[0])
        else:
            who, player = players[state.current_player()]
            began = time.process_time()
            action = player.step(state)
            times[who].append(1000 * (time.process_time() - began))
            state.apply_action(action)
    return [float(won) for won in state.returns()]


def measure(bot: str, rollouts: str, simulations: int, minutes: float) -> Row:
    """Play as many deals as fit in a number of CPU minutes."""
    game = pyspiel.load_game("python_lastcard_classic", {"rules": RULES})
    row = Row(bot, rollouts, simulations, [], {"search": [], "ours": []})
    end = time.process_time() + 60 * minutes
    while time.process_time() < end:
        number, won = len(row.shares), 0.0
        for seat in range(2):
            dice = np.random.RandomState(2 * number + seat)
            search = ismcts.ISMCTSBot(game, EVALUATORS[rollouts](dice), EXPLORATION, simulations, random_state=dice)
            players = [("search", search)] * 2
            players[1 - seat] = ("ours", OpenSpielBot(make_bot(bot, number.to_bytes(4, "big"), 1 - seat)))
            won += (1 + play(game, players, number, row.times)[seat]) / 2
        row.shares.append(won / 2)
        if len(row.shares) % MIN_DEALS == 0:
            print(row, file=sys.stderr, flush=True)
    return row


def main() -> None:
    """Measure and print a page."""
    parser = argparse.ArgumentParser(description="OpenSpiel's ISMCTS against our bots, in classic at two seats.")
    parser.add_argument("--bots", default="sharp", help="kinds or levels, as for lastcard arena (default sharp)")
    parser.add_argument("--rollouts", default="random,thumb", help="random, thumb or both (default)")
    parser.add_argument("--simulations", default="50,200", help="for each decision (default 50,200)")
    parser.add_argument("--minutes", type=float, default=5, help="of a core for each row (default 5)")
    parser.add_argument("--save", action="store_true", help="write benchmarks/results/ismcts-DATE.md too")
    args = parser.parse_args()
    kinds = args.rollouts.split(",")
    if unknown := set(kinds) - set(EVALUATORS):
        parser.error(f"there are no rollouts {', '.join(sorted(unknown))}; there are {', '.join(EVALUATORS)}")
    about = describe_machine()
    lines = [
        f"# OpenSpiel's ISMCTS at our table, {about['date']}",
        "",
        f"{about['processor']}, {about['cores']} cores; commit {about['commit']}; OpenSpiel {version('open_spiel')}. "
        f"Command: `{command_line()}`.",
        "",
        "What its `ISMCTSBot` wins in classic at two seats, where one draws only if one must; deals from both seats.",
        "",
        "| rollouts | simulations | against | won | 95 % | deals | CPU ms p50, its own / ours |",
        "|---|--:|---|--:|---|--:|--:|",
    ]
    try:
        for case in product(args.bots.split(","), kinds, map(int, args.simulations.split(","))):
            lines.append(str(measure(*case, args.minutes)))
            print(lines[-1], file=sys.stderr, flush=True)
    except (LastcardError, ValueError) as error:
        sys.exit(str(error))
    publish("ismcts", "\n".join(lines) + "\n", save=args.save)


if __name__ == "__main__":
    main()
