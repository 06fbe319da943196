"""Live tables with their people, and the registry of a worker's tables."""
