"""Many rounds at once: compiled code plays the same as the bots."""

from __future__ import annotations

import math
import time

import numpy as np
import pytest

import lastcard
from lastcard.ai.rounds import CALLS, PLIES, SEATS, STUCK, VOID, WINNER
from lastcard.arena import simulation
from lastcard.arena.compiled_rounds import compiled_kind
from lastcard.arena.deals import Plan
from lastcard.arena.results import print_simulation
from lastcard.arena.simulation import play_rounds, score_rounds
from lastcard.arena.tally import Simulation, Tally, tally_rounds
from lastcard.bots.base import ATTENTIVE
from lastcard.errors import UsageError
from lastcard.match.match import score_round

RULES = (
    "classic",
    "all-wild",
    "wild-jackpot",
    "classic+stacking=same+jump_in+seven_zero",
    "classic+team_play",
)


def play_slowly(plan: Plan, rounds: int, monkeypatch: pytest.MonkeyPatch, *, moving: bool = False) -> np.ndarray:
    """Play the rounds one decision at a time."""
    with monkeypatch.context() as patch:
        patch.setattr(Plan, "compiled_kinds", lambda plan: None)
        return play_rounds(plan, rounds, 1, int, rotates_seats=moving)


@pytest.mark.parametrize("rules", RULES)
def test_sharp_plays_the_same_rounds(rules: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every move, card and call is the same, with jumps and teams too (LC-41, LC-46)."""
    for players in (4,) if "team" in rules else (2, 5):
        plan = Plan.make(rules, players, ["sharp"], "same")
        quick = play_rounds(plan, 12, 2, int, rotates_seats=True)
        assert np.array_equal(quick, play_slowly(plan, 12, monkeypatch, moving=True))


@pytest.mark.parametrize("bots", ["random", "sharp,random", "casual"])
def test_random_plays_alike(bots: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Compiled code has random numbers of its own; lengths, drawn cards and wins differ by chance (five sigma)."""
    plan = Plan.make("classic", 3, bots.split(","), "alike")
    slow, quick = play_slowly(plan, 120, monkeypatch), play_rounds(plan, 5000, 2, int)
    for column in (PLIES, CALLS, SEATS, SEATS + 1):
        a, b = slow[:, column], quick[:, column]
        error = math.sqrt(a.var() / len(a) + b.var() / len(b))
        assert abs(a.mean() - b.mean()) < 5 * error, column
    a, b = slow[:, WINNER] == 0, quick[:, WINNER] == 0
    assert abs(a.mean() - b.mean()) < 5 * math.sqrt(b.var() / len(a) + b.var() / len(b))


def test_an_interrupt_skips_the_remaining_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C during the report on the first rounds stops it: hundreds of further chunks stay unplayed."""
    begun: list[int] = []

    def play_piece(plan: Plan, kinds: list[int], moving: bool, first: int, outcomes: np.ndarray) -> int:
        begun.append(first)
        time.sleep(0.01)
        return len(outcomes)

    def interrupt(more: int) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(simulation, "_play_chunk", play_piece)
    with pytest.raises(KeyboardInterrupt):
        play_rounds(Plan.make("classic", 4, ["sharp"], "stop"), 1_000_000, 2, interrupt)
    assert len(begun) < 100


def test_the_public_function() -> None:
    """``simulate`` returns arrays with one entry for each round, the same with any number of threads."""
    progress: list[int] = []
    one = lastcard.simulate(
        "classic", players=3, rounds=4500, bots="random", seed=7, threads=1, progress=progress.append
    )
    two = lastcard.simulate("classic", players=3, rounds=4500, bots="random", seed=7, threads=2)
    assert len(one) == sum(progress) == 4500 and len(progress) == 3
    for name in ("winner", "plies", "points", "drawn", "calls"):
        assert np.array_equal(getattr(one, name), getattr(two, name)), name
    assert one.points.shape == one.drawn.shape == (4500, 3)
    assert one.wins.sum() + (one.winner < 0).sum() == 4500
    won = one.winner >= 0
    assert np.array_equal(one.points[np.arange(4500), one.winner][won], one.points.sum(1)[won])
    assert not one.points[~won].any()
    assert set(np.unique(one.winner)) <= {STUCK, VOID, 0, 1, 2}
    assert (one.calls >= won).all()  # a winner had one card before (CO-10)
    assert repr(one) == "<4,500 Rounds of classic: random, random, random>"
    shares = one.wins / 4500
    assert (abs(shares - 1 / 3) < 5 * math.sqrt(2 / 9 / 4500)).all()


def test_the_same_rounds_are_equal() -> None:
    """Results compare as values although most fields are arrays, so they can be searched for."""
    rounds, again, others = (lastcard.simulate("classic", players=2, rounds=5, seed=seed) for seed in (1, 1, 2))
    assert rounds == again and hash(rounds) == hash(again)
    assert rounds != others and rounds != "rounds"
    assert rounds != lastcard.simulate("classic", players=2, rounds=6, seed=1)
    again.drawn[0, 0] += 1
    assert rounds != again
    assert {rounds: 1, others: 2}[rounds] == 1


def test_other_bots_play_too() -> None:
    """Bots without compiled code play one decision at a time, with the same columns."""
    result = lastcard.simulate("all-wild", players=2, rounds=3, bots=["trained", "sharp"], seed=1)
    assert result.bots == ("trained", "sharp") and len(result) == 3
    assert (result.plies > 0).all() and result.drawn.sum() > 0


def test_bots_without_search_are_compiled() -> None:
    assert compiled_kind("sharp", None) == compiled_kind("heuristic", None) is not None
    assert compiled_kind("random", ATTENTIVE) is not None
    assert compiled_kind("learner", None) is None  # it forgets to call
    assert compiled_kind("casual", ATTENTIVE) is not None
    assert compiled_kind("casual", None) is None  # it forgets to call
    assert compiled_kind("sharp:style=hoarder", ATTENTIVE) is None
    assert compiled_kind("expert", None) is None


@pytest.mark.parametrize("rules", ["classic", "classic+scoring=tally", "classic+team_play"])
def test_scores(rules: str) -> None:
    """Scores are as a match counts them (CL-51, CL-52, LC-46)."""
    plan = Plan.make(rules, 4, ["random"], "scores")
    outcomes = play_rounds(plan, 200, 1, int)
    held = outcomes[:, SEATS + 4 :]
    points = score_rounds(plan.rules, outcomes[:, WINNER], held)
    for row, winner, left in zip(points.tolist(), outcomes[:, WINNER].tolist(), held.tolist(), strict=True):
        assert tuple(row) == score_round(plan.rules, (0,) * 4, winner if winner >= 0 else None, left)


def test_long_names_are_shown_whole(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    names = ["sharp:style=hoarder", "expert:rollouts=100,imagined=one,samples=3"]
    result = Simulation("classic", tuple(names), "00", 10, seats=[Tally()] * 2, kinds={name: Tally() for name in names})
    print_simulation(result)
    shown = capsys.readouterr().out
    assert "…" not in shown and max(map(len, shown.splitlines())) <= 80
    table = shown[shown.index(" Bot ") :]
    cells = "".join(line.split("│")[1].strip() for line in table.splitlines() if line.startswith("│"))
    assert cells == "".join(names)


def test_figures_and_names_are_whole_in_a_narrow_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each bot has a block of its own where the table does not fit."""
    monkeypatch.setenv("COLUMNS", "40")
    kinds = {"heuristic": Tally(wins=66, points=660), "random": Tally(wins=33)}
    print_simulation(Simulation("classic", (*kinds,), "00", 99, seats=[Tally()] * 2, kinds=kinds))
    shown = capsys.readouterr().out
    assert "…" not in shown
    block = shown[shown.index("Bot heuristic") : shown.index("Bot random")].split()
    assert block[block.index("Share") + 1] == "66.7%" and block[block.index("Wins") + 1] == "66"
    assert max(len(line) for line in shown[shown.index("Seat 0") :].splitlines()) <= 40


def test_a_tally_is_the_sum_of_its_rounds(monkeypatch: pytest.MonkeyPatch) -> None:
    plan = Plan.make("wild-jackpot", 3, ["sharp", "random"], "tally")
    outcomes = play_rounds(plan, 90, 1, int, rotates_seats=True)
    tally = tally_rounds(plan, 90)
    assert [seat.wins for seat in tally.seats] == [int((outcomes[:, WINNER] == seat).sum()) for seat in range(3)]
    assert [seat.drawn for seat in tally.seats] == outcomes[:, SEATS : SEATS + 3].sum(0).tolist()
    assert (tally.plies, tally.longest) == (outcomes[:, PLIES].sum(), outcomes[:, PLIES].max())
    # The second bot moves on one seat after each cycle of dealers.
    won = sum(int(row[WINNER] == (1 + i // 3) % 3) for i, row in enumerate(outcomes))
    assert tally.kinds["random"].wins == won


@pytest.mark.parametrize(
    "wrong",
    [
        {"rounds": 0}, {"rounds": 10**12}, {"rounds": 10**23}, {"threads": 0}, {"players": 1}, {"players": 2.0},
        {"players": "2"}, {"bots": []}, {"bots": "nobody"}, {"bots": ["sharp"] * 5},
        {"rounds": 2.0}, {"threads": 1.5}, {"threads": math.nan}, {"bots": None}, {"bots": [None]},
    ],
)  # fmt: skip
def test_invalid_arguments_are_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(UsageError):
        simulation.simulate(**wrong)  # type: ignore[call-overload]
