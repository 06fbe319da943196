"""The RLCard environment: its interface, its errors, and its own agents at our tables."""

from __future__ import annotations

import importlib
import re
import sys
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest

pytest.importorskip("rlcard")

import rlcard
from rlcard.utils import reorganize, tournament

from lastcard.envs import rlcard as adapter
from lastcard.envs.mirror import MirrorRounds
from lastcard.errors import RulesError, UsageError
from lastcard.game.rulesets import GAMES
from support.agents import ALL_CONFIGS

PAGE = Path(__file__).parents[2] / "docs" / "envs" / "rlcard.md"
HOUSE_RULES = "classic+stacking=cross+jump_in+seven_zero"
AGENTS = pytest.mark.filterwarnings("ignore:.*distutils:DeprecationWarning")
"""RLCard's agents import it."""


def pick(state: Any, rng: np.random.Generator) -> int:
    """A legal action, drawn uniformly."""
    return int(rng.choice(list(state["legal_actions"])))


def play(env: Any, seed: int, max_moves: int = 10_000) -> list[int]:
    """Play a game, or ``max_moves`` of it, at random; returns the actions."""
    rng, done = np.random.default_rng(seed), list[int]()
    state, _ = env.reset()
    while not env.is_over() and len(done) < max_moves:
        done.append(pick(state, rng))
        state, _ = env.step(done[-1])
    return done


def same(one: Any, other: Any) -> bool:
    return bool((one["obs"] == other["obs"]).all()) and all(one[key] == other[key] for key in one if key != "obs")


# --- states -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("rules", "players"), [*ALL_CONFIGS, (HOUSE_RULES, 4)])
def test_observations_equal_the_view(rules: str, players: int) -> None:
    env = adapter.make(rules, players, seed=players)
    layout, rng = env.game.batch.features, np.random.default_rng(players)
    for steps in (80 if players < 10 else 40, 20):
        state, player = env.reset()
        mirrored = MirrorRounds(env.game.batch).round(0)
        for _ in range(steps):
            reacts = bool(env.game.batch.is_reaction[0])
            for other in range(players):
                seen, view = env.get_state(other), mirrored.view(other)
                asked = reacts and other == player
                assert seen["obs"].dtype == np.float32 and seen["obs"].shape == (layout.size,)
                assert (seen["obs"] == layout.observe(view, is_reaction=asked)).all(), (rules, other)
                assert len(seen["raw_obs"]["hand"]) == len(view.hand or ())
                assert seen["raw_obs"]["num_cards"] == list(view.counts)
                assert bool(seen["legal_actions"]) == (other == player and not env.is_over())
            if env.is_over():
                break
            assert same(state, env.get_state(player))
            number = pick(state, rng)
            move = env.game.batch.action_space.decode(number, player, players)
            if move is not None:
                mirrored.do(player, move)
            state, player = env.step(number)
        assert mirrored.over == env.is_over()


@pytest.mark.parametrize("rules", [*GAMES, HOUSE_RULES, "wild-jackpot+seven_zero"])
def test_words_and_numbers_have_the_same_order(rules: str) -> None:
    env, rng = adapter.make(rules, 3, calls="decisions", seed=5), np.random.default_rng(5)
    for _ in range(4):
        state, player = env.reset()
        for _ in range(300):
            words, numbers = state["raw_legal_actions"], list(state["legal_actions"])
            assert words == state["raw_obs"]["legal_actions"] and len(set(words)) == len(words) == len(numbers)
            assert all(word == "draw" or len(word.split("-")) == 2 for word in words)
            assert numbers == sorted(numbers) == np.flatnonzero(env.game.batch.action_mask[0]).tolist()
            if env.is_over():
                break
            which = int(rng.integers(len(words)))
            assert (state["raw_obs"]["current_player"], state["raw_obs"]["player"]) == (player, player)
            state, player = env.step(words[which], raw_action=True) if which % 2 else env.step(numbers[which])


