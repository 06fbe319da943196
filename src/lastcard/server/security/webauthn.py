"""Passkeys by WebAuthn (W3C, level 3), checked by the library ``fido2`` of the extra ``passkeys``."""

from __future__ import annotations

import ipaddress
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from typing import Any, Final, NamedTuple
from urllib.parse import urlsplit

from lastcard.server.security.security import origin_of
from lastcard.session.table_state import CommandError

SITE_NAME: Final = "Last Card"
_VERIFICATION: Final = "preferred"
"""Whether the device asks for finger, face or PIN: where it can."""


class Credential(NamedTuple):
    """A verified passkey.

    Args:
        id: the credential id.
        data: its public key, as ``RelyingParty.verify_signature`` needs it.
        uses: how often it was used, as the device counts; 0 if it does not.
    """

    id: bytes
    data: bytes
    uses: int


class RelyingParty:
    """The server as browsers know it, by its host name; a passkey is good for this name alone."""

    def __init__(self, origin: str) -> None:
        from fido2.server import Fido2Server

        host = urlsplit(origin).hostname
        self._server = Fido2Server({"name": SITE_NAME, "id": host}, verify_origin=lambda found: found == origin)

    def creation_options(self, player: str, name: str, known: Sequence[bytes], challenge: bytes) -> Mapping[str, Any]:
        """Return the options with which a browser creates a person's passkey, on a device with none of ``known``."""
        user = {"id": player.encode(), "name": name, "displayName": name}
        credentials = [{"type": "public-key", "id": each} for each in known]
        options, _ = self._server.register_begin(
            user, credentials, resident_key_requirement="required", user_verification=_VERIFICATION, challenge=challenge
        )
        return dict(options.public_key)

    def request_options(self, challenge: bytes) -> Mapping[str, Any]:
        """Return the options with which a browser signs in by any passkey of this server."""
        options, _ = self._server.authenticate_begin(user_verification=_VERIFICATION, challenge=challenge)
        return dict(options.public_key)

    def verify_new(self, answer: Mapping[str, Any], challenge: bytes) -> Credential:
        """Return the passkey that a browser has created.

        Raises:
            CommandError: if the answer is no proof.
        """
        try:
            found = self._server.register_complete(_state(challenge), answer)
        except Exception as error:
            raise CommandError("bad-passkey") from error
        return Credential(found.credential_data.credential_id, bytes(found.credential_data), found.counter)

    def verify_signature(self, answer: Mapping[str, Any], data: bytes, challenge: bytes) -> int:
        """Return the number of uses of a passkey after a browser has signed in by it.

        Raises:
            CommandError: if the answer is no proof.
        """
        from fido2.webauthn import AttestedCredentialData, AuthenticationResponse

        try:
            self._server.authenticate_complete(_state(challenge), [AttestedCredentialData(data)], answer)
            return int(AuthenticationResponse.from_dict(answer).response.authenticator_data.counter)
        except Exception as error:
            raise CommandError("bad-passkey") from error


def read_answer(answer: Mapping[str, Any]) -> tuple[bytes, bytes]:
    """Return the challenge in a browser's answer and the credential id, before anything is verified.

    Raises:
        CommandError: if it is no such answer.
    """
    from fido2.utils import websafe_decode
    from fido2.webauthn import CollectedClientData

    try:
        client_data = CollectedClientData(websafe_decode(answer["response"]["clientDataJSON"]))
        return client_data.challenge, websafe_decode(answer["rawId"])
    except Exception as error:
        raise CommandError("bad-passkey") from error


def open_relying_party(public_url: str | None) -> RelyingParty | None:
    """Return the relying party of a public URL; None without a fixed host name, without HTTPS, or without the library.

    Browsers take ``localhost`` without HTTPS.
    """
    parts = urlsplit(public_url or "")
    host = parts.hostname or ""
    if not host or (parts.scheme != "https" and host != "localhost") or find_spec("fido2") is None:
        return None
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return RelyingParty(origin_of(public_url or ""))
    return None


def _state(challenge: bytes) -> Mapping[str, Any]:
    from fido2.utils import websafe_encode

    return {"challenge": websafe_encode(challenge), "user_verification": _VERIFICATION}
