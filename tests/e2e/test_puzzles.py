"""Puzzles on the page: answered by taps, explained, continued and counted, with a server and without."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from functools import cache
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from lastcard.arena.bot_play import play
from lastcard.formats.puzzles import Puzzle, daily_puzzle, read_puzzles
from lastcard.match.match import Match
from support.axe import find_violations
from support.page_readiness import wait_until_ready
from support.player import DESKTOP, ON_BOTH, PHONE, BrowserPlayer
from support.static_site import StaticHost, open_offline_player

_START_MS = 60_000
"""Time in which a worker starts and compiles the module."""
_END_MS = 60_000
"""Time in which the rest of a round plays at four times the speed."""
_STORED = "JSON.parse(localStorage.lastcard).puzzles"


@cache
def shipped() -> list[Puzzle]:
    """The puzzles of the package."""
    return read_puzzles()


def find_number(theme: str, game: str = "classic") -> int:
    """The number of the first puzzle of a theme in a game."""
    return next(i for i, each in enumerate(shipped(), start=1) if (each.theme, each.game) == (theme, game))


def unfit_cards(puzzle: Puzzle) -> list[str]:
    """The cards in hand that cannot be played on a usual turn."""
    table = puzzle.play().round
    if table.decision != "play":
        return []
    return [
        card
        for card in map(str, table.hand(table.turn))
        if not any(move.startswith(card) for move, _ in puzzle.chances)
    ]


def open_puzzle(player: BrowserPlayer, number: int | str) -> None:
    """Go to a puzzle and wait for its cards."""
    path = f"/?/puzzles/{number}" if "offline" in type(player).__name__.lower() else f"/puzzles/{number}"
    player.page.goto(player.url + path)
    expect(player.hand).to_be_visible(timeout=_START_MS)
    wait_until_ready(player.page)


def answer(player: BrowserPlayer, move: str) -> None:
    """Make a move by taps, with the call first if it has one."""
    if move.endswith("!"):
        player.uno.click()
    player.tap_move(move.rstrip("!"))
    expect(player.page.locator(".puzzle-verdict")).to_be_visible()


@ON_BOTH
def test_a_puzzle_is_solved_and_continued(ann: BrowserPlayer) -> None:
    """The best move is right, its chance is shown, the rest of the round plays, and the rating rises."""
    number = find_number("uno")
    puzzle = shipped()[number - 1]
    open_puzzle(ann, number)
    answer(ann, str(puzzle.best))
    page = ann.page
    expect(page.get_by_role("heading", name="Right!")).to_be_focused()
    expect(page.get_by_role("status").filter(has_text=f"You win {puzzle.chances[0][1]}%")).to_be_visible()
    assert find_violations(page) == []
    rating, streak = page.evaluate(f"[{_STORED}.rating[0], {_STORED}.streak]")
    assert rating > 1500 and streak == 1
    place = page.get_by_text(re.compile(r"^Round 1 · move \d+ of"))
    expect(place).to_have_text(f"Round 1 · move {puzzle.ply} of {len(puzzle.moves)}")
    page.get_by_role("combobox", name="Speed").select_option("4")
    page.get_by_role("button", name="See how it continues").click()
    expect(place).to_have_text(f"Round 1 · move {len(puzzle.moves)} of {len(puzzle.moves)}", timeout=_END_MS)
    page.get_by_role("button", name="Next puzzle").click()
    expect(ann.hand).to_be_visible(timeout=_START_MS)
    assert not page.url.endswith(f"/{number}")


@ON_BOTH
def test_another_move_is_compared(ann: BrowserPlayer) -> None:
    """A missed puzzle ends the streak; trying it again changes no figure. Without the call the card is not enough."""
    number = find_number("uno")
    puzzle = shipped()[number - 1]
    open_puzzle(ann, number)
    answer(ann, str(puzzle.best).rstrip("!"))
    expect(ann.page.get_by_role("heading", name="The right card, but you did not call UNO.")).to_be_visible()
    before = ann.page.evaluate(_STORED)
    assert before["streak"] == 0 and before["rating"][0] < 1500
    ann.page.get_by_role("button", name="Try again").click()
    expect(ann.action_bar).to_be_visible()
    answer(ann, str(puzzle.best))
    expect(ann.page.get_by_role("heading", name="Right!")).to_be_visible()
    assert ann.page.evaluate(_STORED) == before


@pytest.mark.parametrize("screen", [PHONE], ids=["phone"])
def test_a_puzzle_has_the_texts_of_its_game(ann: BrowserPlayer) -> None:
    """The lever, its outcomes and rule cards of Wild Jackpot, at a page that was opened at the puzzle."""
    number = find_number("lever", "wild-jackpot")
    open_puzzle(ann, number)
    answer(ann, str(shipped()[number - 1].best))
    expect(ann.page.get_by_role("heading", name="Right!")).to_be_visible(timeout=_END_MS)
    ann.page.get_by_role("button", name="See how it continues").click()
    slider = ann.page.get_by_role("slider")
    expect(slider).to_have_value(slider.get_attribute("max") or "", timeout=_END_MS)


@pytest.mark.parametrize("screen", [PHONE], ids=["phone"])
def test_an_illegal_move_is_explained(ann: BrowserPlayer) -> None:
    """A card that does not fit is refused as at a table, and is no answer."""
    number, card = next((i, card) for i, each in enumerate(shipped(), start=1) for card in unfit_cards(each))
    open_puzzle(ann, number)
    ann.card(card).click(position={"x": 14, "y": 30})
    expect(ann.alert).to_be_visible()
    expect(ann.page.locator(".puzzle-verdict")).to_have_count(0)


@pytest.mark.parametrize("screen", [DESKTOP], ids=["desktop"])
def test_the_page_of_puzzles(ann: BrowserPlayer) -> None:
    """The puzzle of the day is that of the UTC date; a theme limits what comes next; an unknown puzzle says so."""
    page = ann.page
    page.goto(f"{ann.url}/")
    page.get_by_role("link", name="Puzzles").click()
    page.get_by_role("link", name="Puzzle of the day").click()
    expect(ann.hand).to_be_visible(timeout=_START_MS)
    daily = daily_puzzle(shipped(), datetime.now(UTC).date())
    assert page.evaluate("document.querySelector('lc-game').session.game.rules") == daily.rules
    page.evaluate(
        "document.querySelector('lc-game').session.makeMove(document.querySelector('lc-game').session.game.mine.legal[0])"
    )
    expect(page.locator(".puzzle-verdict")).to_be_visible()
    page.get_by_role("link", name="Puzzles").click()
    expect(page.get_by_role("link", name="Puzzle of the day: done")).to_be_visible()
    page.get_by_role("combobox", name="Theme").select_option(label="Whom to swap with")
    page.get_by_role("button", name="Next puzzle").click()
    expect(ann.hand).to_be_visible(timeout=_START_MS)
    assert shipped()[int(page.url.rpartition("/")[2]) - 1].theme == "swap"
    page.goto(f"{ann.url}/puzzles/nothing")
    expect(page.get_by_role("heading", name="This puzzle does not exist.")).to_be_visible()


def test_puzzles_offline_and_from_own_mistakes(browser: Browser, static_host: StaticHost, tmp_path: Path) -> None:
    """After the first visit the host is gone. A mistake in a report becomes a puzzle, which is listed and removed."""
    opened = static_host.second_host()
    with open_offline_player(browser, opened, "Ann", **PHONE) as ann:
        ann.wait_until_cached()
        opened.shut_down()
        number = find_number("hold")
        open_puzzle(ann, number)
        answer(ann, str(shipped()[number - 1].best))
        expect(ann.page.get_by_role("heading", name="Right!")).to_be_visible()

        record = tmp_path / "match.toml"
        match = play(Match("classic+hand_size=5", ["Ann", "Bo"], seed=3), ["random", "random"], rounds=1)
        record.write_text(str(match.record()), encoding="utf-8")
        ann.page.goto(f"{ann.url}/")
        ann.page.locator("input[type=file]").set_input_files(record)
        ann.page.get_by_role("button", name="Luck and skill").click()
        figures = ann.page.locator(".report-figures")
        figures.wait_for(state="attached", timeout=_START_MS)
        figures.evaluate("fold => (fold.open = true)")
        ann.page.get_by_role("button", name="Try again as a puzzle").first.click(timeout=180_000)
        expect(ann.hand).to_be_visible(timeout=_START_MS)
        best = ann.page.evaluate("document.querySelector('lc-game').session.game.mine.legal")
        ann.page.evaluate("(move) => void document.querySelector('lc-game').session.makeMove(move)", best[0])
        expect(ann.page.locator(".puzzle-verdict")).to_contain_text("Better by")
        assert find_violations(ann.page) == []
        ann.page.get_by_role("link", name="Puzzles").first.click()
        line = ann.page.get_by_role("link", name="Ann, Bo")
        expect(line).to_have_count(1)
        ann.page.get_by_role("button", name="Remove").click()
        expect(line).to_have_count(0)
