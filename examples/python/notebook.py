"""The pictures that a notebook shows after a cell that ends with such a value; here they are saved as files."""

from pathlib import Path
from typing import Any

from lastcard import Match, Round, play, report, run_arena

match = play(Match("classic", ["Ann", "Bo"], seed="porch"), "sharp", rounds=2)
pictures: dict[str, Any] = {
    "view": Round.deal("all-wild", 3, seed=1).view(0),
    "round": match.round,
    "match": match,
    "record": match.record(),
    "report": report(match, rollouts=20),
    "arena": run_arena("classic", 2, ["sharp", "casual"], 20, seed=1, workers=1),
}
for name, shown in pictures.items():
    print(name, Path(f"{name}.svg").write_text(shown._repr_svg_(), encoding="utf-8"), "characters")
