"""Measures how far *master* can be beaten: trains a player against it, and measures the win rate of that player.

    pip install 'lastcard[learn,native]'
    python benchmarks/best_response.py FOLDER [--game classic] [--decisions 60000] [--deals 100] [--final 1000] [--save]

With two seats, *master* is fixed; the responder is the same search with parts that were learned from it:

1. ``heuristic``: heuristics with the weights that agree most often with *master*. They rate the likelihood of hidden
   hands, and play the rollouts.
2. ``prior_net``: the prior net, trained further on decisions of rounds between *master* and *master*, with rollouts of
   every action from the true hands. ``prior_only`` plays by the rating of that network only.

These, both together and *master* with other settings play ``--deals`` deals against *master*, from both seats each. The
better half plays as many more, until one is left, which plays the ``--final`` deals that none has seen. Its win rate is
a lower bound: a better response may exist. FOLDER stores all results; a stopped run resumes from there.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Final

import numpy as np
from machine import command_line, describe_machine, publish

from lastcard.ai.decision_input import Weights, kernel_copy
from lastcard.analysis.luck import measure_luck
from lastcard.arena.arena import ArenaResult, run_arena
from lastcard.bots.base import Behavior
from lastcard.bots.registry import BOTS, LEVELS, make_bots
from lastcard.bots.search import SearchBot, SearchConfig
from lastcard.bots.simple_bots import HeuristicBot
from lastcard.bots.weights import WeightLoader, heuristic_weights, load_policy_net, load_prior_net, load_value_net
from lastcard.errors import LastcardError
from lastcard.game.moves import Move
from lastcard.game.rulesets import GAMES
from lastcard.match.round import Round
from lastcard.match.view import View
from lastcard.training.position_data import DataSource, DecisionData
from lastcard.training.search_data import make_search_decisions
from lastcard.training.supervised import (
    PRIOR_UNITS,
    TrainingRun,
    load_parameters,
    new_action_net,
    read_parameters,
    round_parameters,
    train_action_net,
)
from lastcard.training.tune import first_steps

MASTER: Final = "master"
FULL: Final[SearchConfig] = LEVELS[MASTER].settings["config"]
QUICK: Final = replace(FULL, rollouts=1000, deals=256)
"""*master* with a third of its time, for the training rounds; the page reports its agreement with *master*."""
WATCHED_ROUNDS: Final = 300
"""Number of rounds of *master* for training the heuristics; every fourth is held out for evaluation."""
DECISIONS_PER_FILE: Final = 5000
"""Number of decisions in a file."""
TRIES: Final = 4
EPOCHS: Final = 5
LEARNING_RATE: Final = 5e-4
PRIOR_ONLY: Final = replace(FULL, rollouts=400, prior=1000.0)
MASTER_VARIANTS: Final = (
    "master:prior=1.6",
    "master:rationality=0.6:deviation=0",
    "master:horizon=0:rollouts=8000:deals=1024",
)


@dataclass(frozen=True)
class ResponderLibrary(WeightLoader):
    """Weights of the responder: those of *master* except for learned ones."""

    weights: Any = None

    def load(self, rules: str, players: int) -> Weights:
        """Returns the weights for a table."""
        known = super().load(rules, players)
        return known if self.weights is None else known._replace(w=self.weights)


def make_responder(library: WeightLoader, effort: SearchConfig, secret: bytes, behavior: Behavior) -> SearchBot:
    """Returns a responder, as ``bots.registry`` makes bots."""
    bot = SearchBot(secret, behavior, config=effort)
    bot._workspace._weight_loader = library
    return bot


# --- training ---------------------------------------------------------------------------------------


def watch(game: str, rounds: int) -> list[list[tuple[View, Move]]]:
    """Returns the decisions of *master* by round: its view and its move."""
    seen = []
    for number in range(rounds):
        table = Round.deal(game, 2, seed=f"response watched {number}")
        bots = make_bots([MASTER] * 2, number.to_bytes(4, "big"))
        one = []
        while not table.over:
            view = table.view(table.turn)
            move = bots[table.turn].choose(view)
            one.append((view, replace(move, uno=False)))
            table.do(table.turn, move)
        seen.append(one)
    return seen


def agreement(choose: Callable[[View], Move], seen: Sequence[tuple[View, Move]]) -> float:
    """Returns the share of decisions in which a policy agrees with *master*."""
    return sum(replace(choose(view), uno=False) == move for view, move in seen) / len(seen)


def heuristic_agreement(weights: Any, seen: Sequence[tuple[View, Move]]) -> float:
    """Returns the same share of heuristics with some weights."""
    bot = HeuristicBot()
    bot._workspace._weight_loader = ResponderLibrary(weights=kernel_copy(weights))
    return agreement(bot.choose, seen)


def imitate(game: str, seen: Sequence[tuple[View, Move]]) -> Any:
    """Returns the weights that agree most often with *master*, by coordinate search from the shipped ones."""
    best = np.array(heuristic_weights(game, 2))
    most = heuristic_agreement(best, seen)
    for scale in (1.0, 0.5, 0.25):
        steps = scale * first_steps(game)
        for at in np.flatnonzero(steps):
            for step in (steps[at], -steps[at]):
                tried = best.copy()
                tried[at] += step
                share = heuristic_agreement(tried, seen)
                if share > most:
                    best, most = tried, share
    return best


def learn_heuristic(game: str, folder: Path) -> dict[str, Any]:
    """Returns weights that imitate *master*, and the agreement of them, the shipped ones and faster play with it."""
    file = folder / "heuristic.json"
    if not file.exists():
        rounds = watch(game, WATCHED_ROUNDS)
        held_out = [pair for one in rounds[::4] for pair in one]
        weights = imitate(game, [pair for number, one in enumerate(rounds) if number % 4 for pair in one])
        agreed = {
            "rules of thumb as they ship": heuristic_agreement(np.array(heuristic_weights(game, 2)), held_out),
            "rules of thumb taught by it": heuristic_agreement(weights, held_out),
            "*master* with other dice": agreement(SearchBot(b"other", config=FULL).choose, held_out),
            f"*master* with {QUICK.rollouts} rollouts": agreement(SearchBot(b"other", config=QUICK).choose, held_out),
        }
        file.write_text(json.dumps({"weights": weights.tolist(), "agreed": agreed, "decisions": len(held_out)}) + "\n")
    found: dict[str, Any] = json.loads(file.read_text())
    return found


def learn_prior_net(game: str, folder: Path, decisions: int) -> dict[str, float]:
    """Train the prior net further on decisions of *master*; returns the gains of its choices by amount of data."""
    parts = [generate_part(game, folder, number) for number in range(decisions // DECISIONS_PER_FILE)]
    held_out, learned = DecisionData.join(parts[:1]), parts[1:]
    curve = {"as it ships": measure_gain(load_prior_net(game), held_out)}
    for count in dict.fromkeys((max(1, len(learned) // 4), max(1, len(learned) // 2), len(learned))):
        file = folder / f"prior_net-{count}.npy"
        if not file.exists():
            net = new_action_net(PRIOR_UNITS)
            load_parameters(net, np.array(load_prior_net(game)))
            how = TrainingRun(file.with_suffix(".pt"), EPOCHS, 1, lambda what, done, of: None, LEARNING_RATE)
            np.save(
                file,
                round_parameters(read_parameters(train_action_net(how, DecisionData.join(learned[:count]), net)[0])),
            )
        curve[f"taught by {count * DECISIONS_PER_FILE:,} decisions"] = measure_gain(np.load(file), held_out)
    np.save(folder / "prior_net.npy", np.load(file))
    return curve


def generate_part(game: str, folder: Path, number: int) -> list[Any]:
    """Returns decisions of *master* with results of every action, from a file; generates it if it is missing."""
    file = folder / f"decisions-{number}.npz"
    if not file.exists():
        source = DataSource(game, 2, 26_000 + number)
        made = make_search_decisions(
            DECISIONS_PER_FILE, TRIES, load_policy_net(game), load_value_net(game), source, QUICK
        )
        np.savez(file, *made)
        print(f"{time.process_time():.0f} s: {file.name}", file=sys.stderr, flush=True)
    with np.load(file) as file_data:
        return [file_data[name] for name in file_data.files]


def measure_gain(numbers: Any, held_out: DecisionData) -> float:
    """Returns the gain of a prior net's choice over the mean of the actions, in held-out decisions."""
    net = new_action_net(PRIOR_UNITS)
    load_parameters(net, np.array(numbers))
    x, y, decision = held_out.rows(np.arange(len(held_out.ends)))
    import torch

    with torch.no_grad():
        rated = net(torch.from_numpy(x)).squeeze(1).numpy()
    most = np.full(len(held_out.ends), -np.inf)
    np.maximum.at(most, decision, rated)
    means = np.bincount(decision, y) / np.bincount(decision)
    return float((y - means[decision])[rated >= most[decision]].mean())


