"""TorchRL plays random legal actions: on a batch of tables, and on one by its PettingZooWrapper.

pip install '.[torchrl]'
python examples/envs/frameworks/torchrl_rollout.py
"""

from torchrl.envs import PettingZooWrapper
from torchrl.envs.utils import check_env_specs

from lastcard import envs
from lastcard.envs import pettingzoo
from lastcard.envs.torchrl import TablesEnv

tables = envs.vector("classic", players=2, n=32, bots=("sharp",), seed=1, autoreset_mode="Disabled")
batch = TablesEnv(tables)
batch.set_seed(1)
check_env_specs(batch)
data = batch.rollout(100, break_when_any_done=False)
ended = data["next", "done"].sum()
print(
    f"{data.numel()} steps of 32 tables, {ended} rounds, {(data['next', 'reward'] > 0).sum() / ended:.0%} of them won"
)

table = PettingZooWrapper(pettingzoo.env(players=2), use_mask=True, group_map=None, seed=1)
data = table.rollout(200)
print(f"a round of {len(data)} moves; rewards {[data['next', seat, 'reward'][-1].item() for seat in table.group_map]}")
