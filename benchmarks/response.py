"""How far *master* can be beaten: a player made to beat it and nobody else, and what that player wins.

    pip install 'lastcard[learn,native]'
    python benchmarks/response.py FOLDER [--game classic] [--decisions 60000] [--deals 100] [--final 1000] [--save]

Two seats. *master* does not change; the responder is the same search with parts that were learned from it:

1. ``thumb``: rules of thumb whose weights are those that most often choose as *master* does. By them it judges what
   hidden cards the other holds, and plays its rollouts.
2. ``adviser``: the network that rates choices, taught on by decisions of rounds between *master* and *master*, each act
   of them played out with the true hands. ``alone`` plays by that network's rating alone.

These, both together and *master* with other settings play ``--deals`` deals against *master*, from both seats each, the
better half of them as many more, until one is left; that one plays the ``--final`` deals, which none has seen. What it
wins is a lower bound: a better response may be found. All is kept in FOLDER; work that was stopped goes on from there.
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
from machine import HERE, describe_machine

from lastcard.ai.scene import Learned, keep
from lastcard.analysis.luck import measure_luck
from lastcard.arena.arena import Arena, arena
from lastcard.bots.base import Manners
from lastcard.bots.kinds import HeuristicBot
from lastcard.bots.learned import Library, adviser, network, policy, thumb_weights
from lastcard.bots.registry import BOTS, LEVELS, make_bots
from lastcard.bots.search import Effort, SearchBot
from lastcard.errors import LastcardError
from lastcard.game.actions import Move
from lastcard.game.rulesets import GAMES
from lastcard.match.round import Round
from lastcard.match.view import View
from lastcard.training.fit import ADVISER, Fitting, fill, fit_actor, new_actor, parameters, shorten
from lastcard.training.lessons import Drills, Source
from lastcard.training.sparring import spar
from lastcard.training.tune import first_steps

MASTER: Final = "master"
FULL: Final[Effort] = LEVELS[MASTER].settings["effort"]
QUICK: Final = replace(FULL, rollouts=1000, deals=256)
"""*master* as it plays the rounds that are learned from, a third of its time; how alike it is, the page says."""
WATCHED: Final = 300
"""Rounds of *master* that the rules of thumb learn from; of every fourth they do not, and are asked in the end."""
PART: Final = 5000
"""Decisions in a file."""
TRIES: Final = 4
EPOCHS: Final = 5
RATE: Final = 5e-4
ALONE: Final = replace(FULL, rollouts=400, prior=1000.0)
OTHERS: Final = ("master:prior=1.6", "master:trust=0.6:strays=0", "master:horizon=0:rollouts=8000:deals=1024")


@dataclass(frozen=True)
class Taught(Library):
    """What the responder knows: as *master*, but for what it has learned."""

    weights: Any = None

    def learned(self, rules: str, players: int) -> Learned:
        """What it has for a table."""
        known = super().learned(rules, players)
        return known if self.weights is None else known._replace(w=self.weights)


def respond(library: Library, effort: Effort, secret: bytes, manners: Manners) -> SearchBot:
    """A responder, as ``bots.registry`` makes bots."""
    bot = SearchBot(secret, manners, effort=effort)
    bot._desk._library = library
    return bot


# --- what is learned of master ----------------------------------------------------------------------


def watch(game: str, rounds: int) -> list[list[tuple[View, Move]]]:
    """What *master* does, by rounds: what it saw, and its move."""
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


def agree(choose: Callable[[View], Move], seen: Sequence[tuple[View, Move]]) -> float:
    """How often somebody chooses as *master* did."""
    return sum(replace(choose(view), uno=False) == move for view, move in seen) / len(seen)


def agree_by_thumb(weights: Any, seen: Sequence[tuple[View, Move]]) -> float:
    """How often rules of thumb with such weights do."""
    bot = HeuristicBot()
    bot._desk._library = Taught(weights=keep(weights))
    return agree(bot.choose, seen)


def imitate(game: str, seen: Sequence[tuple[View, Move]]) -> Any:
    """The weights that most often choose as *master* did: from the shipped ones, one weight after another."""
    best = np.array(thumb_weights(game, 2))
    most = agree_by_thumb(best, seen)
    for scale in (1.0, 0.5, 0.25):
        steps = scale * first_steps(game)
        for at in np.flatnonzero(steps):
            for step in (steps[at], -steps[at]):
                tried = best.copy()
                tried[at] += step
                share = agree_by_thumb(tried, seen)
                if share > most:
                    best, most = tried, share
    return best


def learn_thumb(game: str, folder: Path) -> dict[str, Any]:
    """Weights that imitate *master*, and how often they, those that ship and quicker play agree with it."""
    file = folder / "thumb.json"
    if not file.exists():
        rounds = watch(game, WATCHED)
        held = [pair for one in rounds[::4] for pair in one]
        weights = imitate(game, [pair for number, one in enumerate(rounds) if number % 4 for pair in one])
        agreed = {
            "rules of thumb as they ship": agree_by_thumb(np.array(thumb_weights(game, 2)), held),
            "rules of thumb taught by it": agree_by_thumb(weights, held),
            "*master* with other dice": agree(SearchBot(b"other", effort=FULL).choose, held),
            f"*master* with {QUICK.rollouts} rollouts": agree(SearchBot(b"other", effort=QUICK).choose, held),
        }
        file.write_text(json.dumps({"weights": weights.tolist(), "agreed": agreed, "decisions": len(held)}) + "\n")
    found: dict[str, Any] = json.loads(file.read_text())
    return found


def learn_adviser(game: str, folder: Path, decisions: int) -> dict[str, float]:
    """The adviser, taught on by decisions of *master*; what the choices of both gain, by how much was learned from."""
    parts = [spar_part(game, folder, number) for number in range(decisions // PART)]
    held, learned = Drills.join(parts[:1]), parts[1:]
    curve = {"as it ships": gain(adviser(game), held)}
    for count in dict.fromkeys((max(1, len(learned) // 4), max(1, len(learned) // 2), len(learned))):
        file = folder / f"adviser-{count}.npy"
        if not file.exists():
            net = new_actor(ADVISER)
            fill(net, np.array(adviser(game)))
            how = Fitting(file.with_suffix(".pt"), EPOCHS, 1, lambda what, done, of: None, RATE)
            np.save(file, shorten(parameters(fit_actor(how, Drills.join(learned[:count]), net)[0])))
        curve[f"taught by {count * PART:,} decisions"] = gain(np.load(file), held)
    np.save(folder / "adviser.npy", np.load(file))
    return curve


def spar_part(game: str, folder: Path, number: int) -> list[Any]:
    """Some decisions of *master* and what became of every act, from a file; they are made where it is missing."""
    file = folder / f"decisions-{number}.npz"
    if not file.exists():
        source = Source(game, 2, 26_000 + number)
        made = spar(PART, TRIES, policy(game), network(game), source, QUICK)
        np.savez(file, *made)
        print(f"{time.process_time():.0f} s: {file.name}", file=sys.stderr, flush=True)
    with np.load(file) as kept:
        return [kept[name] for name in kept.files]


def gain(numbers: Any, held: Drills) -> float:
    """By how much the choice of an adviser wins more than the mean of the acts, in decisions it did not learn from."""
    net = new_actor(ADVISER)
    fill(net, np.array(numbers))
    x, y, decision = held.rows(np.arange(len(held.ends)))
    import torch

    with torch.no_grad():
        rated = net(torch.from_numpy(x)).squeeze(1).numpy()
    most = np.full(len(held.ends), -np.inf)
    np.maximum.at(most, decision, rated)
    means = np.bincount(decision, y) / np.bincount(decision)
    return float((y - means[decision])[rated >= most[decision]].mean())


# --- who is best ------------------------------------------------------------------------------------


def enter(game: str, folder: Path) -> list[str]:
    """Make the responders known by name; returns all who are tried."""
    weights = keep(np.array(json.loads((folder / "thumb.json").read_text())["weights"]))
    taught = keep(np.load(folder / "adviser.npy"))
    judged = Taught(network, adviser=adviser)
    made = {
        "thumb": (replace(judged, weights=weights), FULL),
        "adviser": (replace(judged, adviser=lambda _: taught), FULL),
        "both": (replace(judged, adviser=lambda _: taught, weights=weights), FULL),
        "alone": (replace(judged, adviser=lambda _: taught), ALONE),
    }
    BOTS.update({name: partial(respond, *what) for name, what in made.items()})
    return [*made, *OTHERS]


def meet(game: str, name: str, deals: int, seed: str, folder: Path) -> Arena:
    """A responder against *master*, luck measured."""
    kept = folder / f"{seed.replace(' ', '-')}-{name.replace(':', '-')}.jsonl"
    return arena(game, 2, [name, MASTER], deals, seed, luck=measure_luck, workers=1, resume=kept)


def choose(game: str, names: list[str], deals: int, folder: Path) -> tuple[str, list[tuple[str, Arena]]]:
    """The responder that is left when the worse half was given up again and again, and what each had played then."""
    met: dict[str, Arena] = {}
    left, count = names, deals
    while len(left) > 1:
        for name in left:
            met[name] = meet(game, name, count, "response chosen", folder)
            print(f"{time.process_time():.0f} s: {row(name, met[name])}", file=sys.stderr, flush=True)
        left = sorted(left, key=lambda name: -adjusted(met[name], name).value)[: (len(left) + 1) // 2]
        count *= 2
    return left[0], sorted(met.items(), key=lambda pair: (-len(pair[1].deals), -adjusted(pair[1], pair[0]).value))


def adjusted(played: Arena, name: str) -> Any:
    """What it won, without luck."""
    figure = played.entries[name].adjusted
    assert figure is not None
    return figure


def row(name: str, played: Arena) -> str:
    """A line of the table."""
    figure, times = adjusted(played, name), played.as_dict()["times"]
    sure = f"{figure.low:.1%} – {figure.high:.1%}" if figure.has_interval else ""
    mine, theirs = (times[who]["choose"]["p50"] for who in (name, MASTER))
    won = played.entries[name].wins.value
    return f"| {name} | **{figure.value:.1%}** | {sure} | {won:.1%} | {len(played.deals)} | {mine:.1f} / {theirs:.1f} |"


def write_page(game: str, thumb: dict[str, Any], curve: dict[str, float], tried: list[str], final: str) -> str:
    """All of it as Markdown."""
    about = describe_machine()
    head = ["| | won, without luck | 95 % | won | deals | ms p50, its own / *master*'s |", "|---|--:|---|--:|--:|--:|"]
    lines = [
        f"# A response to *master*: {game}, {about['date']}",
        "",
        f"{about['processor']}, {about['cores']} cores; commit {about['commit']}. Command: "
        f"`{' '.join(['python benchmarks/response.py', *sys.argv[1:]])}`.",
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
        f"How often others choose as *master* did, of {thumb['decisions']:,} decisions:",
        "",
        "| | |",
        "|---|--:|",
        *(f"| {name} | {share:.1%} |" for name, share in thumb["agreed"].items()),
        "",
        f"What the adviser's own choice gains on the mean of the acts, of {PART:,} decisions of *master* held back:",
        "",
        "| | |",
        "|---|--:|",
        *(f"| {name} | {value:.2%} |" for name, value in curve.items()),
    ]
    return "\n".join(lines) + "\n"


def main() -> None:
    """Learn, choose, measure, and print a page."""
    parser = argparse.ArgumentParser(description="What a player made to beat master wins against it, at two seats.")
    parser.add_argument("folder", type=Path, help="where everything is kept; work that was stopped goes on from there")
    parser.add_argument("--game", choices=GAMES, default="classic")
    parser.add_argument("--decisions", type=int, default=60_000, help=f"to learn from, in parts of {PART:,}")
    parser.add_argument("--deals", type=int, default=100, help="for each who is tried, at first (default 100)")
    parser.add_argument("--final", type=int, default=1000, help="for the one that is left (default 1,000)")
    parser.add_argument("--save", action="store_true", help="write benchmarks/results/response-GAME-DATE.md too")
    args = parser.parse_args()
    if args.decisions < 2 * PART or min(args.deals, args.final) < 30:
        parser.error(f"it takes at least {2 * PART:,} decisions and 30 deals")
    folder = args.folder / args.game
    folder.mkdir(parents=True, exist_ok=True)
    try:
        thumb = learn_thumb(args.game, folder)
        curve = learn_adviser(args.game, folder, args.decisions)
        print(json.dumps([thumb["agreed"], curve]), file=sys.stderr, flush=True)
        best, met = choose(args.game, enter(args.game, folder), args.deals, folder)
        final = row(best, meet(args.game, best, args.final, "response final", folder))
    except LastcardError as error:
        sys.exit(str(error))
    page = write_page(args.game, thumb, curve, [row(*one) for one in met], final)
    print(page)
    if args.save:
        (HERE / "results" / f"response-{args.game}-{describe_machine()['date']}.md").write_text(page)


if __name__ == "__main__":
    main()
