"""Benchmarks the environments in the default install, as native code, and beside other projects. ``make bench-envs``.

    python -m venv PEERS && PEERS/bin/pip install 'pettingzoo[classic]' rlcard==1.2.0 open_spiel
    python benchmarks/envs.py --peers PEERS/bin/python [--rounds 7] [--seconds 0.3] [--only PettingZoo] [--save]

All pick random legal actions, with four seats (``env_runners.py``). Three processes take turns, so that other load of
the machine affects all: figures are medians of steps a second of processor time, and ratios are medians of the ratios
within a round. The peers run in ``--peers``, by default this Python.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path
from statistics import median
from typing import Any, Final

from env_runners import OURS, PEERS, PLAYERS, RULES
from machine import command_line, describe_machine, publish

BACKENDS: Final = ("module", "native")
PEER_OF: Final = {
    "PettingZoo": "PettingZoo's leduc_holdem_v4",
    "OpenSpiel": "OpenSpiel's crazy_eights (C++)",
    "RLCard": "RLCard's uno",
}
"""The peer of an interface."""
Speeds = dict[tuple[str, str], list[float]]
"""Steps a second in each round, by process and name."""


class Child:
    """A process that measures on request."""

    def __init__(self, python: str, backend: str) -> None:
        script = str(Path(__file__).with_name("env_runners.py"))
        self._process = subprocess.Popen(
            [python, script],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=os.environ | {"LASTCARD_KERNEL": backend},
        )

    def measure(self, name: str, seconds: float) -> float | str:
        """Returns the steps a second of an environment, or why it was left out."""
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.write(f"{seconds} {name}\n")
        self._process.stdin.flush()
        answer = self._process.stdout.readline().strip()
        return answer if answer.startswith("left out") else float(answer)

    def close(self) -> None:
        """End the process."""
        self._process.communicate()


def measure(children: dict[str, Child], names: dict[str, list[str]], rounds: int, seconds: float) -> Speeds:
    """Returns the speeds of all environments that can be measured."""
    speeds: Speeds = {}
    left_out = set()
    for number in range(rounds + 1):
        longest = max(map(len, names.values()))
        for i in range(longest):
            for process, child in children.items():
                if i >= len(names[process]) or (process, names[process][i]) in left_out:
                    continue
                found = child.measure(names[process][i], seconds)
                if isinstance(found, str):
                    left_out.add((process, names[process][i]))
                    print(f"{names[process][i]}: {found}", flush=True)
                elif number:  # the first round compiles, and warms up
                    speeds.setdefault((process, names[process][i]), []).append(found)
        print(f"round {number} of {rounds}", file=sys.stderr, flush=True)
    return speeds


def ratio(own: list[float], other: list[float]) -> str:
    """Returns the median of the ratios within a round."""
    return f"{median(a / b for a, b in zip(own, other, strict=True)):.2f}"


def make_page(machine: dict[str, Any], speeds: Speeds, peers: str) -> str:
    """Returns the results as a page."""
    lines = [
        "# Environments: default install, native code, and peers",
        "",
        f"`{command_line().replace(peers, 'PYTHON')}`, commit {machine['commit']}, {machine['processor']}, Python "
        f"{machine['versions']['python']}; {peer_versions(peers)}. Rules `{RULES}`, {PLAYERS} seats, float32, "
        "arrays copied; steps a second of processor time of one core. The default install runs the WebAssembly module.",
        "",
        "| | default install | native | default : native |",
        "|---|--:|--:|--:|",
    ]
    for name in OURS:
        module, native = (speeds.get((backend, name)) for backend in BACKENDS)
        if module and native:
            lines.append(f"| {name} | {median(module):,.0f} | {median(native):,.0f} | {ratio(module, native)} |")
    lines += ["", "| peer | steps a second | default install : peer | native : peer |", "|---|--:|--:|--:|"]
    for peer in PEERS:
        own = speeds.get(("peers", peer))
        if not own:
            continue
        names = [name for name, other in PEER_OF.items() if other == peer]
        ours = [speeds.get((backend, name)) for backend in BACKENDS for name in names]
        ratios = [ratio(each, own) if each else "" for each in ours] or ["", ""]
        lines.append(f"| {peer} | {median(own):,.0f} | {ratios[0]} | {ratios[1]} |")
    return "\n".join(lines) + "\n"


def peer_versions(python: str) -> str:
    """Returns the versions of the installed packages that matter."""
    packages = ("numpy", "wasmtime", "pettingzoo", "gymnasium", "open_spiel", "rlcard", "pgx")
    code = (
        "from importlib.metadata import version, PackageNotFoundError\n"
        f"for name in {packages!r}:\n"
        "    try: print(name, version(name))\n"
        "    except PackageNotFoundError: print('no', name)\n"
    )
    found = subprocess.run([python, "-c", code], stdout=subprocess.PIPE, text=True, check=True).stdout
    return ", ".join(found.splitlines())


def main() -> None:
    """Measure, print the page, and save it if requested."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--seconds", type=float, default=0.3, help="of each in a round")
    parser.add_argument("--only", default="", help="a part of the names; all without it")
    parser.add_argument("--peers", default=sys.executable, help="the Python in which the peers are installed")
    parser.add_argument("--save", action="store_true", help="keep the page and the numbers in results/")
    args = parser.parse_args()
    names = {process: [name for name in OURS if args.only in name] for process in BACKENDS}
    names["peers"] = [name for name in PEERS if args.only in name]
    pythons = dict.fromkeys(BACKENDS, sys.executable) | {"peers": args.peers}
    children = {process: Child(pythons[process], process if process in BACKENDS else "auto") for process in pythons}
    speeds = measure(children, names, args.rounds, args.seconds)
    for child in children.values():
        child.close()
    machine = describe_machine()
    results = [{"process": process, "name": name, "speeds": own} for (process, name), own in speeds.items()]
    page = make_page(machine, speeds, args.peers)
    publish("envs", page, {"machine": machine, "results": results}, save=args.save)


if __name__ == "__main__":
    main()
