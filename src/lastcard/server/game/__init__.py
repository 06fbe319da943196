"""The match on a table."""
