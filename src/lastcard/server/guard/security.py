"""What keeps a table safe: tokens and codes, who may call from where, headers, limits, clean text."""

from __future__ import annotations

import hashlib
import ipaddress
import math
import re
import secrets
import time
import unicodedata
from collections import Counter, OrderedDict
from collections.abc import Container, Hashable, Mapping, Sequence
from typing import Final, TypeVar
from urllib.parse import urlsplit

from lastcard.errors import UsageError

K = TypeVar("K", bound=Hashable)

COOKIE: Final = "lastcard"
"""Holds a person's token. Not ``__Host-``: browsers drop that over plain HTTP, the living-room case."""
COOKIE_SECONDS: Final = 365 * 24 * 3600
TOKEN_LENGTH: Final = 128
"""What is longer in a cookie is not looked up."""
RENEWAL_DAYS: Final = 30
"""A browser with an older token gets a new one when it comes."""
NAME_LENGTH: Final = 24
TEXT_LENGTH: Final = 200

# --- tokens and codes -----------------------------------------------------------------------------------

_HASH: Final = re.compile(r"[0-9a-f]{64}")
_SYMBOLS: Final = "23456789ABCDEFGHJKMNPQRSTVWXYZ"  # without 0 O, 1 I L, and U, which is V by hand
_LOOKALIKES: Final = str.maketrans("U", "V")
LAN_CODE: Final = 6
PUBLIC_CODE: Final = 8


def new_token() -> str:
    """A secret that is a person, for the cookie: 192 random bits."""
    return secrets.token_urlsafe(24)


def new_session(before: str | None = None) -> str:
    """A token for a browser. It says of which day it is, and in whose place it comes, which goes when this has arrived.

    Args:
        before: the token it is to replace; None for the first.
    """
    dated = f"{new_token()}.{_today():x}"
    return dated if before is None else f"{dated}.{hash_token(before)}"


def is_old(token: str) -> bool:
    """Whether a browser should get a new token in the place of one; those from before they had a day are old."""
    day = token.split(".")[1] if "." in token else ""
    try:
        return not 0 <= _today() - int(day, 16) < RENEWAL_DAYS
    except ValueError:
        return True


def replaced_by(token: str) -> str | None:
    """The hash of the token in whose place one has come; None for the first of a browser."""
    rest = token.split(".")[2:]
    return rest[0] if len(rest) == 1 and _HASH.fullmatch(rest[0]) else None


def _today() -> int:
    return int(time.time()) // (24 * 3600)


def hash_token(token: str) -> str:
    """What the store keeps of a token. It is random, so a plain hash gives nothing away."""
    return hashlib.sha256(token.encode()).hexdigest()


def new_id() -> str:
    """The name of a player or a match on the wire: 96 random bits."""
    return secrets.token_urlsafe(12)


def new_code(public: bool = False) -> str:
    """The code of a table, easy to read out; longer where the whole world may guess."""
    return "".join(secrets.choice(_SYMBOLS) for _ in range(PUBLIC_CODE if public else LAN_CODE))


def clean_code(text: str) -> str | None:
    """A code as a person typed it, in its one form; None where it can be none."""
    code = re.sub(r"[\s-]", "", text[:20]).upper().translate(_LOOKALIKES)
    return code if len(code) in (LAN_CODE, PUBLIC_CODE) and not code.strip(_SYMBOLS) else None


# --- where a call comes from ------------------------------------------------------------------------------

_HOST: Final = re.compile(r"[A-Za-z0-9.-]{1,253}(?::\d{1,5})?|\[[0-9A-Fa-f:.]{2,45}\](?::\d{1,5})?")


def clean_host(host: str | None) -> str | None:
    """A ``Host`` header that can stand in an address; None for any other."""
    return host.lower() if host and _HOST.fullmatch(host) else None


def is_known_host(host: str | None, names: Container[str]) -> bool:
    """Whether a call that names a host may have been meant for this server.

    A page of a stranger can make a browser find this server under a name of the stranger's own; then host and origin
    agree, and only the name tells. Nobody can do so with an address in figures, ``localhost``, names of one word or
    in ``.local``, which the world's name servers do not give away.

    Args:
        host: the header; None where an old program sends none.
        names: others that are good, without port.
    """
    if host is None:
        return True
    clean = clean_host(host)
    if clean is None:
        return False
    if clean.startswith("["):
        return True
    name = clean.partition(":")[0].rstrip(".")
    if "." not in name or name.endswith((".local", ".localhost")) or name in names:
        return True
    try:
        return bool(ipaddress.IPv4Address(name))
    except ValueError:
        return False


