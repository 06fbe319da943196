"""What server and browser say to each other."""
