"""Analysis of matches: luck and skill of the players."""
