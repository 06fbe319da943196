"""The OpenSpiel adapter agrees with the referee under the same chance, and hides what is hidden."""

from __future__ import annotations

import pickle
from collections import Counter

import numpy as np
import pytest

pytest.importorskip("pyspiel")

import pyspiel

from lastcard.envs.compiled.tree import CHANCE, TERMINAL
from lastcard.envs.openspiel import State
from lastcard.match.round import Round
from referee import deal, do
from support.openspiel_play import RecordedChance, load_game, play_randomly, walk_tree
from tools.differential.pair import Pair, compare

# --- exactness ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize(
    ("game", "players", "rules"),
    [
        ("all_wild", 2, ""),
        ("all_wild", 5, "stacking:cross+jump_in+reshuffle:eager"),
        ("classic", 2, ""),
        ("classic", 4, ""),
        ("classic", 10, "reshuffle:keep_none"),
        ("classic", 6, "hand_size:10+draw_mode:until_playable+stacking:cross"),
        ("classic", 3, "harsh"),
        ("classic", 4, "challenge_by:anyone+seven_zero+reshuffle:eager"),
        ("wild_jackpot", 2, "wj_lever_weights:1/0/2/5/1/1"),
        ("wild_jackpot", 4, "wj_discard_jackpot:pull+wj_last_jackpot:pull"),
        ("wild_jackpot", 10, "jump_in"),
        ("wild_jackpot", 3, "wj_number_distribution:0-9_random"),
        ("wild_jackpot", 2, "wj_number_distribution:0_1-7"),
    ],
)
def test_the_referee_agrees_on_the_same_chance(game: str, players: int, rules: str, seed: int) -> None:
    """CO-1, CO-30, WJ-24, WJ-46, R5: both agree after every move and every chance outcome, also after reshuffles."""
    state = load_game(game, players=players, rules=rules, dealer=seed % players, max_steps=600).new_initial_state()
    states = list(play_randomly(state, seed))
    chosen, own = state.history(), state.game_state.config
    recorded = RecordedChance(states, chosen)
    dispenser = recorded.rule_stack([card.text for card in own.rule_cards], 0)
    referee = deal(own.rules, players, seed % players, recorded.shuffle(), dispenser, recorded)
    seat_move = None
    for i, game_state in enumerate(states):
        seat = game_state.current_player
        if seat == CHANCE:
            continue
        if seat_move is not None:
            do(referee, *seat_move)
        compare(Pair(game_state.make_round(), referee, seed), compares_moves=False)
        move = own.action_space.decode(chosen[i], seat, players) if seat >= 0 else None
        seat_move = (seat, str(move)) if move is not None else None
    assert not recorded.lever_outcomes and not recorded.blinds


@pytest.mark.parametrize(("game", "rules"), [("classic", ""), ("all_wild", ""), ("wild_jackpot", "0-9_random")])
def test_chance_probabilities_are_right(game: str, rules: str) -> None:
    """Probabilities sum to 1; a card drawn first in a move is as likely as its share of the draw pile (CO-30)."""
    parameters = {"rules": f"wj_number_distribution:{rules}"} if rules else {}
    seen: Counter[str] = Counter()
    for seed in range(6):
        for state in play_randomly(load_game(game, players=3, max_steps=200, **parameters).new_initial_state(), seed):
            if state.current_player != CHANCE:
                continue
            events, shares = zip(*state.chance_outcomes(), strict=True)
            assert list(events) == sorted(events) and sum(shares) == pytest.approx(1) and min(shares) > 0
            seen[state.chance_source] += 1
            if (
                state.chance_source == "pile"
                and state.is_dealt
                and state.forced_count == 0
                and state.make_round().draw_count
            ):
                pile = Counter[int](state.make_round().draw_pile())
                there = [pile[card] / pile.total() for card in state.config.features.cards if pile[card]]
                assert list(shares) == pytest.approx(there)
    assert seen["pile"] > 100 and (game != "wild_jackpot" or min(seen[k] for k in ("hand", "rules", "lever", "")) > 2)


