"""What must be true after every command, checked against the committed log alone.

Each match is folded a second time from its rows as they are committed. Everything that anybody is shown is compared
with that, and so is the state of every session.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from math import inf
from typing import Any, Final
from zlib import crc32

from lastcard.server.table.live_table import LiveTable
from lastcard.server.wire import protocol
from lastcard.server.wire.parts import Game, Happening, Mine, Public, TableInfo
from lastcard.session import commands
from lastcard.session.match_log import replay_match
from lastcard.session.match_rows import MatchRow, MoveRow
from lastcard.session.table_state import read_table_state
from lastcard.session.turn_clock import pace_of
from tools.simulate.network import Link
from tools.simulate.page import Page
from tools.simulate.truth import Shown, TableTruth, Truth, checksum

_UNCERTAIN_REFUSALS: Final = ("storage", "fault")
"""Refusals after which a command may be in the log nevertheless."""
_ACCESS_S: Final = 60.0
"""Seconds for which a worker that the store does not answer may not know that somebody has left a seat."""
_SECRET_EVENTS: Final = {"drew": ("cards", False), "shown": ("cards", True), "took": ("card", True)}
"""Events with cards that only ``seat`` knows, or (True) ``other`` too."""


class Checks:
    """Follows commits and messages; ``fail`` gets the kind of a failure and what is wrong."""

    def __init__(self, time: Callable[[], float], fail: Callable[[str, str], None]) -> None:
        self.tables: defaultdict[str, TableTruth] = defaultdict(TableTruth)
        self.matches: dict[str, Truth] = {}
        self.counts: Counter[str] = Counter()
        self.messages: Counter[Page] = Counter()
        """Messages to each page; the caller clears it."""
        self.checksum = 0
        """Of all messages with their times: two runs with the same one are the same."""
        self._time = time
        self._fail = fail
        self._acknowledged: dict[str, tuple[str, int]] = {}
        self._open: Counter[str] = Counter()
        """How often a command was sent and not finally refused."""
        self._matches_sent: dict[str, str] = {}
        self._last_shown: dict[Link, tuple[str, int]] = {}
        self._known_at_hello: dict[Link, tuple[int, int]] = {}
        self._codes: dict[Page, str] = {}

    def add_page(self, page: Page, code: str) -> None:
        """Follow a page at a table."""
        self._codes[page] = code

    # --- commits ----------------------------------------------------------------------------------------

    def committed(self, method: str, args: tuple[Any, ...]) -> None:
        """Follow a change of the database."""
        match method, args:
            case "append", (MoveRow() as row,):
                truth = self.matches[row.match]
                self.counts["moves"] += row.action >= 0
                wrong = truth.fold(row)
                if wrong is not None:
                    self._fail("log", f"{row.match}: {wrong}")
                if self._open[row.command] <= 0 and row.command in self._matches_sent:
                    self._fail("refused", f"{row.command} was refused, and is in the log")
            case "save_table", (str(code), _, bytes(document)):
                self.tables[code].save(read_table_state(document), self._time())
            case "create_match", (MatchRow() as match, _, bytes(document)):
                table = self.tables[match.table]
                table.save(read_table_state(document), self._time())
                self.matches[match.id] = Truth(match, len(table.matches))
                table.matches.append(self.matches[match.id])
            case "create_table", (str(code), bytes(document)):
                self.tables[code].save(read_table_state(document), self._time())

    # --- pages ------------------------------------------------------------------------------------------

    def connected(self, page: Page) -> None:
        """Note what was known before a hello."""
        assert page.link is not None
        self._known_at_hello[page.link] = self.tables[self._codes[page]].known

    def sent(self, page: Page, message: protocol.ClientUnion) -> None:
        """Follow a command that a page sends, maybe again."""
        if isinstance(message, commands.MakeMove | commands.TakeBack):
            self._open[message.id] += 1
            self._matches_sent[message.id] = message.match

    def received(self, page: Page, message: protocol.ServerUnion, text: bytes, written: float) -> None:
        """Check a message, written at a time, before its page follows it."""
        self.messages[page] += 1
        self.checksum = crc32(text, crc32(repr(self._time()).encode(), self.checksum))
        table = self.tables[self._codes[page]]
        self._check_secrets(page, table, text)
        match message:
            case protocol.Signaled(player, data):
                self._check_signal(page, table, player, data)
            case protocol.Welcome(game=game):
                self._check_voices(page, message.table)
                self._check_welcome(page, table, game)
                if game is not None:
                    self._check_game(page, game, game.recent, written)
            case protocol.Dealt(game, events):
                self._check_game(page, game, (*game.recent, *events), written)
            case protocol.TableChanged(table=info):
                self._check_voices(page, info)
                if info.match is None and page.link is not None:
                    self._last_shown.pop(page.link, None)  # the game is hidden, and shown again later
            case protocol.Moved():
                self._check_moved(page, message, written)
            case protocol.Done(id_, ply):
                self._check_done(page, id_, ply)
            case protocol.Refused(id=str(id_), code=code):
                self._check_refusal(page, id_, code)

    def _check_secrets(self, page: Page, table: TableTruth, text: bytes) -> None:
        state = table.state
        hidden = [state.secret.encode()] if state is not None else []
        for truth in table.matches[-1:]:
            hidden += truth.secrets if truth.match.winners is None else ()
        if any(secret in text for secret in hidden):
            self._fail("secret", f"{page.player} was sent a secret of the shuffle")

    def _check_voices(self, page: Page, info: TableInfo) -> None:
        players = {seat.player for seat in info.seats if seat is not None}
        wrong = {*info.voices} - players | {*info.voices} & {*info.muted}
        if wrong or (info.voices and not info.settings.voice):
            self._fail("voice", f"{page.player} was shown that {sorted(info.voices)} have voice")

    def _check_signal(self, page: Page, table: TableTruth, player: str, data: str) -> None:
        """Check that a signal comes from a person with a seat, and reaches the one it is for."""
        self.counts["signals"] += 1
        seated = max((at for (each, _), at in table.seats.items() if each == player), default=-inf)
        if data != f"{player}>{page.player}" or seated < self._time() - _ACCESS_S:
            self._fail("voice", f"{page.player} was sent {data} by {player}")

    def _check_welcome(self, page: Page, table: TableTruth, game: Game | None) -> None:
        assert page.link is not None
        known = self._known_at_hello[page.link]
        truth = None if game is None else self.matches.get(game.match)
        if game is not None and truth is not None and (truth.number, game.ply) < known:
            self._fail("old", f"{page.player} was shown {truth.number}:{game.ply}, and {known} was known")

    def _check_game(self, page: Page, game: Game, events: Iterable[Happening], written: float) -> None:
        assert page.link is not None
        match, ply = self._last_shown.get(page.link, (None, 0))
        if match == game.match and game.ply - ply not in (0, 1):
            self._fail("sequence", f"{page.player} was shown ply {game.ply} after {ply}")
        self._check_shown(page, (game.match, game.ply), (game.public, game.mine), written)
        self._check_events(page, game.mine, events)

    def _check_moved(self, page: Page, moved: protocol.Moved, written: float) -> None:
        assert page.link is not None and isinstance(moved.public, Public) and isinstance(moved.events, tuple)
        if self._last_shown.get(page.link) != (moved.match, moved.ply - 1):
            self._fail("sequence", f"{page.player} was shown ply {moved.ply} after {self._last_shown.get(page.link)}")
        shown = self._check_shown(page, (moved.match, moved.ply), (moved.public, moved.mine), written)
        if shown is not None and (shown.mover, shown.move) != (moved.seat, moved.move):
            self._fail("shown", f"{page.player} was shown {moved.seat}:{moved.move} at {moved.ply}")
        self._check_events(page, moved.mine, moved.events)

    def _check_shown(
        self, page: Page, place: tuple[str, int], parts: tuple[Public, Mine | None], written: float
    ) -> Shown | None:
        """Compare a state with the log, and check that the person may know it; return what the log has."""
        assert page.link is not None
        self._last_shown[page.link] = place
        truth, ply = self.matches.get(place[0]), place[1]
        if truth is None or ply >= len(truth.shown):
            self._fail("shown", f"{page.player} was shown ply {ply} of {place[0]}, which is not in the log")
            return None
        table = self.tables[truth.row.table]
        table.known = max(table.known, (truth.number, ply))
        shown, (public, mine) = truth.shown[ply], parts
        if public != shown.public:
            self._fail("shown", f"{page.player} was shown another table at ply {ply}")
        if mine is None:
            if table.watched_until < written - _ACCESS_S:
                self._fail("secret", f"{page.player} was shown a game that only players may see")
        elif table.seats.get((page.player or "", mine.seat), -inf) < written - _ACCESS_S:
            self._fail("secret", f"{page.player} was shown the hand of seat {mine.seat}")
        elif mine != shown.mines[mine.seat]:
            self._fail("shown", f"{page.player} was shown another hand at ply {ply}")
        return shown

    def _check_events(self, page: Page, mine: Mine | None, events: Iterable[Happening]) -> None:
        seat = None if mine is None else mine.seat
        for event in events:
            if event.e in _SECRET_EVENTS:
                field, is_shared = _SECRET_EVENTS[event.e]
                knows = seat is not None and (seat == event.seat or (is_shared and seat == event.other))
                if not knows and getattr(event, field) is not None:
                    self._fail("secret", f"{page.player} was shown a card: {event}")

    def _check_done(self, page: Page, command: str, ply: int) -> None:
        match = self._matches_sent.get(command)
        if match is None:  # a question
            return
        self.counts["acknowledgments"] += 1
        row = self.matches[match].rows.get(command)
        if row is None or row.ply + 1 != ply:
            where = "not in the log" if row is None else f"in the log at {row.ply + 1}"
            self._fail("lost", f"{command} of {page.player} was acknowledged at {ply}, and is {where}")
        if self._acknowledged.setdefault(command, (match, ply)) != (match, ply):
            self._fail("doubled", f"{command} of {page.player} was acknowledged at two plies")

    def _check_refusal(self, page: Page, command: str, code: str) -> None:
        self.counts[f"refused: {code}"] += 1
        self._open[command] -= code not in _UNCERTAIN_REFUSALS
        match = self.matches.get(self._matches_sent.get(command, ""))
        if code == "replayed" or (match is not None and command in match.rows and self._open[command] <= 0):
            self._fail("refused", f"{command} of {page.player} was refused ({code}), and is in the log")

    # --- workers ----------------------------------------------------------------------------------------

    def check_table(self, table: LiveTable) -> None:
        """Check a worker's table after a command, unless it is still busy."""
        self.counts["commands"] += 1
        play = table.session.play
        if play is not None:
            truth = self.matches.get(play.id)
            if truth is None or play.log.ply >= len(truth.shown):
                self._fail("session", f"a session has {play.log.ply} rows, which are not committed")
            elif checksum(play.match) != truth.shown[play.log.ply].state:
                self._fail("session", f"a session differs from a replay at {play.log.ply}")
        if not table.jobs.lock.locked() and not table.jobs._tasks:
            for alarm in missing_alarms(table):
                self._fail("timer", f"the alarm {alarm} is missing in phase {table.state.phase}")

    def check_replay(self, execute: Callable[..., Any]) -> None:
        """Replay all matches of the database, and compare them with what was committed and acknowledged."""
        for id_, truth in self.matches.items():
            rows = execute("read_moves", id_)
            if rows != [*truth.rows.values()]:
                self._fail("lost", f"{id_} has lost rows")
            elif checksum(replay_match(execute("load_match", id_), rows)) != truth.shown[-1].state:
                self._fail("replay", f"{id_} is another match after a replay")
        for command, (match, ply) in self._acknowledged.items():
            row = self.matches[match].rows.get(command)
            if row is None or row.ply + 1 != ply:
                self._fail("lost", f"{command} was acknowledged at {ply}, and is lost")


