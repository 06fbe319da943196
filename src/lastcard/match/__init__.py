"""The checked, friendly face of the engine: events, views, refusals, rounds, matches."""
