"""The vector environment in the three autoreset modes, compared with Gymnasium's own, and under its wrappers."""

from __future__ import annotations

import copy
import importlib
import pickle
import re
from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, Final

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from gymnasium.wrappers import vector as wrappers

from lastcard import envs
from lastcard.envs.gymnasium import BatchVectorEnv
from lastcard.errors import UsageError

MODES: Final = list(AutoresetMode)
BATCH_ROUNDS: Final = 4
MIN_EPISODES: Final = 16
"""Episodes, which must end within ``STEPS`` steps."""
STEPS: Final = 250
SETTINGS: Final[dict[str, dict[str, Any]]] = {
    "compiled bots": {"rules": "classic", "players": 3, "bots": ("sharp", "random")},
    "bots with views": {"rules": "all-wild", "players": 3, "bots": ("learner", "sharp")},
    "cut off": {"rules": "wild-jackpot", "players": 4, "bots": ("sharp",), "max_steps": 17},
    "cut off, bots with views": {"rules": "classic", "players": 3, "bots": ("learner",), "max_steps": 2},
}


def make(mode: AutoresetMode, **settings: Any) -> BatchVectorEnv:
    return envs.vector(n=BATCH_ROUNDS, seed=3, autoreset_mode=mode, **settings)


def choose(masks: Any, rng: np.random.Generator) -> Any:
    """Legal actions; any action where none is legal."""
    return np.array([rng.choice(np.flatnonzero(mask)) if mask.any() else -7 for mask in masks])


# --- comparison with Gymnasium ---------------------------------------------------------------------------


class SingleEnv(gymnasium.Env[Any, Any]):
    """One of several tables as an environment of its own, with the same chance."""

    def __init__(self, many: BatchVectorEnv, i: int, settings: dict[str, Any]) -> None:
        self._one = envs.vector(n=1, seed=3, autoreset_mode=AutoresetMode.DISABLED, **settings)
        self._one.batch.set_deal(0, many.batch.get_deal(i)[2], 0)
        self._one.batch._episode_states[0]["dice"] = many.batch._episode_states[i]["dice"]
        self.observation_space, self.action_space = many.single_observation_space, many.single_action_space

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        rows, infos = self._one.reset()
        return rows[0], {"action_mask": infos["action_mask"][0]}

    def step(self, action: Any) -> tuple[Any, Any, bool, bool, dict[str, Any]]:
        rows, rewards, ended, cut, infos = self._one.step(np.array([action]))
        info: dict[str, Any] = {name: infos[name][0] for name in ("action_mask", "rewards") if name in infos}
        return rows[0], rewards[0], bool(ended[0]), bool(cut[0]), info


def assert_same_infos(own: dict[str, Any], theirs: dict[str, Any]) -> None:
    """Check that common infos are equal; Gymnasium's mask of masks is left out because all of it is true."""
    assert set(own) == set(theirs) - {"_action_mask"}
    for name in own:
        where = own.get(f"_{name}", np.ones(BATCH_ROUNDS, bool))
        if name == "final_info":
            assert (own[name]["rewards"][where] == theirs[name]["rewards"][where]).all()
        elif not name.startswith("_"):
            assert (np.stack(own[name][where]) == np.stack(theirs[name][where])).all(), name
        else:
            assert (own[name] == theirs[name]).all(), name


