"""The PettingZoo environment: PettingZoo's tests, and ours for what they leave open."""

from __future__ import annotations

import copy
import importlib.util
import sys
from collections import Counter
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from lastcard.errors import RulesError, UsageError
from lastcard.formats.record_files import Record
from support.agents import ALL_CONFIGS, configs_with_calls, is_live, observe, pick, play_episode, replay_record

pytest.importorskip("pettingzoo")
from pettingzoo.test import api_test, render_test, seed_test

from lastcard.envs import pettingzoo as adapter
from lastcard.envs.batch import DEFAULT_MAX_STEPS

every_config = pytest.mark.parametrize(("rules", "players"), ALL_CONFIGS)


# PettingZoo's warning about every environment with action masks but its own.
pytestmark = [
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array"),
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be"),
    # PettingZoo's warning about a seat whose episode is over.
    pytest.mark.filterwarnings("ignore:Action mask numpy array is all zeros"),
]


# --- PettingZoo's own tests ---------------------------------------------------------------------


@pytest.mark.parametrize(("rules", "players", "calls"), configs_with_calls(0))
def test_api(rules: str, players: int, calls: str) -> None:
    api_test(adapter.env(rules, players, calls=calls), num_cycles=100)
    api_test(adapter.raw_env(rules, players, calls=calls, dtype="uint8", episode="match", max_cycles=50), num_cycles=60)


@every_config
def test_seed(rules: str, players: int) -> None:
    seed_test(lambda: adapter.env(rules, players, calls="decisions"), num_cycles=100)


@every_config
def test_render(rules: str, players: int) -> None:
    render_test(lambda render_mode: adapter.env(rules, players, render_mode=render_mode))


