"""Numbers from outside: every kind of integer counts as Python's; booleans do not."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
import pyspiel
import pytest

from lastcard import envs, simulate
from lastcard.ai.weight_index import COUNT
from lastcard.analysis.adjusted import new_mixture
from lastcard.analysis.chances import estimate_chances
from lastcard.analysis.level_estimate import estimate_levels
from lastcard.analysis.open_card_solver import find_winning_line
from lastcard.analysis.replayed_round import replay_rounds
from lastcard.analysis.report import make_report
from lastcard.arena.arena import run_arena
from lastcard.arena.bot_play import play
from lastcard.arena.deals import Plan
from lastcard.arena.simulation import play_rounds
from lastcard.arena.tally import tally_rounds
from lastcard.bots.base import Behavior, SeededBot
from lastcard.bots.evaluation import MoveEvaluator
from lastcard.bots.external import ExternalBot
from lastcard.bots.registry import make_bot
from lastcard.bots.search import Search, SearchBot, SearchConfig
from lastcard.bots.simple_bots import HeuristicBot
from lastcard.bots.statistics import Estimate
from lastcard.envs import pettingzoo, rlcard
from lastcard.envs.action_space import ActionSpace, action_space
from lastcard.envs.batch import Batch, EnvConfig
from lastcard.envs.features import features
from lastcard.envs.gymnasium import BatchVectorEnv
from lastcard.envs.openspiel.config import GameParameters
from lastcard.envs.openspiel.game_state import GameState
from lastcard.envs.rlcard.environment import Game
from lastcard.errors import UsageError
from lastcard.game.moves import Move, parse_move
from lastcard.game.numbers import require_int, require_number
from lastcard.game.seeds import parse_seed
from lastcard.match.match import Match
from lastcard.match.round import Round
from lastcard.training.train import Training
from lastcard.training.tune import tune, win_share
from support.report_samples import play_match

MINIMAL_SETTINGS: Final[dict[str, Any]] = {"rollouts": 8, "deals": 2, "burn": 1, "thin": 1}
"""Minimal settings of a search."""
KINDS: Final = (np.uint8, np.int8, np.int16, np.uint32, np.int64, np.uint64)
"""NumPy's integer types; ``np.array(3)`` and PyTorch's have ``__index__`` as well."""


class Entry(NamedTuple):
    """A number that a caller may give."""

    of: Callable[..., Any]
    """The function or class with the parameter."""
    name: str
    """The parameter."""
    value: int
    """A valid value whose arithmetic would overflow a byte if possible."""
    call: Callable[[Any], Any]
    """Passes that number; returns something that shows how it was read."""


# --- calls of the entries -------------------------------------------------------------------------------


def played(**settings: Any) -> Any:
    """The result of some random steps of tables."""
    tables = envs.batch(**{"rules": "classic", "players": 3, "n": 2, "seed": 4, **settings})
    tables.reset()
    for _ in range(9):
        tables.step(tables.sample())
    return type(tables.count), tables.config, tables.observations.tolist()


def stepped(reset: Any = None, **settings: Any) -> Any:
    """The result of some random steps of the vector environment."""
    env = envs.vector(**{"rules": "classic", "players": 3, "n": 2, "seed": 4, **settings})
    rows = [env.reset(seed=reset)[0].tolist()]
    rows += [env.step(env.sample())[0].tolist() for _ in range(9)]
    return type(env.num_envs), env.seat, env.batch.config, rows


def asked(reset: Any = 1, **settings: Any) -> Any:
    """The beginning of an episode of the PettingZoo adapter, and the step of its truncation."""
    env = pettingzoo.env(**{"rules": "classic", "players": 3, **settings})
    env.reset(seed=reset)
    return env.config, env.possible_agents, env.record()


@cache
def dealt() -> Batch:
    """Many tables, more than fit into a byte's arithmetic."""
    tables = envs.batch("classic", 3, 256, seed=3)
    tables.reset()
    return tables


def observation_at(i: Any, seat: Any) -> list[float]:
    """The observation of a seat at a table."""
    observation = dealt().observations[0].copy()
    dealt().observe(i, seat, observation)
    seen: list[float] = observation.tolist()
    return seen


