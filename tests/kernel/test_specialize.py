"""Native code for one ruleset: the same rounds as the form for all, made when it pays, kept, and never in between."""

from __future__ import annotations

import ast
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, cast

import numpy as np
import pytest

from lastcard import envs
from lastcard.ai import rounds
from lastcard.arena import quick
from lastcard.arena.quick import QuickTable
from lastcard.envs.compiled import vector
from lastcard.game.cards import parse_cards
from lastcard.game.options import OPTIONS
from lastcard.game.rulesets import ruleset
from lastcard.kernel import cache, jit
from lastcard.kernel.functions import Door
from lastcard.kernel.records import Int64s
from lastcard.match.round import Round
from lastcard.rules import batch
from lastcard.rules.layout import DICE, MAX_ACTIONS
from lastcard.rules.table import TABLE, Tables
from support.compiled import PLAIN

if not PLAIN:
    from lastcard.kernel import native, specialize

pytestmark = pytest.mark.skipif(PLAIN, reason="nothing is compiled")

PLAYED: Final = {
    "classic": (4, (0, 1, 0, 1)),
    "all-wild": (2, (1, 1)),
    "wild-jackpot": (8, (0,) * 8),
    "classic+stacking=same+seven_zero=true+jump_in=true+uno_window=until_own_next_turn": (3, (1, 1, 1)),
}
"""Rulesets, how many play, and how they choose (``mind.decision``)."""


def read_rules(tables: Tables, out: Int64s) -> int:
    """A door that reads what never changes, and something that does."""
    t = tables[0]
    out[0] = t.pile_n
    return t.game * 10_000 + t.players * 1000 + t.hand_size


@pytest.fixture
def kept(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Path]:
    """The folder of native code, in a cache of its own."""
    monkeypatch.setenv("LASTCARD_CACHE", str(tmp_path / "cache"))
    cache.native_folder.cache_clear()
    folder = cache.native_folder()
    assert folder is not None
    yield folder
    cache.native_folder.cache_clear()


def open_door() -> Any:
    """``read_rules`` as native code, and what calls its only entry."""
    door = Door(read_rules, True, lambda made: made.function, rounds=True)
    opened = native.NativeDoor(door)
    return opened, opened.compile(door.entries[""])


def tables_of(rules: str, players: int) -> Any:
    return Round.deal(rules, players, seed=1)._tables


def join_makers() -> None:
    """Wait until no form is being made."""
    for thread in threading.enumerate():
        if thread.name == "special":
            thread.join()


