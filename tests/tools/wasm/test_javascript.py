"""lastcard.js plays as the library does: all conformance cases, and random matches, message by message."""

from __future__ import annotations

import base64
import hashlib
import random
import tomllib
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from lastcard.bots.base import choose_move
from lastcard.bots.network_files import write_network
from lastcard.bots.registry import make_bots
from lastcard.errors import LastcardError, NotationError, UsageError
from lastcard.formats.cases import parse_case, read_cases
from lastcard.game.cards import card_name
from lastcard.game.moves import Move, move_to_action, parse_seat_move, seat_move_text
from lastcard.game.options import OPTIONS, value_text
from lastcard.game.position import parse_position
from lastcard.game.rulecards import parse_rule_card
from lastcard.game.rulesets import GAMES, PRESETS, Ruleset, ruleset, stored_name
from lastcard.game.seeds import parse_seed
from lastcard.game.text_files import TEXT_LIMIT_BYTES
from lastcard.match.match import Match
from lastcard.match.record import Record
from support.clauses import conformance_files
from support.node import Node
from support.random_states import random_options
from support.refused_moves import REFUSED_MOVES, RefusedMove
from support.texts import CASES, CR_INSIDE, ENCODED_FORMS, FINISHED_RECORD, POSITION, RECORD_WITH_NOTES
from tools.differential.javascript import error_values, play_match, run_differential

ROUNDS = 100


def result_of(read: Callable[[str], object], text: str) -> object:
    """What a function reads in a text, or the values of its error."""
    try:
        return read(text)
    except LastcardError as error:
        return error_values(error)


def ruleset_names(text: str) -> list[str]:
    """The full and the stored name of a ruleset."""
    return [str(ruleset(text)), stored_name(ruleset(text))]


def move_values(text: str) -> list[object]:
    """The seat, the canonical text and the action of a move."""
    seat, move = parse_seat_move(text)
    return [seat, str(move), move_to_action(move)]


def test_all_cases_pass(node: Node) -> None:
    for path in conformance_files():
        results = node.ask("cases", text=path.read_text(encoding="utf-8"))
        assert [result["id"] for result in results] == [case.id for case in read_cases(path)]
        assert not [result for result in results if result["wrong"]], path


def test_a_false_case_fails(node: Node) -> None:
    """The expected state and expected refusals are checked."""
    head = '[[case]]\nid = "x"\nrules = "classic"\nhands = ["R1 R2", "G1"]\ndiscard = "R7"\ndraw = "B1"\n'
    for rest in (
        'moves = ["0:R1"]\nexpect = { turn = 0 }',
        'moves = ["0:G9"]\nexpect = {}',
        'moves = ["x 0:R1"]\nexpect = {}',
    ):
        assert node.ask("cases", text=head + rest)[0]["wrong"]
    for legal, wrong in (('"G1", "draw", "catch>0"', False), ('"G1", "draw"', True), ('"catch>0"', True)):
        found = node.ask("cases", text=f'{head}moves = ["0:R1"]\nexpect = {{ legal = [{legal}] }}')[0]["wrong"]
        assert bool(found) is wrong, "an open catch is a move like any other"


@pytest.mark.parametrize(
    "rest",
    ["rule_cards = []", "scores = [1000001, 0]", "scores = [99999999999999999999, 0]", 'moves = ["x 7:R1"]'],
)
def test_an_invalid_case_is_refused(node: Node, rest: str) -> None:
    """``read_cases`` refuses the same."""
    text = f'[[case]]\nid = "x"\nrules = "wild-jackpot"\nhands = ["R1", "G1"]\ndiscard = "R7"\n{rest}\nexpect = {{}}'
    assert node.ask("cases", text=text)[0]["wrong"] == {"code": "notation", "clause": None, "variant": ""}
    with pytest.raises(NotationError):
        parse_case(tomllib.loads(text)["case"][0])


