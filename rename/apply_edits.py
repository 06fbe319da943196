import json, sys
from pathlib import Path
ROOT = Path(sys.argv[1])
edits, log = {}, []
for f in sys.argv[2:]:
    d = json.load(open(f)); log += d["log"]
    for path, es in d["edits"].items():
        mine = edits.setdefault(path, {})
        for l, a, l2, b, new, line in es:
            k = (l, a, l2, b)
            if k in mine and mine[k][0] != new: print("CONFLICT", path, k, mine[k], new, line)
            mine.setdefault(k, (new, line))
for f, mine in edits.items():
    lines = (ROOT / f).read_text().splitlines(keepends=True)
    for (l, a, l2, b), (text, line) in sorted(mine.items(), reverse=True):
        assert l == l2
        u = lines[l].encode("utf-16-le")
        lines[l] = u[: 2 * a].decode("utf-16-le") + text + u[2 * b:].decode("utf-16-le")
    (ROOT / f).write_text("".join(lines))
json.dump(log, open("rename/all.done.json", "w"))
print(len(log), "renames,", sum(map(len, edits.values())), "places in", len(edits), "files")
