"""Rename pytest fixtures: fixtures.py CHECKOUT FILE (lines: fixture PATH:OLD NEW)."""
import ast, re, sys
from pathlib import Path
ROOT = Path(sys.argv[1])
for line in Path(sys.argv[2]).read_text().splitlines():
    m = re.match(r"fixture (\S+):(\w+) (\w+)", line)
    if not m: continue
    path, old, new = m.groups()
    home = ROOT / path
    files = sorted(home.parent.rglob("*.py")) if home.name == "conftest.py" else [home]
    n = 0
    for f in files:
        text = f.read_text(); tree = ast.parse(text); edits = set()
        # a nearer definition of the same fixture name hides it
        local = f != home and any(isinstance(x, ast.FunctionDef) and x.name == old and any("fixture" in ast.unparse(d) for d in x.decorator_list) for x in ast.walk(tree))
        if local: print("HIDDEN", f, old); continue
        lines = text.splitlines(keepends=True)
        for fn in ast.walk(tree):
            if not isinstance(fn, (ast.FunctionDef, ast.AsyncFunctionDef)): continue
            is_fix = any("fixture" in ast.unparse(d) for d in fn.decorator_list)
            if is_fix and fn.name == old and f == home:
                edits.add((fn.lineno - 1, lines[fn.lineno - 1].index(old, lines[fn.lineno - 1].index("def ")), old, new))
            if not (is_fix or fn.name.startswith("test")): continue
            args = [a for a in fn.args.args + fn.args.kwonlyargs if a.arg == old]
            if not args: continue
            edits.add((args[0].lineno - 1, args[0].col_offset, old, new))
            for x in ast.walk(fn):
                if isinstance(x, ast.Name) and x.id == old: edits.add((x.lineno - 1, x.col_offset, old, new))
        for x in ast.walk(tree):
            if isinstance(x, ast.Call) and "usefixtures" in ast.unparse(x.func):
                for c in x.args:
                    if isinstance(c, ast.Constant) and c.value == old: edits.add((c.lineno - 1, c.col_offset + 1, old, new))
        for l, c, o, nn in sorted(edits, reverse=True):
            b = lines[l].encode()
            assert b[c:c + len(o)] == o.encode(), (f, l, c)
            lines[l] = (b[:c] + nn.encode() + b[c + len(o):]).decode()
        if edits: f.write_text("".join(lines)); n += len(edits)
    print(n, line.split("#")[0])
