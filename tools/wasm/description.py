"""The description of the module for programs in any language: exports, records, and the meaning of their numbers.

It has the same key as the module, and is a JSON file beside it.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

from lastcard.ai import decision, decision_input, determinize, opponent_memory, weight_index
from lastcard.bots.registry import BOTS, LEVELS, Level
from lastcard.bots.search import SearchConfig
from lastcard.bots.weights import GAMES_WITH_HABITS
from lastcard.formats.values import EVENT_FIELDS
from lastcard.game import action_codes, cards, moves, options, position, rulecards, rulesets
from lastcard.kernel import wasm_backend
from lastcard.kernel.fingerprint import fingerprint
from lastcard.kernel.records import ArrayOf
from lastcard.kernel.signatures import Export, Signature
from lastcard.match import events, record, refusals, view
from lastcard.rules import (
    event_codes,
    history,
    layout,
    opening,
    option_codes,
    phases,
    refusal_reasons,
    rule_effects,
    scoring,
)
from tools.wasm.exports import all_exports

FILE: Final = wasm_backend.MODULE_FILE.with_suffix(".json")
FORMAT: Final = 1
"""Format version of the description, increased if programs that read it must be changed."""


def describe() -> dict[str, Any]:
    """Returns all that a program needs besides the module; docs/everywhere.md describes each part."""
    return {
        "format": FORMAT,
        "key": fingerprint(all_exports()),
        "exports": {
            entry.name: _export(export, entry) for export in all_exports() for entry in export.signatures.values()
        },
        "records": {name: _record(kind) for name, kind in sorted(_record_types().items())},
        "sizes": _sizes(),
        "cards": {name: card for card, name in cards.CARD_NAMES.items()},
        "colors": cards.COLOR_LETTERS[: cards.WILD],
        "actions": _action_codes(),
        "phases": phases.NAMES,
        "reasons": [_reason(number) for number in range(len(refusal_reasons.ALL))],
        "events": {str(word): _event(*taped) for word, taped in events.EVENT_LAYOUTS.items()},
        "draws": event_codes.DRAW_REASONS,
        "outcomes": options.LEVER_OUTCOMES,
        "public_state": [
            {"name": name, "field": view.STATE_FIELD_OF.get(name, name)} for name in view.PublicState.__struct_fields__
        ],
        "information_state": view.INFORMATION_STATE_FIELDS,
        "games": {game: _game(game) for game in rulesets.GAMES},
        "options": [_option(option) for option in options.OPTIONS.values()],
        "presets": rulesets.PRESETS,
        "conflicts": [
            {"one": a, "values": [*of_a], "other": b, "other_values": [*of_b], "why": why}
            for a, of_a, b, of_b, why in options.CONFLICTS
        ],
        "rule_cards": _rule_cards(),
        "record": {"format": record.FORMAT, "digits": record.CHECK_DIGITS},
        "bots": _bots(),
        "with_habits": sorted(GAMES_WITH_HABITS),
    }


def write(file: Path = FILE) -> str:
    """Write the description to a file; returns its text."""
    text = as_text(describe())
    file.write_text(text, encoding="utf-8", newline="\n")
    return text


def as_text(described: Mapping[str, Any]) -> str:
    """Returns a description as JSON, with a line for each member, so that diffs are readable."""
    lines = []
    for key, value in described.items():
        if isinstance(value, Mapping) and len(value) > 1:
            members = ",\n".join(f"  {json.dumps(name)}: {_compact(member)}" for name, member in value.items())
            lines.append(f' "{key}": {{\n{members}\n }}')
        elif isinstance(value, list | tuple) and value and isinstance(value[0], Mapping):
            members = ",\n".join(f"  {_compact(member)}" for member in value)
            lines.append(f' "{key}": [\n{members}\n ]')
        else:
            lines.append(f' "{key}": {_compact(value)}')
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _compact(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


# --- exports and records ----------------------------------------------------------------------------


def _export(export: Export, entry: Signature) -> dict[str, Any]:
    """Returns the description of an export: its docstring, parameters in order, and result."""
    return {
        "about": " ".join((export.__doc__ or "").partition("\n\n")[0].split()),
        "takes": [{"name": name, **_parameter_type(kind)} for name, kind in entry.parameters],
        "gives": None if entry.result is None else entry.result.__name__,
    }


def _parameter_type(kind: type | ArrayOf) -> dict[str, Any]:
    if not isinstance(kind, ArrayOf):
        return {"type": kind.__name__}
    return {"array": _type_name(kind.kind), "dimensions": kind.dimensions}


def _type_name(kind: Any) -> str:
    """Returns the name of a type: NumPy's of a number, lastcard's of a record."""
    return kind.name if kind.names is None else next(n for n, known in _record_types().items() if known == kind)


def _record_types() -> dict[str, Any]:
    """Returns the record types that exports take, by their names in the sources."""
    taken = {
        id(p.kind.kind)
        for export in all_exports()
        for entry in export.signatures.values()
        for p in entry.parameters
        if isinstance(p.kind, ArrayOf) and p.kind.kind.names
    }
    found: dict[str, Any] = {}
    for name, source in sorted(sys.modules.items()):
        if name.startswith("lastcard."):
            found |= {key: kind for key, kind in vars(source).items() if key.isupper() and id(kind) in taken}
    return found


def _record(kind: Any) -> dict[str, Any]:
    """Returns the size of a record in bytes, and the location of each field."""
    fields: Any = kind.fields
    places = [(name, *fields[name][:2]) for name in kind.names or ()]
    return {
        "bytes": kind.itemsize,
        "fields": {name: {"type": part.base.name, "at": at, "shape": list(part.shape)} for name, part, at in places},
    }


def _sizes() -> dict[str, int]:
    """Returns the lengths of the arrays that exports take."""
    return {
        "seats": layout.MAX_SEATS,
        "deck": layout.MAX_DECK,
        "card_slots": cards.CARD_SLOTS,
        "faces": cards.FACES_PER_COLOR,
        "rule_cards": layout.MAX_RULE_CARDS,
        "actions": layout.MAX_ACTIONS,
        "dice": layout.DICE,
        "notes": history.MOVE_RECORD_WORDS,
        "shown_seats": layout.MAX_DECK + layout.MAX_SEATS * (2 + layout.MAX_ACTIONS),
        "drawing": scoring.DEALER_SCRATCH_WORDS,
        "settling": opening.NUMBER_SCRATCH_WORDS,
        "deal": determinize.DEAL_BYTES,
        "memory": opponent_memory.MEMORY_COLUMNS,
        "room": decision_input.NET_SCRATCH,
        "weights": weight_index.COUNT,
        "min_players": rulesets.MIN_PLAYERS,
        "max_players": rulesets.MAX_PLAYERS,
        "max_script": position.MAX_LEVER_OUTCOMES,
    }


# --- meaning of numbers -----------------------------------------------------------------------------


def _action_codes() -> dict[str, Any]:
    return {
        "verbs": action_codes.VERBS,
        "shifts": {"arg": action_codes.ARG_SHIFT, "uno": action_codes.UNO_SHIFT, "card": action_codes.CARD_SHIFT},
        "no_arg": action_codes.NO_ARG,
        "name_a_seat": sorted(moves.SEAT_VERBS),
        "name_a_card": sorted(moves.CARD_VERBS),
        "name_a_color": ["color"],
        "color_cards": sorted(moves.COLOR_CARDS),
        "calls": moves.CALLS,
        "also": moves.ALIASES,
        "nothing": layout.NOTHING,
        "open": decision.OPEN,
    }


def _reason(number: int) -> dict[str, Any]:
    code, clause = refusal_reasons.ALL[number]
    rows = {"elsewhere": refusals.CLAUSE_EXCEPTIONS, "otherwise": refusals.TEXT_VARIANTS}
    own = {key: [row[1:] for row in entries if row[0] == number] for key, entries in rows.items()}
    return {"code": code, "clause": clause} | {key: found for key, found in own.items() if found}


def _event(kind: type[events.Event], sources: str) -> dict[str, Any]:
    """Returns the name of an event, its fields with sources, keys and conversions, and the seats that may know them."""
    name, described = EVENT_FIELDS[kind]
    keys = {field: key for key, field, _ in described}
    secret = {"secret": keys[kind.SECRET], "known_to": [keys[n] for n in kind.KNOWN_TO]} if kind.SECRET else {}
    fields = [[key, place, field] for (key, field, _), place in zip(described, sources, strict=True)]
    return {"name": name, "fields": fields, **secret}


# --- rules ------------------------------------------------------------------------------------------


def _game(game: str) -> dict[str, Any]:
    """Returns the code of a game, its defaults, and its possible cards by distribution of numbers."""
    base = rulesets.GAME_DEFAULTS[game]
    usual = {name: option.choices[0] for name, option in options.OPTIONS.items()}
    changed = {name: value for name in usual if (value := getattr(base, name)) != usual[name]}
    kinds = options.OPTIONS["wj_number_distribution"]
    decks = {}
    for kind in kinds.choices if game in kinds.games else kinds.choices[:1]:
        rules = rulesets.Ruleset(game, options.with_options(base, wj_number_distribution=kind))
        decks[str(kind)] = [[card, count] for card, count in Counter(rulesets.possible_deck(rules)).items()]
    return {
        "number": option_codes.GAME_CODES[game],
        "defaults": changed,
        "decks": decks,
        "never": [[name, value] for name, value in options.CONFLICTS_WITH_ALL_WILD]
        if game == options.ALL_WILD_GAME
        else [],
    }


def _option(option: options.Option) -> dict[str, Any]:
    return {
        "name": option.name,
        "written": option.text_name,
        "choices": [
            {"value": value, "text": options.value_text(value), "number": option_codes.option_code(option.name, value)}
            for value in option.choices
        ],
        "games": option.games,
        "clauses": option.clauses,
        "house": option.is_house_rule,
    }


def _rule_cards() -> dict[str, Any]:
    return {
        "most": rulecards.RULE_CARD_COUNT,
        "most_effects": layout.MAX_EFFECTS,
        "longest_dare": rulecards.MAX_DARE_CHARS,
        "verbs": {
            verb: {"words": words, "most": most, "names": names, "number": rule_effects.EFFECT_CODES[verb]}
            for verb, (words, most, names) in rulecards.GRAMMAR.items()
        },
        "dare": rule_effects.DARE,
        "who": {who: rule_effects.WHO_CODES[who] for who in rulecards.WHO},
        "built_in": {name: card.text for name, card in rulecards.BUILT_IN.items()},
    }


# --- bots -------------------------------------------------------------------------------------------

_KINDS: Final = {
    "random": decision.BY_CHANCE,
    "heuristic": decision.BY_HEURISTIC,
    "trained": decision.BY_POLICY_NET,
    "search": decision.BY_SEARCH,
}


def _bots() -> dict[str, Any]:
    """Returns kinds and levels of bots by name: decisions, behavior, effort, and the weights that they need."""
    return {name: _bot(LEVELS.get(name) or Level(name)) for name in (*BOTS, *LEVELS)}


def _bot(level: Level) -> dict[str, Any]:
    effort = level.settings.get("config", SearchConfig()) if level.bot == "search" else None
    asked = {"trained": ["policy"], "search": ["value"]}
    if effort and effort.prior:
        asked["search"].append("prior")
    if effort and effort.habits:
        asked["search"].append("habits")
    return {
        "kind": _KINDS[level.bot],
        "behavior": asdict(level.behavior),
        "blunder_rate": level.settings.get("blunder_rate", 0),
        "effort": asdict(effort) if effort else None,
        "weights": asked.get(level.bot, []),
    }
