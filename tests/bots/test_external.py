"""External bots (docs/bot-protocol.md): they play, and faulty output does no harm."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any, Final

import pytest

from lastcard import Round
from lastcard.bots import external, external_process
from lastcard.bots.external import MAX_FAULTS, ExternalBot, event_message, list_reactions, view_values
from lastcard.cli.main import main
from lastcard.errors import PlayerError, UsageError
from lastcard.formats.values import event_values
from lastcard.game.rulecards import BUILT_IN
from lastcard.game.rulesets import GAMES, ruleset
from support.event_samples import EVENT_SAMPLES
from support.information_sets import resample_hidden
from support.interruptions import interrupt_at_every_step
from support.random_play import seeded, seeds, walk

ROOT = Path(__file__).parents[2]
GREEDY = (sys.executable, str(ROOT / "examples" / "bots" / "greedy.py"))
COUNTER = (str(Path(sys.executable).parent / "node"), str(ROOT / "examples" / "bots" / "counter.js"))
PAGE = (ROOT / "docs" / "bot-protocol.md").read_text(encoding="utf-8")

PROGRAM = """
import json, os, subprocess, sys, time

def say(text):
    sys.stdout.write(text + "\\n")
    sys.stdout.flush()

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        say(json.dumps({"type": "ready", "protocol": 1, "name": "rogue"}))
    elif message["type"] in ("choose", "react"):
        id_, legal = message["id"], message["legal"]
        right = json.dumps({"id": id_, "move": legal[0]})
        BODY
"""
"""A program that answers every question with ``body``."""

WRONG = {
    "garbage": ("not-json", "say('hello')"),
    "an array": ("not-json", "say('[1, 2]')"),
    "nested": ("not-json", "say('[' * 4000)"),
    "bytes": ("not-json", "sys.stdout.buffer.write(bytes([255, 254, 10])); sys.stdout.flush()"),
    "a long line": ("too-long", "say('x' * 100_000)"),
    "a flood": ("too-long", "while True: say('x' * 5000)"),
    "an id to come": ("unknown-id", "say(json.dumps({'id': id_ + 1, 'move': legal[0]}))"),
    "an id of no question": ("unknown-id", "say(json.dumps({'id': 0, 'move': legal[0]}))"),
    "no id": ("unknown-id", "say(json.dumps({'id': [], 'move': legal[0]}))"),
    "true for 1": ("unknown-id", "say(json.dumps({'id': True, 'move': legal[0]}))"),
    "no move": ("no-move", "say(json.dumps({'id': id_}))"),
    "a number": ("no-move", "say(json.dumps({'id': id_, 'move': 5}))"),
    "no notation": ("unknown-move", "say(json.dumps({'id': id_, 'move': 'Z9'}))"),
    "not legal": ("illegal", "say(json.dumps({'id': id_, 'move': 'throw R5'}))"),
    "silence": ("late", "pass"),
    "too late": ("late", "time.sleep(0.06); say(right)"),
    "an old id": ("late", "say(json.dumps({'id': id_ - 1, 'move': legal[0]})) if id_ > 1 else None"),
}
"""Wrong answers, with the fault that each is."""


def program(folder: Path, body: str) -> tuple[str, ...]:
    """The command of a program that answers with ``body``."""
    path = folder / "program.py"
    path.write_text(PROGRAM.replace("BODY", body), encoding="utf-8")
    return sys.executable, "-S", str(path)  # it needs no package, and finding those takes most of its start


def log_of(path: Path, mark: str) -> list[dict[str, Any]]:
    """The messages to (>) or from (<) a program."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return [json.loads(line[2:]) for line in lines if line.startswith(mark)]


# --- playing ------------------------------------------------------------------------------------------------


def visit(capsys: pytest.CaptureFixture[str], *args: object) -> dict[str, Any]:
    """The report of ``lastcard bot`` on a program that plays, as values; it notes no fault."""
    assert main(["bot", "--json", "--time-limit", "60", *map(str, args)]) == 0
    said = capsys.readouterr()
    assert said.err == ""
    values: dict[str, Any] = json.loads(said.out)
    return values


