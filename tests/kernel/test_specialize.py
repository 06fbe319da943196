"""Native code for one ruleset plays the same rounds as general code; it is compiled when it pays, and cached."""

from __future__ import annotations

import ast
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest

from lastcard import envs
from lastcard.ai import rounds
from lastcard.arena import compiled_rounds
from lastcard.arena.compiled_rounds import CompiledRounds
from lastcard.envs.compiled import vector
from lastcard.game.cards import parse_cards
from lastcard.game.options import OPTIONS
from lastcard.game.rulesets import ruleset
from lastcard.kernel import cache, jit
from lastcard.kernel.records import Int64s
from lastcard.kernel.signatures import Export
from lastcard.match.round import Round
from lastcard.rules import random_policy
from lastcard.rules.layout import DICE, MAX_ACTIONS
from lastcard.rules.round_state import ROUND_STATE, RoundStates
from support.compiled import PLAIN

if not PLAIN:
    from lastcard.kernel import native_backend, specialize

pytestmark = pytest.mark.skipif(PLAIN, reason="nothing is compiled")

PLAYED: Final = {
    "classic": (4, (0, 1, 0, 1)),
    "all-wild": (2, (1, 1)),
    "wild-jackpot": (8, (0,) * 8),
    "classic+stacking=same+seven_zero=true+jump_in=true+uno_window=until_own_next_turn": (3, (1, 1, 1)),
}
"""Rulesets, numbers of players, and kinds of choice (``ai.decision``)."""
STEPPED: Final = [rules for rules in PLAYED if rules.startswith(("all-wild", "classic+"))]
"""Those for which a step is compiled, too: one has code of its own when specialized, the other most options."""


def read_rules(tables: RoundStates, out: Int64s) -> int:
    """An export that reads constants of a ruleset, and something that changes."""
    t = tables[0]
    out[0] = t.pile_n
    return t.game * 10_000 + t.players * 1000 + t.hand_size


def open_export(export: Any = None) -> Any:
    """An export, by default ``read_rules``, as native code, and the caller of its only entry."""
    export = export or Export(read_rules, True, lambda made: made.function, is_specializable=True)
    opened = native_backend.NativeExport(export)
    return opened, opened.compile(export.signatures[""])


def make_states(rules: str, players: int) -> Any:
    return Round.deal(rules, players, seed=1)._states


def join_compilers() -> None:
    """Wait until no specialization is being compiled."""
    for thread in threading.enumerate():
        if thread.name == "special":
            thread.join()


