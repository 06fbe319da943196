"""Measures the differences and the strength of the styles of the heuristics.

    python benchmarks/styles.py [--games classic,…] [--seats 2,4] [--rounds 400] [--deals 2000] [--seed 1] [--save]

``attacks``: percentage of attacks on turns with a choice between an attack card and another card. ``wild at``: mean
hand size when a wild was laid. Both in rounds among *sharp*.
"""

from __future__ import annotations

import argparse
import sys
from typing import Final, NamedTuple

from machine import command_line, describe_machine, publish

from lastcard.arena.arena import run_arena
from lastcard.bots.registry import make_bot
from lastcard.bots.weights import styles
from lastcard.game.cards import card_face, is_wild
from lastcard.match.round import Round

BASE: Final = "sharp"
_FIRST_ACTION_FACE: Final = 10
"""Faces of colored cards below this are no attacks."""
MAX_PLIES: Final = 500


class Habits(NamedTuple):
    """Statistics of a bot's play."""

    attacks: float
    """Share of possible attacks that it made."""
    wild_at: float
    """Mean hand size when it laid a wild."""


def is_attack(card: int) -> bool:
    """Whether a card affects another player."""
    return card_face(card) > 0 if is_wild(card) else card_face(card) >= _FIRST_ACTION_FACE


def measure_habits(bot: str, rules: str, players: int, rounds: int, seed: int) -> Habits:
    """Let a bot play among *sharp*, and collect its statistics."""
    chances = attacks = 0
    hand_sizes: list[int] = []
    for number in range(rounds):
        table = Round.deal(rules, players, seed=f"styles {seed}", number=number)
        own = number % players
        bots = [make_bot(bot if seat == own else BASE, number.to_bytes(32, "big"), seat) for seat in range(players)]
        for _ in range(MAX_PLIES):
            if table.over:
                break
            seat, view = table.turn, table.view(table.turn)
            move = bots[seat].choose(view)
            if seat == own and table.decision == "play" and view.hand is not None:
                kinds = {
                    is_attack(other.card) for other in view.legal if other.card is not None and other.verb == "play"
                }
                if len(kinds) == 2 and move.card is not None:
                    chances += 1
                    attacks += is_attack(move.card)
                if move.card is not None and is_wild(move.card):
                    hand_sizes.append(len(view.hand))
            table.do(seat, move)
    return Habits(attacks / max(1, chances), sum(hand_sizes) / max(1, len(hand_sizes)))


def main() -> None:
    """Measure and print a page."""
    parser = argparse.ArgumentParser(description="How styles differ, and how strong each is.")
    parser.add_argument("--games", default="classic")
    parser.add_argument("--seats", default="2,4")
    parser.add_argument("--rounds", type=int, default=400, help="watched for what each does (default 400)")
    parser.add_argument("--deals", type=int, default=2000, help="played in the arena (default 2000)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--save", action="store_true", help="write benchmarks/results/styles-DATE.md too")
    args = parser.parse_args()
    about = describe_machine()
    lines = [
        f"# Styles, {about['date']}",
        "",
        f"{about['processor']}, {about['cores']} cores; commit {about['commit']}. Command: `{command_line()}`.",
        "",
        "| game | seats | bot | attacks | wild at | among *sharp* | among *casual* |",
        "|---|--:|---|--:|--:|--:|--:|",
    ]
    for rules in args.games.split(","):
        for players in map(int, args.seats.split(",")):
            for bot in (BASE, *(f"{BASE}:style={style}" for style in styles())):
                habits = measure_habits(bot, rules, players, args.rounds, args.seed)
                shares = []
                for other in (BASE, "casual"):
                    if bot == other:
                        shares.append("–")
                        continue
                    played = run_arena(rules, players, [bot, *[other] * (players - 1)], args.deals, args.seed)
                    wins = played.entries[bot].wins
                    shares.append(f"{100 * wins.value:.1f} % ({wins.interval_text(100)})")
                row = [rules, str(players), bot, f"{100 * habits.attacks:.0f} %", f"{habits.wild_at:.1f}", *shares]
                lines.append(f"| {' | '.join(row)} |")
                print(lines[-1], file=sys.stderr)
    publish("styles", "\n".join(lines) + "\n", save=args.save)


if __name__ == "__main__":
    main()
