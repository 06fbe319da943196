"""The decisions of tests/golden/decisions.txt, those of all bots in situations of all games, and how to rewrite them.

``PYTHONPATH=tests python -m support.decisions`` writes the file. A new file means that bots decide otherwise than
before; name that in the changelog. With the word ``few`` it prints some decisions that plain Python finds in seconds.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator, Sequence
from typing import Final

from lastcard.bots.base import CASUAL, list_turn_moves
from lastcard.bots.registry import make_bot
from lastcard.bots.search import Search, SearchConfig
from lastcard.game.rulesets import stored_ruleset
from lastcard.match.round import Round
from lastcard.match.view import View
from support.golden_matches import GOLDEN, choose_move

FILE: Final = GOLDEN / "decisions.txt"
GAME_CONFIGS: Final = (
    ("all-wild", 2),
    ("all-wild", 5),
    ("all-wild+team_play+stacking=cross", 4),
    ("all-wild+forced_swap_target=not_player_with_one_card+uno_early_call=any_time", 3),
    ("classic", 2),
    ("classic", 4),
    ("classic+wd4_mode=challenge+challenge_by=anyone", 3),
    ("classic+wd4_mode=strict+draw_then_play=must_play_drawn+force_play=always", 3),
    ("classic+jump_in+stacking=cross+seven_zero", 3),
    ("classic+team_play+jump_in+deflect", 4),
    ("classic+harsh", 10),
    ("wild-jackpot", 2),
    ("wild-jackpot", 4),
    ("wild-jackpot+team_play+jump_in", 4),
    ("wild-jackpot+living-room", 5),
    ("wild-jackpot+stacking=same+seven_zero+false_uno_penalty=2", 3),
)
"""Rulesets as they are stored, and numbers of players."""
ROUNDS: Final = 5
SITUATIONS_PER_ROUND: Final = 8
"""Maximum number of situations of a round."""
EFFORT_TEXT: Final = "rollouts=120:deals=32:burn=40"
BOT_NAMES: Final = (
    "learner",
    "casual",
    "sharp",
    "trained",
    f"expert:{EFFORT_TEXT}",
    f"master:{EFFORT_TEXT}",
    f"search:{EFFORT_TEXT}:horizon=1:likelihood_plays=0",
)
FEW_CONFIGS: Final = (GAME_CONFIGS[0], GAME_CONFIGS[5], GAME_CONFIGS[8], GAME_CONFIGS[-2])
FEW_BOT_NAMES: Final = (
    "casual",
    "trained",
    "master:rollouts=6:deals=2:burn=3",
    "search:rollouts=4:deals=2:burn=3:horizon=1",
)
SEARCH_EFFORT: Final = SearchConfig(rollouts=160, deals=32, burn=40, prior=0.5, deviation=0.2)


def find_situations(
    configs: Sequence[tuple[str, int]] = GAME_CONFIGS, rounds: int = ROUNDS
) -> Iterator[tuple[str, Round]]:
    """Rounds at random moments, each with a name; decisions other than plays are more frequent."""
    for rules, players in configs:
        for number in range(rounds):
            rng = random.Random(f"{rules} {players} {number}")
            table = Round.deal(stored_ruleset(rules), players, seed=f"decisions {number}", number=number)
            ply = found = 0
            while not table.over and found < SITUATIONS_PER_ROUND and ply < 400:
                if rng.random() < _sampling_probability(table):
                    yield f"{rules} {players} {number} {ply} {table.decision}", table
                    found += 1
                seat, _, move = choose_move(table, rng).partition(":")
                table.do(int(seat), move)
                ply += 1


def _sampling_probability(table: Round) -> float:
    """The probability that a moment is sampled."""
    if table.decision not in ("play", "drawn", "challenge", "stack"):
        return 0.9
    return 0.3 if table.decision != "play" or table.exposed or table.counts[table.turn] == 2 else 0.05


def bot_moves(view: View, *, own: bool) -> str:
    """The move of every bot, and of one more that has human habits."""
    bots = [make_bot(name, bytes(range(32)), view.seat or 0) for name in BOT_NAMES]
    bots += [make_bot(name, bytes(range(32)), view.seat or 0, CASUAL) for name in ("random", f"search:{EFFORT_TEXT}")]
    moves = [bot.choose(view) if own else bot.react(view) for bot in bots]
    return ", ".join("-" if move is None else str(move) for move in moves)


def few_lines() -> Iterator[str]:
    """The decisions of some bots in a few situations."""
    for name, table in find_situations(FEW_CONFIGS, 1):
        view = table.view(table.turn)
        moves = [make_bot(bot, bytes(32), table.turn).choose(view) for bot in FEW_BOT_NAMES]
        yield f"{name}: {', '.join(map(str, moves))}"


def search_values(view: View) -> str:
    """The value of every choice, to the last bit."""
    found = Search(SEARCH_EFFORT).rank_moves(view, list_turn_moves(view), 11)
    return ", ".join(f"{choice.move} {choice.chance!r} {choice.error!r} {choice.rollouts}" for choice in found)


def golden_lines() -> Iterator[str]:
    """The lines of the file."""
    for number, (name, table) in enumerate(find_situations()):
        yield f"{name}: {bot_moves(table.view(table.turn), own=True)}"
        if table.allows_moves_out_of_turn:
            for seat in range(table.players):
                done = bot_moves(table.view(seat), own=False)
                if done.strip("-, "):
                    yield f"{name} seat {seat}: {done}"
        if number % 7 == 0:
            yield f"{name} worth: {search_values(table.view(table.turn))}"


def main() -> None:
    """Write the file, or print a few decisions."""
    if sys.argv[1:] == ["few"]:
        print(*few_lines(), sep="\n")
        return
    FILE.write_text("".join(line + "\n" for line in golden_lines()), encoding="utf-8")


if __name__ == "__main__":
    main()
