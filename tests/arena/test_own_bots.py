"""Bots of a user, and of other packages, play wherever ours do."""

from __future__ import annotations

from importlib.metadata import EntryPoint

import numpy as np
import pytest

from lastcard import (
    Bot,
    IllegalMove,
    LastcardError,
    Match,
    Move,
    NotationError,
    Round,
    UsageError,
    View,
    envs,
    make_bot,
    play,
    run_arena,
    simulate,
    verify,
)
from lastcard.agents import TextRound
from lastcard.bots import own_bots
from lastcard.bots.own_bots import name_source
from lastcard.match.events import Called, Caught, Event, FalseCall
from support.own_bots import Absent, Broken, Dicer, Hasty, Mute, Named, Silent, Wrong


def test_a_class_gets_a_rating_and_the_same_result_with_any_number_of_workers() -> None:
    alone = run_arena("classic", 2, [Hasty, "sharp"], 12, 1, workers=1)
    together = run_arena("classic", 2, [Hasty, "sharp"], 12, 1, workers=2)
    assert [deal.rounds for deal in alone.deals] == [deal.rounds for deal in together.deals]
    assert alone.plan.bots == ("Hasty", "sharp")
    assert alone.entries["Hasty"].rating is not None
    assert alone.entries["Hasty"].wins.value < alone.entries["sharp"].wins.value


def test_an_object_is_copied_for_each_round_so_that_deals_are_independent() -> None:
    bot = Dicer(b"dice")
    both = run_arena("all-wild", 2, [bot, "random"], 4, 1, workers=1)
    assert bot.moves == 0
    assert run_arena("all-wild", 2, [Dicer(b"dice"), "random"], 2, 1, workers=1).deals[1].rounds == both.deals[1].rounds


def test_the_seed_of_a_class_depends_on_the_seat() -> None:
    first, second = (make_bot(Dicer, 1, seat) for seat in (0, 1))
    assert isinstance(first, Dicer)
    assert isinstance(second, Dicer)
    assert first.dice.random() != second.dice.random()
    assert make_bot(Dicer, 1, 1).dice.random() != second.dice.random()  # type: ignore[attr-defined]


def test_own_bots_call_uno_and_play_whole_rounds() -> None:
    """The default reaction makes the call it owes and no false one (CO-10)."""
    owed = 0
    for seed in range(10):
        events: list[Event] = []

        def add(seat: int, move: Move, seen: list[Event], events: list[Event] = events) -> None:
            events.extend(seen)

        round_ = play(Round.deal("classic", 3, seed=seed), Hasty, on_move=add)
        assert round_.over
        assert not any(isinstance(event, FalseCall | Caught) for event in events)
        owed += sum(isinstance(event, Called) for event in events)
    assert owed > 10
    assert len(simulate("wild-jackpot", players=3, rounds=5, bots=[Dicer, "sharp"], seed=1)) == 5


def test_simulate_returns_records_that_are_true() -> None:
    records = simulate("wild-jackpot", players=3, rounds=4, bots=["sharp", Dicer], seed=1, return_records=True)
    assert records == simulate("wild-jackpot", players=3, rounds=4, bots=["sharp", Dicer], seed=1, return_records=True)
    assert len({record.commitment for record in records}) == 4
    for record in records:
        verify(record)
        assert record.players == ("sharp 0", "Dicer 1", "sharp 2")
        assert [played.over for played in record.rounds] == [True]


def test_own_bots_play_in_vector_environments() -> None:
    pytest.importorskip("gymnasium")
    runs = []
    for bots in ((Hasty, "random"), (Hasty(), "random")):
        env = envs.vector("classic", players=3, n=2, bots=bots, seed=1)
        env.reset(seed=1)
        rows = [env.step(np.array([mask.nonzero()[0][0] for mask in env.batch.action_mask]))[0] for _ in range(20)]
        runs.append(np.array(rows))
    assert np.array_equal(runs[0], runs[1])
    assert len(np.unique(runs[0], axis=0)) > 10


def test_play_ends_after_the_wanted_rounds_and_gives_the_same_moves_again() -> None:
    one, again = (play(Match("classic", 2, seed=1), ["sharp", Dicer], rounds=2, seed=5) for _ in range(2))
    assert one.number == 1
    assert one.round.over
    assert one.record() == again.record()
    assert play(Match("classic", 2, seed=1), ["sharp", Dicer], rounds=2, seed=6).record() != one.record()


def test_an_error_of_a_bot_is_shown() -> None:
    with pytest.raises(ZeroDivisionError, match="no idea"):
        run_arena("classic", 2, [Broken, "sharp"], 4, 1, workers=2)


