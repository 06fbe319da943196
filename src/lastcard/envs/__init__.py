"""Doors for research: many tables at once (``vector``), PettingZoo, OpenSpiel, RLCard."""