def test_a_first_card_that_goes_back_never_comes() -> None:
    """CL-11: a Wild Draw Four is not turned over while there is another card; the rest keep their ratios."""
    state = load_game("classic", deck="R1*3 B1 W+4*2", hand_size=1).new_initial_state().game_state
    for _ in range(2):
        assert dict(state.chance_outcomes())[state.legal_actions()[-1]] == pytest.approx(2 / (6 - state.forced_count))
        state = state.child(state.config.outcomes.index("R1"))
    assert [(state.config.outcomes[k], p) for k, p in state.chance_outcomes()] == [("R1", 0.5), ("B1", 0.5)]


def test_the_table_is_dealt_as_a_deck_in_order_is() -> None:
    """CO-1: one card at a time from the dealer's left, as ``Round.deal`` deals a given deck."""
    state = load_game("classic", players=3, dealer=1).new_initial_state()
    cards = []
    for game_state in play_randomly(state, seed=8):
        if game_state.is_dealt:
            break
        cards.append(game_state)
    dealt = [game_state.config.features.cards[event] for game_state, event in zip(cards, state.history(), strict=True)]
    rest = list((Counter(game_state.config.deck) - Counter(dealt)).elements())
    table = Round.deal(game_state.config.rules, 3, deck=[*dealt, *rest], dealer=1)
    made = game_state.make_round()
    assert (table.hands, table.turn, table.top) == (made.hands, made.turn, made.top)


def test_returns_are_the_points() -> None:
    """CL-51, CL-52: points go to the winner, or count against the others; a cut-off round pays nothing."""
    for rules, sign in (("", 1), ("scoring:tally", -1)):
        for seed in range(3):
            made = load_game("classic", players=3, rules=rules, returns="points")
            state = made.new_initial_state()
            for game_state in play_randomly(state, seed):
                assert game_state.current_player == TERMINAL or not any(game_state.returns())
            held, winner = game_state.make_round().held, game_state.make_round().winner
            assert winner is not None
            paid = [-points for points in held] if sign < 0 else [0] * 3
            paid[winner] = 0 if sign < 0 else sum(held)
            assert state.returns() == paid and made.min_utility() <= min(paid) <= max(paid) <= made.max_utility()
    state = load_game("classic", players=3, max_steps=2, returns="points").new_initial_state()
    *_, last = play_randomly(state, 1)
    assert last.current_player == TERMINAL and state.returns() == [0, 0, 0] and not last.make_round().over


# --- information --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "parameters",
    [
        {"deck": "R1 R2 B1 B2 R+2", "hand_size": 2, "max_steps": 4},
        {"deck": "R1*2 R2*2 B1*2 B2", "hand_size": 1, "max_steps": 5, "rules": "jump_in"},
        {"deck": "R1 B1 W W+4*2", "hand_size": 1, "max_steps": 5},
    ],
)
def test_an_information_state_is_the_history_of_a_seat(parameters: dict[str, object]) -> None:
    """In a whole tree, one text belongs to one history of a seat, with always the same actions."""
    made = load_game("classic", **parameters)
    moves: dict[str, tuple[int, ...]] = {}
    pasts: dict[str, bytes] = {}
    states = 0
    for state in walk_tree(made.new_initial_state().game_state):
        seat = state.current_player
        if seat >= 0:
            states += 1
            text = State(made, state).information_state_string(seat)
            past = bytes([seat, state.is_reaction]) + state.observed_history(seat).tobytes()
            assert moves.setdefault(text, tuple(state.legal_actions())) == tuple(state.legal_actions())
            assert pasts.setdefault(text, past) == past
    assert len(set(pasts.values())) == len(pasts) < states


