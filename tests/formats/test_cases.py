"""Conformance cases: strict reading, every key of ``expect``, the report and the exit status."""

from __future__ import annotations

import io
import tomllib
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import pytest

from lastcard.cli.main import main
from lastcard.errors import NotationError
from lastcard.formats.cases import CASE_KEYS, EXPECT, parse_case, read_cases, run_case, run_cases
from lastcard.game import action_codes
from lastcard.game.position import KEYS, MAX_SCORE, parse_position
from lastcard.rules import phases

GOOD = """
[[case]]
id = "A"
rules = "classic"
hands = ["R1 R2 G3", "G4 B5"]
discard = "R7"
draw = "Y1 Y2 Y3"
moves = ["x 0:G3", "0:R1"]
expect = { turn = 1 }
"""


def run(tmp_path: Path, *texts: str) -> tuple[int, str, str]:
    """Exit status, output and errors of ``lastcard test-cases`` over files with these texts."""
    paths = []
    for i, text in enumerate(texts):
        paths.append(tmp_path / f"{i}.toml")
        paths[-1].write_text(text, encoding="utf-8")
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        status = main(["test-cases", *map(str, paths)])
    return status, out.getvalue(), err.getvalue()


def test_passing(tmp_path: Path) -> None:
    assert run(tmp_path, GOOD, GOOD) == (0, "2 passed, 0 failed\n", "")


def test_failing_names_what_differs(tmp_path: Path) -> None:
    bad = GOOD.replace('"A"', '"B"').replace("turn = 1", 'turn = 0, top = "G1", counts = { 0 = 2, 1 = 5 }')
    status, out, err = run(tmp_path, GOOD + bad)
    lines = out.splitlines()
    assert (status, err) == (1, "")
    assert lines[-1] == "1 passed, 1 failed"
    assert lines[0].endswith("0.toml: B: turn = 1, expected 0")
    assert lines[1].endswith('B: top = "R1", expected "G1"')
    assert lines[2].endswith("B: counts = { 0 = 2, 1 = 2 }, expected { 0 = 2, 1 = 5 }")


def test_a_move_that_is_refused_is_named_with_code_and_clause(tmp_path: Path) -> None:
    status, out, _ = run(tmp_path, GOOD.replace('"x 0:G3"', '"0:G3"'))
    assert status == 1
    assert "A: 0:G3 was refused (no-match, CL-15): " in out


def test_a_move_that_should_be_refused_is_named(tmp_path: Path) -> None:
    status, out, _ = run(tmp_path, GOOD.replace('"0:R1"', '"x 0:R1"'))
    assert status == 1
    assert "A: x 0:R1 was accepted" in out


