#!/usr/bin/env bash
# Minari 0.5.4: data sets in the formats arrow and parquet return wrong episodes after one with more than 32,767 steps.
#
# ArrowStorage.get_episodes pairs the episodes with the batches that pyarrow's Dataset.to_batches() yields. That assumes one
# batch for each file, but pyarrow splits longer ones. So the first batch of a long episode is returned as the whole of it,
# its rest as the next episode, and the last episodes are never returned. Nothing is raised: the steps are just those of
# other episodes, and the sums of rewards are wrong. The format hdf5 is right.
#
# Three episodes, which take 33,000, 5 and 7 steps. Seen with Minari 0.5.4, pyarrow 26.0.1, Python 3.11:
#
#     arrow: steps [32767, 232, 5], terminated [False, True, True]
#     parquet: steps [32767, 232, 5], terminated [False, True, True]
#     hdf5: steps [33000, 5, 7], terminated [True, True, True]
#
# Until that changes, use hdf5 for long episodes. This script fails when Minari 0.5.4 does anything else.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check 'minari[arrow,create,hdf5]==0.5.4' \
    gymnasium==1.4.0 pyarrow==26.0.1 jax==0.10.2 pillow==13.0.0
cat >"$folder/run.py" <<'PYTHON'
import warnings

import gymnasium
import minari
import numpy as np

warnings.simplefilter("ignore")  # about the author and the description
LENGTHS = [33_000, 5, 7]


class Steps(gymnasium.Env):
    """Every episode takes another number of steps, each with a reward of 1."""

    observation_space = gymnasium.spaces.Box(0, 1e6, (1,))
    action_space = gymnasium.spaces.Discrete(2)
    episode = -1

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.episode += 1
        self.done = 0
        return np.zeros(1, np.float32), {}

    def step(self, action):
        self.done += 1
        return np.array([self.done], np.float32), 1.0, self.done == LENGTHS[self.episode], False, {}


gymnasium.register("Steps-v0", "__main__:Steps")
for data_format in ("arrow", "parquet", "hdf5"):
    env = minari.DataCollector(gymnasium.make("Steps-v0"), data_format=data_format)
    for length in LENGTHS:
        env.reset(seed=1)
        for _ in range(length):
            env.step(1)
    episodes = list(env.create_dataset(f"steps-{data_format}-v0").iterate_episodes())
    steps = [len(episode.rewards) for episode in episodes]
    print(f"{data_format}: steps {steps}, terminated {[bool(episode.terminations[-1]) for episode in episodes]}")
PYTHON
export MINARI_DATASETS_PATH="$folder/data"
"$folder/venv/bin/python" "$folder/run.py" >"$folder/seen"
cat "$folder/seen"
diff "$folder/seen" - <<'SEEN'
arrow: steps [32767, 232, 5], terminated [False, True, True]
parquet: steps [32767, 232, 5], terminated [False, True, True]
hdf5: steps [33000, 5, 7], terminated [True, True, True]
SEEN
echo "as described"
