"""The 32-byte seed of a match, its commitment that is shown in advance, and the shuffle with players' numbers."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Real

from lastcard.errors import UsageError
from lastcard.game.numbers import is_bool, to_int

SEED_BYTES = 32
NUMBER_BYTES = 16
"""Size of a player's number for the shuffle."""

Seed = bytes | bytearray | memoryview | str | int | None


def new_seed() -> bytes:
    """Returns a fresh seed from the operating system."""
    return os.urandom(SEED_BYTES)


def parse_seed(seed: Seed) -> bytes:
    """Returns the 32 bytes of a seed.

    Args:
        seed: 32 bytes; 64 hex digits; any other text or a number, which is hashed with SHA-256; None for a fresh one.

    Raises:
        UsageError: for bytes of another length, and for other objects: the text of a random generator is always the
            same, that of other objects is different each time.
    """
    if seed is None:
        return new_seed()
    if isinstance(seed, bytes | bytearray | memoryview):
        seed = bytes(seed)
        if len(seed) != SEED_BYTES:
            raise UsageError(f"a seed in bytes has {SEED_BYTES} of them, not {len(seed)}")
        return seed
    number = None if isinstance(seed, str) else to_int(seed)
    if number is None and (is_bool(seed) or not isinstance(seed, str | Real)):
        raise UsageError(f"a seed is a text, a number, {SEED_BYTES} bytes or None, not {seed!r}")
    text = str(seed if number is None else number).strip()
    if re.fullmatch(r"[0-9a-fA-F]{64}", text):
        return bytes.fromhex(text)
    # In a command line, bytes that are no UTF-8 become surrogates, which are valid seeds too.
    return hashlib.sha256(text.encode(errors="surrogatepass")).digest()


def commitment(seed: bytes) -> str:
    """Returns the SHA-256 of a seed in hex, which is shown before the match and checked after it."""
    return hashlib.sha256(seed).hexdigest()


def mix_seed(secret: bytes, numbers: Sequence[str]) -> bytes:
    """Returns the seed of a match on a server, from the table's secret and a number of each player.

    Args:
        secret: 32 bytes, whose SHA-256 was published before any number was known.
        numbers: numbers by seat, as hex; empty for bots and players who gave none.
    """
    return hashlib.sha256("\n".join(["lastcard shuffle", secret.hex(), *numbers]).encode()).digest()


def deal_secret(secret: bytes, deal: int) -> bytes:
    """Returns the secret of one deal of a duplicate match, from which no other deal follows.

    Args:
        secret: the 32 bytes of the duplicate match, whose SHA-256 was published before its first deal.
        deal: the number of the deal, from 1.
    """
    return hashlib.sha256(f"lastcard deal\n{secret.hex()}\n{deal}".encode()).digest()


@dataclass(frozen=True, slots=True)
class Shuffle:
    """The sources of the seed of a match on a server; see ``docs/fairness.md``."""

    promise: str
    """SHA-256 of the secret in hex, shown before players give numbers."""
    numbers: tuple[str, ...]
    """Numbers of the players, by seat."""
    secret: bytes | None = None
    """Secret of the table; None during the match."""

    @classmethod
    def of(cls, secret: bytes, numbers: Sequence[str]) -> Shuffle:
        """Returns the shuffle of a secret and the players' numbers."""
        return cls(commitment(secret), tuple(numbers), secret)
