"""Nothing covers what one needs: full hands, full tables, small and flat screens."""

from __future__ import annotations

import pytest

from support.screens import SCREENS
from support.situations import LONG, NAMES, full_hand, holds, reach
from support.stage import SetStage

SIZES = [(320, 568), (568, 320), (844, 390), (390, 844), (1280, 800)]
MANY = 25
WIDE = 40
"""Pixels of a card or a player that can be touched at least, where others overlap it."""

_OUT_OF_REACH = """([selector, smallest]) => [...document.querySelectorAll(selector)].filter((node) => {
    node.scrollIntoView({ block: "nearest", inline: "nearest" });
    const { left, right, top, bottom } = node.getBoundingClientRect();
    let reached = 0;
    for (let y = top + 4; y < bottom; y += 4) {
        const run = [...Array(Math.floor(right - left)).keys()].filter((x) =>
            node.contains(document.elementFromPoint(left + x, y))).length;
        reached = Math.max(reached, run);
    }
    return reached < smallest;
}).map((node) => node.getAttribute("aria-label"))"""
"""What cannot be touched over some width."""
_COVERED = """(selector) => [...document.querySelectorAll(selector)].filter((node) => {
    const { left, top, width, height } = node.getBoundingClientRect();
    const corners = [[0.5, 0.5], [0.5, 0.15], [0.5, 0.85], [0.15, 0.5], [0.85, 0.5]];
    return corners.some(([x, y]) => !node.contains(document.elementFromPoint(left + x * width, top + y * height)));
}).map((node) => node.getAttribute("aria-label") ?? node.textContent)"""
"""What is hidden by something else, or lies outside."""
_TOUCHING = """() => {
    const boxes = [...document.querySelectorAll(".hand .face")].map((face) => face.getBoundingClientRect());
    const above = Math.min(...boxes.map(({ top }) => top));
    const below = Math.max(...boxes.map(({ bottom }) => bottom));
    const others = ".tray, .uno-button, .draw-pile, .discard-pile, .seats .seat, .strip";
    return [...document.querySelectorAll(others)].filter((node) => {
        const { top, bottom, width } = node.getBoundingClientRect();
        return width && top < below - 1 && bottom > above + 13;
    }).map((node) => node.className);
}"""
"""What lies over the hand; a card that is raised may look over its edge."""
_OVERLAPPING = """() => {
    const boxes = [...document.querySelectorAll(".seats .seat button")].map((seat) => seat.getBoundingClientRect());
    return boxes.filter((a, i) => a.width < 44 || a.height < 44 || boxes.slice(i + 1).some((b) =>
        a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom)).length;
}"""
"""How many players are too small to be touched, or stand on another."""
UNO = ".uno-button"

QUESTIONS = [
    *("turn", "drawn", "challenge", "stack", "color", "pick a color", "pick a player", "pull", "perform", "throw"),
    *("bury", "choose", "take", "hint"),
]


@pytest.mark.parametrize("screens", [QUESTIONS[::2], QUESTIONS[1::2], ["advice", "chat", "menu", "log", "keys"]])
def test_uno_is_within_reach(set_stage: SetStage, screens: list[str]) -> None:
    """The button is never covered, however the phone is turned: not by a question, nor by what opens beside it."""
    stage = set_stage(*SIZES[0])
    covered = {}
    for name in screens:
        SCREENS[name](stage)
        assert stage.page.locator(UNO).count() == 1
        for size in (*SIZES, SIZES[0]):
            stage.resize(*size)
            covered[name, size] = stage.page.evaluate(_COVERED, UNO) + stage.page.evaluate(_TOUCHING)
    assert {where: what for where, what in covered.items() if what} == {}


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_a_hand_of_25_cards(set_stage: SetStage, width: int, height: int) -> None:
    """Every card can be touched, and the rest of the table with it (from 320 px, in both directions)."""
    stage = set_stage(width, height)
    stage.play(full_hand(4, MANY))
    assert stage.page.locator(".hand [data-card]").count() >= MANY
    assert stage.page.evaluate(_OUT_OF_REACH, [".hand [data-card]", WIDE]) == []
    assert stage.page.evaluate(_COVERED, f"{UNO}, .draw-pile, .tray-prompt") == []
    assert stage.page.evaluate(_TOUCHING) == []


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_ten_at_the_table(set_stage: SetStage, width: int, height: int) -> None:
    """All nine others can be seen and caught, whatever their names."""
    stage = set_stage(width, height)
    stage.play(reach("all-wild", 10, holds("Wx")), names=(*LONG, *NAMES[2:]))
    assert stage.page.locator(".seats .seat").count() == 9
    assert stage.page.evaluate(_OUT_OF_REACH, [".seats .seat button", WIDE]) == []
    assert stage.page.evaluate(_COVERED, f"{UNO}, .draw-pile") == []
    stage.page.locator('.hand [data-card="Wx"]').first.click()
    assert stage.page.evaluate(_TOUCHING) == []
    assert stage.page.locator(".tray-answers button").count() == 10
    assert stage.page.evaluate(_COVERED, UNO) == []


def test_ten_on_a_phone_on_its_side(set_stage: SetStage) -> None:
    """The nine others stand in one row, none on another, so each can be caught by a tap."""
    stage = set_stage(568, 320)
    stage.play(reach("all-wild", 10, holds("Wx")), names=(*LONG, *NAMES[2:]))
    assert stage.page.evaluate(_OVERLAPPING) == 0


def test_few_have_no_less_room_than_many(set_stage: SetStage) -> None:
    """Faces on a big screen are no smaller with four at the table than with ten."""
    wide = []
    for players in (4, 10):
        stage = set_stage(1280, 800)
        stage.play(reach("all-wild", players, holds("Wx")))
        wide.append(stage.page.locator(".seats .seat-face").first.evaluate("face => face.offsetWidth"))
    assert wide[0] >= wide[1]


def test_scores_have_more_room_than_buttons(set_stage: SetStage) -> None:
    """After the match, on the smallest phone."""
    stage = set_stage(320, 568)
    SCREENS["over"](stage)
    heights = "(parts) => parts.map(({ offsetHeight }) => offsetHeight)"
    scores, actions = stage.page.locator(".scores > *").evaluate_all(heights)
    assert scores > 2 * actions
    assert min(stage.page.locator(".scores-actions .button").evaluate_all(heights)) >= 44
