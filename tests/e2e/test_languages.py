"""Five languages on the smallest phone: nothing overflows, no text is missing, plurals are right."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Route, expect

from lastcard.match.match import Match
from lastcard.text.locale import LANGUAGES, catalog
from support.mock_screen import MockScreen, OpenScreen
from support.page_readiness import import_expression
from support.screens import SCREENS, lobby
from support.situations import LONG_NAMES, NAMES, reach
from support.word_breaks import FIND_BROKEN_WORDS

TAGS = {"en": "en", "es": "es-419", "fr": "fr", "pt": "pt-BR", "pl": "pl"}
OTHERS = ("replay", "matches", "rules", "about")
"""Screens that ``tests/web/test_pages.py`` tests."""
_KEY = re.compile(r"\b(?:web|card|color|event|prompt|effect|lever|rulecard|game|preset|refused)\.[a-z_]+[\w.-]*")
_OVERFLOWING = """() => {
    const scrolls = (node) => /auto|scroll/.test(getComputedStyle(node).overflowX);
    const texts = (node) => [...node.childNodes].filter((part) => part.nodeType === 3 && part.data.trim());
    const out = [];
    const seen = "body *:not(svg, svg *, option, .visually-hidden, .visually-hidden *)";
    const report = (node, where) => out.push(`${node.textContent.trim()} beside ${where}`);
    for (const node of document.querySelectorAll(seen)) {
        if (!node.checkVisibility({ visibilityProperty: true }) || !texts(node).length) continue;
        const range = document.createRange();
        range.selectNodeContents(node);
        const { left, right } = range.getBoundingClientRect();
        for (let box = node; box && box !== document.body; box = box.parentElement) {
            const { clipPath, display, overflowX, position, textOverflow } = getComputedStyle(box);
            if (clipPath === "inset(50%)") break; // not to be seen, only to be heard
            if (textOverflow === "ellipsis" || scrolls(box)) break;
            if (display === "inline") continue;
            const bounds = box.getBoundingClientRect();
            const isBox = box === node || overflowX !== "visible" || box.matches("button, .panel");
            if (isBox && (left < bounds.left - 1 || right > bounds.right + 1)) report(node, box.className);
            if (position === "absolute") break;
        }
        const scrolled = node.closest(".hand, .phrases, .action-bar-answers, .line-latest, .seat-open");
        if (right > innerWidth + 1 && !scrolled) report(node, "the screen");
    }
    for (const node of document.querySelectorAll(".line-words, .action-bar-rule, .action-bar-answers, .answer")) {
        const { clientHeight, clientWidth, scrollHeight } = node;
        if (scrollHeight > clientHeight + 1 && clientWidth) out.push(`${node.textContent} is cut off below`);
    }
    const { scrollWidth } = document.documentElement;
    if (scrollWidth > innerWidth) out.push(`the page is ${scrollWidth} wide`);
    return [...new Set(out)];
}"""
"""Text that overflows its box or the screen without a way to scroll to it, or that is cut off below."""
_WORDS = """() => {
    const named = [...document.querySelectorAll("[aria-label], [title], [placeholder]")];
    const names = named.flatMap((node) => [node.ariaLabel, node.title, node.placeholder]);
    return [document.body.innerText, ...names].filter(Boolean).join("\\n");
}"""


@pytest.mark.parametrize("part", range(2))
@pytest.mark.parametrize("language", LANGUAGES)
def test_on_a_small_phone(open_screen: OpenScreen, language: str, part: int) -> None:
    """The phone is 320 px wide, and names are long."""
    stage = open_screen(320, 568, language=language)
    screens: dict[str, Callable[[MockScreen], None]] = {
        **SCREENS,
        "lobby": lambda stage: lobby(stage, (*LONG_NAMES, *NAMES)),
    }
    for name in [name for name in screens if name not in OTHERS][part::2]:
        screens[name](stage)
        assert stage.page.locator("html").get_attribute("lang") == TAGS[language]
        keys = _KEY.findall(stage.page.evaluate(_WORDS))
        wrong = [*keys, *stage.page.evaluate(_OVERFLOWING), *stage.page.evaluate(FIND_BROKEN_WORDS)]
        assert wrong == [], name


def one_two_five(match: Match) -> bool:
    """The others hold one, two and five cards."""
    table = match.round
    return sorted(len(table.hand(seat)) for seat in range(4) if seat != table.turn) == [1, 2, 5]


def test_polish_counts(open_screen: OpenScreen) -> None:
    """One card, two cards and five cards have three forms."""
    stage = open_screen(390, 844, language="pl")
    stage.show_match(reach("all-wild", 4, one_two_five))
    names = " ".join(stage.page.locator(".seats button").evaluate_all("all => all.map(({ariaLabel}) => ariaLabel)"))
    assert re.search(r"\b1 karta\b", names) and re.search(r"\b2 karty\b", names) and re.search(r"\b5 kart\b", names)


def test_numbers(open_screen: OpenScreen) -> None:
    stage = open_screen(320, 568)
    stage.open("/")
    written = {
        language: stage.page.evaluate(
            f"""async (language) => {{
                const {{ number, useLanguage }} = await {import_expression("ui/texts.js")};
                await useLanguage(language);
                return [number(12345), number(0.3)].map((text) => text.replace(/\\s/g, " "));
            }}""",
            language,
        )
        for language in LANGUAGES
    }
    assert written == {
        "en": ["12,345", "0.3"],
        "es": ["12,345", "0.3"],
        "fr": ["12 345", "0,3"],
        "pt": ["12.345", "0,3"],
        "pl": ["12 345", "0,3"],
    }


def test_the_language_of_the_browser(stage: MockScreen) -> None:
    """The language is guessed at first, changed in one step, and remembered."""
    page = stage.page
    stage.open("/")
    stage.set_prefs(language="")
    page.reload()
    expect(page.locator("html")).to_have_attribute("lang", "en")
    page.get_by_label("Language").select_option("pl")
    expect(page.get_by_role("button", name="Graj teraz")).to_be_visible()
    page.reload()
    expect(page.get_by_role("button", name="Graj teraz")).to_be_visible()
    expect(page.locator("html")).to_have_attribute("lang", "pl")


def test_answers(open_screen: OpenScreen) -> None:
    """The server answers in the language of the screen, not of the browser."""
    stage = open_screen(390, 844, language="pl")
    stage.open("/")
    ask = f"async () => (await (await {import_expression('net/api.js')}).get('/api/options/classic')).about"
    assert stage.page.evaluate(ask) == catalog("pl").text("game.classic.about")


def test_rules_are_in_the_language_chosen_last(stage: MockScreen) -> None:
    """The last choice counts even if an earlier request is answered later."""
    page, held = stage.page, list[Route]()
    SCREENS["rules"](stage)
    page.route("**/api/rules/*lang=es", lambda route: held.append(route))
    page.get_by_role("radio", name="Español").check()
    stage.wait_until(lambda: held, "the page has asked")
    page.get_by_role("radio", name="Français").check()
    article = page.locator(".rules-text")
    expect(article).to_have_attribute("lang", "fr")
    with page.expect_response("**/api/rules/*lang=es"):
        held[0].continue_()
    page.wait_for_timeout(100)
    expect(article).to_have_attribute("lang", "fr")
