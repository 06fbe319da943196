"""External reference: lastcard's bots against RLCard's, in RLCard's environment with its simplified rules.

    pip install rlcard==1.2.0
    python benchmarks/rlcard_matches.py [--games 20000] [--bots sharp,trained] [--foes random,uno-rule-v1]
                                          [--dmc FOLDER] [--deals 300] [--save]

With ``--dmc`` its Deep Monte Carlo agent plays too, as trained by ``rlcard_dmc.py``. ``--deals`` are also played in
lastcard by the nearest rules, with the agents as bots.

There are two players. Every shuffle is played twice, once from each seat. RLCard automatically lays a drawn card of the
color, allows a Wild Draw Four only if no other card matches, and a Reverse has no effect. Lastcard's bots get the
position as a view by the nearest rules, without the history; a move that RLCard forbids is replaced by a random one.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any, Final

import numpy as np
import rlcard
from machine import command_line, describe_machine, save_results
from rlcard_agents import COLORS, DMC, RULE, RlcardBot, card_of, frames_of, make_agent, move_of

from lastcard.arena.arena import run_arena
from lastcard.bots.base import Dice
from lastcard.bots.registry import BOTS, make_bot
from lastcard.bots.statistics import mean
from lastcard.envs.rlcard import NEAREST_RULES
from lastcard.errors import LastcardError
from lastcard.game.cards import classic_deck
from lastcard.game.position import Position
from lastcard.game.rulesets import ruleset
from lastcard.match.round import Round

RULES: Final = ruleset(NEAREST_RULES)
OUR_TABLE: Final = NEAREST_RULES + "+uno_window=automatic_call"
"""Rules under which its agents need not call."""
GAMES_PER_TASK: Final = 250
THEIRS: Final = ("random", RULE, DMC)


class OurAgent:
    """A bot of lastcard as an agent of RLCard, which reads the public color and direction from the environment."""

    use_raw = True

    def __init__(self, name: str, env: Any, seed: int) -> None:
        self._bot, self._env = make_bot(name, seed.to_bytes(32, "little"), 0), env
        self._dice = Dice(seed.to_bytes(8, "little"))

    def step(self, state: dict[str, Any]) -> str:
        """Returns the action of the player on turn."""
        legal = list(dict.fromkeys(state["raw_legal_actions"]))
        if len(legal) == 1:
            return str(legal[0])
        moves = {move_of(action): action for action in legal}
        move = replace(self._bot.choose(self._view(state["raw_obs"])), uno=False)
        return str(moves.get(move) or legal[self._dice.below(len(legal))])

    def _view(self, seen: dict[str, Any]) -> Any:
        """Returns its observation as a view, with arbitrary remaining cards as hidden ones."""
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
            color=COLORS[round_.target.color],
            turn=seat,
            direction=round_.direction,
            dealer=0,
            called=(),
            scores=(0, 0),
        )
        return Round.from_position(position).view(seat)


def play(env: Any, agents: list[Any]) -> int:
    """Play a game; returns the winner."""
    state, player = env.reset()
    while not env.is_over():
        state, player = env.step(agents[player].step(state), True)
    return int(np.argmax(env.get_payoffs()))


def play_chunk(name: str, foe: str, folder: Path | None, first: int, count: int) -> list[float]:
    """Returns the share of each shuffle that a bot, of lastcard or RLCard, wins."""
    shares = []
    for number in range(first, first + count):
        won = 0
        for seat in (0, 1):
            np.random.seed(number)
            env = rlcard.make("uno", {"seed": number})
            agents = [make_agent(foe, other, folder) for other in (0, 1)]
            agents[seat] = make_agent(name, seat, folder) if name in THEIRS else OurAgent(name, env, number)
            won += play(env, agents) == seat
        shares.append(won / 2)
    return shares


def play_at_our_table(name: str, foe: str, folder: Path | None, deals: int) -> dict[str, Any]:
    """Returns the win rate of a bot against an agent of RLCard in lastcard, and the time that both take."""
    opponent = f"rlcard {foe}"
    BOTS[opponent] = partial(RlcardBot, opponent, partial(make_agent, foe, folder=folder))
    played = run_arena(OUR_TABLE, 2, [name, opponent], deals, "rlcard", workers=1)
    times = {who: clock["choose"]["p99"] for who, clock in played.as_dict()["times"].items()}
    ms = {"ours": times[name], "theirs": times[opponent]}
    return {"bot": name, "against": foe, "games": 2 * deals, "won": played.entries[name].wins.as_dict(), "ms": ms}


def measure(args: argparse.Namespace) -> Iterator[dict[str, Any]]:
    """Yields the result of each pair in RLCard, then in lastcard."""
    pairs = [(bot, foe) for bot in args.bots.split(",") for foe in args.foes.split(",") if bot != foe]
    with ProcessPoolExecutor(args.workers, get_context("spawn")) as pool:
        for name, foe in pairs:
            at = range(0, args.games // 2, GAMES_PER_TASK)
            jobs = [pool.submit(play_chunk, name, foe, args.dmc, first, GAMES_PER_TASK) for first in at]
            won = mean([share for job in jobs for share in job.result()]).as_dict()
            yield {"bot": name, "against": foe, "games": 2 * GAMES_PER_TASK * len(jobs), "won": won}
    for name, foe in pairs if args.deals else []:
        if name not in THEIRS:
            yield play_at_our_table(name, foe, args.dmc, args.deals)


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=20_000, help="for each line (default 20,000)")
    parser.add_argument("--bots", default="uno-rule-v1,sharp,trained,expert:rollouts=400", help="by name")
    parser.add_argument("--foes", default=f"random,{RULE}", help="agents of RLCard's (default random,uno-rule-v1)")
    parser.add_argument("--dmc", type=Path, metavar="FOLDER", help="what rlcard_dmc.py has trained; the agent dmc")
    parser.add_argument("--deals", type=int, default=0, help="at our table, from both seats each (default none)")
    parser.add_argument("--workers", type=int, default=2, help="processes (default 2)")
    parser.add_argument("--save", action="store_true", help="keep the page and the numbers in results/")
    args = parser.parse_args()
    asked = {*args.bots.split(","), *args.foes.split(",")}
    if unknown := set(args.foes.split(",")) - set(THEIRS):
        parser.error(f"RLCard has no agent {', '.join(sorted(unknown))} here; it has {', '.join(THEIRS)}")
    if DMC in asked and args.dmc is None:
        parser.error("dmc plays with --dmc FOLDER, where rlcard_dmc.py has trained it")
    results = []
    try:
        trained = frames_of(args.dmc) if args.dmc else 0
        for result in measure(args):
            results.append(result)
            print(format_row(result), flush=True)
    except LastcardError as error:
        sys.exit(str(error))
    if args.save:
        save(results, trained)


def format_row(result: dict[str, Any]) -> str:
    """Returns a line of the table."""
    won, ms = result["won"], result.get("ms")
    where = f"ours | {ms['ours']:.2f} / {ms['theirs']:.2f}" if ms else "RLCard's |"
    sure = f"{won['low']:.1%} – {won['high']:.1%}" if won["low"] is not None else ""
    return f"| {result['bot']} | {result['against']} | **{won['value']:.1%}** | {sure} | {result['games']} | {where} |"


def save(results: list[dict[str, Any]], frames: int) -> None:
    """Save the page and the figures."""
    machine = describe_machine()
    trained = f" *dmc* has learned from {frames:,} moves." if frames else ""
    head = [
        "# Our bots against RLCard's",
        "",
        f"`{command_line()}` with RLCard {rlcard.__version__}, commit {machine['commit']}, {machine['date']}. Two "
        f"players, every shuffle from both seats; at our table `{OUR_TABLE}`.{trained}",
        "",
        "| bot | against | won | 95 % | games | table | ms p99, ours / theirs |",
        "|---|---|--:|---|--:|---|--:|",
    ]
    page = "\n".join([*head, *map(format_row, results)]) + "\n"
    save_results("rlcard", page, {"machine": machine, "results": results})


if __name__ == "__main__":
    main()
