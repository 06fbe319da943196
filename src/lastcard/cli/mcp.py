"""Serve tools for language models, with which they play by the Model Context Protocol."""

from __future__ import annotations

import argparse
import sys

from lastcard import __version__
from lastcard.cli.command import interrupt_on_signals

EXAMPLES = (
    "lastcard mcp",
    "lastcard mcp --server http://127.0.0.1:8020",
    "lastcard mcp --http --port 8765",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument("--server", metavar="URL", help="the table server of the tool join; no other one is contacted")
    parser.add_argument("--http", action="store_true", help="serve streamable HTTP at /mcp instead of stdio")
    parser.add_argument("--host", default="127.0.0.1", help="address to serve at (default %(default)s)")
    parser.add_argument("--port", type=int, default=8765, metavar="N", help="port (default %(default)s)")
    parser.add_argument(
        "--allow-host", action="append", default=[], metavar="HOST", help="a Host header to admit besides loopback's"
    )
    parser.add_argument(
        "--allow-origin", action="append", default=[], metavar="ORIGIN", help="the origin of a page to admit"
    )


def run(args: argparse.Namespace) -> int:
    """Serve until the client, or a stop signal, ends it."""
    import asyncio

    from lastcard.agents import mcp_server
    from lastcard.agents.server_table import socket_url
    from lastcard.agents.toolbox import Toolbox

    interrupt_on_signals()
    if args.server is not None:
        socket_url(args.server, "A")
    toolbox = Toolbox(args.server)
    server = mcp_server.make_server(toolbox, __version__)

    async def serve() -> None:
        try:
            if args.http:
                sys.stderr.write(f"lastcard mcp: http://{args.host}:{args.port}/mcp\n")
                app = mcp_server.http_app(server, args.allow_host, args.allow_origin)
                await mcp_server.serve_http(app, args.host, args.port)
            else:
                await mcp_server.serve_stdio(server)
        finally:
            await toolbox.close()

    asyncio.run(serve())
    return 0
