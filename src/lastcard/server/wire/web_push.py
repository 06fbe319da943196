"""Web Push (RFC 8030): messages to a browser, encrypted for it (RFC 8291) and signed by this server (VAPID, RFC 8292).

The extra ``push`` has the libraries; without it there is no Web Push.
"""

from __future__ import annotations

import base64
import binascii
import time
from collections.abc import Mapping
from importlib.util import find_spec
from typing import Final, NamedTuple
from urllib.parse import urlsplit

TTL_S: Final = 24 * 3600
"""Seconds for which a push service stores a message for a browser that is offline."""
_EXPIRY_S: Final = 12 * 3600
"""Seconds for which a signature is valid; push services accept 24 hours at most."""
_PUBLIC_KEY_BYTES: Final = 65
_SECRET_BYTES: Final = 16


class PushRequest(NamedTuple):
    """A request to a push service."""

    headers: dict[str, str]
    body: bytes


def has_web_push() -> bool:
    """Return whether the libraries for Web Push are installed."""
    return all(find_spec(name) is not None for name in ("py_vapid", "http_ece"))


def are_browser_keys(keys: Mapping[str, str]) -> bool:
    """Return whether these may be the keys of a browser: a public key, and a secret that authenticates messages."""
    sizes = [len(_decode(keys.get(name, ""))) for name in ("p256dh", "auth")]
    return sizes == [_PUBLIC_KEY_BYTES, _SECRET_BYTES]


def new_signing_key() -> bytes:
    """Return a new private key, as PEM."""
    from py_vapid import Vapid02

    key = Vapid02()
    key.generate_keys()
    pem: bytes = key.private_pem()
    return pem


class PushSigner:
    """Makes the requests of this server to push services.

    Args:
        private_key: its signing key, as PEM.
        contact: where push services find its operator: an https or mailto address.
    """

    def __init__(self, private_key: bytes, contact: str) -> None:
        from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
        from py_vapid import Vapid02

        self._key = Vapid02.from_pem(private_key)
        self._contact = contact
        point = self._key.public_key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        self.public_key = base64.urlsafe_b64encode(point).rstrip(b"=").decode()
        """The key that browsers subscribe with, in base64url."""

    def make_request(self, endpoint: str, keys: Mapping[str, str], message: bytes) -> PushRequest | None:
        """Return the request that carries a message to a browser; None if its keys are no keys."""
        from cryptography.hazmat.primitives.asymmetric import ec
        from http_ece import encrypt

        service = urlsplit(endpoint)
        claims = {
            "aud": f"{service.scheme}://{service.netloc}",
            "exp": int(time.time()) + _EXPIRY_S,
            "sub": self._contact,
        }
        own = ec.generate_private_key(ec.SECP256R1())
        theirs, secret = _decode(keys["p256dh"]), _decode(keys["auth"])
        try:
            body = encrypt(message, private_key=own, dh=theirs, auth_secret=secret, version="aes128gcm")
        except ValueError:  # a point that is not on the curve
            return None
        headers = {"ttl": str(TTL_S), "urgency": "normal", "content-encoding": "aes128gcm"}
        return PushRequest({**headers, **self._key.sign(claims)}, body)


def _decode(text: str) -> bytes:
    """Return bytes from base64url; empty for any other text."""
    try:
        return base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
    except (binascii.Error, ValueError):
        return b""
