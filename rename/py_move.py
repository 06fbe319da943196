"""Move Python modules and everything that names them: py_move.py CHECKOUT FILE. Lines: mv OLD NEW (files)."""
import ast, re, subprocess, sys
from pathlib import Path
ROOT = Path(sys.argv[1]).resolve()
moves = []
data = []
for line in [l for f in sys.argv[2:] for l in Path(f).read_text().splitlines()]:
    line = line.split("#")[0].strip()
    if line.startswith("mv "):
        _, old, new = line.split()
        if old.startswith("benchmarks/") or not (ROOT / old).exists() or (old, new) in moves: continue
        if old.endswith(".py"): moves.append((old, new))
        else: data.append((old, new))
def dotted(p):
    for root in ("src/", "tests/support/"):
        pass
    if p.startswith("src/"): p = p[4:]
    elif p.startswith(("tests/support/", "tests/referee/")): p = p[6:]
    return p.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
mods = {dotted(o): dotted(n) for o, n in moves if o.startswith(("src/", "tests/support/", "tests/referee/", "tools/"))}
files = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\n")
files = [f for f in files if f and (ROOT / f).is_file() and not (ROOT / f).is_symlink()]
parents = {}
for o, n in mods.items():
    parents.setdefault(o.rpartition(".")[0], {})[o.rpartition(".")[2]] = n
texty = (".py", ".md", ".js", ".toml", ".yml", ".yaml", ".json", ".sh", ".ts", ".cjs", ".html", ".txt", ".css")
dot_re = re.compile(r"(?<![\w.])(" + "|".join(sorted((re.escape(o) for o in mods), key=len, reverse=True)) + r")(?![\w])") if mods else None
report = []
for f in files:
    if not f.endswith(".py"): continue
    text = (ROOT / f).read_text()
    tree = ast.parse(text)
    edits = []  # (line, col, end, new)
    lines = text.splitlines(keepends=True)
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            if node.module in parents:
                for a in node.names:
                    if a.name in parents[node.module]:
                        new = parents[node.module][a.name]
                        npkg, _, nname = new.rpartition(".")
                        if npkg != node.module:
                            if len(node.names) == 1:
                                # replace module part of the statement
                                l = node.lineno - 1
                                c = lines[l].index(node.module)
                                edits.append((l, c, c + len(node.module), npkg))
                            else:
                                report.append(f"{f}:{node.lineno}: split by hand: {a.name} -> {new}")
                        if nname == a.name: continue
                        edits.append((a.lineno - 1, a.col_offset, a.col_offset + len(a.name), nname))
                        if a.asname is None:
                            for sub in ast.walk(tree):
                                if isinstance(sub, ast.Name) and sub.id == a.name:
                                    edits.append((sub.lineno - 1, sub.col_offset, sub.end_col_offset, nname))
                                if isinstance(sub, ast.arg) and sub.arg == a.name: report.append(f"{f}:{sub.lineno}: parameter shadows module {a.name}")
                                if isinstance(sub, ast.Name) and sub.id == nname: report.append(f"{f}:{sub.lineno}: name {nname} is in use beside the module")
    for l, c, e, new in sorted(set(edits), reverse=True):
        b = lines[l].encode()
        lines[l] = (b[:c] + new.encode() + b[e:]).decode()
    new_text = "".join(lines)
    if new_text != text: (ROOT / f).write_text(new_text)
slash = {}
for o, n in moves:
    for cut in ("", "src/", "src/lastcard/", "tests/", "tests/support/"):
        if o.startswith(cut) and n.startswith(cut):
            so, sn = o[len(cut):], n[len(cut):]
            if "/" in so: slash[so] = sn
        elif o.startswith(cut) and cut and "/" in o[len(cut):]:
            slash[o[len(cut):]] = n
slash_re = re.compile(r"(?<![\w-])(" + "|".join(sorted((re.escape(o) for o in slash), key=len, reverse=True)) + r")(?![\w])") if slash else None
for f in files:
    if not f.endswith(texty) and f not in ("Makefile", ".gitignore", ".gitattributes"): continue
    if f.startswith(("benchmarks/results/", "docs/decisions/")): continue
    p = ROOT / f
    try: text = p.read_text()
    except UnicodeDecodeError: continue
    new = dot_re.sub(lambda m: mods[m[1]], text) if dot_re else text
    new = slash_re.sub(lambda m: slash[m[1]], new) if slash_re else new
    if new != text: p.write_text(new)
for o, n in moves:
    (ROOT / n).parent.mkdir(parents=True, exist_ok=True)
    subprocess.run(["git", "mv", o, n], cwd=ROOT, check=True)
for o, n in data:
    if not o.endswith((".js", ".css", ".html")): subprocess.run(["git", "mv", o, n], cwd=ROOT, check=True)
print("\n".join(report)); print(len(moves), "moved")
