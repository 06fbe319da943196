"""Many tables at once: self-play, the Gymnasium environment, rewards, errors of wrong use."""

from __future__ import annotations

import copy
import pickle
import re
import sys
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from gymnasium.spaces import Discrete
from gymnasium.vector import AutoresetMode

from lastcard import envs
from lastcard.envs.batch import Batch, EnvConfig
from lastcard.envs.features import features
from lastcard.envs.mirror import MirrorRounds
from lastcard.errors import RulesError, UsageError
from lastcard.game.rulesets import GAMES
from lastcard.kernel import jit
from lastcard.kernel.wasm_backend import WasmBackend
from lastcard.match.match import match_result, next_dealer, score_round
from lastcard.match.round import Round
from lastcard.rules.layout import NOTHING
from support.agents import CALL_MODES


def wrong(value: object) -> Any:
    """A value that a type checker would refuse."""
    return value


def play(tables: Batch, steps: int) -> Iterator[None]:
    """Play at random; yields after every step."""
    tables.reset()
    for _ in range(steps):
        tables.step(tables.sample())
        yield


@pytest.mark.parametrize("rules", GAMES)
@pytest.mark.parametrize("players", [2, 4, 10])
def test_observations_masks_and_rewards_make_sense(rules: str, players: int) -> None:
    tables = envs.batch(rules, players, 32, seed=5)
    ended = 0
    for _ in play(tables, 600):
        over = tables.terminated.astype(bool)
        ended += over.sum()
        assert (tables.action_mask.sum(1) > 0).all() and (tables.rewards[~over] == 0).all()
        assert np.allclose(tables.rewards.sum(1), 0, atol=1e-6)  # the reward of winning equals all losses
        assert (tables.rewards[over].max(1) == 1).all()
        hands = tables.observations[:, tables.features.fields["hand"]].sum(1)
        assert (hands == tables.observations[:, tables.features.fields["cards+0"]][:, 0]).all()
    assert ended > 10


def test_the_same_seed_gives_the_same_play_and_another_does_not() -> None:
    runs = []
    for seed in (1, 1, 2):
        tables = envs.batch("classic", 3, 8, seed=seed)
        runs.append([tables.observations.copy() for _ in play(tables, 200)])
    assert all((one == other).all() for one, other in zip(runs[0], runs[1], strict=True))
    assert any((one != other).any() for one, other in zip(runs[0], runs[2], strict=True))


def test_observations_are_the_same_numbers_in_both_types() -> None:
    one, other = (envs.batch("wild-jackpot", 3, 8, dtype=dtype, seed=4) for dtype in ("uint8", "float32"))
    for _ in zip(play(one, 300), play(other, 300), strict=True):
        assert (one.observations == other.observations).all() and (one.action_mask == other.action_mask).all()


@pytest.mark.parametrize(
    ("rules", "who"),
    [
        ("all-wild+match_mode=to_target", "winner"),
        ("classic", "left"),
        ("classic", "winner"),
        ("classic", "loser"),
        ("classic+scoring=tally", "winner"),
        ("classic+scoring=tally", "loser"),
        ("wild-jackpot", "left"),
    ],
)
def test_a_match_is_scored_and_dealt_as_match_does(rules: str, who: str) -> None:
    """CO-44, CO-46, CL-51 to CL-53: compiled episodes of a match agree with the scoring of ``match``."""
    tables = envs.batch(f"{rules}+winning_score=100+next_dealer={who}", 3, 1, episode="match", reward="points", seed=11)
    mirror, terms = MirrorRounds(tables), tables.config
    scores: tuple[int, ...] = (0, 0, 0)
    matches, expected = 0, None
    tables.reset()
    for _ in range(4000):
        mirrored = mirror.round(0)
        assert expected is None or mirrored.dealer == expected
        expected = None
        mirror.step(tables.sample())
        if not mirrored.over:
            continue
        scores = score_round(terms.ruleset, scores, mirrored.winner, mirrored.held)
        expected = next_dealer(terms.ruleset, mirrored.dealer, 3, mirrored.winner, mirrored.held)
        over = match_result(terms.ruleset, scores, mirrored.winner) is not None
        assert over == bool(tables.terminated[0])
        sign = -1 if over and "tally" in rules else 1  # points that count against a seat are a loss (CL-52)
        assert (tables.rewards if over else tables.scores)[0].tolist() == [sign * score for score in scores]
        if over:
            matches, scores, expected = matches + 1, (0, 0, 0), None
            if matches == 2:
                break
    assert matches == 2


