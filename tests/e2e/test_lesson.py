"""The lesson: a new player sees a game on the real table, in five languages, and nothing can go wrong."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, ViewportSize, expect

from lastcard.session.lessons import LESSONS, Lesson, Step
from lastcard.text.locale import LANGUAGES, catalog
from support.live_server import LiveServer
from support.player import ON_BOTH, PHONE, BrowserPlayer, Invite

TAGS = {"en": "en-US", "es": "es-419", "fr": "fr-FR", "pt": "pt-BR", "pl": "pl"}
POINTS = 74
"""The points at the end of the second lesson: the cards that the bots still hold."""
SMALL: ViewportSize = {"width": 320, "height": 568}
COVERED = """([words, middle, hand]) => {
    const box = (selector) => document.querySelector(selector).getBoundingClientRect();
    const [line, piles, cards] = [box(words), box(middle), box(hand)];
    const meet = (a, b) => a.top < b.bottom - 1 && b.top < a.bottom - 1 && a.left < b.right - 1 && b.left < a.right - 1;
    return meet(line, piles) || meet(line, cards);
}"""
"""Whether the words cover the piles or the hand."""


def begin_lesson(player: BrowserPlayer, url: str, language: str, game: str) -> None:
    """Go from the offer on the first page to the table of a lesson."""
    page = player.page
    page.add_init_script(f"localStorage.lastcard ??= JSON.stringify({{format: 1, game: '{game}'}})")
    page.goto(url)
    texts = catalog(language)
    expect(page.get_by_text(texts.text(f"web.home.lesson.{game}"))).to_be_visible()
    page.get_by_role("button", name=texts.text("web.home.lesson.show")).click()
    expect(dots(page)).to_be_visible()


def dots(page: Page) -> Locator:
    return page.locator(".lesson-bar").get_by_role("img")


def legal(page: Page) -> list[str]:
    """Moves that the lesson allows."""
    moves: list[str] = page.evaluate("document.querySelector('lc-game').session.game.mine.legal")
    return moves


def take(page: Page, move: str) -> None:
    """Make a move by taps, in any language."""
    if move == "draw":
        page.locator(".draw-pile").click()
    elif move == "uno":
        page.locator(".uno-button").click()
    elif move in ("pull", "challenge"):
        page.locator(".action-bar-answers button").click()
    elif found := re.fullmatch(r"catch>(\d)", move):
        page.locator(f'.seat[data-seat="{found[1]}"] button').first.click()
    else:
        card = card_of(move)
        is_asked = [card_of(one) for one in legal(page)].count(card) > 1
        page.locator(f'.hand-card[data-card="{card}"]').first.click(position={"x": 14, "y": 24})
        if is_asked:
            page.locator(".action-bar-answers button").first.click()


def card_of(move: str) -> str:
    """The card that a move plays or discards."""
    return re.split("[=>]", move.removeprefix("throw "))[0]


def says(page: Page, game: str, step: Step, language: str) -> None:
    """Wait until a step is open and its words are shown without covering the table."""
    page.wait_for_function("() => document.querySelector('lc-game')?.session?.game?.mine?.legal.length")
    assert set(legal(page)) <= set(step.moves)
    words = re.split(r"\{\w+\}", str(catalog(language).texts[f"lesson.{game}.{step.say}"]))
    expect(page.locator(".action-bar-prompt")).to_have_text(re.compile(".+".join(map(re.escape, words))))
    expect(page.locator(".pointed")).to_have_count(0 if step.at == "answers" else 1)
    page.wait_for_function(f"boxes => !({COVERED})(boxes)", arg=[".line", ".piles", ".hand"])


def play_lesson(page: Page, game: str, lesson: Lesson, language: str) -> None:
    """Take every step of a lesson, up to its three choices at the end."""
    for step in lesson.steps:
        says(page, game, step, language)
        before = page.evaluate("document.querySelector('lc-game').session.game.ply")
        take(page, legal(page)[0])
        page.wait_for_function("ply => document.querySelector('lc-game').session.game.ply > ply", arg=before)
    expect(page.locator(".lesson-end :is(button, a)")).to_have_count(3)


@pytest.mark.parametrize(
    ("language", "game", "phone"),
    [(language, "classic", True) for language in LANGUAGES]
    + [("en", "classic", False), ("pl", "all-wild", False), ("fr", "wild-jackpot", True)],
)
def test_first_round(live_server: LiveServer, invite: Invite, language: str, game: str, phone: bool) -> None:
    """The offer leads through every step to a real match, dealt with one tap; it is not repeated."""
    options = {**PHONE, "viewport": SMALL} if phone else {}
    ann = invite(live_server.url, "Ann", locale=TAGS[language], **options)
    page = ann.page
    begin_lesson(ann, live_server.url, language, game)
    play_lesson(page, game, LESSONS[game][0], language)
    expect(page.locator(".lesson-end")).to_contain_text(catalog(language).text(f"lesson.{game}.done"))
    if len(LESSONS[game]) > 1:
        page.get_by_role("button", name=catalog(language).text("lesson.cards")).click()
        expect(page.locator(".lesson-end")).to_have_count(0)
        play_lesson(page, game, LESSONS[game][1], language)
        expect(page.locator(".lesson-end")).to_contain_text(catalog(language).text("lesson.classic.points", n=POINTS))
        expect(page.get_by_role("link", name=catalog(language).text("lesson.cards"))).to_be_visible()
    page.get_by_role("button", name=catalog(language).text("lesson.deal")).click()
    expect(dots(page)).to_have_count(0)
    expect(page.locator(".hand-card").nth(4)).to_be_visible()
    page.goto(live_server.url)
    expect(page.locator(".home-bots")).to_be_visible()
    expect(page.get_by_text(catalog(language).text("web.home.lesson.show"))).to_have_count(0)


def test_wrong_taps_explain_and_wait(ann: BrowserPlayer, live_server: LiveServer) -> None:
    """A move against the rules is explained by them, another by the lesson; neither changes anything."""
    begin_lesson(ann, live_server.url, "en", "classic")
    says(ann.page, "classic", LESSONS["classic"][0].steps[0], "en")
    ann.card("B1").click()
    expect(ann.alert).to_be_visible()
    ann.page.keyboard.press("Escape")
    ann.pile.click()
    expect(ann.alert).to_have_text(catalog("en").text("web.refused.lesson"))
    says(ann.page, "classic", LESSONS["classic"][0].steps[0], "en")


def test_a_waiting_guest_is_offered_the_lesson(ann: BrowserPlayer, ben: BrowserPlayer, live_server: LiveServer) -> None:
    """A guest who came by a link may take the lesson: the seat waits, and the deal brings the guest to the table."""
    code = ann.make_table("classic", 2)
    ben.follow_link(code)
    table = live_server.table(code)
    for way in ("back", "dealt"):
        ben.page.get_by_role("button", name="Quick lesson (1 min)").click()
        expect(dots(ben.page)).to_be_visible()
        ben.wait_until(lambda: set(table.state.players) <= set(table.presence.people.here), "Ben is still at the table")
        if way == "back":
            ben.page.go_back()
            expect(ben.page.get_by_text("Waiting for Ann to start.")).to_be_visible()
    ann.page.get_by_role("button", name="Start").click()
    ben.page.wait_for_url(f"**/t/{code}")
    expect(dots(ben.page)).to_have_count(0)
    expect(ben.hand).to_be_visible()
    assert ben.screen_state().match == ann.screen_state().match


def test_a_lesson_leads_back_to_the_table(ann: BrowserPlayer) -> None:
    """The exit of the lesson leads to the waiting table, where it is not offered again."""
    code = ann.make_table("classic", 2)
    ann.page.get_by_role("button", name="Quick lesson (1 min)").click()
    ann.page.get_by_role("button", name="To my table").click()
    ann.page.wait_for_url(f"**/t/{code}")
    expect(ann.page.get_by_role("button", name="Start")).to_be_visible()
    expect(ann.page.get_by_role("button", name="Quick lesson (1 min)")).to_have_count(0)


@ON_BOTH
def test_a_lesson_that_cannot_be_left_says_why(ann: BrowserPlayer, live_server: LiveServer) -> None:
    """The server may be unreachable at the moment of going on to a match; else *Skip* deals at once."""
    begin_lesson(ann, live_server.url, "en", "classic")
    texts = catalog("en")
    leave = ann.page.get_by_role("button", name=texts.text("lesson.skip"), exact=True)
    ann.page.route("**/api/tables", lambda route: route.abort())
    leave.click()
    expect(ann.page.locator(".toast")).to_have_text(texts.text("web.net.unreachable"))
    ann.page.unroute("**/api/tables")
    leave.click()
    expect(dots(ann.page)).to_have_count(0)
    expect(ann.hand.get_by_role("button")).to_have_count(7)
