"""Authentication for the admin page: a token signs in, and a cookie lasts for a while.

The token signs the cookie, so every worker with the same token accepts it, and a new token revokes all cookies.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
import time
from typing import Final

from lastcard.errors import UsageError

COOKIE: Final = "lastcard-admin"
SESSION_S: Final = 12 * 3600
MIN_TOKEN_CHARS: Final = 16


class AdminAuth:
    """Checks tokens and cookies of the admin page against the admin token.

    Raises:
        UsageError: if the token could be guessed.
    """

    def __init__(self, token: str) -> None:
        if len(token) < MIN_TOKEN_CHARS or len(set(token)) < MIN_TOKEN_CHARS // 2:
            raise UsageError(
                f"the token for the admin page needs {MIN_TOKEN_CHARS} characters or more that nobody guesses, "
                "as from: python3 -c 'import secrets; print(secrets.token_urlsafe(24))'"
            )
        self._token = hashlib.sha256(token.encode()).digest()

    def is_token(self, token: str) -> bool:
        """Return whether this is the token."""
        return hmac.compare_digest(hashlib.sha256(token.encode()).digest(), self._token)

    def issue_cookie(self, lifetime_s: float = SESSION_S) -> str:
        """Return the value of a cookie that is valid for a time in seconds."""
        words = f"{int(time.time() + lifetime_s)}.{secrets.token_urlsafe(12)}"
        return f"{words}.{self._sign(words)}"

    def is_valid_cookie(self, cookie: str) -> bool:
        """Return whether a cookie is authentic and not expired."""
        words, _, signature = cookie.rpartition(".")
        if not hmac.compare_digest(self._sign(words).encode(), signature.encode()):
            return False
        return int(words.partition(".")[0]) > time.time()

    def _sign(self, words: str) -> str:
        return hmac.new(self._token, words.encode(), "sha256").hexdigest()
