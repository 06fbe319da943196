"""The door to the page of whoever runs the server: a token opens it, and a cookie keeps it open for a while.

The cookie is signed with the token, so any worker that was started with it knows it, and another token ends them all.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
import time
from typing import Final

from lastcard.errors import UsageError

COOKIE: Final = "lastcard-admin"
OPEN_SECONDS: Final = 12 * 3600
LEAST: Final = 16
"""Characters a token must have."""


class Gate:
    """The door.

    Args:
        token: that opens it.

    Raises:
        UsageError: for one that could be guessed.
    """

    def __init__(self, token: str) -> None:
        if len(token) < LEAST or len(set(token)) < LEAST // 2:
            raise UsageError(
                f"the token for the admin page needs {LEAST} characters or more that nobody guesses, as from: "
                "python3 -c 'import secrets; print(secrets.token_urlsafe(24))'"
            )
        self._token = hashlib.sha256(token.encode()).digest()

    def opens(self, token: str) -> bool:
        """Whether this is the token."""
        return hmac.compare_digest(hashlib.sha256(token.encode()).digest(), self._token)

    def pass_for(self, seconds: float = OPEN_SECONDS) -> str:
        """What the cookie holds: good for so long."""
        words = f"{int(time.time() + seconds)}.{secrets.token_urlsafe(12)}"
        return f"{words}.{self._sign(words)}"

    def knows(self, cookie: str) -> bool:
        """Whether a cookie is one of ours, and good still."""
        words, _, signature = cookie.rpartition(".")
        if not hmac.compare_digest(self._sign(words).encode(), signature.encode()):
            return False
        return int(words.partition(".")[0]) > time.time()

    def _sign(self, words: str) -> str:
        return hmac.new(self._token, words.encode(), "sha256").hexdigest()
