"""OpenSpiel's door: the same as the referee by the same chance, and nobody sees what is hidden."""

from __future__ import annotations

import pickle
from collections import Counter

import numpy as np
import pytest

pytest.importorskip("pyspiel")

import pyspiel

from lastcard.envs.compiled.forks import CHANCE, ENDED
from lastcard.envs.openspiel import State
from lastcard.match.round import Round
from referee import deal, do
from support.spiel import Told, load, play, walk
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
def test_the_referee_comes_to_the_same_by_the_same_chance(game: str, players: int, rules: str, seed: int) -> None:
    """CO-1, CO-30, WJ-24, WJ-46, R5: after every act both sides agree, whatever chance brought, reshuffles too."""
    state = load(game, players=players, rules=rules, dealer=seed % players, longest=600).new_initial_state()
    spots = list(play(state, seed))
    chosen, own = state.history(), state.spot.own
    told = Told(spots, chosen)
    dispenser = told.rule_stack([card.text for card in own.rule_cards], 0)
    referee = deal(own.rules, players, seed % players, told.shuffle(), dispenser, told)
    act = None
    for i, spot in enumerate(spots):
        if spot.seat == CHANCE:
            continue
        if act is not None:
            do(referee, *act)
        compare(Pair(spot.round(), referee, seed), lists=False)
        move = own.actions.decode(chosen[i], spot.seat, players) if spot.seat >= 0 else None
        act = (spot.seat, str(move)) if move is not None else None
    assert not told.levers and not told.blinds


@pytest.mark.parametrize(("game", "rules"), [("classic", ""), ("all_wild", ""), ("wild_jackpot", "0-9_random")])
def test_what_chance_brings_is_as_likely_as_it_is(game: str, rules: str) -> None:
    """Shares add up to 1; a card drawn first in an act is as likely as there are of it in the draw pile (CO-30)."""
    parameters = {"rules": f"wj_number_distribution:{rules}"} if rules else {}
    seen: Counter[str] = Counter()
    for seed in range(6):
        for spot in play(load(game, players=3, longest=200, **parameters).new_initial_state(), seed):
            if spot.seat != CHANCE:
                continue
            events, shares = zip(*spot.outcomes(), strict=True)
            assert list(events) == sorted(events) and sum(shares) == pytest.approx(1) and min(shares) > 0
            seen[spot.source] += 1
            if spot.source == "pile" and spot.dealt and spot.told == 0 and spot.round().draw_count:
                pile = Counter(spot.round().draw_pile())
                there = [pile[card] / pile.total() for card in spot.own.features.cards if pile[card]]
                assert list(shares) == pytest.approx(there)
    assert seen["pile"] > 100 and (game != "wild_jackpot" or min(seen[k] for k in ("hand", "rules", "lever", "")) > 2)


def test_a_first_card_that_goes_back_never_comes() -> None:
    """CL-11: a Wild Draw Four is not turned over while there is another card; the rest are as likely as before."""
    spot = load("classic", deck="R1*3 B1 W+4*2", hand_size=1).new_initial_state().spot
    for _ in range(2):
        assert dict(spot.outcomes())[spot.legal()[-1]] == pytest.approx(2 / (6 - spot.told))
        spot = spot.step(spot.own.outcomes.index("R1"))
    assert [(spot.own.outcomes[k], p) for k, p in spot.outcomes()] == [("R1", 0.5), ("B1", 0.5)]


def test_the_table_is_dealt_as_a_deck_in_order_is() -> None:
    """CO-1: one card at a time from the dealer's left, as ``Round.deal`` deals a deck that is given."""
    state = load("classic", players=3, dealer=1).new_initial_state()
    cards = []
    for spot in play(state, seed=8):
        if spot.dealt:
            break
        cards.append(spot)
    dealt = [spot.own.features.cards[event] for spot, event in zip(cards, state.history(), strict=True)]
    rest = list((Counter(spot.own.deck) - Counter(dealt)).elements())
    table = Round.deal(spot.own.rules, 3, deck=[*dealt, *rest], dealer=1)
    assert (table.hands, table.turn, table.top) == (spot.round().hands, spot.round().turn, spot.round().top)


def test_what_a_round_pays() -> None:
    """CL-51, CL-52: points go to the winner, or count against the others; a cut-off round pays nothing."""
    for rules, sign in (("", 1), ("scoring:tally", -1)):
        for seed in range(3):
            made = load("classic", players=3, rules=rules, returns="points")
            state = made.new_initial_state()
            for spot in play(state, seed):
                assert spot.seat == ENDED or not any(spot.pay())
            held, winner = spot.round().held, spot.round().winner
            assert winner is not None
            paid = [-points for points in held] if sign < 0 else [0] * 3
            paid[winner] = 0 if sign < 0 else sum(held)
            assert state.returns() == paid and made.min_utility() <= min(paid) <= max(paid) <= made.max_utility()
    state = load("classic", players=3, longest=2, returns="points").new_initial_state()
    *_, last = play(state, 1)
    assert last.seat == ENDED and state.returns() == [0, 0, 0] and not last.round().over


