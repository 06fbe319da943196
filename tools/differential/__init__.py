"""Differential tests: random rounds on two implementations, with all state compared after each move."""
