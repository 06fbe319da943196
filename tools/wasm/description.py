"""The description of the module for programs in any language: doors, records, and what the numbers in them mean.

It carries the same key as the module, and lies beside it as JSON.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

from lastcard.ai import decision, imagine, memory, scene, weight
from lastcard.bots.learned import WITH_HABITS
from lastcard.bots.registry import BOTS, LEVELS, Level
from lastcard.bots.search import Effort
from lastcard.formats.values import HAPPENINGS
from lastcard.game import act, actions, cards, options, position, rulecards, rulesets
from lastcard.kernel import module
from lastcard.kernel.fingerprint import fingerprint
from lastcard.kernel.functions import Door, Entry
from lastcard.kernel.records import ArrayOf
from lastcard.match import events, record, refusals, view
from lastcard.rules import choice, layout, opening, past, phase, reason, rule, scoring, tape
from tools.wasm.doors import all_doors

FILE: Final = module.FILE.with_suffix(".json")
FORMAT: Final = 1
"""Of the description; another number where a program that reads it must be changed."""


def describe() -> dict[str, Any]:
    """All that a program needs to know beside the module itself; docs/everywhere.md says what each part is."""
    return {
        "format": FORMAT,
        "key": fingerprint(all_doors()),
        "doors": {entry.name: _door(door, entry) for door in all_doors() for entry in door.entries.values()},
        "records": {name: _record(kind) for name, kind in sorted(_record_types().items())},
        "sizes": _sizes(),
        "cards": {name: card for card, name in cards.CARD_NAMES.items()},
        "colors": cards.COLOR_LETTERS[: cards.WILD],
        "acts": _acts(),
        "phases": phase.NAMES,
        "reasons": [_reason(number) for number in range(len(reason.ALL))],
        "events": {str(word): _event(*taped) for word, taped in events.TAPED.items()},
        "draws": tape.DRAW_REASONS,
        "outcomes": options.LEVER_OUTCOMES,
        "face": [{"name": name, "field": view.IN_TABLE.get(name, name)} for name in view.Face.__struct_fields__],
        "known": view.KNOWN,
        "games": {game: _game(game) for game in rulesets.GAMES},
        "options": [_option(option) for option in options.OPTIONS.values()],
        "presets": rulesets.PRESETS,
        "conflicts": [_conflict(*pair) for pair in options.CONFLICTS],
        "rule_cards": _rule_cards(),
        "record": {"format": record.FORMAT, "digits": record.CHECK_DIGITS},
        "bots": _bots(),
        "with_habits": sorted(WITH_HABITS),
    }


def write(file: Path = FILE) -> str:
    """Write the description into a file; returns its text."""
    text = as_text(describe())
    file.write_text(text, encoding="utf-8", newline="\n")
    return text


def as_text(described: Mapping[str, Any]) -> str:
    """A description as JSON: a line for each of its members, so that changes can be read."""
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


# --- doors and records ------------------------------------------------------------------------------


def _door(door: Door, entry: Entry) -> dict[str, Any]:
    """A door: what it does, what it takes in order, and what it gives."""
    return {
        "about": " ".join((door.__doc__ or "").partition("\n\n")[0].split()),
        "takes": [{"name": name, **_taken(kind)} for name, kind in entry.parameters],
        "gives": None if entry.result is None else entry.result.__name__,
    }


def _taken(kind: type | ArrayOf) -> dict[str, Any]:
    if not isinstance(kind, ArrayOf):
        return {"type": kind.__name__}
    return {"array": _type_name(kind.kind), "dimensions": kind.dimensions}


def _type_name(kind: Any) -> str:
    """The name of a type: NumPy's of a number, ours of a record."""
    return kind.name if kind.names is None else next(n for n, known in _record_types().items() if known == kind)


def _record_types() -> dict[str, Any]:
    """The types of records that doors take, by the names they have in the sources."""
    taken = {
        id(p.kind.kind)
        for door in all_doors()
        for entry in door.entries.values()
        for p in entry.parameters
        if isinstance(p.kind, ArrayOf) and p.kind.kind.names
    }
    found: dict[str, Any] = {}
    for name, source in sorted(sys.modules.items()):
        if name.startswith("lastcard."):
            found |= {key: kind for key, kind in vars(source).items() if key.isupper() and id(kind) in taken}
    return found


def _record(kind: Any) -> dict[str, Any]:
    """A record: how many bytes, and where each field lies in it."""
    fields: Any = kind.fields
    places = [(name, *fields[name][:2]) for name in kind.names or ()]
    return {
        "bytes": kind.itemsize,
        "fields": {name: {"type": part.base.name, "at": at, "shape": list(part.shape)} for name, part, at in places},
    }


def _sizes() -> dict[str, int]:
    """How many numbers the arrays have that doors take."""
    return {
        "seats": layout.MAX_SEATS,
        "deck": layout.MAX_DECK,
        "card_slots": cards.CARD_SLOTS,
        "faces": cards.FACES_PER_COLOR,
        "rule_cards": layout.MAX_RULE_CARDS,
        "actions": layout.MAX_ACTIONS,
        "dice": layout.DICE,
        "notes": past.NOTES,
        "shown_seats": layout.MAX_DECK + layout.MAX_SEATS * (2 + layout.MAX_ACTIONS),
        "drawing": scoring.DRAWING,
        "settling": opening.SETTLING,
        "deal": imagine.DEAL,
        "memory": memory.MEMORY,
        "room": scene.ROOM,
        "weights": weight.COUNT,
        "min_players": rulesets.MIN_PLAYERS,
        "max_players": rulesets.MAX_PLAYERS,
        "max_script": position.MAX_LEVER,
    }


