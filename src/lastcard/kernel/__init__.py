"""How plain functions over flat records are compiled and called."""
