"""Saved policies as bots: in the arena, and in place of a level at tables of a server."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from importlib.metadata import EntryPoint
from pathlib import Path

import numpy as np
import pytest

from lastcard import Round
from lastcard.ai.behavior import ENDLESS_TURNS
from lastcard.arena.arena import run_arena
from lastcard.arena.bot_play import play_round
from lastcard.arena.compiled_rounds import MAX_PLIES
from lastcard.bots import own_bots, registry
from lastcard.bots.own_bots import SubstituteBot
from lastcard.bots.registry import make_bot, replace_levels
from lastcard.envs.batch import EnvConfig
from lastcard.envs.batch_policies import NetworkPolicy
from lastcard.envs.features import features
from lastcard.errors import UsageError
from lastcard.match.view import View
from lastcard.server.setup.server_options import ServerOptions

ROOT = Path(__file__).parents[2]
TRAINED = str(EnvConfig("classic").ruleset)
"""The rules of an environment for classic, where the table calls UNO."""
FIRST_DRAWS = 100
"""Number of moves in which two or four players, who draw and pass, do not yet empty the draw pile."""


@pytest.fixture(autouse=True)
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A policy that prefers actions with low ids, plays to draws; the entry point as a new installation has it."""
    points = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["entry-points"][own_bots.ENTRY_POINT_GROUP]
    plugins = {name: EntryPoint(name, value, own_bots.ENTRY_POINT_GROUP) for name, value in points.items()}
    for module in (own_bots, registry):
        monkeypatch.setattr(module, "find_plugins", lambda: plugins)
    layout = features(TRAINED, 2)
    weights = np.zeros((len(layout.action_space), layout.size))
    weights[:, layout.fields["options"]] = 1 / layout.options.sum()
    path = tmp_path / "policy.npz"
    NetworkPolicy(TRAINED, 2, [(-weights * np.arange(len(weights))[:, None], np.zeros(len(weights)))]).save(path)
    yield path
    replace_levels({})


def deal_view(seed: int, game: str = "classic") -> View:
    """The view of the seat on turn after a deal."""
    dealt = Round.deal(game, 2, seed=seed)
    return dealt.view(dealt.turn)


def test_a_policy_plays_its_best_rated_move(file: Path) -> None:
    """By the rules of the table too, where players call UNO themselves."""
    bot, space = make_bot(f"policy:{file}"), features(TRAINED, 2).action_space
    for seed in range(20):
        view = deal_view(seed)
        best = min(view.legal, key=lambda move: space.encode(move, int(view.seat or 0), 2))
        assert bot.choose(view) == best


def test_a_policy_plays_in_the_arena(file: Path) -> None:
    name = f"policy:{file}"
    result = run_arena("classic", 2, (name, "random"), 3, seed=1, workers=1)
    assert set(result.entries) == {name, "random"}


@pytest.mark.parametrize("players", [2, 4])
def test_a_policy_that_prefers_drawing_ends_its_rounds(players: int, tmp_path: Path) -> None:
    """It draws by choice until the pile is empty. Then it lays a card and draws it again, up to ENDLESS_TURNS."""
    layout = features(TRAINED, players)
    ratings = [float(name in ("draw", "pass")) for name in layout.action_space.names]
    weights = np.zeros((len(ratings), layout.size))
    NetworkPolicy(TRAINED, players, [(weights, np.array(ratings))]).save(tmp_path / "draws.npz")
    bots = [make_bot(f"policy:{tmp_path / 'draws.npz'}") for _ in range(players)]
    dealt, moves = Round.deal("classic", players, seed=1), []
    plies = play_round(dealt, bots, on_move=lambda seat, move, events: moves.append(move.verb), max_plies=MAX_PLIES)
    assert dealt.winner is not None
    assert moves.index("play") > FIRST_DRAWS
    assert ENDLESS_TURNS * players < plies < MAX_PLIES / 10


def test_wrong_uses_of_a_policy_are_refused(file: Path) -> None:
    with pytest.raises(UsageError, match=r"policy needs a file, as in policy:policy\.npz"):
        make_bot("policy")
    with pytest.raises(UsageError, match="is not a policy that"):
        make_bot("policy:missing.npz")
    view = deal_view(1, "all-wild")
    with pytest.raises(UsageError, match=r"the policy was trained for 2 players of classic.*, not for 2 of all-wild"):
        make_bot(f"policy:{file}").choose(view)


def test_a_policy_plays_for_a_level_where_it_can(file: Path) -> None:
    usual = {game: make_bot("sharp", b"1") for game in ("classic", "all-wild")}
    replace_levels(ServerOptions(bot=[f"sharp=policy:{file}"]).substitutes())
    bot = make_bot("sharp", b"1")
    assert isinstance(bot, SubstituteBot) and not isinstance(make_bot("casual"), SubstituteBot)
    views = [deal_view(seed) for seed in range(20)]
    assert [bot.choose(view) for view in views] == [make_bot(f"policy:{file}").choose(view) for view in views]
    assert [bot.choose(view) for view in views] != [usual["classic"].choose(view) for view in views]
    view = deal_view(1, "all-wild")
    assert bot.choose(view) == usual["all-wild"].choose(view) and bot.react(view) is None


@pytest.mark.parametrize(
    ("pair", "says"),
    [
        ("sharp", "--bot sharp: a level and the bot that plays for it"),
        ("shrp=policy:x", "there is no level 'shrp'"),
        ("sharp=expert", "is played by a bot that is no level itself, not by 'expert'"),
        ("sharp=nobody", "there is no bot 'nobody'"),
        ("sharp=policy:missing.npz", "missing.npz is not a policy"),
    ],
)
def test_a_wrong_substitute_is_refused(pair: str, says: str) -> None:
    with pytest.raises(UsageError, match=says):
        replace_levels(ServerOptions(bot=[pair]).substitutes())
    assert not isinstance(make_bot("sharp"), SubstituteBot)
