"""Every integer of a table has one name and one meaning."""

from __future__ import annotations

import random
from types import ModuleType

import numpy as np
import pytest

from lastcard.game import act, rulecards
from lastcard.game.cards import CARD_SLOTS, all_wild_deck, classic_deck, wild_jackpot_deck
from lastcard.game.options import OPTIONS, RuleOptions
from lastcard.game.rulesets import BASES, GAMES, MAX_PLAYERS
from lastcard.match import events, refusals
from lastcard.rules import choice, layout, phase, reason, rule, tape
from lastcard.rules.table import TABLE, new_tables, pack_options
from support.tables import random_options

SCALARS = [name for name in TABLE.names or () if TABLE[name].shape == ()]


def constants(module: ModuleType) -> dict[str, int]:
    """The integers a module names."""
    return {name: value for name, value in vars(module).items() if name.isupper() and type(value) is int}


def test_decisions() -> None:
    """A decision's number is its place among the names, and it is called what the constant is called."""
    assert constants(phase) == {name.upper(): number for number, name in enumerate(phase.NAMES)}


def test_calls_are_possible_in_the_first_decisions() -> None:
    """LC-4: the decisions up to STACK are those in which UNO may be called."""
    assert phase.NAMES[: phase.STACK + 1] == ["play", "drawn", "challenge", "stack"]


def test_reasons() -> None:
    """A reason's number is its place, its name follows from the constant's, and it has words and a clause."""
    names = [name for name, _ in reason.ALL]
    assert constants(reason) == {name.replace("-", "_").upper(): number for number, name in enumerate(names)}
    for _, clause in reason.ALL[1:]:
        assert clause.partition("-")[0] in ("CO", "AW", "CL", "WJ", "LC")
    assert set(refusals._WORDS) == set(range(1, len(names)))


def test_events() -> None:
    """Every event on the tape is read back as a type of its own."""
    codes = [value for name, value in constants(tape).items() if not name.startswith(("BY_", "PAST_"))]
    assert sorted(codes) == list(range(1, len(codes) + 1))
    made = {}
    for code in codes:
        word = code | (1 + 1) << 8 | (2 + 1) << 16 | (0 + 1) << 24
        (event,) = events.read_tape([word], ())
        made[type(event)] = code
        assert getattr(event, "seat", 1) == 1
    assert len(made) == len(codes)


def test_draw_reasons() -> None:
    """Why cards were drawn is a place among the names; the deal has none."""
    codes = {name: value for name, value in constants(tape).items() if name.startswith("BY_")}
    assert codes == {f"BY_{name.upper()}": number for number, name in enumerate([*tape.DRAW_REASONS, "deal"])}


def test_effects_of_rule_cards() -> None:
    """Every effect that can be written has a code, every code an effect; each WHO too."""
    assert set(rule.EFFECT_CODES) == {*rulecards.GRAMMAR, "dare"}
    assert sorted(rule.EFFECT_CODES.values()) == list(range(1, len(rule.EFFECT_CODES) + 1))
    assert list(rule.WHO_CODES) == ["", *rulecards.WHO]
    assert list(rule.WHO_CODES.values()) == list(range(len(rule.WHO_CODES)))
    assert rulecards.MAX_EFFECTS == layout.MAX_EFFECTS


@pytest.mark.parametrize("name", OPTIONS)
def test_option_codes(name: str) -> None:
    """The choices of an option have codes that differ and fit."""
    codes = [choice.option_code(name, value) for value in OPTIONS[name].choices]
    assert len(set(codes)) == len(codes)
    assert all(type(code) is int and 0 <= code < 1 << 15 for code in codes)
    assert TABLE[name] == np.int16


def test_named_option_codes() -> None:
    """A constant of an option stands for the value its name says."""
    assert (0, OPTIONS["stacking"].choices.index("same")) == (choice.STACKING_OFF, choice.STACKING_SAME)
    assert OPTIONS["uno_window"].choices.index("automatic_call") == choice.WINDOW_AUTOMATIC
    assert OPTIONS["wd4_mode"].choices.index("strict") == choice.WD4_STRICT


@pytest.mark.parametrize("game", GAMES)
def test_packed_options_are_the_options(game: str) -> None:
    """Packing loses nothing: the options can be read back out of a table, lever weights included."""
    rng = random.Random(game)
    for options in (BASES[game], *(random_options(game, rng) for _ in range(40))):
        table = new_tables(1)[0]
        pack_options(table, options)
        values = {name: value_of(name, int(table[name])) for name in OPTIONS}
        weights = options.wj_lever_weights
        assert tuple(table["weights"].tolist()) == ((1,) * 6 if isinstance(weights, str) else weights)
        values["wj_lever_weights"] = weights
        assert RuleOptions(**values) == options  # type: ignore[arg-type]


def value_of(name: str, code: int) -> object:
    """The value of an option that has a code."""
    (value,) = [value for value in OPTIONS[name].choices if choice.option_code(name, value) == code]
    return value


def test_fields_do_not_shadow_numpy() -> None:
    """With the JIT off a table is a recarray: a field named like an attribute of NumPy's could not be reached."""
    names = set(TABLE.names or ())
    assert not names & (set(dir(np.recarray)) | set(dir(np.record)))
    assert len(names) == len(TABLE.names or ())


def test_fields_can_hold_what_they_must() -> None:
    """Seats, cards, decks and rule cards fit into their arrays and into a byte of the tape."""
    assert MAX_PLAYERS <= layout.MAX_SEATS < 15, "an action has four bits for a seat, one value is taken"
    assert CARD_SLOTS <= 127 and TABLE["counts"].shape == (layout.MAX_SEATS, CARD_SLOTS)
    for deck in (all_wild_deck(), classic_deck(), wild_jackpot_deck()):
        assert len(deck) <= layout.MAX_DECK
        assert max(map(deck.count, deck)) <= np.iinfo(TABLE["counts"].base).max
    assert TABLE["pile"].shape == TABLE["discard"].shape == (layout.MAX_DECK,)
    assert layout.MAX_DECK < 255 and min(act.VERBS.values()) >= CARD_SLOTS
    assert max(act.VERBS.values()) < 256


def test_new_tables_are_empty() -> None:
    """A new table is all zeros, and copying one copies everything."""
    tables = new_tables(3)
    assert tables.shape == (3,) and not np.frombuffer(tables.tobytes(), np.uint8).any()
    tables[0]["turn"] = 5
    tables[2] = tables[0]
    assert tables[2]["turn"] == 5 and tables[1]["turn"] == 0


def test_a_table_is_small() -> None:
    """Search copies tables by the million: keep them within a few kilobytes."""
    assert TABLE.itemsize <= 6 * 1024
    assert set(SCALARS) >= {"turn", "phase", "direction", "top", "color", "winner"}
