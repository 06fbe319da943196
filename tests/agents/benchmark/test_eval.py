"""``lastcard eval`` against a scripted model: figures, records, resuming, and a key that is nowhere."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest

from lastcard.agents.benchmark import eval_report, eval_rounds, eval_run
from lastcard.agents.benchmark.eval_agents import ANSWERS_FILE
from lastcard.agents.benchmark.eval_report import Prices, format_table, make_report, read_scale
from lastcard.agents.benchmark.eval_rounds import RECORDS, DealFigures, RoundFigures
from lastcard.agents.benchmark.eval_run import DEALS_FILE
from lastcard.agents.benchmark.eval_suite import CELLS, SUITE, Cell
from lastcard.agents.benchmark.model_client import KEY_VARIABLE
from lastcard.analysis.chances import new_rollout_scratch
from lastcard.bots.evaluation import MoveEvaluator
from lastcard.bots.search import SearchConfig
from lastcard.cli import eval as command
from lastcard.cli.main import main
from lastcard.formats.record_files import read_record
from lastcard.formats.replay import verify_record
from support.model_servers import TOKENS_IN, TOKENS_OUT, Script, play_like, serve_model

ROOT = Path(__file__).parents[3]
KEY = "sk-secret-0123456789"
SMALL = (Cell("classic", 2, "casual"), Cell("all-wild", 2, "sharp"))


QUICK = MoveEvaluator(SearchConfig(rollouts=32, deals=4), SearchConfig(rollouts=32, deals=2)), new_rollout_scratch()


@pytest.fixture(autouse=True)
def small_suite(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two kinds of tables instead of all, a short search for lost chances, and an API key."""
    monkeypatch.setattr(eval_run, "CELLS", SMALL)
    monkeypatch.setattr(eval_report, "CELLS", SMALL)
    monkeypatch.setattr(eval_rounds, "_workspace", lambda thread: QUICK)
    monkeypatch.setenv(KEY_VARIABLE, KEY)


def evaluate(capsys: pytest.CaptureFixture[str], agent: str, out: Path, *options: str) -> dict[str, Any]:
    """The report of a run that ends well."""
    assert main(["eval", "--agent", agent, "--out", str(out), "--json", *options]) == 0
    printed = capsys.readouterr()
    assert KEY not in printed.out + printed.err
    report: dict[str, Any] = json.loads(printed.out)
    return report


def read_deals(out: Path) -> list[DealFigures]:
    lines = (out / DEALS_FILE).read_text().splitlines()[1:]
    return [msgspec.json.decode(line, type=DealFigures) for line in lines]


