"""People at a table: each step of theirs does one thing with their page, decided by a number between 0 and 1."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, TypeVar

import msgspec

from lastcard.server.wire import protocol
from lastcard.server.wire.parts import Game, Mine, TableInfo
from lastcard.session import commands
from lastcard.session.table_settings import WantedSettings
from support.random_states import RULE_CARD_TEXTS
from tools.simulate.page import Page, Question

T = TypeVar("T")

_NONSENSE: Final = ("R5", "draw", "W", "catch>1", "uno", "W+4=R", "pass", "challenge", "?")
_CALLS: Final = ("uno", "catch")
_LONGEST_ABSENCE_S: Final = 300.0
_HELD_PRESSES: Final = 12
"""Presses while a key is held."""


def choose(among: Sequence[T], dice: float) -> T:
    """Return an element by a number between 0 and 1."""
    return among[int(dice * len(among)) % len(among)]


def vary(dice: float, times: int = 1) -> float:
    """Return another number between 0 and 1 from one."""
    return (dice * 9973 + 0.6180339887 * times) % 1


class Person:
    """A person with a page.

    Args:
        new_page: makes a page of theirs.
        people_count: how many people play at their table.
        number: their number at the table, from 0; those after ``people_count`` watch.
    """

    def __init__(self, player: str, new_page: Callable[[], Page], people_count: int, number: int) -> None:
        self.player = player
        self.is_first = number == 0
        self._page: Page | None = None
        self.actions: dict[str, Callable[[float], None]] = {
            "act": self._act,
            "press twice": self._press_twice,
            "hold a key": self._hold_key,
            "press wrong": self._press_wrong,
            "undo": self._undo,
            "leave": lambda dice: self.page.send(commands.LeaveSeat()),
            "come back": lambda dice: self.page.send(commands.Sit() if dice < 0.7 else commands.Back()),
            "sit elsewhere": lambda dice: self.page.send(commands.Sit(int(10 * dice))),
            "reload": self._reload,
            "open another tab": self._open_tab,
            "close": self._close,
            "suspend": self._suspend,
            "pause": lambda dice: self.page.send(commands.Pause(dice < 0.6)),
            "kick": lambda dice: self._with_player(commands.Kick, dice),
            "appoint": lambda dice: self._with_player(commands.Appoint, dice),
            "mute": lambda dice: self._with_player(lambda player: commands.Mute(player, dice < 0.5), dice),
            "speak": lambda dice: self.page.send(protocol.Say("a word") if dice < 0.5 else protocol.Quick("nice")),
            "talk": lambda dice: self.page.set_voice(dice < 0.8),
            "signal": self._signal,
            "silence": lambda dice: self.page.send(protocol.Silence()),
            "configure": self._configure,
            "start": lambda dice: self.page.send(commands.Start(choose(("casual", "sharp", "learner"), dice))),
        }
        self._new_page = new_page
        self._people_count = people_count
        self._plays = number < people_count
        self._questions = 0
        self._away_s = 0.0
        """Seconds for which the person has just left the page alone."""
        self._away_until = 0.0

    @property
    def page(self) -> Page:
        """The page the person uses."""
        if self._page is None:
            self._page = self._new_page()
            self._page.open()
        return self._page

    def do(self, action: str, dice: float, now: float) -> None:
        """Do one thing, unless the person is away."""
        if now >= self._away_until:
            if self.page.is_asleep:
                self.page.wake()
            self.actions[action](dice)
            self._away_until, self._away_s = now + self._away_s, 0.0

    def return_now(self) -> None:
        """Come back to the page."""
        self._away_until = 0.0

    # --- what most steps are ----------------------------------------------------------------------------

    def _act(self, dice: float) -> None:
        """Do what the table waits for."""
        page = self.page
        if page.ended is not None:
            self._reload(dice)
        elif page.is_online and not page.pending and page.table is not None:
            self._act_at(page.table, page.game, dice)

    def _act_at(self, table: TableInfo, game: Game | None, dice: float) -> None:
        seat, send = self.page.seat, self.page.send
        info = None if seat is None else table.seats[seat]
        seated = sum(each is not None and each.player is not None for each in table.seats)
        is_ready = seated >= self._people_count or dice < 0.2
        if table.phase == "lobby" and table.host == self.player and (is_ready or not self._plays):
            send(commands.Start(choose(("casual", "sharp", "learner"), dice)))
        elif seat is None or (info is not None and info.standin and game is not None and game.mine is None):
            if self._plays and not any(guest.queued for guest in table.guests if guest.player == self.player):
                send(commands.Sit())
        elif table.paused:
            send(commands.Pause(False))
        elif table.vote is not None and info is not None and not info.ready and dice < 0.5:
            vote = table.vote
            send(commands.Pause(True) if vote.target is None else commands.Kick(vote.target))
        elif table.phase == "writing":
            cards = ["no rule"] if dice < 0.2 else RULE_CARD_TEXTS
            send(commands.Write((choose(cards, vary(dice)),) * min(table.cards_each, 2)))
        elif table.phase in ("between", "over"):
            send(commands.Ready())
        elif game is not None and game.mine is not None:
            self._move(game, game.mine, dice)

    def _move(self, game: Game, mine: Mine, dice: float) -> None:
        """Make a move on one's turn, and sometimes out of turn."""
        on_turn = game.public.turn == mine.seat
        calls = [move for move in mine.legal if move.startswith(_CALLS)]
        others = [move for move in mine.legal if not move.startswith(_CALLS)]
        if calls and vary(dice) < 0.4:
            self._ask(choose(calls, dice), game.match)
        elif others and (on_turn or vary(dice) < 0.3):
            cards = [move for move in others if move[0] in "RYGBW"]
            move = choose(cards if cards and vary(dice, 2) < 0.8 else others, dice)
            self._ask(move + ("!" if move in cards and vary(dice, 3) < 0.3 else ""), game.match)

    def _ask(self, move: str | None, match: str) -> None:
        self._questions += 1
        id_ = f"{self.player}-{self._questions:06}"
        question: Question = commands.TakeBack(id_, match)
        if move is not None:
            question = commands.MakeMove(id_, match, move)
        self.page.ask(question)

    # --- other steps ------------------------------------------------------------------------------------

    def _press_twice(self, dice: float) -> None:
        """Act, and press again before the answer: a new command for the same move."""
        before = set(self.page.pending)
        self._act(dice)
        for id_ in self.page.pending.keys() - before:
            question, _ = self.page.pending[id_]
            if isinstance(question, commands.MakeMove):
                self._ask(question.move, question.match)

    def _hold_key(self, dice: float) -> None:
        """Hold a key: the same command many times."""
        game = self.page.game
        if game is None or game.mine is None:
            for _ in range(_HELD_PRESSES):
                self.page.send(commands.Ready())
            return
        move = choose(game.mine.legal or ("draw",), dice)
        for _ in range(_HELD_PRESSES):
            self._ask(move, game.match)

    def _press_wrong(self, dice: float) -> None:
        """Send what is wrong or useless."""
        game = self.page.game
        match = "no-match" if game is None or dice < 0.1 else game.match
        if dice < 0.3:
            self.page.ask(protocol.Why(f"{self.player}-why-{int(1e6 * dice)}", choose(_NONSENSE, vary(dice))))
        else:
            self._ask(choose(_NONSENSE, vary(dice)), match)

    def _undo(self, dice: float) -> None:
        if self.page.game is not None:
            self._ask(None, self.page.game.match)

    def _reload(self, dice: float) -> None:
        """Load the page again: what was pending is forgotten."""
        self.page.close()
        self._page = None

    def _open_tab(self, dice: float) -> None:
        """Open another tab, maybe at another worker; the server closes the first one."""
        self._page = None

    def _close(self, dice: float) -> None:
        """Close the page for a while."""
        self.page.close()
        self._away_s = dice * _LONGEST_ABSENCE_S

    def _suspend(self, dice: float) -> None:
        """Lock the phone for a while: the browser suspends the page."""
        self.page.is_asleep = True
        self._away_s = dice * _LONGEST_ABSENCE_S

    def _with_player(self, make: Callable[[str], Any], dice: float) -> None:
        table = self.page.table
        players = [] if table is None else [info.player for info in table.seats if info is not None and info.player]
        if players:
            self.page.send(make(choose(players, dice)))

    def _signal(self, dice: float) -> None:
        """Turn voice on, or send a signal that names its sender and the person it is for."""
        if not self.page.talks:
            self.page.set_voice(True)
        else:
            self._with_player(lambda player: protocol.Signal(player, f"{self.player}>{player}"), dice)

    def _configure(self, dice: float) -> None:
        """Change the speed of the bots, voice or the grace; as host in a lobby also more."""
        if self.page.table is not None:
            values = msgspec.structs.asdict(self.page.table.settings) | {"bots": choose(("slow", "quick"), dice)}
            values["voice"] = vary(dice, 2) < 0.8
            if vary(dice) < 0.3:
                values["grace"] = choose((0, 300, 1000), dice)
            self.page.send(commands.Configure(WantedSettings(**values)))
