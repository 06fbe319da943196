"""No press is lost: if the page changes during one, it counts for the control on which it began."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple

import pytest
from msgspec.structs import replace
from playwright.sync_api import Locator, Route, expect

from lastcard.server.wire.parts import Guest
from lastcard.session.table_state import Vote
from support.mock_screen import OWN_ID, MockScreen, seat_of, table_of
from support.page_readiness import wait_until_pressable, wait_until_ready
from support.screens import SCREENS
from support.situations import decides, full_hand, reach

NOTICE: Final = "The server restarts at ten."
EDGE_PX: Final = 4.0
"""Pixels below the upper edge of a control: a control that moves down a little is no longer there."""


class Mouse:
    """Presses with a mouse.

    Args:
        stage: screen of the page.
    """

    def __init__(self, stage: MockScreen) -> None:
        self._mouse = stage.page.mouse

    def press(self, control: Locator, down: float = EDGE_PX) -> None:
        """Press the button of the mouse, some pixels below the upper edge."""
        at = place_in(control, down)
        self._mouse.move(at["x"], at["y"])
        self._mouse.down()

    def release(self) -> None:
        """Release it."""
        self._mouse.up()


class Finger:
    """Presses with a finger.

    Args:
        stage: screen of the page.
    """

    def __init__(self, stage: MockScreen) -> None:
        self._line = stage.page.context.new_cdp_session(stage.page)
        self._line.send("Emulation.setTouchEmulationEnabled", {"enabled": True})

    def press(self, control: Locator, down: float = EDGE_PX) -> None:
        """Put the finger down, some pixels below the upper edge."""
        self._line.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [place_in(control, down)]})

    def release(self) -> None:
        """Lift it."""
        self._line.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        self._line.send("Emulation.setTouchEmulationEnabled", {"enabled": False})


class SpaceBar:
    """Presses with the space bar.

    Args:
        stage: screen of the page.
    """

    def __init__(self, stage: MockScreen) -> None:
        self._keyboard = stage.page.keyboard

    def press(self, control: Locator) -> None:
        """Press the key."""
        control.focus()
        wait_until_pressable(control.page)
        self._keyboard.down(" ")

    def release(self) -> None:
        """Release it."""
        self._keyboard.up(" ")


def place_in(control: Locator, down: float) -> dict[str, float]:
    """A point in the middle of a control that takes presses, some pixels below its upper edge."""
    control.scroll_into_view_if_needed()
    wait_until_pressable(control.page)
    box = control.bounding_box()
    assert box is not None
    return {"x": box["x"] + box["width"] / 2, "y": box["y"] + down}


def show_table(stage: MockScreen, **changes: Any) -> None:
    """The server sends a changed table."""
    stage.welcome["table"] = replace(stage.welcome["table"], **changes)
    stage.send(type="table", table=stage.welcome["table"])


def change_seat(stage: MockScreen, seat: int, **changes: Any) -> None:
    """The server sends a changed seat."""
    seats = list(stage.welcome["table"].seats)
    seats[seat] = replace(seats[seat], **changes) if seats[seat] else seat_of(**changes)
    show_table(stage, seats=tuple(seats))


def somebody_sits(stage: MockScreen) -> None:
    """Somebody takes the last free seat."""
    change_seat(stage, 3, name="Dawid")


def somebody_is_ready(stage: MockScreen) -> None:
    """Another person wants to go on."""
    others = [seat for seat, info in enumerate(stage.welcome["table"].seats) if info.player not in (OWN_ID, None)]
    change_seat(stage, others[0], ready=True)


def move(stage: MockScreen, events: list[dict[str, Any]], *, public: Any = None, mine: Any = None) -> None:
    """The server sends events of the game."""
    game = stage.welcome["game"]
    picture = {"public": public or game.public, "mine": mine or game.mine, "clock": None}
    stage.send(type="moved", match="m1", ply=game.ply + 1, seat=1, move="uno", events=events, **picture)


def turn_passes(stage: MockScreen) -> None:
    """No card can be played any more, so all of them are reordered."""
    game = stage.welcome["game"]
    move(stage, [], public=replace(game.public, turn=1), mine=replace(game.mine, legal=()))


def cards_are_shown(stage: MockScreen) -> None:
    """Cards are shown beside the question."""
    seat = stage.welcome["game"].public.turn
    move(stage, [{"e": "shown", "seat": (seat + 1) % 4, "other": seat, "cards": ["R5"]}])


def notice_comes(stage: MockScreen) -> None:
    """A notice above the page moves all of it down."""
    show_table(stage, notice=NOTICE)


def card_is_laid(stage: MockScreen) -> None:
    """Another card is on the pile."""
    shown = stage.welcome["game"].public
    pile = (*shown.pile[-4:], "R5")
    move(stage, [], public=replace(shown, pile=pile, top="R5", discard_count=shown.discard_count + 1))


def start(stage: MockScreen) -> Locator:
    """The host can start."""
    seats = (seat_of("Ada", player=OWN_ID), seat_of("Ben"), seat_of("Chloé"), None)
    stage.show_table(table_of("lobby", seats))
    return stage.page.locator('[data-key="start"]')


def invite_bot(stage: MockScreen) -> Locator:
    """The host can give a seat to a bot."""
    start(stage)
    return stage.page.locator('[data-key="bot3"]')


def sit(stage: MockScreen) -> Locator:
    """A guest can take a seat."""
    table = table_of("lobby", (seat_of("Ben"), seat_of("Chloé"), None, None), host="Ben")
    stage.show_table(replace(table, guests=(Guest(OWN_ID, "Ada", queued=False),)))
    stage.wait_for_message("sit")  # a visitor takes a seat
    stage.sent.clear()
    return stage.page.locator('[data-key="sit2"]')


def agree(stage: MockScreen) -> Locator:
    """The person can agree to a pause."""
    stage.show_match(reach("classic", 4, decides("play")), seat=0)
    show_table(stage, vote=Vote(what="pause", by=1, target=None, yes=(1,), needed=4))
    return stage.page.get_by_role("button", name=stage.text("web.notice.yes"))


def go_on(stage: MockScreen) -> Locator:
    """The person can go on to the next round."""
    SCREENS["between"](stage)
    return stage.page.get_by_role("button", name=stage.text("web.score.next"))


def answer(stage: MockScreen) -> Locator:
    """The person can answer a question of the game."""
    SCREENS["challenge"](stage)
    return stage.page.locator(".action-bar-answers button.primary")


def card(stage: MockScreen) -> Locator:
    """The person has many cards and can press one that cannot be played; it is placed after those that can."""
    stage.show_match(full_hand(4, 25))
    stage.resize(568, 320)
    expect(stage.page.locator(".more-cards")).to_be_visible()
    return stage.page.locator(".hand-card:not(.can)").first


class PressCase(NamedTuple):
    """A press and a change of the page during it."""

    control: Callable[[MockScreen], Locator]
    change: Callable[[MockScreen], None]
    sends: str
    """The type of the command that the press sends."""
    shows: str
    """The visible result of the change."""


PRESS_CASES: Final = {
    "replaced in the lobby": PressCase(start, somebody_sits, "start", ".lobby-seat:has-text('Dawid')"),
    "replaced for a guest": PressCase(sit, somebody_sits, "sit", ".lobby-seat:has-text('Dawid')"),
    "another screen": PressCase(sit, lambda stage: show_table(stage, phase="writing"), "sit", ".writer"),
    "replaced in a notice": PressCase(
        agree, lambda stage: show_table(stage, vote=Vote("pause", 1, None, (1, 2), 4)), "pause", ".notice:has-text('2')"
    ),
    "replaced between rounds": PressCase(go_on, somebody_is_ready, "ready", ".scores-ready .ready"),
    "replaced among answers": PressCase(answer, cards_are_shown, "act", ".action-bar-answers button"),
    "moved in the document": PressCase(card, turn_passes, "why", ".hand:not(.choosing)"),
    "moved on the screen": PressCase(invite_bot, notice_comes, "setbot", f".notice:has-text('{NOTICE}')"),
}


@pytest.mark.parametrize("how", [Mouse, Finger, SpaceBar])
@pytest.mark.parametrize("case", PRESS_CASES)
def test_no_press_is_lost_when_the_page_changes(
    stage: MockScreen, case: str, how: type[Mouse | Finger | SpaceBar]
) -> None:
    """The press has its intended effect once, and the change is shown afterwards."""
    control, change, sends, shows = PRESS_CASES[case]
    pressed, hand = control(stage), how(stage)
    wait_until_ready(stage.page)
    hand.press(pressed)
    change(stage)
    stage.page.wait_for_timeout(50)
    wait_until_ready(stage.page)
    hand.release()
    expect(stage.page.locator(shows).first).to_be_visible()
    stage.wait_for_message(sends)
    wait_until_ready(stage.page)
    assert [message["type"] for message in stage.sent].count(sends) == 1


@pytest.mark.parametrize("how", [Mouse, Finger])
def test_no_press_is_lost_when_something_in_the_control_changes(stage: MockScreen, how: type[Mouse | Finger]) -> None:
    """A browser drops a press whose innermost element is removed from the document, even briefly."""
    SCREENS["turn"](stage)
    hand = how(stage)
    hand.press(stage.page.locator(".discard-pile"), 40)
    card_is_laid(stage)
    expect(stage.page.locator('.discard-pile[data-card="R5"]')).to_be_visible()
    hand.release()
    expect(stage.page.locator(".card-about")).to_be_visible()


def test_a_list_of_choices_stays_open_when_the_page_changes(stage: MockScreen) -> None:
    """The choice counts, and the change is shown afterwards."""
    seats = (seat_of("Ada", player=OWN_ID), seat_of("Ben"), seat_of("Mia", bot="casual"), None)
    stage.show_table(table_of("lobby", seats))
    level = stage.page.locator('[data-key="level2"]')
    level.click()
    somebody_sits(stage)
    stage.page.wait_for_timeout(300)
    assert level.evaluate("(level) => level.matches(':open')")
    stage.page.keyboard.press("ArrowDown")
    stage.page.keyboard.press("Enter")
    stage.wait_for_message("setbot")
    expect(stage.page.locator(".lobby-seat:has-text('Dawid')")).to_be_visible()
    assert [message["level"] for message in stage.sent if message["type"] == "setbot"] == ["sharp"]


@pytest.mark.parametrize("fits", [True, False])
def test_no_press_is_lost_while_an_answer_is_awaited(stage: MockScreen, fits: bool) -> None:
    """Settings are applied when the server has confirmed that the last change is consistent."""
    SCREENS["settings"](stage)
    held: list[Route] = []
    stage.page.route("**/api/rules", lambda route: held.append(route))
    dialog = stage.page.get_by_role("dialog")
    dialog.get_by_role("radio", name="5", exact=True).check()
    dialog.get_by_role("button", name=stage.text("web.settings.apply")).click()
    while not held:
        stage.page.wait_for_timeout(10)
    assert not [message for message in stage.sent if message["type"] == "configure"]
    answer = {"ok": True, "rules": "classic"} if fits else {"ok": False, "text": "That does not go together."}
    for number in range(1 if fits else 2):  # if it does not, a press asks once more
        while len(held) <= number:
            stage.page.wait_for_timeout(10)
        held[number].fulfill(json=answer)
    if fits:
        stage.wait_for_message("configure")
        expect(dialog).to_be_hidden()
    else:
        expect(dialog.get_by_role("alert")).to_have_text("That does not go together.")
        assert not [message for message in stage.sent if message["type"] == "configure"]


def test_no_press_is_lost_between_a_move_and_its_answer(stage: MockScreen) -> None:
    """The table shows an own move before the server has answered it; the next press is the next move."""
    SCREENS["turn"](stage)
    draw = stage.page.locator(".draw-pile")
    draw.click()
    stage.wait_for_message("act")
    draw.click()
    seat, game = stage.welcome["game"].public.turn, stage.welcome["game"]
    moved = {"events": [{"e": "drew", "seat": seat, "n": 1}], "public": game.public, "mine": game.mine, "clock": None}
    stage.send(type="moved", match="m1", ply=game.ply + 1, seat=seat, move="draw", **moved)
    stage.page.wait_for_function(
        "(ply) => document.querySelector('lc-game').session.game.ply === ply", arg=game.ply + 1
    )
    assert [message["type"] for message in stage.sent].count("act") == 1, "a second press is no second move"
    draw.click()
    wait_until_ready(stage.page)
    assert [message["type"] for message in stage.sent].count("act") == 2


def test_no_key_is_lost_when_a_form_is_drawn_anew(stage: MockScreen) -> None:
    """The focused element has the focus again at once."""
    SCREENS["write"](stage)
    form = stage.page.locator(".rule-card").first
    form.get_by_role("radio", name=stage.text("web.write.kind.effects")).check()
    verb = form.get_by_label(stage.text("web.write.verb"), exact=True)
    verb.focus()
    focused = verb.evaluate(
        """async (verb) => {
            verb.value = "skip";
            verb.dispatchEvent(new Event("change", { bubbles: true }));
            return [document.activeElement.dataset.key, document.activeElement === verb, document.activeElement.value];
        }"""
    )
    assert focused == ["verb0", False, "skip"]


def test_no_press_is_lost_when_its_panel_did_not_load(stage: MockScreen) -> None:
    """The page reports the error, and the next press tries again."""
    stage.open("/about")
    stage.page.reload()
    failing = [True]
    panels = "**/packs/panels.js*"
    stage.page.route(panels, lambda route: route.abort() if failing else route.continue_())
    SCREENS["turn"](stage)
    stage.press("web.table.menu")
    expect(stage.page.locator(".toast")).to_have_text(stage.text("web.page.failed"))
    stage.errors.clear()
    failing.clear()
    stage.press("web.table.menu")
    expect(stage.page.get_by_role("dialog")).to_be_visible()
