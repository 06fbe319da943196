"""Benchmarks the strength of the levels: each against the one below on duplicate deals, and the possible gain.

    python benchmarks/bots.py [--deals 400] [--games classic,…] [--seats 2,4,8] [--only sharp,…] [--workers 2]
                              [--resume FOLDER] [--save]

At n seats one bot of the stronger level plays n - 1 of the weaker; if both search, half are of each, which is more
informative in the same time. ``--save`` writes the page to results/.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any, Final

from clairvoyant import measure
from machine import command_line, describe_machine, save_results

from lastcard.arena.arena import run_arena
from lastcard.arena.deals import Plan
from lastcard.bots.search import SearchConfig
from lastcard.game.rulesets import GAMES, ruleset

LADDER: Final = (
    ("sharp", "random"),
    ("casual", "learner"),
    ("sharp", "casual"),
    ("trained", "sharp"),
    ("expert", "sharp"),
    ("master", "sharp"),
    ("master", "expert"),
)
MEASURED_BOTS: Final = ("trained", "expert", "master")
SEARCHING_BOTS: Final = frozenset({"expert", "master"})
QUICK_DEALS_FACTOR: Final = 5
"""Factor of the number of deals for bots that do not search."""
SEED: Final = "strength"


def measure_pair(
    game: str, seats: int, pair: tuple[str, str], deals: int, workers: int, folder: Path | None
) -> dict[str, Any]:
    """Measure bots of a level among bots of another, the stronger first."""
    strong, weak = pair
    many = seats // 2 if weak in SEARCHING_BOTS else 1
    count = deals if strong in SEARCHING_BOTS else deals * QUICK_DEALS_FACTOR
    file = folder and folder / f"{game}-{seats}-{strong}-{weak}.jsonl"
    bots = [strong] * many + [weak] * (seats - many)
    result = run_arena(game, seats, bots, count, SEED, workers=workers, resume=file)
    entry = result.entries[strong].as_dict()
    times = result.as_dict()["times"][strong]["choose"]
    return {
        "rules": game, "seats": seats, "bot": strong, "against": weak, "deals": count, "even": many / seats,
        "wins": entry["wins"], "ms": {name: times[name] for name in ("p50", "p99")},
    }  # fmt: skip


def measure_clairvoyant(game: str, seats: int, deals: int, workers: int, folder: Path | None) -> dict[str, Any]:
    """Measure a search that sees all hands among *sharp* bots."""
    code = Plan(ruleset(game), ("sharp",) * seats, b"", None).as_dict()["code"]  # as in the arena's files
    file = folder and folder / f"{game}-{seats}-seer-{deals}-{code}.json"
    if file and file.exists():
        wins = json.loads(file.read_text())
    else:
        wins = measure(game, seats, SearchConfig(), deals, workers).as_dict()
        if file:
            file.write_text(json.dumps(wins) + "\n")
    return {
        "rules": game, "seats": seats, "bot": "sees the hands", "against": "sharp", "deals": deals,
        "even": 1 / seats, "wins": wins,
    }  # fmt: skip


def format_row(result: dict[str, Any]) -> str:
    """Returns a line of the table."""
    wins, ms = result["wins"], result.get("ms")
    interval = "" if wins["low"] is None else f"{wins['low']:.1%} – {wins['high']:.1%}"
    times = f"{ms['p50']:.2f} / {ms['p99']:.2f}" if ms and ms["p50"] is not None else ""
    cells = (
        result["rules"], result["seats"], result["bot"], result["against"], f"{result['even']:.1%}",
        f"**{wins['value']:.1%}**", interval, result["deals"], times,
    )  # fmt: skip
    return "| " + " | ".join(map(str, cells)) + " |"


def share_of_the_way(results: list[dict[str, Any]], bot: str, game: str, seats: int) -> str:
    """Returns the position of a bot between *sharp* and the search that sees the hands, as a share."""
    won = {
        r["bot"]: r["wins"]["value"] - r["even"]
        for r in results
        if (r["rules"], r["seats"], r["against"]) == (game, seats, "sharp")
    }
    seer = won.get("sees the hands", 0.0)
    return f"{won[bot] / seer:.0%}" if seer > 0 and bot in won else ""


def shares_table(results: list[dict[str, Any]]) -> list[str]:
    """Returns a table of each bot's share of the possible gain; empty if it was not measured."""
    tables = [(r["rules"], r["seats"]) for r in results if r["bot"] == "sees the hands"]
    if not tables:
        return []
    rows = [
        f"| {game} | {seats} | "
        + " | ".join(share_of_the_way(results, bot, game, seats) for bot in MEASURED_BOTS)
        + " |"
        for game, seats in tables
    ]
    return ["", "The share of the way from *sharp* to seeing the hands:", "",
            "| game | seats | " + " | ".join(MEASURED_BOTS) + " |",
            "|---|--:|" + "--:|" * len(MEASURED_BOTS), *rows]  # fmt: skip


def make_page(machine: dict[str, Any], results: list[dict[str, Any]]) -> str:
    """Returns the results as Markdown."""
    head = [
        "# How strong the bots are",
        "",
        f"`{command_line()}` on {machine['cores']} cores of {machine['processor']}, commit {machine['commit']}, "
        f"{machine['date']}. One bot among others of another kind, and half of each where both search; every deal is "
        "played in every seating.",
        "",
        "| game | seats | bot | against | even | won | 95 % | deals | ms p50 / p99 |",
        "|---|--:|---|---|--:|--:|---|--:|--:|",
    ]
    return "\n".join([*head, *map(format_row, results), *shares_table(results)]) + "\n"


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--deals", type=int, default=400, help="at 2 seats; as many rounds at others (default 400)")
    parser.add_argument("--games", default=",".join(GAMES), help="games, separated by commas")
    parser.add_argument("--seats", default="2,4,8", help="sizes of tables, separated by commas")
    parser.add_argument(
        "--only", default="", help="these stronger bots alone, separated by commas; seer: sees the hands"
    )
    parser.add_argument("--workers", type=int, default=2, help="processes (default 2)")
    parser.add_argument("--resume", type=Path, metavar="FOLDER", help="keep what was played, and go on with that")
    parser.add_argument("--save", action="store_true", help="keep the page and the numbers in results/")
    args = parser.parse_args()
    only = args.only.split(",") if args.only else []
    if args.resume:
        args.resume.mkdir(parents=True, exist_ok=True)
    results = []
    for game in args.games.split(","):
        for seats in map(int, args.seats.split(",")):
            deals = max(1, args.deals * 2 // seats)
            for pair in LADDER:
                if only and pair[0] not in only:
                    continue
                results.append(measure_pair(game, seats, pair, deals, args.workers, args.resume))
                print(format_row(results[-1]), flush=True)
            if not only or "seer" in only:
                results.append(measure_clairvoyant(game, seats, deals, args.workers, args.resume))
                print(format_row(results[-1]), flush=True)
    machine = describe_machine()
    text = make_page(machine, results)
    if args.save:
        save_results("bots", text, {"machine": machine, "results": results})


if __name__ == "__main__":
    main()