def ended_rounds(tables: Batch) -> Iterator[Round]:
    """Six rounds at the only table of a batch, each as it ends."""
    mirror, rounds = MirrorRounds(tables), 0
    tables.reset()
    for _ in range(3000):
        mirrored = mirror.round(0)
        mirror.step(tables.sample())
        if tables.terminated[0]:
            rounds += 1
            yield mirrored
            if rounds == 6:
                return
    pytest.fail(f"{rounds} rounds ended")


@pytest.mark.parametrize("rules", ["classic", "classic+scoring=tally", "classic+team_play", "wild-jackpot"])
def test_points_are_those_of_the_round(rules: str) -> None:
    """CL-51, CL-52, WJ-61, LC-46."""
    tables = envs.batch(rules, 4, 1, reward="points", seed=3)
    for mirrored in ended_rounds(tables):
        sign = -1 if "tally" in rules else 1  # points that count against a seat are a loss (CL-52)
        scored = score_round(mirrored.rules, (0,) * 4, mirrored.winner, mirrored.held)
        assert tables.rewards[0].tolist() == [sign * score for score in scored]


def test_ranks_go_from_the_winner_to_the_most_points() -> None:
    tables = envs.batch("classic", 4, 1, reward="rank", seed=3)
    for mirrored in ended_rounds(tables):
        reward = tables.rewards[0].tolist()
        assert reward[mirrored.winner or 0] == 1 and abs(sum(reward)) < 1e-6
        losers = sorted((mirrored.held[seat], -reward[seat]) for seat in range(4) if seat != mirrored.winner)
        assert [worse for _, worse in losers] == sorted(worse for _, worse in losers)


def test_partners_win_together() -> None:
    """6.8, LC-46."""
    tables = envs.batch("classic+team_play", 4, 16, seed=1)
    for _ in play(tables, 400):
        won = tables.rewards[tables.terminated.astype(bool)]
        assert (won[:, 0] == won[:, 2]).all() and (won[:, 1] == won[:, 3]).all()
        assert np.isin(won, (0.5, -0.5)).all()


def test_calls_are_asked_for_and_a_forgotten_one_can_be_caught() -> None:
    """CO-10, CO-14: the seat that forgot is asked first, then the others; with automatic calls nobody can be caught."""
    tables = envs.batch("classic", 3, 1, calls="decisions", seed=2)
    uno, catch, wait = (tables.action_space.names.index(name) for name in ("uno", "catch>+1", "wait"))
    tables.reset()
    forgot = caught = 0
    for _ in range(6000):
        if tables.is_reaction[0] and tables.action_mask[0, uno]:
            forgot += 1
            tables.step(np.array([wait]))  # does not call
            mask, fields = tables.action_mask[0], tables.features.fields
            assert tables.is_reaction[0] and mask[catch : catch + 2].any() and not mask[uno]
            caught += 1
            assert 1 in [tables.observations[0, fields[f"cards+{other}"]][0] for other in (1, 2)]
        chosen = tables.sample()
        if not tables.is_reaction[0] and chosen[0] == uno:
            continue  # after an early call nothing is forgotten
        tables.step(chosen)
    assert forgot == caught > 5
    assert "uno" not in envs.batch("classic", 3, 1).action_space.names


def test_an_endless_episode_is_truncated() -> None:
    tables = envs.batch("classic", 2, 4, max_steps=10, seed=1)
    steps = list(play(tables, 10))
    assert tables.truncated.all() and not tables.terminated.any() and (tables.rewards == 0).all() and len(steps) == 10


def test_observations_contain_known_cards() -> None:
    """AW-24, CL-34: swapped or shown hands are known to the seats that saw them, and to nobody else."""
    for rules in ("all-wild", "classic", "classic+seven_zero", "wild-jackpot"):
        tables = envs.batch(rules, 4, 1, seed=9)
        mirror, seen = MirrorRounds(tables), 0
        tables.reset()
        for _ in range(400):
            mirror.step(tables.sample())
            mirrored = mirror.round(0)
            for viewer in range(4):
                for owner in range(4):
                    if owner != viewer:
                        known = tables._known_cards[0, viewer, owner]
                        truth = np.bincount(tables.features.kinds[list(mirrored.hands[owner])], minlength=known.size)
                        assert (known <= truth).all(), (rules, viewer, owner)
                        seen += int(known.sum())
        assert seen > 0, rules


