"""The store of players, tables, matches and the log of moves."""
