"""Layout: nothing covers what a player needs, with full hands, full tables, small and low screens."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import pytest
from msgspec.structs import replace
from playwright.sync_api import expect

from lastcard.match.match import Match
from lastcard.server.wire.parts import Happening
from lastcard.session.table_state import Vote
from lastcard.text.locale import LANGUAGES
from support.mock_screen import OWN_ID, READ_HINTS, MockScreen, OpenScreen
from support.page_readiness import wait_until_pressable, wait_until_ready
from support.pointers import box_of, middle_of
from support.screens import SCREENS, WRITTEN
from support.situations import LONG_NAMES, NAMES, decides, full_hand, holds, reach, round_won

SIZES_PX = [(320, 568), (568, 320), (844, 390), (390, 844), (1280, 800)]
MANY_CARDS = 25
MIN_TOUCH_PX = 40
MIN_CARD_PX = 22
"""Minimum pixels of a player, and of one of many cards, that can be touched where others overlap it."""

_OUT_OF_REACH = """([selector, smallest]) => [...document.querySelectorAll(selector)].filter((node) => {
    node.scrollIntoView({ block: "nearest", inline: "nearest" });
    const { left, right, top, bottom } = node.getBoundingClientRect();
    const columns = [...Array(Math.floor(right - left)).keys()];
    for (let y = top + 4; y < bottom; y += 4) {
        let reached = 0;
        for (const x of columns) {
            if (node.contains(document.elementFromPoint(left + x, y)) && ++reached >= smallest) return false;
        }
    }
    return true;
}).map((node) => node.getAttribute("aria-label"))"""
"""Elements that cannot be touched over a given width."""
_COVERED = """(selector) => [...document.querySelectorAll(selector)].filter((node) => {
    const { left, top, width, height } = node.getBoundingClientRect();
    const corners = [[0.5, 0.5], [0.5, 0.15], [0.5, 0.85], [0.15, 0.5], [0.85, 0.5]];
    return corners.some(([x, y]) => !node.contains(document.elementFromPoint(left + x * width, top + y * height)));
}).map((node) => node.getAttribute("aria-label") ?? node.textContent)"""
"""Elements that are covered by others, or lie outside."""
_TOUCHING = """() => {
    const boxes = [...document.querySelectorAll(".hand .face")].map((face) => face.getBoundingClientRect());
    const above = Math.min(...boxes.map(({ top }) => top));
    const below = Math.max(...boxes.map(({ bottom }) => bottom));
    const others = ".action-bar, .uno-button, .draw-pile, .discard-pile, .seats .seat, .strip, .popover, .side-panel";
    return [...document.querySelectorAll(others)].filter((node) => {
        const { top, bottom, width } = node.getBoundingClientRect();
        return width && top < below - 1 && bottom > above + 13;
    }).map((node) => node.className);
}"""
"""Elements over the hand; a raised card may reach over its edge."""
_OVERLAPPING = """() => {
    const boxes = [...document.querySelectorAll(".seats .seat button")].map((seat) => seat.getBoundingClientRect());
    return boxes.filter((a, i) => a.width < 44 || a.height < 44 || boxes.slice(i + 1).some((b) =>
        a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom)).length;
}"""
"""The number of players who are too small to be touched, or overlap another."""
UNO = ".uno-button"
PLAYED = ".uno-button, .line"
"""Elements besides the hand that nothing may hide from the player on turn."""

PLACES_PX = [
    *((320, 568), (360, 640), (390, 844), (844, 390), (768, 1024), (1000, 640)),
    *((1024, 768), (1280, 800), (1440, 900), (1920, 1080)),
]
_COLLISIONS = """() => {
    const parts = {
        seats: ".seats .seat-main, .seat-open:not(:empty)",
        piles: ".draw-pile .stack, .laid-card, .pile-count, .current-color, .pending, .lever-panel",
        line: ".line",
        answers: ".action-bar-answers",
        others: ".more-answers",
        uno: ".uno-button",
        hand: ".hand",
        more: ".more-cards",
        acts: ".scoreboard",
    };
    const seen = (node) => node.getClientRects().length && getComputedStyle(node).visibility === "visible";
    const boxes = Object.entries(parts).flatMap(([part, selector]) =>
        [...document.querySelectorAll(selector)].filter(seen).map((node) => [part, node.getBoundingClientRect()]));
    const found = new Set();
    boxes.forEach(([part, a], i) => {
        if (a.left < -1 || a.right > innerWidth + 1 || a.top < 47 || a.bottom > innerHeight + 1) {
            found.add(`${part} sticks out`);
        }
        for (const [other, b] of boxes.slice(i + 1)) {
            if (part === other && part !== "seats") continue;
            const [wide, high] = [Math.min(a.right, b.right) - Math.max(a.left, b.left),
                Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top)];
            if (wide > 1 && high > 1) found.add(`${part} on ${other} by ${Math.round(wide)}×${Math.round(high)}`);
        }
    });
    for (const selector of [".action-bar-answers", ".line-words", ".action-bar-rule"]) {
        const node = document.querySelector(selector);
        if (node && seen(node) && node.scrollHeight > node.clientHeight + 1) found.add(`${selector} is cut off`);
    }
    const slot = document.querySelector(".lever-slot");
    if (slot && seen(slot)) {
        const ball = parseFloat(getComputedStyle(slot.querySelector(".lever-ball"), "::before").width);
        if (slot.offsetHeight < 2.5 * ball) found.add(`the lever cannot be pulled: ${ball} of ${slot.offsetHeight}`);
    }
    const roomy = innerWidth >= 1000 && innerHeight >= 560;
    const answers = [...document.querySelectorAll(".action-bar-answers .answer")].filter(seen);
    answers.forEach((node, i) => {
        const { right, width, height } = node.getBoundingClientRect();
        if (node.scrollWidth > node.clientWidth + 1) found.add(`${node.textContent} is wider than its button`);
        if (right > answers[i + 1]?.getBoundingClientRect().left) found.add(`${node.textContent} lies on the next`);
        if (roomy && Math.min(width, height) < 60) found.add(`${node.textContent} is ${width}×${height}`);
    });
    const bar = ".action-bar-prompt, .action-bar-rule, .action-bar-news, .line-latest";
    const words = `${bar}, .answer, .seat-name, .pile-count, .scoreboard li`;
    for (const node of [...document.querySelectorAll(words)].filter(seen)) {
        if (!roomy || node.closest("[replay]")) continue;
        const size = parseFloat(getComputedStyle(node).fontSize);
        const isName = node.className === "seat-name" && !node.closest(".own");
        const least = !isName ? 0.018 : innerWidth >= 1200 ? 40 / 1080 : 0.025;
        if (size < Math.max(14, innerHeight * least)) found.add(`${node.className} in letters of ${size}`);
    }
    return [...found];
}"""
"""Parts of a screen that overlap another, leave the table, or are too small for their contents or, where there is
space, for the screen."""


def refusal(stage: MockScreen) -> None:
    """An unplayable card was tapped, and the reason is long."""
    SCREENS["turn"](stage)
    text = "This card does not fit: it needs the color, the number or the sign of the card on top."
    stage.answers["why"] = {"type": "refused", "code": "no-match", "clause": "CL-15", "text": text, "late": None}
    stage.page.locator(".hand-card:not(.can)").first.click()
    expect(stage.page.get_by_role("alert")).to_be_visible()


def crowd(players: int) -> Callable[[MockScreen], None]:
    """A number of players at the table, two of them with long names, and a player to be named."""

    def fill(stage: MockScreen) -> None:
        rules, card = ("classic", "W") if players == 2 else ("all-wild", "Wx")
        stage.show_match(reach(rules, players, holds(card)), names=(*LONG_NAMES, *NAMES[2:]))
        stage.page.locator(f'.hand [data-card="{card}"]').first.click()

    return fill


STATES: dict[str, Callable[[MockScreen], None]] = {
    **{
        name: SCREENS[name]
        for name in ("turn", "hint", "replay", "drawn", "challenge", "stack", "color", "pick a color")
    },
    **{name: SCREENS[name] for name in ("pick a player", "pull", "perform", "throw", "bury", "choose", "take")},
    "refusal": refusal,
    "full hand": lambda stage: stage.show_match(full_hand(4, MANY_CARDS)),
    **{f"{players} players": crowd(players) for players in (2, 3, 6, 7, 10)},
}

QUESTIONS = [
    *("turn", "drawn", "challenge", "stack", "color", "pick a color", "pick a player", "pull", "perform", "throw"),
    *("bury", "choose", "take", "hint"),
]


@pytest.mark.parametrize("state", STATES)
def test_the_places_never_overlap(open_screen: OpenScreen, state: str) -> None:
    """Seats, piles, line, buttons and hand do not overlap at any size, whatever is said or asked."""
    stage = open_screen(*PLACES_PX[0])
    STATES[state](stage)
    found = stage.evaluate_at(PLACES_PX, _COLLISIONS)
    if state == "replay":  # a page that scrolls: the table may be higher than a low screen
        assert all(what.endswith("sticks out") for whats in found.values() for what in whats), found
    else:
        assert found == {}


@pytest.mark.parametrize("players", [2, 4, 6, 10])
def test_the_places_of_a_television_never_overlap(open_screen: OpenScreen, players: int) -> None:
    """Places do not overlap for any number of players around the piles, with long names."""
    stage = open_screen(1920, 1080)
    stage.show_match(reach("classic", players, holds("W")), names=(*LONG_NAMES, *NAMES[2:]), tv=True)
    expect(stage.page.locator(".scoreboard")).to_be_visible()
    found = stage.evaluate_at(((1920, 1080), (1280, 720)), _COLLISIONS)  # there is no bar above
    assert all(what.endswith("sticks out") for whats in found.values() for what in whats), found


@pytest.mark.parametrize("state", ["turn", "refusal", "pick a player", "full hand", "10 players"])
def test_larger_sizes_overlap_nothing(open_screen: OpenScreen, state: str) -> None:
    """*Size* large and huge, on the smallest screens, and on a phone in both orientations."""
    stage = open_screen(*PLACES_PX[0])
    STATES[state](stage)
    for wanted in ("large", "huge"):
        stage.set_prefs(size=wanted)
        assert stage.evaluate_at(((320, 568), (390, 844), (844, 390), (1440, 900)), _COLLISIONS) == {}, wanted


@pytest.mark.parametrize("screens", [QUESTIONS[::2], QUESTIONS[1::2], ["advice", "chat", "menu", "log", "keys"]])
def test_the_uno_button_is_never_covered(open_screen: OpenScreen, screens: list[str]) -> None:
    """The button is never covered in any orientation: not by a question, nor by a panel beside it."""
    stage = open_screen(*SIZES_PX[0])
    for name in screens:
        SCREENS[name](stage)
        assert stage.page.locator(UNO).count() == 1
        for size in (*SIZES_PX, SIZES_PX[0]):
            stage.page.set_viewport_size({"width": size[0], "height": size[1]})
            assert find_at_places(stage, _COVERED, PLAYED) == [], (name, size)
            if name != "menu":  # on a low screen it lies over the hand
                assert stage.page.evaluate(_TOUCHING) == [], (name, size)


def find_at_places(stage: MockScreen, script: str, what: object) -> list[str]:
    """The result of a script that presses points of the page, once all controls take presses."""
    wait_until_pressable(stage.page)
    return list(stage.page.evaluate(script, what))


@pytest.mark.parametrize("size", SIZES_PX)
def test_a_hand_of_25_cards(stage: MockScreen) -> None:
    """Every card and the rest of the table can be touched (from 320 px, in both directions)."""
    stage.show_match(full_hand(4, MANY_CARDS))
    assert stage.page.locator(".hand [data-card]").count() >= MANY_CARDS
    assert find_at_places(stage, _OUT_OF_REACH, [".hand [data-card]", MIN_CARD_PX]) == []
    assert find_at_places(stage, _COVERED, f"{UNO}, .draw-pile, .action-bar-prompt") == []
    assert stage.page.evaluate(_TOUCHING) == []


@pytest.mark.parametrize("size", SIZES_PX)
def test_ten_at_the_table(stage: MockScreen, size: tuple[int, int]) -> None:
    """All nine others can be seen and caught, whatever their names; on a phone on its side they do not overlap."""
    stage.show_match(reach("all-wild", 10, holds("Wx")), names=(*LONG_NAMES, *NAMES[2:]))
    assert stage.page.locator(".seats .seat").count() == 9
    if size == (568, 320):
        assert stage.page.evaluate(_OVERLAPPING) == 0
    assert find_at_places(stage, _OUT_OF_REACH, [".seats .seat button", MIN_TOUCH_PX]) == []
    assert find_at_places(stage, _COVERED, f"{UNO}, .draw-pile") == []
    stage.page.locator('.hand [data-card="Wx"]').first.click()
    expect(stage.page.locator(".action-bar-answers button")).to_have_count(9)
    wait_until_ready(stage.page)
    assert stage.page.evaluate(_TOUCHING) == []
    assert find_at_places(stage, _COVERED, UNO) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_hints_cover_nothing(open_screen: OpenScreen, language: str) -> None:
    """The longest hint, with long names, is read on the line; the cards of the moves are marked with their chances."""
    sizes = ((320, 568), (390, 844), (844, 390), (768, 1024), (1280, 800), (1920, 1080))
    stage = open_screen(*sizes[0], language=language)
    SCREENS["advice"](stage)
    assert stage.page.locator("[data-hint]").count() >= 1
    assert stage.page.locator(".best[data-hint]").count() == 1
    for size in sizes:
        stage.resize(*size)
        assert find_at_places(stage, _COVERED, ".seats .seat-main, .uno-button, .draw-pile, .line") == [], size
        assert stage.page.evaluate(_UNREAD) == [], size
        assert stage.page.evaluate(_COLLISIONS) == [], size


def test_selectable_players_are_listed_in_seat_order(open_screen: OpenScreen) -> None:
    """Players come clockwise from the next one, so that faces have their usual place; key 1 is the next one."""
    stage = open_screen(1280, 800)
    now = reach("all-wild", 10, holds("Wx"))
    crowd(10)(stage)
    names = (*LONG_NAMES, *NAMES[2:])
    clockwise = [names[(now.match.round.turn + i) % 10] for i in range(1, 10)]
    assert now.match.round.turn > 0
    expect(stage.page.locator(".action-bar-answers .answer > span:not(.held)")).to_have_text(clockwise)


def test_the_beginning_of_a_long_name_is_visible(open_screen: OpenScreen) -> None:
    """The beginning is visible even in right-to-left script, at the table and on the button with the name."""
    stage = open_screen(320, 568)
    stage.show_match(reach("all-wild", 10, holds("Wx")), names=("عبد الرحمن القحطاني",) * 10)
    stage.page.locator('.hand [data-card="Wx"]').first.click()
    for names in (".seats .seat-name", ".answer.player > span:not(.held)"):
        seen = stage.page.locator(names)
        expect(seen).to_have_count(9)
        assert {seen.nth(i).evaluate("(one) => getComputedStyle(one).direction") for i in range(9)} == {"rtl"}


_WRITTEN_OVER: Final = """() => {
    const lines = [...document.querySelectorAll("main :is(h1, h2, h3, p, a, button, summary)")];
    const boxes = lines.filter((node) => node.checkVisibility()).map((node) => [node, node.getBoundingClientRect()]);
    return boxes.flatMap(([one, a], i) => boxes.slice(i + 1).filter(([other, b]) => !one.contains(other)
        && Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1
        && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 4)
        .map(([other]) => `${one.textContent} | ${other.textContent}`));
}"""
"""Words of a page that overlap others."""


@pytest.mark.parametrize("path", ["/", "/me", "/about", "/privacy", "/rules/wild-jackpot+harsh"])
def test_no_words_of_a_page_lie_on_others(open_screen: OpenScreen, path: str) -> None:
    """An entry of the list of matches has everything it can have, with moves taken back."""
    stage = open_screen(320, 568)
    stage.open(path)
    assert stage.evaluate_at(((320, 568), (768, 1024), (1280, 800)), _WRITTEN_OVER) == {}


def test_answers_outside_the_viewport_are_announced(open_screen: OpenScreen) -> None:
    """A button shows their number, and leads to them and back; it is hidden if all are visible."""
    stage = open_screen(1024, 768)
    crowd(10)(stage)
    more, answers = stage.page.locator(".more-answers"), stage.page.locator(".action-bar-answers button")
    expect(more).to_have_text("3 ›")
    expect(answers.last).not_to_be_in_viewport(ratio=1)
    more.click()
    expect(answers.last).to_be_in_viewport(ratio=0.9)
    expect(more).to_contain_text("‹")
    more.click()
    expect(answers.first).to_be_in_viewport(ratio=0.9)
    stage.resize(1920, 1080)
    expect(more).to_be_hidden()
    crowd(4)(stage)
    expect(more).to_be_hidden()
    stage.press("web.pick.cancel")
    expect(answers).to_have_count(0)
    stage.resize(667, 375)
    stage.page.locator('.hand [data-card="Wx"]').first.click()  # the space for answers stays as it is
    expect(more).to_have_text("1 ›")
    stage.resize(390, 844)
    expect(more).to_be_hidden()


_UNREAD: Final = """() => {
    const line = document.querySelector(".line").getBoundingClientRect();
    const parts = document.querySelectorAll(".line-words, .action-bar-news, .action-bar-rule, .action-bar-prompt");
    return [...parts].filter((node) => node.checkVisibility()).filter((node) => {
        const { top, bottom } = node.getBoundingClientRect();
        return top < line.top - 1 || bottom > line.bottom + 1 || node.scrollHeight > node.clientHeight + 1;
    }).map((node) => `${node.className}: ${node.textContent}`);
}"""
"""Texts that lie outside the line, or are only partly visible."""
_BESIDE: Final = """() => {
    const [line, words] = [".line", ".line-words"].map((part) => document.querySelector(part).getBoundingClientRect());
    return words.top < line.top - 1 || words.bottom > line.bottom + 1;
}"""


def test_a_flat_screen_shows_all_texts(open_screen: OpenScreen) -> None:
    """Tips and rule cards in a language of long words; at the largest font size, overflowing text can be scrolled."""
    stage = open_screen(667, 375, language="es")
    for screen, tips in (("hint", READ_HINTS), ("perform", ("",)), ("bury", ("",))):
        SCREENS[screen](stage)
        for tip in tips:
            if tip:
                news = stage.page.locator(".action-bar-news")
                news.evaluate("(node, text) => { node.textContent = text }", stage.text(f"web.tip.{tip}"))
            assert stage.page.evaluate(_UNREAD) == [], (screen, tip)
    stage.set_prefs(size="huge")
    SCREENS["hint"](stage)
    assert stage.evaluate_at(((640, 400), (568, 320)), _BESIDE) == {}


def test_an_upright_screen_shows_the_longest_rule_card_in_every_size(open_screen: OpenScreen) -> None:
    """Its owner and spectators read it without scrolling, from the smallest phone to a tablet."""
    stage = open_screen(320, 568, language="fr")
    stage.open("/about")
    dare = reach(WRITTEN[0], 4, decides("perform"), WRITTEN[1])
    for wanted in ("normal", "large", "huge"):
        stage.set_prefs(size=wanted)
        for who in ("performer", "watcher", "bury"):
            if who == "bury":
                SCREENS["bury"](stage)
            else:
                stage.show_match(dare, seat=(dare.match.round.turn + (who == "watcher")) % 4)
            assert stage.evaluate_at(((320, 568), (390, 844), (768, 1024)), _UNREAD) == {}, (wanted, who)


def test_a_wide_screen_says_who_leads_and_what_happened(open_screen: OpenScreen) -> None:
    """Leader and events are beside the table, and only where there is space for them."""
    stage = open_screen(1440, 900)
    stage.show_match(reach("classic", 4, has_points))
    expect(stage.page.locator(".scoreboard-standings li")).to_have_count(4)
    expect(stage.page.locator(".scoreboard-standings .leads")).to_have_count(1)
    last = stage.page.locator(".scoreboard-events li").first
    expect(last).to_be_visible()
    shown = stage.page.get_by_text(last.inner_text(), exact=True).filter(visible=True)
    expect(shown).to_have_count(1)
    stage.page.get_by_role("button", name=stage.text("web.game.log")).click()
    expect(stage.page.locator(".side-panel .log")).to_be_visible()
    stage.page.keyboard.press("Escape")
    stage.resize(1000, 640)
    expect(stage.page.locator(".scoreboard")).to_be_hidden()
    expect(shown).to_have_count(1)


def has_points(match: Match) -> bool:
    return match.round.decision == "play" and len(set(match.scores)) == len(match.scores) - 1


def test_few_players_have_no_less_space_than_many(open_screen: OpenScreen) -> None:
    """Faces on a large screen are no smaller with four at the table than with ten."""
    wide = []
    for players in (4, 10):
        stage = open_screen(1280, 800)
        stage.show_match(reach("all-wild", players, holds("Wx")))
        wide.append(stage.page.locator(".seats .seat-avatar").first.evaluate("face => face.offsetWidth"))
    assert wide[0] >= wide[1]


def test_a_page_fills_a_large_screen(open_screen: OpenScreen) -> None:
    """Words appear as large as on a nearer, smaller screen, and lines are as long."""
    stage = open_screen(960, 540)
    SCREENS["home"](stage)
    form = stage.page.locator(".home .panel").first
    near = box_of(form)
    stage.resize(1920, 1080)
    assert box_of(form)["width"] > 1.15 * near["width"]


_DEALING = """() => {
    globalThis.dealing = [];
    new MutationObserver(() => {
        const words = document.querySelector("[dealing] .line-words");
        if (words) dealing.push(getComputedStyle(words).opacity);
    }).observe(document.body, { subtree: true, attributeFilter: ["dealing"] });
}"""
"""Records how visible the texts are while cards are dealt."""


def test_questions_wait_for_the_cards(stage: MockScreen) -> None:
    """The line is empty during the deal."""
    stage.open("/about")
    stage.page.emulate_media(reduced_motion="no-preference")
    stage.page.evaluate(_DEALING)
    SCREENS["turn"](stage)
    stage.page.wait_for_function("() => dealing.length > 0")
    expect(stage.page.locator("lc-game[dealing]")).to_have_count(0)
    assert set(stage.page.evaluate("dealing")) == {"0"}
    expect(stage.page.locator(".line-words")).to_have_css("opacity", "1")


_UNDER: Final = """(selectors) => {
    const picture = document.createElement("div");
    picture.style.cssText = "width: 100%; height: 100%; pointer-events: auto";
    document.querySelector(".motion-layer").append(picture);
    const under = selectors.filter((selector) => {
        const { left, top, width, height } = document.querySelector(selector).getBoundingClientRect();
        return document.elementFromPoint(left + width / 2, top + height / 2) === picture;
    });
    picture.remove();
    return under;
}"""
"""Parts of the table over which a card flies."""


def test_cards_fly_below_buttons_and_panels(stage: MockScreen) -> None:
    """Cards fly over hand and piles, but neither over UNO nor over an open panel."""
    stage.open("/about")
    stage.page.emulate_media(reduced_motion="no-preference")
    SCREENS["turn"](stage)
    expect(stage.page.locator(".motion-layer")).to_be_attached()
    parts = [".draw-pile", ".hand-card.can", UNO]
    assert stage.page.evaluate(_UNDER, parts) == parts[:2]
    stage.page.keyboard.press("l")
    expect(stage.page.locator(".side-panel")).to_be_visible()
    assert stage.page.evaluate(_UNDER, [".hand-card.can", ".side-panel"]) == [".hand-card.can"]


def test_nothing_has_happened_yet(stage: MockScreen) -> None:
    """At the start the line only says what to do, and the log says that nothing has happened."""
    SCREENS["turn"](stage)
    expect(stage.page.locator(".line-words")).to_have_text(stage.text("prompt.play"))
    stage.page.keyboard.press("l")
    said = "log => getComputedStyle(log, '::before').content"
    assert stage.page.locator(".log").evaluate(said) == f'"{stage.text("web.game.log_empty")}"'


_CUT = """(select) => {
    const copy = select.cloneNode(false);
    copy.append(select.selectedOptions[0].cloneNode(true));
    copy.style.cssText = "position: absolute; width: max-content";
    select.after(copy);
    const cut = copy.offsetWidth > select.offsetWidth;
    copy.remove();
    return cut;
}"""
"""Whether a part of the selected option is hidden."""


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_view_as_menu_of_a_replay_is_not_truncated(open_screen: OpenScreen, language: str) -> None:
    """The owner's name is shown before anything is chosen, and for a spectator."""
    stage = open_screen(320, 568, language=language)
    SCREENS["replay"](stage)
    eyes = stage.page.get_by_label(stage.text("web.replay.eyes"))
    for choice in ("open", "nobody"):
        eyes.select_option(label=stage.text(f"web.replay.eyes.{choice}"))
        for size in ((320, 568), (390, 844), (844, 390), (1280, 800)):
            stage.resize(*size)
            assert not eyes.evaluate(_CUT), (choice, size)


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("screen", ["replay", "tv"])
def test_the_text_below_a_table_to_watch_is_centered(open_screen: OpenScreen, width: int, screen: str) -> None:
    """There are no buttons beside it, so there is no space for them either."""
    stage = open_screen(width, 800)
    SCREENS[screen](stage)
    bar, line = (middle_of(stage.page.locator(f"lc-game {part}").first) for part in (".action-bar", ".line"))
    assert abs(line[0] - bar[0]) <= 1


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("players", "sizes"), [(4, [(320, 568)]), (10, [(360, 640), (568, 320), (844, 390)])])
def test_a_vote_covers_nothing(
    open_screen: OpenScreen, players: int, sizes: list[tuple[int, int]], language: str
) -> None:
    """The question of a vote is over the table, with the longest names, or in the bar where a phone is in landscape."""
    stage = open_screen(*sizes[0], language=language)
    now = reach("classic", players, decides("play"))
    stage.show_match(now, names=(*LONG_NAMES, *NAMES[2:]), hints=True)
    table = stage.welcome["table"]
    others = [seat for seat in range(players) if table.seats[seat].player not in (OWN_ID, None)]
    vote = Vote(what="kick", by=others[1], target=table.seats[others[0]].player, yes=(others[1],), needed=5)
    stage.change_table(vote=vote)
    expect(stage.page.locator(".notice button")).to_have_count(2)
    parts = ".notice button, .bar button:not([hidden]), .draw-pile, .discard-pile, .action-bar-prompt"
    for size in sizes:
        stage.resize(*size)
        assert find_at_places(stage, _COVERED, parts) + stage.page.evaluate(_TOUCHING) == [], size


