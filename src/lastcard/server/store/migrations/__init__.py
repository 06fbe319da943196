"""The schema of the database, step by step from the first to the newest."""
