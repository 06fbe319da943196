"""Tables as text and as pictures, through the PettingZoo door."""

from __future__ import annotations

import sys
from dataclasses import replace

import pytest

from lastcard.errors import UsageError
from support.agents import ALL_CONFIGS, play_episode

pytest.importorskip("pettingzoo")
from lastcard.envs import pettingzoo as adapter
from lastcard.envs.render import render_image


def test_text(capsys: pytest.CaptureFixture[str]) -> None:
    env = adapter.env("classic", 3, render_mode="ansi")
    env.reset(seed=1)
    play_episode(env, 1, 20)
    lines = env.render().splitlines()
    assert lines[0] == "classic+uno_window=automatic_call" and "decision" in lines[1]
    seats = lines[2:5]
    assert [line[2:8] for line in seats] == env.possible_agents
    assert [line[2:8] for line in seats if line.startswith(">")] == [env.agent_selection]
    assert [int(line[8:].split()[0]) for line in seats] == env.state().sum(1).tolist()
    assert lines[5].split(": ")[0] in env.possible_agents
    play_episode(env, 1)
    assert "over" in env.render() and "won" in env.render()
    assert not capsys.readouterr().out
    human = adapter.env("classic", 3, render_mode="human")
    human.reset(seed=1)
    play_episode(human, 1, 3)
    assert capsys.readouterr().out.count("classic+uno") == 4


@pytest.mark.parametrize(("rules", "players"), ALL_CONFIGS)
def test_pictures_have_one_size(rules: str, players: int) -> None:
    env = adapter.env(rules, players, render_mode="rgb_array", calls="decisions")
    env.reset(seed=1)
    first = env.render()
    play_episode(env, 1, 40)
    later = env.render()
    play_episode(env, 1)
    assert first.shape == later.shape == env.render().shape and (first != later).any()


def test_pictures_show_who_is_asked() -> None:
    env = adapter.env("classic", 4, render_mode="rgb_array")
    env.reset(seed=1)
    picture = env.render()
    bands = [picture[176 + 72 * seat + 36, 950].tolist() for seat in range(4)]
    odd = env.possible_agents.index(env.agent_selection)
    assert [band != bands[odd - 1] for band in bands] == [seat == odd for seat in range(4)]
    crowd = env._render_state()
    many = [[*crowd.hands[0], *[68] * 60], *crowd.hands[1:]]  # more than fit side by side
    assert render_image(replace(crowd, hands=many)).size == picture.shape[1::-1]


def test_pictures_need_pillow(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("PIL", "PIL.Image"):
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(UsageError, match=r"install lastcard\[envs\]"):
        adapter.env("classic", render_mode="rgb_array")
    adapter.env("classic", render_mode="ansi")