def test_ten_players_fit_on_an_upright_tablet(open_screen: OpenScreen) -> None:
    """Short names are complete, and nobody is half outside, for players and spectators."""
    stage = open_screen(768, 1024)
    for watching in (False, True):
        stage.show_match(reach("classic", 10, decides("play")), watching=watching)
        for name in stage.page.locator(".seats .seat-name").all():
            assert name.evaluate("name => name.scrollWidth <= name.clientWidth"), name.inner_text()
        outside = "counts => counts.filter((count) => count.getBoundingClientRect().right > innerWidth).length"
        assert stage.page.locator(".seats .seat-count").evaluate_all(outside) == 0


def test_scores_have_more_space_than_buttons(open_screen: OpenScreen) -> None:
    """After a round all of them are visible at once, and after the match most, on the smallest phone."""
    stage = open_screen(320, 568)
    SCREENS["between"](stage)
    assert stage.page.locator(".scores-body").evaluate("body => body.scrollHeight <= body.clientHeight")
    SCREENS["over"](stage)
    heights = "(parts) => parts.map(({ offsetHeight }) => offsetHeight)"
    scores, actions = stage.page.locator(".scores > *").evaluate_all(heights)
    assert scores > 2 * actions
    assert min(stage.page.locator(".scores-actions .button").evaluate_all(heights)) >= 44
    ticked = stage.page.locator(".scores-ready li").first  # the tick is at its lower corner
    assert ticked.evaluate("face => face.offsetHeight <= face.offsetWidth + 2")


