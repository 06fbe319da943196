"""The command line: help, refusals without tracebacks, exit statuses."""

from __future__ import annotations

import importlib.metadata
import json
import os
import re
import signal
import subprocess
import sys
import time
import tomllib
from pathlib import Path
from typing import Final

import pytest

import lastcard
from lastcard.__main__ import main as start_program
from lastcard.analysis.rule_figures import measure_rules
from lastcard.bots.registry import BOTS, LEVELS
from lastcard.cli import serve
from lastcard.cli.main import COMMANDS, command_name, main
from lastcard.cli.precompile import part_exports
from lastcard.game.rulesets import PRESETS
from lastcard.kernel import cache, jit
from lastcard.kernel.background_compile import marker
from lastcard.text.locale import LANGUAGES, catalog
from lastcard.text.wording import option_line
from support.devices import full_device

ROOT: Final = Path(__file__).parents[2]
NAMES = [command_name(command) for command in COMMANDS]


def run(*args: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    """The command line in a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "lastcard", *args], input=stdin, capture_output=True, text=True, check=False, timeout=300
    )


HEAVY = """
import sys
from contextlib import redirect_stdout
from io import StringIO
from lastcard.cli import serve
from lastcard.cli.main import main

for line in sys.argv[1:]:
    with redirect_stdout(StringIO()) as said:
        assert main(line.split()) == 0 and said.getvalue(), line
    assert not {"asyncio", "numba", "numpy", "rich"} & sys.modules.keys(), line
"""


def test_help_and_rules_load_nothing_heavy() -> None:
    lines = ["--help", *(f"{command} --help" for command in NAMES), "rules", "rules all-wild"]
    done = subprocess.run([sys.executable, "-c", HEAVY, *lines], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("command", ["play", "simulate"])
def test_help_names_every_bot(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Levels come from weak to strong, then kinds, in the order of the registry."""
    assert main([command, "--help"]) == 0
    help_ = capsys.readouterr().out
    words = re.findall(r"[a-z]+", help_[help_.index("bots: learner") :])
    assert [word for word in words if word in (*LEVELS, *BOTS)][: len(LEVELS) + len(BOTS)] == [*LEVELS, *BOTS]


@pytest.mark.parametrize("command", ["play", "simulate", "bot", "arena"])
def test_help_names_the_default_bots(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([command, "--help"]) == 0
    about = " ".join(capsys.readouterr().out.split())
    assert f"(default {'sharp,random' if command == 'arena' else 'heuristic'})" in about


def test_help_names_every_command_with_examples(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 0
    names = [line.split()[0] for line in capsys.readouterr().out.splitlines() if re.match(" {4}[a-z]", line)]
    assert names == NAMES
    for command in NAMES:
        assert main([command, "--help"]) == 0
        assert f"examples:\n  lastcard {command}" in capsys.readouterr().out


@pytest.mark.parametrize("command", NAMES)
def test_help_is_complete_without_a_checkout(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    """It names no page of the documentation, which is not installed, and shows a percent sign once."""
    assert main([command, "--help"]) == 0
    about = capsys.readouterr().out.partition("examples:")[0]
    assert not re.search(r"\bdocs/|\.md\b|%%", about)


def test_an_unknown_option_shows_the_usage_of_its_command(capsys: pytest.CaptureFixture[str]) -> None:
    for line, usage, near in (
        ("rules --clause --options", "rules", ""),
        ("rules classic --claused", "rules", "; did you mean '--clauses'?"),
        ("puzzles play --daly=1", "puzzles play", "; did you mean '--daily'?"),
    ):
        assert main(line.split()) == 2
        said = capsys.readouterr().err
        assert said.startswith(f"usage: lastcard {usage} [-h]")
        assert said.endswith(f"lastcard {usage}: error: unrecognized arguments: {line.split()[-1]}{near}\n")


@pytest.mark.parametrize("language", LANGUAGES)
def test_rules_are_explained(language: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "classic+jump_in", "--language", language]) == 0
    plain = capsys.readouterr().out
    assert catalog(language).text("option.jump_in.true") in plain and "[LC-41]" not in plain
    assert main(["rules", "classic+jump_in", "--language", language, "--clauses"]) == 0
    assert "[LC-41]" in capsys.readouterr().out


@pytest.mark.parametrize("language", LANGUAGES)
def test_changes_are_only_what_differs_from_the_official_game(
    language: str, capsys: pytest.CaptureFixture[str]
) -> None:
    texts = catalog(language)
    expected = [option_line(texts, name, value, "classic") for name, value in PRESETS["living-room"].items()]
    assert main(["rules", "classic+living-room", "--changes", "--language", language]) == 0
    shown = capsys.readouterr().out.splitlines()
    assert shown[:2] == [
        texts.text("rules.title", game=texts.text("game.classic")),
        texts.text("rules.name", name="classic+living-room"),
    ]
    assert sorted(shown[4:]) == sorted(f"- {line}" for line in expected)
    assert main(["rules", "classic+living-room", "--changes", "--clauses"]) == 0
    assert "[CL-27, LC-40]" in capsys.readouterr().out
    assert main(["rules", "classic", "--changes", "--language", language]) == 0
    assert capsys.readouterr().out.splitlines()[4:] == [f"- {texts.text('preset.official')}"]
    assert main(["rules", "--changes"]) == 2


def test_a_name_explains_the_option_that_is_always_in_it(capsys: pytest.CaptureFixture[str]) -> None:
    why = "jump_in_stack=add is the default, but always part of this name: old match records"
    for name, is_explained in (
        ("classic+stacking=same+jump_in", True),
        ("classic+stacking=same+jump_in+jump_in_stack=replace", False),
        ("classic+jump_in", False),
    ):
        assert main(["rules", name, "--language", "en"]) == 0
        assert (why in capsys.readouterr().out) is is_explained


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["rules", "chess"], "chess"),
        (["rules", "classic+stacking=odd"], "stacking cannot be"),
        (["play", "--rules", "poker"], "poker"),
        (["play", "--players", "11"], "2 to 10"),
        (["play", "--players", "x"], "invalid int"),
        (["play", "--bots", "clever"], "clever"),
        (["play", "--resume", "/nowhere/match.toml"], "cannot be read"),
        (["play", "--save", f"{__file__}/x.toml"], "cannot be saved"),
        (["play", "--names", "An\tn"], r"'An\tn' is not a name; a name is one line of text"),
        (["play", "--names", "An\udcffn"], r"'An\udcffn' is not a name"),
        (
            ["play", "--players", "2", "--bots", "sharp,sharp,sharp"],
            "1 person and 3 bots need 4 seats, not 2; --players 4 does",
        ),
        (["play", "--hot-seat", "--players", "2", "--bots", "sharp,sharp"], "1 person and 2 bots need 3 seats, not 2"),
        (
            ["play", "--hot-seat", "--names", "A,B", "--players", "9", "--bots", ",".join(["sharp"] * 9)],
            "has 10 at most",
        ),
        (["simulate", "--bots", ""], "no bots for 4 seats; name 1 to 4, repeated until every seat has one"),
        (["bot", "--players", "2", "--against", "", "true"], "no bots for 1 seat; name one, repeated"),
        (["play", "--language", "de"], "invalid choice"),
        (["simulate", "--rounds", "0"], "the number of rounds is a whole number from 1 to 100,000,000, not 0"),
        (["simulate", "--rounds", "99999999999999999999999"], "from 1 to 100,000,000, not 9999"),
        (["bot", "--rounds", "99999999999999999999999", sys.executable, "examples/bots/greedy.py"], "1 to 100,000,000"),
        (["simulate", "--players", "1"], "2 to 10"),
        (["simulate", "--bots", "nobody"], "nobody"),
        (["replay", "/nowhere/match.toml"], "cannot be read"),
        (["test-cases", "/nowhere/cases.toml"], "cannot be read"),
        (["tune", "chess"], "no game 'chess'"),
        (["tune", "clasic"], "did you mean 'classic'?"),
        (["train", "chess", "--out", "nowhere"], "no game 'chess'"),
        (["bot", "--time-limit", "0", "true"], "0.001 to 3600 seconds"),
        (["bot", "--time-limit", "soon", "true"], "invalid seconds"),
        (["simulate", "--kernel", "vapor"], "invalid choice"),
        (["dance"], "invalid choice"),
        (["simulat"], "did you mean 'simulate'?"),
        (["rules", "clasic"], "did you mean 'classic'?"),
        (["rules", "classic+staking=same"], "did you mean 'stacking'?"),
        (["rules", "classic+stacking=sam"], "did you mean 'same'?"),
        (["simulate", "--bots", "shrap"], "did you mean 'sharp'?"),
    ],
)
def test_bad_input_is_named_and_exits_2(args: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(args) == 2
    shown = capsys.readouterr()
    assert said in shown.err
    assert "Traceback" not in shown.err


def test_without_a_command_a_table_opens(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serve, "run", lambda args: 7 if args.port is None else 8)
    assert main([]) == main(["serve"]) == 7
    assert main(["--port", "1"]) == 2  # options belong to a command


def test_the_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    said = capsys.readouterr().out
    assert said == f"lastcard {lastcard.__version__}\n" == f"lastcard {importlib.metadata.version('lastcard')}\n"
    assert f"\nversion: {lastcard.__version__}\n" in (ROOT / "CITATION.cff").read_text(encoding="utf-8")


def test_the_version_alone_loads_no_command(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It takes little more time than Python itself."""
    monkeypatch.setattr("sys.argv", ["lastcard", "--version"])
    monkeypatch.setitem(sys.modules, "lastcard.cli.main", None)  # an import of it fails
    assert start_program() == 0
    assert capsys.readouterr().out == f"lastcard {lastcard.__version__}\n"


def test_a_record_is_checked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "match.toml"
    run("play", "--rules", "all-wild", "--seed", "1", "--save", str(path), stdin="1\n" * 400)
    assert main(["replay", str(path), "--check"]) == 0
    assert capsys.readouterr().out.startswith("ok: 1 round, ")
    assert main(["replay", str(path), "--language", "fr", "--seat", "1"]) == 0
    assert "Manche 1." in capsys.readouterr().out
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace('"0:', '"1:', 1), encoding="utf-8")
    assert main(["replay", str(path), "--check"]) == 1
    assert "round 1" in capsys.readouterr().err
    assert main(["replay", str(path)]) == 2


def test_the_kernel_is_chosen_and_named(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Native code is refused without Numba, and nothing is played."""
    monkeypatch.setenv(jit.ENV_VARIABLE, jit.backend().name)  # restored afterwards, with the backend
    monkeypatch.setattr(jit, "_backend", jit.backend())
    args = ["simulate", "--rounds", "1", "--seed", "1", "--kernel"]
    assert main([*args, "module"]) == 0 and jit.backend().name == "module"
    capsys.readouterr()
    assert main(["version"]) == 0
    assert re.fullmatch(
        r"lastcard \S+\nkernel: module\nnative code: .+\nwasmtime: \S+\nNumba: .+\n", capsys.readouterr().out
    )
    monkeypatch.setattr(jit, "has_native", lambda: False)
    assert main([*args, "native"]) == 2
    shown = capsys.readouterr()
    assert "install lastcard[native]" in shown.err and not shown.out
    assert main(["version"]) == 0
    assert "\nnative code: none; it needs Numba: install lastcard[native]\n" in capsys.readouterr().out


def test_native_code_that_is_not_compiled_is_counted(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(jit, "has_native", lambda: True)
    monkeypatch.setattr(cache, "native_folder", lambda: tmp_path)
    exports = part_exports(["rules", "bots", "reports", "envs", "training"])
    signatures = [signature for export in exports[1:] for signature in export.signatures.values()]
    for signature in signatures:
        marker(tmp_path, signature).touch()
    main(["version"])
    done = (
        f"native code: {len(exports) - 1} of {len(exports)} functions are compiled; lastcard precompile makes the rest"
    )
    assert f"\n{done}\n" in capsys.readouterr().out
    for signature in exports[0].signatures.values():
        marker(tmp_path, signature).touch()
    main(["version"])
    assert "\nnative code: compiled; " in capsys.readouterr().out


def test_simulate_prints_json_and_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    args = ["simulate", "--rules", "all-wild", "--players", "3", "--rounds", "5", "--seed", "1"]
    assert main([*args, "--json"]) == 0
    result = json.loads(capsys.readouterr().out)
    assert result["rounds"] == 5
    assert len(result["seats"]) == 3
    assert main([*args, "--bots", "heuristic,random"]) == 0
    text = capsys.readouterr().out
    assert "heuristic" in text and "random" in text


@pytest.mark.parametrize(("rules", "columns"), [("all-wild", 1), ("all-wild+stacking=same", 2)])
def test_simulate_shows_what_rules_do_to_a_round(rules: str, columns: int, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", "--rules", rules, "--players", "3", "--rounds", "2", "--seed", "1"]) == 0
    text = capsys.readouterr().out
    assert text.count("Official rules") == 1 and text.count("These rules") == columns - 1
    measured = [measure_rules(each, 3, 10_000) for each in (rules, "all-wild")[:columns]]
    [turns] = [line.strip("│ ").split() for line in text.splitlines() if "Turns" in line]
    assert [cell for cell in turns if cell != "│"] == ["Turns", *(f"{found.turns:.1f}" for found in measured)]


SHOWN = ["--help", "arena --help", "rules classic", "version", "simulate --rounds 2"]


def shell(command: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a line of bash in which ``lastcard`` is the command line."""
    line = f'set -o pipefail; lastcard() {{ {sys.executable} -m lastcard "$@"; }}; {command}'
    surroundings = {**os.environ, **environment}
    return subprocess.run(
        ["bash", "-c", line], capture_output=True, text=True, check=False, env=surroundings, timeout=300
    )


@pytest.mark.parametrize("command", SHOWN)
def test_unwritable_output_sets_the_exit_status(command: str, tmp_path: Path) -> None:
    gone = shell(f"lastcard {command} | true")
    assert (gone.returncode, gone.stderr) == (141, "")
    closed = shell(f"lastcard {command} >&-")
    assert (closed.returncode, closed.stderr) == (0, "")
    check_full(command, full_device(tmp_path))  # last, because only root can make it


def test_unwritable_output_of_workers_sets_the_exit_status(tmp_path: Path) -> None:
    """The status is set even if no message can be written; tests/cli/test_arena.py tests a closed pipe."""
    device, arena = full_device(tmp_path), "arena --rounds 2 --workers 1"
    check_full(arena, device)
    closed = shell(f"lastcard {arena} >&-")
    assert (closed.returncode, closed.stderr) == (0, "")
    for command in ("--help", "simulate --rounds 2"):
        nowhere = shell(f"lastcard {command} >'{device}' 2>&1")
        assert (nowhere.returncode, nowhere.stderr) == (2, "")


def check_full(command: str, device: Path) -> None:
    """Check the message of a command whose output device is full."""
    full = shell(f"lastcard {command} >'{device}'")
    assert (full.returncode, full.stderr) == (2, "lastcard: reading or writing failed: No space left on device\n")


def test_a_match_needs_no_open_streams(tmp_path: Path) -> None:
    path = tmp_path / "match.toml"
    for streams in ("<&-", "</dev/null >&-", "<&- >&- 2>&-"):
        done = shell(f"lastcard play --seed 1 --save '{path}' {streams}")
        assert (done.returncode, done.stderr) == (0, "")
        assert main(["verify", str(path)]) == 0
        path.unlink()


@pytest.mark.parametrize("encoding", ["cp1252", "cp932", "ascii"])
def test_a_terminal_that_lacks_letters_shows_others(encoding: str, tmp_path: Path) -> None:
    path = tmp_path / "match.toml"
    typed = "printf 'xyz\\xff\\n1\\n'"
    for command in (
        "lastcard rules classic --language pl",
        f"{typed} | lastcard play --language pl --seed 1 --save '{path}'",
        f"lastcard replay '{path}' --language pl",
    ):
        done = shell(f"{command} | iconv -c -f {encoding}", PYTHONIOENCODING=encoding)
        assert (done.returncode, done.stderr) == (0, "")
        assert "?" in done.stdout


@pytest.mark.parametrize(("encoding", "shown"), [("cp1252", "-9.9 ±1.0 ’ ?"), ("ascii", "-9.9 ~1.0 ' ?")])
def test_figures_have_a_sign_where_a_terminal_lacks_the_minus(encoding: str, shown: str) -> None:
    """A missing minus does not become "?", which could also be a ±."""
    text = "print('\\u22129.9 \\xb11.0 \\u2019 \\u674e')"
    code = f"from lastcard.cli import main; main._prepare_streams(); {text}"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, check=True, env=os.environ | {"PYTHONIOENCODING": encoding}
    )
    assert done.stdout.decode(encoding).rstrip() == shown


@pytest.mark.parametrize("command", ["simulate --rounds 2", "arena --rounds 2 --workers 1"])
def test_any_byte_can_be_a_seed(command: str) -> None:
    done = shell(f"lastcard {command} --json --seed $'\\xff'")
    assert (done.returncode, done.stderr) == (0, "")
    assert shell(f"lastcard {command} --json --seed {json.loads(done.stdout)['seed']}").returncode == 0


def test_a_disk_that_takes_no_more_deals_is_named(tmp_path: Path) -> None:
    done = shell(f"cd '{tmp_path}'; ulimit -f 2; lastcard arena --rounds 50 --workers 1 --resume deals.jsonl")
    assert (done.returncode, done.stderr) == (2, "lastcard: deals.jsonl: cannot be written: File too large\n")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_match_is_saved(number: int, tmp_path: Path) -> None:
    path = tmp_path / "match.toml"
    process = subprocess.Popen(
        [sys.executable, "-m", "lastcard", "play", "--seed", "1", "--save", str(path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    )
    assert process.stdin is not None and process.stdout is not None
    process.stdin.write("1\n")
    process.stdin.flush()
    for line in process.stdout:
        if line.startswith("You play"):
            break
    time.sleep(0.2)
    process.send_signal(number)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert str(path) in out
    assert "Traceback" not in err
    assert main(["replay", str(path), "--check"]) == 0


@pytest.mark.parametrize("start", ["script", "module"])
def test_ctrl_c_is_quiet_while_modules_are_still_imported(start: str) -> None:
    """On a slow disk imports take seconds."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    script = "import sys, {0}; sys.exit({0}.{1}())".format(*project["scripts"]["lastcard"].split(":"))
    code = f"""
import builtins, runpy, signal
load = builtins.__import__
def interrupt(name, *args, **named):
    if name == "lastcard.cli.command":
        signal.raise_signal(signal.SIGINT)
    return load(name, *args, **named)
builtins.__import__ = interrupt
{script if start == "script" else "runpy.run_module('lastcard', run_name='__main__', alter_sys=True)"}
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=300)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "\n")
