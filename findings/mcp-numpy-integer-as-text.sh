#!/usr/bin/env bash
# mcp 2.3.0: a tool that returns a NumPy integer gives a number in its structured content and a text in its content.
#
# A tool with the result type int may return numpy.int64(5): the structured content is 5, by the schema of the result. The
# text beside it, which models read, is "5" with quotation marks, as for a result of type str. For the integer 5 it is 5.
#
# Seen with mcp 2.3.0, numpy 2.4.6, Python 3.11. So lastcard writes both contents itself, from plain integers. This script
# fails when mcp 2.3.0 does anything else.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check mcp==2.3.0 numpy==2.4.6
cat >"$folder/run.py" <<'PYTHON'
import asyncio

import numpy
from mcp import Client
from mcp.server.mcpserver import MCPServer

server = MCPServer("numbers")


@server.tool()
def plain() -> int:
    return 5


@server.tool()
def from_numpy() -> int:
    return numpy.int64(5)


async def main() -> None:
    async with Client(server) as client:
        for tool in ("plain", "from_numpy"):
            result = await client.call_tool(tool, {})
            print(f"{tool}: structured {result.structured_content}, text {result.content[0].text}")


asyncio.run(main())
PYTHON
seen=$("$folder/venv/bin/python" -B "$folder/run.py")
echo "$seen"
diff <(echo "$seen") - <<'SEEN'
plain: structured {'result': 5}, text 5
from_numpy: structured {'result': 5}, text "5"
SEEN
echo "as described"
