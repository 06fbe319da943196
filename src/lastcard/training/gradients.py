"""Policy gradients: a network that rates acts learns from what its own draws were worth, with PyTorch."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np

from lastcard.ai.sight import STATE
from lastcard.training.compiled.selfplay import HIDDEN
from lastcard.training.fit import import_torch
from lastcard.training.lessons import Drills

_CLIP: Final = 0.2
"""A chance that has changed by more than such a part gains nothing by changing further."""
_CRITIC: Final = (128, 64)


class Lesson(NamedTuple):
    """Decisions that were drawn, and what each was worth."""

    drills: Drills
    """What was seen; its shares are of no use here."""
    hidden: Any
    """float32[n, HIDDEN]: what only the critic sees."""
    chosen: Any
    """int64[n], the number of the act that was drawn among those of its decision."""
    chances: Any
    """float32[n], with what chance it was."""
    gains: Any
    """float32[n], by how much it won more often than was expected."""
    values: Any
    """float32[n], what the critic should have expected, 0 to 1."""


def new_critic() -> Any:
    """A net that tells the chance to win, before it is made one, from what is seen and what is hidden."""
    nn = import_torch().nn
    one, two = _CRITIC
    return nn.Sequential(nn.Linear(STATE + HIDDEN, one), nn.ReLU(), nn.Linear(one, two), nn.ReLU(), nn.Linear(two, 1))


def expect(critic: Any, xs: Any, hidden: Any) -> Any:
    """The chance to win at each decision, as float32.

    Args:
        critic: as ``new_critic``.
        xs: float32[n, STATE].
        hidden: float32[n, HIDDEN].
    """
    torch = import_torch()
    with torch.no_grad():
        return torch.sigmoid(_criticize(critic, xs, hidden)).numpy()


def _criticize(critic: Any, xs: Any, hidden: Any) -> Any:
    torch = import_torch()
    return critic(torch.cat([torch.from_numpy(xs), torch.from_numpy(hidden)], 1)).squeeze(1)


def rate_rows(net: Any, xs: Any, acts: Any, decision: Any) -> Any:
    """What a net thinks of acts; what a decision adds to the first units is the same for all its acts.

    Args:
        net: as ``fit.new_actor`` makes it.
        xs: float32 tensor[n, STATE].
        acts: float32 tensor[rows, ACT].
        decision: int64 tensor[rows], to which decision each act belongs.
    """
    torch, first = import_torch(), net[0]
    state = torch.nn.functional.linear(xs, first.weight[:, :STATE], first.bias)
    return net[1:](torch.addmm(state.index_select(0, decision), acts, first.weight[:, STATE:].T)).squeeze(1)


def learn_critic(critic: Any, optimizer: Any, lesson: Lesson, at: Any) -> None:
    """Take one step of a critic towards what it should have expected of some decisions."""
    torch = import_torch()
    told = _criticize(critic, lesson.drills.xs[at], lesson.hidden[at])
    loss = torch.nn.functional.binary_cross_entropy_with_logits(told, torch.from_numpy(lesson.values[at]))
    _step(optimizer, loss)


def learn(net: Any, optimizer: Any, lesson: Lesson, at: Any, spread: float) -> float:
    """Take one step of a net towards acts that gained.

    Source: J. Schulman et al., "Proximal Policy Optimization Algorithms" (2017), the clipped objective.

    Args:
        net: rates acts; what it thinks are logarithms of chances.
        optimizer: of its parameters.
        lesson: the decisions.
        at: int64, numbers of those to learn from.
        spread: what one nat of entropy is worth, in rounds: without it one act would soon be drawn alone.

    Returns:
        The mean entropy of what it would draw from, in nats.
    """
    torch = import_torch()
    row, decision = lesson.drills.find(at)
    groups, count = torch.from_numpy(decision), len(at)
    xs, acts = torch.from_numpy(lesson.drills.xs[at]), torch.from_numpy(lesson.drills.acts[row])
    rated = rate_rows(net, xs, acts, groups)
    most = torch.full((count,), -torch.inf).scatter_reduce(0, groups, rated.detach(), "amax")
    lifted = rated - most[groups]
    logs = lifted - torch.zeros(count).index_add_(0, groups, lifted.exp()).log()[groups]
    entropy = -(logs.exp() * logs).sum() / count
    drawn = torch.from_numpy(np.searchsorted(decision, np.arange(count)) + lesson.chosen[at])
    ratio = logs[drawn].exp() / torch.from_numpy(lesson.chances[at])
    gains = torch.from_numpy(lesson.gains[at])
    gained = torch.minimum(ratio * gains, ratio.clamp(1 - _CLIP, 1 + _CLIP) * gains).mean()
    _step(optimizer, -gained - spread * entropy)
    return float(entropy.detach())


def _step(optimizer: Any, loss: Any) -> None:
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
