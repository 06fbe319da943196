"""The 32-byte seed of a match, and the commitment to it that is shown before it."""

from __future__ import annotations

import hashlib
import re
import secrets

import numpy as np
from numpy.typing import NDArray

from lastcard.errors import UsageError

SEED_BYTES = 32

Seed = bytes | str | int | None


def new_seed() -> bytes:
    """A fresh seed from the operating system."""
    return secrets.token_bytes(SEED_BYTES)


def parse_seed(seed: Seed) -> bytes:
    """The 32 bytes of a seed.

    Args:
        seed: 32 bytes; 64 hex digits; any other text or a number, which is hashed with SHA-256; None for a fresh one.

    Raises:
        UsageError: for bytes of another length.
    """
    if seed is None:
        return new_seed()
    if isinstance(seed, bytes):
        if len(seed) != SEED_BYTES:
            raise UsageError(f"a seed in bytes has {SEED_BYTES} of them, not {len(seed)}")
        return seed
    text = str(seed).strip()
    if re.fullmatch(r"[0-9a-fA-F]{64}", text):
        return bytes.fromhex(text)
    return hashlib.sha256(text.encode()).digest()


def commitment(seed: bytes) -> str:
    """The SHA-256 of a seed in hex: shown before the match, checked after it."""
    return hashlib.sha256(seed).hexdigest()


def seed_words(seed: bytes) -> NDArray[np.int64]:
    """The key of the chance streams: eight little-endian 32-bit words as int64."""
    return np.frombuffer(seed, "<u4").astype(np.int64)
