"""Every integer of a table has one name and one meaning."""

from __future__ import annotations

import random

import numpy as np
import pytest

from lastcard.engine import layout
from lastcard.engine.table import TABLE, new_tables, pack_options
from lastcard.game import rulecards
from lastcard.game.actions import VERBS
from lastcard.game.cards import CARD_SLOTS, all_wild_deck, classic_deck, wild_jackpot_deck
from lastcard.game.options import LEVER_OUTCOMES, OPTIONS, RuleOptions
from lastcard.game.rulesets import BASES, GAMES, MAX_PLAYERS
from lastcard.play import events, refusals
from support.tables import random_options

SCALARS = [name for name in TABLE.names or () if TABLE[name].shape == ()]


def constants(start: str, end: str) -> list[int]:
    """The values of the constants from one name to another, in the order of the source."""
    names = [name for name, value in vars(layout).items() if name.isupper() and type(value) is int]
    return [getattr(layout, name) for name in names[names.index(start) : names.index(end) + 1]]


def test_decisions() -> None:
    """A decision's code is its place among the names."""
    codes = constants("PLAY", "OVER")
    assert codes == list(range(len(layout.DECISIONS)))
    assert all(layout.DECISIONS[getattr(layout, name.upper())] == name for name in layout.DECISIONS)
    assert len(set(layout.DECISIONS)) == len(codes)


def test_calls_are_possible_in_the_first_decisions() -> None:
    """LC-4: the decisions up to STACK are those in which UNO may be called."""
    assert layout.DECISIONS[: layout.STACK + 1] == ("play", "drawn", "challenge", "stack")


def test_reasons() -> None:
    """A reason's code is its place, its name follows from the constant's, and it has words and a clause."""
    assert constants("OK", "SURPLUS") == list(range(len(layout.REASONS)))
    for code, clause in layout.REASONS[1:]:
        reason = getattr(layout, code.replace("-", "_").upper())
        assert layout.REASONS[reason] == (code, clause)
        assert clause.partition("-")[0] in ("CO", "AW", "CL", "WJ", "LC")
        assert reason in refusals._WORDS
    assert len({code for code, _ in layout.REASONS}) == len(layout.REASONS)


def test_events() -> None:
    """Every event on the tape is read back as a type of its own."""
    codes = [value for name, value in vars(layout).items() if name.startswith("E_")]
    assert sorted(codes) == list(range(1, len(codes) + 1))
    made = {}
    for code in codes:
        word = code | (1 + 1) << 8 | (2 + 1) << 16 | (0 + 1) << 24
        (event,) = events.read_tape([word], ())
        made[type(event)] = code
        assert getattr(event, "seat", 1) == 1
    assert len(made) == len(codes)


def test_draw_reasons() -> None:
    """Why cards were drawn is a place among the names."""
    codes = constants("BY_TURN", "BY_RULE")
    assert codes == list(range(len(layout.DRAW_REASONS)))
    assert all(getattr(layout, f"BY_{name.upper()}") == code for code, name in enumerate(layout.DRAW_REASONS))


def test_lever_outcomes() -> None:
    """The outcomes are the places among their names."""
    assert constants("LEVER_CHOOSE", "LEVER_DRAW4") == list(range(6))
    assert all(getattr(layout, f"LEVER_{name.upper()}") == code for code, name in enumerate(LEVER_OUTCOMES))


def test_effects_of_rule_cards() -> None:
    """Every effect that can be written has a code, every code an effect; each WHO too."""
    assert set(layout.EFFECT_CODES) == {*rulecards.VERBS, "dare"}
    assert sorted(layout.EFFECT_CODES.values()) == list(range(1, len(layout.EFFECT_CODES) + 1))
    assert list(layout.WHO_CODES) == ["", *rulecards.WHO]
    assert list(layout.WHO_CODES.values()) == list(range(len(layout.WHO_CODES)))
    assert rulecards.MAX_EFFECTS == layout.MAX_EFFECTS


@pytest.mark.parametrize("name", OPTIONS)
def test_option_codes(name: str) -> None:
    """The choices of an option have codes that differ and fit."""
    codes = [layout.option_code(name, choice) for choice in OPTIONS[name].choices]
    assert len(set(codes)) == len(codes)
    assert all(type(code) is int and 0 <= code < 1 << 15 for code in codes)
    assert TABLE[name] == np.int16


def test_named_option_codes() -> None:
    """A constant of an option stands for the value its name says."""
    assert (0, OPTIONS["stacking"].choices.index("same")) == (layout.STACKING_OFF, layout.STACKING_SAME)
    assert OPTIONS["uno_window"].choices.index("automatic_call") == layout.WINDOW_AUTOMATIC
    assert OPTIONS["wd4_mode"].choices.index("strict") == layout.WD4_STRICT


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
    (value,) = [choice for choice in OPTIONS[name].choices if layout.option_code(name, choice) == code]
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
    assert layout.MAX_DECK < 255 and min(VERBS.values()) >= CARD_SLOTS
    assert max(VERBS.values()) < 256


def test_new_tables_are_empty() -> None:
    """A new table is all zeros, and copying one copies everything."""
    tables = new_tables(3)
    assert tables.shape == (3,) and not np.frombuffer(tables.tobytes(), np.uint8).any()
    tables[0]["turn"] = 5
    tables[2] = tables[0]
    assert tables[2]["turn"] == 5 and tables[1]["turn"] == 0


def test_a_table_is_small() -> None:
    """Search copies tables by the million: keep them within a few kilobytes."""
    assert TABLE.itemsize <= 5 * 1024
    assert set(SCALARS) >= {"turn", "phase", "direction", "top", "color", "winner"}
