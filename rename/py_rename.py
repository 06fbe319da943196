"""Rename Python symbols exactly, with pyright's language server: py_rename.py CHECKOUT FILE [--dry]."""
from __future__ import annotations
import ast, json, re, subprocess, sys, time
from pathlib import Path

ROOT = Path(sys.argv[1]).resolve()
LIST = Path(sys.argv[2])
DRY = "--dry" in sys.argv
NODE = ROOT / ".venv/bin/node"
if not NODE.exists(): NODE = Path(".venv/bin/node")
SERVER = "node_modules/pyright/langserver.index.js"
LINE = re.compile(r"^py\s+(\S+?):([\w.]+)(?:\((=?)(\w+)\))?\s+(\w+)\s*(?:#.*)?$")

def targets():
    out = []
    for n, line in enumerate(LIST.read_text().splitlines(), 1):
        line = line.strip()
        if not line.startswith("py "): continue
        m = LINE.match(line)
        if not m:
            print("BAD LINE", n, line); continue
        path, qual, local, arg, new = m.groups()
        out.append((path, qual, arg, bool(local), new, line))
    # innermost first: parameters and locals, then members by depth, then top level
    out.sort(key=lambda t: (-(t[2] is not None), -t[1].count(".")))
    return out

def find(path, qual, arg):
    """Line and character (0-based) of a definition."""
    src = (ROOT / path).read_text()
    tree = ast.parse(src)
    lines = src.splitlines()
    body, owner = tree.body, tree
    names = qual.split(".")
    def walk(body):
        for node in body:
            yield node
            for f in ("body", "orelse", "finalbody", "handlers"):
                sub = getattr(node, f, None)
                if sub and not isinstance(node, (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)) and isinstance(sub, list):
                    yield from walk(sub)
    def assigned(node):
        ts = []
        if isinstance(node, ast.Assign): ts = node.targets
        elif isinstance(node, (ast.AnnAssign, ast.AugAssign, ast.For)): ts = [node.target]
        elif isinstance(node, ast.TypeAlias if hasattr(ast, "TypeAlias") else ()): ts = [node.name]
        elif isinstance(node, ast.With): ts = [i.optional_vars for i in node.items if i.optional_vars]
        for t in ts:
            for sub in ast.walk(t):
                if isinstance(sub, ast.Name): yield sub.id, sub
    pos = None
    for i, name in enumerate(names):
        found = None
        for node in walk(body):
            if isinstance(node, (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)) and node.name == name:
                line = lines[node.lineno - 1]
                col = line.index(name, node.col_offset + (len("class") if isinstance(node, ast.ClassDef) else line[node.col_offset:].index("def") + 3))
                found = (node, (node.lineno - 1, col)); break
            for id_, sub in assigned(node):
                if id_ == name:
                    found = (node, (sub.lineno - 1, sub.col_offset)); break
            if found: break
        if not found and isinstance(owner, ast.ClassDef):
            for sub in ast.walk(owner):
                if isinstance(sub, ast.Attribute) and sub.attr == name and isinstance(sub.ctx, ast.Store) and isinstance(sub.value, ast.Name) and sub.value.id == "self":
                    found = (None, (sub.end_lineno - 1, sub.end_col_offset - len(name))); break
        if not found: return None
        owner, pos = found
        body = getattr(owner, "body", [])
    if arg is None: return pos
    if owner is None: return None
    if isinstance(owner, ast.ClassDef):
        owner = next((n for n in owner.body if isinstance(n, ast.FunctionDef) and n.name == "__init__"), None)
        if owner is None: return None
    a = owner.args
    for x in a.posonlyargs + a.args + a.kwonlyargs + [y for y in (a.vararg, a.kwarg) if y]:
        if x.arg == arg: return (x.lineno - 1, x.col_offset)
    best = None
    for sub in ast.walk(owner):
        if isinstance(sub, ast.Name) and sub.id == arg and isinstance(sub.ctx, ast.Store):
            p = (sub.lineno - 1, sub.col_offset)
            if best is None or p < best: best = p
        if isinstance(sub, ast.arg) and sub.arg == arg:
            p = (sub.lineno - 1, sub.col_offset)
            if best is None or p < best: best = p
        if isinstance(sub, (ast.FunctionDef, ast.AsyncFunctionDef)) and sub is not owner and sub.name == arg:
            line = lines[sub.lineno - 1]
            best = (sub.lineno - 1, line.index(arg, line.index("def") + 3))
    return best

