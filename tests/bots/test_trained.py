"""Trained networks: their input, that they are computed as trained, and that they help."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np
import pytest

from lastcard.ai import opponent_memory, policy_features, policy_net
from lastcard.ai import prior_net as kernel
from lastcard.ai.decision import LATE_TURNS
from lastcard.arena.arena import run_arena
from lastcard.bots.base import list_turn_moves
from lastcard.bots.registry import make_bot
from lastcard.bots.search import Search, SearchConfig
from lastcard.bots.simple_bots import TrainedBot
from lastcard.bots.weights import habits, load_policy_net, load_prior_net, load_reference_net, load_value_net
from lastcard.bots.workspace import count_deck
from lastcard.game import action_codes
from lastcard.game.cards import BLUE, GREEN, RED, YELLOW
from lastcard.game.moves import Move, action_to_move, move_to_action, parse_move
from lastcard.game.position import parse_position
from lastcard.game.rulesets import GAMES
from lastcard.match.round import Round
from lastcard.match.view import View
from lastcard.rules import legal
from lastcard.rules.layout import MAX_ACTIONS, MAX_SEATS
from lastcard.training.position_data import DATA_SOURCES, DataSource, DecisionData, make_decisions, make_positions
from lastcard.training.search_data import make_search_decisions
from support.compiled import compiled
from support.random_play import seeded, seeds, walk

NOBODY: Final = np.zeros(0, np.float32)
"""In place of a network: all play by the heuristic policy."""


def new_memory() -> Any:
    return np.zeros((MAX_SEATS, opponent_memory.MEMORY_COLUMNS), np.int64)


@compiled
def _remember(tables: Any, m: Any, seat: int, action: int) -> None:
    opponent_memory.record_action(tables[0], m, seat, action)


@compiled
def _recollect(tables: Any, m: Any, words: Any) -> None:
    opponent_memory.replay_history(tables[0], m, words)


@compiled
def _read(tables: Any, m: Any, seat: int, action: int, deck: Any, unseen: Any, state: Any, move_features: Any) -> None:
    policy_features.read_state(tables[0], m, seat, state)
    policy_features.count_unseen(tables[0], seat, deck, unseen)
    policy_features.read_action(tables[0], m, seat, action, unseen, move_features)


@compiled
def _list_choices(tables: Any, seat: int, out: Any) -> int:
    if not policy_net.is_trained_for(tables[0]):
        return -1
    return legal.list_choices(tables[0], seat, out)


def memory_from_view(table: Round, seat: int) -> Any:
    """A seat's memory of its opponents, from its view."""
    m = new_memory()
    _recollect(table._states.copy(), m, np.frombuffer(table.view(seat).history, np.int32))
    return m


# --- memory ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
def test_opponent_memory_follows_the_history(game: str) -> None:
    """The memory filled move by move in training equals the one from any seat's view."""
    noted = 0
    for seed in range(4):
        table = Round.deal(game, 2 + seed, seed=seed)
        bots = [make_bot("heuristic", bytes([seed]) * 32, seat) for seat in range(table.players)]
        lived = new_memory()
        while not table.over:
            move = bots[table.turn].choose(table.view(table.turn))
            _remember(table._states, lived, table.turn, move_to_action(move))
            table.do(table.turn, move)
            assert (memory_from_view(table, seed % table.players) == lived).all()
            noted += int(lived[:, : opponent_memory.HELD].any())
    assert (noted > 0) == (game != "all-wild")


def test_a_draw_marks_the_color_as_missing() -> None:
    """CL-18: with each later card it is less sure; a named color is remembered (CL-22)."""
    table = Round.from_position(
        parse_position({"rules": "classic", "hands": ["R1 R2 W G8", "B1 B2 B8"], "discard": "R9", "draw": "Y5 Y6 Y7"})
    )
    for seat, move in ((0, "R1"), (1, "draw"), (0, "W=B")):
        table.do(seat, parse_move(move))
        if seat == 1:
            assert memory_from_view(table, 0)[1, RED] == 1
    m = memory_from_view(table, 1)
    assert m[1, RED] == 2 and not m[1, [YELLOW, GREEN, BLUE]].any()
    assert m[0, opponent_memory.NAMED] == BLUE + 1


# --- features --------------------------------------------------------------------------------------


def read_features(table: Round, move: Move) -> tuple[Any, Any]:
    """The features of the position and of a move, each followed by a seven."""
    state, of_move = (np.full(n + 1, 7.0, np.float32) for n in (policy_features.STATE, policy_features.ACTION))
    seat, unseen = table.turn, np.zeros(policy_features.UNSEEN, np.float32)
    deck = count_deck(table.view(seat).rules)
    _read(table._states, memory_from_view(table, seat), seat, move_to_action(move), deck, unseen, state, of_move)
    return state, of_move


