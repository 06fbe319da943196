"""Policy gradients: a network that rates moves learns from the advantages of its sampled moves, with PyTorch."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np

from lastcard.ai.policy_features import STATE
from lastcard.training.compiled.selfplay import HIDDEN_INPUTS
from lastcard.training.position_data import DecisionData
from lastcard.training.supervised import import_torch, take_step

_CLIP_RATIO: Final = 0.2
"""Clipping range: a probability that has changed by a larger part gains nothing by further change."""
_CRITIC_UNITS: Final = (128, 64)


class PolicyBatch(NamedTuple):
    """Sampled decisions with their advantages."""

    decisions: DecisionData
    """The inputs; its shares are not used here."""
    hidden: Any
    """float32[n, HIDDEN_INPUTS]: inputs of the critic alone."""
    chosen: Any
    """int64[n], the index of the sampled move among those of its decision."""
    probabilities: Any
    """float32[n], its probability."""
    advantages: Any
    """float32[n], its advantage."""
    value_targets: Any
    """float32[n], the critic's targets, 0 to 1."""


def new_critic() -> Any:
    """A net that gives the logit of the chance to win from visible and hidden inputs."""
    nn = import_torch().nn
    one, two = _CRITIC_UNITS
    return nn.Sequential(
        nn.Linear(STATE + HIDDEN_INPUTS, one), nn.ReLU(), nn.Linear(one, two), nn.ReLU(), nn.Linear(two, 1)
    )


def predict_values(critic: Any, xs: Any, hidden: Any) -> Any:
    """The chance to win at each decision, as float32, from float32[n, STATE] and float32[n, HIDDEN_INPUTS]."""
    torch = import_torch()
    with torch.no_grad():
        return torch.sigmoid(_critic_logits(critic, xs, hidden)).numpy()


def _critic_logits(critic: Any, xs: Any, hidden: Any) -> Any:
    torch = import_torch()
    return critic(torch.cat([torch.from_numpy(xs), torch.from_numpy(hidden)], 1)).squeeze(1)


def rate_actions(net: Any, xs: Any, action_inputs: Any, decision: Any) -> Any:
    """The ratings of moves; a decision's part of the first units is computed once for all its moves.

    Args:
        xs: float32 tensor[n, STATE].
        action_inputs: float32 tensor[rows, ACT].
        decision: int64 tensor[rows], index of each move's decision.
    """
    torch, first = import_torch(), net[0]
    state = torch.nn.functional.linear(xs, first.weight[:, :STATE], first.bias)
    return net[1:](torch.addmm(state.index_select(0, decision), action_inputs, first.weight[:, STATE:].T)).squeeze(1)


def update_critic(critic: Any, optimizer: Any, batch: PolicyBatch, at: Any) -> None:
    """Take one step of a critic towards its targets for some decisions."""
    torch = import_torch()
    logits = _critic_logits(critic, batch.decisions.xs[at], batch.hidden[at])
    loss = torch.nn.functional.binary_cross_entropy_with_logits(logits, torch.from_numpy(batch.value_targets[at]))
    take_step(optimizer, loss)


def update_policy(net: Any, optimizer: Any, batch: PolicyBatch, at: Any, entropy_coefficient: float) -> float:
    """Take one step of a net towards moves with positive advantages; returns their mean entropy, in nats.

    Source: J. Schulman et al., "Proximal Policy Optimization Algorithms" (2017), the clipped objective.

    Args:
        net: net whose ratings of moves are logarithms of probabilities.
        at: int64, indices of the decisions to learn from.
        entropy_coefficient: value of one nat of entropy, in rounds: it prevents an early collapse to one move.
    """
    torch = import_torch()
    row, decision = batch.decisions.find_rows(at)
    groups, count = torch.from_numpy(decision), len(at)
    xs, action_inputs = torch.from_numpy(batch.decisions.xs[at]), torch.from_numpy(batch.decisions.action_inputs[row])
    rated = rate_actions(net, xs, action_inputs, groups)
    most = torch.full((count,), -torch.inf).scatter_reduce(0, groups, rated.detach(), "amax")
    shifted = rated - most[groups]
    log_probabilities = shifted - torch.zeros(count).index_add_(0, groups, shifted.exp()).log()[groups]
    entropy = -(log_probabilities.exp() * log_probabilities).sum() / count
    drawn = torch.from_numpy(np.searchsorted(decision, np.arange(count)) + batch.chosen[at])
    ratio = log_probabilities[drawn].exp() / torch.from_numpy(batch.probabilities[at])
    advantages = torch.from_numpy(batch.advantages[at])
    objective = torch.minimum(ratio * advantages, ratio.clamp(1 - _CLIP_RATIO, 1 + _CLIP_RATIO) * advantages).mean()
    take_step(optimizer, -objective - entropy_coefficient * entropy)
    return float(entropy.detach())
