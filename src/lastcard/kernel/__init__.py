"""Compilation and calls of plain functions over flat records."""
