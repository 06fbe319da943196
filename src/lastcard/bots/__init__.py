"""Players that are programs: they get a view, and nothing else."""
