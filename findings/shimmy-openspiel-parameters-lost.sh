#!/usr/bin/env bash
# Shimmy 2.0.1: OpenSpielCompatibilityV0 forgets the parameters of a game at the first reset.
#
# The wrapper takes a game by name, `game_name="kuhn_poker(players=3)"`, or a loaded game, `env=…`. `reset` loads the game
# again by its short name, without the parameters. Agents and spaces are still those of the game that was given, so three
# players sit at a game of two, and the first observation of the third raises an error. A parameter that changes no number
# of players is lost without an error. Parameters given as `config={…}` beside a short name are kept.
#
# Seen with Shimmy 2.0.1, OpenSpiel 2.0.2, Python 3.11:
#
#     kuhn_poker(players=3): 3 agents, after reset SpielError
#     goofspiel(num_cards=4): 4 cards, after reset 13
#
# Right would be 3 agents that play, and 4 cards. This script fails when Shimmy 2.0.1 does anything else.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check shimmy==2.0.1 open_spiel==2.0.2 pettingzoo
cat >"$folder/run.py" <<'PYTHON'
import pyspiel
from shimmy import OpenSpielCompatibilityV0

env = OpenSpielCompatibilityV0(game_name="kuhn_poker(players=3)")
try:
    env.reset(seed=1)
    seen = f"{len(env.agents)} agents"
except pyspiel.SpielError:
    seen = "SpielError"
print(f"kuhn_poker(players=3): {len(env.possible_agents)} agents, after reset {seen}")
env = OpenSpielCompatibilityV0(env=pyspiel.load_game("goofspiel(num_cards=4,imp_info=True,points_order=descending)"))
before = env._env.get_parameters()["num_cards"]
env.reset(seed=1)
print(f"goofspiel(num_cards=4): {before} cards, after reset {env._env.get_parameters().get('num_cards', 13)}")
PYTHON
"$folder/venv/bin/python" "$folder/run.py" 2>/dev/null >"$folder/seen"
cat "$folder/seen"
diff "$folder/seen" - <<'SEEN'
kuhn_poker(players=3): 3 agents, after reset SpielError
goofspiel(num_cards=4): 4 cards, after reset 13
SEEN
echo "as described"