# --- information --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "parameters",
    [
        {"deck": "R1 R2 B1 B2 R+2", "hand_size": 2, "longest": 4},
        {"deck": "R1*2 R2*2 B1*2 B2", "hand_size": 1, "longest": 5, "rules": "jump_in"},
        {"deck": "R1 B1 W W+4*2", "hand_size": 1, "longest": 5},
    ],
)
def test_an_information_state_is_what_a_seat_has_seen(parameters: dict[str, object]) -> None:
    """In a whole tree: one text for one past of a seat, and always the same acts."""
    made = load("classic", **parameters)
    acts: dict[str, tuple[int, ...]] = {}
    pasts: dict[str, bytes] = {}
    states = 0
    for spot in walk(made.new_initial_state().spot):
        if spot.seat >= 0:
            states += 1
            text = State(made, spot).information_state_string(spot.seat)
            past = bytes([spot.seat, spot.reacts]) + spot.seen(spot.seat).tobytes()
            assert acts.setdefault(text, tuple(spot.legal())) == tuple(spot.legal())
            assert pasts.setdefault(text, past) == past
    assert len(set(pasts.values())) == len(pasts) < states


@pytest.mark.parametrize(("game", "rules"), [("classic", "jump_in+seven_zero"), ("wild_jackpot", ""), ("all_wild", "")])
def test_a_seat_forgets_nothing_and_peeks_nowhere(game: str, rules: str) -> None:
    """What a seat has seen only grows; numbers are those of the seat's own view; a wait is its own secret."""
    waits = 0
    made = load(game, players=3, rules=rules, longest=80)
    state = made.new_initial_state()
    before = [b""] * 3
    for spot in play(state, seed=2):
        waits += spot.reacts
        if not spot.dealt or spot.seat == CHANCE:
            continue
        table = spot.round()
        for seat in range(3):
            past = spot.seen(seat).tobytes()
            assert past.startswith(before[seat])
            before[seat] = past
            reacts = spot.reacts and seat == spot.seat
            row = spot.observe(seat).copy()
            assert (row == pickle.loads(pickle.dumps(spot)).observe(seat)).all()  # which remembers nothing
            assert (row == spot.own.features.observe(table.view(seat), reacts=reacts)).all()
            assert state.observation_tensor(seat) == pyspiel.State.observation_tensor(state, seat)
            assert np.allclose(state.observation_tensor(seat), row / spot.own.features.scale)
    assert (waits > 0) == ("jump_in" in rules)


def test_the_last_acts_stand_in_the_information_state_tensor() -> None:
    made = load("classic", players=3)
    state = made.new_initial_state()
    acts = []
    for spot in play(state, seed=3, limit=120):
        if spot.seat >= 0:
            acts.append((spot, len(state.history())))
    history = state.history()
    recent = np.array(state.information_state_tensor(1))[spot.own.features.size :].reshape(16, -1)
    for row, (then, at) in zip(recent, reversed(acts), strict=False):
        seat, act = np.flatnonzero(row)
        assert [(then.seat - 1) % 3, history[at]] == [seat, act - 3]


def test_factored_observations_keep_what_is_private_apart() -> None:
    made = load("classic", players=2)
    state = made.new_initial_state()
    list(play(state, seed=4, limit=40))
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
def test_hidden_cards_may_as_well_be_others(game: str, rules: str) -> None:
    """A sampled state is the same for the seat to act; the cards of the deck are all there; the truth is not."""
    state = load(game, players=3, rules=rules, longest=120).new_initial_state()
    different = 0
    for spot in play(state, seed=6):
        if spot.seat < 0:
            continue
        twin = state.resample_from_infostate(spot.seat, lambda: 0.25)
        assert twin.information_state_string(spot.seat) == state.information_state_string(spot.seat)
        assert twin.legal_actions() == state.legal_actions()
        truth, dream = spot.round(), twin.spot.round()
        assert dream.hand(spot.seat) == truth.hand(spot.seat) and dream.counts == truth.counts
        everywhere = [*dream.discard, *dream.draw_pile(), *(card for hand in dream.hands for card in hand)]
        assert sorted(everywhere) == sorted(spot.own.deck)
        different += dream.hands != truth.hands
        twin.apply_action(twin.legal_actions()[0])
    assert different > 20
