"""The deal of the day in the terminal: one try at each game, saved as a record in the data folder.

The deal and the bots are those of the page without a server: the seed follows from the day, so no result is proved.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from lastcard.bots.registry import make_bots
from lastcard.errors import UsageError, suggest
from lastcard.formats.record_files import read_record
from lastcard.formats.replay import replay, start_match
from lastcard.game.daily_deal import (
    DAILY_LEVEL,
    DAILY_SEATS,
    ONE_ROUND,
    PERSON_SEAT,
    SHARE_SIGNS,
    count_streak,
    daily_secret,
)
from lastcard.game.rulesets import GAMES
from lastcard.game.seeds import mix_seed
from lastcard.match.match import Match
from lastcard.match.view import View
from lastcard.paths import data_folder
from lastcard.terminal import display
from lastcard.terminal.line_client import LineClient
from lastcard.terminal.line_io import LineTerminal
from lastcard.terminal.match_setup import BOT_NAMES
from lastcard.terminal.saves import check_save_path, lock_match, save_match
from lastcard.text.locale import Catalog

_TRY_FILE: Final = re.compile(r"(\d{4}-\d\d-\d\d)-([\w-]+)")
_KINDS: Final = ["", *[DAILY_LEVEL] * (DAILY_SEATS - 1)]


def new_daily_match(day: str, game: str, names: Sequence[str]) -> Match:
    """Returns the match of a day's deal without a server, before its first move."""
    seed = mix_seed(daily_secret(day, game), [""] * DAILY_SEATS)
    return Match(game + ONE_ROUND, names, seed=seed, host=PERSON_SEAT)


class DailyClient(LineClient):
    """A try at a daily deal: no hints, and it continues with the same command."""

    def __init__(self, match: Match, texts: Catalog, terminal: LineTerminal, path: Path) -> None:
        bots = [None, *make_bots([DAILY_LEVEL] * DAILY_SEATS, match.seed)[1:]]
        super().__init__(match, bots, _KINDS, texts, terminal, path)

    def _run_command(self, command: str, view: View | None) -> bool:
        """Execute a command; hints are refused."""
        if command != "hint":
            return super()._run_command(command, view)
        self.terminal.write(self.texts.text("web.refused.daily"))
        return False

    def _print_how_to_resume(self) -> None:
        command = f"lastcard daily {self.match.rules.game}"
        self.terminal.write("", self.texts.text("play.not_over"), self.texts.text("play.resume", command=command))

    def _finish(self) -> None:
        save_match(self.path, self.match, self.bot_kinds)


def play_daily(day: str, game: str, texts: Catalog, terminal: LineTerminal) -> Match | None:
    """Play a day's deal, go on with a try, or return to its result.

    Returns:
        The finished match; None if the person leaves before its end, and it is saved.

    Raises:
        UsageError: for an unknown game, a file that cannot be written, or a try in another terminal.
        RecordError: if the saved try is damaged.
    """
    if game not in GAMES:
        raise UsageError(f"there is no game {game!r}; there are {', '.join(GAMES)}{suggest(game, GAMES)}")
    path = _folder() / f"{day}-{game}.toml"
    check_save_path(path, overwrite=True)
    with lock_match(path):
        dealt = new_daily_match(day, game, [texts.text("play.player", number=1), *BOT_NAMES[: DAILY_SEATS - 1]])
        match = _read_try(path, dealt) if path.exists() else dealt
        if match.over:
            return match
        terminal.write(texts.text("web.daily.lead"), texts.text("web.daily.unproved"))
        terminal.write(*display.opening_lines(match.rules, match.players, _KINDS, texts))
        return match if DailyClient(match, texts, terminal, path).run() else None


def _folder() -> Path:
    return data_folder() / "daily"


def _read_try(path: Path, dealt: Match) -> Match:
    """Returns the match of a saved try; a UsageError if its deal is another one."""
    record = read_record(path)
    match = start_match(record)
    if (match.seed, str(match.rules), len(match.players)) != (dealt.seed, str(dealt.rules), DAILY_SEATS):
        raise UsageError(f"{path}: is no try at that deal; move it elsewhere to begin again")
    for played, _, _, _ in replay(record):
        match = played
    return match


def read_streak(today: str) -> int:
    """Returns on how many days in succession a deal was finished, by the saved tries."""
    tries = [(found[1], path) for path in _folder().glob("*.toml") if (found := _TRY_FILE.fullmatch(path.stem))]
    return count_streak({day for day, path in tries if read_record(path).winners is not None}, today)


def person_moves(match: Match) -> list[str]:
    """Returns the verbs of the person's moves in a finished daily deal, calls included."""
    return [move.verb for _, seat, move, _ in replay(match.record()) if seat == PERSON_SEAT]


def result_text(texts: Catalog, keys: str, *, won: bool, moves: int, points: int) -> str:
    """Returns a result in words: of the person, a master or anybody, by the beginning of the texts' keys."""
    if won:
        return texts.text(f"{keys}.won", n=moves)
    return texts.text(f"{keys}.lost", points=texts.text("count.points", n=points))


def share_text(texts: Catalog, day: str, match: Match) -> str:
    """Returns what a person shares: the result, and a sign for each of their moves, which shows no card."""
    moves, won = person_moves(match), PERSON_SEAT in (match.winners or ())
    result = result_text(texts, "web.daily.line", won=won, moves=len(moves), points=match.round.held[PERSON_SEAT])
    signs = "".join(SHARE_SIGNS.get(verb, "") for verb in moves) + "🏆" * won
    return "\n".join([f"Last Card · {texts.text(f'game.{match.rules.game}')} · {day}", result, signs])