class Client:
    def __init__(self):
        self.p = subprocess.Popen([str(NODE), SERVER, "--stdio"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.id = 0
        self.settings = {"python": {"pythonPath": ".venv/bin/python", "analysis": {"extraPaths": [str(ROOT / "src"), str(ROOT / "tests"), str(ROOT)], "diagnosticMode": "openFilesOnly", "autoSearchPaths": True, "include": ["src", "tests", "tools", "benchmarks", "examples"], "exclude": ["**/node_modules", ".venv", "**/__pycache__"], "typeCheckingMode": "off", "indexing": False}}}
        self.call("initialize", {"processId": None, "rootUri": ROOT.as_uri(), "capabilities": {"workspace": {"configuration": True, "workspaceFolders": True, "didChangeWatchedFiles": {"dynamicRegistration": True}, "workspaceEdit": {"documentChanges": True}}, "textDocument": {"rename": {"prepareSupport": False}}}, "workspaceFolders": [{"uri": ROOT.as_uri(), "name": "x"}]})
        self.note("initialized", {})
        self.note("workspace/didChangeConfiguration", {"settings": self.settings})
    def send(self, m):
        b = json.dumps({"jsonrpc": "2.0", **m}).encode()
        self.p.stdin.write(b"Content-Length: %d\r\n\r\n" % len(b) + b); self.p.stdin.flush()
    def note(self, method, params): self.send({"method": method, "params": params})
    def recv(self):
        n = 0
        while True:
            h = self.p.stdout.readline()
            if not h: raise SystemExit("pyright ended")
            if h.lower().startswith(b"content-length"): n = int(h.split(b":")[1])
            if h == b"\r\n": break
        return json.loads(self.p.stdout.read(n))
    def call(self, method, params):
        self.id += 1
        mine = self.id
        self.send({"id": mine, "method": method, "params": params})
        while True:
            m = self.recv()
            if m.get("id") == mine and "method" not in m:
                return m
            if "method" in m and "id" in m:
                if m["method"] == "workspace/configuration":
                    res = []
                    for item in m["params"]["items"]:
                        cur = self.settings
                        for part in (item.get("section") or "").split("."):
                            cur = cur.get(part, {}) if isinstance(cur, dict) else {}
                        res.append(cur or None)
                    self.send({"id": m["id"], "result": res})
                else: self.send({"id": m["id"], "result": None})

def apply(edit):
    changed = {}
    per = {}
    for dc in edit.get("documentChanges") or []:
        if "textDocument" in dc: per.setdefault(dc["textDocument"]["uri"], []).extend(dc["edits"])
    for uri, edits in (edit.get("changes") or {}).items(): per.setdefault(uri, []).extend(edits)
    for uri, edits in per.items():
        path = Path(uri.removeprefix("file://").replace("%20", " "))
        if ".venv" in path.parts or ROOT not in path.parents: 
            raise RuntimeError(f"outside: {path}")
        lines = path.read_text().splitlines(keepends=True)
        seen = set()
        for e in sorted(edits, key=lambda e: (e["range"]["start"]["line"], e["range"]["start"]["character"]), reverse=True):
            s, t = e["range"]["start"], e["range"]["end"]
            key = (s["line"], s["character"])
            if key in seen: continue
            seen.add(key)
            assert s["line"] == t["line"]
            # UTF-16 columns
            line = lines[s["line"]]
            u = line.encode("utf-16-le")
            lines[s["line"]] = (u[: 2 * s["character"]].decode("utf-16-le") + e["newText"] + u[2 * t["character"]:].decode("utf-16-le"))
        path.write_text("".join(lines))
        changed[str(path.relative_to(ROOT))] = len(seen)
    return changed


def main():
    todo = targets()
    missing = [t for t in todo if find(t[0], t[1], t[2]) is None]
    for t in missing: print("NOT FOUND", t[5])
    if DRY: print(len(todo), "targets,", len(missing), "not found"); return
    c = Client()
    log, edits = [], {}
    began = time.time()
    opened = set()
    for n, (path, qual, arg, local, new, line) in enumerate(todo):
        pos = find(path, qual, arg)
        if pos is None: continue
        t = time.time()
        src = (ROOT / path).read_text()
        text = src.splitlines()[pos[0]]
        col = len(text.encode()[: pos[1]].decode().encode("utf-16-le")) // 2
        uri = (ROOT / path).as_uri()
        if path not in opened:
            opened.add(path)
            c.note("textDocument/didOpen", {"textDocument": {"uri": uri, "languageId": "python", "version": 1, "text": src}})
        r = c.call("textDocument/rename", {"textDocument": {"uri": uri}, "position": {"line": pos[0], "character": col}, "newName": new})
        if not r.get("result"):
            print("FAILED", line, str(r)[:200], flush=True); continue
        edit = r["result"]
        per = {}
        for dc in edit.get("documentChanges") or []:
            if "textDocument" in dc: per.setdefault(dc["textDocument"]["uri"], []).extend(dc["edits"])
        for u, es in (edit.get("changes") or {}).items(): per.setdefault(u, []).extend(es)
        paths = {u: Path(u.removeprefix("file://").replace("%20", " ")) for u in per}
        outside = [p for p in paths.values() if ROOT not in p.parents or ".venv" in p.parts]
        if outside:
            print("OUTSIDE", line, outside[0], flush=True); continue
        total = 0
        for u, es in per.items():
            mine = edits.setdefault(str(paths[u].relative_to(ROOT)), {})
            for e in es:
                a, b = e["range"]["start"], e["range"]["end"]
                key = (a["line"], a["character"], b["line"], b["character"])
                total += 1
                if key in mine and mine[key][0] != e["newText"]:
                    print("CONFLICT", paths[u].name, key, mine[key], e["newText"], line, flush=True)
                mine.setdefault(key, (e["newText"], line))
        if n % 25 == 0: print(f"{time.time() - began:5.0f}s {n}/{len(todo)} {total:4d} {line}", flush=True)
        log.append({"old": (arg or qual.rsplit('.')[-1]), "qual": qual, "path": path, "new": new, "files": [str(p.relative_to(ROOT)) for p in paths.values()], "n": total})
    if "--edits" in sys.argv:
        with open(str(LIST) + ".edits.json", "w") as out:
            json.dump({"log": log, "edits": {f: [[*k, *v] for k, v in mine.items()] for f, mine in edits.items()}}, out)
        print(f"{time.time() - began:.0f}s: {len(log)} of {len(todo)} found in {len(edits)} files")
        c.p.terminate(); return
    for f, mine in edits.items():
        lines = (ROOT / f).read_text().splitlines(keepends=True)
        for (l, a, l2, b), (text, line) in sorted(mine.items(), reverse=True):
            assert l == l2, (f, l, l2)
            u = lines[l].encode("utf-16-le")
            lines[l] = u[: 2 * a].decode("utf-16-le") + text + u[2 * b:].decode("utf-16-le")
        (ROOT / f).write_text("".join(lines))
    with open(str(LIST) + ".done.json", "w") as f: json.dump(log, f)
    print(f"{time.time() - began:.0f}s: {len(log)} of {len(todo)} renamed in {len(edits)} files")
    c.p.terminate()
main()
