"""A person at a browser, who sees the page by roles and labels only and does everything through it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import ConsoleMessage, Locator, Page, Position, Response, TimeoutError, WebSocket, expect

from support.browser import SUSPEND_AUDIO
from support.page_readiness import wait_for_condition, wait_until_ready

DESKTOP: Final[dict[str, Any]] = {"viewport": {"width": 1280, "height": 800}}
PHONE: Final[dict[str, Any]] = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "device_scale_factor": 2}
ON_BOTH: Final = pytest.mark.parametrize("screen", [PHONE, DESKTOP], ids=["phone", "desktop"])
"""A test that runs on a phone and on a desktop."""
COLORS: Final = {"R": "red", "Y": "yellow", "G": "green", "B": "blue"}
TIMEOUT_S: Final = 30.0
"""Seconds after which a match counts as stuck."""
_REPORT_TIMEOUT_MS: Final = 120_000
_TURN_TIMEOUT_MS: Final = 60_000
"""Milliseconds until the last player, skipped a few times, has the turn."""
_POLL_MS: Final = 20
"""Milliseconds between two polls of a page."""
_CARD_EDGE_PX: Final[Position] = {"x": 14, "y": 30}
"""A point of a card that can be tapped although the next card covers the rest."""
_CLICK_TIMEOUT_MS: Final = 5000
"""Milliseconds to press something that may disappear by itself."""
_START_TIMEOUT_MS: Final = 10_000
"""Milliseconds after which a press has had no effect."""
_NETWORK_ERRORS: Final = (
    "Failed to load resource",
    "WebSocket connection to",
    "An unknown error occurred when fetching the script",
)
"""Beginnings of the browser's own network errors."""

_READ_SCREEN: Final = """() => {
    const board = document.querySelector("lc-game");
    if (!board?.session?.game) return null;
    const label = (node) => node?.getAttribute("aria-label") ?? node?.textContent ?? "";
    const all = (selector) => [...board.querySelectorAll(selector)].filter((node) => node.checkVisibility());
    const tray = board.querySelector("[role=region]");
    const { match, ply } = board.session.game;
    const hand = all("[role=group] [data-card]").map((card) => [card.dataset.card, label(card)]);
    const can = ([, name]) => name.includes(", ") && !name.endsWith("cannot be played now");
    return {
        match,
        ply,
        over: board.hasAttribute("over"),
        asked: tray.classList.contains("urgent"),
        hand: hand.map(([card]) => card),
        playable: hand.filter(can).map(([card]) => card),
        answers: all(".action-bar-answers button").map(label),
        draw: /^(Draw|Pass)\\. /.test(label(board.querySelector(".draw-pile"))),
        buttons: all(".scores button").filter((button) => !button.disabled).map(label),
    };
}"""


@dataclass(frozen=True, slots=True)
class ScreenState:
    """The part of the game that a person sees."""

    match: str
    ply: int
    over: bool
    asked: bool
    """Whether it is this person's turn."""
    hand: list[str]
    playable: list[str]
    """Cards that are marked as playable."""
    answers: list[str]
    draw: bool
    """Whether the draw pile can be pressed."""
    buttons: list[str]
    """Buttons of the panel between rounds and after the match."""


