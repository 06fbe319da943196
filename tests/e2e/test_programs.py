"""A seat for a program, from the lobby (docs/bot-protocol.md)."""

from __future__ import annotations

import shlex
import subprocess
import sys
from pathlib import Path
from typing import Final

from playwright.sync_api import expect

from support.live_server import LiveServer
from support.player import PHONE, Invite

GREEDY: Final = str(Path(__file__).parents[2] / "examples" / "bots" / "greedy.py")
START_TIMEOUT_MS: Final = 60_000
"""Two processes have to start first."""


def test_the_host_lets_a_program_play(live_server: LiveServer, invite: Invite) -> None:
    """The host picks it beside the levels, the shown command works unchanged, and choosing a level ends it."""
    ann = invite(live_server.url, "Ann", **PHONE)
    ann.make_table("classic")
    seats = ann.page.get_by_role("region", name="At the table")
    ann.page.get_by_role("button", name="Add bot").click()
    level = seats.get_by_role("combobox", name="How well")
    level.select_option(label="A program")
    dialog = ann.page.get_by_role("dialog", name="Let a program play here")
    command = shlex.split(dialog.get_by_label("Command").input_value())
    assert command[-2:] == ["python3", "my_bot.py"]
    dialog.get_by_role("button", name="Copy").click()
    expect(ann.page.get_by_text("Copied", exact=True)).to_be_visible()
    dialog.get_by_role("button", name="Close").click()
    expect(seats.get_by_text("program, not here yet")).to_be_visible()

    words = [sys.executable, "-m", *command[:-2], sys.executable, GREEDY]
    with subprocess.Popen(words, stderr=subprocess.PIPE, text=True) as bot:
        try:
            expect(seats.get_by_text("program", exact=True)).to_be_visible(timeout=START_TIMEOUT_MS)
            ann.wait_until_seated("greedy")
            level.select_option(label="Sharp")
            err = bot.communicate(timeout=60)[1]
        finally:
            bot.kill()
    assert bot.returncode == 0 and "the seat is taken away" in err
    expect(seats.get_by_text("program", exact=True)).to_have_count(0)
