"""Webhooks that post a text where people read it: the request for each kind."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

import msgspec


class WebhookRequest(NamedTuple):
    """A request to a webhook."""

    headers: dict[str, str]
    body: bytes


def _post_json(**content: object) -> WebhookRequest:
    return WebhookRequest({"content-type": "application/json"}, msgspec.json.encode(content))


def _discord(text: str, url: str) -> WebhookRequest:
    return _post_json(content=f"{text} {url}", allowed_mentions={"parse": []})


def _slack(text: str, url: str) -> WebhookRequest:
    for sign, escape in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;")):
        text = text.replace(sign, escape)
    return _post_json(text=f"{text} {url}")


def _matrix(text: str, url: str) -> WebhookRequest:
    """For the generic webhook of matrix-hookshot, which needs no password of an account."""
    return _post_json(text=f"{text} {url}")


def _ntfy(text: str, url: str) -> WebhookRequest:
    return WebhookRequest({"content-type": "text/plain; charset=utf-8", "click": url}, text.encode())


WEBHOOKS: Final[dict[str, Callable[[str, str], WebhookRequest]]] = {
    "discord": _discord,
    "slack": _slack,
    "ntfy": _ntfy,
    "matrix": _matrix,
}
"""What a text and a link become, by kind of webhook."""
