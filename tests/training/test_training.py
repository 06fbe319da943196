"""``lastcard train``: all data is generated once, and one command makes all networks."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lastcard.bots import weights
from lastcard.bots.network_files import read_network
from lastcard.bots.weights import load_policy_net, load_prior_net, load_reference_net, load_value_net
from lastcard.errors import UsageError
from lastcard.game.rulesets import GAMES
from lastcard.training import habits, policy_gradient, supervised, train, tune
from lastcard.training.checkpoints import writing_file
from lastcard.training.position_data import DataSource, make_decisions, make_positions

SHIPPED = {
    "value": load_value_net,
    "policy": load_policy_net,
    "single-draw": load_policy_net,
    "reference": load_reference_net,
    "prior": load_prior_net,
}


def start(folder: Path, workers: int, progress: list[tuple[str, int, int]]) -> train.Training:
    return train.Training("classic", folder, 100, 1, 1, workers, lambda *what: progress.append(what))


def test_parts_are_the_same_by_any_number_of_processes_and_made_once(tmp_path: Path) -> None:
    works = [partial(make_positions, 20, DataSource("classic", 2, seed)) for seed in range(3)]
    made: list[Any] = []
    progress: list[Any] = []
    for workers in (1, 2):
        (tmp_path / str(workers)).mkdir()
        made.append(start(tmp_path / str(workers), workers, progress)._load_or_make("positions", works))
    for one, two, work in zip(*made, works, strict=True):
        assert all(map(np.array_equal, one, two)) and all(map(np.array_equal, one, work()))
    assert progress == [("positions", done, 3) for done in range(4)] * 2
    (tmp_path / "2" / "positions-classic-1.npz").unlink()
    again = start(tmp_path / "2", 2, progress)._load_or_make("positions", [partial(fail), works[1], partial(fail)])
    assert all(map(np.array_equal, again[0], made[0][0])) and all(map(np.array_equal, again[1], made[0][1]))
    assert progress[8:] == [("positions", done, 3) for done in (2, 3)]


def fail() -> tuple[object, ...]:
    raise AssertionError("a part that is there is not made again")


def test_one_command_makes_every_network_of_a_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Networks have the size of the shipped ones; finished steps are not repeated; another folder gives the same."""
    pytest.importorskip("torch")
    monkeypatch.setattr(supervised, "BATCH", 16)
    monkeypatch.setattr(train, "_MIN_POSITIONS", 800)
    monkeypatch.setattr(policy_gradient, "STEP_DECISIONS", 400)
    monkeypatch.setattr(habits, "COUNTED_ROUNDS", 20)
    progress: list[str] = []
    how: dict[str, Any] = {
        "positions": 800,
        "epochs": 1,
        "workers": 2,
        "steps": 2,
        "progress": lambda what, done, of: progress.append(what),
    }
    first = train.Training("all-wild", tmp_path, **how).run()
    assert set(first) == {"loss", "error", "gain", "best", "prior_gain", "won"}
    for name, shipped in SHIPPED.items():
        net = read_network(tmp_path / f"{name}-all-wild.npy")
        assert net.shape == shipped("all-wild").shape and np.isfinite(net).all()
    assert np.load(tmp_path / "habits-all-wild.npy").shape == weights.habits("all-wild").shape
    progress.clear()
    again = train.Training("all-wild", tmp_path, **how).run()
    assert again == first and progress == ["positions", "decisions", "replies", "search-decisions"]
    with pytest.raises(UsageError, match="other training"):
        train.Training("all-wild", tmp_path, seed=2, **how).run()
    with ThreadPoolExecutor(2) as executor:
        assert train.Training("all-wild", tmp_path / "anew", **how | {"executor": executor}).run() == first
    for file in tmp_path.glob("*.npy"):
        assert (tmp_path / "anew" / file.name).read_bytes() == file.read_bytes()