def test_matches_are_the_same(node: Node) -> None:
    """Events for all viewers, refusals, views, scores, dealers, records; ``make differential-js`` runs longer."""
    run_differential(node, 1, ROUNDS)


@pytest.mark.parametrize("case", REFUSED_MOVES, ids=lambda case: f"{case.rules}-{case.move}")
def test_refusals_are_the_same(node: Node, case: RefusedMove) -> None:
    """The clause and the variant of the words are the same, if they are not the usual ones of the reason."""
    setup = {"rules": case.rules, "players": len(case.hands), "seed": "1", "position": case.position}
    moves = [parse_seat_move(text) for text in (*case.moves.split(), case.move)]
    done = [{"seat": seat, "move": str(move), "look": False} for seat, move in moves]
    found = node.ask("match", setup=setup, acts=done)["steps"][-1]["events"]
    assert (found["clause"], found["variant"]) == (case.clause, case.variant)


def test_names_of_rulesets_are_the_same(node: Node) -> None:
    rng = random.Random(1)
    names = [str(Ruleset(game, random_options(game, rng))) for game in GAMES for _ in range(100)]
    names += [
        f"{game}+{preset}+{option}" for game in GAMES for preset in PRESETS for option in ("jump_in", "stacking=off")
    ]
    names += [f"classic+{name}={value_text(value)}" for name, option in OPTIONS.items() for value in option.choices]
    weights = ("=1/2/3/4/5/6", "=1/2/3/4/5/006", "=1/2/3/4/5/100", "")
    names += [f"wild_jackpot+wj_lever_weights{value}" for value in weights]
    names += ["Classic + Living-Room", "classic+stacking", "classic+x", "ludo", "all-wild+deflect"]
    names += ["classic+jump-in=yes+stacking= Cross", "classic+harsh+living-room", "classic+stacking=same+harsh", ""]
    assert node.ask("rules", names=names) == [result_of(ruleset_names, name) for name in names]


def test_moves_are_read_alike(node: Node) -> None:
    """Texts are moves in all spellings, and texts that are none."""
    rng = random.Random(2)
    parts = ["0:", "3 :", "1:", "12:", "", " "]
    parts += ["R5", "w+4", "Wx", "W", "draw", "catch", "Keep", "play ", "THROW ", "color"]
    parts += ["=", ">", "g", "blue", "2", "99", "!", "uno", "bury", "Ys", "??", "accept", "take", "done", "x", " R1"]
    texts = ["".join(rng.choice(parts) for _ in range(rng.randrange(1, 5))) for _ in range(3000)]
    texts += [f"1:{part}" for part in texts]
    assert node.ask("moves", texts=texts) == [result_of(move_values, text) for text in texts]


def test_records_go_both_ways(node: Node) -> None:
    """A record is read, verified and written unchanged, with its own keys; a changed one is refused."""
    match = next(match for match in map(play_match, range(1, 500)) if match.expected["record"] and match.rounds > 1)
    text = match.expected["record"]
    assert node.ask("record", text=text) == text
    number, scores, _ = node.ask("verify", text=text)
    assert (number, scores) == (match.rounds - 1, list(match.expected["steps"][-1]["scores"]))
    with_private_keys = f'_note = "Zażółć\\n"\n_more = [1, {{ a = 2 }}, 1.5]\n{text}'
    assert Record.parse(node.ask("record", text=with_private_keys)) == Record.parse(with_private_keys)
    changed = text.replace('"0:', '"1:', 1)
    assert node.ask("record", text=changed)["code"] == "record"
    assert node.ask("verify", text=text.replace("host = ", "hosts = "))["code"] == "record"


# --- texts of other systems -------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", ENCODED_FORMS)
def test_every_reader_takes_marks_and_line_ends_as_the_library_does(node: Node, form: str) -> None:
    write = ENCODED_FORMS[form]
    record = write(RECORD_WITH_NOTES)
    assert node.ask("record", text=record) == Record.parse(record).text() == Record.parse(RECORD_WITH_NOTES).text()
    assert node.ask("cases", text=write(CASES)) == [{"id": "one", "wrong": []}]
    position = parse_position(write(POSITION))
    assert sorted(node.ask("position", text=write(POSITION))) == sorted(map(card_name, position.hands[0]))


