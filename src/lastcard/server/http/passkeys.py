"""Passkeys over HTTP, on servers that have them: add, name and remove one's own, and sign in by one."""

from __future__ import annotations

import secrets
from base64 import urlsafe_b64decode, urlsafe_b64encode
from typing import Annotated, Any, Final

from msgspec import Meta, Struct
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from lastcard.server.http.devices import Joining, describe_joining, new_join_code
from lastcard.server.http.requests import RequestError, address_of, json_response, known_player, read_json, store_of
from lastcard.server.security.security import hash_token
from lastcard.server.security.webauthn import RelyingParty, read_answer
from lastcard.server.store.rows import PasskeyRow, now_ms
from lastcard.session.names import clean_name

MAX_PASSKEYS: Final = 20
"""Maximum number of passkeys of a person."""
CHALLENGE_S: Final = 300
"""Seconds for an answer to a challenge."""
MAX_CHALLENGES: Final = 10_000
"""Maximum number of open challenges of people who sign in; beyond it, the oldest are forgotten."""
_ID_CHARS: Final = 340
_NEW: Final = "new passkey"
_SIGN_IN: Final = "sign in"


class Passkey(Struct, frozen=True):
    """A passkey of the caller; times are in milliseconds since 1970, ``used`` None before the first use."""

    id: str
    name: str
    created: int
    used: int | None


class PasskeyName(Struct, frozen=True, forbid_unknown_fields=True):
    """A new name for a passkey."""

    name: Annotated[str, Meta(max_length=200)]


class NewPasskey(PasskeyName, frozen=True, forbid_unknown_fields=True):
    """A passkey that the browser has created: its answer as JSON of WebAuthn."""

    answer: dict[str, Any]


class SignIn(Struct, frozen=True, forbid_unknown_fields=True):
    """The browser's answer of a sign-in as JSON of WebAuthn."""

    answer: dict[str, Any]


class SignedIn(Struct, frozen=True):
    """What a proven passkey allows: to join its profile by this code, as by one that another device shows."""

    code: str
    joining: Joining


async def list_passkeys(request: Request) -> Response:
    """``GET /api/me/passkeys``: return the caller's passkeys."""
    _relying_party(request)
    rows = await store_of(request).list_passkeys((await known_player(request)).id)
    return json_response([Passkey(row.id, row.name, row.created, row.used) for row in rows])


async def begin_passkey(request: Request) -> Response:
    """``POST /api/me/passkeys/options``: return the options with which the browser creates a passkey."""
    party, player = _relying_party(request), await known_player(request)
    known = [_bytes_of(row.id) for row in await store_of(request).list_passkeys(player.id)]
    challenge = await _new_challenge(request, _NEW, player.id, MAX_PASSKEYS)
    return json_response(party.creation_options(player.id, player.name, known, challenge))


async def add_passkey(request: Request) -> Response:
    """``POST /api/me/passkeys``: save a passkey of the caller."""
    party, player = _relying_party(request), await known_player(request)
    wanted = await read_json(request, NewPasskey)
    challenge, _ = read_answer(wanted.answer)
    if await store_of(request).find_one_time(_hash(challenge), _NEW) != player.id:
        raise RequestError(422, "bad-passkey")
    await _use_challenge(request, challenge, _NEW)
    found = party.verify_new(wanted.answer, challenge)
    row = PasskeyRow(_text_of(found.id), player.id, _name(wanted), found.data, found.uses, now_ms(), None)
    if len(row.id) > _ID_CHARS or not await store_of(request).add_passkey(row, MAX_PASSKEYS):
        raise RequestError(422, "bad-passkey")
    return json_response(Passkey(row.id, row.name, row.created, row.used), 201)


async def rename_passkey(request: Request) -> Response:
    """``POST /api/me/passkeys/ID``: change the name of a passkey of the caller."""
    player, wanted = await known_player(request), await read_json(request, PasskeyName)
    if not await store_of(request).rename_passkey(player.id, request.path_params["id"], _name(wanted)):
        raise RequestError(404, "not-found")
    return json_response(None)


async def delete_passkey(request: Request) -> Response:
    """``DELETE /api/me/passkeys/ID``: delete a passkey of the caller."""
    if not await store_of(request).delete_passkey((await known_player(request)).id, request.path_params["id"]):
        raise RequestError(404, "not-found")
    return json_response(None)


async def begin_sign_in(request: Request) -> Response:
    """``POST /api/passkey/options``: return the options with which the browser signs in."""
    party = _relying_party(request)
    return json_response(party.request_options(await _new_challenge(request, _SIGN_IN, None, MAX_CHALLENGES)))


async def sign_in(request: Request) -> Response:
    """``POST /api/passkey``: check the answer; return a code that joins the profile, and what it would join."""
    party, store = _relying_party(request), store_of(request)
    answer = (await read_json(request, SignIn)).answer
    challenge, credential = read_answer(answer)
    await _use_challenge(request, challenge, _SIGN_IN)
    row = await store.find_passkey(_text_of(credential))
    owner = None if row is None else await store.load_player(row.player)
    if row is None or owner is None:
        raise RequestError(404, "no-passkey")
    if not await store.use_passkey(row.id, party.verify_signature(answer, row.data, challenge)):
        raise RequestError(422, "bad-passkey")
    joining = await describe_joining(request, owner)
    return json_response(SignedIn(await new_join_code(request, owner.id, MAX_PASSKEYS), joining))


async def _new_challenge(request: Request, purpose: str, player: str | None, most: int) -> bytes:
    if not request.app.state.limits.names.take(address_of(request)):
        raise RequestError(429, "too-fast")
    challenge, until = secrets.token_bytes(32), now_ms() + 1000 * CHALLENGE_S
    await store_of(request).add_one_time(_hash(challenge), purpose, player, until, most)
    return challenge


async def _use_challenge(request: Request, challenge: bytes, purpose: str) -> None:
    """Raise ``RequestError`` unless a challenge is of this server and answered for the first time."""
    if not await store_of(request).use_one_time(_hash(challenge), purpose):
        raise RequestError(422, "bad-passkey")


def _relying_party(request: Request) -> RelyingParty:
    """Return what checks passkeys.

    Raises:
        RequestError: if this server has none.
    """
    party: RelyingParty | None = request.app.state.relying_party
    if party is None:
        raise RequestError(404, "no-passkeys")
    return party


def _name(wanted: PasskeyName) -> str:
    name = clean_name(wanted.name)
    if not name:
        raise RequestError(422, "no-name")
    return name


def _hash(challenge: bytes) -> str:
    return hash_token(challenge.hex())


def _text_of(credential: bytes) -> str:
    return urlsafe_b64encode(credential).decode().rstrip("=")


def _bytes_of(text: str) -> bytes:
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


routes: Final = [
    Route("/api/me/passkeys", list_passkeys),
    Route("/api/me/passkeys", add_passkey, methods=["POST"]),
    Route("/api/me/passkeys/options", begin_passkey, methods=["POST"]),
    Route("/api/me/passkeys/{id}", rename_passkey, methods=["POST"]),
    Route("/api/me/passkeys/{id}", delete_passkey, methods=["DELETE"]),
    Route("/api/passkey", sign_in, methods=["POST"]),
    Route("/api/passkey/options", begin_sign_in, methods=["POST"]),
]