def redealt(i: Any, dealer: Any) -> Any:
    """The deal of a table by a seed and a dealer."""
    tables = envs.batch("classic", 3, 2, seed=3)
    tables.set_deal(i, bytes(range(32)), dealer)
    tables.reset()
    return tables.get_deal(1)


def made_game(seed: Any = 1, **settings: Any) -> Any:
    """The beginning of a game of the RLCard adapter."""
    env = rlcard.make(**{"rules": "classic", "players": 3, "seed": seed, **settings})
    return env.game.batch.config, repr(env.reset()[0]["raw_obs"])


@cache
def card_game() -> Game:
    """A game of the RLCard adapter that has begun."""
    env = rlcard.make("classic", 3, seed=1)
    env.reset()
    game: Game = env.game
    return game


@cache
def playing_state() -> GameState:
    """A state in which a seat must act, in a game with more actions than fit into a byte's arithmetic."""
    state = pyspiel.load_game("python_lastcard_classic(players=3)").new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    game_state: GameState = state.game_state
    return game_state


@cache
def secret_state() -> GameState:
    """The state in which chance chooses the deck (LC-24)."""
    rules = "wj_number_distribution:0-9_random"
    state = pyspiel.load_game("python_lastcard_wild_jackpot", {"rules": rules}).new_initial_state()
    game_state: GameState = state.game_state
    return game_state


def recalled(seat: Any) -> Any:
    """The last moves that a seat knows."""
    game_state = playing_state().child(playing_state().legal_actions()[0])
    out = np.zeros((4, game_state.config.players + len(game_state.config.action_space)), np.float32)
    game_state.write_recent_actions(seat, out)
    return out.tolist()


def decided(bot: Any) -> Move:
    """A bot's move in a position."""
    move: Move = bot.choose(Round.deal("classic", 2, seed=3).view(1))
    return move


def weighed(how: str, seed: Any, deals: Any = 2) -> Any:
    """A search's values of the moves in a position."""
    view = Round.deal("classic", 2, seed=3).view(Round.deal("classic", 2, seed=3).turn)
    search = Search(SearchConfig(horizon=0, **MINIMAL_SETTINGS))
    if how == "weigh":
        return search.rank_moves(view, view.legal, seed)
    evaluator = MoveEvaluator(SearchConfig(**MINIMAL_SETTINGS), SearchConfig(**MINIMAL_SETTINGS))
    if how == "mix":
        return evaluator.play_mixed(view, view.legal, seed, new_mixture("classic", 2), deals).tolist()
    if how == "find":
        return evaluator.rank_moves(view, view.legal, seed)
    return evaluator.evaluate(view, view.legal, view.legal[0], view.legal[1], seed)


def plan() -> Plan:
    return Plan.make("classic", 3, ["sharp"], 5)


@cache
def replayed_round() -> Any:
    """A match of one round, as a replay."""
    return replay_rounds(play_match("classic", "sharp,sharp", seed=2).record())[0]


SHORT_MATCH = play_match("classic", "sharp,sharp", seed=99)


def reported(**settings: Any) -> Any:
    """A report of a short round."""
    effort = SearchConfig(**MINIMAL_SETTINGS)
    made = make_report(
        SHORT_MATCH,
        search_config=effort,
        measure_config=effort,
        **{"rollouts": 2, "threads": 1} | settings,
    )
    return type(made.rollouts), made.as_dict()


def made_with(make: Callable[..., Any], name: str, value: Any) -> list[Any]:
    """The fields of a record that is made with one setting, with their types."""
    return types_of(make(**{name: value}))


def types_of(made: Any) -> list[Any]:
    """The fields of a record, with their types."""
    return [(name, type(getattr(made, name)), getattr(made, name)) for name in made.__slots__]