@pytest.mark.parametrize("end", ["\r", "\n", "\x0b", "\x00"])
@pytest.mark.parametrize("place", CR_INSIDE)
def test_a_line_end_or_a_control_where_none_may_be_is_refused_as_the_library_does(
    node: Node, place: str, end: str
) -> None:
    wrong = CR_INSIDE[place].replace("\r", end)
    for task, text, parse in (("record", RECORD_WITH_NOTES, Record.parse), ("position", POSITION, parse_position)):
        with pytest.raises(LastcardError) as error:
            parse(wrong + text)
        assert node.ask(task, text=wrong + text)["code"] == ("record" if task == "record" else error.value.code)
    assert node.ask("cases", text=wrong + CASES)["code"] == "notation"


def test_a_carriage_return_in_a_long_text_is_a_line_feed_as_in_the_library(node: Node) -> None:
    text = '_note = """\r\nfirst\rsecond\r\nthird\\r"""\r' + FINISHED_RECORD.text()
    assert Record.parse(node.ask("record", text=text)).extra == {"_note": "first\nsecond\nthird\r"}


def test_a_text_that_is_too_long_is_refused_as_the_library_does(node: Node) -> None:
    long = "#" * (TEXT_LIMIT_BYTES + 1)
    assert node.ask("record", text=long)["code"] == "record" and node.ask("cases", text=long)["code"] == "notation"


BLANKS = "\ufeff\t\r\x1c\x1f\x85\xa0\u1680\u180e\u2003\u200b\u2028\u3000"
"""Characters that are blanks for Python or for JavaScript, and some that are for neither."""


@pytest.mark.parametrize("char", BLANKS, ids=lambda char: f"U+{ord(char):04X}")
def test_the_same_characters_are_blanks_in_every_text_as_in_the_library(node: Node, char: str) -> None:
    """The byte order mark is none: at the beginning of a text it is dropped, elsewhere it is an error."""
    moves = [form.replace("_", char) for form in ("_0:R5", "0_:R5", "0:_R5", "0:R5_", "0:W_=_R", "0:play_R5", "0:R5_!")]
    assert node.ask("moves", texts=moves) == [result_of(move_values, text) for text in moves]
    names = [form.replace("_", char) for form in ("_classic", "classic_", "classic+_harsh_")]
    assert node.ask("rules", names=names) == [result_of(ruleset_names, name) for name in names]
    seeds = [f"{char}a", f"a{char}", f"a{char}b"]
    assert node.ask("seeds", seeds=seeds) == [parse_seed(seed).hex() for seed in seeds]
    cards = [
        form.replace("_", char) for form in ("_draw 2", "draw_2", "draw 2_;_reverse", "dare_:_hum", "dare: hum_", "R1_")
    ]
    assert node.ask("rule_cards", texts=cards) == [
        result_of(lambda text: parse_rule_card(text).text, text) for text in cards
    ]
    if char.isprintable() or char in "\t\ufeff\xa0\u1680\u2003\u3000":  # others are not allowed in TOML
        text = f'rules = "classic"\nhands = ["R5{char}R6", "G1"]\ndiscard = "{char}R3"\n'
        found = node.ask("position", text=text)
        expected = result_of(lambda text: sorted(map(card_name, parse_position(text).hands[0])), text)
        assert (sorted(found) if isinstance(found, list) else found) == expected


def test_a_move_is_written_by_its_parts(node: Node) -> None:
    """Every action of a card and a verb gives the same text again."""
    moves = [Move("play", card, uno=uno) for card in (0, 12, 64, 65) for uno in (False, True)]
    texts = [seat_move_text(0, move) for move in moves]
    assert [text for _, text, _ in node.ask("moves", texts=texts)] == [str(move) for move in moves]


