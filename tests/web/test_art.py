"""Pictures and motion: cards, the lever, and animations over the table."""

from __future__ import annotations

from typing import Literal

import pytest
from playwright.sync_api import expect

from lastcard.bots.personas import PERSONAS
from lastcard.bots.registry import LEVELS
from lastcard.bots.weights import styles
from lastcard.game.cards import CARD_NAMES, WILD, all_wild_deck, card_color, classic_deck, wild_jackpot_deck
from lastcard.game.options import LEVER_OUTCOMES
from lastcard.text.locale import catalog
from support.modules import ModulesPage
from support.pointers import box_of, middle_of

DECKS = {"all-wild": all_wild_deck, "classic": classic_deck, "wild-jackpot": wild_jackpot_deck}
FLIGHTS = """() => {
    const box = (left, top) => ({left, top, width: 60, height: 90});
    const layer = document.createElement("div");
    document.body.append(layer);
    globalThis.motion = new Motion(layer);
    return Promise.all([
        motion.draw(box(0, 0), box(400, 300), ["R5", "??", "W", "G+2"]),
        motion.deal(box(0, 0), [box(300, 0), box(0, 300)], 7),
        motion.swap(box(0, 0), box(300, 300), 3, 9),
        motion.reveal(box(0, 0), {left: 0, top: 300, width: 300, height: 120}, ["R5", "W"]),
        motion.stamp(box(0, 0), "UNO!"),
    ]);
}"""


@pytest.mark.parametrize("game", DECKS)
def test_no_two_cards_have_the_same_picture_even_without_color(modules: ModulesPage, game: str) -> None:
    """Color is never the only difference: outlines of two cards differ without fill."""
    page = modules.open("en", "cards/art.js")
    cards = sorted(set(DECKS[game]()))
    shapes = page.evaluate(
        """([codes, game]) => codes.map((code) => {
            const card = cardFace(code, {game});
            for (const part of card.querySelectorAll("*")) part.removeAttribute("class");
            return card.innerHTML;
        })""",
        [[CARD_NAMES[card] for card in cards], game],
    )
    assert len(set(shapes)) == len(cards)
    assert all("NaN" not in shape and "undefined" not in shape for shape in shapes)


def test_a_colored_card_bears_the_symbol_of_its_color(modules: ModulesPage) -> None:
    page = modules.open("en", "cards/art.js", "cards/glyphs.js")
    colored = [name for card, name in CARD_NAMES.items() if card_color(card) != WILD]
    bare = page.evaluate(
        """(codes) => codes.filter((code) => {
            const marks = [...cardFace(code).querySelectorAll("path.mark")];
            return !marks.some((mark) => mark.getAttribute("d") === SYMBOLS[code[0]]);
        })""",
        colored,
    )
    assert bare == []


def test_a_name_always_has_the_same_face(modules: ModulesPage) -> None:
    page = modules.open("en", "cards/art.js")
    faces = page.evaluate("() => ['Ada', 'Bartek', 'Ada'].map((name) => avatar(name).innerHTML)")
    assert faces[0] == faces[2] != faces[1]
    levels = [None, *LEVELS, "another"]
    bots = page.evaluate("(levels) => levels.map((bot) => avatar('Ada', {bot}).innerHTML)", levels)
    assert len(set(bots)) == len(levels)


def test_every_persona_has_its_own_avatar(modules: ModulesPage) -> None:
    """Those of one level share their shape, and no two are the same."""
    page = modules.open("en", "cards/art.js")
    people = [(regular.name, level) for level, regulars in PERSONAS.items() for regular in regulars]
    faces = page.evaluate("(all) => all.map(([name, bot]) => avatar(name, {bot}).innerHTML)", people)
    assert len(set(faces)) == len(people)
    shapes = page.evaluate(
        "(all) => all.map(([name, bot]) => avatar(name, {bot}).querySelector('path').getAttribute('d'))", people
    )
    assert len(set(shapes)) == len(PERSONAS)


def test_every_level_and_style_has_a_name() -> None:
    texts = catalog("en")
    assert all(f"web.style.{style}" in texts for style in ("none", *styles()))
    assert all(f"web.level.{level}" in texts and f"web.lobby.level.{level}" in texts for level in LEVELS)


def test_motion_ends_at_once_when_it_must(modules: ModulesPage) -> None:
    """Motion can be interrupted: a new state ends everything, and nothing is left on the screen."""
    page = modules.open("en", "motion/motion.js", styles=("cards/art.css",))
    moving, left = page.evaluate(
        f"""async () => {{
            const ended = ({FLIGHTS})();
            const layer = () => document.querySelectorAll(".motion-layer > *").length;
            const moving = document.getAnimations().length && layer();
            motion.finish();
            await ended;
            return [moving, [document.getAnimations().length, layer()]];
        }}"""
    )
    assert moving > 10
    assert left == [0, 0]


def test_motion_cleans_up_after_itself(modules: ModulesPage) -> None:
    page = modules.open("en", "motion/motion.js", styles=("cards/art.css",), motion="reduce")
    page.evaluate(FLIGHTS)
    left = "() => [document.getAnimations().length, document.querySelectorAll('.motion-layer > *').length]"
    assert page.evaluate(left) == [0, 0]


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_the_lever_stops_on_the_outcome(modules: ModulesPage, motion: Literal["no-preference", "reduce"]) -> None:
    page = modules.open("pl", "motion/lever.js", styles=("cards/art.css", "motion/lever.css"), motion=motion)
    page.evaluate("() => document.body.append(globalThis.lever = document.createElement('lc-lever'))")
    assert set(page.evaluate("() => OUTCOMES")) == set(LEVER_OUTCOMES)
    for outcome in LEVER_OUTCOMES if motion == "reduce" else LEVER_OUTCOMES[:1]:
        page.evaluate("(outcome) => lever.show(outcome)", outcome)
        expect(page.locator(".lever-result")).to_have_text(catalog("pl").text(f"lever.{outcome}"))
        seen = page.evaluate(
            """() => {
                const glass = document.querySelector(".lever-window").getBoundingClientRect();
                return document.elementsFromPoint(glass.x + glass.width / 2, glass.y + glass.height / 2)
                    .find((element) => element.classList.contains("lever-face")).innerHTML;
            }"""
        )
        assert seen == page.evaluate("(outcome) => outcomeIcon(outcome).outerHTML", outcome)


def test_the_lever_is_pulled_by_hand_and_by_key(modules: ModulesPage) -> None:
    page = modules.open("en", "motion/lever.js", styles=("cards/art.css", "motion/lever.css"))
    page.evaluate(
        """() => {
            globalThis.pulls = 0;
            globalThis.lever = document.createElement("lc-lever");
            document.body.append(lever);
            lever.addEventListener("pull", () => { pulls += 1; });
        }"""
    )
    handle = page.get_by_role("button", name=catalog("en").text("web.lever.pull"))
    expect(handle).to_be_disabled()
    page.evaluate("() => { lever.pullable = true; }")
    handle.press("Enter")
    assert page.evaluate("() => [pulls, lever.pullable]") == [1, False]
    x, y = middle_of(handle)[0], box_of(handle)["y"] + 16
    for far, pulls in ((40, 1), (120, 2)):
        page.evaluate("() => { lever.pullable = true; }")
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move(x, y + far, steps=4)
        page.mouse.up()
        assert page.evaluate("() => pulls") == pulls
