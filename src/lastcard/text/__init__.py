"""Texts in five languages: rules, events, refusals."""
