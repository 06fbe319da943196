"""Play the deal of the day in the terminal: one round, the same for everybody, without a server."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Final

from lastcard.cli.arguments import add_shared
from lastcard.cli.command import interrupt_on_signals

if TYPE_CHECKING:
    from lastcard.analysis.highlights import Highlight
    from lastcard.match.match import Match
    from lastcard.text.locale import Catalog

_NAMED_VERBS: Final = {"play", "draw", "pass", "accept", "challenge"}
"""Verbs of decisions that can be named in a few words."""
EXAMPLES = (
    "lastcard daily",
    "lastcard daily all-wild --language es",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    games = "all-wild, classic or wild-jackpot (default %(default)s): each has a deal, and one try a day (UTC)"
    parser.add_argument("game", nargs="?", default="classic", metavar="GAME", help=games)
    add_shared(parser, "--language")
    add_shared(parser, "--kernel")


def run(args: argparse.Namespace) -> int:
    """Play, go on with a try that was left, or show its result again."""
    from lastcard.game.daily_deal import today
    from lastcard.terminal.daily_client import play_daily, read_streak, share_text
    from lastcard.terminal.line_io import open_terminal
    from lastcard.text.locale import catalog

    interrupt_on_signals()
    day, terminal, texts = today(), open_terminal(), catalog(args.language)
    match = play_daily(day, args.game, texts, terminal)
    if match is None:
        return 0
    terminal.write("", *_compare(match, texts))
    streak = read_streak(day)
    if streak > 1:
        terminal.write(texts.text("web.daily.streak", n=streak))
    terminal.write("", share_text(texts, day, match))
    return 0


def _compare(match: Match, texts: Catalog) -> list[str]:
    """Returns the person's result, that of a master, both without luck, and the decision that cost most."""
    from lastcard.analysis.highlights import find_highlights
    from lastcard.analysis.master_run import measure_person_luck, run_master
    from lastcard.game.daily_deal import PERSON_SEAT
    from lastcard.match.match import Match
    from lastcard.terminal.daily_client import person_moves, result_text

    won, moves = PERSON_SEAT in (match.winners or ()), len(person_moves(match))
    run = run_master(Match(match.rules, match.players, seed=match.seed, host=match.record().host))
    luck = {"mine": won - measure_person_luck(match), "theirs": run.won - run.luck}
    fair = {name: f"{100 * min(1, max(0, worth)):.0f}%" for name, worth in luck.items()}
    return [
        result_text(texts, "web.daily", won=won, moves=moves, points=match.round.held[PERSON_SEAT]),
        result_text(texts, "web.daily.master", won=run.won, moves=run.moves, points=run.points),
        texts.text("web.daily.fair", **fair),
        *(
            _cost_text(texts, found, match.rules.game)
            for found in find_highlights(match, [PERSON_SEAT])
            if found.kind == "cost"
        ),
    ]


def _cost_text(texts: Catalog, highlight: Highlight, game: str) -> str:
    """Returns a sentence about the person's decision that cost most, the same as on the page."""
    from lastcard.game.cards import parse_card

    verb = highlight.verb if highlight.verb in _NAMED_VERBS else "other"
    card = "" if highlight.card is None else texts.card(parse_card(highlight.card), game)
    return texts.text(f"web.score.moment.cost.{verb}", n=highlight.points, card=card)
