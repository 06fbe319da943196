"""Node.js with ``lastcard.js`` loaded, for tests."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

import lastcard
from lastcard.kernel.wasm_backend import MODULE_FILE as MODULE

WEB: Final = Path(lastcard.__file__).with_name("web")
TASKS: Final = Path(__file__).with_name("lastcard_tasks.js")


def find_node() -> str:
    """The path of Node.js: the one of this environment, else any."""
    own = Path(sys.executable).parent / "node"
    return str(own) if own.exists() else shutil.which("node") or "node"


class Node:
    """One process of Node.js that has the module loaded."""

    def __init__(self) -> None:
        command = [find_node(), str(TASKS), f"{WEB}/", str(MODULE)]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8")

    def ask(self, task: str, **what: Any) -> Any:
        """The answer to a task of lastcard_tasks.js."""
        assert self._process.stdin and self._process.stdout
        self._process.stdin.write(json.dumps({"task": task, **what}) + "\n")
        self._process.stdin.flush()
        answer = self._process.stdout.readline()
        assert answer, f"Node ended with {self._process.wait()} at {task}"
        return json.loads(answer)

    def close(self) -> None:
        """End the process."""
        self._process.communicate()


def as_json(value: Any) -> str:
    """A value as the JSON text that both sides write."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
