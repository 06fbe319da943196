"""The levels of bots at a table."""

from __future__ import annotations

import pytest

from lastcard.bots.personas import PERSONAS, list_persona_names
from lastcard.bots.registry import DEFAULT_LEVEL, LEVELS, make_bot
from lastcard.errors import UsageError
from lastcard.game.rulesets import MAX_PLAYERS


def test_levels_are_of_growing_attention() -> None:
    """A learner forgets more than a casual player, and a sharp one nothing."""
    calls = [level.behavior.calls for level in LEVELS.values()]
    assert list(LEVELS) == ["learner", "casual", "sharp", "expert", "master"]
    assert calls == sorted(calls) and calls[-1] == 100


def test_each_level_makes_its_bot() -> None:
    """The kind and the behavior are those of the level; each seat has random numbers of its own."""
    for name, level in LEVELS.items():
        bots = [make_bot(name, b"seed" * 8, seat) for seat in (0, 1)]
        assert {bot.name for bot in bots} == {level.bot}
        assert {bot.behavior for bot in bots} == {level.behavior}  # type: ignore[attr-defined]
        assert bots[0].seed != bots[1].seed  # type: ignore[attr-defined]


def test_unknown_levels_are_named() -> None:
    with pytest.raises(UsageError, match="learner, casual, sharp"):
        make_bot("godlike", b"", 0)


def test_there_is_a_name_for_every_seat() -> None:
    """The largest table may be all bots of one level; names of the level come first."""
    assert list(PERSONAS) == list(LEVELS) and DEFAULT_LEVEL in LEVELS
    for level, own in PERSONAS.items():
        for seat in range(MAX_PLAYERS):
            names = list_persona_names(level, seat)
            assert len(set(names)) == len(names) >= MAX_PLAYERS
            assert set(names[: len(own)]) == {regular.name for regular in own}
