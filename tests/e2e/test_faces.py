"""Everybody has one face, wherever it is shown."""

from __future__ import annotations

import json
from typing import Final

import pytest
from playwright.sync_api import expect

from lastcard.game.rulesets import ruleset
from support.matches import random_match
from support.settling import imported
from support.stage import SIZES, SetStage

_FACE: Final = f"""async ([name, bot]) => {{
    const {{ avatar }} = await {imported("cards/avatars.js")};
    return avatar(name, {{ bot }}).innerHTML;
}}"""
"""How a bot, or a person, looks at a table."""
_SHOWN: Final = '(seat) => seat.querySelector(".avatar").innerHTML'


@pytest.mark.parametrize("size", SIZES)
def test_bots_look_in_a_replay_as_in_the_game(set_stage: SetStage, size: tuple[int, int]) -> None:
    """Across the table and, seen through their own eyes, on the line; a person is no bot of the same name."""
    stage = set_stage(*size)
    replay = json.loads(random_match(3, ruleset("classic"), players=4, plies=60))
    replay |= {"names": ["Nova", "Nova 2", "Kit", "Helper"], "bots": [None, "expert", "casual", "casual"]}
    stage.open("/")
    stage.answer("/replay", replay)
    stage.open("/match/m3")
    for seat, who in enumerate(zip(replay["names"], replay["bots"], strict=True)):
        face = stage.page.evaluate(_FACE, who)
        assert stage.page.locator(f".seats [data-seat='{seat}']").evaluate(_SHOWN) == face, who
    stage.page.locator("select").first.select_option("2")
    expect(stage.page.locator(".own")).to_be_visible()
    kit = stage.page.evaluate(_FACE, ("Kit", "casual"))
    assert stage.page.locator(".own").evaluate(_SHOWN) == kit
