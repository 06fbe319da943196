"""Search: its sampled deals agree with what was seen, and its choices are good (docs/bots.md)."""

from __future__ import annotations

import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from lastcard.ai import determinize
from lastcard.ai import value_net as net
from lastcard.arena.arena import run_arena
from lastcard.bots.registry import make_bot
from lastcard.bots.search import Search, SearchConfig
from lastcard.bots.weights import heuristic_weights, load_value_net
from lastcard.game.cards import card_color, parse_card, parse_cards
from lastcard.game.moves import Move, parse_move
from lastcard.game.position import parse_position
from lastcard.game.rulesets import GAMES, ruleset
from lastcard.match.round import Round
from lastcard.match.setup import build_deck
from lastcard.match.view import View
from support.compiled import compiled
from support.random_play import seeded, seeds, walk

QUICK = SearchConfig(rollouts=300, deals=64, burn=100)


def sampling_search(view: View, effort: SearchConfig = QUICK) -> Search:
    """A search that has sampled deals for a view."""
    search = Search(effort)
    search.load_decision(view, [None], 7)
    search._start_search(1)
    return search


def sampled_hands(view: View, effort: SearchConfig = QUICK) -> list[list[list[int]]]:
    """Sampled hands of every seat, in each deal; the viewer's own is empty."""
    search = sampling_search(view, effort)
    belief = search._search_buffers.beliefs[0]
    owner = {int(hand): seat for seat, hand in enumerate(belief["hand_of"])}
    deals = []
    for deal in search._search_buffers.deals:
        hands: list[list[int]] = [[] for _ in range(view.players)]
        for seat in range(view.players):
            if seat != view.seat:
                hands[seat] += np.repeat(np.arange(80), belief["known"][belief["hand_of"][seat]]).tolist()
        for cohort in belief["order"][: belief["orders"]]:
            at = belief["c_at"][cohort]
            hands[owner[int(belief["c_hand"][cohort])]] += deal[at : at + belief["c_count"][cohort]].tolist()
        deals.append(hands)
    return deals


def position(**fields: Any) -> Round:
    return Round.from_position(parse_position(fields))


def weigh(table: Round, effort: SearchConfig = QUICK, seed: int = 1) -> dict[str, float]:
    """The chance of every move of the seat on turn, best first."""
    view = table.view(table.turn)
    moves = [move for move in view.legal if move.verb not in ("uno", "catch")]
    return {str(choice.move): choice.chance for choice in Search(effort).rank_moves(view, moves, seed)}


# --- sampled deals ---------------------------------------------------------------------------------


def test_determinized_hands_fit_the_public_state() -> None:
    """Hands have their sizes, and with all seen cards no card is more frequent than in the deck."""
    checked = 0
    for seed in seeds(10):
        with seeded(seed) as rng:
            for table in walk(seed, rng, 150):
                if table.over or rng.random() > 0.1:
                    continue
                view = table.view(rng.randrange(table.players))
                if table.rules.options.wj_number_distribution == "0-9_random":
                    continue
                seen = Counter(view.hand) + Counter(view.discard)
                deck = Counter(build_deck(table.rules, bytes(32)))
                for hands in sampled_hands(view, SearchConfig(deals=4, burn=20)):
                    sizes = [len(hand) for hand in hands]
                    assert sizes == [0 if seat == view.seat else n for seat, n in enumerate(view.counts)]
                    assert not (seen + Counter(card for hand in hands for card in hand)) - deck
                checked += 1
    assert checked > 40


def test_a_seat_that_drew_rarely_holds_the_color() -> None:
    """CL-18: a seat that drew instead of playing had neither the color nor the number."""
    table = Round.deal("classic", 2, seed=3, deck=parse_cards("B1 R1 B2 R2 B3 R3 B4 R4 B6 R6 B8 R8 Bs Rs R9 G5 G7 Y7"))
    assert table.turn == 1
    table.do(1, "draw")
    held = [sum(card_color(card) == 0 for card in hands[1]) for hands in sampled_hands(table.view(0))]
    before = position(rules="classic", hands=["R1 R2 R3", "B1 B2 B3 B4 B6 B8 Bs G5"], discard="R9", draw="Y1 Y2")
    free = [sum(card_color(card) == 0 for card in hands[1]) for hands in sampled_hands(before.view(0))]
    assert np.mean(held) < 0.5 < np.mean(free)


