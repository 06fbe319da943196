"""Replay of an episode in the browser: played in the PettingZoo environment, saved to the server's database.

    python examples/envs/replay_episode.py classic --players 3
    lastcard serve        # and open the page that was printed

Needs lastcard[envs].
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

from lastcard.envs import pettingzoo
from lastcard.formats.record_files import Record
from lastcard.server.game.record_import import import_record


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rules", nargs="?", default="classic", help="a ruleset, such as classic+stacking=same")
    parser.add_argument("--players", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, help="write the record there as well")
    parser.add_argument("--database-url", help="of the server (default: the file that `lastcard serve` uses)")
    asked = parser.parse_args()
    if asked.out is not None and asked.out.exists():
        parser.error(f"{asked.out}: there is a file already")

    env, rng = pettingzoo.env(asked.rules, asked.players), np.random.default_rng(asked.seed)
    env.reset(seed=asked.seed)
    for _ in env.agent_iter():
        seen, _, terminated, truncated, _ = env.last()
        legal = seen["action_mask"].nonzero()[0]
        env.step(None if terminated or truncated else int(rng.choice(legal)))

    text = env.record()
    if asked.out is not None:
        asked.out.write_text(text, encoding="utf-8")
    print(f"http://localhost:8020{import_record(Record.parse(text), asked.database_url)}")


if __name__ == "__main__":
    main()
