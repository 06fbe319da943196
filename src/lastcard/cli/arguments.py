"""Arguments shared by several commands, with their parsers."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar, cast

from lastcard.text.locale import LANGUAGES, guess_language

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from lastcard.bots.own_bots import BotSource

T = TypeVar("T")

RULES: Final = (
    "ruleset: all-wild, classic or wild-jackpot, with presets and options joined by + (see `lastcard rules`); "
    "default classic"
)
BOTS: Final = (
    "bots: learner, casual, sharp, expert or master, weak to strong; or by kind: random, heuristic, trained, search"
)
OWN_BOTS: Final = f"{BOTS}; or a class of your own: FILE.py:Class"


def read_names(text: str) -> tuple[str, ...]:
    """Return names separated by commas; none for an empty text."""
    return tuple(name.strip() for name in text.split(",")) if text else ()


def read_bots(text: str) -> tuple[BotSource, ...]:
    """Return bots separated by commas: their names, or a ``BotFile`` for ``FILE.py:Class``."""
    names = read_names(text)
    if ".py" not in text:
        return names
    from lastcard.bots.bot_files import read_bot_file

    return tuple(read_bot_file(name) or name for name in names)


def read_language(text: str) -> str:
    """Return the given language, or that of the system."""
    return text or guess_language(os.environ)


_SHARED: Final[dict[str, dict[str, Any]]] = {
    "file": {"type": Path, "metavar": "FILE", "help": "a match record"},
    "game": {"metavar": "GAME", "help": "all-wild, classic or wild-jackpot"},
    "--bots": {"type": read_bots, "default": (), "metavar": "NAME[,NAME…]"},
    "--cluster": {
        "metavar": "ADDRESS",
        "help": "work on a Ray cluster: its HOST:PORT, auto for the one that runs on this machine, or local to start "
        "one here (needs lastcard[cluster])",
    },
    "--database-url": {"metavar": "URL"},
    "--json": {"action": "store_true", "help": "print the result as JSON"},
    "--kernel": {
        "choices": ("auto", "module", "native"),
        "help": "run the kernel as the module that comes with lastcard, or as native code, which is faster and needs "
        "lastcard[native] (default: auto, the module until native code is there)",
    },
    "--language": {
        "type": read_language,
        "choices": LANGUAGES,
        "default": "",  # a text, because it is parsed like any other
        "help": "language of the text (default: that of the system)",
    },
    "--log": {"type": Path, "metavar": "FILE"},
    "--out": {"type": Path, "metavar": "FILE"},
    "--overwrite": {"action": "store_true", "help": "replace an existing file"},
    "--players": {"type": int, "metavar": "N", "help": "how many seats: 2 to 10 (default %(default)s)"},
    "--resume": {"type": Path, "metavar": "FILE"},
    "--rounds": {"type": int, "metavar": "N", "help": "how many rounds (default %(default)s)"},
    "--rules": {"default": "classic", "metavar": "NAME", "help": "ruleset, as for simulate (default %(default)s)"},
    "--seed": {"metavar": "S"},
    "--workers": {"type": int, "metavar": "N", "help": "how many processes (default: one on every core)"},
}


@contextmanager
def join_cluster(args: argparse.Namespace) -> Iterator[tuple[int | None, Executor | None]]:
    """Yield the number of workers and the executor of ``--workers`` and ``--cluster``; leave the cluster at the end."""
    if args.cluster is None:
        yield args.workers, None
        return
    from lastcard.arena.ray_cluster import RayCluster

    with RayCluster(args.cluster) as cluster:
        yield args.workers or cluster.count_workers(), cluster


def from_arguments(kind: type[T], args: argparse.Namespace) -> T:
    """Return an instance of a data class whose fields have the names of arguments of a command line."""
    return kind(**{each.name: getattr(args, each.name) for each in fields(cast(Any, kind))})


def add_shared(parser: argparse.ArgumentParser, name: str, *, alias: str = "", **own: Any) -> None:
    """Add an argument that other commands share; ``own`` options of ``add_argument`` differ in this command."""
    parser.add_argument(alias or name, **_SHARED[name] | own)