def test_what_is_no_bot_is_refused() -> None:
    def local(view: View) -> Move:
        return view.legal[0]

    class Local(Hasty):
        pass

    with pytest.raises(UsageError, match="not 5"):
        run_arena("classic", 2, [5], 1)  # type: ignore[list-item]
    with pytest.raises(UsageError, match=r"Mute makes a bot without react\(view\)"):
        make_bot(Mute)  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="two different bots are called Dicer"):
        run_arena("classic", 2, [Dicer(b"1"), Dicer(b"2")], 1)
    with pytest.raises(UsageError, match="define its class or function at the top of a module"):
        run_arena("classic", 2, [Local, "sharp"], 4, workers=2)
    with pytest.raises(UsageError, match="3 bots for 2 seats"):
        play(Match("classic", 2), ["sharp"] * 3)
    with pytest.raises(UsageError, match=r"local makes no bot without arguments but its seed: missing .*'view'"):
        make_bot(local)  # type: ignore[arg-type]
    with pytest.raises(UsageError, match=r"Absent makes a bot without choose\(view\)"):
        run_arena("classic", 2, [Absent, "sharp"], 1)
    bot: Bot = Absent()  # type: ignore[abstract]
    with pytest.raises(NotImplementedError, match=r"Absent needs choose\(view\), which returns one of view.legal"):
        bot.choose(Round.deal("classic", 2, seed=1).view(0))


@pytest.mark.parametrize(
    ("bot", "error", "chosen"),
    [
        (Silent, NotationError, "chose None: a bot returns one of"),
        (Wrong, IllegalMove, "chose done: nobody is asked for that now"),
    ],
)
def test_the_error_of_a_move_names_the_bot_its_seat_and_legal_moves(
    bot: type[Bot], error: type[LastcardError], chosen: str
) -> None:
    wrong = rf"the bot {bot.__name__} at seat (0|1) {chosen}.*; legal are [RYGBW].*, "
    with pytest.raises(error, match=wrong + r".* and \d+ more$"):
        play(Round.deal("all-wild", 6, seed=1, dealer=5), [bot] + ["sharp"] * 5)
    with pytest.raises(error, match=wrong):
        play(Match("classic", 2, seed=1), bot)
    with pytest.raises(UsageError, match=wrong):
        run_arena("classic", 2, [bot, "sharp"], 1, seed=1, workers=1)
    with pytest.raises(error, match=wrong):
        TextRound("classic", [None, bot], seed=1).answer("1")


def test_the_error_of_a_move_in_a_vector_environment_names_the_bot() -> None:
    pytest.importorskip("gymnasium")
    env = envs.vector("classic", players=2, n=1, bots=[Silent], seed=1)
    with pytest.raises(NotationError, match="the bot Silent at seat 1 chose None"):
        env.reset(seed=1)  # it is first


def test_the_entry_of_a_bot_has_its_name() -> None:
    """The attribute ``name`` of an object or its class, else the name of the class or function; none is inherited."""
    for bot, name in ((Named, "hurry"), (Named(), "hurry"), (Hasty, "Hasty"), (Hasty(), "Hasty")):
        result = run_arena("classic", 2, [bot, "random"], 1, seed=1, workers=1)
        assert list(result.entries) == [name, "random"]
        with pytest.raises(KeyError, match=f"there is no entry 'Nobody'; the entries are {name}, random"):
            result.entries["Nobody"]
    assert name_source(type("Child", (Named,), {})) == name_source(type("Child", (Named,), {})()) == "Child"


def test_bots_of_other_packages_have_names(monkeypatch: pytest.MonkeyPatch) -> None:
    point = EntryPoint("dicer", "support.own_bots:Dicer", own_bots.ENTRY_POINT_GROUP)
    monkeypatch.setattr("lastcard.bots.own_bots.entry_points", lambda group: [point] * (group == point.group))
    own_bots.find_plugins.cache_clear()
    try:
        assert isinstance(make_bot("dicer"), Dicer)
        assert simulate("classic", players=2, rounds=1, bots="dicer", seed=1).bots == ("dicer", "dicer")
        assert run_arena("classic", 2, ["dicer", "sharp"], 2, 1, workers=1).plan.own_bots == {}
        with pytest.raises(UsageError, match="Dicer takes no settings, such as 'style=odd'"):
            make_bot("dicer:style=odd")
        with pytest.raises(UsageError, match="did you mean 'dicer'"):
            make_bot("dice")
    finally:
        own_bots.find_plugins.cache_clear()
