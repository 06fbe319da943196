"""Security of requests: tokens and codes, origins, headers, rate limits."""

from __future__ import annotations

import hashlib
import ipaddress
import math
import re
import secrets
import time
from collections import Counter, OrderedDict
from collections.abc import Container, Hashable, Mapping, Sequence
from typing import Final, TypeVar
from urllib.parse import urlsplit

from lastcard.errors import UsageError

K = TypeVar("K", bound=Hashable)

COOKIE: Final = "lastcard"
"""The name of the cookie with a person's token. Not ``__Host-``: browsers drop that over plain HTTP, as at home."""
COOKIE_S: Final = 365 * 24 * 3600
TOKEN_CHARS: Final = 128
"""Maximum length of a token; longer cookies are ignored."""
SECRET_BYTES: Final = 32
RENEWAL_DAYS: Final = 30
"""Age in days at which a browser gets a new token."""

# --- tokens and codes -----------------------------------------------------------------------------------

_HASH: Final = re.compile(r"[0-9a-f]{64}")
_SYMBOLS: Final = "23456789ABCDEFGHJKMNPQRSTVWXYZ"  # without 0 O, 1 I L, and U, which is V by hand
_LOOKALIKES: Final = str.maketrans("U", "V")
LAN_CODE_CHARS: Final = 6
PUBLIC_CODE_CHARS: Final = 8
DEVICE_CODE_CHARS: Final = 10
"""Length of a code that joins two devices: nobody may guess one within its ten minutes."""


def new_token() -> str:
    """Return a secret that identifies a person: 192 random bits."""
    return secrets.token_urlsafe(24)


def new_secret() -> str:
    """Return a secret for the shuffles of a match, in hex."""
    return secrets.token_hex(SECRET_BYTES)


def new_session(before: str | None = None) -> str:
    """Return a token for a browser, with its day and the token it replaces, if any. Its first use revokes that one."""
    dated = f"{new_token()}.{_today():x}"
    return dated if before is None else f"{dated}.{hash_token(before)}"


def is_old(token: str) -> bool:
    """Return whether a browser should get a new token; tokens without a day are old."""
    day = token.split(".")[1] if "." in token else ""
    try:
        return not 0 <= _today() - int(day, 16) < RENEWAL_DAYS
    except ValueError:
        return True


def replaced_by(token: str) -> str | None:
    """Return the hash of the token that this one replaces; None for the first of a browser."""
    rest = token.split(".")[2:]
    return rest[0] if len(rest) == 1 and _HASH.fullmatch(rest[0]) else None


def _today() -> int:
    return int(time.time()) // (24 * 3600)


def hash_token(token: str) -> str:
    """Return the stored hash of a token. Tokens are random, so a plain hash is safe."""
    return hashlib.sha256(token.encode()).hexdigest()


def new_id() -> str:
    """Return the public id of a player or a match: 96 random bits."""
    return secrets.token_urlsafe(12)


def new_code(public: bool = False) -> str:
    """Return a table code, easy to read aloud; longer if everybody on the internet may guess."""
    return _random_code(PUBLIC_CODE_CHARS if public else LAN_CODE_CHARS)


def new_device_code() -> str:
    """Return a code that joins two devices, easy to type."""
    return _random_code(DEVICE_CODE_CHARS)


def _random_code(length: int) -> str:
    return "".join(secrets.choice(_SYMBOLS) for _ in range(length))


def clean_code(text: str, lengths: Container[int] = (LAN_CODE_CHARS, PUBLIC_CODE_CHARS)) -> str | None:
    """Return a typed code in canonical form, by default that of a table; None if it cannot be a code."""
    code = re.sub(r"[\s-]", "", text[:20]).upper().translate(_LOOKALIKES)
    return code if len(code) in lengths and not code.strip(_SYMBOLS) else None


# --- origins ----------------------------------------------------------------------------------------------

_HOST: Final = re.compile(r"[A-Za-z0-9.-]{1,253}(?::\d{1,5})?|\[[0-9A-Fa-f:.]{2,45}\](?::\d{1,5})?")


def clean_host(host: str | None) -> str | None:
    """Return a ``Host`` header that is valid in a URL; None for any other."""
    return host.lower() if host and _HOST.fullmatch(host) else None


def is_known_host(host: str | None, names: Container[str]) -> bool:
    """Return whether a request with this host may be meant for this server.

    It stops DNS rebinding: a page of a stranger can send requests here under the stranger's own name, and then host and
    origin agree. Addresses in figures, ``localhost``, names of one word and ``.local`` are safe, because public name
    servers do not serve them.

    Args:
        host: the header; None if an old program sends none.
        names: other allowed names, without port.
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
    """Return whether our own page makes this request: same host and port, or the public URL.

    Browsers send the origin with every WebSocket and every change. Cookies ignore ports, so pages of another server on
    the same machine would otherwise be accepted.
    """
    own = clean_host(host)
    allowed = {f"http://{own}", f"https://{own}"} if own else set()
    if public_url is not None:
        allowed.add(origin_of(public_url))
    return origin is not None and origin.lower() in allowed


def origin_of(url: str) -> str:
    """Return the origin of a URL: ``https://cards.example``."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}".lower()


def is_local_network(address: str) -> bool:
    """Return whether a client is this machine or in the local network."""
    caller = _parse_address(address)
    return caller is not None and (caller.is_loopback or caller.is_private or caller.is_link_local)


