"""A passkey in software: the answers of a browser with one credential."""

from __future__ import annotations

import hashlib
import json
import os
import struct
from base64 import urlsafe_b64encode
from collections.abc import Mapping
from typing import Any

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from fido2 import cbor
from fido2.cose import ES256

_PRESENT, _VERIFIED, _ATTESTED = 0x01, 0x04, 0x40


class Authenticator:
    """A device that creates a passkey for a page of an origin and signs in by it."""

    def __init__(self, origin: str, host: str) -> None:
        self.origin = origin
        self.host = host
        self.count = 0
        self.id = os.urandom(32)
        self._key = ec.generate_private_key(ec.SECP256R1())

    def create(self, options: Mapping[str, Any]) -> dict[str, Any]:
        """The answer to creation options."""
        public = cbor.encode(dict(ES256.from_cryptography_key(self._key.public_key())))
        credential = b"\0" * 16 + struct.pack(">H", len(self.id)) + self.id + public
        data = self._authenticator_data(_ATTESTED) + credential
        attestation = cbor.encode({"fmt": "none", "attStmt": {}, "authData": data})
        return self._answer("webauthn.create", options, attestationObject=attestation)

    def sign(self, options: Mapping[str, Any]) -> dict[str, Any]:
        """The answer to request options."""
        self.count += 1
        data = self._authenticator_data(0)
        signed = data + hashlib.sha256(self._client_data("webauthn.get", options)).digest()
        signature = self._key.sign(signed, ec.ECDSA(hashes.SHA256()))
        return self._answer("webauthn.get", options, authenticatorData=data, signature=signature)

    def _authenticator_data(self, flags: int) -> bytes:
        host = hashlib.sha256(self.host.encode()).digest()
        return host + struct.pack(">BI", _PRESENT | _VERIFIED | flags, self.count)

    def _client_data(self, kind: str, options: Mapping[str, Any]) -> bytes:
        return json.dumps({"type": kind, "challenge": options["challenge"], "origin": self.origin}).encode()

    def _answer(self, kind: str, options: Mapping[str, Any], **response: bytes) -> dict[str, Any]:
        response["clientDataJSON"] = self._client_data(kind, options)
        texts = {name: _text(value) for name, value in response.items()}
        return {"id": _text(self.id), "rawId": _text(self.id), "type": "public-key", "response": texts}


def _text(data: bytes) -> str:
    return urlsafe_b64encode(data).decode().rstrip("=")
