"""Names in strings: setattr/patch.object/getattr, __slots__, backticks of comments and docstrings. strings.py CHECKOUT DONE.json..."""
import ast, json, re, subprocess, sys
from collections import defaultdict
from pathlib import Path
ROOT = Path(sys.argv[1]).resolve()
DOCS = "--docs" in sys.argv
log = []
for f in sys.argv[2:]:
    if f.startswith("--"): continue
    log += json.load(open(f))
by_name = defaultdict(set)
by_class = defaultdict(dict)
in_file = defaultdict(lambda: defaultdict(set))
moved = {}
for t in ("kernel", "research", "server", "game2", "tests"):
    for l in open(f"rename/{t}.txt"):
        l = l.split("#")[0].split()
        if len(l) == 3 and l[0] == "mv": moved[l[1]] = l[2]
for r in log:
    if not r.get("n", 1) and r["n"] == 0: continue
    q = r["qual"]
    by_name[r["old"]].add(r["new"])
    for g in {r["path"], *r["files"]}: in_file[moved.get(g, g)][r["old"]].add(r["new"])
    if "." in q and r["old"] == q.rsplit(".", 1)[-1]:
        by_class[q.rsplit(".", 1)[0].rsplit(".")[-1]][r["old"]] = r["new"]
        by_class["*" + r["path"]][r["old"]] = r["new"]
class_new = {r["old"]: r["new"] for r in log if "." not in r["qual"] and r["old"] == r["qual"]}
files = [f for f in subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True).stdout.split("\n") if f.endswith(".py") and (ROOT / f).exists()]
report = []
for f in files:
    text = (ROOT / f).read_text()
    new = text
    def fix(m):
        names = by_name.get(m[2])
        if not names: return m[0]
        if len(names) == 1: return m[1] + '"' + next(iter(names)) + '"'
        report.append(f"{f}: {m[0]} -> {names}")
        return m[0]
    new = re.sub(r'((?:setattr|delattr|hasattr|getattr|patch\.object|mock\.patch\.object)\(\s*[\w.\[\]]+,\s*)"(\w+)"', fix, new)
    new = re.sub(r'((?:setattr|patch)\(\s*"lastcard[\w.]*\.)"?(\w+)"', lambda m: m[1] + (next(iter(by_name[m[2]])) if len(by_name.get(m[2], ())) == 1 else m[2]) + '"', new)
    # __slots__
    try: tree = ast.parse(new)
    except SyntaxError as e:
        report.append(f"{f}: SYNTAX {e}"); continue
    lines = new.splitlines(keepends=True)
    edits = []
    inverse = {v: k for k, v in class_new.items()}
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef):
            names = {**by_class.get(node.name, {}), **by_class.get(inverse.get(node.name, ""), {})}
            for st in node.body:
                if isinstance(st, ast.Assign) and any(isinstance(t, ast.Name) and t.id == "__slots__" for t in st.targets):
                    for c in ast.walk(st.value):
                        if isinstance(c, ast.Constant) and c.value in names:
                            edits.append((c.lineno - 1, c.col_offset, c.end_col_offset, f'"{names[c.value]}"'))
    for l, a, b, t in sorted(edits, reverse=True):
        x = lines[l].encode(); lines[l] = (x[:a] + t.encode() + x[b:]).decode()
    new = "".join(lines)
    # backticks
    def tick(m):
        body = m[1]
        word = re.fullmatch(r"((?:[\w]+\.)*)(\w+)(\(.*\))?", body)
        if not word: return m[0]
        prefix, last, call = word[1], word[2], word[3] or ""
        names = in_file[f].get(last)
        parts = [ (next(iter(by_name[p])) if len(by_name.get(p, ())) == 1 and p[0].isupper() else p) for p in prefix.split(".")[:-1]] if prefix else []
        if names and len(names) == 1: last = next(iter(names))
        elif names:
            report.append(f"{f}: ``{body}`` -> {names}")
        out = ".".join([*parts, last]) + call
        return f"``{out}``"
    new = re.sub(r"``([^`\n]+)``", tick, new)
    if new != text: (ROOT / f).write_text(new)
print("\n".join(report))