@pytest.mark.parametrize("rules", PLAYED)
def test_the_same_rounds(rules: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every number of every round is that of general code."""
    players, kinds = PLAYED[rules]
    opened, calling = open_export(rounds.play_rounds)

    def play(by: Any) -> Any:
        monkeypatch.setattr(compiled_rounds, "play_rounds", by)
        return CompiledRounds(ruleset(rules), players, bytes(32)).play(0, 300, kinds)

    expected = play(lambda *args: calling.general(*opened._prepare(args)[1]))
    play(opened.specialize)
    made = len(calling._specialized)
    assert made and (play(opened.resolve()) == expected).all() and len(calling._specialized) == made
    assert not calling._seconds_spent, "no call was one of the form for all"


def play_mixed(opened: Any, by: Any) -> list[bytes]:
    """Tables of All Wild with colored cards among the wilds, each after some moves."""
    out, tally = np.zeros(MAX_ACTIONS + DICE, np.int64), np.zeros(random_policy.TALLY_NUMBERS, np.int64)
    ends = []
    for plies in range(40):
        tables = Round.deal("all-wild", 2, seed=3, deck=parse_cards("R3 W*9 G+2 W*4 B5*3 Yr W*20 Wx*4"))._states
        out[-DICE:] = 1, 2, 3, 4
        by(*opened._prepare((tables, 0, 1, out, tally, plies))[1])
        ends.append(tables.tobytes())
    return ends


def test_the_same_with_cards_of_other_games() -> None:
    """A specialization for All Wild assumes only wilds; tables with other cards get one of their own."""
    opened, calling = open_export(random_policy.play_rounds)
    pure = make_states("all-wild", 2)
    assert pure["has_foreign_cards"] == 0
    expected = play_mixed(opened, calling.general)

    def play(*args: Any) -> Any:
        calling.specialize(args)
        return calling._specialized[calling._ruleset_key(args)](*args)

    assert play_mixed(opened, play) == expected


def test_options_are_compiled_as_constants(native_folder: Path) -> None:
    """A specialization answers with the constants of its ruleset whatever the table says, and reads all else."""
    opened, calling = open_export()
    tables, out = make_states("classic", 4), np.zeros(1, np.int64)
    assert calling.general(tables, out) == 14_007
    opened.specialize(tables, out)
    others = make_states("all-wild", 3)
    made = calling._specialized[specialize.ConstantFields(ROUND_STATE).read(tables)]
    assert made(others, out) == 14_007 and out[0] == others[0]["pile_n"]
    assert calling(others, out) == 3007, "another ruleset is another form's"


def test_a_specialization_is_made_when_it_pays(native_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """After enough time with a ruleset it is compiled; later processes have it from the first call on."""
    opened, calling = open_export()
    tables, out = make_states("classic", 4), np.zeros(1, np.int64)
    assert opened.resolve()(tables, out) == 14_007
    assert not list(native_folder.glob("*.special"))
    monkeypatch.setattr(specialize, "PAYS_AFTER_S", sum(calling._seconds_spent.values()) + 1e-9)
    assert opened.resolve()(tables, out) == 14_007
    join_compilers()
    assert len(calling._specialized) == len(list(native_folder.glob("*.special"))) == 1
    assert opened.resolve()(tables, out) == 14_007
    monkeypatch.setattr(specialize.SpecializedExport, "_compile", None)
    next_one, next_calling = open_export()
    assert next_one.resolve()(tables, out) == 14_007
    assert len(next_calling._specialized) == 1 and not next_calling._seconds_spent


@pytest.fixture
def bound(native_folder: Path) -> Iterator[tuple[Any, Any, Any, Any]]:
    """``read_rules`` as native code, bound to tables of classic: opener, caller, tables, binding."""
    before = jit.backend()
    opened, calling = open_export()
    jit.switch_backend(native_backend.NativeBackend({opened._export.name: opened}, before))
    tables = np.repeat(make_states("classic", 4), specialize._FEW_STATES)
    yield opened, calling, tables, jit.bind(opened._export, (tables, np.zeros(1, np.int64)))
    jit.switch_backend(before)


def test_a_binding_goes_over_when_it_pays(bound: tuple[Any, Any, Any, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """A bound export counts its time, and calls the specialization without a lookup once that is compiled."""
    _, calling, tables, binding = bound
    fixed, first = calling._ruleset_key((tables,)), binding.call
    for _ in range(specialize._CALLS_PER_SAMPLE):
        assert binding.call() == 14_007
    assert calling._seconds_spent[fixed] > 0 and binding.call is first
    monkeypatch.setattr(specialize, "PAYS_AFTER_S", calling._seconds_spent[fixed] + 1e-9)
    for _ in range(specialize._CALLS_PER_SAMPLE):
        assert binding.call() == 14_007
    join_compilers()
    assert binding.call.func is calling._specialized[fixed] and binding.call() == 14_007
    assert first() == 14_007, "who kept the old one goes on with it"


def test_small_batches_use_a_specialization_and_trigger_none(bound: tuple[Any, Any, Any, Any]) -> None:
    """Small batches are bound to general code, and to a specialization if other batches have had it compiled."""
    opened, calling, tables, _ = bound
    one: Any = jit.bind(opened._export, (tables[:1], np.zeros(1, np.int64)))
    assert one.call.func is calling.general
    opened.specialize(tables, np.zeros(1, np.int64))
    assert one.call.func is calling._specialized[calling._ruleset_key((tables,))]
    next_one, next_calling = open_export()
    call: Any = next_one.bind((tables[:1], np.zeros(1, np.int64)), (), one.rebind)
    assert call() == 14_007 and call.func in next_calling._specialized.values(), "the next process starts with it"


def test_without_source_no_time_is_counted(
    bound: tuple[Any, Any, Any, Any], native_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If there is no source to compile from, time is not counted any more."""
    _, calling, _, binding = bound
    for file in native_folder.glob("*.linked"):
        file.unlink()
    monkeypatch.setattr(specialize, "PAYS_AFTER_S", 1e-12)
    for _ in range(specialize._CALLS_PER_SAMPLE):
        binding.call()
    join_compilers()
    assert binding.call.func is calling.general and not calling._specialized and binding.call() == 14_007


@pytest.mark.parametrize("rules", STEPPED)
@pytest.mark.parametrize("bots", [(), ("sharp",), ("random", "trained")])
def test_the_same_steps(rules: str, bots: tuple[str, ...]) -> None:
    """Tables for learners are the same to the last byte with a specialization and with general code."""
    opened, calling = open_export(vector.step)
    players = PLAYED[rules][0]
    seats = tuple(None if seat % 2 == 0 or not bots else bots[seat // 2 % len(bots)] for seat in range(players))
    calls = "automatic" if "uno_window" not in rules else "decisions"
    given = [envs.batch(rules, players, 8, seats=seats, calls=calls, episode="match", seed=4) for _ in range(2)]
    for tables in given:
        tables.reset()
    chosen = np.zeros(8, np.int64)
    opened.specialize(*given[0].kernel_arrays, chosen, False)
    variants = (calling.general, calling._specialized[calling._ruleset_key(given[0].kernel_arrays)])
    for _ in range(150):
        chosen[:] = given[0].sample()
        for tables, step_rounds in zip(given, variants, strict=True):
            assert step_rounds(*tables.kernel_arrays, chosen, False) == -1
        one, other = ([array.tobytes() for array in (*t.kernel_arrays[0], *t.kernel_arrays[2])] for t in given)
        assert one == other


def test_code_of_an_earlier_process_is_found(native_folder: Path) -> None:
    """If the source of the specialization is missing, general code continues."""
    opened, calling = open_export()
    for file in native_folder.glob("*.linked"):
        file.unlink()
    tables, out = make_states("classic", 4), np.zeros(1, np.int64)
    opened.specialize(tables, out)
    assert not calling._specialized and opened.resolve()(tables, out) == 14_007


def test_saved_before_others_find_the_code(native_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The source of specializations is written before another process can find the general code."""
    fcntl = pytest.importorskip("fcntl")
    save = cache.write_atomically

    def save_alone(file: Path, data: bytes) -> None:
        with (native_folder / "test_specialize.read_rules.lock").open("ab") as held, pytest.raises(BlockingIOError):
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        save(file, data)

    monkeypatch.setattr(specialize, "write_atomically", save_alone)
    open_export()
    assert list(native_folder.glob("*.linked"))


def test_constant_fields_are_never_written() -> None:
    """No compiled function writes a field that is taken as constant, and all options are."""
    assert set(OPTIONS) < set(specialize.CONSTANT_FIELDS)
    for pattern in cache.COMPILED_SOURCES:
        for path in cache.PACKAGE.glob(pattern):
            for node in ast.walk(ast.parse(path.read_text())):
                if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
                    owner = node.value
                    assert not (
                        isinstance(owner, ast.Name) and owner.id != "self" and node.attr in specialize.CONSTANT_FIELDS
                    ), path


def test_constant_fields_are_read_by_name() -> None:
    tables = make_states("wild-jackpot+stacking=same", 5)
    fields = specialize.ConstantFields(ROUND_STATE)
    values = fields.values(fields.read(tables))
    assert values == {name: int(tables[0][name]) for name in specialize.CONSTANT_FIELDS}
    assert values["players"] == 5 and len(ROUND_STATE.fields or ()) > len(values)


def test_an_export_without_states() -> None:
    """An export for whole rounds takes round states."""

    def without(out: Int64s) -> int:
        return int(out[0])

    with pytest.raises(TypeError, match="takes round states"):
        specialize.find_states(Export(without, True, lambda made: made.function).signatures[""].arguments)
