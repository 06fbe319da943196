"""The Python interface of the engine: events, views, refusals, rounds, matches."""