def _parse_address(address: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    """Return the parsed address of a client, with IPv4 unwrapped from IPv6; None if it is invalid."""
    try:
        caller = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return None
    mapped = caller.ipv4_mapped if isinstance(caller, ipaddress.IPv6Address) else None
    return mapped or caller


Network = ipaddress.IPv4Network | ipaddress.IPv6Network

_nat_networks: Final[list[Network]] = []


def set_nat_networks(networks: str | None) -> None:
    """Set the networks (with commas; None: none) outside the local one in which many people share an address.

    Raises:
        UsageError: if one cannot be read.
    """
    _nat_networks[:] = read_networks(networks or "", "--nat-networks")


def read_networks(text: str, option: str) -> list[Network]:
    """Return parsed addresses and networks from a text with commas.

    Raises:
        UsageError: if one cannot be read; it names the option.
    """
    try:
        return [ipaddress.ip_network(part, strict=False) for part in filter(None, map(str.strip, text.split(",")))]
    except ValueError as error:
        raise UsageError(f"{option}: {error}") from None


def is_shared_address(address: str) -> bool:
    """Return whether many people may share an address: in the local network, or in a network set as shared."""
    return is_local_network(address) or is_within(address, _nat_networks)


def is_within(address: str, networks: Sequence[Network]) -> bool:
    """Return whether an address is in one of the networks."""
    caller = _parse_address(address)
    return caller is not None and any(caller in network for network in networks)


def network_of(address: str) -> str:
    """Return the network that limits count as one client: an IPv4 address, or the /64 of an IPv6 address."""
    caller = _parse_address(address)
    if caller is None:
        return address
    if isinstance(caller, ipaddress.IPv4Address):
        return str(caller)
    return str(ipaddress.IPv6Network((int(caller) >> 64 << 64, 64)))


# --- headers ------------------------------------------------------------------------------------------------

_POLICY: Final = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; style-src 'self'; "
    "img-src 'self' data:; connect-src 'self'{sockets}; font-src 'none'; manifest-src 'self'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types workers"
)
"""Pages compile the kernel, for puzzles at least. Workers have the policy of ``ui/workers.js``, which reports that the
server is away."""
_CONNECT: Final = re.compile(r"connect-src [^;]+")
_HEADERS: Final = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",  # URLs contain table codes
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=(self), payment=(), usb=()",
    "x-frame-options": "DENY",
}


def security_headers(host: str | None, *, https: bool = False) -> Mapping[str, str]:
    """Return the security headers of every answer.

    Args:
        host: the header of the request; some browsers need it, because ``'self'`` does not cover WebSockets there.
        https: whether the public URL has HTTPS; then browsers must use HTTPS only.
    """
    own = clean_host(host)
    sockets = f" ws://{own} wss://{own}" if own else ""
    strict = {"strict-transport-security": "max-age=31536000"} if https else {}
    policy = _POLICY.format(sockets=sockets)
    return {**_HEADERS, **strict, "content-security-policy": policy}


def embedded_headers(own: Mapping[str, str], host: str | None, path: str, origins: Sequence[str]) -> Mapping[str, str]:
    """Return the security headers of an answer that other sites may show in a frame.

    Args:
        own: those of any other answer.
        host: the header of the request.
        path: the only path to which the page may send requests.
        origins: the sites, or ``*``; none for nobody.
    """
    sources, clean = " ".join(origins) or "'none'", clean_host(host)
    connect = f"connect-src {clean}{path}" if clean else "connect-src 'none'"
    policy = _CONNECT.sub(connect, own["content-security-policy"])
    headers = {name: value for name, value in own.items() if name != "x-frame-options"}
    return {
        **headers,
        "cross-origin-resource-policy": "cross-origin",
        "content-security-policy": policy.replace("frame-ancestors 'none'", f"frame-ancestors {sources}"),
    }


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
        """Take from the bucket; return False if there is not enough."""
        now = time.monotonic()  # as ``_fill`` does; inlined, because it runs three times for each move
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
        """Return whether there is enough in the bucket."""
        self._fill()
        return self._left >= cost

    def spend(self, cost: float = 1, most: float = math.inf) -> float:
        """Take from the bucket, and borrow from the future if there is not enough.

        Returns:
            Seconds until the loan is repaid. If they exceed ``most``, nothing was taken.
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
    """A bucket for each address; for IPv6, one for each /64, because a household has that many addresses.

    Args:
        rate: tokens a second for an internet address.
        burst: tokens at once.
        shared_factor: factor for addresses that many people share, as in the local network.
    """

    MAX_ADDRESSES: Final = 10_000
    """Maximum number of addresses; beyond it, the least recently used are dropped."""

    def __init__(self, rate: float, burst: float, shared_factor: float = 20) -> None:
        self.rate = rate
        self.burst = burst
        self.shared_factor = shared_factor
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()

    def take(self, address: str) -> bool:
        """Take a token of an address; return False if there is none."""
        return self._bucket(address).take()

    def has(self, address: str, cost: float = 1) -> bool:
        """Return whether an address has enough tokens."""
        return self._bucket(address).has(cost)

    def spend(self, address: str, cost: float = 1, most: float = math.inf) -> float:
        """Charge an address; return seconds until its debt is repaid. A debt of more than ``most`` is not charged."""
        return self._bucket(address).spend(cost, most)

    def _bucket(self, address: str) -> Bucket:
        network = network_of(address)
        bucket = self._buckets.get(network)
        if bucket is None:
            if len(self._buckets) >= self.MAX_ADDRESSES:
                self._buckets.popitem(last=False)
            times = self.shared_factor if is_shared_address(address) else 1
            bucket = self._buckets[network] = Bucket(self.rate * times, self.burst * times)
        self._buckets.move_to_end(network)
        return bucket


def decrement(counter: Counter[K], key: K) -> None:
    """Decrement a key's count, and remove the key at zero."""
    counter[key] -= 1
    if not counter[key]:
        del counter[key]