def test_classic_in_rlcards_notation() -> None:
    from rlcard.games.uno.utils import ACTION_LIST, init_deck

    env = adapter.make("classic", 2, seed=3)
    ours = set(env.game._action_names)
    assert ours >= set(ACTION_LIST)
    assert {word for word in ours - set(ACTION_LIST) if word[0] != "x"} == {f"{c}-color" for c in "rygb"}
    assert {card.str for card in init_deck() if "wild" not in card.str} < ours
    names = dict(zip(env.game.batch.action_space.names, env.game._action_names, strict=True))
    assert [names[name] for name in ("R5", "Gs", "Br", "Y+2", "W=Y", "W+4=R", "draw")] == [
        "r-5", "g-skip", "b-reverse", "y-draw_2", "y-wild", "r-wild_draw_4", "draw",
    ]  # fmt: skip
    assert [names[name] for name in ("pass", "challenge", "accept")] == ["x-pass", "x-challenge", "x-accept"]


def test_the_target_of_a_wild_is_the_color_in_force() -> None:
    env, rng, seen = adapter.make("classic", 2, seed=4), np.random.default_rng(4), set()
    for _ in range(15):
        state, _ = env.reset()
        while not env.is_over():
            action = env.game.parse_action(pick(state, rng))
            state, _ = env.step(action, raw_action=True)
            raw = state["raw_obs"]
            if "-wild" in action and not env.is_over():
                assert raw["target"] == raw["played_cards"][-1] == action
                seen.add(action)
            elif action.split("-")[-1].isdigit():
                assert raw["target"] == raw["played_cards"][-1] == action
        if len(seen) == 8:
            break
    assert len(seen) == 8


@pytest.mark.parametrize("rules", GAMES)
def test_all_hands_open(rules: str) -> None:
    env = adapter.make(rules, 4, seed=6)
    play(env, 6, 20)
    shown = env.get_perfect_information()
    own = [env.get_state(player)["raw_obs"] for player in range(4)]
    assert shown["hand_cards"] == [raw["hand"] for raw in own]
    for name in ("num_players", "played_cards", "target", "current_player"):
        assert shown[name] == own[env.get_player_id()][name]
    assert shown["legal_actions"] == own[env.get_player_id()]["legal_actions"] != []


# --- games ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("rules", "players"), ALL_CONFIGS)
def test_games_end_and_pay(rules: str, players: int) -> None:
    env = adapter.make(rules, players, seed=players)
    assert (env.num_players, env.num_actions) == (players, len(env.game.batch.action_space))
    assert env.state_shape == [[env.game.batch.features.size]] * players and env.action_shape == [None] * players
    winners = set()
    for seed in range(4):
        env.timestep = 0
        actions = play(env, seed)
        assert env.is_over() and env.timestep == len(actions) == len(env.action_recorder)
        payoffs = env.get_payoffs()
        assert payoffs.shape == (players,) and payoffs.max() == 1
        assert payoffs == pytest.approx(np.where(payoffs == 1, 1, -1 / (players - 1)))
        empty = [player for player in range(players) if not env.get_state(player)["raw_obs"]["hand"]]
        assert empty == [payoffs.argmax()] or rules != "classic"
        winners.add(int(payoffs.argmax()))
        env.reset()
        assert env.action_recorder == [] and not env.get_payoffs().any() and not env.is_over()
    assert len(winners) > 1


def test_other_payoffs() -> None:
    points, rank = adapter.make(players=3, reward="points", seed=1), adapter.make(players=3, reward="rank", seed=1)
    play(points, 1)
    play(rank, 1)
    assert points.get_payoffs().max() > 1 and sorted(rank.get_payoffs()) == [-1, 0, 1]
    match = adapter.make("classic+winning_score=100", reward="points", episode="match", seed=2)
    play(match, 2, 10**6)
    assert match.get_payoffs().max() >= 100
    short = adapter.make(max_steps=7, seed=1)
    assert len(play(short, 1)) == 7 and short.is_over() and not short.get_payoffs().any()


def test_calls_as_decisions() -> None:
    env, rng, actions = adapter.make(calls="decisions", seed=8), np.random.default_rng(8), set()
    for _ in range(10):
        play(env, int(rng.integers(1000)))
        actions |= {action for _, action in env.action_recorder}
        if actions >= {"x-uno", "x-catch>+1", "x-wait"}:
            return
    pytest.fail(f"no calls: {actions}")


def test_seeds() -> None:
    def deals(env: Any, *seeds: int | None) -> list[str]:
        found = []
        for seed in seeds:
            if seed is not None:
                assert env.seed(seed) == seed
            env.reset()
            found.append(str(env.get_perfect_information()))
        return found

    one = adapter.make(seed=7)
    assert deals(one, None, None) == deals(adapter.make(seed=cast(int, np.int64(7))), None, None) == deals(one, 7, None)
    assert len(set(deals(one, 7, None, 8, None))) == 4
    assert deals(adapter.make(), None) != deals(adapter.make(), None)
    assert isinstance(one.seed(), int)


