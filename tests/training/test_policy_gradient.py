"""Policy gradient training: rounds of a network against itself and others, their data, and that it learns to gain."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lastcard.ai.policy_features import ACTION, STATE
from lastcard.bots.weights import load_policy_net
from lastcard.errors import UsageError
from lastcard.training import policy_gradient, ppo
from lastcard.training.compiled.selfplay import HIDDEN_INPUTS, OPPONENTS, SELF, Trajectories, compute_advantages
from lastcard.training.position_data import DataSource
from lastcard.training.supervised import POLICY_UNITS, load_parameters, new_action_net


class EvenCritic:
    """A critic for which every chance is even."""

    def __call__(self, x: Any) -> Any:
        return x[:, :1] * 0


@pytest.fixture(autouse=True)
def torch() -> Any:
    return pytest.importorskip("torch")


def play(rules: str, players: int, size: int = 600) -> tuple[ppo.PolicyBatch, Any, Any]:
    """The decisions of a table, the tally, and the trajectories."""
    games = policy_gradient.RolloutCollector(size, may_repeat_draws=False)
    net = policy_gradient.scale_ratings(np.array(load_policy_net(rules)), 100.0)
    lesson, tally = games.collect([(DataSource(rules, players, 3), 1.0)], net, net, EvenCritic())
    return lesson, tally, games._trajectories


@pytest.mark.parametrize(("rules", "players"), [("classic", 2), ("all-wild", 5), ("wild-jackpot+seven_zero", 3)])
def test_recorded_actions_are_those_sampled(rules: str, players: int) -> None:
    """Probabilities are a softmax of its ratings, computed here by PyTorch from the written rows."""
    lesson, tally, lived = play(rules, players)
    n = len(lesson.advantages)
    assert 500 < n <= 600 and len(lesson.decisions.ends) == n and tally.sum() > 0
    row, decision = lesson.decisions.find_rows(np.arange(n))
    assert row.tolist() == list(range(len(lesson.decisions.action_inputs)))
    net = new_action_net(POLICY_UNITS)
    load_parameters(net, policy_gradient.scale_ratings(np.array(load_policy_net(rules)), 100.0))
    inputs = np.concatenate([lesson.decisions.xs[decision], lesson.decisions.action_inputs[row]], 1)
    rated = net(torch_of(inputs)).detach().numpy().ravel().astype(np.float64)
    for i in range(n):
        mine = rated[decision == i]
        chances = np.exp(mine - mine.max())
        assert lesson.probabilities[i] == pytest.approx(chances[lesson.chosen[i]] / chances.sum(), abs=1e-3)
    # One seat has won each round in which all are written.
    rounds, seats, won = (array[:n] for array in (lived.rounds, lived.seats, lived.won))
    for number in np.unique(rounds):
        winners = set(seats[(rounds == number) & (won == 1)].tolist())
        assert len(winners) <= 1 and seats[rounds == number].max() < players
    assert tally[SELF, 0] > 0 and (tally[:, 1] <= tally[:, 0]).all()


def torch_of(array: Any) -> Any:
    import torch

    return torch.from_numpy(array)


def test_a_sampled_action_comes_as_often_as_its_probability() -> None:
    """Over thousands of decisions the frequency of the first action equals its mean probability."""
    lesson, _, _ = play("classic", 2, 6000)
    first = np.mean(lesson.chosen == 0)
    net = new_action_net(POLICY_UNITS)
    load_parameters(net, policy_gradient.scale_ratings(np.array(load_policy_net("classic")), 100.0))
    row, decision = lesson.decisions.find_rows(np.arange(len(lesson.advantages)))
    inputs = np.concatenate([lesson.decisions.xs[decision], lesson.decisions.action_inputs[row]], 1)
    rated = np.exp(net(torch_of(inputs)).detach().numpy().ravel())
    starts = np.searchsorted(decision, np.arange(len(lesson.advantages)))
    expected = (rated / np.bincount(decision, rated)[decision])[starts]
    error = np.sqrt((expected * (1 - expected)).mean() / len(expected))
    assert abs(first - expected.mean()) < 4 * error


def test_gains_of_a_chain() -> None:
    """At two seats the decisions of both affect each other; at three only those of one seat."""
    lived = Trajectories(
        xs=np.zeros((4, STATE), np.float32),
        hidden=np.zeros((4, HIDDEN_INPUTS), np.float32),
        action_inputs=np.zeros((4, ACTION), np.float32),
        ends=np.zeros(4, np.int64),
        chosen=np.zeros(4, np.int64),
        probabilities=np.zeros(4, np.float32),
        round_numbers=np.array([0, 0, 0, 1]),
        seats=np.array([0, 1, 0, 1]),
        won=np.array([1, 0, 1, 1], np.float32),
        tally=np.zeros((OPPONENTS, 2), np.int64),
    )
    values = np.array([0.5, 0.25, 0.75, 0.5], np.float32)
    gains, later = np.zeros(4, np.float32), np.zeros(10, np.int64)
    compute_advantages(2, lived, values, 0.5, later, gains)
    last = 1 - 0.75
    middle = (1 - 0.75) - 0.25 - 0.5 * last
    assert gains.tolist() == [(1 - 0.25) - 0.5 - 0.5 * middle, middle, last, 0.5]
    compute_advantages(3, lived, values, 0.5, later, gains)
    assert gains.tolist() == [0.75 - 0.5 + 0.5 * last, -0.25, last, 0.5]


def test_a_network_learns_the_rewarded_action() -> None:
    """If the first action of every decision gains and all others lose, it samples the first more often."""
    import torch

    torch.manual_seed(1)
    lesson, _, _ = play("classic", 2)
    first = np.where(lesson.chosen == 0, 0.5, -0.5).astype(np.float32)
    lesson = lesson._replace(advantages=first, value_targets=np.full_like(first, 0.9))
    net, critic = new_action_net(POLICY_UNITS), ppo.new_critic()
    load_parameters(net, policy_gradient.scale_ratings(np.array(load_policy_net("classic")), 100.0))
    optimizer, other = (torch.optim.Adam(each.parameters(), 1e-3) for each in (net, critic))
    at = np.arange(len(lesson.decisions.ends))
    row, decision = lesson.decisions.find_rows(at)
    starts = np.searchsorted(decision, at)

    def chance_of_first() -> float:
        with torch.no_grad():
            rated = ppo.rate_actions(
                net, *map(torch_of, (lesson.decisions.xs, lesson.decisions.action_inputs[row], decision))
            )
        chances = np.exp(rated.numpy().astype(np.float64))
        return float((chances[starts] / np.bincount(decision, chances)).mean())

    before, expected = chance_of_first(), ppo.predict_values(critic, lesson.decisions.xs, lesson.hidden[at]).mean()
    for _ in range(20):
        entropy = ppo.update_policy(net, optimizer, lesson, at, 0.0)
        ppo.update_critic(critic, other, lesson, at)
    assert chance_of_first() > before + 0.05 and entropy > 0
    assert ppo.predict_values(critic, lesson.decisions.xs, lesson.hidden[at]).mean() > expected + 0.1


def test_self_play_resumes_from_its_checkpoint(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The result is the same to the last bit as without a stop; another seed gives another network."""
    monkeypatch.setattr(policy_gradient, "STEP_DECISIONS", 500)
    monkeypatch.setattr(policy_gradient, "BATCH", 100)
    monkeypatch.setattr(policy_gradient, "CHECKPOINT_STEPS", 2)
    monkeypatch.setattr(policy_gradient, "_CRITIC_WARM_UP_STEPS", 1)
    start = np.array(load_policy_net("all-wild"))

    class Stopped(Exception):
        pass

    def stop(name: str, done: int, of: int) -> None:
        if done == 3:
            raise Stopped

    def run(folder: str, seed: int = 1, report_progress: Any = lambda name, done, of: None) -> Any:
        (tmp_path / folder).mkdir(exist_ok=True)
        file = tmp_path / folder / "practice-all-wild.pt"
        return policy_gradient.SelfPlayTraining(
            "all-wild", file, policy_gradient.SINGLE_DRAW._replace(steps=5), seed, report_progress
        ).run(start)

    whole, won = run("whole")
    with pytest.raises(Stopped):
        run("stopped", report_progress=stop)
    again, same = run("stopped")
    assert np.array_equal(whole, again) and won == same and 0 <= won <= 1
    assert (tmp_path / "whole" / "practice-all-wild.json").read_text().count('"steps"') == 3
    assert not np.array_equal(whole, start) and whole.shape == start.shape and whole.dtype == start.dtype
    assert not np.array_equal(run("other", seed=2)[0], whole)
    file = tmp_path / "whole" / "practice-all-wild.pt"
    longer = policy_gradient.SelfPlayTraining(
        "all-wild", file, policy_gradient.SINGLE_DRAW._replace(steps=6), 1, lambda *_: None
    )
    with pytest.raises(UsageError, match="5 steps, not 6"):
        longer.run(start)