@pytest.mark.parametrize("rules", PLAYED)
def test_the_same_rounds(rules: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every number of every round is that of the form for all rulesets."""
    players, kinds = PLAYED[rules]
    door = cast(Door, rounds.play_many)
    opened = native.NativeKernel().open(door)
    calling = cast(specialize.SpecialDoor, opened.compile(door.entries[""]))

    def play(by: Any) -> Any:
        monkeypatch.setattr(quick, "play_many", by)
        return QuickTable(ruleset(rules), players, bytes(32)).play(0, 300, kinds)

    expected = play(lambda *args: calling.general(*opened._prepare(args)[1]))
    play(opened.specialize)
    made = len(calling._made)
    assert made and (play(opened.enter()) == expected).all() and len(calling._made) == made
    assert not calling._spent, "no call was one of the form for all"


def play_mixed(opened: Any, by: Any) -> list[bytes]:
    """Tables of All Wild with colored cards among the wilds, each after so many acts."""
    out, tally = np.zeros(MAX_ACTIONS + DICE, np.int64), np.zeros(batch.TALLY_LENGTH, np.int64)
    ends = []
    for acts in range(40):
        tables = Round.deal("all-wild", 2, seed=3, deck=parse_cards("R3 W*9 G+2 W*4 B5*3 Yr W*20 Wx*4"))._tables
        out[-DICE:] = 1, 2, 3, 4
        by(*opened._prepare((tables, 0, 1, out, tally, acts))[1])
        ends.append(tables.tobytes())
    return ends


def test_the_same_with_cards_of_other_games() -> None:
    """A form for All Wild reckons with wilds only; tables that have others too get a form of their own."""
    door = cast(Door, batch.play_rounds)
    opened = native.NativeKernel().open(door)
    calling = cast(specialize.SpecialDoor, opened.compile(door.entries[""]))
    pure = tables_of("all-wild", 2)
    assert pure["foreign"] == 0
    expected = play_mixed(opened, calling.general)

    def play(*args: Any) -> Any:
        calling.specialize(args)
        return calling._made[calling._read(args)](*args)

    assert play_mixed(opened, play) == expected


def test_numbers_in_place_of_reads(kept: Path) -> None:
    """The form for a ruleset answers with its numbers whatever the table says, and reads all else."""
    opened, calling = open_door()
    tables, out = tables_of("classic", 4), np.zeros(1, np.int64)
    assert calling.general(tables, out) == 14_007
    opened.specialize(tables, out)
    others = tables_of("all-wild", 3)
    made = calling._made[specialize.FixedFields(TABLE).read(tables)]
    assert made(others, out) == 14_007 and out[0] == others[0]["pile_n"]
    assert calling(others, out) == 3007, "another ruleset is another form's"


def test_made_when_it_pays(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """After enough time with a ruleset its form is made; whoever comes next has it from the first call on."""
    opened, calling = open_door()
    tables, out = tables_of("classic", 4), np.zeros(1, np.int64)
    assert opened.enter()(tables, out) == 14_007
    assert not list(kept.glob("*.special"))
    monkeypatch.setattr(specialize, "PAYS", sum(calling._spent.values()) + 1e-9)
    assert opened.enter()(tables, out) == 14_007
    join_makers()
    assert len(calling._made) == len(list(kept.glob("*.special"))) == 1
    assert opened.enter()(tables, out) == 14_007
    monkeypatch.setattr(specialize.SpecialDoor, "_compile", None)
    next_one, next_calling = open_door()
    assert next_one.enter()(tables, out) == 14_007
    assert len(next_calling._made) == 1 and not next_calling._spent


@pytest.fixture
def bound(kept: Path) -> Iterator[tuple[Any, Any, Any, Any]]:
    """``read_rules`` as native code, bound to tables of classic: what opens it, what calls it, tables, the binding."""
    before = jit.form()
    opened, calling = open_door()
    jit.take(native.NativeKernel({opened._door.name: opened}, before))
    tables = np.repeat(tables_of("classic", 4), specialize._FEW)
    yield opened, calling, tables, jit.bind(opened._door, (tables, np.zeros(1, np.int64)))
    jit.take(before)


def test_a_binding_goes_over_when_it_pays(bound: tuple[Any, Any, Any, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """What is bound counts the time it takes, and calls the form for its ruleset, without a look, once that is made."""
    _, calling, tables, binding = bound
    fixed, first = calling._read((tables,)), binding.call
    for _ in range(specialize._TIMED):
        assert binding.call() == 14_007
    assert calling._spent[fixed] > 0 and binding.call is first
    monkeypatch.setattr(specialize, "PAYS", calling._spent[fixed] + 1e-9)
    for _ in range(specialize._TIMED):
        assert binding.call() == 14_007
    join_makers()
    assert binding.call.func is calling._made[fixed] and binding.call() == 14_007
    assert first() == 14_007, "who kept the old one goes on with it"


def test_few_tables_use_a_form_and_lead_to_none(bound: tuple[Any, Any, Any, Any]) -> None:
    """They are bound to the general form as it is, and to one for their ruleset where others have had it made."""
    opened, calling, tables, _ = bound
    one: Any = jit.bind(opened._door, (tables[:1], np.zeros(1, np.int64)))
    assert one.call.func is calling.general
    opened.specialize(tables, np.zeros(1, np.int64))
    assert one.call.func is calling._made[calling._read((tables,))]
    next_one, next_calling = open_door()
    call: Any = next_one.bind((tables[:1], np.zeros(1, np.int64)), (), one.renew)
    assert call() == 14_007 and call.func in next_calling._made.values(), "whoever comes next begins with it"


def test_what_cannot_be_made_is_not_waited_for(
    bound: tuple[Any, Any, Any, Any], kept: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where there is nothing to make a form from, time is not counted any more."""
    _, calling, _, binding = bound
    for file in kept.glob("*.linked"):
        file.unlink()
    monkeypatch.setattr(specialize, "PAYS", 1e-12)
    for _ in range(specialize._TIMED):
        binding.call()
    join_makers()
    assert binding.call.func is calling.general and not calling._made and binding.call() == 14_007


@pytest.mark.parametrize("rules", PLAYED)
@pytest.mark.parametrize("bots", [(), ("sharp",), ("random", "trained")])
def test_the_same_steps(rules: str, bots: tuple[str, ...]) -> None:
    """Tables for learners are the same to the last byte with a form for their ruleset as with that for all."""
    step = cast(Door, vector.step)
    opened = native.NativeKernel().open(step)
    calling = cast(specialize.SpecialDoor, opened.compile(step.entries[""]))
    players = PLAYED[rules][0]
    seats = tuple(None if seat % 2 == 0 or not bots else bots[seat // 2 % len(bots)] for seat in range(players))
    calls = "automatic" if "uno_window" not in rules else "decisions"
    given = [envs.tables(rules, players, 8, seats=seats, calls=calls, episode="match", seed=4) for _ in range(2)]
    for tables in given:
        tables.begin()
    chosen = np.zeros(8, np.int64)
    opened.specialize(*given[0].parts, chosen, False)
    forms = (calling.general, calling._made[calling._read(given[0].parts)])
    for _ in range(150):
        chosen[:] = given[0].sample()
        for tables, form in zip(given, forms, strict=True):
            assert form(*tables.parts, chosen, False) == -1
        one, other = ([array.tobytes() for array in (*t.parts[0], *t.parts[2])] for t in given)
        assert one == other


def test_code_of_before_is_enough(kept: Path) -> None:
    """Where what the general form was made from is gone, that form goes on."""
    opened, calling = open_door()
    for file in kept.glob("*.linked"):
        file.unlink()
    tables, out = tables_of("classic", 4), np.zeros(1, np.int64)
    opened.specialize(tables, out)
    assert not calling._made and opened.enter()(tables, out) == 14_007


def test_kept_before_others_find_the_code(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a form for a ruleset is made from is there before another process can find the general form."""
    fcntl = pytest.importorskip("fcntl")
    keep = specialize._keep

    def keep_alone(file: Path, data: bytes) -> None:
        with (kept / "test_specialize.read_rules.lock").open("ab") as held, pytest.raises(BlockingIOError):
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        keep(file, data)

    monkeypatch.setattr(specialize, "_keep", keep_alone)
    open_door()
    assert list(kept.glob("*.linked"))


def test_what_never_changes() -> None:
    """No compiled function writes a field that is taken to be fixed, and all options are."""
    assert set(OPTIONS) < set(specialize.FIXED)
    for pattern in cache.COMPILED:
        for path in cache.PACKAGE.glob(pattern):
            for node in ast.walk(ast.parse(path.read_text())):
                if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
                    owner = node.value
                    assert not (isinstance(owner, ast.Name) and owner.id != "self" and node.attr in specialize.FIXED), (
                        path
                    )


def test_the_fields_read() -> None:
    """What is read of a table is what it holds, by name."""
    tables = tables_of("wild-jackpot+stacking=same", 5)
    fields = specialize.FixedFields(TABLE)
    values = fields.values(fields.read(tables))
    assert values == {name: int(tables[0][name]) for name in specialize.FIXED}
    assert values["players"] == 5 and len(TABLE.fields or ()) > len(values)


def test_a_door_without_tables() -> None:
    """A door of whole rounds takes tables."""

    def without(out: Int64s) -> int:
        return int(out[0])

    with pytest.raises(TypeError, match="takes tables"):
        specialize.find_tables(Door(without, True, lambda made: made.function).entries[""].arguments)