@pytest.mark.parametrize(("game", "rules"), [("classic", "jump_in+seven_zero"), ("wild_jackpot", ""), ("all_wild", "")])
def test_information_states_have_perfect_recall(game: str, rules: str) -> None:
    """A seat's information only grows; numbers are those of the seat's own view; a wait is the seat's secret."""
    waits = 0
    made = load_game(game, players=3, rules=rules, max_steps=80)
    state = made.new_initial_state()
    before = [b""] * 3
    for game_state in play_randomly(state, seed=2):
        waits += game_state.is_reaction
        if not game_state.is_dealt or game_state.current_player == CHANCE:
            continue
        table = game_state.make_round()
        for seat in range(3):
            past = game_state.observed_history(seat).tobytes()
            assert past.startswith(before[seat])
            before[seat] = past
            reacts = game_state.is_reaction and seat == game_state.current_player
            row = game_state.observe(seat).copy()
            assert (row == pickle.loads(pickle.dumps(game_state)).observe(seat)).all()  # which has no history
            assert (row == game_state.config.features.observe(table.view(seat), is_reaction=reacts)).all()
            assert state.observation_tensor(seat) == pyspiel.State.observation_tensor(state, seat)
            assert np.allclose(state.observation_tensor(seat), row / game_state.config.features.scale)
    assert (waits > 0) == ("jump_in" in rules)


@pytest.mark.parametrize("length", [16, 3, 0])
def test_the_last_moves_are_in_the_information_state_tensor(length: int) -> None:
    made = load_game("classic", players=3, **({} if length == 16 else {"history": length}))
    state = made.new_initial_state()
    actions = []
    for game_state in play_randomly(state, seed=3, max_steps=120):
        if game_state.current_player >= 0:
            actions.append((game_state, len(state.history())))
    history = state.history()
    tensor, size = np.array(state.information_state_tensor(1)), game_state.config.features.size
    assert tensor.size == made.information_state_tensor_size()
    recent = tensor[size:].reshape(length, 3 + len(game_state.config.action_space))
    for row, (then, at) in zip(recent, reversed(actions), strict=False):
        seat, action = np.flatnonzero(row)
        assert [(then.current_player - 1) % 3, history[at]] == [seat, action - 3]


def test_factored_observations_separate_private_information() -> None:
    made = load_game("classic", players=2)
    state = made.new_initial_state()
    list(play_randomly(state, seed=4, max_steps=40))
    kinds = pyspiel.PrivateInfoType
    public = made.make_py_observer(pyspiel.IIGObservationType(perfect_recall=False, private_info=kinds.NONE))
    private = made.make_py_observer(
        pyspiel.IIGObservationType(public_info=False, perfect_recall=False, private_info=kinds.SINGLE_PLAYER)
    )
    assert public.tensor is private.tensor is None
    assert public.string_from(state, 0) == public.string_from(state, 1) != ""
    assert private.string_from(state, 0) != private.string_from(state, 1)
    assert state.observation_string(0) == f"{private.string_from(state, 0)}; {public.string_from(state, 0)}"


@pytest.mark.parametrize(("game", "rules"), [("classic", "jump_in"), ("all_wild", ""), ("wild_jackpot", "")])
def test_resampled_hidden_cards_are_consistent(game: str, rules: str) -> None:
    """A sampled state is the same for the seat to act; it has all cards of the deck, and differs from the truth."""
    state = load_game(game, players=3, rules=rules, max_steps=120).new_initial_state()
    different = 0
    for game_state in play_randomly(state, seed=6):
        seat = game_state.current_player
        if seat < 0:
            continue
        resampled = state.resample_from_infostate(seat, lambda: 0.25)
        assert resampled.information_state_string(seat) == state.information_state_string(seat)
        assert resampled.legal_actions() == state.legal_actions()
        truth, dream = game_state.make_round(), resampled.game_state.make_round()
        assert dream.hand(seat) == truth.hand(seat) and dream.counts == truth.counts
        everywhere = [*dream.discard, *dream.draw_pile(), *(card for hand in dream.hands for card in hand)]
        assert sorted(everywhere) == sorted(game_state.config.deck)
        different += dream.hands != truth.hands
        resampled.apply_action(resampled.legal_actions()[0])
    assert different > 20
