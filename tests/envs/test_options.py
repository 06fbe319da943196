"""Options of all environments: policies as opponents, other decks and hands, open hands, hidden cards in batches."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

from lastcard import envs
from lastcard.envs import pettingzoo, rlcard
from lastcard.envs.batch import Batch, EnvConfig
from lastcard.envs.batch_policies import NetworkPolicy, PolicyPool, load_policy
from lastcard.envs.features import features
from lastcard.errors import NotationError, UsageError
from lastcard.game.rulesets import GAMES, possible_deck

COUNT: Final = 6


def wrong(value: object) -> Any:
    """A value that a type checker would refuse."""
    return value


def first(observations: Any, masks: Any) -> Any:
    """A policy: the first legal action."""
    return masks.argmax(axis=1)


def last(observations: Any, masks: Any) -> Any:
    """Another policy: the last legal action."""
    return masks.shape[1] - 1 - masks[:, ::-1].argmax(axis=1)


class First:
    """The first legal action, as a bot with a view."""

    def choose(self, view: Any) -> Any:
        layout = features(view.rules, view.players)
        return layout.action_space.decode(int(layout.action_mask(view).argmax()), view.seat, view.players)

    def react(self, view: Any) -> None:
        return None


# --- policies as opponents -------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", list(AutoresetMode), ids=lambda mode: mode.value)
@pytest.mark.parametrize("others", [(), ("sharp",)])
def test_a_policy_plays_as_the_same_bot_with_views(mode: AutoresetMode, others: tuple[str, ...]) -> None:
    """Through the ends of episodes, in every mode, alone and beside another bot."""
    pair = [
        envs.vector("wild-jackpot", 3, COUNT, bots=wrong((bot, *others)), seed=3, autoreset_mode=mode, max_steps=60)
        for bot in (first, First)
    ]
    seen = [env.reset(seed=5) for env in pair]
    rng, ends = np.random.default_rng(1), 0
    for _ in range(120):
        masks = [infos["action_mask"] for _, infos in seen]
        assert (seen[0][0] == seen[1][0]).all() and (masks[0] == masks[1]).all()
        actions = np.array([rng.choice(np.flatnonzero(mask)) if mask.any() else 0 for mask in masks[0]])
        stepped = [env.step(actions) for env in pair]
        assert all((one == other).all() for one, other in zip(stepped[0][1:4], stepped[1][1:4], strict=True))
        over = stepped[0][2] | stepped[0][3]
        ends += int(over.sum())
        seen = [(each[0], each[4]) for each in stepped]
        if mode is AutoresetMode.DISABLED and over.any():
            seen = [env.reset(options={"reset_mask": over}) for env in pair]
    assert ends > COUNT


def test_a_pool_changes_between_episodes_and_may_grow() -> None:
    asked: list[tuple[str, int]] = []

    def named(name: str, policy: Any) -> Any:
        def choose(observations: Any, masks: Any) -> Any:
            asked.append((name, len(masks)))
            return policy(observations, masks)

        return choose

    pool = PolicyPool([named("first", first)])
    env = envs.vector("all-wild", n=COUNT, bots=(pool,), seed=2)
    env.reset()
    for _ in range(20):
        env.step(env.sample())
    assert {name for name, _ in asked} == {"first"}
    pool.policies.append(named("last", last))
    env.reset()
    drawn = env._policy_seats[1]._drawn.copy()
    changed = np.zeros(COUNT, bool)
    for _ in range(200):
        _, _, ended, cut, _ = env.step(env.sample())
        now = env._policy_seats[1]._drawn
        assert (now == drawn)[~(ended | cut)].all()
        changed |= now != drawn
        drawn = now.copy()
    assert changed.all() and {name for name, _ in asked} == {"first", "last"}


def test_the_same_seed_draws_the_same_policies() -> None:
    runs = []
    for seed in (4, 4, 5):
        env = envs.vector(n=64, bots=(PolicyPool([first, last]),))
        env.reset(seed=seed)
        runs.append(env._policy_seats[1]._drawn.tolist())
    assert runs[0] == runs[1] != runs[2]


def test_what_is_no_policy_is_refused() -> None:
    with pytest.raises(UsageError, match="a pool has one policy or more"):
        PolicyPool([])
    with pytest.raises(UsageError, match="makes no bot without arguments but its seed"):
        envs.vector(bots=(wrong(lambda one, two, three: one),))
    env = envs.vector(n=16, bots=(lambda observations, masks: np.full(len(masks), 10_000),), seed=1)
    with pytest.raises(UsageError, match="action 10000 is not legal for seat 1"):
        env.reset()  # at some tables the learner deals, and the other seat begins


def make_network(rules: str = "classic", players: int = 2) -> NetworkPolicy:
    """A network with random weights."""
    layout, rng = features(rules, players), np.random.default_rng(1)
    sizes = (layout.size, 7, len(layout.action_space))
    layers = [(rng.normal(size=(b, a)), rng.normal(size=b)) for a, b in pairwise(sizes)]
    return NetworkPolicy(rules, players, layers)


def test_a_saved_network_plays_the_same(tmp_path: Path) -> None:
    network = make_network(str(EnvConfig("all-wild", 3).ruleset), 3)
    network.save(tmp_path / "policy.npz")
    loaded = load_policy(tmp_path / "policy.npz")
    env = envs.vector("all-wild", 3, 32, bots=(loaded,), seed=1)
    observations, infos = env.reset()
    for _ in range(30):
        actions = network(observations, infos["action_mask"])
        assert (actions == loaded(observations, infos["action_mask"])).all()
        assert (infos["action_mask"][range(32), actions] == 1).all()
        observations, *_, infos = env.step(actions)
    with pytest.raises(UsageError, match=r"the policy has 28 actions of all-wild.*, not 39"):
        envs.vector("all-wild", 3, 2, bots=(loaded,), seed=1, calls="decisions").reset()


def test_a_file_that_is_no_policy_is_refused(tmp_path: Path) -> None:
    for name, content in (("missing.npz", None), ("text.npz", b"no policy"), ("empty.npz", b"")):
        if content is not None:
            (tmp_path / name).write_bytes(content)
        with pytest.raises(UsageError, match=f"{name} is not a policy that NetworkPolicy.save has written"):
            load_policy(tmp_path / name)
    np.savez(tmp_path / "other.npz", rules="classic", players=2)
    with pytest.raises(UsageError, match="classic has 81 actions, not"):
        load_policy(tmp_path / "other.npz")
    with pytest.raises(UsageError, match=r"a layer of \d+ inputs has weights of shape"):
        NetworkPolicy("classic", 2, [(np.zeros((3, 4)), np.zeros(3))])


# --- decks, hands, hidden cards --------------------------------------------------------------------------

SMALL: Final[list[tuple[str, int, dict[str, Any]]]] = [
    ("classic", 2, {"deck": "R1 R2 B1 B2 W", "hand_size": 2}),
    ("classic", 3, {"deck": "R1*2 B1 W+4*2", "hand_size": 1}),
    ("all-wild", 2, {"deck": "W*3 Ws W+2 Wx", "hand_size": 2}),
    ("wild-jackpot", 4, {"hand_size": 2}),
]


@pytest.mark.parametrize(("rules", "players", "settings"), SMALL)
def test_every_environment_plays_small_games(rules: str, players: int, settings: dict[str, Any]) -> None:
    config = EnvConfig(rules, players, max_steps=50, **settings)
    deck = sorted(config.build_deck(bytes(32)))
    tables = Batch(config, 16, seed=1)
    tables.reset()
    held = tables.observations[:, tables.features.fields["cards+1"]][:, 0]
    assert (held <= config.dealt_cards + 4).all() and config.has_own_deal
    for _ in range(100):
        tables.step(tables.sample())
        for i in range(3):
            hands, hidden = tables.hands(i), tables.hidden_cards()[i]
            discards = tables.state(i)["discard"][: tables.state(i)["discard_n"]]
            counted = np.bincount(tables.features.kinds[discards], minlength=hands.shape[1])
            total = hands.sum(0) + hidden[-1] + counted
            assert (total == np.bincount(tables.features.kinds[deck], minlength=hands.shape[1])).all()
    vector = envs.vector(rules, players, 8, bots=("sharp", first)[: players - 1], seed=1, max_steps=50, **settings)
    vector.reset()
    for _ in range(50):
        vector.step(vector.sample())
    table = pettingzoo.env(rules, players, **settings)
    table.reset(seed=1)
    assert table.state().sum(1).max() <= config.dealt_cards + 4
    with pytest.raises(UsageError, match="an episode with others has no record"):
        table.record()
    cards = rlcard.make(rules, players, seed=1, **settings).reset()[0]["raw_obs"]["num_cards"]
    assert min(cards) <= config.dealt_cards


@pytest.mark.parametrize(
    ("settings", "error", "says"),
    [
        ({"deck": "R1 R2"}, UsageError, "2 hands of 7 need a deck of 15 to 128 cards, not 2"),
        ({"deck": "R1*30 Wx"}, UsageError, "classic has no Wx; it has "),
        ({"deck": "R1*30 nonsense"}, NotationError, "nonsense"),
        ({"hand_size": 64}, UsageError, "hand_size is 63 at most"),
        ({"hand_size": -1}, UsageError, "hand_size is a whole number from 0 on, not -1"),
    ],
)
def test_a_deck_that_cannot_be_dealt_is_refused(settings: dict[str, Any], error: type, says: str) -> None:
    with pytest.raises(error, match=says):
        EnvConfig("classic", **settings)


def test_bots_with_views_need_the_deck_of_the_rules() -> None:
    with pytest.raises(UsageError, match="with others, random, heuristic, sharp, trained and policies do"):
        envs.vector("classic", bots=("casual",), hand_size=3)


@pytest.mark.parametrize("rules", GAMES)
def test_hidden_cards_are_those_of_the_other_seats_and_the_pile(rules: str) -> None:
    tables = envs.batch(rules, 3, 8, seed=2)
    tables.reset()
    for _ in range(60):
        tables.step(tables.sample())
        hidden = tables.hidden_cards()
        for i, seat in enumerate(tables.current_player.tolist()):
            hands = tables.hands(i)
            assert [hidden[i, k].tolist() for k in (0, 1)] == [hands[(seat + k) % 3].tolist() for k in (1, 2)]
            assert hidden[i, 2].sum() == tables.public_state(i).draw_count


@pytest.mark.parametrize("rules", [*GAMES, "classic+seven_zero"])
@pytest.mark.parametrize("dtype", ["uint8", "float32"])
def test_open_hands_are_in_the_fields_known_and_nothing_else_changes(rules: str, dtype: str) -> None:
    closed, opened = (envs.batch(rules, 3, 8, seed=2, dtype=dtype, open_hands=shown) for shown in (False, True))
    for tables in (closed, opened):
        tables.reset()
    fields = opened.features.fields
    known = [fields["known+1"], fields["known+2"]]
    for _ in range(200):
        hidden = opened.hidden_cards()
        for k, field in enumerate(known):
            assert (opened.observations[:, field] == hidden[:, k]).all()
        rest = np.ones(opened.features.size, bool)
        for field in known:
            rest[field] = False
        assert (opened.observations[:, rest] == closed.observations[:, rest]).all()
        opened.step(opened.sample())
        closed.step(closed.sample())
        final = np.flatnonzero(opened.terminated)
        assert (opened.final_observations[final][:, rest] == closed.final_observations[final][:, rest]).all()
    row = np.zeros_like(opened.observations[0])
    opened.observe(0, 2, row)
    assert (row[known[0]] == opened.hands(0)[0]).all() and (row[known[1]] == opened.hands(0)[1]).all()


def test_pettingzoo_and_rlcard_show_open_hands() -> None:
    table = pettingzoo.env("classic", 3, open_hands=True)
    table.reset(seed=1)
    for seat, agent in enumerate(table.agents):
        row = table.observe(agent)["observation"]
        assert (row[table.features.fields["known+1"]] == table.state()[(seat + 1) % 3]).all()
    env = rlcard.make("classic", 2, seed=1, open_hands=True)
    state, player = env.reset()
    layout = env.game.batch.features
    assert state["obs"][layout.fields["known+1"]].sum() == state["raw_obs"]["num_cards"][1 - player]


def test_the_deck_of_the_rules_is_whole() -> None:
    config = EnvConfig("classic")
    assert config.build_deck(bytes(32)) == possible_deck(config.ruleset) and not config.has_own_deal
