"""Studies: questions about the games, answered by rounds between bots (docs/studies/README.md)."""
