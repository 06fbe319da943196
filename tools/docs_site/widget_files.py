"""Files of the live parts of the site: lastcard.js with the module, pictures of cards, records, and rules as data."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import Final

from lastcard import Match, RulesError, Ruleset, play, ruleset
from lastcard.bundle.texts import game_options_json, screen_texts
from lastcard.game.card_pictures import read_pictures
from lastcard.game.options import OPTIONS, value_text
from lastcard.game.rulesets import GAMES
from lastcard.text.explanation import make_rules_page
from lastcard.text.locale import catalog
from lastcard.text.wording import choices_in_game
from tools.docs_site.markdown_pages import DOCS, ROOT

_PACKAGE: Final = ROOT / "src" / "lastcard"
_MODULES: Final = ("bindings", "cards", "ui")
"""Folders of the page's modules that the widgets import."""
_SAMPLES: Final = {
    "all-wild": "all-wild",
    "classic": "classic+winning_score=100",
    "wild-jackpot": "wild-jackpot+winning_score=100",
}
"""Rulesets of the records that can be replayed at once."""
_CLAUSE_ROW: Final = re.compile(r"^\| ((?:CO|CL|AW|WJ|LC)-\d+\w*) \| (.*?) \|", re.M)

Rule = tuple[str, tuple[str, ...]]
"""A line of the rules, and the ids of its clauses."""


def write_widget_files(folder: Path) -> None:
    """Write all that the widgets load into a new folder."""
    for name in _MODULES:
        shutil.copytree(_PACKAGE / "web" / name, folder / "web" / name, ignore=shutil.ignore_patterns("*.css"))
    for name in ("lastcard.wasm", "lastcard.json"):
        shutil.copyfile(_PACKAGE / "kernel" / name, folder / name)
    texts = {f"web/texts/en{part and '-'}{part}.json": screen_texts("en", part) for part in ("", "jackpot")}
    options = {f"options-{game}.json": game_options_json(game, "en") for game in GAMES}
    changes = {f"changes-{game}.json": json.dumps(rule_changes(game)).encode() for game in GAMES}
    records = {f"{game}.toml": _sample(rules).encode() for game, rules in _SAMPLES.items()}
    clauses = {"clauses.json": json.dumps(clause_texts()).encode(), "cards.svg": _card_sheet().encode()}
    for name, body in (texts | options | changes | records | clauses).items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(body)


def rule_changes(game: str) -> dict[str, dict[str, dict[str, list[Rule]]]]:
    """Returns by option and value the lines of the official rules that it removes, and those that it adds."""
    official = ruleset(game)
    before = _lines(official)
    found: dict[str, dict[str, dict[str, list[Rule]]]] = {}
    for option in OPTIONS.values():
        for value in choices_in_game(option, game) if game in option.games else ():
            try:
                after = _lines(ruleset(game, {option.name: value}))
            except RulesError:  # it needs another option, which the widget says
                continue
            if after != before:
                lines = {
                    "removed": [x for x in before if x not in after],
                    "added": [x for x in after if x not in before],
                }
                found.setdefault(option.text_name, {})[value_text(value)] = lines
    return found


def _lines(rules: Ruleset) -> list[Rule]:
    """Returns the lines of all sections but the last, which lists the options by name."""
    page = make_rules_page(rules, catalog("en"))
    return [(line.text, line.clauses) for section in page.sections[:-1] for line in section.lines]


def clause_texts() -> dict[str, str]:
    """Returns the text of every clause of docs/rules.md without marks, by id."""
    rows = _CLAUSE_ROW.findall((DOCS / "rules.md").read_text(encoding="utf-8"))
    return {clause: re.sub(r"\*\*|`", "", text) for clause, text in rows}


def _sample(rules: str) -> str:
    """Returns the record of a match between bots."""
    return play(Match(rules, ["Ann", "Bo", "Cy"], seed="porch"), "sharp").record().text()


def _card_sheet() -> str:
    """Returns the pictures of all cards as symbols of one SVG, by their names."""
    return f'<svg xmlns="http://www.w3.org/2000/svg">{"".join(_symbols())}</svg>'


def _symbols() -> Iterator[str]:
    for name, picture in read_pictures().items():
        yield f'<symbol id="{escape(name.replace(" ", "-"))}" viewBox="0 0 100 150">{picture}</symbol>'