@pytest.mark.parametrize("move", ["R1=G", "R1>1", "W>1", "catch>9", "choose>12"])
def test_impossible_moves_are_refused_as_illegal(tmp_path: Path, move: str) -> None:
    assert run(tmp_path, GOOD.replace("x 0:G3", f"x 0:{move}"))[0] == 0


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (("[[case]]", "[case"), "is not TOML"),
        (("turn = 1", "turn = " + "9" * 5000), "is not TOML: a number in it has too many digits"),
        (("turn = 1", "turn = 0x" + "9" * 5000), "is not TOML: a number in it has too many digits"),
        (("draw =", "scores = [99999999999999999999, 0]\ndraw ="), "A: scores[0]: the number is too large"),
        (("draw =", "scores = [9223372036854775807, 0]\ndraw ="), "A: scores: a score is at most 1000000 before"),
        (("[[case]]", "[[cases]]"), "no cases in it"),
        (("[[case]]", "[case]"), "no cases in it"),
        (('id = "A"', ""), "case 1: id: missing"),
        (('id = "A"', 'id = ""'), "case 1: id: a case needs a name, by which failures call it"),
        (('id = "A"', 'id = " "'), "case 1: id: a case needs a name"),
        (('id = "A"', "id = 3"), "case 1: id: 3 is a number; expected text"),
        (('"classic"', '"clasic"'), "A: rules: there is no ruleset"),
        (('"classic"', '"classic"\noptions = { jump = true }'), "A: rules: there is no rule option"),
        (('"classic"', '"all-wild"\noptions = { deflect = true }'), "deflect"),
        (("R1 R2", "R1 Q2"), "A: hands[0]: 'Q2' is not a card; a card is a color R Y G B or W and a face, like R5"),
        (("G4 B5", ""), "A: hands: seat 1 holds no card"),
        (('["R1 R2 G3", "G4 B5"]', '"R1"'), "A: hands: 'R1' is text; expected a list"),
        (("0:R1", "R1"), "A: moves[1]: no seat"),
        (("0:R1", "0:R1 R2"), "A: moves[1]: "),
        (("x 0:G3", "x 0:Q3"), "A: moves[0]: "),
        (("x 0:G3", "x 7:R1"), "A: moves: x 7:R1: there is no seat 7; the seats are 0 to 1"),
        (("0:R1", "2:R1"), "A: moves: 2:R1: there is no seat 2; the seats are 0 to 1"),
        (("turn = 1", "turns = 1"), "A: expect.turns: unknown key; the keys are turn, decision"),
        (("turn = 1", "turn = true"), "A: expect.turn: True is true or false; expected a whole number"),
        (("turn = 1", 'hands = { a = "R1" }'), "A: expect.hands: 'a' is not a seat"),
        (("turn = 1", "counts = { 2 = 1 }"), "A: expect: there is no seat 2"),
        (("turn = 1", 'decision = "wait"'), "A: expect.decision: there is no decision 'wait'"),
        (("turn = 1", 'legal = ["Q"]'), "A: expect.legal: "),
        (("draw =", "drew ="), "A: drew: unknown key; the keys are id, rules"),
        (("expect = { turn = 1 }", ""), "A: expect: missing"),
    ],
)
def test_a_bad_file_is_named_with_its_fault(tmp_path: Path, change: tuple[str, str], words: str) -> None:
    status, out, err = run(tmp_path, GOOD, GOOD.replace(*change))
    assert (status, out) == (2, "")
    assert "1.toml: " in err
    assert words in err


def test_the_highest_scores_there_can_be_are_counted_on() -> None:
    """CL-51: a round adds to them without an overflow."""
    case = {
        "id": "high",
        "rules": "classic",
        "hands": ["R1", "W*60"],
        "discard": "R7",
        "scores": [MAX_SCORE, MAX_SCORE],
        "moves": ["0:R1"],
        "expect": {"scores": [MAX_SCORE + 3000, MAX_SCORE], "match_winner": 0},
    }
    assert run_case(parse_case(case)) == []


def test_case_ids_are_unique(tmp_path: Path) -> None:
    status, _, err = run(tmp_path, GOOD + GOOD)
    assert status == 2
    assert "A: this id is given twice" in err


def test_all_faults_of_all_files_are_listed(tmp_path: Path) -> None:
    _, _, err = run(tmp_path, GOOD.replace("R7", "Q7").replace("turn", "tern"), "nonsense", GOOD)
    assert "2 faults:" in err
    assert "discard: 'Q7'" in err
    assert "expect.tern" in err
    assert "1.toml: is not TOML" in err


def test_files_that_cannot_be_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    binary = tmp_path / "binary.toml"
    binary.write_bytes(b"\xff\xfe\x00")
    for path in (tmp_path / "missing.toml", tmp_path, binary):
        assert main(["test-cases", str(path)]) == 2
        assert str(path) in capsys.readouterr().err
    assert main(["test-cases"]) == 2


ALL_KEYS = """
[[case]]
id = "end"
rules = "classic"
hands = ["R1", "G4 B5", "W"]
discard = "R7"
draw = "Y1"
scores = [450, 20, 0]
dealer = 2
moves = ["0:R1"]
why = "every key of an end"
clauses = ["CO-40"]
[case.expect]
turn = 0
decision = "over"
direction = "cw"
top = "R1"
color = "R"
hands = { 0 = "", 1 = "B5 G4" }
counts = { 2 = 1 }
draw_count = 1
discard_count = 2
exposed = []
winner = 0
held = [0, 9, 50]
scores = [509, 20, 0]
match_winner = 0
match_over = true
next_dealer = 0
void = false
legal = []
"""


