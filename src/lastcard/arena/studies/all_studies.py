"""All studies by name."""

from __future__ import annotations

from typing import Final

from lastcard.arena.studies.card_values import CARD_VALUES
from lastcard.arena.studies.decisions import DECISIONS
from lastcard.arena.studies.design import Study
from lastcard.arena.studies.disputes import DISPUTES
from lastcard.arena.studies.forced_swap import FORCED_SWAP
from lastcard.arena.studies.house_rules import HOUSE_RULES
from lastcard.arena.studies.lever_outcomes import LEVER
from lastcard.arena.studies.luck_and_skill import LUCK_AND_SKILL
from lastcard.arena.studies.seat_advantage import SEATS

STUDIES: Final[dict[str, Study]] = {
    study.name: study
    for study in (DISPUTES, HOUSE_RULES, LUCK_AND_SKILL, SEATS, DECISIONS, FORCED_SWAP, LEVER, CARD_VALUES)
}