def missing_alarms(table: LiveTable) -> list[str]:
    """Return the alarms that a table needs to go on, and has not set."""
    session, timers = table.session, table.jobs.timers
    state, people, play = session.state, session.people, session.play
    if not people.here or state.paused or timers.left("retry") is not None:
        return []
    if timers.is_paused:
        return ["any"]
    playing = sum(table.state.playing_seat(player) is not None for player in people.here)
    needed = {
        "next": state.phase == "between" and playing != 1,
        "write": state.phase == "writing" and playing != 1 and state.settings.pace != "untimed",
        "vote": state.vote is not None,
        "host": state.host.id not in people.here and not state.is_open,
        "gather": state.is_gathering and playing > 0,
        "retry": play is not None and state.phase == "playing" and play.round_over,
    }
    if play is not None and state.phase == "playing" and not play.round_over:
        occupant = state.seats[play.public_state.turn]
        assert occupant is not None
        player = occupant.player or occupant.program
        if occupant.bot is not None or occupant.away is not None or player in people.idle:
            needed["bot"] = True
        elif player not in people.elsewhere | people.standins:  # their other worker has the alarm
            needed["turn"] = player not in people.here or pace_of(state.settings).turn is not None
    missing = [alarm for alarm, is_needed in needed.items() if is_needed and timers.left(alarm) is None]
    return missing or (["any"] if timers._handle is None and any(needed.values()) else [])