@pytest.mark.parametrize("watching", [False, True])
def test_the_winner_is_visible_without_scrolling(open_screen: OpenScreen, watching: bool) -> None:
    """With ten on a small phone, the winner and the own row are visible, wherever the scores were scrolled."""
    stage = open_screen(360, 640, language="fr")
    now = reach("classic", 10, round_won, first_seed=110)
    winner = now.match.round.winner or 0
    stage.show_match(now, seat=(winner + 5) % 10, watching=watching, names=(*LONG_NAMES, *NAMES[2:]))
    stage.page.locator(".scores-body").evaluate("body => { body.scrollTop = body.scrollHeight; }")
    game = stage.welcome["game"]
    stage.send(type="dealt", game=replace(game, public=replace(game.public, round=game.public.round + 1)), events=())
    expect(stage.page.locator(".scores-body")).to_have_js_property("scrollTop", 0)
    expect(stage.page.locator(".scores .own th")).to_have_count(0 if watching else 1)
    assert not find_at_places(stage, _COVERED, ".scores h2, .scores-winners .avatar, .scores .own th")
    stage.page.locator(".scores-body").evaluate("body => { body.scrollTop = body.scrollHeight; }")
    assert not find_at_places(stage, _COVERED, ".scores .own th")


def test_the_match_waits_for_readers_of_the_report(open_screen: OpenScreen) -> None:
    """The button says so though they are not connected; on a low screen nothing of it is cut off."""
    stage = open_screen(740, 360)
    SCREENS["over"](stage)
    table = stage.welcome["table"]
    seats = [replace(seat, ready=seat.player == OWN_ID, here=seat.player in (OWN_ID, None)) for seat in table.seats]
    seats[1] = replace(seats[1], awaited=True)
    stage.change_table(seats=tuple(seats))
    expect(stage.page.locator(".scores-actions .primary")).to_have_text(stage.text("web.score.waiting", n=1))
    above = "(actions) => actions.firstChild.getBoundingClientRect().top - actions.getBoundingClientRect().top"
    assert stage.page.locator(".scores-actions").evaluate(above) >= 0