def test_gymnasium_accepts_the_environment() -> None:
    env = envs.vector("classic", 3, 8, bots=("sharp", "random"), seed=1)
    assert env.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
    obs, infos = env.reset(seed=7)
    assert isinstance(env.single_action_space, Discrete)
    assert obs in env.observation_space and infos["action_mask"].shape == (8, env.single_action_space.n)
    wins = ended = 0
    for _ in range(600):
        obs, rewards, terminated, truncated, infos = env.step(env.sample())
        assert obs in env.observation_space and rewards.shape == (8,) and not truncated.any()
        assert ("final_obs" in infos) == terminated.any()
        if terminated.any():
            assert (infos["final_info"]["rewards"][terminated, env.seat] == rewards[terminated]).all()
            assert (infos["_final_obs"] == terminated).all()
        ended, wins = ended + terminated.sum(), wins + (rewards > 0).sum()
    assert ended > 30 and wins < ended / 3
    assert (env.batch.current_player == env.seat).all()
    env.close()


@pytest.mark.parametrize("bots", [("sharp",), ("casual",)])
def test_nothing_is_done_after_close(bots: tuple[str, ...]) -> None:
    env = envs.vector("classic", 2, 4, bots=bots, seed=1)
    env.reset()
    actions = env.sample().copy()
    env.close()
    env.close()
    for call in (env.reset, env.sample, lambda: env.step(actions), lambda: env.reset(seed=1)):
        with pytest.raises(UsageError, match="closed: make another one"):
            call()


def play_at_random(env: Any, steps: int) -> list[Any]:
    """All outputs of an environment in some steps of actions that the seed 1 chooses."""
    rows = [env.reset()[0]]
    rng = np.random.default_rng(1)
    for _ in range(steps):
        chosen = np.array([rng.choice(np.flatnonzero(mask)) for mask in env.batch.action_mask])
        rows += env.step(chosen)[:3]
    return rows


@pytest.mark.parametrize(
    ("bot", "rules", "calls", "steps"),
    [
        ("heuristic", "wild-jackpot", "automatic", 150),
        *(("trained", rules, calls, 60) for rules in (*GAMES, "classic+jump_in+seven_zero") for calls in CALL_MODES),
    ],
)
def test_a_bot_plays_the_same_in_compiled_code_and_through_its_view(
    monkeypatch: pytest.MonkeyPatch, bot: str, rules: str, calls: str, steps: int
) -> None:
    runs = []
    for compiled in (True, False):
        if not compiled:
            monkeypatch.setattr("lastcard.envs.gymnasium.BOTS", {})
        env = envs.vector(rules, 3, 4, bots=(bot,), calls=calls, seed=8)
        runs.append(play_at_random(env, steps))
    assert all((one == other).all() for one, other in zip(*runs, strict=True))


def test_any_bot_can_sit_at_the_tables() -> None:
    for others in ("casual", "trained"), ("sharp", "casual"):
        env = envs.vector("all-wild", 3, 2, bots=others, calls="decisions", seed=5)
        env.reset()
        ended = sum(int(env.step(env.sample())[2].sum()) for _ in range(120))
        assert ended > 0


