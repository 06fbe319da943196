"""Compiled algorithms of the bots: heuristics, belief, determinization, search, networks."""