def test_calls_leak_no_memory(node: Node) -> None:
    """A match leaves nothing in the module: the memory of the first rounds is enough for all."""
    sizes = node.ask("memory", rounds=60)
    assert len(set(sizes[5:])) == 1


def test_mistakes_are_refused(node: Node) -> None:
    """A description of another module, a wild that only All Wild has in classic, exports that do not exist, numbers for
    arrays; an error changes no match."""
    assert node.ask("mistakes") == {
        "refused": ["usage", "usage", "notation"],
        "faults": ["RuntimeError", "UsageError", "UsageError"],
        "same": True,
        "goes_on": True,
    }


def test_hashes_are_those_of_the_standard(node: Node) -> None:
    """Every length up to three blocks is compared with hashlib."""
    rng = random.Random(3)
    messages = [rng.randbytes(n) for n in range(400)]
    found = node.ask("hashes", messages=[message.hex() for message in messages])
    assert found == [hashlib.sha256(message).hexdigest() for message in messages]


LEVELS_AT_TABLES = [
    ("all-wild", ["learner", "master", "expert", "sharp"]),
    ("classic+jump_in+stacking=same", ["expert", "casual", "trained", "learner"]),
    ("classic", ["master", "expert"]),
    ("wild-jackpot+wj_rules=social_only", ["trained", "master", "casual"]),
    ("wild-jackpot", ["sharp", "learner", "expert"]),
    ("classic+stacking=cross", ["sharp:style=hoarder", "casual:style=aggressive", "heuristic:style=cautious"]),
    ("all-wild", ["casual:style=hoarder", "sharp:style=aggressive"]),
]


@pytest.mark.parametrize(("rules", "levels"), LEVELS_AT_TABLES, ids=lambda part: str(part).partition("+")[0])
def test_bots_decide_alike(node: Node, rules: str, levels: list[str]) -> None:
    efforts = [{"rollouts": 60, "deals": 32, "burn": 20} if level in ("expert", "master") else {} for level in levels]
    for seed in ("1", "Zoë"):
        match = Match(rules, len(levels), seed=seed)
        words = [
            ":".join([level, *(f"{k}={v}" for k, v in e.items())]) for level, e in zip(levels, efforts, strict=True)
        ]
        bots = make_bots(words, match.seed)
        while not match.round.over:
            match.do(*choose_move(match.round, bots))
        seated = [{"level": level, "effort": effort} for level, effort in zip(levels, efforts, strict=True)]
        setup = {"rules": rules, "players": len(levels), "seed": seed}
        assert node.ask("bots", setup=setup, bots=seated) == list(match.moves)


def test_networks_are_read_as_in_python(node: Node, tmp_path: Path) -> None:
    """Files in the shipped byte order and older ones with plain numbers are read; everything else is refused."""
    numbers = np.random.default_rng(4).standard_normal(1001).astype(np.float32)
    write_network(tmp_path / "network.npy", numbers)
    np.save(tmp_path / "plain.npy", numbers)
    np.save(tmp_path / "longer.npy", numbers.astype(np.float64))
    np.save(tmp_path / "bytes.npy", np.frombuffer(numbers.tobytes(), np.uint8))
    found = [
        node.ask("network", file=base64.b64encode((tmp_path / f"{name}.npy").read_bytes()).decode())
        for name in ("network", "plain", "longer", "bytes")
    ]
    assert found == [base64.b64encode(numbers.tobytes()).decode()] * 2 + ["usage"] * 2


NOBODY = [
    "nobody",
    "sharp:style=rude",
    "sharp:style=",
    "sharp:pace=1",
    "sharp:style=hoarder:x=1",
    "expert:style=hoarder",
]


def test_unknown_bots_are_refused(node: Node) -> None:
    for name in NOBODY:
        with pytest.raises(UsageError):
            make_bots([name], bytes(32))
    assert node.ask("nobody", names=[*NOBODY, "sharp:style=hoarder"]) == [*["usage"] * len(NOBODY), None]