class BrowserPlayer:
    """A person at a page in a browser context of their own, in English."""

    def __init__(self, page: Page, url: str, name: str) -> None:
        self.page = page
        self.url = url
        self.name = name
        self._errors: list[str] = []
        self._failures: list[tuple[int, str]] = []
        self._expected_failures: set[tuple[int, str]] = set()
        self.received: list[str] = []
        """Every text the server has sent over the WebSocket."""
        self.sent: list[str] = []
        """Every text sent to it."""
        page.add_init_script(SUSPEND_AUDIO)
        page.on("pageerror", lambda error: self._errors.append(str(error)))
        page.on("console", self._on_console)
        page.context.on("response", self._on_response)
        page.on("websocket", self._on_websocket)

    def close(self) -> None:
        """Close the pages; another person may use the browser then."""
        self.page.context.remove_listener("response", self._on_response)
        for page in self.page.context.pages:
            page.close()

    @property
    def errors(self) -> list[str]:
        """All errors of the page, and every answer of 400 or more that no test expects."""
        failures = [failure for failure in self._failures if failure not in self._expected_failures]
        return [*self._errors, *(f"{status} {path}" for status, path in failures)]

    def expect_failure(self, status: int, path: str) -> None:
        """Expect an answer of 400 or more to a request of a path below the server's."""
        self._expected_failures.add((status, path))

    def _on_response(self, answer: Response) -> None:
        if answer.status >= 400:
            self._failures.append((answer.status, urlsplit(answer.url.removeprefix(self.url)).path))

    def _on_console(self, message: ConsoleMessage) -> None:
        # Another handler checks answers, and an unreachable server is no fault of the page.
        if message.type == "error" and not message.text.startswith(_NETWORK_ERRORS):
            self._errors.append(message.text)

    def _on_websocket(self, line: WebSocket) -> None:
        line.on("framereceived", lambda text: self.received.append(str(text)))
        line.on("framesent", lambda text: self.sent.append(str(text)))

    # --- to the table -----------------------------------------------------------------------------------

    def open_home(self) -> None:
        """Open the first page and give the name."""
        self.page.goto(f"{self.url}/")
        self.page.get_by_label("Your name").fill(self.name)

    def new_table(self, game: str) -> str:
        """Make a table on the first page; returns its code."""
        self.open_home()
        self.page.get_by_role("radio", name=game, exact=True).check()
        self.page.get_by_role("button", name="New table").click()
        return self.table_code()

    def join_by_code(self, code: str) -> None:
        """Join the table with a code from the first page."""
        self.open_home()
        self.page.get_by_label("Table code").fill(code)
        self.page.get_by_role("button", name="Join").click()
        self.page.wait_for_url(f"**/t/{code}")

    def follow_link(self, code: str) -> None:
        """Go to a table by its link; a new person gives the name."""
        self.page.goto(f"{self.url}/t/{code}")
        self.page.get_by_label("Your name").fill(self.name)
        self.page.get_by_role("button", name="Join the table").click()
        expect(self.page.get_by_role("button", name="Menu")).to_be_visible()

    def make_table(self, rules: str, seats: int = 2, **settings: object) -> str:
        """Make a table with settings of the test, without clicks; returns its code."""
        calls, headers = self.page.context.request, {"origin": origin_of(self.url)}
        found = calls.post(f"{self.url}/api/me", data={"name": self.name, "language": "en"}, headers=headers)
        expect(found).to_be_ok()
        wanted = {"rules": rules, "seats": seats, "pace": "untimed", **settings}
        found = calls.post(f"{self.url}/api/tables", data={"settings": wanted}, headers=headers)
        expect(found).to_be_ok()
        code = str(found.json()["code"])
        self.page.goto(f"{self.url}/t/{code}")
        expect(self.page.get_by_role("button", name="Start")).to_be_visible()
        return code

    def table_code(self) -> str:
        self.page.wait_for_url("**/t/*")
        return self.page.url.rpartition("/")[2]

    def wait_until_seated(self, *names: str) -> None:
        """Wait until the lobby shows these people in seats."""
        seats = self.page.get_by_role("region", name="At the table").get_by_role("list").first  # spectators follow
        for name in names:
            expect(seats.get_by_role("listitem").filter(has_text=name)).to_be_visible()

    def start(self) -> None:
        """Start the match; bots take free seats."""
        self.page.get_by_role("button", name="Start").click()

    def play_with(self, *guests: BrowserPlayer, rules: str, **settings: object) -> str:
        """Make a table, wait until the guests sit at it, and start the match; returns the table's code."""
        code = self.make_table(rules, 1 + len(guests), **settings)
        for guest in guests:
            guest.follow_link(code)
            self.wait_until_seated(guest.name)
        self.start()
        try:
            self.page.get_by_role("button", name="Start").wait_for(state="hidden", timeout=_START_TIMEOUT_MS)
        except TimeoutError:  # the button moved as the last guest came: a control that has just moved takes no press
            self.start()
        return code

    # --- the table --------------------------------------------------------------------------------------

    @property
    def action_bar(self) -> Locator:
        """The region with the question and its answers."""
        return self.page.get_by_role("region", name="Your move")

    @property
    def hand(self) -> Locator:
        """The person's own cards."""
        return self.page.get_by_role("group", name=re.compile("^Your hand"))

    @property
    def pile(self) -> Locator:
        return self.page.get_by_role("button", name=re.compile("Draw pile"))

    @property
    def top(self) -> Locator:
        """The discard pile: its name says which card is on top."""
        return self.page.get_by_role("button", name=re.compile("^Top card"))

    @property
    def uno(self) -> Locator:
        """The UNO button."""
        return self.page.get_by_role("button", name="UNO!").and_(self.page.locator("[aria-pressed]"))

    @property
    def alert(self) -> Locator:
        """The message about something that could not be done."""
        return self.action_bar.get_by_role("alert")

    def card(self, card: str) -> Locator:
        return self.hand.locator(f'[data-card="{card}"]').first

    def names(self) -> list[str]:
        """The accessible names of the cards in hand."""
        return [
            (button.get_attribute("aria-label") or "").partition(",")[0]
            for button in self.hand.get_by_role("button").all()
        ]

    def answer(self, name: str) -> Locator:
        """A button on the tray; its name may also contain a cost, or a player's number of cards."""
        return self.action_bar.get_by_role("button", name=re.compile(rf"^{re.escape(name)}(: \d+ cards?| wrong: .*)?$"))

    def seat_of(self, name: str) -> Locator:
        """The button of another player at the table."""
        return self.page.get_by_role("group", name="Players").get_by_role("button", name=re.compile(f"^{name}: "))

    def find_screen_state(self) -> ScreenState | None:
        """Everything that is visible of the game; None before there is one."""
        found = self.page.evaluate(_READ_SCREEN)
        return None if found is None else ScreenState(**found)

    def screen_state(self) -> ScreenState:
        """Everything that is visible of the game, which must be there."""
        found = self.find_screen_state()
        assert found is not None, f"{self.name} sees no game"
        return found

    def wait_for_turn(self, prompt: str | re.Pattern[str] = "") -> None:
        """Wait until the whole table is shown and it is this person's turn, with a prompt that contains some words."""
        asked = self.page.get_by_role("img", name=re.compile(f"^{self.name}: .*has the turn"))
        expect(asked).to_be_visible(timeout=_TURN_TIMEOUT_MS)
        expect(self.action_bar).to_contain_text(prompt)
        wait_until_ready(self.page)

    # --- moves ------------------------------------------------------------------------------------------

    def can_put_back(self) -> bool:
        """Whether a card is picked that still needs a color or a player."""
        return self.action_bar.get_by_role("button", name="Put it back").is_visible()

    def send_move(self, press: Callable[[], None]) -> dict[str, Any]:
        """Press something that makes a move; returns the server's answer once the page shows it."""
        before = len(self._moves())
        press()
        self.wait_until(lambda: len(self._moves()) > before, "a move was sent")
        command = self._moves()[-1]["id"]
        self.wait_until(lambda: command in self._answers(), "the server has answered")
        answer = self._answers()[command]
        if answer["type"] == "done":
            self.wait_for_ply(answer["ply"])
        return answer

    def wait_for_state(self, seen: ScreenState) -> None:
        """Wait until the page shows a state that it has shown before."""
        self.wait_until(lambda: self.find_screen_state() == seen, f"all is as before: {seen}")

    def wait_for_ply(self, ply: int) -> None:
        """Wait until the page shows this number of moves."""
        self.page.wait_for_function("ply => document.querySelector('lc-game')?.session.game?.ply >= ply", arg=ply)

    def make_move(self, move: str) -> dict[str, Any]:
        """Make a move, given in notation, by taps."""
        return self.send_move(lambda: self.tap_move(move))

    def tap_move(self, move: str) -> None:
        """Tap all parts of a move, up to the last tap, which sends it."""
        parts = re.fullmatch(r"([^=>]+)([=>]?)(.*)", move)
        assert parts is not None
        word, sign, named = parts.groups()
        if word == "uno":
            self.uno.click()
        elif word == "catch":
            self.seat_of(named).click()
        elif word == "draw":
            self.pile.click()
        elif word in _BUTTON_NAMES:
            self.action_bar.get_by_role("button", name=_BUTTON_NAMES[word]).click()
        else:
            if word not in ("color", "choose", "take"):
                self.card(word.rpartition(" ")[2]).click(position=_CARD_EDGE_PX)
            if sign:
                self.answer(COLORS.get(named, named)).click()

    def wait_until(self, condition: Callable[[], bool], description: str) -> None:
        """Wait for a condition that follows from the page's messages."""
        wait_for_condition(
            self.page, condition, TIMEOUT_S, lambda: f"{self.name} has waited in vain until {description}"
        )

    def _moves(self) -> list[dict[str, Any]]:
        return [json.loads(text) for text in self.sent if '"type":"act"' in text]

    def _answers(self) -> dict[str, dict[str, Any]]:
        found = [json.loads(text) for text in self.received if text.startswith(('{"type":"done"', '{"type":"refused"'))]
        return {str(answer["id"]): answer for answer in found}

    def refusals(self) -> list[dict[str, Any]]:
        return [answer for answer in self._answers().values() if answer["type"] == "refused"]