@pytest.mark.parametrize("mode", MODES, ids=lambda mode: mode.value)
@pytest.mark.parametrize("settings", SETTINGS.values(), ids=list(SETTINGS))
def test_every_autoreset_mode_equals_gymnasiums(settings: dict[str, Any], mode: AutoresetMode) -> None:
    """Rows, rewards, flags and infos equal those of ``SyncVectorEnv`` over the same tables one by one."""
    own = make(mode, **settings)
    many = make(mode, **settings)
    theirs: Any = SyncVectorEnv(
        [partial(SingleEnv, many, i, settings) for i in range(BATCH_ROUNDS)], autoreset_mode=mode
    )
    assert own.metadata["autoreset_mode"] is theirs.metadata["autoreset_mode"] is mode
    rows, infos = own.reset()
    their_rows, their_infos = theirs.reset()
    rng, episodes = np.random.default_rng(5), 0
    for _ in range(STEPS):
        assert (rows == their_rows).all()
        assert_same_infos(infos, their_infos)
        chosen = choose(infos["action_mask"], rng)
        rows, *others, infos = own.step(chosen)
        their_rows, *their_others, their_infos = theirs.step(chosen)
        assert all(
            (mine == other).all() and mine.dtype == other.dtype
            for mine, other in zip(others, their_others, strict=True)
        )
        over = others[1] | others[2]
        episodes += int(over.sum())
        if mode is AutoresetMode.DISABLED and over.any():
            assert (rows == their_rows).all()
            assert_same_infos(infos, their_infos)
            rows, infos = own.reset(options={"reset_mask": over})
            their_rows, _ = theirs.reset(options={"reset_mask": over.copy()})
            their_infos = infos  # Gymnasium's has those of the tables that were reset alone
        if episodes >= MIN_EPISODES:
            return
    pytest.fail(f"there were {episodes} episodes")


@pytest.mark.parametrize("settings", SETTINGS.values(), ids=list(SETTINGS))
def test_every_autoreset_mode_plays_the_same_episodes(settings: dict[str, Any]) -> None:
    """The first and the last row of the learner and the rewards of all seats are equal."""
    found = [list(islice(play_episodes(make(mode, **settings), mode), MIN_EPISODES)) for mode in MODES]
    assert min(map(len, found)) == MIN_EPISODES
    for table in range(BATCH_ROUNDS):
        of_table = [[episode for i, *episode in each if i == table] for each in found]
        shortest = min(map(len, of_table))
        assert of_table[0][:shortest] == of_table[1][:shortest] == of_table[2][:shortest]


def play_episodes(env: BatchVectorEnv, mode: AutoresetMode) -> Iterator[list[Any]]:
    """Table, first row, last row and rewards of episodes."""
    rows, infos = env.reset()
    first = rows.tolist()
    rngs = [np.random.default_rng(i) for i in range(BATCH_ROUNDS)]
    for _ in range(STEPS):
        masks = infos["action_mask"]
        chosen = np.array(
            [rng.choice(np.flatnonzero(mask)) if mask.any() else 0 for rng, mask in zip(rngs, masks, strict=True)]
        )
        begun = ~masks.any(1)
        rows, _, ended, cut, infos = env.step(chosen)
        over = ended | cut
        for i in np.flatnonzero(begun):
            first[i] = rows[i].tolist()
        last = infos.get("final_obs", rows)
        rewards = infos.get("final_info", infos).get("rewards")
        for i in np.flatnonzero(over):
            yield [int(i), first[i], last[i].tolist(), rewards[i].tolist()]
        if mode is AutoresetMode.SAME_STEP:
            for i in np.flatnonzero(over):
                first[i] = rows[i].tolist()
        elif mode is AutoresetMode.DISABLED and over.any():
            rows, infos = env.reset(options={"reset_mask": over})
            for i in np.flatnonzero(over):
                first[i] = rows[i].tolist()


@pytest.mark.parametrize("mode", MODES, ids=lambda mode: mode.value)
@pytest.mark.parametrize("settings", SETTINGS.values(), ids=list(SETTINGS))
def test_the_final_observation_is_the_learners(settings: dict[str, Any], mode: AutoresetMode) -> None:
    """The learner has no card left if it won, and some if another seat did."""
    env = make(mode, **settings | {"max_steps": 5000})
    cards = env.batch.features.fields["cards+0"].start
    _, infos = env.reset()
    rng, seen = np.random.default_rng(1), 0
    for _ in range(STEPS):
        rows, rewards, ended, _, infos = env.step(choose(infos["action_mask"], rng))
        last = infos.get("final_obs", rows)
        for i in np.flatnonzero(ended):
            assert (last[i][cards] == 0) == (rewards[i] > 0)
            seen += 1
        if mode is AutoresetMode.DISABLED and ended.any():
            _, infos = env.reset(options={"reset_mask": ended})
        if seen >= MIN_EPISODES:
            return
    pytest.fail(f"{seen} episodes ended")


