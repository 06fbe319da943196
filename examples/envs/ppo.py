"""Masked PPO in one file, as in CleanRL: a network learns until it wins half of its rounds against our levels.

    pip install '.[envs,learn]'
    python examples/envs/ppo.py --save policy.npz     # at most 20 minutes
    lastcard arena --bots policy:policy.npz,sharp

The rules are the same for every color, and so is the network: layers share their weights between colors, which learns
several times faster. Policy and values are networks of their own. Returns are not discounted, because rounds are short.
Time is processor time. ``--env rlcard`` runs the same algorithm and network on RLCard's ``uno``, to compare the time of
the environments.
"""

import argparse
import json
import re
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from lastcard import envs
from lastcard.arena.arena import run_arena
from lastcard.envs.batch import EnvConfig
from lastcard.envs.batch_policies import NetworkPolicy
from lastcard.game.cards import CARD_NAMES

try:
    import torch
    from torch import nn
except ImportError:
    sys.exit("this example needs PyTorch: pip install '.[envs,learn]'")

EPOCHS, PARTS, UNITS, COLORS = 2, 8, 128, "RYGB"
GAMMA, LAMBDA, CLIP, ENTROPY, RATE = 1.0, 0.95, 0.2, 0.01, 2e-3


class RLCardTables:
    """RLCard's ``uno`` against its random agent, many games in turn, as far as this program needs Gymnasium's API."""

    def __init__(self, n, seed):
        import rlcard
        from rlcard.agents import RandomAgent

        self.envs = [rlcard.make("uno", config={"seed": seed + i}) for i in range(n)]
        self.actions, (planes, _, traits) = self.envs[0].num_actions, self.envs[0].state_shape[0]
        self.labels = (
            [(color, (plane, trait)) for plane in range(planes) for color in COLORS for trait in range(traits)],
            [*((color, trait) for color in COLORS for trait in range(traits)), (None, "draw")],
        )
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


class SharedLinear(nn.Module):
    """A linear layer that treats all colors alike.

    ``inputs`` and ``outputs`` have a label for each number: its color or None, and what it is apart from the color.
    A weight depends on what the two numbers are, and on whether they are of the same color.
    """

    def __init__(self, inputs, outputs):
        super().__init__()
        pairs = [(of, to, color == other) for other, to in outputs for color, of in inputs]
        self.places, self.shape = number(pairs), (len(outputs), len(inputs))
        self.bias_places = number([to for _, to in outputs])
        most = len(inputs) ** -0.5
        self.weights = nn.Parameter(torch.empty(int(self.places.max()) + 1).uniform_(-most, most))
        self.biases = nn.Parameter(torch.zeros(int(self.bias_places.max()) + 1))

    def expand(self):
        """Returns weights and biases as those of an ordinary linear layer."""
        return self.weights.index_select(0, self.places).view(self.shape), self.biases[self.bias_places]

    def forward(self, x):
        return nn.functional.linear(x, *self.expand())


def number(things):
    """Returns the number of each thing in the order in which they first appear; equal things have the same."""
    numbers = {}
    return torch.tensor([numbers.setdefault(thing, len(numbers)) for thing in things])