def origin_of(url: str) -> str:
    """Scheme, host and port of an address."""
    return "/".join(url.split("/")[:3])


def clear_storage(page: Page, url: str, *, installed: bool = False) -> None:
    """Remove everything that a browser has stored for a server except the files in its cache.

    The page is the only one in the browser's context, with nothing in it. With ``installed``, the service worker with
    its files stays, too.
    """
    page.context.clear_cookies()
    types = "local_storage,indexeddb" if installed else "all"
    line = page.context.new_cdp_session(page)
    line.send("Storage.clearDataForOrigin", {"origin": origin_of(url), "storageTypes": types})
    line.detach()


Invite = Callable[..., BrowserPlayer]
"""Opens a page for a person: ``invite(url, "Ann")``, with ``**PHONE`` for a phone."""

_BUTTON_NAMES: Final[dict[str, str | re.Pattern[str]]] = {
    "pass": "Keep it",
    "challenge": "Challenge",
    "accept": re.compile(r"^Draw \d+"),
    "pull": "Pull the lever",
    "stop": "Stop discarding",
    "done": "Done!",
}
"""Buttons on the tray by the move they make."""


# --- whole matches ---------------------------------------------------------------------------------------


def wait_for_cards(*players: BrowserPlayer) -> None:
    """Wait until everybody sees their hand."""
    for player in players:
        expect(player.hand).to_be_visible()


