"""What a table server must do at least: whoever sends something is answered, and all at the table are told.

python benchmarks/table_echo.py --port N --bytes N

A bare Starlette application under uvicorn, as ``lastcard serve`` is, but nothing is checked, kept or made anew: each is
told the same bytes. ``table_cost.py`` compares them.
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
"""How what all are told begins."""
DONE: Final = '{"type":"done","id":"command-12345","ply":42}'


def make_app(size: int) -> Starlette:
    """The application.

    Args:
        size: bytes of what all are told.
    """
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
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--bytes", type=int, required=True, help="that each is told of a move")
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
