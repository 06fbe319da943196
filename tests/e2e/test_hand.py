"""The own hand: cards can be dragged and tapped, are always in reach, and have the size that the person chose."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, expect

from lastcard.match.match import Match
from support.mock_screen import MockScreen, OpenScreen
from support.page_readiness import wait_until_pressable
from support.pointers import corner_of, middle_of
from support.situations import full_hand, holds, reach

MANY_CARDS = 25
_RECORD_MOVES = """() => {
    window.moves = [];
    document.querySelector("lc-game").session.makeMove = async (move) => { moves.push(move); return null; };
}"""
_CONTRASTS = """() => {
    const shade = (color) => {
        const parts = color.match(/[\\d.]+/g).slice(0, 3).map((part) => part / 255);
        const [r, g, b] = parts.map((part) => part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const probe = document.body.appendChild(document.createElement("i"));
    const shown = (name) => { probe.style.color = `var(--${name})`; return shade(getComputedStyle(probe).color); };
    return ["red", "yellow", "green", "blue"].map((name) => {
        const [a, b] = [shown(`card-${name}`), shown(`on-card-${name}`)].sort((x, y) => y - x);
        return (a + 0.05) / (b + 0.05);
    });
}"""
_SEEN = """(cards) => cards.filter((card) => {
    const { left, right, top } = card.getBoundingClientRect();
    const reached = [...Array(Math.floor(right - left)).keys()].filter((x) =>
        card.contains(document.elementFromPoint(left + x, top + 20))).length;
    return reached >= 22;
}).length"""
"""The number of cards that can be tapped over 22 px."""


_HAND = """() => {
    const cards = [...document.querySelectorAll(".hand-card")];
    const boxes = cards.map((card) => card.firstElementChild.getBoundingClientRect());
    const isShown = ({ offsetLeft: x, offsetTop: y }, i) => {
        const next = cards[i + 1];
        return !next || next.offsetTop !== y || next.offsetLeft - x >= 0.6 * cards[i].firstElementChild.offsetWidth;
    };
    const { width: pile } = document.querySelector(".draw-pile").getBoundingClientRect();
    return {
        width: cards[0].firstElementChild.offsetWidth,
        signs: cards.filter(isShown).length,
        cut: boxes.filter(({ left, right, bottom }) => left < 0 || right > innerWidth || bottom > innerHeight).length,
        rows: new Set(cards.map((card) => card.offsetTop)).size,
        span: Math.max(...boxes.map(({ right }) => right)) - Math.min(...boxes.map(({ left }) => left)),
        pile,
    };
}"""
"""Width of a card, cards whose sign no neighbor covers, cards cut off, rows, and widths of hand and pile."""
SIX_SIZES_PX = {
    (320, 568): 66, (390, 844): 96, (844, 390): 70, (768, 1024): 120, (1280, 800): 96, (1920, 1080): 130
}  # fmt: skip
"""The least width of a card in a hand of seven, by the size of the screen."""


def drag(card: Locator, to: Locator) -> None:
    """Drag a card with the mouse to the middle of an element."""
    mouse = card.page.mouse
    mouse.move(*corner_of(card))
    mouse.down()
    mouse.move(*middle_of(to), steps=6)


def drew_an_equal_card(match: Match) -> bool:
    """The player has drawn a card and holds another one like it."""
    return match.round.drawn is not None and match.round.hand(match.round.turn).count(match.round.drawn) > 1


def test_one_card_is_new(stage: MockScreen) -> None:
    """Of equal cards, only one is marked."""
    stage.show_match(reach("all-wild", 4, drew_an_equal_card))
    expect(stage.page.locator(".hand-card.has-note")).to_have_count(1)


@pytest.mark.parametrize("size", [(390, 844), (1280, 800)])
def test_a_card_is_dragged_onto_the_piles(stage: MockScreen) -> None:
    """A drop there plays it; elsewhere it returns to the hand."""
    stage.show_match(reach("classic", 4, holds("W")))
    page = stage.page
    page.evaluate(_RECORD_MOVES)
    card = page.locator('.hand-card.can:not([data-card^="W"])').first
    drag(card, page.locator(".line"))
    page.mouse.up()
    assert page.evaluate("moves") == []
    expect(page.locator(".dragged")).to_have_count(0)
    drag(card, page.locator(".discard-pile"))
    page.mouse.up()
    page.wait_for_function("() => moves.length > 0")
    assert page.evaluate("moves") == [card.get_attribute("data-card")]
    drag(page.locator('.hand-card[data-card="W"]').first, page.locator(".discard-pile"))
    page.mouse.up()
    expect(page.locator(".answer.color")).to_have_count(4)


def test_another_finger_drops_nothing(stage: MockScreen) -> None:
    """A player who holds a card over the piles may call UNO with the other hand."""
    stage.show_match(reach("classic", 4, holds("W")))
    page = stage.page
    page.evaluate(_RECORD_MOVES)
    drag(page.locator('.hand-card.can:not([data-card^="W"])').first, page.locator(".discard-pile"))
    page.evaluate(
        "for (const type of ['pointermove', 'pointerup']) "
        "document.body.dispatchEvent(new PointerEvent(type, { pointerId: 77, bubbles: true }))"
    )
    expect(page.locator(".dragged.near")).to_have_count(1)
    assert page.evaluate("moves") == []
    page.mouse.up()
    page.wait_for_function("() => moves.length > 0")


@pytest.mark.parametrize("size", [(320, 568), (390, 844), (844, 390), (1280, 800)])
def test_playable_cards_are_in_view(stage: MockScreen) -> None:
    """Of 25 cards every playable one can be tapped at once, and a button leads to the hidden ones."""
    stage.show_match(full_hand(4, MANY_CARDS))
    page = stage.page
    wait_until_pressable(page)
    cards = page.locator(".hand [data-card]")
    playable = page.locator(".hand .can")
    assert 0 < playable.count() <= playable.evaluate_all(_SEEN)
    more = page.locator(".more-cards")
    if not more.is_visible():
        assert cards.evaluate_all(_SEEN) == cards.count()
        return
    hidden = int(re.findall(r"\d+", more.inner_text())[0])
    assert cards.evaluate_all(_SEEN) >= cards.count() - hidden - 5  # one column may be cut
    more.click()
    expect(more).to_contain_text("‹")
    expect(cards.last).to_be_in_viewport()


def test_the_hand_is_large_on_every_screen(open_screen: OpenScreen) -> None:
    """Seven cards are large, complete and show their signs; the piles of a phone are hardly larger than they are."""
    stage = open_screen(*min(SIX_SIZES_PX))
    stage.show_match(reach("classic", 4, seven_cards))
    for size, least in SIX_SIZES_PX.items():
        stage.resize(*size)
        hand = stage.page.evaluate(_HAND)
        assert hand["width"] >= least, (size, hand)
        assert (hand["signs"], hand["cut"]) == (7, 0), (size, hand)
        if min(size) < 500:
            assert hand["pile"] <= 1.2 * hand["width"], (size, hand)


def seven_cards(match: Match) -> bool:
    return match.round.decision == "play" and len(match.round.hand(match.round.turn)) == 7


def test_25_cards_fit_a_phone_in_two_rows(open_screen: OpenScreen) -> None:
    """None is hidden; in landscape they use the whole width."""
    stage = open_screen(390, 844)
    stage.show_match(full_hand(4, MANY_CARDS))
    for size in ((390, 844), (844, 390)):
        stage.resize(*size)
        wait_until_pressable(stage.page)
        expect(stage.page.locator(".more-cards")).to_be_hidden()
        cards = stage.page.locator(".hand-card")
        assert cards.evaluate_all(_SEEN) == cards.count()
        hand = stage.page.evaluate(_HAND)
        assert hand["rows"] <= 2 and hand["cut"] == 0 and hand["span"] > 0.9 * size[0], (size, hand)


def test_the_focus_stays_on_a_card(open_screen: OpenScreen) -> None:
    """The focus stays even if the size changes and the cards are reordered."""
    stage = open_screen(1280, 800)
    stage.show_match(full_hand(4, MANY_CARDS))
    cards = stage.page.locator(".hand-card")
    card = stage.page.locator(".hand-card.can").last
    card.focus()
    order = cards.evaluate_all("cards => cards.map(card => card.dataset.card)")
    stage.page.set_viewport_size({"width": 320, "height": 568})
    expect(stage.page.locator(".more-cards")).to_be_visible()
    assert cards.evaluate_all("cards => cards.map(card => card.dataset.card)") != order
    expect(card).to_be_focused()


def test_large_print(stage: MockScreen) -> None:
    """Cards and words are larger; marks have a contrast of seven to one, also those of unplayable cards."""
    wide, page = {}, stage.page
    for size in ("normal", "large", "huge"):
        stage.open("/about")
        stage.set_prefs(size=size)
        stage.show_match(reach("classic", 4, holds("W")))
        wide[size] = page.locator(".hand .face").first.evaluate("face => face.offsetWidth")
        if size != "normal":
            assert min(page.evaluate(_CONTRASTS)) >= 7
            assert (
                page.locator(".hand-card:not(.can) .face").first.evaluate("f => getComputedStyle(f).filter") == "none"
            )
    assert wide["normal"] * 1.15 < wide["large"] < wide["huge"]


@pytest.mark.parametrize(("can", "state"), [(True, "soon"), (False, "calm")])
def test_uno_is_lit_where_a_card_can_be_played(stage: MockScreen, can: bool, state: str) -> None:
    """Two cards of which none fits are no reason to call."""

    def has_two(match: Match) -> bool:
        table = match.round
        plays = [move for move in table.legal() if str(move)[0] in "RYGBW"]
        return table.decision == "play" and len(table.hand(table.turn)) == 2 and bool(plays) == can

    stage.show_match(reach("classic", 2, has_two))
    assert stage.page.locator(".uno-button").get_attribute("data-state") == state
