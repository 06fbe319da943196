"""Masked PPO in one file, as in CleanRL: a network learns until it wins half of its rounds against our levels.

    pip install '.[envs,learn]'
    python examples/envs/ppo.py --save policy.npz     # at most 20 minutes
    lastcard arena --bots policy:policy.npz,sharp

``--env rlcard`` runs the same algorithm and network on RLCard's ``uno``, to compare the time of the environments.
"""

import argparse
import json
import sys
import time

import numpy as np

from lastcard import envs
from lastcard.envs.batch import EnvConfig
from lastcard.envs.batch_policies import NetworkPolicy

try:
    import torch
    from torch import nn
except ImportError:
    sys.exit("this example needs PyTorch: pip install '.[envs,learn]'")

EPOCHS, PARTS, UNITS = 3, 4, 128
GAMMA, LAMBDA, CLIP, ENTROPY, RATE = 0.995, 0.95, 0.2, 0.01, 7e-4


class RLCardTables:
    """RLCard's ``uno`` against its random agent, many games in turn, as far as this program needs Gymnasium's API."""

    def __init__(self, n, seed):
        import rlcard
        from rlcard.agents import RandomAgent

        self.envs = [rlcard.make("uno", config={"seed": seed + i}) for i in range(n)]
        self.actions, self.size = self.envs[0].num_actions, int(np.prod(self.envs[0].state_shape[0]))
        self.other, self.scale = RandomAgent(self.actions), 1.0

    def advance(self, env, state, player):
        """Play the other seat's moves; returns the learner's state, its reward, and whether the game ended."""
        while not env.is_over() and player:
            state, player = env.step(self.other.step(state))
        return (env.get_state(0), env.get_payoffs()[0], True) if env.is_over() else (state, 0.0, False)

    def begin(self, env):
        """Returns the learner's first state of a game."""
        state, _, over = self.advance(env, *env.reset())
        return self.begin(env) if over else state

    def pack(self, states):
        """Returns observations, and infos with the action masks."""
        masks = np.zeros((len(states), self.actions), np.int8)
        for mask, state in zip(masks, states, strict=True):
            mask[list(state["legal_actions"])] = 1
        return np.array([state["obs"].ravel() for state in states], np.float32), {"action_mask": masks}

    def reset(self, seed=None):
        return self.pack([self.begin(env) for env in self.envs])

    def step(self, actions):
        states, rewards, over = map(list, zip(*map(self.step_one, self.envs, actions.tolist()), strict=True))
        seen, infos = self.pack(states)
        return seen, np.array(rewards), np.array(over), np.zeros(len(over), bool), infos

    def step_one(self, env, action):
        state, reward, over = self.advance(env, *env.step(action))
        return (self.begin(env) if over else state), reward, over


class Clock:
    """Seconds of processor time by what they were spent on; ``lap`` adds those since the last one."""

    def __init__(self):
        self.seconds, self.last = (
            dict.fromkeys(("environment", "network", "update", "evaluation"), 0.0),
            time.process_time(),
        )

    def lap(self, name):
        now = time.process_time()
        self.seconds[name] += now - self.last
        self.last = now

    def learning(self):
        """Returns the seconds of all but evaluation."""
        return sum(self.seconds.values()) - self.seconds["evaluation"]


def evaluate(net, observations, masks):
    """Returns the policy for observations, with probability 0 for illegal actions, and the values."""
    outputs = net(observations)
    return torch.distributions.Categorical(
        logits=outputs[:, :-1].masked_fill(masks == 0, -1e9), validate_args=False
    ), outputs[:, -1]


@torch.no_grad()
def play(env, net, observations, infos, args, clock):
    """Make ``length + 1`` steps in every environment; returns the data and the next observations."""
    played = []
    for _ in range(args.length + 1):
        seen = torch.from_numpy(observations / args.scale), torch.from_numpy(infos["action_mask"])
        policy, value = evaluate(net, *seen)
        actions = policy.sample()
        log_prob = policy.log_prob(actions)
        clock.lap("network")
        observations, rewards, ended, cut, infos = env.step(actions.numpy())
        clock.lap("environment")
        came = torch.tensor(rewards).float(), torch.tensor(~(ended | cut))  # reward; whether it continues
        played.append((*seen, actions, log_prob, value, *came))
    return played, observations, infos


def improve(net, optimizer, played):
    """Train for a few epochs on the collected steps, with generalized advantage estimation."""
    gains, gain, later = [], 0, played.pop()[4]
    for *_, value, given, goes_on in reversed(played):
        gain, later = given + goes_on * GAMMA * (later + LAMBDA * gain) - value, value
        gains.insert(0, gain)
    observations, masks, actions, before, values, gains = map(torch.cat, (*list(zip(*played, strict=True))[:5], gains))
    for _ in range(EPOCHS):
        for at in torch.randperm(len(actions)).chunk(PARTS):
            policy, value = evaluate(net, observations[at], masks[at])
            ratio = (policy.log_prob(actions[at]) - before[at]).exp()
            gain = (gains[at] - gains[at].mean()) / (gains[at].std() + 1e-8)
            loss = -torch.min(ratio * gain, ratio.clamp(1 - CLIP, 1 + CLIP) * gain).mean()
            loss += 0.5 * (value - gains[at] - values[at]).square().mean() - ENTROPY * policy.entropy().mean()
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(net.parameters(), 0.5)
            optimizer.step()


