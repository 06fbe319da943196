"""Practice: rounds of a network against itself and others, what they tell, and that it learns what gains."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lastcard.ai.sight import ACT, STATE
from lastcard.bots.learned import policy
from lastcard.errors import UsageError
from lastcard.training import gradients, practice
from lastcard.training.compiled.selfplay import CASTS, HIDDEN, ITSELF, Lived, spread
from lastcard.training.fit import ACTOR, fill, new_actor
from lastcard.training.lessons import Source


class Even:
    """In place of a critic: to it every chance is even."""

    def __call__(self, x: Any) -> Any:
        return x[:, :1] * 0


@pytest.fixture(autouse=True)
def torch() -> Any:
    return pytest.importorskip("torch")


def play(rules: str, players: int, size: int = 600) -> tuple[gradients.Lesson, Any, Any]:
    """Decisions of a table, and who played alone."""
    games = practice.Games(size, patient=False)
    net = practice.sharpen(np.array(policy(rules)), 100.0)
    lesson, tally = games.play([(Source(rules, players, 3), 1.0)], net, net, Even())
    return lesson, tally, games._lived


@pytest.mark.parametrize(("rules", "players"), [("classic", 2), ("all-wild", 5), ("wild-jackpot+seven_zero", 3)])
def test_what_is_played_is_what_the_network_draws(rules: str, players: int) -> None:
    """Chances are those of a softmax of its ratings, computed here by PyTorch from the rows that were written."""
    lesson, tally, lived = play(rules, players)
    n = len(lesson.gains)
    assert 500 < n <= 600 and len(lesson.drills.ends) == n and tally.sum() > 0
    row, decision = lesson.drills.find(np.arange(n))
    assert row.tolist() == list(range(len(lesson.drills.acts)))
    net = new_actor(ACTOR)
    fill(net, practice.sharpen(np.array(policy(rules)), 100.0))
    inputs = np.concatenate([lesson.drills.xs[decision], lesson.drills.acts[row]], 1)
    rated = net(torch_of(inputs)).detach().numpy().ravel().astype(np.float64)
    for i in range(n):
        mine = rated[decision == i]
        chances = np.exp(mine - mine.max())
        assert lesson.chances[i] == pytest.approx(chances[lesson.chosen[i]] / chances.sum(), abs=1e-3)
    # Of every round one seat has won, where all are written.
    rounds, seats, won = (array[:n] for array in (lived.rounds, lived.seats, lived.won))
    for number in np.unique(rounds):
        winners = set(seats[(rounds == number) & (won == 1)].tolist())
        assert len(winners) <= 1 and seats[rounds == number].max() < players
    assert tally[ITSELF, 0] > 0 and (tally[:, 1] <= tally[:, 0]).all()


def torch_of(array: Any) -> Any:
    import torch

    return torch.from_numpy(array)


def test_a_drawn_act_is_drawn_as_often_as_its_chance_says() -> None:
    """Over thousands of decisions the first act is drawn as often as the mean of its chances."""
    lesson, _, _ = play("classic", 2, 6000)
    first = np.mean(lesson.chosen == 0)
    net = new_actor(ACTOR)
    fill(net, practice.sharpen(np.array(policy("classic")), 100.0))
    row, decision = lesson.drills.find(np.arange(len(lesson.gains)))
    inputs = np.concatenate([lesson.drills.xs[decision], lesson.drills.acts[row]], 1)
    rated = np.exp(net(torch_of(inputs)).detach().numpy().ravel())
    starts = np.searchsorted(decision, np.arange(len(lesson.gains)))
    expected = (rated / np.bincount(decision, rated)[decision])[starts]
    error = np.sqrt((expected * (1 - expected)).mean() / len(expected))
    assert abs(first - expected.mean()) < 4 * error


def test_gains_of_a_chain() -> None:
    """At two seats the decisions of both tell of each other; at three those of one seat alone."""
    lived = Lived(
        xs=np.zeros((4, STATE), np.float32),
        hidden=np.zeros((4, HIDDEN), np.float32),
        acts=np.zeros((4, ACT), np.float32),
        ends=np.zeros(4, np.int64),
        chosen=np.zeros(4, np.int64),
        chances=np.zeros(4, np.float32),
        rounds=np.array([0, 0, 0, 1]),
        seats=np.array([0, 1, 0, 1]),
        won=np.array([1, 0, 1, 1], np.float32),
        tally=np.zeros((CASTS, 2), np.int64),
    )
    values = np.array([0.5, 0.25, 0.75, 0.5], np.float32)
    gains, later = np.zeros(4, np.float32), np.zeros(10, np.int64)
    spread(2, lived, values, 0.5, later, gains)
    last = 1 - 0.75
    middle = (1 - 0.75) - 0.25 - 0.5 * last
    assert gains.tolist() == [(1 - 0.25) - 0.5 - 0.5 * middle, middle, last, 0.5]
    spread(3, lived, values, 0.5, later, gains)
    assert gains.tolist() == [0.75 - 0.5 + 0.5 * last, -0.25, last, 0.5]


def test_a_network_learns_what_gains() -> None:
    """Taught that the first act of every decision gains and all others lose, it draws the first more often."""
    import torch

    torch.manual_seed(1)
    lesson, _, _ = play("classic", 2)
    first = np.where(lesson.chosen == 0, 0.5, -0.5).astype(np.float32)
    lesson = lesson._replace(gains=first, values=np.full_like(first, 0.9))
    net, critic = new_actor(ACTOR), gradients.new_critic()
    fill(net, practice.sharpen(np.array(policy("classic")), 100.0))
    optimizer, other = (torch.optim.Adam(each.parameters(), 1e-3) for each in (net, critic))
    at = np.arange(len(lesson.drills.ends))
    row, decision = lesson.drills.find(at)
    starts = np.searchsorted(decision, at)

    def chance_of_first() -> float:
        with torch.no_grad():
            rated = gradients.rate_rows(net, *map(torch_of, (lesson.drills.xs, lesson.drills.acts[row], decision)))
        chances = np.exp(rated.numpy().astype(np.float64))
        return float((chances[starts] / np.bincount(decision, chances)).mean())

    before, expected = chance_of_first(), gradients.expect(critic, lesson.drills.xs, lesson.hidden[at]).mean()
    for _ in range(20):
        entropy = gradients.learn(net, optimizer, lesson, at, 0.0)
        gradients.learn_critic(critic, other, lesson, at)
    assert chance_of_first() > before + 0.05 and entropy > 0
    assert gradients.expect(critic, lesson.drills.xs, lesson.hidden[at]).mean() > expected + 0.1


def test_practice_goes_on_where_it_was_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same to the last bit as without a stop; and another seed gives another network."""
    monkeypatch.setattr(practice, "SIZE", 500)
    monkeypatch.setattr(practice, "BATCH", 100)
    monkeypatch.setattr(practice, "PAUSE", 2)
    monkeypatch.setattr(practice, "_WARM", 1)
    start = np.array(policy("all-wild"))

    class Stopped(Exception):
        pass

    def stop(name: str, done: int, of: int) -> None:
        if done == 3:
            raise Stopped

    def run(folder: str, seed: int = 1, tell: Any = lambda name, done, of: None) -> Any:
        (tmp_path / folder).mkdir(exist_ok=True)
        file = tmp_path / folder / "practice-all-wild.pt"
        return practice.Practice("all-wild", file, practice.HASTY._replace(steps=5), seed, tell).run(start)

    whole, won = run("whole")
    with pytest.raises(Stopped):
        run("stopped", tell=stop)
    again, same = run("stopped")
    assert np.array_equal(whole, again) and won == same and 0 <= won <= 1
    assert (tmp_path / "whole" / "practice-all-wild.json").read_text().count('"steps"') == 3
    assert not np.array_equal(whole, start) and whole.shape == start.shape and whole.dtype == start.dtype
    assert not np.array_equal(run("other", seed=2)[0], whole)
    file = tmp_path / "whole" / "practice-all-wild.pt"
    longer = practice.Practice("all-wild", file, practice.HASTY._replace(steps=6), 1, lambda *_: None)
    with pytest.raises(UsageError, match="5 steps, not 6"):
        longer.run(start)


