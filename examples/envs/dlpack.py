"""Tables and PyTorch over one memory: rows and masks reach the network without a copy, by DLPack.

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
    sys.exit("this example needs PyTorch: pip install 'lastcard[learn]'")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rules", nargs="?", default="classic", help="a ruleset, such as classic+stacking=same")
    parser.add_argument("--players", type=int, default=3)
    parser.add_argument("--tables", type=int, default=256)
    parser.add_argument("--steps", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()

    torch.manual_seed(asked.seed)
    tables = envs.tables(asked.rules, asked.players, asked.tables, seed=asked.seed)
    rows, masks = torch.from_dlpack(tables.rows), torch.from_dlpack(tables.masks)
    assert rows.data_ptr() == tables.rows.ctypes.data  # the same memory
    scale = torch.from_numpy(tables.features.scale)
    net = torch.nn.Sequential(torch.nn.Linear(rows.shape[1], 64), torch.nn.ReLU(), torch.nn.Linear(64, masks.shape[1]))

    tables.begin()
    ended, start = 0, time.perf_counter()
    with torch.no_grad():
        for _ in range(asked.steps):
            logits = net(rows / scale).masked_fill(masks == 0, -torch.inf)
            tables.step(torch.distributions.Categorical(logits=logits).sample().numpy())
            ended += int(tables.ended.sum())
    seconds = time.perf_counter() - start
    print(f"{asked.tables * asked.steps / seconds:,.0f} acts a second with a network, {ended} rounds ended")


if __name__ == "__main__":
    main()