def test_a_stamp_on_oneself_is_on_the_screen(open_screen: OpenScreen) -> None:
    """With a tip in place of the own face, the stamp is on the hand, neither over the tip nor under the button."""
    stage = open_screen(360, 740)
    SCREENS["hint"](stage)
    seat = stage.welcome["game"].mine.seat
    stage.send_move(Happening(e="called", seat=seat), seat=seat)
    stamp, uno = (box_of(stage.page.locator(part)) for part in (".stamp", UNO))
    assert stamp["x"] >= 0 and stamp["x"] + stamp["width"] <= 360
    assert stamp["y"] >= uno["y"] + uno["height"]


_SAY: Final = """(times) => {
    const [prompt, heard] = [document.querySelector(".action-bar-prompt"), document.querySelector("[role=log]")];
    for (let i = 0; i < times; i++) {
        prompt.textContent = `Your turn ${i}`;
        heard.append(String(i));
        heard.getBoundingClientRect();
    }
    heard.textContent = "";
}"""
"""A text on the line and one for screen readers, then a measurement; repeated many times, as at every move."""


@pytest.mark.parametrize("tv", [False, True])
def test_a_word_lays_out_no_card(stage: MockScreen, tv: bool) -> None:
    """A message changes no element's size, not even briefly: else all styles are recomputed for each size."""
    stage.show_match(reach("classic", 10, holds("W")), tv=tv)
    session = stage.page.context.new_cdp_session(stage.page)
    session.send("Performance.enable")

    def styled() -> float:
        metrics = session.send("Performance.getMetrics")["metrics"]
        return next(float(metric["value"]) for metric in metrics if metric["name"] == "RecalcStyleCount")

    before = styled()
    stage.page.evaluate(_SAY, 20)
    assert styled() - before < 3 * 20
    session.detach()