# --- resets ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", MODES, ids=lambda mode: mode.value)
@pytest.mark.parametrize("settings", SETTINGS.values(), ids=list(SETTINGS))
def test_a_seed_given_again_begins_anew(settings: dict[str, Any], mode: AutoresetMode) -> None:
    """Bots with views were asked about the aborted round."""
    env = make(mode, **settings)
    runs = []
    for _ in range(2):
        rows, infos = env.reset(seed=7)
        rng = np.random.default_rng(2)
        run = [rows.tolist()]
        for _ in range(4):
            rows, *_, infos = env.step(choose(infos["action_mask"], rng))
            run.append(rows.tolist())
            if mode is AutoresetMode.DISABLED and env.batch.is_done.any():
                _, infos = env.reset(options={"reset_mask": env.batch.is_done.astype(bool)})
        runs.append(run)
    assert runs[0] == runs[1]


@pytest.mark.parametrize("mode", MODES, ids=lambda mode: mode.value)
@pytest.mark.parametrize("settings", SETTINGS.values(), ids=list(SETTINGS))
def test_a_reset_of_some_tables_leaves_the_others(settings: dict[str, Any], mode: AutoresetMode) -> None:
    env, mask = make(mode, **settings | {"max_steps": 5000}), np.array([True, False, False, True])
    options = {"reset_mask": mask}
    first, infos = env.reset(seed=7)
    before = env.step(choose(infos["action_mask"], np.random.default_rng(1)))[0]
    rows, infos = env.reset(seed=7, options=options)
    assert (rows[mask] == first[mask]).all() and (rows[~mask] == before[~mask]).all() and (before != first).any()
    assert options == {"reset_mask": mask}
    rows, *_ = env.step(choose(infos["action_mask"], np.random.default_rng(1)))
    assert rows in env.observation_space and (rows[mask] == before[mask]).all()


@pytest.mark.parametrize("how", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
@pytest.mark.parametrize("mode", MODES, ids=lambda mode: mode.value)
def test_a_copy_has_the_mode(mode: AutoresetMode, how: Callable[[Any], Any]) -> None:
    env = make(mode, **SETTINGS["bots with views"])
    _, infos = env.reset()
    copied = how(env)
    assert copied.metadata == env.metadata and copied.autoreset_mode is mode
    rng = np.random.default_rng(1)
    for _ in range(40):
        chosen = choose(infos["action_mask"], rng)
        rows, _, ended, _, infos = env.step(chosen)
        assert (copied.step(chosen)[0] == rows).all()
        if mode is AutoresetMode.DISABLED and ended.any():
            _, infos = env.reset(options={"reset_mask": ended})
            copied.reset(options={"reset_mask": ended})


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"reset_mask": [True] * BATCH_ROUNDS}, "reset_mask is an array of bool of shape (4,), not list"),
        ({"reset_mask": np.ones(BATCH_ROUNDS, np.int8)}, "not int8(4,)"),
        ({"reset_mask": np.ones(3, bool)}, "not bool(3,)"),
        ({"reset_mask": np.zeros(BATCH_ROUNDS, bool)}, "reset_mask is true for one table or more, not for none"),
        ({"mask": np.ones(BATCH_ROUNDS, bool)}, "reset takes the option reset_mask, not mask"),
    ],
)
def test_a_mask_that_is_none_is_refused(options: dict[str, Any], says: str) -> None:
    env = make(AutoresetMode.DISABLED, **SETTINGS["compiled bots"])
    env.reset(seed=1)
    with pytest.raises(UsageError, match=re.escape(says)):
        env.reset(options=options)


