"""The terminal client: play and replay in plain lines."""
