"""Notifies people away from the table: through the push services of their browsers, and webhooks.

A notification has the name of the game and the link to the table. It says nothing about cards, points or other people.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final

import msgspec
import structlog
from msgspec import Struct

from lastcard.errors import StoreError
from lastcard.game.rulesets import ruleset
from lastcard.server.security import metrics
from lastcard.server.security.security import new_id
from lastcard.server.store.notification_queries import PUSH
from lastcard.server.store.rows import NotificationAddress, now_ms
from lastcard.server.store.store import Store
from lastcard.server.wire.checked_client import CheckedClient, RefusedAddressError
from lastcard.server.wire.web_push import PushSigner, has_web_push, new_signing_key
from lastcard.server.wire.webhooks import WEBHOOKS
from lastcard.session.table_state import CommandError
from lastcard.text.locale import catalog

_SIGNING_KEY: Final = "vapid"
_GONE: Final = (404, 410)
"""A push service's answers if the browser has unsubscribed (RFC 8030, section 7.3)."""
_LOG: Final = structlog.get_logger()


class Notice(Struct, frozen=True):
    """What a person is notified of."""

    what: str
    """``turn``, ``closing`` or ``test``."""
    rules: str
    url: str
    """The link that a press on the notification opens."""


class PushMessage(Struct, frozen=True):
    """What the service worker of the page shows."""

    title: str
    body: str
    url: str


class Notifier:
    """Notifies people, in their language.

    Args:
        url: returns the address of the server, which push services are given too.
    """

    def __init__(self, store: Store, client: CheckedClient, url: Callable[[], str]) -> None:
        self._store = store
        self._client = client
        self._url = url
        self._signer: PushSigner | None = None
        self._tasks: set[asyncio.Task[bool]] = set()

    async def close(self) -> None:
        """Stop notifications under way."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def signer(self) -> PushSigner | None:
        """Return what signs for push services; None without the libraries."""
        if self._signer is None and has_web_push():
            key = await self._store.server_key(_SIGNING_KEY, new_signing_key())
            url = self._url()
            contact = url if url.startswith("https:") else "mailto:webmaster@localhost"
            self._signer = PushSigner(key, contact)
        return self._signer

    async def add(self, player: str, kind: str, address: str, keys: dict[str, str] | None) -> NotificationAddress:
        """Save a checked address of a person, and return it.

        Raises:
            CommandError: if nothing may be sent there.
        """
        try:
            await self._client.check(address)
        except RefusedAddressError as error:
            raise CommandError("notify-address") from error
        row = NotificationAddress(new_id(), player, kind, address, keys, True, 0, now_ms())
        await self._store.add_notification_address(row)
        return row

    async def notify(self, player: str, notice: Notice) -> None:
        """Begin to notify a person at all their addresses that are on."""
        language = await self._store.language_of(player)
        for row in await self._store.notification_addresses(player):
            if row.enabled:
                task = asyncio.create_task(self.deliver(row, notice, language))
                self._tasks.add(task)
                task.add_done_callback(self._tasks.discard)

    async def deliver(self, row: NotificationAddress, notice: Notice, language: str) -> bool:
        """Send one notification, and save whether it arrived; forget a browser that has unsubscribed."""
        status: int | None = None
        try:
            request = await self._make_request(row, notice, language)
            if request is not None:
                status = await self._client.send(row.address, *request)
        except RefusedAddressError as error:
            _LOG.warning("no notification", kind=row.kind, why=str(error))
        has_arrived = status is not None and 200 <= status < 300
        metrics.NOTIFIED.labels(row.kind, "yes" if has_arrived else "no").inc()
        try:
            if row.kind == PUSH and status in _GONE:
                await self._store.delete_notification_address(row.player, row.id)
            else:
                await self._store.note_delivery(row.id, has_arrived)
        except StoreError:
            pass  # the store has logged it
        return has_arrived

    async def _make_request(
        self, row: NotificationAddress, notice: Notice, language: str
    ) -> tuple[dict[str, str], bytes] | None:
        texts = catalog(language)
        title = texts.text(f"web.notify.{notice.what}.title")
        body = texts.text(f"web.notify.{notice.what}.text", game=texts.text(f"game.{ruleset(notice.rules).game}"))
        if row.kind != PUSH:
            return WEBHOOKS[row.kind](f"{title} – {body}", notice.url)
        signer = await self.signer()
        if signer is None or row.keys is None:
            return None
        message = msgspec.json.encode(PushMessage(title, body, notice.url))
        return await asyncio.to_thread(signer.make_request, row.address, row.keys, message)
