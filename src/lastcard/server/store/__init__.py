"""What is kept: players, tables, matches and the log of moves."""
