"""Tokens of browsers: a new one in the place of one that is old, without anybody noticing."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from typing import Final

from starlette.requests import Request

from lastcard.server.guard.security import COOKIE, hash_token, is_old, new_session, replaced_by
from lastcard.server.store.rows import Player
from lastcard.server.store.store import Store

MOST_OFFERED: Final = 10_000
"""New tokens of which is remembered whom they were offered to."""


class Sessions:
    """Renews tokens. The old one is good until its browser comes with the new one: an answer may be lost on the way,
    and a program may keep no cookies. Whoever comes with the old one again is offered the same new one.
    """

    def __init__(self) -> None:
        self._offered: OrderedDict[str, str] = OrderedDict()
        """New tokens by the hash of the old ones; they are in the store."""
        self._offering = asyncio.Lock()

    async def renew(self, request: Request, player: Player) -> str | None:
        """The token a caller should have from now on; None where it is good as it is."""
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
        async with self._offering:  # a browser asks several things at once, and is to get one token
            new = self._offered.get(old)
            if new is None:
                new = new_session(token)
                await store.add_token(player.id, hash_token(new))  # first: a token that is in no store is nobody's
                self._offered[old] = new
                if len(self._offered) > MOST_OFFERED:
                    self._offered.popitem(last=False)
            return new