# --- selection --------------------------------------------------------------------------------------


def register_responders(game: str, folder: Path) -> list[str]:
    """Register the responders by name; returns all candidates."""
    weights = kernel_copy(np.array(json.loads((folder / "heuristic.json").read_text())["weights"]))
    taught = kernel_copy(np.load(folder / "prior_net.npy"))
    judged = ResponderLibrary(load_value_net, prior_net=load_prior_net)
    made = {
        "heuristic": (replace(judged, weights=weights), FULL),
        "prior_net": (replace(judged, prior_net=lambda _: taught), FULL),
        "both": (replace(judged, prior_net=lambda _: taught, weights=weights), FULL),
        "prior_only": (replace(judged, prior_net=lambda _: taught), PRIOR_ONLY),
    }
    BOTS.update({name: partial(make_responder, *what) for name, what in made.items()})
    return [*made, *MASTER_VARIANTS]


def play_master(game: str, name: str, deals: int, seed: str, folder: Path) -> ArenaResult:
    """Play a responder against *master*, with luck measured."""
    file = folder / f"{seed.replace(' ', '-')}-{name.replace(':', '-')}.jsonl"
    return run_arena(game, 2, [name, MASTER], deals, seed, luck=measure_luck, workers=1, resume=file)


def choose(game: str, names: list[str], deals: int, folder: Path) -> tuple[str, list[tuple[str, ArenaResult]]]:
    """Returns the best responder by successive halving, and the results of each candidate."""
    met: dict[str, ArenaResult] = {}
    left, count = names, deals
    while len(left) > 1:
        for name in left:
            met[name] = play_master(game, name, count, "response chosen", folder)
            print(f"{time.process_time():.0f} s: {format_row(name, met[name])}", file=sys.stderr, flush=True)
        left = sorted(left, key=lambda name: -adjusted(met[name], name).value)[: (len(left) + 1) // 2]
        count *= 2
    return left[0], sorted(met.items(), key=lambda pair: (-len(pair[1].deals), -adjusted(pair[1], pair[0]).value))


def adjusted(played: ArenaResult, name: str) -> Any:
    """Returns its win rate, adjusted for luck."""
    figure = played.entries[name].adjusted
    assert figure is not None
    return figure


def format_row(name: str, played: ArenaResult) -> str:
    """Returns a line of the table."""
    figure, times = adjusted(played, name), played.as_dict()["times"]
    sure = f"{figure.low:.1%} – {figure.high:.1%}" if figure.has_interval else ""
    mine, theirs = (times[who]["choose"]["p50"] for who in (name, MASTER))
    won = played.entries[name].wins.value
    return f"| {name} | **{figure.value:.1%}** | {sure} | {won:.1%} | {len(played.deals)} | {mine:.1f} / {theirs:.1f} |"


def write_page(game: str, heuristic: dict[str, Any], curve: dict[str, float], tried: list[str], final: str) -> str:
    """Returns the results as Markdown."""
    about = describe_machine()
    head = ["| | won, without luck | 95 % | won | deals | ms p50, its own / *master*'s |", "|---|--:|---|--:|--:|--:|"]
    lines = [
        f"# A response to *master*: {game}, {about['date']}",
        "",
        f"{about['processor']}, {about['cores']} cores; commit {about['commit']}. Command: `{command_line()}`.",
        "",
        "What a player made to beat *master* wins against it at two seats, on deals that nobody had been tried on:",
        "",
        *head,
        final,
        "",
        "It was chosen on other deals, by halves:",
        "",
        *head,
        *tried,
        "",
        f"How often others choose as *master* did, of {heuristic['decisions']:,} decisions:",
        "",
        "| | |",
        "|---|--:|",
        *(f"| {name} | {share:.1%} |" for name, share in heuristic["agreed"].items()),
        "",
        f"The gain of the prior net's own choice on the mean of the moves, in {DECISIONS_PER_FILE:,} decisions of"
        " *master* held back:",
        "",
        "| | |",
        "|---|--:|",
        *(f"| {name} | {value:.2%} |" for name, value in curve.items()),
    ]
    return "\n".join(lines) + "\n"


def main() -> None:
    """Train, select, measure, and print a page."""
    parser = argparse.ArgumentParser(description="What a player made to beat master wins against it, at two seats.")
    parser.add_argument("folder", type=Path, help="for all files; a run that was stopped continues from them")
    parser.add_argument("--game", choices=GAMES, default="classic")
    parser.add_argument(
        "--decisions", type=int, default=60_000, help=f"to learn from, in parts of {DECISIONS_PER_FILE:,}"
    )
    parser.add_argument("--deals", type=int, default=100, help="for each who is tried, at first (default 100)")
    parser.add_argument("--final", type=int, default=1000, help="for the one that is left (default 1,000)")
    parser.add_argument("--save", action="store_true", help="write benchmarks/results/best-response-GAME-DATE.md too")
    args = parser.parse_args()
    if args.decisions < 2 * DECISIONS_PER_FILE or min(args.deals, args.final) < 30:
        parser.error(f"it takes at least {2 * DECISIONS_PER_FILE:,} decisions and 30 deals")
    folder = args.folder / args.game
    folder.mkdir(parents=True, exist_ok=True)
    try:
        heuristic = learn_heuristic(args.game, folder)
        curve = learn_prior_net(args.game, folder, args.decisions)
        print(json.dumps([heuristic["agreed"], curve]), file=sys.stderr, flush=True)
        best, met = choose(args.game, register_responders(args.game, folder), args.deals, folder)
        final = format_row(best, play_master(args.game, best, args.final, "response final", folder))
    except LastcardError as error:
        sys.exit(str(error))
    page = write_page(args.game, heuristic, curve, [format_row(*one) for one in met], final)
    publish(f"best-response-{args.game}", page, save=args.save)


if __name__ == "__main__":
    main()
