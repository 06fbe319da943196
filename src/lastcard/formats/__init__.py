"""Records and cases as files; what happened as plain values."""
