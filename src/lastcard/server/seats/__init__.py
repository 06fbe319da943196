"""A table as it is saved, and how commands change it."""