_MEASURED: Final = """() => {
    const width = Object.getOwnPropertyDescriptor(Element.prototype, "clientWidth");
    Object.defineProperty(Element.prototype, "clientWidth", { configurable: true, get() {
        if (this.matches(".board:has(.seat)")) {
            Object.defineProperty(Element.prototype, "clientWidth", width);
            globalThis.measured = globalThis.event?.type ?? "picture";
        }
        return width.get.call(this);
    } });
    globalThis.unfolded = 0;
    addEventListener("animationstart", ({ animationName }) => { if (animationName === "fan-in") unfolded++; });
}"""
"""Records when the table is first measured: while the page handles a message, or once the browser has laid it out; and
how many cards unfold in other hands."""
_NEXT_PICTURE: Final = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"


def test_the_first_picture_is_laid_out_by_itself(stage: MockScreen) -> None:
    """A table that was there before its cards is not measured when they come, and no fan unfolds."""
    stage.show_match(reach("classic", 10, holds("W")))
    begun = stage.welcome
    stage.show_table(begun["table"])
    stage.page.locator("lc-game").wait_for(state="attached")
    stage.page.emulate_media(reduced_motion="no-preference")
    stage.page.evaluate(_MEASURED)
    stage.send(type="dealt", game=begun["game"], events=())
    expect(stage.page.locator("lc-game[laid]")).to_be_attached()
    stage.page.wait_for_function(_NEXT_PICTURE)
    assert stage.page.evaluate("[measured, unfolded]") == ["picture", 0]
