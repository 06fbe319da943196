"""The options of ``lastcard serve`` and their parsed values, wherever they were written."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from lastcard.errors import StoreError, UsageError, prefix_errors
from lastcard.game.text_files import read_text
from lastcard.server.game.presence import SPECTATORS
from lastcard.server.http.listening_socket import check_public_url
from lastcard.server.security.admin_auth import AdminAuth
from lastcard.server.security.security import clean_host
from lastcard.server.store.database_address import DatabaseAddress, own_database
from lastcard.server.wire.voice_servers import VoiceServers
from lastcard.server.wire.worker_bus import check_address

PORT: Final = 8020
ANY_HOST: Final = "0.0.0.0"
LOCAL_PROXY: Final = "127.0.0.1,::1"
_DAYS: Final = re.compile(r"[1-9]\d{0,4}d")
_ORIGIN: Final = re.compile(r"\*|https?://(\*\.)?[a-z0-9.-]+(:\d{1,5})?", re.IGNORECASE)
"""A source of ``frame-ancestors``: an origin, perhaps with all names below a domain, or ``*``."""
_VOICE_SERVER: Final = re.compile(r"(stun|turn)s?:([A-Za-z0-9.-]+|\[[0-9a-f:.]+\])(:\d{1,5})?(\?transport=(udp|tcp))?")
"""An address of a STUN or TURN server (RFC 7064, RFC 7065)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerOptions:
    """The options of ``lastcard serve`` by their names."""

    host: str = ANY_HOST
    port: int = PORT
    socket: Path | None = None
    """A Unix socket to listen at instead of host and port."""
    database_url: str | None = None
    database_url_file: Path | None = None
    """The file with the address and password of the database."""
    redis_url: str | None = None
    redis_url_file: Path | None = None
    metrics: str | None = None
    allow_host: Sequence[str] = ()
    trusted_proxies: str | None = None
    nat_networks: str | None = None
    bot: Sequence[str] = ()
    """Bots that play for a level, as in ``sharp=policy:FILE``."""
    spectators: int = SPECTATORS
    public_url: str | None = None
    share: str | None = None
    """The tunnel for friends, as ``find_tunnel`` takes it; None for none."""
    match_retention: str | None = None
    """How long finished matches are stored, as in ``90d``; None: forever."""
    chat: str | None = None
    """``on``, ``off`` or ``never``; None for off on a public server."""
    voice_server: Sequence[str] = ()
    """STUN and TURN servers, as in ``turn:turn.example:3478``."""
    turn_secret_file: Path | None = None
    """The file with the secret that the TURN servers share with this one."""
    notify_networks: str | None = None
    """Networks, with commas, to which notifications may go although they are not public."""
    puzzles: str = "off"
    open_tables: str = "off"
    """``on`` or ``off``: whether people may play with strangers."""
    embed_origin: Sequence[str] = ()
    """Origins of sites that may show pages of this one, as in ``https://club.example``, or ``*`` for all."""
    solo_play: str = "server"
    """Where *Play now* and lessons run: ``server`` or ``client``."""
    analysis: str = "server"
    """Where hints and reports of matches against bots are computed: ``server`` or ``client``."""
    admin_token: str | None = None
    admin_token_file: Path | None = None
    """The file with the admin token; without a token there is no admin page."""
    open_browser: bool | None = None
    """None: open it if a person is at a screen."""
    language: str = "en"

    def normalized_url(self) -> str | None:
        """The public URL in canonical form; None if not set.

        Raises:
            UsageError: if it is no valid URL.
        """
        return None if self.public_url is None else check_public_url(self.public_url)

    def database(self) -> str | None:
        """The address of the given database; None if not set.

        Raises:
            UsageError: if its file cannot be read.
            StoreError: if its file has no address of a database.
        """
        return self.database_url if self.database_url_file is None else _read_database(self.database_url_file)

    def redis(self) -> str | None:
        """The address of Redis; None if not set.

        Raises:
            UsageError: if its file cannot be read or has no address of Redis.
        """
        if self.redis_url_file is None:
            return self.redis_url
        address = read_secret(self.redis_url_file)
        with prefix_errors(self.redis_url_file, UsageError):
            check_address(address)
        return address

    def admin_auth(self) -> AdminAuth | None:
        """The authentication of the admin page; None without a token.

        Raises:
            UsageError: if its file cannot be read, or the token could be guessed.
        """
        if self.admin_token_file is not None:
            token = read_secret(self.admin_token_file)
            with prefix_errors(self.admin_token_file, UsageError):
                return AdminAuth(token)
        return None if self.admin_token is None else AdminAuth(self.admin_token)

    def match_retention_s(self) -> float | None:
        """Seconds for which finished matches are stored; None: forever.

        Raises:
            UsageError: if it is no number of days.
        """
        if self.match_retention is None:
            return None
        if not _DAYS.fullmatch(self.match_retention):
            raise UsageError(f"--match-retention {self.match_retention}: a number of days, as in 90d")
        return int(self.match_retention[:-1]) * 24 * 3600.0

    def host_names(self) -> tuple[str, ...]:
        """More host names of the server, as browsers write them.

        Raises:
            UsageError: if one is no valid host name.
        """
        for name in self.allow_host:
            if clean_host(name) is None or not name.strip(".") or ":" in name:
                raise UsageError(f"--allow-host {name!r}: a name without a port, as in cards.lan.example")
        return tuple(name.lower().rstrip(".") for name in self.allow_host)

    def substitutes(self) -> dict[str, str]:
        """The names of bots that play for a level, by level.

        Raises:
            UsageError: if one is not written as ``LEVEL=BOT``.
        """
        for pair in self.bot:
            if not all(pair.partition("=")):
                raise UsageError(f"--bot {pair}: a level and the bot that plays for it, as in sharp=policy:policy.npz")
        return {level: name for level, _, name in (pair.partition("=") for pair in self.bot)}

    def embed_origins(self) -> tuple[str, ...]:
        """The origins of sites that may show pages of this one.

        Raises:
            UsageError: if one is no origin.
        """
        for origin in self.embed_origin:
            if not _ORIGIN.fullmatch(origin):
                raise UsageError(f"--embed-origin {origin}: as in https://club.example, or * for all sites")
        return tuple(self.embed_origin)

    def max_spectators(self) -> int:
        """Maximum number of persons who may watch a table.

        Raises:
            UsageError: if it is negative.
        """
        if self.spectators < 0:
            raise UsageError(f"--spectators {self.spectators}: 0 or more")
        return self.spectators

    def voice_servers(self) -> VoiceServers:
        """The STUN and TURN servers for voice.

        Raises:
            UsageError: if an address is invalid, or the secret of TURN servers is missing or cannot be read.
        """
        for address in self.voice_server:
            if not _VOICE_SERVER.fullmatch(address):
                raise UsageError(f"--voice-server {address}: as in stun:stun.example:3478 or turn:turn.example:3478")
        servers = VoiceServers(tuple(self.voice_server))
        if (servers.kind == "turn") != (self.turn_secret_file is not None):
            raise UsageError("a TURN server needs --turn-secret-file, a file with its secret, and nothing else does")
        if self.turn_secret_file is None:
            return servers
        return VoiceServers(servers.addresses, read_secret(self.turn_secret_file))

    def proxies(self) -> str | None:
        """Proxies trusted for client addresses: the given ones, else the local ones of a public server."""
        in_front = self.public_url or self.share or self.socket
        return self.trusted_proxies or (LOCAL_PROXY if in_front else None)

    def initial_chat(self) -> str:
        """The chat mode of new tables: ``on``, ``off`` or ``never``."""
        return self.chat or ("on" if self.public_url is None else "off")


def read_secret(file: Path) -> str:
    """Return a secret from a file of its own, so that the list of processes does not show it.

    Raises:
        UsageError: if there is none.
    """
    text = read_text(file, UsageError).strip()
    if not text:
        raise UsageError(f"{file}: it is empty")
    return text


def database_at(address: str | None, file: Path | None) -> str:
    """Return the address of a database: the given one, the one in a file, else that of the user's own database.

    Raises:
        UsageError: if the file cannot be read.
        StoreError: if the file has no address of a database.
    """
    named_address = address if file is None else _read_database(file)
    return named_address or own_database()


def _read_database(file: Path) -> str:
    address = read_secret(file)
    with prefix_errors(file, StoreError):
        DatabaseAddress(address)
    return address


def split_host_port(host_port: str) -> tuple[str, int]:
    """Return host and port of ``HOST:PORT``.

    Raises:
        UsageError: if the text has another form.
    """
    host, _, port = host_port.rpartition(":")
    if not host or not port.isdecimal() or int(port) > 0xFFFF:
        raise UsageError(f"--metrics {host_port}: HOST:PORT, as in 127.0.0.1:9020; a port is at most {0xFFFF}")
    return host.strip("[]"), int(port)