def test_a_hand_that_was_shown_is_known() -> None:
    """CL-34: the challenger has seen it; nobody else has."""
    table = position(
        rules="classic", hands=["W+4 R5 G2 G3", "B1 B2 B3", "Y1 Y2 Y3"], discard="R9", draw="Y4 Y5 Y6 Y7 Y8 B7 B8 B9 G8"
    )
    table.do(0, "W+4=B")
    table.do(1, "challenge")
    known = Counter[int](parse_cards("R5 G2 G3"))
    assert all(not known - Counter(hands[0]) for hands in sampled_hands(table.view(1)))
    assert any(known - Counter(hands[0]) for hands in sampled_hands(table.view(2)))


def test_a_hand_that_was_swapped_away_is_known() -> None:
    """AW-24: its new owner and its former owner know it."""
    table = position(rules="all-wild", hands=["Wx W Ws", "W+2 W+2", "W W W"], discard="W", draw="W W W W")
    table.do(0, "Wx>1")
    assert all(Counter(hands[1]) == Counter(parse_cards("W Ws")) for hands in sampled_hands(table.view(0)))
    assert all(Counter(hands[0]) == Counter(parse_cards("W+2 W+2")) for hands in sampled_hands(table.view(1)))


@pytest.mark.parametrize("reshuffle", ["on_demand", "eager"])
def test_cards_from_before_a_reshuffle_are_none_of_the_discards(reshuffle: str) -> None:
    """CO-30: cards of the discard pile are in the draw pile now, or were drawn since."""
    table = position(
        rules=f"classic+reshuffle={reshuffle}",
        hands=["R1 R2 R3", "B1 B2 B3 B4"],
        discard="G1 G2 G3 G4 G5 G6 G7 G8 R9",
        draw="B9",
    )
    table.do(0, "R1")
    table.do(1, "draw")  # the last of the old pile
    table.do(0, "R2")
    table.do(1, "draw")  # one of the discards
    recycled = set(parse_cards("G1 G2 G3 G4 G5 G6 G7 G8 R9 R1"))
    hands = [hands[1] for hands in sampled_hands(table.view(0)) if table.decision == "play"]
    # Five cards are older; another copy of these greens may be among them, though hardly more than one or two.
    assert hands and all(set(hand) & recycled for hand in hands)
    assert np.mean([sum(card in recycled for card in hand) for hand in hands]) < 2.5


def test_the_history_is_worth_more_than_the_counts() -> None:
    """Colors of others are estimated better with the history than without (squared error, same positions)."""
    errors: dict[bool, list[float]] = {True: [], False: []}
    bots = [make_bot("sharp", bytes(32), seat) for seat in range(3)]
    for number in range(25):
        table = Round.deal("classic", 3, seed=number, dealer=number % 3)
        ply = 0
        while not table.over:
            view = table.view(table.turn)
            if ply % 7 == 6:
                for knows in errors:
                    given = view if knows else position_of(view)
                    deals = sampled_hands(given, SearchConfig(deals=128, burn=200))
                    errors[knows] += [
                        float(error)
                        for seat in range(3)
                        if seat != view.seat
                        for error in color_errors(table, deals, seat)
                    ]
            table.do(table.turn, bots[table.turn].choose(view))
            ply += 1
    assert len(errors[True]) > 300
    assert np.mean(errors[True]) < 0.85 * np.mean(errors[False])


@compiled
def _weigh_sampled_hand(
    beliefs: Any, tables: Any, others: determinize.OpponentModel, deal: Any, hand: int, least: float
) -> float:
    return determinize.hand_likelihood(beliefs[0], tables[1], others, deal, hand, least)


def test_a_player_deviates_in_all_moves_of_a_round_or_in_none() -> None:
    """The likelihood of a hand is the mix of both kinds of players, each weighted by its share."""
    table, bots = Round.deal("classic", 3, seed=5), [make_bot("random", bytes(32), seat) for seat in range(3)]
    for _ in range(12):
        table.do(table.turn, bots[table.turn].choose(table.view(table.turn)))
    view = table.view(table.turn)
    search = sampling_search(view)
    belief, seen = search._search_buffers.beliefs, search.workspace.decision_input
    w, hand = heuristic_weights(view.rules, 3), int(belief[0]["hand_of"][(table.turn + 1) % 3])
    models = [
        determinize.OpponentModel(seen.words, w, 16, trust, strays)
        for trust, strays in ((0.97, 0.0), (0.6, 0.0), (0.97, 0.25))
    ]
    differ = 0
    for deal in search._search_buffers.deals:
        steady, stray, mixed = (_weigh_sampled_hand(belief, seen.states, model, deal, hand, 0.0) for model in models)
        assert mixed == pytest.approx(0.75 * steady + 0.25 * stray)
        differ += not 0.9 < steady / stray < 1.1
        assert _weigh_sampled_hand(belief, seen.states, models[2], deal, hand, mixed) == mixed
        assert _weigh_sampled_hand(belief, seen.states, models[2], deal, hand, 2 * mixed) < 2 * mixed
    assert differ > 10


