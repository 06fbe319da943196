"""Every integer of a round state has one name and one meaning."""

from __future__ import annotations

import random
from types import ModuleType

import numpy as np
import pytest

from lastcard.game import action_codes, rulecards
from lastcard.game.cards import CARD_SLOTS, all_wild_deck, classic_deck, wild_jackpot_deck
from lastcard.game.options import OPTIONS, RuleOptions
from lastcard.game.rulesets import GAME_DEFAULTS, GAMES, MAX_PLAYERS
from lastcard.match import events, refusals
from lastcard.rules import event_codes, layout, option_codes, phases, refusal_reasons, rule_effects
from lastcard.rules.round_state import ROUND_STATE, new_round_states, pack_options
from support.random_states import random_options

SCALARS = [name for name in ROUND_STATE.names or () if ROUND_STATE[name].shape == ()]


def constants(module: ModuleType) -> dict[str, int]:
    """The integer constants of a module."""
    return {name: value for name, value in vars(module).items() if name.isupper() and type(value) is int}


def test_decisions() -> None:
    """A decision's number is its index in the list of names, and its name is that of the constant."""
    assert constants(phases) == {name.upper(): number for number, name in enumerate(phases.NAMES)}


def test_calls_are_possible_in_the_first_decisions() -> None:
    """LC-4: the decisions up to STACK are those in which UNO may be called."""
    assert phases.NAMES[: phases.STACK + 1] == ["play", "drawn", "challenge", "stack"]


def test_reasons() -> None:
    """A reason's number is its index, its name follows from the constant's, and it has words and a clause."""
    names = [name for name, _ in refusal_reasons.ALL]
    assert constants(refusal_reasons) == {name.replace("-", "_").upper(): number for number, name in enumerate(names)}
    for _, clause in refusal_reasons.ALL[1:]:
        assert clause.partition("-")[0] in ("CO", "AW", "CL", "WJ", "LC")
    assert set(refusals._REASON_TEXTS) == set(range(1, len(names)))


def test_events() -> None:
    """Every event of the log is read back as a type of its own."""
    codes = [value for name, value in constants(event_codes).items() if not name.startswith(("BY_", "HISTORY_"))]
    assert sorted(codes) == list(range(1, len(codes) + 1))
    made = {}
    for code in codes:
        word = code | (1 + 1) << 8 | (2 + 1) << 16 | (0 + 1) << 24
        (event,) = events.read_events([word])
        made[type(event)] = code
        assert getattr(event, "seat", 1) == 1
    assert len(made) == len(codes)


def test_draw_reasons() -> None:
    """A reason is an index in the list of names; the deal has none."""
    codes = {name: value for name, value in constants(event_codes).items() if name.startswith("BY_")}
    assert codes == {f"BY_{name.upper()}": number for number, name in enumerate([*event_codes.DRAW_REASONS, "deal"])}


def test_effects_of_rule_cards() -> None:
    """Effects and their codes correspond one to one; so do players and the WHO codes."""
    assert set(rule_effects.EFFECT_CODES) == {*rulecards.GRAMMAR, "dare"}
    assert sorted(rule_effects.EFFECT_CODES.values()) == list(range(1, len(rule_effects.EFFECT_CODES) + 1))
    assert list(rule_effects.WHO_CODES) == ["", *rulecards.WHO]
    assert list(rule_effects.WHO_CODES.values()) == list(range(len(rule_effects.WHO_CODES)))
    assert rulecards.MAX_EFFECTS == layout.MAX_EFFECTS


@pytest.mark.parametrize("name", OPTIONS)
def test_option_codes(name: str) -> None:
    """The codes of an option's choices differ and fit."""
    codes = [option_codes.option_code(name, value) for value in OPTIONS[name].choices]
    assert len(set(codes)) == len(codes)
    assert all(type(code) is int and 0 <= code < 1 << 15 for code in codes)
    assert ROUND_STATE[name] == np.int16


def test_named_option_codes() -> None:
    """A constant of an option equals the value in its name."""
    assert (0, OPTIONS["stacking"].choices.index("same")) == (option_codes.STACKING_OFF, option_codes.STACKING_SAME)
    assert OPTIONS["uno_window"].choices.index("automatic_call") == option_codes.WINDOW_AUTOMATIC
    assert OPTIONS["wd4_mode"].choices.index("strict") == option_codes.WD4_STRICT


@pytest.mark.parametrize("game", GAMES)
def test_packed_options_are_the_options(game: str) -> None:
    """Packing loses nothing: the options can be read back from a round state, lever weights included."""
    rng = random.Random(game)
    for options in (GAME_DEFAULTS[game], *(random_options(game, rng) for _ in range(40))):
        table = new_round_states(1)[0]
        pack_options(table, options)
        values = {name: value_of(name, int(table[name])) for name in OPTIONS}
        weights = options.wj_lever_weights
        assert tuple(table["lever_weights"].tolist()) == ((1,) * 6 if isinstance(weights, str) else weights)
        values["wj_lever_weights"] = weights
        assert RuleOptions(**values) == options  # type: ignore[arg-type]


def value_of(name: str, code: int) -> object:
    """The value of an option with this code."""
    (value,) = [value for value in OPTIONS[name].choices if option_codes.option_code(name, value) == code]
    return value


def test_fields_do_not_shadow_numpy() -> None:
    """Without the JIT a round state is a recarray: a field with the name of a NumPy attribute could not be read."""
    names = set(ROUND_STATE.names or ())
    assert not names & (set(dir(np.recarray)) | set(dir(np.record)))
    assert len(names) == len(ROUND_STATE.names or ())


def test_fields_can_hold_what_they_must() -> None:
    """Seats, cards, decks and rule cards fit into their arrays and into a byte of the event log."""
    assert MAX_PLAYERS <= layout.MAX_SEATS < 15, "an action has four bits for a seat, one value is taken"
    assert CARD_SLOTS <= 127 and ROUND_STATE["counts"].shape == (layout.MAX_SEATS, CARD_SLOTS)
    for deck in (all_wild_deck(), classic_deck(), wild_jackpot_deck()):
        assert len(deck) <= layout.MAX_DECK
        assert max(map(deck.count, deck)) <= np.iinfo(ROUND_STATE["counts"].base).max
    assert ROUND_STATE["pile"].shape == ROUND_STATE["discard"].shape == (layout.MAX_DECK,)
    assert layout.MAX_DECK < 255 and min(action_codes.VERBS.values()) >= CARD_SLOTS
    assert max(action_codes.VERBS.values()) < 256


def test_new_tables_are_empty() -> None:
    """A new round state is all zeros, and a copy copies everything."""
    tables = new_round_states(3)
    assert tables.shape == (3,) and not np.frombuffer(tables.tobytes(), np.uint8).any()
    tables[0]["turn"] = 5
    tables[2] = tables[0]
    assert tables[2]["turn"] == 5 and tables[1]["turn"] == 0


def test_a_table_is_small() -> None:
    """Search copies round states by the million: their size must be a few kilobytes."""
    assert ROUND_STATE.itemsize <= 6 * 1024
    assert set(SCALARS) >= {"turn", "phase", "direction", "top", "color", "winner"}