def test_wrong_use_of_a_mode_is_refused() -> None:
    for mode in ("Never", None, 3):
        with pytest.raises(UsageError, match="autoreset_mode is one of NextStep, SameStep, Disabled, not "):
            make(mode, **SETTINGS["compiled bots"])  # type: ignore[arg-type]
    env = make(AutoresetMode.DISABLED, **SETTINGS["cut off"] | {"max_steps": 1})
    with pytest.raises(UsageError, match="the first reset is one of all tables"):
        env.reset(options={"reset_mask": np.array([True, False, False, False])})
    _, infos = env.reset()
    rows, _, _, cut, infos = env.step(choose(infos["action_mask"], np.random.default_rng(1)))
    assert cut.all() and not infos["action_mask"].any()
    with pytest.raises(UsageError, match=r"over at table 0, 1, 2, 3: reset\(options=\{\"reset_mask\": …\}\) begins"):
        env.step(np.zeros(BATCH_ROUNDS, np.int64))
    assert (env.batch.observations == rows).all()


# --- masks -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", MODES, ids=lambda mode: mode.value)
@pytest.mark.parametrize("own", [True, False])
def test_gymnasium_spaces_sample_with_every_mask(mode: AutoresetMode, own: bool) -> None:
    env = make(mode, copy=own, **SETTINGS["compiled bots"])
    _, infos = env.reset()
    env.action_space.seed(1)
    env.single_action_space.seed(1)
    for turn in range(120):
        masks = infos["action_mask"]
        assert masks.dtype == np.int8 and masks.shape == (BATCH_ROUNDS, len(env.batch.action_space))
        if turn % 2:
            chosen = env.action_space.sample(mask=tuple(masks))
        else:
            chosen = np.array([env.single_action_space.sample(mask=mask) for mask in masks])
        _, _, ended, _, infos = env.step(chosen)
        if mode is AutoresetMode.DISABLED and ended.any():
            _, infos = env.reset(options={"reset_mask": ended})


# --- Gymnasium's wrappers --------------------------------------------------------------------------------

PAGE: Final = Path(__file__).parents[2] / "docs" / "envs" / "vector.md"
ARGUMENTS: Final[dict[str, Callable[[Any], dict[str, Any]]]] = {
    "ArrayConversion": lambda env: {"env_xp": np, "target_xp": importlib.import_module("torch")},
    "ClipReward": lambda env: {"min_reward": -1.0, "max_reward": 1.0},
    "DtypeObservation": lambda env: {"dtype": np.float64},
    "FilterObservation": lambda env: {"filter_keys": [0]},
    "RescaleAction": lambda env: {"min_action": 0.0, "max_action": 1.0},
    "RescaleObservation": lambda env: {"min_obs": np.float32(0), "max_obs": np.float32(1)},
    "ReshapeObservation": lambda env: {"shape": (1, env.batch.features.size)},
    "ResizeObservation": lambda env: {"shape": (4, 4)},
    "TransformAction": lambda env: {"func": lambda actions: actions},
    "TransformObservation": lambda env: {"func": lambda rows: rows},
    "TransformReward": lambda env: {"func": lambda rewards: rewards * 2},
    "VectorizeTransformAction": lambda env: {
        "wrapper": gymnasium.wrappers.TransformAction,
        "func": lambda action: action,
        "action_space": env.single_action_space,
    },
    "VectorizeTransformObservation": lambda env: {
        "wrapper": gymnasium.wrappers.TransformObservation,
        "func": lambda row: row,
        "observation_space": env.single_observation_space,
    },
    "VectorizeTransformReward": lambda env: {
        "wrapper": gymnasium.wrappers.TransformReward,
        "func": lambda reward: reward,
    },
    "RecordVideo": lambda env: {"video_folder": "nowhere"},
}


