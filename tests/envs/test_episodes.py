"""Episodes of the PettingZoo environment: their chance, copies of them, and their records."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from lastcard.errors import UsageError
from support.agents import configs_with_calls, is_live, observe, pick, play_episode, replay_record

pytest.importorskip("pettingzoo")
from lastcard.envs import pettingzoo as adapter

# --- chance, copies -------------------------------------------------------------------------------


def test_seeds() -> None:
    one, other = adapter.env("classic", 4), adapter.env("classic", 4)

    def deals(env: Any, *seeds: Any) -> list[bytes]:
        found = []
        for seed in seeds:
            env.reset(seed=seed)
            found.append(env.state().tobytes())
        return found

    assert deals(one, 7, None, None, 7) == deals(other, 7, None, None, 7)
    first, second, third, again = deals(one, 7, None, None, 7)
    assert first == again and len({first, second, third, *deals(other, 8, None)}) == 5
    assert deals(adapter.env("classic", 4), None) != deals(adapter.env("classic", 4), None)
    assert deals(one, 7) == deals(one, np.int64(7))


def test_the_first_dealer_is_drawn() -> None:
    env = adapter.env("classic", 3)
    firsts = set()
    for seed in range(20):
        env.reset(seed=seed)
        firsts.add(env.batch.get_deal(0)[1])
    assert firsts == {0, 1, 2}


@pytest.mark.parametrize("make", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_copies_are_independent(make: Callable[[Any], Any]) -> None:
    env = adapter.env("wild-jackpot", 3, calls="decisions")
    make(env).reset(seed=1)
    env.reset(seed=4)
    play_episode(env, 4, 25)
    copied, third = make(env), make(env)
    play_episode(third, 5)
    before = env.record()
    assert copied.record() == before
    assert play_episode(env, 6) == play_episode(copied, 6)
    assert env.record() == copied.record() != before
    env.reset()
    copied.reset()
    np.testing.assert_equal(env.last(), copied.last())


def test_environments_are_independent() -> None:
    alone = adapter.env("classic", 4)
    alone.reset(seed=1)
    play_episode(alone, 1)
    envs = [adapter.env("classic", 4) for _ in range(2)]
    rngs = [np.random.default_rng(1) for _ in envs]
    for env in envs:
        env.reset(seed=1)
    while is_live(envs[1]):
        for env, rng in zip(envs, rngs, strict=True):
            env.step(pick(observe(env)["action_mask"], rng))
    assert envs[0].record() == envs[1].record() == alone.record()


# --- records --------------------------------------------------------------------------------------

RECORDED = [
    *((*config, "round") for config in configs_with_calls(0)),
    ("classic+winning_score=100", 3, "decisions", "match"),
    ("classic+winning_score=100+next_dealer=loser+first_dealer=random", 4, "automatic", "match"),
    ("classic+winning_score=100+next_dealer=winner+harsh", 2, "automatic", "match"),
    ("classic+winning_score=100+scoring=tally", 3, "automatic", "match"),
    ("classic+living-room+first_dealer=host", 4, "automatic", "round"),
    ("classic+team_play+winning_score=100", 4, "automatic", "match"),
    ("all-wild+stacking=cross+jump_in", 4, "automatic", "match"),
    ("wild-jackpot+winning_score=100+wj_number_distribution=0-9_random", 4, "automatic", "match"),
    ("wild-jackpot+wj_rules=social_only+first_dealer=seat_0", 3, "automatic", "round"),
]


@pytest.mark.parametrize(("rules", "players", "calls", "episode"), RECORDED)
def test_an_episode_is_a_match_record(rules: str, players: int, calls: str, episode: str) -> None:
    """The episode is a true record, of exactly these hands and scores."""
    env = adapter.env(rules, players, calls=calls, episode=episode, reward="points")
    for seed in range(2):
        env.reset(seed=seed)
        play_episode(env, seed, 15)
        replay_record(env.record())
    given = play_episode(env, 100)
    match = replay_record(env.record())
    kinds = env.features.cards
    hands = [[match.round.hand(seat).count(card) for card in kinds] for seat in range(players)]
    assert hands == env.state().tolist()
    if not env.batch.truncated[0]:
        assert match.round.over and (match.over or episode == "round")
        good = -1 if "tally" in rules else 1  # a tally counts against a seat (CL-52)
        assert [given[name] for name in env.possible_agents] == [good * score for score in match.scores]


def test_an_impossible_record_is_refused() -> None:
    env = adapter.env("classic+next_dealer=redraw", 2, episode="match")
    env.reset()
    with pytest.raises(UsageError, match="redraw"):
        env.record()
    env = adapter.env("classic+next_dealer=redraw", 2)
    env.reset(seed=1)
    play_episode(env, 1)
    replay_record(env.record())