@pytest.mark.parametrize(
    ("how", "said"),
    [
        ({"game": "uno"}, "there is no game 'uno'"),
        ({"positions": 10}, "the number of positions is a whole number from 65,536 on, not 10"),
        ({"epochs": 0}, "the number of epochs is a whole number from 1 on, not 0"),
        ({"steps": -1}, "the number of steps is a whole number from 0 on, not -1"),
        ({"workers": 0}, "the number of workers is a whole number from 1 to 256, not "),
        ({"workers": 10**6}, "the number of workers is a whole number from 1 to 256, not "),
        ({"seed": 0}, "the seed is a whole number from 1 to 1,099,511,627,776, not 0"),
        ({"seed": -1}, "the seed is a whole number from 1 to .*, not -1"),
    ],
)
def test_invalid_training_is_refused(
    how: dict[str, Any], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(train, "import_torch", lambda: None)
    with pytest.raises(UsageError, match=said):
        train.Training(**{"game": "classic", "folder": tmp_path, **how}).run()
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("how", "said"),
    [
        ({"game": "uno"}, "there is no game 'uno'"),
        ({"players": 11}, "2 to 10 players"),
        ({"generations": 0}, "the number of generations is a whole number from 1 to 1,000,000, not 0"),
        ({"generations": -1}, "the number of generations is .*, not -1"),
        ({"deals": 0}, "the number of deals is a whole number from 3 to 10,000,000, not 0"),
        ({"deals": 10**30}, "the number of deals is .*, not 1000"),
        ({"seed": -1}, "the seed is a whole number from 0 to 1,099,511,627,776, not -1"),
    ],
)
def test_invalid_tuning_is_refused(how: dict[str, Any], said: str) -> None:
    with pytest.raises(UsageError, match=said):
        tune.tune(**{"game": "classic", "players": 2, "generations": 1, "deals": 3, **how})


def test_the_smallest_tuning() -> None:
    assert np.isfinite(tune.tune("classic", 2, 1, 3)).all()


