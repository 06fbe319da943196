#!/usr/bin/env bash
# Shimmy 2.0.1: OpenSpielCompatibilityV0 truncates games with chance nodes before they end.
#
# It truncates a game once `game_length` reaches `max_game_length()` of the game. OpenSpiel's number is that of moves of
# players; chance nodes are counted apart (`max_chance_nodes_in_history`). Shimmy counts both, and begins at 1.
#
# Kuhn poker deals two cards (two chance nodes) and has at most three moves. It is truncated after the first move. Seen
# with Shimmy 2.0.1, OpenSpiel 2.0.2, Python 3.11:
#
#     truncated truncated after moves: [0]
#
# Right would be two or three moves and the word "terminated". This script fails when Shimmy 2.0.1 does anything else.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check shimmy==2.0.1 open_spiel==2.0.2 pettingzoo
cat >"$folder/run.py" <<'PYTHON'
from shimmy import OpenSpielCompatibilityV0

env = OpenSpielCompatibilityV0(game_name="kuhn_poker")
env.reset(seed=1)
rewards, ends = [], []
for agent in env.agent_iter():
    _, reward, terminated, truncated, info = env.last()
    over = terminated or truncated
    if over:
        rewards.append(reward)
        ends.append("truncated" if truncated else "terminated")
    env.step(None if over else int(info["action_mask"].argmax()))
print(*ends, "after moves:", env.game_state.history()[2:])
PYTHON
"$folder/venv/bin/python" "$folder/run.py" 2>/dev/null >"$folder/seen"
cat "$folder/seen"
diff "$folder/seen" - <<'SEEN'
truncated truncated after moves: [0]
SEEN
echo "as described"