def test_sharpened_ratings_are_so_many_times_as_large() -> None:
    """The order of acts stays."""
    lesson, _, _ = play("classic", 2)
    row, decision = lesson.drills.find(np.arange(len(lesson.drills.ends)))
    seen = [torch_of(part) for part in (lesson.drills.xs, lesson.drills.acts[row], decision)]
    rated = []
    for numbers in (np.array(policy("classic")), practice.sharpen(np.array(policy("classic")), 100.0)):
        net = new_actor(ACTOR)
        fill(net, numbers)
        rated.append(gradients.rate_rows(net, *seen).detach().numpy())
    assert rated[1] == pytest.approx(100 * rated[0], rel=1e-3, abs=1e-3)


def test_a_checkpoint_of_practice_that_cannot_be_read_is_named_and_stays(tmp_path: Path) -> None:
    """Its curve and its networks too are looked at before anything goes on from them."""
    import torch

    start, file = np.array(policy("classic")), tmp_path / "patience-classic.pt"
    learner = practice.Learner(start, 1, practice.PATIENT)
    learner.done, learner.curve = 50, [{"steps": 50, "entropy": 1.0, "elder": 0.5, "sharp": 0.5}]
    learner.keep(file)
    practice.Learner(start, 1, practice.PATIENT).restore(file)
    kept, whole = torch.load(file, weights_only=True), file.read_bytes()
    wrong: list[Any] = [{}, 7, kept | {"curve": []}, kept | {"curve": [{"steps": 50}]}, kept | {"mean": torch.zeros(3)}]
    wrong += [kept | {"elders": torch.zeros(2, 3)}, kept | {"critic": {}}, kept | {"done": 0}, kept | {"done": 51}]
    for other in wrong:
        torch.save(other, file)
        refuse(file, start)
    for left in (b"", b"\x80\x02.", whole[:5000]):
        file.write_bytes(left)
        refuse(file, start)
        assert file.read_bytes() == left


def refuse(file: Path, start: Any) -> None:
    with pytest.raises(UsageError, match=r"patience-classic.pt: this is no checkpoint of practice.*begins anew"):
        practice.Learner(start, 1, practice.PATIENT).restore(file)
