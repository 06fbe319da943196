"""Moderation: bans, chat rules, and whether matches may begin.

Settings, bans and complaints are in the store, so all workers agree. Each worker caches them, and reads them again
after an announcement or an interval.
"""

from __future__ import annotations

import ipaddress
import re
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from typing import Annotated, Any, Final

import msgspec
from msgspec import Meta, Struct

from lastcard.server.security import metrics
from lastcard.server.security.security import Network, network_of, new_id
from lastcard.server.store.rows import BanRow, now_ms
from lastcard.server.store.store import Store
from lastcard.server.wire import worker_bus
from lastcard.session.names import confusable_skeleton, fold_for_matching
from lastcard.session.table_state import CommandError

CHAT_MODES: Final = ("on", "off", "never")
"""Chat modes: new tables begin with chat, without it, or none has any."""
COMPLAINT_RETENTION_S: Final = 30 * 24 * 3600.0
"""Seconds until a complaint is deleted."""
_TOKEN: Final = re.compile(r"\w+")
_LOOPBACK: Final = ("127.0.0.0/8", "::1/128")
"""Networks of a local proxy: a ban of one of them would ban everybody."""

Word = Annotated[str, Meta(min_length=1, max_length=40)]


class AdminSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """Orders of the operator of the server."""

    notice: Annotated[str, Meta(max_length=300)] = ""
    """A notice for everybody at the tables."""
    draining: bool = False
    """Whether new matches are refused."""
    chat: Annotated[str, Meta(pattern="^(on|off|never)?$")] = ""
    """One of ``CHAT_MODES``; empty for the mode set at the start."""
    words: Annotated[tuple[Word, ...], Meta(max_length=500)] = ()
    """Words that names and chat may not contain; a star stands for the rest of a word."""