@pytest.mark.parametrize("rules", GAMES)
def test_moves_can_be_undone(rules: str) -> None:
    env = adapter.make(rules, 3, allow_step_back=True, seed=9)
    rng = np.random.default_rng(9)
    state, player = env.reset()
    assert env.step_back() is False
    before, actions = [(state, player)], []
    while not env.is_over():
        actions.append(pick(state, rng))
        state, player = env.step(actions[-1])
        before.append((state, player))
    payoffs = env.get_payoffs()
    for at in range(len(actions) - 1, -1, -1):
        state, player = env.step_back()
        assert player == before[at][1] and len(env.action_recorder) == at and not env.is_over()
        assert same({**state, "action_record": 0}, {**before[at][0], "action_record": 0})
    for action, (later, who) in zip(actions, before[1:], strict=True):  # chance repeats itself
        state, player = env.step(action)
        assert player == who and same({**state, "action_record": 0}, {**later, "action_record": 0})
    assert (env.get_payoffs() == payoffs).all()
    with pytest.raises(UsageError, match="allow_step_back=True"):
        adapter.make().step_back()


# --- errors -----------------------------------------------------------------------------------------


def test_illegal_moves_are_refused_and_change_nothing() -> None:
    env = adapter.make("classic", 2, seed=1)
    for early in (lambda: env.step(0), lambda: env.get_state(0), env.get_perfect_information):
        with pytest.raises(UsageError, match=r"reset\(\) deals"):
            early()
    assert env.is_over()
    state, player = env.reset()
    illegal = next(k for k in range(env.num_actions) if k not in state["legal_actions"])
    legal = next(iter(state["legal_actions"]))
    for action, raw in ((illegal, False), (-1, False), (999, False), ("x-accept", True), ("q-5", True)):
        with pytest.raises(UsageError, match=f"player {player}, who may do {legal} "):
            env.step(action, raw_action=raw)
    wrong: list[tuple[Any, bool]] = [(legal, True), (state["raw_legal_actions"][0], False), (None, True)]
    for action, raw in wrong:
        with pytest.raises(UsageError, match="a number, or a word with raw_action=True"):
            env.step(action, raw_action=raw)
    with pytest.raises(UsageError, match="a player is a whole number from 0 to 1, not 2"):
        env.get_state(2)
    assert same(state, env.get_state(player)) and env.timestep == 0 and env.action_recorder == []
    play(env, 1)
    with pytest.raises(UsageError, match="no game is going on"):
        env.step(legal)
    env.reset()
    env.seed(2)
    with pytest.raises(UsageError, match=r"reset\(\) deals the next"):
        env.step(legal)


def test_wrong_settings_are_refused() -> None:
    seeds: tuple[Any, ...] = (-1, "1", 1.5)
    for seed in seeds:
        with pytest.raises(UsageError, match="a seed is a whole number from 0 on"):
            adapter.make(seed=seed)
    wrongs: tuple[dict[str, Any], ...] = (
        {"rules": "bridge"}, {"players": 11}, {"players": 2.0}, {"players": "2"}, {"reward": "fame"}, {"max_steps": 0}
    )  # fmt: skip
    for wrong in wrongs:
        with pytest.raises((RulesError, UsageError)):
            adapter.make(**wrong)
    with pytest.raises(UsageError, match="'num_players' is not a setting of lastcard-classic; there are game_rules"):
        rlcard.make("lastcard-classic", {"num_players": 3})
    with pytest.raises(UsageError, match="rules of classic, not all-wild"):
        rlcard.make("lastcard-classic", {"game_rules": "all-wild"})


def test_without_rlcard(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.split(".")[0] == "rlcard" or name.startswith(adapter.__name__)]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "rlcard", None)
    with pytest.raises(UsageError, match=r"install lastcard\[envs\], or pip install rlcard"):
        importlib.import_module(adapter.__name__)


