"""The table server: play with friends and bots in the browser."""