def open_figures(page: Page) -> None:
    """Wait until a report made in the page is ready, and open its figures unless they are open."""
    worst = page.get_by_role("heading", name="Worst decisions", include_hidden=True)
    expect(worst).to_be_attached(timeout=_REPORT_TIMEOUT_MS)  # before, the chances alone would be opened or closed
    if not worst.is_visible():
        page.get_by_text("All figures").click()
    expect(worst).to_be_visible()


def play_match(players: Sequence[BrowserPlayer]) -> None:
    """Play until the match has a winner; everybody makes the first offered move, and never forgets UNO."""
    while True:
        play_round(players)
        states = [player.screen_state() for player in players]
        if all(state.over and "Check the shuffle" in state.buttons for state in states):
            return
        for player in players:
            if "Next round" in player.screen_state().buttons:
                with suppress(TimeoutError):  # the next round also comes by itself
                    player.page.get_by_role("button", name="Next round").click(timeout=_CLICK_TIMEOUT_MS)


def play_round(players: Sequence[BrowserPlayer]) -> None:
    """Play until the round is over."""
    idle = 0
    while True:
        states = [player.screen_state() for player in players]
        if all(state.over for state in states):
            return
        asked = [index for index, state in enumerate(states) if state.asked and not state.over]
        idle = 0 if asked else idle + 1
        assert idle * _POLL_MS < 1000 * TIMEOUT_S, f"nobody plays on: {states}"
        if asked:
            make_any_move(players[asked[0]], states[asked[0]])
        else:
            players[0].page.wait_for_timeout(_POLL_MS)


def make_any_move(player: BrowserPlayer, state: ScreenState) -> None:
    """Call UNO if it is due, else make the first offered move."""
    if len(state.hand) == 2 and state.playable and player.uno.get_attribute("aria-pressed") == "false":
        player.uno.click()
        expect(player.uno).to_have_attribute("aria-pressed", "true")
    else:
        player.send_move(lambda: press_first(player, state))


def press_first(player: BrowserPlayer, state: ScreenState) -> None:
    """Press the first card or answer that is offered."""
    others = ("Challenge", "Keep it", "Stop discarding", "Play it")
    answers = [answer for answer in state.answers if not answer.startswith(others)]
    if state.playable:
        card = state.playable[0]
        player.card(card).click(position=_CARD_EDGE_PX)
        if card.startswith("W") and player.can_put_back():
            player.answer(player.screen_state().answers[0]).click()
    elif answers:
        player.answer(answers[0]).click()
    elif state.draw:
        player.pile.click()
    else:
        player.answer(state.answers[-1]).click()
