"""A yardstick from outside: our bots against RLCard's own, in RLCard's package and by its simplified rules.

    pip install rlcard==1.2.0
    python benchmarks/rlcard_yardstick.py [--games 20000] [--bots sharp,trained] [--save]

Two players. Every shuffle is played twice, once from each seat. RLCard lays a drawn card that has the color by itself,
a Wild Draw Four only when nothing else fits, and a Reverse turns nobody away. Our bots are given the position as a view
by the nearest rules we have; what they do and RLCard forbids becomes any act that it allows. They are not told what
happened before.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from multiprocessing import get_context
from typing import Any, Final

import numpy as np
import rlcard
from machine import HERE, describe_machine
from rlcard.models.uno_rule_models import UNORuleAgentV1

from lastcard.bots.base import Dice
from lastcard.bots.registry import make_bot
from lastcard.envs.rlcard import NEAREST
from lastcard.game.actions import Move
from lastcard.game.cards import FACES_PER_COLOR, W_DRAW_FOUR, WILD, W, classic_deck
from lastcard.game.position import Position
from lastcard.game.rulesets import ruleset
from lastcard.lab.standings import mean
from lastcard.play.round import Round

RULES: Final = ruleset(NEAREST)
CHUNK: Final = 250
_COLORS: Final = {"r": 0, "y": 1, "g": 2, "b": 3}
_FACES: Final = {**{str(n): n for n in range(10)}, "skip": 10, "reverse": 11, "draw_2": 12}
_WILDS: Final = {"wild": W, "wild_draw_4": W_DRAW_FOUR}


def card_of(name: str) -> int:
    """Our card of one of theirs; the color before a wild says nothing."""
    color, trait = name.split("-")
    return _WILDS[trait] if trait in _WILDS else _COLORS[color] * FACES_PER_COLOR + _FACES[trait]


def move_of(action: str) -> Move:
    """Our move of one of their acts."""
    if action == "draw":
        return Move("draw")
    card = card_of(action)
    return Move("play", card, _COLORS[action[0]] if card >= WILD * FACES_PER_COLOR else None)


class OurAgent:
    """One of our bots as an agent of RLCard.

    Args:
        name: of the bot.
        env: the table; read for the color in force and the direction, which everybody sees.
        seed: of its chance.
    """

    use_raw = True

    def __init__(self, name: str, env: Any, seed: int) -> None:
        self._bot, self._env = make_bot(name, seed.to_bytes(32, "little"), 0), env
        self._dice = Dice(seed.to_bytes(8, "little"))

    def step(self, state: dict[str, Any]) -> str:
        """The act of the player on turn."""
        legal = list(dict.fromkeys(state["raw_legal_actions"]))
        if len(legal) == 1:
            return str(legal[0])
        moves = {move_of(action): action for action in legal}
        move = replace(self._bot.choose(self._view(state["raw_obs"])), uno=False)
        return str(moves.get(move) or legal[self._dice.below(len(legal))])

    def _view(self, seen: dict[str, Any]) -> Any:
        """What it sees, as a view: cards it cannot see are any that are left."""
        round_, seat = self._env.game.round, seen["current_player"]
        hand = sorted(map(card_of, seen["hand"]))
        discard = [card_of(name) for name in seen["played_cards"]] or [card_of(seen["target"])]
        hidden = list((Counter(classic_deck()) - Counter(hand) - Counter(discard)).elements())
        other = seen["num_cards"][1 - seat]
        hands = [tuple(sorted(hidden[:other]))] * 2
        hands[seat] = tuple(hand)
        position = Position(
            rules=RULES,
            hands=tuple(hands),
            discard=tuple(discard),
            draw=tuple(hidden[other:]),
            color=_COLORS[round_.target.color],
            turn=seat,
            direction=round_.direction,
            dealer=0,
            called=(),
            scores=(0, 0),
        )
        return Round.from_position(position).view(seat)


class RandomAgent:
    """RLCard's random agent: any legal act."""

    use_raw = True

    def step(self, state: dict[str, Any]) -> str:
        """Any of the acts that are legal."""
        return str(np.random.choice(state["raw_legal_actions"]))


def play(env: Any, agents: list[Any]) -> int:
    """Play a game; returns who won."""
    state, player = env.reset()
    while not env.is_over():
        state, player = env.step(agents[player].step(state), True)
    return int(np.argmax(env.get_payoffs()))


def play_chunk(name: str, foe: str, first: int, count: int) -> list[float]:
    """The share of each shuffle that our bot, or a bot of theirs, wins."""
    shares = []
    for number in range(first, first + count):
        won = 0
        for seat in (0, 1):
            np.random.seed(number)
            env = rlcard.make("uno", {"seed": number})
            ours = UNORuleAgentV1() if name == "uno-rule-v1" else OurAgent(name, env, number)
            agents: list[Any] = [RandomAgent() if foe == "random" else UNORuleAgentV1()] * 2
            agents[seat] = ours
            won += play(env, agents) == seat
        shares.append(won / 2)
    return shares


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=20_000, help="for each line (default 20,000)")
    parser.add_argument("--bots", default="uno-rule-v1,sharp,trained,expert:rollouts=400", help="by name")
    parser.add_argument("--workers", type=int, default=2, help="processes (default 2)")
    parser.add_argument("--save", action="store_true", help="keep the page and the numbers in results/")
    args = parser.parse_args()
    results = []
    with ProcessPoolExecutor(args.workers, get_context("spawn")) as pool:
        for name in args.bots.split(","):
            for foe in ("random", "uno-rule-v1"):
                if name == foe:
                    continue
                jobs = [pool.submit(play_chunk, name, foe, at, CHUNK) for at in range(0, args.games // 2, CHUNK)]
                won = mean([share for job in jobs for share in job.result()]).as_dict()
                results.append({"bot": name, "against": foe, "games": 2 * CHUNK * len(jobs), "won": won})
                print(f"| {name} | {foe} | {won['value']:.1%} | {won['low']:.1%} – {won['high']:.1%} |", flush=True)
    if args.save:
        save(results)


def save(results: list[dict[str, Any]]) -> None:
    """Keep the page and the numbers."""
    machine = describe_machine()
    command = " ".join(["python benchmarks/rlcard_yardstick.py", *sys.argv[1:]])
    head = [
        "# Our bots at RLCard's table",
        "",
        f"`{command}` with RLCard {rlcard.__version__}, commit {machine['commit']}, {machine['date']}. Its rules, its "
        "agents, two players, every shuffle from both seats.",
        "",
        "| bot | against | won | 95 % | games |",
        "|---|---|--:|---|--:|",
    ]
    rows = [
        f"| {r['bot']} | {r['against']} | **{r['won']['value']:.1%}** | {r['won']['low']:.1%} – {r['won']['high']:.1%} "
        f"| {r['games']} |"
        for r in results
    ]
    stem = HERE / "results" / f"rlcard-{machine['date']}"
    stem.with_suffix(".md").write_text("\n".join([*head, *rows]) + "\n", encoding="utf-8")
    stem.with_suffix(".json").write_text(json.dumps({"machine": machine, "results": results}, indent=1) + "\n")


if __name__ == "__main__":
    main()
