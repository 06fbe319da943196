#!/usr/bin/env bash
# glicko2 2.1.0: the new volatility of a player depends on the level of all ratings, which Glicko-2 has not.
#
# Glicko-2 uses differences of ratings only, so a period in which everybody is rated 500 points higher must give the same
# deviation and volatility. In the function of step 5 (M. Glickman, "Example of the Glicko-2 system", 2013) this package
# has the player's rating where the paper has their deviation. Far from 1500 the volatility hardly changes at all.
#
# Seen with glicko2 2.1.0, Python 3.11: a player with deviation 50 after 30 periods of five wins and five losses each
# against equal players, all of them rated 1500, 2000 or 3000:
#
#     1500: deviation 33.1001, volatility 0.059044
#     2000: deviation 33.3006, volatility 0.059953
#     3000: deviation 33.3096, volatility 0.059995
#
# So lastcard rates solvers of puzzles by its own lines. This script fails when glicko2 2.1.0 does anything else.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check glicko2==2.1.0
cat >"$folder/run.py" <<'PYTHON'
from glicko2 import Player

for rating in (1500, 2000, 3000):
    player = Player(rating=rating, rd=50, vol=0.06)
    for _ in range(30):
        player.update_player([rating] * 10, [50] * 10, [1, 0] * 5)
    print(f"{rating}: deviation {player.rd:.4f}, volatility {player.vol:.6f}")
PYTHON
seen=$("$folder/venv/bin/python" -B "$folder/run.py")
echo "$seen"
diff <(echo "$seen") - <<'SEEN'
1500: deviation 33.1001, volatility 0.059044
2000: deviation 33.3006, volatility 0.059953
3000: deviation 33.3096, volatility 0.059995
SEEN
echo "as described"
