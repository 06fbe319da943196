"""What a table on a device takes over from the server's: tempo, regulars, lessons. Figures and words, no rules.

``make contract`` writes them to ``web/device/facts.js``.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

import msgspec

from lastcard.ai import hindsight
from lastcard.analysis import findings, moments, report, scale
from lastcard.bots import advice, judge
from lastcard.bots.registry import DEFAULT_LEVEL, LEVELS, styles_of
from lastcard.bots.regulars import REGULARS
from lastcard.bots.search import Effort
from lastcard.server.game import bots, clock, live_match, match_log, thinking, uno_race
from lastcard.server.guard import security
from lastcard.server.seats import hosting, lessons
from lastcard.server.table import flow
from lastcard.server.wire import messages, parts, protocol

FACTS_FILE: Final = Path(__file__).parents[2] / "src" / "lastcard" / "web" / "device" / "facts.js"


def facts() -> dict[str, Any]:
    """Everything by name; times in seconds."""
    return {
        "version": protocol.VERSION,
        "settings": parts.Settings(),
        "speeds": clock.SPEEDS,
        "quick": parts.QUICK,
        "pile": messages.PILE,
        "remembered_acts": match_log.REMEMBERED_ACTS,
        "most_calls": live_match.MOST_CALLS,
        "remembered": uno_race.REMEMBERED,
        "next_round": flow.NEXT_ROUND,
        "number_wait": flow.NUMBER_WAIT,
        "levels": {"quick": hosting.QUICK_LEVEL, "standin": DEFAULT_LEVEL, "plain": thinking.PLAIN},
        "tempo": {
            name.lower(): getattr(bots, name)
            for name in ("THINK", "QUESTION", "NEARLY_OUT", "CALL", "CATCH", "JUMP", "READ", "PAUSE")
        },
        "regulars": REGULARS,
        "styles": {level: styles_of(level) for level in LEVELS},
        "hint": {
            "best": advice.BEST,
            "seconds": advice.SECONDS,
            "finding": _effort(advice.FINDING),
            "measuring": _effort(advice.MEASURING),
        },
        "looks": {
            "alike": {chr(char): chr(seen) for char, seen in security.ALIKE.items()},
            "unseen": "".join([security.JOINERS, *sorted(security.VARIANTS)]),
        },
        "judge": {
            "chains": judge.CHAINS,
            "fewest": judge.FEWEST,
            "afresh": judge.AFRESH,
            "finding": _effort(judge.FINDING),
            "measuring": _effort(judge.MEASURING),
        },
        "report": {
            "seed": report.SEED,
            "rollouts": report.ROLLOUTS,
            "grades": findings.GRADES,
            "longest": hindsight.LONGEST,
            "levels": scale.LEVELS,
            "rates": scale.RATES,
        },
        "moments": {
            name.lower(): getattr(moments, name) for name in ("ROLLOUTS", "COSTLY", "LUCKY", "NEEDY", "BEHIND")
        },
        "lessons": {game: _lesson(lesson) for game, lesson in lessons.LESSONS.items()},
    }


def _effort(effort: Effort) -> dict[str, Any]:
    """How hard is thought; in a page no threads play side by side."""
    return {key: value for key, value in msgspec.to_builtins(effort).items() if key != "threads"}


def _lesson(lesson: lessons.Lesson) -> dict[str, Any]:
    return {"position": str(lesson.start), "script": lesson.script, "steps": lesson.steps, "beats": lesson.beats}


def facts_module(command: str) -> str:
    """The facts as a module of the browser's.

    Args:
        command: that makes it.
    """
    values = json.dumps(msgspec.to_builtins(facts()), indent=1)
    return f"""\
/** What a table on a device takes over from the server's: made by `{command}`, not by hand. Times in seconds. */

/** @import {{ Effort }} from "../local/kernel.js" */
/** @import {{ Settings }} from "../line/protocol.js" */

/** @typedef {{{{name: string, tempo: number, wilds: number, danger: number}}}} Regular */

/**
 * @typedef {{{{beat: number, say: string, at: string, moves: string[], then: string | null,
 *   seat: number | null}}}} Step
 */

/** @typedef {{{{position: string, script: Record<string, string[]>, steps: Step[], beats: number}}}} Lesson */

/**
 * @type {{{{version: number, settings: Settings, speeds: Record<string, number>, quick: string[], pile: number,
 *   remembered_acts: number, most_calls: number, remembered: number, next_round: number, number_wait: number,
 *   levels: {{quick: string, standin: string, plain: string}},
 *   tempo: {{think: number[], question: number, nearly_out: number, call: number[], catch: number[], jump: number[],
 *   read: number, pause: number}}, regulars: Record<string, Regular[]>, styles: Record<string, string[]>,
 *   looks: {{alike: Record<string, string>, unseen: string}},
 *   hint: {{best: number, seconds: number | null, finding: Effort, measuring: Effort}},
 *   judge: {{chains: number, fewest: number, afresh: number, finding: Effort, measuring: Effort}},
 *   moments: {{rollouts: number, costly: number, lucky: number, needy: number, behind: number}},
 *   report: {{seed: number, rollouts: number, grades: Record<string, number>, longest: number, levels: string[],
 *   rates: Record<string, Record<string, number[]>>}}, lessons: Record<string, Lesson>}}}}
 */
export const FACTS = {values};
"""
