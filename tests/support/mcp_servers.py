"""``lastcard mcp`` in a process, by stdio and by HTTP. Needs the extra ``mcp``."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

import httpx
from mcp.client.stdio import StdioServerParameters

START_S = 60.0


def stdio_server(*arguments: str) -> StdioServerParameters:
    """``lastcard mcp`` in a process."""
    return StdioServerParameters(command=sys.executable, args=["-m", "lastcard", "mcp", *arguments], env={**os.environ})


@contextmanager
def http_server(*arguments: str) -> Iterator[str]:
    """The address of ``lastcard mcp --http`` in a process."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    command = [sys.executable, "-m", "lastcard", "mcp", "--http", "--port", str(port), *arguments]
    with subprocess.Popen(command, stderr=subprocess.DEVNULL) as process:
        url = f"http://127.0.0.1:{port}/mcp"
        try:
            wait_until_up(url)
            yield url
        finally:
            process.terminate()


def wait_until_up(url: str) -> None:
    """Wait until a server answers; raises its error after ``START_S``."""
    end = time.monotonic() + START_S
    while True:
        try:
            httpx.get(url)
            return
        except httpx.TransportError:
            if time.monotonic() > end:
                raise
            time.sleep(0.1)
