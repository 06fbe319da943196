"""Any screen at will: the page and what it fetches are real, only the table at the other end of the line is composed.

So a test sees every question of the game, a hand of 25 cards or ten seats without having to play to them.
"""

from __future__ import annotations

import json
import random
import re
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Final

import msgspec
from playwright.sync_api import Page, WebSocketRoute, expect

from lastcard.events import Event
from lastcard.locale import catalog
from lastcard.match import Match
from lastcard.rulecards import parse_rule_card
from lastcard.rulesets import ruleset
from lastcard.server.picture import Game, Guest, Note, SeatInfo, Settings, TableState
from lastcard.server.wire import game_of, happenings
from serving import Served
from web.matches import BEGAN, random_match

CODE: Final = "ABC234"
YOU: Final = "me"
NAMES: Final = ("Ada", "Ben", "Chloé", "Dawid", "Eva", "Felipe", "Grażyna", "Hugo", "Inês", "Jan")
LONG: Final = ("Maximiliana-Konstanze vQ", "Wojciech Brzęczyszczykie")
WRITTEN: Final = (
    "wild-jackpot+wj_rules=written",
    ("discard 2", "give 2 most", "take 2 most", "swap chosen", "dare: sing", "streak"),
)

_HINTS: Final = ["play", "uno", "why"]

Wish = Callable[[Match], bool]
"""Looks at a match."""


def decides(decision: str) -> Wish:
    """The table waits for that."""
    return lambda match: match.round.decision == decision


def holds(*cards: str) -> Wish:
    """Who is on turn may play any of these cards, and holds a few others."""

    def wish(match: Match) -> bool:
        table = match.round
        plays = {str(move).partition("=")[0].partition(">")[0] for move in table.legal()}
        return table.decision == "play" and plays >= set(cards) and len(table.hand(table.turn)) > 5

    return wish


@dataclass(frozen=True, slots=True)
class Situation:
    """A match, and what happened last in it."""

    match: Match
    events: deque[Event] = field(default_factory=lambda: deque(maxlen=12))

    def do(self, move: str) -> None:
        """Let the one on turn make a move."""
        self.events.extend(self.match.do(self.match.round.turn, move))


@cache
def reach(rules: str, players: int, wish: Wish, written: tuple[str, ...] = ()) -> Situation:
    """The first match that comes to what is wished, at random but always the same."""
    cards = [parse_rule_card(text) for text in written] or None
    for seed in range(3000):
        situation = Situation(Match(rules, NAMES[:players], seed=seed, rule_cards=cards))
        if _play_until(situation, wish, random.Random(seed)):
            return situation
    raise AssertionError("no match comes to that")


def _play_until(situation: Situation, wish: Wish, rng: random.Random) -> bool:
    match = situation.match
    for _ in range(300):
        if wish(match):
            return True
        if match.over:
            return False
        if match.round.over:
            match.next_round()
            continue
        moves = [move for move in map(str, match.round.legal()) if not move.startswith(("uno", "catch"))]
        situation.do(rng.choice(moves))
    return False


@cache
def full_hand(players: int, cards: int) -> Situation:
    """The one on turn holds very many cards: seat 0 keeps what it draws, and the others play theirs."""
    situation = Situation(Match("classic", NAMES[:players], seed=5))
    table, rng = situation.match.round, random.Random(5)
    while not (table.turn == 0 and table.decision == "play" and len(table.hand(0)) >= cards):
        moves = [str(move) for move in table.legal()]
        kept = [move for move in moves if move in ("draw", "pass", "accept")]
        plays = [move for move in moves if move[0] in "RYGBW"]
        wanted = kept if table.turn == 0 or len(table.hand(table.turn)) < 3 else plays
        situation.do(rng.choice(wanted or kept or moves))
    return situation


def seat_of(name: str, *, player: str | None = None, bot: str | None = None, ready: bool = False) -> SeatInfo:
    """Somebody at the table; a person where it is no bot."""
    return SeatInfo(name=name, player=None if bot else player or name, bot=bot, here=True, standin=False, ready=ready)