@pytest.mark.parametrize("command", [GREEDY, COUNTER], ids=["python", "node"])
@pytest.mark.parametrize("rules", [*GAMES, "classic+jump_in+stacking=same", "wild-jackpot+seven_zero"])
def test_the_examples_play_every_game(
    command: tuple[str, ...], rules: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = tmp_path / "log"
    args = ("--rules", rules, "--players", 3, "--rounds", 4, "--seed", 7, "--log", log)
    result = visit(capsys, *args, *command)
    name = result["bots"][0]
    assert (result["rounds"], result["faults"]) == (4, {})
    assert name in ("greedy", "counter") and result["kinds"][name]["drawn"] > 0
    assert [message["move"] for message in log_of(log, "<")[1:]]
    said = Counter(message["type"] for message in log_of(log, ">"))
    assert said["hello"] == said["bye"] == 1 and said["round"] == said["over"] == 4
    assert said["choose"] > 4 and said["event"] > said["choose"]


@pytest.mark.parametrize("command", [GREEDY, COUNTER], ids=["python", "node"])
@pytest.mark.parametrize("rules", ["classic+seven_zero", "all-wild"])
def test_the_examples_beat_random_where_hands_change_places(
    command: tuple[str, ...], rules: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """By chance it would win a quarter; a player who gives a small hand away wins less (AW-24, LC-42)."""
    args = ("--rules", rules, "--players", 4, "--against", "random", "--rounds", 120, "--seed", 7)
    result = visit(capsys, *args, *command)
    assert result["kinds"][result["bots"][0]]["wins"] > 30


@pytest.mark.parametrize("path", [Path(GREEDY[1]), Path(COUNTER[1])], ids=lambda path: path.name)
def test_the_examples_are_short(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 80


def test_the_program_receives_what_its_seat_may_know(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The program receives everything in order, and no card that others draw."""
    log = tmp_path / "log"
    visit(capsys, "--players", 2, "--rounds", 2, "--seed", 1, "--log", log, *GREEDY)
    seat = None
    for message in log_of(log, ">"):
        if message["type"] == "round":
            seat = message["view"]["seat"]
            assert message["players"][seat] == "greedy" and message["view"]["rules"] == "classic"
        elif message["type"] == "event" and message["e"] == "drew":
            assert ("cards" in message) == (message["seat"] == seat)
        elif message["type"] == "over":
            assert len(message["hands"]) == len(message["points"]) == 2 and [] in message["hands"]


def test_the_same_seed_gives_the_same_result(capsys: pytest.CaptureFixture[str]) -> None:
    first, second = (visit(capsys, "--players", 2, "--rounds", 3, "--seed", "s", *GREEDY) for _ in range(2))
    assert first == second


def test_the_command_prints_a_table_or_json(capsys: pytest.CaptureFixture[str]) -> None:
    args = ["bot", "--rules", "all-wild", "--players", "2", "--rounds", "2", "--seed", "1", "--time-limit", "60"]
    assert main([*args, *GREEDY]) == 0
    assert "Faults of greedy: none" in capsys.readouterr().out
    assert main([*args, "--json", "--", *GREEDY]) == 0
    result = json.loads(capsys.readouterr().out)
    assert result["faults"] == {} and result["rounds"] == 2 and next(iter(result["kinds"])) == "greedy"


# --- hidden information ---------------------------------------------------------------------------------------


def test_the_view_hides_what_is_hidden() -> None:
    """Two tables that differ only in hidden cards are the same text for the program."""
    compared = 0
    for seed in seeds(40):
        with seeded(seed) as rng:
            for table in walk(seed, rng, 120):
                if table.over or rng.random() > 0.2:
                    continue
                seat = rng.randrange(table.players)
                resampled = resample_hidden(table, seat, rng)
                texts = {json.dumps(view_values(one.view(seat))) for one in (table, resampled)}
                assert len(texts) == 1
                compared += table.hands != resampled.hands
    assert compared > 100


def test_every_event_is_a_message() -> None:
    """Messages have the table server's words; fields that do not belong to them are left out."""
    for event in EVENT_SAMPLES:
        for viewer in (None, 0, 2):
            message = event_message(event_values(event.seen_by(viewer), tuple(BUILT_IN.values())))
            assert message["type"] == "event" and None not in message.values()
            assert f"`{message['e']}`" in PAGE
            json.dumps(message)


# --- faulty output ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("wrong", WRONG)
def test_a_wrong_answer_forfeits_the_decision(wrong: str, tmp_path: Path) -> None:
    """Both sides get the fault, a legal move is made instead, and the tenth ends the program."""
    code, body = WRONG[wrong]
    notes: list[str] = []
    table = Round.deal("classic", 2, seed="wrong")
    view = table.view(table.turn)
    with (tmp_path / "log").open("w", encoding="utf-8") as log:
        seconds = 0.05 if code == "late" else 60
        with ExternalBot(program(tmp_path, body), seconds=seconds, on_fault=notes.append, log=log) as bot:
            for _ in range(MAX_FAULTS - 1):
                assert bot.choose(view) == view.legal[0]
            with pytest.raises(PlayerError, match=f"rogue made 10 faults and is stopped; the last was {code}: "):
                bot.choose(view)
            assert bot.faults == {code: MAX_FAULTS} and len(notes) == MAX_FAULTS
    faults = [message for message in log_of(tmp_path / "log", ">") if message["type"] == "fault"]
    assert [fault["left"] for fault in faults] == [9, 8, 7, 6, 5, 4, 3, 2, 1]
    assert {fault["error"] for fault in faults} == {code} and f"`{code}`" in PAGE
    assert all(fault["move"] == str(view.legal[0]) and fault["text"] in notes[i] for i, fault in enumerate(faults))


EXTRA = {
    "an empty line": ("not-json", "say('')"),
    "debug output": ("not-json", "say('thinking about ' + legal[0])"),
    "bytes": ("not-json", "sys.stdout.buffer.write(bytes([255, 254, 10])); sys.stdout.flush()"),
    "a long line": ("too-long", "say('x' * 100_000)"),
    "a second ready": ("unknown-id", "say(json.dumps({'type': 'ready', 'protocol': 1, 'name': 'rogue'}))"),
    "an answer without id": ("unknown-id", "say(json.dumps({'move': legal[0]}))"),
    "an answer to come": ("unknown-id", "say(json.dumps({'id': id_ + 100, 'move': legal[0]}))"),
    "an illegal answer": ("illegal", "say(json.dumps({'id': id_, 'move': 'throw R5'}))"),
    "the answer": (None, "say(right)"),
    "an answer from before": (None, "say(json.dumps({'id': id_ - 1, 'move': legal[0]}))"),
}
"""Superfluous lines, with the fault that each is."""


@pytest.mark.parametrize("place", ["before", "after"])
@pytest.mark.parametrize("extra", EXTRA)
def test_a_correct_program_goes_on_after_any_one_extra_line(extra: str, place: str, tmp_path: Path) -> None:
    """The extra line counts if it is a fault; answers to closed questions are dropped."""
    code, line = EXTRA[extra]
    if extra == "an illegal answer" and place == "after":
        code = None  # its question has been answered
    right = "say(json.dumps({'id': id_, 'move': legal[-1]}))"
    lines = [f"if id_ == 2: {line}", right]
    body = "\n        ".join(lines if place == "before" else lines[::-1])
    table = Round.deal("classic", 2, seed="wrong")
    view = table.view(table.turn)
    decided = external.list_decisions(view.legal)
    with ExternalBot(program(tmp_path, body), seconds=60) as bot:
        moves = [str(bot.choose(view)) for _ in range(20)]
        assert bot.faults == ({code: 1} if code else {})
    assert decided[0] != decided[-1]
    assert moves.count(decided[0]) == (extra == "the answer" and place == "before") + (code is not None)
    assert moves[3:] == [decided[-1]] * 17


def test_a_timeout_names_an_answer_to_an_earlier_question(tmp_path: Path) -> None:
    notes: list[str] = []
    table = Round.deal("classic", 2, seed="wrong")
    body = "say(json.dumps({'id': max(id_ - 1, 1), 'move': legal[0]}))"
    with ExternalBot(program(tmp_path, body), seconds=0.3, on_fault=notes.append) as bot:
        bot.choose(table.view(table.turn))
        bot.choose(table.view(table.turn))
    assert len(notes) == 1 and "no answer to 2 within 0.3 s, only one to 1, which is not open any more;" in notes[0]


def test_a_reaction_may_be_nothing(tmp_path: Path) -> None:
    """The program is asked only if it can react; without an answer nothing is done."""
    table = Round.deal("classic+jump_in", 3, seed="jump")
    with ExternalBot(program(tmp_path, "say(json.dumps({'id': id_, 'move': None}))"), seconds=60) as bot:
        asked = 0
        for seat in range(3):
            assert bot.react(table.view(seat)) is None
            asked += list_reactions(table.legal(seat), seat, table.turn, table.exposed) != []
        assert bot.faults == {} and bot._program._id == asked
    with ExternalBot(program(tmp_path, "say('?')"), seconds=60) as bot:
        table = exposed_table()
        assert bot.react(table.view(1)) is None and bot.faults == {"not-json": 1}


def exposed_table() -> Round:
    """A table at which seat 0 has forgotten to call."""
    from lastcard.game.position import parse_position

    table = Round.from_position(
        parse_position({"rules": "classic", "hands": ["R5 R6", "R1 R2"], "discard": "R3", "draw": "B1 B2 B3"})
    )
    table.do(0, "R5")
    return table


def test_calls_and_catches_are_offered_out_of_turn() -> None:
    table = exposed_table()
    assert [list_reactions(table.legal(s), s, table.turn, table.exposed) for s in (0, 1)] == [["uno"], ["catch>0"]]
    view = table.view(1)
    with ExternalBot(GREEDY, seconds=60) as bot:
        assert str(bot.react(view)) == "catch>0"
        assert str(bot.choose(view)) in ("R1!", "R2!")


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("sys.exit(3)", "ended by itself, with exit status 3"),
        ("os.kill(os.getpid(), 9)", "killed by signal 9"),
        ("os.close(1); time.sleep(60)", "closed its standard output"),
    ],
)
def test_an_ended_program_is_reported(body: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(external_process, "EXIT_LIMIT_S", 0.3)
    table = Round.deal("classic", 2, seed=1)
    with ExternalBot(program(tmp_path, body), seconds=60) as bot, pytest.raises(PlayerError, match=said):
        bot.choose(table.view(table.turn))


def test_a_program_that_does_not_read_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(external_process, "WRITE_LIMIT_S", 0.2)
    with ExternalBot(program(tmp_path, "say(right); time.sleep(60)"), seconds=60) as bot:
        table = Round.deal("classic", 2, seed=1)
        bot.choose(table.view(table.turn))
        with pytest.raises(PlayerError, match="does not read"):
            bot.send_events({"e": "drew", "cards": ["R5"] * 100} for _ in range(1000))


@pytest.mark.parametrize(
    ("first", "said"),
    [
        ("", "nothing was said within 0.3 s of the start"),
        ("hello", "'hello' is not a JSON object"),
        ("x" * 10_000, "a line of more than 4096 bytes"),
        ('{"type": "ready"}', "did not say that it is ready"),
        ('{"type": "ready", "protocol": 2, "name": "x"}', "speaks protocol 2, lastcard 1"),
        ('{"type": "ready", "protocol": 1, "name": "\\u001b[31m"}', "cannot be called"),
        ('{"type": "ready", "protocol": 1, "name": ""}', "cannot be called"),
    ],
)
def test_a_program_without_a_valid_hello_is_refused(
    first: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("first").write_text(first + "\n", encoding="utf-8")
    monkeypatch.setattr(external, "START_LIMIT_S", 60 if first else 0.3)
    with pytest.raises(PlayerError, match=re.escape(said)):
        ExternalBot(["sh", "-c", f"read hello; {'cat first;' if first else ''} read more"])


def test_a_program_that_cannot_start_is_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(UsageError, match="nothing-here: the program cannot be started: No such file"):
        ExternalBot(["nothing-here"])
    for args, said in (
        ([], "no program to play"),
        (["--time-limit", "0", *GREEDY], "0.001 to 3600"),
        (["--players", "11", *GREEDY], "2 to 10"),
        (["--rounds", "0", *GREEDY], "from 1 to 100,000,000, not 0"),
        (["--against", "nobody", *GREEDY], "nobody"),
        (["--log", str(tmp_path), *GREEDY], "cannot be written there"),
    ):
        assert main(["bot", *args]) == 2
        assert said in capsys.readouterr().err


def test_a_log_never_overwrites_the_program(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = program(tmp_path, "say(right)")
    before = Path(command[-1]).read_bytes()
    link = tmp_path / "link.py"
    link.hardlink_to(command[-1])
    for log in (command[-1], str(link)):
        assert main(["bot", "--rounds", "1", "--log", log, *command]) == 2
        assert "the log needs another file than the program" in capsys.readouterr().err
        assert Path(command[-1]).read_bytes() == before
    log = str(tmp_path / "log.txt")
    assert main(["bot", "--rounds", "1", "--log", log, "sh", "-c", f": {'x' * 5000}"]) == 1, (
        "a word is no name of a file"
    )


def test_an_id_is_reported_as_it_was_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A text is not mistaken for a number."""
    assert main(["bot", *program(tmp_path, "say(json.dumps({'id': str(id_), 'move': legal[0]}))")]) == 1
    assert 'an answer with the id "1"; the open question is 1;' in capsys.readouterr().err


def test_a_program_needs_a_name_of_its_own(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    copy = tmp_path / "twin.py"
    copy.write_text(Path(GREEDY[1]).read_text(encoding="utf-8").replace('"greedy"', '"random"'), encoding="utf-8")
    assert main(["bot", "--against", "random", sys.executable, str(copy)]) == 2
    assert "a name of its own" in capsys.readouterr().err


def test_a_program_that_cannot_play_is_exit_status_1(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bot", "--players", "2", *program(tmp_path, "say('?')")]) == 1
    said = capsys.readouterr().err
    assert "lastcard bot: fault 1 of 10, not-json: '?' is not a JSON object" in said
    assert "lastcard: rogue made 10 faults and is stopped" in said and "Traceback" not in said


# --- the end ------------------------------------------------------------------------------------------------------

CHILD = """
        started = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
        open("pids", "w").write(f"{os.getpid()} {started.pid} ")
"""
"""Starts a program of its own and writes both process ids."""


def has_ended(pid: int) -> bool:
    """Whether a process ends within a moment, or only waits to be reaped."""
    until = time.monotonic() + 60
    while time.monotonic() < until:
        try:
            os.kill(pid, 0)
            state = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0]
        except (ProcessLookupError, FileNotFoundError):
            return True
        if state == "Z":
            return True
        time.sleep(0.02)
    return False


def pids(folder: Path) -> list[int]:
    """The process ids that a program has written."""
    text = (folder / "pids").read_text(encoding="utf-8") if (folder / "pids").exists() else ""
    return [int(pid) for pid in text.split()] if text.endswith(" ") else []


@pytest.mark.parametrize("end", ["say(right)", "say(right); time.sleep(600)", "say(right); sys.exit()"])
def test_nothing_outlives_the_bot(end: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(external_process, "EXIT_LIMIT_S", 0.2)
    table = Round.deal("classic", 2, seed=1)
    bot = ExternalBot(program(tmp_path, f"{CHILD}        {end}"), seconds=60)
    bot.choose(table.view(table.turn))
    started = pids(tmp_path)
    bot.close()
    assert len(started) == 2 and all(map(has_ended, started))


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_ends_the_program_too(number: int, tmp_path: Path) -> None:
    command = program(tmp_path, f"{CHILD}        time.sleep(600)")
    process = subprocess.Popen(
        [sys.executable, "-m", "lastcard", "bot", "--time-limit", "600", *command],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    until = time.monotonic() + 60
    while not pids(tmp_path) and time.monotonic() < until:
        time.sleep(0.02)
    process.send_signal(number)
    err = process.communicate(timeout=60)[1]
    assert process.returncode == 130 and "Traceback" not in err, err
    assert all(map(has_ended, pids(tmp_path)))


STARTED: Final = """
from lastcard.bots import external_process
from lastcard.bots.external import ExternalBot

external_process.EXIT_LIMIT_S = 0.05

def interrupt(number, frame):
    raise KeyboardInterrupt

signal.signal(signal.SIGTERM, interrupt)

def do():
    ExternalBot(["sh", {program!r}], seconds=5).close()
"""
"""Starts a program and ends it; SIGTERM acts as under ``lastcard bot``."""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_no_program_stays_behind_wherever_its_start_is_interrupted(number: signal.Signals, tmp_path: Path) -> None:
    """Even a process whose id is not yet stored is ended. The program would end by itself only after ``bye``."""
    ready = '{"type": "ready", "protocol": 1, "name": "quick"}'
    until_bye = "while read -r line; do case $line in *bye*) exit;; esac; done"
    (tmp_path / "quick").write_text(f"read -r hello\necho '{ready}'\n{until_bye}\nexec sleep 60\n")
    prepare = STARTED.replace("{program!r}", repr(str(tmp_path / "quick")))
    files = ("external", "external_process", "subprocess", "base_subprocess", "unix_events", "interrupts")
    assert interrupt_at_every_step(prepare, number, 11, files) == "status 0 after steps: True"


# --- the page of the docs -----------------------------------------------------------------------------------------


def test_the_figures_of_the_page_are_true() -> None:
    """The figures of docs/bot-protocol.md are those of the program, and the messages have the fields that are sent."""
    for figure in (
        f"{external_process.LINE_LIMIT_BYTES:,} bytes",
        f"{external.START_LIMIT_S:g} seconds",
        f"{external.TIME_LIMIT_S:g} seconds",
        f"{external_process.WRITE_LIMIT_S:g} seconds",
        f"{MAX_FAULTS} faults",
    ):
        assert figure in PAGE
    shown = [json.loads(block) for block in re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)]
    table = Round.deal(ruleset("classic"), 3, seed=1)
    (view,) = (message["view"] for message in shown if message.get("type") == "choose")
    assert set(view) == set(view_values(table.view(0)))
    for key in view:
        assert f"| `{key}` |" in PAGE
    kinds = {message["type"] for message in shown if "type" in message}
    assert kinds == {"hello", "ready", "round", "event", "choose", "react", "fault", "over", "bye"}
