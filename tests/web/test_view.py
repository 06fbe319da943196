"""The page's interpretation of a table's options: whether drawing is passing, and which tips are true."""

from __future__ import annotations

import random
from typing import Any

import pytest

from lastcard.game.options import OPTIONS
from lastcard.game.rulesets import PRESETS, ruleset
from lastcard.match.refusals import seats_with_effective_call
from lastcard.match.round import Round
from support.modules import ModulesPage
from support.random_play import try_random_move


@pytest.mark.parametrize(
    ("rules", "draws", "discards", "dry"),
    [
        ("classic", 0, 1, True),
        ("classic", 0, 2, False),
        ("classic", 1, 1, False),
        ("classic+reshuffle=eager", 0, 1, True),
        ("classic+reshuffle=keep_none", 0, 1, False),
        ("classic+reshuffle=keep_none", 0, 0, True),
    ],
)
def test_drawing_is_passing_where_nothing_can_be_drawn(
    modules: ModulesPage, rules: str, draws: int, discards: int, dry: bool
) -> None:
    """CO-34; with keep_none the top discard can be drawn, too (LC-10)."""
    page = modules.open("en", "cards/view.js")
    shown = {"rules": rules, "draw_count": draws, "discard_count": discards}
    assert page.evaluate("(shown) => isSupplyExhausted({ shown })", shown) == dry


@pytest.mark.parametrize(
    ("rules", "is_explained"),
    [
        ("classic", True),
        ("classic+uno_window=until_own_next_turn", True),
        ("classic+uno_window=no_penalty", False),
        ("all-wild+uno_window=automatic_call", False),
    ],
)
def test_the_race_for_uno_is_explained_only_where_it_applies(
    modules: ModulesPage, rules: str, is_explained: bool
) -> None:
    """LC-16: with automatic calls, or where nobody can be caught, nobody has to be quick."""
    page = modules.open("en", "game/tips.js")
    shown: dict[str, Any] = {"rules": rules, "decision": "play", "exposed": [], "discard_count": 1, "counts": [2, 2]}
    view = {"shown": shown, "turn": False, "hand": ["R1", "R2"], "game": {"mine": {}}, "seat": 0}
    tip = page.evaluate("(view) => tipFor({ ...view, cards: new Map() }, () => {})?.text ?? ''", view)
    assert ("UNO" in tip) == is_explained


def test_a_call_counts_where_the_library_says_so(modules: ModulesPage) -> None:
    """This holds for every kind of early call, whether or not a false call is punished."""
    faces, wanted = [], []
    for number, early in enumerate(OPTIONS["uno_early_call"].choices):
        for preset in PRESETS:
            rules = ruleset(f"classic+{preset}", {"uno_early_call": early})
            table = Round.deal(rules, 3, seed=number)
            rng = random.Random(number)
            for _ in range(300):
                if not try_random_move(table, rng):
                    continue
                face = table.public_state()
                calls = seats_with_effective_call(rules, face)
                for seat in range(3):
                    shown = {"rules": str(rules), "decision": face.decision, "turn": face.turn, "counts": face.counts}
                    faces.append({"shown": shown, "seat": seat})
                    wanted.append(seat in calls)
    assert 50 < sum(wanted) < len(wanted)
    page = modules.open("en", "cards/view.js")
    assert page.evaluate("(faces) => faces.map(canCall)", faces) == wanted
