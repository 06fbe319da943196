"""All exports of the kernel, which importing this module registers."""

from __future__ import annotations

from lastcard.ai import (
    decision,
    evaluation,
    open_card_solver,
    opponent_mix,
    reasons,
    rollout,
    round_analysis,
    rounds,
    search,
)
from lastcard.envs.compiled import action_ids, features, tree, vector
from lastcard.kernel.jit import EXPORTS
from lastcard.kernel.signatures import Export
from lastcard.rules import chance, exports, random_policy
from lastcard.training.compiled import duel, habits, position_data, rollout_targets, selfplay

_MODULES = (
    chance,
    exports,
    random_policy,
    rollout,
    decision,
    evaluation,
    open_card_solver,
    opponent_mix,
    reasons,
    round_analysis,
    rounds,
    search,
    action_ids,
    features,
    tree,
    vector,
    rollout_targets,
    duel,
    habits,
    position_data,
    selfplay,
)


def all_exports() -> list[Export]:
    """Returns all exports, sorted by name."""
    names = {module.__name__ for module in _MODULES}
    return [export for _, export in sorted(EXPORTS.items()) if export.function.__module__ in names]
