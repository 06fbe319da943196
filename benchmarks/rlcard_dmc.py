"""External opponent: RLCard's Deep Monte Carlo, trained by RLCard's trainer in its environment by self-play.

    pip install rlcard==1.2.0 torch
    python benchmarks/rlcard_dmc.py FOLDER [--frames 3000000] [--batch 2] [--minutes 5] [--actors 1]

FOLDER gets a pair of models (``0_FRAMES.pth`` and ``1_FRAMES.pth``, one for each seat) every few minutes, and RLCard's
``logs.csv``; a further run resumes training. ``rlcard_matches.py --dmc FOLDER`` plays against the last pair. Settings
are RLCard's, except for fewer actors and a smaller batch, because a core produces few frames, and for rounds that end
in RLCard's ``IndexError`` (all cards are in hands), which are restarted.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
from pathlib import Path
from typing import Any

import torch
from rlcard.agents.dmc_agent import DMCTrainer
from rlcard.envs.uno import UnoEnv


class Table(UnoEnv):  # type: ignore[misc]
    """RLCard's environment, in the process of an actor."""

    def seed(self, seed: int | None = None) -> None:
        """Limit an actor to one core; this is its first call."""
        if multiprocessing.parent_process() is not None:
            torch.set_grad_enabled(False)
            torch.set_num_threads(1)
        super().seed(seed)

    def run(self, is_training: bool = False) -> Any:
        """Play a game; restart if RLCard cannot finish it."""
        while True:
            try:
                return super().run(is_training)
            except IndexError:
                continue


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(description="Train RLCard's DMC agent at RLCard's table, on a CPU.")
    parser.add_argument("folder", type=Path, help="for models and curve; training continues from them")
    parser.add_argument("--frames", type=int, default=3_000_000, help="moves of both seats (default 3,000,000)")
    parser.add_argument("--batch", type=int, default=2, help="hundreds of moves in a batch (default 2; RLCard has 32)")
    parser.add_argument("--minutes", type=int, default=5, help="between two pairs of models (default 5)")
    parser.add_argument("--actors", type=int, default=1, help="processes that play (default 1; RLCard has 5)")
    args = parser.parse_args()
    torch.set_num_threads(1)
    trainer = DMCTrainer(
        Table({"allow_step_back": False, "seed": 1}),
        load_model=True,
        xpid=args.folder.name,
        savedir=str(args.folder.parent),
        save_interval=args.minutes,
        num_actors=args.actors,
        num_threads=1,
        total_frames=args.frames,
        batch_size=args.batch,
    )
    trainer.start()
    for actor in multiprocessing.active_children():  # they would run forever
        actor.terminate()


if __name__ == "__main__":
    os.environ["OMP_NUM_THREADS"] = "1"
    main()