def make_network(inputs, outputs):
    """Returns a network with two hidden layers, whose units have colors if inputs have."""
    has_colors = any(color for color, _ in inputs)
    units = [(COLORS[i % len(COLORS)], i // len(COLORS)) if has_colors else (None, i) for i in range(UNITS)]
    layers = [SharedLinear(*ends) for ends in ((inputs, units), (units, units), (units, outputs))]
    return nn.Sequential(layers[0], nn.ReLU(), layers[1], nn.ReLU(), layers[2])


def label(name):
    """Returns the color in the name of a card or an action, or None, and the name without it."""
    color = re.search(r"^[RYGB]|(?<==)[RYGB]", name)
    return (color[0], name.replace(color[0], "", 1)) if color else (None, name)


def label_observation(layout):
    """Returns the label of each number of an observation."""
    cards, labels = [label(CARD_NAMES[card]) for card in layout.cards], []
    for field, at in layout.fields.items():
        size = at.stop - at.start
        each = {len(cards): cards, len(COLORS): [(color, "") for color in COLORS]}.get(size)
        labels += [(color, (field, of)) for color, of in each or [(None, i) for i in range(size)]]
    return labels


def get_policy(agent, observations, masks):
    """Returns the distribution of actions, with probability 0 for illegal ones."""
    logits = agent["policy"](observations).masked_fill(masks == 0, -1e9)
    return torch.distributions.Categorical(logits=logits, validate_args=False)


@torch.no_grad()
def play(env, agent, observations, infos, args, clock):
    """Make ``length + 1`` steps in every environment; returns the data and the next observations."""
    played = []
    for _ in range(args.length + 1):
        seen = torch.from_numpy(observations / args.scale), torch.from_numpy(infos["action_mask"])
        policy, value = get_policy(agent, *seen), agent["value"](seen[0])[:, 0]
        actions = policy.sample()
        log_prob = policy.log_prob(actions)
        clock.lap("network")
        observations, rewards, ended, cut, infos = env.step(actions.numpy())
        clock.lap("environment")
        came = torch.tensor(rewards).float(), torch.tensor(~(ended | cut))  # reward; whether it continues
        played.append((*seen, actions, log_prob, value, *came))
    return played, observations, infos


def improve(agent, optimizer, played):
    """Train for a few epochs on the collected steps, with generalized advantage estimation."""
    gains, gain, later = [], 0, played.pop()[4]
    for *_, value, given, goes_on in reversed(played):
        gain, later = given + goes_on * GAMMA * (later + LAMBDA * gain) - value, value
        gains.insert(0, gain)
    observations, masks, actions, before, values, gains = map(torch.cat, (*list(zip(*played, strict=True))[:5], gains))
    returns, gains = gains + values, (gains - gains.mean()) / (gains.std() + 1e-8)
    for _ in range(EPOCHS):
        for at in torch.randperm(len(actions)).chunk(PARTS):
            policy, value = get_policy(agent, observations[at], masks[at]), agent["value"](observations[at])[:, 0]
            ratio = (policy.log_prob(actions[at]) - before[at]).exp()
            loss = -torch.min(ratio * gains[at], ratio.clamp(1 - CLIP, 1 + CLIP) * gains[at]).mean()
            loss += (value - returns[at]).square().mean() - ENTROPY * policy.entropy().mean()
            optimizer.zero_grad()
            loss.backward()
            for network in agent.values():
                nn.utils.clip_grad_norm_(network.parameters(), 0.5)
            optimizer.step()


def win_share(net, level, args, deals, seed):
    """Returns the share of rounds that the policy wins by its likeliest moves, alone among bots of a level."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "policy.npz")
        save(net, args, file)
        bots = (f"policy:{file}", *(level,) * (args.players - 1))
        return run_arena(args.rules, args.players, bots, deals, seed, workers=1).entries[bots[0]].wins.value


def has_beaten(net, level, args):
    """Returns the share of rounds won against a level, and whether it is half or more on four times more deals too."""
    share = win_share(net, level, args, args.deals, seed=1)
    return share, share >= 0.5 and win_share(net, level, args, 4 * args.deals, seed=2) >= 0.5


def make_environment(args):
    """Returns the tables, and the labels of observations and actions; sets the divisor of observations."""
    if args.env == "rlcard":
        env = RLCardTables(args.n, args.seed)
        args.scale = env.scale
        return env, env.labels
    env = envs.vector(args.rules, args.players, args.n, bots=args.bots.split(","), seed=args.seed)
    args.scale = env.batch.features.scale
    return env, (label_observation(env.batch.features), [label(name) for name in env.batch.action_space.names])


def train(args):
    """Train until all levels are beaten, or time or steps are over; returns the policy's network and the figures."""
    torch.manual_seed(args.seed)
    torch.set_num_threads(args.threads)
    env, (inputs, actions) = make_environment(args)
    agent = nn.ModuleDict({"policy": make_network(inputs, actions), "value": make_network(inputs, [(None, "value")])})
    optimizer, clock, half = torch.optim.Adam(agent.parameters(), RATE, eps=1e-5), Clock(), {}
    levels = [level for level in args.levels.split(",") if level and args.env == "lastcard"]
    observations, infos = env.reset(seed=args.seed)
    steps, updates, done = 0, 0, 0.0
    while done < 1 and not (levels and len(half) == len(levels)):
        optimizer.param_groups[0]["lr"] = RATE * (1 - done)
        played, observations, infos = play(env, agent, observations, infos, args, clock)
        given = torch.stack([step[5] for step in played])
        improve(agent, optimizer, played)
        clock.lap("update")
        steps, updates = steps + args.n * (args.length + 1), updates + 1
        done = max(clock.learning() / (60 * args.minutes), steps / args.steps)
        if updates % args.every == 0 or done >= 1:
            now = {"steps": steps, "seconds": round(clock.learning())}
            shares = {level: has_beaten(agent["policy"], level, args) for level in levels}
            half |= {level: now for level, (_, beaten) in shares.items() if beaten and level not in half}
            won = (given > 0).sum() / (given != 0).sum()
            said = [f"{share:.1%} against {level}" for level, (share, _) in shares.items()]
            print(now, ", ".join((f"won {won:.1%} while learning", *said)), flush=True)
            clock.lap("evaluation")
    clock.seconds = {name: round(value, 2) for name, value in clock.seconds.items()}
    return agent["policy"], {"steps": steps, "half": half, "seconds": clock.seconds}


def save(net, args, file):
    """Write the policy for ``policy:FILE``."""
    layers = [[part.detach().numpy() for part in layer.expand()] for layer in net[::2]]
    NetworkPolicy(str(EnvConfig(args.rules, args.players).ruleset), args.players, layers).save(file)


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
    add("--minutes", type=float, default=20, help="longest training (default %(default)s)")
    add("--steps", type=float, default=1e9, help="most steps of all environments together (default %(default)g)")
    add("--every", type=int, default=30, help="updates between two evaluations (default %(default)s)")
    add("--deals", type=int, default=400, help="deals of an evaluation, each in all seatings (default %(default)s)")
    add("--threads", type=int, default=1, help="threads of PyTorch (default %(default)s)")
    add("--seed", type=int, default=1, help="seed of all chance (default %(default)s)")
    add("--save", help="file for the policy")
    args = parser.parse_args()
    net, figures = train(args)
    print(json.dumps(figures))
    if args.save and args.env == "lastcard":
        save(net, args, args.save)


if __name__ == "__main__":
    main()