def table_of(phase: str, seats: tuple[SeatInfo | None, ...], rules: str = "all-wild", **more: Any) -> TableState:
    """A table; ``YOU`` is its host."""
    usual = {
        "code": CODE,
        "phase": phase,
        "host": YOU,
        "settings": Settings(rules=rules, seats=len(seats)),
        "seats": seats,
        "guests": (),
        "match": None if phase in ("lobby", "writing") else "m1",
        "played": 0,
        "wins": {},
        "promise": "a" * 64,
        "paused": False,
        "vote": None,
        "muted": (),
        "cards_each": 4 if phase == "writing" else 0,
        "next_in": 12_000 if phase == "between" else None,
        "join_url": f"http://192.0.2.7:8020/t/{CODE}",
    }
    return TableState(**usual | more)


class Stage:
    """A page, and what it is to show.

    Args:
        page: in a context of its own.
        served: a running server.
        language: of the person.
        theme: ``light``, ``dark`` or ``contrast``.
    """

    def __init__(self, page: Page, served: Served, *, language: str = "en", theme: str = "light") -> None:
        self.page = page
        self.url = served.url
        self.language = language
        self.texts = catalog(language)
        self._lines: list[WebSocketRoute] = []
        self._welcome: dict[str, Any] = {}
        kept = {"language": language, "theme": theme, "name": "Ada", "hints": _HINTS}
        page.add_init_script(f"localStorage.lastcard ??= {json.dumps(json.dumps(kept))}")
        page.route_web_socket(re.compile(f"/ws/{CODE}"), self._connected)
        page.route("**/api/matches", lambda route: route.fulfill(json=_LIST))
        page.route(
            "**/api/matches/*/replay", lambda route: route.fulfill(body=_replay(), content_type="application/json")
        )
        headers = {"origin": self.url}
        me = page.context.request.post(
            f"{self.url}/api/me", data={"name": "Ada", "language": language}, headers=headers
        )
        expect(me).to_be_ok()

    def _connected(self, line: WebSocketRoute) -> None:
        self._lines.append(line)

        def receive(text: str | bytes) -> None:
            if json.loads(text)["type"] == "hello":
                self.say(type="welcome", v=1, notes=(), **self._welcome)

        line.on_message(receive)

    def say(self, **message: Any) -> None:
        """Send a message of the server."""
        self._lines[-1].send(msgspec.json.encode(message).decode())

    def remember(self, **prefs: object) -> None:
        """Change what the browser remembers, for the pages to come."""
        self.page.evaluate(
            "more => localStorage.lastcard = JSON.stringify({...JSON.parse(localStorage.lastcard), ...more})", prefs
        )

    def t(self, key: str, **values: object) -> str:
        """A text in the person's language."""
        return self.texts.text(key, **values)

    def open(self, path: str) -> None:
        """Go to an address and wait for its heading."""
        self.page.goto(self.url + path)
        self.page.locator("h1").first.wait_for(state="attached")

    def press(self, key: str, *, within: str = "body", **values: object) -> None:
        """Press the button or link with a text, where it is shown first."""
        name = re.compile(f"^{re.escape(self.t(key, **values))}")
        place = self.page.locator(within)
        place.get_by_role("button", name=name).or_(place.get_by_role("link", name=name)).first.click()

    def at_table(self, table: TableState, game: Game | None = None, *, tv: bool = False) -> None:
        """Open a table, perhaps with a game on it."""
        self._welcome = {"you": None if tv else YOU, "table": table, "game": game}
        self.open(f"/{'tv' if tv else 't'}/{CODE}")
        if game is not None:
            expect(self.page.locator("lc-game .draw-pile")).to_be_visible()

    def play(
        self, now: Situation, *, seat: int | None = None, names: tuple[str, ...] = NAMES, tv: bool = False
    ) -> None:
        """Open the table with a match; the person sits where it waits for somebody."""
        match = now.match
        mine = None if tv else match.round.turn if seat is None else seat
        seats = tuple(
            seat_of(names[i], player=YOU if i == mine else None, bot="casual" if i > 2 and i != mine else None)
            for i in range(len(match.players))
        )
        phase = "over" if match.over else "between" if match.round.over else "playing"
        recent = happenings(now.events, match, mine)
        game = game_of("m1", match, len(match.record().rounds[-1].moves), mine, promise="a" * 64, recent=recent)
        self.at_table(table_of(phase, seats, match.rules_name), game, tv=tv)


