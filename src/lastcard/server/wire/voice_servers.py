"""The STUN and TURN servers through which the browsers of people who talk reach each other in other networks."""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets
import time
from dataclasses import dataclass
from typing import Final

from lastcard.server.wire.parts import IceServer

CREDENTIALS_S: Final = 12 * 3600
"""Seconds for which the credentials of a TURN server are valid."""


@dataclass(frozen=True, slots=True)
class VoiceServers:
    """The servers of the options.

    Args:
        addresses: their addresses, such as ``turn:turn.example:3478``.
        secret: the secret that TURN servers share with this one (``static-auth-secret`` of coturn).
    """

    addresses: tuple[str, ...] = ()
    secret: str = ""

    @property
    def kind(self) -> str:
        """``turn``, ``stun`` or (empty) none."""
        kinds = {address.partition(":")[0].rstrip("s") for address in self.addresses}
        return "turn" if "turn" in kinds else "stun" if kinds else ""

    def issue(self) -> tuple[IceServer, ...]:
        """Return the servers, TURN with credentials that expire (draft-uberti-behave-turn-rest-00)."""
        username = f"{round(time.time()) + CREDENTIALS_S}:{secrets.token_hex(4)}"
        digest = hmac.digest(self.secret.encode(), username.encode(), hashlib.sha1)
        credential = base64.b64encode(digest).decode()
        return tuple(
            IceServer((address,), username, credential) if address.startswith("turn") else IceServer((address,))
            for address in self.addresses
        )


NO_VOICE_SERVERS: Final = VoiceServers()
