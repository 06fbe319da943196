"""What a WebSocket carries, as bytes. What many are told is put into a frame once, and written to all of them."""

from __future__ import annotations

from struct import Struct
from typing import Final

TEXT: Final = 0x81
"""How a text begins that comes in one frame."""
SHORT: Final = 125
"""Bytes of a frame whose length stands in its second byte."""
_MEDIUM: Final = 0xFFFF
_MEDIUM_HEAD: Final = Struct(">BBH").pack
_LONG_HEAD: Final = Struct(">BBQ").pack


def text_frame(text: bytes) -> bytes:
    """A text in UTF-8 as one frame of a server: neither masked nor compressed (RFC 6455, 5.2)."""
    size = len(text)
    if size <= SHORT:
        return bytes((TEXT, size)) + text
    if size <= _MEDIUM:
        return _MEDIUM_HEAD(TEXT, 126, size) + text
    return _LONG_HEAD(TEXT, 127, size) + text