def test_every_key_of_expect_is_compared(tmp_path: Path) -> None:
    path = tmp_path / "all.toml"
    path.write_text(ALL_KEYS, encoding="utf-8")
    (case,) = read_cases(path)
    assert set(case.expect) == set(EXPECT)
    assert run_case(case) == []
    wrong = {
        "turn": "turn = 1",
        "decision": 'decision = "play"',
        "direction": 'direction = "ccw"',
        "top": 'top = "R7"',
        "color": 'color = ""',
        "hands": 'hands = { 1 = "G4" }',
        "counts": "counts = { 2 = 2 }",
        "draw_count": "draw_count = 0",
        "discard_count": "discard_count = 1",
        "exposed": "exposed = [1]",
        "winner": "winner = 1",
        "held": "held = [0, 9, 0]",
        "scores": "scores = [450, 20, 0]",
        "match_winner": "match_winner = 1",
        "match_over": "match_over = false",
        "next_dealer": "next_dealer = 1",
        "void": "void = true",
        "legal": 'legal = ["draw"]',
    }
    assert set(wrong) == set(EXPECT)
    head = ALL_KEYS.partition("[case.expect]")[0]
    for key, line in wrong.items():
        path.write_text(f"{head}expect = {{ {line} }}", encoding="utf-8")
        (failure,) = run_cases([path]).failures
        assert failure[2][0].startswith(f"{key} = ")
        assert len(failure[2]) == 1


def test_legal_leaves_aside_calls_alone() -> None:
    """An open catch is a move like any other."""
    case = {
        "id": "legal",
        "rules": "classic",
        "hands": ["R1 R2", "G4 B5", "B1"],
        "discard": "R7",
        "draw": "Y1 Y2",
        "moves": ["0:R1"],
        "expect": {"legal": ["draw", "catch>0"], "exposed": [0]},
    }
    assert run_case(parse_case(case)) == []
    case["expect"] = {"legal": ["draw", "catch>0", "uno", "G4!"]}
    assert run_case(parse_case(case)) == []
    for listed in ("catch>0", "draw"):
        case["expect"] = {"legal": [listed]}
        assert run_case(parse_case(case)) == [f'legal = ["catch>0", "draw"], expected ["{listed}"]']


def test_the_example_of_the_notation() -> None:
    case = {
        "id": "AW-C33",
        "rules": "all-wild",
        "options": {"stacking": "same"},
        "hands": ["Wx Ws Wr", "W W Wr", "W+4 W+2 W W", "W W Wr"],
        "discard": "R3 W",
        "color": "G",
        "draw": "W W W",
        "turn": 0,
        "direction": "ccw",
        "dealer": 2,
        "called": [1],
        "scores": [0, 0, 0, 0],
        "lever": ["discard", "draw4"],
        "rule_cards": ["R3", "R6"],
        "moves": ["0:Wx>2", "x 1:challenge"],
        "why": "the swapped hand never contains the card itself",
        "expect": {"turn": 3, "hands": {"0": "W+4 W+2 W W", "2": "Ws Wr"}},
    }
    assert set(case) | {"clauses"} == set(CASE_KEYS)
    assert set(KEYS) <= set(case)
    assert run_case(parse_case(case)) == []


def test_a_case_lists_all_its_faults() -> None:
    with pytest.raises(NotationError, match="3 faults") as error:
        parse_case({"id": 1, "hands": ["Q"], "rules": "classic", "discard": "R1", "expect": {"turn": "x"}})
    assert "hands[0]" in str(error.value)


def test_examples_of_the_docs_are_true(tmp_path: Path) -> None:
    text = (Path(__file__).parents[2] / "docs" / "notation.md").read_text(encoding="utf-8")
    examples = [block.partition("```")[0] for block in text.split("```toml\n")[1:]]
    position, cases = examples
    parse_position(tomllib.loads(position))
    assert run(tmp_path, cases) == (0, "1 passed, 0 failed\n", "")
    for word in (*CASE_KEYS, *EXPECT, *phases.NAMES, *action_codes.VERBS):
        assert f"`{word}" in text
