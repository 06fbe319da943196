"""Renewal of the browsers' tokens, without a new login."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from typing import Final

from starlette.requests import Request

from lastcard.server.security.security import COOKIE, hash_token, is_old, new_session, replaced_by
from lastcard.server.store.rows import Player
from lastcard.server.store.store import Store

MAX_OFFERED: Final = 10_000


class Sessions:
    """Renews tokens. Old ones are valid until the browser sends the new one, as an answer may be lost and a program may
    store no cookies. A browser that sends the old one again gets the same new one.
    """

    def __init__(self) -> None:
        self._offered: OrderedDict[str, str] = OrderedDict()
        """New tokens by the hash of the old ones; they are in the store."""
        self._offering = asyncio.Lock()

    async def renew(self, request: Request, player: Player) -> str | None:
        """Return the new token of a caller; None if the present one is good."""
        store: Store = request.app.state.store
        token = request.cookies[COOKIE]
        if is_old(token):
            return await self._offer(store, player, token)
        before = replaced_by(token)
        if before is not None and await store.player_by_token(before) == player:
            await store.revoke_token(before)
        return None

    async def _offer(self, store: Store, player: Player, token: str) -> str:
        old = hash_token(token)
        async with self._offering:  # parallel requests of a browser must get the same token
            new = self._offered.get(old)
            if new is None:
                new = new_session(token)
                await store.add_token(player.id, hash_token(new))  # first, because an unknown token identifies nobody
                self._offered[old] = new
                if len(self._offered) > MAX_OFFERED:
                    self._offered.popitem(last=False)
            return new
