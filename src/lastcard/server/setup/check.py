"""Whether a server could run with its options: what is wrong, what will surprise, what is well, in words.

Nothing is changed by looking: no file is made, no schema brought up, and what listens is closed again.
"""

from __future__ import annotations

import os
import shutil
import socket
import stat
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from lastcard.errors import LastcardError
from lastcard.server.guard.security import is_near, set_shared
from lastcard.server.http.address import bind, see_socket
from lastcard.server.setup.options import ANY_HOST, ServerOptions, split_place
from lastcard.server.setup.tunnel import find_tunnel
from lastcard.server.store.care import Look, look
from lastcard.server.store.place import Place, is_held, own_file
from lastcard.server.store.steps import UnreleasedSchemaError, newest
from lastcard.server.wire.connections import ANYBODY, name_proxies
from lastcard.server.wire.workers import see_bus

WELL: Final = "well"
NOTE: Final = "note"
WRONG: Final = "wrong"
_FULL: Final = 20 << 20
_NEARLY_FULL: Final = 500 << 20
"""Bytes that should be left on the disk of the tables."""
_FEW_FILES: Final = 1024
"""Open files that a server should be allowed."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What was found of one thing."""

    kind: str
    """``well``, ``note`` (it works, but maybe not as meant) or ``wrong``."""
    text: str


def check(options: ServerOptions) -> Iterator[Finding]:
    """Look at everything that a server with these options would rest on.

    Args:
        options: as ``serve`` takes them.

    Yields:
        What was found, thing by thing.
    """
    parts: tuple[Callable[[ServerOptions], Iterator[Finding]], ...] = (
        _entrance,
        _world,
        _proxies,
        _database,
        _redis,
        _admin,
        _figures,
        _rest,
    )
    for part in parts:
        try:
            yield from part(options)
        except LastcardError as error:
            yield Finding(WRONG, str(error))
        except OSError as error:  # of a file that this user may not even look for, say
            yield Finding(WRONG, f"{error.filename}: {error.strerror}" if error.filename else str(error))


def _entrance(options: ServerOptions) -> Iterator[Finding]:
    """Where people come in."""
    if options.socket is not None:
        see_socket(options.socket)
        yield Finding(WELL, f"the socket {options.socket} can be had")
        if options.public_url is None:
            yield Finding(WRONG, "--socket needs --public-url: only a proxy finds a socket, and people need an address")
        return
    bind(options.host, options.port).close()
    yield Finding(WELL, f"port {options.port} of {options.host} is free")


def _world(options: ServerOptions) -> Iterator[Finding]:
    """What people type."""
    world = options.world()
    if options.share:
        tunnel = find_tunnel(options.share)
        yield Finding(WELL, f"friends elsewhere come through {tunnel.name}")
        reads = "which cannot read it" if tunnel.sealed else "which could read it"
        yield Finding(NOTE, f"all that they see and do passes through the machines of {tunnel.whose}, {reads}")
        if world is not None:
            yield Finding(WRONG, "--share brings an address of its own, so --public-url cannot be kept: one of them")
        return
    if world is None:
        if not is_near(options.host) and options.host != ANY_HOST:
            yield Finding(NOTE, f"{options.host} is open to the world, without --public-url and without HTTPS")
        return
    parts = urlsplit(world)
    name = parts.hostname or ""
    yield Finding(WELL, f"people find it at {world}")
    if parts.scheme == "http" and not is_near(name) and name != "localhost":
        yield Finding(NOTE, f"{world} is not HTTPS: whoever reads along can play in another's name")
    try:
        socket.getaddrinfo(name, None)
    except OSError:
        yield Finding(NOTE, f"{name} leads nowhere, as seen from this computer; is its DNS entry there yet?")
    if options.socket is None and options.host == ANY_HOST:
        yield Finding(NOTE, "people can come past the proxy too; --host 127.0.0.1 or --socket ends that")


def _proxies(options: ServerOptions) -> Iterator[Finding]:
    """Whose word counts on where calls come from."""
    proxies = options.trusted_proxies
    if proxies is not None:
        if proxies == ANYBODY:
            yield Finding(NOTE, "--trusted-proxies *: anybody can say to be anybody, and no limit for an address holds")
        else:
            name_proxies(proxies)
            yield Finding(WELL, f"where calls come from is what {proxies} say")
    set_shared(options.shared_addresses)


