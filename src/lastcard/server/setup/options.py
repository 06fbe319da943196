"""The options of ``lastcard serve``, and what each comes to; where they were written down, nobody here knows."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from lastcard.errors import StoreError, UsageError, naming
from lastcard.game.files import read_text
from lastcard.server.game.presence import SPECTATORS
from lastcard.server.guard.gate import Gate
from lastcard.server.guard.security import clean_host
from lastcard.server.http.address import check_public_url
from lastcard.server.store.place import Place, own_database
from lastcard.server.wire.workers import check_address

PORT: Final = 8020
ANY_HOST: Final = "0.0.0.0"
LOCAL_PROXY: Final = "127.0.0.1,::1"
_DAYS: Final = re.compile(r"[1-9]\d{0,4}d")


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerOptions:
    """What somebody wants of a server: the options of ``lastcard serve``, in its words."""

    host: str = ANY_HOST
    port: int = PORT
    socket: Path | None = None
    """A Unix socket to listen at in place of host and port."""
    database_url: str | None = None
    database_url_file: Path | None = None
    """Where the address of the database stands, password and all."""
    redis_url: str | None = None
    redis_url_file: Path | None = None
    metrics: str | None = None
    allow_host: Sequence[str] = ()
    trusted_proxies: str | None = None
    shared_addresses: str | None = None
    spectators: int = SPECTATORS
    public_url: str | None = None
    share: str | None = None
    """The tunnel through which friends come, as ``find_tunnel`` takes it; None for none."""
    keep_matches: str | None = None
    """How long matches that are over are kept, as in ``90d``; None for ever."""
    chat: str | None = None
    """``on``, ``off`` or ``never``; None for off where the world may come."""
    solo: str = "server"
    """Where *Play now* and lessons run: ``server`` or ``page``."""
    analysis: str = "server"
    """Where hints and reports of matches against bots are worked out: ``server`` or ``page``."""
    admin_token: str | None = None
    admin_token_file: Path | None = None
    """Where the token for the admin page stands; without any token there is no such page."""
    open_browser: bool | None = None
    """None: where there is a person at a screen."""
    language: str = "en"

    def world(self) -> str | None:
        """What the world calls the server, in its one form; None where nobody said so.

        Raises:
            UsageError: for what is no address.
        """
        return None if self.public_url is None else check_public_url(self.public_url)

    def database(self) -> str | None:
        """The address of the database that is named; None where none is.

        Raises:
            UsageError: for a file that cannot be read.
            StoreError: for a file with something else in it.
        """
        return self.database_url if self.database_url_file is None else _read_database(self.database_url_file)

    def redis(self) -> str | None:
        """The address of Redis; None without.

        Raises:
            UsageError: for a file that cannot be read, or has something else in it.
        """
        if self.redis_url_file is None:
            return self.redis_url
        address = read_secret(self.redis_url_file)
        with naming(self.redis_url_file, UsageError):
            check_address(address)
        return address

    def gate(self) -> Gate | None:
        """The door to the admin page; None without a token.

        Raises:
            UsageError: for a file that cannot be read, and a token that could be guessed.
        """
        if self.admin_token_file is not None:
            token = read_secret(self.admin_token_file)
            with naming(self.admin_token_file, UsageError):
                return Gate(token)
        return None if self.admin_token is None else Gate(self.admin_token)

    def kept_seconds(self) -> float | None:
        """How long matches that are over are kept; None for ever.

        Raises:
            UsageError: for anything but days.
        """
        if self.keep_matches is None:
            return None
        if not _DAYS.fullmatch(self.keep_matches):
            raise UsageError(f"--keep-matches {self.keep_matches}: a number of days, as in 90d")
        return int(self.keep_matches[:-1]) * 24 * 3600.0

    def names(self) -> tuple[str, ...]:
        """More names people find the server by, as browsers write them.

        Raises:
            UsageError: for what no browser calls a server.
        """
        for name in self.allow_host:
            if clean_host(name) is None or not name.strip(".") or ":" in name:
                raise UsageError(f"--allow-host {name!r}: a name without a port, as in cards.lan.example")
        return tuple(name.lower().rstrip(".") for name in self.allow_host)

    def watchers(self) -> int:
        """How many persons may watch a table.

        Raises:
            UsageError: for fewer than none.
        """
        if self.spectators < 0:
            raise UsageError(f"--spectators {self.spectators}: 0 or more")
        return self.spectators

    def proxies(self) -> str | None:
        """Whose word counts on where a call comes from: those named, else what stands on this machine in front of a
        server that the world may reach.
        """
        in_front = self.public_url or self.share or self.socket
        return self.trusted_proxies or (LOCAL_PROXY if in_front else None)

    def begins_with_chat(self) -> str:
        """``on``, ``off`` or ``never``, of new tables."""
        return self.chat or ("on" if self.public_url is None else "off")


def read_secret(file: Path) -> str:
    """What one should not see in a list of processes, from a file of its own.

    Raises:
        UsageError: where there is no such text.
    """
    text = read_text(file, UsageError).strip()
    if not text:
        raise UsageError(f"{file}: it is empty")
    return text


def database_at(address: str | None, file: Path | None) -> str:
    """The address of a database: as it is given, as a file has it, else that of the user's own one.

    Raises:
        UsageError: for a file that cannot be read.
        StoreError: for a file with something else in it.
    """
    named_address = address if file is None else _read_database(file)
    return named_address or own_database()


def _read_database(file: Path) -> str:
    """The address of a database that stands in a file."""
    address = read_secret(file)
    with naming(file, StoreError):
        Place(address)
    return address


def split_place(place: str) -> tuple[str, int]:
    """Host and port of ``HOST:PORT``.

    Raises:
        UsageError: for anything else.
    """
    host, _, port = place.rpartition(":")
    if not host or not port.isdecimal() or int(port) > 0xFFFF:
        raise UsageError(f"--metrics {place}: HOST:PORT, as in 127.0.0.1:9020; a port is at most {0xFFFF}")
    return host.strip("[]"), int(port)
