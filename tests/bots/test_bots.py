"""Bots make legal moves in every game, see nothing but their view, and the sensible one beats chance."""

from __future__ import annotations

import copy
import inspect
import multiprocessing
import os
import pickle
import random
from collections.abc import Callable
from dataclasses import replace

import pytest

from lastcard import Round, View
from lastcard.arena.deals import Plan
from lastcard.arena.tally import tally_rounds
from lastcard.bots.base import CASUAL, Behavior, Bot, Dice, choose_move, find_reaction
from lastcard.bots.registry import BOTS, make_bot, make_bots
from lastcard.bots.search import SearchConfig
from lastcard.errors import UsageError
from lastcard.game.options import ALL_WILD_GAME
from lastcard.game.rulesets import GAMES, Ruleset
from lastcard.match.events import Caught
from support.random_states import random_options

QUICK_SEARCH = "search:rollouts=30:burn=10:deals=8"
NAMES = ("random", "heuristic", "trained", QUICK_SEARCH)


def test_the_registry_holds_every_bot_under_its_own_name() -> None:
    assert list(BOTS) == ["random", "heuristic", "trained", "search"]
    for name in BOTS:
        bot = make_bot(name, bytes(32), 0)
        assert bot.name == name
        assert type(bot).__doc__
    with pytest.raises(UsageError, match="random, heuristic, trained, search, learner"):
        make_bot("clever", bytes(32), 0)


def test_the_effort_of_a_search_can_be_set() -> None:
    """Settings follow the name; an unknown setting or value is refused with the right ones."""
    bot = make_bot("expert:rollouts=7:rationality=0.5", bytes(32), 0)
    assert bot.config == SearchConfig(rollouts=7, rationality=0.5)  # type: ignore[attr-defined]
    for name, said in (
        ("expert:depth=3", "there are rollouts, milliseconds"),
        ("expert:rollouts=many", "rollouts= and a number"),
        ("expert:rollouts=0", "from 1 to"),
        ("expert:rollouts", "rollouts= and a number"),
        ("learner:rollouts=3", "takes no settings"),
        ("sharp:rollouts=3", "takes one setting, style"),
        ("sharp:style=hoarder:style=cautious", "takes one setting, style"),
        ("sharp:style=horder", "did you mean 'hoarder'"),
        ("sharp:style", "there are cautious, aggressive, hoarder"),
    ):
        with pytest.raises(UsageError, match=said):
            make_bot(name, bytes(32), 0)


def _games(seed: int) -> list[tuple[Ruleset, int]]:
    rng = random.Random(seed)
    games = []
    for game in GAMES:
        for _ in range(3):
            options = random_options(game, rng)
            games.append((Ruleset(game, options), 4 if options.team_play else rng.randint(2, 10)))
    return games


@pytest.mark.parametrize("name", NAMES)
def test_whole_rounds_under_any_rules_are_legal(name: str) -> None:
    for number, (rules, players) in enumerate(_games(11)):
        bots = make_bots([name] * players, bytes(32), CASUAL)
        table = Round.deal(rules, players, seed=number)
        for _ in range(5000):
            if table.over:
                break
            seat_move = find_reaction(bots, table)
            if seat_move is None:
                view = table.view(table.turn)
                seat_move = table.turn, bots[table.turn].choose(view)
                assert replace(seat_move[1], uno=False) in view.legal
            table.do(*seat_move)  # raises if it is refused


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("game", GAMES)
def test_the_same_view_gets_the_same_move(name: str, game: str) -> None:
    table = Round.deal(game, 3, seed="same")
    bots = make_bots([name] * 3, b"\x01" * 32)
    for _ in range(60):
        if table.over:
            break
        view = table.view(table.turn)
        move = bots[table.turn].choose(view)
        other = make_bot(name, b"\x01" * 32, table.turn)
        assert other.choose(View(**{key: getattr(view, key) for key in View.__struct_fields__})) == move
        table.do(table.turn, move)


@pytest.mark.parametrize("how", [copy.deepcopy, lambda bot: pickle.loads(pickle.dumps(bot))])
@pytest.mark.parametrize("name", [*NAMES, QUICK_SEARCH + ":threads=2", "sharp:style=hoarder"])
def test_a_copy_of_a_bot_decides_as_the_bot_does(name: str, how: Callable[[Bot], Bot]) -> None:
    bot = make_bot(name, bytes(32), 0)
    table = Round.deal("classic", 3, seed=5)
    bot.choose(table.view(table.turn))
    copied = how(bot)
    while not table.over:
        view = table.view(table.turn)
        move = bot.choose(view)
        assert copied.choose(view) == move
        table.do(table.turn, move)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are not forked here")
