"""Who keeps order for whoever runs the server: who may come in, what may be said, whether matches still begin.

Orders, bans and complaints are in the store, so that all workers agree; each keeps them in memory, and looks again when
another one says so, or after a while.
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

from lastcard.server.guard import metrics
from lastcard.server.guard.security import Network, bare, looks, network_of, new_id
from lastcard.server.seats.document import Denied
from lastcard.server.store.rows import BanRow, now_ms
from lastcard.server.store.store import Store
from lastcard.server.wire import workers

CHAT: Final = ("on", "off", "never")
"""Whether new tables begin with chat, without it, or none has any."""
KEPT_COMPLAINTS: Final = 30 * 24 * 3600.0
"""Seconds until a complaint is forgotten."""
_TOKEN: Final = re.compile(r"\w+")
_NEAREST: Final = ("127.0.0.0/8", "::1/128")
"""Where a proxy stands: whoever bans this bans everybody."""

Word = Annotated[str, Meta(min_length=1, max_length=40)]


class Orders(Struct, frozen=True, forbid_unknown_fields=True):
    """What whoever runs the server has ordered."""

    notice: Annotated[str, Meta(max_length=300)] = ""
    """What all people at tables are told."""
    draining: bool = False
    """Whether no match begins any more."""
    chat: Annotated[str, Meta(pattern="^(on|off|never)?$")] = ""
    """One of ``CHAT``; empty as the server was started."""
    words: Annotated[tuple[Word, ...], Meta(max_length=500)] = ()
    """What no name and no chat may hold; a star stands for the rest of a word."""


class Warden:
    """Orders and bans, as this worker knows them. ``refresh`` it in the event loop.

    Args:
        store: where they are.
        bus: to the other workers.
        chat: one of ``CHAT``, unless something else is ordered.
        reads: whether somebody reads what people report.
    """

    def __init__(self, store: Store, bus: workers.Bus, *, chat: str = "on", reads: bool = False) -> None:
        self._store = store
        self._bus = bus
        self._chat = chat
        self.reads = reads
        self.orders = Orders()
        self.bans: Sequence[BanRow] = ()
        self._players: set[str] = set()
        self._networks: dict[int, set[Network]] = {}
        self._words: re.Pattern[str] | None = None
        self._refreshed = False
        self._places: defaultdict[str, Counter[str]] = defaultdict(Counter)
        self.ordered: Callable[[], None] = lambda: None
        """Called when there are other orders."""
        self.banned: Callable[[Sequence[str]], None] = lambda players: None
        """Called with the ids of persons who must go; they need not be here."""

    # --- what holds -----------------------------------------------------------------------------------

    @property
    def chat(self) -> str:
        """Whether new tables begin with chat (``on``), without it (``off``), or none has any (``never``)."""
        return self.orders.chat or self._chat

    def bars(self, address: str) -> bool:
        """Whether nobody may come from an address."""
        if not self._networks:
            return False
        try:
            caller = ipaddress.ip_network(network_of(address))
        except ValueError:
            return False
        return any(
            size <= caller.prefixlen and caller.supernet(new_prefix=size) in networks
            for size, networks in self._networks.items()
        )

    def bars_player(self, player: str) -> bool:
        """Whether a person may not come."""
        return player in self._players

    def check_words(self, text: str, code: str) -> None:
        """Refuse a text with a word that is not wanted.

        Raises:
            Denied: with that code.
        """
        if self._words is not None and any(self._words.fullmatch(token) for token in _tokens(text)):
            raise Denied(code)

    def check_open(self) -> None:
        """Refuse what begins a match while none is to begin.

        Raises:
            Denied: then.
        """
        if self.orders.draining:
            raise Denied("draining")

    # --- who is here ----------------------------------------------------------------------------------

    def arrives(self, player: str, address: str) -> None:
        """A person has connected from an address; it is known only while the connection lasts."""
        self._places[player][network_of(address)] += 1
        metrics.PEOPLE.set(len(self._places))

    def leaves(self, player: str, address: str) -> None:
        """That connection has ended."""
        places, network = self._places[player], network_of(address)
        places[network] -= 1
        if places[network] <= 0:
            del places[network]
        if not places:
            del self._places[player]
        metrics.PEOPLE.set(len(self._places))

    # --- orders ---------------------------------------------------------------------------------------

    async def refresh(self) -> None:
        """Look at what the store says.

        Raises:
            StoreError: where it cannot; then all is as before.
        """
        values, bans = await self._store.read_orders()
        now = now_ms()
        bans = [ban for ban in bans if ban.until is None or ban.until > now]
        orders = _read(values)
        known, before = {ban.id for ban in self.bans}, self.orders
        self.orders, self.bans = orders, bans
        self._players = {ban.player for ban in bans if ban.player is not None}
        self._networks = {}
        for network in (ipaddress.ip_network(ban.network, strict=False) for ban in bans if ban.network is not None):
            self._networks.setdefault(network.prefixlen, set()).add(network)
        self._words = _pattern(orders.words)
        if orders != before:
            self.ordered()
        # What is there at the start was carried out when it was given.
        new, self._refreshed = [ban for ban in bans if ban.id not in known and self._refreshed], True
        await self._extend(new)
        gone = {ban.player for ban in new if ban.player is not None}
        gone |= {player for player, places in self._places.items() if any(map(self.bars, places))}
        if gone:
            self.banned([*gone])

    async def _extend(self, bans: Sequence[BanRow]) -> None:
        """Ban the networks too from which persons are connected to this worker, where that is wanted."""
        for ban in bans:
            for network in tuple(self._places.get(ban.player or "", ())) if ban.widely else ():
                if not self.bars(network.partition("/")[0]) and not _is_nearest(network):
                    await self._put(BanRow(new_id(), None, network, ban.name, False, ban.at, ban.until))

    async def order(self, **changes: Any) -> None:
        """Give some orders anew.

        Raises:
            Denied: where they make no sense.
            StoreError: where they cannot be kept.
        """
        try:
            msgspec.convert({**msgspec.structs.asdict(self.orders), **changes}, Orders)
        except msgspec.ValidationError as error:
            raise Denied("unreadable", why=error) from None
        await self._store.give_orders(changes)
        await self._changed()

    async def ban(
        self, *, name: str, player: str | None = None, network: str | None = None, widely: bool = False, days: int = 0
    ) -> None:
        """Let somebody in no more.

        Args:
            name: what the ban is called.
            player: the id of a person.
            network: an address or a network; of an IPv6 address its /64.
            widely: whether also the networks the person is connected from.
            days: how long; 0 for ever.

        Raises:
            Denied: for what is no network, or the one where a proxy stands.
            StoreError: where it cannot be kept.
        """
        if network is not None:
            network = _clean_network(network)
        until = now_ms() + days * 24 * 3_600_000 if days else None
        await self._put(BanRow(new_id(), player, network, name, widely, now_ms(), until))

    async def _put(self, row: BanRow) -> None:
        await self._store.ban(row)
        await self._changed()

    async def lift(self, ban: str) -> bool:
        """End a ban; whether there was one."""
        found = await self._store.lift_ban(ban)
        await self._changed()
        return found

    async def sweep(self) -> None:
        """Forget what is over."""
        now = time.time()
        await self._store.sweep_order(round(1000 * now), round(1000 * (now - KEPT_COMPLAINTS)))

    async def _changed(self) -> None:
        workers.announce(self._bus, workers.OrdersGiven())
        await self.refresh()


def _read(values: dict[str, Any]) -> Orders:
    """The orders of a store; one that another version gave and this one does not know is left out."""
    known = {name: value for name, value in values.items() if name in Orders.__struct_fields__}
    try:
        return msgspec.convert(known, Orders)
    except msgspec.ValidationError:
        return Orders()


def _tokens(text: str) -> list[str]:
    """The words of a text as the eye takes them, whatever letters they are written with."""
    return [looks(token) for token in _TOKEN.findall(bare(text))]


def _pattern(words: Sequence[str]) -> re.Pattern[str] | None:
    """What one of these words looks like; None where there are none."""
    meant = [bare(word.strip()) for word in words if _TOKEN.search(word)]  # stars alone would be every word
    parts = [".*".join(re.escape(looks(part)) for part in word.split("*")) for word in meant]
    return re.compile("|".join(parts)) if parts else None


def _clean_network(text: str) -> str:
    """A network as it is written.

    Raises:
        Denied: where it is none, or the one where a proxy stands.
    """
    try:
        network = ipaddress.ip_network(text.strip() if "/" in text else network_of(text.strip()), strict=False)
    except ValueError:
        raise Denied("no-network") from None
    if _is_nearest(str(network)):
        raise Denied("nearest-network")
    return str(network)


def _is_nearest(network: str) -> bool:
    """Whether a network holds this machine."""
    found = ipaddress.ip_network(network)
    return any(found.overlaps(ipaddress.ip_network(nearest)) for nearest in _NEAREST)
