"""The table server: play with friends and bots in the browser."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lastcard.server.application import asgi

__all__ = ["asgi"]


def __getattr__(name: str) -> Any:
    if name != "asgi":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from lastcard.server.application import asgi

    return asgi
