"""Playing and looking on in a terminal, in plain lines."""
