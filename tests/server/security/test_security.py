"""Tokens, codes, origins, headers, limits and clean text."""

from __future__ import annotations

import time
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lastcard.server.security import security as s
from lastcard.session import names


def test_tokens_are_long_random_and_stored_hashed() -> None:
    tokens = {s.new_token() for _ in range(1000)}
    assert len(tokens) == 1000
    assert all(len(token) * 6 >= 128 for token in tokens)
    token = tokens.pop()
    assert token not in s.hash_token(token) and len(s.hash_token(token)) == 64
    assert s.hash_token(token) == s.hash_token(token)


@pytest.mark.parametrize("public", [False, True])
def test_codes_have_no_lookalikes_and_can_be_typed_carelessly(public: bool) -> None:
    for _ in range(200):
        code = s.new_code(public)
        assert len(code) == (8 if public else 6)
        assert not set(code) & set("01IOLU")
        assert s.clean_code(f" {code[:3].lower()}-{code[3:]} ") == code


@pytest.mark.parametrize("text", ["", "ABC", "ABCDEFG", "ABCDE0", "ABC/..", "ABCDEF" * 9, "ÄBCDEF", "ABCDE\n"])
def test_invalid_codes_are_refused(text: str) -> None:
    assert s.clean_code(text) is None


@pytest.mark.parametrize(
    ("origin", "host", "public_url", "own"),
    [
        ("http://192.168.1.2:8020", "192.168.1.2:8020", None, True),
        ("http://LOCALHOST:8020", "localhost:8020", None, True),
        ("http://[::1]:8020", "[::1]:8020", None, True),
        ("https://cards.example", "inner:8020", "https://cards.example", True),
        ("http://localhost:3000", "localhost:8020", None, False),  # another port gets our cookies too
        ("http://localhost", "localhost:8020", None, False),
        ("https://evil.example", "cards.example", "https://cards.example", False),
        ("http://cards.example", "inner:8020", "https://cards.example", False),
        ("null", "localhost:8020", None, False),
        (None, "localhost:8020", None, False),
        ("http://localhost:8020", None, None, False),
        ("file://localhost:8020", "localhost:8020", None, False),
        ("http://a@localhost:8020", "localhost:8020", None, False),
        ("http://[", "localhost:8020", None, False),
    ],
)
def test_origin_is_same_host_and_port_or_the_public_address(
    origin: str | None, host: str | None, public_url: str | None, own: bool
) -> None:
    assert s.is_own_origin(origin, host, public_url) is own


@pytest.mark.parametrize(
    ("host", "known"),
    [
        ("127.0.0.1:8020", True),
        ("[::1]:8020", True),
        ("LOCALHOST", True),
        ("laptop:8020", True),
        ("laptop.local:8020", True),
        ("cards.example", True),
        ("cards.example.", True),
        (None, True),
        ("evil.example", False),
        ("cards.example.evil.example", False),
        ("127.0.0.1.evil.example", False),
        ("1.2.3", False),
        ("a b", False),
        ("", False),
    ],
)
def test_only_names_of_our_own_are_known(host: str | None, known: bool) -> None:
    assert s.is_known_host(host, {"cards.example"}) is known


@pytest.mark.parametrize("host", ["localhost:8020", "192.168.1.2:8020", "[fe80::1]:8020", "cards.example"])
def test_the_policy_allows_only_this_host(host: str) -> None:
    policy = s.security_headers(host)["content-security-policy"]
    assert f"connect-src 'self' ws://{host} wss://{host};" in policy


def test_a_public_address_stays_https() -> None:
    """Browsers must use HTTPS from now on; over plain HTTP, as in a local network, they must not."""
    assert "max-age=31536000" in s.security_headers("cards.example", https=True)["strict-transport-security"]
    assert "strict-transport-security" not in s.security_headers("192.168.1.2:8020")


@pytest.mark.parametrize("host", [None, "a b", "x; script-src *", "h\r\nx: y", "a,b", ""])
def test_an_invalid_host_is_not_in_the_policy(host: str | None) -> None:
    policy = s.security_headers(host)["content-security-policy"]
    assert "connect-src 'self';" in policy
    for part in (
        "default-src 'none'",
        "script-src 'self' 'wasm-unsafe-eval'",
        "require-trusted-types-for 'script'",
        "worker-src 'self'",
        "trusted-types workers",
    ):
        assert part in policy.split("; ")


@pytest.mark.parametrize(
    ("address", "near"),
    [("127.0.0.1", True), ("192.168.7.7", True), ("::1", True), ("fe80::1", True), ("8.8.8.8", False), ("", False)],
)
def test_local_networks_are_recognized(address: str, near: bool) -> None:
    assert s.is_local_network(address) is near