# --- what numbers mean ------------------------------------------------------------------------------


def _acts() -> dict[str, Any]:
    return {
        "verbs": act.VERBS,
        "shifts": {"arg": act.ARG_SHIFT, "uno": act.UNO_SHIFT, "card": act.CARD_SHIFT},
        "no_arg": act.NO_ARG,
        "name_a_seat": sorted(actions.SEAT_VERBS),
        "name_a_card": sorted(actions.CARD_VERBS),
        "name_a_color": ["color"],
        "color_cards": sorted(actions.COLOR_CARDS),
        "calls": actions.CALLS,
        "also": actions.ALIASES,
        "nothing": layout.NOTHING,
        "open": decision.OPEN,
    }


def _reason(number: int) -> dict[str, Any]:
    code, clause = reason.ALL[number]
    rows = {"elsewhere": refusals.ELSEWHERE, "otherwise": refusals.OTHERWISE}
    own = {key: [row[1:] for row in table if row[0] == number] for key, table in rows.items()}
    return {"code": code, "clause": clause} | {key: found for key, found in own.items() if found}


def _event(kind: type[events.Event], places: str) -> dict[str, Any]:
    """An event: its name, where its fields come from, by what key and how they are told, and who may know which."""
    name, told = HAPPENINGS[kind]
    keys = {field: key for key, field, _ in told}
    secret = {"secret": keys[kind.SECRET], "known_to": [keys[n] for n in kind.KNOWN_TO]} if kind.SECRET else {}
    fields = [[key, place, field] for (key, field, _), place in zip(told, places, strict=True)]
    return {"name": name, "fields": fields, **secret}


# --- rules ------------------------------------------------------------------------------------------


def _game(game: str) -> dict[str, Any]:
    """A game: its number, its own defaults, and the cards that can be in its deck, by the distribution of numbers."""
    base = rulesets.BASES[game]
    usual = {name: option.choices[0] for name, option in options.OPTIONS.items()}
    changed = {name: value for name in usual if (value := getattr(base, name)) != usual[name]}
    kinds = options.OPTIONS["wj_number_distribution"]
    decks = {}
    for kind in kinds.choices if game in kinds.games else kinds.choices[:1]:
        rules = rulesets.Ruleset(game, options.with_options(base, wj_number_distribution=kind))
        decks[str(kind)] = _pile(rulesets.known_deck(rules))
    return {
        "number": choice.GAME_CODES[game],
        "defaults": changed,
        "decks": decks,
        "never": [[name, value] for name, value in options.NOT_IN_ALL_WILD] if game == options.ALL_WILD_GAME else [],
    }


def _pile(deck: Iterable[int]) -> list[list[int]]:
    """A sorted deck as card and count."""
    counts: dict[int, int] = {}
    for card in deck:
        counts[card] = counts.get(card, 0) + 1
    return [[card, count] for card, count in counts.items()]


def _option(option: options.Option) -> dict[str, Any]:
    return {
        "name": option.name,
        "written": option.written,
        "choices": [
            {"value": value, "text": options.value_text(value), "number": choice.option_code(option.name, value)}
            for value in option.choices
        ],
        "games": option.games,
        "clauses": option.clauses,
        "house": option.house,
    }


def _conflict(a: str, of_a: Iterable[options.Value], b: str, of_b: Iterable[options.Value], why: str) -> dict[str, Any]:
    """Two options that contradict each other where each has one of some values."""
    return {"one": a, "values": [*of_a], "other": b, "other_values": [*of_b], "why": why}


def _rule_cards() -> dict[str, Any]:
    return {
        "most": rulecards.RULE_CARDS,
        "most_effects": layout.MAX_EFFECTS,
        "longest_dare": rulecards.MAX_DARE,
        "verbs": {
            verb: {"words": words, "most": most, "names": names, "number": rule.EFFECT_CODES[verb]}
            for verb, (words, most, names) in rulecards.GRAMMAR.items()
        },
        "dare": rule.DARE,
        "who": {who: rule.WHO_CODES[who] for who in rulecards.WHO},
        "built_in": {name: card.text for name, card in rulecards.BUILT_IN.items()},
    }


# --- bots -------------------------------------------------------------------------------------------

_KINDS: Final = {
    "random": decision.BY_CHANCE,
    "heuristic": decision.BY_THUMB,
    "trained": decision.LEARNED,
    "search": decision.BY_SEARCH,
}


def _bots() -> dict[str, Any]:
    """Kinds and levels by name: how each decides and behaves, how hard it thinks, and what it has to have learned."""
    return {name: _bot(LEVELS.get(name) or Level(name)) for name in (*BOTS, *LEVELS)}


def _bot(level: Level) -> dict[str, Any]:
    effort = level.settings.get("effort", Effort()) if level.bot == "search" else None
    asked = {"trained": ["player"], "search": ["judge"]}
    if effort and effort.prior:
        asked["search"].append("adviser")
    if effort and effort.habits:
        asked["search"].append("habits")
    return {
        "kind": _KINDS[level.bot],
        "manners": asdict(level.manners),
        "slips": level.settings.get("slips", 0),
        "effort": asdict(effort) if effort else None,
        "learned": asked.get(level.bot, []),
    }
