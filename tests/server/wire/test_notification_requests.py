"""Requests to push services and webhooks."""

from __future__ import annotations

import base64
import json
import time

import pytest

from lastcard.server.wire.web_push import PushSigner, are_browser_keys, new_signing_key
from lastcard.server.wire.webhooks import WEBHOOKS
from support.push_service import BrowserSubscription

TEXT = "Your turn – <b> & *x*"
URL = "https://cards.example/t/ABC234"


def test_webhooks() -> None:
    """Each kind gets what its documentation asks for, and no markup of ours."""
    requests = {kind: make(TEXT, URL) for kind, make in WEBHOOKS.items()}
    bodies = {kind: json.loads(requests[kind].body) for kind in ("discord", "slack", "matrix")}
    assert bodies["discord"] == {"content": f"{TEXT} {URL}", "allowed_mentions": {"parse": []}}
    assert bodies["slack"] == {"text": f"Your turn – &lt;b&gt; &amp; *x* {URL}"}
    assert bodies["matrix"] == {"text": f"{TEXT} {URL}"}
    assert requests["ntfy"].body.decode() == TEXT and requests["ntfy"].headers["click"] == URL


def test_a_browser_reads_a_message() -> None:
    """It is encrypted for its keys, and signed for its push service."""
    vapid = pytest.importorskip("py_vapid")
    browser, signer = BrowserSubscription(), PushSigner(new_signing_key(), "https://cards.example")
    assert are_browser_keys(browser.keys)
    request = signer.make_request("https://push.example:8443/x/y", browser.keys, b"message")
    assert request is not None and browser.read(request.body) == b"message" and b"message" not in request.body
    assert request.headers["content-encoding"] == "aes128gcm" and int(request.headers["ttl"]) > 0
    signature = request.headers["Authorization"]
    assert vapid.Vapid02.verify(signature) and signature.endswith(f"k={signer.public_key}")
    part = signature.split("t=")[1].split(".")[1]
    claims = json.loads(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)))
    assert claims["aud"] == "https://push.example:8443" and claims["sub"] == "https://cards.example"
    assert 0 < claims["exp"] - time.time() <= 24 * 3600


def test_keys_of_no_browser() -> None:
    pytest.importorskip("py_vapid")
    point = base64.urlsafe_b64encode(b"\x04" + bytes(64)).decode()
    secret = base64.urlsafe_b64encode(bytes(16)).decode()
    assert not are_browser_keys({"p256dh": "Ж", "auth": secret}) and not are_browser_keys({})
    assert are_browser_keys({"p256dh": point, "auth": secret}), "the length is right"
    signer = PushSigner(new_signing_key(), "https://cards.example")
    assert signer.make_request(URL, {"p256dh": point, "auth": secret}, b"message") is None