SPACE: Final = action_space("all-wild")
ENTRIES: Final = [
    Entry(envs.batch, "players", 3, lambda n: played(players=n)),
    Entry(envs.batch, "n", 100, lambda n: played(n=n)),
    Entry(envs.batch, "seed", 100, lambda n: played(seed=n)),
    Entry(envs.batch, "threads", 2, lambda n: played(threads=n)),
    Entry(envs.vector, "players", 3, lambda n: stepped(players=n)),
    Entry(envs.vector, "n", 100, lambda n: stepped(n=n)),
    Entry(envs.vector, "seat", 2, lambda n: stepped(seat=n)),
    Entry(envs.vector, "seed", 100, lambda n: stepped(seed=n)),
    Entry(envs.vector, "threads", 2, lambda n: stepped(threads=n)),
    Entry(BatchVectorEnv.reset, "seed", 100, lambda n: stepped(reset=n)),
    Entry(EnvConfig, "players", 3, lambda n: types_of(EnvConfig("classic", n))),
    Entry(EnvConfig, "max_steps", 100, lambda n: types_of(EnvConfig("classic", 3, max_steps=n))),
    Entry(EnvConfig, "hand_size", 3, lambda n: types_of(EnvConfig("classic", 3, hand_size=n))),
    Entry(Batch, "count", 100, lambda n: Batch(EnvConfig("classic", 3), n, seed=1).observations.tolist()),
    Entry(Batch, "threads", 2, lambda n: type(Batch(EnvConfig("classic", 3), 4, seed=1, threads=n)._threads)),
    Entry(Batch, "seed", 100, lambda n: Batch(EnvConfig("classic", 3), 4, seed=n).get_deal(3)),
    Entry(Batch.set_deal, "i", 1, lambda n: redealt(n, 2)),
    Entry(Batch.set_deal, "dealer", 2, lambda n: redealt(1, n)),
    Entry(Batch.get_deal, "i", 127, lambda n: dealt().get_deal(n)),
    Entry(Batch.observe, "i", 127, lambda n: observation_at(n, 2)),
    Entry(Batch.observe, "seat", 2, lambda n: observation_at(3, n)),
    Entry(Batch.hands, "i", 127, lambda n: dealt().hands(n).tolist()),
    Entry(Batch.public_state, "i", 127, lambda n: dealt().public_state(n)),
    Entry(features, "players", 3, lambda n: features("classic", n)),
    Entry(ActionSpace.encode, "seat", 3, lambda n: SPACE.encode(parse_move("Wx>1"), n, 4)),
    Entry(ActionSpace.encode, "players", 4, lambda n: SPACE.encode(parse_move("Wx>1"), 3, n)),
    Entry(ActionSpace.decode, "action_id", 8, lambda n: SPACE.decode(n, 3, 10)),
    Entry(ActionSpace.decode, "seat", 3, lambda n: SPACE.decode(8, n, 10)),
    Entry(ActionSpace.decode, "players", 10, lambda n: SPACE.decode(8, 3, n)),
    Entry(pettingzoo.env, "players", 3, lambda n: asked(players=n)),
    Entry(pettingzoo.env, "max_cycles", 100, lambda n: asked(max_cycles=n)),
    Entry(pettingzoo.env.reset, "seed", 100, lambda n: asked(reset=n)),
    Entry(rlcard.make, "players", 3, lambda n: made_game(players=n)),
    Entry(rlcard.make, "seed", 100, lambda n: made_game(seed=n)),
    Entry(Game.get_state, "player_id", 2, lambda n: repr(card_game().get_state(n))),
    Entry(Game.hand, "player_id", 2, lambda n: card_game().hand(n)),
    Entry(GameParameters, "players", 3, lambda n: types_of(GameParameters("classic", players=n))),
    Entry(GameParameters, "hand_size", 5, lambda n: types_of(GameParameters("classic", hand_size=n))),
    Entry(GameParameters, "dealer", 1, lambda n: types_of(GameParameters("classic", dealer=n))),
    Entry(GameParameters, "max_steps", 100, lambda n: types_of(GameParameters("classic", max_steps=n))),
    Entry(GameParameters, "history", 3, lambda n: types_of(GameParameters("classic", history=n))),
    Entry(
        GameState.child,
        "action",
        playing_state().legal_actions()[0],
        lambda n: playing_state().child(n).history().tolist(),
    ),
    Entry(GameState.observed_history, "seat", 2, lambda n: playing_state().observed_history(n).tolist()),
    Entry(GameState.hand, "seat", 2, lambda n: playing_state().hand(n)),
    Entry(GameState.drawn, "seat", 2, lambda n: playing_state().drawn(n)),
    Entry(GameState.observe, "seat", 2, lambda n: playing_state().observe(n).tolist()),
    Entry(GameState.write_recent_actions, "seat", 2, recalled),
    Entry(GameState.resample, "seed", 100, lambda n: playing_state().resample(n)._states.tobytes()),
    Entry(
        type(secret_state()).child,
        "action",
        secret_state().legal_actions()[0],
        lambda n: secret_state().child(n).legal_actions(),
    ),
    Entry(
        type(playing_state()).child,
        "action",
        playing_state().legal_actions()[-1],
        lambda n: playing_state().child(n).history().tolist(),
    ),
    Entry(simulate, "players", 3, lambda n: simulate(players=n, rounds=5, seed=1, threads=1)),
    Entry(simulate, "rounds", 100, lambda n: simulate(players=2, rounds=n, seed=1, threads=1)),
    Entry(simulate, "threads", 2, lambda n: simulate(players=2, rounds=5, seed=1, threads=n)),
    Entry(simulate, "seed", 100, lambda n: simulate(players=2, rounds=5, seed=n, threads=1)),
    Entry(play_rounds, "rounds", 100, lambda n: play_rounds(plan(), n, 1, int).tolist()),
    Entry(play_rounds, "threads", 2, lambda n: play_rounds(plan(), 5, n, int).tolist()),
    Entry(tally_rounds, "rounds", 100, lambda n: tally_rounds(plan(), n)),
    Entry(run_arena, "players", 2, lambda n: run_arena("classic", n, ["random"], 1, 1, workers=1).plan),
    Entry(run_arena, "rounds", 3, lambda n: run_arena("classic", 2, ["random"], n, 1, workers=1).summarize()),
    Entry(run_arena, "workers", 1, lambda n: run_arena("classic", 2, ["random"], 1, 1, workers=n).plan),
    Entry(run_arena, "seed", 100, lambda n: run_arena("classic", 2, ["random"], 1, n, workers=1).plan),
    Entry(Plan.make, "seed", 100, lambda n: Plan.make("classic", 3, ["sharp"], n)),
    Entry(Plan.make, "players", 3, lambda n: Plan.make("classic", n, ["sharp"], 5)),
    Entry(Plan.dealer, "number", 100, lambda n: plan().dealer(n)),
    Entry(Plan.deal_round, "number", 100, lambda n: plan().deal_round(n).state_bytes()),
    Entry(Plan.seatings, "number", 100, lambda n: plan().seatings(n)),
    Entry(Plan.make_bot, "number", 100, lambda n: decided(plan().make_bot("sharp", n))),
    Entry(Plan.make_bot, "seat", 2, lambda n: decided(plan().make_bot("sharp", 0, n))),
    Entry(Plan.play, "number", 101, lambda n: plan().play(n)),
    *(
        Entry(SearchConfig, name, 1, partial(made_with, SearchConfig, name))
        for name in ("rollouts", "deals", "burn", "thin", "likelihood_plays", "threads", "habits")
    ),
    *(
        Entry(Behavior, name, 88, partial(made_with, Behavior, name))
        for name in ("calls", "catches", "jumps", "bluffs", "challenges")
    ),
    Entry(SeededBot, "blunder_rate", 50, lambda n: decided(HeuristicBot(b"x", blunder_rate=n))),
    Entry(HeuristicBot, "blunder_rate", 50, lambda n: decided(HeuristicBot(b"x", blunder_rate=n))),
    Entry(
        SearchBot,
        "blunder_rate",
        50,
        lambda n: decided(SearchBot(b"x", blunder_rate=n, config=SearchConfig(**MINIMAL_SETTINGS))),
    ),
    Entry(make_bot, "seed", 100, lambda n: make_bot("sharp", n).seed),  # type: ignore[attr-defined]
    Entry(play, "seed", 100, lambda n: play(Match("all-wild", 2, seed=1), "random", seed=n).moves),
    Entry(play, "rounds", 2, lambda n: play(Match("classic", 2, seed=1), "sharp", rounds=n).moves),
    Entry(make_bot, "seat", 3, lambda n: make_bot("sharp", b"x", n).seed),  # type: ignore[attr-defined]
    Entry(Search.rank_moves, "seed", 100, lambda n: weighed("weigh", n)),
    Entry(MoveEvaluator.play_mixed, "seed", 100, lambda n: weighed("mix", n)),
    Entry(MoveEvaluator.play_mixed, "deals", 2, lambda n: weighed("mix", 1, n)),
    Entry(MoveEvaluator.rank_moves, "seed", 100, lambda n: weighed("find", n)),
    Entry(MoveEvaluator.evaluate, "seed", 100, lambda n: weighed("judge", n)),
    *(
        Entry(Training, name, 100, partial(made_with, partial(Training, "classic", Path("nowhere")), name))
        for name in ("positions", "epochs", "seed", "workers", "steps")
    ),
    Entry(tune, "players", 2, lambda n: tune("classic", n, 1, 3).tolist()),
    Entry(tune, "generations", 1, lambda n: tune("classic", 2, n, 3).tolist()),
    Entry(tune, "deals", 3, lambda n: tune("classic", 2, 1, n).tolist()),
    Entry(tune, "seed", 100, lambda n: tune("classic", 2, 1, 3, n).tolist()),
    Entry(win_share, "players", 2, lambda n: win_share("classic", n, np.zeros(COUNT), None, 2, 1)),
    Entry(win_share, "deals", 100, lambda n: win_share("classic", 2, np.zeros(COUNT), None, n, 1)),
    Entry(win_share, "seed", 100, lambda n: win_share("classic", 2, np.zeros(COUNT), None, 2, n)),
    Entry(make_report, "rollouts", 3, lambda n: reported(rollouts=n)),
    Entry(make_report, "threads", 2, lambda n: reported(threads=n)),
    Entry(make_report, "seed", 100, lambda n: reported(seed=n)),
    Entry(estimate_chances, "rollouts", 3, lambda n: estimate_chances(replayed_round(), n, 1).account(1).tobytes()),
    Entry(estimate_chances, "seed", 100, lambda n: estimate_chances(replayed_round(), 8, n).account(1).tobytes()),
    Entry(find_winning_line, "i", 1, lambda n: find_winning_line(replayed_round(), n)),
    Entry(estimate_levels, "players", 4, lambda n: estimate_levels("classic", n, Estimate(1.0, 0.05))),
    Entry(parse_seed, "seed", 100, parse_seed),
]
HASHING: Final = {
    *(envs.batch, envs.vector, pettingzoo.env.reset, Batch, simulate, run_arena, Plan.make, make_report, parse_seed),
    *(make_bot, play),
}  # fmt: skip
"""Functions that take any text and any number as a seed."""


