"""A table with its people, and all tables of a worker."""
