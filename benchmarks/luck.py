"""Checks that luck has mean zero, and measures the variance without it, and the losses of each level by mistakes.

python benchmarks/luck.py --rules classic --bots master,random --rounds 100
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from statistics import mean, stdev

from lastcard.analysis.attribution import LUCK_PARTS, Attribution
from lastcard.analysis.report import make_report
from lastcard.bots.base import Bot, find_reaction
from lastcard.bots.registry import make_bots
from lastcard.bots.statistics import NORMAL_95
from lastcard.match.match import Match


def main() -> None:
    """Play and analyze rounds, and print the results for the first seat and for every level."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rules", default="classic")
    parser.add_argument("--bots", default="master,random", help="a level for each seat, with commas")
    parser.add_argument("--rounds", type=int, default=100)
    parser.add_argument("--length", type=int, default=1, help="rounds of a match (default 1)")
    parser.add_argument("--rollouts", type=int, default=1000, help="of every moment (default 1000)")
    parser.add_argument("--seed", type=int, default=0, help="of the first round")
    args = parser.parse_args()
    names = args.bots.split(",")
    seeds = range(args.seed, args.seed + -(-args.rounds // args.length))
    accounts = list(attribute_rounds(args.rules, names, seeds, args.length, args.rollouts))
    first = [one[0] for one in accounts]
    print(f"{args.rules}, {args.bots}: {len(accounts)} rounds from seed {args.seed}, {args.rollouts} rollouts")
    print(f"{'the first seat':<16}{'mean':>8}  95 % interval   standard deviation")
    for name in ("result", "adjusted", "luck", *LUCK_PARTS, "own", "others"):
        values = [one.result if name == "result" else getattr(one, name).value for one in first]
        spread = stdev(values)
        print(f"{name:<16}{mean(values):8.4f}  ±{NORMAL_95 * spread / len(values) ** 0.5:.4f}         {spread:.4f}")
    for name in dict.fromkeys(names):
        own = [one[seat] for one in accounts for seat, bot in enumerate(names) if bot == name]
        decisions, given = sum(one.decisions for one in own), sum(one.given.value for one in own)
        mistakes = sum(one.mistakes for one in own)
        rate = 100 / decisions
        print(f"{name}: of 100 decisions {rate * given:.2f} rounds given away, {rate * mistakes:.1f} mistakes")


def attribute_rounds(
    rules: str, names: list[str], seeds: range, length: int, rollouts: int
) -> Iterator[tuple[Attribution, ...]]:
    """Yields the attributions of the rounds of matches, one match for each seed."""
    for seed in seeds:
        match = Match(rules, [f"{name} {seat}" for seat, name in enumerate(names)], seed=f"luck {seed}")
        bots = make_bots(names, match.seed)
        play_rounds(match, bots, length)
        for played in make_report(match, rollouts=rollouts, threads=1, seed=seed).rounds:
            yield played.accounts


def play_rounds(match: Match, bots: list[Bot], count: int) -> None:
    """Play rounds until there are so many or the match is over."""
    play_round(match, bots)
    while match.number + 1 < count and not match.over:
        match.next_round()
        play_round(match, bots)


def play_round(match: Match, bots: list[Bot]) -> None:
    """Play a round to its end."""
    while not match.round.over:
        table = match.round
        reacted = find_reaction(bots, table)
        match.do(*(reacted or (table.turn, bots[table.turn].choose(table.view(table.turn)))))


if __name__ == "__main__":
    main()
