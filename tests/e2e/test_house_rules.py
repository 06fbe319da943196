"""House rules: switches by the names that people know, found by a search, and shown as chips in the lobby."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from support.mock_screen import OWN_ID, MockScreen, seat_of, table_of
from support.screens import SCREENS


@pytest.mark.parametrize("size", [(390, 844), (1280, 800)])
def test_a_switch_turns_a_rule_on(stage: MockScreen) -> None:
    """The usual form is chosen, another is one choice away, and the search finds a rule by its name."""
    seats = (seat_of("Ada", player=OWN_ID), seat_of("Ben"), None, None)
    stage.show_table(table_of("lobby", seats, "classic"))
    stage.press("web.lobby.settings", within=".lobby")
    dialog = stage.page.get_by_role("dialog")
    expect(dialog.get_by_role("switch").first).to_be_visible()
    dialog.get_by_label(stage.text("web.settings.search")).fill("stacking")
    stacking = dialog.get_by_role("switch", name=stage.text("web.switch.stacking"))
    expect(dialog.get_by_role("switch", name=stage.text("web.switch.team_play"))).to_be_hidden()
    form = dialog.get_by_role("combobox", name=stage.text("web.switch.stacking"))
    expect(form).to_have_count(0)
    stacking.check()
    expect(form).to_have_value("same")
    form.select_option("cross")
    dialog.get_by_label(stage.text("web.settings.search")).fill("7-0")
    dialog.get_by_role("switch", name=stage.text("web.switch.seven_zero")).check()
    stage.press("web.settings.apply", within="dialog")
    stage.wait_for_message("configure")
    (sent,) = stage.messages("configure")
    assert sent["settings"]["rules"] == "classic+stacking=cross+seven_zero"


def test_the_lobby_shows_which_rules_are_on(stage: MockScreen) -> None:
    """Those of the preset too; every other change is in the list below."""
    SCREENS["lobby"](stage)  # classic+living-room+jump_in
    names = [stage.text(f"web.switch.{name}") for name in ("draw_mode", "wd4_mode", "stacking", "jump_in")]
    expect(stage.page.locator(".rule-chips li")).to_have_text(names)
    expect(stage.page.locator(".changes li")).to_have_count(4)
