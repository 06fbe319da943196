"""What was learned from play: what the network sees, that it is computed as trained, and that it helps."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np
import pytest

from lastcard.ai import actor, memory, sight
from lastcard.ai import adviser as kernel
from lastcard.ai.decision import LATE
from lastcard.arena.arena import arena
from lastcard.bots.base import choices
from lastcard.bots.desk import count_deck
from lastcard.bots.kinds import TrainedBot
from lastcard.bots.learned import adviser, habits, network, policy, yardstick
from lastcard.bots.registry import make_bot
from lastcard.bots.search import Effort, Search
from lastcard.game import act
from lastcard.game.actions import Move, action_move, move_action, parse_move
from lastcard.game.cards import BLUE, GREEN, RED, YELLOW
from lastcard.game.position import parse_position
from lastcard.game.rulesets import GAMES
from lastcard.match.round import Round
from lastcard.match.view import View
from lastcard.rules import legal
from lastcard.rules.layout import MAX_ACTIONS, MAX_SEATS
from lastcard.training.lessons import PARTS, Drills, Source, drills, lessons
from lastcard.training.sparring import spar
from support.compiled import compiled
from support.randomly import seeded, seeds, walk

NOBODY: Final = np.zeros(0, np.float32)
"""In place of a network: all play by rules of thumb."""


def new_memory() -> Any:
    return np.zeros((MAX_SEATS, memory.MEMORY), np.int64)


@compiled
def _remember(tables: Any, m: Any, seat: int, action: int) -> None:
    memory.remember(tables[0], m, seat, action)


@compiled
def _recollect(tables: Any, m: Any, words: Any) -> None:
    memory.recollect(tables[0], m, words)


@compiled
def _read(tables: Any, m: Any, seat: int, action: int, deck: Any, unseen: Any, state: Any, act: Any) -> None:
    sight.read_state(tables[0], m, seat, state)
    sight.count_unseen(tables[0], seat, deck, unseen)
    sight.read_act(tables[0], m, seat, action, unseen, act)


@compiled
def _list_choices(tables: Any, seat: int, out: Any) -> int:
    if not actor.decides(tables[0]):
        return -1
    return legal.list_choices(tables[0], seat, out)


def recollected(table: Round, seat: int) -> Any:
    """What a seat remembers, from its view."""
    m = new_memory()
    _recollect(table._tables.copy(), m, np.frombuffer(table.view(seat).past, np.int32))
    return m


# --- memory ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
def test_the_past_is_remembered_as_it_was_lived(game: str) -> None:
    """A memory filled act by act at the table, as in training, and one read from any seat's view."""
    noted = 0
    for seed in range(4):
        table = Round.deal(game, 2 + seed, seed=seed)
        bots = [make_bot("heuristic", bytes([seed]) * 32, seat) for seat in range(table.players)]
        lived = new_memory()
        while not table.over:
            move = bots[table.turn].choose(table.view(table.turn))
            _remember(table._tables, lived, table.turn, move_action(move))
            table.do(table.turn, move)
            assert (recollected(table, seed % table.players) == lived).all()
            noted += int(lived[:, : memory.HELD].any())
    assert (noted > 0) == (game != "all-wild")


def test_who_draws_lacks_the_color_until_more_cards_come() -> None:
    """CL-18: with each card that comes later it is less sure; a color that was named is remembered (CL-22)."""
    table = Round.from_position(
        parse_position({"rules": "classic", "hands": ["R1 R2 W G8", "B1 B2 B8"], "discard": "R9", "draw": "Y5 Y6 Y7"})
    )
    for seat, move in ((0, "R1"), (1, "draw"), (0, "W=B")):
        table.do(seat, parse_move(move))
        if seat == 1:
            assert recollected(table, 0)[1, RED] == 1
    m = recollected(table, 1)
    assert m[1, RED] == 2 and not m[1, [YELLOW, GREEN, BLUE]].any()
    assert m[0, memory.NAMED] == BLUE + 1


# --- sight -----------------------------------------------------------------------------------------


def test_sight_fits_its_room_under_any_rules() -> None:
    """At random moments of random rounds every number is finite and stands inside its own room."""
    seen = 0
    for seed in seeds(10):
        with seeded(seed) as rng:
            for table in walk(seed, rng, 40):
                if table.over or rng.random() > 0.4:
                    continue
                view = table.view(table.turn)
                state, act = (np.full(n + 1, 7.0, np.float32) for n in (sight.STATE, sight.ACT))
                for move in choices(view):
                    _read(
                        table._tables,
                        recollected(table, table.turn),
                        table.turn,
                        move_action(move),
                        count_deck(view.rules),
                        np.zeros(sight.UNSEEN, np.float32),
                        state,
                        act,
                    )
                    assert np.isfinite(state).all() and np.isfinite(act).all()
                    assert state[-1] == act[-1] == 7.0
                    seen += 1
    assert seen > 200


