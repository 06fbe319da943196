"""A network that imitates a bot, with PyTorch, and how often it agrees on the rounds for validation.

First: lastcard dataset classic --rounds 1000 --out decisions
"""

import sys

import torch
from pyarrow import parquet

folder = sys.argv[1] if sys.argv[1:] else "decisions"


def load(split):
    """The observations, masks and actions of a split."""
    table = parquet.read_table(f"{folder}/{split}.parquet").combine_chunks()
    arrays = [table[name].chunk(0).flatten().to_numpy() for name in ("observation", "action_mask")]
    x, mask = (torch.tensor(array).reshape(len(table), -1) for array in arrays)
    return x.float(), mask.bool(), torch.tensor(table["action"].to_numpy()).long()


(x, mask, action), (held_x, held_mask, held_action) = load("train"), load("validation")
net = torch.nn.Sequential(torch.nn.Linear(x.shape[1], 128), torch.nn.ReLU(), torch.nn.Linear(128, mask.shape[1]))
optimizer = torch.optim.Adam(net.parameters(), 1e-3)
for _ in range(500):
    at = torch.randint(len(x), (256,))
    loss = torch.nn.functional.cross_entropy(net(x[at]).masked_fill(~mask[at], -1e9), action[at])
    optimizer.zero_grad(), loss.backward(), optimizer.step()
agreed = net(held_x).masked_fill(~held_mask, -1e9).argmax(1) == held_action
print(f"agrees with the bot in {agreed.float().mean():.1%} of {len(held_x)} decisions")
