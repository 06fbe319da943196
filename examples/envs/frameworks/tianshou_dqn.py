"""Tianshou's DQN, untrained, plays rounds against random legal actions through PettingZoo.

pip install '.[tianshou]'
python examples/envs/frameworks/tianshou_dqn.py
"""

from tianshou.algorithm import DQN, MARLRandomDiscreteMaskedOffPolicyAlgorithm, MultiAgentOffPolicyAlgorithm
from tianshou.algorithm.modelfree.dqn import DiscreteQLearningPolicy
from tianshou.algorithm.optim import AdamOptimizerFactory
from tianshou.data import Collector, VectorReplayBuffer
from tianshou.env import DummyVectorEnv, PettingZooEnv
from tianshou.utils.net.common import Net

from lastcard.envs import pettingzoo

env = PettingZooEnv(pettingzoo.env(players=2))
model = Net(state_shape=env.env.features.size, action_shape=env.action_space.n, hidden_sizes=[64])
policy = DiscreteQLearningPolicy(model=model, action_space=env.action_space, eps_training=0.1)
learner = DQN(policy=policy, optim=AdamOptimizerFactory(lr=1e-3))
other = MARLRandomDiscreteMaskedOffPolicyAlgorithm(env.action_space)
both = MultiAgentOffPolicyAlgorithm(algorithms=[learner, other], env=env)
tables = DummyVectorEnv([lambda: PettingZooEnv(pettingzoo.env(players=2))] * 4)
collector = Collector(both, tables, VectorReplayBuffer(10_000, 4))
stats = collector.collect(n_episode=20, reset_before_collect=True)
print(f"{stats.n_collected_episodes} rounds of {stats.lens.mean():.0f} moves; rewards {stats.returns.mean(0)}")
