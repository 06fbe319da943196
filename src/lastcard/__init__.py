"""lastcard."""
