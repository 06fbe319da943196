#!/usr/bin/env bash
# Shimmy 2.0.1: OpenSpielCompatibilityV0 adds the last rewards again with every agent that leaves.
#
# At the end of a game every agent takes a last step with None. Each of these steps calls `_accumulate_rewards`, which adds
# the rewards of the last move to those of all agents that are still there. `last()` then reports n times the reward to the
# n-th agent. PettingZoo's own `_was_dead_step` clears the rewards for that reason.
#
# Tic-tac-toe, in which both players take the first free square; the first one wins. Seen with Shimmy 2.0.1, OpenSpiel
# 2.0.2, Python 3.11:
#
#     rewards: [1.0, -2.0] returns of the game: [1.0, -1.0]
#
# Right would be the returns of the game. This script fails when Shimmy 2.0.1 does anything else.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check shimmy==2.0.1 open_spiel==2.0.2 pettingzoo
cat >"$folder/run.py" <<'PYTHON'
from shimmy import OpenSpielCompatibilityV0

env = OpenSpielCompatibilityV0(game_name="tic_tac_toe")
env.reset(seed=1)
rewards, ends = [], []
for agent in env.agent_iter():
    _, reward, terminated, truncated, info = env.last()
    over = terminated or truncated
    if over:
        rewards.append(reward)
        ends.append("truncated" if truncated else "terminated")
    env.step(None if over else int(info["action_mask"].argmax()))
print("rewards:", list(map(float, rewards)), "returns of the game:", env.game_state.returns())
PYTHON
"$folder/venv/bin/python" "$folder/run.py" 2>/dev/null >"$folder/seen"
cat "$folder/seen"
diff "$folder/seen" - <<'SEEN'
rewards: [1.0, -2.0] returns of the game: [1.0, -1.0]
SEEN
echo "as described"
