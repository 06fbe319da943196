"""The saved state of a table, and the functions that change it."""
