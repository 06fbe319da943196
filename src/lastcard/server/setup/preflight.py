"""Preflight check of a server's options: errors, warnings and confirmations in words.

The check changes nothing: it creates no file, upgrades no schema, and closes its sockets.
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
from lastcard.server.http.listening_socket import bind, check_socket
from lastcard.server.security.security import is_local_network, read_networks, set_nat_networks
from lastcard.server.setup.server_options import ANY_HOST, ServerOptions, split_host_port
from lastcard.server.setup.tunnel import find_tunnel
from lastcard.server.store.database_address import DatabaseAddress, describe_lock, is_locked, own_file
from lastcard.server.store.maintenance import DatabaseInfo, inspect_database
from lastcard.server.store.schema_version import UnreleasedSchemaError, newest_revision
from lastcard.server.wire.http_transport import ANY_PROXY, normalize_proxies
from lastcard.server.wire.worker_bus import ping_bus

OK: Final = "well"
WARNING: Final = "note"
ERROR: Final = "wrong"
_MIN_FREE_BYTES: Final = 20 << 20
_WARN_FREE_BYTES: Final = 500 << 20
"""Free bytes that the disk of the tables should have."""
_FEW_FILES: Final = 1024
"""Open files that the system should allow a server."""


@dataclass(frozen=True, slots=True)
class CheckResult:
    """The result of one check."""

    kind: str
    """``well``, ``note`` (it works, but maybe not as meant) or ``wrong``."""
    text: str


def check_options(options: ServerOptions) -> Iterator[CheckResult]:
    """Check everything that a server with these options of ``serve`` needs; yield the results one by one."""
    parts: tuple[Callable[[ServerOptions], Iterator[CheckResult]], ...] = (
        _check_listener,
        _check_public_url,
        _check_proxies,
        _check_database,
        _check_redis,
        _check_admin,
        _check_metrics,
        _check_limits,
    )
    for part in parts:
        try:
            yield from part(options)
        except LastcardError as error:
            yield CheckResult(ERROR, str(error))
        except OSError as error:  # for example a file that this user may not see
            yield CheckResult(ERROR, f"{error.filename}: {error.strerror}" if error.filename else str(error))


def _check_listener(options: ServerOptions) -> Iterator[CheckResult]:
    if options.socket is not None:
        check_socket(options.socket)
        yield CheckResult(OK, f"the socket {options.socket} can be had")
        if options.public_url is None:
            yield CheckResult(
                ERROR, "--socket needs --public-url: only a proxy finds a socket, and people need an address"
            )
        return
    bind(options.host, options.port).close()
    yield CheckResult(OK, f"port {options.port} of {options.host} is free")


def _check_public_url(options: ServerOptions) -> Iterator[CheckResult]:
    world = options.normalized_url()
    if options.share:
        tunnel = find_tunnel(options.share)
        yield CheckResult(OK, f"friends elsewhere come through {tunnel.name}")
        reads = "which cannot read it" if tunnel.is_end_to_end else "which could read it"
        yield CheckResult(
            WARNING, f"all that they see and do passes through the machines of {tunnel.operator}, {reads}"
        )
        if world is not None:
            yield CheckResult(
                ERROR, "--share brings an address of its own, so --public-url cannot be kept: one of them"
            )
        return
    if world is None:
        if not is_local_network(options.host) and options.host != ANY_HOST:
            yield CheckResult(WARNING, f"{options.host} is open to the world, without --public-url and without HTTPS")
        return
    parts = urlsplit(world)
    name = parts.hostname or ""
    yield CheckResult(OK, f"people find it at {world}")
    if parts.scheme == "http" and not is_local_network(name) and name != "localhost":
        yield CheckResult(WARNING, f"{world} is not HTTPS: others can read the messages and play in another's name")
    try:
        socket.getaddrinfo(name, None)
    except OSError:
        yield CheckResult(WARNING, f"{name} leads nowhere, as seen from this computer; is its DNS entry there yet?")
    if options.socket is None and options.host == ANY_HOST:
        yield CheckResult(WARNING, "people can come past the proxy too; --host 127.0.0.1 or --socket ends that")


def _check_proxies(options: ServerOptions) -> Iterator[CheckResult]:
    proxies = options.trusted_proxies
    if proxies is not None:
        if proxies == ANY_PROXY:
            yield CheckResult(
                WARNING, "--trusted-proxies *: anybody can say to be anybody, and no limit for an address holds"
            )
        else:
            normalize_proxies(proxies)
            yield CheckResult(OK, f"where calls come from is what {proxies} say")
    set_nat_networks(options.nat_networks)
    read_networks(options.notify_networks or "", "--notify-networks")


def _check_database(options: ServerOptions) -> Iterator[CheckResult]:
    yield from _check_permissions(options.database_url_file)
    address = options.database() or f"sqlite:///{own_file()}"
    database = DatabaseAddress(address)
    try:
        found = inspect_database(address)
    except UnreleasedSchemaError:
        if database.shared:
            raise
        yield CheckResult(
            WARNING,
            f"the database {database.name} was made by an unreleased version of lastcard; the start renames it and "
            "begins an empty one",
        )
        found = DatabaseInfo(None, is_served=is_locked(database.name))
    else:
        yield _check_schema(found, database)
    if found.is_served:
        yield CheckResult(WARNING, describe_lock(database.name))
    if not database.shared:
        yield from _check_disk_space(Path(database.name))
    if database.shared and options.redis() is None:
        yield CheckResult(
            WARNING, "several servers on one PostgreSQL see each other's moves at once only with --redis-url"
        )


def _check_schema(found: DatabaseInfo, database: DatabaseAddress) -> CheckResult:
    """Return what a start would do with the schema."""
    if found.schema is None:
        return CheckResult(OK, f"the database {database.name} can be had, and has no tables yet")
    if found.schema == newest_revision():
        return CheckResult(OK, f"the database {database.name} answers, at schema {found.schema}")
    return CheckResult(
        WARNING,
        f"the database {database.name} is at schema {found.schema}; the start keeps it as it is, and brings it to "
        f"{newest_revision()}",
    )


def _check_disk_space(file: Path) -> Iterator[CheckResult]:
    folder = next(folder for folder in file.absolute().parents if folder.exists())
    free = shutil.disk_usage(folder).free
    kind = ERROR if free < _MIN_FREE_BYTES else WARNING if free < _WARN_FREE_BYTES else OK
    yield CheckResult(kind, f"{free / (1 << 30):,.1f} GB are free for the tables in {folder}")


def _check_redis(options: ServerOptions) -> Iterator[CheckResult]:
    yield from _check_permissions(options.redis_url_file)
    address = options.redis()
    if address is None:
        return
    ping_bus(address)
    yield CheckResult(OK, "Redis answers")
    if not DatabaseAddress(options.database() or f"sqlite:///{own_file()}").shared:
        yield CheckResult(WARNING, "SQLite is for one server, which needs no Redis; several share a PostgreSQL")


def _check_admin(options: ServerOptions) -> Iterator[CheckResult]:
    yield from _check_permissions(options.admin_token_file)
    if options.admin_auth() is not None:
        yield CheckResult(OK, "there is a page /admin, for people who have the token")
    elif options.public_url is not None:
        yield CheckResult(
            WARNING, "there is no page /admin for moderation: --admin-token-file, or LASTCARD_ADMIN_TOKEN"
        )


def _check_metrics(options: ServerOptions) -> Iterator[CheckResult]:
    if options.metrics is None:
        return
    host, port = split_host_port(options.metrics)
    if options.socket is None and port == options.port and (host == options.host or ANY_HOST in (host, options.host)):
        yield CheckResult(ERROR, f"--metrics {options.metrics}: people come in at port {port}; figures need another")
        return
    with closing(bind(host, port)):
        yield CheckResult(OK, f"figures are to be had at http://{options.metrics}/metrics")
    if not is_local_network(host):
        yield CheckResult(
            WARNING, f"--metrics {options.metrics}: figures need no password, and others may reach that address"
        )


def _check_limits(options: ServerOptions) -> Iterator[CheckResult]:
    seconds = options.match_retention_s()
    if seconds is not None:
        yield CheckResult(OK, f"matches are deleted {options.match_retention} after their end")
    options.max_spectators()
    options.host_names()
    yield from _check_permissions(options.turn_secret_file)
    if kind := options.voice_servers().kind:
        yield CheckResult(OK, f"voice reaches other networks through {kind.upper()}")
    if sys.platform != "win32":
        import resource

        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        if most != resource.RLIM_INFINITY and most < _FEW_FILES:
            yield CheckResult(WARNING, f"at most {most} files may be open, and each person is one: raise the limit")


def _check_permissions(file: Path | None) -> Iterator[CheckResult]:
    """Check that only owner and group can read a file with a secret."""
    if file is None or os.name == "nt" or not file.exists():
        return
    if stat.S_IMODE(file.stat().st_mode) & stat.S_IROTH:
        yield CheckResult(WARNING, f"{file} holds a secret that everybody on this computer can read: chmod 600 {file}")
