"""Habits: of whom they are, where they apply, and that who has them wins."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest

from lastcard.bots.learned import WITH_HABITS, habits, thumb_weights
from lastcard.bots.networks import read_network
from lastcard.bots.registry import make_bots
from lastcard.bots.search import Effort, Search
from lastcard.engine import legal
from lastcard.engine.layout import MAX_ACTIONS
from lastcard.game import cards
from lastcard.game.actions import Move, action_move, parse_move
from lastcard.game.position import parse_position
from lastcard.learning import habits as learning
from lastcard.mind import habits as habit
from lastcard.mind import policy as thumb
from lastcard.mind import worth
from lastcard.mind.weighing import SHARES
from lastcard.play.round import Round
from support.compiled import PLAIN, compiled

ROUNDS: Final = 2 if PLAIN else 300
WITH = Effort(rollouts=400, deals=64, burn=50, horizon=0, habits=1, strays=0.25)
WITHOUT = replace(WITH, habits=0)
ALWAYS, SELDOM = SHARES, SHARES // 4


def test_what_ships_between_two_is_what_training_counts() -> None:
    """The habits of the player that training leaves in a file of that name, in the rounds of the seed of training."""
    assert {"all-wild"} == WITH_HABITS
    hasty = read_network(Path(__file__).with_name("hasty-all-wild.npy"))
    shipped = habits("all-wild")[: habit.ROWS_OF_TWO * habit.COLUMNS]
    assert np.array_equal(learning.to_order(learning.count_losses("all-wild", hasty, 1)), shipped)


def test_trials_teach_what_a_last_card_does(monkeypatch: pytest.MonkeyPatch) -> None:
    """At larger tables whoever lays the last card wins (AW-40), unless it is a Forced Swap (AW-45): better to draw."""
    trials = 200 if PLAIN else 60_000
    monkeypatch.setattr(learning, "TRIALS", trials)
    told: list[tuple[int, int]] = []
    losses = [learning.try_losses("all-wild", 1, lambda done, of: told.append((done, of))) for _ in range(2)]
    assert np.array_equal(*losses) and told[0] == (0, trials) and told[-1] == (trials, trials)
    for order in (learning.to_order(losses[0]), habits("all-wild")[habit.ROWS_OF_TWO * habit.COLUMNS :]):
        rows = order.reshape(-1, habit.COLUMNS)
        for hand, card, lays in (("W", cards.W, True), ("Wx", cards.W_SWAP, False)):
            fields: dict[str, Any] = {"rules": "all-wild", "hands": [hand, "W W", "W W"], "discard": "W"}
            row = rows[_find_row(Round.from_position(parse_position(fields))._tables, 0) - habit.ROWS_OF_TWO]
            assert PLAIN or (row[worth.kind_of(card)] > row[habit.HOLD]) == lays


@compiled
def _find_row(tables: Any, seat: int) -> int:
    return habit.find_row(tables[0], seat)


def test_a_row_is_an_order_of_acts() -> None:
    rows = habits("all-wild").reshape(habit.ROWS, habit.COLUMNS)
    assert (np.sort(rows, axis=1) == np.arange(habit.COLUMNS)).all()
    assert habits("classic").size == 0


@pytest.mark.parametrize(
    ("rules", "players", "effort", "expected"),
    [
        ("all-wild", 2, WITH, ALWAYS),
        ("all-wild+draw_then_play=never", 2, WITH, ALWAYS),
        ("all-wild", 3, WITH, SELDOM),
        ("all-wild+stacking=same", 10, WITH, SELDOM),
        ("all-wild+team_play", 4, WITH, 0),
        ("all-wild+forced_swap_target=not_player_with_one_card", 2, WITH, ALWAYS),
        ("all-wild+forced_swap_target=not_player_with_one_card", 4, WITH, 0),
        ("classic", 2, WITH, 0),
        ("all-wild", 2, WITHOUT, 0),
    ],
)
def test_where_they_apply(rules: str, players: int, effort: Effort, expected: int) -> None:
    table = Round.deal(rules, players, seed=3)
    view = table.view(table.turn)
    search = Search(effort)
    search.weigh(view, [move for move in view.legal if move.verb not in ("uno", "catch")][:2], 1)
    assert search.desk.weighings[0]["by_habit"] == expected


def test_whoever_plays_by_rules_of_thumb_is_taken_to() -> None:
    """At larger tables rounds are played out by habit as often as the others seem to stray from those rules."""
    shares = []
    for bot in ("sharp", "random"):
        table, bots = Round.deal("all-wild", 4, seed=6), make_bots([bot] * 4, bytes(32))
        for _ in range(24):
            table.do(table.turn, bots[table.turn].choose(table.view(table.turn)))
        view = table.view(table.turn)
        search = Search(WITH)
        search.weigh(view, [move for move in view.legal if move.verb not in ("uno", "catch")][:2], 1)
        shares.append(int(search.desk.weighings[0]["by_habit"]))
    assert shares[0] < SELDOM // 2 < SELDOM < shares[1] <= ALWAYS, shares


def test_who_can_lay_all_cards_in_a_row_does() -> None:
    """Skips and a Reverse keep the turn at two seats, so the whole hand goes (AW-40)."""
    fields: dict[str, Any] = {
        "rules": "all-wild",
        "hands": ["WS WS WR W W+4", "W"],
        "discard": "W",
    }
    view = Round.from_position(parse_position(fields)).view(0)
    moves = [parse_move("WS"), parse_move("W")]
    with_habits = {choice.move: choice.chance for choice in Search(WITH).weigh(view, moves, 1)}
    assert with_habits[moves[0]] == 1.0 > with_habits[moves[1]]


@compiled
def _choose(tables: Any, w: Any, table: Any, out: Any, may_hold: bool) -> int:
    """What somebody with habits does; by rules of thumb where there are none."""
    t = tables[0]
    if table.size == 0:
        return thumb.usual_act(t, w, out)
    return legal.canonical(t, t.turn & 15, habit.choose_by_habit(t, table, w, out, may_hold))


@pytest.mark.parametrize(
    ("rules", "players", "least"),
    [
        ("all-wild", 2, 0.58),
        ("all-wild+stacking=cross+forced_swap_target=not_player_with_one_card", 2, 0.45),
        ("all-wild", 4, 0.27),
        ("all-wild+stacking=cross", 5, 0.22),
    ],
)
def test_who_has_them_beats_rules_of_thumb(rules: str, players: int, least: float) -> None:
    """In many more rounds 68 % between two, about half by rules they were not made for, a third at four seats.

    Every act is allowed.
    """
    w, mine, none, out = (
        thumb_weights(rules, players),
        habits(rules),
        habits("classic"),
        np.zeros(MAX_ACTIONS, np.int64),
    )
    won = 0
    for number in range(ROUNDS):
        one = number % players
        table, drew = Round.deal(rules, players, seed=number // players), False
        acts: list[Move] = []
        while not table.over:
            seat = table.turn
            may_hold = not drew and len(acts) < 40 * players
            acts.append(action_move(_choose(table._tables, w, mine if seat == one else none, out, may_hold)))
            if seat == one and acts[-1].verb != "pass":
                drew = acts[-1].verb == "draw"
            table.do(seat, acts[-1])
        won += table.winner == one
    assert PLAIN or won > least * ROUNDS, won / ROUNDS
