#!/usr/bin/env bash
# Gymnasium 1.4.0: RecordEpisodeStatistics reports wrong episodes over SyncVectorEnv in the mode Disabled.
#
# In that mode the caller resets the environments that are done, with options={"reset_mask": ...}, as Gymnasium's page on
# autoreset says. SyncVectorEnv.reset pops "reset_mask" out of the caller's dictionary. The wrapper asks for the mask after
# that call, does not find it, and sets the returns and lengths of ALL environments to zero, those of running episodes too.
# Nothing is raised: returns and lengths of episodes are just too small.
#
# Two environments, whose episodes take 2 and 5 steps with a reward of 1 each. Seen with Gymnasium 1.4.0, Python 3.11:
#
#     lengths of the second: [1, 2]
#     options after reset: {}
#
# Right would be [5, 5], and the dictionary as it was. This script fails when Gymnasium 1.4.0 does anything else.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check gymnasium==1.4.0
cat >"$folder/run.py" <<'PYTHON'
import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from gymnasium.wrappers.vector import RecordEpisodeStatistics


class Steps(gymnasium.Env):
    """An episode takes a number of steps, each with a reward of 1."""

    observation_space = gymnasium.spaces.Box(0, 1, (1,))
    action_space = gymnasium.spaces.Discrete(2)

    def __init__(self, steps):
        self.steps = steps

    def reset(self, *, seed=None, options=None):
        self.done = 0
        return np.zeros(1, np.float32), {}

    def step(self, action):
        self.done += 1
        return np.zeros(1, np.float32), 1.0, self.done == self.steps, False, {}


sides = [lambda: Steps(2), lambda: Steps(5)]
env = RecordEpisodeStatistics(SyncVectorEnv(sides, autoreset_mode=AutoresetMode.DISABLED))
env.reset()
lengths = []
options = {}
for _ in range(10):
    _, _, ended, _, infos = env.step(np.zeros(2, np.int64))
    if ended[1]:
        lengths.append(int(infos["episode"]["l"][1]))
    if ended.any():
        options = {"reset_mask": ended}
        env.reset(options=options)
print("lengths of the second:", lengths)
print("options after reset:", options)
PYTHON
"$folder/venv/bin/python" "$folder/run.py" >"$folder/seen"
cat "$folder/seen"
diff "$folder/seen" - <<'SEEN'
lengths of the second: [1, 2]
options after reset: {}
SEEN
echo "as described"
