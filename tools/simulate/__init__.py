"""Simulates whole tables from a seed; see ``__main__``."""
