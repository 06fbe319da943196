"""Bots: programs that play. They get a view and nothing else."""
