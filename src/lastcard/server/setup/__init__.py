"""Options of a server, their checks, and tunnels."""