def test_sharpened_ratings_are_multiplied() -> None:
    """The order of actions stays."""
    lesson, _, _ = play("classic", 2)
    row, decision = lesson.decisions.find_rows(np.arange(len(lesson.decisions.ends)))
    seen = [torch_of(part) for part in (lesson.decisions.xs, lesson.decisions.action_inputs[row], decision)]
    rated = []
    for numbers in (
        np.array(load_policy_net("classic")),
        policy_gradient.scale_ratings(np.array(load_policy_net("classic")), 100.0),
    ):
        net = new_action_net(POLICY_UNITS)
        load_parameters(net, numbers)
        rated.append(ppo.rate_actions(net, *seen).detach().numpy())
    assert rated[1] == pytest.approx(100 * rated[0], rel=1e-3, abs=1e-3)


def test_an_unreadable_self_play_checkpoint_is_unchanged(tmp_path: Path) -> None:
    """Curve and networks of a checkpoint are checked, too, before training continues."""
    import torch

    start, file = np.array(load_policy_net("classic")), tmp_path / "patience-classic.pt"
    learner = policy_gradient.PolicyLearner(start, 1, policy_gradient.REPEATED_DRAWS)
    learner.steps_done, learner.curve = 50, [{"steps": 50, "entropy": 1.0, "snapshot": 0.5, "sharp": 0.5}]
    learner.save(file)
    policy_gradient.PolicyLearner(start, 1, policy_gradient.REPEATED_DRAWS).restore(file)
    checkpoint, whole = torch.load(file, weights_only=True), file.read_bytes()
    wrong: list[Any] = [
        {},
        7,
        checkpoint | {"curve": []},
        checkpoint | {"curve": [{"steps": 50}]},
        checkpoint | {"average": torch.zeros(3)},
        checkpoint | {"snapshots": torch.zeros(2, 3)},
        checkpoint | {"critic": {}},
        checkpoint | {"done": 0},
        checkpoint | {"done": 51},
    ]
    for other in wrong:
        torch.save(other, file)
        refuse(file, start)
    for left in (b"", b"\x80\x02.", whole[:5000]):
        file.write_bytes(left)
        refuse(file, start)
        assert file.read_bytes() == left


def refuse(file: Path, start: Any) -> None:
    with pytest.raises(UsageError, match=r"patience-classic.pt: this is no checkpoint of practice.*begins anew"):
        policy_gradient.PolicyLearner(start, 1, policy_gradient.REPEATED_DRAWS).restore(file)
