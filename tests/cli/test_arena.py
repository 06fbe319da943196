"""``lastcard arena`` at the command line (docs/arena.md)."""

from __future__ import annotations

import io
import json
import os
import random
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

import pytest
from pyarrow import parquet

from lastcard.analysis.luck import measure_luck
from lastcard.arena import results
from lastcard.arena.arena import ArenaResult, run_arena
from lastcard.arena.comparison import StoppingRule, Verdict
from lastcard.arena.deals import Deal, Luck, Plan, RoundResult
from lastcard.arena.decision_times import DecisionTimes
from lastcard.arena.standings import make_cross_table, make_entries
from lastcard.bots.base import ATTENTIVE
from lastcard.bots.statistics import Estimate
from lastcard.cli.main import main
from lastcard.game.rulesets import ruleset

BOTS = ("--bots", "heuristic,random,sharp")
"""Bots that play in compiled code."""


def arena_arguments(*args: str) -> list[str]:
    return ["arena", "--players", "3", "--seed", "1", "--workers", "1", "--rounds", "31", *args]


def test_tables_are_readable_at_80_columns(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arena_arguments(*BOTS)) == 0
    shown = capsys.readouterr()
    assert max(len(line) for line in shown.out.splitlines()) <= 80
    assert "classic, 3 seats: 31 deals in every seating, 93 rounds" in shown.out
    rows = [line.split() for line in shown.out.splitlines()]
    own, beside_others = [row for row in rows if row[:1] == ["3"]]
    assert own[1] == beside_others[1] in BOTS[1].split(",") and beside_others[-1] == "–"
    assert shown.err == ""


