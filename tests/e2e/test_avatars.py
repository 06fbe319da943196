"""A player has the same face wherever it is shown."""

from __future__ import annotations

import json
from typing import Final

import pytest
from playwright.sync_api import expect

from lastcard.game.rulesets import ruleset
from support.matches import random_match
from support.mock_screen import SIZES_PX, MockScreen
from support.page_readiness import import_expression

_AVATAR: Final = f"""async ([name, bot]) => {{
    const {{ avatar }} = await {import_expression("cards/avatars.js")};
    return avatar(name, {{ bot }}).innerHTML;
}}"""
"""The avatar of a bot or a person at a table."""
_SHOWN: Final = '(seat) => seat.querySelector(".avatar").innerHTML'


@pytest.mark.parametrize("size", SIZES_PX)
def test_bots_have_the_same_avatar_in_a_replay(stage: MockScreen) -> None:
    """The avatar is the same across the table and from the bot's own seat; a person is no bot of the same name."""
    replay = json.loads(random_match(3, ruleset("classic"), players=4, max_plies=60))
    replay |= {"names": ["Nova", "Nova 2", "Kit", "Helper"], "bots": [None, "expert", "casual", "casual"]}
    stage.open("/")
    stage.mock_answer("/replay", replay)
    stage.open("/match/m3")
    for seat, who in enumerate(zip(replay["names"], replay["bots"], strict=True)):
        face = stage.page.evaluate(_AVATAR, who)
        assert stage.page.locator(f".seats [data-seat='{seat}']").evaluate(_SHOWN) == face, who
    stage.page.locator("select").first.select_option("2")
    expect(stage.page.locator(".own")).to_be_visible()
    kit = stage.page.evaluate(_AVATAR, ("Kit", "casual"))
    assert stage.page.locator(".own").evaluate(_SHOWN) == kit