def _database(options: ServerOptions) -> Iterator[Finding]:
    """Whether the tables can be kept."""
    yield from _kept_private(options.database_url_file)
    address = options.database() or f"sqlite:///{own_file()}"
    place = Place(address)
    try:
        found = look(address)
    except UnreleasedSchemaError:
        if place.shared:
            raise
        yield Finding(
            NOTE,
            f"the database {place.name} was made by an unreleased version of lastcard; the start renames it and begins "
            "an empty one",
        )
        found = Look(None, served=is_held(place.name))
    else:
        yield _schema(found, place)
    if found.served:
        yield Finding(NOTE, f"a server has {place.name} open now: a second one would be refused")
    if not place.shared:
        yield from _room(Path(place.name))
    if place.shared and options.redis() is None:
        yield Finding(NOTE, "several servers on one PostgreSQL see each other's moves at once only with --redis-url")


def _schema(found: Look, place: Place) -> Finding:
    """What the start would do with the schema that was found."""
    if found.schema is None:
        return Finding(WELL, f"the database {place.name} can be had, and has no tables yet")
    if found.schema == newest():
        return Finding(WELL, f"the database {place.name} answers, at schema {found.schema}")
    return Finding(
        NOTE,
        f"the database {place.name} is at schema {found.schema}; the start keeps it as it is, and brings it to "
        f"{newest()}",
    )


def _room(file: Path) -> Iterator[Finding]:
    """Of the disk."""
    folder = next(folder for folder in file.absolute().parents if folder.exists())
    free = shutil.disk_usage(folder).free
    kind = WRONG if free < _FULL else NOTE if free < _NEARLY_FULL else WELL
    yield Finding(kind, f"{free / (1 << 30):,.1f} GB are free for the tables in {folder}")


def _redis(options: ServerOptions) -> Iterator[Finding]:
    """Whether servers hear each other."""
    yield from _kept_private(options.redis_url_file)
    address = options.redis()
    if address is None:
        return
    see_bus(address)
    yield Finding(WELL, "Redis answers")
    if not Place(options.database() or f"sqlite:///{own_file()}").shared:
        yield Finding(NOTE, "SQLite is for one server, which needs no Redis; several share a PostgreSQL")


def _admin(options: ServerOptions) -> Iterator[Finding]:
    """The page of whoever runs the server."""
    yield from _kept_private(options.admin_token_file)
    if options.gate() is not None:
        yield Finding(WELL, "there is a page /admin, for whoever has the token")
    elif options.public_url is not None:
        yield Finding(NOTE, "there is no page /admin to keep order: --admin-token-file, or LASTCARD_ADMIN_TOKEN")


def _figures(options: ServerOptions) -> Iterator[Finding]:
    """Where Prometheus asks."""
    if options.metrics is None:
        return
    host, port = split_place(options.metrics)
    if options.socket is None and port == options.port and (host == options.host or ANY_HOST in (host, options.host)):
        yield Finding(WRONG, f"--metrics {options.metrics}: people come in at port {port}; figures need another")
        return
    with closing(bind(host, port)):
        yield Finding(WELL, f"figures are to be had at http://{options.metrics}/metrics")
    if not is_near(host):
        yield Finding(NOTE, f"--metrics {options.metrics}: figures need no password, and others may reach that address")


def _rest(options: ServerOptions) -> Iterator[Finding]:
    """How long things are kept, how many may come."""
    seconds = options.kept_seconds()
    if seconds is not None:
        yield Finding(WELL, f"matches are deleted {options.keep_matches} after their end")
    options.watchers()
    options.names()
    if sys.platform != "win32":
        import resource

        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        if most != resource.RLIM_INFINITY and most < _FEW_FILES:
            yield Finding(NOTE, f"at most {most} files may be open, and each person is one: raise the limit")


def _kept_private(file: Path | None) -> Iterator[Finding]:
    """Whether a file with a secret is read by nobody but whom it belongs to and their group."""
    if file is None or os.name == "nt" or not file.exists():
        return
    if stat.S_IMODE(file.stat().st_mode) & stat.S_IROTH:
        yield Finding(NOTE, f"{file} holds a secret that everybody on this computer can read: chmod 600 {file}")