def test_a_bot_with_threads_thinks_in_a_forked_process_too() -> None:
    bot, view = make_bot(QUICK_SEARCH + ":threads=2", bytes(32), 0), Round.deal("classic", 3, seed=5).view(1)
    move, forking = bot.choose(view), multiprocessing.get_context("fork")
    answer = forking.SimpleQueue()
    child = forking.Process(target=lambda: answer.put(bot.choose(view)))
    child.start()
    child.join(60)
    child.kill()
    assert child.exitcode == 0 and answer.get() == move


def test_a_bot_is_given_a_view_and_nothing_else() -> None:
    for name in NAMES:
        bot = make_bot(name, bytes(32), 0)
        assert list(inspect.signature(bot.choose).parameters) == ["view"]
        assert list(inspect.signature(bot.react).parameters) == ["view"]


@pytest.mark.parametrize(("rules", "players"), [("wild-jackpot", 2), ("all-wild", 4), ("classic+seven_zero=true", 4)])
def test_attentive_bots_call_before_they_are_caught(rules: str, players: int) -> None:
    """Discards (WJ-45) and exchanged hands (AW-30, 6.3) leave one card at the end of a turn: the seat that owes the
    call is asked before those who could catch it (CO-10, CO-15).
    """
    owed = 0
    for number in range(40):
        bots = make_bots(["sharp"] * players, bytes(32))
        table = Round.deal(rules, players, seed=f"owed {number}")
        while not table.over:
            owed += bool(table.exposed)
            events = table.do(*choose_move(table, bots))
            assert not any(isinstance(event, Caught) for event in events)
    assert owed > 0


def test_no_bot_ends_a_round_with_a_losing_card() -> None:
    """A bot that drew for many turns has to lay a card, but no Forced Swap as its last: another would win (AW-45)."""
    tried = 0
    for number in (9, 22):
        bots = make_bots(["master:rollouts=300:deals=64:burn=50"] * 2, bytes(32))
        table = Round.deal("all-wild", 2, seed=f"waits {number}")
        turns = [0, 0]
        while not table.over:
            seat = table.turn
            seat_move = find_reaction(bots, table)
            if seat_move is None:
                view = table.view(seat)
                seat_move = seat, bots[seat].choose(view)
                last_swap = view.decision == "play" and str(view.hand) == "Wx"
                turns[seat] += view.decision == "play"
                tried += last_swap and turns[seat] > 31
                assert not (last_swap and seat_move[1].verb == "play")
            table.do(*seat_move)
    assert tried > 0


def test_behavior_makes_bots_forget_and_catch() -> None:
    def length(behavior: Behavior) -> float:
        return tally_rounds(Plan.make("all-wild", 4, ["random"], "manners", behavior), 60).mean_plies

    # A caught player has three cards again, so rounds get longer.
    assert length(Behavior(0, 60)) > 1.3 * length(Behavior(100, 100))
    assert length(Behavior(0, 0)) < 1.1 * length(Behavior(100, 100))


@pytest.mark.parametrize("game", GAMES)
def test_sharp_beats_random_at_two_and_four_seats(game: str) -> None:
    def share(players: int) -> float:
        plan = Plan.make(game, players, ["heuristic", *["random"] * (players - 1)], "sense")
        return tally_rounds(plan, 250).kinds["heuristic"].wins / 250

    assert share(2) > 0.55
    assert share(4) > 0.32


def test_simulations_repeat_and_add_up() -> None:
    plan = Plan.make("wild-jackpot", 3, ["heuristic", "random"], 5)
    first, second = (tally_rounds(plan, 30) for _ in range(2))
    assert first.as_dict() == second.as_dict()
    assert first.bots == ("heuristic", "random", "heuristic")
    assert sum(tally.wins for tally in first.seats) + first.void + first.stuck == first.rounds == 30
    assert sum(t.points for t in first.seats) == sum(t.points for t in first.kinds.values())
    assert sum(t.drawn for t in first.seats) == sum(t.drawn for t in first.kinds.values()) > 0
    assert tally_rounds(replace(plan, seed=bytes([6] * 32)), 30).as_dict() != first.as_dict()


@pytest.mark.parametrize(
    ("players", "bots", "rounds"), [(1, ["random"], 5), (2, [], 5), (2, ["random"] * 3, 5), (2, ["random"], 0)]
)
def test_invalid_simulations_are_refused(players: int, bots: list[str], rounds: int) -> None:
    with pytest.raises(UsageError):
        tally_rounds(Plan.make(ALL_WILD_GAME, players, bots), rounds)


def test_dice_are_fair_and_repeat() -> None:
    dice = Dice(b"dice")
    rolls = [dice.below(6) for _ in range(12_000)]
    assert all(1800 < rolls.count(side) < 2200 for side in range(6))
    again = Dice(b"dice")
    assert rolls == [again.below(6) for _ in range(12_000)]
    assert Dice(b"other").below(1 << 32) != Dice(b"dice").below(1 << 32)
