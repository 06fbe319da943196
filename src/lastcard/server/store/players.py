"""Players and what their browsers prove themselves with: functions on a connection, for the store."""

from __future__ import annotations

from sqlalchemy import Connection, delete, insert, select, update

from lastcard.server.store.matches import delete_match_for, ids_of
from lastcard.server.store.rows import Player
from lastcard.server.store.schema import PLAYER, TOKEN


def create_player(connection: Connection, player: Player, token_hash: str) -> None:
    """A new player with a token."""
    connection.execute(insert(PLAYER).values(id=player.id, name=player.name, language=player.language))
    connection.execute(insert(TOKEN).values(hash=token_hash, player=player.id))


def save_player(connection: Connection, player: Player) -> None:
    """Another name or language."""
    changed = update(PLAYER).where(PLAYER.c.id == player.id).values(name=player.name, language=player.language)
    connection.execute(changed)


def player_by_token(connection: Connection, token_hash: str) -> Player | None:
    """Whose token it is."""
    joined = select(PLAYER.c.id, PLAYER.c.name, PLAYER.c.language).join(TOKEN, TOKEN.c.player == PLAYER.c.id)
    found = connection.execute(joined.where(TOKEN.c.hash == token_hash)).one_or_none()
    return Player(*found) if found else None


def revoke_token(connection: Connection, token_hash: str) -> None:
    """A token that is no longer good for anything."""
    connection.execute(delete(TOKEN).where(TOKEN.c.hash == token_hash))


def delete_player(connection: Connection, player: str) -> None:
    """Everything that is the player's own: tokens, account, and the name in matches."""
    for match in connection.scalars(ids_of(player)).all():
        delete_match_for(connection, player, match)
    connection.execute(delete(TOKEN).where(TOKEN.c.player == player))
    connection.execute(delete(PLAYER).where(PLAYER.c.id == player))
