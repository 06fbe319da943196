"""One profile on several devices: a code shown on one and typed on the other joins them."""

from __future__ import annotations

from typing import Annotated, Final

from msgspec import Meta, Struct
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from lastcard.server.http.requests import (
    RequestError,
    address_of,
    admitted_player,
    json_response,
    known_player,
    read_json,
    set_token,
    store_of,
)
from lastcard.server.security import security
from lastcard.server.store.rows import Player, now_ms
from lastcard.session.table_state import Person

CODE_S: Final = 600
"""Seconds for which a code is valid."""
_PURPOSE: Final = "code"


class DeviceCode(Struct, frozen=True):
    """A code that the caller types on another device, and for how many seconds it is valid."""

    code: str
    valid_s: int


class TypedCode(Struct, frozen=True, forbid_unknown_fields=True):
    """A code that another device shows."""

    code: Annotated[str, Meta(max_length=40)]


class ProfileSummary(Struct, frozen=True):
    """A profile before two are joined: its name, and how many matches it has."""

    name: str
    matches: int


class Joining(Struct, frozen=True):
    """What would be joined: the profile of the code, and that of this device, if it has one."""

    profile: ProfileSummary
    here: ProfileSummary | None


async def make_code(request: Request) -> Response:
    """``POST /api/me/code``: return a new code of the caller; an earlier one is no longer valid."""
    player = await known_player(request)
    if not request.app.state.limits.names.take(address_of(request)):
        raise RequestError(429, "too-fast")
    return json_response(DeviceCode(await new_join_code(request, player.id, 1), CODE_S), 201)


async def new_join_code(request: Request, player: str, most: int) -> str:
    """Return a new code that joins the profile of a person, who has at most so many."""
    code, until = security.new_device_code(), now_ms() + 1000 * CODE_S
    await store_of(request).add_one_time(security.hash_token(code), _PURPOSE, player, until, most)
    return code


async def show_joining(request: Request) -> Response:
    """``POST /api/join/check``: return what a code would join; it stays valid."""
    owner, _ = await _owner_of_code(request)
    return json_response(await describe_joining(request, owner))


async def join_by_code(request: Request) -> Response:
    """``POST /api/join``: make this device one of the profile of a code, and give it what the device had."""
    owner, secret_hash = await _owner_of_code(request)
    await check_joining(request, owner)
    if not await store_of(request).use_one_time(secret_hash, _PURPOSE):
        raise RequestError(404, "no-device-code")
    return await join_profile(request, owner)


async def describe_joining(request: Request, owner: Player) -> Joining:
    """Return what becomes one if the caller's device joins a profile."""
    store = store_of(request)
    here = await check_joining(request, owner)
    mine = None if here is None else ProfileSummary(here.name, await store.count_own_matches(here.id))
    return Joining(ProfileSummary(owner.name, await store.count_own_matches(owner.id)), mine)


async def check_joining(request: Request, owner: Player) -> Player | None:
    """Return the caller; None for a caller without a name.

    Raises:
        RequestError: if the caller cannot become ``owner``: they are, one is banned, or both play the same deals.
    """
    here = await admitted_player(request)
    if request.app.state.moderation.is_banned_player(owner.id):
        raise RequestError(403, "banned")
    if here is not None and here.id == owner.id:
        raise RequestError(422, "same-profile")
    if here is not None and await store_of(request).shares_duplicate(here.id, owner.id):
        raise RequestError(422, "both-in-duplicate")
    return here


async def join_profile(request: Request, owner: Player) -> Response:
    """Make the caller's device one of a profile, which gets all that the device had; return the profile."""
    store, registry = store_of(request), request.app.state.registry
    async with request.app.state.joining:  # two profiles that join each other at once would lose both
        here = await check_joining(request, owner)
        if here is None:
            token = security.new_session()
            await store.add_token(owner.id, security.hash_token(token))
            return set_token(request, json_response(owner), token)
        into = Person(owner.id, owner.name)
        await registry.merge(here.id, into)
        if not await store.merge_players(here.id, owner.id):  # also moves the token of this browser
            # Another worker has joined one of them meanwhile.
            await registry.merge(owner.id, Person(here.id, here.name))
            raise RequestError(409, "joined-meanwhile")
        await registry.merge(here.id, into)  # again, because another tab may have taken a seat meanwhile
        registry.hang_up(here.id)
        registry.hang_up(owner.id)
    return json_response(owner)


async def _owner_of_code(request: Request) -> tuple[Player, str]:
    """Return the person whose code the caller has typed, and its hash; wrong codes are counted.

    Raises:
        RequestError: if it is not valid, or the caller has guessed too often.
    """
    wanted = await read_json(request, TypedCode)
    misses, address = request.app.state.limits.misses, address_of(request)
    if not misses.has(address):
        raise RequestError(429, "too-fast")
    store = store_of(request)
    secret_hash = security.hash_token(security.clean_code(wanted.code, (security.DEVICE_CODE_CHARS,)) or "")
    player_id = await store.find_one_time(secret_hash, _PURPOSE)
    owner = None if player_id is None else await store.load_player(player_id)
    if owner is None:
        misses.take(address)
        raise RequestError(404, "no-device-code")
    return owner, secret_hash


routes: Final = [
    Route("/api/me/code", make_code, methods=["POST"]),
    Route("/api/join/check", show_joining, methods=["POST"]),
    Route("/api/join", join_by_code, methods=["POST"]),
]
