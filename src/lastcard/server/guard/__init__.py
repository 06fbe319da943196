"""What keeps a server safe, and tells how it is."""
