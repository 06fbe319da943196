"""Episodes of one learner against a bot, recorded and read with Minari."""

import gymnasium
import minari
import numpy as np

from lastcard import envs


class Table(gymnasium.Env):
    """One table of ``envs.vector``: Minari records no vectors of environments. The mask is a part of what is seen."""

    def __init__(self):
        self._tables = envs.vector(n=1, bots=["sharp"], dtype="uint8", autoreset_mode="Disabled")
        self.action_space = self._tables.single_action_space
        mask = gymnasium.spaces.Box(0, 1, (self.action_space.n,), np.int8)
        spaces = {"observation": self._tables.single_observation_space, "action_mask": mask}
        self.observation_space = gymnasium.spaces.Dict(spaces)

    def _seen(self, observations, infos):
        return {"observation": observations[0], "action_mask": infos["action_mask"][0]}

    def reset(self, *, seed=None, options=None):
        return self._seen(*self._tables.reset(seed=seed)), {}

    def step(self, action):
        observations, *results, infos = self._tables.step(np.array([action]))
        return self._seen(observations, infos), *(result[0].item() for result in results), {}


gymnasium.register("lastcard/Table-v0", f"{__name__}:Table")
env = minari.DataCollector(gymnasium.make("lastcard/Table-v0"))
for episode in range(20):
    (seen, _), ended = env.reset(seed=episode), [False]
    while not any(ended):
        seen, _, *ended, _ = env.step(env.action_space.sample(seen["action_mask"]))
env.create_dataset("lastcard/classic/random-v0", algorithm_name="random")
played = list(minari.load_dataset("lastcard/classic/random-v0").iterate_episodes())
print(sum(len(one.actions) for one in played), "decisions,", sum(one.rewards[-1] > 0 for one in played), "of 20 won")