@torch.no_grad()
def win_share(net, level, args, rounds, seed):
    """Returns the share of rounds that the network wins against a level when it plays its best move."""
    env = envs.vector(args.rules, args.players, rounds, bots=(level,), seed=seed)
    observations, infos = env.reset()
    won, is_open = np.zeros(rounds), np.ones(rounds, bool)
    while is_open.any():
        seen = torch.from_numpy(observations / args.scale), torch.from_numpy(infos["action_mask"])
        observations, rewards, ended, cut, infos = env.step(evaluate(net, *seen)[0].logits.argmax(1).numpy())
        over = is_open & (ended | cut)
        won[over], is_open = rewards[over] > 0, is_open & ~over
    return won.mean()


def has_beaten(net, level, args):
    """Returns the share of rounds won against a level, and whether it is half or more on four times more deals too."""
    share = win_share(net, level, args, args.rounds, seed=1)
    return share, share >= 0.5 and win_share(net, level, args, 4 * args.rounds, seed=2) >= 0.5


def make_environment(args):
    """Returns the tables, and the lengths of an observation and of a mask; sets the divisor of observations."""
    if args.env == "rlcard":
        env = RLCardTables(args.n, args.seed)
        args.scale = env.scale
        return env, env.size, env.actions
    env = envs.vector(args.rules, args.players, args.n, bots=args.bots.split(","), seed=args.seed)
    args.scale = env.batch.features.scale
    return env, env.batch.features.size, len(env.batch.action_space)


def train(args):
    """Train until all levels are beaten, or time or steps are over; returns the network and the figures."""
    torch.manual_seed(args.seed)
    torch.set_num_threads(args.threads)
    env, size, actions = make_environment(args)
    layers = [nn.Linear(size, UNITS), nn.ReLU(), nn.Linear(UNITS, UNITS), nn.ReLU(), nn.Linear(UNITS, actions + 1)]
    net = nn.Sequential(*layers)
    optimizer, clock, half = torch.optim.Adam(net.parameters(), RATE, eps=1e-5), Clock(), {}
    levels = [level for level in args.levels.split(",") if level and args.env == "lastcard"]
    observations, infos = env.reset(seed=args.seed)
    begun, steps, updates, paused, done = time.perf_counter(), 0, 0, 0.0, 0.0
    while done < 1 and not (levels and len(half) == len(levels)):
        optimizer.param_groups[0]["lr"] = RATE * (1 - done)
        played, observations, infos = play(env, net, observations, infos, args, clock)
        given = torch.stack([step[5] for step in played])
        improve(net, optimizer, played)
        clock.lap("update")
        steps, updates = steps + args.n * (args.length + 1), updates + 1
        seconds = time.perf_counter() - begun - paused
        done = max(seconds / (60 * args.minutes), steps / args.steps)
        if updates % args.every == 0 or done >= 1:
            now = {"seconds": round(seconds), "cpu_seconds": round(clock.learning()), "steps": steps}
            shares = {level: has_beaten(net, level, args) for level in levels}
            half |= {level: now for level, (_, beaten) in shares.items() if beaten and level not in half}
            won = (given > 0).sum() / (given != 0).sum()
            said = [f"{share:.1%} against {level}" for level, (share, _) in shares.items()]
            print(now, ", ".join((f"won {won:.1%} while learning", *said)), flush=True)
            clock.lap("evaluation")
            paused = time.perf_counter() - begun - seconds
    clock.seconds = {name: round(value, 2) for name, value in clock.seconds.items()}
    return net, {"seconds": round(seconds), "steps": steps, "half": half, "cpu": clock.seconds}


def save(net, args):
    """Write the policy for ``policy:FILE``: its layers, the last one without the value."""
    layers = [[part.detach().numpy() for part in (layer.weight, layer.bias)] for layer in net[::2]]
    layers[-1] = [part[:-1] for part in layers[-1]]
    NetworkPolicy(str(EnvConfig(args.rules, args.players).ruleset), args.players, layers).save(args.save)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("--env", choices=("lastcard", "rlcard"), default="lastcard", help="environment (default %(default)s)")
    add("--rules", default="classic", help="ruleset (default %(default)s)")
    add("--players", type=int, default=2, help="number of seats (default %(default)s)")
    add("--bots", default="sharp", help="bots of the other seats (default %(default)s)")
    add(
        "--levels", default="casual,sharp", help="levels to beat; empty: train for the whole time (default %(default)s)"
    )
    add("--n", type=int, default=256, help="number of environments (default %(default)s)")
    add("--length", type=int, default=64, help="steps of each between two updates (default %(default)s)")
    add("--minutes", type=float, default=20, help="longest training without evaluation (default %(default)s)")
    add("--steps", type=float, default=1e9, help="most steps of all environments together (default %(default)g)")
    add("--every", type=int, default=30, help="updates between two evaluations (default %(default)s)")
    add("--rounds", type=int, default=400, help="rounds of an evaluation (default %(default)s)")
    add("--threads", type=int, default=2, help="threads of PyTorch (default %(default)s)")
    add("--seed", type=int, default=1, help="seed of all chance (default %(default)s)")
    add("--save", help="file for the policy")
    args = parser.parse_args()
    net, figures = train(args)
    print(json.dumps(figures))
    if args.save and args.env == "lastcard":
        save(net, args)


if __name__ == "__main__":
    main()
