"""The rules of the game, compiled: plain functions over one flat record."""