# --- the network -----------------------------------------------------------------------------------


def rated(view: View) -> dict[Move, float]:
    """What the learned player thinks of its choices; nothing where there is but one."""
    bot = TrainedBot()
    bot.choose(view)
    weighing = bot._desk.weighings[0]
    moves = [action_move(action) for action in weighing["actions"][: weighing["choices"]].tolist()]
    return dict(zip(moves, bot._desk.room.worth.tolist(), strict=False)) if len(moves) > 1 else {}


def advised(view: View, moves: Sequence[Move | None] | None = None) -> dict[Move | None, float]:
    """What the adviser thinks of moves, or of all choices."""
    moves = choices(view) if moves is None else moves
    search = Search(Effort(prior=1.0, deals=1, burn=0))
    weighing = search._put(view, moves, 1)
    search._begin(1)
    return dict(zip(moves, weighing["prior"].tolist(), strict=False))


Rater = tuple[Callable[[str], Any], Callable[[View], Any], tuple[int, ...]]
PLAYER: Final[Rater] = (policy, rated, (actor.WIDTH,))
ADVISER: Final[Rater] = (adviser, advised, (kernel.WIDTH, kernel.WIDTH_TWO))


def compute(x: Any, net: Any, widths: tuple[int, ...]) -> float:
    """The same layers in NumPy."""
    at = 0
    for width in widths:
        weights, biases = net[at : at + x.size * width].reshape(x.size, width), net[at + x.size * width :][:width]
        at += x.size * width + width
        x = np.maximum(x @ weights + biases, 0)
    assert net[at:].shape == x.shape
    return float(x @ net[at:])


@pytest.mark.parametrize("rater", [PLAYER, ADVISER])
@pytest.mark.parametrize("game", GAMES)
def test_the_network_is_computed_as_it_was_trained(game: str, rater: Rater) -> None:
    """Against NumPy, on the numbers the kernel has read."""
    learned, rate, widths = rater
    net = learned(game)
    assert net.nbytes < 2_000_000
    for seed in range(5):
        table = Round.deal(game, 2 + seed, seed=seed)
        while table.decision != "play":  # the first card may ask something else
            table.do(table.turn, choices(table.view(table.turn))[0])
        view = table.view(table.turn)
        for move, worth in rate(view).items():
            state, act = np.zeros(sight.STATE, np.float32), np.zeros(sight.ACT, np.float32)
            unseen = np.zeros(sight.UNSEEN, np.float32)
            remembered = recollected(table, table.turn)
            _read(table._tables, remembered, table.turn, move_action(move), count_deck(game), unseen, state, act)
            assert worth == pytest.approx(compute(np.concatenate([state, act]), net, widths), abs=1e-4)


def test_nothing_was_learned_of_jump_ins_and_teams() -> None:
    """LC-41, 6.8: there the rules of thumb decide, and the search alone."""
    table = Round.deal("classic+jump_in", 3, seed=1)
    other = (table.turn + 1) % 3
    assert not any(advised(table.view(other), [None]).values())
    table = Round.deal("classic+team_play", 4, seed=1)
    view = table.view(table.turn)
    assert not any(advised(view).values()) and not any(rated(view).values())
    trained, sharp = (make_bot(name, bytes(32), 0) for name in ("trained", "heuristic"))
    assert trained.choose(view) == sharp.choose(view)


def test_a_search_heeds_what_was_learned_as_far_as_it_is_told() -> None:
    """With all weight on it the search chooses what the learned player does."""
    agreed = 0
    for seed in range(12):
        view = (table := Round.deal("classic", 3, seed=seed)).view(table.turn)
        moves = choices(view)
        best = max(moves, key=advised(view).__getitem__)
        heeding = Search(Effort(rollouts=200, deals=32, burn=20, prior=1000.0)).weigh(view, moves, 1)
        assert heeding[0].move == best
        agreed += Search(Effort(rollouts=200, deals=32, burn=20)).weigh(view, moves, 1)[0].move == best
    assert agreed < 12


def test_what_was_learned_beats_rules_of_thumb_without_search() -> None:
    """A clear gap in 600 duplicate rounds: what was learned is worth having."""
    wins = arena("classic", 2, ["trained", "sharp"], 300, seed=5, workers=1).entries["trained"].wins
    assert wins.low > 0.5


