"""The OpenSpiel adapter: OpenSpiel's tests and algorithms, our bots, names and wrong use."""

from __future__ import annotations

import pickle
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest

pytest.importorskip("pyspiel")

import pyspiel
from open_spiel.python import policy
from open_spiel.python.algorithms import cfr, exploitability, ismcts, mcts
from open_spiel.python.bots import policy as policy_bot
from open_spiel.python.bots import uniform_random

from lastcard.bots.registry import make_bots
from lastcard.envs.compiled.tree import CHANCE, TERMINAL
from lastcard.envs.openspiel.policies import BotPolicy, OpenSpielBot
from lastcard.errors import LastcardError, RulesError, UsageError
from support.openspiel_play import load_game, play_randomly

GAMES = ["all_wild", "classic", "wild_jackpot"]
TINY = "python_lastcard_classic(deck=R1 R2 B1 R+2,hand_size=1,max_steps=4)"


# --- OpenSpiel's own tests --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "players", "rules", "returns"),
    [
        *((game, *table) for game in GAMES for table in ((2, "", "wins"), (4, "", "points"), (10, "", "wins"))),
        ("all_wild", 3, "stacking:cross+jump_in", "points"),
        ("classic", 4, "harsh", "wins"),
        ("classic", 4, "team_play", "wins"),
        ("classic", 4, "team_play", "points"),
        ("classic", 3, "scoring:tally+wd4_mode:challenge+challenge_by:anyone", "points"),
        ("wild_jackpot", 3, "wj_number_distribution:0-9_random+wj_discard_jackpot:pull", "wins"),
    ],
)
def test_random_simulation(game: str, players: int, rules: str, returns: str) -> None:
    made = load_game(game, players=players, rules=rules, returns=returns, max_steps=120 if players < 10 else 60)
    pyspiel.random_sim_test(made, 1, serialize=True, verbose=False)


@pytest.mark.parametrize("game", GAMES)
def test_whole_rounds_end_within_the_limits_of_the_game(game: str) -> None:
    made = load_game(game, players=3)
    state = made.new_initial_state()
    states = list(play_randomly(state, seed=5))
    assert states[-1].current_player == TERMINAL and sum(state.returns()) == pytest.approx(0)
    assert sum(game_state.current_player == CHANCE for game_state in states) <= made.max_chance_nodes_in_history()
    assert sum(game_state.current_player >= 0 for game_state in states) <= made.max_game_length()


@pytest.mark.parametrize("game", GAMES)
def test_playthrough(game: str) -> None:
    from open_spiel.python.algorithms import generate_playthrough  # with SciPy, a second of every worker else

    name = f"python_lastcard_{game}(players=2,max_steps=12)"
    text = generate_playthrough.playthrough(name, None, seed=3)
    assert f'GameType.short_name = "python_lastcard_{game}"' in text and "IsTerminal() = True" in text
    actions = [int(line.split()[-1]) for line in text.splitlines() if line.startswith("action: ")]
    assert generate_playthrough.playthrough(name, actions, seed=4) == text


@pytest.mark.parametrize("game", GAMES)
def test_fast_methods_equal_those_of_openspiel(game: str) -> None:
    """Fast answers of the adapter equal those that OpenSpiel computes with callbacks, before and after the end."""
    made, own = load_game(game, players=3, max_steps=30), pyspiel.State
    state = made.new_initial_state()
    for game_state in play_randomly(state, seed=4):
        assert state.is_chance_node() == own.is_chance_node(state)
        assert state.legal_actions() == own.legal_actions(state)
        for seat in range(3):
            if game_state.current_player != CHANCE:
                assert state.legal_actions(seat) == own.legal_actions(state, seat)
            assert state.observation_tensor(seat) == own.observation_tensor(state, seat)
        if game_state.current_player >= 0:
            assert state.observation_tensor() == own.observation_tensor(state)
    for seat in (-1, 3):
        with pytest.raises(UsageError, match="a seat is a whole number from 0 to 2"):
            state.observation_tensor(seat)


# --- OpenSpiel's algorithms, and our bots ----------------------------------------------------------------


def test_cfr_finds_play_that_cannot_be_exploited() -> None:
    made = pyspiel.load_game(TINY)
    solver = cfr.CFRPlusSolver(made)
    gaps = [exploitability.nash_conv(made, policy.UniformRandomPolicy(made))]
    for _ in range(2):
        for _ in range(3):
            solver.evaluate_and_update_policy()
        gaps.append(exploitability.nash_conv(made, solver.average_policy()))
    assert gaps[0] > 0.4 and gaps[1] < gaps[0] / 4 and gaps[2] < gaps[1] / 2


def test_our_bots_can_be_measured_and_play_at_openspiels_tables() -> None:
    made = pyspiel.load_game(TINY)
    gap = exploitability.nash_conv(made, BotPolicy(made, make_bots(["sharp"] * 2, b"")))
    assert 0 < gap <= 2
    with pytest.raises(UsageError, match="1 bots are given for 2 seats"):
        BotPolicy(made, make_bots(["sharp"], b""))
    whole = load_game("all_wild", players=3)
    paid = pyspiel.evaluate_bots(
        whole.new_initial_state(), [OpenSpielBot(bot) for bot in make_bots(["sharp", "random", "sharp"], b"")], 1
    )
    assert sorted(paid) == [-0.5, -0.5, 1]


