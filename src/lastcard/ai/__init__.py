"""Thinking, compiled: rules of thumb, belief, imagined deals, search, networks."""