def test_features_fit_their_buffer_under_any_rules() -> None:
    """At random moments of random rounds every number is finite and inside its own part."""
    seen = 0
    for seed in seeds(10):
        with seeded(seed) as rng:
            for table in walk(seed, rng, 40):
                if table.over or rng.random() > 0.4:
                    continue
                for move in list_turn_moves(table.view(table.turn)):
                    state, move_features = read_features(table, move)
                    assert np.isfinite(state).all() and np.isfinite(move_features).all()
                    assert state[-1] == move_features[-1] == 7.0
                    seen += 1
    assert seen > 200


# --- the network -----------------------------------------------------------------------------------


def policy_ratings(view: View) -> dict[Move, float]:
    """The policy net's ratings of its choices; empty if there is only one."""
    bot = TrainedBot()
    bot.choose(view)
    weighing = bot._workspace.search_states[0]
    moves = [action_to_move(action) for action in weighing["actions"][: weighing["choices"]].tolist()]
    return dict(zip(moves, bot._workspace.scratch.values.tolist(), strict=False)) if len(moves) > 1 else {}


def prior_ratings(view: View, moves: Sequence[Move | None] | None = None) -> dict[Move | None, float]:
    """The prior net's ratings of moves, or of all choices."""
    moves = list_turn_moves(view) if moves is None else moves
    search = Search(SearchConfig(prior=1.0, deals=1, burn=0))
    weighing = search.load_decision(view, moves, 1)
    search._start_search(1)
    return dict(zip(moves, weighing["prior"].tolist(), strict=False))


Rater = tuple[Callable[[str], Any], Callable[[View], Any], tuple[int, ...]]
POLICY: Final[Rater] = (load_policy_net, policy_ratings, (policy_net.HIDDEN_UNITS,))
PRIOR: Final[Rater] = (load_prior_net, prior_ratings, (kernel.HIDDEN_UNITS, kernel.SECOND_UNITS))


def compute(x: Any, net: Any, widths: tuple[int, ...]) -> float:
    """The same layers in NumPy."""
    at = 0
    for width in widths:
        weights, biases = net[at : at + x.size * width].reshape(x.size, width), net[at + x.size * width :][:width]
        at += x.size * width + width
        x = np.maximum(x @ weights + biases, 0)
    assert net[at:].shape == x.shape
    return float(x @ net[at:])


@pytest.mark.parametrize("rater", [POLICY, PRIOR])
@pytest.mark.parametrize("game", GAMES)
def test_the_network_is_computed_as_it_was_trained(game: str, rater: Rater) -> None:
    """The result equals NumPy's, on the kernel's features."""
    learned, rate, widths = rater
    net = learned(game)
    assert net.nbytes < 2_000_000
    for seed in range(5):
        table = Round.deal(game, 2 + seed, seed=seed)
        while table.decision != "play":  # the first card may ask a question
            table.do(table.turn, list_turn_moves(table.view(table.turn))[0])
        view = table.view(table.turn)
        for move, worth in rate(view).items():
            x = np.concatenate([features[:-1] for features in read_features(table, move)])
            assert worth == pytest.approx(compute(x, net, widths), abs=1e-4)


def test_networks_are_unused_with_jump_ins_and_teams() -> None:
    """LC-41, 6.8: only the heuristic policy and the search decide there."""
    table = Round.deal("classic+jump_in", 3, seed=1)
    other = (table.turn + 1) % 3
    assert not any(prior_ratings(table.view(other), [None]).values())
    table = Round.deal("classic+team_play", 4, seed=1)
    view = table.view(table.turn)
    assert not any(prior_ratings(view).values()) and not any(policy_ratings(view).values())
    trained, sharp = (make_bot(name, bytes(32), 0) for name in ("trained", "heuristic"))
    assert trained.choose(view) == sharp.choose(view)


def test_a_search_can_follow_the_prior_net_alone() -> None:
    """With all weight on the prior, the search chooses the policy net's move."""
    agreed = 0
    for seed in range(12):
        view = (table := Round.deal("classic", 3, seed=seed)).view(table.turn)
        moves = list_turn_moves(view)
        best = max(moves, key=prior_ratings(view).__getitem__)
        heeding = Search(SearchConfig(rollouts=200, deals=32, burn=20, prior=1000.0)).rank_moves(view, moves, 1)
        assert heeding[0].move == best
        agreed += Search(SearchConfig(rollouts=200, deals=32, burn=20)).rank_moves(view, moves, 1)[0].move == best
    assert agreed < 12


def test_the_policy_net_beats_rules_of_thumb() -> None:
    """A clear gap in 600 duplicate rounds: the training helps."""
    wins = run_arena("classic", 2, ["trained", "sharp"], 300, seed=5, workers=1).entries["trained"].wins
    assert wins.low > 0.5


@pytest.mark.parametrize("seats", [2, 3])
@pytest.mark.parametrize("game", GAMES)
def test_policy_net_players_do_not_draw_without_end(game: str, seats: int) -> None:
    """Drawing may be better than laying a card; still every round ends, and nobody draws by choice late.

    Nobody does on turns in succession either, except with two players, where waiting pays.
    """
    for seed in range(6):
        table = Round.deal(game, seats, seed=seed)
        bots = [make_bot("trained", bytes([seed]) * 32, seat) for seat in range(seats)]
        drew, turns = [False] * seats, [0] * seats
        plies = 0
        while not table.over:
            seat, view = table.turn, table.view(table.turn)
            move = bots[seat].choose(view)
            if table.decision == "play":
                if move.verb == "draw" and any(other.verb == "play" for other in view.legal):
                    assert turns[seat] <= LATE_TURNS
                    assert seats == 2 or not drew[seat]
                drew[seat] = move.verb == "draw"
                turns[seat] += 1
            table.do(seat, move)
            plies += 1
        assert plies < 600