ARRAY_PACKAGES: Final = {
    "ArrayConversion": ("array_api_compat", "torch"),
    "JaxToNumpy": ("array_api_compat", "jax"),
    "JaxToTorch": ("array_api_compat", "jax", "torch"),
    "NumpyToTorch": ("array_api_compat", "torch"),
}
"""Packages that these wrappers need; ``make test-extras EXTRAS=arrays`` installs them."""
REFUSALS: Final = re.compile(
    r"autoreset_mode|Box action|image|[Rr]ender.mode|`Dict` and `Tuple`|reset_mask is an array.* not ArrayImpl"
)
"""Errors of wrappers that do not fit the environment, and of a mask in an array of JAX."""


def runs_under(name: str, mode: AutoresetMode) -> bool:
    """Whether a wrapper accepts the environment in a mode; then it must play on through the ends of episodes."""
    env = make(mode, **SETTINGS["compiled bots"])
    arguments = ARGUMENTS[name](env) if name in ARGUMENTS else {}
    try:
        play_wrapped(env, getattr(wrappers, name)(env, **arguments))
    except (ValueError, TypeError, UsageError) as refusal:
        if REFUSALS.search(str(refusal)):
            return False
        raise
    return True


def play_wrapped(env: BatchVectorEnv, wrapped: Any) -> None:
    """Play episodes through a wrapper; rows that a program holds must not change with later steps."""
    wrapped.reset(seed=1)
    rng, episodes, held, copies = np.random.default_rng(1), 0, [], []
    for _ in range(150):
        rows, rewards, ended, cut, _ = wrapped.step(choose(env.batch.action_mask, rng))
        assert np.asarray(rows) in wrapped.observation_space and rewards.shape == (BATCH_ROUNDS,)
        held.append(rows)
        copies.append(np.asarray(rows).copy())
        over = ended | cut
        episodes += int(over.sum())
        if env.autoreset_mode is AutoresetMode.DISABLED and over.any():
            wrapped.reset(options={"reset_mask": over})
    assert episodes > 8
    assert all((np.asarray(rows) == copied).all() for rows, copied in zip(held, copies, strict=True))


@pytest.mark.filterwarnings("ignore:overflow encountered in cast:RuntimeWarning:gymnasium")
@pytest.mark.parametrize("name", sorted(wrappers.__all__))
def test_every_wrapper_of_gymnasium_works_as_the_page_says(name: str) -> None:
    for package in ARRAY_PACKAGES.get(name, ()):
        pytest.importorskip(package, reason="make test-extras EXTRAS=arrays")
    row = re.search(rf"^\|.* `{name}`[^|]* \| (.+) \|$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    assert row is not None, f"{name} is not in the table of {PAGE}"
    order = (AutoresetMode.SAME_STEP, AutoresetMode.NEXT_STEP, AutoresetMode.DISABLED)
    said = row[1].split(" | ")[: len(order)]
    assert said == ["yes" if runs_under(name, mode) else "no" for mode in order]


def test_statistics_of_episodes_are_right_in_every_mode() -> None:
    """Statistics are right even if only some tables are reset."""
    for mode in MODES:
        env = make(mode, **SETTINGS["compiled bots"])
        wrapped = wrappers.RecordEpisodeStatistics(env)
        _, infos = wrapped.reset(seed=1)
        rng, lengths, episodes = np.random.default_rng(1), np.zeros(BATCH_ROUNDS, int), 0
        for _ in range(150):
            asked = infos["action_mask"].any(1)
            _, _, ended, _, infos = wrapped.step(choose(infos["action_mask"], rng))
            lengths += asked
            if ended.any():
                assert (infos["episode"]["l"][ended] == lengths[ended]).all(), mode
                episodes += int(ended.sum())
                lengths[ended] = 0
                if mode is AutoresetMode.DISABLED:
                    _, infos = wrapped.reset(options={"reset_mask": ended})
        assert episodes > 8
