"""Security of the server, its logs and its metrics."""