def test_deviation_1_equals_rationality_0_6() -> None:
    """``deviation`` 1 equals ``rationality`` 0.6, whatever ``rationality`` is; values between differ from both."""
    for seed in range(3):
        table = Round.deal("classic", 3, seed=seed)
        for _ in range(9):
            table.do(table.turn, make_bot("sharp", bytes(32), table.turn).choose(table.view(table.turn)))
        view = table.view(table.turn)
        deals = [
            sampled_hands(view, replace(QUICK, rationality=trust, deviation=strays))
            for trust, strays in ((0.6, 0.0), (0.97, 1.0), (0.97, 0.3), (0.97, 0.0))
        ]
        assert deals[0] == deals[1] and deals[2] not in (deals[0], deals[3])


def position_of(view: View) -> View:
    """The view of somebody who has just come to the table."""
    fields = {name: getattr(view, name) for name in View.__struct_fields__}
    return View(**{**fields, "history": b""})


def color_errors(table: Round, deals: list[list[list[int]]], seat: int) -> list[float]:
    """The squared error of the estimated probability of each color in a seat's hand."""
    errors = []
    for color in range(4):
        held = any(card_color(card) == color for card in table.hand(seat))
        estimated = np.mean([any(card_color(card) == color for card in hands[seat]) for hands in deals])
        errors.append(float(estimated - held) ** 2)
    return errors


# --- choices ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("horizon", [0.0, 1.0])
def test_search_sees_a_win(horizon: float) -> None:
    """With two players a Skip keeps the turn (CL-27): Skip, then the last card."""
    table = position(rules="classic", hands=["Rs R5", "R1 B2"], discard="R9", draw="Y1 Y2 Y3 Y4")
    chances = weigh(table, SearchConfig(rollouts=200, horizon=horizon))
    assert next(iter(chances)) == "Rs" and chances["Rs"] == 1.0


def test_search_challenges_a_certain_bluff() -> None:
    """CL-32: the whole hand of the accused is known from an earlier challenge, and it has the color."""
    pile = "Y4 Y5 Y6 Y7 B5 G7 G8 G9 Y9 G6 R1 R2 R3 B8 B9 G1 G3 Y1 Y2 Y3 W R4 B7 G4 Y0 R0 B0 G0 Rs Bs Gs Ys Rr Br Gr Yr"
    table = position(rules="classic", hands=["W+4 W+4 R5 R6 B2", "G1 G2"], discard="R9", draw=pile)
    table.do(0, "W+4=R")
    table.do(1, "challenge")  # a bluff: seat 0 draws four, and its hand was shown
    table.do(1, "draw")
    assert table.turn == 0
    table.do(0, "W+4=G")
    assert next(iter(weigh(table))) == "challenge"


@pytest.mark.parametrize("horizon", [0.0, 1.0, 30.0])
def test_the_same_seed_gets_the_same_answer_on_any_number_of_threads(horizon: float) -> None:
    """To the last bit, also where the value net evaluates."""
    table, effort = Round.deal("wild-jackpot", 4, seed=8), replace(QUICK, horizon=horizon)
    one = weigh(table, effort)
    assert one == weigh(table, effort) == weigh(table, replace(effort, threads=3))
    assert one != weigh(table, effort, seed=2)


@pytest.mark.parametrize("threads", [1, 2])
def test_checking_the_clock_changes_no_answer(threads: int) -> None:
    """Deals are then played in small groups; with an hour to think the answer is the same."""
    table = Round.deal("wild-jackpot", 4, seed=8)
    effort = SearchConfig(rollouts=3000, deals=64, burn=50, threads=threads)
    assert weigh(table, effort) == weigh(table, replace(effort, milliseconds=3_600_000))


def test_search_stops_when_its_time_is_up() -> None:
    """An effort that would take minutes ends after a moment, with an answer."""
    table = Round.deal("classic", 4, seed=8)
    view = table.view(table.turn)
    choices = Search(SearchConfig(rollouts=10**8, milliseconds=5)).rank_moves(view, list(view.legal), 1)
    assert 0 < sum(choice.rollouts for choice in choices) < 10**6


def test_partners_win_together() -> None:
    """6.8: giving the round to the partner is a win."""
    rules = "classic+team_play+seven_zero+seven_zero_last=effect"
    table = position(rules=rules, hands=["R7", "B1 B2", "G1 G2", "Y1 Y2"], discard="R9", draw="Y4 Y5 Y6")
    chances = weigh(table)
    assert chances["R7>2"] == 1.0 and chances["R7>1"] == 0.0


