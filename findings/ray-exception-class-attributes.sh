#!/usr/bin/env bash
# Ray 2.60.0: an exception of a task arrives with the attributes of its class instead of its own.
#
# ray.get raises an object of a class that Ray makes of RayTaskError and the exception's class. Its description says that it
# "contains all of the attributes of the cause exception". Ray looks up in the cause only what is found nowhere else
# (__getattr__). So where a class has a default that a constructor overrides, as many do with codes and statuses, the
# default is found first. Nothing is raised: "except Full as error: error.status" is just another number.
#
# Seen with Ray 2.60.0, Python 3.11:
#
#     isinstance: True
#     status: 500 instead of 507
#     detail: disk
#     cause.status: 507
#
# Until that changes, take such attributes from error.cause, or have them be properties of the class. This script fails
# when Ray 2.60.0 does anything else.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check ray==2.60.0
cat >"$folder/run.py" <<'PYTHON'
import sys

import ray


class Failure(Exception):
    """Any failure."""

    status = 500


class Full(Failure):
    """A failure for lack of room."""

    def __init__(self, detail):
        super().__init__(detail)
        self.detail = detail
        self.status = 507


@ray.remote
def write():
    raise Full("disk")


ray.init(num_cpus=1, _temp_dir=sys.argv[1], include_dashboard=False, log_to_driver=False, logging_level="ERROR")
try:
    ray.get(write.remote())
except Failure as error:
    print("isinstance:", isinstance(error, Full))
    print("status:", error.status, "instead of", Full("disk").status)
    print("detail:", error.detail)
    print("cause.status:", error.cause.status)
ray.shutdown()
PYTHON
if ! "$folder/venv/bin/python" "$folder/run.py" "$folder/ray" >"$folder/seen" 2>"$folder/log"; then
    cat "$folder/log" >&2
    exit 1
fi
cat "$folder/seen"
diff "$folder/seen" - <<'SEEN'
isinstance: True
status: 500 instead of 507
detail: disk
cause.status: 507
SEEN
echo "as described"