@pytest.mark.parametrize("how", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_a_copy_goes_on_with_the_bots_that_are_asked_through_their_views(how: Callable[[Any], Any]) -> None:
    env = envs.vector("classic", 3, 3, bots=("learner", "sharp"), seed=5)
    env.reset()
    env.step(env.sample())
    copied = how(env)
    for _ in range(30):
        chosen = env.sample().copy()
        assert (env.step(chosen)[0] == copied.step(chosen)[0]).all()


def test_a_copy_of_tables_has_its_learned_player() -> None:
    tables = envs.batch("classic", 2, 4, seats=(None, "trained"), seed=3)
    tables.reset()
    other = copy.deepcopy(tables)
    for _ in range(60):
        chosen = tables.sample().copy()
        tables.step(chosen)
        other.step(chosen)
        assert (tables.observations == other.observations).all()


@pytest.mark.parametrize("dtype", ["uint8", "float32"])
def test_a_score_far_above_the_winning_one_fits_a_byte(dtype: str) -> None:
    """A row says 255 if a number does not fit; uint8 used to wrap to 0."""

    terms = EnvConfig("classic+winning_score=100", 10, episode="match", reward="points")
    tables = Batch(terms, 8, autoreset=False, dtype=dtype, seed=1)
    scores = [tables.features.fields[f"score+{seat}"].start for seat in range(10)]
    most = 0
    for _ in play(tables, 1500):
        for i in np.flatnonzero(tables.terminated):
            percents = np.roll(tables.scores[i], -tables.current_player[i])
            assert (tables.observations[i, scores] == np.minimum(percents, 255)).all()
            most = max(most, int(percents.max()))
    assert most > 255


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (
            lambda: envs.batch("classic", pot=2),
            "there is no setting 'pot'; there are rules, players, reward, episode, calls, max_steps, deck, hand_size, "
            "open_hands, n, seats, ",
        ),
        (lambda: envs.vector("classic", rewards="win"), "did you mean 'reward'?"),
        (lambda: envs.batch("classic", seats="sharp"), "one by one"),
        (lambda: envs.batch("classic", 2, seats=wrong((None, len))), "not by <built-in function len>"),
        (lambda: envs.batch("classic", 2, seats=wrong((None, ["sharp"]))), "not by ['sharp']"),
        (lambda: envs.vector("classic", bots=wrong((len,))), "len makes no bot without arguments but its seed"),
        (lambda: envs.vector("classic", bots=wrong((5,))), "or an object with choose(view), not 5"),
        (lambda: envs.vector("classic", bots="sharp"), "named one by one"),
        (lambda: envs.vector("classic", bots=wrong(len)), "named one by one"),
        (lambda: envs.batch("klassic"), "there is no ruleset"),
        (lambda: envs.batch("classic", 11), "2 to 10 players"),
        (lambda: envs.batch("classic", wrong(2.0)), "a whole number, not 2.0"),
        (lambda: envs.batch("classic", wrong("2")), "a whole number, not '2'"),
        (lambda: envs.vector("classic", wrong(True)), "a whole number, not True"),
        (lambda: envs.batch("classic", 2, 0), "from 1 on, not 0"),
        (lambda: envs.batch("classic", 2, True), "from 1 on, not True"),
        (lambda: envs.batch("classic", 2, wrong(2.0)), "from 1 on, not 2.0"),
        (lambda: envs.batch("classic", threads=True), "from 1 on, not True"),
        (lambda: envs.batch("classic", max_steps=True), ", not True"),
        (lambda: envs.batch("classic", reward="money"), "win, points, rank"),
        (lambda: envs.batch("classic", episode="day"), "round, match"),
        (lambda: envs.batch("classic", calls="loud"), "automatic, decisions"),
        (lambda: envs.batch("classic", max_steps=0), "max_steps is a whole number from 1 to "),
        (lambda: envs.batch("classic", dtype="int8"), "uint8, float32"),
        (lambda: envs.batch("classic", 2, seats=("random",)), "for all 2 players or none, not for 1"),
        (lambda: envs.batch("classic", 2, seats=("random", "sharp")), "at least one seat must be None"),
        (lambda: envs.batch("classic", 2, seats=("expert", None)), "not by 'expert'"),
        (lambda: envs.vector("classic", bots=()), "no bots for 1 other seat; name one, repeated"),
        (lambda: envs.vector("classic", 3, bots=()), "no bots for 2 other seats; name 1 to 2, repeated"),
        (lambda: envs.vector("classic", 3, bots=("random",) * 3), "3 bots for 2 other seats; name 1 to 2, repeated"),
        (lambda: envs.vector("classic", sead=2), "did you mean 'seed'?"),
        (lambda: envs.vector("classic", seat=2), "from 0 to 1, not 2"),
        (lambda: envs.vector("classic", seat=wrong("0")), "from 0 to 1, not '0'"),
        (lambda: envs.batch("classic", max_steps=2**63), "to 9,223,372,036,854,775,807, not 9223372036854775808"),
        (lambda: envs.vector("classic", bots=("nobody",)), "nobody"),
        (lambda: envs.vector("classic").step(np.zeros(64, np.int64)), "reset comes before"),
        (lambda: envs.vector("classic").reset(options={"x": 1}), "reset takes the option reset_mask, not x"),
        (lambda: envs.vector("classic").reset(seed=[1, 2]), "the one seed of all tables is a whole number"),
    ],
)
def test_errors_name_the_correct_use(make: Callable[[], object], says: str) -> None:
    with pytest.raises((UsageError, RulesError), match=re.escape(says)):
        make()


@pytest.mark.parametrize(("i", "seat"), [(2, 0), (-1, 0), (0, 3), (0, -1), (0.0, 0)])
def test_observing_from_an_invalid_seat_is_refused(i: Any, seat: int) -> None:
    tables = envs.batch("classic", 3, 2, seed=1)
    tables.reset()
    with pytest.raises(UsageError, match=r"a (table|seat) is a whole number from 0 to [12], not "):
        tables.observe(i, seat, tables.observations[0].copy())