# --- training data ---------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
def test_positions_and_decisions_are_the_same_for_the_same_seed(game: str) -> None:
    for rules, players in DATA_SOURCES[game][3:5]:
        source = DataSource(rules, players, 4)
        for one, two in zip(make_positions(20, source), make_positions(20, source), strict=True):
            assert (one == two).all()
        for net in (NOBODY, load_policy_net(game)):
            how = (20, 2, net, source)
            for one, two in zip(make_decisions(*how), make_decisions(*how), strict=True):
                assert (one == two).all()


def test_search_decisions_are_reproducible() -> None:
    """Decisions are the same for the same seed, several moves apart, with values that are shares of rounds."""
    how = (12, 4, load_policy_net("classic"), load_value_net("classic"))
    one, two, other = (make_search_decisions(*how, DataSource("classic", 2, seed)) for seed in (1, 1, 2))
    assert all(map(np.array_equal, one, two)) and not all(map(np.array_equal, one, other))
    xs, actions, ends, ys = one
    assert xs.shape == (12, policy_features.STATE)
    assert actions.shape == (ends[-1], policy_features.ACTION) and ys.shape == (ends[-1],)
    assert (np.diff(ends, prepend=0) > 1).all() and set(ys.tolist()) <= {0, 0.25, 0.5, 0.75, 1}
    assert len({tuple(x) for x in xs.tolist()}) > 9


@pytest.mark.parametrize("learned", [load_value_net, load_policy_net, load_reference_net, load_prior_net, habits])
def test_weights_are_cached_once_for_a_game(learned: Callable[[str], Any]) -> None:
    """A server has tables with any number of rulesets."""
    for game in GAMES:
        assert learned(f"{game}+team_play") is learned(f"{game}+draw_keeps_turn") is learned(game)


def test_data_generation_uses_no_shipped_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise training would change its own data."""
    net, value_net = load_policy_net("all-wild"), load_value_net("all-wild")

    def refuse(name: str) -> Any:
        raise AssertionError(f"{name} was read")

    monkeypatch.setattr("lastcard.bots.weights._load", refuse)
    assert len(make_search_decisions(4, 1, net, value_net, DataSource("all-wild", 2, 1))[0]) == 4


def test_rollouts_by_the_policy_net_give_other_targets() -> None:
    by_heuristic, learned = (
        make_decisions(40, 4, net, DataSource("classic", 2, 4)) for net in (NOBODY, load_policy_net("classic"))
    )
    assert by_heuristic[0].shape == learned[0].shape and not all(map(np.array_equal, by_heuristic, learned))


@pytest.mark.parametrize("rules", ["classic", "classic+harsh", "all-wild+stacking=cross", "wild-jackpot+seven_zero"])
def test_choices_are_the_legal_moves_without_calls(rules: str) -> None:
    """``list_choices`` equals ``list_actions`` wherever the network decides."""
    table, rng, seen = Round.deal(rules, 3, seed=2), random.Random(2), 0
    for _ in range(600):
        if table.over:
            table = Round.deal(rules, 3, seed=rng.randrange(10**6))
        found = np.zeros(MAX_ACTIONS, np.int64)
        n = _list_choices(table._states, table.turn, found)
        expected = [
            action
            for action in table.legal_actions(table.turn)
            if action & 255 not in (action_codes.UNO, action_codes.CATCH)
        ]
        if n >= 0:
            seen += 1
            assert found[:n].tolist() == expected
        table.do(table.turn, action_to_move(rng.choice(expected)))
    assert seen > 300


def test_the_rows_of_decisions_are_their_moves() -> None:
    """Joined parts keep every decision with its own moves and shares."""
    parts = [make_decisions(30, 16, NOBODY, DataSource("classic", players, 9)) for players in (2, 4)]
    joined = DecisionData.join(parts)
    xs, actions, ends, ys = parts[1]
    assert len(joined.ends) == 60 and joined.ends[-1] == len(joined.ys) and (np.diff(joined.ends) > 1).all()
    inputs, shares, decision = joined.rows(np.array([0, 34]))
    begin, end = int(ends[3]), int(ends[4])
    mine = decision == 1
    assert mine.sum() == end - begin and (shares[mine] == ys[begin:end]).all()
    assert (inputs[mine][:, policy_features.STATE :] == actions[begin:end]).all()
    assert (inputs[mine][:, : policy_features.STATE] == xs[4]).all()
    assert joined.ys.min() >= 0 and joined.ys.max() <= 1 + 1e-6 and len(set(joined.ys.round(3))) > 5
