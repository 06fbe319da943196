import ast, json, re, subprocess, sys
from collections import defaultdict
from pathlib import Path
ROOT=Path(sys.argv[1]); allren=defaultdict(list)
for r in json.load(open("rename/all.done.json")): allren[r["old"]].append(r["new"])
for l in open("rename/tests.txt"):
    m=re.match(r"fixture \S+:(\w+) (\w+)",l)
    if m: allren[m[1]].append(m[2])
for f in subprocess.run(["git","ls-files","tests/*.py"],cwd=ROOT,capture_output=True,text=True).stdout.split():
    text=(ROOT/f).read_text(); lines=text.splitlines(keepends=True); tree=ast.parse(text); edits=set()
    for fn in ast.walk(tree):
        if not isinstance(fn,(ast.FunctionDef,ast.AsyncFunctionDef)): continue
        args={a.arg for a in fn.args.args+fn.args.kwonlyargs}
        for d in fn.decorator_list:
            if not (isinstance(d,ast.Call) and "parametrize" in ast.unparse(d.func) and d.args): continue
            for c in ast.walk(d.args[0]):
                if isinstance(c,ast.Constant) and isinstance(c.value,str):
                    names=[x.strip() for x in c.value.split(",")]
                    out=[]
                    for n in names:
                        if n in args: out.append(n); continue
                        cand=[x for x in dict.fromkeys(allren[n]) if x in args and x not in names]
                        if len(cand)==1: out.append(cand[0])
                        else: print(f"{f}:{fn.lineno} {n} {cand}"); out.append(n)
                    if out!=names: edits.add((c.lineno-1,c.col_offset,c.end_col_offset,'"'+", ".join(out)+'"'))
    for l,a,b,t in sorted(edits,reverse=True):
        x=lines[l].encode(); lines[l]=(x[:a]+t.encode()+x[b:]).decode()
    if edits: (ROOT/f).write_text("".join(lines)); print(len(edits),f)
