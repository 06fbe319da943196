"""What a server is told when it starts, whether that can be right, and a way in from the world."""