def is_own_origin(origin: str | None, host: str | None, public_url: str | None) -> bool:
    """Whether a page of our own makes this call: same host and same port, or the public address.

    Cookies do not know ports, so another server on the same machine would otherwise be let in.

    Args:
        origin: the header; browsers send it with every WebSocket and every change.
        host: the header.
        public_url: where the server is known to the world.
    """
    own = clean_host(host)
    allowed = {f"http://{own}", f"https://{own}"} if own else set()
    if public_url is not None:
        allowed.add(origin_of(public_url))
    return origin is not None and origin.lower() in allowed


def origin_of(url: str) -> str:
    """The origin of an address: ``https://cards.example``."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}".lower()


def is_near(address: str) -> bool:
    """Whether a caller is this machine or in the same house."""
    caller = _caller(address)
    return caller is not None and (caller.is_loopback or caller.is_private or caller.is_link_local)


def _caller(address: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    """The address of a caller, one of IPv4 as such also where an IPv6 socket names it; None for what is none."""
    try:
        caller = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return None
    mapped = caller.ipv4_mapped if isinstance(caller, ipaddress.IPv6Address) else None
    return mapped or caller


Network = ipaddress.IPv4Network | ipaddress.IPv6Network

_shared: Final[list[Network]] = []


def set_shared(networks: str | None) -> None:
    """Name the networks outside of the house in which one address is many people's: a school's, a café's.

    Args:
        networks: addresses and networks with commas between; None for none.

    Raises:
        UsageError: for one that cannot be read.
    """
    _shared[:] = read_networks(networks or "", "--shared-addresses")


def read_networks(text: str, option: str) -> list[Network]:
    """Addresses and networks with commas between.

    Raises:
        UsageError: for one that cannot be read; it names the option.
    """
    try:
        return [ipaddress.ip_network(part, strict=False) for part in filter(None, map(str.strip, text.split(",")))]
    except ValueError as error:
        raise UsageError(f"{option}: {error}") from None


def is_shared(address: str) -> bool:
    """Whether many people may be behind one address: that of the same house, or one that was named so."""
    return is_near(address) or is_within(address, _shared)


def is_within(address: str, networks: Sequence[Network]) -> bool:
    """Whether a caller is in one of some networks."""
    caller = _caller(address)
    return caller is not None and any(caller in network for network in networks)


def network_of(address: str) -> str:
    """What limits count as one caller: an IPv4 address, or the 64 bits of an IPv6 one that a household gets."""
    caller = _caller(address)
    if caller is None:
        return address
    if isinstance(caller, ipaddress.IPv4Address):
        return str(caller)
    return str(ipaddress.IPv6Network((int(caller) >> 64 << 64, 64)))


# --- headers ------------------------------------------------------------------------------------------------

_POLICY: Final = (
    "default-src 'none'; script-src 'self'{modules}; worker-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'{sockets}; font-src 'none'; manifest-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types workers"
)
"""Scripts of ours are workers too, by the policy of ``ui/workers.js``: the one that says that the server is away."""
_THINKING: Final = " 'wasm-unsafe-eval'"
"""What a page needs besides to run the rules itself."""
_HEADERS: Final = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",  # addresses hold table codes
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    "x-frame-options": "DENY",
}


def security_headers(host: str | None, *, https: bool = False, thinking: bool = False) -> Mapping[str, str]:
    """Headers of every answer.

    Args:
        host: the header of the request. Not every browser takes ``'self'`` to mean WebSockets too, so they are named.
        https: whether the world knows the server by an address of HTTPS: browsers are to come by that alone.
        thinking: whether pages run the rules themselves.
    """
    own = clean_host(host)
    sockets = f" ws://{own} wss://{own}" if own else ""
    strict = {"strict-transport-security": "max-age=31536000"} if https else {}
    policy = _POLICY.format(sockets=sockets, modules=_THINKING if thinking else "")
    return {**_HEADERS, **strict, "content-security-policy": policy}


# --- limits -------------------------------------------------------------------------------------------------


class Bucket:
    """A token bucket: ``burst`` at once, then ``rate`` a second."""

    __slots__ = ("_at", "_left", "burst", "rate")

    def __init__(self, rate: float, burst: float) -> None:
        self.rate = rate
        self.burst = burst
        self._left = burst
        self._at = time.monotonic()

    def take(self, cost: float = 1) -> bool:
        """Take from the bucket; False where there is not enough."""
        now = time.monotonic()  # as ``_fill`` does: this comes three times for each move of everybody
        left = self._left + (now - self._at) * self.rate
        self._at = now
        if left > self.burst:
            left = self.burst
        if left < cost:
            self._left = left
            return False
        self._left = left - cost
        return True

    def has(self, cost: float = 1) -> bool:
        """Whether there is enough in the bucket."""
        self._fill()
        return self._left >= cost

    def spend(self, cost: float = 1, most: float = math.inf) -> float:
        """Take from the bucket what there is and what is to come.

        Returns:
            Seconds until that has come. Where these are more than ``most``, nothing was taken.
        """
        self._fill()
        wait = max(0.0, (cost - self._left) / self.rate) if self.rate else 0.0
        if wait <= most:
            self._left -= cost
        return wait

    def _fill(self) -> None:
        now = time.monotonic()
        self._left = min(self.burst, self._left + (now - self._at) * self.rate)
        self._at = now


class Limit:
    """A bucket for each address; of IPv6 for each /64, for anybody has so many addresses.

    Args:
        rate: a second, for an address of the wide world.
        burst: at once.
        near: how many times as much an address may do that many people share, as the same house does.
    """

    MOST: Final = 10_000
    """Addresses remembered; beyond, those that have been quiet longest are forgotten."""

    def __init__(self, rate: float, burst: float, near: float = 20) -> None:
        self.rate = rate
        self.burst = burst
        self.near = near
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()

    def take(self, address: str) -> bool:
        """Count one more of an address; False where that is too many."""
        return self._bucket(address).take()

    def has(self, address: str, cost: float = 1) -> bool:
        """Whether an address has so much left."""
        return self._bucket(address).has(cost)

    def spend(self, address: str, cost: float = 1, most: float = math.inf) -> float:
        """Count what an address has cost; seconds until it is even again. More than ``most`` are not counted."""
        return self._bucket(address).spend(cost, most)

    def _bucket(self, address: str) -> Bucket:
        network = network_of(address)
        bucket = self._buckets.get(network)
        if bucket is None:
            if len(self._buckets) >= self.MOST:
                self._buckets.popitem(last=False)
            times = self.near if is_shared(address) else 1
            bucket = self._buckets[network] = Bucket(self.rate * times, self.burst * times)
        self._buckets.move_to_end(network)
        return bucket


def count_off(counter: Counter[K], key: K) -> None:
    """One less of a key; of what there is none any more, nothing is remembered."""
    counter[key] -= 1
    if not counter[key]:
        del counter[key]


# --- text -----------------------------------------------------------------------------------------------------

JOINERS: Final = "\u200c\u200d"  # inside scripts and emoji; all other invisible characters go
_BLANK: Final = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u2d7f\u3164\uffa0\U00016fe4\U0001d159")
"""Letters and marks of which nothing is seen."""
VARIANTS: Final = frozenset(
    map(chr, (*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0), *range(0x180B, 0x180E), 0x180F))
)
"""Which picture of a letter is meant, as in emoji, in Japanese names, in Mongolian; nothing is seen of them alone."""
ALIKE: Final = str.maketrans(
    # Cyrillic, Greek, and what is one stroke or one circle
    "АВЕЅІЈКМНОРСТУХЗаеіјорсухѕԁһԛԝΑΒΕΖΗΙΚΜΝΟΡΤΥΧοαιν1I|ǀӀ0ı",
    "ABESlJKMHOPCTYX3aeijopcyxsdhqwABEZHlKMNOPTYXoaivllllloi",
)
_MARKS: Final = 3
"""Accents that may be stacked on one letter."""


def clean_text(text: str, length: int = TEXT_LENGTH) -> str:
    """What a person typed, on one line: NFC, no control or bidirectional characters, at most so long; maybe empty."""
    kept: list[str] = []
    marks = 0
    for char in unicodedata.normalize("NFC", text[: 4 * length]):
        if char in _BLANK:
            continue
        kind = unicodedata.category(char)
        marks = marks + 1 if kind in ("Mn", "Me") else 0
        if kind in ("Zs", "Zl", "Zp") or char in "\t\n\r":
            kept.append(" ")
        elif marks <= _MARKS and (kind[0] != "C" or char in JOINERS):
            kept.append(char)
    return " ".join("".join(kept).split())[:length].strip(" " + JOINERS)


def clean_name(text: str) -> str:
    """A person's name as it is shown; empty where nothing would be seen of it."""
    name = clean_text(text, NAME_LENGTH)
    return name if looks(name) else ""


def looks(name: str) -> str:
    """What the eye takes a name for: names that look alike give the same."""
    plain = unicodedata.normalize("NFKC", name)
    seen = [char for char in plain if not char.isspace() and char not in VARIANTS and char not in JOINERS]
    return "".join(seen).translate(ALIKE).replace("rn", "m").replace("vv", "w")


def bare(text: str) -> str:
    """A text to find words in: without capitals, without what is not seen, and without marks beside its letters.

    A letter with an accent stays what it is, for without it it can be another word; marks that make no such letter are
    left out, which parts no word and joins none.
    """
    plain = unicodedata.normalize("NFC", text.casefold())
    return "".join(
        [
            char
            for char in plain
            if char not in JOINERS and char not in VARIANTS and unicodedata.category(char)[0] != "M"
        ]
    )
