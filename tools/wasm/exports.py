"""All exports of the kernel, which importing their modules registers."""

from __future__ import annotations

from lastcard.ai import (  # noqa: F401
    decision,
    evaluation,
    glicko,
    open_card_solver,
    opponent_mix,
    reasons,
    rollout,
    round_analysis,
    rounds,
    search,
)
from lastcard.envs.compiled import action_ids, features, tree, vector  # noqa: F401
from lastcard.kernel.jit import EXPORTS
from lastcard.kernel.signatures import Export
from lastcard.rules import chance, exports, random_policy  # noqa: F401
from lastcard.training.compiled import duel, habits, position_data, rollout_targets, selfplay  # noqa: F401


def all_exports() -> list[Export]:
    """Returns all exports, sorted by name, without those of tests."""
    return [export for _, export in sorted(EXPORTS.items()) if export.function.__module__.startswith("lastcard.")]
