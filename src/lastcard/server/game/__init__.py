"""The current match of a table."""
