"""Benchmarks calls of the library against python-chess, if that is installed (pip install chess).

python benchmarks/library.py [--save]
"""

from __future__ import annotations

import argparse
import importlib
import time
from collections.abc import Callable
from typing import Any, Final

from machine import command_line, describe_machine, publish

from lastcard import Match, Round

REPEATS: Final = 9


def chess_calls() -> dict[str, Callable[[], Any]]:
    """Returns the same calls on a chess board, after five moves."""
    try:
        chess = importlib.import_module("chess")
    except ImportError:
        return {}
    board = chess.Board()
    for move in ("e2e4", "e7e5", "g1f3", "b8c6", "f1b5"):
        board.push_uci(move)
    answer = chess.Move.from_uci("a7a6")

    def do() -> None:
        copy = board.copy()
        copy.is_legal(answer)
        copy.push(answer)

    return {"copy": board.copy, "copy and do": do, "legal": lambda: list(board.legal_moves)}


def round_calls(game: str) -> dict[str, Callable[[], Any]]:
    """Returns calls on a round with four seats, after twelve moves."""
    table = Round.deal(game, 4, seed=1)
    for _ in range(12):
        table.do(table.turn, table.legal()[0])
    move = table.legal()[0]
    return {
        "copy": table.copy,
        "copy and do": lambda: table.copy().do(table.turn, move),
        "legal": table.legal,
        "view": lambda: table.view(1),
        "Round.deal": lambda: Round.deal(game, 4, seed=1),
        "Match": lambda: Match(game, ["Ann", "Bo", "Cy", "Di"], seed=1),
    }


def microseconds(call: Callable[[], Any], n: int = 2000) -> float:
    """Returns the minimum CPU time of a call over several runs."""
    least = float("inf")
    for _ in range(REPEATS):
        start = time.process_time()
        for _ in range(n):
            call()
        least = min(least, (time.process_time() - start) / n)
    return 1e6 * least


def main() -> None:
    """Measure and print; with --save, write a page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--save", action="store_true", help="write a page into results/")
    asked = parser.parse_args()
    about = describe_machine()
    board = chess_calls()
    lines = [
        f"# Calls of the library, {about['date']}",
        "",
        f"`{command_line()}`, commit {about['commit']},",
        f"{about['processor']}, Python {about['versions']['python']}. Microseconds of processor time, the least of",
        f"{REPEATS} goes; python-chess in the same run, with `is_legal` and `push` for `do`.",
        "",
        "| game | " + " | ".join(round_calls("classic")) + " |",
        "|---|" + "--:|" * len(round_calls("classic")),
    ]
    for game in ("classic", "all-wild", "wild-jackpot"):
        cells = [f"{microseconds(call):.1f}" for call in round_calls(game).values()]
        lines.append(f"| {game} | {' | '.join(cells)} |")
    if board:
        cells = [f"{microseconds(call):.1f}" for call in board.values()]
        lines.append(f"| chess | {' | '.join(cells)} | | | |")
    publish("library", "\n".join(lines) + "\n", save=asked.save)


if __name__ == "__main__":
    main()
