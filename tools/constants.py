"""Writes ``web/bindings/constants.js``: the constants that the web client shares with Python.

``make contract`` calls it. A bundle contains only the constants that its modules import (``lastcard.bundle.bundler``).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple, get_type_hints

import msgspec

from lastcard.ai import open_card_solver, reasons, round_analysis, rounds
from lastcard.analysis import (
    attribution,
    chances,
    highlights,
    level_estimate,
    master_run,
    report,
    report_model,
    report_text,
    rule_figures,
)
from lastcard.bots import advice, evaluation, personas
from lastcard.bots.registry import DEFAULT_LEVEL, LEVELS, styles_of
from lastcard.formats import puzzles
from lastcard.game import daily_deal, position, rulecards, rulesets
from lastcard.game.cards import MAX_TIMES
from lastcard.game.options import LEVER_OUTCOMES
from lastcard.game.text_files import TEXT_LIMIT_BYTES
from lastcard.match import record
from lastcard.server.http import admin, careers
from lastcard.server.table import moderation
from lastcard.server.wire import messages, parts, peer, protocol
from lastcard.session import (
    hosting,
    lessons,
    match_log,
    match_play,
    names,
    table_bots,
    table_settings,
    turn_clock,
    uno_race,
)
from lastcard.text.locale import DECIMAL_COMMA, LANGUAGES

CONSTANTS_FILE: Final = Path(__file__).parents[1] / "src" / "lastcard" / "web" / "bindings" / "constants.js"
_WIDTH_CHARS: Final = 120
_INDENT_SPACES: Final = 2
_PLAIN: Final = (str, int, float, type(None))


class Constant(NamedTuple):
    """A constant of the file."""

    name: str
    value: object
    about: str = ""
    type: str = ""
    """TypeScript type; empty if the literal is the type, for a list ``as const``."""


def constants() -> list[Constant]:
    """Returns all constants: for all screens, for tables on the device, and for the library."""
    return [
        Constant("GAMES", rulesets.GAMES),
        Constant("MIN_PLAYERS", rulesets.MIN_PLAYERS),
        Constant("MAX_PLAYERS", rulesets.MAX_PLAYERS),
        Constant("LANGUAGES", LANGUAGES),
        Constant("LEVELS", tuple(LEVELS), "Of bots, from weak to strong."),
        Constant("DEFAULT_LEVEL", DEFAULT_LEVEL),
        Constant(
            "STYLES",
            {level: styles_of(level) for level in LEVELS},
            "How bots of a level may like to play.",
            "Readonly<Record<string, readonly string[]>>",
        ),
        Constant(
            "PACES",
            {
                name: {"turn": int(1000 * (pace.turn or 0)), "bank": int(1000 * pace.bank)}
                for name, pace in turn_clock.PACES.items()
            },
            "Milliseconds of a turn and of a bank; 0 where nobody is timed.",
            "Readonly<Record<string, Readonly<{turn: number, bank: number}>>>",
        ),
        Constant("SPEEDS", turn_clock.SPEEDS, "By how much bots are slower than usual.", "Record<string, number>"),
        Constant("QUICK", parts.QUICK, "Phrases and reactions.", "readonly string[]"),
        Constant("REPORT_REASONS", protocol.REPORT_REASONS, "Why somebody is reported."),
        Constant("CHAT_MODES", moderation.CHAT_MODES, "What an administrator may order about chat."),
        Constant("PROTOCOL_VERSION", protocol.VERSION),
        Constant("UNKNOWN_PERSON", peer.UNKNOWN_PERSON, "Codes of a closed WebSocket."),
        Constant("UNKNOWN_TABLE", peer.UNKNOWN_TABLE),
        Constant("NAME_CHARS", names.NAME_CHARS, "The most characters."),
        Constant("TEXT_CHARS", names.TEXT_CHARS),
        Constant("ADMIN_TOKEN_CHARS", _length(admin.SignIn, "token")),
        Constant("ADMIN_NOTICE_CHARS", _length(admin.AdminSettingsChange, "notice")),
        Constant("NETWORK_CHARS", _length(admin.NewBan, "network")),
        Constant("LEADERBOARD_LINES", careers.LEADERBOARD_LINES, "Lines of a leaderboard."),
        Constant("LEVER_OUTCOMES", LEVER_OUTCOMES),
        Constant(
            "EFFECTS",
            {verb: [most, named] for verb, (_, most, named) in rulecards.GRAMMAR.items()},
            "The largest number of an effect, 0 where there is none, and whether it names somebody.",
            "Readonly<Record<string, readonly [number, boolean]>>",
        ),
        Constant("EFFECT_PLAYERS", rulecards.WHO),
        Constant("MAX_EFFECTS", rulecards.MAX_EFFECTS),
        Constant("MAX_DARE", rulecards.MAX_DARE_CHARS),
        Constant(
            "BUILT_IN_CARDS",
            tuple(map(str, rulecards.BUILT_IN.values())),
            "R1, R2 and so on.",
            "readonly string[]",
        ),
        Constant("ACCOUNT_PARTS", round_analysis.PARTS),
        Constant("LUCK_PARTS", attribution.LUCK_PARTS),
        Constant("DECIMAL_COMMA", DECIMAL_COMMA, "Languages that write a decimal comma.", "readonly string[]"),
        Constant("PUZZLE_THEMES", puzzles.THEMES),
        Constant("PUZZLE_RATINGS", puzzles.RATINGS, "By grade, from 1.", "readonly number[]"),
        Constant(
            "NEW_RATING",
            puzzles.NEW_RATING,
            "Rating, deviation and volatility of a new player.",
            "[number, number, number]",
        ),
        Constant("PUZZLE_FIRST_DAY", puzzles.FIRST_DAY.isoformat(), type="string"),
        Constant("PUZZLE_STRIDE", puzzles.DAILY_STRIDE, "Lines between the puzzles of two days."),
        Constant("DAILY_LEVEL", daily_deal.DAILY_LEVEL),
        Constant("DAILY_SEATS", daily_deal.DAILY_SEATS),
        Constant("PERSON_SEAT", daily_deal.PERSON_SEAT, "The seat of the person in a daily deal."),
        Constant("ONE_ROUND", daily_deal.ONE_ROUND, "What the rules of a daily deal add to those of its game."),
        Constant(
            "SHARE_SIGNS",
            daily_deal.SHARE_SIGNS,
            "How moves look in the line to share; calls and catches have no sign.",
            "Readonly<Record<string, string>>",
        ),
        Constant("MASTER_LEVEL", master_run.MASTER_LEVEL, "The level that a result of a daily deal is compared with."),
        # A table on the device.
        Constant("DEFAULT_SETTINGS", table_settings.Settings()),
        Constant("PILE_SHOWN", messages.PILE_SHOWN, "Cards of the discard pile that are sent."),
        Constant("REMEMBERED_MOVES", match_log.REMEMBERED_MOVES),
        Constant("MAX_CALLS", match_play.MAX_CALLS, "Of a seat in one turn."),
        Constant("LATENESS_S", uno_race.LATENESS_S, "How long a race for UNO is known."),
        Constant("QUICK_LEVEL", hosting.QUICK_LEVEL),
        Constant("FALLBACK_LEVEL", table_bots.FALLBACK_LEVEL, "Plays while a bot that searches cannot."),
        Constant(
            "TEMPO",
            _constants_by_key(
                table_bots,
                think="THINK_S",
                question="QUESTION_S",
                nearly_out="FEW_CARDS",
                call="CALL_S",
                catch="CATCH_S",
                jump="JUMP_IN_S",
                read="READ_S",
                pause="PAUSE_S",
            ),
            "Seconds that bots take, and the cards that are few.",
        ),
        Constant("PERSONAS", personas.PERSONAS, type="Record<string, Persona[]>"),
        Constant("NEUTRAL_PERSONA", personas.NEUTRAL, type="Persona"),
        Constant("LEARNER", lessons.LEARNER, "The seat of the learner."),
        Constant(
            "LESSONS",
            {game: [_lesson(lesson) for lesson in found] for game, found in lessons.LESSONS.items()},
            "",
            "Record<string, Lesson[]>",
        ),
        Constant(
            "CONFUSABLES",
            {chr(char): chr(seen) for char, seen in names.CONFUSABLES.items()},
            "Characters that look like others.",
            "Record<string, string>",
        ),
        Constant("UNSEEN", "".join([names.JOINERS, *sorted(names.VARIATION_SELECTORS)]), "Invisible characters."),
        Constant("MOVE_REASONS", reasons.NAMES, "Texts of hints, by code.", "readonly string[]"),
        Constant("REASON_FACTS", reasons.FACTS, "Numbers in a reason."),
        Constant(
            "HINT",
            _constants_by_key(
                advice,
                best="HINT_MOVES",
                seconds="TIME_LIMIT_S",
                searchBudget="SEARCH_CONFIG",
                measureBudget="MEASURE_CONFIG",
            ),
            "How hints are weighed.",
            "{best: number, seconds: number | null, searchBudget: Effort, measureBudget: Effort}",
        ),
        Constant(
            "JUDGE",
            _constants_by_key(
                evaluation,
                chains="CHAINS",
                measured="MAX_MEASURED",
                noMoveMade="NO_MOVE_MADE",
                notBegun="NOT_BEGUN",
                onlySearch="ONLY_SEARCH",
                screenShare="SCREEN_SHARE",
                searchBudget="SEARCH_CONFIG",
                measureBudget="MEASURE_CONFIG",
            ),
            "How decisions are judged.",
            "{chains: number, measured: number, noMoveMade: number, notBegun: number, onlySearch: number,"
            " screenShare: number, searchBudget: Effort, measureBudget: Effort}",
        ),
        Constant(
            "REPORT",
            _constants_by_key(report, seed="SEED", rollouts="ROLLOUTS", firstRollouts="FIRST_ROLLOUTS")
            | _constants_by_key(report_model, changes="MAX_CHANGES")
            | {"grades": list(round_analysis.GRADES)}
            | _constants_by_key(round_analysis, kinds="KIND_NAMES", topics="TOPICS", events="CHANCE_NAMES")
            | _constants_by_key(open_card_solver, longest="MAX_LINE_PLIES")
            | _constants_by_key(report_text, shown="MAX_LINE_MOVES")
            | _constants_by_key(level_estimate, levels="LEVELS", rates="LOSSES_PER_100_DECISIONS", widest="MAX_LEVELS"),
            "",
            "{seed: number, rollouts: number, firstRollouts: number, changes: number, grades: string[], "
            "kinds: (string | null)[], topics: string[], events: string[], longest: number, shown: number, "
            "levels: string[], rates: Record<string, Record<string, number[]>>, widest: number}",
        ),
        Constant(
            "MOMENTS",
            _constants_by_key(
                highlights,
                rollouts="ROLLOUTS",
                costly="COSTLY",
                caution="CAUTION",
            ),
        ),
        Constant(
            "FIGURES",
            _constants_by_key(
                rule_figures,
                dice="DICE_KEY",
                kinds="KINDS",
                rounds="ROUNDS",
                chunk="CHUNK_ROUNDS",
                budgetMs="BUDGET_MS",
                longest="MAX_PLIES",
            )
            | {
                "seed": rule_figures.SEED.hex(),
                "sums": rounds.SUMS,
                "names": rule_figures.RuleFigures.__struct_fields__,
            },
            "How figures of rules are measured.",
            "{dice: number[], kinds: number[][], rounds: number[], chunk: number, budgetMs: number, longest: number, "
            "seed: string, sums: number, names: string[]}",
        ),
        Constant("CHANCES_STEP", chances.JOBS_PER_PART, "Jobs that are played in one go."),
        # The library.
        Constant("MAX_TIMES", MAX_TIMES, "The highest number after `*`."),
        Constant("POSITION_KEYS", position.KEYS, type="readonly string[]"),
        Constant(
            "RECORD_KEYS",
            {
                "head": record.HEAD_KEYS,
                "round": record.ROUND_KEYS,
                "result": record.RESULT_KEYS,
                "blocks": record.BLOCKS,
            },
            type="Readonly<Record<string, readonly string[]>>",
        ),
        Constant("MAX_SCORE", position.MAX_SCORE, "Before a round."),
        Constant("TEXT_LIMIT_BYTES", TEXT_LIMIT_BYTES, "Characters of the longest text that is read."),
    ]


def _constants_by_key(module: object, **names: str) -> dict[str, object]:
    """Returns constants of a module by their keys in the page; search configs lack ``threads``: a page has one."""
    found = {key: msgspec.to_builtins(getattr(module, name)) for key, name in names.items()}
    for value in found.values():
        if isinstance(value, dict):
            value.pop("threads", None)
    return found


def _lesson(lesson: lessons.Lesson) -> dict[str, Any]:
    return {
        "position": str(lesson.start),
        "script": lesson.script,
        "steps": lesson.steps,
        "beats": lesson.beats,
        "done": lesson.done,
    }


def _length(struct: type, field: str) -> int:
    """Returns the maximum length of a field in characters."""
    hint = str(get_type_hints(struct, include_extras=True)[field])
    return int(re.findall(r"max_length=(\d+)", hint)[0])


def constants_module() -> str:
    """Returns the text of the module."""
    return _HEAD + "".join(map(_declaration, constants()))


_HEAD: Final = """\
/** Constants that the page has in common with Python. Generated by `make contract`; do not edit. */