# --- RLCard's own agents ----------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
def test_rlcard_makes_it_by_name(game: str) -> None:
    env = rlcard.make(f"lastcard-{game}", {"seed": 4, "game_num_players": 3, "allow_step_back": True})
    assert isinstance(env, rlcard.envs.Env) and env.name == f"lastcard-{game}"
    assert (env.num_players, env.allow_step_back) == (3, True)
    own = adapter.make(game, 3, seed=4)
    assert play(env, 1) == play(own, 1) and (env.get_payoffs() == own.get_payoffs()).all()
    settings = {"game_rules": f"{game}+hand_size=5", "game_reward": "points", "game_episode": "match"}
    env = rlcard.make(f"lastcard-{game}", settings)
    assert env.reset()[0]["raw_obs"]["num_cards"] in ([5, 5], [5, 7], [7, 5])
    assert env.get_action_feature(2).tolist() == [0, 0, 1] + [0] * (env.num_actions - 3)


@AGENTS
@pytest.mark.parametrize(("rules", "players"), ALL_CONFIGS)
def test_random_agents(rules: str, players: int) -> None:
    from rlcard.agents import RandomAgent

    np.random.seed(players)
    env = adapter.make(rules, players, max_steps=400, seed=players)
    env.set_agents([RandomAgent(env.num_actions)] * players)
    trajectories, payoffs = env.run(is_training=True)
    for player, steps in enumerate(reorganize(trajectories, payoffs)):
        assert [step[4] for step in steps] == [False] * (len(steps) - 1) + [True] * bool(steps)
        assert all(step[2] == 0 for step in steps[:-1]) and (not steps or steps[-1][2] == payoffs[player])
        assert all(step[1] in step[0]["legal_actions"] for step in steps)
        assert not steps or list(steps[-1][3]["legal_actions"]) == []
    assert sum(tournament(env, 3)) == pytest.approx(0, abs=1e-6)


@AGENTS
@pytest.mark.parametrize("rules", GAMES)
def test_the_rule_agent_runs_unchanged(rules: str) -> None:
    from rlcard.models.uno_rule_models import UNORuleAgentV1

    np.random.seed(3)
    env = adapter.make(rules, max_steps=400, seed=3)
    env.set_agents([UNORuleAgentV1()] * 2)
    for _ in range(2):
        trajectories, payoffs = env.run()
        assert sum(payoffs) == 0 and all(isinstance(action, str) for action in trajectories[0][1::2])


@AGENTS
def test_the_rule_agent_is_as_strong_as_at_rlcards_own_table() -> None:
    """There it wins 54.6 % of 20,000 games against random (benchmarks/rlcard_matches.py)."""
    from rlcard.agents import RandomAgent
    from rlcard.models.uno_rule_models import UNORuleAgentV1

    np.random.seed(11)
    env = adapter.make(adapter.NEAREST_RULES, seed=11)
    env.set_agents([UNORuleAgentV1(), RandomAgent(env.num_actions)])
    assert 0.0 < tournament(env, 400)[0] < 0.2


@AGENTS
def test_the_page_is_true() -> None:
    blocks = re.findall(r"^```py\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    assert len(blocks) == 3
    np.random.seed(1)
    for block in blocks:
        exec(compile(block, PAGE.name, "exec"), {"__name__": "page"})


@AGENTS
@pytest.mark.parametrize("kind", ["DQNAgent", "NFSPAgent"])
def test_learning_agents_run_unchanged(kind: str) -> None:
    torch = pytest.importorskip("torch")
    import rlcard.agents as agents

    torch.manual_seed(1)
    np.random.seed(1)
    env = adapter.make("classic+voluntary_draw=only_if_no_playable", seed=1)
    shape = {"num_actions": env.num_actions, "state_shape": env.state_shape[0], "device": torch.device("cpu")}
    if kind == "DQNAgent":
        learner = agents.DQNAgent(**shape, mlp_layers=[16], replay_memory_init_size=50)
    else:
        learner = agents.NFSPAgent(
            **shape, hidden_layers_sizes=[16], q_mlp_layers=[16], anticipatory_param=0.5, batch_size=32,
            min_buffer_size_to_learn=32, train_every=8,
        )  # fmt: skip
    env.set_agents([learner, agents.RandomAgent(env.num_actions)])
    net = learner.q_estimator.qnet if kind == "DQNAgent" else learner.policy_network
    before = [part.clone() for part in net.parameters()]
    for _ in range(8):
        if kind == "NFSPAgent":
            learner.sample_episode_policy()
        for step in reorganize(*env.run(is_training=True))[0]:
            learner.feed(step)
    assert any((one != other).any() for one, other in zip(before, net.parameters(), strict=True))
    assert sum(tournament(env, 3)) == 0
