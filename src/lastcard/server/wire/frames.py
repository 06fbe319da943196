"""WebSocket frames as bytes. A message to many peers is framed once and written to all of them."""

from __future__ import annotations

from collections.abc import Iterator
from struct import Struct
from typing import Final

TEXT: Final = 0x81
"""The first byte of an unfragmented text frame."""
SHORT_FRAME_BYTES: Final = 125
"""Maximum bytes of a frame whose length is in its second byte."""
_MEDIUM_FRAME_BYTES: Final = 0xFFFF
_MEDIUM_HEAD: Final = Struct(">BBH").pack
_LONG_HEAD: Final = Struct(">BBQ").pack


def text_frame(text: bytes) -> bytes:
    """Return a text in UTF-8 as one server frame: neither masked nor compressed (RFC 6455, 5.2)."""
    size = len(text)
    if size <= SHORT_FRAME_BYTES:
        return bytes((TEXT, size)) + text
    if size <= _MEDIUM_FRAME_BYTES:
        return _MEDIUM_HEAD(TEXT, 126, size) + text
    return _LONG_HEAD(TEXT, 127, size) + text


def read_texts(frames: bytes) -> Iterator[bytes]:
    """Yield the texts of frames that ``text_frame`` made."""
    at = 0
    while at < len(frames):
        size, at = frames[at + 1], at + 2
        if size > SHORT_FRAME_BYTES:
            head_bytes = 2 if size == 126 else 8
            size, at = int.from_bytes(frames[at : at + head_bytes], "big"), at + head_bytes
        yield frames[at : at + size]
        at += size
