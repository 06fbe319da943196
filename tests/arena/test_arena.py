"""The arena: duplicate deals, and the same result however the work is divided."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from multiprocessing import active_children
from pathlib import Path
from typing import Any

import pytest

from lastcard.analysis.luck import measure_luck
from lastcard.arena import deals
from lastcard.arena.arena import ArenaResult, run_arena
from lastcard.arena.deals import Plan, RoundLuck, RoundResult, Seating, play_counted
from lastcard.bots.base import ATTENTIVE, Behavior, Bot
from lastcard.bots.registry import LEVELS, make_bot
from lastcard.bots.simple_bots import RandomBot
from lastcard.errors import UsageError
from lastcard.game.moves import Move
from lastcard.match.round import Round
from lastcard.match.view import View


def make_plan(bots: str, players: int = 2, rules: str = "classic", behavior: Behavior | None = ATTENTIVE) -> Plan:
    return Plan.make(rules, players, bots.split(","), "arena", behavior)


def without_times(result: ArenaResult) -> dict[str, Any]:
    """The result without fields that depend on the machine."""
    return {key: value for key, value in result.as_dict().items() if key != "times"}


# --- deals ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("bots", "players", "seating_count"),
    [
        ("sharp,random", 2, 1),
        ("sharp,random", 3, 1),
        ("sharp,random,random,random", 4, 1),
        ("sharp,random", 4, 2),
        ("sharp,casual,random", 3, 2),
        ("sharp,casual,random,learner", 4, 6),
    ],
)
def test_every_bot_sits_in_every_seat_equally_often(bots: str, players: int, seating_count: int) -> None:
    plan = make_plan(bots, players)
    found = set()
    for number in range(60):
        seatings = plan.seatings(number)
        assert len(set(seatings)) == len(seatings)
        assert all(Counter(seating) == Counter(plan.bots) for seating in seatings)
        for seat in range(players):
            there = Counter(seating[seat] for seating in seatings)
            assert all(there[name] * players == len(seatings) * plan.bots.count(name) for name in plan.kinds)
        found.add(frozenset(seatings))
    assert len(found) == seating_count  # every order of seats occurs


def test_partners_stay_partners() -> None:
    plan = make_plan("sharp,random", 4, "classic+team_play")
    for number in range(10):
        assert set(plan.seatings(number)) == {("sharp", "random") * 2, ("random", "sharp") * 2}


def test_a_deal_is_the_same_for_every_seating(monkeypatch: pytest.MonkeyPatch) -> None:
    dealt: list[tuple[int, bytes]] = []

    def play(table: Round, bots: Sequence[Bot], names: Seating, luck: RoundLuck | None) -> RoundResult:
        dealt.append((table.dealer, table.state_bytes()))
        return play_counted(table, bots, names, luck)

    monkeypatch.setattr(deals, "play_counted", play)
    plan = make_plan("sharp,trained,random", 3)
    for number in range(4):
        plan.play(number)
    assert [dealt.count(table) for table in dealt] == [3] * 12
    assert [dealer for dealer, _ in dealt[::3]] == [0, 1, 2, 0]


def test_behavior_is_shared_or_set_by_level() -> None:
    def manners_of(plan: Plan) -> object:
        return getattr(plan.make_bot("learner"), "behavior", None)

    assert LEVELS["learner"].behavior != ATTENTIVE
    assert manners_of(make_plan("learner", behavior=None)) == LEVELS["learner"].behavior
    assert manners_of(make_plan("learner")) == ATTENTIVE


def test_every_bot_of_every_deal_has_chance_of_its_own() -> None:
    plan = make_plan("random")
    assert (
        len({getattr(plan.make_bot("random", number, seat), "seed", None) for number in (0, 1) for seat in (0, 1)}) == 4
    )


# --- luck -------------------------------------------------------------------------------------------


def test_luck_is_measured_on_request_and_saved(tmp_path: Path) -> None:
    """Luck is the same for one process, two workers, and from a file; the rounds are those played without it."""
    bots, file = ["trained", "random"], tmp_path / "deals.jsonl"
    alone = run_arena("classic", 2, bots, 4, "luck", luck=measure_luck, workers=1, resume=file)
    shared = run_arena("classic", 2, bots, 4, "luck", luck=measure_luck, workers=2)
    resumed = run_arena("classic", 2, bots, 4, luck=measure_luck, workers=1, resume=file)
    assert without_times(alone) == without_times(shared) == without_times(resumed)
    rounds, plain = [list(made.rounds()) for made in (alone, run_arena("classic", 2, bots, 4, "luck", workers=1))]
    assert [played._replace(luck=()) for _, _, played in rounds] == [played for _, _, played in plain]
    assert all(sum(played.luck) == pytest.approx(0, abs=0.1) for _, _, played in rounds)
    assert len({played.luck for _, _, played in rounds}) > 4


def test_luck_that_is_missing_from_a_file_is_damage(tmp_path: Path) -> None:
    file = tmp_path / "deals.jsonl"
    run_arena("classic", 2, ["sharp", "random"], 2, 1, luck=measure_luck, workers=1, resume=file)
    head, first, second = file.read_bytes().splitlines()
    lines = [head, re.sub(rb",\[[-0-9.]+,[-0-9.]+\]\]", b"]", first), second, b""]
    assert lines[1] != first
    file.write_bytes(b"\n".join(lines))
    with pytest.raises(UsageError, match="line 2 is damaged"):
        run_arena("classic", 2, ["sharp", "random"], 2, 1, luck=measure_luck, workers=1, resume=file)


# --- reproducibility --------------------------------------------------------------------------------


def test_the_same_seed_gives_the_same_result(tmp_path: Path) -> None:
    """The number of workers does not matter, nor an interruption in the middle of a line."""
    file = tmp_path / "deals.jsonl"
    game, bots = "wild-jackpot", ["casual", "random"]
    alone = run_arena(game, 3, bots, 12, "same", behavior=None, workers=1)
    run_arena(game, 3, bots, 5, "same", behavior=None, workers=1, resume=file)
    with file.open("a", encoding="utf-8") as stream:
        stream.write('{"deal": 5, "rou')
    ticks: list[object] = []
    together = run_arena(game, 3, bots, 12, behavior=None, workers=2, resume=file, progress=ticks.append)
    assert without_times(alone) == without_times(together)
    assert [row[1:] for row in alone.rounds()] == [row[1:] for row in together.rounds()]
    assert len(ticks) == 12
    assert len(file.read_bytes().splitlines()) == 13
    assert without_times(run_arena(game, 3, bots, 12, "other", behavior=None, workers=1)) != without_times(alone)


def test_a_worker_that_is_killed_is_noticed_and_none_is_left() -> None:
    def kill(verdict: object) -> None:
        for worker in active_children():
            worker.kill()

    with pytest.raises(UsageError, match="a worker ended"):
        run_arena("classic", 2, ["sharp", "random"], 2000, 1, workers=2, progress=kill)
    assert active_children() == []


def test_saved_deals_are_not_played_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "deals.jsonl"
    first = run_arena("classic", 2, ["sharp", "random"], 4, 1, workers=1, resume=file)
    monkeypatch.setattr(Plan, "play", lambda plan, number: pytest.fail(f"deal {number} is played again"))
    assert without_times(run_arena("classic", 2, ["sharp", "random"], 4, 1, resume=file)) == without_times(first)
    assert len(run_arena("classic", 2, ["sharp", "random"], 3, resume=str(file)).deals) == 3


@pytest.mark.parametrize(
    "line",
    [
        b"[1]",
        b'{"deal":-1,"rounds":[],"clocks":{}}',
        b'{"deal":0,"rounds":[[7,false,1,[0,0],[0,0]],[0,false,1,[0,0],[0,0]]],"clocks":{}}',
        b"\xff\0",
        b"[" * 100_000,
    ],
    ids=["list", "number", "winner", "bytes", "deep"],
)
def test_damage_in_the_middle_is_refused_and_at_the_end_dropped(line: bytes, tmp_path: Path) -> None:
    file = tmp_path / "deals.jsonl"
    whole = without_times(run_arena("classic", 2, ["sharp", "random"], 2, 1, workers=1, resume=file))
    head, first, second = file.read_bytes().splitlines()
    file.write_bytes(b"\n".join([head, line, first, second, b""]))
    with pytest.raises(UsageError, match="line 2 is damaged"):
        run_arena("classic", 2, ["sharp", "random"], 2, 1, workers=1, resume=file)
    file.write_bytes(b"\n".join([head, first, line, b""]))
    assert without_times(run_arena("classic", 2, ["sharp", "random"], 2, 1, workers=1, resume=file)) == whole
    assert len(file.read_bytes().splitlines()) == 3


@pytest.mark.parametrize("content", [b"\n", b"lunch\n", b"[]\n", b"{}\n", b"[" * 100_000])
def test_a_file_that_is_no_arena_is_unchanged(content: bytes, tmp_path: Path) -> None:
    file = tmp_path / "mine.txt"
    file.write_bytes(content)
    with pytest.raises(UsageError, match="is not the file of an arena"):
        run_arena("classic", 2, ["sharp", "random"], 1, 1, workers=1, resume=file)
    assert file.read_bytes() == content


def test_an_empty_file_or_cut_first_line_is_overwritten(tmp_path: Path) -> None:
    file = tmp_path / "deals.jsonl"
    file.touch()
    first = run_arena("classic", 2, ["sharp", "random"], 1, 1, workers=1, resume=file)
    head, _ = file.read_bytes().splitlines()
    file.write_bytes(head)
    assert without_times(run_arena("classic", 2, ["sharp", "random"], 1, workers=1, resume=file)) == without_times(
        first
    )
    assert [line[:9] for line in file.read_bytes().split(b"\n")] == [head[:9], b'{"deal":0', b""]


@pytest.mark.parametrize(
    ("change", "what"),
    [
        ({"rules": "all-wild"}, "rules"),
        ({"bots": ["random", "sharp"]}, "bots"),
        ({"seed": 2}, "seed"),
        ({"behavior": None}, "manners"),
        ({"luck": measure_luck}, "adjusted"),
    ],
)
def test_another_arenas_file_is_refused(change: dict[str, Any], what: str, tmp_path: Path) -> None:
    file = tmp_path / "deals.jsonl"
    wanted: dict[str, Any] = {"rules": "classic", "players": 2, "bots": ["sharp", "random"], "rounds": 1, "seed": 1}
    run_arena(**wanted, workers=1, resume=file)
    before = file.read_bytes()
    with pytest.raises(UsageError, match=f"another arena, of {what}"):
        run_arena(**wanted | change, workers=1, resume=file)
    assert file.read_bytes() == before


def test_deals_of_other_code_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "deals.jsonl"
    run_arena("classic", 2, ["sharp", "random"], 1, 1, workers=1, resume=file)
    monkeypatch.setattr(deals, "read_code_key", lambda: "a changed bot")
    with pytest.raises(UsageError, match="another arena, of code"):
        run_arena("classic", 2, ["sharp", "random"], 1, 1, workers=1, resume=file)


# --- invalid plans ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("players", "bots", "rounds", "workers"),
    [
        (1, ["random"], 5, 1),
        (11, ["random"], 5, 1),
        (2, [], 5, 1),
        (2, ["random"] * 3, 5, 1),
        (2, ["nobody"], 5, 1),
        (2, ["random"], 0, 1),
        (2, ["random"], 10**12, 1),
        (2, ["random"], 5, 0),
        (2, ["random"], 5, 10**6),
        (2, "random", 5, 1),
        (2, ["random"], 1.5, 1),
        (2, ["random"], "5", 1),
        (2, ["random"], 5, 1.5),
    ],
)
def test_invalid_arenas_are_refused(players: int, bots: list[str], rounds: Any, workers: Any) -> None:
    with pytest.raises(UsageError):
        run_arena("classic", players, bots, rounds, workers=workers)


def test_a_refused_move_names_the_deal(monkeypatch: pytest.MonkeyPatch) -> None:
    class Cheat(RandomBot):
        def choose(self, view: View) -> Move:
            return Move("catch", target=view.seat)

    monkeypatch.setattr(deals, "make_bot", lambda name, seed, seat, behavior: Cheat(seed))
    with pytest.raises(UsageError, match=r"deal 0, .*random.* at the table: "):
        run_arena("classic", 2, ["random"], 1, workers=1)


# --- strength ---------------------------------------------------------------------------------------


def test_equal_bots_share_every_deal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Duplicate deals cancel the luck of the deal, here to the last point."""
    monkeypatch.setattr(deals, "make_bot", lambda name, *rest: make_bot("random", *rest))
    result = run_arena("classic", 2, ["random", "twin"], 40, "twins", workers=1)
    for entry in result.entries.values():
        assert (entry.wins.low, entry.wins.value, entry.wins.high) == (0.5, 0.5, 0.5)
    assert result.entries["random"].points == result.entries["twin"].points


def test_sharp_beats_random_clearly() -> None:
    """A clear gap at 400 duplicate rounds (200 deals in two seatings)."""
    result = run_arena("classic", 2, ["sharp", "random"], 200, "gap", workers=1)
    sharp, random = result.entries["sharp"], result.entries["random"]
    assert sum(len(deal.rounds) for deal in result.deals) == 400
    assert sharp.wins.low > 0.52
    assert sharp.points.low > random.points.high
    assert sharp.rating is not None and random.rating is not None
    assert sharp.rating.low > random.rating.high
    assert sharp.times.choose.count > 200
