"""What the browser must know without asking is the same as in Python."""

from __future__ import annotations

from typing import Any

import pytest

from lastcard.bots.registry import LEVELS
from lastcard.game.options import LEVER_OUTCOMES
from lastcard.game.rulecards import GRAMMAR, MAX_DARE, MAX_EFFECTS, WHO
from lastcard.game.rulesets import GAMES, MAX_PLAYERS, MIN_PLAYERS
from lastcard.server.game.clock import PACES
from lastcard.server.wire.parts import QUICK
from lastcard.server.wire.protocol import VERSION
from lastcard.text.locale import LANGUAGES
from support.site import Site

REPEATED: dict[str, dict[str, Any]] = {
    "cards/cards.js": {"GAMES": list(GAMES)},
    "lobby/seats.js": {"LEVELS": list(LEVELS)},
    "ui/words.js": {"LANGUAGES": list(LANGUAGES)},
    "lobby/settings.js": {"PACES": list(PACES), "FEWEST_SEATS": MIN_PLAYERS, "MOST_SEATS": MAX_PLAYERS},
    "game/seats.js": {
        "PACES": {
            name: {"turn": 1000 * pace.turn, "bank": 1000 * pace.bank}
            for name, pace in PACES.items()
            if pace.turn is not None
        }
    },
    "lobby/chat.js": {"QUICK": list(QUICK)},
    "line/session.js": {"VERSION": VERSION},
    "lobby/rulefields.js": {"OUTCOMES": list(LEVER_OUTCOMES)},
    "lobby/cardwriter.js": {
        "VERBS": {verb: [most, names] for verb, (_, most, names) in GRAMMAR.items()},
        "WHO": list(WHO),
        "MOST_EFFECTS": MAX_EFFECTS,
        "LONGEST_DARE": MAX_DARE,
    },
}


@pytest.mark.parametrize("module", REPEATED)
def test_constants_are_those_of_python(blank: Site, module: str) -> None:
    names = list(REPEATED[module])
    found: dict[str, Any] = blank.page.evaluate(
        """async ([module, names]) => {
            const exports = await import(`/web/${module}`);
            return Object.fromEntries(names.map((name) => [name, exports[name]]));
        }""",
        [module, names],
    )
    assert found == REPEATED[module]
