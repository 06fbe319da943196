"""Luck and skill: what a match shows of those who played it."""
