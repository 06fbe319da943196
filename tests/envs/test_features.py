"""Views as numbers: the row of a view equals the row of compiled play."""

from __future__ import annotations

from contextlib import suppress

import numpy as np
import pytest

from lastcard import Move, Round, RulesError, ruleset
from lastcard.envs.batch import Batch, EnvConfig
from lastcard.envs.features import features
from lastcard.envs.mirror import MirrorRounds
from lastcard.errors import UsageError
from lastcard.game.options import OPTIONS
from lastcard.game.rulesets import GAMES
from lastcard.rules.layout import NOTHING
from support.agents import configs_with_calls

GAME_CONFIGS = [
    ("all-wild", 2),
    ("all-wild", 5),
    ("all-wild+stacking=cross+jump_in", 4),
    ("classic", 2),
    ("classic", 4),
    ("classic", 10),
    ("classic+harsh", 3),
    ("classic+living-room", 4),
    ("classic+challenge_by=anyone", 4),
    ("classic+seven_zero+seven_zero_last=effect", 4),
    ("classic+team_play", 4),
    ("classic+reshuffle=keep_none+hand_size=10", 8),
    ("wild-jackpot", 2),
    ("wild-jackpot", 6),
    ("wild-jackpot+wj_discard_jackpot=pull+wj_last_jackpot=pull+jump_in", 4),
    ("wild-jackpot+wj_number_distribution=0-9_random", 3),
    ("wild-jackpot+wj_number_distribution=0_1-7", 3),
]


@pytest.mark.parametrize(("rules", "players", "calls"), configs_with_calls(0, GAME_CONFIGS))
def test_a_view_and_compiled_code_give_the_same_observation_and_mask(rules: str, players: int, calls: str) -> None:
    tables = Batch(EnvConfig(rules, players, calls=calls), 1, dtype="uint8", seed=7)
    layout, mirror, rng = tables.features, MirrorRounds(tables), np.random.default_rng(7)
    tables.reset()
    for _ in range(200):
        table, seat, reacts = mirror.round(0), int(tables.current_player[0]), bool(tables.is_reaction[0])
        number = int(tables._episode_states[0]["round_number"]) - 1
        assert (table.number, table.dealer) == (number, number % players)
        view = table.view(seat)
        row = layout.observe(view, np.zeros(layout.size, np.uint8), is_reaction=reacts)
        differing = [name for name, at in layout.fields.items() if (row[at] != tables.observations[0][at]).any()]
        assert not differing, (rules, differing)
        assert (layout.action_mask(view, is_reaction=reacts) == tables.action_mask[0]).all()
        legal = {layout.action_space.decode(int(k), seat, players) for k in np.flatnonzero(tables.action_mask[0])}
        assert legal - {None} <= set(view.legal)
        if not reacts:
            left_out = {m for m in view.legal if m.verb != "uno"} - legal
            assert not left_out
        mirror.step(np.array([rng.choice(np.flatnonzero(tables.action_mask[0]))]))
        if tables.terminated[0]:
            assert table.over and (tables.rewards[0].argmax() == table.winner or table.void or "team" in rules)


@pytest.mark.parametrize(("rules", "players", "calls"), configs_with_calls(1, GAME_CONFIGS))
def test_compiled_observations_equal_those_of_views(rules: str, players: int, calls: str) -> None:
    """Compiled tables update their counts with every move; a view's row is computed from its history alone."""
    terms = EnvConfig(rules + "+winning_score=500", players, calls=calls, episode="match", max_steps=30)
    tables, layout = Batch(terms, 1, dtype="uint8", seed=3), terms.features
    mirror, row, ends = MirrorRounds(tables), np.zeros(layout.size, np.uint8), 0
    tables.reset()
    for step in range(70):
        if step == 60:
            tables.reset()
        mirrored, scores = mirror.round(0), tables.scores[0].tolist()
        asked, reacts = int(tables.current_player[0]), bool(tables.is_reaction[0])
        for seat in range(players):
            tables.observe(0, seat, row)
            out_of_turn = seat == asked and reacts
            written = layout.observe(
                mirrored.view(seat), np.zeros(layout.size, np.uint8), scores=scores, is_reaction=out_of_turn
            )
            differing = [name for name, at in layout.fields.items() if (row[at] != written[at]).any()]
            assert not differing, (rules, step, seat, differing)
            assert seat != asked or (row == tables.observations[0]).all()
        mirror.step(tables.sample())
        ends += int(tables.terminated[0] + tables.truncated[0])
    assert ends > 0


