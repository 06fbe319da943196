"""Records and cases as files, and events as plain values."""
