"""The rules, compiled: plain functions over one flat record."""