@pytest.mark.parametrize("left", [b"", b"\xff", b"{"])
def test_an_unreadable_folder_is_reported(left: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A power cut at the start of training leaves such a folder."""
    monkeypatch.setattr(train, "import_torch", lambda: None)
    (tmp_path / "training-classic.json").write_bytes(left)
    with pytest.raises(UsageError, match="cannot be read as what is being trained; name another folder"):
        train.Training("classic", tmp_path, train._MIN_POSITIONS).run()


def test_shortened_numbers_are_the_nearest() -> None:
    """14 bits after the first, rounded half to even; prior nets are stored like that."""
    numbers = np.array([0.0, 1.0, -1.0, 1 + 2**-15, 1 + 3 * 2**-15, 1 + 2**-14, 3.14159274, -1e-20], np.float32)
    short = supervised.round_parameters(numbers)
    assert short[:6].tolist() == [0.0, 1.0, -1.0, 1.0, 1 + 2**-13, 1 + 2**-14]
    assert (np.abs(short - numbers) <= np.abs(numbers) * 2.0**-15).all()
    for rules in GAMES:
        assert (supervised.round_parameters(load_prior_net(rules)) == load_prior_net(rules)).all()


def test_parameters_round_trip_through_a_network() -> None:
    """The network starts with other parameters, which are replaced."""
    pytest.importorskip("torch")
    net, numbers = supervised.new_action_net(supervised.PRIOR_UNITS), np.array(load_prior_net("classic"))
    assert not np.array_equal(supervised.read_parameters(net), numbers)
    supervised.load_parameters(net, numbers)
    assert np.array_equal(supervised.read_parameters(net), numbers)


def test_examples_that_cannot_be_read_are_named_and_stay(tmp_path: Path) -> None:
    """Truncated, of another kind, of another program: the error names the file and what to do."""
    training = start(tmp_path, 1, [])
    works = [partial(make_positions, 20, DataSource("classic", 2, 1))]
    training._load_or_make("positions", works)
    file = training.file("positions", "-0.npz")
    whole = file.read_bytes()
    xs, ys = works[0]()
    np.savez(tmp_path / "longer.npz", xs, np.zeros(21, np.float32))
    np.savez(tmp_path / "wider.npz", np.zeros((20, 7), np.float16), ys)
    np.savez(tmp_path / "alone.npz", xs)
    np.savez(tmp_path / "pickled.npz", np.array([{}], object))
    np.save(tmp_path / "single.npy", xs)
    others = [each.read_bytes() for each in tmp_path.iterdir() if each != file]
    assert len(others) == 5
    for left in (b"", b"PK", whole[:-30], whole[:3000] + b"\x07" * 9 + whole[3009:], *others):
        file.write_bytes(left)
        with pytest.raises(UsageError, match=r"positions-classic-0.npz: this is no .*damaged.*makes it again"):
            training._load_or_make("positions", works)
        assert file.read_bytes() == left
    file.write_bytes(whole)
    (tmp_path / "decisions-classic-0.npz").write_bytes(whole)
    with pytest.raises(UsageError, match=r"decisions-classic-0.npz: this is no file of examples"):
        training._load_or_make("decisions", works)
    decisions = list(make_decisions(9, 1, np.zeros(0, np.float32), DataSource("classic", 2, 1)))
    np.savez(tmp_path / "decisions-classic-0.npz", *decisions)
    assert all(map(np.array_equal, training._load_or_make("decisions", works)[0], decisions))
    decisions[2][-1] += 1
    np.savez(tmp_path / "decisions-classic-0.npz", *decisions)
    with pytest.raises(UsageError, match="this is no file of examples of this training"):
        training._load_or_make("decisions", works)


def spoil(file: Path) -> list[bytes]:
    """Invalid checkpoints, made of a valid one."""
    import torch

    whole = file.read_bytes()
    spoiled = [b"", b"not at all", whole[: len(whole) // 2]]
    checkpoint = torch.load(file, weights_only=True)
    changes: list[dict[str, Any]] = [{"net": {}}, {"done": 99}, {"done": "1"}, {"optimizer": {}}]
    for other in ([1], {}, *(checkpoint | change for change in changes)):
        torch.save(other, file)
        spoiled.append(file.read_bytes())
    file.write_bytes(whole)
    return spoiled


def test_a_checkpoint_that_cannot_be_read_is_named_and_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A checkpoint of a training with another length is refused, too."""
    pytest.importorskip("torch")
    monkeypatch.setattr(supervised, "BATCH", 16)
    xs, ys = make_positions(50, DataSource("classic", 2, 1))
    file = tmp_path / "network-classic.pt"
    how = supervised.TrainingRun(file, 2, 1, lambda *_: None)
    supervised.train_value_net(how, xs, ys)
    whole = file.read_bytes()
    for left in spoil(file):
        file.write_bytes(left)
        with pytest.raises(UsageError, match=r"network-classic.pt: this is no checkpoint.*fitted from the start"):
            supervised.train_value_net(how, xs, ys)
        assert file.read_bytes() == left
    file.write_bytes(whole)
    with pytest.raises(UsageError, match="this is no checkpoint of this training"):
        supervised.train_value_net(supervised.TrainingRun(file, 3, 1, lambda *_: None), xs, ys)


@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), RuntimeError("PytorchStreamWriter failed")])
def test_every_file_that_cannot_be_written_is_named_and_left_as_it_was(error: Exception, tmp_path: Path) -> None:
    file = tmp_path / "network-classic.npy"
    file.write_bytes(b"before")

    def fill_up() -> None:
        with writing_file(file) as unfinished:
            unfinished.write_bytes(b"no")
            raise error

    with pytest.raises(UsageError, match=r"network-classic\.npy: cannot be written: (No space|Pytorch)"):
        fill_up()
    assert file.read_bytes() == b"before"
    with writing_file(file) as unfinished:
        unfinished.write_bytes(b"after")
    assert file.read_bytes() == b"after" and [path.name for path in tmp_path.iterdir()] == [file.name]
