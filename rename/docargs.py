import ast, json, re, sys
from collections import defaultdict
from pathlib import Path
ROOT = Path(sys.argv[1])
moved = {}
for t in ("kernel", "research", "server", "game2", "tests"):
    for l in open(f"rename/{t}.txt"):
        l = l.split("#")[0].split()
        if len(l) == 3 and l[0] == "mv": moved[l[1]] = l[2]
ren = defaultdict(lambda: defaultdict(list))
allren = defaultdict(list)
for f in ("rename/kernel.txt.done.json", "rename/all.done.json"):
    for r in json.load(open(f)):
        ren[moved.get(r["path"], r["path"])][r["old"]].append(r["new"])
        allren[r["old"]].append(r["new"])
import subprocess
n = 0
for f in subprocess.run(["git", "ls-files", "*.py"], cwd=ROOT, capture_output=True, text=True).stdout.split():
    text = (ROOT / f).read_text(); lines = text.splitlines(keepends=True); tree = ast.parse(text)
    for node in ast.walk(tree):
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)): continue
        doc = node.body[0] if node.body and isinstance(node.body[0], ast.Expr) and isinstance(node.body[0].value, ast.Constant) and isinstance(node.body[0].value.value, str) else None
        if not doc or "Args:" not in doc.value.value: continue
        fn = node
        if isinstance(node, ast.ClassDef):
            fn = next((x for x in node.body if isinstance(x, ast.FunctionDef) and x.name == "__init__"), None)
            params = {x.target.id for x in node.body if isinstance(x, ast.AnnAssign) and isinstance(x.target, ast.Name)}
        else: params = set()
        if fn is not None:
            a = fn.args
            params |= {x.arg for x in a.posonlyargs + a.args + a.kwonlyargs + [y for y in (a.vararg, a.kwarg) if y]}
        inside = False
        for l in range(doc.lineno - 1, doc.end_lineno):
            s = lines[l].strip()
            if s == "Args:": inside = True; base = len(lines[l]) - len(lines[l].lstrip()); continue
            if s in ("Returns:", "Raises:", "Yields:"): inside = False
            if not inside: continue
            m = re.match(r"^(\s+)([\w*]+(?:, [\w*]+)*):", lines[l])
            if not m or len(m[1]) != base + 4: continue
            names = m[2].split(", ")
            out = []
            for name in names:
                if name.strip("*") in params: out.append(name); continue
                cands = [x for x in dict.fromkeys(ren[f][name] + allren[name]) if x in params and x not in names]
                if len(cands) >= 1: out.append(cands[0])
                else: out.append(name); print(f"{f}:{l+1}: {name} not in {sorted(params)}")
            if out != names:
                lines[l] = m[1] + ", ".join(out) + ":" + lines[l][m.end():]; n += 1
    new = "".join(lines)
    if new != text: (ROOT / f).write_text(new)
print(n, "entries")
