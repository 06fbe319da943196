"""A minimal table server: it answers the sender of a message, and sends a message to all at the table.

python benchmarks/table_echo.py --port N --bytes N

It is a bare Starlette application under uvicorn, like ``lastcard serve``, but it checks, stores and computes nothing:
all get the same bytes. ``table_cost.py`` compares them.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from typing import Final

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

MOVED: Final = '{"type":"moved","'
"""Prefix of the message to all."""
DONE: Final = '{"type":"done","id":"command-12345","ply":42}'


def make_app(size: int) -> Starlette:
    """Returns the application, whose message to all has ``size`` bytes."""
    tables: dict[str, list[WebSocket]] = defaultdict(list)
    text = MOVED.ljust(size - 2, "x") + '"}'

    async def talk(websocket: WebSocket) -> None:
        await websocket.accept()
        table = tables[websocket.path_params["code"]]
        table.append(websocket)
        try:
            while True:
                await websocket.receive_text()
                for other in table:
                    await other.send_text(text)
                await websocket.send_text(DONE)
        except WebSocketDisconnect:
            table.remove(websocket)

    async def ready(request: Request) -> PlainTextResponse:
        return PlainTextResponse("")

    return Starlette(routes=[Route("/readyz", ready), WebSocketRoute("/ws/{code}", talk)])


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--bytes", type=int, required=True, help="that each client gets for a move")
    args = parser.parse_args()
    uvicorn.run(
        make_app(args.bytes),
        port=args.port,
        ws="websockets-sansio",
        ws_per_message_deflate=False,
        access_log=False,
        log_level="warning",
    )


if __name__ == "__main__":
    main()