_LIST: Final = [
    {"id": f"m{i}", "table": CODE, "rules": rules, "names": NAMES[:4], "seat": 0, "started": BEGAN, "live": False}
    | {"finished": BEGAN + 1_500_000, "winners": [i % 4]}
    for i, rules in enumerate(("all-wild", "wild-jackpot+harsh", "classic+living-room", "all-wild"))
]


@cache
def _replay() -> bytes:
    """A short match, as the server gives it."""
    return random_match(3, ruleset("all-wild+hand_size=5"), players=3, plies=120)


# --- the screens -----------------------------------------------------------------------------------------


def home(stage: Stage) -> None:
    """The first page."""
    stage.open("/")
    expect(stage.page.get_by_role("button", name=stage.t("web.home.play"))).to_be_visible()


def lobby(stage: Stage, names: tuple[str, ...] = NAMES) -> None:
    """Two people, a bot and a free seat, and somebody who watches."""
    seats = (seat_of(names[0], player=YOU), seat_of(names[1]), seat_of(names[2], bot="sharp"), None)
    guests = (Guest(player="Eva", name="Eva", queued=True),)
    stage.at_table(table_of("lobby", seats, "classic+living-room+jump_in", guests=guests))
    expect(stage.page.locator(".changes li").first).to_be_attached()


def settings(stage: Stage) -> None:
    """Every option of a game."""
    lobby(stage)
    stage.press("web.lobby.settings", within=".lobby")
    expect(stage.page.get_by_role("dialog")).to_be_visible()
    expect(stage.page.locator("dialog details").first).to_be_attached()
    stage.page.evaluate("for (const fold of document.querySelectorAll('dialog details')) fold.open = true")


def write(stage: Stage) -> None:
    """Rule cards to be written."""
    seats = (seat_of("Ada", player=YOU), seat_of("Ben", ready=True))
    stage.at_table(table_of("writing", seats, WRITTEN[0]))
    expect(stage.page.locator(".rule-card")).to_have_count(4)


def asked(decision: str, rules: str, written: tuple[str, ...] = (), players: int = 4) -> Callable[[Stage], None]:
    """A question of the game."""
    return lambda stage: stage.play(reach(rules, players, decides(decision), written))


def picking(card: str, rules: str) -> Callable[[Stage], None]:
    """The color or player for a card is to be named."""

    def pick(stage: Stage) -> None:
        stage.play(reach(rules, 4, _HOLDS[card]))
        stage.page.locator(f'.hand [data-card="{card}"]').first.click()
        expect(stage.page.get_by_role("button", name=stage.t("web.pick.cancel"))).to_be_visible()

    return pick


_HOLDS: Final = {card: holds(card) for card in ("W", "Wx")}


def over(stage: Stage) -> None:
    """The match is won, by the person."""
    won = reach("all-wild+hand_size=5", 4, _won)
    stage.play(won, seat=(won.match.round.winner or 0))
    expect(stage.page.get_by_role("button", name=stage.t("web.score.again"))).to_be_visible()


def _won(match: Match) -> bool:
    return match.over


def between(stage: Stage) -> None:
    """The round is over, the match goes on."""
    stage.play(reach("classic", 4, _between))
    expect(stage.page.get_by_role("button", name=stage.t("web.score.next"))).to_be_visible()


