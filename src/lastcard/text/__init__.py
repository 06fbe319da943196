"""Texts in five languages: what a table plays by, what happened, why not."""
