"""Shared memory of lastcard and PyTorch: observations and masks reach the network without a copy, by DLPack.

    python examples/envs/dlpack.py --tables 256 --steps 200

Needs lastcard and PyTorch (lastcard[learn]).
"""

from __future__ import annotations

import argparse
import sys
import time

from lastcard import envs

try:
    import torch
except ImportError:
    sys.exit("this example needs PyTorch: pip install '.[learn]'")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rules", nargs="?", default="classic", help="a ruleset, such as classic+stacking=same")
    parser.add_argument("--players", type=int, default=3)
    parser.add_argument("--tables", type=int, default=256)
    parser.add_argument("--steps", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()

    torch.manual_seed(asked.seed)
    batch = envs.batch(asked.rules, asked.players, asked.tables, seed=asked.seed)
    observations, masks = torch.from_dlpack(batch.observations), torch.from_dlpack(batch.action_mask)
    assert observations.data_ptr() == batch.observations.ctypes.data  # the same memory
    scale = torch.from_numpy(batch.features.scale)
    net = torch.nn.Sequential(
        torch.nn.Linear(observations.shape[1], 64), torch.nn.ReLU(), torch.nn.Linear(64, masks.shape[1])
    )

    batch.reset()
    ended, start = 0, time.perf_counter()
    with torch.no_grad():
        for _ in range(asked.steps):
            logits = net(observations / scale).masked_fill(masks == 0, -torch.inf)
            batch.step(torch.distributions.Categorical(logits=logits).sample().numpy())
            ended += int(batch.terminated.sum())
    seconds = time.perf_counter() - start
    print(f"{asked.tables * asked.steps / seconds:,.0f} moves a second with a network, {ended} rounds ended")


if __name__ == "__main__":
    main()