/** @import { Effort } from "./kernel.js" */

/** @typedef {{name: string, tempo: number, wilds: number, danger: number}} Persona */

/**
 * @typedef {{beat: number, say: string, at: string, moves: string[], then: string | null,
 *   seat: number | null}} Step
 */

/**
 * @typedef {{position: string, script: Record<string, string[]>, steps: Step[], beats: number, done: string}} Lesson
 */

"""


def _declaration(constant: Constant) -> str:
    name, value, about, kind = constant
    text = _literal(msgspec.to_builtins(value), len(f"export const {name} = ;"))
    if not kind and isinstance(value, tuple):
        text = f"/** @type {{const}} */ ({text})"
    note = " ".join(filter(None, (about, f"@type {{{kind}}}" if kind else "")))
    return f"/** {note} */\n" * bool(note) + f"export const {name} = {text};\n"


def _literal(value: Any, used: int, depth: int = 0) -> str:
    """Returns a value as JavaScript, in one line if it fits behind a number of used characters."""
    line = _one_line(value)
    if used + len(line) <= _WIDTH_CHARS or isinstance(value, _PLAIN):
        return line
    depth += 1
    indent = " " * _INDENT_SPACES * depth
    keys = [f"{_key(key)}: " for key in value] if isinstance(value, Mapping) else [""] * len(value)
    inside = list(value.values() if isinstance(value, Mapping) else value)
    widths = [len(indent) + len(key) + 1 for key in keys]
    items = [f"{k}{_literal(v, taken, depth)}," for k, v, taken in zip(keys, inside, widths, strict=True)]
    if all(isinstance(each, _PLAIN) for each in inside):
        items = list(_filled(items, _WIDTH_CHARS - len(indent)))
    left, right = "{}" if isinstance(value, Mapping) else "[]"
    return "\n".join([left, *(indent + item for item in items), indent[:-_INDENT_SPACES] + right])


def _one_line(value: Any) -> str:
    if isinstance(value, _PLAIN):
        return json.dumps(value)
    if isinstance(value, Mapping):
        items = ", ".join(f"{_key(key)}: {_one_line(each)}" for key, each in value.items())
        return f"{{ {items} }}" if items else "{}"
    return f"[{', '.join(map(_one_line, value))}]"


def _key(name: object) -> str:
    return str(name) if re.fullmatch(r"[A-Za-z_]\w*|[1-9]\d*", str(name), re.ASCII) else json.dumps(name)


def _filled(items: Sequence[str], width: int) -> Iterator[str]:
    """Yields lines with as many items as fit."""
    line = ""
    for item in items:
        if line and len(line) + 1 + len(item) > width:
            yield line
            line = ""
        line += f" {item}" if line else item
    yield line