def _between(match: Match) -> bool:
    return match.round.over and not match.over


def chat(stage: Stage) -> None:
    """The chat beside a game, with something said."""
    _TURN(stage)
    stage.press("web.table.chat")
    expect(stage.page.get_by_role("dialog")).to_be_visible()
    stage.say(type="heard", note=Note(player="Ben", name="Ben", text="Where is my red seven?", quick=None))
    stage.say(type="heard", note=Note(player="Chloé", name="Chloé", text=None, quick="laugh"))
    expect(stage.page.locator(".chat-log li")).to_have_count(2)


def menu(stage: Stage) -> None:
    """The menu beside a game."""
    _TURN(stage)
    stage.press("web.table.menu")
    expect(stage.page.get_by_role("dialog")).to_be_visible()


def log(stage: Stage) -> None:
    """What happened, to be scrolled through."""
    _TURN(stage)
    stage.page.locator(".hand button").first.press("l")
    expect(stage.page.locator(".drawer")).to_be_visible()


def keys(stage: Stage) -> None:
    """All keys."""
    _TURN(stage)
    stage.page.locator(".hand button").first.press("?")
    expect(stage.page.locator(".drawer")).to_be_visible()


def hint(stage: Stage) -> None:
    """The first game of somebody."""
    stage.open("/about")
    stage.remember(hints=[])
    _TURN(stage)
    expect(stage.page.get_by_text(stage.t("web.hint.play"))).to_be_visible()
    stage.remember(hints=_HINTS)


def verify(stage: Stage) -> None:
    """The check of the shuffle, with every part unfolded."""
    replay(stage)
    stage.press("web.verify.title", within=".replay-side")
    expect(stage.page.locator(".verdict.good")).to_be_visible()
    stage.page.evaluate("for (const fold of document.querySelectorAll('dialog details')) fold.open = true")


def replay(stage: Stage) -> None:
    """A match to look at again."""
    stage.open("/match/m3#ply=12")
    expect(stage.page.get_by_role("slider")).to_be_visible()


def page(path: str) -> Callable[[Stage], None]:
    """A page with a heading of its own."""
    return lambda stage: stage.open(path)


def tv_lobby(stage: Stage) -> None:
    """The big screen before the match."""
    stage.at_table(table_of("lobby", (seat_of("Ada"), seat_of("Ben"), None, None)), tv=True)
    expect(stage.page.get_by_role("img", name=stage.t("web.tv.qr"))).to_be_visible()


def tv(stage: Stage) -> None:
    """The big screen during the match."""
    stage.play(reach("classic", 4, _HOLDS["W"]), tv=True)


_TURN: Final = asked("play", "classic")

SCREENS: Final[dict[str, Callable[[Stage], None]]] = {
    "home": home,
    "lobby": lobby,
    "settings": settings,
    "write": write,
    "turn": _TURN,
    "all wild": asked("play", "all-wild"),
    "hint": hint,
    "drawn": asked("drawn", "classic"),
    "challenge": asked("challenge", "classic"),
    "stack": asked("stack", "classic+stacking=same"),
    "color": asked("color", "classic"),
    "pick a color": picking("W", "classic"),
    "pick a player": picking("Wx", "all-wild"),
    "pull": asked("pull", "wild-jackpot"),
    "perform": asked("perform", "wild-jackpot"),
    "throw": asked("throw", *WRITTEN),
    "bury": asked("bury", *WRITTEN),
    "choose": asked("choose", *WRITTEN),
    "take": asked("take", *WRITTEN),
    "chat": chat,
    "menu": menu,
    "log": log,
    "keys": keys,
    "between": between,
    "over": over,
    "replay": replay,
    "verify": verify,
    "matches": page("/matches"),
    "rules": page("/rules/wild-jackpot+harsh"),
    "about": page("/about"),
    "tv lobby": tv_lobby,
    "tv": tv,
}
"""Every screen there is, by name."""
