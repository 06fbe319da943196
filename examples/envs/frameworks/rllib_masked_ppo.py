"""RLlib trains PPO with its module for masked actions, against a bot.

pip install '.[rllib]'
python examples/envs/frameworks/rllib_masked_ppo.py
"""

from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.examples.rl_modules.classes.action_masking_rlm import ActionMaskingTorchRLModule

from lastcard.envs.rllib import MaskedTableEnv

config = (
    PPOConfig()
    .environment(MaskedTableEnv, env_config={"rules": "classic", "players": 2, "bots": ("random",)})
    .env_runners(num_env_runners=0)
    .rl_module(rl_module_spec=RLModuleSpec(module_class=ActionMaskingTorchRLModule))
    .training(train_batch_size_per_learner=2000, minibatch_size=500, num_epochs=4)
    .debugging(seed=1)
)
algorithm = config.build_algo()
for _ in range(3):
    result = algorithm.train()["env_runners"]
    print(f"{result['num_episodes']} rounds, {(1 + result['episode_return_mean']) / 2:.0%} of them won")
algorithm.stop()