def name_of(entry: Entry) -> str:
    return f"{entry.of.__qualname__} {entry.name}"


def outcome(entry: Entry, value: Any) -> Any:
    """The interpretation of a number, as text."""
    return repr(entry.call(value))


def test_every_parameter_that_is_an_integer_is_tested() -> None:
    """Every function and class with an entry counts, so that a new parameter gets one."""
    tested = {(entry.of, entry.name) for entry in ENTRIES}
    asked = {
        (of, name)
        for of in {entry.of for entry in ENTRIES}
        for name, parameter in inspect.signature(of).parameters.items()
        if "int" in str(parameter.annotation).split(" | ") or parameter.annotation == "Seed"
    }
    missing = sorted(f"{of.__qualname__} {name}" for of, name in asked - tested)
    assert not missing


@pytest.mark.parametrize("entry", ENTRIES, ids=name_of)
def test_every_integer_counts_as_pythons(entry: Entry) -> None:
    """Some of NumPy's small ones passed the checks and overflowed in later arithmetic."""
    expected = outcome(entry, entry.value)
    for kind in KINDS:
        assert outcome(entry, kind(entry.value)) == expected, kind


@pytest.mark.parametrize("entry", ENTRIES, ids=name_of)
def test_no_truth_value_and_no_fraction_counts_as_an_integer(entry: Entry) -> None:
    some: tuple[Any, ...] = (True, np.True_, np.array(True), 1 + 0j)
    others: tuple[Any, ...] = (2.0, np.float32(2.0), "two")
    for value in some if entry.name == "seed" and entry.of in HASHING else (*some, *others):
        with pytest.raises(UsageError, match=r"is a whole number|a seed is a text, a number, 32 bytes or None"):
            entry.call(value)