@pytest.mark.parametrize("bot", ["sharp", "random"])
def test_a_model_that_plays_like_a_bot_has_its_figures(
    bot: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with play_like(bot) as script, serve_model(script) as server:
        report = evaluate(
            capsys, f"openai:{server.url}#scripted", tmp_path / "model", "--deals", "3", "--prices", "10,100"
        )
    assert report["suite"] == SUITE and (report["deals"], report["rounds"]) == (6, 12)
    known = evaluate(capsys, bot, tmp_path / "bot", "--deals", "3")
    for name in ("won", "even", "lost_per_100", "judged", "missed_calls", "deals"):
        assert report[name] == known[name]
    assert report["illegal"] == {} and report["fallbacks"] == 0
    assert report["tokens_in_per_decision"] == TOKENS_IN and report["tokens_out_per_decision"] == TOKENS_OUT
    assert report["answers"] == report["decisions"] == len(server.requests)
    assert report["cost"] == pytest.approx(report["answers"] * (10 * TOKENS_IN + 100 * TOKENS_OUT) / 1e6, abs=1e-3)
    records = sorted((tmp_path / "model" / RECORDS).iterdir())
    assert len(records) == 12
    for path in records:
        verify_record(read_record(path))


def test_the_key_is_in_no_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Not even if the server repeats it."""
    with serve_model(lambda messages: f"{KEY} 1") as server:
        evaluate(capsys, f"openai:{server.url}#echo", tmp_path, "--deals", "1")
    assert server.headers[0]["Authorization"] == f"Bearer {KEY}"
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert {ANSWERS_FILE, DEALS_FILE} < {path.name for path in files}
    assert not [path for path in files if KEY in path.read_text()]


def test_a_run_goes_on_after_an_interruption(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with play_like("sharp") as script, serve_model(script) as server:
        agent = f"openai:{server.url}#m"
        whole = evaluate(capsys, agent, tmp_path / "whole", "--deals", "2")
        asked = len(server.requests)
        out = tmp_path / "parts"
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(eval_run, "play_deal", interrupt_at(3))
            assert main(["eval", "--agent", agent, "--out", str(out), "--deals", "2"]) == 130
        assert "goes on" in capsys.readouterr().err and len(read_deals(out)) == 2
        report = evaluate(capsys, agent, out, "--deals", "2")
        assert len(server.requests) == 2 * asked, "every question is sent once"
        assert {**report, "manifest": 0} == {
            **whole,
            "manifest": 0,
            "seconds_per_decision": report["seconds_per_decision"],
        }
        evaluate(capsys, agent, out, "--deals", "2")
        assert len(server.requests) == 2 * asked


def interrupt_at(number: int) -> Any:
    """A function that plays deals, and is interrupted within one after its questions were answered."""
    count, play = iter(range(1, 1000)), eval_rounds.play_deal

    def play_or_stop(*args: Any) -> tuple[RoundFigures, ...]:
        played = play(*args)
        if next(count) == number:
            raise KeyboardInterrupt
        return played

    return play_or_stop


def answer_after(bad: str, script: Script) -> Script:
    """A script whose first answer to each question is bad."""

    def answer(messages: Sequence[dict[str, str]]) -> str:
        return script(messages) if len(messages) > 2 else bad

    return answer


def test_illegal_answers_are_explained_and_counted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with serve_model(answer_after("Wx>7", lambda messages: "1")) as server:
        report = evaluate(capsys, f"openai:{server.url}#m", tmp_path, "--deals", "1")
    retries = [request["messages"] for request in server.requests if len(request["messages"]) > 2]
    assert retries and all(message[3]["content"].startswith("Not possible: ") for message in retries)
    assert sum(report["illegal"].values()) >= len(retries) > 0
    assert set(report["illegal"]) - {"unreadable"} and report["fallbacks"] == 0


def test_unreadable_answers_end_in_the_first_move(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with serve_model(lambda messages: "well …") as server:
        report = evaluate(capsys, f"openai:{server.url}#m", tmp_path, "--deals", "1", "--tries", "2")
    assert set(report["illegal"]) == {"unreadable"}
    assert report["fallbacks"] == report["decisions"] and report["answers"] == 2 * report["decisions"]


def test_a_failing_server_ends_the_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with serve_model(lambda messages: "1") as server:
        server.failures = [(401, {}, KEY)]
        assert main(["eval", "--agent", f"openai:{server.url}#m", "--out", str(tmp_path)]) == 1
    printed = capsys.readouterr()
    assert "the key is refused" in printed.err and KEY not in printed.err


def test_a_program(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    greedy = ROOT / "examples" / "bots" / "greedy.py"
    report = evaluate(capsys, f"command:{sys.executable} {greedy}", tmp_path, "--deals", "1")
    assert report["rounds"] == 4 and report["decisions"] > 0 and report["answers"] == 0
    assert report["tokens_in_per_decision"] is None and report["fallbacks"] == 0


def test_faults_of_a_program_are_counted_by_clause(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    program = tmp_path / "wrong.py"
    program.write_text(
        "import json\n"
        "for count, line in enumerate(open(0)):\n"
        "    said = json.loads(line)\n"
        "    if said['type'] == 'hello':\n"
        "        print(json.dumps({'type': 'ready', 'protocol': 1, 'name': 'wrong'}), flush=True)\n"
        "        faults = 0\n"
        "    elif 'id' in said and said['type'] != 'fault':\n"
        "        move = 'challenge' if faults < 2 else said['legal'][0]\n"
        "        faults += said['type'] == 'choose'\n"
        "        print(json.dumps({'id': said['id'], 'move': move}), flush=True)\n"
    )
    report = evaluate(capsys, f"command:{sys.executable} {program}", tmp_path / "out", "--deals", "1")
    assert report["fallbacks"] >= 4 and sum(report["illegal"].values()) == report["fallbacks"]
    assert "unreadable" not in report["illegal"]


@pytest.mark.parametrize(
    ("agent", "options", "reason"),
    [
        ("openai:http://127.0.0.1:1/v1", (), "the model is missing"),
        ("command:", (), "the program is missing"),
        ("command:'", (), "No closing quotation"),
        ("nobody", (), "there is no bot"),
        ("sharp", ("--parameter", "temperature=0"), "only a model has parameters"),
        ("sharp", ("--questions", "tests/conformance/team.toml"), "only a model answers questions"),
    ],
)
def test_agents_that_are_refused(
    agent: str, options: tuple[str, ...], reason: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["eval", "--agent", agent, "--out", str(tmp_path), *options]) == 2
    assert reason in capsys.readouterr().err


def test_the_folder_of_another_agent_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    evaluate(capsys, "random", tmp_path, "--deals", "1")
    assert main(["eval", "--agent", "sharp", "--out", str(tmp_path)]) == 2
    assert "another eval" in capsys.readouterr().err


@pytest.mark.parametrize("text", ["temperature", "model=x", "=1"])
def test_parameters_that_are_refused(text: str, tmp_path: Path) -> None:
    assert main(["eval", "--agent", "openai:http://127.0.0.1:1#m", "--out", str(tmp_path), "--parameter", text]) == 2


def test_parameters_are_json_or_text() -> None:
    assert command.read_parameter("temperature=0.5") == ("temperature", 0.5)
    assert command.read_parameter("reasoning_effort=low") == ("reasoning_effort", "low")


def figures(won: float, **more: Any) -> RoundFigures:
    usual: dict[str, Any] = {
        "luck": 0.0,
        "decisions": 10,
        "judged": 8,
        "lost": {"card": 0.04, "wild": 0.04},
        "illegal": {"CL-15": 1},
    }
    return RoundFigures(won=won, fallbacks=0, missed_calls=1, false_calls=0, **usual | more)


def test_the_report_of_deals() -> None:
    deals = [DealFigures(cell, deal, (figures(1.0), figures(0.0))) for deal in range(40) for cell in range(2)]
    report = make_report({"agent": "m"}, [*deals, deals[0]], Prices(1, 1))
    assert (report["deals"], report["rounds"], report["even"], report["won"]["value"]) == (80, 160, 0.5, 0.5)
    assert report["won"]["low"] < 0.5 < report["won"]["high"]
    assert report["lost_per_100"]["all"] == {"value": 1.0, "low": 1.0, "high": 1.0}
    assert report["lost_per_100"]["card"]["value"] == 0.5
    assert report["illegal"] == {"CL-15": 160} and report["missed_calls"] == 160
    assert {name: each["deals"] for name, each in report["tables"].items()} == {str(SMALL[0]): 41, str(SMALL[1]): 40}


def test_the_scale_is_of_this_suite() -> None:
    """Our levels, the strongest first, as the page shows them."""
    scale = read_scale()
    names, shares = zip(*((report["agent"], report["adjusted"]["value"]) for report in scale), strict=True)
    assert list(names) == [name for name in ("master", "expert", "sharp", "casual", "random") if name in names]
    assert {"sharp", "random"} < set(names)
    assert all(report["deals"] % len(CELLS) == 0 for report in scale)
    assert shares[names.index("sharp")] > shares[names.index("casual")] > shares[names.index("random")]
    assert format_table(scale) in (ROOT / "docs" / "eval.md").read_text(encoding="utf-8")