def test_nothing_is_a_choice_out_of_turn() -> None:
    """LC-41: a jump-in with the last card wins, and is compared with not reacting."""
    table = position(rules="classic+jump_in", hands=["R1 R2 R3", "B1 B2", "R9"], discard="R9", draw="Y1 Y2 Y3")
    best = Search(QUICK).rank_moves(table.view(2), [None, parse_move("R9")], 1)[0]
    assert best.move == Move("play", parse_card("R9")) and best.chance == 1.0


@pytest.mark.parametrize("seed", [9, 36])
def test_two_searchers_do_not_draw_without_end(seed: int) -> None:
    """In All Wild a card can always be played, and both may prefer to draw, for hundreds of moves."""
    table, plies = Round.deal("all-wild", 2, seed=seed), 0
    bots = [make_bot("master:rollouts=40:deals=16:burn=20", bytes([seat + 1]) * 32, seat) for seat in (0, 1)]
    while not table.over and plies < 200:
        table.do(table.turn, bots[table.turn].choose(table.view(table.turn)))
        plies += 1
    assert table.over


def test_search_beats_rules_of_thumb() -> None:
    """A clear gap in 200 duplicate rounds justifies the level.

    The gap is widest in All Wild; ``make bench-bots`` measures it in all games, over thousands of rounds.
    """
    quick = "expert:rollouts=300:deals=64:burn=60"
    wins = run_arena("all-wild", 2, [quick, "sharp"], 100, seed=4, workers=1).entries[quick].wins
    assert wins.low > 0.55


# --- the value net ----------------------------------------------------------------------------------


@compiled
def _evaluate(tables: Any, seat: int, parameters: Any, x: Any) -> float:
    return net.win_chance(tables[0], seat, parameters, x)


@pytest.mark.parametrize("game", GAMES)
def test_the_network_is_computed_as_it_was_trained(game: str) -> None:
    """The result equals the same layers in NumPy, on the kernel's features."""
    parameters = load_value_net(game)
    assert parameters.shape == (net.PARAMETERS,) and parameters.nbytes < 2_000_000
    sizes = ((net.FEATURES, net.HIDDEN_ONE), (net.HIDDEN_ONE, net.HIDDEN_TWO), (net.HIDDEN_TWO, 1))
    x = np.zeros(net.SCRATCH, np.float32)
    for number in range(5):
        table = Round.deal(game, 2 + number, seed=number)
        computed = _evaluate(table._states, 1, parameters, x)
        layer, at = x[: net.FEATURES].copy(), 0
        for rows, columns in sizes:
            weights = parameters[at : at + rows * columns].reshape(rows, columns)
            layer = layer @ weights + parameters[at + rows * columns : at + rows * columns + columns]
            at += rows * columns + columns
            layer = np.maximum(layer, 0) if columns > 1 else layer
        assert computed == pytest.approx(1 / (1 + np.exp(-layer[0])), abs=1e-4)


@pytest.mark.parametrize("game", GAMES)
def test_the_network_rates_one_card_above_many(game: str) -> None:
    options = ruleset(game)
    for players in (2, 4, 8):
        table = Round.deal(options, players, seed=1)
        x = np.zeros(net.SCRATCH, np.float32)
        chances = []
        for held in (1, 7):
            copied = table.copy()
            record = copied._states[0]
            fewer_cards = list(copied.hand(0))[:held]
            record["counts"][0] = np.bincount(fewer_cards, minlength=80)
            record["colored"][0] = sum({1 << card for card in fewer_cards if card < 64})
            record["wilds"][0] = sum({1 << (card - 64) for card in fewer_cards if card >= 64})
            record["held"][0] = held
            chances.append(_evaluate(copied._states, 0, load_value_net(game), x))
        assert chances[0] > chances[1] + 0.1


def test_a_search_does_not_block_other_threads() -> None:
    """Search releases the interpreter to other threads, so a server's tables do not wait for a bot.

    On a busy machine a thread may also wait for a processor: the best of three counts.
    """
    table = Round.deal("classic", 4, seed=5)
    view = table.view(table.turn)
    thinker = Search(SearchConfig(rollouts=20_000))
    thinker.rank_moves(view, view.legal, 1)

    def longest_wait() -> float:
        """The longest pause of this thread, as a share of the time of a decision."""
        gaps = []
        with ThreadPoolExecutor(1) as pool:
            began = last = time.perf_counter()
            thought = pool.submit(thinker.rank_moves, view, view.legal, 2)
            while not thought.done():
                now = time.perf_counter()
                gaps.append(now - last)
                last = now
        return max(gaps) / (time.perf_counter() - began)

    assert min(longest_wait() for _ in range(3)) < 0.5