@pytest.mark.parametrize("kind", [*KINDS, np.array])
def test_every_integer_is_an_action(kind: Any) -> None:
    actions: list[Any] = []
    for made in (int, kind):
        one, other = pettingzoo.env("classic", 2), rlcard.make("classic", 2, seed=1)
        one.reset(seed=1)
        one.step(made(int(one.infos[one.agent_selection]["action_mask"].argmax())))
        state, _ = other.reset()
        seen, player = other.step(made(next(iter(state["legal_actions"]))))
        actions.append((one.record(), repr(seen["raw_obs"]), player))
    assert actions[0] == actions[1]


@pytest.mark.parametrize("value", [True, np.True_, 2.0, np.float32(2.0), "two"], ids=repr)
def test_no_truth_value_and_no_fraction_is_an_action(value: Any) -> None:
    one, other = pettingzoo.env("classic", 2), rlcard.make("classic", 2, seed=1)
    one.reset(seed=1)
    other.reset()
    with pytest.raises(UsageError, match="steps with the number of an action"):
        one.step(value)
    with pytest.raises(UsageError, match=r"is not legal for player|an action is a number"):
        other.step(value)


FRACTIONS: Final = [
    *(
        Entry(SearchConfig, name, 1, partial(made_with, SearchConfig, name))
        for name in ("milliseconds", "horizon", "rationality", "deviation", "prior")
    ),
    Entry(Behavior, "pace", 1, lambda x: types_of(Behavior(pace=x))),
]