def test_its_searchers_play() -> None:
    made = load_game("classic", deck="R1*2 R2*2 B1*2 B2*2 W*2", hand_size=3, max_steps=20)
    dice = np.random.RandomState(1)
    searchers = [
        mcts.MCTSBot(made, 2, 8, mcts.RandomRolloutEvaluator(1, dice), random_state=dice),
        ismcts.ISMCTSBot(made, mcts.RandomRolloutEvaluator(1, dice), 2, 8, random_state=dice),
    ]
    state = made.new_initial_state()
    for game_state in play_randomly(state, seed=1):
        for searcher in searchers if game_state.current_player >= 0 else ():
            assert searcher.step(state) in game_state.legal_actions()


def python_bots(made: Any, player: int) -> dict[str, Any]:
    """OpenSpiel's bots in Python for any game."""
    dice = np.random.RandomState(player)
    rollouts = mcts.RandomRolloutEvaluator(1, dice)
    return {
        "mcts.MCTSBot": mcts.MCTSBot(made, 2, 4, rollouts, random_state=dice),
        "ismcts.ISMCTSBot": ismcts.ISMCTSBot(made, rollouts, 2, 4, random_state=dice),
        "uniform_random.UniformRandomBot": uniform_random.UniformRandomBot(player, dice),
        "policy.PolicyBot": policy_bot.PolicyBot(player, dice, policy.UniformRandomPolicy(made)),
    }


UNIFORM: Final = pyspiel.UniformPolicy()
"""Its bots hold no reference to it."""


def compiled_bots(made: Any, player: int) -> dict[str, Any]:
    """OpenSpiel's bots in C++ for games in Python."""
    parameters = {"actions": ":".join(map(str, range(made.num_distinct_actions())))}
    return {
        "make_uniform_random_bot": pyspiel.make_uniform_random_bot(player, 1),
        "make_stateful_random_bot": pyspiel.make_stateful_random_bot(made, player, 1),
        "make_policy_bot": pyspiel.make_policy_bot(made, player, 1, UNIFORM),
        'load_bot("fixed_action_preference", …)': pyspiel.load_bot("fixed_action_preference", made, player, parameters),
    }


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("kind", [python_bots, compiled_bots])
def test_every_bot_of_openspiel_plays_as_the_page_says(kind: Callable[[Any, int], dict[str, Any]], game: str) -> None:
    page = (Path(__file__).parents[2] / "docs" / "envs" / "openspiel.md").read_text(encoding="utf-8")
    made = load_game(game, players=3, max_steps=12)
    for name in kind(made, 0):
        assert re.search(rf"^\| `\S*{re.escape(name)}` \| (Python|C\+\+) \| yes", page, re.MULTILINE), name
        paid = pyspiel.evaluate_bots(made.new_initial_state(), [kind(made, player)[name] for player in range(3)], 1)
        assert len(paid) == 3


# --- names and wrong use ------------------------------------------------------------------------------------


@pytest.mark.parametrize("rules", ["stacking=same+jump_in", "stacking:same+jump_in"])
def test_the_name_of_a_game_has_all_parameters(rules: str) -> None:
    made = load_game("classic", players=3, rules=rules, deck="R1*20 B1*20 W*4", hand_size=4)
    assert made.config.rules.options.stacking == "same" and made.config.rules.options.jump_in
    again = pickle.loads(pickle.dumps(made))
    assert str(again) == str(made) and again.config is made.config


@pytest.mark.parametrize(
    ("parameters", "error", "words"),
    [
        ({"players": 11}, UsageError, "2 to 10 players"),
        ({"rules": "stacking:never"}, RulesError, "stacking"),
        ({"deck": "Wj*40"}, UsageError, "classic has no Wj"),
        ({"deck": "R1 R2"}, UsageError, "need a deck of 15 to 128 cards, not 2"),
        ({"deck": "R99"}, LastcardError, "not a card"),
        ({"hand_size": -1}, UsageError, "hand_size is a whole number from 0 on, not -1"),
        (
            {"hand_size": 500},
            UsageError,
            "2 hands of 500 need more than the 128 cards a deck may have; hand_size is 63 at most",
        ),
        ({"returns": "money"}, UsageError, "wins, points"),
        ({"dealer": 2}, UsageError, "seats 0 to 1"),
        ({"max_steps": 0}, UsageError, "max_steps is a whole number from 1 to"),
    ],
)
def test_invalid_games_are_refused(parameters: dict[str, object], error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        load_game("classic", **parameters)


def test_a_deck_has_no_numbers_that_its_rules_have_not() -> None:
    with pytest.raises(UsageError, match=r"has no R8; it has R0 .* R7 Rs"):
        load_game("wild_jackpot", rules="wj_number_distribution:0_1-7", deck="R8*20")


def test_invalid_actions() -> None:
    made = load_game("classic")
    state = made.new_initial_state()
    with pytest.raises(UsageError, match="999 is not among 0 \\(R0\\)"):
        state.apply_action(999)
    with pytest.raises(UsageError, match="still being dealt"):
        state.game_state.make_round()
    with pytest.raises(UsageError, match="the seat that is to act"):
        state.resample_from_infostate(0, lambda: 0.5)
    with pytest.raises(UsageError, match="take no parameters"):
        made.make_py_observer(None, {"color": "red"})
    everyone = pyspiel.PrivateInfoType.ALL_PLAYERS
    with pytest.raises(UsageError, match="SINGLE_PLAYER or NONE, not ALL_PLAYERS"):
        made.make_py_observer(pyspiel.IIGObservationType(perfect_recall=False, private_info=everyone))
    *_, game_state = play_randomly(state, seed=1)
    with pytest.raises(UsageError, match="the round is over"):
        game_state.child(0)