@pytest.mark.parametrize(("rules", "players"), GAME_CONFIGS)
def test_every_move_has_its_own_number_and_round_trips(rules: str, players: int) -> None:
    space = features(rules, players).action_space
    assert len(set(space.names)) == len(space)
    for seat in (0, players - 1):
        for number, name in enumerate(space.names):
            if ">+" in name and int(name.split("+")[-1]) >= players:
                with pytest.raises(UsageError, match="a seat too far"):
                    space.decode(number, seat, players)
                continue
            move = space.decode(number, seat, players)
            assert space.encode(move, seat, players) == number
            assert move is None or move.target is None or (move.target - seat) % players == int(name[-1])


def test_every_choice_of_every_option_has_a_layout() -> None:
    """Rows of a game have one length under all rules."""
    sizes = {game: features(game, 4).size for game in GAMES}
    for option in OPTIONS.values():
        for game in option.games:
            for choice in option.choices:
                with suppress(RulesError):
                    assert features(ruleset(game, {option.name: choice}), 4).size == sizes[game], (option.name, choice)


def test_the_space_of_a_ruleset_is_the_same_for_any_number_of_players() -> None:
    assert features("classic", 2).action_space is features("classic", 10).action_space
    assert features("classic", 2).action_space.actions[-1] == NOTHING  # wait, because calls are actions there
    assert features("classic+uno_window=automatic_call", 2).action_space.wait == -1


def test_a_call_with_a_play_is_the_play() -> None:
    space = features("classic", 2).action_space
    assert space.encode(Move("play", 5, uno=True), 0, 2) == space.encode(Move("play", 5), 0, 2)


def test_invalid_moves_and_numbers_are_refused() -> None:
    space = features("classic", 2).action_space
    with pytest.raises(UsageError, match="pull is not a move of classic; there are R0"):
        space.encode(Move("pull"), 0, 2)
    with pytest.raises(UsageError, match=f"an action of classic is a whole number from 0 to 80, not {len(space)}"):
        space.decode(len(space), 0, 2)
    with pytest.raises(UsageError, match="wait is not a move"):
        features("classic+uno_window=automatic_call", 2).action_space.encode(None, 0, 2)


def test_an_observation_is_written_only_into_the_given_buffer() -> None:
    layout = features("classic", 3)
    view = Round.deal("classic", 3, seed=5).view(1)
    buffer = np.full((4, layout.size), 77, np.uint8)
    assert layout.observe(view, buffer[2]) is not None
    assert (buffer[[0, 1, 3]] == 77).all()
    assert (buffer[2] == layout.observe(view)).all()
    assert buffer[2][layout.fields["hand"]].sum() == len(view.hand or ())
    assert (layout.observe(view, scores=(0, 250, 500))[layout.fields["score+0"]] == 50).all()


@pytest.mark.parametrize(
    ("out", "says"),
    [
        (np.zeros(5, np.float32), r"uint8 or float32 of shape \(\d+,\), not float32\(5,\)"),
        (np.zeros(features("classic", 3).size, np.float64), "not float64"),
        ([0.0], "not list"),
    ],
)
def test_a_wrong_buffer_is_refused(out: object, says: str) -> None:
    with pytest.raises(UsageError, match=says):
        features("classic", 3).observe(Round.deal("classic", 3, seed=5).view(0), out)


def test_a_view_of_another_table_is_refused() -> None:
    layout = features("classic", 3)
    for view in (Round.deal("classic", 4, seed=1).view(0), Round.deal("all-wild", 3, seed=1).view(0)):
        with pytest.raises(UsageError, match="a seat among 3 players of classic, not"):
            layout.observe(view)
    with pytest.raises(UsageError, match="not a spectator"):
        layout.action_mask(Round.deal("classic", 3, seed=1).view(None))


def test_observations_of_states_that_differ_in_hidden_cards_are_the_same() -> None:
    """A row depends only on what was seen: the same hand, another deal of the rest."""
    layout = features("classic", 2)
    deck = Round.deal("classic", 2, seed=3)
    order = [*deck.hands[1], *deck.draw_pile()]
    resampled = []
    for hidden in (order, order[::-1]):
        first, rest = hidden[:7], hidden[7:]
        hands = [card for pair in zip(first, deck.hands[0], strict=True) for card in pair]
        resampled.append(Round.deal("classic", 2, seed=3, deck=[*hands, deck.top, *rest]))
    observations = [layout.observe(each.view(0)) for each in resampled]
    assert resampled[0].hands[1] != resampled[1].hands[1] and resampled[0].hands[0] == resampled[1].hands[0]
    assert (observations[0] == observations[1]).all()


def test_the_layout_can_be_read() -> None:
    layout = features("wild-jackpot", 3)
    text = layout.describe()
    assert f"version 1: {layout.size} numbers" in text and "known+2" in text and "cards: R0 R1" in text
    assert sum(at.stop - at.start for at in layout.fields.values()) == layout.size == layout.scale.size
    assert (layout.scale > 0).all()
