"""Waiting for a seat: a press is seen at once, and another one takes it back, however slow the line is."""

from __future__ import annotations

from typing import Final

import pytest
from msgspec.structs import replace
from playwright.sync_api import Locator, expect

from lastcard.server.wire.parts import Guest, TableState
from support.settling import awake
from support.situations import decides, reach
from support.stage import SIZES, YOU, SetStage, Stage, seat_of, table_of

ON_BOTH: Final = pytest.mark.parametrize(("width", "height"), SIZES)


def watch(stage: Stage) -> TableState:
    """Look on at a match; the table of the stage answers nothing by itself."""
    stage.play(reach("classic", 4, decides("play")), watching=True)
    table: TableState = replace(stage.welcome["table"], guests=(Guest(YOU, "Eva", queued=False),))
    stage.say(type="table", table=table)
    return table


def sent(stage: Stage) -> list[str]:
    """What was asked of the server about seats."""
    return [message["type"] for message in stage.sent if message["type"] in ("sit", "stand")]


def is_pressed(stage: Stage, button: Locator) -> None:
    """It has another text before the server has said anything."""
    expect(button).to_contain_text(stage.t("web.game.queued"), timeout=300)


@ON_BOTH
def test_a_press_is_seen_at_once_and_taken_back_by_another(set_stage: SetStage, width: int, height: int) -> None:
    """What the server says of it meanwhile, and what it still says of the time before, changes nothing."""
    stage = set_stage(width, height)
    table = watch(stage)
    button = stage.page.locator(".tray-answers button")
    expect(button).to_have_text(stage.t("web.game.sit"))
    button.click()
    is_pressed(stage, button)
    awake(stage.page)  # the next press is no half of a double click
    stage.say(type="table", table=replace(table, paused=True))
    stage.say(type="table", table=table)
    is_pressed(stage, button)
    waits = replace(table, guests=(Guest(YOU, "Eva", queued=True),))
    stage.say(type="table", table=waits)
    is_pressed(stage, button)
    button.click()
    expect(button).to_have_text(stage.t("web.game.sit"), timeout=300)
    stage.wait_for("stand")
    assert sent(stage) == ["sit", "stand"]


@ON_BOTH
def test_a_refused_press_is_undone(set_stage: SetStage, width: int, height: int) -> None:
    """The reason is said."""
    stage = set_stage(width, height)
    watch(stage)
    button = stage.page.locator(".tray-answers button")
    button.click()
    is_pressed(stage, button)
    text = "No match begins now."
    stage.say(type="refused", id=None, code="draining", clause=None, text=text, late=None)
    expect(stage.page.locator(".toast")).to_contain_text(text)
    expect(button).to_have_text(stage.t("web.game.sit"))


@ON_BOTH
def test_the_lobby_shows_it_at_once_too(set_stage: SetStage, width: int, height: int) -> None:
    """All seats belong to people there."""
    stage = set_stage(width, height)
    guests = (Guest(YOU, "Eva", queued=False),)
    stage.at_table(table_of("lobby", (seat_of("Ben"), seat_of("Chloé")), guests=guests, host="Ben"))
    stage.press("web.lobby.queue")
    expect(stage.page.locator(".guests")).to_contain_text(stage.t("web.lobby.queued"), timeout=300)
    stage.press("web.lobby.unqueue")
    expect(stage.page.locator(".guests")).to_contain_text(stage.t("web.lobby.watching"), timeout=300)
    assert sent(stage) == ["sit", "stand"]