@pytest.mark.parametrize("entry", FRACTIONS, ids=name_of)
def test_every_number_counts_as_pythons(entry: Entry) -> None:
    for kind in KINDS:
        assert outcome(entry, kind(1)) == outcome(entry, 1), kind
    for float_kind in (np.float16, np.float32, np.float64):
        assert outcome(entry, float_kind(0.5)) == outcome(entry, 0.5), float_kind
    for wrong in (
        True,
        np.True_,
        "1",
        1 + 0j,
        float("nan"),
        float("inf"),
        -1,
        np.int8(-1),
        *([None] * (entry.name != "milliseconds")),
    ):
        with pytest.raises(UsageError, match=f"{entry.name} is a number from "):
            entry.call(wrong)


@pytest.mark.parametrize("seconds", [True, np.True_, "2", None, 0, -1, float("nan"), 3601, np.float32(1e9)], ids=repr)
def test_an_invalid_time_limit_is_refused(seconds: Any) -> None:
    """Such a limit is refused before the program starts."""
    with pytest.raises(UsageError, match=r"a time limit in seconds is a number from 0.001 to 3,600, not "):
        ExternalBot(["nothing-here"], seconds=seconds)


def test_errors_state_the_range_of_numbers() -> None:
    calls: tuple[tuple[Callable[[], object], str], ...] = (
        (lambda: require_int("n", 1.5), "n is a whole number, not 1.5"),
        (lambda: require_int("n", np.uint8(0), 1), "n is a whole number from 1 on, not 0"),
        (lambda: require_int("n", 10**6, 1, 1000), "n is a whole number from 1 to 1,000, not 1000000"),
        (lambda: require_number("x", np.float32(2), 0, 1.5), "x is a number from 0 to 1.5, not 2.0"),
    )
    for call, said in calls:
        with pytest.raises(UsageError) as caught:
            call()
        assert str(caught.value) == said
