"""No bot knows more than its seat: two tables that differ only in hidden cards get the same answer."""

from __future__ import annotations

from collections import Counter

import pytest

from lastcard.bots.registry import BOTS, LEVELS, make_bot
from lastcard.bots.search import SearchBot
from support.information_sets import resample_hidden
from support.random_play import seeded, seeds, walk


@pytest.mark.parametrize("name", [*BOTS, *LEVELS])
def test_hidden_cards_change_no_answer(name: str) -> None:
    """Answers stay the same at random moments of random rounds, on the bot's turn and out of turn."""
    kind = LEVELS[name].bot if name in LEVELS else name
    bot = make_bot(name + (":rollouts=24:burn=10:deals=8" if kind == SearchBot.name else ""), b"\x05" * 32, 0)
    asked: Counter[str] = Counter()
    for seed in seeds(12):
        with seeded(seed) as rng:
            for table in walk(seed, rng, 60):
                if table.over or rng.random() > 0.25:
                    continue
                seat = table.turn if rng.random() < 0.7 else rng.randrange(table.players)
                one, two = (each.view(seat) for each in (table, resample_hidden(table, seat, rng)))
                if seat == table.turn:
                    asked[table.decision] += 1
                    assert bot.choose(one) == bot.choose(two)
                assert bot.react(one) == bot.react(two)
    assert asked["play"] > 20 and len(asked) > 2
