"""Any screen on demand: the page and its files are real, only the server's messages are composed.

So a test shows every question of the game, a hand of 25 cards or ten seats without playing up to them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from functools import cache
from io import BytesIO
from typing import Any, Final

import msgspec
import segno
from msgspec.structs import replace
from playwright.sync_api import ConsoleMessage, Page, WebSocketRoute, expect

from lastcard.game.rulesets import ruleset
from lastcard.server.wire.messages import MatchSnapshot, game_of, happenings
from lastcard.server.wire.parts import Game, SeatInfo, TableInfo
from lastcard.session.table_settings import Settings
from lastcard.text.locale import catalog
from support.browser import SUSPEND_AUDIO
from support.matches import STARTED_MS, random_match
from support.page_readiness import follow_link, import_expression, wait_for_condition, wait_until_ready
from support.situations import NAMES, Situation
from support.threaded_server import ThreadedServer

CODE: Final = "ABC234"
SIZES_PX: Final = [(390, 844), (1280, 800)]
"""Sizes of a phone and of a desktop."""
OWN_ID: Final = "me"
READ_HINTS: Final = ["play", "uno", "why"]
"""Hints for a first game that have been read."""


def seat_of(name: str, *, player: str | None = None, bot: str | None = None, ready: bool = False) -> SeatInfo:
    """A seat with a person, or with a bot if ``bot`` is given."""
    return SeatInfo(name=name, player=None if bot else player or name, bot=bot, here=True, standin=False, ready=ready)


def table_of(phase: str, seats: tuple[SeatInfo | None, ...], rules: str = "all-wild", **more: Any) -> TableInfo:
    """A table; ``OWN_ID`` is its host."""
    usual: dict[str, Any] = {
        "code": CODE,
        "phase": phase,
        "host": OWN_ID,
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
        "next_in": {"between": 12_000, "writing": 90_000}.get(phase),
        "hints": False,
        "take_backs": False,
        "join_url": f"http://192.0.2.7:8020/t/{CODE}",
    }
    return TableInfo(**usual | more)


FIGURES: Final = (
    {"moves": 50.5, "turns": 46.8, "waits": 0.124, "overtakings": 2.83, "skill": 0.578},
    {"moves": 67.0, "turns": 60.1, "waits": 0.25, "overtakings": 2.83, "skill": 0.64},
)
"""Figures of the official rules and of all others."""
_LEADERBOARD: Final = [
    {"name": name, "matches": 12, "won": won, "chance": 3.0} for name, won in (("Ada", 5), ("Ben", 4))
]


@cache
def _mock_fetch_script() -> str:
    """A script that answers a page's requests for matches; ``Page.route`` would disable the browser's cache."""
    replay = random_match(3, ruleset("all-wild+hand_size=5"), players=3, max_plies=120).decode()
    return f"""{{
        const answers = {{ "/api/matches": {json.dumps(_MATCHES)}, "/api/matches/:/replay": {replay},
            "/api/matches/:/moments": [],
            "/api/tables/{CODE}/honors": {json.dumps(_LEADERBOARD)}, "/api/me/honors": {json.dumps(_LEADERBOARD)} }};
        const figures = {json.dumps(FIGURES)};
        const real = fetch;
        window.fetch = (what, ...how) => {{
            const asked = new URL(what.url ?? what, location.href).pathname;
            const path = asked.replace(/(matches)\\/[^/]+/, "$1/:");
            const measured = figures[Number(asked.includes("%2B"))];
            if (asked.startsWith("/api/figures/")) return Promise.resolve(Response.json(measured));
            return path in answers ? Promise.resolve(Response.json(answers[path])) : real(what, ...how);
        }};
    }}"""


_MOCK_ANSWER: Final = """([end, found]) => {
    const real = window.fetch;
    window.usualFetch ??= real;
    window.fetch = (what, ...how) =>
        new URL(what.url ?? what, location.href).pathname.endsWith(end)
            ? Promise.resolve(Response.json(found)) : real(what, ...how);
}"""
_SET_PREFS: Final = (
    f"async (more) => {{ const {{ prefs }} = await {import_expression('ui/prefs.js')};"
    "for (const [name, value] of Object.entries(more)) prefs.set(name, value);"
    f"await (await {import_expression('cards/art.js')}).useChosenFaces(); }}"
)
_RESET_PAGE: Final = (
    f"async (kept) => {{ const {{ prefs }} = await {import_expression('ui/prefs.js')};"
    f"const {{ useChosenFaces }} = await {import_expression('cards/art.js')};"
    """
    prefs.clear();
    for (const [name, value] of Object.entries(kept)) prefs.set(name, value);
    await useChosenFaces();
    window.fetch = window.usualFetch ?? window.fetch;
    const said = ".toast, [role=log] > p, body > :not(main, .skip-link, .toasts, .visually-hidden, dialog, video)";
    for (const node of document.querySelectorAll(said)) node.remove();
    return document.documentElement.lang;
}"""
)
"""Restores preferences and ``fetch``, and removes messages that are shown for some seconds; returns its language."""


class MockScreen:
    """A page in a context of its own, and the screen that it shows in a theme: ``light``, ``dark`` or ``contrast``."""

    def __init__(self, page: Page, served: ThreadedServer, *, language: str = "en", theme: str = "light") -> None:
        self.page = page
        self.url = served.url
        self.language = language
        self.texts = catalog(language)
        self.errors: list[str] = []
        """Errors of the page."""
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("console", lambda message: self._on_error(message) if message.type == "error" else None)
        self._sockets: list[WebSocketRoute] = []
        self.welcome: dict[str, Any] = {}
        """The server's welcome to everyone who joins the table."""
        self._loaded = False
        self._later_prefs: dict[str, object] = {}
        self._loaded_language = ""
        self.answers: dict[str, dict[str, Any]] = {}
        """The server's answers to commands, by their type."""
        self.sent: list[dict[str, Any]] = []
        """Messages of the page, oldest first."""
        self._prefs = {"format": 1, "language": language, "theme": theme, "name": "Ada", "hints": READ_HINTS}
        page.add_init_script(SUSPEND_AUDIO)
        page.add_init_script(f"localStorage.lastcard ??= {json.dumps(json.dumps(self._prefs))}")
        page.route_web_socket(re.compile(f"/ws/{CODE}"), self._on_socket)
        page.add_init_script(_mock_fetch_script())
        headers = {"origin": self.url}
        me = page.context.request.post(
            f"{self.url}/api/me", data={"name": "Ada", "language": language}, headers=headers
        )
        expect(me).to_be_ok()

    def _on_error(self, message: ConsoleMessage) -> None:
        self.errors.append(f"{message.text} ({message.location['url']})")

    def _on_socket(self, line: WebSocketRoute) -> None:
        self._sockets.append(line)

        def receive(text: str | bytes) -> None:
            message = json.loads(text)
            if message["type"] == "ping":  # without an answer, the page would connect again and repeat its commands
                line.send(json.dumps({"type": "pong", "t": message["t"]}))
                return
            self.sent.append(message)
            if message["type"] == "hello":
                self.send(type="welcome", v=1, notes=(), **self.welcome)
            elif message["type"] in self.answers:
                self.send(id=message["id"], **self.answers[message["type"]])

        line.on_message(receive)

    def send(self, **message: Any) -> None:
        self._sockets[-1].send(msgspec.json.encode(message).decode())

    def change_table(self, **changes: Any) -> None:
        """Send a changed table."""
        self.welcome["table"] = replace(self.welcome["table"], **changes)
        self.send(type="table", table=self.welcome["table"])

    def send_move(self, *events: object, **changes: Any) -> None:
        """Send the events of a move, which leaves the game as it is but for some changes of the message."""
        self.welcome["game"] = game = replace(self.welcome["game"], ply=self.welcome["game"].ply + 1)
        moved = {"match": game.match, "ply": game.ply, "seat": 1, "move": "uno", "clock": None}
        self.send(type="moved", events=events, **moved | {"public": game.public, "mine": game.mine} | changes)

    def messages(self, *kinds: str) -> list[dict[str, Any]]:
        """Messages of some types that the page has sent, oldest first."""
        return [message for message in self.sent if message["type"] in kinds]

    def wait_until(self, condition: Callable[[], object], description: str) -> None:
        """Wait for a condition that follows from what the page does."""
        wait_for_condition(
            self.page, condition, 15, lambda: f"waited in vain until {description}; the page has sent {self.sent}"
        )

    def wait_for_message(self, kind: str, count: int = 1) -> None:
        """Wait until the page has sent a number of messages of a kind."""
        self.wait_until(lambda: len(self.messages(kind)) >= count, f"the page has sent {kind}")

    def reset(self) -> None:
        """Reset it for another test, which need not load the page again."""
        self.answers.clear()
        self.sent.clear()
        self._later_prefs.clear()
        self.page.unroute_all()
        self.page.emulate_media(forced_colors="none", reduced_motion="reduce")
        self.page.mouse.move(-1, -1)
        if self._loaded:
            self._loaded = self.page.evaluate(_RESET_PAGE, self._prefs) == self._loaded_language
        elif self.page.url.startswith(self.url):
            self.page.evaluate("localStorage.clear()")

    def resize(self, width: int, height: int) -> None:
        """Resize the page, as turning a phone does, and wait until it is drawn."""
        self.page.set_viewport_size({"width": width, "height": height})
        wait_until_ready(self.page)

    def evaluate_at(self, sizes: Iterable[tuple[int, int]], script: str) -> dict[tuple[int, int], Any]:
        """The results of a script in windows of some sizes, without empty results."""
        found = {}
        for size in sizes:
            self.resize(*size)
            found[size] = self.page.evaluate(script)
        return {size: what for size, what in found.items() if what}

    def set_prefs(self, **prefs: object) -> None:
        """Change the stored preferences, for the open page and those to come."""
        self.page.evaluate(_SET_PREFS, prefs)

    def set_prefs_later(self, **prefs: object) -> None:
        """Change the stored preferences once the page is left."""
        self._later_prefs |= prefs

    def text(self, key: str, **values: object) -> str:
        """A text in the person's language."""
        return self.texts.text(key, **values)

    def open(self, path: str, shown: str = "h1") -> None:
        """Go to an address as a link does, and wait until all is loaded and an element is visible (its selector)."""
        if self._later_prefs:
            self.set_prefs(**self._later_prefs)
            self._later_prefs.clear()
        if self._loaded:
            follow_link(self.page, path, shown)
            return
        self.page.goto(self.url + path)
        self._loaded = True
        self._loaded_language = self.page.locator("html").get_attribute("lang") or ""
        self.page.locator(shown).first.wait_for(state="attached")
        wait_until_ready(self.page)

    def mock_answer(self, end: str, found: object) -> None:
        """From now on, requests of the open page to addresses with this ending get this answer."""
        self.page.evaluate(_MOCK_ANSWER, [end, found])

    def press(self, key: str, *, within: str = "body", **values: object) -> None:
        """Press the first visible button or link with a text."""
        name = re.compile(f"^{re.escape(self.text(key, **values))}")
        place = self.page.locator(within)
        place.get_by_role("button", name=name).or_(place.get_by_role("link", name=name)).first.click()

    def show_table(self, table: TableInfo, game: Game | None = None, *, tv: bool = False) -> None:
        """Open a table, perhaps with a game on it."""
        if tv or game is None:  # the server knows no such table
            picture = BytesIO()
            segno.make(f"http://192.0.2.7:8020/t/{CODE}").save(picture, kind="svg", scale=8, border=3, light="#fff")
            svg = picture.getvalue()
            self.page.route("**/qr/*", lambda route: route.fulfill(body=svg, content_type="image/svg+xml"))
        self.welcome = {"you": None if tv else OWN_ID, "table": table, "game": game}
        self.open(f"/{'tv' if tv else 't'}/{CODE}", _table_selector(table.phase, game, tv=tv))

    def show_match(
        self,
        situation: Situation,
        *,
        seat: int | None = None,
        names: tuple[str, ...] = NAMES,
        tv: bool = False,
        watching: bool = False,
        hints: bool = False,
    ) -> None:
        """Open the table with a match; the person has the seat that must decide, or watches."""
        match = situation.match
        mine = None if tv or watching else match.round.turn if seat is None else seat
        seats = tuple(
            seat_of(names[i], player=OWN_ID if i == mine else None, bot="casual" if i > 2 and i != mine else None)
            for i in range(len(match.players))
        )
        phase = "over" if match.over else "between" if match.round.over else "playing"
        recent = happenings(situation.events, match, mine)
        moves = len(match.record().rounds[-1].moves)
        game = game_of(MatchSnapshot("m1", match, match.round.public_state(), moves, "a" * 64), mine, recent)
        self.show_table(table_of(phase, seats, match.rules_name, hints=hints), game, tv=tv)


def _table_selector(phase: str, game: Game | None, *, tv: bool) -> str:
    """A selector of an element that a page shows only once it knows its table."""
    if game is not None:
        return "lc-game .middle"
    return ".tv-people" if tv else {"lobby": ".lobby", "writing": ".writers"}.get(phase, "h1")


OpenScreen = Callable[..., MockScreen]
"""Opens a page that can show every screen: ``open_screen(320, 568, language="pl")``."""

_MATCHES: Final = [
    {"id": f"m{i}", "table": CODE, "rules": rules, "names": NAMES[:4], "seat": 0, "started": STARTED_MS, "live": False}
    | {"finished": STARTED_MS + 1_500_000, "winners": [i % 4], "taken_back": i == 2}
    for i, rules in enumerate(("all-wild", "wild-jackpot+harsh", "classic+living-room", "all-wild"))
]