def test_the_sample_on_the_page_is_current(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Changed bots or rules require a new sample in docs/arena.md."""
    page = (Path(__file__).parents[2] / "docs" / "arena.md").read_text(encoding="utf-8")
    sample = page[page.index("classic, 3 seats: 100 deals") :].split("```")[0].split()
    command = "arena --players 3 --bots sharp,casual,random --rounds 100 --behavior level"
    assert f"`lastcard {command}`" in page
    monkeypatch.setenv("COLUMNS", "80")
    assert main([*command.split(), "--seed", sample[sample.index("Seed") + 1]]) == 0
    assert capsys.readouterr().out.split()[: len(sample)] == sample


@pytest.mark.parametrize("luck", [None, measure_luck])
def test_ten_bots_with_long_names_fit_in_80_columns(luck: Luck | None, capsys: pytest.CaptureFixture[str]) -> None:
    names = tuple(f"expert:rollouts={i}000" for i in range(10))
    plan = Plan(ruleset("all-wild"), names, bytes(32), ATTENTIVE, luck)
    dice = random.Random(10)
    deals = tuple(
        Deal(
            number,
            tuple(
                (seats, RoundResult(dice.randrange(10), False, 60, (250,) * 10, (9,) * 10, (7,) * 10, 12, (0.1,) * 10))
                for seats in plan.seatings(number)
            ),
            {name: DecisionTimes() for name in plan.bots},
        )
        for number in range(30)
    )
    results.print_arena(ArenaResult(plan, deals, make_entries(plan, deals), make_cross_table(plan, deals)))
    text = capsys.readouterr().out
    assert max(len(line) for line in text.splitlines()) <= 80
    assert "…" not in text
    assert [str(number) for number in range(1, 11)] in [line.split()[-10:] for line in text.splitlines()]
    # With one column more, names continue in the next line where each bot has its own.
    assert all(text.count(name) == (1 if luck else 2) for name in plan.bots)


def test_few_deals_have_no_intervals(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*arena_arguments("--bots", "sharp,random"), "--rounds", "2"]) == 0
    assert "Intervals need 30 deals." in capsys.readouterr().out


def test_until_it_is_certain(capsys: pytest.CaptureFixture[str]) -> None:
    command = ["arena", "--bots", "sharp,random", "--seed", "1", "--workers", "1"]
    assert main([*command, "--until", "95%"]) == 0
    assert "sharp is stronger: sharp won " in capsys.readouterr().out
    assert main([*command, "--until", "95", "--margin", "1", "--budget", "0s", "--json"]) == 0
    figures = json.loads(capsys.readouterr().out)
    assert figures["verdict"]["answer"] == "not decided yet" and figures["deals"] == 1


def test_a_sample_of_deals_is_played_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A changed figure is found, and the file stays as it is."""
    file = tmp_path / "deals.jsonl"
    command = ["arena", "--bots", "trained,sharp", "--rounds", "6", "--seed", "1", "--workers", "1"]
    assert main([*command, "--reduce-variance", "--resume", str(file)]) == 0
    written = file.read_bytes()
    capsys.readouterr()
    assert main(["arena", "--check", str(file), "--workers", "1"]) == 0
    assert capsys.readouterr().out == f"{file}: played 6 of 6 deals again, 0 differ\n"
    assert main(["arena", "--check", str(file), "--rounds", "2", "--workers", "2"]) == 0
    assert "played 2 of 6" in capsys.readouterr().out
    assert file.read_bytes() == written
    lines = written.splitlines(keepends=True)
    lines[4] = re.sub(rb'"rounds":\[\[([01])', lambda found: found[0][:-1] + b"10"[int(found[1]) :][:1], lines[4])
    file.write_bytes(b"".join(lines))
    assert main(["arena", "--check", str(file), "--workers", "1"]) == 1
    assert capsys.readouterr().out.endswith("6 deals again, 1 differ\ndifferent: 3\n")


def test_a_sample_of_rows_is_played_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Parquet has luck as 32-bit numbers, which the rows played again have too."""
    parquet = pytest.importorskip("pyarrow.parquet")
    file = tmp_path / "rounds.parquet"
    command = ["arena", "--bots", "trained,sharp", "--rounds", "4", "--seed", "1", "--workers", "1"]
    assert main([*command, "--reduce-variance", "--out", str(file)]) == 0
    capsys.readouterr()
    assert main(["arena", "--check", str(file), "--workers", "1"]) == 0
    assert capsys.readouterr().out == f"{file}: played 4 of 4 deals again, 0 differ\n"
    table = parquet.read_table(file)
    rows = table.to_pylist()
    rows[5]["plies"] += 1
    parquet.write_table(type(table).from_pylist(rows, schema=table.schema), file)
    assert main(["arena", "--check", str(file), "--workers", "1"]) == 1
    assert capsys.readouterr().out.endswith("4 deals again, 1 differ\ndifferent: 2\n")
    for other in (
        table.replace_schema_metadata({}),
        table.rename_columns([*table.column_names[1:], "deal"]).replace_schema_metadata(table.schema.metadata),
    ):
        parquet.write_table(other, file)
        assert main(["arena", "--check", str(file)]) == 2
        assert "has no rounds of an arena" in capsys.readouterr().err
    file.write_bytes(b"PAR1")
    assert main(["arena", "--check", str(file)]) == 2
    assert "has no rounds of an arena" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (None, "no such file"),
        (b'{"lastcard arena": 1, "seed": "00"}\n', "the description of its arena is damaged"),
        (b'{"lastcard arena": 1, "own": {"Mine": "0"}}\n', "not known by name"),
        (b'{"lastcard arena": 1, "code": "0", "rules": "classic", "bots": ["sharp", "random"], "manners": null, '
         b'"adjusted": null, "seed": "porch"}\n', "is of another arena, of code"),
    ],
)  # fmt: skip
def test_files_that_cannot_be_checked(
    content: bytes | None, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "deals.jsonl"
    if content is not None:
        file.write_bytes(content)
    assert main(["arena", "--check", str(file), "--workers", "1"]) == 2
    assert said in capsys.readouterr().err


def test_ctrl_c_prints_the_interval_so_far(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def interrupted(*args: object, progress: Callable[[Verdict], None], **options: object) -> NoReturn:
        share = Estimate(0.52, 0.03)
        progress(Verdict("master", ("expert",), 70, share, 0.5, StoppingRule()))
        raise KeyboardInterrupt

    monkeypatch.setattr("lastcard.arena.arena.run_arena", interrupted)
    assert main(["arena", "--bots", "master,expert", "--until", "95%"]) == 130
    said = capsys.readouterr().err
    assert (
        "stopped after 1 deals; not decided yet: master won 52.0% of 70 deals (even 50.0%; 49.0–55.0% with 95%" in said
    )
    assert "with --resume FILE they would have been kept" in said


def test_json_and_parquet_hold_the_same_results(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arena_arguments(*BOTS, "--json", "--out", str(tmp_path / "x.json"))) == 0
    printed = capsys.readouterr().out
    assert (tmp_path / "x.json").read_text(encoding="utf-8") == printed
    figures = json.loads(printed)
    files = [tmp_path / f"{name}.parquet" for name in ("x", "y")]
    for file in files:
        assert main(arena_arguments(*BOTS, "--out", str(file))) == 0
    table = parquet.read_table(files[0])
    assert table.equals(parquet.read_table(files[1]))
    manifests = [figures["manifest"], json.loads(table.schema.metadata[b"lastcard manifest"])]
    for manifest in manifests:
        assert manifest["command"].startswith(Path(sys.argv[0]).name)
        assert re.fullmatch("[0-9a-f]{16}", manifest["kernel"]) and manifest["processors"] >= 1
    rows = table.to_pylist()
    assert len(rows) == figures["rounds"] == 93
    head = json.loads(table.schema.metadata[b"lastcard arena"])
    assert head == {key: figures[key] for key in ("code", "rules", "bots", "manners", "adjusted", "seed")}
    result = run_arena("classic", 3, ["heuristic", "random", "sharp"], 31, 1, workers=1)
    for row, (deal, seating, played) in zip(rows, result.rounds(), strict=True):
        assert (row["deal"], row["dealer"], tuple(row["seats"])) == (deal.number, deal.number % 3, seating)
        assert (row["winner"], row["void"], row["stuck"]) == (played.winner, played.void, played.stuck)
        assert (row["plies"], tuple(row["points"]), tuple(row["drawn"])) == (played.plies, played.points, played.drawn)
    for name, entry in figures["entries"].items():
        won = [row["winner"] is not None and row["seats"][row["winner"]] == name for row in rows]
        assert entry["wins"]["value"] == pytest.approx(sum(won) / len(rows), abs=1e-6)
        assert entry["wins"]["low"] < entry["wins"]["value"] < entry["wins"]["high"]


def test_adjusted_shares_are_shown_and_saved(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The interval of the adjusted share is narrower."""
    file = tmp_path / "x.parquet"
    command = ["arena", "--bots", "trained,sharp", "--rounds", "40", "--seed", "1", "--workers", "1"]
    command += ["--resume", str(tmp_path / "deals"), "--reduce-variance"]  # played once
    assert main([*command, "--out", str(file), "--json"]) == 0
    entry = json.loads(capsys.readouterr().out)["entries"]["trained"]
    widths = [entry[name]["high"] - entry[name]["low"] for name in ("wins", "adjusted")]
    assert widths[1] < 0.9 * widths[0]
    assert all(len(row["luck"]) == 2 for row in parquet.read_table(file).to_pylist())
    assert main(command) == main(command[:-3]) == 0
    assert capsys.readouterr().out.count("Adjusted") == 1


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["--bots", ""], "no bot"),
        (["--bots", "sharp,,random"], "no bot"),
        (["--bots", "clever"], "clever"),
        (["--bots", "sharp,random,casual,learner"], "4 bots for 3 seats"),
        (["--bots", "sharp", "--rounds", "0"], "from 1 to 10,000,000, not 0"),
        (["--bots", "sharp", "--rounds", "many"], "invalid int"),
        (["--bots", "sharp", "--until", "95%"], "sharp cannot be compared with itself"),
        (["--bots", "sharp,random", "--until", "sure"], "a percentage is written as in 95%, not 'sure'"),
        (["--bots", "sharp,random", "--until", "100%"], "the confidence"),
        (["--bots", "sharp,random", "--until", "95%", "--margin", "0"], "the margin"),
        (["--bots", "sharp,random", "--until", "95%", "--budget", "10"], "a time is written as in 90s, 10m or 2h"),
        (["--check", "nowhere/x"], "no such file"),
        (["--bots", "sharp", "--players", "1"], "2 to 10"),
        (["--bots", "sharp", "--workers", "0"], "from 1 to 256, not 0"),
        (["--bots", "sharp", "--rules", "poker"], "poker"),
        (["--bots", "sharp", "--rules", "classic+team_play"], "4 players"),
        (["--bots", "sharp", "--behavior", "rude"], "invalid choice"),
        (["--bots", "sharp", "--out", "x.csv"], ".json or .parquet"),
        (["--bots", "sharp", "--out", "nowhere/x.json"], "cannot be written"),
        (["--bots", "sharp", "--out", "folder.json"], "cannot be written"),
        (["--bots", "sharp", "--resume", "nowhere/x"], "cannot be written"),
        (["--bots", "sharp", "--resume", "folder.json"], "cannot be read"),
        (["--bots", "sharp", "--resume", "x.json", "--out", "./x.json"], "another file"),
    ],
)
def test_bad_input_is_named_and_exits_2(
    args: list[str], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder.json").mkdir()
    assert main(arena_arguments(*args)) == 2
    shown = capsys.readouterr()
    assert said in shown.err and shown.out == ""
    assert "Traceback" not in shown.err
    assert [path.name for path in tmp_path.iterdir()] == ["folder.json"]


def test_a_result_never_takes_the_place_of_its_deals(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    deals, out = tmp_path / "deals.json", tmp_path / "result.json"
    deals.write_text("{}", encoding="utf-8")
    out.hardlink_to(deals)
    assert main(arena_arguments(*BOTS, "--resume", str(deals), "--out", str(out))) == 2
    assert "another file than the deals" in capsys.readouterr().err
    assert deals.read_text(encoding="utf-8") == "{}"


def test_a_result_is_written_though_the_reader_has_gone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The result may have taken hours; the reader is `head -1`."""

    class Gone(io.StringIO):
        def write(self, text: str) -> NoReturn:
            raise BrokenPipeError

    monkeypatch.setattr(sys, "stdout", Gone())
    assert main(arena_arguments(*BOTS, "--json", "--out", str(tmp_path / "result.json"))) == 141
    assert json.loads((tmp_path / "result.json").read_text(encoding="utf-8"))["entries"]


def test_parquet_names_the_extra_it_needs(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    assert main(arena_arguments(*BOTS, "--out", "x.parquet")) == 2
    assert "install lastcard[lab]" in capsys.readouterr().err


@pytest.mark.skipif(os.name == "nt", reason="signals of another kind")
def test_an_interrupted_arena_resumes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "deals.jsonl"
    command = [sys.executable, "-m", "lastcard", *arena_arguments(*BOTS), "--workers", "2", "--resume", str(file)]
    process = subprocess.Popen(
        [*command, "--rounds", "100000"], stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    deadline = time.monotonic() + 240  # on a busy machine with an empty cache every worker compiles first
    while time.monotonic() < deadline and process.poll() is None:
        if file.exists() and len(file.read_bytes().splitlines()) >= 6:
            break
        time.sleep(0.05)
    os.killpg(process.pid, signal.SIGINT)  # as Ctrl-C does: the workers get it too
    try:
        _, said = process.communicate(timeout=60)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        raise
    assert time.monotonic() < deadline, said
    assert process.returncode == 130
    assert "of 100000 deals" in said and "the same command goes on" in said
    assert "Traceback" not in said
    assert main(arena_arguments(*BOTS, "--resume", str(file), "--json")) == 0
    resumed = json.loads(capsys.readouterr().out)
    assert main(arena_arguments(*BOTS, "--json")) == 0
    straight = json.loads(capsys.readouterr().out)
    del resumed["times"], straight["times"]
    assert resumed == straight
