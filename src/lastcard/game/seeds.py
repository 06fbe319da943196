"""The 32-byte seed of a match, the commitment to it that is shown before it, and the shuffle a table shares in."""

from __future__ import annotations

import hashlib
import re
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Real

from lastcard.errors import UsageError

SEED_BYTES = 32
NUMBER_BYTES = 16
"""What a player's number for the shuffle has."""

Seed = bytes | bytearray | memoryview | str | int | None


def new_seed() -> bytes:
    """A fresh seed from the operating system."""
    return secrets.token_bytes(SEED_BYTES)


def parse_seed(seed: Seed) -> bytes:
    """The 32 bytes of a seed.

    Args:
        seed: 32 bytes; 64 hex digits; any other text or a number, which is hashed with SHA-256; None for a fresh one.

    Raises:
        UsageError: for bytes of another length, and for anything else: what a generator of random numbers looks like as
            text is the same for all of them, and of other objects it is another each time.
    """
    if seed is None:
        return new_seed()
    if isinstance(seed, bytes | bytearray | memoryview):
        seed = bytes(seed)
        if len(seed) != SEED_BYTES:
            raise UsageError(f"a seed in bytes has {SEED_BYTES} of them, not {len(seed)}")
        return seed
    if isinstance(seed, bool) or not isinstance(seed, str | Real):
        raise UsageError(f"a seed is a text, a number, {SEED_BYTES} bytes or None, not {seed!r}")
    text = str(seed).strip()
    if re.fullmatch(r"[0-9a-fA-F]{64}", text):
        return bytes.fromhex(text)
    # Of a command line that is no UTF-8, bytes come as surrogates: they are as good for chance as anything.
    return hashlib.sha256(text.encode(errors="surrogatepass")).digest()


def commitment(seed: bytes) -> str:
    """The SHA-256 of a seed in hex: shown before the match, checked after it."""
    return hashlib.sha256(seed).hexdigest()


def mix_seed(secret: bytes, numbers: Sequence[str]) -> bytes:
    """The seed of a match at a table: made of the table's secret and a number from each player.

    Args:
        secret: 32 bytes, whose SHA-256 was promised before any number was known.
        numbers: by seat, as hex; empty for a bot and for whoever gave none.
    """
    return hashlib.sha256("\n".join(["lastcard shuffle", secret.hex(), *numbers]).encode()).digest()


@dataclass(frozen=True, slots=True)
class Shuffle:
    """Where the seed of a match at a table comes from; ``docs/fairness.md`` says how.

    Args:
        promise: SHA-256 of the secret in hex, shown before anybody gives a number.
        numbers: what the players added, by seat.
        secret: of the table; None while the match is going on.
    """

    promise: str
    numbers: tuple[str, ...]
    secret: bytes | None = None

    @classmethod
    def of(cls, secret: bytes, numbers: Sequence[str]) -> Shuffle:
        """The shuffle of a secret and the players' numbers."""
        return cls(commitment(secret), tuple(numbers), secret)
