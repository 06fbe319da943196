"""Records as a data frame: which cards did the winners of rounds play most often? Needs ``pip install '.[lab]'``."""

import pyarrow as pa
import pyarrow.compute as pc

from lastcard import Match, play, read_records, tabulate_moves, write_records

matches = (play(Match("classic", ["Ann", "Bo"], seed=n), "sharp", rounds=2) for n in range(20))
write_records("matches.toml", (match.record() for match in matches))
moves = pa.Table.from_pylist(list(tabulate_moves(read_records("matches.toml"))))
played = moves.filter(pc.equal(moves["winner"], moves["seat"])).group_by("card").aggregate([("ply", "count")])
for row in played.sort_by([("ply_count", "descending")]).slice(0, 8).to_pylist():
    print(row["card"] or "no card", row["ply_count"])
