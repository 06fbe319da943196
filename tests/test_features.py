"""Views as numbers: the row of a view, the row of compiled play, and what stands in both."""

from __future__ import annotations

import numpy as np
import pytest

from lastcard import Move, Round
from lastcard.envs.tables import Tables, Terms
from lastcard.errors import UsageError
from lastcard.features import features
from lastcard.kernel.layout import NOTHING

TABLES = [
    ("all-wild", 2),
    ("all-wild", 5),
    ("all-wild+stacking=cross+jump_in", 4),
    ("classic", 2),
    ("classic", 4),
    ("classic", 10),
    ("classic+harsh", 3),
    ("classic+living-room", 4),
    ("classic+challenge_by=anyone", 4),
    ("classic+seven_zero+seven_zero_last=effect", 4),
    ("classic+team_play", 4),
    ("classic+reshuffle=keep_none+hand_size=10", 8),
    ("wild-jackpot", 2),
    ("wild-jackpot", 6),
    ("wild-jackpot+wj_discard_jackpot=pull+wj_last_jackpot=pull+jump_in", 4),
    ("wild-jackpot+wj_number_distribution=0-9_random", 3),
]


def play_beside(rules: str, players: int, calls: str, dtype: str, seed: int, plies: int):
    """Play in compiled code and through ``Round`` at once; yields both before every act."""
    tables = Tables(Terms(rules, players, calls=calls), 1, dtype=dtype, seed=seed)
    tables.begin()
    rng = np.random.default_rng(seed)
    table = None
    for _ in range(plies):
        desk = tables._desks[0]
        if table is None:
            key = tables._tables[0]["key"].astype("<u4").tobytes()
            number = int(desk["number"]) - 1
            table = Round.deal(tables.terms.ruleset, players, seed=key, dealer=number % players, number=number)
        yield tables, table, int(desk["seat"]), bool(desk["reacts"])
        choice = rng.choice(np.flatnonzero(tables.masks[0]))
        move = tables.actions.decode(int(choice), int(desk["seat"]), players)
        seat = int(desk["seat"])
        tables.step(np.array([choice]))
        if move is not None:
            table.do(seat, move)
        if tables.ended[0]:
            assert table.over and (tables.rewards[0].argmax() == table.winner or table.void or "team" in rules)
            table = None


@pytest.mark.parametrize("calls", ["automatic", "decisions"])
@pytest.mark.parametrize(("rules", "players"), TABLES)
def test_a_view_and_compiled_play_give_the_same_row_and_mask(rules: str, players: int, calls: str) -> None:
    layout = Terms(rules, players, calls=calls).features
    for tables, table, seat, reacts in play_beside(rules, players, calls, "uint8", 7, 400):
        view = table.view(seat)
        row = layout.observe(view, np.zeros(layout.size, np.uint8), reacts=reacts)
        differing = [name for name, at in layout.fields.items() if (row[at] != tables.rows[0][at]).any()]
        assert not differing, (rules, differing)
        assert (layout.mask(view, reacts=reacts) == tables.masks[0]).all()
        legal = {layout.actions.decode(int(k), seat, players) for k in np.flatnonzero(tables.masks[0])}
        assert legal - {None} <= set(view.legal)
        if not reacts:
            left_out = {m for m in view.legal if m.verb != "uno"} - legal
            assert not left_out
