"""The table server: friends and bots in the browser."""
