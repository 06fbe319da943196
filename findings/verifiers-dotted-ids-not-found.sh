#!/usr/bin/env bash
# verifiers 0.4.0: a task set in a module of a package cannot be named; the error names a module that nobody has.
#
# `load_taskset` and `load_environment` take the id of a task set, which is the name of an installed module that exports
# it by `__all__`. For an id with a dot, `importlib.util.find_spec("verifiers.v1.tasksets.PACKAGE.MODULE")` raises, because
# its parent is no module, where the code expects None. So the module itself is not tried, and the hint that the package
# must be installed is not shown. `environment_class` takes the error for a task set without an environment of its own,
# and runs it in `SingleAgentEnv`.
#
# Seen with verifiers 0.4.0, Python 3.11:
#
#     rounds: Rounds
#     games.rounds: ModuleNotFoundError: No module named 'verifiers.v1.tasksets.games'
#     environment of games.rounds: SingleAgentEnv
#
# Right would be the task set of games.rounds, or an error that says what an id is. This script fails when verifiers 0.4.0
# does anything else.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check verifiers==0.4.0
mkdir "$folder/games"
touch "$folder/games/__init__.py"
cat >"$folder/rounds.py" <<'PYTHON'
import verifiers.v1 as vf

__all__ = ["Rounds"]


class Rounds(vf.Taskset[vf.Task, vf.TasksetConfig]):
    def load(self):
        yield vf.Task(vf.TaskData(prompt="Which card?"))
PYTHON
cp "$folder/rounds.py" "$folder/games/rounds.py"
cat >"$folder/run.py" <<'PYTHON'
from verifiers.v1.utils.loaders import environment_class, taskset_class

print("rounds:", taskset_class("rounds").__name__)
try:
    print("games.rounds:", taskset_class("games.rounds").__name__)
except ModuleNotFoundError as error:
    print(f"games.rounds: ModuleNotFoundError: {error}")
print("environment of games.rounds:", environment_class("games.rounds").__name__)
PYTHON
"$folder/venv/bin/python" "$folder/run.py" 2>/dev/null >"$folder/seen"
cat "$folder/seen"
diff "$folder/seen" - <<'SEEN'
rounds: Rounds
games.rounds: ModuleNotFoundError: No module named 'verifiers.v1.tasksets.games'
environment of games.rounds: SingleAgentEnv
SEEN
echo "as described"