@every_config
def test_performance(
    rules: str, players: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    module = import_module("pettingzoo.test.performance_benchmark")
    seconds = iter(np.arange(0, 100, 0.2))  # theirs plays for five seconds by the clock
    monkeypatch.setattr(module, "time", SimpleNamespace(time=lambda: float(next(seconds))))
    module.performance_benchmark(adapter.env(rules, players))
    assert "Finished performance benchmark" in capsys.readouterr().out


@every_config
def test_max_cycles(rules: str, players: int) -> None:
    """Theirs is for seats in strict turns; here it is that many moves for each seat on average."""
    env = adapter.env(rules, players, max_cycles=3)
    env.reset(seed=1)
    steps: Counter[str] = Counter()
    rng = np.random.default_rng(1)
    for agent in env.agent_iter():
        seen, reward, terminated, truncated, _ = env.last()
        if not truncated:
            steps[agent] += 1
        assert seen is not None and not terminated and reward == 0
        env.step(None if truncated else pick(seen["action_mask"], rng))
    assert steps.total() == 3 * players


@pytest.mark.parametrize(("cycles", "steps"), [(None, DEFAULT_MAX_STEPS), (7, 28), (sys.maxsize, sys.maxsize)])
def test_how_long_it_may_take(cycles: int | None, steps: int) -> None:
    """As many cycles as Python counts are no limit."""
    env = adapter.env("classic", 4, max_cycles=cycles)
    env.reset(seed=1)
    assert env.config.max_steps == steps


# --- observations and rewards ---------------------------------------------------------------------


@pytest.mark.parametrize(("rules", "players", "calls"), configs_with_calls(1))
def test_every_seat_sees_its_view(rules: str, players: int, calls: str) -> None:
    """The record, replayed beside the episode, gives the same rows, and the same mask to the seat that must act."""
    env = adapter.env(rules, players, calls=calls, dtype="uint8")
    env.reset(seed=5)
    layout, rng = env.features, np.random.default_rng(5)
    for _ in range(30):
        *_, over, _, _ = env.last(observe=False)
        if over:
            break
        match = replay_record(env.record())
        for seat, agent in enumerate(env.agents):
            asked = agent == env.agent_selection
            reacts = bool(asked and env.batch.is_reaction[0])
            seen, view = env.observe(agent), match.round.view(seat)
            assert (seen["observation"] == layout.observe(view, is_reaction=reacts)).all()
            expected = layout.action_mask(view, is_reaction=reacts) if asked else 0
            assert (seen["action_mask"] == expected).all() and (env.infos[agent]["action_mask"] == expected).all()
        for _ in range(3):
            if is_live(env):
                env.step(pick(env.infos[env.agent_selection]["action_mask"], rng))


def test_old_observations_do_not_change() -> None:
    env = adapter.env("classic", 3)
    env.reset(seed=2)
    seen, info = observe(env), env.last()[4]
    before = copy.deepcopy((seen, info))
    play_episode(env, 2, 30)
    np.testing.assert_equal((seen, info), before)
    env.reset(seed=2)
    mask = observe(env)["action_mask"]
    illegal = int(mask.argmin())
    mask[:] = observe(env)["observation"][:] = env.observe("seat_1")["observation"][:] = 1
    np.testing.assert_equal(observe(env)["observation"], before[0]["observation"])
    with pytest.raises(UsageError):
        env.step(illegal)


@pytest.mark.parametrize(("rules", "players"), [("all-wild", 3), ("classic", 4), ("classic+team_play", 4)])
def test_rewards(rules: str, players: int) -> None:
    """By setting: a share of winning, the points scored (CL-51), the place."""
    for seed in range(2):
        rewards_by_scheme = {}
        for reward in ("win", "points", "rank"):
            env = adapter.env(rules, players, reward=reward)
            env.reset(seed=seed)
            rewards_by_scheme[reward] = play_episode(env, seed)
            assert env.agents == [] and env.rewards == {}
        played = Record.parse(env.record()).rounds[0]
        assert played.winner is not None and played.scores is not None
        winners = {played.winner, (played.winner + 2) % 4} if "team" in rules else {played.winner}
        for seat in range(players):
            agent = f"seat_{seat}"
            share = 1 / len(winners) if seat in winners else -1 / (players - len(winners))
            assert rewards_by_scheme["win"][agent] == pytest.approx(share)
            assert rewards_by_scheme["points"][agent] == played.scores[seat]
            assert (rewards_by_scheme["rank"][agent] == max(rewards_by_scheme["rank"].values())) == (seat in winners)


def test_the_end() -> None:
    """Everybody learns it at once, and agents are removed in the order of seats."""
    env = adapter.env("all-wild", 4)
    env.reset(seed=3)
    rng = np.random.default_rng(3)
    while is_live(env):
        assert not any(env.rewards.values())
        assert [a for a in env.agents if env.infos[a]["action_mask"].any()] == [env.agent_selection]
        env.step(pick(observe(env)["action_mask"], rng))
    assert all(env.terminations.values()) and not any(env.truncations.values())
    assert sorted(env.rewards.values()) == pytest.approx([-1 / 3, -1 / 3, -1 / 3, 1])
    for seat in range(4):
        assert env.agent_selection == f"seat_{seat}" and env.num_agents == 4 - seat
        assert not observe(env)["action_mask"].any()
        env.step(None)
    assert not env.agents and not env.infos


def test_state() -> None:
    env = adapter.env("classic", 4)
    env.reset(seed=1)
    layout = env.features
    rng = np.random.default_rng(1)
    for _ in range(30):
        hands = env.state()
        assert env.state_space.contains(hands)
        for seat, agent in enumerate(env.possible_agents):
            assert (hands[seat] == env.observe(agent)["observation"][layout.fields["hand"]]).all()
        if is_live(env):
            env.step(pick(observe(env)["action_mask"], rng))
    hands[:] = 0
    assert env.state().any()


def test_calls_as_decisions() -> None:
    """A seat with one card is asked before the table goes on (CO-10), and may be caught."""
    env = adapter.env("classic", 4, calls="decisions")
    names = env.features.action_space.names
    asked, rng = Counter[str](), np.random.default_rng(0)
    for seed in range(5):
        env.reset(seed=seed)
        for _ in env.agent_iter():
            seen, _, ended, cut, _ = env.last()
            assert seen is not None
            legal = [names[i] for i in np.flatnonzero(seen["action_mask"])]
            asked.update(name.split(">")[0] for name in legal if env.batch.is_reaction[0])
            env.step(None if ended or cut else pick(seen["action_mask"], rng))
    assert asked["uno"] and asked["catch"] and asked["wait"] >= max(asked["uno"], asked["catch"])
    assert "uno" not in adapter.env("classic", 4).features.action_space.names


# --- wrong use ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({"rules": "mau-mau"}, "all-wild, classic, wild-jackpot"),
        ({"players": 11}, "2 to 10 players"),
        ({"players": 1}, "2 to 10 players"),
        ({"players": 2.0}, "a whole number, not 2.0"),
        ({"players": "2", "max_cycles": 3}, "a whole number, not '2'"),
        ({"reward": "fun"}, "win, points, rank"),
        ({"episode": "season"}, "round, match"),
        ({"calls": "never"}, "automatic, decisions"),
        ({"dtype": "float64"}, "uint8, float32"),
        ({"render_mode": "film"}, "human, ansi, rgb_array"),
        ({"max_cycles": 0}, "from 1 on"),
        ({"max_cycles": 2.5}, "from 1 on"),
        ({"max_cycles": True}, "from 1 on"),
    ],
)
def test_invalid_config(arguments: dict[str, Any], says: str) -> None:
    with pytest.raises((UsageError, RulesError), match=says):
        adapter.env(**arguments)