def test_buckets_empty_and_fill(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    bucket = s.Bucket(rate=2, burst=3)
    assert [bucket.take() for _ in range(4)] == [True, True, True, False]
    now[0] += 0.5
    assert bucket.take() and not bucket.has()
    now[0] += 60
    assert [bucket.take() for _ in range(4)] == [True, True, True, False]


def test_limits_are_for_each_address_and_wider_for_local_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time, "monotonic", lambda: 0.0)
    limit = s.Limit(rate=1, burst=2, shared_factor=5)
    assert sum(limit.take("8.8.8.8") for _ in range(50)) == 2
    assert sum(limit.take("9.9.9.9") for _ in range(50)) == 2
    assert sum(limit.take("192.168.0.9") for _ in range(50)) == 10
    assert not limit.has("8.8.8.8")


def test_limits_are_bounded_and_drop_idle_addresses(monkeypatch: pytest.MonkeyPatch) -> None:
    """A client with enough addresses could once have all counters dropped, including its own."""
    monkeypatch.setattr(time, "monotonic", lambda: 0.0)
    monkeypatch.setattr(s.Limit, "MAX_ADDRESSES", 10)
    limit = s.Limit(rate=1, burst=2)
    assert [limit.take("9.9.9.9") for _ in range(3)] == [True, True, False]
    for i in range(100):
        assert limit.take(f"8.8.8.{i}")
        assert not limit.take("9.9.9.9")
    assert len(limit._buckets) == 10
    assert limit.take("8.8.8.0"), "it was quiet for so long that it is forgotten"


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        ("  Ann \t Lee\n", "Ann Lee"),
        ("A\u0301nna", "Ánna"),
        ("\u202eevil\u2066", "evil"),
        ("a\x00b\x1b[31mc", "ab[31mc"),
        ("👩\u200d🚀", "👩\u200d🚀"),
        ("\u200d", ""),
        ("e" + "\u0335" * 30, "e" + "\u0335" * 3),
        ("\ue000\ud800x", "x"),
        ("\u3164a\u2800b\u115fc\u17b4", "abc"),
        ("a\U00016fe4b\U0001d159c\u2d7f", "abc"),
        ("葛\U000e0100城", "葛\U000e0100城"),  # a variant of a character that Japanese names have
        ("❤\ufe0f", "❤\ufe0f"),
        ("Zażółć", "Zażółć"),
        ("", ""),
    ],
)
def test_text_is_cleaned(text: str, clean: str) -> None:
    assert names.clean_text(text) == clean


@given(st.text(max_size=400))
def test_clean_text_is_short_plain_and_stays_as_it_is(text: str) -> None:
    clean = names.clean_text(text, 40)
    assert len(clean) <= 40
    assert clean == names.clean_text(clean, 40)
    assert clean == unicodedata.normalize("NFC", clean)
    controls = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}
    assert not {unicodedata.bidirectional(c) for c in clean} & controls
    assert all(c.isprintable() or c in "\u200c\u200d" for c in clean)


@pytest.mark.parametrize(
    "name",
    [
        *"\u3164\u2800\u115f\u17b4\ufe0f\U000e0100\U000e01ef\u180b\u180f\U00016fe4\U0001d159",
        "\u200d \u2800",
        "\u034f\ufe0f",
    ],
)
def test_invisible_names_are_refused(name: str) -> None:
    assert names.clean_name(name) == ""


@pytest.mark.parametrize(
    ("one", "other", "alike"),
    [
        ("Ana", "Аna", True),  # a Cyrillic A
        ("Ana", "Ana\ufe0f", True),
        ("Ana", "An\U000e0100a\u180b", True),
        ("Ana", "A\u200dna", True),
        ("कमल", "कमला", False),  # marks that are letters there
        ("👩\u200d🚀", "👩\u200d🎨", False),
        ("Ana B", "AnaB", True),
        ("Bill", "BiIl", True),
        ("Bob", "B0b", True),
        ("Marnie", "Mamie", True),
        ("Ana", "Ána", False),
        ("Ana", "Ana 2", False),
        ("Зоя", "Зоя ", True),
    ],
)
def test_confusable_names(one: str, other: str, alike: bool) -> None:
    assert (names.confusable_skeleton(one) == names.confusable_skeleton(other)) is alike


def test_names_are_short() -> None:
    assert names.clean_name("x" * 500) == "x" * names.NAME_CHARS
