#!/usr/bin/env bash
# wasmtime 50.0.1: a module with a data segment cannot be instantiated where files are limited, though no file is written.
#
# wasmtime prepares the first contents of a memory as an image in an anonymous file, and the limit of the size of files
# (ulimit -f) counts for it. The error names neither the image nor the limit. A module without a data segment starts.
#
# Seen with wasmtime 50.0.1, Python 3.11, Linux, `ulimit -f 2`:
#
#     without data: instantiated
#     with data: File too large (os error 27)
#
# So lastcard's module has no constant arrays. This script fails when wasmtime 50.0.1 does anything else.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check wasmtime==50.0.1
cat >"$folder/run.py" <<'PYTHON'
import wasmtime

for name, data in (("without data", ""), ("with data", '(data (i32.const 0) "abcd")')):
    store = wasmtime.Store()
    module = wasmtime.Module(store.engine, f"(module (memory 1) {data})")
    try:
        wasmtime.Instance(store, module, [])
        print(f"{name}: instantiated")
    except wasmtime.WasmtimeError as error:
        print(f"{name}: {error}")
PYTHON
seen=$(
    ulimit -f 2
    "$folder/venv/bin/python" -B "$folder/run.py"
)
echo "$seen"
diff <(echo "$seen") - <<'SEEN'
without data: instantiated
with data: File too large (os error 27)
SEEN
echo "as described"
