"""The tutorial works: its files and commands, in their order, from an installed package."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]
STEP: Final = re.compile(
    r"<!-- file: (?P<file>\S+) -->\n```python\n(?P<code>.*?)^```"
    r"|^```sh\n(?P<commands>.*?)^```|^    (?P<command>lastcard [^\n]*)$",
    re.M | re.S,
)


def test_the_tutorial_works(tmp_path: Path) -> None:
    """Every step succeeds in a folder that has the examples beside it; what asks questions gets ``quit``."""
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    modules = os.pathsep.join(filter(None, [str(ROOT / "src"), os.environ.get("PYTHONPATH")]))
    environment = {**os.environ, "PATH": path, "PYTHONPATH": modules, "XDG_DATA_HOME": str(tmp_path)}
    ran = []
    for step in STEP.finditer((ROOT / "docs" / "tutorial.md").read_text(encoding="utf-8")):
        if step["file"]:
            (tmp_path / step["file"]).write_text(step["code"], encoding="utf-8")
        for command in (step["commands"] or step["command"] or "").splitlines():
            done = subprocess.run(
                command, shell=True, cwd=tmp_path, env=environment, input="quit\n", capture_output=True, text=True
            )
            assert done.returncode == 0, f"{command}: {done.stderr}"
            ran.append((command, done.stdout))
    printed = dict(ran)
    assert len(ran) == 14
    shares = re.findall(r"wins (\d+)% of the rounds against", printed["python attacker.py"])
    assert int(shares[0]) > 50 > int(shares[1])
    assert (tmp_path / "house-rules.txt").read_text(encoding="utf-8").startswith("UNO")