def test_before_reset() -> None:
    env = adapter.env("classic")
    for early in (lambda: env.step(0), env.last, env.render, env.state, env.record, lambda: env.observe("seat_0")):
        with pytest.raises(UsageError, match="reset"):
            early()
    for name in ("agents", "num_agents", "agent_selection", "infos"):
        assert not hasattr(env, name)
    with pytest.raises(UsageError, match="reset"):
        next(iter(env.agent_iter()))
    with pytest.raises(AttributeError, match="nonsense"):
        _ = env.nonsense


def test_invalid_actions() -> None:
    env = adapter.env("classic", 2)
    env.reset(seed=1)
    before = env.last()
    mask, names = observe(env)["action_mask"], env.features.action_space.names
    illegal, legal = int(mask.argmin()), int(mask.argmax())
    wrong: tuple[Any, ...] = (illegal, -1, len(mask), 10**30, None, 0.5, "R5", np.zeros(2))
    for action in wrong:
        with pytest.raises(UsageError, match=r"may do|number of an action"):
            env.step(action)
    with pytest.raises(UsageError) as caught:
        env.step(illegal)
    assert names[illegal] in str(caught.value)
    assert all(names[i] in str(caught.value) for i in np.flatnonzero(mask))
    np.testing.assert_equal(env.last(), before)
    with pytest.raises(UsageError, match="seat_0, seat_1"):
        env.observe("seat_2")
    env.step(cast(int, np.int32(legal)))


def test_after_the_end() -> None:
    env = adapter.env("all-wild", 2)
    env.reset(seed=1)
    rng = np.random.default_rng(1)
    while is_live(env):
        env.step(pick(observe(env)["action_mask"], rng))
    with pytest.raises(UsageError, match="seat_0 steps with None"):
        env.step(0)
    env.step(None)
    env.step(None)
    for late in (env.last, lambda: env.step(None), lambda: env.step(0)):
        with pytest.raises(UsageError, match=r"reset\(\) begins the next"):
            late()
    with pytest.raises(UsageError, match="render_mode"):
        env.render()
    env.reset()
    assert env.agents == env.possible_agents and observe(env)["action_mask"].any()


def test_after_close() -> None:
    env = adapter.env("classic", 3, render_mode="ansi")
    env.reset(seed=1)
    agent = env.agent_selection
    env.close()
    env.close()
    calls: list[Callable[[], Any]] = [
        env.reset, env.last, env.state, env.record, env.render, lambda: env.step(0), lambda: env.step(None),
        lambda: env.observe(agent),
    ]  # fmt: skip
    for call in calls:
        with pytest.raises(UsageError, match="closed: make another one"):
            call()


def test_the_environment_needs_pettingzoo(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pettingzoo", None)
    spec = importlib.util.spec_from_file_location("bare", Path(adapter.__file__))
    assert spec is not None and spec.loader is not None
    with pytest.raises(UsageError, match=r"install lastcard\[envs\]"):
        spec.loader.exec_module(importlib.util.module_from_spec(spec))