@pytest.mark.parametrize("seats", [2, 3])
@pytest.mark.parametrize("game", GAMES)
def test_players_of_its_kind_do_not_wait_for_each_other(game: str, seats: int) -> None:
    """Drawing may be better than laying a card; still every round ends, and nobody draws for choice late.

    Nobody does on turns in succession either, but for two players, for whom waiting pays.
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
                    assert turns[seat] <= LATE
                    assert seats == 2 or not drew[seat]
                drew[seat] = move.verb == "draw"
                turns[seat] += 1
            table.do(seat, move)
            plies += 1
        assert plies < 600


# --- what it is learned from -----------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
def test_positions_and_decisions_are_the_same_for_the_same_seed(game: str) -> None:
    for rules, players in PARTS[game][3:5]:
        source = Source(rules, players, 4)
        for one, two in zip(lessons(20, source), lessons(20, source), strict=True):
            assert (one == two).all()
        for net in (NOBODY, policy(game)):
            how = (20, 2, net, source)
            for one, two in zip(drills(*how), drills(*how), strict=True):
                assert (one == two).all()


def test_decisions_of_players_who_search() -> None:
    """The same for the same seed, each between several acts, and what they are worth is shares of rounds."""
    how = (12, 4, policy("classic"), network("classic"))
    one, two, other = (spar(*how, Source("classic", 2, seed)) for seed in (1, 1, 2))
    assert all(map(np.array_equal, one, two)) and not all(map(np.array_equal, one, other))
    xs, acts, ends, ys = one
    assert xs.shape == (12, sight.STATE) and acts.shape == (ends[-1], sight.ACT) and ys.shape == (ends[-1],)
    assert (np.diff(ends, prepend=0) > 1).all() and set(ys.tolist()) <= {0, 0.25, 0.5, 0.75, 1}
    assert len({tuple(x) for x in xs.tolist()}) > 9


@pytest.mark.parametrize("learned", [network, policy, yardstick, adviser, habits])
def test_what_was_learned_is_kept_once_for_a_game(learned: Callable[[str], Any]) -> None:
    """A server has tables by any number of rulesets."""
    for game in GAMES:
        assert learned(f"{game}+team_play") is learned(f"{game}+draw_keeps_turn") is learned(game)


def test_sparring_asks_no_network_that_ships(monkeypatch: pytest.MonkeyPatch) -> None:
    """Or training would give others once it was trained."""
    net, judge = policy("all-wild"), network("all-wild")

    def refuse(kind: str, game: str) -> Any:
        raise AssertionError(f"{kind}-{game} was read")

    monkeypatch.setattr("lastcard.bots.learned._parameters", refuse)
    assert len(spar(4, 1, net, judge, Source("all-wild", 2, 1))[0]) == 4


def test_decisions_played_out_by_what_was_learned_are_others() -> None:
    by_thumb, learned = (drills(40, 4, net, Source("classic", 2, 4)) for net in (NOBODY, policy("classic")))
    assert by_thumb[0].shape == learned[0].shape and not all(map(np.array_equal, by_thumb, learned))


@pytest.mark.parametrize("rules", ["classic", "classic+harsh", "all-wild+stacking=cross", "wild-jackpot+seven_zero"])
def test_choices_are_the_legal_acts_without_calls(rules: str) -> None:
    """``list_choices`` against ``list_actions`` wherever the network decides."""
    table, rng, seen = Round.deal(rules, 3, seed=2), random.Random(2), 0
    for _ in range(600):
        if table.over:
            table = Round.deal(rules, 3, seed=rng.randrange(10**6))
        found = np.zeros(MAX_ACTIONS, np.int64)
        n = _list_choices(table._tables, table.turn, found)
        expected = [action for action in table.legal_actions(table.turn) if action & 255 not in (act.UNO, act.CATCH)]
        if n >= 0:
            seen += 1
            assert found[:n].tolist() == expected
        table.do(table.turn, action_move(rng.choice(expected)))
    assert seen > 300


def test_the_rows_of_decisions_are_their_acts() -> None:
    """Joined parts keep every decision with its own acts and shares."""
    parts = [drills(30, 16, NOBODY, Source("classic", players, 9)) for players in (2, 4)]
    joined = Drills.join(parts)
    xs, acts, ends, ys = parts[1]
    assert len(joined.ends) == 60 and joined.ends[-1] == len(joined.ys) and (np.diff(joined.ends) > 1).all()
    inputs, shares, decision = joined.rows(np.array([0, 34]))
    begin, end = int(ends[3]), int(ends[4])
    mine = decision == 1
    assert mine.sum() == end - begin and (shares[mine] == ys[begin:end]).all()
    assert (inputs[mine][:, sight.STATE :] == acts[begin:end]).all()
    assert (inputs[mine][:, : sight.STATE] == xs[4]).all()
    assert joined.ys.min() >= 0 and joined.ys.max() <= 1 + 1e-6 and len(set(joined.ys.round(3))) > 5