class Moderation:
    """The administrator's settings and bans as this worker knows them. Call ``refresh`` in the event loop.

    Args:
        chat: default chat mode, one of ``CHAT_MODES``.
        has_reader: whether somebody reads reports.
    """

    def __init__(self, store: Store, bus: worker_bus.Bus, *, chat: str = "on", has_reader: bool = False) -> None:
        self._store = store
        self._bus = bus
        self._chat = chat
        self.has_reader = has_reader
        self.settings = AdminSettings()
        self.bans: Sequence[BanRow] = ()
        self._banned_players: set[str] = set()
        self._banned_networks: dict[int, set[Network]] = {}
        self._words: re.Pattern[str] | None = None
        self._refreshed = False
        self._networks_by_player: defaultdict[str, Counter[str]] = defaultdict(Counter)
        self.on_settings: Callable[[], None] = lambda: None
        self.on_ban: Callable[[Sequence[str]], None] = lambda players: None
        """Called with the ids of newly banned persons; they need not be here."""

    # --- what holds -----------------------------------------------------------------------------------

    @property
    def chat(self) -> str:
        """The chat mode: new tables begin with chat (``on``) or without it (``off``), or none has any (``never``)."""
        return self.settings.chat or self._chat

    def is_banned_address(self, address: str) -> bool:
        """Return whether an address is banned."""
        if not self._banned_networks:
            return False
        try:
            caller = ipaddress.ip_network(network_of(address))
        except ValueError:
            return False
        return any(
            size <= caller.prefixlen and caller.supernet(new_prefix=size) in networks
            for size, networks in self._banned_networks.items()
        )

    def is_banned_player(self, player: str) -> bool:
        """Return whether a person is banned."""
        return player in self._banned_players

    def check_words(self, text: str, code: str) -> None:
        """Refuse a text with a blocked word.

        Raises:
            CommandError: with that code, if the text has one.
        """
        # The words of the text as they look, whatever letters they are written with.
        tokens = map(confusable_skeleton, _TOKEN.findall(fold_for_matching(text)))
        if self._words is not None and any(map(self._words.fullmatch, tokens)):
            raise CommandError(code)

    def check_open(self) -> None:
        """Refuse to begin a match while the server is closed for matches.

        Raises:
            CommandError: if it is closed.
        """
        if self.settings.draining:
            raise CommandError("draining")

    # --- who is here ----------------------------------------------------------------------------------

    def add_connection(self, player: str, address: str) -> None:
        """Record the address of a person's connection while it lasts."""
        self._networks_by_player[player][network_of(address)] += 1
        metrics.PEOPLE.set(len(self._networks_by_player))

    def remove_connection(self, player: str, address: str) -> None:
        """Remove the address of a connection that has ended."""
        networks, network = self._networks_by_player[player], network_of(address)
        networks[network] -= 1
        if networks[network] <= 0:
            del networks[network]
        if not networks:
            del self._networks_by_player[player]
        metrics.PEOPLE.set(len(self._networks_by_player))

    # --- orders ---------------------------------------------------------------------------------------

    async def refresh(self) -> None:
        """Read settings and bans from the store.

        Raises:
            StoreError: if that fails; then nothing has changed.
        """
        values, bans = await self._store.read_admin_settings()
        now = now_ms()
        bans = [ban for ban in bans if ban.until is None or ban.until > now]
        settings = _read_settings(values)
        known, before = {ban.id for ban in self.bans}, self.settings
        self.settings, self.bans = settings, bans
        self._banned_players = {ban.player for ban in bans if ban.player is not None}
        self._banned_networks = {}
        for network in (ipaddress.ip_network(ban.network, strict=False) for ban in bans if ban.network is not None):
            self._banned_networks.setdefault(network.prefixlen, set()).add(network)
        self._words = _pattern(settings.words)
        if settings != before:
            self.on_settings()
        # Bans found at the start were carried out when they were made.
        new, self._refreshed = [ban for ban in bans if ban.id not in known and self._refreshed], True
        await self._ban_networks(new)
        gone = {ban.player for ban in new if ban.player is not None}
        gone |= {
            player
            for player, networks in self._networks_by_player.items()
            if any(map(self.is_banned_address, networks))
        }
        if gone:
            self.on_ban([*gone])

    async def _ban_networks(self, bans: Sequence[BanRow]) -> None:
        """Ban the networks of a banned person's connections to this worker too, if the ban says so."""
        for ban in bans:
            for network in tuple(self._networks_by_player.get(ban.player or "", ())) if ban.widely else ():
                if not self.is_banned_address(network.partition("/")[0]) and not _is_loopback(network):
                    await self._save_ban(BanRow(new_id(), None, network, ban.name, False, ban.at, ban.until))

    async def change_settings(self, **changes: Any) -> None:
        """Change some settings.

        Raises:
            CommandError: if they make no sense.
            StoreError: if they cannot be saved.
        """
        try:
            msgspec.convert({**msgspec.structs.asdict(self.settings), **changes}, AdminSettings)
        except msgspec.ValidationError as error:
            raise CommandError("unreadable", why=error) from None
        await self._store.save_admin_settings(changes)
        await self._announce_and_refresh()

    async def ban(
        self, *, name: str, player: str | None = None, network: str | None = None, widely: bool = False, days: int = 0
    ) -> None:
        """Ban a person or a network.

        Args:
            network: an address or a network; an IPv6 address stands for its /64.
            widely: whether to ban the networks of the person's connections too.
            days: duration in days; 0: forever.

        Raises:
            CommandError: if it is no network, or a proxy is in it.
            StoreError: if the ban cannot be saved.
        """
        if network is not None:
            network = _clean_network(network)
        until = now_ms() + days * 24 * 3_600_000 if days else None
        await self._save_ban(BanRow(new_id(), player, network, name, widely, now_ms(), until))

    async def _save_ban(self, row: BanRow) -> None:
        await self._store.ban(row)
        await self._announce_and_refresh()

    async def lift_ban(self, ban: str) -> bool:
        """End a ban; return whether it existed."""
        found = await self._store.lift_ban(ban)
        await self._announce_and_refresh()
        return found

    async def sweep(self) -> None:
        """Delete bans and complaints that have expired."""
        now = time.time()
        await self._store.sweep_moderation(round(1000 * now), round(1000 * (now - COMPLAINT_RETENTION_S)))

    async def _announce_and_refresh(self) -> None:
        worker_bus.announce(self._bus, worker_bus.AdminSettingsChanged())
        await self.refresh()


def _read_settings(values: dict[str, Any]) -> AdminSettings:
    """Return the settings from stored values; ignore settings that this version does not know."""
    known = {name: value for name, value in values.items() if name in AdminSettings.__struct_fields__}
    try:
        return msgspec.convert(known, AdminSettings)
    except msgspec.ValidationError:
        return AdminSettings()


def _pattern(words: Sequence[str]) -> re.Pattern[str] | None:
    """Return a pattern that matches any of these words; None if there are none."""
    # A pattern of stars alone would match every word.
    meant = [fold_for_matching(word.strip()) for word in words if _TOKEN.search(word)]
    parts = [".*".join(re.escape(confusable_skeleton(part)) for part in word.split("*")) for word in meant]
    return re.compile("|".join(parts)) if parts else None


def _clean_network(text: str) -> str:
    """Return a network in canonical form.

    Raises:
        CommandError: if it is no network, or a proxy is in it.
    """
    try:
        network = ipaddress.ip_network(text.strip() if "/" in text else network_of(text.strip()), strict=False)
    except ValueError:
        raise CommandError("no-network") from None
    if _is_loopback(str(network)):
        raise CommandError("nearest-network")
    return str(network)


def _is_loopback(network: str) -> bool:
    """Return whether a network contains this machine."""
    found = ipaddress.ip_network(network)
    return any(found.overlaps(ipaddress.ip_network(nearest)) for nearest in _LOOPBACK)