@pytest.mark.parametrize("dtype", ["uint8", "float32"])
@pytest.mark.parametrize("at_once", [True, False])
@pytest.mark.parametrize(("rules", "players"), [("classic", 2), ("wild-jackpot", 10)])
def test_more_tables_than_memory_are_refused_before_they_take_it(
    rules: str, players: int, at_once: bool, dtype: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The number that is said to fit is the memory divided by the size of a table."""
    terms = EnvConfig(rules, players)
    taken = []
    for count in (1, 1, 11):  # the first also creates the data of a ruleset
        kernel = WasmBackend()
        monkeypatch.setattr(jit, "_backend", kernel)
        tables = Batch(terms, count, dtype=dtype, autoreset=at_once)
        taken.append(sum(place.array().nbytes for place in kernel._thread.instance.locations.values()))
        assert tables.count == count
    fit = WasmBackend.memory_limit_bytes // ((taken[2] - taken[1]) // 10)
    with pytest.raises(UsageError, match=f"10,000,000 tables of .* do not fit into memory; {fit:,.0f} do"):
        Batch(terms, 10_000_000, dtype=dtype, autoreset=at_once)


def test_a_wrong_number_leaves_the_kernel_as_it_was() -> None:
    """A cache entry for 2 players must not be found for 2.0, whose tables would corrupt this thread's memory."""
    envs.batch("classic", 2, 4)
    players: Any = 2.0
    for make in (lambda: envs.batch("classic", players, 5), lambda: features("classic", players)):
        with pytest.raises(UsageError, match="a whole number"):
            make()
    assert envs.batch("classic", 2, 5).count == 5


@pytest.mark.parametrize(
    ("chosen", "says"),
    [
        (np.zeros(4, np.int32), "int64 of shape (4,), not int32(4,)"),
        (np.zeros(3, np.int64), "not int64(3,)"),
        ([0, 0, 0, 0], "not list"),
        (np.full(4, 999), "action 999 is not legal"),
        (np.full(4, NOTHING), "action -1 is not legal"),
    ],
)
def test_an_invalid_action_changes_nothing_anywhere(chosen: object, says: str) -> None:
    tables = envs.batch("classic", 2, 4, seed=1)
    tables.reset()
    before = tables._states.tobytes(), tables._episode_states.tobytes(), tables.observations.tobytes()
    with pytest.raises(UsageError, match=re.escape(says)):
        tables.step(chosen)
    assert before == (tables._states.tobytes(), tables._episode_states.tobytes(), tables.observations.tobytes())


def test_an_illegal_action_is_named_with_the_legal_ones() -> None:
    tables = envs.batch("classic", 2, 2, seed=1)
    tables.reset()
    wrong = int(np.flatnonzero(tables.action_mask[1] == 0)[0])
    legal = int(np.flatnonzero(tables.action_mask[1])[0])
    chosen = np.array([np.flatnonzero(tables.action_mask[0])[0], wrong])
    with pytest.raises(UsageError, match="at table 1") as caught:
        tables.step(chosen)
    assert f"{legal} ({tables.action_space.names[legal]})" in str(caught.value)


def test_every_environment_asks_for_native_code(monkeypatch: pytest.MonkeyPatch) -> None:
    """It changes to native code, if that is installed, with any number of tables, and says which backend runs."""
    wanted: list[bool] = []
    monkeypatch.setattr(sys.modules[Batch.__module__], "enable_native", lambda: wanted.append(True))
    tables = envs.batch("all-wild", 3, n=1)
    assert len(wanted) == 1
    assert repr(tables) == f"<Batch of {tables.config.ruleset} for 3, on the backend {jit.backend().name}>"


def test_returned_arrays_are_overwritten_only_if_nobody_has_them() -> None:
    """Steps write copies to arrays that the program has dropped, and to no others, nor if it has a view of one."""
    env = envs.vector("classic", 2, 4, seed=1)
    held = [env.reset()[0]]
    for step in range(12):
        observations, *_, infos = env.step(env.sample())
        held.append(observations if step % 2 else observations[1:])
        held.append(infos["action_mask"].view(np.uint8))
        del observations, infos
    before = [array.copy() for array in held]
    for _ in range(12):
        env.step(env.sample())
    assert all((array == saved).all() for array, saved in zip(held, before, strict=True))
    held.clear()
    addresses = {env.step(env.sample())[0].__array_interface__["data"][0] for _ in range(12)}
    assert len(addresses) == 1


def test_a_step_before_the_first_episode_is_refused() -> None:
    tables = envs.batch("classic", n=2)
    with pytest.raises(UsageError, match=r"nobody is asked at table 0; reset\(\) deals"):
        tables.step(tables.sample())
